//! Taking a state along an edge.

use crate::cells::{Cells, Fill};
use crate::encoder::{Encoder, FreshContents};
use crate::environment::Assumption;
use crate::jumped::is_declared_again;
use crate::objects::{ObjectKind, Size};
use crate::pointer::{Case, Target};
use crate::state::{Content, Frame, State};
use crate::{Check, Unsupported};
use base::Span;
use cfa::{BinaryOp, EdgeId, EdgeKind, ExprId, ExprKind, FunctionId, PlaceId, VariableId};
use sema::types::{Type, TypeId};
use std::rc::Rc;
use term::{Sort, TermId, TermPool};

/// Bytes of an object: offset, length, contents, and which bits have not been written.
type Piece = (u64, u64, TermId, Option<TermId>);

/// What follows an edge.
pub enum Step {
    /// The state at the edge's target; its guard is false if nothing gets there.
    Next(State),
    /// A function with a body is called: [`Encoder::enter`] each of them.
    Call { state: State, callees: Vec<(FunctionId, TermId)> },
}

impl Encoder<'_> {
    /// Executes an edge. Calls of functions without a body are executed, too.
    pub fn step(&mut self, mut state: State, frame: Frame, edge: EdgeId) -> Result<Step, Unsupported> {
        self.edge = edge;
        self.evaluated = TermPool::TRUE;
        self.round_as_in(&state);
        let info = self.program.edges[edge];
        match info.kind {
            EdgeKind::Skip | EdgeKind::Approximate(_) => {}
            EdgeKind::EndOfLife { variable } => self.end_local(&mut state, frame, variable)?,
            EdgeKind::Assume { condition, truth } => self.assume(&mut state, frame, condition, truth)?,
            EdgeKind::Assign { target, value } => self.assign(&mut state, frame, target, value, info.span)?,
            EdgeKind::Zero { target } => self.clear(&mut state, frame, target, Fill::Zero, info.span)?,
            EdgeKind::Declare { variable } => {
                self.check_declared_once(&state, frame, variable)?;
                self.declare(&mut state, frame, variable)?;
            }
            EdgeKind::DeclareVla { variable, size } => self.declare_vla(&mut state, frame, variable, size)?,
            EdgeKind::Input { target, function } => {
                self.take_input(&mut state, frame, target, function, info.span)?
            }
            EdgeKind::Call(call) => {
                let call = self.program.calls[call];
                let callees = self.callees(&mut state, frame, call.callee)?;
                let is_left =
                    |f| self.program.functions[f].body.is_some() || self.left_to_caller.contains(&f);
                let (defined, undefined): (Vec<_>, Vec<_>) =
                    callees.into_iter().partition(|&(function, _)| is_left(function));
                match (defined.is_empty(), undefined.as_slice()) {
                    (true, []) => state.guard = state.guard.and(&mut self.pool, TermPool::FALSE),
                    (true, &[(function, _)]) => {
                        self.undefined_call(&mut state, frame, function, edge, info.span)?
                    }
                    (true, _) => {
                        return Err(Unsupported("a call of one of several functions without a body"));
                    }
                    (false, []) => return Ok(Step::Call { state, callees: defined }),
                    (false, _) => return Err(Unsupported("a call of functions with and without a body")),
                }
            }
            EdgeKind::Return { value } => {
                if let Some(value) = value {
                    self.keep_result(&mut state, frame, edge, value)?;
                }
            }
            EdgeKind::VaStart { list } => self.set_list(&mut state, frame, list, 0, info.span)?,
            EdgeKind::VaArg { target, list } => {
                self.next_variadic(&mut state, frame, target, list, info.span)?
            }
            EdgeKind::VaCopy { target, list } => {
                let list = self.list_handle(&mut state, frame, list, info.span)?;
                let target = self.place(&mut state, frame, target)?;
                self.write_handle(&mut state, &target, list, info.span)?;
            }
            EdgeKind::VaEnd { .. } => {}
            EdgeKind::Unsupported(what) => return Err(Unsupported(what)),
        }
        Ok(Step::Next(state))
    }

    /// The value of a scalar place in a state; the state is not changed.
    pub fn value_of(&mut self, state: &State, frame: Frame, place: PlaceId) -> Result<TermId, Unsupported> {
        self.round_as_in(state);
        let mut state = state.clone();
        self.load(&mut state, frame, place, Span::NONE)
    }

    fn assume(
        &mut self,
        state: &mut State,
        frame: Frame,
        condition: ExprId,
        truth: bool,
    ) -> Result<(), Unsupported> {
        let mut term = self.condition(state, frame, condition)?;
        if !truth {
            term = self.pool.not(term);
        }
        if state.guard.decides(&mut self.pool, term) == Some(false) {
            term = TermPool::FALSE;
        }
        self.restrict(state, term);
        if let Some((variable, value)) = self.learned_equality(condition, truth)
            && !self.pool.is_constant(term)
        {
            self.propagate(state, frame, variable, value)?;
        }
        Ok(())
    }

    /// The plain variable that an assumption equates with a constant.
    fn learned_equality(&self, condition: ExprId, truth: bool) -> Option<(VariableId, ExprId)> {
        let exprs = &self.program.exprs;
        let (left, right) = match exprs[condition].kind {
            ExprKind::Binary { op: BinaryOp::Equal, left, right } if truth => (left, right),
            ExprKind::Binary { op: BinaryOp::NotEqual, left, right } if !truth => (left, right),
            _ => return None,
        };
        let constant = |expr: ExprId| matches!(exprs[expr].kind, ExprKind::Int(_));
        match (constant(left), constant(right)) {
            (false, true) => Some((self.widened_variable(left)?, right)),
            (true, false) => Some((self.widened_variable(right)?, left)),
            _ => None,
        }
    }

    /// A plain integer variable, perhaps converted to a type that holds all its values.
    fn widened_variable(&self, mut expr: ExprId) -> Option<VariableId> {
        let types = &self.program.types;
        while let ExprKind::Cast(operand) = self.program.exprs[expr].kind {
            let (from, to) = (self.program.exprs[operand].ty, self.program.exprs[expr].ty);
            let is_kept = types.int_shape(to)?.width >= types.int_shape(from)?.width;
            if !is_kept || matches!(types.get(to), Type::Bool) {
                return None;
            }
            expr = operand;
        }
        let ExprKind::Load(place) = self.program.exprs[expr].kind else { return None };
        let variable = self.program.as_variable(place)?;
        let is_int = types.is_integer(self.program.variables[variable].ty);
        (is_int && self.is_plain(variable)).then_some(variable)
    }

    /// Replaces a variable's value by the constant that it is known to equal.
    fn propagate(
        &mut self,
        state: &mut State,
        frame: Frame,
        variable: VariableId,
        value: ExprId,
    ) -> Result<(), Unsupported> {
        let value = self.expression(state, frame, value)?;
        let Sort::BitVec(width) = self.sort_of(self.program.variables[variable].ty)? else { return Ok(()) };
        let constant = self.pool.resize_unsigned(value, width);
        let object = self.variable(variable, frame)?;
        if matches!(state.store.get(object.0), Some(Content::Scalar(_))) {
            state.store.set(object.0, Content::Scalar(constant));
        }
        Ok(())
    }

    fn assign(
        &mut self,
        state: &mut State,
        frame: Frame,
        target: PlaceId,
        value: ExprId,
        span: Span,
    ) -> Result<(), Unsupported> {
        if self.is_aggregate(self.program.places[target].ty) {
            let ExprKind::Load(source) = self.program.exprs[value].kind else {
                return Err(Unsupported("a record value"));
            };
            let source = self.place(state, frame, source)?;
            let target = self.place(state, frame, target)?;
            return self.copy(state, &target, &source, span);
        }
        let value = self.expression(state, frame, value)?;
        self.assign_term(state, frame, target, value, span)
    }

    /// Stores a scalar that has been computed.
    pub(crate) fn assign_term(
        &mut self,
        state: &mut State,
        frame: Frame,
        target: PlaceId,
        value: TermId,
        span: Span,
    ) -> Result<(), Unsupported> {
        if let Some(variable) = self.program.as_variable(target)
            && self.is_plain(variable)
        {
            let object = self.variable(variable, frame)?;
            state.store.set(object.0, Content::Scalar(value));
            self.mark_variable(state, object, TermPool::FALSE);
            return Ok(());
        }
        let target = self.place(state, frame, target)?;
        self.write(state, &target, value, span)
    }

    /// Copies a record, or a string literal into an array.
    pub(crate) fn copy(
        &mut self,
        state: &mut State,
        target: &Target,
        source: &Target,
        span: Span,
    ) -> Result<(), Unsupported> {
        let types = &self.program.types;
        let size_of = |ty| types.size_of(ty).ok_or(Unsupported("a copy of unknown size"));
        let size = size_of(target.ty)?.min(size_of(source.ty)?);
        if size == 0 {
            return Ok(());
        }
        self.check_bounds(state, source, size, false, span);
        self.check_bounds(state, target, size, true, span);
        for (offset, length, term, shadow) in self.pieces(state, source, target.ty, size)? {
            self.write_piece(state, &target.cases, offset, length, term, TermPool::TRUE)?;
            self.mark_piece(state, &target.cases, offset, length, shadow, TermPool::TRUE)?;
        }
        Ok(())
    }

    /// The contents of `size` bytes at a place, cut as the type suggests.
    fn pieces(
        &mut self,
        state: &mut State,
        source: &Target,
        ty: TypeId,
        size: u64,
    ) -> Result<Vec<Piece>, Unsupported> {
        let program = self.program;
        let leaves = self.layouts.leaves(&program.types, ty);
        let cuts: Vec<(u64, u64)> = match leaves {
            Some(leaves) => {
                leaves.iter().map(|l| (l.offset, l.size)).filter(|(o, s)| o + s <= size).collect()
            }
            None => (0..size).map(|byte| (byte, 1)).collect(),
        };
        let mut pieces = Vec::with_capacity(cuts.len());
        for (offset, length) in cuts {
            let term = self.read_piece(state, &source.cases, offset, length)?;
            let shadow = self.read_shadow(state, &source.cases, offset, length)?;
            pieces.push((offset, length, term, shadow));
        }
        Ok(pieces)
    }

    /// `length` bytes at a distance from a place.
    pub(crate) fn read_piece(
        &mut self,
        state: &mut State,
        cases: &[Case],
        offset: u64,
        length: u64,
    ) -> Result<TermId, Unsupported> {
        let mut value: Option<TermId> = None;
        for case in cases {
            let distance = self.pointer(offset);
            let at = self.pool.add(case.offset, distance);
            let here = self.read_object(state, case.object, at, length)?;
            value = Some(match value {
                None => here,
                Some(others) => {
                    let here = crate::cells::bits_of(&mut self.pool, here, length);
                    let others = crate::cells::bits_of(&mut self.pool, others, length);
                    self.pool.ite(case.condition, here, others)
                }
            });
        }
        Ok(value.unwrap_or_else(|| self.pool.bitvec(8 * length as u32, 0)))
    }

    fn clear(
        &mut self,
        state: &mut State,
        frame: Frame,
        place: PlaceId,
        fill: Fill,
        span: Span,
    ) -> Result<(), Unsupported> {
        if let Some(variable) = self.program.as_variable(place)
            && self.is_plain(variable)
        {
            let sort = self.sort_of(self.program.variables[variable].ty)?;
            let zero = self.pool.constant(&term::Value::default_of(sort));
            let object = self.variable(variable, frame)?;
            state.store.set(object.0, Content::Scalar(zero));
            self.mark_variable(state, object, TermPool::FALSE);
            return Ok(());
        }
        let target = self.place(state, frame, place)?;
        let size = self.program.types.size_of(target.ty).unwrap_or(0);
        self.check_bounds(state, &target, size, true, span);
        let only = target.cases.len() == 1;
        for case in &target.cases {
            self.clear_case(state, case, size, fill, only)?;
        }
        Ok(())
    }

    /// Fills memory in one object, which counts as written then.
    pub(crate) fn clear_case(
        &mut self,
        state: &mut State,
        case: &Case,
        size: u64,
        fill: Fill,
        only: bool,
    ) -> Result<(), Unsupported> {
        self.fill_case(state, case, size, fill, only)?;
        if self.checks(Check::UninitialisedUse) {
            let shadow = Case { object: self.shadow(case.object), ..*case };
            self.fill_case(state, &shadow, size, Fill::Zero, only)?;
        }
        Ok(())
    }

    fn fill_case(
        &mut self,
        state: &mut State,
        case: &Case,
        size: u64,
        fill: Fill,
        only: bool,
    ) -> Result<(), Unsupported> {
        let Some(offset) = self.pool.small_value(case.offset) else {
            return Err(Unsupported("filling memory at a computed place"));
        };
        if !self.may_hold(case.object, offset, size) {
            return Ok(());
        }
        let whole = offset == 0 && self.known_size(case.object) == Some(size);
        let old: Cells = self.cells(state, case.object).clone();
        let mut cells = old.clone();
        cells.clear(&mut self.pool, offset, size, fill, whole);
        let content = match only {
            true => Content::Cells(Rc::new(cells)),
            false => self.merge_cells(case.condition, &cells, &old),
        };
        state.store.set(case.object.0, content);
        Ok(())
    }

    /// Gives a variable that has not been written some value, the same one from now on.
    pub(crate) fn set_any_value(
        &mut self,
        state: &mut State,
        frame: Frame,
        variable: VariableId,
    ) -> Result<TermId, Unsupported> {
        let object = self.variable(variable, frame)?;
        let ty = self.program.variables[variable].ty;
        let value = self.any_value(ty, "a variable that was not initialised")?;
        state.store.set(object.0, Content::Scalar(value));
        Ok(value)
    }

    /// Where lives are looked at, a local is a new object whenever it is declared. If the old one lives on, it is not.
    fn check_declared_once(
        &mut self,
        state: &State,
        frame: Frame,
        variable: VariableId,
    ) -> Result<(), Unsupported> {
        let is_again = self.is_indirect(variable)
            && !self.is_variable_length(variable)
            && state.store.get(self.variable(variable, frame)?.0).is_some()
            && is_declared_again(self.program, self.edge, variable);
        if is_again { Err(Unsupported("a declaration that a jump comes back to")) } else { Ok(()) }
    }

    pub(crate) fn declare(
        &mut self,
        state: &mut State,
        frame: Frame,
        variable: VariableId,
    ) -> Result<(), Unsupported> {
        let ty = self.program.variables[variable].ty;
        if self.is_indirect(variable) && !self.is_variable_length(variable) {
            self.end_local(state, frame, variable)?;
            self.local_address(state, frame, variable)?;
            return Ok(());
        }
        let object = self.variable(variable, frame)?;
        let content = if self.is_plain(variable) {
            let value = self.any_value(ty, "a variable that was not initialised")?;
            self.comes_to_life(state, FreshContents::Value(value));
            self.mark_variable(state, object, TermPool::TRUE);
            Content::Scalar(value)
        } else {
            self.mark_object(state, object, Fill::Ones);
            let generation = self.generation();
            self.comes_to_life(state, FreshContents::Memory { generation, ty: Some(ty), start: 0 });
            Content::Cells(Rc::new(self.fresh_cells(Some(ty), Fill::Unknown(generation))))
        };
        state.store.set(object.0, content);
        Ok(())
    }

    fn declare_vla(
        &mut self,
        state: &mut State,
        frame: Frame,
        variable: VariableId,
        size: ExprId,
    ) -> Result<(), Unsupported> {
        let size = self.expression(state, frame, size)?;
        let handle = self.variable(variable, frame)?;
        let size = self.size_of_term(size);
        let kind = ObjectKind::Variable { variable, depth: frame.depth };
        self.end_local(state, frame, variable)?;
        let array = self.create(kind, size, None, 16)?;
        self.add_variable_object(variable, array);
        self.bring_to_life(state, array);
        self.mark_object(state, array, Fill::Ones);
        let generation = self.first_generation(array);
        self.comes_to_life(state, FreshContents::Memory { generation, ty: None, start: 0 });
        let address = self.objects.get(array).base;
        let address = self.pointer(address);
        state.store.set(handle.0, Content::Scalar(address));
        Ok(())
    }

    pub(crate) fn size_of_term(&mut self, size: TermId) -> Size {
        let size = self.pool.resize_unsigned(size, self.pointer_width());
        match self.pool.small_value(size) {
            Some(size) => Size::Known(size),
            None => Size::Term(size),
        }
    }

    fn take_input(
        &mut self,
        state: &mut State,
        frame: Frame,
        target: PlaceId,
        function: Option<FunctionId>,
        span: Span,
    ) -> Result<(), Unsupported> {
        let ty = self.program.places[target].ty;
        if self.is_aggregate(ty) {
            return self.take_record(state, frame, target, span);
        }
        let program = self.program;
        if let (None, Some(variable)) = (function, program.as_variable(target))
            && program.is_standard_stream(variable)
            && let Type::Pointer(file) = *program.types.get(ty)
        {
            let stream = self.memory_from_outside(file)?;
            return self.assign_term(state, frame, target, stream, span);
        }
        let source = match function {
            Some(function) => program.function_name(function),
            None => "an external variable",
        };
        let value = self.any_value(ty, source)?;
        self.input(state, value, ty);
        self.assign_term(state, frame, target, value, span)
    }

    /// A record or an array of the environment's choice.
    pub(crate) fn take_record(
        &mut self,
        state: &mut State,
        frame: Frame,
        target: PlaceId,
        span: Span,
    ) -> Result<(), Unsupported> {
        let place = self.place(state, frame, target)?;
        let [case] = place.cases.as_slice() else {
            return Err(Unsupported("a record from outside at one of several places"));
        };
        let Some(start) = self.pool.small_value(case.offset) else {
            return Err(Unsupported("a record from outside at a computed place"));
        };
        let generation = self.generation();
        let size = self.program.types.size_of(place.ty).unwrap_or(0);
        self.check_bounds(state, &place, size, true, span);
        self.clear_case(state, case, size, Fill::Unknown(generation), true)?;
        self.comes_to_life(state, FreshContents::Memory { generation, ty: None, start });
        Ok(())
    }

    /// A value of the environment's choice.
    pub(crate) fn any_value(&mut self, ty: TypeId, source: &str) -> Result<TermId, Unsupported> {
        let program = self.program;
        match *program.types.get(ty) {
            Type::Pointer(pointee) => {
                self.environment.rely_on(Assumption::OutsidePointer(source.into()));
                let (address, null) = (self.memory_from_outside(pointee)?, self.pointer(0));
                let exists = self.pool.fresh_variable("exists", Sort::Bool);
                Ok(self.pool.ite(exists, address, null))
            }
            _ => self.any_scalar(ty, "input"),
        }
    }

    /// The address of memory that nothing else points to.
    pub(crate) fn memory_from_outside(&mut self, pointee: TypeId) -> Result<TermId, Unsupported> {
        let types = &self.program.types;
        let is_function = matches!(types.get(pointee), Type::Function { .. });
        let contents = (!is_function && types.size_of(pointee).is_some()).then_some(pointee);
        let kind = ObjectKind::Outside(self.edge);
        let object = self.create(kind, Size::Unbounded, contents, 16)?;
        self.outside.push(object);
        let address = self.objects.get(object).base;
        Ok(self.pointer(address))
    }

    /// A fresh value of a scalar type; a pointer may be anything at all.
    pub(crate) fn any_scalar(&mut self, ty: TypeId, name: &str) -> Result<TermId, Unsupported> {
        if matches!(self.program.types.get(ty), Type::Bool) {
            let truth = self.pool.fresh_variable(name, Sort::Bool);
            return Ok(self.pool.bool_to_bitvec(truth, 8));
        }
        let sort = self.sort_of(ty)?;
        Ok(self.pool.fresh_variable(name, sort))
    }
}
