//! Name spaces and their scopes (C11 6.2.1, 6.2.3).
//!
//! Symbols are dense, so a name space is a vector indexed by symbol that holds what is visible now;
//! entering a scope remembers how long the undo log is, leaving it plays the log back.

use crate::hir::{FunctionId, VariableId};
use crate::types::{EnumId, RecordId};
use base::Symbol;
use base::arena::Id;

/// What an ordinary identifier stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entity {
    Nothing,
    Variable(VariableId),
    Function(FunctionId),
    /// Index into the analyzer's typedefs.
    Typedef(u32),
    /// Index into the analyzer's enumerators.
    Enumerator(u32),
    /// Its declaration was wrong; uses of it are not reported again.
    Poisoned,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TagEntity {
    Nothing,
    Record(RecordId),
    Enum(EnumId),
}

/// What a name means and how deep the scope is that says so.
#[derive(Clone, Copy, Debug)]
pub struct Binding<E> {
    pub entity: E,
    pub depth: u32,
}

enum Undo {
    Ordinary(Symbol, Binding<Entity>),
    Tag(Symbol, Binding<TagEntity>),
}

#[derive(Default)]
pub struct Scopes {
    ordinary: Vec<Binding<Entity>>,
    tags: Vec<Binding<TagEntity>>,
    undo: Vec<Undo>,
    marks: Vec<usize>,
}

const NO_NAME: Binding<Entity> = Binding { entity: Entity::Nothing, depth: 0 };
const NO_TAG: Binding<TagEntity> = Binding { entity: TagEntity::Nothing, depth: 0 };

impl Scopes {
    pub fn new(symbols: usize) -> Self {
        Self { ordinary: vec![NO_NAME; symbols], tags: vec![NO_TAG; symbols], ..Self::default() }
    }

    pub fn enter(&mut self) {
        self.marks.push(self.undo.len());
    }

    pub fn leave(&mut self) {
        let mark = self.marks.pop().unwrap_or(0);
        for undo in self.undo.drain(mark..).rev() {
            match undo {
                Undo::Ordinary(name, binding) => self.ordinary[name.index()] = binding,
                Undo::Tag(name, binding) => self.tags[name.index()] = binding,
            }
        }
    }

    pub fn depth(&self) -> u32 {
        self.marks.len() as u32
    }

    #[inline]
    pub fn lookup(&self, name: Symbol) -> Binding<Entity> {
        self.ordinary.get(name.index()).copied().unwrap_or(NO_NAME)
    }

    /// What the name means if the innermost scope declares it.
    pub fn lookup_here(&self, name: Symbol) -> Entity {
        let binding = self.lookup(name);
        if binding.depth == self.depth() { binding.entity } else { Entity::Nothing }
    }

    pub fn bind(&mut self, name: Symbol, entity: Entity) {
        let index = name.index();
        if index >= self.ordinary.len() {
            self.ordinary.resize(index + 1, NO_NAME);
        }
        self.undo.push(Undo::Ordinary(name, self.ordinary[index]));
        self.ordinary[index] = Binding { entity, depth: self.depth() };
    }

    pub fn lookup_tag(&self, name: Symbol) -> Binding<TagEntity> {
        self.tags.get(name.index()).copied().unwrap_or(NO_TAG)
    }

    pub fn lookup_tag_here(&self, name: Symbol) -> TagEntity {
        let binding = self.lookup_tag(name);
        if binding.depth == self.depth() { binding.entity } else { TagEntity::Nothing }
    }

    pub fn bind_tag(&mut self, name: Symbol, entity: TagEntity) {
        let index = name.index();
        if index >= self.tags.len() {
            self.tags.resize(index + 1, NO_TAG);
        }
        self.undo.push(Undo::Tag(name, self.tags[index]));
        self.tags[index] = Binding { entity, depth: self.depth() };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inner_names_hide_outer_ones_until_the_scope_ends() {
        let mut scopes = Scopes::new(1);
        let name = Symbol(7);
        scopes.enter();
        scopes.bind(name, Entity::Typedef(0));
        scopes.enter();
        assert_eq!(scopes.lookup_here(name), Entity::Nothing);
        scopes.bind(name, Entity::Enumerator(3));
        assert_eq!(scopes.lookup(name).entity, Entity::Enumerator(3));
        scopes.leave();
        assert_eq!(scopes.lookup_here(name), Entity::Typedef(0));
        scopes.leave();
        assert_eq!(scopes.lookup(name).entity, Entity::Nothing);
    }
}
