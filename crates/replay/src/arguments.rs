//! The arguments of `main`: `argc`, `argv` and the environment, which is empty.

use crate::machine::{Machine, Result};
use crate::memory::ObjectKind;
use cfa::{PlaceId, VariableKind};

impl Machine<'_> {
    /// The value for a parameter of `main`, if the options say what it gets. The entry function asks
    /// for them in order, as inputs into temporaries.
    pub fn main_argument(&mut self, target: PlaceId) -> Result<Option<u64>> {
        let Some(arguments) = &self.options.arguments else { return Ok(None) };
        let entry = VariableKind::Temporary(self.program.entry);
        let variable = self.program.as_variable(target);
        if !variable.is_some_and(|variable| self.program.variables[variable].kind == entry) {
            return Ok(None);
        }
        self.main_arguments += 1;
        match self.main_arguments {
            1 => Ok(Some(arguments.len() as u64)),
            2 => self.pointer_table(arguments).map(Some),
            _ => self.pointer_table(&[]).map(Some),
        }
    }

    /// Pointers to strings, and a null pointer at the end.
    fn pointer_table(&mut self, strings: &[String]) -> Result<u64> {
        let word = self.program.types.pointer_size() as usize;
        let mut table = Vec::new();
        for string in strings {
            let object = self.allocate(ObjectKind::Outside, string.len() as u64 + 1, 1)?;
            let address = self.memory.object(object).address;
            self.write_string(address, string.as_bytes())?;
            table.extend(&address.to_le_bytes()[..word]);
        }
        table.resize(table.len() + word, 0);
        let object = self.allocate(ObjectKind::Outside, table.len() as u64, 16)?;
        let address = self.memory.object(object).address;
        self.write(address, &table)?;
        Ok(address)
    }
}
