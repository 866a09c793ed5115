//! Properties decided by single letters, wherever these occur in the graph.

use map_ir::{Possibility, Premise, Properties, Property, PropositionId, Temporal};

use super::reach;
use crate::property::form::Literal;
use crate::property::graph::{LabelledGraph, LetterId};

/// Whether the letters seen so far decide all properties. `exceeded` are propositions that stand for costs of which
/// it is known that they come to too much.
pub(crate) fn all_decided_by_letters(
    graph: &LabelledGraph,
    properties: &Properties,
    exceeded: &[PropositionId],
) -> bool {
    properties.list.iter().all(|it| decided_by_letters(graph, it, exceeded))
}

/// Whether letters seen so far decide a property, so that the search need not continue for it. Breadth-first order
/// makes the first such moment a nearest one. A property that holds must also be known not to be vacuous.
fn decided_by_letters(graph: &LabelledGraph, property: &Property, exceeded: &[PropositionId]) -> bool {
    // Not by staying in a state: a fair run may have to leave it.
    let seen = |proposition, positive| {
        graph.made_letters().any(|letter| reach::holds(graph, Literal { proposition, positive }, letter))
    };
    let says_something = || property.premises.iter().all(|it| happens(graph, it));
    match &property.formula {
        Temporal::Possible(Possibility::Reach(proposition)) => seen(*proposition, true) && says_something(),
        Temporal::Not(inner) => {
            matches!(&**inner, Temporal::Possible(Possibility::Reach(proposition)) if seen(*proposition, true))
        }
        Temporal::Always(inner) => {
            matches!(&**inner, Temporal::Holds(it) if seen(*it, false) || exceeded.contains(it))
        }
        Temporal::Holds(proposition) => {
            let everywhere = graph.initial_letters().all(|(_, letter)| graph.holds(letter, *proposition));
            !everywhere || says_something()
        }
        _ => false,
    }
}

/// Whether a premise holds at some moment.
pub(super) fn happens(graph: &LabelledGraph, premise: &Premise) -> bool {
    let seen = |proposition: &usize| {
        (0..graph.letter_count() as LetterId).any(|letter| graph.holds(letter, *proposition))
    };
    premise.propositions.iter().any(seen)
}
