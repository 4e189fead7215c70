//! Accesses to one of many objects, without saying which, and products without their values.
//!
//! A pointer of which nothing is known may be to any object that the points-to analysis allows, and each
//! access tells all of them apart: in programs with linked lists, formulas grow with accesses times objects.
//! A *coarse* encoder puts one object in the place of many, where reading gives any value, and writing
//! forgets all of them; products of two long words are any value, too. That is more than what the program does, so nothing is missed.

use crate::encoder::Encoder;
use crate::objects::ObjectId;
use crate::pointer::Case;
use crate::state::State;
use crate::{Check, Unsupported};
use cfa::pointsto::ObjectKind as Abstract;
use cfa::{BinaryOp, ExprId};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use term::{TermId, TermPool};

/// So many objects are told apart.
const FEW_TARGETS: usize = 4;

/// Products and quotients of shorter words are exact.
const LONG_WORD: u32 = 64;

/// Objects that stand for others.
#[derive(Default)]
pub(crate) struct Several {
    members: FxHashMap<ObjectId, Rc<[ObjectId]>>,
    by_members: FxHashMap<Rc<[ObjectId]>, ObjectId>,
}

impl Encoder<'_> {
    /// What an address that may be in many objects stands for, if these are not told apart.
    pub(crate) fn any_of_many(
        &mut self,
        address: TermId,
        pointer: ExprId,
    ) -> Result<Option<Case>, Unsupported> {
        let is_checked = self.tracks_lifetime() || self.checks(Check::UninitialisedUse);
        if !self.is_coarse || is_checked {
            return Ok(None);
        }
        let address = self.distribute(address, &mut FxHashMap::default());
        if self.constant_targets(address).is_some() {
            return Ok(None);
        }
        let (objects, _) = self.possible_targets(Some(pointer))?;
        if objects.len() <= FEW_TARGETS {
            return Ok(None);
        }
        // What is read may be a pointer from outside that nobody has looked at yet.
        self.blurred.insert(Abstract::Outside);
        let object = self.standing_for(objects.into());
        Ok(Some(Case { condition: TermPool::TRUE, object, offset: address, behind: None }))
    }

    /// Counts what a coarse encoder would not tell apart.
    pub(crate) fn count_told_apart(&mut self, cases: usize) {
        if cases > FEW_TARGETS {
            self.told_apart += cases;
        }
    }

    /// Whether a product or quotient is any value: two long words make circuits of many thousand gates.
    pub(crate) fn is_any_product(&self, op: BinaryOp, left: TermId, right: TermId) -> bool {
        let is_expensive = matches!(op, BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Remainder);
        let is_computed = !self.pool.is_constant(left) && !self.pool.is_constant(right);
        self.is_coarse && is_expensive && is_computed && self.pool.width(left) >= LONG_WORD
    }

    fn standing_for(&mut self, members: Rc<[ObjectId]>) -> ObjectId {
        if let Some(&object) = self.several.by_members.get(&members) {
            return object;
        }
        let object = self.objects.create_unseen();
        self.several.members.insert(object, members.clone());
        self.several.by_members.insert(members, object);
        object
    }

    /// Something is written to one of the objects that this one stands for.
    pub(crate) fn forget_several(&mut self, state: &mut State, object: ObjectId) {
        if let Some(members) = self.several.members.get(&object).cloned() {
            members.iter().for_each(|&member| self.forget_whole(state, member));
        }
    }
}
