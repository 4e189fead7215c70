//! From lvalues to objects: what a place means in a state.

use crate::encoder::Encoder;
use crate::environment::Assumption;
use crate::objects::{Object, ObjectId, ObjectKind};
use crate::state::{Frame, State};
use crate::{Check, Unsupported};
use base::Span;
use cfa::pointsto::ObjectKind as Abstract;
use cfa::{ExprId, PlaceBase, PlaceId, Projection};
use rustc_hash::{FxHashMap, FxHashSet};
use sema::types::{BitRange, TypeId};
use term::{Op, TermId, TermPool};

/// One object that a place can be in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Case {
    /// When it is this one.
    pub condition: TermId,
    pub object: ObjectId,
    /// In bytes; as wide as a pointer.
    pub offset: TermId,
    /// How far behind the object's room it can be at most, if that is known.
    pub behind: Option<u64>,
}

/// A place in a state.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    pub cases: Vec<Case>,
    pub ty: TypeId,
    pub bits: Option<BitRange>,
}

/// Pointer terms are looked into no deeper than this many alternatives.
const MOST_ALTERNATIVES: usize = 256;

impl Encoder<'_> {
    pub(crate) fn place(
        &mut self,
        state: &mut State,
        frame: Frame,
        place: PlaceId,
    ) -> Result<Target, Unsupported> {
        if self.checks(Check::IndexRange) {
            self.check_indices(state, frame, place)?;
        }
        self.unchecked_place(state, frame, place)
    }

    /// A place whose address is taken: it need not be inside of anything.
    pub(crate) fn unchecked_place(
        &mut self,
        state: &mut State,
        frame: Frame,
        place: PlaceId,
    ) -> Result<Target, Unsupported> {
        let info = self.program.places[place];
        let mut cases = self.base(state, frame, info.base)?;
        let mut bits = None;
        let program = self.program;
        for projection in &program.projections[info.projections] {
            let distance = match *projection {
                Projection::Field { record, field } => {
                    let field = &program.types.fields(record)[field as usize];
                    let skipped = field.bits.map_or(0, |range| u64::from(range.start / 8));
                    bits = field.bits.map(|range| BitRange { start: range.start % 8, ..range });
                    self.pointer(field.offset + skipped)
                }
                Projection::Index { index, size } => self.scaled(state, frame, index, size as i64)?,
            };
            let known = self.pool.small_value(distance);
            for case in &mut cases {
                case.offset = self.pool.add(case.offset, distance);
                case.behind = case.behind.zip(known).and_then(|(behind, more)| behind.checked_add(more));
            }
        }
        Ok(Target { cases, ty: info.ty, bits })
    }

    /// Every index must be inside of the array that it is of.
    fn check_indices(&mut self, state: &mut State, frame: Frame, place: PlaceId) -> Result<(), Unsupported> {
        let program = self.program;
        let info = program.places[place];
        let span = match info.base {
            PlaceBase::Dereference(pointer) => program.exprs[pointer].span,
            _ => Span::NONE,
        };
        let lengths = cfa::lengths(program, place);
        for (projection, length) in program.projections[info.projections].iter().zip(lengths) {
            let (&Projection::Index { index, .. }, Some(length)) = (projection, length) else { continue };
            let index = self.scaled(state, frame, index, 1)?;
            let length = self.pointer(length);
            let inside = self.pool.ult(index, length);
            let outside = self.pool.not(inside);
            self.oblige(state, Check::IndexRange, outside, span);
        }
        Ok(())
    }

    /// An index times a number of bytes, as wide as a pointer.
    pub(crate) fn scaled(
        &mut self,
        state: &mut State,
        frame: Frame,
        index: ExprId,
        scale: i64,
    ) -> Result<TermId, Unsupported> {
        let value = self.expression(state, frame, index)?;
        let signed =
            self.program.types.int_shape(self.program.exprs[index].ty).is_none_or(|shape| shape.signed);
        let width = self.pointer_width();
        let value = if signed {
            self.pool.resize_signed(value, width)
        } else {
            self.pool.resize_unsigned(value, width)
        };
        let scale = self.pool.bitvec(width, scale as u64);
        Ok(self.pool.mul(value, scale))
    }

    pub(crate) fn base(
        &mut self,
        state: &mut State,
        frame: Frame,
        base: PlaceBase,
    ) -> Result<Vec<Case>, Unsupported> {
        let object = match base {
            PlaceBase::Variable(variable) => {
                let object = self.variable(variable, frame)?;
                if self.is_indirect(variable) {
                    return match self.local_address(state, frame, variable)? {
                        Some(address) => self.dereference(state, address, None, Span::NONE),
                        None => Ok(Vec::new()),
                    };
                }
                object
            }
            PlaceBase::String(string) => self.string(string)?,
            PlaceBase::Dereference(pointer) => {
                let moved = self.moved(state, frame, pointer)?;
                if let Some(case) = self.any_of_many(moved.to, pointer)? {
                    return Ok(vec![case]);
                }
                let mut cases = self.targets(moved.to, Some(pointer))?;
                self.count_told_apart(cases.len());
                let is_moved = moved.pointer != pointer;
                if is_moved {
                    self.stay_in_object(&moved, &mut cases)?;
                }
                self.expect_one(state, &cases, self.program.exprs[pointer].span);
                if is_moved {
                    self.stay_in_zones(moved.from, &mut cases);
                }
                return Ok(cases);
            }
        };
        let offset = self.pointer(0);
        Ok(vec![Case { condition: TermPool::TRUE, object, offset, behind: Some(0) }])
    }

    /// The objects that an address can be in; it must be in one of them.
    pub(crate) fn dereference(
        &mut self,
        state: &mut State,
        address: TermId,
        pointer: Option<ExprId>,
        span: Span,
    ) -> Result<Vec<Case>, Unsupported> {
        let cases = self.targets(address, pointer)?;
        self.expect_one(state, &cases, span);
        Ok(cases)
    }

    /// The objects that an address can be in. If the address is built from constants, it says so
    /// itself; otherwise the points-to analysis does.
    fn targets(&mut self, address: TermId, pointer: Option<ExprId>) -> Result<Vec<Case>, Unsupported> {
        let address = self.distribute(address, &mut FxHashMap::default());
        if let Some(objects) = self.constant_targets(address) {
            return Ok(self.constant_cases(address, &objects));
        }
        let (objects, others) = self.possible_targets_at(address, pointer)?;
        let mut cases = self.computed_cases(address, &objects);
        if others {
            let elsewhere = self.unseen_case(address, &cases)?;
            cases.push(elsewhere);
        }
        Ok(cases)
    }

    fn expect_one(&mut self, state: &mut State, cases: &[Case], span: Span) {
        let valid = self.pool.or_all(cases.iter().map(|case| case.condition));
        let invalid = self.pool.not(valid);
        self.oblige(state, Check::InvalidDereference, invalid, span);
        self.require(state, valid);
    }

    /// Pushes the addition of constants into choices, so that the choices are between constants.
    pub(crate) fn distribute(&mut self, address: TermId, known: &mut FxHashMap<TermId, TermId>) -> TermId {
        if let Some(&done) = known.get(&address) {
            return done;
        }
        if known.len() > MOST_ALTERNATIVES {
            return address;
        }
        let children = self.pool.children(address);
        let done = match (self.pool.op(address), children) {
            (Op::Ite, &[choice, then, otherwise]) => {
                let then = self.distribute(then, known);
                let otherwise = self.distribute(otherwise, known);
                self.pool.ite(choice, then, otherwise)
            }
            (Op::Add, &[left, right]) => {
                let (constant, rest) =
                    if self.pool.is_constant(left) { (left, right) } else { (right, left) };
                match (self.pool.is_constant(constant), self.pool.op(rest), self.pool.children(rest)) {
                    (true, Op::Ite, &[choice, then, otherwise]) => {
                        let then = self.pool.add(then, constant);
                        let otherwise = self.pool.add(otherwise, constant);
                        let then = self.distribute(then, known);
                        let otherwise = self.distribute(otherwise, known);
                        self.pool.ite(choice, then, otherwise)
                    }
                    _ => address,
                }
            }
            _ => address,
        };
        known.insert(address, done);
        done
    }

    fn computed_cases(&mut self, address: TermId, objects: &[ObjectId]) -> Vec<Case> {
        let mut cases = Vec::with_capacity(objects.len());
        for &object in objects {
            let offset = self.offset_in(object, address);
            let condition = self.is_in_room(object, address);
            if condition != TermPool::FALSE {
                cases.push(Case { condition, object, offset, behind: Some(0) });
            }
        }
        cases
    }

    /// An address that is in none of the known objects may be in one that was never seen.
    fn unseen_case(&mut self, address: TermId, cases: &[Case]) -> Result<Case, Unsupported> {
        let object = self.unseen_object()?;
        let known = self.pool.or_all(cases.iter().map(|case| case.condition));
        let unknown = self.pool.not(known);
        let exists = self.is_nonzero(address);
        Ok(Case { condition: self.pool.and(unknown, exists), object, offset: address, behind: None })
    }

    /// The cases of an address that chooses between constants: in each object, only the constants
    /// that are in it matter.
    fn constant_cases(&mut self, address: TermId, objects: &[ObjectId]) -> Vec<Case> {
        let mut cases = Vec::with_capacity(objects.len());
        for &object in objects {
            let mut known = FxHashMap::default();
            let (condition, offset) = self.part_in(address, object, &mut known);
            if let Some(offset) = offset {
                cases.push(Case { condition, object, offset, behind: Some(0) });
            }
        }
        cases
    }

    /// When an address is in the object, and where in it.
    pub(crate) fn part_in(
        &mut self,
        address: TermId,
        object: ObjectId,
        known: &mut FxHashMap<TermId, (TermId, Option<TermId>)>,
    ) -> (TermId, Option<TermId>) {
        if let Some(&part) = known.get(&address) {
            return part;
        }
        let part = match self.pool.small_value(address) {
            Some(value) if self.objects.at(value) == Some(object) => {
                let offset = value - self.objects.get(object).base;
                (TermPool::TRUE, Some(self.pointer(offset)))
            }
            Some(_) => (TermPool::FALSE, None),
            None => {
                let &[choice, then, otherwise] = self.pool.children(address) else {
                    unreachable!("constants or a choice between them")
                };
                let (then_in, then) = self.part_in(then, object, known);
                let (otherwise_in, otherwise) = self.part_in(otherwise, object, known);
                let condition = self.pool.ite(choice, then_in, otherwise_in);
                let offset = match (then, otherwise) {
                    (Some(then), Some(otherwise)) => Some(self.pool.ite(choice, then, otherwise)),
                    (one, other) => one.or(other),
                };
                (condition, offset)
            }
        };
        known.insert(address, part);
        part
    }

    /// Goes on only where memory is accessed as it may be.
    pub(crate) fn require(&mut self, state: &mut State, valid: TermId) {
        let not = self.pool.not(self.evaluated);
        let valid = self.pool.or(not, valid);
        if let Some(is_there) = self.is_there {
            self.is_there = Some(self.pool.and(is_there, valid));
        } else if valid != TermPool::TRUE {
            self.environment.rely_on(Assumption::ValidMemory);
            self.restrict(state, valid);
        }
    }

    /// The objects of all constants that an address term chooses between; `None` if there is an
    /// alternative that is not the address of an object, moved by nothing or by a computed distance.
    pub(crate) fn constant_targets(&mut self, address: TermId) -> Option<Vec<ObjectId>> {
        let mut objects = Vec::new();
        let mut open = vec![address];
        let mut seen = FxHashSet::default();
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            if seen.len() > MOST_ALTERNATIVES {
                return None;
            }
            if let Some(value) = self.pool.small_value(term) {
                if let Some(object) = self.objects.at(value)
                    && !objects.contains(&object)
                {
                    objects.push(object);
                }
                continue;
            }
            match self.pool.op(term) {
                Op::Ite => open.extend_from_slice(&self.pool.children(term)[1..]),
                _ => return None,
            }
        }
        objects.sort_unstable();
        Some(objects)
    }

    /// The objects made so far that the pointer may point to, and whether there may be others.
    pub(crate) fn possible_targets(
        &mut self,
        pointer: Option<ExprId>,
    ) -> Result<(Vec<ObjectId>, bool), Unsupported> {
        let mut objects = Vec::new();
        let mut blurred = false;
        match pointer {
            Some(pointer) => {
                let points_to = self.points_to;
                for (target, _) in points_to.targets(self.program, pointer) {
                    let kind = points_to.object(target).kind;
                    blurred |= self.blurred.contains(&kind);
                    self.instances(kind, &mut objects)?;
                }
            }
            None => {
                blurred = !self.blurred.is_empty();
                objects.extend(self.objects.iter().map(|(id, _)| id));
            }
        }
        objects.sort_unstable();
        objects.dedup();
        let has_address = |object: &Object| object.base != 0 && object.kind != ObjectKind::Unseen;
        objects.retain(|&object| has_address(self.objects.get(object)));
        Ok((objects, blurred))
    }

    /// The same for a pointer whose address is computed, and may be that of memory from outside.
    pub(crate) fn possible_targets_at(
        &mut self,
        address: TermId,
        pointer: Option<ExprId>,
    ) -> Result<(Vec<ObjectId>, bool), Unsupported> {
        let (objects, blurred) = self.possible_targets(pointer)?;
        Ok((objects, blurred || self.is_unsettled(address) && self.may_be_outside(pointer)))
    }

    /// Whether the points-to analysis says that the pointer may point to memory from outside.
    fn may_be_outside(&self, pointer: Option<ExprId>) -> bool {
        let points_to = self.points_to;
        let is_outside = |pointer| {
            let mut targets = points_to.targets(self.program, pointer).into_iter();
            targets.any(|(target, _)| points_to.object(target).kind == Abstract::Outside)
        };
        pointer.is_none_or(is_outside)
    }

    /// The objects of the run that an object of the points-to analysis stands for.
    pub(crate) fn instances(
        &mut self,
        kind: Abstract,
        objects: &mut Vec<ObjectId>,
    ) -> Result<(), Unsupported> {
        match kind {
            Abstract::Variable(variable) => {
                if !self.is_indirect(variable) {
                    self.variable(variable, Frame::OUTERMOST)?;
                }
                objects.extend(self.variable_objects(variable));
            }
            Abstract::String(string) => objects.push(self.string(string)?),
            Abstract::Heap(edge) => objects.extend(self.heap.get(&edge).into_iter().flatten()),
            Abstract::Outside => objects.extend(&self.outside),
            Abstract::Function(_) | Abstract::Label(_) | Abstract::Variadic(_) => {}
        }
        Ok(())
    }
}
