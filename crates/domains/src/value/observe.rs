//! What a state says about a variable, for those who check it.

use super::collapse::NON_ZERO;
use super::execute::Machine;
use crate::composite::Facts;
use cfa::{ExprKind, PlaceBase, PlaceId, Projection, VariableId};

/// What is known of a scalar.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Seen {
    Nothing,
    NonZero,
    /// Its bits.
    Number(u64),
    /// From the first to the second, extended by sign if both fit a signed type, and by zeros otherwise.
    Between(i128, i128),
    /// An input plus a constant: others of the same input are as far away as their constants are.
    Same {
        input: u32,
        offset: i64,
    },
}

impl Facts for Machine<'_> {
    fn number(&self, variable: VariableId) -> Option<i128> {
        let program = self.code.program;
        let ty = program.variables[variable].ty;
        program.types.int_shape(ty).filter(|shape| shape.width <= 64)?;
        let Seen::Number(bits) = self.see_variable(variable) else { return None };
        Some(program.types.int_value(ty, bits))
    }
}

impl Machine<'_> {
    /// What is known of a variable that is one scalar.
    pub fn see_variable(&self, variable: VariableId) -> Seen {
        match self.code.layout.objects[variable.0 as usize].cells[..] {
            [cell] => self.see(variable, cell.offset, cell.size.into()),
            _ => Seen::Nothing,
        }
    }

    /// What is known of a part of a variable; of others, nothing.
    pub fn see_place(&self, place: PlaceId) -> Seen {
        let program = self.code.program;
        let info = program.places[place];
        let (PlaceBase::Variable(variable), Some(size)) = (info.base, program.types.size_of(info.ty)) else {
            return Seen::Nothing;
        };
        let mut offset = 0u64;
        for &projection in &program.projections[info.projections] {
            let step = match projection {
                Projection::Field { record, field } => {
                    let field = &program.types.fields(record)[field as usize];
                    field.bits.is_none().then_some(field.offset)
                }
                Projection::Index { index, size } => match program.exprs[index].kind {
                    ExprKind::Int(number) => number.checked_mul(size),
                    _ => None,
                },
            };
            let Some(sum) = step.and_then(|step| offset.checked_add(step)) else { return Seen::Nothing };
            offset = sum;
        }
        self.see(variable, offset, size)
    }

    fn see(&self, variable: VariableId, offset: u64, size: u64) -> Seen {
        let Some(base) = self.frame_of(variable) else { return Seen::Nothing };
        let object = &self.code.layout.objects[variable.0 as usize];
        let Ok(index) = object.cells.binary_search_by_key(&offset, |cell| cell.offset) else {
            return Seen::Nothing;
        };
        if u64::from(object.cells[index].size) != size {
            return Seen::Nothing;
        }
        let code = self.vector.get(base + object.slot as usize + index);
        let width = 8 * size as u32;
        match (self.chunks.number(code), self.chunks.symbol(code)) {
            (Some(number), _) => Seen::Number(number as u64 & u64::MAX >> (64 - width)),
            (_, Some(symbol)) if symbol.width == width => {
                Seen::Same { input: symbol.input, offset: symbol.offset }
            }
            _ if code == NON_ZERO => Seen::NonZero,
            _ => match self.chunks.interval(code) {
                Some(interval) => Seen::Between(interval.low, interval.high),
                None => Seen::Nothing,
            },
        }
    }

    /// Where the slots of a variable start, if there is just one instance of it.
    fn frame_of(&self, variable: VariableId) -> Option<usize> {
        let Some(function) = self.code.program.variables[variable].kind.function() else { return Some(0) };
        let mut frames = self.stacks.frames(self.stack).filter(|frame| frame.function == function);
        let frame = frames.next()?;
        frames.next().is_none().then_some(frame.slot as usize)
    }
}
