//! Calls: which function, entering it, and coming back with its result.

use crate::cells::Fill;
use crate::encoder::Encoder;
use crate::jumped::jumped_over;
use crate::objects::{ObjectId, ObjectKind, Size};
use crate::pointer::{Case, Target};
use crate::state::{Content, Frame, State};
use crate::{Check, Unsupported};
use base::Span;
use cfa::{Callee, EdgeId, EdgeKind, ExprId, ExprKind, FunctionId, PlaceBase, PlaceId, VariableId};
use sema::types::{Type, TypeId};
use std::rc::Rc;
use term::{Op, TermId, TermPool};

impl Encoder<'_> {
    /// The functions that a call can mean, each with the condition under which it is the one.
    pub(crate) fn callees(
        &mut self,
        state: &mut State,
        frame: Frame,
        callee: Callee,
    ) -> Result<Vec<(FunctionId, TermId)>, Unsupported> {
        let pointer = match callee {
            Callee::Direct(function) => return Ok(vec![(function, TermPool::TRUE)]),
            Callee::Indirect(pointer) => pointer,
        };
        let address = self.expression(state, frame, pointer)?;
        let candidates = match self.constant_functions(address) {
            Some(functions) => functions,
            None => self.points_to.callees(self.edge).to_vec(),
        };
        let mut callees = Vec::new();
        let mut any = TermPool::FALSE;
        for function in candidates {
            let target = self.function_address(function);
            let target = self.pointer(target);
            let condition = self.pool.eq(address, target);
            if condition != TermPool::FALSE {
                any = self.pool.or(any, condition);
                callees.push((function, condition));
            }
        }
        let none = self.pool.not(any);
        if self.points_to.may_call_unknown(self.edge) {
            let outside = self.outside_call(state, address, none);
            self.blind.push((outside, "a call through a pointer that comes from outside"));
        }
        let span = self.program.exprs[pointer].span;
        self.oblige(state, Check::InvalidDereference, none, span);
        self.require(state, any);
        Ok(callees)
    }

    /// When a pointer that is called, and is none of the program's functions, is not null.
    fn outside_call(&mut self, state: &State, address: TermId, none: TermId) -> TermId {
        let null = self.pool.bitvec(self.pool.width(address), 0);
        let is_null = self.pool.eq(address, null);
        let is_some = self.pool.not(is_null);
        self.pool.and_all([state.guard.term(), none, is_some])
    }

    fn constant_functions(&self, address: TermId) -> Option<Vec<FunctionId>> {
        let mut functions = Vec::new();
        let mut open = vec![address];
        while let Some(term) = open.pop() {
            if functions.len() + open.len() > 64 {
                return None;
            }
            match (self.pool.small_value(term), self.pool.op(term)) {
                (Some(value), _) => {
                    let function = self.objects.function_at(value, self.program.functions.len());
                    functions.extend(function.filter(|f| !functions.contains(f)));
                }
                (None, Op::Ite) => open.extend_from_slice(&self.pool.children(term)[1..]),
                _ => return None,
            }
        }
        Some(functions)
    }

    /// The state at the start of a called function, in its new frame.
    pub fn enter(
        &mut self,
        mut state: State,
        caller: Frame,
        edge: EdgeId,
        (callee, condition): (FunctionId, TermId),
        depth: u32,
    ) -> Result<(State, Frame), Unsupported> {
        self.edge = edge;
        self.round_as_in(&state);
        let EdgeKind::Call(call) = self.program.edges[edge].kind else {
            unreachable!("only calls are entered")
        };
        let span = self.program.edges[edge].span;
        self.restrict(&mut state, condition);
        let program = self.program;
        let arguments = &program.expr_lists[program.calls[call].arguments];
        let Some(body) = &program.functions[callee].body else { unreachable!("only functions with a body") };
        let mut frame = Frame { depth, variadic: 0 };
        let mut values = Vec::new();
        for (position, &argument) in arguments.iter().enumerate() {
            let ty = program.exprs[argument].ty;
            let parameter = body.parameters.get(position).copied();
            if self.is_aggregate(ty) {
                self.pass_record(&mut state, caller, frame, argument, parameter, span)?;
                continue;
            }
            let value = self.expression(&mut state, caller, argument)?;
            values.push((parameter, value, ty));
        }
        let mut rest = Vec::new();
        for (parameter, value, ty) in values {
            match parameter {
                Some(parameter) => self.bind(&mut state, frame, parameter, value, ty)?,
                None => rest.push((value, ty)),
            }
        }
        for &missing in body.parameters.iter().skip(arguments.len()) {
            self.declare(&mut state, frame, missing)?;
        }
        self.set_what_is_jumped_over(&mut state, frame, callee)?;
        if !rest.is_empty() {
            self.variadic.push(rest);
            frame.variadic = self.variadic.len() as u32 - 1;
        }
        Ok((state, frame))
    }

    fn pass_record(
        &mut self,
        state: &mut State,
        caller: Frame,
        frame: Frame,
        argument: ExprId,
        parameter: Option<VariableId>,
        span: Span,
    ) -> Result<(), Unsupported> {
        let (ExprKind::Load(source), Some(parameter)) = (self.program.exprs[argument].kind, parameter) else {
            return Err(Unsupported("a record as a variadic argument"));
        };
        let source = self.place(state, caller, source)?;
        self.declare(state, frame, parameter)?;
        let target = self.whole_variable(state, frame, parameter)?;
        self.copy(state, &target, &source, span)?;
        self.mark_cases(state, &target.cases);
        Ok(())
    }

    /// A variable as a place.
    fn whole_variable(
        &mut self,
        state: &mut State,
        frame: Frame,
        variable: VariableId,
    ) -> Result<Target, Unsupported> {
        let cases = self.base(state, frame, PlaceBase::Variable(variable))?;
        Ok(Target { cases, ty: self.program.variables[variable].ty, bits: None })
    }

    /// An object as a place.
    pub(crate) fn whole(&mut self, object: ObjectId, ty: TypeId) -> Target {
        let offset = self.pointer(0);
        let case = Case { condition: TermPool::TRUE, object, offset, behind: Some(0) };
        Target { cases: vec![case], ty, bits: None }
    }

    fn bind(
        &mut self,
        state: &mut State,
        frame: Frame,
        parameter: VariableId,
        value: TermId,
        ty: TypeId,
    ) -> Result<(), Unsupported> {
        let to = self.program.variables[parameter].ty;
        if self.is_aggregate(to) {
            return Err(Unsupported("an argument of another type than the parameter"));
        }
        let value = self.convert(value, ty, to)?;
        let object = self.variable(parameter, frame)?;
        if self.is_plain(parameter) {
            state.store.set(object.0, Content::Scalar(value));
            self.mark_variable(state, object, TermPool::FALSE);
            return Ok(());
        }
        let generation = self.generation();
        if self.is_indirect(parameter) {
            self.new_local(state, frame, parameter, Fill::Unknown(generation))?;
        } else {
            let cells = self.fresh_cells(Some(to), Fill::Unknown(generation));
            state.store.set(object.0, Content::Cells(Rc::new(cells)));
        }
        let target = self.whole_variable(state, frame, parameter)?;
        self.write(state, &target, value, Span::NONE)
    }

    /// Where a function's result waits for the caller.
    fn result_object(&mut self, function: FunctionId, depth: u32) -> Result<ObjectId, Unsupported> {
        if let Some(&object) = self.results.get(&(function, depth)) {
            return Ok(object);
        }
        let Type::Function { result, .. } = *self.program.types.get(self.program.functions[function].ty)
        else {
            return Err(Unsupported("the result of something that is no function"));
        };
        let size = Size::Known(self.program.types.size_of(result).unwrap_or(0));
        let object = self.objects.create_hidden(ObjectKind::Result { function, depth }, size, Some(result));
        self.results.insert((function, depth), object);
        Ok(object)
    }

    pub(crate) fn keep_result(
        &mut self,
        state: &mut State,
        frame: Frame,
        edge: EdgeId,
        value: ExprId,
    ) -> Result<(), Unsupported> {
        let function = self.program.locations[self.program.edges[edge].from].function;
        let object = self.result_object(function, frame.depth)?;
        let ty = self.program.exprs[value].ty;
        if !self.is_aggregate(ty) {
            let value = self.expression(state, frame, value)?;
            state.store.set(object.0, Content::Scalar(value));
            return Ok(());
        }
        let ExprKind::Load(source) = self.program.exprs[value].kind else {
            return Err(Unsupported("a record value"));
        };
        let source = self.place(state, frame, source)?;
        let generation = self.generation();
        let cells = self.fresh_cells(Some(ty), Fill::Unknown(generation));
        state.store.set(object.0, Content::Cells(Rc::new(cells)));
        let target = self.whole(object, ty);
        self.copy(state, &target, &source, Span::NONE)?;
        self.mark_cases(state, &target.cases);
        Ok(())
    }

    /// The state behind a call, from the state at the exit of the called function.
    pub fn leave(
        &mut self,
        mut state: State,
        caller: Frame,
        edge: EdgeId,
        callee: FunctionId,
        depth: u32,
    ) -> Result<State, Unsupported> {
        self.edge = edge;
        self.round_as_in(&state);
        let EdgeKind::Call(call) = self.program.edges[edge].kind else { unreachable!("only calls are left") };
        let span = self.program.edges[edge].span;
        let program = self.program;
        if let Some(result) = program.calls[call].result {
            let object = self.result_object(callee, depth)?;
            let ty = program.places[result].ty;
            match state.store.get(object.0).cloned() {
                Some(Content::Scalar(value)) => {
                    let value = self.convert_result(value, callee, ty)?;
                    self.assign_term(&mut state, caller, result, value, span)?;
                }
                Some(Content::Cells(_)) => {
                    let source = self.whole(object, ty);
                    let target = self.place(&mut state, caller, result)?;
                    self.copy(&mut state, &target, &source, span)?;
                }
                None if self.is_aggregate(ty) => {}
                None => {
                    let sort = self.sort_of(ty)?;
                    let value = self.pool.fresh_variable("noresult", sort);
                    self.assign_term(&mut state, caller, result, value, span)?;
                }
            }
        }
        // Also a result that nobody wants: what it points to is lost.
        if let Some(object) = self.results.get(&(callee, depth)) {
            state.store.remove(object.0);
        }
        self.end_frame(&mut state, callee, depth)?;
        self.forget_frame(&mut state, callee, depth);
        Ok(state)
    }

    fn convert_result(
        &mut self,
        value: TermId,
        callee: FunctionId,
        to: TypeId,
    ) -> Result<TermId, Unsupported> {
        match *self.program.types.get(self.program.functions[callee].ty) {
            Type::Function { result, .. } => self.convert(value, result, to),
            _ => Ok(value),
        }
    }

    /// Drops the variables of a function that has returned and that nothing points to: states that only differ in them
    /// need not be told apart.
    fn forget_frame(&mut self, state: &mut State, callee: FunctionId, depth: u32) {
        let program = self.program;
        let Some(body) = &program.functions[callee].body else { return };
        for &variable in body.parameters.iter().chain(&body.locals) {
            if !program.variables[variable].address_taken
                && let Some(object) = self.existing_variable(variable, depth)
            {
                state.store.remove(object.0);
            }
        }
    }

    pub(crate) fn set_list(
        &mut self,
        state: &mut State,
        frame: Frame,
        list: PlaceId,
        position: u64,
        span: Span,
    ) -> Result<(), Unsupported> {
        let target = self.place(state, frame, list)?;
        let handle = self.pool.bitvec(32, u64::from(frame.variadic) << 12 | position);
        self.write_handle(state, &target, handle, span)
    }

    pub(crate) fn write_handle(
        &mut self,
        state: &mut State,
        target: &Target,
        handle: TermId,
        span: Span,
    ) -> Result<(), Unsupported> {
        let target = Target { ty: TypeId::UNSIGNED_INT, ..target.clone() };
        self.write(state, &target, handle, span)
    }

    pub(crate) fn list_handle(
        &mut self,
        state: &mut State,
        frame: Frame,
        list: PlaceId,
        span: Span,
    ) -> Result<TermId, Unsupported> {
        let target = self.place(state, frame, list)?;
        let target = Target { ty: TypeId::UNSIGNED_INT, ..target };
        self.read(state, &target, span)
    }

    pub(crate) fn next_variadic(
        &mut self,
        state: &mut State,
        frame: Frame,
        target: PlaceId,
        list: PlaceId,
        span: Span,
    ) -> Result<(), Unsupported> {
        let handle = self.list_handle(state, frame, list, span)?;
        let handle =
            self.pool.small_value(handle).ok_or(Unsupported("a variadic argument that depends on inputs"))?;
        let argument = self.variadic[(handle >> 12) as usize].get((handle & 0xfff) as usize).copied();
        let (value, ty) = argument.ok_or(Unsupported("a variadic argument that was not passed"))?;
        let value = self.convert(value, ty, self.program.places[target].ty)?;
        self.assign_term(state, frame, target, value, span)?;
        let place = self.place(state, frame, list)?;
        let next = self.pool.bitvec(32, handle + 1);
        self.write_handle(state, &place, next, span)
    }

    /// Variables that some path uses before it declares them have a value from the start: see `jumped.rs`.
    fn set_what_is_jumped_over(
        &mut self,
        state: &mut State,
        frame: Frame,
        function: FunctionId,
    ) -> Result<(), Unsupported> {
        let program = self.program;
        let jumped = self.jumped_over.get_or_insert_with(|| jumped_over(program)).get(&function).cloned();
        for &variable in jumped.iter().flat_map(|variables| variables.iter()) {
            if self.is_plain(variable) {
                self.set_any_value(state, frame, variable)?;
            } else if !self.is_variable_length(variable) {
                self.set_any_contents(state, frame, variable)?;
            }
        }
        Ok(())
    }

    fn set_any_contents(
        &mut self,
        state: &mut State,
        frame: Frame,
        variable: VariableId,
    ) -> Result<(), Unsupported> {
        let fill = Fill::Unknown(self.generation());
        if self.is_indirect(variable) {
            self.new_local(state, frame, variable, fill)?;
            return Ok(());
        }
        let object = self.variable(variable, frame)?;
        let cells = self.fresh_cells(Some(self.program.variables[variable].ty), fill);
        state.store.set(object.0, Content::Cells(Rc::new(cells)));
        self.mark_object(state, object, Fill::Ones);
        Ok(())
    }
}
