//! And-inverter graphs.
//!
//! Every Boolean function is a graph of two-input and-gates with inverters on the edges. Equal
//! gates are shared, and gates that the operands and their operands decide are not built at all
//! (Brummayer and Biere, "Local Two-Level And-Inverter Graph Minimization without Blowup", 2006).

use std::ops::Not;

/// The output of a node, or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Bit(u32);

impl Bit {
    pub const FALSE: Bit = Bit(0);
    pub const TRUE: Bit = Bit(1);

    pub fn constant(value: bool) -> Self {
        Bit(value.into())
    }

    /// The number of the node.
    #[inline]
    pub fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    #[inline]
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    pub fn is_constant(self) -> bool {
        self.0 < 2
    }

    #[must_use]
    #[inline]
    pub fn negated_if(self, condition: bool) -> Self {
        Bit(self.0 ^ u32::from(condition))
    }
}

impl Not for Bit {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Bit(self.0 ^ 1)
    }
}

/// The operands of an and-gate; both are [`Gate::INPUT`] for inputs and the constant.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Gate(Bit, Bit);

impl Gate {
    const INPUT: Gate = Gate(Bit(u32::MAX), Bit(u32::MAX));

    #[inline]
    fn hash(self) -> usize {
        let mixed = (u64::from(self.0.0) << 32 | u64::from(self.1.0)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 29) as usize
    }
}

/// All gates, operands before the gates that use them.
pub struct Aig {
    gates: Vec<Gate>,
    /// How many gates use the node.
    uses: Vec<u32>,
    /// Node number, or 0 for a free slot (the constant is not in the table).
    slots: Vec<u32>,
}

impl Default for Aig {
    fn default() -> Self {
        Self::new()
    }
}

impl Aig {
    pub fn new() -> Self {
        Self { gates: vec![Gate::INPUT], uses: vec![0], slots: vec![0; 1 << 12] }
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.gates.len()
    }

    pub fn is_empty(&self) -> bool {
        false
    }

    fn push(&mut self, gate: Gate) -> Bit {
        let node = u32::try_from(self.gates.len()).ok().filter(|node| node >> 31 == 0);
        let node = node.expect("at most 2^31 gates");
        self.gates.push(gate);
        self.uses.push(0);
        Bit(node << 1)
    }

    /// A bit of unknown value.
    pub fn input(&mut self) -> Bit {
        self.push(Gate::INPUT)
    }

    /// The operands, if the bit is the output of an and-gate or its negation.
    #[inline]
    pub fn operands(&self, bit: Bit) -> Option<(Bit, Bit)> {
        let gate = self.gates[bit.node()];
        (gate != Gate::INPUT).then_some((gate.0, gate.1))
    }

    /// The operands, if the bit is the output of an and-gate.
    #[inline]
    fn conjunction(&self, bit: Bit) -> Option<(Bit, Bit)> {
        if bit.is_negated() { None } else { self.operands(bit) }
    }

    pub fn uses(&self, bit: Bit) -> u32 {
        self.uses[bit.node()]
    }

    #[inline]
    pub fn and(&mut self, a: Bit, b: Bit) -> Bit {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == Bit::FALSE || a == !b {
            return Bit::FALSE;
        }
        if a == Bit::TRUE || a == b {
            return b;
        }
        match self.two_levels(a, b) {
            Some(result) => result,
            None => self.gate(a, b),
        }
    }

    /// The gate, shared or new.
    fn gate(&mut self, a: Bit, b: Bit) -> Bit {
        if self.gates.len() * 2 > self.slots.len() {
            self.grow();
        }
        let gate = Gate(a, b);
        let mask = self.slots.len() - 1;
        let mut slot = gate.hash() & mask;
        loop {
            match self.slots[slot] {
                0 => break,
                node if self.gates[node as usize] == gate => return Bit(node << 1),
                _ => slot = (slot + 1) & mask,
            }
        }
        let bit = self.push(gate);
        self.slots[slot] = bit.0 >> 1;
        self.uses[a.node()] += 1;
        self.uses[b.node()] += 1;
        bit
    }

    /// How many bytes the table takes at once when there are so many more gates.
    pub fn growth(&self, gates: usize) -> u64 {
        let is_full = (self.gates.len() + gates) * 2 > self.slots.len();
        if is_full { 2 * size_of_val(self.slots.as_slice()) as u64 } else { 0 }
    }

    fn grow(&mut self) {
        let mask = self.slots.len() * 2 - 1;
        let mut slots = vec![0; mask + 1];
        for (node, gate) in self.gates.iter().enumerate().filter(|&(_, &gate)| gate != Gate::INPUT) {
            let mut slot = gate.hash() & mask;
            while slots[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            slots[slot] = node as u32;
        }
        self.slots = slots;
    }

    /// Rules that look at the operands of the operands. None of them builds more than one gate.
    fn two_levels(&mut self, a: Bit, b: Bit) -> Option<Bit> {
        let (inner_a, inner_b) = (self.operands(a), self.operands(b));
        if let Some(result) = self.one_side(inner_a, a, b).or_else(|| self.one_side(inner_b, b, a)) {
            return Some(result);
        }
        let ((p, q), (r, s)) = (inner_a?, inner_b?);
        match (a.is_negated(), b.is_negated()) {
            // Contradiction.
            (false, false) => {
                let clash = p == !r || p == !s || q == !r || q == !s;
                clash.then_some(Bit::FALSE)
            }
            (false, true) => self.mixed(a, (p, q), (r, s)),
            (true, false) => self.mixed(b, (r, s), (p, q)),
            // Resolution.
            (true, true) => match () {
                () if p == r && q == !s || p == s && q == !r => Some(!p),
                () if q == r && p == !s || q == s && p == !r => Some(!q),
                () => None,
            },
        }
    }

    /// `a` is a gate with these operands, or its negation.
    fn one_side(&mut self, inner: Option<(Bit, Bit)>, a: Bit, b: Bit) -> Option<Bit> {
        let (p, q) = inner?;
        if !a.is_negated() {
            return match () {
                () if b == p || b == q => Some(a),
                () if b == !p || b == !q => Some(Bit::FALSE),
                () => None,
            };
        }
        match () {
            () if b == !p || b == !q => Some(b),
            // Substitution: not (p and q), and p.
            () if b == p => Some(self.and_plain(p, !q)),
            () if b == q => Some(self.and_plain(q, !p)),
            () => None,
        }
    }

    /// `p and q` (which is `a`) with `not (r and s)`.
    fn mixed(&mut self, a: Bit, (p, q): (Bit, Bit), (r, s): (Bit, Bit)) -> Option<Bit> {
        match () {
            // Subsumption.
            () if p == !r || q == !r || p == !s || q == !s => Some(a),
            // Substitution.
            () if p == r || q == r => Some(self.and_plain(a, !s)),
            () if p == s || q == s => Some(self.and_plain(a, !r)),
            () => None,
        }
    }

    /// A gate after the one-level rules only, so that rules do not chain without end.
    fn and_plain(&mut self, a: Bit, b: Bit) -> Bit {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        match () {
            () if a == Bit::FALSE || a == !b => Bit::FALSE,
            () if a == Bit::TRUE || a == b => b,
            () => self.gate(a, b),
        }
    }

    pub fn or(&mut self, a: Bit, b: Bit) -> Bit {
        !self.and(!a, !b)
    }

    pub fn xor(&mut self, a: Bit, b: Bit) -> Bit {
        let both = self.and(a, b);
        let neither = self.and(!a, !b);
        self.and(!both, !neither)
    }

    pub fn same(&mut self, a: Bit, b: Bit) -> Bit {
        !self.xor(a, b)
    }

    /// `condition ? then : otherwise`
    pub fn mux(&mut self, condition: Bit, then: Bit, otherwise: Bit) -> Bit {
        match () {
            () if then == otherwise => then,
            () if then == !otherwise => self.same(condition, then),
            () => {
                let first = self.and(condition, then);
                let second = self.and(!condition, otherwise);
                self.or(first, second)
            }
        }
    }

    /// The conjunction of all, as a balanced tree.
    pub fn and_all(&mut self, bits: impl IntoIterator<Item = Bit>) -> Bit {
        let mut layer: Vec<Bit> = bits.into_iter().collect();
        while layer.len() > 1 {
            layer = layer
                .chunks(2)
                .map(|pair| if let [a, b] = *pair { self.and(a, b) } else { pair[0] })
                .collect();
        }
        layer.pop().unwrap_or(Bit::TRUE)
    }

    pub fn or_all(&mut self, bits: impl IntoIterator<Item = Bit>) -> Bit {
        !self.and_all(bits.into_iter().map(|bit| !bit))
    }

    /// What the gate is, seen with its operands.
    pub fn shape(&self, node: usize) -> Shape {
        let gate = self.gates[node];
        if gate == Gate::INPUT {
            return Shape::Input;
        }
        if let (true, true) = (gate.0.is_negated(), gate.1.is_negated())
            && let (Some((p, q)), Some((r, s))) = (self.conjunction(!gate.0), self.conjunction(!gate.1))
        {
            // not (p and q) and not (r and s)
            if p == !r && q == !s || p == !s && q == !r {
                return Shape::Xor(p, q);
            }
            for (selector, then, other, otherwise) in [(p, q, r, s), (p, q, s, r), (q, p, r, s), (q, p, s, r)]
            {
                if selector == !other {
                    return Shape::Mux(selector, !then, !otherwise);
                }
            }
        }
        Shape::And(gate.0, gate.1)
    }
}

/// The function of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// An input, or the constant.
    Input,
    And(Bit, Bit),
    Xor(Bit, Bit),
    /// Condition, then, otherwise.
    Mux(Bit, Bit, Bit),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_is_foretold() {
        let mut aig = Aig::new();
        let mut bit = aig.input();
        while aig.growth(1) == 0 {
            let table = aig.slots.len();
            let other = aig.input();
            bit = aig.and(bit, other);
            assert_eq!(aig.slots.len(), table);
        }
        let foretold = aig.growth(1);
        let other = aig.input();
        let more = aig.and(bit, other);
        aig.and(!more, other);
        assert_eq!(foretold, size_of_val(aig.slots.as_slice()) as u64);
    }

    #[test]
    fn gates_are_shared_and_simplified() {
        let mut aig = Aig::new();
        let (a, b) = (aig.input(), aig.input());
        let both = aig.and(a, b);
        assert_eq!(aig.and(b, a), both);
        assert_eq!(aig.and(both, a), both);
        assert_eq!(aig.and(both, !a), Bit::FALSE);
        let not_a = aig.and(!both, b);
        assert_eq!(not_a, aig.and(!a, b));
        let different = aig.xor(a, b);
        assert_eq!(aig.xor(different, different), Bit::FALSE);
        assert!(matches!(aig.shape(different.node()), Shape::Xor(..)));
    }

    #[test]
    fn muxes_are_seen() {
        let mut aig = Aig::new();
        let (c, a, b) = (aig.input(), aig.input(), aig.input());
        let chosen = aig.mux(c, a, b);
        assert!(matches!(aig.shape(chosen.node()), Shape::Mux(..)));
        assert_eq!(aig.mux(Bit::TRUE, a, b), a);
        assert_eq!(aig.mux(c, a, a), a);
    }
}
