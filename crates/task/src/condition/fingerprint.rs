//! Telling programs apart: a number that is the same for the same program, in every run and on every
//! machine (FNV-1a, 128 bits, over the automata and the data model).

use cfa::Program;
use serde::{Deserialize, Serialize};
use std::fmt;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Fingerprint(pub u128);

const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;

impl Fingerprint {
    pub fn of(program: &Program) -> Self {
        let mut hash = OFFSET;
        let mut add = |text: &str| {
            for &byte in text.as_bytes() {
                hash = (hash ^ u128::from(byte)).wrapping_mul(PRIME);
            }
        };
        add(&format!("{:?}\n", program.types.data_model));
        for ty in program.types.iter() {
            add(&format!("{ty:?}\n"));
        }
        for record in program.types.records.iter() {
            add(&format!("{} {:?}\n", record.is_union, record.layout));
        }
        for variable in program.variables.iter() {
            add(&format!("{:?} {:?} {:?}\n", variable.kind, variable.ty, variable.alignment));
        }
        for (function, _, body) in program.defined_functions() {
            add(program.function_name(function));
            for number in body.edges.clone() {
                let edge = program.edges[cfa::EdgeId(number)];
                let line = program.sources.position(edge.span).map_or(0, |position| position.line);
                add(&format!("{line} {}\n", cfa::text::edge_text(program, edge)));
            }
        }
        Self(hash)
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl From<Fingerprint> for String {
    fn from(fingerprint: Fingerprint) -> Self {
        fingerprint.to_string()
    }
}

impl TryFrom<String> for Fingerprint {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl std::str::FromStr for Fingerprint {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let digits = text.len() == 32 && text.bytes().all(|b| b.is_ascii_hexdigit());
        match u128::from_str_radix(text, 16) {
            Ok(number) if digits => Ok(Self(number)),
            _ => Err("a fingerprint has 32 hexadecimal digits".into()),
        }
    }
}
