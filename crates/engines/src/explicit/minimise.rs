//! The smallest automaton with the same meaning: states that cannot be told apart are merged (partition
//! refinement), and those that only lead to `open`, or only to `verified`, are that.

use rustc_hash::FxHashMap;
use task::condition::Target;

/// A decision (edge and callee) and where it leads.
pub type Step = (u32, Option<u32>, Target);

#[derive(Clone, Debug)]
pub enum State {
    /// The state is the same as another one, which is no alias.
    Alias(Target),
    Decides(Vec<Step>),
}

/// The start and the states that can be reached from it.
pub fn minimise(start: Target, states: Vec<State>) -> (Target, Vec<Vec<Step>>) {
    let mut verdicts = collapse_ends(&states);
    let mut class: Vec<u32> = vec![0; states.len()];
    let mut count = 0;
    loop {
        let mut ids: FxHashMap<View, u32> = FxHashMap::default();
        let mut next = class.clone();
        for (index, state) in states.iter().enumerate() {
            let State::Decides(steps) = state else { continue };
            let view = |&(edge, callee, target): &Step| (edge, callee, class_of(target, &verdicts, &class));
            let key = (class[index], steps.iter().map(view).collect());
            let fresh = ids.len() as u32;
            next[index] = *ids.entry(key).or_insert(fresh);
        }
        let stable = ids.len() == count;
        count = ids.len();
        class = next;
        if stable {
            break;
        }
    }
    assemble(start, &states, &mut verdicts, &class)
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Class {
    Verified,
    Open,
    Other(u32),
}

/// A state as its class and its decisions show it.
type View = (u32, Vec<(u32, Option<u32>, Class)>);

fn class_of(target: Target, verdicts: &[Option<Target>], class: &[u32]) -> Class {
    match settled(target, verdicts) {
        Target::Verified => Class::Verified,
        Target::Open => Class::Open,
        Target::State(state) => Class::Other(class[state as usize]),
    }
}

/// Where a target is `open` or `verified` after all.
fn settled(target: Target, verdicts: &[Option<Target>]) -> Target {
    match target {
        Target::State(state) => verdicts[state as usize].unwrap_or(target),
        other => other,
    }
}

/// States all of whose decisions lead to the same end are that end. (Decisions that a state does not list
/// lead to `open`, so `verified` needs them all: the builder lists them.)
fn collapse_ends(states: &[State]) -> Vec<Option<Target>> {
    let mut verdicts: Vec<Option<Target>> = vec![None; states.len()];
    loop {
        let mut changed = false;
        for (index, state) in states.iter().enumerate().rev() {
            if verdicts[index].is_some() {
                continue;
            }
            let verdict = match state {
                State::Alias(target) => Some(settled(*target, &verdicts)),
                State::Decides(steps) => {
                    let mut ends = steps.iter().map(|&(.., target)| settled(target, &verdicts));
                    let first = ends.next().unwrap_or(Target::Open);
                    let same = !matches!(first, Target::State(_)) && ends.all(|end| end == first);
                    same.then_some(first)
                }
            };
            if verdict.is_some_and(|verdict| !matches!(verdict, Target::State(_))) {
                verdicts[index] = verdict;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    for (index, state) in states.iter().enumerate() {
        if let (State::Alias(target), None) = (state, verdicts[index]) {
            verdicts[index] = Some(*target);
        }
    }
    verdicts
}

/// One state for each class that can be reached, numbered in the order in which they are.
fn assemble(
    start: Target,
    states: &[State],
    verdicts: &mut [Option<Target>],
    class: &[u32],
) -> (Target, Vec<Vec<Step>>) {
    let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
    let mut representatives = Vec::new();
    let mut number = |target: Target, representatives: &mut Vec<u32>| match settled(target, verdicts) {
        Target::State(state) => {
            let fresh = representatives.len() as u32;
            let id = *numbers.entry(class[state as usize]).or_insert(fresh);
            if id == fresh {
                representatives.push(state);
            }
            Target::State(id)
        }
        end => end,
    };
    let start = number(start, &mut representatives);
    let mut result = Vec::new();
    let mut next = 0;
    while let Some(&state) = representatives.get(next) {
        next += 1;
        let State::Decides(steps) = &states[state as usize] else {
            result.push(Vec::new());
            continue;
        };
        let steps: Vec<Step> = steps
            .iter()
            .map(|&(edge, callee, target)| (edge, callee, number(target, &mut representatives)))
            .collect();
        result.push(steps);
    }
    (start, result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_states_are_merged_and_dead_ends_collapse() {
        let decides = |steps: &[(u32, Target)]| {
            State::Decides(steps.iter().map(|&(edge, target)| (edge, None, target)).collect())
        };
        let states = vec![
            decides(&[(1, Target::State(1)), (2, Target::State(2))]),
            decides(&[(3, Target::Open), (4, Target::Verified)]),
            decides(&[(3, Target::State(3)), (4, Target::State(4))]),
            decides(&[(5, Target::Open), (6, Target::Open)]),
            State::Alias(Target::Verified),
        ];
        let (start, states) = minimise(Target::State(0), states);
        assert_eq!(start, Target::State(0));
        assert_eq!(states.len(), 2, "{states:?}");
        assert_eq!(states[0], vec![(1, None, Target::State(1)), (2, None, Target::State(1))]);
    }

    #[test]
    fn loops_are_told_apart_by_what_follows() {
        let decides = |steps: &[(u32, Target)]| {
            State::Decides(steps.iter().map(|&(edge, target)| (edge, None, target)).collect())
        };
        // Two turns of a loop, the first of which leaves to `verified`, the second to `open`.
        let states = vec![
            decides(&[(1, Target::State(1)), (2, Target::Verified)]),
            decides(&[(1, Target::State(0)), (2, Target::Open)]),
        ];
        assert_eq!(minimise(Target::State(0), states.clone()).1.len(), 2);
        let same = vec![states[0].clone(), decides(&[(1, Target::State(0)), (2, Target::Verified)])];
        assert_eq!(minimise(Target::State(0), same).1.len(), 1);
    }
}
