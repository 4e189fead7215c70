//! Which edges may write a cell.

use super::Facts;
use crate::pointsto::{ObjectId, ObjectKind};
use crate::program::EdgeId;

/// Writes to single cells and to whole objects, each sorted.
pub struct Writers {
    cells: Vec<(u32, EdgeId)>,
    objects: Vec<(ObjectId, EdgeId)>,
    /// The first cell of each object, ascending, and how many there are.
    owners: Vec<(u32, u32, ObjectId)>,
}

impl Writers {
    pub fn new(facts: Facts) -> Self {
        let Facts { program, points_to, .. } = facts;
        let (mut cells, mut objects) = (Vec::new(), Vec::new());
        for id in program.edges.ids() {
            points_to.written_cells(program, id, &mut |object, range| {
                if range.len() > 2 && range.len() == points_to.cells(object).len() {
                    objects.push((object, id));
                } else {
                    cells.extend(range.map(|cell| (cell, id)));
                }
            });
        }
        cells.sort_unstable();
        cells.dedup();
        objects.sort_unstable();
        objects.dedup();
        let first = |object| points_to.cells(object).next().map_or(0, |cell| cell.0);
        let owner = |object| (first(object), points_to.cells(object).len() as u32, object);
        let owners =
            points_to.objects().filter(|(_, o)| has_contents(o.kind)).map(|(id, _)| owner(id)).collect();
        Self { cells, objects, owners }
    }

    pub fn of_cell(&self, cell: u32) -> Vec<EdgeId> {
        let start = self.cells.partition_point(|&(written, _)| written < cell);
        let single = self.cells[start..].iter().take_while(|&&(written, _)| written == cell).map(|w| w.1);
        let mut edges: Vec<EdgeId> = single.collect();
        if let Some(object) = self.object_of(cell) {
            let start = self.objects.partition_point(|&(written, _)| written < object);
            edges.extend(self.objects[start..].iter().take_while(|w| w.0 == object).map(|w| w.1));
        }
        edges
    }

    pub fn object_of(&self, cell: u32) -> Option<ObjectId> {
        let index = self.owners.partition_point(|&(first, ..)| first <= cell).checked_sub(1)?;
        let (first, count, object) = self.owners[index];
        (cell < first + count).then_some(object)
    }
}

fn has_contents(kind: ObjectKind) -> bool {
    !matches!(kind, ObjectKind::Function(_) | ObjectKind::Label(_))
}
