//! The encoder itself: what it knows of the program, and what it has made so far.

use crate::cells::{Cells, Fill};
use crate::environment::Environment;
use crate::grid::Grid;
use crate::layout::Layouts;
use crate::lifetime::{ALIVE, StackObjects};
use crate::linear::Zeros;
use crate::objects::{Object, ObjectId, ObjectKind, Objects, Size};
use crate::settle::Unsettled;
use crate::several::Several;
use crate::state::{Content, Frame, State};
use crate::{Check, Unsupported};
use base::{PersistentVec, Span};
use cfa::pointsto::{ObjectKind as Abstract, PointsTo};
use cfa::{EdgeId, FunctionId, Program, StringId, VariableId, VariableKind};
use rustc_hash::{FxHashMap, FxHashSet};
use sema::types::{Type, TypeId};
use std::collections::BTreeMap;
use std::rc::Rc;
use term::{Op, Sort, TermId, TermPool};

pub struct Encoder<'p> {
    pub program: &'p Program,
    pub points_to: &'p PointsTo,
    pub pool: TermPool,
    pub environment: Environment,
    /// What could go wrong in the steps since this was last emptied.
    pub obligations: Vec<Obligation>,
    /// Conditions under which the last steps did something that is not modelled, and what.
    pub blind: Vec<(TermId, &'static str)>,
    /// When something was [forgotten](Self::forgets_above).
    pub vague: Vec<TermId>,
    /// Functions whose calls are not executed even if they have no body.
    pub left_to_caller: FxHashSet<FunctionId>,
    /// Everything the environment has chosen, in the order in which a run meets it.
    pub inputs: Vec<Input>,
    /// Everything that has come to life with unknown contents, in the order in which a run meets it.
    pub fresh: Vec<Fresh>,
    /// Pointers that were found in memory which the program had not written, by generation and offset:
    /// null, or the address of an object of its own.
    pub found: BTreeMap<(u32, u64), TermId>,
    /// The same for elements of [grids](Grid) of such memory: their indices and the pointers, by the term of the grid.
    pub found_elements: FxHashMap<TermId, Vec<(TermId, TermId)>>,
    /// The generation of the memory that a pointer to an object from outside was found in.
    pub(crate) found_in: FxHashMap<ObjectId, u32>,
    pub(crate) unsettled: Unsettled,
    pub(crate) checks: FxHashSet<Check>,
    /// Functions of fixed meaning that there are no terms for.
    pub(crate) unmodelled: FxHashSet<FunctionId>,
    /// For each function, the locals that may be used before they are declared; known once one is called.
    pub(crate) jumped_over: Option<FxHashMap<FunctionId, Rc<[VariableId]>>>,
    pub(crate) objects: Objects,
    pub(crate) layouts: Layouts,
    variables: FxHashMap<(VariableId, u32), ObjectId>,
    /// All objects that a variable has had.
    by_variable: FxHashMap<VariableId, Vec<ObjectId>>,
    pub(crate) outside: Vec<ObjectId>,
    /// The generation of what an object holds before anything is written to it.
    first_contents: FxHashMap<ObjectId, u32>,
    pub(crate) results: FxHashMap<(FunctionId, u32), ObjectId>,
    strings: FxHashMap<StringId, ObjectId>,
    pub(crate) heap: FxHashMap<EdgeId, Vec<ObjectId>>,
    /// Objects of the points-to analysis that may stand for objects which have never been seen.
    pub(crate) blurred: FxHashSet<Abstract>,
    /// Accesses to memory that cannot be encoded exactly forget what they may write, and read anything; so do
    /// unaligned ones at more offsets than this. Without it, they are not modelled.
    pub forgets_above: Option<u64>,
    /// So does every access that may be to many objects: see `several.rs`.
    pub is_coarse: bool,
    pub(crate) several: Several,
    /// Cases of accesses that may be to many objects, all in all.
    pub told_apart: usize,
    /// What stands for all objects that have never been seen, once there may be some.
    pub(crate) unseen: Option<ObjectId>,
    pub(crate) stack_objects: StackObjects,
    /// The number of the rounding mode, where the program has set one.
    pub(crate) mode: Option<TermId>,
    /// Whether the program sets rounding modes at all.
    pub(crate) sets_mode: bool,
    pub(crate) shadows: FxHashMap<ObjectId, ObjectId>,
    pub(crate) zeros: Zeros,
    /// When the expression that is being encoded is evaluated at all.
    pub(crate) evaluated: TermId,
    /// While a place is peeked at: when it is there at all.
    pub(crate) is_there: Option<TermId>,
    /// Arguments of variadic calls by [`Frame::variadic`].
    pub(crate) variadic: Vec<Vec<(TermId, TypeId)>>,
    pub(crate) generations: u32,
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
}

/// Something comes to life with contents that the program has not written.
#[derive(Clone, Copy, Debug)]
pub struct Fresh {
    pub edge: EdgeId,
    /// It comes to life exactly if this holds.
    pub guard: TermId,
    pub contents: FreshContents,
}

#[derive(Clone, Copy, Debug)]
pub enum FreshContents {
    /// Of a variable that nothing points to.
    Value(TermId),
    /// Of an object, from an offset on: the unknown bytes of this generation.
    Memory { generation: u32, ty: Option<TypeId>, start: u64 },
}

/// What is read of memory that the program has not written.
#[derive(Clone, Default, Debug)]
pub struct UnknownMemory {
    /// Offsets and terms of words.
    pub words: Vec<(u64, TermId)>,
    pub grids: Vec<Grid>,
}

impl<'p> Encoder<'p> {
    pub fn new(
        program: &'p Program,
        points_to: &'p PointsTo,
        checks: impl IntoIterator<Item = Check>,
    ) -> Self {
        let checks: FxHashSet<Check> = checks.into_iter().collect();
        // What they ask is about the object that a pointer was made from: see `zone.rs`.
        let is_wide = checks.contains(&Check::InvalidDereference) || checks.contains(&Check::InvalidFree);
        Self {
            program,
            points_to,
            pool: TermPool::new(),
            environment: Environment::default(),
            obligations: Vec::new(),
            blind: Vec::new(),
            vague: Vec::new(),
            inputs: Vec::new(),
            fresh: Vec::new(),
            found: BTreeMap::new(),
            found_elements: FxHashMap::default(),
            found_in: FxHashMap::default(),
            unsettled: Unsettled::default(),
            first_contents: FxHashMap::default(),
            checks,
            unmodelled: unmodelled(program),
            jumped_over: None,
            objects: Objects::new(program.types.data_model, program.functions.len(), is_wide),
            layouts: Layouts::default(),
            variables: FxHashMap::default(),
            by_variable: FxHashMap::default(),
            outside: Vec::new(),
            results: FxHashMap::default(),
            strings: FxHashMap::default(),
            heap: FxHashMap::default(),
            blurred: FxHashSet::default(),
            left_to_caller: FxHashSet::default(),
            forgets_above: None,
            is_coarse: false,
            told_apart: 0,
            several: Several::default(),
            unseen: None,
            stack_objects: StackObjects::default(),
            mode: None,
            sets_mode: program.function_named("fesetround").is_some(),
            shadows: FxHashMap::default(),
            zeros: Zeros::default(),
            evaluated: TermPool::TRUE,
            is_there: None,
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
        let object = if self.is_plain(variable) || self.is_indirect(variable) {
            self.objects.create_hidden(kind, size, Some(info.ty))
        } else {
            self.create(kind, size, Some(info.ty), alignment)?
        };
        self.variables.insert((variable, depth), object);
        if !self.is_indirect(variable) {
            self.add_variable_object(variable, object);
        }
        Ok(object)
    }

    /// An object with an address.
    pub(crate) fn create(
        &mut self,
        kind: ObjectKind,
        size: Size,
        ty: Option<TypeId>,
        alignment: u64,
    ) -> Result<ObjectId, Unsupported> {
        let most = self.bound_of(size).unwrap_or(u64::MAX);
        self.objects.create(kind, (size, most), ty, alignment)
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

    /// Whether the variable is an array whose length is computed. Its own object only holds the address
    /// of the array, which is another object at each declaration.
    pub(crate) fn is_variable_length(&self, variable: VariableId) -> bool {
        let info = &self.program.variables[variable];
        let is_array = matches!(self.program.types.get(info.ty), Type::Array { .. });
        is_array && info.kind != VariableKind::External && self.program.types.size_of(info.ty).is_none()
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
        let object = self.create(ObjectKind::String(string), size, Some(data.ty), 1)?;
        self.strings.insert(string, object);
        Ok(object)
    }

    pub fn sort_of(&self, ty: TypeId) -> Result<Sort, Unsupported> {
        let types = &self.program.types;
        if let Some(shape) = types.int_shape(ty) {
            return Ok(Sort::BitVec(shape.width));
        }
        match *types.get(ty) {
            Type::Pointer(_) => Ok(Sort::BitVec(self.pointer_width())),
            Type::Float(kind) => Ok(Sort::Float(crate::float::format(kind))),
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
        let violated = self.pool.and_all([state.guard.term(), self.evaluated, violated]);
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
        let mut one_sided: Vec<(u32, Content, bool)> = Vec::new();
        let mut both: Vec<(u32, Content, Content)> = Vec::new();
        then.store.differences(&otherwise.store, &mut |index, a, b| match (a, b) {
            (Some(Content::Scalar(a)), Some(Content::Scalar(b))) if a == b => {}
            (Some(Content::Cells(a)), Some(Content::Cells(b))) if Rc::ptr_eq(a, b) => {}
            (Some(a), Some(b)) => both.push((index, a.clone(), b.clone())),
            (None, Some(b)) => one_sided.push((index, b.clone(), false)),
            (Some(a), None) => one_sided.push((index, a.clone(), true)),
            (None, None) => {}
        });
        let mut changes: Vec<(u32, Content)> = Vec::new();
        for (index, content, is_then) in one_sided {
            if let (crate::rounding::SLOT, Content::Scalar(mode)) = (index, &content) {
                let nearest = self.pool.bitvec(32, 0);
                let side = if is_then { condition } else { self.pool.not(condition) };
                changes.push((index, Content::Scalar(self.pool.ite(side, *mode, nearest))));
                continue;
            }
            if let (true, &Content::Scalar(alive)) = (index & ALIVE != 0, &content) {
                // The object does not exist on the other side.
                let side = if is_then { condition } else { self.pool.not(condition) };
                changes.push((index, Content::Scalar(self.pool.and(side, alive))));
                continue;
            }
            let initial = if matches!(content, Content::Cells(_)) { self.untouched(index) } else { None };
            match (initial, is_then) {
                (Some(initial), true) => both.push((index, content, initial)),
                (Some(initial), false) => both.push((index, initial, content)),
                // What only one side knows does not matter to the other: the object is not alive there.
                (None, _) => changes.push((index, content)),
            }
        }
        for (index, a, b) in both {
            let merged = match (a, b) {
                (Content::Scalar(a), Content::Scalar(b)) => Content::Scalar(self.choose(condition, a, b)),
                (Content::Cells(a), Content::Cells(b)) => self.merge_cells(condition, &a, &b),
                (a, _) => a,
            };
            changes.push((index, merged));
        }
        let mut store: PersistentVec<Content> = then.store;
        for (index, content) in changes {
            store.set(index, content);
        }
        State { guard, store }
    }

    pub(crate) fn merge_cells(&mut self, condition: TermId, then: &Cells, otherwise: &Cells) -> Content {
        let generation = self.generation();
        let merged = Cells::merge(&mut self.pool, condition, then, otherwise, generation);
        if merged.is_forgotten() {
            self.blurred.insert(Abstract::Outside);
        }
        Content::Cells(Rc::new(merged))
    }

    /// Whether there are objects that the state has not touched, and that do not start as zero.
    pub(crate) fn has_unwritten(&self, state: &State) -> bool {
        self.first_contents.keys().any(|object| state.store.get(object.0).is_none())
    }

    /// What a slot means in a state that has not touched it; `None` if it means nothing there.
    fn untouched(&mut self, slot: u32) -> Option<Content> {
        let object = ObjectId(slot);
        let is_shadow = || matches!(self.objects.get(object).kind, ObjectKind::Shadow(_));
        if !self.first_contents.contains_key(&object) && !is_shadow() {
            return None;
        }
        Some(Content::Cells(Rc::new(self.initial_cells(object))))
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
            for &shape in self.layouts.grids(&self.program.types, ty).iter() {
                cells.add_grid(&mut self.pool, shape);
            }
        }
        cells
    }

    pub(crate) fn input(&mut self, state: &State, value: TermId, ty: TypeId) {
        self.inputs.push(Input { edge: self.edge, guard: state.guard.term(), value, ty });
    }

    /// Notes that something with unknown contents comes to life.
    pub(crate) fn comes_to_life(&mut self, state: &State, contents: FreshContents) {
        self.fresh.push(Fresh { edge: self.edge, guard: state.guard.term(), contents });
    }

    /// The generation of what an object holds before anything is written to it.
    pub fn first_generation(&mut self, object: ObjectId) -> u32 {
        if let Some(&generation) = self.first_contents.get(&object) {
            return generation;
        }
        let generation = self.generation();
        self.first_contents.insert(object, generation);
        generation
    }

    /// The unknown memory that something was read from, by generation.
    pub fn unknown_memory(&self) -> FxHashMap<u32, UnknownMemory> {
        let mut memory: FxHashMap<u32, UnknownMemory> = FxHashMap::default();
        for term in self.pool.ids().filter(|&term| self.pool.op(term) == Op::Variable) {
            if let Some((generation, offset)) = crate::cells::unknown_origin(&self.pool, term) {
                memory.entry(generation).or_default().words.push((offset, term));
            } else if let Some((generation, grid)) = crate::cells::unknown_grid(&self.pool, term) {
                memory.entry(generation).or_default().grids.push(grid);
            }
        }
        memory
    }

    /// The grids of an object of that type, with the terms of their unknown contents.
    pub fn unknown_grids(&mut self, generation: u32, ty: Option<TypeId>) -> Vec<Grid> {
        let cells = self.fresh_cells(ty, Fill::Unknown(generation));
        cells.grids().to_vec()
    }

    /// The bits of a scalar as memory has them.
    pub fn memory_bits(&mut self, value: TermId) -> TermId {
        crate::float::to_memory(&mut self.pool, value)
    }

    pub fn function_address(&self, function: FunctionId) -> u64 {
        self.objects.function_address(function)
    }
}

/// Undefined functions that mean something definite which is not encoded.
fn unmodelled(program: &Program) -> FxHashSet<FunctionId> {
    let is_unmodelled = |name: &str| cfa::unmodelled::is_fixed(name);
    let functions = program.functions.enumerated().filter(|(_, f)| f.body.is_none() && f.library.is_none());
    functions.filter(|(_, f)| is_unmodelled(program.name(f.name))).map(|(id, _)| id).collect()
}
