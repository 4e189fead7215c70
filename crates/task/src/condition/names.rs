//! Names of edges that people can read and that stay the same from run to run.

use cfa::{EdgeId, Program};
use serde::{Deserialize, Serialize};
use std::fmt;

/// `main:12#7`: the seventh edge of `main`, which stands in line 12.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct EdgeName {
    pub function: String,
    /// 0 where no text stands behind the edge.
    pub line: u32,
    /// Counted within the function.
    pub index: u32,
}

impl EdgeName {
    pub fn of(program: &Program, edge: EdgeId) -> Self {
        let info = program.edges[edge];
        let function = program.locations[info.from].function;
        let start = program.functions[function].body.as_ref().map_or(0, |body| body.edges.start);
        let line = program.sources.position(info.span).map_or(0, |position| position.line);
        Self { function: program.function_name(function).into(), line, index: edge.0 - start }
    }
}

/// The edge of that name. The line must be right, too: it is what people go by.
pub fn edge_named(program: &Program, name: &EdgeName) -> Option<EdgeId> {
    let symbol = program.names.lookup(&name.function)?;
    let candidates = program.defined_functions().filter(|(_, function, _)| function.name == symbol);
    let edges =
        candidates.map(|(_, _, body)| body.edges.clone()).filter(|edges| name.index < edges.len() as u32);
    edges.map(|edges| EdgeId(edges.start + name.index)).find(|&edge| EdgeName::of(program, edge) == *name)
}

impl fmt::Display for EdgeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}#{}", self.function, self.line, self.index)
    }
}

impl From<EdgeName> for String {
    fn from(name: EdgeName) -> Self {
        name.to_string()
    }
}

impl TryFrom<String> for EdgeName {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl std::str::FromStr for EdgeName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = || {
            let (function, rest) = text.rsplit_once(':')?;
            let (line, index) = rest.split_once('#')?;
            let function = (!function.is_empty()).then(|| function.to_string())?;
            Some(Self { function, line: line.parse().ok()?, index: index.parse().ok()? })
        };
        parts()
            .ok_or_else(|| format!("'{}' is no edge: expected function:line#number", super::shortened(text)))
    }
}
