//! Which bytes have been written.
//!
//! Only looked at where uninitialised use is checked. Every object has a *shadow* of the same shape: bits
//! that are set there have not been written. Writing clears them, copying copies them, and reading a
//! scalar demands that there are none; characters may be read before they are written, because that is
//! how memory is copied. The shadow of a plain variable is one Boolean.

use crate::cells::{Fill, bits_of};
use crate::encoder::Encoder;
use crate::objects::{ObjectId, ObjectKind};
use crate::pointer::{Case, Target};
use crate::state::{Content, State};
use crate::{Check, Unsupported};
use base::Span;
use cfa::VariableId;
use sema::types::{Type, TypeId};
use std::rc::Rc;
use term::{Sort, TermId, TermPool};

impl Encoder<'_> {
    pub(crate) fn shadow(&mut self, object: ObjectId) -> ObjectId {
        if let Some(&shadow) = self.shadows.get(&object) {
            return shadow;
        }
        let shadow = self.objects.create_shadow(object);
        self.shadows.insert(object, shadow);
        shadow
    }

    /// What the shadow of an object is before anything is known: locals start unwritten.
    pub(crate) fn initial_shadow(&self, object: ObjectId) -> Fill {
        match self.objects.get(object).kind {
            ObjectKind::Variable { variable, .. } if !self.program.variables[variable].kind.is_global() => {
                Fill::Ones
            }
            _ => Fill::Zero,
        }
    }

    /// Says of a plain variable whether it is unwritten.
    pub(crate) fn mark_variable(&mut self, state: &mut State, object: ObjectId, unwritten: TermId) {
        if self.checks(Check::UninitialisedUse) {
            let shadow = self.shadow(object);
            state.store.set(shadow.0, Content::Scalar(unwritten));
        }
    }

    /// Says of all bytes of an object whether they are unwritten.
    pub(crate) fn mark_object(&mut self, state: &mut State, object: ObjectId, fill: Fill) {
        if self.checks(Check::UninitialisedUse) {
            let shadow = self.shadow(object);
            let cells = self.fresh_cells(self.objects.get(object).ty, fill);
            state.store.set(shadow.0, Content::Cells(Rc::new(cells)));
        }
    }

    /// Records that are passed or returned count as written.
    pub(crate) fn mark_cases(&mut self, state: &mut State, cases: &[Case]) {
        for case in cases {
            self.mark_object(state, case.object, Fill::Zero);
        }
    }

    pub(crate) fn check_written_variable(
        &mut self,
        state: &State,
        variable: VariableId,
        object: ObjectId,
        span: Span,
    ) {
        let ty = self.program.variables[variable].ty;
        let size = self.program.types.size_of(ty).unwrap_or(0);
        if !self.checks(Check::UninitialisedUse) || self.is_character(ty, size) {
            return;
        }
        let shadow = self.shadow(object);
        let unwritten = match state.store.get(shadow.0) {
            Some(&Content::Scalar(unwritten)) => unwritten,
            _ if self.program.variables[variable].kind.is_global() => TermPool::FALSE,
            _ => TermPool::TRUE,
        };
        self.oblige(state, Check::UninitialisedUse, unwritten, span);
    }

    /// Obliges the bytes of a scalar that is read to have been written.
    pub(crate) fn check_written(
        &mut self,
        state: &mut State,
        target: &Target,
        size: u64,
        span: Span,
    ) -> Result<(), Unsupported> {
        if !self.checks(Check::UninitialisedUse) || self.is_character(target.ty, size) {
            return Ok(());
        }
        if let Some(shadow) = self.read_shadow(state, &target.cases, 0, size)? {
            let unwritten = self.is_nonzero(shadow);
            self.oblige(state, Check::UninitialisedUse, unwritten, span);
        }
        Ok(())
    }

    fn is_character(&self, ty: TypeId, size: u64) -> bool {
        matches!(self.program.types.get(ty), Type::Int(_)) && size == 1
    }

    /// The shadow of some bytes; `None` if nobody asks.
    pub(crate) fn read_shadow(
        &mut self,
        state: &mut State,
        cases: &[Case],
        offset: u64,
        length: u64,
    ) -> Result<Option<TermId>, Unsupported> {
        if !self.checks(Check::UninitialisedUse) {
            return Ok(None);
        }
        let mut joined: Option<TermId> = None;
        for case in cases {
            let here = self.shadow_in(state, case, offset, length)?;
            joined = Some(match joined {
                None => here,
                Some(others) => self.pool.ite(case.condition, here, others),
            });
        }
        Ok(joined)
    }

    fn shadow_in(
        &mut self,
        state: &mut State,
        case: &Case,
        offset: u64,
        length: u64,
    ) -> Result<TermId, Unsupported> {
        if self.is_unseen(case.object) {
            return Ok(self.pool.fresh_variable("unseen", Sort::BitVec(8 * length as u32)));
        }
        let shadow = self.shadow(case.object);
        let distance = self.pointer(offset);
        let at = self.pool.add(case.offset, distance);
        let bits = self.read_object(state, shadow, at, length)?;
        Ok(bits_of(&mut self.pool, bits, length))
    }

    /// Gives some bytes the shadow that was read elsewhere.
    pub(crate) fn mark_piece(
        &mut self,
        state: &mut State,
        cases: &[Case],
        offset: u64,
        length: u64,
        shadow: Option<TermId>,
        condition: TermId,
    ) -> Result<(), Unsupported> {
        let Some(value) = shadow else { return Ok(()) };
        for case in cases.iter().filter(|case| !self.is_unseen(case.object)).copied().collect::<Vec<_>>() {
            let object = self.shadow(case.object);
            let distance = self.pointer(offset);
            let at = self.pool.add(case.offset, distance);
            let here = if cases.len() == 1 { condition } else { self.pool.and(condition, case.condition) };
            self.store(state, object, at, length, value, here)?;
        }
        Ok(())
    }

    /// Skipped iterations may have written, and what they declare may not be written again.
    pub(crate) fn forget_written(&mut self, state: &mut State, object: ObjectId, declared: bool) {
        if !self.checks(Check::UninitialisedUse) {
            return;
        }
        let shadow = self.shadow(object);
        match state.store.get(shadow.0).cloned() {
            Some(Content::Scalar(before)) => {
                let any = self.pool.fresh_variable("unwritten", Sort::Bool);
                let now = if declared { any } else { self.pool.and(before, any) };
                state.store.set(shadow.0, Content::Scalar(now));
            }
            Some(Content::Cells(cells)) if declared || !cells.is_zero(&self.pool) => {
                let generation = self.generation();
                self.mark_object(state, object, Fill::Forgotten(generation));
            }
            _ => {}
        }
    }
}
