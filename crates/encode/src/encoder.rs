//! The encoder itself: what it knows of the program, and what it has made so far.

use crate::cells::{Cells, Fill};
use crate::environment::Environment;
use crate::layout::Layouts;
use crate::objects::{Object, ObjectId, ObjectKind, Objects, Size};
use crate::state::{Content, Frame, State};
use crate::{Check, Unsupported};
use base::{PersistentVec, Span};
use cfa::pointsto::PointsTo;
use cfa::{EdgeId, FunctionId, Program, StringId, VariableId, VariableKind};
use rustc_hash::{FxHashMap, FxHashSet};
use sema::types::TypeId;
use std::rc::Rc;
use term::{Op, Sort, TermId, TermPool};

pub struct Encoder<'p> {
    pub program: &'p Program,
    pub points_to: &'p PointsTo,
    pub pool: TermPool,
    pub environment: Environment,
    /// What could go wrong in the steps since this was last emptied.
    pub obligations: Vec<Obligation>,
    /// Everything the environment has chosen, in the order in which a run meets it.
    pub inputs: Vec<Input>,
    pub(crate) checks: FxHashSet<Check>,
    pub(crate) objects: Objects,
    pub(crate) layouts: Layouts,
    variables: FxHashMap<(VariableId, u32), ObjectId>,
    /// All objects that a variable has had.
    by_variable: FxHashMap<VariableId, Vec<ObjectId>>,
    pub(crate) outside: Vec<ObjectId>,
    pub(crate) results: FxHashMap<(FunctionId, u32), ObjectId>,
    strings: FxHashMap<StringId, ObjectId>,
    pub(crate) heap: FxHashMap<EdgeId, Vec<ObjectId>>,
    /// Arguments of variadic calls by [`Frame::variadic`].
    pub(crate) variadic: Vec<Vec<(TermId, TypeId)>>,
    generations: u32,
    /// The edge that is being encoded.
    pub(crate) edge: EdgeId,
}

/// Something that must not happen.
#[derive(Clone, Copy, Debug)]
pub struct Obligation {
    pub check: Check,
    /// When it happens.
    pub violated: TermId,
    pub edge: EdgeId,
    pub span: Span,
}

/// A value that the environment chooses.
#[derive(Clone, Copy, Debug)]
pub struct Input {
    pub edge: EdgeId,
    /// The run asks for the input exactly if this holds.
    pub guard: TermId,
    /// The value that the program receives.
    pub value: TermId,
    pub ty: TypeId,
    pub kind: InputKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InputKind {
    /// Of a nondet function, an undefined function, or an external variable.
    Value,
    /// The first value of an automatic variable that is not initialised.
    Uninitialised(VariableId),
}

impl<'p> Encoder<'p> {
    pub fn new(
        program: &'p Program,
        points_to: &'p PointsTo,
        checks: impl IntoIterator<Item = Check>,
    ) -> Self {
        Self {
            program,
            points_to,
            pool: TermPool::new(),
            environment: Environment::default(),
            obligations: Vec::new(),
            inputs: Vec::new(),
            checks: checks.into_iter().collect(),
            objects: Objects::new(program.types.data_model, program.functions.len()),
            layouts: Layouts::default(),
            variables: FxHashMap::default(),
            by_variable: FxHashMap::default(),
            outside: Vec::new(),
            results: FxHashMap::default(),
            strings: FxHashMap::default(),
            heap: FxHashMap::default(),
            variadic: vec![Vec::new()],
            generations: 0,
            edge: EdgeId(0),
        }
    }

    pub fn object(&self, object: ObjectId) -> &Object {
        self.objects.get(object)
    }

    pub fn objects(&self) -> &Objects {
        &self.objects
    }

    /// Width of pointers in bits.
    pub fn pointer_width(&self) -> u32 {
        8 * self.program.types.pointer_size() as u32
    }

    pub(crate) fn pointer(&mut self, address: u64) -> TermId {
        let width = self.pointer_width();
        self.pool.bitvec(width, address)
    }

    pub(crate) fn generation(&mut self) -> u32 {
        self.generations += 1;
        self.generations
    }

    /// The object of a variable in a frame.
    pub fn variable(&mut self, variable: VariableId, frame: Frame) -> Result<ObjectId, Unsupported> {
        let info = &self.program.variables[variable];
        let depth = if info.kind.is_global() { 0 } else { frame.depth };
        if let Some(&object) = self.variables.get(&(variable, depth)) {
            return Ok(object);
        }
        let types = &self.program.types;
        let alignment = info.alignment.unwrap_or(1).max(types.align_of(info.ty).unwrap_or(1));
        let size = match types.size_of(info.ty) {
            Some(size) => Size::Known(size),
            None if info.kind == VariableKind::External => Size::Unbounded,
            None => Size::Known(0),
        };
        let kind = ObjectKind::Variable { variable, depth };
        let object = self.objects.create(kind, size, Some(info.ty), alignment)?;
        self.variables.insert((variable, depth), object);
        self.by_variable.entry(variable).or_default().push(object);
        Ok(object)
    }

    /// Another object for a variable: the array behind a variable-length one.
    pub(crate) fn add_variable_object(&mut self, variable: VariableId, object: ObjectId) {
        self.by_variable.entry(variable).or_default().push(object);
    }

    pub(crate) fn variable_objects(&self, variable: VariableId) -> impl Iterator<Item = ObjectId> + '_ {
        self.by_variable.get(&variable).into_iter().flatten().copied()
    }

    pub(crate) fn existing_variable(&self, variable: VariableId, depth: u32) -> Option<ObjectId> {
        self.variables.get(&(variable, depth)).copied()
    }

    /// Whether the variable is held as one term.
    pub(crate) fn is_plain(&self, variable: VariableId) -> bool {
        let info = &self.program.variables[variable];
        !info.address_taken && self.program.types.is_scalar(info.ty)
    }

    pub(crate) fn string(&mut self, string: StringId) -> Result<ObjectId, Unsupported> {
        if let Some(&object) = self.strings.get(&string) {
            return Ok(object);
        }
        let data = &self.program.strings[string];
        let size = Size::Known(data.bytes.len() as u64);
        let object = self.objects.create(ObjectKind::String(string), size, Some(data.ty), 1)?;
        self.strings.insert(string, object);
        Ok(object)
    }

    pub fn sort_of(&self, ty: TypeId) -> Result<Sort, Unsupported> {
        let types = &self.program.types;
        if let Some(shape) = types.int_shape(ty) {
            return Ok(Sort::BitVec(shape.width));
        }
        match *types.get(ty) {
            sema::types::Type::Pointer(_) => Ok(Sort::BitVec(self.pointer_width())),
            sema::types::Type::Float(kind) => Ok(Sort::Float(crate::float::format(kind))),
            _ => Err(Unsupported("a value of this type")),
        }
    }

    pub(crate) fn checks(&self, check: Check) -> bool {
        self.checks.contains(&check)
    }

    /// Notes that something goes wrong in `state` if `violated`.
    pub(crate) fn oblige(&mut self, state: &State, check: Check, violated: TermId, span: Span) {
        if !self.checks(check) || violated == TermPool::FALSE {
            return;
        }
        let violated = self.pool.and(state.guard.term(), violated);
        if violated != TermPool::FALSE {
            self.obligations.push(Obligation { check, violated, edge: self.edge, span });
        }
    }

    /// Lets the state go on only where `condition` holds.
    pub(crate) fn restrict(&mut self, state: &mut State, condition: TermId) {
        state.guard = state.guard.and(&mut self.pool, condition);
    }

    /// The state of a location that is reached in one of two ways, never in both at once.
    pub fn merge(&mut self, then: State, otherwise: State) -> State {
        let (guard, condition) = then.guard.merge(&otherwise.guard, &mut self.pool);
        let mut changes: Vec<(u32, Content)> = Vec::new();
        let mut one_sided: Vec<(u32, Content)> = Vec::new();
        let mut both: Vec<(u32, Content, Content)> = Vec::new();
        then.store.differences(&otherwise.store, &mut |index, a, b| match (a, b) {
            (Some(Content::Scalar(a)), Some(Content::Scalar(b))) if a == b => {}
            (Some(Content::Cells(a)), Some(Content::Cells(b))) if Rc::ptr_eq(a, b) => {}
            (Some(a), Some(b)) => both.push((index, a.clone(), b.clone())),
            // What only one side knows does not matter to the other: the object is not alive there.
            (None, Some(b)) => one_sided.push((index, b.clone())),
            _ => {}
        });
        for (index, a, b) in both {
            let merged = match (a, b) {
                (Content::Scalar(a), Content::Scalar(b)) => Content::Scalar(self.choose(condition, a, b)),
                (Content::Cells(a), Content::Cells(b)) => {
                    let generation = self.generation();
                    Content::Cells(Rc::new(Cells::merge(&mut self.pool, condition, &a, &b, generation)))
                }
                (a, _) => a,
            };
            changes.push((index, merged));
        }
        let mut store: PersistentVec<Content> = then.store;
        for (index, content) in changes.into_iter().chain(one_sided) {
            store.set(index, content);
        }
        State { guard, store }
    }

    /// `condition ? a : b`, which is `b` if the condition says that the two are equal.
    fn choose(&mut self, condition: TermId, a: TermId, b: TermId) -> TermId {
        if a != b && self.pool.op(condition) == Op::Eq {
            let sides = self.pool.children(condition);
            if sides == [a, b] || sides == [b, a] {
                return b;
            }
        }
        self.pool.ite(condition, a, b)
    }

    /// Cells of an object of that type, with grids for its large arrays.
    pub(crate) fn fresh_cells(&mut self, ty: Option<TypeId>, fill: Fill) -> Cells {
        let mut cells = Cells::new(fill);
        if let Some(ty) = ty {
            for grid in self.layouts.grids(&self.program.types, ty).iter() {
                cells.add_grid(&mut self.pool, grid.start, grid.stride, grid.size, Some(grid.count));
            }
        }
        cells
    }

    pub(crate) fn input(&mut self, state: &State, value: TermId, ty: TypeId, kind: InputKind) {
        self.inputs.push(Input { edge: self.edge, guard: state.guard.term(), value, ty, kind });
    }

    pub fn function_address(&self, function: FunctionId) -> u64 {
        self.objects.function_address(function)
    }
}
