//! Places: bases, constant offsets, indices.

use super::Decoder;
use crate::code::*;
use crate::memory::{ObjectId, ObjectKind};
use cfa::{ExprId, ExprKind, PlaceBase, PlaceId, Projection, StringId};
use sema::types::{BitRange, Type, TypeId};

/// A place on the way from its base to what it names.
struct Way {
    base: Base,
    offset: u64,
    indices: Vec<IndexCode>,
    bits: Option<BitRange>,
}

impl Decoder<'_> {
    pub fn spot(&mut self, id: PlaceId) -> Spot {
        let known = self.code.spot_of[id.0 as usize];
        if known != Spot::NONE {
            return known;
        }
        let place = self.program.places[id];
        let mut way = self.base(place.base);
        let mut lengths = cfa::lengths(self.program, id).into_iter();
        for &projection in &self.program.projections[place.projections] {
            let length = lengths.next().flatten().filter(|_| self.checks.index_range);
            self.project(&mut way, projection, length);
        }
        let spot = self.finish(way, place.ty);
        self.code.spot_of[id.0 as usize] = spot;
        spot
    }

    fn base(&mut self, base: PlaceBase) -> Way {
        let mut way = Way { base: Base::Object(ObjectId::NONE), offset: 0, indices: Vec::new(), bits: None };
        match base {
            PlaceBase::Variable(variable) => {
                way.base = match self.home(variable) {
                    Home::Memory(slot) => Base::Local(slot, variable),
                    Home::Object(object) => Base::Object(object),
                    // A place inside of a variable that has no memory: nothing is there.
                    _ => Base::Object(ObjectId::NONE),
                };
            }
            PlaceBase::String(string) => way.base = Base::Object(self.string(string)),
            PlaceBase::Dereference(pointer) => self.dereference(&mut way, pointer),
        }
        way
    }

    /// `*(p + i)` is an index from `p`, so that the access is checked against the object of `p`.
    fn dereference(&mut self, way: &mut Way, mut pointer: ExprId) {
        while let ExprKind::PointerAdd { pointer: inner, index, scale } = self.program.exprs[pointer].kind {
            self.index(way, index, scale as u64, None);
            pointer = inner;
        }
        way.base = Base::Pointer(self.expr(pointer));
    }

    fn project(&mut self, way: &mut Way, projection: Projection, length: Option<u64>) {
        match projection {
            Projection::Field { record, field } => {
                let Some(field) = self.program.types.fields(record).get(field as usize) else { return };
                way.offset = way.offset.wrapping_add(field.offset);
                way.bits = field.bits;
            }
            Projection::Index { index, size } => self.index(way, index, size, length),
        }
    }

    fn index(&mut self, way: &mut Way, index: ExprId, size: u64, length: Option<u64>) {
        let index = self.narrow_index(index);
        let count = length.unwrap_or(u64::MAX);
        match self.code.nodes[index.0 as usize] {
            Node::Constant(value) if length.is_none() || value < count => {
                way.offset = way.offset.wrapping_add(value.wrapping_mul(size))
            }
            _ => way.indices.push(IndexCode { index, size, count }),
        }
    }

    fn finish(&mut self, way: Way, ty: TypeId) -> Spot {
        let types = &self.program.types;
        let scalar = Scalar::of(types, ty);
        let (skipped, size, content) = match (way.bits, scalar) {
            (Some(bits), Some(scalar)) => {
                let (start, width) = (bits.start % 8, bits.width.clamp(1, 64));
                let size = (start + width).div_ceil(8);
                (bits.start / 8, u64::from(size), Content::Bits { start, width, scalar })
            }
            (_, Some(scalar)) => (0, scalar.bytes() as u64, Content::Scalar(scalar)),
            (_, None) => (0, types.size_of(ty).unwrap_or(0), Content::Aggregate),
        };
        let first_index = self.code.indices.len() as u32;
        let index_count = way.indices.len() as u32;
        self.code.indices.extend(way.indices);
        self.code.places.push(PlaceCode {
            base: way.base,
            offset: way.offset.wrapping_add(u64::from(skipped)),
            size,
            first_index,
            index_count,
            content,
            character: matches!(types.get(ty), Type::Int(_)) && size == 1,
        });
        Spot(self.code.places.len() as u32 - 1)
    }

    /// The object of a string literal, made when it is first used.
    fn string(&mut self, id: StringId) -> ObjectId {
        let known = self.code.string_objects[id.0 as usize];
        if known != ObjectId::NONE {
            return known;
        }
        let string = &self.program.strings[id];
        let size = string.bytes.len() as u64;
        let Ok(object) = self.memory.allocate(ObjectKind::String(id), size, 1) else { return ObjectId::NONE };
        self.memory.bytes_mut(object, 0, string.bytes.len()).copy_from_slice(&string.bytes);
        self.code.string_objects[id.0 as usize] = object;
        object
    }
}
