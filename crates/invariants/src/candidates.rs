//! Which observables to watch at a loop head.
//!
//! Watched are the integers that the loop changes and somebody reads, and the differences and
//! orders of two that the program compares. What is copied to each other is a group; the constants
//! that the program compares with one of them or assigns to one of them are the values that it names.

use crate::observable::{Observable, Source, Watched};
use cfa::callgraph::CallGraph;
use cfa::liveness::Liveness;
use cfa::loops::{LoopId, Loops};
use cfa::pointsto::{ObjectKind, PointsTo};
use cfa::usage::{Access, accesses};
use cfa::{
    BinaryOp, EdgeKind, ExprId, ExprKind, FunctionId, PlaceBase, PlaceId, Program, Projection, VariableId,
};
use encode::Changes;
use rustc_hash::{FxHashMap, FxHashSet};
use sema::types::IntShape;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::rc::Rc;

/// Values told apart beyond those that the program names, and for differences.
const FEW_VALUES: usize = 5;
const DIFFERENCES: usize = 16;
/// Values named by the program, if they are no more than this.
const MOST_NAMED: usize = 64;
/// Elements of arrays that are looked at.
const MOST_ELEMENTS: usize = 48;
/// Values of callers that are looked at in a called function.
const MOST_OF_CALLERS: usize = 24;
/// Watched at one loop head.
const MOST_WATCHED: usize = 96;
/// Integers that affine relations are looked for between.
const MOST_RELATED: usize = 12;
/// Where every range may end.
const GENERAL: [i128; 3] = [-1, 0, 1];
const COMPARISON: IntShape = IntShape { width: 1, signed: false };

/// What is known of the program.
#[derive(Clone, Copy)]
pub struct Surroundings<'a> {
    pub program: &'a Program,
    pub loops: &'a Loops,
    pub points_to: &'a PointsTo,
    pub changes: &'a [Changes],
}

/// What can be watched anywhere.
pub struct Candidates<'a> {
    around: Surroundings<'a>,
    liveness: Liveness,
    /// Every integer that is read somewhere.
    read: Vec<Source>,
    /// Elements of arrays that are read somewhere, at constant indices or those in variables.
    elements: Vec<Source>,
    /// The values that the program names for each of them.
    named: FxHashMap<Source, Rc<BTreeSet<u64>>>,
    /// Where ranges of each of them may end.
    thresholds: FxHashMap<Source, Rc<[i128]>>,
    compared: BTreeMap<(Source, Source), Comparison>,
    /// What each edge that computes or compares something is about.
    together: Vec<Vec<Source>>,
    /// What sums, differences and multiples are assigned to.
    computed: FxHashSet<Source>,
}

/// How two sources are compared.
#[derive(Default)]
struct Comparison {
    by_order: bool,
    /// What their difference is compared with.
    offsets: BTreeSet<i128>,
}

impl<'a> Candidates<'a> {
    pub fn new(around: Surroundings<'a>) -> Self {
        let mut collector = Collector { program: around.program, by_text: FxHashMap::default() };
        let read = collector.read();
        let elements = collector.elements();
        let compared = collector.compared();
        let (together, computed) = (collector.together(), collector.computed());
        let named = collector.constants(false).named_values(around.program);
        let thresholds = collector.constants(true).thresholds();
        let liveness = Liveness::new(around.program);
        Self { around, liveness, read, elements, named, thresholds, compared, together, computed }
    }

    /// Whether a loop can change something.
    fn changed(&self, id: LoopId) -> impl Fn(Source) -> bool + '_ {
        let plain: FxHashSet<VariableId> = self.around.changes[id.0 as usize].plain.iter().copied().collect();
        let objects: FxHashSet<ObjectKind> =
            self.around.changes[id.0 as usize].objects.iter().map(|&(kind, _)| kind).collect();
        move |source: Source| match source {
            Source::Variable(variable) => plain.contains(&variable),
            Source::Place(place) => {
                let places = self.around.points_to.places(self.around.program, place);
                places
                    .into_iter()
                    .any(|(object, _)| objects.contains(&self.around.points_to.object(object).kind))
            }
        }
    }

    /// All values that can be seen at the head of a loop, those that it changes first: integers that
    /// somebody reads, and plain variables of other scalar types.
    pub fn values_at(&self, id: LoopId) -> Vec<Watched> {
        let changed = self.changed(id);
        let mut watched = self.values(|source| self.is_visible(id, source));
        watched.sort_by_key(|watched| match watched.observable {
            Observable::Value(source) => !changed(source),
            _ => true,
        });
        watched
    }

    /// All values that can be seen somewhere in a function.
    pub fn values_in(&self, function: FunctionId) -> Vec<Watched> {
        self.values(|source| self.is_in_scope(function, source))
    }

    fn values(&self, is_visible: impl Fn(Source) -> bool) -> Vec<Watched> {
        let program = self.around.program;
        let all = self.read.iter().chain(&self.elements);
        let visible = all.copied().filter(|&source| is_visible(source));
        let mut watched: Vec<Watched> = visible.filter_map(|source| self.value(source)).collect();
        for (variable, info) in program.variables.enumerated() {
            let source = Source::Variable(variable);
            let is_other = is_plain(program, variable) && program.types.int_shape(info.ty).is_none();
            if is_other && is_visible(source) {
                let width = 8 * program.types.size_of(info.ty).unwrap_or(0) as u32;
                let shape = IntShape { width, signed: false };
                let (observable, named) = (Observable::Value(source), Rc::default());
                let (thresholds, capacity) = ([].into(), 0);
                watched.push(Watched { observable, shape, signed: false, named, thresholds, capacity });
            }
        }
        watched
    }

    /// Values of the functions that a loop's function may be called from, as far as they are needed behind
    /// the call: no loop of a called function changes them, but what it does may be related to them.
    pub fn values_of_callers(&self, id: LoopId, calls: &CallGraph) -> Vec<Watched> {
        let (program, own) = (self.around.program, self.around.loops.loops[id].function);
        let mut sites = Vec::new();
        let mut functions = vec![own];
        let mut seen: FxHashSet<FunctionId> = functions.iter().copied().collect();
        while let Some(function) = functions.pop() {
            for &edge in calls.sites(function) {
                sites.push(edge);
                let caller = program.locations[program.edges[edge].from].function;
                functions.extend(seen.insert(caller).then_some(caller));
            }
        }
        let needed = |variable: VariableId| {
            let owner = program.variables[variable].kind.function();
            owner.is_some_and(|owner| owner != own)
                && sites.iter().any(|&edge| {
                    let behind = program.edges[edge].to;
                    Some(program.locations[behind].function) == owner
                        && (!is_plain(program, variable) || self.liveness.is_live(behind, variable))
                })
        };
        let sources = self.read.iter().copied().filter(|&source| {
            let (mut is_needed, mut roots) = (true, 0);
            for_each_root(program, source, &mut |variable| {
                roots += 1;
                is_needed &= needed(variable);
            });
            is_needed && roots > 0
        });
        sources.filter_map(|source| self.value(source)).take(MOST_OF_CALLERS).collect()
    }

    /// What to watch at the head of a loop, and which of that to look for affine relations between.
    pub fn at(&self, id: LoopId) -> (Vec<Watched>, Vec<usize>) {
        let changed = self.changed(id);
        let mut watched: Vec<Watched> = self
            .read
            .iter()
            .filter(|&&source| self.is_visible(id, source) && changed(source))
            .filter_map(|&source| self.value(source))
            .collect();
        watched.sort_by_key(|watched| watched.named.is_empty());
        for (&(left, right), comparison) in &self.compared {
            let visible = self.is_visible(id, left) && self.is_visible(id, right);
            if visible && (changed(left) || changed(right)) {
                watched.extend(self.relations(left, right, comparison));
            }
        }
        watched.truncate(MOST_WATCHED);
        let mut related = Vec::new();
        for source in self.related(id, changed) {
            let is_here = |watched: &Watched| watched.observable == Observable::Value(source);
            related.extend(watched.iter().position(is_here).or_else(|| {
                let here = self.value(source)?;
                watched.push(Watched { named: Rc::default(), thresholds: [].into(), capacity: 0, ..here });
                Some(watched.len() - 1)
            }));
        }
        (watched, related)
    }

    /// Integers that a loop computes from others, then those that it computes or compares them with.
    fn related(&self, id: LoopId, changed: impl Fn(Source) -> bool) -> Vec<Source> {
        let is_visible = |source: &Source| self.is_visible(id, *source);
        let is_computed =
            |source: &Source| self.computed.contains(source) && is_visible(source) && changed(*source);
        let mut related: Vec<Source> = self.read.iter().copied().filter(is_computed).collect();
        let computed = related.len();
        for together in &self.together {
            if together.iter().any(|source| related[..computed].contains(source)) {
                let new =
                    together.iter().copied().filter(is_visible).filter(|source| !related.contains(source));
                related.extend(new.collect::<Vec<_>>());
            }
        }
        related.truncate(MOST_RELATED);
        related
    }

    fn value(&self, source: Source) -> Option<Watched> {
        let shape = source_shape(self.around.program, source)?;
        let named = self.named.get(&source).cloned().unwrap_or_default();
        let thresholds = self.thresholds.get(&source).cloned().unwrap_or_else(|| GENERAL.into());
        let (observable, signed) = (Observable::Value(source), shape.signed);
        Some(Watched { observable, shape, signed, named, thresholds, capacity: FEW_VALUES })
    }

    fn relations(&self, left: Source, right: Source, comparison: &Comparison) -> Vec<Watched> {
        let shapes = (source_shape(self.around.program, left), source_shape(self.around.program, right));
        let (Some(shape), Some(other)) = shapes else { return Vec::new() };
        if shape.width != other.width {
            return Vec::new();
        }
        let signed = shape.signed && other.signed;
        let watched = |observable, shape, capacity, named: BTreeSet<i128>| {
            let thresholds: BTreeSet<i128> = named.iter().copied().chain(GENERAL).collect();
            let named = Rc::new(named.into_iter().map(|value| crate::values::bits(value, shape)).collect());
            Watched {
                observable,
                shape,
                signed,
                named,
                thresholds: thresholds.into_iter().collect(),
                capacity,
            }
        };
        let difference = IntShape { width: shape.width, signed: true };
        let offsets = comparison.offsets.iter().flat_map(|&offset| around(offset));
        let named = [0, 1].into_iter().chain(offsets).take(MOST_NAMED).collect();
        let mut result = vec![watched(Observable::Difference(left, right), difference, DIFFERENCES, named)];
        if comparison.by_order {
            for observable in [Observable::Less(left, right), Observable::Less(right, left)] {
                result.push(watched(observable, COMPARISON, 2, [0, 1].into()));
            }
        }
        result
    }

    /// Whether the loop's function sees it, and its value at the head matters.
    fn is_visible(&self, id: LoopId, source: Source) -> bool {
        let info = &self.around.loops.loops[id];
        let is_live = match source {
            Source::Variable(variable) => self.liveness.is_live(info.head, variable),
            Source::Place(_) => true,
        };
        is_live && self.is_in_scope(info.function, source)
    }

    fn is_in_scope(&self, function: FunctionId, source: Source) -> bool {
        let program = self.around.program;
        let mut visible = true;
        for_each_root(program, source, &mut |variable| visible &= in_scope(program, variable, function));
        visible
    }
}

/// Values that a difference may go through on its way to one that it is compared with.
fn around(offset: i128) -> RangeInclusive<i128> {
    match offset.unsigned_abs() <= DIFFERENCES as u128 {
        true => offset.min(0) - 1..=offset.max(0) + 1,
        false => offset - 1..=offset + 1,
    }
}

fn in_scope(program: &Program, variable: VariableId, function: FunctionId) -> bool {
    program.variables[variable].kind.function().is_none_or(|owner| owner == function)
}

/// The variables that a source is read through.
pub fn for_each_root(program: &Program, source: Source, visit: &mut dyn FnMut(VariableId)) {
    let place = match source {
        Source::Variable(variable) => return visit(variable),
        Source::Place(place) => place,
    };
    for projection in &program.projections[program.places[place].projections] {
        if let Projection::Index { index, .. } = projection
            && let Some(Index::Variable(variable)) = simple_index(program, *index)
        {
            visit(variable);
        }
    }
    match program.places[place].base {
        PlaceBase::Variable(variable) => visit(variable),
        PlaceBase::Dereference(pointer) => {
            if let ExprKind::Load(inner) = program.exprs[pointer].kind {
                for_each_root(program, as_source(program, inner), visit);
            }
        }
        PlaceBase::String(_) => {}
    }
}

#[derive(Clone, Copy)]
enum Index {
    Constant,
    Variable(VariableId),
}

/// What an index is, if it is a constant or a plain variable, perhaps with a constant added.
fn simple_index(program: &Program, mut expr: ExprId) -> Option<Index> {
    loop {
        match program.exprs[expr].kind {
            ExprKind::Cast(operand) => expr = operand,
            ExprKind::Int(_) => return Some(Index::Constant),
            ExprKind::Binary { op: BinaryOp::Add | BinaryOp::Subtract, left, right }
                if matches!(program.exprs[right].kind, ExprKind::Int(_)) =>
            {
                expr = left;
            }
            ExprKind::Load(place) => {
                let variable = program.as_variable(place)?;
                return is_plain(program, variable).then_some(Index::Variable(variable));
            }
            _ => return None,
        }
    }
}

fn as_source(program: &Program, place: PlaceId) -> Source {
    match program.as_variable(place) {
        Some(variable) if is_plain(program, variable) => Source::Variable(variable),
        _ => Source::Place(place),
    }
}

fn is_plain(program: &Program, variable: VariableId) -> bool {
    let info = &program.variables[variable];
    !info.address_taken && program.types.is_scalar(info.ty)
}

/// The type of a source, if it is an integer of at most 64 bits.
fn source_shape(program: &Program, source: Source) -> Option<IntShape> {
    let ty = match source {
        Source::Variable(variable) => program.variables[variable].ty,
        Source::Place(place) => program.places[place].ty,
    };
    program.types.int_shape(ty).filter(|shape| shape.width <= 64)
}

/// Finds sources in the program's text; places that read the same are one.
struct Collector<'a> {
    program: &'a Program,
    by_text: FxHashMap<(VariableId, String), PlaceId>,
}

impl Collector<'_> {
    /// The integer at a place, if it is found by fields and pointers alone.
    fn source(&mut self, place: PlaceId) -> Option<Source> {
        let source = as_source(self.program, place);
        source_shape(self.program, source)?;
        if let Source::Variable(_) = source {
            return Some(source);
        }
        let root = self.root(place)?;
        let text = cfa::expression::place(self.program, place);
        Some(Source::Place(*self.by_text.entry((root, text)).or_insert(place)))
    }

    /// The variable that a place is found from.
    fn root(&self, place: PlaceId) -> Option<VariableId> {
        let info = self.program.places[place];
        let by_index = |projection: &Projection| matches!(projection, Projection::Index { .. });
        if self.program.projections[info.projections].iter().any(by_index) {
            return None;
        }
        match info.base {
            PlaceBase::Variable(variable) => Some(variable),
            PlaceBase::Dereference(pointer) => match self.program.exprs[pointer].kind {
                ExprKind::Load(inner) => self.root(inner),
                _ => None,
            },
            PlaceBase::String(_) => None,
        }
    }

    fn read(&mut self) -> Vec<Source> {
        let places = self.places_read();
        let sources: BTreeSet<Source> = places.into_iter().filter_map(|place| self.source(place)).collect();
        sources.into_iter().collect()
    }

    fn places_read(&self) -> Vec<PlaceId> {
        let mut places = Vec::new();
        for edge in self.program.edges.as_slice() {
            accesses(self.program, &edge.kind, &mut |access| {
                if let Access::Read(place) = access {
                    places.push(place);
                }
            });
        }
        places
    }

    /// Elements of arrays, each once however often it is read.
    fn elements(&self) -> Vec<Source> {
        let mut seen = FxHashSet::default();
        let mut elements = Vec::new();
        for place in self.places_read() {
            let source = Source::Place(place);
            if self.is_element(place) && source_shape(self.program, source).is_some() {
                let mut roots = Vec::new();
                for_each_root(self.program, source, &mut |variable| roots.push(variable));
                if seen.insert((roots, cfa::expression::place(self.program, place))) {
                    elements.push(source);
                }
            }
        }
        elements.truncate(MOST_ELEMENTS);
        elements
    }

    fn is_element(&self, place: PlaceId) -> bool {
        let info = self.program.places[place];
        let mut indices = 0;
        for projection in &self.program.projections[info.projections] {
            if let Projection::Index { index, .. } = projection {
                indices += 1;
                if simple_index(self.program, *index).is_none() {
                    return false;
                }
            }
        }
        match info.base {
            PlaceBase::Variable(_) => indices > 0,
            PlaceBase::Dereference(pointer) => match self.program.exprs[pointer].kind {
                ExprKind::Load(inner) => indices > 0 && self.root(inner).is_some(),
                _ => false,
            },
            PlaceBase::String(_) => false,
        }
    }

    /// The source that an expression reads, conversions aside, and what is added to it.
    fn operand(&mut self, mut expr: ExprId) -> Option<(Source, i128)> {
        let mut added = 0;
        loop {
            match self.program.exprs[expr].kind {
                ExprKind::Cast(operand) => expr = operand,
                ExprKind::Binary { op: op @ (BinaryOp::Add | BinaryOp::Subtract), left, right } => {
                    let constant = self.constant(right)?;
                    added += if op == BinaryOp::Add { constant } else { -constant };
                    expr = left;
                }
                ExprKind::Load(place) => return Some((self.source(place)?, added)),
                _ => return None,
            }
        }
    }

    /// What is compared with each other.
    fn compared(&mut self) -> BTreeMap<(Source, Source), Comparison> {
        let mut compared: BTreeMap<_, Comparison> = BTreeMap::new();
        for expr in self.program.exprs.as_slice() {
            if let ExprKind::Binary { op, left, right } = expr.kind
                && let Some(by_order) = by_order(op)
                && let (Some(left), Some(right)) = (self.operand(left), self.operand(right))
                && left.0 != right.0
            {
                let (first, second) = (left.min(right), left.max(right));
                let comparison = compared.entry((first.0, second.0)).or_default();
                comparison.by_order |= by_order;
                comparison.offsets.insert(second.1 - first.1);
            }
        }
        compared
    }

    /// What each assignment and each condition is about, if that is more than one.
    fn together(&mut self) -> Vec<Vec<Source>> {
        let mut all = BTreeSet::new();
        for edge in self.program.edges.as_slice() {
            if matches!(edge.kind, EdgeKind::Assign { .. } | EdgeKind::Assume { .. }) {
                let mut sources = BTreeSet::new();
                accesses(self.program, &edge.kind, &mut |access| {
                    if let Access::Read(place) | Access::Write(place) = access {
                        sources.extend(self.source(place));
                    }
                });
                if sources.len() > 1 {
                    all.insert(sources.into_iter().collect::<Vec<_>>());
                }
            }
        }
        all.into_iter().collect()
    }

    /// What sums, differences and multiples are assigned to.
    fn computed(&mut self) -> FxHashSet<Source> {
        let mut computed = FxHashSet::default();
        for edge in self.program.edges.as_slice() {
            if let EdgeKind::Assign { target, value } = edge.kind
                && self.is_arithmetic(value)
            {
                computed.extend(self.source(target));
            }
        }
        computed
    }

    fn is_arithmetic(&self, mut expr: ExprId) -> bool {
        while let ExprKind::Cast(operand) = self.program.exprs[expr].kind {
            expr = operand;
        }
        use BinaryOp::{Add, Multiply, ShiftLeft, Subtract};
        matches!(
            self.program.exprs[expr].kind,
            ExprKind::Binary { op: Add | Subtract | Multiply | ShiftLeft, .. }
        )
    }

    /// The constants that each source, or one that is copied to or from it, is set to or compared with
    /// for equality, and perhaps by order.
    fn constants(&mut self, also_by_order: bool) -> Groups {
        let mut groups = Groups::default();
        for expr in self.program.exprs.as_slice() {
            if let ExprKind::Binary { op, left, right } = expr.kind
                && by_order(op).is_some_and(|by_order| also_by_order || !by_order)
            {
                self.name(&mut groups, left, right);
                self.name(&mut groups, right, left);
            }
        }
        for edge in self.program.edges.as_slice() {
            if let EdgeKind::Assign { target, value } = edge.kind
                && let Some(to) = self.source(target)
            {
                match self.constant(value) {
                    Some(constant) => groups.add(to, constant),
                    None => {
                        if let Some((from, _)) = self.operand(value) {
                            groups.join(from, to);
                        }
                    }
                }
            }
        }
        groups
    }

    fn name(&mut self, groups: &mut Groups, expr: ExprId, constant: ExprId) {
        if let Some(constant) = self.constant(constant)
            && let Some((source, _)) = self.operand(expr)
        {
            groups.add(source, constant);
        }
    }

    /// The value of a constant expression.
    fn constant(&self, mut expr: ExprId) -> Option<i128> {
        while let ExprKind::Cast(operand) = self.program.exprs[expr].kind {
            expr = operand;
        }
        let ExprKind::Int(bits) = self.program.exprs[expr].kind else { return None };
        let shape = self.program.types.int_shape(self.program.exprs[expr].ty)?;
        (shape.width <= 64).then(|| crate::values::value(bits, shape))
    }
}

/// Sources that are copied to each other, with the constants of each group.
#[derive(Default)]
struct Groups {
    numbers: FxHashMap<Source, usize>,
    parents: Vec<usize>,
    constants: Vec<BTreeSet<i128>>,
}

impl Groups {
    fn find(&mut self, source: Source) -> usize {
        let fresh = self.parents.len();
        let mut number = *self.numbers.entry(source).or_insert(fresh);
        if number == fresh {
            self.parents.push(fresh);
            self.constants.push(BTreeSet::new());
        }
        while self.parents[number] != number {
            self.parents[number] = self.parents[self.parents[number]];
            number = self.parents[number];
        }
        number
    }

    fn add(&mut self, source: Source, constant: i128) {
        let group = self.find(source);
        self.constants[group].insert(constant);
    }

    fn join(&mut self, first: Source, second: Source) {
        let (first, second) = (self.find(first), self.find(second));
        if first != second {
            let constants = std::mem::take(&mut self.constants[second]);
            self.constants[first].extend(constants);
            self.parents[second] = first;
        }
    }

    /// The constants of each source, if they are not too many.
    fn by_source(mut self) -> Vec<(Source, BTreeSet<i128>)> {
        let mut sources: Vec<Source> = self.numbers.keys().copied().collect();
        sources.sort();
        let groups: Vec<usize> = sources.iter().map(|&source| self.find(source)).collect();
        let constants = sources.into_iter().zip(groups.iter().map(|&group| self.constants[group].clone()));
        constants.filter(|(_, constants)| constants.len() <= MOST_NAMED).collect()
    }

    fn named_values(self, program: &Program) -> FxHashMap<Source, Rc<BTreeSet<u64>>> {
        let mut result = FxHashMap::default();
        for (source, constants) in self.by_source() {
            if let Some(shape) = source_shape(program, source) {
                let bits = constants.into_iter().map(|value| crate::values::bits(value, shape));
                result.insert(source, Rc::new(bits.collect()));
            }
        }
        result
    }

    fn thresholds(self) -> FxHashMap<Source, Rc<[i128]>> {
        let close = |value: i128| [value - 1, value, value + 1];
        let ends = |constants: BTreeSet<i128>| -> Rc<[i128]> {
            let ends: BTreeSet<i128> = constants.into_iter().flat_map(close).chain(GENERAL).collect();
            ends.into_iter().collect()
        };
        self.by_source().into_iter().map(|(source, constants)| (source, ends(constants))).collect()
    }
}

/// Whether a comparison asks for the order, or just for equality.
fn by_order(op: BinaryOp) -> Option<bool> {
    match op {
        BinaryOp::Equal | BinaryOp::NotEqual => Some(false),
        BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual => Some(true),
        _ => None,
    }
}
