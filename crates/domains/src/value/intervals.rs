//! Bounds of values that are not known.
//!
//! What an assumption compares with something, a mask, a cast from a smaller type: each bounds a value, though
//! it is not known which one it is. Slots hold such intervals like numbers, extended by sign where all of the
//! interval fits a signed type of the cell's width, and by zeros otherwise. An interval that says no more than
//! the type is not kept. At the heads of loops intervals are widened to the next numbers that the program
//! names, so that there are finitely many.

use super::code::*;
use super::collapse::{NON_ZERO, Symbol, UNKNOWN};
use super::compile::Compiler;
use super::evaluate::Value;
use super::execute::Machine;
use crate::interval::Interval;
use cfa::{BinaryOp, ExprId, ExprKind, UnaryOp};

impl Shape {
    pub(super) fn interval(self) -> Interval {
        Interval::of(self.width, self.signed)
    }

    /// The value of canonical bits.
    pub(super) fn number(self, bits: u64) -> i128 {
        if self.signed { i128::from(bits as i64) } else { i128::from(bits) }
    }
}

/// The form in which a slot of that width holds an interval; `None` if it is no interval of such values.
fn normal(interval: Interval, width: u32) -> Option<Interval> {
    let (signed, unsigned) = (Interval::of(width, true), Interval::of(width, false));
    match interval {
        _ if interval.is_within(signed) => Some(interval),
        _ if !interval.is_within(unsigned) => None,
        _ if interval.low > signed.high => Some(interval.shifted(-(1 << width))),
        _ => Some(interval),
    }
}

/// Whether no number of an interval is zero as a machine integer.
fn is_non_zero(interval: Interval, width: u32) -> bool {
    let wrap = 1i128 << width;
    !interval.contains(0) && interval.low > -wrap && interval.high < wrap
}

/// An interval that a slot holds, as values of a type.
fn read_as(interval: Interval, shape: Shape) -> Option<Interval> {
    let all = shape.interval();
    let moved = interval.shifted(1 << shape.width);
    [interval, moved].into_iter().find(|interval| interval.is_within(all))
}

impl Machine<'_> {
    pub(super) fn decode_interval(&self, code: u32, shape: Shape) -> Value {
        let Some(interval) = self.chunks.interval(code) else { return Value::Unknown };
        match read_as(interval, shape) {
            // The code says what is meant only if nothing has to be moved.
            Some(found) if found == interval => Value::Within { code, non_zero: !interval.contains(0) },
            _ if is_non_zero(interval, shape.width) => Value::NonZero,
            _ => Value::Unknown,
        }
    }

    pub(super) fn encode_interval(&mut self, code: u32, width: u32) -> u32 {
        let interval = self.chunks.interval(code).and_then(|interval| normal(interval, width));
        interval.map_or(UNKNOWN, |interval| self.interval_slot(interval, width))
    }

    /// The code of a slot with values of an interval in normal form.
    fn interval_slot(&mut self, interval: Interval, width: u32) -> u32 {
        let (signed, unsigned) = (Interval::of(width, true), Interval::of(width, false));
        match interval {
            _ if interval == signed || interval == unsigned => UNKNOWN,
            _ if interval == (Interval { low: 1, ..unsigned }) => NON_ZERO,
            Interval { low, high } if low == high => self.chunks.code(low as i64),
            _ => self.chunks.interval_code(interval),
        }
    }

    /// What a value of a type can be.
    pub(super) fn interval_of(&self, value: Value, shape: Shape) -> Interval {
        let all = shape.interval();
        match value {
            Value::Known(bits) => Interval::point(shape.number(bits)),
            Value::Within { code, .. } => self.chunks.interval(code).unwrap_or(all),
            Value::Symbol { code, non_zero } => {
                let symbol = self.chunks.symbol(code).filter(|symbol| symbol.width == shape.width);
                let known = symbol.and_then(|symbol| self.chunks.interval(symbol.interval));
                match known.and_then(|interval| read_as(interval, shape)) {
                    Some(interval) => interval,
                    None if non_zero && !shape.signed => Interval { low: 1, ..all },
                    None => all,
                }
            }
            Value::NonZero if !shape.signed => Interval { low: 1, ..all },
            Value::NonZero | Value::Unknown => all,
        }
    }

    /// A value of a type within an interval of its values.
    fn within(&mut self, interval: Interval, shape: Shape) -> Value {
        let all = shape.interval();
        match interval {
            _ if !interval.is_within(all) || interval == all => Value::Unknown,
            Interval { low, high } if low == high => Value::Known(shape.canonical(low as u64)),
            _ => {
                let code = self.chunks.interval_code(interval);
                Value::Within { code, non_zero: !interval.contains(0) }
            }
        }
    }

    /// The result of an operation of which only bounds are known; `otherwise` if not even those.
    pub(super) fn bound(
        &mut self,
        op: BinaryOp,
        shape: Shape,
        operands: [Value; 2],
        otherwise: Value,
    ) -> Value {
        let [left, right] = operands.map(|value| self.interval_of(value, shape));
        // The count of a shift may be of another type, but what it does is bounded whatever it is.
        match left.apply(op, right).map(|interval| self.within(interval, shape)) {
            None | Some(Value::Unknown) => otherwise,
            Some(Value::Within { non_zero: false, .. }) if otherwise == Value::NonZero => otherwise,
            Some(value) => value,
        }
    }

    pub(super) fn compare_intervals(&self, op: BinaryOp, node: NodeId, left: Value, right: Value) -> Value {
        let Node::Compare { left: operand, .. } = self.code.nodes[node.0 as usize] else {
            return Value::Unknown;
        };
        let Some(shape) = self.code.shape_of(operand) else { return Value::Unknown };
        let decided = self.interval_of(left, shape).compare(op, self.interval_of(right, shape));
        decided.map_or(Value::Unknown, |truth| Value::Known(truth.into()))
    }

    /// Converts what is not a number.
    pub(super) fn convert(&mut self, value: Value, operand: NodeId, shape: Shape, keeps: bool) -> Value {
        if let Value::Symbol { code, .. } = value
            && self.chunks.symbol(code).is_some_and(|symbol| symbol.width == shape.width)
        {
            return value;
        }
        let from = self.code.shape_of(operand);
        let interval = from.map(|from| self.interval_of(value, from));
        match interval.map(|interval| self.within(interval, shape)) {
            None | Some(Value::Unknown) if keeps => value.alone(),
            // Without zero, it may be no interval any more.
            Some(Value::Within { non_zero: false, .. }) if keeps && value.truth() == Some(true) => {
                Value::NonZero
            }
            None => Value::Unknown,
            Some(found) => found,
        }
    }

    pub(super) fn negate_interval(&mut self, value: Value, shape: Shape) -> Value {
        let negated = self.interval_of(value, shape).negated();
        match self.within(negated, shape) {
            Value::Unknown => value.alone(),
            found => found,
        }
    }

    /// One of two values.
    pub(super) fn either(&mut self, node: NodeId, first: Value, second: Value) -> Value {
        let Some(shape) = self.code.shape_of(node) else { return Value::Unknown };
        let hull = self.interval_of(first, shape).hull(self.interval_of(second, shape));
        self.within(hull, shape)
    }

    /// The interval of a symbol after something was added, if it does not wrap.
    pub(super) fn moved_interval(&mut self, symbol: Symbol, by: u64) -> u32 {
        let Some(interval) = self.chunks.interval(symbol.interval) else { return UNKNOWN };
        let by = Shape { width: symbol.width, signed: true }.canonical(by) as i64;
        let moved = interval.shifted(by.into());
        match moved.is_within(Interval::of(symbol.width, true)) {
            true => self.interval_slot(moved, symbol.width),
            false => UNKNOWN,
        }
    }

    /// Uses comparisons that hold; false if they cannot.
    pub(super) fn learn_bounds(&mut self, bounds: &[Bound]) -> bool {
        for bound in bounds {
            let Some((slot, tracked)) = self.slot_of(bound.scalar, bound.shape) else { continue };
            let old = self.vector.get(slot);
            if self.chunks.number(old).is_some() || !self.precision.tracks(tracked) {
                continue;
            }
            let own = self.interval_of(self.decode(old, bound.shape), bound.shape);
            let other = self.evaluate(bound.other);
            let other = self.interval_of(other, bound.compared_as);
            let Some(other) = self.shifted_back(own, bound, other) else { continue };
            match narrowed(own, bound, other) {
                Narrowed::Never => return false,
                Narrowed::To(interval) if interval != own => self.set_interval(slot, interval, bound.shape),
                _ => {}
            }
        }
        true
    }

    /// What the scalar itself is compared with: `x + 1 < y` is `x < y - 1` unless the sum may wrap.
    fn shifted_back(&mut self, own: Interval, bound: &Bound, other: Interval) -> Option<Interval> {
        let Some((op, node)) = bound.shift else { return Some(other) };
        let by = self.evaluate(node);
        let by = self.interval_of(by, bound.compared_as);
        own.apply(op, by).filter(|sum| sum.is_within(bound.compared_as.interval()))?;
        let back = if op == BinaryOp::Add { BinaryOp::Subtract } else { BinaryOp::Add };
        other.apply(back, by)
    }

    /// Puts an interval into a slot, and into all that hold the same value.
    fn set_interval(&mut self, slot: usize, interval: Interval, shape: Shape) {
        let Some(interval) = normal(interval, shape.width) else { return };
        let (old, code) = (self.vector.get(slot), self.interval_slot(interval, shape.width));
        match self.chunks.symbol(old) {
            Some(symbol) if self.chunks.interval(code).is_some() => {
                let new = self.chunks.symbol_code(Symbol { interval: code, ..symbol });
                for other in 0..self.vector.len() {
                    if self.vector.get(other) == old {
                        self.vector.set(other, new);
                    }
                }
            }
            Some(_) if self.chunks.number(code).is_some() => self.learn(slot, 0, code),
            Some(_) => {}
            // Where only bounds were known, or nothing: that it is not zero may be more than the bounds say.
            None if code == UNKNOWN || old == NON_ZERO && interval.contains(0) => {}
            None => self.vector.set(slot, code),
        }
    }

    /// Learns that a scalar is not zero.
    pub(super) fn exclude_zero(&mut self, slot: usize, tracked: usize, shape: Shape) {
        match self.chunks.interval(self.vector.get(slot)).map(|interval| interval.without(0)) {
            Some(Some(interval)) => self.set_interval(slot, interval, shape),
            Some(None) => {}
            None => self.learn(slot, tracked, NON_ZERO),
        }
    }

    /// Moves the ends of all intervals to the next numbers that the program names.
    pub fn widen(&mut self) {
        for slot in 0..self.vector.len() {
            let code = self.vector.get(slot);
            if let Some(interval) = self.chunks.interval(code) {
                let wide = self.widened(interval);
                self.vector.set(slot, wide);
            } else if let Some(symbol) = self.chunks.symbol(code)
                && let Some(interval) = self.chunks.interval(symbol.interval)
            {
                let interval = self.widened(interval);
                let code = self.chunks.symbol_code(Symbol { interval, ..symbol });
                self.vector.set(slot, code);
            }
        }
    }

    /// The code of a wider interval, or of nothing at all.
    pub(super) fn widened(&mut self, interval: Interval) -> u32 {
        let wide = self.code.thresholds.around(interval);
        match wide.low == i128::MIN || wide.high == i128::MAX {
            true if !interval.contains(0) => NON_ZERO,
            true => UNKNOWN,
            false => self.chunks.interval_code(wide),
        }
    }
}

enum Narrowed {
    Never,
    To(Interval),
    /// Nothing can be said.
    Same,
}

/// What is left of a scalar's values if the comparison holds.
fn narrowed(own: Interval, bound: &Bound, other: Interval) -> Narrowed {
    let (scalar, compared) = (bound.shape.interval(), bound.compared_as.interval());
    let left = |interval: Option<Interval>| interval.map_or(Narrowed::Never, Narrowed::To);
    if scalar.is_within(compared) {
        return left(own.satisfying(bound.op, other));
    }
    // The conversion changes some values: only if all that is left keeps its value, something is known.
    match compared.satisfying(bound.op, other) {
        None => Narrowed::Never,
        Some(allowed) if bound.shape.width == bound.compared_as.width && allowed.is_within(scalar) => {
            left(own.intersection(allowed))
        }
        Some(_) => Narrowed::Same,
    }
}

impl Compiler<'_> {
    /// The comparisons that hold if a condition has that truth.
    pub(super) fn bounds(&mut self, condition: ExprId, truth: bool, found: &mut Vec<Bound>) {
        let program = self.code.program;
        match program.exprs[condition].kind {
            ExprKind::Unary { op: UnaryOp::LogicalNot, operand } => self.bounds(operand, !truth, found),
            ExprKind::Binary { op, left, right } => {
                let holds = if truth { Some(op) } else { opposite(op) };
                let Some((op, mirrored)) = holds.and_then(|op| Some((op, mirrored(op)?))) else { return };
                let is_zero = |id: ExprId| matches!(program.exprs[id].kind, ExprKind::Int(0));
                if is_zero(right) && matches!(op, BinaryOp::Equal | BinaryOp::NotEqual) {
                    self.bounds(left, op == BinaryOp::NotEqual, found);
                }
                self.bound(left, op, right, found);
                self.bound(right, mirrored, left, found);
            }
            _ => {}
        }
    }

    fn bound(&mut self, one: ExprId, op: BinaryOp, other: ExprId, found: &mut Vec<Bound>) {
        let program = self.code.program;
        let exprs = &program.exprs;
        let (Some(compared_as), Some(same)) = (self.shape(exprs[one].ty), self.shape(exprs[other].ty)) else {
            return;
        };
        // Where objects lie is our own choice: nothing is to follow from it about pointers.
        if compared_as != same || self.is_pointer(one) {
            return;
        }
        if let Some((scalar, shape)) = self.learnable(one)
            && (shape.width == compared_as.width || self.keeps_value(one))
        {
            let other = self.expression(other);
            return found.push(Bound { scalar, shape, compared_as, shift: None, op, other });
        }
        use BinaryOp::{Add, Subtract};
        match exprs[one].kind {
            ExprKind::Binary { op: Add, left, right } => {
                self.shifted_bound((left, Add, right), compared_as, op, other, found);
                self.shifted_bound((right, Add, left), compared_as, op, other, found);
            }
            ExprKind::Binary { op: Subtract, left, right } => {
                self.shifted_bound((left, Subtract, right), compared_as, op, other, found);
            }
            _ => {}
        }
    }

    /// A comparison of a scalar plus, or minus, something.
    fn shifted_bound(
        &mut self,
        (one, shift, by): (ExprId, BinaryOp, ExprId),
        compared_as: Shape,
        op: BinaryOp,
        other: ExprId,
        found: &mut Vec<Bound>,
    ) {
        if !self.is_pointer(one)
            && let Some((scalar, shape)) = self.learnable(one)
            && shape.interval().is_within(compared_as.interval())
            && self.keeps_value(one)
        {
            let shift = Some((shift, self.expression(by)));
            let other = self.expression(other);
            found.push(Bound { scalar, shape, compared_as, shift, op, other });
        }
    }
}

impl Compiler<'_> {
    /// Whether an expression is a pointer, perhaps converted to an integer.
    fn is_pointer(&self, mut id: ExprId) -> bool {
        let program = self.code.program;
        loop {
            let cfa::Expr { kind, ty, .. } = program.exprs[id];
            match kind {
                _ if program.types.pointee(ty).is_some() => return true,
                ExprKind::Cast(operand) => id = operand,
                _ => return false,
            }
        }
    }

    /// Whether all conversions around a scalar can hold all that they convert.
    fn keeps_value(&self, mut id: ExprId) -> bool {
        let exprs = &self.code.program.exprs;
        while let ExprKind::Cast(operand) = exprs[id].kind {
            let shapes = (self.shape(exprs[operand].ty), self.shape(exprs[id].ty));
            let (Some(from), Some(to)) = shapes else { return false };
            if !from.interval().is_within(to.interval()) {
                return false;
            }
            id = operand;
        }
        true
    }
}

/// The comparison that holds if this one does not.
fn opposite(op: BinaryOp) -> Option<BinaryOp> {
    use BinaryOp::*;
    Some(match op {
        Less => GreaterEqual,
        LessEqual => Greater,
        Greater => LessEqual,
        GreaterEqual => Less,
        Equal => NotEqual,
        NotEqual => Equal,
        _ => return None,
    })
}

/// The same comparison with its sides exchanged.
fn mirrored(op: BinaryOp) -> Option<BinaryOp> {
    use BinaryOp::*;
    Some(match op {
        Less => Greater,
        LessEqual => GreaterEqual,
        Greater => Less,
        GreaterEqual => LessEqual,
        Equal | NotEqual => op,
        _ => return None,
    })
}
