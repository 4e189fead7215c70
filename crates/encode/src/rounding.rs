//! The rounding mode of float arithmetic, which `fesetround` changes.
//!
//! The mode is a number in the state, with the values of x86; a state that has none rounds to nearest.
//! Where the mode is not known, an operation is a choice between its results in the four modes.

use crate::Unsupported;
use crate::encoder::Encoder;
use crate::library::LibraryCall;
use crate::objects::ObjectId;
use crate::state::{Content, State};
use sema::types::TypeId;
use term::{RoundingMode, TermId, TermPool};

/// Where a state keeps the mode.
pub(crate) const SLOT: u32 = ObjectId::LAST_SLOT;

const MODES: [(u64, RoundingMode); 4] = [
    (0x400, RoundingMode::Downward),
    (0x800, RoundingMode::Upward),
    (0xc00, RoundingMode::TowardZero),
    (0, RoundingMode::NearestEven),
];

impl Encoder<'_> {
    /// The number of the mode in a state.
    pub(crate) fn mode_in(&mut self, state: &State) -> TermId {
        match state.store.get(SLOT) {
            Some(&Content::Scalar(mode)) => mode,
            _ => self.pool.bitvec(32, 0),
        }
    }

    /// Rounds as the state says from now on.
    pub(crate) fn round_as_in(&mut self, state: &State) {
        self.mode = match state.store.get(SLOT) {
            Some(&Content::Scalar(mode)) => Some(mode),
            _ => None,
        };
    }

    /// An operation in the present mode.
    pub(crate) fn rounded(&mut self, operation: impl Fn(&mut TermPool, RoundingMode) -> TermId) -> TermId {
        let Some(mode) = self.mode else { return operation(&mut self.pool, RoundingMode::NearestEven) };
        let mut result: Option<TermId> = None;
        for (number, rounding) in MODES.into_iter().rev() {
            let number = self.pool.bitvec(32, number);
            let here = self.pool.eq(mode, number);
            result = match result {
                Some(others) if here == TermPool::FALSE => Some(others),
                Some(others) => {
                    let value = operation(&mut self.pool, rounding);
                    Some(self.pool.ite(here, value, others))
                }
                None => Some(operation(&mut self.pool, rounding)),
            };
        }
        result.unwrap_or_else(|| operation(&mut self.pool, RoundingMode::NearestEven))
    }

    /// `fegetround` and `fesetround`, which fails for what is no mode.
    pub(crate) fn rounding_call(
        &mut self,
        state: &mut State,
        call: &LibraryCall,
        name: &str,
    ) -> Result<bool, Unsupported> {
        let old = self.mode_in(state);
        match name {
            "fegetround" => self.give(state, call, old, TypeId::INT)?,
            "fesetround" => {
                let new = call.argument(0)?;
                let numbers: Vec<TermId> =
                    MODES.into_iter().map(|(number, _)| self.pool.bitvec(32, number)).collect();
                let equal: Vec<TermId> =
                    numbers.into_iter().map(|number| self.pool.eq(new, number)).collect();
                let known = self.pool.or_all(equal);
                let mode = self.pool.ite(known, new, old);
                state.store.set(SLOT, Content::Scalar(mode));
                let fails = self.pool.not(known);
                let result = self.truth(fails);
                self.give(state, call, result, TypeId::INT)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The mode after skipped iterations.
    pub(crate) fn forget_mode(&mut self, state: &mut State) {
        if self.sets_mode {
            let any = self.pool.fresh_variable("mode", term::Sort::BitVec(32));
            state.store.set(SLOT, Content::Scalar(any));
        }
    }
}
