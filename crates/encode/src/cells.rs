//! The contents of one object, exact in every byte.
//!
//! An object's bytes are held in *cells*: disjoint runs of bytes, each with one term. The partition
//! follows the accesses, so that a field that is only ever read and written whole is one cell and
//! costs nothing, while unions, casts and byte-wise access cut cells apart and join them as needed.
//! Large arrays that are indexed by terms are *grids*: one array term for all elements at
//! `start + i * stride`. Bytes that no cell or grid holds are zero or unknown, by [`Fill`].

use crate::grid::{Grid, INDEX_WIDTH, Shape};
use rustc_hash::FxHashMap;
use term::{Op, Sort, TermId, TermPool};

/// What the bytes hold that have never been written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fill {
    Zero,
    /// All bits are set.
    Ones,
    /// Any value that the environment can give: pointers among them are null or point to memory of their
    /// own. Objects of one generation have the same unknown bytes.
    Unknown(u32),
    /// Any value that the program may have written: a pointer may point to anything.
    Forgotten(u32),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Cell {
    offset: u64,
    size: u64,
    /// A bit-vector of `8 * size` bits, or a float of at most that width.
    term: TermId,
}

impl Cell {
    fn end(&self) -> u64 {
        self.offset + self.size
    }
}

/// Names of variables that stand for unknown memory start with this.
const UNKNOWN: &str = "memory";

/// Names of variables that stand for forgotten memory start with this.
const FORGOTTEN: &str = "forgotten";

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cells {
    fill: Fill,
    /// Sorted by offset.
    cells: Vec<Cell>,
    grids: Vec<Grid>,
}

impl Cells {
    pub fn new(fill: Fill) -> Self {
        Self { fill, cells: Vec::new(), grids: Vec::new() }
    }

    /// Whether all bytes are known to be zero.
    pub fn is_zero(&self, pool: &TermPool) -> bool {
        let zero = |cell: &Cell| pool.small_value(cell.term) == Some(0);
        let empty = |grid: &Grid| match pool.op(grid.term) {
            Op::ConstantArray => pool.small_value(pool.children(grid.term)[0]) == Some(0),
            _ => false,
        };
        self.fill == Fill::Zero && self.cells.iter().all(zero) && self.grids.iter().all(empty)
    }

    pub fn is_forgotten(&self) -> bool {
        matches!(self.fill, Fill::Forgotten(_))
    }

    /// The terms of that many bytes that have been written as a whole.
    pub fn words(&self, pool: &mut TermPool, size: u64, most_elements: u64) -> Vec<TermId> {
        let mut words: Vec<TermId> =
            self.cells.iter().filter(|cell| cell.size == size).map(|cell| cell.term).collect();
        for grid in self.grids.iter().filter(|grid| grid.shape.size == size) {
            for index in 0..grid.shape.count.unwrap_or(most_elements).min(most_elements) {
                let index = pool.bitvec(INDEX_WIDTH, index);
                words.push(pool.select(grid.term, index));
            }
        }
        words
    }

    /// What is known apart from grids: offsets, sizes, terms.
    pub fn pieces(&self) -> impl Iterator<Item = (u64, u64, TermId)> {
        self.cells.iter().map(|cell| (cell.offset, cell.size, cell.term))
    }

    /// Whether pieces hold every byte of an object of that size that is not zero.
    pub fn is_determined(&self, size: Option<u64>) -> bool {
        let in_pieces: u64 = self.cells.iter().map(|cell| cell.size).sum();
        self.is_zero_elsewhere() || size.is_some_and(|size| in_pieces >= size)
    }

    pub fn is_zero_elsewhere(&self) -> bool {
        self.fill == Fill::Zero
    }

    /// Puts others in the place of some terms of pieces.
    pub fn replace(&mut self, others: &FxHashMap<TermId, TermId>) {
        for cell in &mut self.cells {
            cell.term = others.get(&cell.term).copied().unwrap_or(cell.term);
        }
    }

    pub fn grids(&self) -> &[Grid] {
        &self.grids
    }

    /// Makes a grid of bytes that nothing has been written to so far.
    pub fn add_grid(&mut self, pool: &mut TermPool, shape: Shape) {
        let Shape { start, stride, size, .. } = shape;
        let element = 8 * size as u32;
        let term = match self.fill {
            Fill::Zero => {
                let zero = pool.bitvec(element, 0);
                pool.constant_array(INDEX_WIDTH, zero)
            }
            Fill::Ones => {
                let ones = pool.bitvec_constant(&term::BitVec::ones(element));
                pool.constant_array(INDEX_WIDTH, ones)
            }
            Fill::Unknown(generation) => {
                let name = format!("{UNKNOWN}{generation}@{start}+{stride}x{size}");
                pool.variable(&name, Sort::Array { index: INDEX_WIDTH, element })
            }
            Fill::Forgotten(generation) => {
                let name = format!("{FORGOTTEN}{generation}@{start}+{stride}x{size}");
                pool.variable(&name, Sort::Array { index: INDEX_WIDTH, element })
            }
        };
        self.grids.push(Grid { shape, term });
    }

    /// The first cell that ends after `offset`.
    fn first_after(&self, offset: u64) -> usize {
        self.cells.partition_point(|cell| cell.end() <= offset)
    }

    /// The value of `size` bytes at `offset`, as it was written if it was written as a whole.
    pub fn read(&mut self, pool: &mut TermPool, offset: u64, size: u64) -> TermId {
        let position = self.first_after(offset);
        if let Some(cell) = self.cells.get(position)
            && (cell.offset, cell.size) == (offset, size)
        {
            return cell.term;
        }
        let term = self.gather(pool, offset, size);
        let untouched = self.cells.get(position).is_none_or(|cell| cell.offset >= offset + size);
        if untouched && !matches!(self.fill, Fill::Zero | Fill::Ones) && !self.touches_grid(offset, size) {
            // Keep what was read, so that a later read in other pieces sees the same bytes.
            self.cells.insert(position, Cell { offset, size, term });
        }
        term
    }

    fn grid_at(&self, offset: u64) -> Option<(&Grid, u64, u64)> {
        self.grids
            .iter()
            .find_map(|grid| grid.shape.locate(offset).map(|(index, within)| (grid, index, within)))
    }

    /// The first byte of a range that is in a grid.
    fn first_in_grid(&self, from: u64, to: u64) -> Option<u64> {
        let firsts = self.grids.iter().filter_map(|grid| grid.shape.first_byte_from(from));
        firsts.min().filter(|&first| first < to)
    }

    fn touches_grid(&self, offset: u64, size: u64) -> bool {
        self.first_in_grid(offset, offset + size).is_some()
    }

    /// Joins `size` bytes from wherever they are, the lowest address in the lowest bits.
    fn gather(&self, pool: &mut TermPool, offset: u64, size: u64) -> TermId {
        let end = offset + size;
        let mut at = offset;
        let mut joined: Option<TermId> = None;
        while at < end {
            let (piece, next) = self.piece(pool, at, end);
            joined = Some(match joined {
                None => piece,
                Some(low) => pool.concat(piece, low),
            });
            at = next;
        }
        joined.unwrap_or_else(|| pool.bitvec(1, 0))
    }

    /// The bytes from `at` up to the next boundary, and where that is.
    fn piece(&self, pool: &mut TermPool, at: u64, end: u64) -> (TermId, u64) {
        let next_cell = self.cells.get(self.first_after(at));
        if let Some(cell) = next_cell
            && cell.offset <= at
        {
            let stop = end.min(cell.end());
            let bits = bits_of(pool, cell.term, cell.size);
            return (slice(pool, bits, at - cell.offset, stop - cell.offset), stop);
        }
        if let Some((grid, index, within)) = self.grid_at(at) {
            let stop = end.min(at - within + grid.shape.size);
            let index = pool.bitvec(INDEX_WIDTH, index);
            let element = pool.select(grid.term, index);
            return (slice(pool, element, within, within + (stop - at)), stop);
        }
        let stop = next_cell.map_or(end, |cell| end.min(cell.offset));
        self.filler(pool, at, self.first_in_grid(at, stop).unwrap_or(stop))
    }

    /// Bytes that nobody has written. Unknown ones come in runs that do not cross multiples of 8.
    fn filler(&self, pool: &mut TermPool, at: u64, stop: u64) -> (TermId, u64) {
        match self.fill {
            Fill::Zero => (pool.bitvec(8 * (stop - at) as u32, 0), stop),
            Fill::Ones => (pool.bitvec_constant(&term::BitVec::ones(8 * (stop - at) as u32)), stop),
            Fill::Unknown(_) | Fill::Forgotten(_) => {
                let word = at / 8;
                let stop = stop.min(8 * word + 8);
                let term = match self.fill {
                    Fill::Forgotten(generation) => {
                        pool.variable(&format!("{FORGOTTEN}{generation}@{word}"), Sort::BitVec(64))
                    }
                    Fill::Unknown(generation) => unknown_word(pool, generation, word),
                    Fill::Zero | Fill::Ones => unreachable!("these are known"),
                };
                (slice(pool, term, at - 8 * word, stop - 8 * word), stop)
            }
        }
    }

    pub fn write(&mut self, pool: &mut TermPool, offset: u64, size: u64, term: TermId) {
        if size == 0 {
            return;
        }
        let position = self.first_after(offset);
        if let Some(cell) = self.cells.get_mut(position)
            && (cell.offset, cell.size) == (offset, size)
        {
            cell.term = term;
            return;
        }
        if self.touches_grid(offset, size) {
            return self.write_grid(pool, offset, size, term);
        }
        self.cut(pool, offset, offset + size);
        let position = self.first_after(offset);
        self.cells.insert(position, Cell { offset, size, term });
    }

    /// The way cells cut a range, as distances from its start and sizes.
    pub fn cuts(&self, offset: u64, size: u64) -> Vec<(u64, u64)> {
        let end = offset + size;
        let mut cuts = Vec::new();
        let mut at = offset;
        while at < end {
            let cell = self.cells.get(self.first_after(at)).filter(|cell| cell.offset <= at);
            let stop = match (cell, self.grid_at(at)) {
                (Some(cell), _) => cell.end(),
                (None, Some((grid, _, within))) => at - within + grid.shape.size,
                (None, None) => at + 1,
            };
            let stop = stop.min(end);
            cuts.push((at - offset, stop - at));
            at = stop;
        }
        cuts
    }

    /// Writes into grid elements, whole or in part.
    fn write_grid(&mut self, pool: &mut TermPool, offset: u64, size: u64, term: TermId) {
        let bits = bits_of(pool, term, size);
        let end = offset + size;
        let mut at = offset;
        while at < end {
            let Some((position, index, within)) = self.grid_position(at) else {
                let stop = self.first_in_grid(at, end).unwrap_or(end);
                let piece = slice(pool, bits, at - offset, stop - offset);
                self.cut(pool, at, stop);
                let place = self.first_after(at);
                self.cells.insert(place, Cell { offset: at, size: stop - at, term: piece });
                at = stop;
                continue;
            };
            let grid = self.grids[position];
            let stop = end.min(at - within + grid.shape.size);
            let piece = slice(pool, bits, at - offset, stop - offset);
            let index = pool.bitvec(INDEX_WIDTH, index);
            let new = if stop - at == grid.shape.size {
                piece
            } else {
                let old = pool.select(grid.term, index);
                splice(pool, old, grid.shape.size, within, piece, stop - at)
            };
            self.grids[position].term = pool.store(grid.term, index, new);
            at = stop;
        }
    }

    fn grid_position(&self, offset: u64) -> Option<(usize, u64, u64)> {
        let mut grids = self.grids.iter().enumerate();
        grids.find_map(|(position, grid)| {
            grid.shape.locate(offset).map(|(index, within)| (position, index, within))
        })
    }

    /// Removes the bytes of a range from all cells; what sticks out stays as smaller cells.
    fn cut(&mut self, pool: &mut TermPool, from: u64, to: u64) {
        let first = self.first_after(from);
        let last = self.cells.partition_point(|cell| cell.offset < to);
        if first >= last {
            return;
        }
        let mut rest = Vec::new();
        for cell in &self.cells[first..last] {
            for (start, end) in [(cell.offset, from.min(cell.end())), (to.max(cell.offset), cell.end())] {
                if start < end {
                    let bits = bits_of(pool, cell.term, cell.size);
                    let term = slice(pool, bits, start - cell.offset, end - cell.offset);
                    rest.push(Cell { offset: start, size: end - start, term });
                }
            }
        }
        self.cells.splice(first..last, rest);
    }

    /// Forgets what is in a range: zero from now on, or unknown.
    pub fn clear(&mut self, pool: &mut TermPool, offset: u64, size: u64, fill: Fill, whole: bool) {
        if whole {
            let grids = std::mem::take(&mut self.grids);
            *self = Self::new(fill);
            for grid in grids {
                self.add_grid(pool, grid.shape);
            }
            return;
        }
        let value = Cells::new(fill).gather(pool, offset, size);
        self.write(pool, offset, size, value);
    }

    /// The contents where the program is in one of two states. Bytes that neither has written, and
    /// that are filled in different ways, are forgotten: `generation`.
    pub fn merge(
        pool: &mut TermPool,
        condition: TermId,
        then: &Cells,
        otherwise: &Cells,
        generation: u32,
    ) -> Cells {
        if then.differs_in_shape(otherwise) {
            // Seen as arrays of different shapes: anything may be there.
            return Cells::new(Fill::Forgotten(generation));
        }
        let (mut left, mut right) = (then.clone(), otherwise.clone());
        left.align_grids(pool, &right);
        right.align_grids(pool, &left);
        let fill = if left.fill == right.fill { left.fill } else { Fill::Forgotten(generation) };
        let mut merged = Cells::new(fill);
        for (a, b) in left.grids.iter().zip(&right.grids) {
            debug_assert_eq!(a.shape, b.shape);
            let term = pool.ite(condition, a.term, b.term);
            merged.grids.push(Grid { term, ..*a });
        }
        for (offset, end) in boundaries(&left, &right) {
            let size = end - offset;
            let (a, b) = (left.whole(pool, offset, size), right.whole(pool, offset, size));
            let term = merge_terms(pool, condition, a, b, size);
            merged.cells.push(Cell { offset, size, term });
        }
        merged
    }

    /// Whether the two are seen as arrays of different shapes.
    fn differs_in_shape(&self, other: &Cells) -> bool {
        let mut grids = other.grids.iter();
        grids.any(|grid| self.overlaps_grid(grid.shape))
    }

    /// The term of a range that one cell covers exactly, otherwise its bits.
    fn whole(&self, pool: &mut TermPool, offset: u64, size: u64) -> TermId {
        match self.cells.get(self.first_after(offset)) {
            Some(cell) if (cell.offset, cell.size) == (offset, size) => cell.term,
            _ => self.gather(pool, offset, size),
        }
    }

    /// Makes the grids that `other` has and this has not.
    fn align_grids(&mut self, pool: &mut TermPool, other: &Cells) {
        for grid in &other.grids {
            if self.grid(grid.shape).is_none() {
                self.make_grid(pool, grid.shape);
            }
        }
        self.grids.sort_by_key(|grid| (grid.shape.start, grid.shape.stride, grid.shape.size));
    }

    /// Turns what cells hold into a grid. Existing grids stay if they do not overlap.
    pub fn make_grid(&mut self, pool: &mut TermPool, shape: Shape) {
        let mut grid_cells = Cells::new(self.fill);
        grid_cells.add_grid(pool, shape);
        let is_inside = |cell: &Cell| shape.first_byte_from(cell.offset).is_some_and(|at| at < cell.end());
        for cell in self.cells.iter().filter(|cell| is_inside(cell)) {
            grid_cells.write_grid(pool, cell.offset, cell.size, cell.term);
        }
        self.cells.retain(|cell| !is_inside(cell));
        self.cells.extend(grid_cells.cells);
        self.cells.sort_by_key(|cell| cell.offset);
        self.grids.push(grid_cells.grids[0]);
    }

    /// The grid of that shape, for reading and writing by terms.
    pub fn grid(&self, shape: Shape) -> Option<&Grid> {
        self.grids.iter().find(|grid| grid.shape == shape)
    }

    pub fn set_grid(&mut self, shape: Shape, term: TermId) {
        if let Some(grid) = self.grids.iter_mut().find(|grid| grid.shape == shape) {
            grid.term = term;
        }
    }

    /// Whether some grid of another shape may have bytes in common with one of this shape.
    pub fn overlaps_grid(&self, wanted: Shape) -> bool {
        self.grids.iter().any(|grid| grid.shape != wanted && grid.shape.may_overlap(&wanted))
    }
}

/// The ranges that cells of either side cut the object into, wherever one of them has a cell.
fn boundaries(left: &Cells, right: &Cells) -> Vec<(u64, u64)> {
    let mut points: Vec<u64> =
        left.cells.iter().chain(&right.cells).flat_map(|cell| [cell.offset, cell.end()]).collect();
    points.sort_unstable();
    points.dedup();
    let covered =
        |cells: &Cells, at: u64| cells.cells.get(cells.first_after(at)).is_some_and(|c| c.offset <= at);
    let ranges = points.windows(2).map(|pair| (pair[0], pair[1]));
    ranges.filter(|&(at, _)| covered(left, at) || covered(right, at)).collect()
}

fn merge_terms(pool: &mut TermPool, condition: TermId, a: TermId, b: TermId, size: u64) -> TermId {
    if pool.sort(a) == pool.sort(b) {
        return pool.ite(condition, a, b);
    }
    let (a, b) = (bits_of(pool, a, size), bits_of(pool, b, size));
    pool.ite(condition, a, b)
}

/// Eight bytes of unknown memory.
pub fn unknown_word(pool: &mut TermPool, generation: u32, word: u64) -> TermId {
    pool.variable(&format!("{UNKNOWN}{generation}@{word}"), Sort::BitVec(64))
}

/// Where a term is from, if it is unknown memory: the generation and the offset.
pub fn unknown_origin(pool: &TermPool, term: TermId) -> Option<(u32, u64)> {
    let (word, bit) = match pool.op(term) {
        Op::Extract => (pool.children(term)[0], pool.extract_low(term)),
        _ => (term, 0),
    };
    let (generation, word) = unknown_name(pool, word)?;
    Some((generation, 8 * word.parse::<u64>().ok()? + u64::from(bit / 8)))
}

/// The generation and the grid of unknown memory that a variable stands for.
pub fn unknown_grid(pool: &TermPool, term: TermId) -> Option<(u32, Grid)> {
    let (generation, shape) = unknown_name(pool, term)?;
    let (start, rest) = shape.split_once('+')?;
    let (stride, size) = rest.split_once('x')?;
    let [start, stride, size] = [start.parse().ok()?, stride.parse().ok()?, size.parse().ok()?];
    Some((generation, Grid { shape: Shape { start, stride, size, count: None }, term }))
}

/// The generation of unknown memory that a variable is named after, and the rest of its name.
fn unknown_name(pool: &TermPool, variable: TermId) -> Option<(u32, &str)> {
    let (generation, rest) = pool.variable_name(variable)?.strip_prefix(UNKNOWN)?.split_once('@')?;
    Some((generation.parse().ok()?, rest))
}

/// The bits of a cell's term: of a float, its representation, padded to the size.
pub fn bits_of(pool: &mut TermPool, term: TermId, size: u64) -> TermId {
    let bits = match pool.sort(term) {
        Sort::Float(_) => crate::float::to_memory(pool, term),
        _ => term,
    };
    pool.resize_unsigned(bits, 8 * size as u32)
}

/// Bytes `from..to` of a bit-vector.
fn slice(pool: &mut TermPool, bits: TermId, from: u64, to: u64) -> TermId {
    pool.extract(bits, 8 * to as u32 - 1, 8 * from as u32)
}

/// `old` (of `size` bytes) with the bytes from `at` replaced by `piece` (of `length` bytes).
fn splice(pool: &mut TermPool, old: TermId, size: u64, at: u64, piece: TermId, length: u64) -> TermId {
    let mut joined = piece;
    if at > 0 {
        let low = slice(pool, old, 0, at);
        joined = pool.concat(joined, low);
    }
    if at + length < size {
        let high = slice(pool, old, at + length, size);
        joined = pool.concat(high, joined);
    }
    joined
}
