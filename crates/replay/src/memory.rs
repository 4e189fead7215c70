//! The memory of the program: objects of bytes at concrete addresses.
//!
//! A pointer is a number. Every object has an address in a simulated address space (of 32 bits for
//! ILP32), and what a pointer points to is looked up by its value; so pointers survive casts to
//! integers, byte-wise copies, unions and bit tricks. Objects are apart from each other by guard
//! gaps, and addresses of dead objects are not used again until the address space is used up; so
//! accesses out of bounds, after free and after return are found.

mod region;

use cfa::{FunctionId, StringId, VariableId};
use region::{Occupant, Region};
use sema::types::DataModel;

/// Index of an object; 0 is none.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ObjectId(pub u32);

impl ObjectId {
    pub const NONE: ObjectId = ObjectId(0);

    fn index(self) -> usize {
        self.0 as usize
    }
}

pub struct Object {
    pub address: u64,
    pub size: u64,
    pub data: Vec<u8>,
    /// One byte for each byte of data, non-zero if it has been written; empty if nobody asks.
    pub written: Vec<u8>,
    pub life: Life,
    pub kind: ObjectKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Life {
    Alive,
    Freed,
    /// The function that it was local to has returned.
    Returned,
    /// Its declaration has been reached again.
    Redeclared,
    /// The block that it was local to has been left.
    BlockLeft,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObjectKind {
    Global(VariableId),
    /// Declared by the program, but of a size that it does not say.
    Incomplete(VariableId),
    Local(VariableId),
    /// `alloca`
    Alloca,
    /// From `malloc`; counted from 1.
    Heap(u32),
    String(StringId),
    Function(FunctionId),
    /// A table of the C library.
    Table,
    /// Memory that comes with a pointer from outside.
    Outside,
}

/// Where an object lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Area {
    Static,
    Heap,
    Stack,
}

impl ObjectKind {
    fn area(self) -> Area {
        match self {
            ObjectKind::Local(_) | ObjectKind::Alloca => Area::Stack,
            ObjectKind::Heap(_) | ObjectKind::Outside => Area::Heap,
            _ => Area::Static,
        }
    }

    pub fn read_only(self) -> bool {
        matches!(self, ObjectKind::String(_) | ObjectKind::Table)
    }
}

/// Why memory cannot be accessed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AccessError {
    /// The address, if it is among the first ones.
    Null(u64),
    /// The address is in no object.
    Wild(u64),
    OutOfBounds {
        object: ObjectId,
        offset: i64,
        size: u64,
    },
    Dead(ObjectId),
    ReadOnly(ObjectId),
    /// A function is no data.
    Function(ObjectId),
    /// The size of the object is not known.
    Incomplete(ObjectId),
}

/// The address space or the limit on live bytes is used up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutOfMemory;

pub struct Memory {
    objects: Vec<Object>,
    /// Records of evicted objects.
    free: Vec<ObjectId>,
    /// Buffers of small dead objects.
    spare: Vec<Vec<u8>>,
    regions: [Region; 3],
    live_bytes: u64,
    limit: u64,
    track_written: bool,
    pub created: u64,
}

const SPARE_BYTES: usize = 256;
const FIRST_ADDRESSES: u64 = 4096;

struct Occupants<'a>(&'a [Object]);

impl Occupant for Occupants<'_> {
    fn occupant(&self, id: ObjectId) -> (u64, u64, bool) {
        let object = &self.0[id.index()];
        (object.address, object.size, object.life == Life::Alive)
    }
}

impl Memory {
    pub fn new(model: DataModel, limit: u64, track_written: bool) -> Self {
        let regions = match model {
            DataModel::Ilp32 => [
                Region::new(0x0804_8000, 0x3000_0000),
                Region::new(0x4000_0000, 0x7000_0000),
                Region::new(0xb000_0000, 0x4fff_0000),
            ],
            DataModel::Lp64 => [
                Region::new(0x5555_5555_4000, 0x100_0000_0000),
                Region::new(0x7000_0000_0000, 0x100_0000_0000),
                Region::new(0x7ff0_0000_0000, 0xf_0000_0000),
            ],
        };
        let none = Object {
            address: 0,
            size: 0,
            data: Vec::new(),
            written: Vec::new(),
            life: Life::Freed,
            kind: ObjectKind::Table,
        };
        Self {
            objects: vec![none],
            free: Vec::new(),
            spare: Vec::new(),
            regions,
            live_bytes: 0,
            limit,
            track_written,
            created: 0,
        }
    }

    /// A fresh object of zeros that count as not written.
    pub fn allocate(&mut self, kind: ObjectKind, size: u64, alignment: u64) -> Result<ObjectId, OutOfMemory> {
        let live = self.live_bytes.checked_add(size).filter(|&live| live <= self.limit).ok_or(OutOfMemory)?;
        let region = &mut self.regions[kind.area() as usize];
        let room = region.reserve(size, alignment, &Occupants(&self.objects)).ok_or(OutOfMemory)?;
        self.free.extend(room.evicted);
        self.live_bytes = live;
        self.created += 1;
        let data = self.buffer(size as usize);
        let written = if self.track_written { vec![0; size as usize] } else { Vec::new() };
        let object = Object { address: room.address, size, data, written, life: Life::Alive, kind };
        let id = match self.free.pop() {
            Some(id) => {
                self.objects[id.index()] = object;
                id
            }
            None => {
                let next = u32::try_from(self.objects.len()).map_err(|_| OutOfMemory)?;
                self.objects.push(object);
                ObjectId(next)
            }
        };
        self.regions[kind.area() as usize].mark(room.address, size, id.0);
        Ok(id)
    }

    fn buffer(&mut self, size: usize) -> Vec<u8> {
        if size <= SPARE_BYTES
            && let Some(mut data) = self.spare.pop()
        {
            data.clear();
            data.resize(size, 0);
            return data;
        }
        vec![0; size]
    }

    /// Ends the life of an object; its address stays taken.
    pub fn kill(&mut self, id: ObjectId, life: Life) {
        let object = &mut self.objects[id.index()];
        if object.life != Life::Alive {
            return;
        }
        object.life = life;
        self.live_bytes -= object.size;
        object.written = Vec::new();
        let data = std::mem::take(&mut object.data);
        if data.capacity() <= SPARE_BYTES && data.capacity() > 0 && self.spare.len() < 64 {
            self.spare.push(data);
        }
    }

    /// Zeros that count as not written.
    pub fn clear(&mut self, id: ObjectId) {
        let object = &mut self.objects[id.index()];
        object.data.fill(0);
        object.written.fill(0);
    }

    #[inline]
    pub fn object(&self, id: ObjectId) -> &Object {
        &self.objects[id.index()]
    }

    /// All objects that are alive, oldest records first.
    pub fn living(&self) -> impl Iterator<Item = (ObjectId, &Object)> {
        let objects = self.objects.iter().enumerate();
        objects.filter(|(_, o)| o.life == Life::Alive).map(|(index, o)| (ObjectId(index as u32), o))
    }

    /// The object, alive or dead, that an address is in.
    #[inline]
    pub fn find(&self, address: u64) -> Option<ObjectId> {
        let region = self.regions.iter().find(|region| region.contains(address))?;
        region.find(address)
    }

    /// The object that a pointer belongs to, also if it points just behind it.
    pub fn owner(&self, address: u64) -> Option<ObjectId> {
        let id = self.find(address).or_else(|| {
            let region = self.regions.iter().find(|region| region.contains(address))?;
            region.find_below(address)
        })?;
        let object = self.object(id);
        (address - object.address <= object.size).then_some(id)
    }

    /// Checks an access of `size` bytes to an object.
    #[inline]
    pub fn check(&self, id: ObjectId, offset: u64, size: u64, write: bool) -> Result<usize, AccessError> {
        let object = &self.objects[id.index()];
        let inside = offset <= object.size && size <= object.size - offset;
        if inside && object.life == Life::Alive && !(write && object.kind.read_only()) {
            if matches!(object.kind, ObjectKind::Function(_)) {
                return Err(AccessError::Function(id));
            }
            return Ok(offset as usize);
        }
        Err(self.refusal(id, offset, size))
    }

    #[cold]
    fn refusal(&self, id: ObjectId, offset: u64, size: u64) -> AccessError {
        let object = &self.objects[id.index()];
        match () {
            () if matches!(object.kind, ObjectKind::Incomplete(_)) => AccessError::Incomplete(id),
            () if matches!(object.kind, ObjectKind::Function(_)) => AccessError::Function(id),
            () if object.life != Life::Alive => AccessError::Dead(id),
            () if offset > object.size || size > object.size - offset => {
                AccessError::OutOfBounds { object: id, offset: offset as i64, size }
            }
            () => AccessError::ReadOnly(id),
        }
    }

    /// Checks an access of `size` bytes through a pointer.
    #[inline]
    pub fn locate(&self, address: u64, size: u64, write: bool) -> Result<(ObjectId, usize), AccessError> {
        match self.find(address) {
            Some(id) => {
                let offset = address - self.objects[id.index()].address;
                Ok((id, self.check(id, offset, size, write)?))
            }
            None => self.nothing_at(address, size),
        }
    }

    #[cold]
    fn nothing_at(&self, address: u64, size: u64) -> Result<(ObjectId, usize), AccessError> {
        if address < FIRST_ADDRESSES {
            return Err(AccessError::Null(address));
        }
        let region = self.regions.iter().find(|region| region.contains(address));
        let below = region.and_then(|region| region.find_below(address));
        if let Some(id) = below {
            let object = self.object(id);
            if size == 0 && address == object.address + object.size {
                return Ok((id, object.size as usize));
            }
            if matches!(object.kind, ObjectKind::Incomplete(_)) {
                return Err(AccessError::Incomplete(id));
            }
        }
        Err(match below {
            Some(id) => {
                let offset = address.wrapping_sub(self.object(id).address) as i64;
                AccessError::OutOfBounds { object: id, offset, size }
            }
            None => AccessError::Wild(address),
        })
    }

    #[inline]
    pub fn bytes(&self, id: ObjectId, offset: usize, size: usize) -> &[u8] {
        &self.objects[id.index()].data[offset..offset + size]
    }

    /// Bytes to be written: they count as written from now on.
    #[inline]
    pub fn bytes_mut(&mut self, id: ObjectId, offset: usize, size: usize) -> &mut [u8] {
        let object = &mut self.objects[id.index()];
        if !object.written.is_empty() {
            object.written[offset..offset + size].fill(1);
        }
        &mut object.data[offset..offset + size]
    }

    /// All bytes of an object, without saying that they have been written.
    pub fn raw_mut(&mut self, id: ObjectId) -> &mut [u8] {
        &mut self.objects[id.index()].data
    }

    /// Whether all bytes have been written; always, if nobody asked to keep track.
    #[inline]
    pub fn is_written(&self, id: ObjectId, offset: usize, size: usize) -> bool {
        let written = &self.objects[id.index()].written;
        written.is_empty() || written[offset..offset + size].iter().all(|&byte| byte != 0)
    }

    /// Copies bytes and whether they have been written; the two may overlap.
    pub fn copy(&mut self, from: (ObjectId, usize), to: (ObjectId, usize), size: usize) {
        if from.0 == to.0 {
            let object = &mut self.objects[from.0.index()];
            object.data.copy_within(from.1..from.1 + size, to.1);
            if !object.written.is_empty() {
                object.written.copy_within(from.1..from.1 + size, to.1);
            }
            return;
        }
        let (low, high) = (from.0.index().min(to.0.index()), from.0.index().max(to.0.index()));
        let (head, tail) = self.objects.split_at_mut(high);
        let (lower, upper) = (&mut head[low], &mut tail[0]);
        let (source, target) = if from.0.index() == low { (lower, upper) } else { (upper, lower) };
        target.data[to.1..to.1 + size].copy_from_slice(&source.data[from.1..from.1 + size]);
        if !target.written.is_empty() {
            target.written[to.1..to.1 + size].copy_from_slice(&source.written[from.1..from.1 + size]);
        }
    }

    #[inline]
    pub fn load(&self, id: ObjectId, offset: usize, size: usize) -> u64 {
        let data = &self.objects[id.index()].data;
        match (size, data.get(offset..)) {
            (4, Some([a, b, c, d, ..])) => u64::from(u32::from_le_bytes([*a, *b, *c, *d])),
            (1, Some([a, ..])) => u64::from(*a),
            (8, Some([a, b, c, d, e, f, g, h, ..])) => u64::from_le_bytes([*a, *b, *c, *d, *e, *f, *g, *h]),
            (2, Some([a, b, ..])) => u64::from(u16::from_le_bytes([*a, *b])),
            _ => self.load_wide(id, offset, size) as u64,
        }
    }

    #[inline]
    pub fn store(&mut self, id: ObjectId, offset: usize, size: usize, value: u64) {
        self.bytes_mut(id, offset, size).copy_from_slice(&value.to_le_bytes()[..size]);
    }

    pub fn load_wide(&self, id: ObjectId, offset: usize, size: usize) -> u128 {
        let mut bytes = [0; 16];
        bytes[..size].copy_from_slice(self.bytes(id, offset, size));
        u128::from_le_bytes(bytes)
    }

    pub fn store_wide(&mut self, id: ObjectId, offset: usize, size: usize, value: u128) {
        self.bytes_mut(id, offset, size).copy_from_slice(&value.to_le_bytes()[..size]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory() -> Memory {
        Memory::new(DataModel::Ilp32, 1 << 30, true)
    }

    #[test]
    fn pointers_find_their_objects() {
        let mut memory = memory();
        let a = memory.allocate(ObjectKind::Heap(1), 10, 1).unwrap();
        let b = memory.allocate(ObjectKind::Heap(1), 100_000, 64).unwrap();
        let (at_a, at_b) = (memory.object(a).address, memory.object(b).address);
        assert_eq!(memory.locate(at_a + 6, 4, true), Ok((a, 6)));
        assert_eq!(
            memory.locate(at_a + 7, 4, true),
            Err(AccessError::OutOfBounds { object: a, offset: 7, size: 4 })
        );
        assert_eq!(memory.locate(at_b + 99_999, 1, false), Ok((b, 99_999)));
        assert_eq!(
            memory.locate(at_a + 16, 1, false),
            Err(AccessError::OutOfBounds { object: a, offset: 16, size: 1 })
        );
        assert_eq!(memory.locate(8, 1, false), Err(AccessError::Null(8)));
        assert_eq!(memory.owner(at_a + 10), Some(a));
    }

    #[test]
    fn dead_objects_are_remembered() {
        let mut memory = memory();
        let a = memory.allocate(ObjectKind::Heap(1), 8, 1).unwrap();
        let address = memory.object(a).address;
        memory.kill(a, Life::Freed);
        let b = memory.allocate(ObjectKind::Heap(1), 8, 1).unwrap();
        assert_ne!(memory.object(b).address, address);
        assert_eq!(memory.locate(address, 1, false), Err(AccessError::Dead(a)));
    }

    #[test]
    fn addresses_are_used_again_when_all_are_used() {
        let mut memory = memory();
        let kept = memory.allocate(ObjectKind::Local(VariableId(0)), 8, 1).unwrap();
        for _ in 0..2000 {
            let id = memory.allocate(ObjectKind::Local(VariableId(1)), 1 << 20, 1).unwrap();
            assert_ne!(id, kept);
            memory.kill(id, Life::Returned);
        }
        let address = memory.object(kept).address;
        assert_eq!(memory.locate(address, 8, true), Ok((kept, 0)));
    }

    #[test]
    fn too_much_is_refused() {
        let mut memory = memory();
        assert_eq!(memory.allocate(ObjectKind::Heap(1), u64::MAX, 1), Err(OutOfMemory));
        assert_eq!(memory.allocate(ObjectKind::Heap(1), 1 << 31, 1), Err(OutOfMemory));
    }

    #[test]
    fn copies_carry_what_is_written() {
        let mut memory = memory();
        let a = memory.allocate(ObjectKind::Heap(1), 8, 1).unwrap();
        let b = memory.allocate(ObjectKind::Heap(1), 8, 1).unwrap();
        memory.store(a, 0, 4, 0x0102_0304);
        memory.copy((a, 0), (b, 0), 8);
        assert!(memory.is_written(b, 0, 4) && !memory.is_written(b, 4, 1));
        assert_eq!(memory.load(b, 0, 8), 0x0102_0304);
        memory.copy((b, 0), (b, 2), 4);
        assert_eq!(memory.load(b, 2, 4), 0x0102_0304);
    }
}
