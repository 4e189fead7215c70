//! Arbitrary states: forgetting what a loop can change.

use crate::Unsupported;
use crate::cells::Fill;
use crate::encoder::Encoder;
use crate::state::{Content, Frame, State};
use cfa::VariableId;
use cfa::pointsto::ObjectKind;
use std::rc::Rc;

/// What some part of the program can change.
#[derive(Clone, Default, Debug)]
pub struct Changes {
    /// Variables that nothing points to.
    pub plain: Vec<VariableId>,
    /// Objects with an address, all of them.
    pub objects: Vec<ObjectKind>,
    /// Memory is allocated: there may be objects that the encoder has never seen.
    pub allocates: bool,
}

impl Encoder<'_> {
    /// The state after any number of executions of what makes these changes.
    pub fn forget(
        &mut self,
        mut state: State,
        frame: Frame,
        changes: &Changes,
    ) -> Result<State, Unsupported> {
        if changes.allocates {
            return Err(Unsupported("induction over a loop that allocates memory"));
        }
        for &variable in &changes.plain {
            let object = self.variable(variable, frame)?;
            if matches!(state.store.get(object.0), Some(Content::Scalar(_))) {
                let any = self.any_scalar(self.program.variables[variable].ty, "any")?;
                state.store.set(object.0, Content::Scalar(any));
            }
        }
        for &kind in &changes.objects {
            let mut objects = Vec::new();
            self.instances(kind, &mut objects)?;
            for object in objects {
                let generation = self.generation();
                self.forgotten.insert(generation);
                let ty = self.objects.get(object).ty;
                let cells = self.fresh_cells(ty, Fill::Unknown(generation));
                state.store.set(object.0, Content::Cells(Rc::new(cells)));
            }
        }
        Ok(state)
    }
}
