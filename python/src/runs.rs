//! Runs: one with its steps, or many with what is collected of each.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use map_diagnostics::SourceFile;
use map_explain::{Namer, end_of_played};
use map_json::{RunRest, StepOutput, choice};
use map_render::chart::evidence::of_run;
use map_render::chart::{Chart, Recorder};
use map_session::{Collect, PropertySelection, Scene, Simulate, compile};
use map_simulate::{EndWord, Response, SimulatedStep, SimulationOptions, first, seed_of_run};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use serde::Serialize;

use crate::charts::chart;
use crate::collected::{Collector, Columns, RunTally};
use crate::deciders::{Deciders, Table};
use crate::failure::{misused, rejected};
use crate::flags::RunFlags;
use crate::task::{Task, work};
use crate::verify::MOST_THREADS;

/// How many steps are taken between two looks at signals, where Python's lock is held.
const LOOK: u64 = 4096;

/// A run that was played.
#[pyclass(frozen, module = "maplang._native")]
pub(crate) struct Played {
    /// As `map run --format json` prints it.
    #[pyo3(get)]
    json: String,
    /// How it ended, in words.
    #[pyo3(get)]
    text: String,
    chart: Chart,
}

#[pymethods]
impl Played {
    /// The chart in a language.
    fn chart(&self, language: &str) -> PyResult<String> {
        chart(&self.chart, language)
    }
}

/// A run for programs, as `map run` prints it.
#[derive(Serialize)]
struct Whole {
    trace: Vec<StepOutput>,
    #[serde(flatten)]
    rest: RunRest,
}

/// The scene of flags, of whose runs something may be collected.
///
/// # Errors
/// What is wrong with them, or with the text.
pub(crate) fn scene(
    py: Python<'_>,
    source: &Arc<SourceFile>,
    flags: &RunFlags,
    seed: u64,
    collect: &[String],
) -> PyResult<(Scene, SimulationOptions)> {
    let wrong = |what: String| misused(py, &what);
    let options = flags.scene.to_options().map_err(wrong)?;
    let collect = Collect { given: collect, declared: false };
    let wanted = PropertySelection::Properties { only: &[], given: &[], collect };
    let compilation = compile(source, &options, wanted);
    let refused = || rejected(py, source, &compilation.diagnostics);
    let program = compilation.program.as_ref().ok_or_else(refused)?;
    let bounds = flags.bounds.resolve(program).map_err(wrong)?;
    let options = flags.odds.resolve(program, seed, flags.max_steps).map_err(wrong)?;
    Ok((compilation.scene(bounds).ok_or_else(refused)?, options))
}

/// Plays a run.
///
/// # Errors
/// What a function that decides, or a signal handler, raised.
pub(crate) fn one(
    py: Python<'_>,
    scene: &Scene,
    options: SimulationOptions,
    flags: &RunFlags,
    table: &Table,
) -> PyResult<Played> {
    let program = &scene.program;
    let namer = RefCell::new(Namer::new(&scene.source, program));
    let deciders = RefCell::new(Deciders::new(py, table)?);
    let question = Simulate::new(scene, options);
    let start = first(program, &scene.bounds, question.initial.clone()).start;
    let mut recorder = Recorder::new(program, &start);
    let (mut trace, mut choices) = (Vec::new(), Vec::new());
    let mut respond =
        |asked: &map_semantics::Question<'_>| deciders.borrow_mut().respond(&mut namer.borrow_mut(), asked);
    let played = question.ask(scene, &mut respond, &mut |seen| {
        namer.borrow_mut().learn(&seen.observed.outcome);
        recorder.know(&namer.borrow().names.foreign);
        recorder.record(&seen.into());
        choices.push(choice(&seen.step));
        trace.push(StepOutput::new(&namer.borrow(), &seen.into()));
        hear(py, &mut deciders.borrow_mut(), seen)
    });
    if let Some(raised) = deciders.into_inner().raised {
        return Err(raised);
    }
    let namer = namer.into_inner();
    let values = played.run.values.iter().map(|&value| namer.value(value)).collect();
    let rest = RunRest::new(&played, &namer, &flags.scene.agents, (choices, values), String::new());
    let drawn = of_run(program, &scene.bounds, recorder, &played.run, None, true);
    let json = serde_json::to_string(&Whole { trace, rest });
    Ok(Played {
        json: json.map_err(|error| PyRuntimeError::new_err(format!("internal error: {error}")))?,
        text: end_of_played(&played, &namer).to_string(),
        chart: drawn,
    })
}

/// Counts a step, and looks at signals now and then.
fn hear(py: Python<'_>, deciders: &mut Deciders<'_, '_>, seen: &SimulatedStep<'_>) -> ControlFlow<()> {
    deciders.steps = seen.number;
    if seen.number.is_multiple_of(LOOK)
        && let Err(error) = py.check_signals()
    {
        deciders.raised = Some(error);
        return ControlFlow::Break(());
    }
    ControlFlow::Continue(())
}

/// Plays many runs in which functions decide, one after the other on this thread.
///
/// # Errors
/// What a function that decides, `progress` or a signal handler raised.
pub(crate) fn many_decided(
    py: Python<'_>,
    scene: &Scene,
    options: &SimulationOptions,
    runs: u64,
    table: &Table,
    collector: &Collector,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Columns> {
    let deciders = RefCell::new(Deciders::new(py, table)?);
    let mut namer = Namer::new(&scene.source, &scene.program);
    let mut columns = Columns::new(collector, runs);
    for number in 0..runs {
        namer.begin_run();
        namer.names.foreign = map_ir::Foreign::default();
        deciders.borrow_mut().begin_run();
        let names = RefCell::new(namer);
        let own = SimulationOptions { seed: seed_of_run(options.seed, number), ..options.clone() };
        let mut tally = RunTally::new(collector);
        let question = Simulate::new(scene, own);
        let before = deciders.borrow().asked;
        let mut respond = |asked: &map_semantics::Question<'_>| {
            deciders.borrow_mut().respond(&mut names.borrow_mut(), asked)
        };
        let played = question.ask(scene, &mut respond, &mut |seen| {
            names.borrow_mut().learn(&seen.observed.outcome);
            tally.see(collector, seen);
            hear(py, &mut deciders.borrow_mut(), seen)
        });
        namer = names.into_inner();
        let mut told = deciders.borrow_mut();
        if let Some(raised) = told.raised.take() {
            return Err(raised);
        }
        let decided = told.asked - before;
        drop(told);
        columns.add(collector, number, &played, &tally, decided);
        if number % 16 == 15 {
            py.check_signals()?;
            if let Some(progress) = progress {
                progress.call1((number + 1, runs))?;
            }
        }
    }
    Ok(columns)
}

/// Plays many runs by lot, with so many threads, and without Python.
///
/// # Errors
/// What a signal handler raised.
pub(crate) fn many(
    py: Python<'_>,
    scene: &Scene,
    options: &SimulationOptions,
    runs: u64,
    threads: usize,
    collector: &Collector,
) -> PyResult<Columns> {
    let next = AtomicU64::new(0);
    let broken = AtomicUsize::new(0);
    let part = |task: &Task| {
        let mut columns = Columns::new(collector, 0);
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= runs || task.is_stopped() {
                return columns;
            }
            let own = SimulationOptions { seed: seed_of_run(options.seed, number), ..options.clone() };
            let mut tally = RunTally::new(collector);
            let question = Simulate::new(scene, own);
            let played = question.ask(scene, &mut |_| Response::Chance, &mut |seen| {
                tally.see(collector, seen);
                if seen.number.is_multiple_of(LOOK) && task.is_stopped() {
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(())
            });
            if EndWord::of(&played.run) == EndWord::Stopped {
                broken.fetch_add(1, Ordering::Relaxed);
                return columns;
            }
            columns.add(collector, number, &played, &tally, 0);
        }
    };
    work(py, None, |task| {
        std::thread::scope(|scope| {
            let others: Vec<_> = (1..threads.min(MOST_THREADS.get()))
                .map_while(|_| std::thread::Builder::new().spawn_scoped(scope, || part(task)).ok())
                .collect();
            let mut all = part(task);
            for other in others {
                match other.join() {
                    Ok(columns) => all.append(columns),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            all.sorted()
        })
    })
}
