//! Which names are typedefs right now.
//!
//! One flag per symbol says what the name means in the current scope; leaving a scope undoes the
//! changes that were made in it. Asking is a single look-up, whatever the depth.

use base::Symbol;

#[derive(Default)]
pub(super) struct Scopes {
    is_type: Vec<bool>,
    /// Names whose flag was turned, in order; turning them again in reverse restores the past.
    turned: Vec<Symbol>,
}

/// The state of things when a scope was entered.
#[derive(Clone, Copy)]
pub(super) struct Mark(usize);

impl Scopes {
    #[inline]
    pub fn is_type(&self, name: Symbol) -> bool {
        self.is_type.get(name.0 as usize).copied().unwrap_or(false)
    }

    /// Declares a name in the current scope, as a typedef or as anything else.
    #[inline]
    pub fn declare(&mut self, name: Symbol, is_type: bool) {
        if self.is_type(name) != is_type {
            self.set(name, is_type);
            self.turned.push(name);
        }
    }

    /// Takes an undeclared name for a type from now on, in all scopes: one error about it is enough.
    pub fn assume_type(&mut self, name: Symbol) {
        if self.turned.contains(&name) {
            self.declare(name, true);
        } else {
            self.set(name, true);
        }
    }

    pub fn enter(&self) -> Mark {
        Mark(self.turned.len())
    }

    #[inline]
    pub fn leave(&mut self, mark: Mark) {
        while self.turned.len() > mark.0 {
            if let Some(name) = self.turned.pop() {
                let is_type = self.is_type(name);
                self.set(name, !is_type);
            }
        }
    }

    fn set(&mut self, name: Symbol, is_type: bool) {
        let index = name.0 as usize;
        if self.is_type.len() <= index {
            self.is_type.resize(index + 1, false);
        }
        self.is_type[index] = is_type;
    }
}
