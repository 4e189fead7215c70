//! Memory that is left when the run ends, in whatever way.

use crate::code::Home;
use crate::ending::ViolationKind;
use crate::machine::{Machine, Result};
use crate::memory::{Object, ObjectId, ObjectKind};
use crate::options::LeakCheck;
use cfa::VariableId;
use rustc_hash::FxHashSet;

impl Machine<'_> {
    pub fn check_leaks(&self) -> Result<()> {
        let leaked = match self.options.checks.leaks {
            LeakCheck::Off => None,
            LeakCheck::Any => self.heap_objects().next(),
            LeakCheck::Unreachable => {
                let reached = self.reachable();
                self.heap_objects().find(|object| !reached.contains(&object.0))
            }
        };
        match leaked {
            None => Ok(()),
            Some(object) => {
                let size = self.memory.object(object).size;
                let detail = format!("{size} bytes of {} are never freed", self.name_of(object, 0));
                Err(self.violation(ViolationKind::MemoryLeak, detail))
            }
        }
    }

    fn heap_objects(&self) -> impl Iterator<Item = ObjectId> {
        self.memory.living().filter(|(_, object)| is_heap(object)).map(|(id, _)| id)
    }

    /// Objects that pointers in variables lead to, through any bytes that look like addresses.
    fn reachable(&self) -> FxHashSet<u32> {
        let word = self.program.types.pointer_size() as usize;
        let mut reached = FxHashSet::default();
        let mut candidates = self.values_in_slots();
        let roots = self.memory.living().filter(|(_, object)| self.is_variable(object));
        let mut waiting: Vec<ObjectId> = roots.map(|(id, _)| id).collect();
        loop {
            for address in candidates.drain(..) {
                if let Some(id) = self.memory.owner(address)
                    && is_heap(self.memory.object(id))
                    && reached.insert(id.0)
                {
                    waiting.push(id);
                }
            }
            let Some(id) = waiting.pop() else { return reached };
            let data = &self.memory.object(id).data;
            let words = data.windows(word).step_by(4);
            candidates.extend(words.map(|bytes| {
                let mut address = [0; 8];
                address[..word].copy_from_slice(bytes);
                u64::from_le_bytes(address)
            }));
        }
    }

    /// The values of variables that have no memory, but for temporaries: no variable of the program has those.
    fn values_in_slots(&self) -> Vec<u64> {
        let mut slots = self.slots.clone();
        let mut base = self.base;
        for frame in self.frames.iter().rev() {
            let body = self.program.functions[frame.function].body.as_ref();
            for &variable in body.iter().flat_map(|body| &body.locals) {
                if self.is_temporary(variable)
                    && let Home::Slot(slot) = self.code.homes[variable.0 as usize]
                {
                    slots[base + slot as usize] = 0;
                }
            }
            base = frame.callers_base;
        }
        slots.extend(&self.globals);
        slots
    }

    /// Whether what an object holds is held by the program.
    fn is_variable(&self, object: &Object) -> bool {
        match object.kind {
            ObjectKind::Heap(_) => false,
            ObjectKind::Local(variable) => !self.is_temporary(variable),
            _ => true,
        }
    }

    fn is_temporary(&self, variable: VariableId) -> bool {
        self.program.variables[variable].kind.is_temporary()
    }
}

fn is_heap(object: &Object) -> bool {
    matches!(object.kind, ObjectKind::Heap(_))
}
