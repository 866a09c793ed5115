//! Where some steps lead, and what can happen there.

use std::sync::Arc;

use map_diagnostics::SourceFile;
use map_explain::stepping::{Command, Obstacle, Offer, Stepper, Surroundings, View};
use map_explain::{Namer, StepText, initial_values, tone_of};
use map_render::chart::evidence::of_run;
use map_render::chart::{Next, Recorder};
use map_semantics::{EnabledStep, Step, are_initial, open_cells};
use map_session::{PropertyState, Scene, TakenStep, Walk};
use map_simulate::EndWord;
use serde::Serialize;

use crate::failure::{Answered, Failure, json};
use crate::flags::PlayFlags;
use crate::pictures::drawn_with_next;
use crate::pieces::{Pieces, tone_word};

/// The most steps that are taken.
const MAX_STEPS: usize = 10_000;

/// The most next steps in a chart, unless all are asked for.
const MAX_NEXT: usize = 12;

/// Steps, and the start that they follow on.
pub(crate) struct Place {
    /// The initial values of cells that may start with any of several; of each its place in the list.
    pub(crate) initial: Vec<u32>,
    /// The steps, as traces have them.
    pub(crate) steps: Vec<String>,
}

impl Place {
    fn steps(&self) -> Result<Vec<Step>, Failure> {
        if self.steps.len() > MAX_STEPS {
            return Err(Failure::text(format!("these are more than {MAX_STEPS} steps")));
        }
        self.steps.iter().map(|it| it.parse()).collect::<Result<_, String>>().map_err(Failure::text)
    }
}

/// The scene as it goes on from there.
///
/// # Errors
/// If the steps cannot be taken, or nothing can happen after them.
pub(crate) fn later(scene: &Scene, place: &Place) -> Result<Scene, Failure> {
    let initial = chosen(scene, &place.initial)?;
    scene.after(initial, place.steps()?).map_err(|why| Failure::text(why.to_string()))
}

#[derive(Serialize)]
struct StepAnswer {
    /// The steps that were taken.
    taken: Vec<ToldOutput>,
    /// Why the next of the given steps cannot be taken, if that is so.
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<String>,
    /// The initial values that were chosen, and in words.
    initial: Vec<u32>,
    starts_with: Vec<String>,
    /// What can be done now.
    enabled: Vec<ToldOutput>,
    /// How the run stands.
    standing: StandingOutput,
    /// Every agent: where it is, what it knows, what it has not read.
    agents: Pieces,
    /// The chart of the steps, an SVG picture. The steps that can be taken next are in it, with their numbers in
    /// `enabled`, from 1.
    chart: String,
    /// The properties of the text that can be asked about.
    properties: Vec<String>,
}

/// A step in words.
#[derive(Serialize)]
struct ToldOutput {
    /// As traces have it.
    step: String,
    agent: String,
    what: String,
    line: usize,
    start: u32,
    end: u32,
    /// Whether it can be taken: otherwise a bound cuts it.
    can: bool,
}

#[derive(Serialize)]
struct StandingOutput {
    /// Whether more can happen.
    open: bool,
    word: String,
    tone: &'static str,
    said: Pieces,
}

/// # Errors
/// If the text has errors, or the flags or steps are wrong.
pub(crate) fn step(source: &Arc<SourceFile>, flags: &str, place: &Place, whole: bool) -> Answered {
    let flags = PlayFlags::read(flags)?;
    let scene = flags.scene_of(source)?;
    let odds = flags.odds.resolve(&scene.program, 0, 0).map_err(Failure::flags)?;
    let steps = place.steps()?;
    let initial = chosen(&scene, &place.initial)?;
    let mut stepper = Stepper::new(&scene);
    let mut refused = None;
    if let Err((index, why)) = stepper.resume(initial.clone(), &steps, Vec::new()) {
        refused = Some(format!("step {} cannot be taken: {why}", index + 1));
        let possible = &steps[..usize::try_from(index).unwrap_or(0)];
        let again = stepper.resume(initial.clone(), possible, Vec::new());
        again.map_err(|(_, why)| Failure::text(why.to_string()))?;
    }
    let mut surroundings = Surroundings {
        odds: &odds,
        width: 0,
        is_stopped: &|| false,
        print: &mut |_| std::ops::ControlFlow::Continue(()),
    };
    let agents = stepper.run(&Command::Show(View::All, None), &mut surroundings).map_err(obstacle)?;
    let enabled = stepper.offers();
    let standing = stepper.standing();
    let end = EndWord::of(stepper.walk().run());
    // It knows the names of what was answered in these steps.
    let mut namer = Namer::new(source, &scene.program);
    let most = if whole { usize::MAX } else { MAX_NEXT };
    let (taken, chart) = told_again(&mut namer, &scene, stepper.walk(), most)?;
    let answer = StepAnswer {
        taken,
        refused,
        starts_with: initial_values(&namer, &initial),
        initial,
        enabled: enabled.iter().map(|it| offered(&namer, it)).collect(),
        standing: StandingOutput {
            open: end == EndWord::Stopped,
            word: standing.word().to_owned(),
            tone: tone_word(tone_of(end)),
            said: standing.text(&namer).into(),
        },
        agents: agents.into(),
        chart,
        properties: judged(&scene),
    };
    Ok(json(&answer))
}

/// The initial values: those given, or the first of each cell.
fn chosen(scene: &Scene, given: &[u32]) -> Result<Vec<u32>, Failure> {
    let cells = open_cells(&scene.program).count();
    match given {
        [] => Ok(vec![0; cells]),
        given if are_initial(&scene.program, given) => Ok(given.to_vec()),
        _ => Err(Failure::text("no cells of this text can start like that")),
    }
}

/// The names of the properties of the text that fit the scene.
fn judged(scene: &Scene) -> Vec<String> {
    let entries = scene.properties.entries.iter();
    let fitting = entries.filter(|entry| matches!(entry.state, PropertyState::Compiled(_)));
    fitting.map(|entry| entry.name.clone()).collect()
}

fn obstacle(obstacle: Obstacle) -> Failure {
    match obstacle {
        Obstacle::Command(what) | Obstacle::Defect(what) => Failure::text(what),
    }
}

fn offered(namer: &Namer<'_>, offer: &Offer) -> ToldOutput {
    output(namer, &offer.step, &offer.told, offer.can)
}

fn output(namer: &Namer<'_>, step: &Step, told: &StepText, can: bool) -> ToldOutput {
    ToldOutput {
        step: step.to_string(),
        agent: told.agent.clone(),
        what: told.what.clone(),
        line: namer.line(told.span),
        start: told.span.start,
        end: told.span.end,
        can,
    }
}

/// The steps of a run in words, and their chart with at most `most` next steps.
fn told_again(
    namer: &mut Namer<'_>,
    scene: &Scene,
    made: &Walk,
    most: usize,
) -> Result<(Vec<ToldOutput>, String), Failure> {
    let program = &*scene.program;
    let mut walk = Walk::new(scene.clone(), made.run().initial.clone());
    let mut recorder = Recorder::new(program, &walk.run().start);
    let mut taken = Vec::new();
    let again = walk.take_all(made.steps(), Vec::new(), &mut |seen| {
        recorder.record(&seen.into());
        let told = map_explain::tell(namer, &seen.into());
        taken.push(output(namer, &seen.step, &told, true));
        std::ops::ControlFlow::Continue(())
    });
    again.map_err(|(_, why)| Failure::text(why.to_string()))?;
    let enabled = walk.enabled();
    let next = Next::new(&recorder, &possible(&enabled, &walk), most);
    let chart = of_run(program, &scene.bounds, recorder, walk.run(), None, true);
    Ok((taken, drawn_with_next(&chart, &next)))
}

/// The steps that can be taken, none where the run has ended.
fn possible<'a>(enabled: &'a [EnabledStep], walk: &'a Walk) -> Vec<TakenStep<'a>> {
    let run = walk.run();
    let Some(state) = run.state.as_ref().filter(|_| EndWord::of(run) == EndWord::Stopped) else {
        return Vec::new();
    };
    let possible = enabled.iter().filter(|it| it.is_taken());
    let seen = possible.map(|EnabledStep { step, place, observed, .. }| TakenStep {
        step,
        place: *place,
        before: &state.agents[step.agent.index()],
        observed,
    });
    seen.collect()
}
