//! Pointers that are moved out of their objects, where a check asks what they point to.
//!
//! A pointer is a number, so one that is moved far enough is one into another object, and an access out of bounds would be
//! taken for a valid one. Every object has a *zone*: itself, and half of the gaps around it. As long as a pointer stays in
//! its zone, it is valid only inside of its object. Where one leaves its zone, or comes into another, the encoder does
//! not see how the program goes on.

use crate::Unsupported;
use crate::encoder::Encoder;
use crate::objects::ObjectId;
use crate::pointer::Case;
use crate::room::Moved;
use crate::state::State;
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Op, TermId, TermPool};

const ASTRAY: &str = "a pointer that is moved far out of its object";

impl Encoder<'_> {
    /// Follows a moved pointer only as long as it stays in its zone.
    pub(crate) fn stay_in_zone(&mut self, state: &mut State, moved: &Moved) -> Result<(), Unsupported> {
        if !self.objects.are_far_apart() || moved.from == moved.to {
            return Ok(());
        }
        let from = self.distribute(moved.from, &mut FxHashMap::default());
        let to = self.distribute(moved.to, &mut FxHashMap::default());
        let mut astray = TermPool::FALSE;
        for object in self.near(moved, [from, to])? {
            let before = self.is_near(object, from, &mut FxHashMap::default());
            let after = self.is_near(object, to, &mut FxHashMap::default());
            let crosses = self.pool.xor(before, after);
            astray = self.pool.or(astray, crosses);
        }
        self.see_unless(state, astray, ASTRAY);
        Ok(())
    }

    /// An access through a pointer that was moved is one to the object in whose zone it was before.
    pub(crate) fn stay_in_zones(&mut self, before: TermId, cases: &mut [Case]) {
        if !self.objects.are_far_apart() {
            return;
        }
        for case in cases {
            let is_near = self.is_near(case.object, before, &mut FxHashMap::default());
            case.condition = self.pool.and(case.condition, is_near);
        }
    }

    /// Follows the address of a place in an object only as long as it stays in its zone.
    pub(crate) fn stay_in_zone_of(&mut self, state: &mut State, case: &Case, address: TermId) {
        if self.objects.are_far_apart() {
            let is_near = self.is_near(case.object, address, &mut FxHashMap::default());
            let is_far = self.pool.not(is_near);
            let astray = self.pool.and(case.condition, is_far);
            self.see_unless(state, astray, ASTRAY);
        }
    }

    /// The objects whose zones addresses of a moved pointer can be in.
    fn near(&mut self, moved: &Moved, addresses: [TermId; 2]) -> Result<Vec<ObjectId>, Unsupported> {
        let mut objects = Vec::new();
        let mut open = addresses.to_vec();
        let mut seen = FxHashSet::default();
        let mut is_computed = false;
        while let Some(address) = open.pop() {
            if !seen.insert(address) {
                continue;
            }
            if let Some(address) = self.pool.small_value(address) {
                objects.extend(self.objects.nearest(address));
            } else if self.pool.op(address) == Op::Ite {
                open.extend_from_slice(&self.pool.children(address)[1..]);
            } else {
                is_computed = true;
            }
        }
        if is_computed {
            objects.extend(self.possible_targets(Some(moved.pointer))?.0);
        }
        objects.sort_unstable();
        objects.dedup();
        Ok(objects)
    }

    /// Whether an address is in the zone of an object.
    fn is_near(
        &mut self,
        object: ObjectId,
        address: TermId,
        known: &mut FxHashMap<TermId, TermId>,
    ) -> TermId {
        if self.objects.get(object).base == 0 {
            // It is anywhere, as far as we know.
            return TermPool::TRUE;
        }
        if let Some(&done) = known.get(&address) {
            return done;
        }
        let is_near = match (self.pool.op(address), self.pool.children(address)) {
            (Op::Ite, &[choice, then, otherwise]) => {
                let then = self.is_near(object, then, known);
                let otherwise = self.is_near(object, otherwise, known);
                self.pool.ite(choice, then, otherwise)
            }
            _ => {
                let (first, last) = self.objects.get(object).zone();
                let (first, length) = (self.pointer(first), self.pointer(last - first));
                let offset = self.pool.sub(address, first);
                self.pool.ule(offset, length)
            }
        };
        known.insert(address, is_near);
        is_near
    }
}
