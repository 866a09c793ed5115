//! Charts of runs that show something.

use map_ir::{AgentId, Program};
use map_semantics::{Bounds, Timeouts};
use map_session::{Evidence, PendingReceive, SenderState, StuckAgent, stuck_agents, taken_steps};
use map_simulate::{Run, RunEnd};
use map_verify::ReplayedRun;

use super::{Chart, Recorder, Wait, causes, fold};

/// The chart of a replayed trace; `stuck` are the agents that wait at its end.
#[must_use]
pub fn of_replayed(program: &Program, replayed: &ReplayedRun, stuck: &[StuckAgent]) -> Chart {
    let mut recorder = Recorder::new(program, &replayed.start);
    taken_steps(replayed).for_each(|step| recorder.record(&step));
    Chart { waits: waits(program, stuck), ..recorder.finish() }
}

/// The chart of a run that shows something; `stuck` are the agents that wait at its end.
#[must_use]
pub fn of_evidence(program: &Program, run: Evidence<'_>, stuck: &[StuckAgent]) -> Chart {
    Chart { repeated_from: run.repeated_from, ..of_replayed(program, run.replayed, stuck) }
}

/// The chart of a run that was simulated or replayed, with the agents that wait at its end. Unless `full`, steps
/// outside their causal past are folded. The steps from `repeated_from` on are repeated for ever.
#[must_use]
pub fn of_run(
    program: &Program,
    bounds: &Bounds,
    recorder: Recorder<'_>,
    run: &Run,
    repeated_from: Option<usize>,
    full: bool,
) -> Chart {
    let stuck: Vec<StuckAgent> = match (&run.end, &run.state) {
        (RunEnd::NothingMoves, Some(state)) if !run.some_failed() => {
            let last = ReplayedRun {
                initial: Vec::new(),
                start: Vec::new(),
                steps: Vec::new(),
                states: vec![state.clone()],
            };
            stuck_agents(program, &last)
        }
        _ => Vec::new(),
    };
    let chart = Chart { waits: waits(program, &stuck), repeated_from, ..recorder.finish() };
    if stuck.is_empty() || full { chart } else { without_irrelevant(&chart, &stuck, bounds) }
}

/// Who waits for whom in a deadlock.
#[must_use]
pub fn waits(program: &Program, stuck: &[StuckAgent]) -> Vec<Wait> {
    let mut waits: Vec<Wait> = Vec::new();
    for stuck in stuck {
        for awaited in stuck.threads.iter().flat_map(|thread| &thread.awaited) {
            let what = program.performative(awaited.performative);
            let what = format!("{}({})", what.name, if what.arity == 0 { "" } else { ".." });
            let on = waiting_senders(awaited);
            match waits.iter_mut().find(|it| it.agent == stuck.agent && it.on == on) {
                Some(known) if known.what.split(" or ").any(|it| it == what) => {}
                Some(known) => known.what = format!("{} or {what}", known.what),
                None => waits.push(Wait { agent: stuck.agent, what, on }),
            }
        }
    }
    waits
}

fn waiting_senders(awaited: &PendingReceive) -> Vec<AgentId> {
    let waiting = awaited.senders.iter().filter(|(_, state)| *state == SenderState::Waiting);
    waiting.map(|&(agent, _)| agent).collect()
}

/// For each row, whether it is in the causal past of these agents or of the agents that could have sent what they wait
/// for.
#[must_use]
pub fn causal_past(chart: &Chart, stuck: &[StuckAgent], bounds: &Bounds) -> Vec<bool> {
    let mut about: Vec<AgentId> = stuck.iter().map(|it| it.agent).collect();
    let threads = stuck.iter().flat_map(|it| &it.threads);
    about.extend(threads.flat_map(|it| &it.awaited).flat_map(|it| &it.senders).map(|&(agent, _)| agent));
    about.sort_unstable();
    about.dedup();
    causes::causal_past(chart, &about, bounds.timeouts == Timeouts::Quiescent)
}

/// The chart with the steps folded that are not in [`causal_past`].
#[must_use]
pub fn without_irrelevant(chart: &Chart, stuck: &[StuckAgent], bounds: &Bounds) -> Chart {
    fold::irrelevant(chart, &causal_past(chart, stuck, bounds))
}
