//! Address space: which object is at an address.
//!
//! A region is a range of addresses. Objects start at multiples of 16 bytes, with a gap after each
//! that no object ever fills. A table of pages says for every 16 bytes what object is there, so that
//! finding it takes two loads. Addresses are handed out upwards, and those of dead objects are used
//! again only when all others have been (the cursor wraps around), so that a dangling pointer finds
//! the dead object that it points to.

use super::ObjectId;

pub(super) const GRANULE: u64 = 16;
const PAGE: u64 = 4096;
const PER_PAGE: usize = (PAGE / GRANULE) as usize;
/// Objects of this size and more get pages of their own.
const LARGE: u64 = 64 << 10;
/// So many bytes of addresses are used before those of dead objects are used again.
const FIRST_RING: u64 = 256 << 20;

enum Page {
    Empty,
    Whole(ObjectId),
    Granules(Box<[u32; PER_PAGE]>),
}

pub(super) struct Region {
    base: u64,
    /// Bytes that the region may have at most.
    limit: u64,
    /// Bytes after which the cursor wraps around.
    ring: u64,
    /// Where the next object goes, relative to the base.
    cursor: u64,
    wrapped: bool,
    pages: Vec<Page>,
}

/// Where a new object goes.
pub(super) struct Room {
    pub address: u64,
    /// Dead objects that were there.
    pub evicted: Vec<ObjectId>,
}

/// What the region asks about objects that are in the way.
pub(super) trait Occupant {
    /// End address of the object, and whether it is alive.
    fn occupant(&self, id: ObjectId) -> (u64, u64, bool);
}

/// The first objects are so far apart that pointers which are moved out of one do not get to the next one soon.
const WIDE_GAP: u64 = 32 << 10;
/// Bytes of addresses for these.
const WIDE: u64 = 128 << 20;

fn gap(size: u64) -> u64 {
    (size / 4).clamp(GRANULE, 2048) / GRANULE * GRANULE
}

impl Region {
    pub fn new(base: u64, limit: u64) -> Self {
        let ring = FIRST_RING.min(limit);
        Self { base, limit, ring, cursor: GRANULE, wrapped: false, pages: Vec::new() }
    }

    pub fn contains(&self, address: u64) -> bool {
        address.wrapping_sub(self.base) < self.limit
    }

    #[inline]
    pub fn find(&self, address: u64) -> Option<ObjectId> {
        let offset = address.wrapping_sub(self.base);
        match self.pages.get((offset / PAGE) as usize)? {
            Page::Empty => None,
            Page::Whole(id) => Some(*id),
            Page::Granules(ids) => match ids[(offset % PAGE / GRANULE) as usize] {
                0 => None,
                id => Some(ObjectId(id)),
            },
        }
    }

    /// The nearest object that starts below an address, within a few pages.
    pub fn find_below(&self, address: u64) -> Option<ObjectId> {
        let lowest = address.saturating_sub(4 * PAGE).max(self.base);
        let mut probe = address;
        while probe >= lowest && self.contains(probe) {
            if let Some(id) = self.find(probe) {
                return Some(id);
            }
            probe = probe.wrapping_sub(GRANULE);
        }
        None
    }

    /// Finds room for an object; `None` if the address space is full.
    pub fn reserve(&mut self, size: u64, alignment: u64, objects: &impl Occupant) -> Option<Room> {
        let large = size >= LARGE;
        let alignment = if large { alignment.max(PAGE) } else { alignment.max(GRANULE) };
        let gap = if self.cursor < WIDE && !self.wrapped { WIDE_GAP } else { gap(size) };
        let room = size.max(1).checked_next_multiple_of(GRANULE)?.checked_add(gap)?;
        let room = if large { room.checked_next_multiple_of(PAGE)? } else { room };
        let mut evicted = Vec::new();
        loop {
            match self.try_reserve(room, alignment, objects, &mut evicted) {
                Some(offset) => return Some(Room { address: self.base + offset, evicted }),
                None if self.ring < self.limit => self.ring = (self.ring * 2).min(self.limit),
                None => return None,
            }
        }
    }

    /// From the cursor to the end of the ring, and from its start once.
    fn try_reserve(
        &mut self,
        room: u64,
        alignment: u64,
        objects: &impl Occupant,
        evicted: &mut Vec<ObjectId>,
    ) -> Option<u64> {
        let mut start = self.cursor;
        let mut turned = false;
        loop {
            start = (self.base + start).checked_next_multiple_of(alignment)? - self.base;
            let end = start.checked_add(room)?;
            if end > self.ring {
                if turned || end > self.limit && room > self.ring {
                    return None;
                }
                (turned, self.wrapped, start) = (true, true, GRANULE);
                continue;
            }
            match self.obstacle(start, end, objects, evicted) {
                Some(after) => start = after,
                None => {
                    self.cursor = end;
                    return Some(start);
                }
            }
        }
    }

    /// Where a living object between two offsets ends; dead ones are evicted.
    fn obstacle(
        &mut self,
        start: u64,
        end: u64,
        objects: &impl Occupant,
        evicted: &mut Vec<ObjectId>,
    ) -> Option<u64> {
        if !self.wrapped {
            return None;
        }
        let mut probe = start;
        while probe < end {
            let Some(id) = self.find(self.base + probe) else {
                probe += GRANULE;
                continue;
            };
            let (address, size, alive) = objects.occupant(id);
            if alive {
                return Some(address - self.base + size.max(1).next_multiple_of(GRANULE) + gap(size));
            }
            self.mark(address, size, 0);
            evicted.push(id);
        }
        None
    }

    /// Says that an object (or none, for 0) is at an address.
    pub fn mark(&mut self, address: u64, size: u64, id: u32) {
        let start = address - self.base;
        let end = start + size.max(1);
        let last = ((end - 1) / PAGE) as usize;
        if self.pages.len() <= last {
            self.pages.resize_with(last + 1, || Page::Empty);
        }
        if size >= LARGE {
            for page in &mut self.pages[(start / PAGE) as usize..=last] {
                *page = if id == 0 { Page::Empty } else { Page::Whole(ObjectId(id)) };
            }
            return;
        }
        let mut offset = start;
        while offset < end {
            let page = &mut self.pages[(offset / PAGE) as usize];
            if !matches!(page, Page::Granules(_)) {
                *page = Page::Granules(Box::new([0; PER_PAGE]));
            }
            let Page::Granules(ids) = page else { return };
            let stop = end.min((offset / PAGE + 1) * PAGE);
            let first = (offset % PAGE / GRANULE) as usize;
            let beyond = first + (stop - offset).div_ceil(GRANULE) as usize;
            ids[first..beyond].fill(id);
            offset = stop;
        }
    }
}
