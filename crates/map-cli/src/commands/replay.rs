//! `map replay`: replays a saved trace and shows it step by step.

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::PathBuf;

use map_explain::transcript::{Columns, repeated_head};
use map_explain::{EndedRun, Namer, Standing, initial_lines, tell};
use map_render::chart::Recorder;
use map_render::chart::evidence::of_run;
use map_session::{Scene, Walk};
use map_simulate::SimulatedStep;

use crate::args::Format;
use crate::chart::{self, ChartArg};
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::{Failure, is_closed_pipe};
use crate::input::refuse_double_stdin;
use crate::interrupt::Interrupt;
use crate::json::{
    self, BoundsOutput, Header, Origin, ReplayOutput, StepOutput, agents_at_the_end, unread_messages,
};
use crate::style;
use crate::trace::{Beginning, Opened, SourceArgs, open};

/// Repeats a saved trace or counterexample step by step, and shows it
#[derive(clap::Args, Clone, Debug)]
#[command(after_long_help = "\
Exit code: that of the verdict the trace leads to: 0 when all agents have ended well, 1 for a
violation, 4 when the trace ends where more can happen; 3 when the trace or its dialogue cannot
be read, or do not belong together.

Examples:
  map run auction.map --seed 7 --save-trace trace.json
  map replay trace.json
  map replay trace.json --chart                    who says what to whom
  map replay trace.json --file old/auction.map     the dialogue is elsewhere now
  map run auction.map --seed 7 --format json | map replay -")]
pub(crate) struct Args {
    /// The trace; - is standard input
    #[arg(value_name = "TRACE")]
    trace: PathBuf,

    #[command(flatten)]
    at: SourceArgs,

    /// Draw the trace as a chart below its story; auto draws those that are not too long
    #[arg(long, value_enum, value_name = "WHEN", num_args = 0..=1, require_equals = true)]
    #[arg(default_value_t = ChartArg::Never, default_missing_value = "always")]
    chart: ChartArg,

    /// How to print the result
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// A trace that has been replayed to its end, or to where it was interrupted.
struct Repeated<'p> {
    walk: Walk,
    trace: Vec<StepOutput>,
    recorder: Recorder<'p>,
    /// Whether it was interrupted.
    stopped: bool,
}

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<(), Failure> {
    let files = [Some(args.trace.clone()), args.at.file.clone()].into_iter().flatten();
    refuse_double_stdin("replay", &files.collect::<Vec<_>>())?;
    let opened = open(&args.trace, &args.at, console)?;
    let mut namer = Namer::new(&opened.scene.source, &opened.scene.program);
    let beginning = opened.beginning(&mut namer)?;
    if args.format == Format::Text {
        console.print_wrapped(&header(&opened, &namer))?;
        console.print_wrapped(&initial_lines(&namer, &beginning.initial))?;
    }
    let mut repeated = play(args, &opened, beginning, &mut namer, console)?;
    let Opened { trace, scene: Scene { source, program, bounds, .. }, .. } = &opened;
    repeated.walk.enabled();
    let run = repeated.walk.run();
    let ended = EndedRun { bounds, run, memory: repeated.walk.memory() };
    let standing = Standing::new(ended, &trace.verdict);
    console.set_exit(if repeated.stopped { Exit::Interrupted } else { Exit::of(standing.tone()) });
    match args.format {
        Format::Text => {
            let mut text = if run.steps > 0 { "\n".to_owned() } else { String::new() };
            if repeated.stopped {
                text.push_str("interrupted; the trace goes on\n");
            }
            text.push_str(&style::text(&standing.text(&namer)));
            if args.chart != ChartArg::Never {
                let from = trace.repeated_from.filter(|_| !repeated.stopped);
                let chart = of_run(program, bounds, repeated.recorder, run, from, false);
                text.push_str(&chart::paragraph(&args.chart.drawing(false).below(&chart)));
            }
            let bounds = map_explain::bounds::bounds(&namer, bounds);
            let _ = writeln!(text, "\n{}", style::aside(format!("bounds: {bounds}")));
            console.print_wrapped(&text)?;
        }
        Format::Json => {
            let output = ReplayOutput {
                header: Header::new("replay"),
                origin: Origin::new(source, program, &trace.cast),
                verdict: standing.word().to_owned(),
                recorded: trace.verdict.clone(),
                steps: run.steps,
                initial: trace.initial.clone(),
                choices: trace.steps.iter().take(repeated.trace.len()).map(json::choice).collect(),
                trace: repeated.trace,
                repeated_from: trace.repeated_from.filter(|&from| (from as u64) < run.steps),
                values: trace.values.clone(),
                agents: agents_at_the_end(&namer, run),
                unread: unread_messages(program, run),
                bounds: BoundsOutput::new(program, bounds),
            };
            console.print(&json::to_text(&output)?)?;
        }
    }
    Ok(())
}

fn header(opened: &Opened, namer: &Namer<'_>) -> String {
    let trace = &opened.trace;
    let scene = style::head(&opened.scene.program.scene);
    let cast = style::aside(map_explain::bounds::cast(&opened.scene.program));
    let made = format!("saved by map {} {} as: {}", trace.command, trace.version, trace.verdict);
    format!("{}  {scene}  {}\n{}\n{cast}\n\n", namer.source.name(), opened.text.name(), style::aside(made))
}

fn play<'p>(
    args: &Args,
    opened: &'p Opened,
    Beginning { initial, values }: Beginning,
    namer: &mut Namer<'_>,
    console: &mut Console,
) -> Result<Repeated<'p>, Failure> {
    let Opened { trace, scene, .. } = opened;
    let interrupt = Interrupt::install();
    let columns = Columns::new(namer, trace.steps.len() as u64);
    let walk = Walk::new(scene.clone(), initial);
    let mut recorder = Recorder::new(&scene.program, &walk.run().start);
    recorder.know(&namer.names.foreign);
    let mut repeated = Repeated { walk, trace: Vec::new(), recorder, stopped: false };
    let recorder = &mut repeated.recorder;
    let (mut outputs, mut broken) = (Vec::new(), None);
    let result = repeated.walk.take_all(&trace.steps, values, &mut |seen| {
        if args.chart != ChartArg::Never {
            recorder.record(&seen.into());
        }
        match args.format {
            Format::Text => {
                let repeats = trace.repeated_from.is_some_and(|from| from as u64 + 1 == seen.number);
                let marked = if repeats { console.print(&style::text(&repeated_head())) } else { Ok(()) };
                let printed = marked.and_then(|()| print_step(namer, &columns, seen, console));
                // Whether it comes out as recorded is known all the same.
                if let Err(error) = printed
                    && !is_closed_pipe(&error)
                {
                    broken = Some(error);
                    return ControlFlow::Break(());
                }
            }
            Format::Json => {
                namer.learn(&seen.observed.outcome);
                outputs.push(StepOutput::new(namer, &seen.into()));
            }
        }
        if interrupt.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    if let Some(error) = broken {
        return Err(Failure::Output(error));
    }
    result.map_err(|(index, why)| opened.refuse_step(index, &why))?;
    repeated.stopped = (repeated.walk.run().steps as usize) < trace.steps.len();
    repeated.trace = outputs;
    Ok(repeated)
}

fn print_step(
    namer: &mut Namer<'_>,
    columns: &Columns,
    seen: &SimulatedStep<'_>,
    console: &mut Console,
) -> std::io::Result<()> {
    let told = tell(namer, &seen.into());
    console.print_wrapped(&style::text(&columns.line(namer, seen.number, &told)))
}
