//! Integers that grow with every round of steps.

use map_ir::Program;
use map_verify::{Grown, Holder};

use crate::Namer;

/// The most values that are named.
const MAX_NAMED: usize = 4;

/// Where an integer is kept, in the words of the source: `$price`, `@count`, or `argument 1 of bid/2`.
#[must_use]
pub fn name_of(program: &Program, grown: &Grown) -> String {
    match grown.holder {
        Holder::Variable(clause, index) => format!("${}", program.clause(clause).variables[index]),
        Holder::Cell(cell) => format!("@{}", program.cell_name(cell)),
        Holder::Argument(performative, place) => {
            let performative = program.performative(performative);
            format!("argument {} of {}/{}", place + 1, performative.name, performative.arity)
        }
    }
}

/// What grew: `!Auctioneer's $price grew by 5`. What is only in messages is named where nothing else grew.
#[must_use]
pub fn in_words(namer: &Namer<'_>, grown: &[Grown]) -> String {
    let is_kept = |it: &&Grown| !matches!(it.holder, Holder::Argument(..));
    let kept: Vec<&Grown> = grown.iter().filter(is_kept).collect();
    let named: Vec<&Grown> = if kept.is_empty() { grown.iter().collect() } else { kept };
    let alike = named.chunk_by(|one, other| one.agent == other.agent && movement(one) == movement(other));
    let mut words: Vec<String> = alike.map(|alike| moved(namer, alike)).collect();
    if words.len() > MAX_NAMED {
        let more = words.len() - (MAX_NAMED - 1);
        words.truncate(MAX_NAMED - 1);
        words.push(format!("{more} more changed likewise"));
    }
    words.join(", ")
}

/// `!Auctioneer's $price and @count grew by 5`, of values of one agent that moved alike.
fn moved(namer: &Namer<'_>, alike: &[&Grown]) -> String {
    let mut names: Vec<String> = alike.iter().map(|it| name_of(namer.program, it)).collect();
    names.dedup();
    format!("{}'s {} {}", namer.agent(alike[0].agent), names.join(" and "), movement(alike[0]))
}

fn movement(grown: &Grown) -> String {
    let verb = if grown.by > 0 { "grew" } else { "fell" };
    let by = if grown.steady { format!(" by {}", grown.by.unsigned_abs()) } else { String::new() };
    format!("{verb}{by}")
}
