//! `map run --runs N --sweep WHAT`: many runs at each of several points.

use map_explain::swept_runs::in_words;
use map_flags::{Sweep, SweepPoint, points};
use map_render::plot::of_sweep;
use map_session::{ManyRuns, SweptPoint, SweptRuns, swept_columns};

use super::many::{self, Batch, Making};
use super::rows::Rows;
use super::{Args, Prepared, Says, any_seed, prepare, repeat};
use crate::args::Format;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::write_besides;
use crate::input::Loader;
use crate::json::{self, StatisticsOutput, SweepOutput};
use crate::progress::while_counting;
use crate::style;

pub(super) fn run(args: &Args, console: &mut Console) -> Result<(), Failure> {
    let seed = args.seed.unwrap_or_else(any_seed);
    let file = Loader::new(&args.file);
    let base = prepare(args, &file, seed, Says::Warnings, console)?;
    let at = points_of(args, &base).map_err(|what| Failure::Usage("run", what))?;
    let batches = prepare_all(args, &file, &at, seed, console)?;
    let runs = args.many.runs.unwrap_or(1);
    let making = Making::new(args, console)?;
    let visible = args.format == Format::Text && Console::err_is_terminal();
    let name = base.scene.source.name();
    let all = runs.saturating_mul(batches.len() as u64);
    let names = args.many.sweep.iter().map(|it| it.name.clone()).collect();
    let swept = while_counting(name, all, &making.done, visible, || make(&making, &batches, names))?;
    for point in &swept.points {
        many::set_exit(args, &point.played.statistics, console);
    }
    if making.interrupt.is_set() {
        console.set_exit(Exit::Interrupted);
    }
    if swept.points.is_empty() {
        return Ok(());
    }
    let again = repeat::swept(args, runs, seed);
    let text = match args.format {
        Format::Text => {
            let one = |index: usize| repeat::many(&batches[index].args, runs, seed);
            style::text(&in_words(&swept, &again, &one))
        }
        Format::Json => {
            let statistics = |index: usize, played: &ManyRuns| {
                let args = &batches[index].args;
                StatisticsOutput::new(played, &|seed| repeat::one(args, seed), repeat::many(args, runs, seed))
            };
            json::to_text(&SweepOutput::new(&swept, &statistics, again))?
        }
    };
    console.print_wrapped(&text)?;
    if let Some(target) = &args.many.svg {
        write_besides("the plot", target, &format!("{}\n", of_sweep(&swept)), console)?;
    }
    if let Some(target) = &args.many.csv {
        let text = Rows::swept(&swept.names, batches.into_iter().filter_map(|it| Some((it.at, it.rows?))));
        let text = text.map_err(|what| Failure::Usage("run", what))?;
        write_besides("the table of runs", target, &text, console)?;
    }
    Ok(())
}

/// The points that the flags ask for.
fn points_of(args: &Args, base: &Prepared) -> Result<Vec<SweepPoint>, String> {
    let sweep = |arg| Sweep::new(arg, &base.scene.program, &args.scene, &args.odds);
    let sweeps = args.many.sweep.iter().map(sweep).collect::<Result<Vec<_>, _>>()?;
    points(&sweeps, &args.scene, &args.odds)
}

/// What is to be made at a point.
struct PointBatch {
    at: Vec<String>,
    /// By measure the column that its values belong to.
    columns: Vec<String>,
    /// The flags of the command that makes these runs alone.
    args: Args,
    prepared: Prepared,
    rows: Option<Rows>,
}

/// Prepares all points before the first run, so that no mistake comes late.
fn prepare_all(
    args: &Args,
    file: &Loader,
    at: &[SweepPoint],
    seed: u64,
    console: &mut Console,
) -> Result<Vec<PointBatch>, Failure> {
    let mut all = Vec::new();
    for SweepPoint { at, scene, odds } in at {
        let mut args = Args { scene: scene.clone(), odds: odds.clone(), ..args.clone() };
        args.many.sweep.clear();
        let prepared = prepare(&args, file, seed, Says::Nothing, console)?;
        let columns = many::measure_names(&prepared.scene);
        all.push(PointBatch { at: at.clone(), columns, args, prepared, rows: None });
    }
    let columns = swept_columns(&all.iter().map(|batch| batch.columns.clone()).collect::<Vec<_>>());
    all.iter_mut().zip(columns).for_each(|(batch, columns)| batch.columns = columns);
    if args.many.csv.is_some() {
        // Where there are more agents, more of them have a measure.
        let mut columns: Vec<String> = Vec::new();
        for name in all.iter().flat_map(|batch| &batch.columns) {
            if !columns.contains(name) {
                columns.push(name.clone());
            }
        }
        for batch in &mut all {
            batch.rows = Some(Rows::new(&batch.prepared.scene, &batch.columns, &columns));
        }
    }
    Ok(all)
}

/// Makes the runs of each point; of those that were interrupted nothing is kept.
fn make(making: &Making, batches: &[PointBatch], names: Vec<String>) -> Result<SweptRuns, Failure> {
    let mut points = Vec::new();
    for PointBatch { at, columns, args, prepared, rows } in batches {
        let Prepared { scene, options, deciders } = prepared;
        let batch = Batch { args, scene, options, deciders, rows: rows.as_ref(), pairs: None };
        let statistics = making.make(&batch, None)?;
        let wanted = args.many.runs.unwrap_or(1);
        if statistics.runs < wanted {
            break;
        }
        let played = ManyRuns { scene: scene.clone(), options: options.clone(), wanted, statistics };
        points.push(SweptPoint { at: at.clone(), columns: columns.clone(), played });
    }
    Ok(SweptRuns { names, wanted: batches.len(), points })
}
