//! `malloc` and its relatives. Allocation never fails, except for sizes that no machine has.

use super::missing::NO_MEMORY;
use super::{Arguments, narrow};
use crate::ending::ViolationKind;
use crate::machine::{Machine, Result, Returned};
use crate::memory::{Life, ObjectId, ObjectKind};
use cfa::library::Library;

/// What `malloc` aligns to.
const ALIGNMENT: u64 = 16;

impl Machine<'_> {
    pub(super) fn allocation(
        &mut self,
        library: Library,
        arguments: Arguments<'_>,
    ) -> Result<Option<Returned>> {
        let first = arguments.number(0) & self.address_mask;
        let second = arguments.number(1) & self.address_mask;
        match library {
            Library::Malloc => narrow(self.malloc(first)?),
            Library::Calloc => {
                let size = first.saturating_mul(second);
                narrow(self.heap_object(size, Self::allocate_zeros)?)
            }
            Library::Realloc => narrow(self.realloc(first, second)?),
            Library::Free => {
                self.free(first)?;
                Ok(Some(Returned::Nothing))
            }
            Library::Alloca | Library::BuiltinAlloca => {
                let object = self.allocate(ObjectKind::Alloca, first, ALIGNMENT)?;
                self.allocas.push(object);
                narrow(self.memory.object(object).address)
            }
            _ => Ok(None),
        }
    }

    pub(super) fn malloc(&mut self, size: u64) -> Result<u64> {
        self.heap_object(size, Self::allocate)
    }

    /// The address of a new object on the heap.
    fn heap_object(
        &mut self,
        size: u64,
        allocate: fn(&mut Self, ObjectKind, u64, u64) -> Result<ObjectId>,
    ) -> Result<u64> {
        // glibc refuses what is more than PTRDIFF_MAX.
        if size > self.address_mask >> 1 {
            if self.options.allocation_succeeds {
                return Err(self.out_of_memory());
            }
            self.set_errno(NO_MEMORY);
            return Ok(0);
        }
        self.steps.allocations += 1;
        let number = u32::try_from(self.steps.allocations).unwrap_or(u32::MAX);
        let object = allocate(self, ObjectKind::Heap(number), size, ALIGNMENT)?;
        Ok(self.memory.object(object).address)
    }

    fn free(&mut self, pointer: u64) -> Result<()> {
        if pointer != 0 {
            let object = self.freeable(pointer)?;
            self.memory.kill(object, Life::Freed);
        }
        Ok(())
    }

    /// The heap object that starts where the pointer points to.
    fn freeable(&self, pointer: u64) -> Result<ObjectId> {
        let refuse = |detail: String| Err(self.violation(ViolationKind::InvalidFree, detail));
        let Some(id) = self.memory.owner(pointer) else {
            return refuse(format!("{pointer:#x} is no address of an object"));
        };
        let object = self.memory.object(id);
        let name = self.name_of(id, 0);
        match object.kind {
            ObjectKind::Heap(_) if object.life != Life::Alive => {
                refuse(format!("{name} has been freed before"))
            }
            ObjectKind::Heap(_) if object.address != pointer => {
                refuse(format!("offset {} of {name}, not its start", pointer - object.address))
            }
            ObjectKind::Heap(_) => Ok(id),
            _ => refuse(format!("{name} was not allocated by malloc")),
        }
    }

    fn realloc(&mut self, pointer: u64, size: u64) -> Result<u64> {
        if pointer == 0 {
            return self.malloc(size);
        }
        let old = self.freeable(pointer)?;
        // As glibc does it.
        if size == 0 {
            self.memory.kill(old, Life::Freed);
            return Ok(0);
        }
        let address = self.malloc(size)?;
        if let Some(new) = self.memory.find(address) {
            let common = self.memory.object(old).size.min(size) as usize;
            self.memory.copy((old, 0), (new, 0), common);
            self.memory.kill(old, Life::Freed);
        }
        Ok(address)
    }
}
