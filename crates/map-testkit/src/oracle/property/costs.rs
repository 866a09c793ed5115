//! What dialogues cost, by relaxing every step again and again (R. Bellman, "On a routing problem", 1958).

use map_syntax::ast::{Atom, Charge, Cost, Event, File, FormulaKind, Message as Pattern, Term, TermKind};

use super::super::OracleOptions;
use super::super::act::Happening;
use super::super::cast::{Cast, Setting, constant};
use super::super::state::Value;
use super::graph::{Edge, Graph};

/// What a cost comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NaiveCost {
    /// The least cost of a run to the good end, if there is one.
    pub least: Option<i64>,
    /// The most that a run costs, and the least number of steps in which one costs as much; `None` without bound.
    pub most: Option<(i64, usize)>,
}

/// What each cost of the file comes to; `None` if the scene has too many states, or no first one.
#[must_use]
pub fn naive_costs(file: &File, options: &OracleOptions) -> Option<Vec<NaiveCost>> {
    let cast = Cast::new(file, options);
    let setting = Setting::new(file, &cast, options);
    let graph = Graph::new(&setting, None)?;
    let priced = |cost: &Cost| {
        let of = |edge: &Edge<'_>| charges(&setting, cost, edge);
        NaiveCost { least: least(&graph, &of), most: most(&graph, &of) }
    };
    Some(file.costs().map(priced).collect())
}

/// What the scene comes to in the costs that every text has: steps, messages, rounds; `None` as for [`naive_costs`].
/// Steps that go wrong cost nothing and are not told from others here, and neither are arrivals of messages that were
/// under way.
#[must_use]
pub fn naive_built_in_costs(file: &File, options: &OracleOptions) -> Option<[NaiveCost; 3]> {
    let cast = Cast::new(file, options);
    let setting = Setting::new(file, &cast, options);
    let graph = Graph::new(&setting, None)?;
    let sent = |happened: &Happening<'_>| match happened {
        Happening::Sent { to, .. } => to.len() as i64,
        _ => 0,
    };
    let copies = |edge: &Edge<'_>| edge.happened.iter().map(sent).sum::<i64>();
    // A fault without a send is a crash.
    let steps = |edge: &Edge<'_>| i64::from(edge.agent.is_some() && (!edge.fault || copies(edge) > 0));
    let calls = |edge: &Edge<'_>| {
        edge.happened.iter().filter(|happened| matches!(happened, Happening::Called)).count() as i64
    };
    let priced =
        |of: &dyn Fn(&Edge<'_>) -> i64| NaiveCost { least: least(&graph, of), most: most(&graph, of) };
    Some([priced(&steps), priced(&copies), priced(&calls)])
}

/// "The minimum over runs to the good end."
fn least(graph: &Graph<'_>, price: &dyn Fn(&Edge<'_>) -> i64) -> Option<i64> {
    let mut least: Vec<Option<i64>> =
        graph.nodes.iter().enumerate().map(|(it, _)| (it < graph.initial).then_some(0)).collect();
    let mut best = graph.first_moments().any(|moment| moment.state.all_done()).then_some(0);
    let mut changes = true;
    while std::mem::take(&mut changes) {
        for (number, node) in graph.nodes.iter().enumerate() {
            let Some(paid) = least[number] else { continue };
            for edge in &node.edges {
                let then = paid + price(edge);
                if least[edge.target].is_none_or(|known| then < known) {
                    least[edge.target] = Some(then);
                    changes = true;
                }
                if edge.state.all_done() {
                    best = Some(best.map_or(then, |best: i64| best.min(then)));
                }
            }
        }
    }
    best
}

/// "The supremum over finite runs": with each, how few steps it takes.
fn most(graph: &Graph<'_>, price: &dyn Fn(&Edge<'_>) -> i64) -> Option<(i64, usize)> {
    // More is better, then fewer steps.
    let mut most: Vec<Option<(i64, i64)>> =
        graph.nodes.iter().enumerate().map(|(it, _)| (it < graph.initial).then_some((0, 0))).collect();
    for _ in 0..=graph.nodes.len() {
        let mut changes = false;
        for (number, node) in graph.nodes.iter().enumerate() {
            let Some((paid, steps)) = most[number] else { continue };
            for edge in &node.edges {
                let then = (paid + price(edge), steps - 1);
                if most[edge.target].is_none_or(|known| then > known) {
                    most[edge.target] = Some(then);
                    changes = true;
                }
            }
        }
        if !changes {
            let (paid, steps) = most.into_iter().flatten().max()?;
            return Some((paid, steps.unsigned_abs() as usize));
        }
    }
    None
}

fn charges(setting: &Setting<'_>, cost: &Cost, edge: &Edge<'_>) -> i64 {
    let Some(acting) = edge.agent else { return 0 };
    let of = |Charge { event, price, .. }: &Charge| {
        let FormulaKind::Atom(Atom::Event(bearer, event)) = &event.kind else { return 0 };
        if !is(setting, bearer, acting) {
            return 0;
        }
        edge.happened.iter().filter_map(|it| priced(setting, event, &price.kind, it)).sum::<i64>()
    };
    cost.charges.iter().map(of).sum()
}

/// The price of something that happened, if the event is it.
fn priced(setting: &Setting<'_>, event: &Event, price: &TermKind, happened: &Happening<'_>) -> Option<i64> {
    let in_message = |pattern: &Pattern, performative: &str, arguments: &[Value<'_>]| {
        let same = pattern.performative.text == performative && pattern.arguments.len() == arguments.len();
        let fits = |(wanted, value): (&Term, &Value<'_>)| match &wanted.kind {
            TermKind::Wildcard | TermKind::Variable(_) => true,
            kind => constant(kind) == *value,
        };
        if !same || !pattern.arguments.iter().zip(arguments).all(fits) {
            return None;
        }
        let TermKind::Variable(_) = price else { return Some(fixed(price)) };
        let place = pattern.arguments.iter().position(|it| it.kind == *price)?;
        // "A price that is no integer from 0 on is 0."
        if let Value::Integer(amount) = arguments[place] { Some(amount.max(0)) } else { Some(0) }
    };
    match (event, happened) {
        (Event::Asks(wanted), Happening::Answered(asked) | Happening::Refused(asked)) => {
            (wanted.text == *asked).then(|| fixed(price))
        }
        (Event::Sends(pattern, to), Happening::Sent { performative, arguments, to: recipients }) => {
            recipients
                .iter()
                .any(|&it| is(setting, to, it))
                .then(|| in_message(pattern, performative, arguments))?
        }
        (Event::Receives(pattern, from), Happening::Received(message)) => {
            is(setting, from, message.sender)
                .then(|| in_message(pattern, message.performative, &message.arguments))?
        }
        _ => None,
    }
}

fn fixed(price: &TermKind) -> i64 {
    if let TermKind::Integer(amount) = price { *amount } else { 0 }
}

/// Whether an agent is meant: by its name, its role, or as anybody.
fn is(setting: &Setting<'_>, term: &Term, agent: usize) -> bool {
    match &term.kind {
        TermKind::Wildcard => true,
        TermKind::Role(role) => setting.role(agent) == *role,
        TermKind::Agent(name) => setting.name(agent) == *name,
        _ => false,
    }
}
