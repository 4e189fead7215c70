//! Abstract objects, and where in them a pointer can point.
//!
//! A *target* is an object with a folded offset, or with [`Offset::Any`]. Steps along a pointer
//! (members, elements, arithmetic) map targets to targets:
//! - a step to a member, or of a known length, stays exact, unless it leaves the element of a folded
//!   array that it starts in: then the offset is lost;
//! - a step over elements stays where it is, if it starts in an array of such elements (or at a
//!   record or an object of that size): C does not allow it to leave the array. Bytes are an
//!   exception: where an array of bytes starts together with a record around it, the pointer may
//!   well mean the record, and the offset is lost.
//!
//! An offset that is lost means all of the object, never another object.

use super::layout::{Layout, Layouts, Surrounding, fold};
use super::sets::SparseSet;
use crate::program::{EdgeId, FunctionId, LocationId, StringId, VariableId};
use base::{Arena, define_id};
use rustc_hash::FxHashMap;
use sema::types::{TypeId, Types};
use std::sync::Arc;

define_id! {
    /// An abstract object.
    ObjectId
}
define_id! {
    /// A cell of an object; also the node that stands for its contents.
    CellId
}
define_id! {
    /// An object and an offset in it.
    TargetId
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ObjectKind {
    Variable(VariableId),
    String(StringId),
    /// All memory that this call allocates.
    Heap(EdgeId),
    Function(FunctionId),
    Label(LocationId),
    /// The unnamed arguments of calls of the function.
    Variadic(FunctionId),
    /// Memory of the environment: disjoint from the program's objects.
    Outside,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Offset {
    /// In bytes, folded: all elements of an array count as the first. May lie outside of the object.
    At(i64),
    Any,
}

#[derive(Clone, Debug)]
pub struct Object {
    pub kind: ObjectKind,
    /// `None` where no type is known: then there is one cell.
    pub ty: Option<TypeId>,
    /// The object is an array of `ty`, of any length.
    pub is_array: bool,
    layout: Arc<Layout>,
    first_cell: u32,
    /// Bytes, where they are known.
    size: Option<i64>,
    /// Targets with a known offset, inside and outside of the object; beyond a limit they become
    /// [`Offset::Any`].
    target_counts: [u32; 2],
}

/// How a record lies in an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fit {
    /// The object has a part of that type there: their cells are the same.
    Part,
    /// Nothing in either is folded: cells of the one overlap cells of the other by their bytes.
    Flat,
    Unknown,
}

/// How a pointer moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// By so many bytes, to a member of a record of that type.
    Member(TypeId, i64),
    /// By any number of elements of so many bytes.
    Elements(u64),
    /// By so many elements of so many bytes.
    KnownElements(i64, u64),
    /// To anywhere in the object.
    Anywhere,
}

/// An object with more distinct known offsets than this, inside and outside of it, is treated as a
/// whole. Pointers outside come from guesses that were wrong (a member's address in the wrong record,
/// turned into the record's) and from walks in steps of bytes.
const MAX_OFFSETS: [u32; 2] = [1000, 20];

/// All objects and targets of a program.
pub struct Memory {
    pub objects: Arena<ObjectId, Object>,
    targets: Vec<(ObjectId, Offset)>,
    target_ids: FxHashMap<(ObjectId, Offset), TargetId>,
    object_ids: FxHashMap<ObjectKind, ObjectId>,
    layouts: Layouts,
    single: Arc<Layout>,
}

impl Default for Memory {
    fn default() -> Self {
        Self {
            objects: Arena::new(),
            targets: Vec::new(),
            target_ids: FxHashMap::default(),
            object_ids: FxHashMap::default(),
            layouts: Layouts::default(),
            single: Arc::new(Layout::single()),
        }
    }
}

impl Memory {
    /// Makes an object whose cells are numbered from `first_cell`.
    pub fn add_object(
        &mut self,
        types: &Types,
        kind: ObjectKind,
        ty: Option<TypeId>,
        is_array: bool,
        first_cell: u32,
    ) -> ObjectId {
        let ty = ty.filter(|&ty| types.size_of(ty).is_some_and(|size| size > 0) || !is_array);
        let layout = ty.map_or_else(|| self.single.clone(), |ty| self.layouts.of(types, ty));
        let size = ty.and_then(|ty| types.size_of(ty)).and_then(|size| i64::try_from(size).ok());
        let object = Object { kind, ty, is_array, layout, first_cell, size, target_counts: [0, 0] };
        let id = self.objects.push(object);
        self.object_ids.insert(kind, id);
        id
    }

    pub fn object(&self, kind: ObjectKind) -> Option<ObjectId> {
        self.object_ids.get(&kind).copied()
    }

    pub fn layout(&mut self, types: &Types, ty: TypeId) -> Arc<Layout> {
        self.layouts.of(types, ty)
    }

    pub fn cells(&self, object: ObjectId) -> std::ops::Range<u32> {
        let Object { first_cell, ref layout, .. } = self.objects[object];
        first_cell..first_cell + layout.starts.len() as u32
    }

    #[inline]
    pub fn target(&self, target: TargetId) -> (ObjectId, Offset) {
        self.targets[target.0 as usize]
    }

    pub fn intern(&mut self, object: ObjectId, offset: Offset) -> TargetId {
        if let Some(&id) = self.target_ids.get(&(object, offset)) {
            return id;
        }
        if let Offset::At(at) = offset {
            let data = &mut self.objects[object];
            let outside = usize::from(at < 0 || data.size.is_some_and(|size| at > size));
            data.target_counts[outside] += 1;
            if data.target_counts[outside] > MAX_OFFSETS[outside] {
                return self.intern(object, Offset::Any);
            }
        }
        let id = TargetId(self.targets.len() as u32);
        self.targets.push((object, offset));
        self.target_ids.insert((object, offset), id);
        id
    }

    /// Where a pointer is after a step.
    pub fn step(&self, types: &Types, object: ObjectId, offset: Offset, step: Step) -> Offset {
        let data = &self.objects[object];
        match (offset, step) {
            _ if data.layout.starts.len() == 1 && data.ty.is_none() => Offset::Any,
            (Offset::Any, _) | (_, Step::Anywhere) => Offset::Any,
            (Offset::At(at), Step::Member(record, bytes)) => data.member(types, at, record, bytes),
            (Offset::At(at), Step::Elements(size)) => {
                if data.is_confined(types, at, size) {
                    offset
                } else {
                    Offset::Any
                }
            }
            (Offset::At(at), Step::KnownElements(count, size)) => {
                let bytes = i64::try_from(size).ok().and_then(|size| size.checked_mul(count));
                match bytes.and_then(|bytes| data.moved_inside(types, at, bytes)) {
                    _ if count == 0 => offset,
                    Some(to) => Offset::At(to),
                    None if data.is_confined(types, at, size) => offset,
                    None => bytes.map_or(Offset::Any, |bytes| data.moved(types, at, bytes)),
                }
            }
        }
    }

    /// The folded offset of a byte of the object.
    pub fn folded(&self, types: &Types, object: ObjectId, byte: i64) -> Offset {
        let data = &self.objects[object];
        match data.ty {
            None => Offset::Any,
            Some(_) => Offset::At(data.around(types, byte, &mut |_| ()).map_or(byte, |at| at as i64)),
        }
    }

    /// The cells that an access of `size` bytes touches (`None`: of unknown size), as a range of
    /// numbers.
    pub fn touched(
        &self,
        types: &Types,
        object: ObjectId,
        offset: Offset,
        size: Option<u64>,
    ) -> std::ops::Range<u32> {
        let all = self.cells(object);
        let data = &self.objects[object];
        let (Offset::At(at), Some(size)) = (offset, size) else { return all };
        let end = at.saturating_add_unsigned(size);
        if all.len() == 1 || end <= 0 || data.leaves_element(types, at, end) {
            return all;
        }
        let first = data.layout.cell(at.max(0) as u64) as u32;
        let last = data.layout.cell(end as u64 - 1) as u32;
        all.start + first..all.start + last.max(first) + 1
    }

    /// How a value of type `ty` at the offset lies in the object.
    pub fn fit(&mut self, types: &Types, object: ObjectId, offset: Offset, ty: TypeId) -> Fit {
        let Offset::At(at) = offset else { return Fit::Unknown };
        let is_flat = !self.layouts.of(types, ty).folds;
        let data = &self.objects[object];
        let mut found = false;
        data.around(types, at, &mut |around| {
            found |= matches!(around, Surrounding::Record { start, ty: part, .. }
                if start as i64 == at && part == ty.unqualified());
        });
        match data.ty {
            Some(_) if found => Fit::Part,
            Some(_) if is_flat && !data.is_array && !data.layout.folds => Fit::Flat,
            _ => Fit::Unknown,
        }
    }

    /// All targets of a set.
    pub fn resolve<'a>(&'a self, set: &'a SparseSet) -> impl Iterator<Item = (ObjectId, Offset)> + 'a {
        set.iter().map(|target| self.target(TargetId(target)))
    }

    pub fn target_count(&self) -> usize {
        self.targets.len()
    }
}

impl Object {
    /// Folds an offset and visits what is around it; `None` if it is outside or no type is known.
    fn around(&self, types: &Types, at: i64, visit: &mut dyn FnMut(Surrounding)) -> Option<u64> {
        let (ty, at) = (self.ty?, u64::try_from(at).ok()?);
        let size = types.size_of(ty);
        if self.is_array {
            let element = size?;
            visit(Surrounding::Array { start: 0, element });
            return Some(fold(types, ty, 0, at % element, visit));
        }
        Some(fold(types, ty, 0, at, visit))
    }

    /// The element of the innermost array around the offset, from where to where.
    fn element_around(&self, types: &Types, at: i64) -> Option<(i64, i64)> {
        let mut innermost = None;
        self.around(types, at, &mut |around| {
            if let Surrounding::Array { start, element } = around {
                innermost = Some((start as i64, (start + element) as i64));
            }
        });
        innermost
    }

    fn leaves_element(&self, types: &Types, at: i64, end: i64) -> bool {
        self.element_around(types, at).is_some_and(|(_, element_end)| end > element_end)
    }

    /// A member of the record at the offset. If there is such a record, it is that which is meant, and
    /// not an array in it that starts there, too.
    fn member(&self, types: &Types, at: i64, record: TypeId, bytes: i64) -> Offset {
        let mut found = false;
        self.around(types, at, &mut |around| {
            found |= matches!(around, Surrounding::Record { start, ty, .. }
                if start as i64 == at && ty == record.unqualified());
        });
        match at.checked_add(bytes) {
            Some(to) if found => self.around(types, to, &mut |_| ()).map_or(Offset::At(to), folded),
            _ => self.moved(types, at, bytes),
        }
    }

    fn moved(&self, types: &Types, at: i64, bytes: i64) -> Offset {
        let Some(to) = at.checked_add(bytes) else { return Offset::Any };
        match self.element_around(types, at) {
            Some((start, end)) if to < start || to >= end => Offset::Any,
            _ => self.around(types, to, &mut |_| ()).map_or(Offset::At(to), folded),
        }
    }

    /// Outside of arrays, and if it stays within the object.
    fn moved_inside(&self, types: &Types, at: i64, bytes: i64) -> Option<i64> {
        let size = self.size?;
        let is_inside = |to: i64| self.element_around(types, at).is_none() && to >= 0 && to <= size;
        let to = at.checked_add(bytes).filter(|&to| is_inside(to))?;
        match self.moved(types, at, to - at) {
            Offset::At(to) => Some(to),
            Offset::Any => None,
        }
    }

    /// Steps over elements of that size, from there, stay at the folded offset.
    fn is_confined(&self, types: &Types, at: i64, size: u64) -> bool {
        let (mut confined, mut record_starts) = (false, Vec::new());
        self.around(types, at, &mut |around| match around {
            Surrounding::Array { start, element } => {
                let ambiguous = size == 1 && record_starts.contains(&start);
                confined |= size > 0 && size.is_multiple_of(element) && !ambiguous;
            }
            Surrounding::Record { start, size: own, .. } => {
                record_starts.push(start);
                confined |= size > 1 && own == size && start as i64 == at;
            }
            Surrounding::Scalar { start, size: own } => {
                confined |= own == size && start as i64 == at && record_starts.is_empty();
            }
        });
        confined
    }
}

fn folded(at: u64) -> Offset {
    Offset::At(at as i64)
}
