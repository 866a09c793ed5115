//! Why the trace of a violation ends as it does, in terms of the source.

use std::fmt::Write as _;

use map_ir::AgentId;
use map_semantics::{
    Action, Bounds, Ending, Event, Network, SceneState, SceneStep, Status, StepError, scene_steps,
};
use map_session::{stuck_agents, taken_steps};
use map_verify::{ReplayedRun, Violation, ViolationKind};

use crate::{Namer, Text, comparisons, failure, livelock, stuck, wrong};

/// Explains a violation by its trace, replayed under the bounds of the search. `goes_on_for_ever` says, for a livelock,
/// that the trace is shown with an infinite continuation.
#[must_use]
pub fn explain(
    namer: &Namer<'_>,
    bounds: &Bounds,
    violation: &Violation,
    replayed: &ReplayedRun,
    goes_on_for_ever: bool,
) -> Text {
    let explained = match violation.kind {
        ViolationKind::Failure => explain_failure(namer, replayed),
        ViolationKind::Deadlock => explain_stuck(namer, bounds, replayed),
        ViolationKind::MailboxOverflow => explain_overflow(namer, replayed),
        ViolationKind::RunawayRecursion => explain_runaway(namer, replayed),
        ViolationKind::RunError => explain_run_error(namer, replayed),
        ViolationKind::Livelock => explain_livelock(namer, bounds, replayed, goes_on_for_ever),
    };
    with_comparisons(namer, explained, violation, replayed)
}

/// The same, with a deadlock explained in a line for each agent.
#[must_use]
pub fn in_short(
    namer: &Namer<'_>,
    bounds: &Bounds,
    violation: &Violation,
    replayed: &ReplayedRun,
    goes_on_for_ever: bool,
) -> Text {
    if violation.kind != ViolationKind::Deadlock {
        return explain(namer, bounds, violation, replayed, goes_on_for_ever);
    }
    let last_step = last_steps(namer.program.agents.len(), replayed);
    let mut text = Text::plain("Nothing can happen any more, but not everybody has ended:\n");
    text.append(stuck::in_short(namer, &stuck_agents(namer.program, replayed), &last_step));
    text.append(steps_left(namer, bounds, replayed));
    with_comparisons(namer, text, violation, replayed)
}

/// Adds the open comparisons that a possible violation depends on.
fn with_comparisons(
    namer: &Namer<'_>,
    mut text: Text,
    violation: &Violation,
    replayed: &ReplayedRun,
) -> Text {
    if violation.possible {
        let outcomes = replayed.steps.iter().map(|step| &step.observed.outcome);
        let comparisons = comparisons::comparisons(namer, outcomes);
        if !comparisons.is_empty() {
            let _ = writeln!(text, "  It is possible only if open comparisons come out so:");
        }
        for comparison in comparisons {
            let _ = writeln!(text, "    {comparison}");
        }
    }
    text
}

fn explain_stuck(namer: &Namer<'_>, bounds: &Bounds, replayed: &ReplayedRun) -> Text {
    let program = namer.program;
    let last_step = last_steps(program.agents.len(), replayed);
    let mut text = Text::plain("Nothing can happen any more, but not everybody has ended:\n");
    text.append(stuck::explain(namer, &stuck_agents(program, replayed), &last_step));
    let Some(last) = replayed.states.last() else { return text };
    text.append(stuck::ended(namer, &last.agents, &last_step));
    text.append(steps_left(namer, bounds, replayed));
    text
}

/// The steps of a possible deadlock that depend on open comparisons.
fn steps_left(namer: &Namer<'_>, bounds: &Bounds, replayed: &ReplayedRun) -> Text {
    let last = replayed.states.last();
    let moving = |last: &&SceneState| !scene_steps(namer.program, bounds, last).judgement().stands_still;
    let Some(last) = last.filter(moving) else { return Text::default() };
    let mut text = Text::plain("  Steps are left, but only if open comparisons come out the right way:\n");
    text.append(livelock::steps_left(namer, bounds, last));
    text
}

/// What need not happen any more, if something may.
fn in_bad_weather(network: Network) -> Option<&'static str> {
    // What only takes time comes in the end.
    let Network { unordered: _, delayed: _, losses, crashes } = network;
    match (losses > 0, crashes > 0) {
        (false, false) => None,
        (true, false) => Some("losses"),
        (false, true) => Some("crashes"),
        (true, true) => Some("losses and crashes"),
    }
}

fn explain_livelock(
    namer: &Namer<'_>,
    bounds: &Bounds,
    replayed: &ReplayedRun,
    goes_on_for_ever: bool,
) -> Text {
    let from = match replayed.steps.len() {
        0 => "From the very beginning".to_owned(),
        steps => format!("After step {steps}"),
    };
    let left = match goes_on_for_ever {
        true => "One way to go on for ever is shown. The steps possible at that point:",
        false => "There is always a step left to take. Those possible now:",
    };
    let good_end = match bounds.network.crashes {
        0 => "the good end, where all agents are done,",
        _ => "the good end, where all agents are done or have crashed,",
    };
    let how = match in_bad_weather(bounds.network) {
        None => String::new(),
        Some(luck) => format!(" without further {luck}, which need not come"),
    };
    let mut text = Text::plain(format!("{from} {good_end} cannot be reached{how}.\n{left}\n"));
    if let Some(last) = replayed.states.last() {
        text.append(livelock::steps_left(namer, bounds, last));
        let last_step = last_steps(namer.program.agents.len(), replayed);
        text.append(stuck::ended(namer, &last.agents, &last_step));
    }
    text
}

fn explain_run_error(namer: &Namer<'_>, replayed: &ReplayedRun) -> Text {
    let step = replayed.steps.last().and_then(|last| match last.observed.result {
        SceneStep::Wrong(StepError::RunError(error)) => Some((last.step.agent, error)),
        _ => None,
    });
    let at_start = || {
        replayed.start.iter().enumerate().find_map(|(agent, outcome)| match outcome.ending {
            Ending::RunError(error) => Some((AgentId::new(agent), error)),
            _ => None,
        })
    };
    let Some((agent, error)) = step.or_else(at_start) else { return Text::default() };
    let what = if wrong::is_in_act(namer, &error) { "An expression" } else { "A procedure" };
    let mut text = Text::plain(format!("{what} goes wrong:\n"));
    text.append(wrong::explain_run_error(namer, agent, &error));
    text
}

/// The number of every agent's last step.
fn last_steps(agents: usize, replayed: &ReplayedRun) -> Vec<u64> {
    let mut last = vec![0; agents];
    for (index, step) in replayed.steps.iter().enumerate() {
        last[step.step.agent.index()] = index as u64 + 1;
    }
    last
}

fn explain_failure(namer: &Namer<'_>, replayed: &ReplayedRun) -> Text {
    let failed = |ending: &Ending| matches!(ending, Ending::State(state) if state.status == Status::Failed);
    let mut text = Text::plain("An agent fails:\n");
    match replayed.steps.last().filter(|step| failed(&step.observed.outcome.ending)) {
        Some(step) => {
            let agent = step.step.agent;
            let steps = replayed.steps.iter().enumerate().filter(|(_, it)| it.step.agent == agent);
            let earlier: Vec<(u64, &[Event])> =
                steps.map(|(index, it)| (index as u64 + 1, it.observed.outcome.events.as_slice())).collect();
            let earlier = &earlier[..earlier.len() - 1];
            text.append(failure::explain(namer, agent, &step.observed.outcome.events, earlier));
        }
        None => {
            for (agent, outcome) in replayed.start.iter().enumerate().filter(|(_, it)| failed(&it.ending)) {
                text.append(failure::explain(namer, AgentId::new(agent), &outcome.events, &[]));
            }
        }
    }
    text
}

fn explain_overflow(namer: &Namer<'_>, replayed: &ReplayedRun) -> Text {
    let mut text = Text::plain("A message does not fit into a mailbox:\n");
    let (Some(step), Some(state)) = (replayed.steps.last(), replayed.states.last()) else { return text };
    let SceneStep::Wrong(StepError::Overflow(recipient)) = step.observed.result else { return text };
    if let Some(Action::Send { message, .. }) = &step.observed.outcome.action {
        let (sender, message) = (namer.agent(step.step.agent), namer.message(message));
        let _ = writeln!(text, "  {sender} sends {message} to {}, but", namer.agent(recipient));
    }
    text.append(wrong::explain_overflow(namer, recipient, &state.agents[recipient.index()]));
    text
}

fn explain_runaway(namer: &Namer<'_>, replayed: &ReplayedRun) -> Text {
    let mut text = Text::plain("A call repeats without end:\n");
    if let Some(step) = taken_steps(replayed).last()
        && let SceneStep::Wrong(StepError::Runaway(point)) = step.observed.result
    {
        let events = &step.observed.outcome.events;
        text.append(wrong::explain_runaway(namer, step.step.agent, events, point, Some(&step)));
        return text;
    }
    for (agent, outcome) in replayed.start.iter().enumerate() {
        if let Ending::Runaway(point) = outcome.ending {
            text.append(wrong::explain_runaway(namer, AgentId::new(agent), &outcome.events, point, None));
        }
    }
    text
}
