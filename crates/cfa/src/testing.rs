//! Support for tests: random numbers, random graphs, and programs built by hand.

use crate::graph::Graph;
use crate::program::*;
use base::{Arena, Interner, ListPool, Range, SourceMap, Span};
use sema::types::{DataModel, Type, TypeId, Types};

/// A small deterministic generator (xorshift).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

/// Up to `max` nodes with any edges, few or many.
pub fn random_graph(random: &mut Random, max: usize) -> Graph {
    let count = 1 + random.below(max);
    let edge_count = random.below(count * 5 / 2 + 1);
    let edges: Vec<(u32, u32)> =
        (0..edge_count).map(|_| (random.below(count) as u32, random.below(count) as u32)).collect();
    Graph::new(count, edges.iter().copied())
}

/// A program of one function whose control flow is the graph, entered at node 0, with an exit
/// location added; all edges are skips.
pub fn flow_program(graph: &Graph) -> Program {
    let mut builder = Builder::new();
    let main = builder.function("main", &[], graph.node_count() + 1);
    for (from, to) in graph.edges() {
        builder.edge(main, from, to, EdgeKind::Skip);
    }
    builder.finish(main)
}

struct Draft {
    parameters: Vec<VariableId>,
    locals: Vec<VariableId>,
    location_count: u32,
    edges: Vec<(u32, u32, EdgeKind)>,
}

/// Builds a program piece by piece. Locations of a function are numbered from 0, which is the
/// entry; the last one is the exit.
pub struct Builder {
    pub program: Program,
    drafts: Vec<Option<Draft>>,
}

impl Builder {
    pub fn new() -> Self {
        let program = Program {
            types: Types::new(DataModel::Lp64),
            names: Interner::default(),
            sources: SourceMap::default(),
            variables: Arena::new(),
            functions: Arena::new(),
            locations: Arena::new(),
            edges: Arena::new(),
            exprs: Arena::new(),
            places: Arena::new(),
            calls: Arena::new(),
            strings: Arena::new(),
            floats: Arena::new(),
            projections: ListPool::default(),
            expr_lists: ListPool::default(),
            edge_lists: ListPool::default(),
            vlas: Arena::new(),
            labels: Vec::new(),
            entry: FunctionId(0),
            main: None,
            environment: Environment::default(),
        };
        Self { program, drafts: Vec::new() }
    }

    pub fn function(&mut self, name: &str, parameter_types: &[TypeId], locations: usize) -> FunctionId {
        let id = self.declare(name, parameter_types);
        let parameters = parameter_types
            .iter()
            .enumerate()
            .map(|(i, &ty)| self.variable(&format!("p{i}"), ty, VariableKind::Parameter(id)))
            .collect();
        let location_count = locations as u32;
        self.drafts[id.0 as usize] =
            Some(Draft { parameters, locals: Vec::new(), location_count, edges: Vec::new() });
        id
    }

    pub fn declare(&mut self, name: &str, parameter_types: &[TypeId]) -> FunctionId {
        let name_symbol = self.program.names.intern(name);
        let ty = self.program.types.intern(Type::Function {
            result: TypeId::INT,
            parameters: parameter_types.into(),
            variadic: false,
            prototype: true,
        });
        let library = crate::library::Library::of_name(name);
        self.drafts.push(None);
        self.program.functions.push(Function { name: name_symbol, ty, body: None, library, span: Span::NONE })
    }

    pub fn variable(&mut self, name: &str, ty: TypeId, kind: VariableKind) -> VariableId {
        let name = self.program.names.intern(name);
        let variable = Variable { name, ty, kind, address_taken: false, alignment: None, span: Span::NONE };
        let id = self.program.variables.push(variable);
        if let VariableKind::Local(function) | VariableKind::Temporary(function) = kind
            && let Some(draft) = &mut self.drafts[function.0 as usize]
        {
            draft.locals.push(id);
        }
        id
    }

    pub fn parameter(&self, function: FunctionId, index: usize) -> VariableId {
        self.drafts[function.0 as usize].as_ref().expect("a function made with a body").parameters[index]
    }

    pub fn edge(&mut self, function: FunctionId, from: u32, to: u32, kind: EdgeKind) {
        let draft = self.drafts[function.0 as usize].as_mut().expect("a function made with a body");
        draft.edges.push((from, to, kind));
    }

    pub fn place(&mut self, variable: VariableId) -> PlaceId {
        let ty = self.program.variables[variable].ty;
        let base = PlaceBase::Variable(variable);
        self.program.places.push(Place { base, projections: Range::EMPTY, ty })
    }

    pub fn projected(&mut self, base: PlaceBase, projections: &[Projection], ty: TypeId) -> PlaceId {
        let projections = self.program.projections.push(projections.iter().copied());
        self.program.places.push(Place { base, projections, ty })
    }

    pub fn dereference(&mut self, pointer: ExprId) -> PlaceId {
        let ty = self.program.exprs[pointer].ty;
        let ty = self.program.types.pointee(ty).unwrap_or(TypeId::INT);
        self.projected(PlaceBase::Dereference(pointer), &[], ty)
    }

    pub fn expr(&mut self, kind: ExprKind, ty: TypeId) -> ExprId {
        self.program.exprs.push(Expr { kind, ty, span: Span::NONE })
    }

    pub fn int(&mut self, value: u64) -> ExprId {
        self.expr(ExprKind::Int(value), TypeId::INT)
    }

    pub fn load(&mut self, variable: VariableId) -> ExprId {
        let place = self.place(variable);
        self.load_place(place)
    }

    pub fn load_place(&mut self, place: PlaceId) -> ExprId {
        let ty = self.program.places[place].ty;
        self.expr(ExprKind::Load(place), ty)
    }

    pub fn address(&mut self, place: PlaceId) -> ExprId {
        if let PlaceBase::Variable(variable) = self.program.places[place].base {
            self.program.variables[variable].address_taken = true;
        }
        let ty = self.program.places[place].ty;
        let ty = self.program.types.pointer_to(ty);
        self.expr(ExprKind::AddressOf(place), ty)
    }

    pub fn binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId) -> ExprId {
        self.expr(ExprKind::Binary { op, left, right }, TypeId::INT)
    }

    pub fn assign(&mut self, target: VariableId, value: ExprId) -> EdgeKind {
        EdgeKind::Assign { target: self.place(target), value }
    }

    pub fn call(&mut self, callee: Callee, arguments: &[ExprId], result: Option<PlaceId>) -> EdgeKind {
        let arguments = self.program.expr_lists.push(arguments.iter().copied());
        EdgeKind::Call(self.program.calls.push(Call { callee, arguments, result }))
    }

    /// Lays out locations and edges; `entry` is where the program starts.
    pub fn finish(mut self, entry: FunctionId) -> Program {
        for (index, draft) in std::mem::take(&mut self.drafts).into_iter().enumerate() {
            if let Some(draft) = draft {
                self.lay_out(FunctionId(index as u32), draft);
            }
        }
        self.program.entry = entry;
        self.program.main = Some(entry);
        self.program
    }

    fn lay_out(&mut self, function: FunctionId, mut draft: Draft) {
        let program = &mut self.program;
        let first_location = program.locations.len() as u32;
        let first_edge = program.edges.len() as u32;
        draft.edges.sort_by_key(|&(from, ..)| from);
        for &(from, to, kind) in &draft.edges {
            let (from, to) = (LocationId(first_location + from), LocationId(first_location + to));
            program.edges.push(Edge { from, to, kind, span: Span::NONE });
        }
        for node in 0..draft.location_count {
            let start = draft.edges.partition_point(|&(from, ..)| from < node) as u32;
            let end = draft.edges.partition_point(|&(from, ..)| from <= node) as u32;
            let into = draft.edges.iter().enumerate().filter(|(_, e)| e.1 == node);
            let into: Vec<EdgeId> = if draft.location_count > 1000 {
                Vec::new() // Quadratic, and not asked for in large tests.
            } else {
                into.map(|(i, _)| EdgeId(first_edge + i as u32)).collect()
            };
            let entering = program.edge_lists.push(into);
            let first_edge = EdgeId(first_edge + start);
            program.locations.push(Location { function, first_edge, edge_count: end - start, entering });
        }
        program.functions[function].body = Some(Body {
            parameters: draft.parameters,
            locals: draft.locals,
            entry: LocationId(first_location),
            exit: LocationId(first_location + draft.location_count - 1),
            locations: first_location..first_location + draft.location_count,
            edges: first_edge..first_edge + draft.edges.len() as u32,
        });
    }
}

/// A function `main` of random integer assignments, conditions and joins over three locals.
pub fn random_program(random: &mut Random, max_locations: usize) -> Program {
    let mut builder = Builder::new();
    let count = 2 + random.below(max_locations);
    let main = builder.function("main", &[], count + 1);
    let variables: Vec<VariableId> = ["x", "y", "z"]
        .iter()
        .map(|name| builder.variable(name, TypeId::INT, VariableKind::Local(main)))
        .collect();
    for from in 0..count as u32 {
        let mut target = || random.below(count + 1) as u32;
        let (first, second) = (target(), target());
        match random.below(8) {
            0..=3 => {
                let kind = random_assignment(&mut builder, random, &variables);
                builder.edge(main, from, first, kind);
            }
            4..=6 => {
                let condition = random_value(&mut builder, random, &variables);
                builder.edge(main, from, first, EdgeKind::Assume { condition, truth: true });
                builder.edge(main, from, second, EdgeKind::Assume { condition, truth: false });
            }
            _ if random.below(3) == 0 => {}
            _ => builder.edge(main, from, first, EdgeKind::Skip),
        }
    }
    builder.finish(main)
}

fn random_assignment(builder: &mut Builder, random: &mut Random, variables: &[VariableId]) -> EdgeKind {
    let target = random.pick(variables);
    let value = random_value(builder, random, variables);
    builder.assign(target, value)
}

fn random_value(builder: &mut Builder, random: &mut Random, variables: &[VariableId]) -> ExprId {
    let left = builder.load(random.pick(variables));
    let right = match random.below(2) {
        0 => builder.int(random.below(3) as u64),
        _ => builder.load(random.pick(variables)),
    };
    let op = random.pick(&[BinaryOp::Add, BinaryOp::Less, BinaryOp::Equal, BinaryOp::BitXor]);
    builder.binary(op, left, right)
}
