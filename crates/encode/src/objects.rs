//! The objects of a run and where they are in memory.
//!
//! Every object has an address of its own, a number fixed when the object comes into being, and far
//! from all others. Pointers are then plain bit-vectors: null is 0, arithmetic, comparison, casts to
//! integers and bytes of pointers need no special treatment, and a pointer that is a constant names
//! its object outright. What a program does with the numeric value of an address is thus seen for one
//! layout only; the encoder notes it as an assumption where that happens.

use crate::Unsupported;
use crate::room::NUMBERED;
use base::define_id;
use cfa::{EdgeId, FunctionId, StringId, VariableId};
use sema::types::{DataModel, TypeId};
use std::collections::BTreeMap;
use term::TermId;

define_id! {
    /// An object, and its slot in a state's store.
    ObjectId
}

impl ObjectId {
    /// No object is at this slot.
    pub(crate) const LAST_SLOT: u32 = (1 << 30) - 1;
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObjectKind {
    /// A variable, in the frame of so many nested calls of its function.
    Variable {
        variable: VariableId,
        depth: u32,
    },
    String(StringId),
    /// What a function returns, until its caller takes it.
    Result {
        function: FunctionId,
        depth: u32,
    },
    /// Allocated by the call at an edge.
    Heap(EdgeId),
    /// Memory of the environment that an input points to.
    Outside(EdgeId),
    /// All objects that skipped iterations of loops have made.
    Unseen,
    /// Which bytes of another object have not been written: see `written.rs`.
    Shadow(ObjectId),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Size {
    Known(u64),
    /// A bit-vector of the width of pointers.
    Term(TermId),
    /// Memory of the environment: as much as is asked for.
    Unbounded,
}

#[derive(Clone, Copy, Debug)]
pub struct Object {
    pub kind: ObjectKind,
    pub base: u64,
    pub size: Size,
    /// The bytes that have addresses of their own.
    pub room: u64,
    /// Bytes around it where no other object is: half of them below, half of them behind.
    gap: u64,
    /// It can be larger than that: see `room.rs`.
    pub may_outgrow: bool,
    /// The type of the contents, where there is one.
    pub ty: Option<TypeId>,
}

impl Object {
    /// The first and the last address from which it is the nearest object.
    pub(crate) fn zone(&self) -> (u64, u64) {
        (self.base - self.gap / 2, self.base + self.room + self.gap / 2 - 1)
    }
}

/// Bytes set aside for memory from outside at least, between objects at least, and below all of them: for
/// [those that are not known](crate::Made).
struct Spacing {
    below: u64,
    outside: u64,
    gap: u64,
    end: u64,
    /// Objects are as far apart as addresses allow.
    is_wide: bool,
}

pub struct Objects {
    objects: Vec<Object>,
    by_base: BTreeMap<u64, ObjectId>,
    /// The first address that an object can have.
    first: u64,
    next: u64,
    spacing: Spacing,
    one_may_outgrow: bool,
}

/// An object whose size is computed gets one of so many parts of the addresses that are left.
const PARTS: u64 = 1024;
/// The same for memory from outside.
const PARTS_FOR_OUTSIDE: u64 = 4096;

/// Where objects are far apart, the gap behind one is one of so many parts of the addresses that are left.
const PARTS_FOR_GAPS: u64 = 1 << 15;

/// Where function addresses start; they are one apart by this.
const FUNCTIONS: u64 = 0x1000;
const FUNCTION_SPACING: u64 = 16;

impl Spacing {
    /// Bytes behind an object at an address. Whoever comes later has no more of them.
    fn gap_at(&self, address: u64) -> u64 {
        let part = (self.end - address) / PARTS_FOR_GAPS;
        match part.checked_ilog2() {
            Some(digits) if self.is_wide => self.gap.max(1 << digits),
            _ => self.gap,
        }
    }
}

impl Objects {
    pub fn new(model: DataModel, functions: usize, is_wide: bool) -> Self {
        let spacing = match model {
            DataModel::Ilp32 => {
                Spacing { below: 1 << 24, outside: 1 << 16, gap: 256, end: 0xffff_0000, is_wide }
            }
            DataModel::Lp64 => {
                Spacing { below: 1 << 40, outside: 1 << 28, gap: 1 << 12, end: 1 << 47, is_wide }
            }
        };
        let next = FUNCTIONS + FUNCTION_SPACING * (functions as u64 + 1);
        let next = next.next_multiple_of(4096) + spacing.below;
        let (objects, by_base, first) = (Vec::new(), BTreeMap::new(), next);
        Self { objects, by_base, first, next, spacing, one_may_outgrow: false }
    }

    pub fn get(&self, object: ObjectId) -> &Object {
        &self.objects[object.0 as usize]
    }

    pub fn len(&self) -> usize {
        self.objects.len()
    }

    pub fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    pub fn function_address(&self, function: FunctionId) -> u64 {
        FUNCTIONS + FUNCTION_SPACING * u64::from(function.0)
    }

    /// The function at an address.
    pub fn function_at(&self, address: u64, functions: usize) -> Option<FunctionId> {
        let distance = address.checked_sub(FUNCTIONS)?;
        let index = distance / FUNCTION_SPACING;
        (distance % FUNCTION_SPACING == 0 && index < functions as u64).then_some(FunctionId(index as u32))
    }

    /// An object with an address, of no more than `most` bytes.
    pub fn create(
        &mut self,
        kind: ObjectKind,
        (size, most): (Size, u64),
        ty: Option<TypeId>,
        alignment: u64,
    ) -> Result<ObjectId, Unsupported> {
        let base = self.next.next_multiple_of(alignment.max(16));
        let left = self.spacing.end - self.next;
        let room = match size {
            Size::Known(size) => size,
            Size::Term(_) => most.min(left / PARTS).min(NUMBERED),
            Size::Unbounded => self.spacing.outside.max(left / PARTS_FOR_OUTSIDE).min(NUMBERED),
        };
        let gap = self.spacing.gap_at(self.next);
        let end = base.checked_add(room).and_then(|end| end.checked_add(gap));
        self.next = end
            .filter(|&end| end < self.spacing.end)
            .ok_or(Unsupported("more memory than there are addresses"))?;
        let object = ObjectId(self.objects.len() as u32);
        if object.0 >= ObjectId::LAST_SLOT {
            return Err(Unsupported("more objects than there are numbers"));
        }
        let may_outgrow = room < most && kind != ObjectKind::Unseen;
        self.one_may_outgrow |= may_outgrow;
        self.objects.push(Object { kind, base, size, room, gap, may_outgrow, ty });
        self.by_base.insert(base, object);
        Ok(object)
    }

    /// An object that nothing can point to. It has no address.
    pub fn create_hidden(&mut self, kind: ObjectKind, size: Size, ty: Option<TypeId>) -> ObjectId {
        let object = ObjectId(self.objects.len() as u32);
        self.objects.push(Object { kind, base: 0, size, room: 0, gap: 0, may_outgrow: false, ty });
        object
    }

    /// Whether there are objects that can be larger than their room.
    pub fn one_may_outgrow(&self) -> bool {
        self.one_may_outgrow
    }

    /// The shadow of an object. It has no address.
    pub fn create_shadow(&mut self, of: ObjectId) -> ObjectId {
        let Object { size, ty, .. } = *self.get(of);
        self.create_hidden(ObjectKind::Shadow(of), size, ty)
    }

    /// What stands for objects that are not told apart. It has no address.
    pub fn create_unseen(&mut self) -> ObjectId {
        self.create_hidden(ObjectKind::Unseen, Size::Unbounded, None)
    }

    /// Where no object is so far: below all of them, and above.
    pub fn free(&self) -> [(u64, u64); 2] {
        let gap = self.spacing.gap_at(self.first);
        [(self.first - self.spacing.below, self.first - gap), (self.next, self.spacing.end)]
    }

    /// Whether pointers that are moved out of their objects do not get to others soon.
    pub fn are_far_apart(&self) -> bool {
        self.spacing.is_wide
    }

    /// Bytes between objects, at least.
    pub fn gap(&self) -> u64 {
        self.spacing.gap
    }

    /// The object that an address points into or just behind.
    pub fn at(&self, address: u64) -> Option<ObjectId> {
        let (&base, &object) = self.by_base.range(..=address).next_back()?;
        (address - base <= self.get(object).room).then_some(object)
    }

    /// The object whose zone an address is in.
    pub fn nearest(&self, address: u64) -> Option<ObjectId> {
        let below = self.by_base.range(..=address).next_back();
        let above = self.by_base.range(address..).next();
        let is_near = |object: &ObjectId| {
            let (first, last) = self.get(*object).zone();
            first <= address && address <= last
        };
        [below, above].into_iter().flatten().map(|(_, &object)| object).find(is_near)
    }

    /// All objects, in the order of their creation.
    pub fn iter(&self) -> impl Iterator<Item = (ObjectId, &Object)> {
        self.objects.iter().enumerate().map(|(index, object)| (ObjectId(index as u32), object))
    }
}
