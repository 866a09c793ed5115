//! The open comparisons that a trace rests on.

use map_semantics::Outcome;

use crate::Namer;
use crate::step::describe_assumption;

/// Every comparison that the steps assumed to come out one way, with the number of the first such step.
pub fn comparisons<'o>(namer: &Namer<'_>, outcomes: impl Iterator<Item = &'o Outcome>) -> Vec<String> {
    let mut told = Vec::new();
    for (index, outcome) in outcomes.enumerate() {
        for assumption in &outcome.assumptions {
            let line = format!("step {} takes {}", index + 1, describe_assumption(namer, assumption));
            if !told.contains(&line) {
                told.push(line);
            }
        }
    }
    told
}
