//! Types in C syntax.

use crate::program::Program;
use base::Symbol;
use sema::types::{FloatKind, IntKind, Length, Type, TypeId};

/// `int (*)[4]`
pub fn type_name(program: &Program, ty: TypeId) -> String {
    declaration(program, ty, "")
}

/// `int (*name)[4]`: the declaration of a name of that type.
pub fn declaration(program: &Program, ty: TypeId, name: &str) -> String {
    let mut declarator = name.to_string();
    let mut ty = ty;
    loop {
        let qualifiers = qualifiers(ty);
        match program.types.get(ty) {
            Type::Pointer(target) => {
                let space = if qualifiers.is_empty() || declarator.is_empty() { "" } else { " " };
                declarator = format!("*{}{space}{declarator}", qualifiers.trim_end());
                if matches!(program.types.get(*target), Type::Array { .. } | Type::Function { .. }) {
                    declarator = format!("({declarator})");
                }
                ty = *target;
            }
            Type::Array { element, length } => {
                declarator.push_str(&array_length(program, *length));
                ty = *element;
            }
            Type::Function { result, parameters, variadic, prototype } => {
                declarator.push_str(&parameter_list(program, parameters, *variadic, *prototype));
                ty = *result;
            }
            _ => {
                let space = if declarator.is_empty() || declarator.starts_with('[') { "" } else { " " };
                return format!("{qualifiers}{}{space}{declarator}", base_name(program, ty));
            }
        }
    }
}

fn qualifiers(ty: TypeId) -> &'static str {
    match (ty.is_const(), ty.is_volatile()) {
        (false, false) => "",
        (true, false) => "const ",
        (false, true) => "volatile ",
        (true, true) => "const volatile ",
    }
}

fn array_length(program: &Program, length: Length) -> String {
    match length {
        Length::Known(length) => format!("[{length}]"),
        Length::Unknown => "[]".into(),
        Length::Variable(vla) => {
            let variable = program.vlas[vla];
            format!("[{}]", program.name(program.variables[variable].name))
        }
    }
}

fn parameter_list(program: &Program, parameters: &[TypeId], variadic: bool, prototype: bool) -> String {
    let mut names: Vec<String> = parameters.iter().map(|&ty| type_name(program, ty)).collect();
    if variadic {
        names.push("...".into());
    } else if names.is_empty() && prototype {
        names.push("void".into());
    }
    format!("({})", names.join(", "))
}

fn base_name(program: &Program, ty: TypeId) -> String {
    let tagged = |keyword: &str, tag: Option<Symbol>| match tag {
        Some(tag) => format!("{keyword} {}", program.name(tag)),
        None => format!("{keyword} <unnamed>"),
    };
    match *program.types.get(ty) {
        Type::Void => "void".into(),
        Type::Bool => "_Bool".into(),
        Type::Int(kind) => int_name(kind).into(),
        Type::Float(kind) => float_name(kind).into(),
        Type::Complex(kind) => format!("_Complex {}", float_name(kind)),
        Type::Enum(id) => tagged("enum", program.types.enums[id].tag),
        Type::Record(id) => {
            let record = &program.types.records[id];
            tagged(if record.is_union { "union" } else { "struct" }, record.tag)
        }
        Type::VaList => "__builtin_va_list".into(),
        Type::Pointer(_) | Type::Array { .. } | Type::Function { .. } => type_name(program, ty),
    }
}

fn int_name(kind: IntKind) -> &'static str {
    match kind {
        IntKind::Char => "char",
        IntKind::SignedChar => "signed char",
        IntKind::UnsignedChar => "unsigned char",
        IntKind::Short => "short",
        IntKind::UnsignedShort => "unsigned short",
        IntKind::Int => "int",
        IntKind::UnsignedInt => "unsigned int",
        IntKind::Long => "long",
        IntKind::UnsignedLong => "unsigned long",
        IntKind::LongLong => "long long",
        IntKind::UnsignedLongLong => "unsigned long long",
        IntKind::Int128 => "__int128",
        IntKind::UnsignedInt128 => "unsigned __int128",
    }
}

fn float_name(kind: FloatKind) -> &'static str {
    match kind {
        FloatKind::Half => "_Float16",
        FloatKind::Float => "float",
        FloatKind::Double => "double",
        FloatKind::LongDouble => "long double",
        FloatKind::Quad => "_Float128",
    }
}
