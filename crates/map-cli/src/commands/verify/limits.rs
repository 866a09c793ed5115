//! Limits in words.

use map_semantics::BoundHit;
use map_verify::{Limit, Limits};

use super::args::Args;
use crate::numbers::{bytes, counted, grouped, seconds};

/// Which limit ended a search, and how to raise it.
pub(super) fn limit_in_words(args: &Args, limits: &Limits, limit: Limit, cut_by: &[BoundHit]) -> String {
    let raise = |flag: &str| format!("raise {flag} to go on");
    match limit {
        Limit::States => format!(
            "{} states were stored; {}",
            grouped(limits.states as u64),
            raise("--max-states")
        ),
        Limit::Memory => {
            format!("more than {} are needed; {}", bytes(limits.memory as u64), raise("--max-memory"))
        }
        Limit::Time => {
            let time = args.time_limit.map(seconds).unwrap_or_default();
            format!("{time} are over; {}", raise("--time-limit"))
        }
        Limit::Interrupted => "it was interrupted".to_owned(),
        Limit::Calls => {
            "an act makes more than 10,000 calls, or can come out in more than 65,536 ways; clauses that count\n\
             with their arguments do that"
                .to_owned()
        }
        Limit::NoFirstState => {
            let flags: Vec<&str> = cut_by.iter().map(|bound| bound.flag()).collect();
            format!("an agent cannot come to its first place within the bounds; raise {}", flags.join(" and "))
        }
    }
}

/// What is not judged because bounds cut it; `None` if they cut nothing.
pub(super) fn cuts_in_words(cut_by: &[BoundHit]) -> Option<String> {
    let flags: Vec<&str> = cut_by.iter().map(|bound| bound.flag()).collect();
    let verb = if flags.len() == 1 { "allows" } else { "allow" };
    let text =
        format!("cut: some steps need more than {} {verb}; runs beyond are not judged", flags.join(" and "));
    if flags.is_empty() { None } else { Some(text) }
}

/// The limits in force.
pub(super) fn limits_in_words(args: &Args, limits: &Limits) -> String {
    let states = match args.max_states {
        Some(states) => counted(states, "state"),
        None => "any number of states".to_owned(),
    };
    let time = args.time_limit.map_or_else(|| "any time".to_owned(), seconds);
    format!("{states}, {}, {time}", bytes(limits.memory as u64))
}
