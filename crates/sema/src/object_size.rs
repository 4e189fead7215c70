//! `__builtin_object_size`, as gcc answers without optimisation: what the expression itself shows of
//! the object that it points into, and nothing that would take a look at values.

use crate::context::{Analyzer, Checked};
use crate::hir::{ExprId, ExprKind};
use crate::types::Type;
use base::Span;
use syntax::ast;

/// Bytes from where a pointer points.
#[derive(Clone, Copy)]
struct Room {
    /// To the end of the object.
    whole: u64,
    /// To the end of the member or array that was named; gcc does not know it after pointer arithmetic.
    part: Option<u64>,
}

impl Room {
    fn of(size: u64) -> Room {
        Room { whole: size, part: Some(size) }
    }

    fn after(self, offset: u64) -> Room {
        let part = self.part.map(|part| part.saturating_sub(offset));
        Room { whole: self.whole.saturating_sub(offset), part }
    }
}

impl Analyzer<'_> {
    /// Not known: the largest size for modes 0 and 1, none for 2 and 3. Evaluates nothing.
    pub fn object_size(&mut self, list: &[ast::ExprId], span: Span) -> Checked {
        let mark = self.lengths.len();
        let pointer = self.rvalue(list[0])?;
        self.lengths.truncate(mark);
        let (mode, _) = self.constant_integer(list[1])?;
        let room = self.pointer_room(pointer);
        let size = if mode & 1 == 0 { room.map(|room| room.whole) } else { room.and_then(|room| room.part) };
        let unknown = if mode & 2 == 0 { -1 } else { 0 };
        let ty = self.types().size_type();
        Ok(self.int(size.map_or(unknown, i128::from), ty, span))
    }

    fn pointer_room(&self, pointer: ExprId) -> Option<Room> {
        match self.kind(pointer) {
            ExprKind::AddressOf(place) => self.place_room(place),
            ExprKind::Cast(operand) => self.pointer_room(operand),
            ExprKind::PointerAdd { pointer, index, subtract: false } => {
                let Type::Pointer(target) = *self.types().get(self.type_of(pointer)) else { return None };
                let offset = self.distance(index, self.types().size_of(target).unwrap_or(1))?;
                Some(Room { part: None, ..self.pointer_room(pointer)?.after(offset) })
            }
            _ => None,
        }
    }

    fn place_room(&self, place: ExprId) -> Option<Room> {
        let size = self.types().size_of(self.type_of(place));
        match self.kind(place) {
            ExprKind::Variable(_) | ExprKind::String(_) | ExprKind::CompoundLiteral { .. } => {
                size.map(Room::of)
            }
            ExprKind::Field { base, field } => {
                let room = self.place_room(base)?;
                let layout = self.types().record(self.type_of(base))?.layout.as_ref()?;
                let offset = layout.fields.get(field as usize)?.offset;
                Some(Room { part: size, ..room.after(offset) })
            }
            ExprKind::Index { base, index } => {
                let offset = self.distance(index, size?)?;
                Some(self.place_room(base)?.after(offset))
            }
            ExprKind::Dereference(pointer) => self.pointer_room(pointer),
            _ => None,
        }
    }

    /// So many elements in bytes, if that is a constant and not backwards.
    fn distance(&self, index: ExprId, size: u64) -> Option<u64> {
        u64::try_from(self.evaluate(index)?).ok()?.checked_mul(size)
    }
}
