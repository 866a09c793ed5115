//! A state and the steps out of it.

mod state;

use map_diagnostics::SourceFile;
use map_ir::{Program, Value};
use map_semantics::{
    Bounds, EnabledStep, Ending, InitialChoices, SceneState, SceneStep, Step, open_cells, scene_steps,
};
use map_session::TakenStep;

use super::tree::Tree;
use crate::{Namer, counted, tell};
use state::agent_lines;

/// The state after the steps `after` (the first state if there are none), with every step from there.
///
/// # Errors
/// What is wrong with the steps.
pub fn successors(
    source: &SourceFile,
    program: &Program,
    bounds: &Bounds,
    after: &[Step],
) -> Result<String, String> {
    let mut namer = Namer::new(source, program);
    let mut tree = Tree::new();
    let initial = InitialChoices::all(program).options().to_vec();
    let (state, ways) = SceneState::start(program, bounds, &initial);
    let Some(mut state) = state else {
        tree.line("there is no first state");
        tree.deeper();
        for (agent, way) in program.cast().zip(&ways) {
            tree.line(format_args!("{}: {}", namer.agent(agent), way_in(&namer, &way.ending)));
        }
        return if after.is_empty() {
            Ok(tree.finish())
        } else {
            Err("--after: there is no first state".to_owned())
        };
    };
    for (index, wanted) in after.iter().enumerate() {
        let steps = scene_steps(program, bounds, &state);
        let made = steps.all().filter(|it| it.observed.result == SceneStep::Made);
        let made: Vec<EnabledStep> = made.collect();
        let Some(made) = made.iter().find(|it| it.step == *wanted) else {
            let choices = super::listed(made.iter().map(|it| it.step.to_string()));
            let number = index + 1;
            return Err(format!("--after: {wanted} is no step here (number {number}); there are: {choices}"));
        };
        namer.learn(&made.observed.outcome);
        state.follow(bounds, made.step.agent, &made.observed);
    }
    tree.line(match after.len() {
        0 if open_cells(program).next().is_some() => {
            "first state, where each cell has the first of its initial values".to_owned()
        }
        0 => "first state".to_owned(),
        steps => format!("state after {}", counted(steps as u64, "step")),
    });
    tree.deeper();
    for agent in program.cast() {
        agent_lines(&mut tree, &namer, &state, agent);
    }
    tree.back();
    let steps: Vec<EnabledStep> = scene_steps(program, bounds, &state).all().collect();
    if steps.is_empty() {
        tree.line("no step");
    }
    for step in &steps {
        // A clone for each successor: the names that one step introduces must not show in the next.
        step_lines(&mut tree, namer.clone(), bounds, &state, step);
    }
    Ok(tree.finish())
}

fn way_in(namer: &Namer<'_>, ending: &Ending) -> String {
    match ending {
        Ending::State(_) => "comes to its first places".to_owned(),
        Ending::Nothing => "does nothing".to_owned(),
        Ending::Cut(bound) => format!("cut by {}", bound.flag()),
        Ending::Runaway(point) => format!("runaway recursion at {}", namer.place_of(*point)),
        Ending::TooLong(point) => format!("too many calls or ways at {}", namer.place_of(*point)),
        Ending::RunError(error) => format!("run error at {}", namer.place(error.span)),
    }
}

fn step_lines(
    tree: &mut Tree,
    mut namer: Namer<'_>,
    bounds: &Bounds,
    before: &SceneState,
    enabled: &EnabledStep,
) {
    let EnabledStep { step, place, observed, .. } = enabled;
    let agent = &before.agents[step.agent.index()];
    let told = tell(&mut namer, &TakenStep { step, place: *place, before: agent, observed });
    let what = match &observed.result {
        SceneStep::Cut(bound) => format!("is cut by {}", bound.flag()),
        SceneStep::TooLong(point) => {
            format!("makes too many calls, or can go on in too many ways, at {}", namer.place_of(*point))
        }
        SceneStep::Made | SceneStep::Nothing | SceneStep::Wrong(_) => told.what,
    };
    let kind = observed.outcome.kind.word();
    tree.line(format_args!(
        "{step}  {kind}  {}  {}  {what}",
        namer.agent(step.agent),
        namer.place(told.span)
    ));
    if let Some(after) = enabled.next_state(bounds, before) {
        tree.deeper();
        for agent in namer.program.cast() {
            if before.agents[agent.index()] != after.agents[agent.index()] {
                agent_lines(tree, &namer, &after, agent);
            }
        }
        tree.back();
    }
}

/// A variable's value, or `unbound`.
fn bound(namer: &Namer<'_>, value: Option<Value>) -> String {
    value.map_or_else(|| "unbound".to_owned(), |value| namer.value(value))
}
