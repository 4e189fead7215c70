//! Calls of functions without a body: what the C library does, and any value for all others.

mod characters;
mod copies;
mod memory;
mod numbers;
mod strings;

use crate::encoder::{Encoder, FreshContents};
use crate::environment::Assumption;
use crate::objects::{ObjectId, ObjectKind};
use crate::pointer::Case;
use crate::state::{Frame, State};
use crate::{Check, Unsupported};
use base::Span;
use cfa::library::Library;
use cfa::{EdgeId, EdgeKind, ExprId, FunctionId, PlaceId};
use sema::types::{IntKind, Type, TypeId};
use term::{Sort, TermId, TermPool};

/// A call that is being executed.
pub(crate) struct LibraryCall {
    pub frame: Frame,
    pub edge: EdgeId,
    pub span: Span,
    /// Values of the scalar arguments, with their types.
    pub arguments: Vec<(TermId, TypeId)>,
    pub result: Option<PlaceId>,
}

impl LibraryCall {
    pub fn argument(&self, position: usize) -> Result<TermId, Unsupported> {
        self.arguments
            .get(position)
            .map(|&(value, _)| value)
            .ok_or(Unsupported("a library call with an argument missing"))
    }
}

/// A result of which C says no more than its sign, or that it is not zero. The interpreter makes the same of
/// the bits, and of zeros -1 and 1 (`Unspecified` in its library).
#[derive(Clone, Copy)]
struct Unspecified(TermId);

impl Unspecified {
    fn negative(self, pool: &mut TermPool) -> TermId {
        let rest = pool.extract(self.0, 30, 0);
        let (sign, rest) = (pool.bitvec(1, 1), pool.bit_not(rest));
        pool.concat(sign, rest)
    }

    /// Built so that rewriting sees that it is not zero.
    fn positive(self, pool: &mut TermPool) -> TermId {
        let rest = pool.extract(self.0, 29, 0);
        let small = pool.zero_extend(rest, 32);
        let one = pool.bitvec(32, 1);
        let small = pool.add(small, one);
        let high = pool.bitvec(2, 1);
        let large = pool.concat(high, rest);
        let is_large = self.bit(pool, 30);
        pool.ite(is_large, large, small)
    }

    fn nonzero(self, pool: &mut TermPool) -> TermId {
        let (negative, positive) = (self.negative(pool), self.positive(pool));
        let is_negative = self.bit(pool, 31);
        pool.ite(is_negative, negative, positive)
    }

    fn bit(self, pool: &mut TermPool, position: u32) -> TermId {
        let (bit, one) = (pool.extract(self.0, position, position), pool.bitvec(1, 1));
        pool.eq(bit, one)
    }
}

impl Encoder<'_> {
    pub(crate) fn undefined_call(
        &mut self,
        state: &mut State,
        frame: Frame,
        function: FunctionId,
        edge: EdgeId,
        span: Span,
    ) -> Result<(), Unsupported> {
        let EdgeKind::Call(call) = self.program.edges[edge].kind else {
            unreachable!("only calls come here")
        };
        let program = self.program;
        let call = program.calls[call];
        let mut arguments = Vec::new();
        for &argument in &program.expr_lists[call.arguments] {
            let ty = program.exprs[argument].ty;
            if !self.is_aggregate(ty) {
                arguments.push((self.expression(state, frame, argument)?, ty));
            }
        }
        let call = LibraryCall { frame, edge, span, arguments, result: call.result };
        let name = program.function_name(function);
        match program.functions[function].library {
            Some(library) if !self.fits(library, &call) => {
                Err(Unsupported("a library function with other arguments"))
            }
            Some(library) => self.library_call(state, &call, library),
            None if name == "__errno_location" => self.error_number(state, &call),
            None if self.rounding_call(state, &call, name)? => Ok(()),
            None if self.unmodelled.contains(&function) => {
                Err(Unsupported("a call of this library function"))
            }
            None => {
                self.environment.rely_on(Assumption::UndefinedFunction(name.into()));
                self.any_result(state, &call, name)
            }
        }
    }

    /// Whether a call, which may be by a pointer of another type, is right for the function.
    fn fits(&self, library: Library, call: &LibraryCall) -> bool {
        let program = self.program;
        let result = call.result.map(|result| program.places[result].ty);
        library.fits(&program.types, result, call.arguments.iter().map(|&(_, ty)| ty))
    }

    fn library_call(
        &mut self,
        state: &mut State,
        call: &LibraryCall,
        library: Library,
    ) -> Result<(), Unsupported> {
        if library.never_returns() {
            self.end_of_program(state, call.edge);
            return Ok(());
        }
        if self.memory_call(state, call, library)?
            || self.string_call(state, call, library)?
            || self.number_call(state, call, library)?
        {
            return Ok(());
        }
        use Library::*;
        match library {
            AtomicBegin | AtomicEnd | Fflush | Perror => self.some_result(state, call),
            Printf | Fprintf | Vprintf | Vfprintf | Puts | Putchar | Fputs | Fputc | Putc => {
                self.check_format(call, library)?;
                self.check_printed(state, call)?;
                self.some_result(state, call)
            }
            _ => Err(Unsupported("a call of this library function")),
        }
    }

    /// Printing must not write to memory, as `%n` does.
    fn check_format(&mut self, call: &LibraryCall, library: Library) -> Result<(), Unsupported> {
        let Some(position) = cfa::format::position(library) else { return Ok(()) };
        let is_pointer = |&(_, ty): &(TermId, TypeId)| self.program.types.is_pointer(ty);
        let has_list = matches!(library, Library::Vprintf | Library::Vfprintf);
        if !has_list && !call.arguments.iter().skip(position + 1).any(is_pointer) {
            return Ok(());
        }
        let formats = self.constant_targets(call.argument(position)?);
        let is_harmless = |&object: &ObjectId| match self.objects.get(object).kind {
            ObjectKind::String(string) => !cfa::format::counts(&self.program.strings[string].bytes),
            _ => false,
        };
        if formats.is_some_and(|formats| formats.iter().all(is_harmless)) {
            return Ok(());
        }
        Err(Unsupported("printing with a format that may have %n in it"))
    }

    /// Pointers to characters are taken for strings that are read.
    fn check_printed(&mut self, state: &mut State, call: &LibraryCall) -> Result<(), Unsupported> {
        if !self.checks(Check::InvalidDereference) {
            return Ok(());
        }
        for position in 0..call.arguments.len() {
            if self.is_text(call.arguments[position].1) {
                let string = self.pointed_to(state, call, position)?;
                let is_outside =
                    |case: &Case| matches!(self.objects.get(case.object).kind, ObjectKind::Outside(_));
                if !string.iter().all(is_outside) {
                    self.check_strings(state, call, &[&string], None)?;
                }
            }
        }
        Ok(())
    }

    fn is_text(&self, ty: TypeId) -> bool {
        match *self.program.types.get(ty) {
            Type::Pointer(pointee) => matches!(
                *self.program.types.get(pointee),
                Type::Int(IntKind::Char | IntKind::SignedChar | IntKind::UnsignedChar)
            ),
            _ => false,
        }
    }

    /// The result is an input of the run.
    fn any_result(&mut self, state: &mut State, call: &LibraryCall, name: &str) -> Result<(), Unsupported> {
        let Some(result) = call.result else { return Ok(()) };
        let ty = self.program.places[result].ty;
        if self.is_aggregate(ty) {
            return self.take_record(state, call.frame, result, call.span);
        }
        let value = self.any_value(ty, name)?;
        self.input(state, value, ty);
        self.assign_term(state, call.frame, result, value, call.span)
    }

    /// `errno` is there, but may have changed since it was looked at last.
    fn error_number(&mut self, state: &mut State, call: &LibraryCall) -> Result<(), Unsupported> {
        let address = self.memory_from_outside(TypeId::INT)?;
        self.give(state, call, address, self.program.types.size_type())
    }

    /// The result is some value that no test can choose.
    fn some_result(&mut self, state: &mut State, call: &LibraryCall) -> Result<(), Unsupported> {
        let Some(result) = call.result else { return Ok(()) };
        let sort = self.sort_of(self.program.places[result].ty)?;
        let value = self.pool.fresh_variable("result", sort);
        self.assign_term(state, call.frame, result, value, call.span)
    }

    /// Bits that decide which number a result is, where C does not.
    fn unspecified(&mut self, state: &State) -> Unspecified {
        let bits = self.pool.fresh_variable("unspecified", Sort::BitVec(32));
        self.comes_to_life(state, FreshContents::Value(bits));
        Unspecified(bits)
    }

    /// Gives the call its result, converted from `ty`.
    pub(crate) fn give(
        &mut self,
        state: &mut State,
        call: &LibraryCall,
        value: TermId,
        ty: TypeId,
    ) -> Result<(), Unsupported> {
        let Some(result) = call.result else { return Ok(()) };
        let to = self.program.places[result].ty;
        let value = if self.program.types.is_pointer(to) { value } else { self.convert(value, ty, to)? };
        self.assign_term(state, call.frame, result, value, call.span)
    }

    /// What the pointer argument at a position points to.
    pub(crate) fn pointed_to(
        &mut self,
        state: &mut State,
        call: &LibraryCall,
        position: usize,
    ) -> Result<Vec<Case>, Unsupported> {
        let address = call.argument(position)?;
        let pointer = self.argument_expression(call, position);
        self.dereference(state, address, pointer, call.span)
    }

    /// An argument that is a number of bytes.
    pub(crate) fn length_argument(
        &mut self,
        call: &LibraryCall,
        position: usize,
    ) -> Result<TermId, Unsupported> {
        let width = self.pointer_width();
        Ok(self.pool.resize_unsigned(call.argument(position)?, width))
    }

    pub(crate) fn argument_expression(&self, call: &LibraryCall, position: usize) -> Option<ExprId> {
        let EdgeKind::Call(id) = self.program.edges[call.edge].kind else {
            unreachable!("only calls come here")
        };
        self.program.expr_lists[self.program.calls[id].arguments].get(position).copied()
    }

    pub(crate) fn result_pointee(&self, call: &LibraryCall) -> Option<TypeId> {
        let ty = self.program.places[call.result?].ty;
        match *self.program.types.get(ty) {
            Type::Pointer(pointee) if !matches!(self.program.types.get(pointee), Type::Void) => Some(pointee),
            _ => None,
        }
    }
}
