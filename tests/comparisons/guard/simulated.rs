//! Simulated runs of the library in front of a guard: none of their messages is refused, and one that is forged is
//! refused, or a log with it conforms.

use std::ops::ControlFlow;
use std::sync::Arc;

use map_check::{CheckOptions, check};
use map_conform::{Arrivals, Conversation, LoggedMessage, Mark, Roles, Scene, Settings};
use map_diagnostics::SourceFile;
use map_guard::{Arrival, Denial, Draft, Guard, Policy, Rules};
use map_ir::{AgentId, PointKind, Program, Value};
use map_library::PROTOCOLS;
use map_semantics::{Action, Bounds, Message, Network, Timeouts};
use map_simulate::{Random, SimulationOptions, simulate};
use map_tests::settings::setting;
use serde_json::{Value as Json, json};

use crate::conform::moves::json_of;

/// How many runs of each text; `MAP_LOGS` is another number.
const RUNS: u64 = 3;
const NOW: u64 = 1_000_000_000;

/// What came of all runs.
#[derive(Debug, Default)]
struct Tally {
    conversations: u64,
    late: u64,
    messages: u64,
    refused: u64,
    /// Of those that were refused, for how many a log would be held against somebody.
    blamed: u64,
    explained: u64,
    /// Accepted on what values might be, or with such values.
    possible: u64,
}

fn program(name: &str, text: &str) -> Arc<Program> {
    let source = SourceFile::new(name, text);
    let parsed = map_syntax::parse(&source);
    let (checked, diagnostics) = check(&parsed.file, &CheckOptions::default());
    Arc::new(map_compile::compile(&checked.unwrap_or_else(|| panic!("{name}: {diagnostics:?}"))))
}

/// The messages of a run; `None` if it rests on what a value might be.
pub(super) fn messages(program: &Program, bounds: &Bounds, seed: u64) -> Option<Vec<LoggedMessage>> {
    let options = SimulationOptions {
        seed,
        yes: 0.5,
        yes_of: Vec::new(),
        truthful: false,
        max_steps: 300,
        loss: 0.0,
        crash: 0.0,
    };
    let (mut messages, mut is_open) = (Vec::new(), false);
    simulate(program, bounds, &options, &mut |step| {
        is_open |= !step.observed.outcome.assumptions.is_empty();
        if let Some(Action::Send { message, to, .. }) = &step.observed.outcome.action {
            let (message, to) = (Arc::clone(message), to.clone());
            messages.push(LoggedMessage { from: step.step.agent, to, message, id: None });
        }
        ControlFlow::Continue(())
    });
    (!is_open && !messages.is_empty()).then_some(messages)
}

fn argument(program: &Program, value: Value) -> Json {
    match value {
        Value::Fresh(symbol) => json!({ "text": format!("fresh {symbol:?}") }),
        Value::Abstract(symbol) => json!({ "text": format!("unknown {symbol:?}") }),
        known => json_of(program, known),
    }
}

pub(super) fn draft(program: &Program, sent: &LoggedMessage) -> Draft {
    let name = |&agent: &AgentId| program.agent_name(agent).to_owned();
    Draft {
        performative: program.performative(sent.message.performative).name.clone(),
        args: sent.message.arguments.iter().map(|&value| argument(program, value)).collect(),
        to: Some(sent.to.iter().map(name).collect()),
        key: None,
    }
}

/// A message that is like one of the run, but for one thing.
pub(super) fn forged(program: &Program, messages: &[LoggedMessage], random: &mut Random) -> LoggedMessage {
    let mut pick = |length: usize| random.below(length as u64) as usize;
    let mut forged = messages[pick(messages.len())].clone();
    match pick(3) {
        0 => forged.from = AgentId::new(pick(program.agents.len())),
        1 if !forged.message.arguments.is_empty() => {
            let mut message = Message::clone(&forged.message);
            let place = pick(message.arguments.len());
            message.arguments[place] = Value::Integer(pick(20) as i64 - 5);
            forged.message = Arc::new(message);
        }
        // As it is, at another time.
        _ => {}
    }
    forged
}

fn is_known(sent: &LoggedMessage) -> bool {
    sent.message.arguments.iter().all(|it| !matches!(it, Value::Abstract(_) | Value::Fresh(_)))
}

/// A guard beside a run.
struct Trial<'a> {
    program: &'a Arc<Program>,
    guard: Guard,
    conform: Arc<Scene>,
    fetched: Vec<u64>,
}

impl<'a> Trial<'a> {
    fn new(program: &'a Arc<Program>, is_late: bool) -> Self {
        let scene = |settings| Arc::new(Scene::new(Arc::clone(program), settings));
        let mut policy = Policy::new(program);
        policy.limits.conversations = usize::MAX;
        if is_late {
            policy.arrivals.fill(Arrival::Pushed);
        }
        let guard = Guard::new(Rules::new(scene(Settings::default()), Roles::new(program), policy));
        let arrivals = if is_late { Arrivals::Late } else { Arrivals::Sent };
        let conform = scene(Settings { arrivals, keeps_lines: true, ..Settings::default() });
        Self { program, guard, conform, fetched: vec![0; program.agents.len()] }
    }

    /// The sender reads what it has got, and sends.
    fn send(&mut self, conversation: &str, sent: &LoggedMessage, tries: bool) -> Result<bool, Denial> {
        let agent = self.program.agent_name(sent.from);
        let fetched = &mut self.fetched[sent.from.index()];
        while let Ok(delivery) = self.guard.receive(NOW, conversation, agent, *fetched, false) {
            let Some(last) = delivery.items.last() else { break };
            *fetched = last.seq;
        }
        let draft = draft(self.program, sent);
        let answer = match tries {
            true => self.guard.may_i(NOW, conversation, agent, &draft),
            false => self.guard.send(NOW, conversation, agent, &draft),
        };
        answer.map(|acceptance| acceptance.is_certain)
    }

    /// Whether `map conform` holds nothing against anybody who has sent these messages.
    fn conforms(&self, messages: &[LoggedMessage]) -> bool {
        let mut conversation = Conversation::new(&self.conform);
        for (number, message) in messages.iter().enumerate() {
            let mark = Mark { line: number as u64 + 1, ..Mark::default() };
            conversation.send(mark, message.clone());
        }
        // Whoever asks for a run has every line judged.
        let _ = conversation.explanation();
        conversation.violations().is_empty()
    }

    fn compare(&mut self, name: &str, seed: u64, messages: &[LoggedMessage], tally: &mut Tally) {
        // Not the same for each protocol.
        let mut random = Random::from_seed(seed.wrapping_mul(1_000).wrapping_add(tally.conversations));
        let at = random.below(messages.len() as u64) as usize;
        self.fetched.fill(0);
        self.guard.open(NOW, name, &[]).expect("it is new");
        for (number, sent) in messages.iter().enumerate() {
            if number == at {
                let forged = forged(self.program, messages, &mut random);
                let so_far: Vec<LoggedMessage> =
                    messages[..number].iter().chain([&forged]).cloned().collect();
                match self.send(name, &forged, true) {
                    Err(_) => {
                        tally.refused += 1;
                        tally.blamed += u64::from(!self.conforms(&so_far));
                    }
                    Ok(false) => tally.possible += 1,
                    // What stands for anything in a run is a text in front of the guard, and in no log.
                    Ok(true) if !so_far.iter().all(is_known) => tally.possible += 1,
                    Ok(true) => {
                        assert!(self.conforms(&so_far), "{name}: {forged:?} after {number}");
                        tally.explained += 1;
                    }
                }
            }
            let answer = self.send(name, sent, false);
            answer.unwrap_or_else(|denial| panic!("{name}: {denial:?}: {sent:?} after {number}"));
            tally.messages += 1;
            while self.guard.next_notice().is_some() {}
        }
        self.guard.take_records();
        tally.conversations += 1;
    }
}

#[test]
fn simulated_runs_of_the_library_are_let_through() {
    let runs = setting("MAP_LOGS").unwrap_or(RUNS);
    let first = setting("MAP_SEED").unwrap_or(1);
    let mut tally = Tally::default();
    for protocol in PROTOCOLS {
        let program = program(protocol.name, protocol.right.text);
        // A guard lets time run out at moments of its own.
        let has_timeouts =
            program.points.iter().any(|point| matches!(point.kind, PointKind::Wait { timeout: Some(_), .. }));
        let late = Bounds {
            timeouts: Timeouts::Any,
            network: Network { delayed: true, ..Network::INSTANT },
            ..Bounds::USUAL
        };
        let (mut pushed, mut strict) = (Trial::new(&program, true), Trial::new(&program, false));
        for seed in first..first + runs {
            let is_late = has_timeouts || seed % 3 == 0;
            let (trial, bounds) = if is_late { (&mut pushed, &late) } else { (&mut strict, &Bounds::USUAL) };
            let Some(messages) = messages(&program, bounds, seed) else { continue };
            tally.late += u64::from(is_late);
            trial.compare(&format!("{} {seed}", protocol.name), seed, &messages, &mut tally);
        }
    }
    println!("{tally:?}");
    assert!(tally.conversations > 20 * runs, "{tally:?}");
    // What is like a message of the run is often one of another run.
    assert!(tally.refused * 5 > tally.conversations && tally.explained > 0, "{tally:?}");
    assert!(tally.blamed > 0, "{tally:?}");
}
