//! The scalars that a type is made of, and which of its arrays are large.

use crate::grid::Shape;
use rustc_hash::FxHashMap;
use sema::types::{BitRange, Length, Type, TypeId, Types};
use std::rc::Rc;

/// A scalar inside a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Leaf {
    pub offset: u64,
    pub size: u64,
    pub ty: TypeId,
    pub bits: Option<BitRange>,
}

/// Arrays of more elements than this are held as one array term; smaller ones element by element.
pub const LARGE: u64 = 64;

/// What has been computed of types so far.
#[derive(Default)]
pub struct Layouts {
    /// The same leaf in every element of a large array.
    grids: FxHashMap<TypeId, Rc<[Shape]>>,
    leaves: FxHashMap<TypeId, Option<Rc<[Leaf]>>>,
}

impl Layouts {
    pub fn grids(&mut self, types: &Types, ty: TypeId) -> Rc<[Shape]> {
        let ty = ty.unqualified();
        let grids = self.grids.entry(ty).or_insert_with(|| {
            let mut grids = Vec::new();
            find_grids(types, ty, 0, &mut grids);
            grids.into()
        });
        grids.clone()
    }

    /// The scalars of a type in the order of their offsets; `None` if they overlap (unions), are
    /// bit-fields, or are very many: then a copy goes byte by byte.
    pub fn leaves(&mut self, types: &Types, ty: TypeId) -> Option<Rc<[Leaf]>> {
        let ty = ty.unqualified();
        let leaves = self.leaves.entry(ty).or_insert_with(|| {
            let mut leaves = Vec::new();
            collect(types, ty, 0, &mut leaves).then(|| leaves.into())
        });
        leaves.clone()
    }
}

/// More scalars than this are not listed one by one.
const MOST_LEAVES: usize = 4096;

fn collect(types: &Types, ty: TypeId, offset: u64, leaves: &mut Vec<Leaf>) -> bool {
    if leaves.len() > MOST_LEAVES {
        return false;
    }
    match *types.get(ty) {
        Type::Array { element, length: Length::Known(count) } => {
            let Some(size) = types.size_of(element) else { return false };
            (0..count).all(|index| collect(types, element, offset + index * size, leaves))
        }
        Type::Record(record) => {
            let record = &types.records[record];
            let Some(layout) = &record.layout else { return false };
            !record.is_union
                && layout.fields.iter().all(|field| {
                    field.bits.is_none() && collect(types, field.ty, offset + field.offset, leaves)
                })
        }
        Type::Array { length: Length::Unknown, .. } => true,
        _ => {
            let Some(size) = types.size_of(ty) else { return false };
            leaves.push(Leaf { offset, size, ty, bits: None });
            true
        }
    }
}

/// Finds large arrays, and in each of them the leaves of an element.
fn find_grids(types: &Types, ty: TypeId, offset: u64, grids: &mut Vec<Shape>) {
    match *types.get(ty) {
        Type::Array { .. } => {
            let (element, count) = flatten(types, ty, 1);
            let Some(stride) = types.size_of(element).filter(|&size| size > 0) else { return };
            if count <= LARGE {
                for index in 0..count {
                    find_grids(types, element, offset + index * stride, grids);
                }
                return;
            }
            let mut leaves = Vec::new();
            if !collect(types, element, 0, &mut leaves) || leaves.len() > 64 {
                leaves = (0..stride)
                    .map(|at| Leaf { offset: at, size: 1, ty: TypeId::CHAR, bits: None })
                    .collect();
            }
            grids.extend(leaves.iter().map(|leaf| Shape {
                start: offset + leaf.offset,
                stride,
                size: leaf.size,
                count: Some(count),
            }));
        }
        Type::Record(record) if !types.records[record].is_union => {
            for field in types.fields(ty) {
                if field.bits.is_none() {
                    find_grids(types, field.ty, offset + field.offset, grids);
                }
            }
        }
        _ => {}
    }
}

/// Arrays of arrays as one array.
fn flatten(types: &Types, ty: TypeId, count: u64) -> (TypeId, u64) {
    match *types.get(ty) {
        Type::Array { element, length: Length::Known(length) } => {
            flatten(types, element, count.saturating_mul(length))
        }
        Type::Array { element, .. } => (element, 0),
        _ => (ty, count),
    }
}
