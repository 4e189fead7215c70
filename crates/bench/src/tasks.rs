//! The list of tasks: `tasks.tsv` with the columns set, file, property, expected, data_model.

use conformance::DataModel;
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Clone, Debug)]
pub struct Input {
    /// Files of the same group share a row of the table.
    pub group: String,
    pub path: PathBuf,
    pub model: DataModel,
}

/// Each file once for a data model, though it may be a task for several properties.
pub fn read(list: &Path) -> Result<Vec<Input>, String> {
    let text = fs::read_to_string(list).map_err(|error| format!("{}: {error}", list.display()))?;
    let directory = list.parent().unwrap_or(Path::new("."));
    let mut lines = text.lines();
    let columns: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    let column = |name: &str| {
        columns
            .iter()
            .position(|column| *column == name)
            .ok_or(format!("{}: no column `{name}`", list.display()))
    };
    let (set, file, model) = (column("set")?, column("file")?, column("data_model")?);
    let mut seen = HashSet::new();
    let mut inputs = Vec::new();
    for line in lines {
        let fields: Vec<&str> = line.split('\t').collect();
        let field = |index: usize| fields.get(index).copied().unwrap_or_default();
        let model = if field(model) == "LP64" { DataModel::Lp64 } else { DataModel::Ilp32 };
        let path = directory.join(field(file));
        if !field(file).is_empty() && seen.insert((path.clone(), model)) {
            inputs.push(Input { group: field(set).to_string(), path, model });
        }
    }
    Ok(inputs)
}
