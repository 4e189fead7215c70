//! The typed program to control-flow automata.
//!
//! Each function is walked once, in evaluation order (left to right; C leaves it open). A value stays
//! an expression for as long as nothing can change it, so `x = y + z` is one edge; what has side
//! effects becomes edges as it is met, and a value from before is saved in a temporary only if the
//! footprints ([`facts`]) say that it may be changed. Conditions become branches ([`condition`]).
//! The [`draft`] of a function goes to [`finish`](crate::finish), which numbers what is reachable.
//!
//! Recursion follows the nesting of the program text. What generated code makes long rather than deep
//! (sums, comma lists, `else if`, stacked labels, `&&` and `||`) is walked by loops.

mod assembly;
mod assign;
mod build;
mod builtin;
mod call;
mod condition;
pub(crate) mod draft;
mod environment;
mod expression;
mod facts;
mod function;
mod initializer;
mod lifetime;
mod place;
mod statement;
mod switch;

use crate::library::Library;
use crate::program::*;
use base::{Arena, Interner, SourceMap, Span, Symbol};
use build::ExprFacts;
use draft::Draft;
use environment::Outside;
use facts::Facts;
use function::Frame;
pub use lifetime::Lives;
use sema::hir;
use sema::types::{DataModel, Type, TypeId, Types};

/// What the automata are to show.
#[derive(Clone, Copy, Default, Debug)]
pub struct Options {
    pub lives: Lives,
    pub environment: Environment,
}

/// Lowers every function that has a body, and makes the entry function around `main`.
pub fn lower(hir: hir::Program, names: Interner, sources: SourceMap) -> Program {
    lower_with(hir, names, sources, Options::default())
}

pub fn lower_with(mut hir: hir::Program, names: Interner, sources: SourceMap, options: Options) -> Program {
    let roles = hir.functions.iter().map(|function| Role::of(function, &names)).collect::<Vec<_>>();
    let facts = Facts::new(&hir, |function| roles[function.0 as usize] == Role::Input);
    let program = Program { environment: options.environment, ..outline(&mut hir, names, sources) };
    let mut lowering = Lowering::new(&hir, &facts, &roles, options.lives, program);
    for (function, definition) in hir.functions.enumerated() {
        if let Some(body) = &definition.body {
            lowering.function(function, body);
        }
    }
    lowering.entry();
    lowering.outside_functions();
    let program = lowering.program;
    debug_assert_eq!(crate::validate::validate(&program), Ok(()));
    program
}

/// What a call to a function is, by the function alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    Ordinary,
    /// An undefined `__VERIFIER_nondet_…`.
    Input,
    /// An undefined `__VERIFIER_assume`.
    Assume,
    /// An undefined `assert`.
    Assert,
    /// Undefined, and changes the flow of control in a way that is not modelled.
    Unmodelled(&'static str),
    /// Undefined, and does not return.
    Terminal,
}

impl Role {
    fn of(function: &hir::Function, names: &Interner) -> Role {
        if function.body.is_some() {
            return Role::Ordinary;
        }
        let name = names.resolve(function.name);
        if let Some(what) = crate::unmodelled::control(name) {
            return Role::Unmodelled(what);
        }
        match Library::of_name(name) {
            Some(Library::Assume) => Role::Assume,
            Some(Library::AssertFunction) => Role::Assert,
            Some(library) if library.never_returns() => Role::Terminal,
            _ if function.noreturn => Role::Terminal,
            _ if Library::is_input(name) => Role::Input,
            _ => Role::Ordinary,
        }
    }
}

/// The state of the lowering: the program so far and the function at hand.
struct Lowering<'h> {
    /// Its types, strings and constants have moved to `program`.
    hir: &'h hir::Program,
    facts: &'h Facts,
    roles: &'h [Role],
    lives: Lives,
    program: Program,
    /// Beside `program.exprs`.
    expr_facts: Vec<ExprFacts>,
    /// Beside `program.places`.
    place_facts: Vec<ExprFacts>,
    /// The place of each whole variable, once made.
    variable_places: Vec<Option<PlaceId>>,
    temporary_names: Vec<Symbol>,
    draft: Draft,
    frame: Frame,
    /// Where the labels of the function at hand are, once met.
    label_locations: Vec<Option<LocationId>>,
    /// The place in `program.labels` of each label whose address is taken.
    label_numbers: Vec<Option<u32>>,
    /// In the order of `program.labels`.
    addressed_labels: Vec<hir::LabelId>,
    /// Expressions on the way down a left spine; a stack shared by nested walks.
    spine: Vec<hir::ExprId>,
    /// Those that the lowering itself has called.
    library_functions: Vec<(Library, FunctionId)>,
    outside: Outside,
    /// Locals of each function, in order of appearance.
    locals: Vec<Vec<VariableId>>,
}

impl<'h> Lowering<'h> {
    fn new(
        hir: &'h hir::Program,
        facts: &'h Facts,
        roles: &'h [Role],
        lives: Lives,
        program: Program,
    ) -> Lowering<'h> {
        let mut locals = vec![Vec::new(); hir.functions.len()];
        for (id, variable) in hir.variables.enumerated() {
            if let hir::Storage::Local(function) = variable.storage {
                locals[function.0 as usize].push(id);
            }
        }
        let mut lowering = Lowering {
            hir,
            facts,
            roles,
            lives,
            expr_facts: Vec::with_capacity(hir.exprs.len()),
            place_facts: Vec::new(),
            variable_places: vec![None; hir.variables.len()],
            temporary_names: Vec::new(),
            draft: Draft::new(),
            frame: Frame::new(program.entry),
            label_locations: vec![None; hir.labels.len()],
            label_numbers: vec![None; hir.labels.len()],
            addressed_labels: Vec::new(),
            spine: Vec::new(),
            library_functions: Vec::new(),
            outside: Outside::default(),
            locals,
            program,
        };
        lowering.number_labels();
        lowering
    }

    fn number_labels(&mut self) {
        for (id, label) in self.hir.labels.enumerated() {
            if label.address_taken {
                self.label_numbers[id.0 as usize] = Some(self.program.labels.len() as u32);
                self.program.labels.push(LocationId(0));
                self.addressed_labels.push(id);
            }
        }
    }

    /// The undefined function of the library, declared if the program does not.
    fn library_function(&mut self, library: Library, ty: Type) -> FunctionId {
        if let Some(&(_, function)) = self.library_functions.iter().find(|(known, _)| *known == library) {
            return function;
        }
        let functions = &mut self.program.functions;
        let declared = functions.enumerated().find(|(_, function)| function.library == Some(library));
        let function = match declared {
            Some((id, _)) => id,
            None => {
                let name = self.program.names.intern(library.name());
                let ty = self.program.types.intern(ty);
                let library = Some(library);
                functions.push(Function { name, ty, body: None, library, span: Span::NONE })
            }
        };
        self.library_functions.push((library, function));
        function
    }
}

/// The program with all that is taken over as it is, functions still without bodies.
fn outline(hir: &mut hir::Program, mut names: Interner, sources: SourceMap) -> Program {
    let mut types = std::mem::replace(&mut hir.types, Types::new(DataModel::Lp64));
    let variables = hir.variables.iter().map(outline_variable).collect();
    let mut functions: Arena<FunctionId, Function> =
        hir.functions.iter().map(|function| outline_function(function, &types, &names)).collect();
    let ty = types.intern(Type::Function {
        result: TypeId::VOID,
        parameters: Box::new([]),
        variadic: false,
        prototype: true,
    });
    // No function of the program can have this name: `.` is not part of names.
    let name = names.intern("proviso.entry");
    let entry = functions.push(Function { name, ty, body: None, library: None, span: Span::NONE });
    Program {
        types,
        names,
        sources,
        variables,
        functions,
        locations: Arena::with_capacity(hir.stmts.len()),
        edges: Arena::with_capacity(hir.stmts.len() + hir.stmts.len() / 4),
        exprs: Arena::with_capacity(hir.exprs.len()),
        places: Arena::with_capacity(hir.variables.len()),
        calls: Arena::new(),
        strings: std::mem::take(&mut hir.strings),
        floats: std::mem::take(&mut hir.floats),
        projections: Default::default(),
        expr_lists: Default::default(),
        edge_lists: Default::default(),
        vlas: std::mem::take(&mut hir.vlas),
        labels: Vec::new(),
        entry,
        main: hir.main,
        environment: Environment::default(),
    }
}

fn outline_variable(variable: &hir::Variable) -> Variable {
    let kind = match variable.storage {
        hir::Storage::Static => VariableKind::Global,
        hir::Storage::External => VariableKind::External,
        hir::Storage::Local(function) => VariableKind::Local(function),
        hir::Storage::Parameter(function) => VariableKind::Parameter(function),
    };
    Variable {
        name: variable.name,
        ty: variable.ty,
        kind,
        address_taken: false,
        alignment: variable.alignment,
        span: variable.span,
    }
}

fn outline_function(function: &hir::Function, types: &Types, names: &Interner) -> Function {
    let library = if function.body.is_none() { Library::of_name(names.resolve(function.name)) } else { None };
    let library = library.filter(|library| match types.get(function.ty) {
        Type::Function { result, parameters, .. } => {
            library.fits(types, Some(*result), parameters.iter().copied())
        }
        _ => false,
    });
    Function { name: function.name, ty: function.ty, body: None, library, span: function.span }
}
