//! What was found about properties for any number of agents, in words.

use map_session::{AnyProperty, AnyPropertyVerdict, ProofGap};
use map_verify::Limit;
use map_views::NoJudgement;

use super::evidence::range;

/// In the words of tests.
#[must_use]
pub fn expected(property: &AnyProperty, role: &str) -> String {
    match property.verdict {
        AnyPropertyVerdict::Violated(count) => format!("{}, with {role}={count}", property.word().words()),
        AnyPropertyVerdict::Stopped(_) => "inconclusive".to_owned(),
        AnyPropertyVerdict::Proved(_) | AnyPropertyVerdict::NotJudged(_) => {
            property.word().words().to_owned()
        }
    }
}

/// Why it is not judged, if it is not.
#[must_use]
pub fn reason(property: &AnyProperty) -> Option<String> {
    let why = match property.verdict {
        AnyPropertyVerdict::NotJudged(ProofGap::Views(why)) => views_do_not_tell(why),
        AnyPropertyVerdict::NotJudged(ProofGap::Refused) => "it is refused",
        AnyPropertyVerdict::NotJudged(ProofGap::OfOtherScene) => "it is about another scene",
        AnyPropertyVerdict::NotJudged(ProofGap::Cut) => "it holds for more, but bounds cut a smaller number",
        AnyPropertyVerdict::Stopped(limit) => reached(limit),
        AnyPropertyVerdict::Proved(_) | AnyPropertyVerdict::Violated(_) => return None,
    };
    Some(why.to_owned())
}

/// What was found, in one line.
#[must_use]
pub fn line(property: &AnyProperty, role: &str) -> String {
    let AnyProperty { name, from, holds_with, verdict, took: _ } = property;
    match verdict {
        AnyPropertyVerdict::Proved(_) if *from > 1 => {
            format!("property {name} holds, for any number of %{role} from {from} on")
        }
        AnyPropertyVerdict::Proved(_) => format!("property {name} holds, for any number of %{role}"),
        AnyPropertyVerdict::Violated(count) => format!("property {name} is violated, with {role}={count}"),
        AnyPropertyVerdict::NotJudged(_) | AnyPropertyVerdict::Stopped(_) => {
            let why = reason(property).unwrap_or_default();
            match holds_with {
                Some((first, last)) => {
                    let numbers = range(*first, *last);
                    format!("property {name} holds with {role}={numbers}; not judged for any number: {why}")
                }
                None => format!("property {name} is not judged: {why}"),
            }
        }
    }
}

fn views_do_not_tell(why: NoJudgement) -> &'static str {
    match why {
        NoJudgement::Several => {
            "it is about more than three of them at once; what is judged are claims about up to three, each under a \
             \"forall\""
        }
        NoJudgement::LooksBack => {
            "it adds up, or looks back otherwise than as in \"always count(f) <= 2\" or \"always g implies before f\""
        }
        NoJudgement::AddsUp => {
            "it adds up what all of them pay, who may be any number; what is judged is what each of them pays, \
             \"forall $a in %role : always cost(u, $a) <= 3\""
        }
        NoJudgement::NotSafety => {
            "it is about what happens in the end, or about what may happen; what is judged are claims that the beginning \
             of a run can refute, such as \"always f\", \"f unless g\" and \"always f implies never g\""
        }
        NoJudgement::Open => "some view leaves it open, which perhaps never happens",
        NoJudgement::NoViews => "not all views are known",
    }
}

/// That a limit was reached, and what to do about it.
fn reached(limit: Limit) -> &'static str {
    match limit {
        Limit::States => "there are too many states; raise --max-states",
        Limit::Memory | Limit::NoRoom => "the limit of memory was reached; raise --max-memory",
        Limit::Time => "the limit of time was reached; raise --time-limit",
        Limit::Interrupted => "it was interrupted",
        Limit::Calls | Limit::NoFirstState => "the search with a smaller number cannot go on",
    }
}
