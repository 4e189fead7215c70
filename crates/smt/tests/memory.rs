//! What the SAT solver takes at once. The memory of the process is measured, so this is the only test here.

use base::memory::resident;
use smt::sat::{Cadical, SatSolver};

#[test]
#[cfg(target_os = "linux")]
fn growth_is_foretold() {
    let mut sat = Cadical::new();
    let mut last = sat.new_variable();
    let mut largest = (0, 0);
    for _ in 0..1 << 19 {
        let foretold = sat.growth();
        let before = (foretold > 1 << 25).then(resident).flatten();
        let next = sat.new_variable();
        // So many that they are not kept back.
        let copies = if before.is_some() { 1 << 14 } else { 1 };
        for _ in 0..copies {
            sat.add_clause(&[!last, next]);
        }
        last = next;
        if let Some(before) = before {
            let taken = resident().expect("told before").saturating_sub(before);
            largest = largest.max((taken, foretold));
        }
    }
    let (taken, foretold) = largest;
    assert!(taken > foretold / 4 && taken < foretold, "{taken} of {foretold}");
}
