//! The arrays that a place goes through, for checks of its indices.

use crate::{PlaceBase, PlaceId, Program, Projection};
use sema::types::{Length, Type, TypeId};

/// For each projection of a place, the length of the array that it indexes; `None` for fields, for
/// arrays whose type does not say it, and for those of length 0, which stand for any length.
pub fn lengths(program: &Program, place: PlaceId) -> Vec<Option<u64>> {
    let info = program.places[place];
    let mut ty = base_type(program, info.base);
    let mut lengths = Vec::new();
    for projection in &program.projections[info.projections] {
        let (next, length) = match (*projection, ty.map(|ty| program.types.get(ty))) {
            (Projection::Field { record, field }, _) => {
                (program.types.fields(record).get(field as usize).map(|field| field.ty), None)
            }
            (Projection::Index { .. }, Some(&Type::Array { element, length })) => {
                (Some(element), known(length))
            }
            (Projection::Index { .. }, _) => (None, None),
        };
        lengths.push(length);
        ty = next;
    }
    lengths
}

fn base_type(program: &Program, base: PlaceBase) -> Option<TypeId> {
    match base {
        PlaceBase::Variable(variable) => Some(program.variables[variable].ty),
        PlaceBase::String(string) => Some(program.strings[string].ty),
        PlaceBase::Dereference(pointer) => match *program.types.get(program.exprs[pointer].ty) {
            Type::Pointer(pointee) => Some(pointee),
            _ => None,
        },
    }
}

fn known(length: Length) -> Option<u64> {
    match length {
        Length::Known(count) if count > 0 => Some(count),
        _ => None,
    }
}
