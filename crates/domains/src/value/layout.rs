//! Where everything lies: cells, slots and addresses of all variables.

use super::collapse::Vector;
use super::heap::{Allocation, INSTANCES, allocations};
use crate::callstack::FrameSize;
use cfa::{EdgeId, FunctionId, Program, StringId, VariableId};
use rustc_hash::FxHashMap;
use sema::types::{Length, Type, TypeId, Types};
use std::rc::Rc;

/// A scalar of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cell {
    pub offset: u64,
    /// In bytes; at most 8, larger scalars have no cell.
    pub size: u32,
}

/// The cells of a type, by offset.
pub type Cells = Rc<[Cell]>;

/// Larger objects are not tracked.
const MAX_CELLS: usize = 512;
/// Nor are longer arrays inside of records.
const MAX_MEMBER_LENGTH: u64 = 16;

/// The heap gets no more slots when there are so many.
const MAX_HEAP_SLOTS: usize = 4_000;

/// Where a variable is: within the globals, or within its function's frame.
#[derive(Clone, Debug)]
pub struct Object {
    /// The first slot, from the start of the globals or of the frame.
    pub slot: u32,
    pub address: u64,
    /// Bytes; `None` if it is an array of unknown or computed length, which has no address.
    pub size: Option<u64>,
    pub cells: Cells,
}

/// Of all locals, at most.
const FRAME_ALIGNMENT: u64 = 1 << 12;

/// Regions of the address space. All fit 32 bits.
const FUNCTIONS: u64 = 0x0000_1000;
const LABELS: u64 = 0x0400_0000;
const GLOBALS: u64 = 0x0800_0000;
/// Between objects, so that a pointer past the end of one is not the address of the next.
const GAP: u64 = 16;

pub struct Layout {
    /// By variable; those of functions are relative to the frame.
    pub objects: Vec<Object>,
    /// Where results of functions are kept until the caller takes them, at the start of the frame.
    pub results: Vec<Cells>,
    pub frames: Vec<FrameSize>,
    pub global_slots: u32,
    /// (address, what is there), ascending.
    globals: Vec<(u64, Owner)>,
    /// Objects that calls allocate, those of each call together.
    pub heap: Vec<Object>,
    pub sites: FxHashMap<EdgeId, HeapSite>,
    strings: Vec<(u64, StringId)>,
    /// The address of each string.
    pub string_addresses: Vec<u64>,
    /// Local objects by function: (address in frame, variable), ascending.
    locals: Vec<Vec<(u64, VariableId)>>,
    pub stack_start: u64,
    cells: FxHashMap<TypeId, Cells>,
}

/// The objects of one call that allocates.
#[derive(Clone, Debug)]
pub struct HeapSite {
    /// Says how many have been allocated.
    pub counter: u32,
    /// Into [`Layout::heap`].
    pub objects: std::ops::Range<usize>,
    pub zeroed: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Owner {
    Variable(VariableId),
    Heap(usize),
}

/// What is at an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    Variable(VariableId, u64),
    /// An index into [`Layout::heap`].
    Heap(usize, u64),
    String(StringId, u64),
}

impl Layout {
    pub fn new(program: &Program) -> Self {
        let functions = program.functions.len();
        let empty = Object { slot: 0, address: 0, size: Some(0), cells: Rc::new([]) };
        let mut layout = Self {
            objects: vec![empty; program.variables.len()],
            results: std::iter::repeat_with(|| Cells::from([])).take(functions).collect(),
            frames: vec![FrameSize { slots: 0, bytes: 0 }; functions],
            global_slots: 0,
            globals: Vec::new(),
            heap: Vec::new(),
            sites: FxHashMap::default(),
            strings: Vec::new(),
            string_addresses: Vec::new(),
            locals: vec![Vec::new(); functions],
            stack_start: 0,
            cells: FxHashMap::default(),
        };
        let mut cursor = Cursor { slot: 0, address: GLOBALS };
        layout.add_globals(program, &mut cursor);
        layout.add_heap(program, &mut cursor);
        layout.add_strings(program, &mut cursor);
        layout.global_slots = cursor.chunk_aligned();
        layout.stack_start = cursor.address.next_multiple_of(1 << 16);
        for (function, _, body) in program.defined_functions() {
            let variables = body.parameters.iter().chain(&body.locals).copied();
            layout.add_frame(program, function, variables);
        }
        layout
    }

    fn add_globals(&mut self, program: &Program, cursor: &mut Cursor) {
        for (id, variable) in program.variables.enumerated() {
            if variable.kind.is_global() {
                let address = self.add_object(program, id, cursor);
                self.globals.push((address, Owner::Variable(id)));
            }
        }
    }

    fn add_heap(&mut self, program: &Program, cursor: &mut Cursor) {
        for allocation in allocations(program) {
            let cells = self.allocated_cells(program, &allocation);
            if cells.is_empty() || cursor.slot as usize > MAX_HEAP_SLOTS {
                continue;
            }
            let counter = cursor.slot;
            cursor.slot += 1;
            let start = self.heap.len();
            for _ in 0..INSTANCES {
                let address = cursor.take(allocation.size, 16);
                self.globals.push((address, Owner::Heap(self.heap.len())));
                let slot = cursor.slot;
                cursor.slot += cells.len() as u32;
                self.heap.push(Object { slot, address, size: Some(allocation.size), cells: cells.clone() });
            }
            let site = HeapSite { counter, objects: start..self.heap.len(), zeroed: allocation.zeroed };
            self.sites.insert(allocation.edge, site);
        }
    }

    /// The cells of an array of the element type.
    fn allocated_cells(&mut self, program: &Program, allocation: &Allocation) -> Cells {
        let Some(element) = allocation.element else { return Rc::new([]) };
        let Some(size) = program.types.size_of(element).filter(|size| allocation.size.is_multiple_of(*size))
        else {
            return Rc::new([]);
        };
        let cells = self.cells_of(&program.types, element);
        let count = allocation.size / size;
        if cells.len() as u64 * count > MAX_CELLS as u64 {
            return Rc::new([]);
        }
        let shifted = |index: u64| {
            let shift = move |cell: &Cell| Cell { offset: cell.offset + index * size, ..*cell };
            cells.iter().map(shift).collect::<Vec<_>>()
        };
        (0..count).flat_map(shifted).collect()
    }

    fn add_strings(&mut self, program: &Program, cursor: &mut Cursor) {
        for (id, string) in program.strings.enumerated() {
            let address = cursor.take(string.bytes.len() as u64, 1);
            self.strings.push((address, id));
            self.string_addresses.push(address);
        }
    }

    fn add_frame(
        &mut self,
        program: &Program,
        function: FunctionId,
        variables: impl Iterator<Item = VariableId>,
    ) {
        let result = match *program.types.get(program.functions[function].ty) {
            Type::Function { result, .. } => self.cells_of(&program.types, result),
            _ => Rc::new([]),
        };
        let mut cursor = Cursor { slot: result.len() as u32, address: 0 };
        self.results[function.0 as usize] = result;
        for variable in variables {
            let address = self.add_object(program, variable, &mut cursor);
            self.locals[function.0 as usize].push((address, variable));
        }
        let bytes = (cursor.address + GAP).next_multiple_of(FRAME_ALIGNMENT);
        let size = FrameSize { slots: cursor.chunk_aligned(), bytes };
        self.frames[function.0 as usize] = size;
    }

    fn add_object(&mut self, program: &Program, id: VariableId, cursor: &mut Cursor) -> u64 {
        let variable = &program.variables[id];
        let types = &program.types;
        let size = types.size_of(variable.ty);
        let alignment = variable.alignment.unwrap_or(1).max(types.align_of(variable.ty).unwrap_or(1)).max(1);
        let address = cursor.take(size.unwrap_or(0), alignment);
        let cells = self.cells_of(types, variable.ty);
        let slot = cursor.slot;
        cursor.slot += cells.len() as u32;
        self.objects[id.0 as usize] = Object { slot, address, size, cells };
        address
    }

    /// The cells of a type; none if there would be too many.
    pub fn cells_of(&mut self, types: &Types, ty: TypeId) -> Cells {
        let ty = ty.unqualified();
        if let Some(cells) = self.cells.get(&ty) {
            return cells.clone();
        }
        let mut list = Vec::new();
        let complete = add_cells(types, ty, 0, &mut list).is_some();
        let cells: Cells = if complete { separate(list) } else { Rc::new([]) };
        self.cells.insert(ty, cells.clone());
        cells
    }

    pub fn function_address(function: FunctionId) -> u64 {
        FUNCTIONS + 16 * u64::from(function.0)
    }

    pub fn function_at(program: &Program, address: u64) -> Option<FunctionId> {
        let index = address.checked_sub(FUNCTIONS).filter(|offset| offset % 16 == 0)? / 16;
        let id = FunctionId(u32::try_from(index).ok()?);
        ((id.0 as usize) < program.functions.len() && address < LABELS).then_some(id)
    }

    pub fn label_address(label: u32) -> u64 {
        LABELS + 16 * u64::from(label)
    }

    /// The global variable or string at an address.
    pub fn global_at(&self, program: &Program, address: u64) -> Option<Place> {
        let within = |start: u64, size: Option<u64>| Some(address - start) <= size;
        let index = self.globals.partition_point(|&(start, _)| start <= address);
        let found = index.checked_sub(1).and_then(|index| self.globals.get(index));
        match found {
            Some(&(start, Owner::Variable(variable)))
                if within(start, self.objects[variable.0 as usize].size) =>
            {
                return Some(Place::Variable(variable, address - start));
            }
            Some(&(start, Owner::Heap(object))) if within(start, self.heap[object].size) => {
                return Some(Place::Heap(object, address - start));
            }
            _ => {}
        }
        let index = self.strings.partition_point(|&(start, _)| start <= address);
        let &(start, string) = index.checked_sub(1).and_then(|index| self.strings.get(index))?;
        let size = program.strings[string].bytes.len() as u64;
        within(start, Some(size)).then_some(Place::String(string, address - start))
    }

    /// The variable at an address within a function's frame.
    pub fn local_at(&self, function: FunctionId, address: u64) -> Option<(VariableId, u64)> {
        let locals = &self.locals[function.0 as usize];
        let index = locals.partition_point(|&(start, _)| start <= address);
        let &(start, variable) = index.checked_sub(1).and_then(|index| locals.get(index))?;
        let offset = address - start;
        (Some(offset) <= self.objects[variable.0 as usize].size).then_some((variable, offset))
    }
}

struct Cursor {
    slot: u32,
    address: u64,
}

impl Cursor {
    fn take(&mut self, size: u64, alignment: u64) -> u64 {
        let address = (self.address + GAP).next_multiple_of(alignment.max(16));
        self.address = address + size;
        address
    }

    fn chunk_aligned(&self) -> u32 {
        let mut vector = Vector::default();
        vector.resize(self.slot as usize);
        vector.len() as u32
    }
}

/// Adds the scalars of a type; `None` if there are too many, or one has no fixed place.
fn add_cells(types: &Types, ty: TypeId, offset: u64, cells: &mut Vec<Cell>) -> Option<()> {
    if cells.len() > MAX_CELLS {
        return None;
    }
    match *types.get(ty) {
        Type::Array { element, length: Length::Known(length) } => {
            let size = types.size_of(element)?;
            if length > MAX_CELLS as u64 {
                return None;
            }
            (0..length).try_for_each(|index| add_cells(types, element, offset + index * size, cells))
        }
        Type::Record(_) => add_fields(types, ty, offset, cells),
        Type::Array { .. } | Type::Void | Type::Function { .. } | Type::Complex(_) | Type::VaList => Some(()),
        _ => {
            let size = types.size_of(ty)?;
            if size <= 8 {
                cells.push(Cell { offset, size: size as u32 });
            }
            Some(())
        }
    }
}

/// Bit-fields become bytes; of a union, all members are listed.
fn add_fields(types: &Types, ty: TypeId, offset: u64, cells: &mut Vec<Cell>) -> Option<()> {
    for field in types.fields(ty) {
        match field.bits {
            None if is_long_array(types, field.ty) => {}
            None => add_cells(types, field.ty, offset + field.offset, cells)?,
            Some(bits) => {
                let first = u64::from(bits.start / 8);
                let last = u64::from((bits.start + bits.width.max(1) - 1) / 8);
                cells.extend(
                    (first..=last).map(|byte| Cell { offset: offset + field.offset + byte, size: 1 }),
                );
            }
        }
    }
    (cells.len() <= MAX_CELLS).then_some(())
}

/// A member that is not worth tracking: a buffer among scalars.
fn is_long_array(types: &Types, ty: TypeId) -> bool {
    matches!(*types.get(ty), Type::Array { length: Length::Known(length), .. } if length > MAX_MEMBER_LENGTH)
}

/// Cells that do not overlap: of those that do, the one that comes first in the type is kept.
fn separate(list: Vec<Cell>) -> Cells {
    let mut kept: Vec<Cell> = Vec::with_capacity(list.len());
    let overlap = |a: &Cell, b: &Cell| {
        a.offset < b.offset + u64::from(b.size) && b.offset < a.offset + u64::from(a.size)
    };
    let mut sorted = list.iter().is_sorted_by_key(|cell| cell.offset);
    sorted &= list.windows(2).all(|pair| !overlap(&pair[0], &pair[1]));
    if sorted {
        return list.into();
    }
    for cell in list {
        if !kept.iter().any(|other| overlap(&cell, other)) {
            kept.push(cell);
        }
    }
    kept.sort_by_key(|cell| cell.offset);
    kept.into()
}
