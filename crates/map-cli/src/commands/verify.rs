//! `map verify`: explores every run of each scene, and reports what it finds.

mod advice;
mod any;
mod args;
mod casts;
mod chosen;
mod collected;
mod found;
mod judged;
mod limits;
mod long;
mod presented;
mod properties;
mod report;
mod save;
mod save_test;
mod scenes;
mod searched;
mod shown;
mod spin;
mod targets;
mod task;
#[cfg(feature = "cluster")]
mod together;
#[cfg(not(feature = "cluster"))]
#[path = "verify/alone.rs"]
mod together;
mod weather;

use map_doors::Spin;
use map_semantics::Bounds;
use map_session::WEATHERS;
use map_spin::Opinion;

use self::args::SecondTool;
use self::collected::Collected;
use self::found::FileResult as _;
use self::judged::judge;
use self::scenes::SceneOfFile;
use self::searched::{Searched, search};
use self::task::Task;
use self::together::Member;
use self::weather::forecast;
use crate::args::Format;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::with_dialogues;
use crate::input::refuse_double_stdin;
use crate::interrupt::Interrupt;
use crate::json::{VerifiedOutput, VerifyResult};
use crate::progress::SharedCheckpoints;
use crate::style;
use crate::threads;

pub(crate) use self::args::Args;
pub(in crate::commands) use self::args::limits;
pub(in crate::commands) use self::limits::SharedTime;

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<(), Failure> {
    let args = &Args { files: with_dialogues(&args.files), ..args.clone() };
    let usage = |what: String| Failure::Usage("verify", what);
    // Usage errors are reported before any search begins.
    refuse_double_stdin("verify", &args.files)?;
    targets::check(args).map_err(usage)?;
    casts::check(args).map_err(usage)?;
    if !args.search.scene.any().map_err(usage)?.is_empty() {
        any::check(args).map_err(usage)?;
    }
    let spin = args.with.map(|SecondTool::Spin| Spin::find()).transpose().map_err(usage)?;
    let scenes = scenes::of_files(args);
    targets::check_number(args, &scenes).map_err(usage)?;
    for scene in &scenes {
        any::check_file(&scene.args, &scene.loaded).map_err(usage)?;
        casts::check_file(scene).map_err(usage)?;
    }
    chosen::check(args, &scenes).map_err(usage)?;
    let bounds = resolve(&scenes).map_err(usage)?;
    chosen::refuse_formulas(&scenes)?;
    let checkpoints = long::checkpoints(args, &scenes, &bounds).map_err(usage)?;
    threads::warn(args.search.limits.threads, console)?;
    let mut collected = Collected::default();
    let ended = each_scene(args, &scenes, bounds, spin.as_ref(), (&checkpoints, &mut collected), console);
    if !together::prints(args) {
        return ended;
    }
    // Before anything more is printed, since printing ends the command if the pipe is closed.
    collected.save_junit(args, &scenes, console)?;
    ended?;
    collected.print(args, scenes.len(), console)
}

/// The bounds for each scene, unless there are errors.
fn resolve(scenes: &[SceneOfFile]) -> Result<Vec<Option<Bounds>>, String> {
    let resolved = scenes.iter().map(|SceneOfFile { args, loaded, .. }| {
        loaded.program.as_ref().map(|program| args.search.bounds.resolve(program)).transpose()
    });
    resolved.collect()
}

/// Searches the scenes until interrupted, and reports what is found in each.
fn each_scene(
    args: &Args,
    scenes: &[SceneOfFile],
    bounds: Vec<Option<Bounds>>,
    spin: Option<&Spin>,
    (checkpoints, collected): (&Option<SharedCheckpoints>, &mut Collected),
    console: &mut Console,
) -> Result<(), Failure> {
    let interrupt = Interrupt::install();
    let searched = bounds.iter().flatten().count();
    let time = SharedTime::new(
        args.search.limits.time_limit,
        if args.weather { searched * WEATHERS.len() } else { searched },
    );
    let all: Vec<(&SceneOfFile, Option<Bounds>)> = scenes.iter().zip(bounds).collect();
    for casts in all.chunk_by(|_, (scene, _)| scene.is_further_cast()) {
        if interrupt.is_set() {
            console.set_exit(Exit::Interrupted);
            break;
        }
        let (SceneOfFile { args, file, loaded, cast }, bounds) = &casts[0];
        if cast.is_some() {
            casts::verify(casts, &interrupt, &time, collected, console)?;
            continue;
        }
        match bounds.clone().and_then(|bounds| loaded.scene(bounds)) {
            Some(scene) => {
                let any = args
                    .search
                    .scene
                    .any_in(&loaded.source)
                    .map_err(|what| Failure::Usage("verify", what))?;
                if !any.is_empty() {
                    any::ask(args, &any, (file, loaded), (&interrupt, &time), collected, console)?;
                    continue;
                }
                let task = Task {
                    args,
                    file,
                    loaded,
                    scene,
                    interrupt: &interrupt,
                    time: &time,
                    checkpoints: checkpoints.clone(),
                };
                task.print_diagnostics(console)?;
                verify(&task, spin, collected, console)?;
            }
            None => collected.reject(args, loaded, console)?,
        }
    }
    Ok(())
}

/// Verifies a scene in the mode that the flags ask for.
fn verify(
    task: &Task<'_>,
    spin: Option<&Spin>,
    collected: &mut Collected,
    console: &mut Console,
) -> Result<(), Failure> {
    collected.begin(task, console)?;
    if task.args.weather {
        let mut forecast = forecast(task, console)?;
        collected.add(task, &mut forecast, console)?;
        collected.keep(task, || VerifyResult::Weather(Box::new(forecast.output())));
        return Ok(());
    }
    let member = Member::from_flags(task.args).map_err(|what| Failure::Usage("verify", what))?;
    let prints = together::prints(task.args);
    if task.args.properties_only {
        let mut judged = judge(task, member)?;
        if !prints {
            console.set_exit(judged.exit());
            return Ok(());
        }
        collected.add(task, &mut judged, console)?;
        collected.keep(task, || VerifyResult::Judged(Box::new(judged.output())));
    } else {
        let (found, advice) = match member {
            None => advice::search_and_advise(task)?,
            Some(_) => (search(task, member)?, None),
        };
        let mut searched = Searched { advice: advice.as_deref(), ..Searched::new(task.args, &found) };
        if !prints {
            console.set_exit(searched.exit());
            return warn_of_checkpoints(task, console);
        }
        warn_of_checkpoints(task, console)?;
        collected.add(task, &mut searched, console)?;
        let opinion = spin.map(|spin| spin::ask(spin, task, &searched, console)).transpose()?.flatten();
        if let Some(opinion) = &opinion
            && task.args.format == Format::Text
        {
            console.print_wrapped(&style::text(&opinion.text(searched.found)))?;
        }
        let spin = opinion.as_ref().map(Opinion::output);
        collected
            .keep(task, || VerifyResult::Verified(Box::new(VerifiedOutput { spin, ..searched.output() })));
    }
    Ok(())
}

/// Says so if the last checkpoint could not be written.
fn warn_of_checkpoints(task: &Task<'_>, console: &mut Console) -> Result<(), Failure> {
    let problem = task.checkpoints.as_ref().and_then(|it| it.borrow().problem());
    problem.map_or(Ok(()), |problem| Ok(console.complain(&format!("warning: {problem}\n"))?))
}
