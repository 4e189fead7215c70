//! When objects are alive.
//!
//! Only looked at where a check asks for it. Every object that can die has a slot of its own in the
//! state, which says whether it is alive. A local that something may point to is then another object at
//! each of its declarations, at an address of its own, so that a pointer into an earlier life is told
//! from one into the present: the slot of the variable holds the address of its present object.

use crate::cells::Fill;
use crate::encoder::{Encoder, FreshContents};
use crate::objects::{ObjectId, ObjectKind, Size};
use crate::state::{Content, Frame, State};
use crate::{Check, Unsupported};
use cfa::{FunctionId, VariableId};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use term::{Sort, TermId, TermPool};

/// Where a state keeps whether an object is alive: far from the slots of objects.
pub(crate) const ALIVE: u32 = 1 << 31;

impl Encoder<'_> {
    pub(crate) fn tracks_lifetime(&self) -> bool {
        self.checks(Check::InvalidDereference)
            || self.checks(Check::InvalidFree)
            || self.checks(Check::LostMemory)
            || self.checks(Check::MemoryLeft)
    }

    /// Whether the slot of a variable holds the address of the object that the variable is.
    pub(crate) fn is_indirect(&self, variable: VariableId) -> bool {
        let info = &self.program.variables[variable];
        let mortal = info.address_taken && !info.kind.is_global() && self.tracks_lifetime();
        mortal || self.is_variable_length(variable)
    }

    pub(crate) fn bring_to_life(&mut self, state: &mut State, object: ObjectId) {
        if self.tracks_lifetime() {
            state.store.set(object.0 | ALIVE, Content::Scalar(TermPool::TRUE));
        }
    }

    /// Whether an object is alive, if it can die.
    pub(crate) fn life(&self, state: &State, object: ObjectId) -> Option<TermId> {
        match state.store.get(object.0 | ALIVE) {
            Some(&Content::Scalar(alive)) => Some(alive),
            _ => None,
        }
    }

    /// Whether an object may be accessed.
    pub(crate) fn is_alive(&self, state: &State, object: ObjectId) -> TermId {
        // Whether what was never seen is still alive is not known; whoever peeks at it finds anything there.
        if self.is_unseen(object) && self.tracks_lifetime() && self.is_there.is_none() {
            return TermPool::FALSE;
        }
        self.life(state, object).unwrap_or(TermPool::TRUE)
    }

    /// Ends the life of the object if `condition` holds.
    pub(crate) fn kill(&mut self, state: &mut State, object: ObjectId, condition: TermId) {
        if let Some(alive) = self.life(state, object) {
            let spared = self.pool.not(condition);
            let still = self.pool.and(alive, spared);
            state.store.set(object.0 | ALIVE, Content::Scalar(still));
        }
    }

    /// Some objects of skipped iterations may have died: nobody knows.
    pub(crate) fn maybe_dead(&mut self, state: &mut State, object: ObjectId) {
        let dies = self.pool.fresh_variable("dies", Sort::Bool);
        self.kill(state, object, dies);
    }

    /// A local comes to life; the one it was before is dead.
    pub(crate) fn new_local(
        &mut self,
        state: &mut State,
        frame: Frame,
        variable: VariableId,
        fill: Fill,
    ) -> Result<ObjectId, Unsupported> {
        self.end_local(state, frame, variable)?;
        let info = &self.program.variables[variable];
        let (types, ty) = (&self.program.types, info.ty);
        let alignment = info.alignment.unwrap_or(1).max(types.align_of(ty).unwrap_or(1));
        let size = Size::Known(types.size_of(ty).unwrap_or(0));
        let kind = ObjectKind::Variable { variable, depth: frame.depth };
        let object = self.create(kind, size, Some(ty), alignment)?;
        self.add_variable_object(variable, object);
        let cells = self.fresh_cells(Some(ty), fill);
        state.store.set(object.0, Content::Cells(Rc::new(cells)));
        self.bring_to_life(state, object);
        self.mark_object(state, object, Fill::Ones);
        let handle = self.variable(variable, frame)?;
        let address = self.objects.get(object).base;
        let address = self.pointer(address);
        state.store.set(handle.0, Content::Scalar(address));
        Ok(object)
    }

    /// The address of the object that an indirect variable is now; a variable whose declaration was jumped
    /// over comes to life when it is used.
    pub(crate) fn local_address(
        &mut self,
        state: &mut State,
        frame: Frame,
        variable: VariableId,
    ) -> Result<Option<TermId>, Unsupported> {
        let handle = self.variable(variable, frame)?;
        if let Some(&Content::Scalar(address)) = state.store.get(handle.0) {
            return Ok(Some(address));
        }
        if self.is_variable_length(variable) {
            return Ok(None);
        }
        let generation = self.generation();
        let ty = Some(self.program.variables[variable].ty);
        self.comes_to_life(state, FreshContents::Memory { generation, ty, start: 0 });
        let object = self.new_local(state, frame, variable, Fill::Unknown(generation))?;
        let address = self.objects.get(object).base;
        Ok(Some(self.pointer(address)))
    }

    /// A local that something may point to is gone.
    pub(crate) fn end_local(
        &mut self,
        state: &mut State,
        frame: Frame,
        variable: VariableId,
    ) -> Result<(), Unsupported> {
        if !self.tracks_lifetime() {
            return Ok(());
        }
        let handle = self.variable(variable, frame)?;
        if !self.is_indirect(variable) {
            state.store.remove(handle.0);
            return Ok(());
        }
        if let Some(&Content::Scalar(address)) = state.store.get(handle.0) {
            let objects = match self.constant_targets(address) {
                Some(objects) => objects,
                None => self.variable_objects(variable).collect(),
            };
            for object in objects {
                let base = self.objects.get(object).base;
                let base = self.pointer(base);
                let here = self.pool.eq(address, base);
                self.kill(state, object, here);
            }
            state.store.remove(handle.0);
        }
        Ok(())
    }

    /// The locals of a function that has returned are gone, and what it has taken from the stack.
    pub(crate) fn end_frame(
        &mut self,
        state: &mut State,
        function: FunctionId,
        depth: u32,
    ) -> Result<(), Unsupported> {
        let program = self.program;
        let Some(body) = &program.functions[function].body else { return Ok(()) };
        if !self.tracks_lifetime() {
            return Ok(());
        }
        for &variable in body.parameters.iter().chain(&body.locals) {
            if self.is_indirect(variable) && self.existing_variable(variable, depth).is_some() {
                self.end_local(state, Frame { depth, variadic: 0 }, variable)?;
            }
        }
        for object in self.stack_memory(function, depth) {
            self.kill(state, object, TermPool::TRUE);
        }
        Ok(())
    }

    /// What `alloca` gave to a call of the function.
    fn stack_memory(&self, function: FunctionId, depth: u32) -> Vec<ObjectId> {
        let of_frame = |&(_, frame): &(&ObjectId, &(FunctionId, u32))| *frame == (function, depth);
        let mut objects: Vec<ObjectId> =
            self.stack_objects.iter().filter(of_frame).map(|(&object, _)| object).collect();
        objects.sort_unstable();
        objects
    }
}

/// Objects of `alloca`, with the frame that they belong to.
pub(crate) type StackObjects = FxHashMap<ObjectId, (FunctionId, u32)>;
