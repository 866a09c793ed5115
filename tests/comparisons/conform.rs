//! The monitors of `map conform` and a naive search agree: a log conforms if and only if some run of the whole scene,
//! with concrete answers of all procedures, has its sends and arrivals.
//!
//! `MAP_SCENES=N` sets how many random scenes, `MAP_SEED=S` where the seeds start.

mod explained;
mod filters;
mod hostile;
mod joining;
mod moves;
mod naive;
mod nested;
mod skewed;

use std::rc::Rc;
use std::sync::Arc;

use map_conform::{Arrivals, Conversation, LoggedMessage, Mark, Report, Scene, Settings, Verdict};
use map_diagnostics::SourceFile;
use map_ir::{AgentId, Body, PerformativeId, Program, Value};
use map_semantics::Message;
use map_testkit::scenes::{Random, any_scene};
use map_tests::engines::program;
use map_tests::settings::setting;

use moves::{Moves, universe};
use naive::{Found, Naive, random_log};

/// A line of a log.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Line {
    Send(LoggedMessage),
    Receive(AgentId, Arc<Message>),
}

/// What the monitors say of a log.
fn reported(program: &Program, settings: Settings, log: &[Line]) -> Report {
    let scene = Rc::new(Scene::new(Arc::new(program.clone()), settings));
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

/// The verdict of the monitors, whether it is certain, and whether some states were not looked at.
fn judged(program: &Program, arrivals: Arrivals, log: &[Line]) -> (Verdict, bool, bool) {
    let report = reported(program, Settings { arrivals, limit: 300, ..Settings::default() }, log);
    (report.verdict, !report.possibly, report.incomplete)
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
                *spoken = LoggedMessage { from, to, message: Arc::new(message) };
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

#[derive(Default, Debug)]
struct Counts {
    compared: usize,
    violated: usize,
    possible: usize,
    inconclusive: usize,
    too_large: usize,
    scenes: usize,
}

impl Counts {
    /// What the monitors say of a log is what the naive search found, as far as each of them can tell.
    fn add(
        &mut self,
        (verdict, certain, incomplete): (Verdict, bool, bool),
        found: Found,
        show: &dyn Fn() -> String,
    ) {
        match (verdict, found) {
            (_, Found::TooLarge) => self.too_large += 1,
            (Verdict::Inconclusive, _) => self.inconclusive += 1,
            (Verdict::Violated, Found::Explained { .. }) => panic!("falsely violated: {}", show()),
            (Verdict::Violated, Found::Unexplained) => self.violated += 1,
            (_, Found::Unexplained) if !certain => self.possible += 1,
            (_, Found::Unexplained) => panic!("falsely explained: {}", show()),
            (verdict, Found::Explained { ended }) => {
                let conforms = verdict == Verdict::Conforms;
                assert!(!ended || conforms || incomplete, "all may have ended: {}", show());
                assert!(ended || !conforms || !certain, "not all can have ended: {}", show());
            }
        }
        self.compared += 1;
    }
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
    counts.add(said, Naive::search(moves, arrivals, log), show);
}

fn compare(seed: u64, counts: &mut Counts) {
    let (text, options) = any_scene(seed);
    let program = program(&SourceFile::new("scene.map", &text), &options).expect("the scene is correct");
    // Fresh values are compared across agents by the naive search, which the monitors cannot.
    if program.procedures.iter().any(|it| it.body == Body::Fresh) {
        return;
    }
    counts.scenes += 1;
    let values = universe(&program);
    let mut moves = Moves::new(std::slice::from_ref(&program), &values);
    for (index, arrivals) in
        [Arrivals::Logged, Arrivals::Sent, Arrivals::Late, Arrivals::Unordered].into_iter().enumerate()
    {
        let mut random = Random::new(seed, 11 + index as u64);
        let intact = random_log(&program, arrivals, &mut random);
        for length in 0..=intact.len() {
            let (verdict, ..) = judged(&program, arrivals, &intact[..length]);
            assert_ne!(
                verdict,
                Verdict::Violated,
                "seed {seed} {arrivals:?}: the first {length} lines\n{text}\n{}",
                shown(&program, &intact[..length])
            );
        }
        for _ in 0..4 {
            let mut log = intact.clone();
            for _ in 0..=random.below(2) {
                damage(&program, &mut log, &mut random);
            }
            let show = || format!("seed {seed} {arrivals:?}\n{text}\n{}", shown(&program, &log));
            agree(&mut moves, arrivals, &log, counts, &show);
        }
    }
}

#[test]
fn monitors_agree_with_a_search_of_whole_runs() {
    let (count, first) = (setting("MAP_SCENES").unwrap_or(60), setting("MAP_SEED").unwrap_or(1));
    println!("{count} scenes from seed {first}");
    let mut counts = Counts::default();
    for seed in first..first + count {
        compare(seed, &mut counts);
    }
    println!("{counts:?}");
    assert!(counts.compared > counts.scenes && counts.violated > counts.scenes / 4, "{counts:?}");
}

/// The kinds of values, so that a log can be read.
pub(crate) fn is_constant(value: &Value) -> bool {
    matches!(value, Value::Integer(_) | Value::Name(_) | Value::Text(_))
}
