//! Objects that are made anew whenever a part of the program is executed again.
//!
//! What lies between two abstraction points is encoded once, for all of its executions, and so an object that
//! it makes has the same address in each of them. Seen from the next execution, the object of the one before
//! is another one: pointers to it are *moved* to where nothing is that the encoder knows of, wherever that is.
//! All objects are moved by the same distance, so that pointers to the same object, and to different ones,
//! stay that. What was computed from their addresses otherwise can be anything.

use crate::encoder::Encoder;
use crate::objects::{ObjectId, ObjectKind};
use cfa::pointsto::ObjectKind as Abstract;
use rustc_hash::FxHashSet;
use term::{Sort, TermId, TermPool};

/// Of all objects, at least.
const ALIGNMENT: u64 = 16;

/// How many objects and unknown contents there were at some time.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    objects: usize,
    generations: u32,
}

/// Objects that have been made since then, as the next execution sees them.
pub struct Made {
    ranges: Vec<Range>,
    /// What the points-to analysis knows them as.
    kinds: FxHashSet<Abstract>,
    /// When they are where nothing else is.
    pub is_apart: TermId,
}

/// Addresses of objects that are moved together.
struct Range {
    first: u64,
    last: u64,
    distance: TermId,
}

impl Encoder<'_> {
    pub fn moment(&self) -> Moment {
        Moment { objects: self.objects.len(), generations: self.generations }
    }

    /// The objects that will be made again; none if there are no such. What a pointer leads to that was in memory
    /// before, where nobody has written since, is always the same, though it has been seen only now.
    pub fn made_since(&mut self, moment: Moment) -> Option<Made> {
        let stays = |id| self.found_in.get(&id).is_some_and(|&generation| generation <= moment.generations);
        let is_new = |&(id, _): &(ObjectId, Option<Abstract>)| id.0 as usize >= moment.objects && !stays(id);
        let with_address = self.objects.iter().filter(|(_, object)| object.base != 0);
        let objects = with_address.map(|(id, object)| (id, self.made_as(object.kind)));
        let made: Vec<(ObjectId, Abstract)> =
            objects.filter(is_new).filter_map(|(id, kind)| Some((id, kind?))).collect();
        let (&(first, _), &(last, _)) = (made.first()?, made.last()?);
        let distance = self.pool.fresh_variable("moved", Sort::BitVec(self.pointer_width()));
        let is_apart =
            self.is_far(distance, self.objects.get(first).zone().0, self.objects.get(last).zone().1);
        let mut ranges: Vec<Range> = Vec::new();
        for &(object, kind) in &made {
            let (first, last) = self.objects.get(object).zone();
            match ranges.last_mut() {
                Some(before)
                    if first - before.last <= ALIGNMENT && before.distance == distance && is_heap(kind) =>
                {
                    before.last = last;
                }
                _ => ranges.push(Range { first, last, distance: self.distance_of(kind, distance) }),
            }
        }
        Some(Made { ranges, kinds: made.into_iter().map(|(_, kind)| kind).collect(), is_apart })
    }

    /// What the points-to analysis takes an object for that may be made anew at each execution.
    fn made_as(&self, kind: ObjectKind) -> Option<Abstract> {
        match kind {
            ObjectKind::Heap(edge) => Some(Abstract::Heap(edge)),
            ObjectKind::Outside(_) => Some(Abstract::Outside),
            ObjectKind::Variable { variable, .. } if self.is_indirect(variable) => {
                Some(Abstract::Variable(variable))
            }
            _ => None,
        }
    }

    /// Memory from outside, and variables that come to life when they are used, may also be the same in all
    /// executions, though the encoder has seen them now.
    fn distance_of(&mut self, kind: Abstract, distance: TermId) -> TermId {
        if is_heap(kind) {
            return distance;
        }
        let stays = self.pool.fresh_variable("stays", Sort::Bool);
        let nothing = self.pointer(0);
        self.pool.ite(stays, nothing, distance)
    }

    /// Whether addresses, moved by a distance, are where no object is so far, below the others or above.
    fn is_far(&mut self, distance: TermId, first: u64, last: u64) -> TermId {
        let start = self.pointer(first);
        let start = self.pool.add(start, distance);
        let mut is_free = TermPool::FALSE;
        for (lowest, end) in self.objects.free() {
            let Some(places) = (end - lowest).checked_sub(last - first + ALIGNMENT) else { continue };
            let highest = lowest + places;
            let (lowest, highest) = (self.pointer(lowest), self.pointer(highest));
            let (above, below) = (self.pool.ule(lowest, start), self.pool.ule(start, highest));
            let here = self.pool.and(above, below);
            is_free = self.pool.or(is_free, here);
        }
        if is_free == TermPool::FALSE {
            // They are too large to be anywhere else.
            is_free = TermPool::TRUE;
        }
        let low_bits = self.pool.extract(distance, 3, 0);
        let zero = self.pool.bitvec(4, 0);
        let is_aligned = self.pool.eq(low_bits, zero);
        self.pool.and(is_free, is_aligned)
    }

    /// A pointer as the next execution sees it.
    pub fn moved_on(&mut self, made: &Made, pointer: TermId) -> TermId {
        let mut result = pointer;
        for range in &made.ranges {
            let (first, length) = (self.pointer(range.first), self.pointer(range.last - range.first));
            let offset = self.pool.sub(pointer, first);
            let is_there = self.pool.ule(offset, length);
            let moved = self.pool.add(pointer, range.distance);
            result = self.pool.ite(is_there, moved, result);
        }
        result
    }
}

impl Encoder<'_> {
    /// A number that may be computed from addresses of the objects, as the next execution sees it: anything. Nearly
    /// everything may come from outside, so what is not for sure computed from an address counts only if it looks like one.
    pub fn blurred_on(&mut self, made: &Made, value: TermId, is_computed: bool) -> TermId {
        let sort = self.pool.sort(value);
        let (first, last) = match (made.ranges.first(), made.ranges.last()) {
            (Some(first), Some(last)) => (first.first, last.last),
            _ => return value,
        };
        let any = self.pool.fresh_variable("address", sort);
        match sort {
            _ if is_computed => any,
            Sort::BitVec(width) if width >= self.pointer_width() => {
                let start = self.pool.bitvec(width, first);
                let length = self.pool.bitvec(width, last - first);
                let offset = self.pool.sub(value, start);
                let is_there = self.pool.ule(offset, length);
                self.pool.ite(is_there, any, value)
            }
            _ => value,
        }
    }
}

impl Made {
    /// Whether an object of the points-to analysis is, or may be, among them.
    pub fn includes(&self, kind: Abstract) -> bool {
        self.kinds.contains(&kind)
    }
}

fn is_heap(kind: Abstract) -> bool {
    matches!(kind, Abstract::Heap(_))
}
