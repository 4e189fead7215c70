//! Call stacks, interned: a stack is a number, and entering or leaving a function is one lookup.
//!
//! Recursion needs nothing special, stacks just grow. With each stack comes where the frame on top of it
//! lies: its first slot and its address (see [`crate::value`]).

use cfa::{EdgeId, FunctionId};
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StackId(pub u32);

/// A stack: what is below, and the function on top.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// The stack below and the call that led here; `None` for the function that everything starts in.
    pub caller: Option<(StackId, EdgeId)>,
    pub function: FunctionId,
    /// Number of frames below.
    pub depth: u32,
    /// Where the function's variables start.
    pub slot: u32,
    pub address: u64,
}

/// How much room a function's variables take.
#[derive(Clone, Copy, Debug)]
pub struct FrameSize {
    pub slots: u32,
    pub bytes: u64,
}

pub struct CallStacks {
    frames: Vec<Frame>,
    ids: FxHashMap<(StackId, EdgeId, FunctionId), StackId>,
}

impl CallStacks {
    /// The stack that holds just one function, whose variables start there.
    pub const BOTTOM: StackId = StackId(0);

    pub fn new(function: FunctionId, slot: u32, address: u64) -> Self {
        let frame = Frame { caller: None, function, depth: 0, slot, address };
        Self { frames: vec![frame], ids: FxHashMap::default() }
    }

    #[inline]
    pub fn top(&self, stack: StackId) -> &Frame {
        &self.frames[stack.0 as usize]
    }

    /// The frames from the top down.
    pub fn frames(&self, stack: StackId) -> impl Iterator<Item = &Frame> {
        std::iter::successors(Some(self.top(stack)), |frame| frame.caller.map(|(below, _)| self.top(below)))
    }

    /// The stack after a call; the frame below has that size.
    pub fn enter(&mut self, stack: StackId, edge: EdgeId, function: FunctionId, below: FrameSize) -> StackId {
        if let Some(&id) = self.ids.get(&(stack, edge, function)) {
            return id;
        }
        let id = StackId(self.frames.len() as u32);
        let top = *self.top(stack);
        self.frames.push(Frame {
            caller: Some((stack, edge)),
            function,
            depth: top.depth + 1,
            slot: top.slot + below.slots,
            address: top.address + below.bytes,
        });
        self.ids.insert((stack, edge, function), id);
        id
    }
}
