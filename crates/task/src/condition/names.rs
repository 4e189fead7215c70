//! Names of functions and edges that people can read and that stay the same from run to run.

use cfa::{EdgeId, FunctionId, Program};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// `main:12#7`: the seventh edge of `main`, which stands in line 12.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct EdgeName {
    /// Shared, since large conditions name the same edges again and again.
    pub function: Arc<str>,
    /// 0 where no text stands behind the edge.
    pub line: u32,
    /// Counted within the function.
    pub index: u32,
}

/// The name of a function; `f~2` where it is the second of that name (static functions of several files).
pub fn function_name(program: &Program, function: FunctionId) -> String {
    let symbol = program.functions[function].name;
    let earlier = program.functions.ids().take_while(|&other| other != function);
    match earlier.filter(|&other| program.functions[other].name == symbol).count() {
        0 => program.function_name(function).into(),
        count => format!("{}~{}", program.function_name(function), count + 1),
    }
}

/// The function of that name.
pub fn function_named(program: &Program, name: &str) -> Option<FunctionId> {
    let (name, number) = match name.rsplit_once('~') {
        Some((name, number)) => (name, number.parse::<usize>().ok().filter(|&number| number > 1)?),
        None => (name, 1),
    };
    let symbol = program.names.lookup(name)?;
    program.functions.ids().filter(|&id| program.functions[id].name == symbol).nth(number - 1)
}

impl EdgeName {
    pub fn of(program: &Program, edge: EdgeId) -> Self {
        let info = program.edges[edge];
        let function = program.locations[info.from].function;
        let start = program.functions[function].body.as_ref().map_or(0, |body| body.edges.start);
        let line = program.sources.position(info.span).map_or(0, |position| position.line);
        Self { function: function_name(program, function).into(), line, index: edge.0 - start }
    }
}

/// The edge of that name. The line must be right, too: it is what people go by.
pub fn edge_named(program: &Program, name: &EdgeName) -> Option<EdgeId> {
    let function = function_named(program, &name.function)?;
    let edges = program.functions[function].body.as_ref()?.edges.clone();
    let edge = EdgeId(edges.start.checked_add(name.index).filter(|number| edges.contains(number))?);
    (EdgeName::of(program, edge) == *name).then_some(edge)
}

/// The edges of many names: large conditions name the same ones again and again.
pub struct EdgeNames<'p> {
    program: &'p Program,
    known: FxHashMap<EdgeName, Option<EdgeId>>,
}

impl<'p> EdgeNames<'p> {
    pub fn new(program: &'p Program) -> Self {
        Self { program, known: FxHashMap::default() }
    }

    pub fn edge(&mut self, name: &EdgeName) -> Option<EdgeId> {
        if let Some(&edge) = self.known.get(name) {
            return edge;
        }
        let edge = edge_named(self.program, name);
        self.known.insert(name.clone(), edge);
        edge
    }
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
            let function = (!function.is_empty()).then(|| function.into())?;
            Some(Self { function, line: line.parse().ok()?, index: index.parse().ok()? })
        };
        parts()
            .ok_or_else(|| format!("'{}' is no edge: expected function:line#number", super::shortened(text)))
    }
}
