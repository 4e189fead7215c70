//! The arena of terms.
//!
//! A term is 16 bytes: operator, sort, and up to three words that are children, a constant of up
//! to 64 bits, or an index into a side table. Equal terms are the same [`TermId`]: an
//! open-addressing table over the nodes finds a term that is there already. Children have smaller
//! ids than their parents, so the order of ids is a topological order.
//!
//! This file only stores. What terms are built in the first place is decided by the builder methods
//! in `rewrite`, which all end in `TermPool::intern`.

use crate::bitvec::BitVec;
use crate::float::FloatValue;
use crate::op::{Op, RoundingMode};
use crate::rewrite::array::Stretches;
use crate::rewrite::choices::Chosen;
use crate::sort::{FloatFormat, Sort};
use crate::value::Value;
use base::{Interner, Symbol, define_id};
use dashu::integer::IBig;
use rustc_hash::FxHashMap;

define_id! {
    /// A term of a [`TermPool`].
    TermId
}

/// One term as it is stored.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Node {
    op: Op,
    /// The rounding mode, where the operator has one.
    extra: u8,
    sort: u16,
    arguments: [TermId; 3],
}

const NO_TERM: TermId = TermId(0);

impl Node {
    #[inline]
    fn hash(&self) -> u32 {
        const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
        let [a, b, c] = self.arguments.map(|argument| u64::from(argument.0));
        let head = u64::from(self.sort) << 16 | (self.op as u64) << 8 | u64::from(self.extra);
        let mut hash = (head | c << 32).wrapping_mul(FACTOR);
        hash = (hash.rotate_left(26) ^ (a | b << 32)).wrapping_mul(FACTOR);
        (hash >> 32) as u32 ^ hash as u32
    }
}

/// Interned values that do not fit a node.
#[derive(Clone)]
struct SideTable<T> {
    items: Vec<T>,
    index: FxHashMap<T, u32>,
}

impl<T: Clone + Eq + std::hash::Hash> SideTable<T> {
    fn new() -> Self {
        Self { items: Vec::new(), index: FxHashMap::default() }
    }

    fn intern(&mut self, item: T) -> u32 {
        if let Some(&index) = self.index.get(&item) {
            return index;
        }
        let index = u32::try_from(self.items.len()).expect("at most 2^32 constants");
        self.items.push(item.clone());
        self.index.insert(item, index);
        index
    }
}

/// All terms of a run, and the way to build more.
#[derive(Clone)]
pub struct TermPool {
    nodes: Vec<Node>,
    /// Term id + 1, or 0 for a free slot. Its length is a power of two.
    slots: Vec<u32>,
    sorts: SideTable<Sort>,
    /// The sort of the last term that was built, and its index: most often the next one has it, too.
    last_sort: (Sort, u16),
    names: Interner,
    /// Bit-vectors of more than 64 bits.
    wide: SideTable<BitVec>,
    /// Integers that are not an `i64`.
    integers: SideTable<IBig>,
    fresh: u32,
    pub(crate) stretches: Stretches,
    /// Differences of pairs of terms as choices between constants, where they are that.
    pub(crate) choices: FxHashMap<(TermId, TermId), Option<Chosen>>,
    /// How many nodes of long sums and chains have been looked at.
    pub(crate) looked_at: usize,
    /// How many rewrite rules are in the middle of applying each other.
    pub(crate) depth: u32,
    /// How many rules have been applied for the term that is being built.
    pub(crate) work: u32,
}

impl Default for TermPool {
    fn default() -> Self {
        Self::new()
    }
}

impl TermPool {
    pub const FALSE: TermId = TermId(0);
    pub const TRUE: TermId = TermId(1);

    pub fn new() -> Self {
        let mut pool = Self {
            nodes: Vec::new(),
            slots: vec![0; 1024],
            sorts: SideTable::new(),
            last_sort: (Sort::Int, u16::MAX),
            names: Interner::default(),
            wide: SideTable::new(),
            integers: SideTable::new(),
            fresh: 0,
            stretches: Stretches::default(),
            choices: FxHashMap::default(),
            looked_at: 0,
            depth: 0,
            work: 0,
        };
        for truth in [0, 1] {
            pool.intern_raw(Op::Constant, 0, Sort::Bool, [TermId(truth), NO_TERM, NO_TERM]);
        }
        pool
    }

    /// All terms, parts before wholes.
    pub fn ids(&self) -> impl Iterator<Item = TermId> + use<> {
        (0..self.len() as u32).map(TermId)
    }

    /// The number of terms; ids are dense from 0.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        false
    }

    #[inline]
    pub fn op(&self, term: TermId) -> Op {
        self.nodes[term.0 as usize].op
    }

    #[inline]
    pub fn sort(&self, term: TermId) -> Sort {
        self.sorts.items[usize::from(self.nodes[term.0 as usize].sort)]
    }

    #[inline]
    pub fn children(&self, term: TermId) -> &[TermId] {
        let node = &self.nodes[term.0 as usize];
        &node.arguments[..node.op.arity()]
    }

    #[inline]
    pub(crate) fn child(&self, term: TermId, index: usize) -> TermId {
        self.nodes[term.0 as usize].arguments[index]
    }

    /// The two operands, if the term has this binary operator.
    #[inline]
    pub(crate) fn operands(&self, term: TermId, op: Op) -> Option<(TermId, TermId)> {
        let node = &self.nodes[term.0 as usize];
        (node.op == op).then_some((node.arguments[0], node.arguments[1]))
    }

    /// The operand, if the term has this unary operator.
    #[inline]
    pub(crate) fn operand(&self, term: TermId, op: Op) -> Option<TermId> {
        let node = &self.nodes[term.0 as usize];
        (node.op == op).then_some(node.arguments[0])
    }

    /// Condition and branches, if the term is an `Ite`.
    #[inline]
    pub(crate) fn branches(&self, term: TermId) -> Option<(TermId, TermId, TermId)> {
        let node = &self.nodes[term.0 as usize];
        let [condition, then, otherwise] = node.arguments;
        (node.op == Op::Ite).then_some((condition, then, otherwise))
    }

    /// The lowest bit that an `Extract` takes.
    pub fn extract_low(&self, term: TermId) -> u32 {
        debug_assert_eq!(self.op(term), Op::Extract);
        self.child(term, 1).0
    }

    /// The rounding mode of an operator that has one.
    pub fn rounding_mode(&self, term: TermId) -> RoundingMode {
        RoundingMode::from_index(self.nodes[term.0 as usize].extra)
    }

    /// The width of a bit-vector term.
    ///
    /// # Panics
    /// If it is not one.
    #[inline]
    #[track_caller]
    pub fn width(&self, term: TermId) -> u32 {
        match self.sort(term) {
            Sort::BitVec(width) => width,
            sort => panic!("{sort:?} is not a bit-vector sort"),
        }
    }

    /// The format of a float term.
    ///
    /// # Panics
    /// If it is not one.
    #[track_caller]
    pub fn format(&self, term: TermId) -> FloatFormat {
        match self.sort(term) {
            Sort::Float(format) => format,
            sort => panic!("{sort:?} is not a float sort"),
        }
    }

    #[inline]
    pub fn is_constant(&self, term: TermId) -> bool {
        self.op(term) == Op::Constant
    }

    /// The truth value of a Boolean constant.
    pub fn truth_value(&self, term: TermId) -> Option<bool> {
        match term {
            Self::FALSE => Some(false),
            Self::TRUE => Some(true),
            _ => None,
        }
    }

    /// The value of a bit-vector constant of up to 64 bits.
    #[inline]
    pub fn small_value(&self, term: TermId) -> Option<u64> {
        let node = &self.nodes[term.0 as usize];
        if node.op != Op::Constant {
            return None;
        }
        self.sort(term).width().filter(|&width| width <= 64)?;
        Some(u64::from(node.arguments[0].0) | u64::from(node.arguments[1].0) << 32)
    }

    /// The value of a bit-vector constant.
    pub fn bitvec_value(&self, term: TermId) -> Option<BitVec> {
        if !self.is_constant(term) {
            return None;
        }
        let width = self.sort(term).width()?;
        Some(self.stored_bits(term, width))
    }

    /// The value of a float constant.
    pub fn float_value(&self, term: TermId) -> Option<FloatValue> {
        if !self.is_constant(term) {
            return None;
        }
        let format = self.sort(term).format()?;
        Some(FloatValue::from_bits(format, self.stored_bits(term, format.width())))
    }

    /// The value of an integer constant.
    pub fn int_value(&self, term: TermId) -> Option<IBig> {
        if !self.is_constant(term) || self.sort(term) != Sort::Int {
            return None;
        }
        let [low, high, wide] = self.nodes[term.0 as usize].arguments;
        if wide != NO_TERM {
            return Some(self.integers.items[low.0 as usize].clone());
        }
        Some(IBig::from((u64::from(low.0) | u64::from(high.0) << 32) as i64))
    }

    /// The value of a constant of any sort; `None` if the term is not a constant.
    pub fn value(&self, term: TermId) -> Option<Value> {
        if !self.is_constant(term) {
            return None;
        }
        match self.sort(term) {
            Sort::Bool => self.truth_value(term).map(Value::Bool),
            Sort::BitVec(_) => self.bitvec_value(term).map(Value::BitVec),
            Sort::Float(_) => self.float_value(term).map(Value::Float),
            Sort::Int => self.int_value(term).map(Value::Int),
            Sort::Array { .. } => None,
        }
    }

    fn stored_bits(&self, term: TermId, width: u32) -> BitVec {
        let [low, high, _] = self.nodes[term.0 as usize].arguments;
        if width <= 64 {
            BitVec::new(width, u64::from(low.0) | u64::from(high.0) << 32)
        } else {
            self.wide.items[low.0 as usize].clone()
        }
    }

    #[inline]
    fn small_constant(&mut self, sort: Sort, bits: u64) -> TermId {
        let words = [TermId(bits as u32), TermId((bits >> 32) as u32), NO_TERM];
        self.intern_raw(Op::Constant, 0, sort, words)
    }

    fn bits_constant(&mut self, sort: Sort, bits: &BitVec) -> TermId {
        if let Some(bits) = bits.small() {
            return self.small_constant(sort, bits);
        }
        let index = self.wide.intern(bits.clone());
        self.intern_raw(Op::Constant, 0, sort, [TermId(index), NO_TERM, NO_TERM])
    }

    pub fn truth(&self, value: bool) -> TermId {
        if value { Self::TRUE } else { Self::FALSE }
    }

    /// The bit-vector `value` modulo 2^width.
    #[inline]
    pub fn bitvec(&mut self, width: u32, value: u64) -> TermId {
        if width <= 64 {
            return self.small_constant(Sort::BitVec(width), value & crate::bitvec::mask(width));
        }
        self.bitvec_constant(&BitVec::new(width, value))
    }

    pub fn bitvec_constant(&mut self, value: &BitVec) -> TermId {
        self.bits_constant(Sort::BitVec(value.width()), value)
    }

    pub fn float_constant(&mut self, value: &FloatValue) -> TermId {
        self.bits_constant(Sort::Float(value.format()), value.bits())
    }

    pub fn int_constant(&mut self, value: &IBig) -> TermId {
        if let Ok(value) = i64::try_from(value) {
            return self.small_constant(Sort::Int, value as u64);
        }
        let index = self.integers.intern(value.clone());
        self.intern_raw(Op::Constant, 0, Sort::Int, [TermId(index), NO_TERM, TermId(1)])
    }

    /// The term for a value of any sort.
    pub fn constant(&mut self, value: &Value) -> TermId {
        match value {
            Value::Bool(value) => self.truth(*value),
            Value::BitVec(value) => self.bitvec_constant(value),
            Value::Float(value) => self.float_constant(value),
            Value::Int(value) => self.int_constant(value),
            Value::Array(array) => {
                let default = self.bitvec_constant(array.default_value());
                let mut term = self.constant_array(array.index_width(), default);
                for (index, element) in array.entries() {
                    let index = self.bitvec_constant(index);
                    let element = self.bitvec_constant(element);
                    term = self.store(term, index, element);
                }
                term
            }
        }
    }

    /// The variable of this name and sort. Variables of one name and different sorts differ, but
    /// printing assumes that this does not happen.
    pub fn variable(&mut self, name: &str, sort: Sort) -> TermId {
        let symbol = self.names.intern(name);
        self.intern_raw(Op::Variable, 0, sort, [TermId(symbol.0), NO_TERM, NO_TERM])
    }

    /// A variable whose name starts with `prefix` and has not been used so far.
    pub fn fresh_variable(&mut self, prefix: &str, sort: Sort) -> TermId {
        loop {
            let name = format!("{prefix}!{}", self.fresh);
            self.fresh += 1;
            if self.names.lookup(&name).is_none() {
                return self.variable(&name, sort);
            }
        }
    }

    /// The name of a variable.
    pub fn variable_name(&self, term: TermId) -> Option<&str> {
        (self.op(term) == Op::Variable).then(|| self.names.resolve(Symbol(self.child(term, 0).0)))
    }

    #[inline]
    pub(crate) fn intern<const N: usize>(&mut self, op: Op, sort: Sort, children: [TermId; N]) -> TermId {
        self.intern_rounded(op, RoundingMode::NearestEven, sort, children)
    }

    #[inline]
    pub(crate) fn intern_rounded<const N: usize>(
        &mut self,
        op: Op,
        mode: RoundingMode,
        sort: Sort,
        children: [TermId; N],
    ) -> TermId {
        let mut arguments = [NO_TERM; 3];
        arguments[..N].copy_from_slice(&children);
        self.intern_raw(op, mode as u8, sort, arguments)
    }

    #[inline]
    fn sort_index(&mut self, sort: Sort) -> u16 {
        if self.last_sort.0 != sort || self.last_sort.1 == u16::MAX {
            let index = u16::try_from(self.sorts.intern(sort)).ok().filter(|&index| index < u16::MAX);
            self.last_sort = (sort, index.expect("less than 2^16 sorts"));
        }
        self.last_sort.1
    }

    fn intern_raw(&mut self, op: Op, extra: u8, sort: Sort, arguments: [TermId; 3]) -> TermId {
        let node = Node { op, extra, sort: self.sort_index(sort), arguments };
        if self.is_full(1) {
            self.grow();
        }
        let mask = self.slots.len() - 1;
        let mut slot = node.hash() as usize & mask;
        loop {
            match self.slots[slot] {
                0 => break,
                found if self.nodes[found as usize - 1] == node => return TermId(found - 1),
                _ => slot = (slot + 1) & mask,
            }
        }
        let id = u32::try_from(self.nodes.len()).expect("at most 2^32 terms");
        self.nodes.push(node);
        self.slots[slot] = id + 1;
        TermId(id)
    }

    /// How many bytes the table takes at once when there are so many more terms.
    pub fn growth(&self, terms: usize) -> u64 {
        if self.is_full(terms) { 2 * size_of_val(self.slots.as_slice()) as u64 } else { 0 }
    }

    #[inline]
    fn is_full(&self, more: usize) -> bool {
        (self.nodes.len() + more) * 2 > self.slots.len()
    }

    fn grow(&mut self) {
        let size = self.slots.len() * 2;
        let mask = size - 1;
        let mut slots = vec![0; size];
        for (index, node) in self.nodes.iter().enumerate() {
            let mut slot = node.hash() as usize & mask;
            while slots[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            slots[slot] = index as u32 + 1;
        }
        self.slots = slots;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_is_sixteen_bytes() {
        assert_eq!(size_of::<Node>(), 16);
    }

    #[test]
    fn growth_is_foretold() {
        let mut pool = TermPool::new();
        let add = |pool: &mut TermPool| pool.int_constant(&IBig::from(pool.len()));
        while pool.growth(1) == 0 {
            let table = pool.slots.len();
            add(&mut pool);
            assert_eq!(pool.slots.len(), table);
        }
        let foretold = pool.growth(1);
        add(&mut pool);
        assert_eq!(foretold, size_of_val(pool.slots.as_slice()) as u64);
    }

    #[test]
    fn constants_come_back() {
        let mut pool = TermPool::new();
        for width in [1, 7, 64, 65, 200] {
            for value in [0, 1, 99, u64::MAX] {
                let value = BitVec::from_i64(width, value as i64);
                let term = pool.bitvec_constant(&value);
                assert_eq!(pool.bitvec_value(term), Some(value.clone()));
                assert_eq!(pool.bitvec_constant(&value), term);
            }
        }
        for value in [IBig::from(-3), IBig::from(i64::MIN), IBig::from(u64::MAX)] {
            let term = pool.int_constant(&value);
            assert_eq!(pool.int_value(term), Some(value));
        }
        let float = pool.float_constant(&FloatValue::from_f64(-1.5));
        assert_eq!(pool.float_value(float).and_then(|value| value.to_f64()), Some(-1.5));
    }

    #[test]
    fn fresh_variables_are_new() {
        let mut pool = TermPool::new();
        let taken = pool.variable("x!0", Sort::Bool);
        let fresh = pool.fresh_variable("x", Sort::Bool);
        assert_ne!(taken, fresh);
        assert_eq!(pool.variable_name(fresh), Some("x!1"));
    }
}
