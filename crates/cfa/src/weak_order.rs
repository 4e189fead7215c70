//! A weak topological order: forward edges go up, and every loop is one contiguous run.
//!
//! (Bourdoncle, "Efficient chaotic iteration strategies with widenings", 1993.) Whoever executes or
//! iterates over a function in this order sees all ways into a location before the location itself,
//! and is done with a loop before going on behind it. The loops are those of [`Loops`], so the order
//! is found level by level: the locations and inner loops of a loop, without the way back to its
//! head, have no cycles.

use crate::loops::{LoopId, Loops};
use crate::program::{Body, LocationId, Program};
use rustc_hash::FxHashMap;

/// The position of every location; only those of the same function are to be compared.
pub struct WeakOrder {
    position: Vec<u32>,
}

/// A location or a whole inner loop.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Element {
    Location(LocationId),
    Loop(LoopId),
}

impl WeakOrder {
    pub fn new(program: &Program, loops: &Loops) -> Self {
        let mut order = Self { position: vec![0; program.locations.len()] };
        for (_, _, body) in program.defined_functions() {
            Sorter::new(program, loops, body).sort(body, &mut order.position);
        }
        order
    }

    #[inline]
    pub fn position(&self, location: LocationId) -> u32 {
        self.position[location.0 as usize]
    }
}

/// The elements of each level of a function, with the edges between them.
struct Sorter<'a> {
    loops: &'a Loops,
    successors: FxHashMap<Element, Vec<Element>>,
}

impl<'a> Sorter<'a> {
    fn new(program: &Program, loops: &'a Loops, body: &Body) -> Self {
        let mut sorter = Self { loops, successors: FxHashMap::default() };
        for edge in &program.edges.as_slice()[body.edges.start as usize..body.edges.end as usize] {
            sorter.add_edge(edge.from, edge.to);
        }
        sorter
    }

    /// Adds an edge at the level of the innermost loop around both ends, unless it closes that loop.
    fn add_edge(&mut self, from: LocationId, to: LocationId) {
        let level = self.loops.enclosing(from).find(|&id| self.loops.contains(id, to));
        if level.is_some_and(|level| self.loops.loops[level].head == to) {
            return;
        }
        let (source, target) = (self.element(from, level), self.element(to, level));
        self.successors.entry(source).or_default().push(target);
    }

    /// What a location belongs to among the elements of a level.
    fn element(&self, location: LocationId, level: Option<LoopId>) -> Element {
        let mut element = Element::Location(location);
        for enclosing in self.loops.enclosing(location) {
            if Some(enclosing) == level {
                break;
            }
            element = Element::Loop(enclosing);
        }
        element
    }

    /// Levels are worked off from a stack, so that deep nests cost no call stack.
    fn sort(&self, body: &Body, position: &mut [u32]) {
        let mut next = body.locations.start;
        let entry = self.element(body.entry, None);
        let mut open: Vec<Element> = self.topological(entry);
        open.reverse();
        while let Some(element) = open.pop() {
            match element {
                Element::Location(location) => {
                    position[location.0 as usize] = next;
                    next += 1;
                }
                Element::Loop(id) => {
                    let head = Element::Location(self.loops.loops[id].head);
                    let mut inside = self.topological(head);
                    inside.reverse();
                    open.extend(inside);
                }
            }
        }
    }

    /// The elements of a level that can be reached from the first one, in topological order.
    fn topological(&self, first: Element) -> Vec<Element> {
        let mut done = FxHashMap::default();
        let mut postorder = Vec::new();
        let mut stack = vec![(first, 0)];
        done.insert(first, ());
        while let Some((element, next)) = stack.pop() {
            let successors = self.successors.get(&element).map_or(&[][..], Vec::as_slice);
            match successors.get(next) {
                Some(&successor) => {
                    stack.push((element, next + 1));
                    if done.insert(successor, ()).is_none() {
                        stack.push((successor, 0));
                    }
                }
                None => postorder.push(element),
            }
        }
        postorder.reverse();
        postorder
    }
}
