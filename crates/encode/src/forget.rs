//! Arbitrary states: forgetting what a loop can change.
//!
//! What a loop writes takes any value, and a pointer among it may point to anything that the points-to
//! analysis allows. Memory that skipped iterations have allocated is not known at all: its allocation
//! sites are *blurred* from then on, and one [unseen](ObjectKind::Unseen) object stands for all such
//! memory. A pointer of a blurred site that is in no object that the encoder knows of may be there;
//! reading gives any value, writing changes nothing that a later read could tell.

use crate::Unsupported;
use crate::cells::Fill;
use crate::encoder::Encoder;
use crate::objects::{ObjectId, ObjectKind, Size};
use crate::state::{Content, Frame, State};
use base::Span;
use cfa::pointsto::ObjectKind as Abstract;
use cfa::{ExprKind, PlaceBase, PlaceId, VariableId};
use sema::types::TypeId;
use std::collections::BTreeSet;
use std::rc::Rc;
use term::{Sort, TermId, TermPool};

/// What some part of the program can change.
#[derive(Clone, Default, Debug)]
pub struct Changes {
    /// Variables that nothing points to.
    pub plain: Vec<VariableId>,
    /// Objects with an address.
    pub objects: Vec<(Abstract, Extent)>,
    /// Objects of which there may be instances that the encoder has never seen.
    pub allocates: Vec<Abstract>,
    /// Objects whose life may end.
    pub ends: Vec<Abstract>,
}

/// How much of an object is changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Extent {
    All,
    /// These bytes, as offsets and sizes, if the object is as large as that type.
    Parts(TypeId, BTreeSet<(u64, u64)>),
}

impl Encoder<'_> {
    /// The state after any number of executions of what makes these changes.
    pub fn forget(
        &mut self,
        mut state: State,
        frame: Frame,
        changes: &Changes,
    ) -> Result<State, Unsupported> {
        self.blurred.extend(&changes.allocates);
        // Pointers from outside, too, may have come in between.
        self.blurred.insert(Abstract::Outside);
        for &variable in &changes.plain {
            let object = self.variable(variable, frame)?;
            if matches!(state.store.get(object.0), Some(Content::Scalar(_))) {
                let any = self.any_scalar(self.program.variables[variable].ty, "any")?;
                state.store.set(object.0, Content::Scalar(any));
                let declared = changes.ends.contains(&Abstract::Variable(variable));
                self.forget_written(&mut state, object, declared);
            }
        }
        for (kind, extent) in &changes.objects {
            let mut objects = Vec::new();
            self.instances(*kind, &mut objects)?;
            for object in objects {
                self.forget_object(&mut state, object, extent);
                let declared = changes.ends.contains(kind) || changes.allocates.contains(kind);
                self.forget_written(&mut state, object, declared);
            }
        }
        self.forget_lives(&mut state, changes)?;
        self.forget_addresses(&mut state, frame, changes);
        self.forget_mode(&mut state);
        Ok(state)
    }

    /// The state of which nothing is known but which objects there are.
    pub fn forget_everything(&mut self, state: &mut State) {
        // A forgotten pointer may be one from outside that nobody has looked at yet.
        self.blurred.insert(Abstract::Outside);
        let mut scalars: Vec<(u32, VariableId)> = Vec::new();
        let mut objects: Vec<ObjectId> = Vec::new();
        state.store.for_each(&mut |slot, content| {
            if slot < ObjectId::LAST_SLOT {
                match (self.objects.get(ObjectId(slot)).kind, content) {
                    (ObjectKind::Variable { variable, .. }, Content::Scalar(_)) => {
                        scalars.push((slot, variable));
                    }
                    (ObjectKind::Result { .. } | ObjectKind::String(_) | ObjectKind::Shadow(_), _) => {}
                    (_, Content::Cells(_)) => objects.push(ObjectId(slot)),
                    (_, Content::Scalar(_)) => {}
                }
            }
        });
        for (slot, variable) in scalars {
            let ty = self.program.variables[variable].ty;
            // The scalar of an indirect variable is the address of its object, which stays.
            if self.is_plain(variable)
                && let Ok(any) = self.any_scalar(ty, "any")
            {
                state.store.set(slot, Content::Scalar(any));
            }
        }
        for object in objects {
            self.forget_object(state, object, &Extent::All);
        }
    }

    /// A variable that is declared anew may have been any of several objects last.
    fn forget_addresses(&mut self, state: &mut State, frame: Frame, changes: &Changes) {
        for kind in &changes.ends {
            if let &Abstract::Variable(variable) = kind
                && self.is_indirect(variable)
            {
                self.blurred.insert(*kind);
                if let Some(handle) = self.existing_variable(variable, frame.depth)
                    && state.store.get(handle.0).is_some()
                {
                    let any = self.pool.fresh_variable("address", Sort::BitVec(self.pointer_width()));
                    state.store.set(handle.0, Content::Scalar(any));
                }
            }
        }
    }

    fn forget_lives(&mut self, state: &mut State, changes: &Changes) -> Result<(), Unsupported> {
        if !self.tracks_lifetime() {
            return Ok(());
        }
        for &kind in &changes.ends {
            let mut objects = Vec::new();
            self.instances(kind, &mut objects)?;
            for object in objects {
                self.maybe_dead(state, object);
            }
        }
        if !changes.allocates.is_empty() {
            state.store.set(crate::leak::UNSEEN_LEFT, Content::Scalar(TermPool::TRUE));
        }
        Ok(())
    }

    /// Forgets all that an object holds.
    pub(crate) fn forget_whole(&mut self, state: &mut State, object: ObjectId) {
        self.blurred.insert(Abstract::Outside);
        self.forget_object(state, object, &Extent::All);
    }

    fn forget_object(&mut self, state: &mut State, object: ObjectId, extent: &Extent) {
        let fill = Fill::Forgotten(self.generation());
        let cells = match extent {
            Extent::Parts(ty, parts) if self.is_one(object, *ty) => {
                let mut cells = self.cells(state, object).clone();
                for &(offset, size) in parts {
                    cells.clear(&mut self.pool, offset, size, fill, false);
                }
                cells
            }
            _ => self.fresh_cells(self.objects.get(object).ty, fill),
        };
        state.store.set(object.0, Content::Cells(Rc::new(cells)));
    }

    /// Whether the object can be seen as one of that type, not as several: then the offsets that the
    /// points-to analysis folds to those of the first one are exact.
    fn is_one(&self, object: ObjectId, ty: TypeId) -> bool {
        let size = self.program.types.size_of(ty);
        size.is_some() && size == self.known_size(object)
    }

    /// What stands for all objects of blurred sites that the encoder has never seen.
    pub(crate) fn unseen_object(&mut self) -> Result<ObjectId, Unsupported> {
        if let Some(object) = self.unseen {
            return Ok(object);
        }
        let object = self.create(ObjectKind::Unseen, Size::Unbounded, None, 16)?;
        self.unseen = Some(object);
        Ok(object)
    }

    pub(crate) fn is_unseen(&self, object: ObjectId) -> bool {
        self.objects.get(object).kind == ObjectKind::Unseen
    }

    /// The value of a variable that nothing points to, if the state has it.
    pub fn peek(&mut self, state: &State, frame: Frame, variable: VariableId) -> Option<TermId> {
        let object = self.variable(variable, frame).ok()?;
        match state.store.get(object.0) {
            Some(&Content::Scalar(term)) => Some(term),
            _ => None,
        }
    }

    /// Whether the variables that a place is found through are there: which object each of them is.
    fn has_variables_of(&mut self, state: &State, frame: Frame, place: PlaceId) -> bool {
        match self.program.places[place].base {
            PlaceBase::Variable(variable) if self.is_indirect(variable) => {
                let handle = self.existing_variable(variable, frame.depth);
                let content = handle.and_then(|handle| state.store.get(handle.0));
                matches!(content, Some(&Content::Scalar(address)) if self.constant_targets(address).is_some())
            }
            PlaceBase::Dereference(pointer) => match self.program.exprs[pointer].kind {
                ExprKind::Load(inner) => self.has_variables_of(state, frame, inner),
                _ => true,
            },
            PlaceBase::Variable(_) | PlaceBase::String(_) => true,
        }
    }

    /// The value of an integer at a place, and 0 where the place cannot be accessed: what is learnt about the
    /// place in one path is assumed in others, so it must mean the same in all of them.
    pub fn peek_place(&mut self, state: &State, frame: Frame, place: PlaceId) -> Option<TermId> {
        if !self.has_variables_of(state, frame, place) {
            return None;
        }
        let (obligations, vague) = (self.obligations.len(), self.vague.len());
        self.evaluated = TermPool::TRUE;
        self.is_there = Some(TermPool::TRUE);
        let value = self.load(&mut state.clone(), frame, place, Span::NONE);
        let is_there = self.is_there.take().unwrap_or(TermPool::TRUE);
        self.obligations.truncate(obligations);
        self.vague.truncate(vague);
        let value = value.ok()?;
        let nothing = self.pool.constant(&term::Value::default_of(self.pool.sort(value)));
        Some(self.pool.ite(is_there, value, nothing))
    }
}
