//! Shifts. Those by constants are concatenations of slices.

use crate::op::Op;
use crate::pool::{TermId, TermPool};

/// What a shift by a constant distance does.
enum Distance {
    None,
    Within(u32),
    /// At least the width.
    Beyond,
}

impl TermPool {
    fn distance(&self, by: TermId) -> Option<Distance> {
        let value = self.bitvec_value(by)?;
        let within = value.to_u64().and_then(|by| u32::try_from(by).ok()).filter(|&by| by < value.width());
        Some(match within {
            Some(0) => Distance::None,
            Some(by) => Distance::Within(by),
            None => Distance::Beyond,
        })
    }

    /// `a * 2^by`, for `by` below the width.
    pub(super) fn shl_by(&mut self, a: TermId, by: u32) -> TermId {
        if by == 0 {
            return a;
        }
        let high = self.width(a) - by - 1;
        let kept = self.extract(a, high, 0);
        let zeros = self.bitvec(by, 0);
        self.concat(kept, zeros)
    }

    pub(super) fn lshr_by(&mut self, a: TermId, by: u32) -> TermId {
        let width = self.width(a);
        let kept = self.extract(a, width - 1, by);
        self.zero_extend(kept, width)
    }

    pub(super) fn ashr_by(&mut self, a: TermId, by: u32) -> TermId {
        let width = self.width(a);
        let kept = self.extract(a, width - 1, by);
        self.sign_extend(kept, width)
    }

    /// `a * 2^by`; 0 if `by` is at least the width.
    pub fn shl(&mut self, a: TermId, by: TermId) -> TermId {
        self.assert_same_sort(a, by);
        match self.distance(by) {
            Some(Distance::None) => a,
            Some(Distance::Within(by)) => self.shl_by(a, by),
            Some(Distance::Beyond) => self.bitvec(self.width(a), 0),
            None => self.shift_variable(Op::Shl, a, by),
        }
    }

    /// Shifts zeros in from above; 0 if `by` is at least the width.
    pub fn lshr(&mut self, a: TermId, by: TermId) -> TermId {
        self.assert_same_sort(a, by);
        match self.distance(by) {
            Some(Distance::None) => a,
            Some(Distance::Within(by)) => self.lshr_by(a, by),
            Some(Distance::Beyond) => self.bitvec(self.width(a), 0),
            None => self.shift_variable(Op::Lshr, a, by),
        }
    }

    /// Shifts the sign in from above; only the sign is left if `by` is at least the width.
    pub fn ashr(&mut self, a: TermId, by: TermId) -> TermId {
        self.assert_same_sort(a, by);
        if self.leading_zeros(a) > 0 {
            return self.lshr(a, by);
        }
        match self.distance(by) {
            Some(Distance::None) => a,
            Some(Distance::Within(by)) => self.ashr_by(a, by),
            Some(Distance::Beyond) => self.ashr_by(a, self.width(a) - 1),
            None => self.shift_variable(Op::Ashr, a, by),
        }
    }

    fn shift_variable(&mut self, op: Op, a: TermId, by: TermId) -> TermId {
        if self.bitvec_value(a).is_some_and(|value| value.is_zero() || op == Op::Ashr && value.is_ones()) {
            return a;
        }
        self.intern(op, self.sort(a), [a, by])
    }
}
