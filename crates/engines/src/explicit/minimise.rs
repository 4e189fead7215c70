//! A small automaton with the same meaning: states that list the same are merged, backward from the ends,
//! and those that only lead to `open`, or only to `verified`, are that. (Merging is right however far it has
//! come; partition refinement, which also merges loops that look the same, is not, and long chains take it
//! too long.)

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

/// Passes over all states; one is enough where there are no loops.
const MAX_PASSES: usize = 10;

/// The start and the states that can be reached from it.
pub fn minimise(start: Target, states: Vec<State>) -> (Target, Vec<Vec<Step>>) {
    let mut verdicts = collapse_ends(&states);
    for _ in 0..MAX_PASSES {
        if !merge_equal(&states, &mut verdicts) {
            break;
        }
    }
    assemble(start, &states, &verdicts)
}

/// Merges states that list the same; whether there were any. What follows a state comes after it as a rule,
/// so going backward, what it leads to has been merged before.
fn merge_equal(states: &[State], verdicts: &mut [Option<Target>]) -> bool {
    let mut seen: FxHashMap<Vec<Step>, u32> = FxHashMap::default();
    let mut changed = false;
    for (index, state) in states.iter().enumerate().rev() {
        let (State::Decides(steps), None) = (state, verdicts[index]) else { continue };
        let view = |&(edge, callee, target): &Step| (edge, callee, settled(target, verdicts));
        let same = *seen.entry(steps.iter().map(view).collect()).or_insert(index as u32);
        if same != index as u32 {
            verdicts[index] = Some(Target::State(same));
            changed = true;
        }
    }
    changed
}

/// Where a target is `open` or `verified` after all.
fn settled(mut target: Target, verdicts: &[Option<Target>]) -> Target {
    while let Target::State(state) = target {
        match verdicts[state as usize] {
            Some(next) => target = next,
            None => break,
        }
    }
    target
}

/// States all of whose decisions lead to the same end are that end. (Decisions that a state does not list
/// lead to `open`, so `verified` needs them all: the builder lists them.)
fn collapse_ends(states: &[State]) -> Vec<Option<Target>> {
    let mut verdicts: Vec<Option<Target>> = vec![None; states.len()];
    for _ in 0..MAX_PASSES {
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

/// The states that can be reached, numbered in the order in which they are.
fn assemble(start: Target, states: &[State], verdicts: &[Option<Target>]) -> (Target, Vec<Vec<Step>>) {
    let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
    let mut representatives = Vec::new();
    let mut number = |target: Target, representatives: &mut Vec<u32>| match settled(target, verdicts) {
        Target::State(state) => {
            let fresh = representatives.len() as u32;
            let id = *numbers.entry(state).or_insert(fresh);
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
    }
}
