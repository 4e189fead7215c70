//! How objects are split into cells.
//!
//! A cell is a stretch of bytes that every access by the declared type touches as a whole: a scalar
//! with the padding behind it. All elements of an array share the cells of the first one, so an
//! object has as many cells as its type has scalars, however long its arrays are. Offsets are
//! *folded*: reduced to the first element of every array around them. Members of a union overlap;
//! scalars that do make up one cell, and a union with an array inside is a single cell.

use rustc_hash::FxHashMap;
use sema::types::{Length, Type, TypeId, Types};
use std::sync::Arc;

/// The cells of a type.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Folded offsets at which cells start, ascending, the first one 0.
    pub starts: Vec<u64>,
    /// Some cells stand for several stretches of bytes: there is an array inside.
    pub folds: bool,
}

impl Layout {
    pub fn single() -> Self {
        Layout { starts: vec![0], folds: false }
    }

    /// The cell of a folded offset.
    pub fn cell(&self, offset: u64) -> usize {
        self.starts.partition_point(|&start| start <= offset).saturating_sub(1)
    }
}

/// The layouts of all types that have been asked for.
#[derive(Default)]
pub struct Layouts {
    known: FxHashMap<TypeId, Arc<Layout>>,
}

impl Layouts {
    pub fn of(&mut self, types: &Types, ty: TypeId) -> Arc<Layout> {
        let ty = ty.unqualified();
        if let Some(layout) = self.known.get(&ty) {
            return layout.clone();
        }
        let layout = Arc::new(self.compute(types, ty));
        self.known.insert(ty, layout.clone());
        layout
    }

    fn compute(&mut self, types: &Types, ty: TypeId) -> Layout {
        match *types.get(ty) {
            Type::Array { element, length } => {
                let element = self.of(types, element);
                Layout { starts: element.starts.clone(), folds: element.folds || length != Length::Known(1) }
            }
            Type::Record(_) if types.record(ty).is_some_and(|record| record.is_union) => {
                self.union(types, ty)
            }
            Type::Record(_) => self.structure(types, ty),
            _ => Layout::single(),
        }
    }

    fn structure(&mut self, types: &Types, ty: TypeId) -> Layout {
        let mut result = Layout::single();
        for field in types.fields(ty) {
            let layout = self.of(types, field.ty);
            result.folds |= layout.folds;
            result.starts.extend(layout.starts.iter().map(|start| field.offset + start));
        }
        result.starts.sort_unstable();
        result.starts.dedup();
        result
    }

    fn union(&mut self, types: &Types, ty: TypeId) -> Layout {
        let mut stretches = Vec::new();
        for field in types.fields(ty) {
            let layout = self.of(types, field.ty);
            if layout.folds {
                return Layout { starts: vec![0], folds: false };
            }
            let size = types.size_of(field.ty).unwrap_or(0);
            let ends = layout.starts.iter().skip(1).copied().chain([size]);
            stretches.extend(layout.starts.iter().copied().zip(ends));
        }
        stretches.sort_unstable();
        let mut starts = vec![0];
        let mut covered = 0;
        for (start, end) in stretches {
            if start >= covered && start > 0 {
                starts.push(start);
            }
            covered = covered.max(end);
        }
        starts.dedup();
        Layout { starts, folds: false }
    }
}

/// What lies around an offset, from the outside in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Surrounding {
    /// An array whose first element starts at the folded offset `start`.
    Array {
        start: u64,
        element: u64,
    },
    Record {
        start: u64,
        ty: TypeId,
        size: u64,
    },
    Scalar {
        start: u64,
        size: u64,
    },
}

/// Folds an offset into an object of the type that starts at `start`; calls `visit` for everything
/// around it. Offsets outside of the type, or in padding, stay as they are.
pub fn fold(types: &Types, ty: TypeId, start: u64, offset: u64, visit: &mut dyn FnMut(Surrounding)) -> u64 {
    match *types.get(ty) {
        Type::Array { element, .. } => {
            let size = types.size_of(element).unwrap_or(0);
            if size == 0 {
                return start + offset;
            }
            visit(Surrounding::Array { start, element: size });
            fold(types, element, start, offset % size, visit)
        }
        Type::Record(_) => {
            let size = types.size_of(ty).unwrap_or(0);
            visit(Surrounding::Record { start, ty: ty.unqualified(), size });
            let is_union = types.record(ty).is_some_and(|record| record.is_union);
            match types.fields(ty).iter().rev().find(|field| field.offset <= offset) {
                Some(field) if !is_union && is_inside(types, field.ty, offset - field.offset) => {
                    fold(types, field.ty, start + field.offset, offset - field.offset, visit)
                }
                _ => start + offset,
            }
        }
        _ => {
            visit(Surrounding::Scalar { start, size: types.size_of(ty).unwrap_or(0) });
            start + offset
        }
    }
}

/// An array without a known length (a flexible member) goes on without end.
fn is_inside(types: &Types, ty: TypeId, offset: u64) -> bool {
    match *types.get(ty) {
        Type::Array { length: Length::Unknown | Length::Variable(_) | Length::Known(0), .. } => true,
        _ => types.size_of(ty).is_none_or(|size| offset < size),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Span;
    use sema::types::{DataModel, Field, Record, RecordLayout};

    fn record(types: &mut Types, is_union: bool, fields: &[(TypeId, u64)], size: u64) -> TypeId {
        let fields =
            fields.iter().map(|&(ty, offset)| Field { name: None, ty, offset, bits: None }).collect();
        let layout = RecordLayout { fields, size, alignment: 8, transparent_union: false };
        let id = types.records.push(Record { is_union, tag: None, layout: Some(layout), span: Span::NONE });
        types.intern(Type::Record(id))
    }

    #[test]
    fn arrays_fold_and_unions_merge() {
        let mut types = Types::new(DataModel::Lp64);
        let pointer = types.pointer_to(TypeId::INT);
        let pair = record(&mut types, false, &[(TypeId::INT, 0), (pointer, 8)], 16);
        let pairs = types.array_of(pair, Length::Known(4));
        let outer = record(&mut types, false, &[(pointer, 0), (pairs, 8), (pointer, 72)], 80);
        let mut layouts = Layouts::default();
        assert_eq!(layouts.of(&types, outer).starts, [0, 8, 16, 72]);
        assert_eq!(fold(&types, outer, 0, 8 + 3 * 16 + 9, &mut |_| ()), 17);
        assert_eq!(fold(&types, outer, 0, 72, &mut |_| ()), 72);

        let halves = record(&mut types, false, &[(TypeId::INT, 0), (TypeId::INT, 4), (pointer, 8)], 16);
        let either = record(&mut types, true, &[(pointer, 0), (halves, 0)], 16);
        assert_eq!(layouts.of(&types, either).starts, [0, 8]);
        let overlay = record(&mut types, true, &[(pairs, 0), (halves, 0)], 64);
        assert_eq!(layouts.of(&types, overlay).starts, [0]);
    }
}
