//! The limits of a search, and what reaching one means, in words.

use map_ir::Program;
use map_semantics::{BoundHit, Bounds};
use map_session::SearchLimits;
use map_verify::Limit;

use crate::{bytes, counted, seconds};

/// Which limit ended a search, and how to raise it.
#[must_use]
pub fn reached(within: &SearchLimits, limit: Limit, cut_by: &[BoundHit]) -> String {
    let raise = |flag: &str, is_fixed: bool| match is_fixed {
        false => format!("raise {flag} to go on"),
        true => format!("{flag} is as high as it may be here"),
    };
    let fixed = within.fixed;
    match limit {
        Limit::States => {
            let most = counted(within.limits.states as u64, "state");
            format!("the limit of {most} was reached; {}", raise("--max-states", fixed.states))
        }
        Limit::Memory => {
            let most = bytes(within.limits.memory as u64);
            format!("the memory limit of {most} was reached; {}", raise("--max-memory", fixed.memory))
        }
        Limit::NoRoom => "a table has no room to grow: the system has no memory for it, or it is as large as tables can be"
            .to_owned(),
        Limit::Time => {
            let what = match within.time {
                Some(time) if time.is_shared => {
                    let [search, whole] = [time.search, time.whole].map(seconds);
                    format!("the time of this search was up, {search} of {whole} for all")
                }
                time => {
                    let whole = time.map(|time| seconds(time.whole)).unwrap_or_default();
                    format!("the time limit of {whole} was reached")
                }
            };
            format!("{what}; {}", raise("--time-limit", fixed.time))
        }
        Limit::Interrupted => "it was interrupted".to_owned(),
        Limit::Calls => {
            "an act makes more than 10,000 calls, or can come out in more than 65,536 ways; clauses that count \
             with their arguments do that"
                .to_owned()
        }
        Limit::NoFirstState => {
            let flags: Vec<&str> = cut_by.iter().map(|bound| bound.flag()).collect();
            format!("an agent cannot come to its first place within the bounds; raise {}", flags.join(" and "))
        }
    }
}

/// The limits that there are, in words.
#[must_use]
pub fn words(within: &SearchLimits) -> String {
    let states = within.states().map(|states| counted(states, "state"));
    let memory = format!("{} of memory", bytes(within.limits.memory as u64));
    let time = within.time.map(|time| match time.is_shared {
        true => format!("{} for all searches together", seconds(time.whole)),
        false => seconds(time.whole),
    });
    let all: Vec<String> = states.into_iter().chain([memory]).chain(time).collect();
    all.join(", ")
}

/// What is not judged because bounds cut it; `None` if they cut nothing.
#[must_use]
pub fn cuts_in_words(cut_by: &[BoundHit]) -> Option<String> {
    let flags: Vec<&str> = cut_by.iter().map(|bound| bound.flag()).collect();
    let verb = if flags.len() == 1 { "allows" } else { "allow" };
    let text =
        format!("cut: some steps need more than {} {verb}; runs beyond are not judged", flags.join(" and "));
    if flags.is_empty() { None } else { Some(text) }
}

/// What would make fewer states than a scene has within these bounds, if there is anything.
#[must_use]
pub fn fewer_states(program: &Program, bounds: &Bounds) -> Option<String> {
    let mut ways = Vec::new();
    let largest = program.parts.iter().max_by_key(|part| part.agents.len());
    if let Some(part) = largest.filter(|part| part.agents.len() > 1) {
        let fewer = part.agents.len() - 1;
        ways.push(format!("fewer agents (--agents {}={fewer})", program.role_name(part.role)));
    }
    if bounds.rounds.is_none() && bounds.rounds_of.is_empty() {
        ways.push("a bound on rounds (--rounds 3)".to_owned());
    }
    (!ways.is_empty()).then(|| ways.join(", or "))
}
