//! The monitors of `map conform` and a naive search agree: a log conforms if and only if some run of the whole scene,
//! with concrete answers of all procedures, has its sends and arrivals.

mod alike;
mod explained;
mod filters;
mod gaps;
mod hostile;
mod joining;
mod mid_way;
pub(crate) mod moves;
mod naive;
mod nested;
mod orbits;
mod skewed;
mod watched;
use std::sync::Arc;

use map_conform::{Arrivals, Conversation, Kind as Breach, LoggedMessage, Mark, Report, Settings, Verdict};
use map_ir::{AgentId, Body, PerformativeId, Program, Value};
use map_semantics::Message;
use map_testkit::scenes::Random;
use map_tests::random::{Comparison, Counts, Kind, Scene};

use moves::{Moves, universe};
use naive::{Found, Naive, random_log};

const MONITORS: Comparison = Comparison {
    name: "monitors",
    kind: Kind::Any,
    scenes: 60,
    compare,
    enough: |counts, _| {
        let scenes = counts.of("scenes");
        counts.of("logs") > scenes && counts.of("violated") > scenes / 4
    },
};

pub(crate) const COMPARISONS: [Comparison; 12] = [
    MONITORS,
    Comparison { name: "monitors-of-those-who-join", compare: joining::compare, ..MONITORS },
    explained::COMPARISON,
    gaps::COMPARISON,
    mid_way::COMPARISON,
    orbits::COMPARISON,
    hostile::COMPARISON,
    skewed::CLOCKS,
    skewed::TIES,
    watched::ORDERS,
    watched::RECIPIENTS,
    watched::OPAQUE,
];

/// A line of a log.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Line {
    Send(LoggedMessage),
    Receive(AgentId, Arc<Message>),
}

/// What the monitors say of a log.
fn reported(program: &Program, settings: Settings, log: &[Line]) -> Report {
    let scene = Arc::new(map_conform::Scene::new(Arc::new(program.clone()), settings));
    let mut conversation = Conversation::new(&scene);
    for (index, line) in log.iter().enumerate() {
        let mark = Mark { line: index as u64 + 1, time: None, log: 0 };
        match line {
            Line::Send(spoken) => conversation.send(mark, spoken.clone()),
            Line::Receive(to, message) => conversation.receive(mark, *to, Arc::clone(message)),
        }
    }
    conversation.report()
}

/// With one hypothesis of each orbit, however few there are.
fn settings(arrivals: Arrivals) -> Settings {
    Settings { arrivals, limit: 300, fold_from: 0, ..Settings::default() }
}

/// The verdict of the monitors, whether it is certain, and whether some states were not looked at.
fn judged(program: &Program, arrivals: Arrivals, log: &[Line]) -> (Verdict, bool, bool) {
    let report = reported(program, settings(arrivals), log);
    (report.verdict, !report.possibly, report.incomplete)
}

/// Whether the monitors blame only who answered a procedure, and the search finds a run. The search knows what has
/// happened, and not that the agent that was told an answer goes wrong with it whatever it does next.
fn is_put_down_to_an_answer(report: &Report, found: &Found) -> bool {
    let violations = &report.violations;
    let all_are_answers = violations.iter().all(|it| it.kind == Breach::UnfitAnswer);
    !violations.is_empty() && all_are_answers && *found == (Found::Explained { ended: false })
}

/// Damages a log: drops, repeats or swaps lines, or changes a sender or a value.
fn damage(program: &Program, log: &mut Vec<Line>, random: &mut Random) {
    if log.is_empty() {
        return;
    }
    let at = random.below(log.len());
    match random.below(5) {
        0 => drop(log.remove(at)),
        1 => {
            let again = log[at].clone();
            let to = at + random.below(log.len() - at) + 1;
            log.insert(to, again);
        }
        2 => {
            let other = random.below(log.len());
            log.swap(at, other);
        }
        3 => {
            let Line::Send(spoken) = &mut log[at] else { return };
            let from = AgentId::new(random.below(program.agents.len()));
            let message = Message { sender: from, ..(*spoken.message).clone() };
            let to: Vec<AgentId> = spoken.to.iter().copied().filter(|&it| it != from).collect();
            if !to.is_empty() {
                *spoken = LoggedMessage { from, to, message: Arc::new(message), id: None };
            }
        }
        _ => {
            let Line::Send(spoken) = &mut log[at] else { return };
            let mut message = (*spoken.message).clone();
            let values = universe(program);
            if let Some(index) = message.arguments.len().checked_sub(1).map(|it| random.below(it + 1)) {
                message.arguments[index] = *random.pick(&values);
            } else {
                message.performative = PerformativeId::new(random.below(program.performatives.len()));
                let arity = program.performative(message.performative).arity;
                message.arguments = (0..arity).map(|_| *random.pick(&values)).collect();
            }
            spoken.message = Arc::new(message);
        }
    }
}

/// A log as text.
fn shown(program: &Program, log: &[Line]) -> String {
    let other = |value: Value| format!("{value:?}");
    let one = |line: &Line| {
        let (word, to, message) = match line {
            Line::Send(spoken) => ("send", spoken.to.clone(), &spoken.message),
            Line::Receive(to, message) => ("receive", vec![*to], message),
        };
        let to: Vec<&str> = to.iter().map(|&it| program.agent_name(it)).collect();
        let said = map_ir::show_message(program, message.performative, &message.arguments, &other);
        format!("{word} {} from {} to {to:?}", said, program.agent_name(message.sender))
    };
    log.iter().map(one).collect::<Vec<_>>().join("\n")
}

/// What the monitors say of a log is what the naive search found, as far as each of them can tell.
fn judge(
    (verdict, certain, incomplete): (Verdict, bool, bool),
    found: Found,
    counts: &mut Counts,
    show: &dyn Fn() -> String,
) {
    match (verdict, found) {
        (_, Found::TooLarge) => counts.one("too large"),
        (Verdict::Inconclusive, _) => counts.one("inconclusive"),
        (Verdict::Violated, Found::Explained { .. }) => panic!("falsely violated: {}", show()),
        (Verdict::Violated, Found::Unexplained) => counts.one("violated"),
        (_, Found::Unexplained) if !certain => counts.one("possible"),
        (_, Found::Unexplained) => panic!("falsely explained: {}", show()),
        (verdict, Found::Explained { ended }) => {
            let conforms = verdict == Verdict::Conforms;
            assert!(!ended || conforms || incomplete, "all may have ended: {}", show());
            assert!(ended || !conforms || !certain, "not all can have ended: {}", show());
        }
    }
    counts.one("logs");
}

/// The monitors and the naive search say the same about a log.
fn agree(
    moves: &mut Moves<'_>,
    arrivals: Arrivals,
    log: &[Line],
    counts: &mut Counts,
    show: &dyn Fn() -> String,
) {
    let said = judged(moves.program(), arrivals, log);
    judge(said, Naive::search(moves, arrivals, log), counts, show);
}

fn compare(scene: &Scene, counts: &mut Counts) {
    let Scene { seed, program, .. } = scene;
    // Fresh values are compared across agents by the naive search, which the monitors cannot.
    if program.procedures.iter().any(|it| it.body == Body::Fresh) {
        return;
    }
    counts.one("scenes");
    let values = universe(program);
    let mut moves = Moves::new(std::slice::from_ref(program), &values);
    for (index, arrivals) in
        [Arrivals::Logged, Arrivals::Sent, Arrivals::Late, Arrivals::Unordered].into_iter().enumerate()
    {
        let mut random = Random::new(*seed, 11 + index as u64);
        let intact = random_log(program, arrivals, &mut random);
        for length in 0..=intact.len() {
            let (verdict, ..) = judged(program, arrivals, &intact[..length]);
            assert_ne!(
                verdict,
                Verdict::Violated,
                "{arrivals:?}: the first {length} lines\n{}",
                shown(program, &intact[..length])
            );
        }
        for _ in 0..4 {
            let mut log = intact.clone();
            for _ in 0..=random.below(2) {
                damage(program, &mut log, &mut random);
            }
            let show = || format!("{arrivals:?}\n{}", shown(program, &log));
            agree(&mut moves, arrivals, &log, counts, &show);
        }
    }
}

/// The kinds of values, so that a log can be read.
pub(crate) fn is_constant(value: &Value) -> bool {
    matches!(value, Value::Integer(_) | Value::Name(_) | Value::Text(_))
}
