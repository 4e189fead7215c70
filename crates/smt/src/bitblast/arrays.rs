//! Arrays by lemmas on demand.
//!
//! The bits of a read are at first unrelated to anything. When the SAT solver has found an
//! assignment, every read is carried, under that assignment, from its array to the arrays that must
//! agree there: from a write to the array below it if the indices differ, from an `Ite` to the
//! chosen branch, across equations that are true, and, if there are equations, from an array up to
//! the writes and `Ite`s over it. Two accesses that meet at an array with equal indices and
//! different values refute the assignment; the conditions along the two ways make the lemma
//! (Brummayer and Biere, "Lemmas on Demand for the Extensional Theory of Arrays", 2009).
//!
//! There are finitely many ways and pairs of accesses, so this ends.

use super::aig::{Aig, Bit};
use super::word::{self, Word};
use base::{Budget, StopReason};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{ArrayValue, BitVec, Sort, TermId, TermPool};

/// At most so many lemmas are found before the SAT solver is asked again.
const MOST_LEMMAS: usize = 256;

enum Kind {
    Variable,
    Store { below: TermId, write: AccessId },
    Choice { condition: Bit, then: TermId, otherwise: TermId },
    Constant { element: Word },
}

/// The numbers of bits of indices and elements.
#[derive(Clone, Copy)]
pub struct Shape {
    pub index: u32,
    pub element: u32,
}

/// The element of an array at an index has this value: a read, or a write seen from above.
#[derive(Clone)]
struct Access {
    array: TermId,
    index: Word,
    value: Word,
}

/// The number of an access: writes come before reads.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct AccessId(u32);

impl AccessId {
    fn new(number: usize) -> Self {
        Self(u32::try_from(number).expect("fewer accesses than terms"))
    }

    fn number(self) -> usize {
        self.0 as usize
    }
}

struct Equation {
    sides: [TermId; 2],
    holds: Bit,
}

/// All arrays, and the accesses to them.
#[derive(Default)]
pub struct Arrays {
    kinds: FxHashMap<TermId, Kind>,
    shapes: FxHashMap<TermId, Shape>,
    /// All arrays, in the order in which they were added.
    order: Vec<TermId>,
    writes: Vec<Access>,
    reads: Vec<Access>,
    equations: Vec<Equation>,
    /// Writes and `Ite`s directly over an array.
    above: FxHashMap<TermId, Vec<TermId>>,
    /// Equations by side.
    equated: FxHashMap<TermId, Vec<usize>>,
    /// Bits that decide where accesses go. The SAT solver must know them all, lest an assignment
    /// be judged by values that it does not have.
    pub deciding: Vec<Bit>,
}

/// What the SAT solver assigned.
pub trait BitValues {
    fn bit(&mut self, bit: Bit) -> bool;

    fn word(&mut self, word: &[Bit]) -> BitVec {
        let mut value = BitVec::new(1, self.bit(word[0]).into());
        for &bit in &word[1..] {
            value = BitVec::new(1, self.bit(bit).into()).concat(&value);
        }
        value
    }
}

/// The values of the array variables in a model.
pub type ArrayModel = FxHashMap<TermId, ArrayValue>;

/// What an assignment says of arrays.
struct Seen {
    /// The values of indices, each once.
    indices: Vec<BitVec>,
    /// The access that is known for an array at an index.
    accesses: FxHashMap<(TermId, IndexId), AccessId>,
}

/// The number of a value of indices.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct IndexId(u32);

impl Seen {
    fn index(&self, id: IndexId) -> &BitVec {
        &self.indices[id.0 as usize]
    }
}

/// What came of a look at an assignment.
pub enum Verdict {
    /// The assignment is a model; these are the values of array variables.
    Model(ArrayModel),
    /// Bits that must be true and were not.
    Lemmas(Vec<Bit>),
    Stopped(StopReason),
}

impl Arrays {
    /// Says what the indices and elements of an array are, before it is added.
    pub fn declare(&mut self, array: TermId, shape: Shape) {
        self.shapes.insert(array, shape);
    }

    fn add(&mut self, array: TermId, kind: Kind) {
        self.kinds.insert(array, kind);
        self.order.push(array);
    }

    pub fn add_variable(&mut self, array: TermId) {
        self.add(array, Kind::Variable);
    }

    pub fn add_constant(&mut self, array: TermId, element: Word) {
        self.deciding.extend_from_slice(&element);
        self.add(array, Kind::Constant { element });
    }

    pub fn add_store(&mut self, array: TermId, below: TermId, index: Word, element: Word) {
        self.above.entry(below).or_default().push(array);
        self.deciding.extend(index.iter().chain(&element));
        self.add(array, Kind::Store { below, write: AccessId::new(self.writes.len()) });
        self.writes.push(Access { array, index, value: element });
    }

    pub fn add_choice(&mut self, array: TermId, condition: Bit, then: TermId, otherwise: TermId) {
        for branch in [then, otherwise] {
            self.above.entry(branch).or_default().push(array);
        }
        self.deciding.push(condition);
        self.add(array, Kind::Choice { condition, then, otherwise });
    }

    pub fn add_read(&mut self, array: TermId, index: Word, value: Word) {
        self.deciding.extend(index.iter().chain(&value));
        self.reads.push(Access { array, index, value });
    }

    /// A bit that is true just if the arrays are equal: if not, they differ at a fresh index.
    pub fn add_equality(
        &mut self,
        aig: &mut Aig,
        pool: &TermPool,
        a: TermId,
        b: TermId,
        facts: &mut Vec<Bit>,
    ) -> Bit {
        let Sort::Array { index, element } = pool.sort(a) else { return Bit::FALSE };
        let holds = aig.input();
        self.deciding.push(holds);
        let witness = aig.input_word(index as usize);
        let [x, y] = [a, b].map(|array| {
            let value = aig.input_word(element as usize);
            self.add_read(array, witness.clone(), value.clone());
            value
        });
        let same = aig.equal_words(&x, &y);
        facts.push(aig.or(holds, !same));
        for side in [a, b] {
            self.equated.entry(side).or_default().push(self.equations.len());
        }
        self.equations.push(Equation { sides: [a, b], holds });
        holds
    }

    /// Looks for what an assignment gets wrong.
    pub fn check(&mut self, aig: &mut Aig, values: &mut impl BitValues, budget: &Budget) -> Verdict {
        loop {
            let mut search = Search::new(self, values);
            if let Err(reason) = search.run(aig, budget) {
                return Verdict::Stopped(reason);
            }
            if !search.lemmas.is_empty() {
                return Verdict::Lemmas(search.lemmas);
            }
            let seen = search.seen;
            match self.defaults(&seen, values) {
                Ok(defaults) => return Verdict::Model(self.model(&seen, &defaults, values)),
                // Equal arrays must be so at an index, too, that nobody has read yet.
                Err((array, index)) => {
                    let value = aig.input_word(self.shapes[&array].element as usize);
                    self.add_read(array, word::constant(&index), value);
                }
            }
        }
    }

    /// The variable or constant array below writes and chosen branches.
    fn base(&self, array: TermId, values: &mut impl BitValues) -> TermId {
        let mut array = array;
        loop {
            match &self.kinds[&array] {
                Kind::Variable | Kind::Constant { .. } => return array,
                Kind::Store { below, .. } => array = *below,
                Kind::Choice { condition, then, otherwise } => {
                    array = if values.bit(*condition) { *then } else { *otherwise };
                }
            }
        }
    }

    /// The element that equal arrays have where nothing is known, by base array. Where constant
    /// arrays of different elements are equated, it is not enough to look at the accesses that there
    /// are; then the result is an array and an index at which it must be read as well.
    fn defaults(
        &self,
        seen: &Seen,
        values: &mut impl BitValues,
    ) -> Result<FxHashMap<TermId, BitVec>, (TermId, BitVec)> {
        let leaders = self.leaders(values);
        let mut defaults: FxHashMap<TermId, BitVec> = FxHashMap::default();
        for &array in &self.order {
            let Kind::Constant { element } = &self.kinds[&array] else { continue };
            let leader = leader(&leaders, array);
            let element = values.word(element);
            let default = defaults.entry(leader).or_insert_with(|| element.clone());
            if *default != element
                && let Some(missing) = self.missing_read(leader, &leaders, seen, values)
            {
                return Err(missing);
            }
        }
        let bases = self.order.iter().copied().filter(|array| matches!(self.kinds[array], Kind::Variable));
        let found = bases.filter_map(|array| Some((array, defaults.get(&leader(&leaders, array))?.clone())));
        Ok(found.collect())
    }

    /// Base arrays that are connected by true equations have one leader.
    fn leaders(&self, values: &mut impl BitValues) -> FxHashMap<TermId, TermId> {
        let mut leaders: FxHashMap<TermId, TermId> = FxHashMap::default();
        for equation in &self.equations {
            if values.bit(equation.holds) {
                let [a, b] = equation.sides.map(|side| leader(&leaders, self.base(side, values)));
                if a != b {
                    leaders.insert(b, a);
                }
            }
        }
        leaders
    }

    /// An array of a connected part, and an index at which it has not been read: one at which
    /// nothing in this part has been, if there is such an index.
    fn missing_read(
        &self,
        part: TermId,
        leaders: &FxHashMap<TermId, TermId>,
        seen: &Seen,
        values: &mut impl BitValues,
    ) -> Option<(TermId, BitVec)> {
        let width = self.shapes[&part].index;
        let mut used: FxHashSet<IndexId> = FxHashSet::default();
        for &(array, index) in seen.accesses.keys() {
            if leader(leaders, self.base(array, values)) == part {
                used.insert(index);
            }
        }
        let used_values: FxHashSet<&BitVec> = used.iter().map(|&index| seen.index(index)).collect();
        let mut indices = (0..=used.len() as u64).map(|index| BitVec::new(width, index));
        if let Some(index) = indices.find(|index| !used_values.contains(index)) {
            return Some((part, index));
        }
        let bases = self.order.iter().filter(|&&array| leader(leaders, self.base(array, values)) == part);
        let mut pairs = bases.flat_map(|&base| used.iter().map(move |&index| (base, index)));
        let (base, index) = pairs.find(|pair| !seen.accesses.contains_key(pair))?;
        Some((base, seen.index(index).clone()))
    }

    fn model(
        &self,
        seen: &Seen,
        defaults: &FxHashMap<TermId, BitVec>,
        values: &mut impl BitValues,
    ) -> ArrayModel {
        let mut model = ArrayModel::default();
        for array in &self.order {
            if matches!(self.kinds[array], Kind::Variable) {
                let Shape { index, element } = self.shapes[array];
                let default = defaults.get(array).cloned().unwrap_or_else(|| BitVec::zero(element));
                model.insert(*array, ArrayValue::new(index, default));
            }
        }
        for (&(array, index), &access) in &seen.accesses {
            if let Some(value) = model.get_mut(&array) {
                value.store(seen.index(index).clone(), values.word(&self.access(access).value));
            }
        }
        model
    }

    fn access(&self, id: AccessId) -> &Access {
        match id.number().checked_sub(self.writes.len()) {
            None => &self.writes[id.number()],
            Some(read) => &self.reads[read],
        }
    }

    fn is_write(&self, id: AccessId) -> bool {
        id.number() < self.writes.len()
    }
}

fn leader(leaders: &FxHashMap<TermId, TermId>, array: TermId) -> TermId {
    let mut array = array;
    while let Some(&next) = leaders.get(&array) {
        array = next;
    }
    array
}

/// How an access came to an array.
struct Arrival {
    from: TermId,
    /// Bits that are true and made it go this way.
    reason: Reason,
}

enum Reason {
    Bit(Bit),
    /// The index of the access is not that of this write.
    OtherIndex(AccessId),
}

/// One look at an assignment.
struct Search<'a, V> {
    arrays: &'a Arrays,
    values: &'a mut V,
    /// The index of each access.
    indices: Vec<IndexId>,
    seen: Seen,
    /// How accesses came to arrays other than their own.
    arrivals: FxHashMap<(TermId, AccessId), Arrival>,
    /// Where accesses have come to, and may go on from.
    work: Vec<(TermId, AccessId)>,
    lemmas: Vec<Bit>,
}

impl<'a, V: BitValues> Search<'a, V> {
    fn new(arrays: &'a Arrays, values: &'a mut V) -> Self {
        let mut ids: FxHashMap<BitVec, IndexId> = FxHashMap::default();
        let mut seen = Seen { indices: Vec::new(), accesses: FxHashMap::default() };
        let mut indices = Vec::with_capacity(arrays.writes.len() + arrays.reads.len());
        for access in arrays.writes.iter().chain(&arrays.reads) {
            let value = values.word(&access.index);
            indices.push(*ids.entry(value).or_insert_with_key(|value| {
                seen.indices.push(value.clone());
                IndexId(seen.indices.len() as u32 - 1)
            }));
        }
        let (arrivals, work, lemmas) = (FxHashMap::default(), Vec::new(), Vec::new());
        Self { arrays, values, indices, seen, arrivals, work, lemmas }
    }

    fn index(&self, access: AccessId) -> IndexId {
        self.indices[access.number()]
    }

    fn run(&mut self, aig: &mut Aig, budget: &Budget) -> Result<(), StopReason> {
        // All writes are known at their own arrays before anything moves.
        for access in (0..self.indices.len()).map(AccessId::new) {
            let array = self.arrays.access(access).array;
            if self.arrays.is_write(access) {
                self.seen.accesses.insert((array, self.index(access)), access);
            }
            self.work.push((array, access));
        }
        self.work.reverse();
        while let Some((array, access)) = self.work.pop() {
            budget.check()?;
            budget.check_growth(&self.seen.accesses, 1)?;
            budget.check_growth(&self.arrivals, 1)?;
            if self.lemmas.len() >= MOST_LEMMAS {
                break;
            }
            if self.arrive(aig, array, access) {
                self.leave(array, access);
            }
        }
        Ok(())
    }

    /// Notes an access at an array; false if another one was there already.
    fn arrive(&mut self, aig: &mut Aig, array: TermId, access: AccessId) -> bool {
        let key = (array, self.index(access));
        if let Some(&other) = self.seen.accesses.get(&key) {
            if other != access {
                self.compare(aig, array, access, other);
                return false;
            }
            // Only writes are entered beforehand, and only at their own array.
            return self.arrays.access(access).array == array && self.arrays.is_write(access);
        }
        self.seen.accesses.insert(key, access);
        if let Kind::Constant { element } = &self.arrays.kinds[&array] {
            let value = self.arrays.access(access).value.clone();
            if self.values.word(&value) != self.values.word(element) {
                let same = aig.equal_words(&value, element);
                let mut clause = vec![same];
                self.explain(aig, array, access, &mut clause);
                self.lemmas.push(aig.or_all(clause));
            }
        }
        true
    }

    /// Two accesses with equal indices have equal values.
    fn compare(&mut self, aig: &mut Aig, array: TermId, first: AccessId, second: AccessId) {
        let arrays = self.arrays;
        let (a, b) = (arrays.access(first), arrays.access(second));
        if self.values.word(&a.value) == self.values.word(&b.value) {
            return;
        }
        let same_index = aig.equal_words(&a.index, &b.index);
        let same_value = aig.equal_words(&a.value, &b.value);
        let mut clause = vec![!same_index, same_value];
        self.explain(aig, array, first, &mut clause);
        self.explain(aig, array, second, &mut clause);
        self.lemmas.push(aig.or_all(clause));
    }

    /// Adds the negations of the reasons for which an access came to an array.
    fn explain(&self, aig: &mut Aig, array: TermId, access: AccessId, clause: &mut Vec<Bit>) {
        let mut array = array;
        let origin = self.arrays.access(access);
        while array != origin.array {
            let arrival = &self.arrivals[&(array, access)];
            clause.push(match &arrival.reason {
                Reason::Bit(bit) => !*bit,
                Reason::OtherIndex(write) => {
                    aig.equal_words(&origin.index, &self.arrays.access(*write).index)
                }
            });
            array = arrival.from;
        }
    }

    /// Sends an access to the arrays that agree with this one at its index.
    fn leave(&mut self, array: TermId, access: AccessId) {
        let arrays = self.arrays;
        match &arrays.kinds[&array] {
            Kind::Variable | Kind::Constant { .. } => {}
            Kind::Store { below, write } => {
                if self.index(*write) != self.index(access) {
                    self.send(array, *below, access, Reason::OtherIndex(*write));
                }
            }
            Kind::Choice { condition, then, otherwise } => {
                if self.values.bit(*condition) {
                    self.send(array, *then, access, Reason::Bit(*condition));
                } else {
                    self.send(array, *otherwise, access, Reason::Bit(!*condition));
                }
            }
        }
        if arrays.equations.is_empty() {
            return;
        }
        for &number in arrays.equated.get(&array).into_iter().flatten() {
            let equation = &arrays.equations[number];
            if self.values.bit(equation.holds) {
                let [a, b] = equation.sides;
                let other = if a == array { b } else { a };
                self.send(array, other, access, Reason::Bit(equation.holds));
            }
        }
        for &above in arrays.above.get(&array).into_iter().flatten() {
            self.send_up(array, above, access);
        }
    }

    fn send_up(&mut self, array: TermId, above: TermId, access: AccessId) {
        match &self.arrays.kinds[&above] {
            Kind::Store { write, .. } => {
                if self.index(*write) != self.index(access) {
                    self.send(array, above, access, Reason::OtherIndex(*write));
                }
            }
            Kind::Choice { condition, then, otherwise } => {
                let holds = self.values.bit(*condition);
                if (if holds { *then } else { *otherwise }) == array {
                    self.send(array, above, access, Reason::Bit(condition.negated_if(!holds)));
                }
            }
            Kind::Variable | Kind::Constant { .. } => {}
        }
    }

    fn send(&mut self, from: TermId, to: TermId, access: AccessId, reason: Reason) {
        let origin = self.arrays.access(access).array;
        if to == origin || self.arrivals.contains_key(&(to, access)) {
            return;
        }
        self.arrivals.insert((to, access), Arrival { from, reason });
        self.work.push((to, access));
    }
}
