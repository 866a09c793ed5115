//! The runs that explain logs, as `map conform --save-trace` saves them: each is one of the scene, step by step, and
//! has the sends of the log, and its arrivals if they are logged.

use std::collections::BTreeMap;
use std::sync::Arc;

use map_conform::{Arrivals, Conversation, Explanation, Mark, NoExplanation, Settings, Verdict};
use map_ir::{AgentId, Body, Program};
use map_semantics::{Action, Message, SceneState, Turn, propose, time_may_run_out};
use map_testkit::scenes::Random;
use map_tests::random::{Comparison, Counts, Kind, Scene};

use super::naive::random_log;
use super::{Line, damage, shown};

/// What happens to an agent.
#[derive(Clone, Debug, PartialEq)]
enum Own {
    Sends(Arc<Message>, Vec<AgentId>),
    Gets(Arc<Message>),
}

fn conversation(program: &Program, arrivals: Arrivals, log: &[Line]) -> Conversation {
    let settings = Settings { arrivals, limit: 300, keeps_lines: true, ..Settings::default() };
    let mut conversation =
        Conversation::new(&Arc::new(map_conform::Scene::new(Arc::new(program.clone()), settings)));
    for (index, line) in log.iter().enumerate() {
        let mark = Mark { line: index as u64 + 1, time: None, log: 0 };
        match line {
            Line::Send(spoken) => conversation.send(mark, spoken.clone()),
            Line::Receive(to, message) => conversation.receive(mark, *to, Arc::clone(message)),
        }
    }
    conversation
}

/// Plays a run; what happens to each agent, and whether all have ended.
fn played(program: &Program, run: &Explanation) -> (BTreeMap<AgentId, Vec<Own>>, bool) {
    let scene = map_conform::Scene::new(Arc::new(program.clone()), Settings::default());
    let bounds = scene.bounds();
    let (state, _) = SceneState::start(program, bounds, &run.initial);
    let mut state = state.expect("there is a first state");
    let mut own: BTreeMap<AgentId, Vec<Own>> = BTreeMap::new();
    for (number, step) in run.steps.iter().enumerate() {
        let in_time = || {
            step.turn != Turn::Timeout || time_may_run_out(program, bounds, &state, step.agent, step.thread)
        };
        let proposed = propose(program, bounds, &state, step, &run.values, in_time);
        let observed = proposed.unwrap_or_else(|why| panic!("step {number}: {why}")).observed;
        if let Some(Action::Send { message, to, .. }) = &observed.outcome.action {
            own.entry(step.agent).or_default().push(Own::Sends(Arc::clone(message), to.clone()));
            for &to in to.iter().filter(|&&to| to != step.agent) {
                own.entry(to).or_default().push(Own::Gets(Arc::clone(message)));
            }
        }
        state.follow(bounds, step.agent, &observed);
    }
    let ended = state.agents.iter().all(|it| it.status != map_semantics::Status::Running);
    (own, ended)
}

/// Whether what happens to an agent in a run is what the log says. Copies may be logged one by one; a message may not
/// have arrived yet.
fn is_the_same(run: &[Own], log: &[&Line], arrivals: Arrivals) -> bool {
    let mut log = log.to_vec();
    for own in run {
        match own {
            Own::Gets(_) if arrivals != Arrivals::Logged => {}
            Own::Gets(message) => match log.first() {
                None => {}
                Some(Line::Receive(_, its)) if its == message => drop(log.remove(0)),
                Some(_) => return false,
            },
            Own::Sends(message, to) => {
                // The first copy is in its turn, the others come before the next other message.
                if !matches!(log.first(), Some(Line::Send(_))) {
                    return false;
                }
                let mut left = to.clone();
                while !left.is_empty() {
                    let at = log.iter().position(|it| matches!(it, Line::Send(_)));
                    let Some(Line::Send(spoken)) = at.map(|at| log.remove(at)) else { return false };
                    let fits = spoken.message == *message && spoken.to.iter().all(|it| left.contains(it));
                    if !fits {
                        return false;
                    }
                    left.retain(|it| !spoken.to.contains(it));
                }
            }
        }
    }
    log.is_empty()
}

pub(super) const COMPARISON: Comparison = Comparison {
    name: "explanations-of-logs",
    kind: Kind::Any,
    scenes: 60,
    compare,
    enough: |counts, _| counts.of("runs") > 4 * (counts.of("without an order") + counts.of("other")),
};

/// Whether a line is one of the agent: it sends, or a message arrives at it.
fn is_of(line: &Line, agent: AgentId) -> bool {
    match line {
        Line::Send(spoken) => spoken.from == agent,
        Line::Receive(to, _) => *to == agent,
    }
}

fn compare(scene: &Scene, counts: &mut Counts) {
    let Scene { seed, program, .. } = scene;
    if program.procedures.iter().any(|it| it.body == Body::Fresh) {
        return;
    }
    let all = [Arrivals::Logged, Arrivals::Sent, Arrivals::Late, Arrivals::Unordered];
    for (index, arrivals) in all.into_iter().enumerate() {
        let mut random = Random::new(*seed, 31 + index as u64);
        let mut log = random_log(program, arrivals, &mut random);
        if random.percent(30) {
            damage(program, &mut log, &mut random);
        }
        let show = || format!("{arrivals:?}\n{}", shown(program, &log));
        let mut conversation = conversation(program, arrivals, &log);
        let explanation = conversation.explanation();
        let verdict = conversation.report().verdict;
        match (verdict, explanation) {
            (Verdict::Violated, Ok(run)) => {
                counts.one("before a violation");
                let (own, _) = played(program, &run);
                for agent in program.cast() {
                    let run = own.get(&agent).map_or(&[][..], Vec::as_slice);
                    let lines: Vec<&Line> = log.iter().filter(|line| is_of(line, agent)).collect();
                    let is_beginning = (0..=lines.len()).any(|end| is_the_same(run, &lines[..end], arrivals));
                    assert!(is_beginning, "{agent:?} {run:?}: {}", show());
                }
            }
            (Verdict::Violated | Verdict::Inconclusive, Err(_)) => counts.one("refused"),
            (_, Err(NoExplanation::NoOrder)) => counts.one("without an order"),
            (_, Err(NoExplanation::CopiesAreMissing)) => counts.one("without copies"),
            (_, Err(_)) => counts.one("other"),
            (_, Ok(run)) => {
                counts.one("runs");
                let (own, ended) = played(program, &run);
                assert!(ended || verdict != Verdict::Conforms, "not all end: {}", show());
                for agent in program.cast() {
                    let run = own.get(&agent).map_or(&[][..], Vec::as_slice);
                    let log: Vec<&Line> = log.iter().filter(|line| is_of(line, agent)).collect();
                    assert!(is_the_same(run, &log, arrivals), "{agent:?} {run:?}: {}", show());
                }
            }
        }
    }
}
