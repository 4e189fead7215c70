//! Values that are not known, but known to be the same.
//!
//! An input that is copied around stays one input, and so does whatever else is copied while it is not known: `a = input(); b = a; a++; assert(a == b + 1)`. Each slot
//! that holds it says which input it is, and the constant that has been added. Only differences count, so
//! before a state is kept, inputs are numbered in the order of their slots, and constants are counted from
//! the first slot of each; an input that only one slot holds says nothing and is forgotten.

use super::code::{Node, NodeId, Shape};
use super::collapse::{NON_ZERO, Symbol, UNKNOWN, is_symbol};
use super::evaluate::Value;
use super::execute::Machine;
use smallvec::SmallVec;

/// Numbers of inputs since the last state that was kept; below are those of kept states.
pub(super) const FIRST_FRESH: u32 = 1 << 10;

impl Machine<'_> {
    /// A value from outside.
    pub(super) fn input(&mut self, width: u32) -> Value {
        if !self.symbolic {
            return Value::Unknown;
        }
        let symbol = Symbol { input: self.next_input, offset: 0, width, non_zero: false, interval: UNKNOWN };
        self.next_input += 1;
        Value::Symbol { code: self.chunks.symbol_code(symbol), non_zero: false }
    }

    /// Before a value is copied: if it is not known, it becomes a symbol, so that both are known to be the same.
    pub(super) fn name(&mut self, node: NodeId) {
        if !self.symbolic {
            return;
        }
        let Some((slot, tracked, width)) = self.source(node) else { return };
        let code = self.vector.get(slot);
        let is_named = is_symbol(code) || self.chunks.number(code).is_some();
        if is_named || !self.precision.tracks(tracked) {
            return;
        }
        let interval = if self.chunks.interval(code).is_some() { code } else { UNKNOWN };
        let non_zero = code == NON_ZERO;
        let symbol = Symbol { input: self.next_input, offset: 0, width, non_zero, interval };
        self.next_input += 1;
        let code = self.chunks.symbol_code(symbol);
        self.vector.set(slot, code);
    }

    /// The slot of an integer, its number in the precision and its width, if the expression is just that.
    fn source(&mut self, node: NodeId) -> Option<(usize, usize, u32)> {
        self.code.shape_of(node)?;
        match self.code.nodes[node.0 as usize] {
            Node::Global(index, shape) => Some((index as usize, index as usize, shape.width)),
            Node::Local(index, shape) => {
                Some((self.base + index as usize, self.tracked_base + index as usize, shape.width))
            }
            Node::Load(place, shape) if self.code.places[place.0 as usize].bits.is_none() => {
                let address = self.address(place)?;
                let (slot, tracked) = self.cell_at(address, u64::from(shape.width / 8))?;
                Some((slot, tracked, shape.width))
            }
            Node::Convert { shape, operand, .. } => {
                self.source(operand).filter(|&(.., width)| width == shape.width)
            }
            _ => None,
        }
    }

    /// A slot whose value was not known is found to hold this: so do all that are the same.
    pub(super) fn learn(&mut self, slot: usize, tracked: usize, code: u32) {
        let Some(old) = self.chunks.symbol(self.vector.get(slot)) else {
            if self.precision.tracks(tracked) {
                self.vector.set(slot, code);
            }
            return;
        };
        if code == NON_ZERO {
            return self.replace(|symbol| (symbol == old).then_some(New::NonZero));
        }
        let same = move |symbol: Symbol| symbol.input == old.input && symbol.width == old.width;
        match (self.chunks.number(code), self.chunks.symbol(code)) {
            (Some(number), _) => {
                self.replace(|s| same(s).then_some(New::Number(difference(number, old.offset), s.offset)));
            }
            (_, Some(new)) if new.input != old.input => {
                let distance = difference(new.offset, old.offset);
                self.replace(|s| same(s).then_some(New::Input(new.input, distance)));
            }
            _ => {}
        }
    }

    /// Changes all slots that hold symbols which are to be something else.
    fn replace(&mut self, new: impl Fn(Symbol) -> Option<New>) {
        for slot in 0..self.vector.len() {
            let Some(symbol) = self.chunks.symbol(self.vector.get(slot)) else { continue };
            let signed = Shape { width: symbol.width, signed: true };
            let sum = |a: i64, b: i64| signed.canonical((a as u64).wrapping_add(b as u64)) as i64;
            let code = match new(symbol) {
                None => continue,
                Some(New::NonZero) => self.chunks.symbol_code(Symbol { non_zero: true, ..symbol }),
                Some(New::Number(base, offset)) => self.chunks.code(sum(base, offset)),
                Some(New::Input(input, distance)) => {
                    let offset = sum(symbol.offset, distance);
                    self.chunks.symbol_code(Symbol { input, offset, ..symbol })
                }
            };
            self.vector.set(slot, code);
        }
    }

    /// Counters that hold numbers become an input plus a constant: only how far they are apart is kept.
    fn forget_where_counters_are(&mut self) {
        for index in 0..self.differences.len() {
            let (slot, width) = self.differences[index];
            let Some(offset) = self.chunks.number(self.vector.get(slot)) else { continue };
            // One input for each width, with numbers that no other has.
            let symbol =
                Symbol { input: u32::MAX - width, offset, width, non_zero: false, interval: UNKNOWN };
            let code = self.chunks.symbol_code(symbol);
            self.vector.set(slot, code);
        }
    }

    /// Makes states that differ only in how inputs are numbered equal.
    pub(super) fn normalise_symbols(&mut self) {
        self.forget_where_counters_are();
        let mut found: SmallVec<[(usize, Symbol); 16]> = SmallVec::new();
        for (slot, &code) in self.vector.slots().iter().enumerate() {
            if is_symbol(code)
                && let Some(symbol) = self.chunks.symbol(code)
            {
                found.push((slot, symbol));
            }
        }
        // By input: its new number, and what is taken off its constants.
        let mut numbers: SmallVec<[(u32, u32, i64); 8]> = SmallVec::new();
        for index in 0..found.len() {
            let (slot, symbol) = found[index];
            let others = found.iter().any(|(other, s)| *other != slot && s.input == symbol.input);
            if !others {
                self.vector.set(slot, alone(symbol));
                continue;
            }
            let (number, base) = match numbers.iter().find(|(input, ..)| *input == symbol.input) {
                Some(&(_, number, base)) => (number, base),
                None => {
                    let number = numbers.len() as u32;
                    numbers.push((symbol.input, number, symbol.offset));
                    (number, symbol.offset)
                }
            };
            if number >= FIRST_FRESH {
                self.vector.set(slot, UNKNOWN);
                continue;
            }
            let signed = Shape { width: symbol.width, signed: true };
            let offset = signed.canonical(difference(symbol.offset, base) as u64) as i64;
            let code = self.chunks.symbol_code(Symbol { input: number, offset, ..symbol });
            self.vector.set(slot, code);
        }
    }
}

enum New {
    NonZero,
    /// The input's value, and the constant to add.
    Number(i64, i64),
    /// Another input, and how far it is away.
    Input(u32, i64),
}

/// What is left of a symbol that no other slot shares.
fn alone(symbol: Symbol) -> u32 {
    match symbol.interval {
        UNKNOWN if symbol.non_zero => NON_ZERO,
        interval => interval,
    }
}

fn difference(left: i64, right: i64) -> i64 {
    left.wrapping_sub(right)
}
