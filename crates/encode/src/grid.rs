//! Arrays that are held as one term: all elements at `start + i * stride`.

use term::TermId;

/// Elements of equal size at equal distances.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    pub start: u64,
    pub stride: u64,
    pub size: u64,
    /// `None` where the object's size is not known.
    pub count: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Grid {
    pub shape: Shape,
    /// An array from [`INDEX_WIDTH`] bits to elements.
    pub term: TermId,
}

/// The width of grid indices.
pub const INDEX_WIDTH: u32 = 32;

impl Shape {
    /// Where the last element starts; `None` if there is no element.
    fn last(&self) -> Option<u64> {
        let Some(count) = self.count else { return Some(u64::MAX) };
        Some(self.start.saturating_add(self.stride.saturating_mul(count.checked_sub(1)?)))
    }

    /// The end of the last element.
    pub fn end(&self) -> u64 {
        self.last().map_or(self.start, |last| last.saturating_add(self.size))
    }

    /// Whether two grids may share bytes. Fields of the elements of one array do not.
    pub fn may_overlap(&self, other: &Shape) -> bool {
        if self.end() <= other.start || other.end() <= self.start {
            return false;
        }
        let (first, second) = if self.start <= other.start { (self, other) } else { (other, self) };
        let distance = (second.start - first.start) % first.stride;
        let interleaved = distance >= first.size && distance + second.size <= first.stride;
        !(first.stride == second.stride && interleaved)
    }

    /// The element that holds the byte at `offset`, and the position in it.
    pub fn locate(&self, offset: u64) -> Option<(u64, u64)> {
        let distance = offset.checked_sub(self.start)?;
        let (index, within) = (distance / self.stride, distance % self.stride);
        (within < self.size && self.has(index)).then_some((index, within))
    }

    fn has(&self, index: u64) -> bool {
        self.count.is_none_or(|count| index < count) && index >> INDEX_WIDTH == 0
    }

    /// The first byte from `offset` on that is in an element.
    pub fn first_byte_from(&self, offset: u64) -> Option<u64> {
        if offset <= self.start || self.locate(offset).is_some() {
            return self.has(0).then_some(offset.max(self.start));
        }
        let next = (offset - self.start) / self.stride + 1;
        self.has(next).then(|| self.start + next * self.stride)
    }

    /// Whether the elements of an array of this shape can be told by their numbers where an access of the same size is
    /// at one of these positions.
    pub fn serves(&self, positions: &Shape) -> bool {
        let (less, more) = (self.stride.min(positions.stride), self.stride.max(positions.stride));
        let has_digits = positions.stride.trailing_zeros() >= self.stride.trailing_zeros();
        let is_aligned = self.start.abs_diff(positions.start).is_multiple_of(less);
        self.size == positions.size && more.is_multiple_of(less) && has_digits && is_aligned
    }

    /// The run of these positions around an offset that is between grids.
    pub fn around(&self, offset: u64, grids: &[Grid]) -> Option<Shape> {
        let before = grids.iter().filter(|grid| grid.shape.start <= offset).map(|grid| grid.shape.end());
        let behind = grids.iter().filter(|grid| grid.shape.start > offset).map(|grid| grid.shape.start);
        let low = before.max().unwrap_or(0);
        if low > offset {
            return None;
        }
        let start = self.start + low.saturating_sub(self.start).div_ceil(self.stride) * self.stride;
        let limit = self.count.map(|_| self.end());
        let high = behind.chain(limit).min();
        let count =
            high.map(|high| high.checked_sub(start + self.size).map_or(0, |room| room / self.stride + 1));
        Some(Shape { start, count, ..*self })
    }

    /// The first positions between two offsets that none of the arrays has as elements, all of which serve these
    /// positions: at most so many, and whether there are no others.
    pub fn without(&self, arrays: &[Shape], from: u64, to: u64, most: usize) -> (Vec<u64>, bool) {
        let mut left = Vec::new();
        let mut at = self.start + from.saturating_sub(self.start) / self.stride * self.stride;
        while at <= to && at < self.end() {
            if let Some(last) = self.all_in_until(arrays, at) {
                at = last.saturating_add(self.stride - (last - self.start) % self.stride);
                continue;
            }
            if !arrays.iter().any(|array| matches!(array.locate(at), Some((_, 0)))) {
                if left.len() == most {
                    return (left, false);
                }
                left.push(at);
            }
            at = at.saturating_add(self.stride);
        }
        (left, true)
    }

    /// Up to where all positions are elements of the arrays that have elements on both sides of one of them: these
    /// are as many as there are positions between two elements of an array.
    fn all_in_until(&self, arrays: &[Shape], at: u64) -> Option<u64> {
        let around = || arrays.iter().filter(|array| array.start <= at && array.last() >= Some(at));
        let array = around().min_by_key(|array| array.last())?;
        if around().count() as u64 * self.stride >= array.stride { array.last() } else { None }
    }
}
