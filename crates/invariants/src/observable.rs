//! What facts are about.

use crate::candidates::for_each_root;
use cfa::pointsto::{CellId, ObjectKind};
use cfa::{FunctionId, PlaceId, Program, VariableId};
use encode::{Encoder, Frame, State};
use sema::types::IntShape;
use std::collections::BTreeSet;
use std::rc::Rc;
use term::TermId;

/// An integer that a program holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Source {
    /// A scalar that nothing points to.
    Variable(VariableId),
    /// Any other place, found by fields and pointers.
    Place(PlaceId),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Observable {
    Value(Source),
    /// The first minus the second, modulo 2ⁿ.
    Difference(Source, Source),
    /// 1 if the first is less than the second.
    Less(Source, Source),
}

/// An observable and how it is looked at.
#[derive(Clone, Debug)]
pub struct Watched {
    pub observable: Observable,
    /// Of the observable's value; a comparison is one unsigned bit.
    pub shape: IntShape,
    /// Of the places that are compared.
    pub signed: bool,
    /// Values that the program names, as bits: always told apart.
    pub named: Rc<BTreeSet<u64>>,
    /// Where ranges may end, ascending.
    pub thresholds: Rc<[i128]>,
    /// As many others are told apart.
    pub capacity: usize,
}

impl Watched {
    /// Whether any two values of it are told apart.
    pub fn is_told_apart(&self) -> bool {
        self.capacity > 0 || !self.named.is_empty()
    }

    /// What it is the value of, or is computed from.
    fn sources(&self) -> impl Iterator<Item = Source> + use<> {
        let (first, second) = match self.observable {
            Observable::Value(source) => (source, None),
            Observable::Difference(left, right) | Observable::Less(left, right) => (left, Some(right)),
        };
        [first].into_iter().chain(second)
    }

    /// The function whose locals it is read through, if any.
    pub fn owner(&self, program: &Program) -> Option<FunctionId> {
        self.sources().find_map(|source| source.owner(program))
    }

    /// Whether it is a value, and not computed from several.
    pub fn is_plain(&self) -> bool {
        matches!(self.observable, Observable::Value(_))
    }

    /// Whether it is the value of a pointer.
    pub fn is_pointer(&self, program: &Program) -> bool {
        let is_pointer = |variable: VariableId| program.types.is_pointer(program.variables[variable].ty);
        matches!(self.observable, Observable::Value(Source::Variable(variable)) if is_pointer(variable))
    }

    /// Whether it may be computed from the address of some object.
    pub fn may_hold(&self, encoder: &Encoder<'_>, is_of: impl Fn(ObjectKind) -> bool) -> bool {
        let (program, points_to) = (encoder.program, encoder.points_to);
        let is_address =
            |cell: CellId| points_to.contents(cell).any(|(object, _)| is_of(points_to.object(object).kind));
        self.sources().any(|source| {
            let mut cells = Vec::new();
            match source {
                Source::Variable(variable) => {
                    let object = points_to.find_object(ObjectKind::Variable(variable));
                    cells.extend(object.into_iter().flat_map(|object| points_to.cells(object)));
                }
                Source::Place(place) => {
                    points_to.place_cells(program, place, &mut |_, range| cells.extend(range.map(CellId)));
                }
            }
            cells.into_iter().any(is_address)
        })
    }

    /// The value in a state; `None` if the state does not have it.
    pub fn read(&self, encoder: &mut Encoder<'_>, state: &State, frame: Frame) -> Option<TermId> {
        match self.observable {
            Observable::Value(source) => source.read(encoder, state, frame),
            Observable::Difference(left, right) => {
                let (left, right) = (left.read(encoder, state, frame)?, right.read(encoder, state, frame)?);
                Some(encoder.pool.sub(left, right))
            }
            Observable::Less(left, right) => {
                let (left, right) = (left.read(encoder, state, frame)?, right.read(encoder, state, frame)?);
                let pool = &mut encoder.pool;
                let less = if self.signed { pool.slt(left, right) } else { pool.ult(left, right) };
                Some(pool.bool_to_bitvec(less, self.shape.width))
            }
        }
    }
}

impl Source {
    fn owner(self, program: &Program) -> Option<FunctionId> {
        let mut owner = None;
        for_each_root(program, self, &mut |variable| {
            owner = owner.or(program.variables[variable].kind.function());
        });
        owner
    }

    fn read(self, encoder: &mut Encoder<'_>, state: &State, frame: Frame) -> Option<TermId> {
        match self {
            Source::Variable(variable) => encoder.peek(state, frame, variable),
            Source::Place(place) => encoder.peek_place(state, frame, place),
        }
    }
}
