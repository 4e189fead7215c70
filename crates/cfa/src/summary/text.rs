//! Summaries for people: as text and as a graph for `dot`.

use super::{Block, BlockId, Summary};
use crate::program::EdgeId;
use std::fmt::Write;

/// What is still to be written of a block.
enum Piece {
    Block(BlockId),
    Text(&'static str),
}

impl Summary {
    /// A block on one line: `a; (b; c | d)`. `describe` says what an edge does.
    pub fn block_text(&self, block: BlockId, describe: &dyn Fn(EdgeId) -> String) -> String {
        let mut text = String::new();
        let mut stack = vec![Piece::Block(block)];
        while let Some(piece) = stack.pop() {
            match piece {
                Piece::Text(piece) => text.push_str(piece),
                Piece::Block(block) => match self.blocks[block] {
                    Block::Edge(edge) => text.push_str(&describe(edge)),
                    Block::Sequence(list) => self.push_parts(&mut stack, self.parts(list), "; "),
                    Block::Choice(list) => {
                        stack.push(Piece::Text(")"));
                        self.push_parts(&mut stack, self.parts(list), " | ");
                        stack.push(Piece::Text("("));
                    }
                },
            }
        }
        text
    }

    fn push_parts(&self, stack: &mut Vec<Piece>, parts: &[BlockId], separator: &'static str) {
        for (index, &part) in parts.iter().enumerate().rev() {
            stack.push(Piece::Block(part));
            if index > 0 {
                stack.push(Piece::Text(separator));
            }
        }
    }

    /// One line for each edge: `L3 -> L7: …`.
    pub fn to_text(&self, describe: &dyn Fn(EdgeId) -> String) -> String {
        let mut text = String::new();
        for edge in &self.edges {
            let block = self.block_text(edge.block, describe);
            let _ = writeln!(text, "L{} -> L{}: {block}", edge.from.0, edge.to.0);
        }
        text
    }

    /// For `dot`; the name is that of the graph.
    pub fn to_dot(&self, name: &str, describe: &dyn Fn(EdgeId) -> String) -> String {
        let mut text = format!("digraph \"{}\" {{\n  node [shape=circle];\n", escape(name));
        for location in &self.locations {
            let _ = writeln!(text, "  L{0} [label=\"{0}\"];", location.0);
        }
        for edge in &self.edges {
            let label = escape(&self.block_text(edge.block, describe));
            let _ = writeln!(text, "  L{} -> L{} [label=\"{label}\"];", edge.from.0, edge.to.0);
        }
        text.push_str("}\n");
        text
    }
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
