//! Places and expressions looked up in the solution. The rules are those of [`super::generate`].

use super::generate::{addition_step, is_comparison, is_null, may_invent, projection_step};
use super::memory::{ObjectId, ObjectKind, Offset, Step};
use super::{PointsTo, SparseSet};
use crate::library::Library;
use crate::program::*;
use crate::{format, usage};
use sema::types::Type;

/// Objects with the offsets in them, sorted, each once.
pub type Targets = Vec<(ObjectId, Offset)>;

/// Takes cells of an object, as a range of the numbers of [`CellId`](super::CellId)s.
pub type Visit<'v> = &'v mut dyn FnMut(ObjectId, std::ops::Range<u32>);

impl PointsTo {
    /// What the value of an expression can point to; null and nothing aside.
    pub fn targets(&self, program: &Program, expr: ExprId) -> Targets {
        let mut targets = Targets::new();
        self.add_value(program, expr, false, &mut targets);
        normalise(&mut targets);
        targets
    }

    /// Where a place can be.
    pub fn places(&self, program: &Program, place: PlaceId) -> Targets {
        let mut targets = Targets::new();
        self.add_places(program, place, &mut targets);
        normalise(&mut targets);
        targets
    }

    /// The cells that a place can be or overlap, with the objects they are of.
    pub fn place_cells(&self, program: &Program, place: PlaceId, visit: Visit) {
        let size = program.types.size_of(program.places[place].ty);
        for (object, offset) in self.places(program, place) {
            visit(object, self.memory.touched(&program.types, object, offset, size));
        }
    }

    /// The cells of all objects that a pointer can point to, wherever in them.
    pub fn pointed_cells(&self, program: &Program, pointer: ExprId, visit: Visit) {
        for (object, _) in self.targets(program, pointer) {
            visit(object, self.memory.cells(object));
        }
    }

    /// Both places can be, or overlap in, the same memory.
    pub fn may_alias(&self, program: &Program, left: PlaceId, right: PlaceId) -> bool {
        let cells = |place| {
            let mut set = SparseSet::default();
            self.place_cells(program, place, &mut |_, cells| {
                cells.for_each(|cell| {
                    set.insert(cell);
                });
            });
            set
        };
        cells(left).intersects(&cells(right))
    }

    /// The cells that an edge may write, what happens inside of called functions with a body aside.
    pub fn written_cells(&self, program: &Program, edge: EdgeId, visit: Visit) {
        let kind = program.edges[edge].kind;
        usage::accesses(program, &kind, &mut |access| match access {
            usage::Access::Write(place) => self.place_cells(program, place, visit),
            usage::Access::Birth(variable) => {
                let object = self.memory.object(ObjectKind::Variable(variable));
                object.into_iter().for_each(|object| visit(object, self.memory.cells(object)));
            }
            usage::Access::Read(_) | usage::Access::Address(_) => {}
        });
        if let EdgeKind::Call(call) = kind {
            let arguments = &program.expr_lists[program.calls[call].arguments];
            for (index, &argument) in arguments.iter().enumerate() {
                let writes = |library| {
                    writes_argument(library, index) || format::may_count(program, library, arguments, index)
                };
                if self.library(program, edge).any(writes) {
                    self.pointed_cells(program, argument, visit);
                }
            }
            self.allocated_cells(edge, visit);
        }
    }

    /// The cells that an edge may read, what happens inside of called functions with a body aside.
    pub fn read_cells(&self, program: &Program, edge: EdgeId, visit: Visit) {
        usage::accesses(program, &program.edges[edge].kind, &mut |access| {
            self.visit_read(program, access, visit)
        });
        self.library_reads(program, edge, visit);
    }

    /// The cells that evaluating an expression may read.
    pub fn expr_cells(&self, program: &Program, expr: ExprId, visit: Visit) {
        usage::expr_accesses(program, expr, &mut |access| self.visit_read(program, access, visit));
    }

    /// The cells that finding a place may read.
    pub fn address_cells(&self, program: &Program, place: PlaceId, visit: Visit) {
        usage::place_accesses(program, place, &mut |access| self.visit_read(program, access, visit));
    }

    fn visit_read(&self, program: &Program, access: usage::Access, visit: Visit) {
        if let usage::Access::Read(place) = access {
            self.place_cells(program, place, visit);
        }
    }

    /// The cells that library functions called at the edge may read through their arguments.
    fn library_reads(&self, program: &Program, edge: EdgeId, visit: Visit) {
        if let EdgeKind::Call(call) = program.edges[edge].kind
            && self.library(program, edge).next().is_some()
        {
            let arguments = &program.expr_lists[program.calls[call].arguments];
            arguments.iter().for_each(|&argument| self.pointed_cells(program, argument, visit));
        }
    }

    /// The library functions that an edge may call.
    fn library<'a>(&'a self, program: &'a Program, edge: EdgeId) -> impl Iterator<Item = Library> + 'a {
        self.callees(edge).iter().filter_map(|&function| program.functions[function].library)
    }

    /// The memory that a call allocates: it comes to life, holding anything or zeros.
    fn allocated_cells(&self, edge: EdgeId, visit: Visit) {
        let object = self.memory.object(ObjectKind::Heap(edge));
        object.into_iter().for_each(|object| visit(object, self.memory.cells(object)));
    }

    fn add_places(&self, program: &Program, place: PlaceId, targets: &mut Targets) {
        let Place { base, projections, .. } = program.places[place];
        let start = targets.len();
        match base {
            PlaceBase::Variable(variable) => {
                let object = self.memory.object(ObjectKind::Variable(variable));
                targets.extend(object.map(|object| (object, Offset::At(0))));
            }
            PlaceBase::String(string) => {
                let object = self.memory.object(ObjectKind::String(string));
                targets.extend(object.map(|object| (object, Offset::Any)));
            }
            PlaceBase::Dereference(pointer) => self.add_value(program, pointer, false, targets),
        }
        for &projection in &program.projections[projections] {
            self.step(program, &mut targets[start..], projection_step(program, projection));
        }
    }

    fn step(&self, program: &Program, targets: &mut [(ObjectId, Offset)], step: Step) {
        for (object, offset) in targets {
            *offset = self.memory.step(&program.types, *object, *offset, step);
        }
    }

    /// Adds what the value of an expression points to; with offsets lost where `lost`.
    fn add_value(&self, program: &Program, expr: ExprId, lost: bool, targets: &mut Targets) {
        let start = targets.len();
        let Expr { kind, ty, .. } = program.exprs[expr];
        match kind {
            ExprKind::Int(value) if value != 0 && program.types.is_pointer(ty) => self.add_outside(targets),
            ExprKind::Load(place) => self.add_contents(program, place, targets),
            ExprKind::AddressOf(place) => self.add_places(program, place, targets),
            ExprKind::FunctionAddress(function) => {
                let object = self.memory.object(ObjectKind::Function(function));
                targets.extend(object.map(|object| (object, Offset::Any)));
            }
            ExprKind::LabelAddress(label) => {
                let location = program.labels.get(label as usize).copied();
                let object = location.and_then(|location| self.memory.object(ObjectKind::Label(location)));
                targets.extend(object.map(|object| (object, Offset::Any)));
            }
            ExprKind::Unary { op: UnaryOp::Negate | UnaryOp::BitNot, operand }
            | ExprKind::Intrinsic { intrinsic: Intrinsic::ByteSwap, operand } => {
                self.add_value(program, operand, true, targets);
            }
            ExprKind::Binary { op, left, right } if !is_comparison(op) => {
                self.add_value(program, left, true, targets);
                self.add_value(program, right, true, targets);
            }
            ExprKind::PointerAdd { pointer, index, .. } if is_null(program, pointer) => {
                self.add_value(program, index, true, targets);
                self.add_outside(targets);
            }
            ExprKind::PointerAdd { pointer, index, scale } => {
                self.add_value(program, pointer, lost, targets);
                self.step(program, &mut targets[start..], addition_step(program, index, scale));
            }
            ExprKind::Conditional { then, otherwise, .. } => {
                self.add_value(program, then, lost, targets);
                self.add_value(program, otherwise, lost, targets);
            }
            ExprKind::Cast(inner) => self.add_cast(program, expr, inner, lost, targets),
            _ => {}
        }
        if lost {
            targets[start..].iter_mut().for_each(|(_, offset)| *offset = Offset::Any);
        }
    }

    fn add_cast(&self, program: &Program, cast: ExprId, inner: ExprId, lost: bool, targets: &mut Targets) {
        let types = &program.types;
        let (from, to) = (program.exprs[inner].ty, program.exprs[cast].ty);
        let holds = |ty| !types.is_float(ty) && *types.get(ty) != Type::Bool;
        if !holds(from) || !holds(to) {
            return;
        }
        if may_invent(program, cast, inner) {
            self.add_outside(targets);
        }
        self.add_value(program, inner, lost, targets);
    }

    fn add_outside(&self, targets: &mut Targets) {
        let outside = self.memory.object(ObjectKind::Outside);
        targets.extend(outside.map(|outside| (outside, Offset::Any)));
    }

    /// Adds what the value at a place points to.
    fn add_contents(&self, program: &Program, place: PlaceId, targets: &mut Targets) {
        if program.types.is_float(program.places[place].ty) {
            return;
        }
        let mut contents = SparseSet::default();
        self.place_cells(program, place, &mut |_, cells| {
            for cell in cells {
                contents.union(&self.sets[self.representatives[cell as usize] as usize]);
            }
        });
        targets.extend(self.memory.resolve(&contents));
    }
}

fn normalise(targets: &mut Targets) {
    targets.sort_unstable();
    targets.dedup();
}

/// The function writes to where its argument of that index points.
fn writes_argument(library: Library, index: usize) -> bool {
    use Library::*;
    match library {
        Memcpy | Memmove | Memset | Strcpy | Strncpy | Strcat | Strncat | Qsort => index == 0,
        Sprintf | Snprintf | Vsprintf | Vsnprintf => index == 0,
        Free | Realloc => index == 0,
        Strtol | Strtoul | Strtoll | Strtoull | Strtod | Modf | Modff => index == 1,
        _ => false,
    }
}
