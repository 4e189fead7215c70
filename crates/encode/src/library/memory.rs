//! Allocation, and functions on blocks of memory.

use super::LibraryCall;
use crate::cells::Fill;
use crate::encoder::{Encoder, FreshContents};
use crate::environment::Assumption;
use crate::objects::{ObjectId, ObjectKind, Size};
use crate::pointer::Case;
use crate::state::{Content, State};
use crate::{Check, Unsupported};
use cfa::Environment;
use cfa::library::Library;
use sema::types::TypeId;
use std::rc::Rc;
use term::{TermId, TermPool};

/// Blocks of a computed length are handled byte by byte up to this length.
const LONGEST_COMPUTED: u64 = 256;

/// Blocks of a known length are handled up to this length.
const LONGEST_KNOWN: u64 = 1 << 16;

impl Encoder<'_> {
    /// Executes the call if the function is one of these.
    pub(super) fn memory_call(
        &mut self,
        state: &mut State,
        call: &LibraryCall,
        library: Library,
    ) -> Result<bool, Unsupported> {
        match library {
            Library::Malloc | Library::Alloca | Library::BuiltinAlloca => {
                let size = call.argument(0)?;
                let generation = self.generation();
                let frees = library == Library::Malloc;
                let object = self.allocate(state, call, size, Fill::Unknown(generation), frees)?;
                self.give_object(state, call, object)?;
            }
            Library::Calloc => {
                let (count, size) = (call.argument(0)?, call.argument(1)?);
                let total = self.total(count, size);
                let object = self.allocate(state, call, total, Fill::Zero, true)?;
                self.give_object(state, call, object)?;
            }
            Library::Realloc => self.realloc(state, call)?,
            Library::Free => self.free(state, call)?,
            Library::Memset => self.memset(state, call)?,
            Library::Memcpy | Library::Memmove => self.memcpy(state, call)?,
            Library::Memcmp => self.memcmp(state, call)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// A number of bytes; if there are not so many addresses, as many as there are.
    fn total(&mut self, count: TermId, size: TermId) -> TermId {
        let width = self.pointer_width();
        let (count, size) =
            (self.pool.resize_unsigned(count, 2 * width), self.pool.resize_unsigned(size, 2 * width));
        let total = self.pool.mul(count, size);
        let most = self.pool.bitvec(width, u64::MAX >> (64 - width));
        let most_wide = self.pool.resize_unsigned(most, 2 * width);
        let fits = self.pool.ule(total, most_wide);
        let total = self.pool.resize_unsigned(total, width);
        self.pool.ite(fits, total, most)
    }

    pub(super) fn allocate(
        &mut self,
        state: &mut State,
        call: &LibraryCall,
        size: TermId,
        fill: Fill,
        frees: bool,
    ) -> Result<ObjectId, Unsupported> {
        if self.program.environment == Environment::Benign {
            self.environment.rely_on(Assumption::AllocationSucceeds);
        }
        let size = self.size_of_term(size);
        let ty = self.result_pointee(call);
        let whole_type = ty.filter(|&ty| match size {
            Size::Known(size) => self.program.types.size_of(ty) == Some(size),
            _ => false,
        });
        let object = self.create(ObjectKind::Heap(call.edge), size, whole_type, 16)?;
        self.heap.entry(call.edge).or_default().push(object);
        let cells = self.fresh_cells(whole_type, fill);
        state.store.set(object.0, Content::Cells(Rc::new(cells)));
        if let Fill::Unknown(generation) = fill {
            self.comes_to_life(state, FreshContents::Memory { generation, ty: whole_type, start: 0 });
        }
        if !frees {
            let function = self.program.locations[self.program.edges[call.edge].from].function;
            self.stack_objects.insert(object, (function, call.frame.depth));
        }
        self.bring_to_life(state, object);
        let shadow = if fill == Fill::Zero { Fill::Zero } else { Fill::Ones };
        self.mark_object(state, object, shadow);
        Ok(object)
    }

    pub(super) fn give_object(
        &mut self,
        state: &mut State,
        call: &LibraryCall,
        object: ObjectId,
    ) -> Result<(), Unsupported> {
        let address = self.objects.get(object).base;
        let address = self.pointer(address);
        self.give(state, call, address, self.program.types.size_type())
    }

    fn free(&mut self, state: &mut State, call: &LibraryCall) -> Result<(), Unsupported> {
        if !self.tracks_lifetime() {
            return Ok(());
        }
        let address = call.argument(0)?;
        let null = self.pointer(0);
        let mut valid = self.pool.eq(address, null);
        for object in self.freeable(call, address)? {
            let Some(alive) = self.life(state, object) else { continue };
            let base = self.objects.get(object).base;
            let base = self.pointer(base);
            let here = self.pool.eq(address, base);
            let freed = self.pool.and(here, alive);
            valid = self.pool.or(valid, freed);
            self.kill(state, object, here);
        }
        let invalid = self.pool.not(valid);
        self.oblige(state, Check::InvalidFree, invalid, call.span);
        self.require(state, valid);
        Ok(())
    }

    /// The objects from `malloc` that an address may be the start of.
    fn freeable(&mut self, call: &LibraryCall, address: TermId) -> Result<Vec<ObjectId>, Unsupported> {
        let address = self.distribute(address, &mut Default::default());
        let mut objects = match self.constant_targets(address) {
            Some(objects) => objects,
            None => self.possible_targets(self.argument_expression(call, 0))?.0,
        };
        objects.retain(|object| {
            let is_heap = matches!(self.objects.get(*object).kind, ObjectKind::Heap(_));
            is_heap && !self.stack_objects.contains_key(object)
        });
        Ok(objects)
    }

    /// As glibc does it: a size of 0 frees, and gives null.
    fn realloc(&mut self, state: &mut State, call: &LibraryCall) -> Result<(), Unsupported> {
        let generation = self.generation();
        let (old, size) = (call.argument(0)?, call.argument(1)?);
        let object = self.allocate(state, call, size, Fill::Unknown(generation), true)?;
        let exists = self.is_nonzero(old);
        if exists != TermPool::FALSE {
            let (sources, others) = self.sources(call, old)?;
            for source in sources {
                self.keep_contents(state, old, source, object)?;
            }
            if others {
                self.forget_contents(state, object, "realloc of memory that was never seen")?;
            }
            self.free(state, call)?;
        }
        let wanted = self.is_nonzero(size);
        let unwanted = self.pool.not(wanted);
        let only_freed = self.pool.and(exists, unwanted);
        self.kill(state, object, only_freed);
        let base = self.objects.get(object).base;
        let (null, address) = (self.pointer(0), self.pointer(base));
        let result = self.pool.ite(only_freed, null, address);
        self.give(state, call, result, self.program.types.size_type())
    }

    /// The objects that an address may be the start of and that can be reallocated, and whether there may be others.
    fn sources(&mut self, call: &LibraryCall, address: TermId) -> Result<(Vec<ObjectId>, bool), Unsupported> {
        let pointer = self.argument_expression(call, 0);
        let address = self.distribute(address, &mut Default::default());
        let (mut objects, others) = match self.constant_targets(address) {
            Some(objects) => (objects, false),
            None => self.possible_targets_at(address, pointer)?,
        };
        objects.retain(|&object| {
            matches!(self.objects.get(object).kind, ObjectKind::Heap(_) | ObjectKind::Outside(_))
        });
        Ok((objects, others))
    }

    /// An object holds something that is not known, and it may be what the program has written elsewhere.
    fn forget_contents(
        &mut self,
        state: &mut State,
        object: ObjectId,
        what: &'static str,
    ) -> Result<(), Unsupported> {
        self.forget_instead(state, Unsupported(what))?;
        self.forget_whole(state, object);
        Ok(())
    }

    /// Copies what one object holds to the start of another, if `pointer` points to it. What is behind the
    /// end of a new object of computed size is written, too: nobody can read it.
    fn keep_contents(
        &mut self,
        state: &mut State,
        pointer: TermId,
        from: ObjectId,
        to: ObjectId,
    ) -> Result<(), Unsupported> {
        let longest = self.largest_size(from).into_iter().chain(self.largest_size(to)).min();
        let is_exact = self.known_size(from).is_some();
        let most = if is_exact { LONGEST_KNOWN } else { LONGEST_COMPUTED };
        let Some(longest) = longest.filter(|&length| length <= most) else {
            let what = "realloc from one computed or very large size to another";
            return self.forget_contents(state, to, what);
        };
        let base = self.objects.get(from).base;
        let (base, start) = (self.pointer(base), self.pointer(0));
        let here = self.pool.eq(pointer, base);
        let source = [Case { condition: here, object: from, offset: start, behind: Some(0) }];
        let target = [Case { condition: TermPool::TRUE, object: to, offset: start, behind: Some(0) }];
        let cuts = if is_exact { self.cells(state, from).cuts(0, longest) } else { bytes(longest) };
        for (offset, size) in cuts {
            let last = self.pointer(offset + size - 1);
            let inside = self.in_bounds(from, last, 1);
            let kept = self.pool.and(here, inside);
            let shadow = self.read_shadow(state, &source, offset, size)?;
            let value = self.read_piece(state, &source, offset, size)?;
            self.write_piece(state, &target, offset, size, value, kept)?;
            self.mark_piece(state, &target, offset, size, shadow, kept)?;
        }
        Ok(())
    }

    /// The length of a block as a number, or how long it can be at most.
    pub(super) fn block_length(
        &mut self,
        length: TermId,
        cases: &[Case],
    ) -> Result<(u64, bool), Unsupported> {
        if let Some(length) = self.pool.small_value(length) {
            return if length <= LONGEST_KNOWN {
                Ok((length, true))
            } else {
                Err(Unsupported("a very large block of memory"))
            };
        }
        match self.largest(cases) {
            Some(size) if size <= LONGEST_COMPUTED => Ok((size, false)),
            _ => Err(Unsupported("a block of memory of computed length")),
        }
    }

    /// A size that none of these objects is above; `None` if one of them has no such size.
    pub(super) fn largest(&self, cases: &[Case]) -> Option<u64> {
        let mut largest = 0;
        for case in cases.iter().filter(|case| !self.is_unseen(case.object)) {
            largest = largest.max(self.largest_size(case.object)?);
        }
        Some(largest)
    }

    /// Obliges a block to be there, for reading or for writing.
    pub(super) fn check_block(
        &mut self,
        state: &mut State,
        call: &LibraryCall,
        cases: &[Case],
        length: TermId,
        writes: bool,
    ) {
        let length = self.pool.resize_unsigned(length, self.pointer_width());
        let mut valid = TermPool::FALSE;
        for case in cases {
            if writes && matches!(self.objects.get(case.object).kind, ObjectKind::String(_)) {
                continue;
            }
            let inside = match self.pool.small_value(length) {
                Some(size) => {
                    self.see_access(state, case, size);
                    self.in_bounds(case.object, case.offset, size)
                }
                None => {
                    let end = self.pool.add(case.offset, length);
                    self.see_until(state, case, end);
                    let no_wrap = self.pool.ule(case.offset, end);
                    let inside = self.in_bounds(case.object, end, 0);
                    self.pool.and(no_wrap, inside)
                }
            };
            let alive = self.is_alive(state, case.object);
            let here = self.pool.and_all([case.condition, inside, alive]);
            valid = self.pool.or(valid, here);
        }
        let invalid = self.pool.not(valid);
        self.oblige(state, Check::InvalidDereference, invalid, call.span);
        self.require(state, valid);
    }

    /// Does something with a block; with an empty one, nothing at all, wherever it is.
    pub(super) fn unless_empty<T>(
        &mut self,
        length: TermId,
        nothing: T,
        act: impl FnOnce(&mut Self) -> Result<T, Unsupported>,
    ) -> Result<T, Unsupported> {
        let some = self.is_nonzero(length);
        if some == TermPool::FALSE { Ok(nothing) } else { self.only_if(some, act) }
    }

    fn memset(&mut self, state: &mut State, call: &LibraryCall) -> Result<(), Unsupported> {
        self.unless_empty(call.argument(2)?, (), |encoder| encoder.set_block(state, call))?;
        self.give(state, call, call.argument(0)?, self.program.types.size_type())
    }

    fn set_block(&mut self, state: &mut State, call: &LibraryCall) -> Result<(), Unsupported> {
        let (value, length) = (call.argument(1)?, call.argument(2)?);
        let target = self.pointed_to(state, call, 0)?;
        self.check_block(state, call, &target, length, true);
        let (longest, exact) = match self.block_length(length, &target) {
            Ok(known) => known,
            Err(inexact) => return self.forget_blocks(state, &target, inexact),
        };
        let byte = self.pool.extract(value, 7, 0);
        let zero = self.pool.small_value(byte) == Some(0);
        if exact
            && zero
            && let [case] = target.as_slice()
            && self.pool.is_constant(case.offset)
        {
            return self.clear_case(state, case, longest, Fill::Zero, true);
        }
        for offset in 0..longest {
            let condition = self.within(offset, length, exact);
            self.write_byte(state, &target, offset, byte, condition)?;
        }
        Ok(())
    }

    /// Whether an offset is below a length.
    pub(super) fn within(&mut self, offset: u64, length: TermId, exact: bool) -> TermId {
        if exact {
            return TermPool::TRUE;
        }
        let width = self.pool.width(length);
        let offset = self.pool.bitvec(width, offset);
        self.pool.ult(offset, length)
    }

    pub(crate) fn write_piece(
        &mut self,
        state: &mut State,
        cases: &[Case],
        offset: u64,
        length: u64,
        value: TermId,
        condition: TermId,
    ) -> Result<(), Unsupported> {
        for case in cases {
            let distance = self.pointer(offset);
            let at = self.pool.add(case.offset, distance);
            let here = if cases.len() == 1 { condition } else { self.pool.and(condition, case.condition) };
            self.write_object(state, case.object, at, length, value, here)?;
        }
        Ok(())
    }

    fn memcpy(&mut self, state: &mut State, call: &LibraryCall) -> Result<(), Unsupported> {
        self.unless_empty(call.argument(2)?, (), |encoder| encoder.move_block(state, call))?;
        self.give(state, call, call.argument(0)?, self.program.types.size_type())
    }

    fn move_block(&mut self, state: &mut State, call: &LibraryCall) -> Result<(), Unsupported> {
        let length = call.argument(2)?;
        let target = self.pointed_to(state, call, 0)?;
        let source = self.pointed_to(state, call, 1)?;
        self.check_block(state, call, &source, length, false);
        self.check_block(state, call, &target, length, true);
        match self.block_length(length, &target) {
            Ok((longest, true)) => self.copy_block(state, &target, &source, longest),
            Ok((longest, false)) => self.copy_bytes(state, &target, &source, longest, length),
            Err(inexact) => self.forget_blocks(state, &target, inexact),
        }
    }

    /// Something is written to one of these, nobody knows what.
    fn forget_blocks(
        &mut self,
        state: &mut State,
        target: &[Case],
        what: Unsupported,
    ) -> Result<(), Unsupported> {
        self.forget_instead(state, what)?;
        for case in target.iter().filter(|case| !self.is_unseen(case.object)).copied().collect::<Vec<_>>() {
            self.forget_whole(state, case.object);
        }
        Ok(())
    }

    /// Copies in pieces as large as the source's cells, so that whole values stay whole.
    fn copy_block(
        &mut self,
        state: &mut State,
        target: &[Case],
        source: &[Case],
        length: u64,
    ) -> Result<(), Unsupported> {
        let cuts = match source {
            [case] => match self.pool.small_value(case.offset) {
                Some(offset) if self.may_hold(case.object, offset, length) => {
                    self.cells(state, case.object).cuts(offset, length)
                }
                _ => bytes(length),
            },
            _ => bytes(length),
        };
        let mut pieces = Vec::with_capacity(cuts.len());
        for (offset, size) in cuts {
            let shadow = self.read_shadow(state, source, offset, size)?;
            pieces.push((offset, size, self.read_piece(state, source, offset, size)?, shadow));
        }
        for (offset, size, value, shadow) in pieces {
            self.write_piece(state, target, offset, size, value, TermPool::TRUE)?;
            self.mark_piece(state, target, offset, size, shadow, TermPool::TRUE)?;
        }
        Ok(())
    }

    fn copy_bytes(
        &mut self,
        state: &mut State,
        target: &[Case],
        source: &[Case],
        longest: u64,
        length: TermId,
    ) -> Result<(), Unsupported> {
        let mut values = Vec::new();
        for offset in 0..longest {
            let shadow = self.read_shadow(state, source, offset, 1)?;
            values.push((self.read_piece(state, source, offset, 1)?, shadow));
        }
        for (offset, (value, shadow)) in values.into_iter().enumerate() {
            let condition = self.within(offset as u64, length, false);
            self.write_piece(state, target, offset as u64, 1, value, condition)?;
            self.mark_piece(state, target, offset as u64, 1, shadow, condition)?;
        }
        Ok(())
    }

    fn memcmp(&mut self, state: &mut State, call: &LibraryCall) -> Result<(), Unsupported> {
        let equal = self.pool.bitvec(32, 0);
        let compare = |encoder: &mut Self| encoder.compare_blocks(state, call);
        let order = self.unless_empty(call.argument(2)?, equal, compare)?;
        self.give_order(state, call, order)
    }

    fn compare_blocks(&mut self, state: &mut State, call: &LibraryCall) -> Result<TermId, Unsupported> {
        let length = call.argument(2)?;
        let left = self.pointed_to(state, call, 0)?;
        let right = self.pointed_to(state, call, 1)?;
        let (longest, exact) = self.block_length(length, &left)?;
        self.check_block(state, call, &left, length, false);
        self.check_block(state, call, &right, length, false);
        let mut result = self.pool.bitvec(32, 0);
        for offset in (0..longest).rev() {
            let a = self.read_piece(state, &left, offset, 1)?;
            let b = self.read_piece(state, &right, offset, 1)?;
            let inside = self.within(offset, length, exact);
            result = self.compare_bytes(a, b, inside, result);
        }
        Ok(result)
    }

    /// Gives a call any result that is as negative, zero or positive as `order` is.
    pub(super) fn give_order(
        &mut self,
        state: &mut State,
        call: &LibraryCall,
        order: TermId,
    ) -> Result<(), Unsupported> {
        let any = self.unspecified(state);
        let (negative, positive) = (any.negative(&mut self.pool), any.positive(&mut self.pool));
        let zero = self.pool.bitvec(32, 0);
        let (equal, less) = (self.pool.eq(order, zero), self.pool.slt(order, zero));
        let different = self.pool.ite(less, negative, positive);
        let result = self.pool.ite(equal, zero, different);
        self.give(state, call, result, TypeId::INT)
    }

    /// -1 or 1 where the bytes differ (and count), otherwise `rest`.
    pub(super) fn compare_bytes(&mut self, a: TermId, b: TermId, counts: TermId, rest: TermId) -> TermId {
        let equal = self.pool.eq(a, b);
        let differ = self.pool.not(equal);
        let differ = self.pool.and(differ, counts);
        let less = self.pool.ult(a, b);
        let (minus, plus) = (self.pool.bitvec(32, u64::from(u32::MAX)), self.pool.bitvec(32, 1));
        let sign = self.pool.ite(less, minus, plus);
        self.pool.ite(differ, sign, rest)
    }
}

fn bytes(length: u64) -> Vec<(u64, u64)> {
    (0..length).map(|offset| (offset, 1)).collect()
}
