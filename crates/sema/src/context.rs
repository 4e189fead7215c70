//! The state of an analysis, and the small steps that all parts of it take: making expressions and
//! statements, reporting errors, asking for types.

use crate::display::display;
use crate::hir::{
    Expr, ExprId, ExprKind, FunctionId, InitItem, Initializer, LabelId, Program, Stmt, StmtId, StmtKind,
    Storage, StringData, StringId, Variable, VariableId,
};
use crate::linking::Links;
use crate::names::Names;
use crate::scope::Scopes;
use crate::types::{DataModel, Length, RecordId, TypeId, Types};
use base::{Arena, Diagnostic, Diagnostics, Interner, ListPool, SourceMap, Span, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::ast;

/// An error has been reported; whoever gets this says nothing more.
#[derive(Clone, Copy, Debug)]
pub struct Reported;

pub type Checked<T = ExprId> = Result<T, Reported>;

#[derive(Clone, Copy, Debug)]
pub struct Typedef {
    pub ty: TypeId,
    pub alignment: Option<u64>,
    pub span: Span,
}

#[derive(Clone, Copy, Debug)]
pub struct EnumeratorValue {
    pub bits: u64,
    pub ty: TypeId,
    pub span: Span,
}

/// What is known of the function whose body is being read.
pub struct FunctionContext {
    pub id: FunctionId,
    pub result: TypeId,
    pub labels: FxHashMap<Symbol, LabelId>,
    /// All labels mentioned, and whether they have been defined.
    pub mentioned: Vec<(LabelId, bool)>,
    /// Loops and switches around the current statement.
    pub breakable: u32,
    pub loops: u32,
    pub switches: Vec<SwitchContext>,
}

pub struct SwitchContext {
    /// The promoted type of the subject.
    pub ty: TypeId,
    pub cases: Vec<(i128, i128, Span)>,
    pub default: Option<Span>,
}

pub struct Analyzer<'a> {
    pub ast: &'a ast::Ast,
    pub sources: &'a SourceMap,
    pub interner: &'a mut Interner,
    pub diagnostics: Diagnostics,
    pub program: Program,
    pub scopes: Scopes,
    pub links: Links,
    pub names: Names,
    pub typedefs: Vec<Typedef>,
    pub enumerators: Vec<EnumeratorValue>,
    pub function: Option<FunctionContext>,
    /// Records that stand for the vector types of GNU C.
    pub vectors: FxHashSet<RecordId>,
    /// Widths of integer values that are computed from bit-fields wider than `int`.
    pub precisions: FxHashMap<ExprId, u32>,
    /// Assignments to the variables that hold lengths of variable-length arrays, made while a type
    /// was read; whoever asked for the type puts them where they are to be evaluated.
    pub lengths: Vec<ExprId>,
    /// How many prototypes the current type is inside of.
    pub prototypes: u32,
    /// Statements of the blocks that are being read, the innermost last.
    pub block: Vec<StmtId>,
    /// The type with which a variable was declared, where its object is larger: flexible array
    /// members that are initialised.
    pub declared_types: FxHashMap<VariableId, TypeId>,
    /// For each name, the last record that had a member of that name.
    pub member_stamps: Vec<u32>,
    string_ids: FxHashMap<StringData, StringId>,
}

impl<'a> Analyzer<'a> {
    pub fn new(
        ast: &'a ast::Ast,
        data_model: DataModel,
        interner: &'a mut Interner,
        sources: &'a SourceMap,
    ) -> Self {
        let names = Names::new(interner);
        let symbols = interner.len();
        Self {
            ast,
            sources,
            diagnostics: Diagnostics::default(),
            program: empty_program(data_model),
            scopes: Scopes::new(symbols),
            links: Links::new(symbols),
            names,
            interner,
            typedefs: Vec::new(),
            enumerators: Vec::new(),
            function: None,
            vectors: FxHashSet::default(),
            precisions: FxHashMap::default(),
            lengths: Vec::new(),
            prototypes: 0,
            block: Vec::new(),
            declared_types: FxHashMap::default(),
            member_stamps: Vec::new(),
            string_ids: FxHashMap::default(),
        }
    }

    /// Conversions and loads are a third of what expressions become: growing step by step would mean
    /// copying.
    pub fn make_room(&mut self, units: &[ast::Ast]) {
        let exprs: usize = units.iter().map(|unit| unit.exprs.len()).sum();
        let stmts: usize = units.iter().map(|unit| unit.stmts.len()).sum();
        self.program.exprs.reserve(exprs + exprs / 2);
        self.program.stmts.reserve(stmts + stmts / 4);
    }

    pub fn types(&self) -> &Types {
        &self.program.types
    }

    pub fn error(&mut self, span: Span, message: impl Into<String>) -> Reported {
        self.diagnostics.error(span, message);
        Reported
    }

    pub fn error_with_note(&mut self, span: Span, message: String, at: Span, note: &str) -> Reported {
        self.diagnostics.push(Diagnostic::error(span, message).with_note(at, note));
        Reported
    }

    pub fn show(&self, ty: TypeId) -> String {
        display(self.types(), self.interner, ty)
    }

    pub fn name(&self, symbol: Symbol) -> &str {
        self.interner.resolve(symbol)
    }

    // Expressions.

    #[inline]
    pub fn make(&mut self, kind: ExprKind, ty: TypeId, span: Span) -> ExprId {
        self.program.exprs.push(Expr { kind, ty, span })
    }

    #[inline]
    pub fn kind(&self, id: ExprId) -> ExprKind {
        self.program.exprs[id].kind
    }

    #[inline]
    pub fn type_of(&self, id: ExprId) -> TypeId {
        self.program.exprs[id].ty
    }

    #[inline]
    pub fn span_of(&self, id: ExprId) -> Span {
        self.program.exprs[id].span
    }

    pub fn int(&mut self, value: i128, ty: TypeId, span: Span) -> ExprId {
        let bits = self.types().int_bits(ty, value);
        self.make(ExprKind::Int(bits), ty, span)
    }

    pub fn float(&mut self, bits: u128, ty: TypeId, span: Span) -> ExprId {
        let id = self.program.floats.push(crate::hir::FloatConstant { bits });
        self.make(ExprKind::Float(id), ty, span)
    }

    pub fn variable(&mut self, variable: VariableId, span: Span) -> ExprId {
        let ty = match self.declared_types.get(&variable) {
            Some(&ty) => ty,
            None => self.program.variables[variable].ty,
        };
        self.make(ExprKind::Variable(variable), ty, span)
    }

    pub fn load(&mut self, place: ExprId) -> ExprId {
        let Expr { ty, span, .. } = self.program.exprs[place];
        self.make(ExprKind::Load(place), ty.unqualified(), span)
    }

    pub fn assign(&mut self, target: ExprId, value: ExprId, span: Span) -> ExprId {
        let ty = self.type_of(target).unqualified();
        self.make(ExprKind::Assign { target, value }, ty, span)
    }

    pub fn comma(&mut self, left: ExprId, right: ExprId) -> ExprId {
        let span = self.span_of(left).to(self.span_of(right));
        let ty = self.type_of(right);
        self.make(ExprKind::Comma { left, right }, ty, span)
    }

    pub fn unsupported(&mut self, what: &'static str, ty: TypeId, span: Span) -> ExprId {
        self.make(ExprKind::Unsupported(what), ty.unqualified(), span)
    }

    pub fn string(&mut self, bytes: Box<[u8]>, unit: TypeId, unit_size: u64, span: Span) -> ExprId {
        let length = Length::Known(bytes.len() as u64 / unit_size);
        let ty = self.program.types.array_of(unit, length);
        let data = StringData { bytes, ty };
        let id = match self.string_ids.get(&data) {
            Some(&id) => id,
            None => {
                let id = self.program.strings.push(data.clone());
                self.string_ids.insert(data, id);
                id
            }
        };
        self.make(ExprKind::String(id), ty, span)
    }

    // Statements.

    pub fn statement(&mut self, kind: StmtKind, span: Span) -> StmtId {
        self.program.stmts.push(Stmt { kind, span })
    }

    /// Adds a statement to the block that is being read.
    pub fn emit(&mut self, kind: StmtKind, span: Span) {
        let id = self.statement(kind, span);
        self.block.push(id);
    }

    /// The statements that were emitted since `mark`, as one block.
    pub fn close_block(&mut self, mark: usize, span: Span) -> StmtId {
        let list = self.program.stmt_lists.push(self.block.drain(mark..));
        self.statement(StmtKind::Block(list), span)
    }

    /// Emits the pending computations of array lengths.
    pub fn emit_lengths(&mut self, mark: usize) {
        for index in mark..self.lengths.len() {
            let expr = self.lengths[index];
            self.emit(StmtKind::Expr(expr), self.span_of(expr));
        }
        self.lengths.truncate(mark);
    }

    /// `value`, but the pending computations of array lengths come first.
    pub fn after_lengths(&mut self, mark: usize, value: ExprId) -> ExprId {
        let mut result = value;
        while self.lengths.len() > mark {
            if let Some(length) = self.lengths.pop() {
                result = self.comma(length, result);
            }
        }
        result
    }

    // Variables.

    /// A variable that the source does not name: local inside functions, static outside.
    pub fn temporary(&mut self, name: Symbol, ty: TypeId, span: Span) -> VariableId {
        let storage = match &self.function {
            Some(function) => Storage::Local(function.id),
            None => Storage::Static,
        };
        let id = self.program.variables.push(Variable::new(name, ty, storage, span));
        if storage == Storage::Static {
            self.program.globals.push(id);
        }
        id
    }

    /// `variable = value` as an initialiser.
    pub fn simple_initializer(&mut self, variable: VariableId, value: ExprId) -> Initializer {
        let target = self.variable(variable, self.span_of(value));
        let items = self.program.init_lists.push([InitItem { target, value }]);
        Initializer { zero: false, items }
    }
}

fn empty_program(data_model: DataModel) -> Program {
    Program {
        types: Types::new(data_model),
        variables: Arena::new(),
        functions: Arena::new(),
        exprs: Arena::new(),
        stmts: Arena::new(),
        labels: Arena::new(),
        strings: Arena::new(),
        floats: Arena::new(),
        expr_lists: ListPool::default(),
        stmt_lists: ListPool::default(),
        init_lists: ListPool::default(),
        vlas: Arena::new(),
        globals: Vec::new(),
        constructors: Vec::new(),
        main: None,
    }
}
