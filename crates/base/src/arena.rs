//! Typed `u32` ids and the dense vectors they index.
//!
//! Everything that is created once and referred to often (syntax nodes, types, edges, terms) lives
//! in an [`Arena`] and is named by a four-byte id; lists of such things live in a [`ListPool`] and
//! are named by a [`Range`]. There are no reference-counted trees anywhere in the tool.

use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// A four-byte index into an [`Arena`]; made by [`define_id!`](crate::define_id).
pub trait Id: Copy + Eq {
    fn from_index(index: usize) -> Self;
    fn index(self) -> usize;
}

/// Defines a newtype over `u32` that implements [`Id`].
#[macro_export]
macro_rules! define_id {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $crate::arena::Id for $name {
            #[inline]
            fn from_index(index: usize) -> Self {
                Self(u32::try_from(index).expect("arena holds at most 2^32 items"))
            }
            #[inline]
            fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.0)
            }
        }
    };
}

/// A growable vector indexed by one id type.
pub struct Arena<I, T> {
    items: Vec<T>,
    id: PhantomData<fn(I) -> I>,
}

impl<I: Id, T> Arena<I, T> {
    pub const fn new() -> Self {
        Self { items: Vec::new(), id: PhantomData }
    }

    pub fn with_capacity(capacity: usize) -> Self {
        Self { items: Vec::with_capacity(capacity), id: PhantomData }
    }

    pub fn reserve(&mut self, additional: usize) {
        self.items.reserve(additional);
    }

    #[inline]
    pub fn push(&mut self, item: T) -> I {
        let id = I::from_index(self.items.len());
        self.items.push(item);
        id
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }

    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The id that the next [`push`](Self::push) will return.
    pub fn next_id(&self) -> I {
        I::from_index(self.items.len())
    }

    pub fn get(&self, id: I) -> Option<&T> {
        self.items.get(id.index())
    }

    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }

    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.items.iter_mut()
    }

    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + use<I, T> {
        (0..self.items.len()).map(I::from_index)
    }

    pub fn enumerated(&self) -> impl DoubleEndedIterator<Item = (I, &T)> {
        self.items.iter().enumerate().map(|(index, item)| (I::from_index(index), item))
    }

    pub fn as_slice(&self) -> &[T] {
        &self.items
    }
}

impl<I: Id, T> Default for Arena<I, T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<I, T: Clone> Clone for Arena<I, T> {
    fn clone(&self) -> Self {
        Self { items: self.items.clone(), id: PhantomData }
    }
}

impl<I, T: std::fmt::Debug> std::fmt::Debug for Arena<I, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.items.fmt(f)
    }
}

impl<I: Id, T> Index<I> for Arena<I, T> {
    type Output = T;
    #[inline]
    fn index(&self, id: I) -> &T {
        &self.items[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for Arena<I, T> {
    #[inline]
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.index()]
    }
}

impl<I: Id, T> FromIterator<T> for Arena<I, T> {
    fn from_iter<It: IntoIterator<Item = T>>(items: It) -> Self {
        Self { items: items.into_iter().collect(), id: PhantomData }
    }
}

/// A run of items in a [`ListPool`].
pub struct Range<T> {
    start: u32,
    length: u32,
    item: PhantomData<fn(T) -> T>,
}

impl<T> Range<T> {
    pub const EMPTY: Self = Self { start: 0, length: 0, item: PhantomData };

    pub fn len(self) -> usize {
        self.length as usize
    }

    pub fn is_empty(self) -> bool {
        self.length == 0
    }
}

impl<T> Clone for Range<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Range<T> {}

impl<T> Default for Range<T> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<T> PartialEq for Range<T> {
    fn eq(&self, other: &Self) -> bool {
        (self.start, self.length) == (other.start, other.length)
    }
}
impl<T> Eq for Range<T> {}

impl<T> std::fmt::Debug for Range<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "[{}; {}]", self.start, self.length)
    }
}

/// Many short lists in one vector.
#[derive(Clone, Debug)]
pub struct ListPool<T> {
    items: Vec<T>,
}

impl<T> Default for ListPool<T> {
    fn default() -> Self {
        Self { items: Vec::new() }
    }
}

impl<T> ListPool<T> {
    pub fn push(&mut self, list: impl IntoIterator<Item = T>) -> Range<T> {
        let start = self.items.len();
        self.items.extend(list);
        let length = self.items.len() - start;
        if length == 0 {
            return Range::EMPTY;
        }
        let narrow = |value| u32::try_from(value).expect("list pool holds at most 2^32 items");
        Range { start: narrow(start), length: narrow(length), item: PhantomData }
    }
}

impl<T> Index<Range<T>> for ListPool<T> {
    type Output = [T];
    #[inline]
    fn index(&self, range: Range<T>) -> &[T] {
        &self.items[range.start as usize..][..range.length as usize]
    }
}

impl<T> IndexMut<Range<T>> for ListPool<T> {
    #[inline]
    fn index_mut(&mut self, range: Range<T>) -> &mut [T] {
        &mut self.items[range.start as usize..][..range.length as usize]
    }
}
