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
use cfa::VariableId;
use cfa::pointsto::ObjectKind as Abstract;
use std::rc::Rc;
use term::TermPool;

/// What some part of the program can change.
#[derive(Clone, Default, Debug)]
pub struct Changes {
    /// Variables that nothing points to.
    pub plain: Vec<VariableId>,
    /// Objects with an address, all of them.
    pub objects: Vec<Abstract>,
    /// Objects of which there may be instances that the encoder has never seen.
    pub allocates: Vec<Abstract>,
    /// Objects whose life may end.
    pub ends: Vec<Abstract>,
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
        for &kind in &changes.objects {
            let mut objects = Vec::new();
            self.instances(kind, &mut objects)?;
            for object in objects {
                self.forget_object(&mut state, object);
                let declared = changes.ends.contains(&kind) || changes.allocates.contains(&kind);
                self.forget_written(&mut state, object, declared);
            }
        }
        self.forget_lives(&mut state, changes)?;
        self.forget_mode(&mut state);
        Ok(state)
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

    fn forget_object(&mut self, state: &mut State, object: ObjectId) {
        let generation = self.generation();
        let ty = self.objects.get(object).ty;
        let cells = self.fresh_cells(ty, Fill::Forgotten(generation));
        state.store.set(object.0, Content::Cells(Rc::new(cells)));
    }

    /// What stands for all objects of blurred sites that the encoder has never seen.
    pub(crate) fn unseen_object(&mut self) -> Result<ObjectId, Unsupported> {
        if let Some(object) = self.unseen {
            return Ok(object);
        }
        let object = self.objects.create(ObjectKind::Unseen, Size::Unbounded, None, 16)?;
        self.unseen = Some(object);
        Ok(object)
    }

    pub(crate) fn is_unseen(&self, object: ObjectId) -> bool {
        self.unseen == Some(object)
    }
}
