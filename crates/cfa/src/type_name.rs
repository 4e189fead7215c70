//! Types in C syntax.

use crate::program::Program;
use sema::types::{TypeId, VlaId, Writer};

/// `int (*)[4]`
pub fn type_name(program: &Program, ty: TypeId) -> String {
    declaration(program, ty, "")
}

/// `int (*name)[4]`: the declaration of a name of that type.
pub fn declaration(program: &Program, ty: TypeId, name: &str) -> String {
    let length = |vla: VlaId| program.name(program.variables[program.vlas[vla]].name).to_string();
    Writer { types: &program.types, names: &program.names, length: &length }.declaration(ty, name)
}
