//! Loops that search tables, which are unwound to their end at once and whose ways out are kept apart.

mod support;

use base::Budget;
use cfa::Program;
use engines::{Analyses, Findings, Options, Outcome, Task};
use std::collections::BTreeSet;
use std::time::Duration;
use support::random::Random;
use support::{load_random, unreachable};
use task::Condition;

const INPUTS: i32 = 8;

/// How an element is looked for.
#[derive(Clone, Copy)]
enum Search {
    /// The last one that the value is not above, as in a look-up table.
    Above,
    /// The same, left by `break`.
    Break,
    /// The one that is equal.
    Equal,
    /// Only every other one is looked at.
    InTwos,
}

struct Table {
    keys: Vec<i32>,
    values: Vec<i32>,
    search: Search,
}

impl Table {
    fn new(random: &mut Random) -> Self {
        let length = 2 + random.below(4) as usize;
        let mut keys: Vec<i32> = (0..length).map(|_| random.below(10) as i32 - 1).collect();
        if random.below(3) > 0 {
            keys.sort_unstable();
        }
        let values = keys.iter().map(|_| random.below(9) as i32 - 4).collect();
        let search = [Search::Above, Search::Break, Search::Equal, Search::InTwos][random.below(4) as usize];
        Self { keys, values, search }
    }

    fn find(&self, value: i32) -> usize {
        let (last, mut index) = (self.keys.len() - 1, 0);
        let goes_on = |index: usize| match self.search {
            Search::Above | Search::Break => index < last && value > self.keys[index + 1],
            Search::Equal => index < last && self.keys[index] != value,
            Search::InTwos => index + 2 <= last && value > self.keys[index + 2],
        };
        while goes_on(index) {
            index += if matches!(self.search, Search::InTwos) { 2 } else { 1 };
        }
        index
    }

    fn declaration(&self, name: &str) -> String {
        let list = |numbers: &[i32]| numbers.iter().map(i32::to_string).collect::<Vec<_>>().join(", ");
        let (keys, values, length) = (list(&self.keys), list(&self.values), self.keys.len());
        format!(
            "static const int {name}_keys[{length}] = {{ {keys} }}; static int {name}_values[{length}] = {{ {values} }};\n"
        )
    }

    /// The loop that looks for `value`, with the index in `index`.
    fn search(&self, name: &str, index: &str, value: &str) -> String {
        let last = self.keys.len() - 1;
        let keys = format!("{name}_keys");
        match self.search {
            Search::Above => {
                format!("while ({index} < {last} && {value} > {keys}[{index} + 1]) {index}++;\n")
            }
            Search::Break => {
                format!("for (; {index} < {last}; {index}++) if ({value} <= {keys}[{index} + 1]) break;\n")
            }
            Search::Equal => format!("while ({index} < {last} && {keys}[{index}] != {value}) {index}++;\n"),
            Search::InTwos => {
                format!("while ({index} + 2 <= {last} && {value} > {keys}[{index} + 2]) {index} += 2;\n")
            }
        }
    }
}

/// Looks values up in two tables, and adds what it finds to a total, for some rounds.
struct Controller {
    tables: [Table; 2],
    rounds: usize,
    forbidden: i32,
}

impl Controller {
    fn new(random: &mut Random) -> Self {
        let tables = [Table::new(random), Table::new(random)];
        let (rounds, forbidden) = (1 + random.below(3) as usize, random.below(80) as i32 - 40);
        Self { tables, rounds, forbidden }
    }

    /// What is found for two values.
    fn step(&self, one: i32, other: i32) -> i32 {
        let [a, b] = &self.tables;
        let (i, j) = (a.find(one), b.find(other));
        a.values[i] * (one - a.keys[i]) + b.values[j]
    }

    fn is_wrong(&self) -> bool {
        let inputs = || (0..INPUTS).flat_map(|one| (0..INPUTS).map(move |other| (one, other)));
        let mut totals = BTreeSet::from([0]);
        for _ in 0..self.rounds {
            let next = |total: &i32| inputs().map(|(a, b)| total + self.step(a, b)).collect::<Vec<_>>();
            totals = totals.iter().flat_map(next).collect();
            if totals.contains(&self.forbidden) {
                return true;
            }
        }
        false
    }

    fn source(&self, random: &mut Random) -> String {
        let [a, b] = &self.tables;
        let tables = a.declaration("a") + &b.declaration("b");
        let searches = [a.search("a", "i", "u"), b.search("b", "j", "v")].concat();
        let body =
            format!("int i = 0, j = 0;\n{searches}total += a_values[i] * (u - a_keys[i]) + b_values[j];\n");
        let (function, call) = match random.below(2) {
            0 => (format!("static void step(int u, int v) {{ {body} }}\n"), "step(u, v);".to_string()),
            _ => (String::new(), format!("{{ {body} }}")),
        };
        let (rounds, forbidden) = (self.rounds, self.forbidden);
        format!(
            "unsigned char __VERIFIER_nondet_uchar(void); void reach_error(void);\n{tables}static int total, round;\n{function}\
             int main(void) {{ while (round < {rounds}) {{
                int u = __VERIFIER_nondet_uchar() % {INPUTS}, v = __VERIFIER_nondet_uchar() % {INPUTS};
                {call}
                if (total == {forbidden}) reach_error();
                round++; }} return 0; }}"
        )
    }
}

fn run(
    program: &Program,
    options: &Options,
    condition: Option<&Condition>,
    engine: fn(Task<'_>, &Options) -> Findings,
) -> Findings {
    let (analyses, goals) = (Analyses::new(program), unreachable());
    let budget = Budget::unlimited().with_time(Duration::from_secs(120));
    let task = Task { program, analyses: &analyses, goals: &goals, condition, budget: &budget };
    let findings = engine(task, options);
    if matches!(findings.outcome, Outcome::True) {
        let checked = engines::proof::check(task, options, &findings);
        assert!(checked.is_ok(), "{checked:?}");
    }
    findings
}

fn is_found(findings: &Findings, what: &str) -> bool {
    match &findings.outcome {
        Outcome::True => false,
        Outcome::False { .. } => true,
        Outcome::Unknown { reason } => panic!("{reason:?}\n{what}"),
    }
}

#[test]
fn what_is_looked_up_is_what_is_found() {
    let mut wrong = [0, 0];
    for seed in 0..120 {
        let mut random = Random(seed);
        let controller = Controller::new(&mut random);
        let source = controller.source(&mut random);
        let program = load_random(&source, seed);
        let (expected, what) = (controller.is_wrong(), format!("{seed}\n{source}"));
        let engine = if seed % 4 == 0 { engines::kinduction::run } else { engines::bmc::run };
        let options = Options { restart: seed % 5 == 0, ..Options::default() };
        assert_eq!(is_found(&run(&program, &options, None, engine), &what), expected, "{what}");
        wrong[usize::from(expected)] += 1;
    }
    assert!(wrong[0] > 20 && wrong[1] > 20, "{wrong:?}");
}

/// That searches have gone further than others is not forgotten, nor taken for more than it is, where another run goes on.
#[test]
fn what_is_verified_of_searches_is_left_out_and_all_else_is_looked_at() {
    for seed in 200..260 {
        let mut random = Random(seed);
        let controller = Controller::new(&mut random);
        let source = controller.source(&mut random);
        let program = load_random(&source, seed);
        let (expected, what) = (controller.is_wrong(), format!("{seed}\n{source}"));
        let options = Options { max_unwind: Some(random.below(2)), ..Options::default() };
        let first = run(&program, &options, None, engines::bmc::run);
        let Some(covered) = first.covered else { continue };
        let mut given = Condition::nothing(&program, &unreachable());
        given.covered.push(covered);
        let second = run(&program, &Options::default(), Some(&given), engines::bmc::run);
        assert_eq!(is_found(&second, &what), expected, "{what}");
    }
}
