//! The chart of a saved trace, which is replayed for it.

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::Path;

use map_diagnostics::SourceFile;
use map_doors::{named, shown};
use map_explain::transcript::{Columns, repeated_head};
use map_explain::{EndedRun, Namer, Standing, initial_lines, tell};
use map_render::chart::Recorder;
use map_render::chart::evidence::of_run;
use map_session::{Scene, Walk};

use super::Args;
use super::picture::{Chosen, Picture};
use crate::chart::{self, Around, ChartFormat};
use crate::console::Console;
use crate::failure::Failure;
use crate::files::check_target;
use crate::input::is_stdin;
use crate::trace::{Beginning, Opened, open_source};

/// Draws the trace.
pub(super) fn draw(
    args: &Args,
    chosen: Chosen,
    trace: SourceFile,
    console: &mut Console,
) -> Result<String, Failure> {
    let format = format(args, chosen).map_err(|what| Failure::Usage("render", what))?;
    let opened = open_source(trace, &args.input, &args.at, console)?;
    let Opened { trace, scene, .. } = &opened;
    let Scene { source, program, bounds, .. } = scene;
    if !is_stdin(&args.output) {
        let dialogue = named(Path::new(""), source.name());
        check_target("--output", &args.output, [dialogue]).map_err(|what| Failure::Usage("render", what))?;
    }
    let mut namer = Namer::new(source, program);
    let Beginning { initial, values } = opened.beginning(&mut namer)?;
    let mut walk = Walk::new(scene.clone(), initial);
    let mut recorder = Recorder::new(program, &walk.run().start);
    recorder.know(&namer.names.foreign);
    let start = initial_lines(&namer, &walk.run().initial);
    let mut story = String::new();
    let columns = Columns::new(&namer, trace.steps.len() as u64);
    let repeated = walk.take_all(&trace.steps, values, &mut |seen| {
        recorder.record(&seen.into());
        let told = tell(&mut namer, &seen.into());
        if trace.repeated_from.is_some_and(|from| from as u64 + 1 == seen.number) {
            story.push_str(&repeated_head().to_string());
        }
        story.push_str(&columns.line(&namer, seen.number, &told).to_string());
        ControlFlow::Continue(())
    });
    repeated.map_err(|(index, why)| opened.refuse_step(index, &why))?;
    walk.enabled();
    let chart = of_run(program, bounds, recorder, walk.run(), trace.repeated_from, args.full);
    let ended = EndedRun { bounds, run: walk.run(), memory: walk.memory() };
    let mut end = Standing::new(ended, &trace.verdict).text(&namer).to_string();
    let _ = writeln!(end, "\nbounds: {}", map_explain::bounds::bounds(&namer, bounds));
    let around = Around { title: &chart::title(&namer), start: &start, end: &end, story: &story };
    Ok(chart::print(&chart, format, args.full, &around))
}

fn format(args: &Args, chosen: Chosen) -> Result<ChartFormat, String> {
    let graphs_only = [("--role", args.graph.role.is_some()), ("--scene", !args.scene.scenes.is_empty())];
    let graphs_only = graphs_only.into_iter().chain([("--agents", !args.scene.agents.is_empty())]);
    if let Some((flag, _)) = graphs_only.into_iter().find(|(_, is_given)| *is_given) {
        return Err(format!(
            "{flag} is for dialogues, and {} is a trace, which is of one already",
            shown(&args.input)
        ));
    }
    match chosen.or(Picture::Text) {
        Picture::Text => Ok(ChartFormat::Text),
        Picture::Mermaid => Ok(ChartFormat::Mermaid),
        Picture::Plantuml => Ok(ChartFormat::Plantuml),
        Picture::Svg => Ok(ChartFormat::Svg),
        Picture::Html => Ok(ChartFormat::Html),
        Picture::Dot => Err(
            "dot is for the graphs of dialogues; a chart is drawn as text, mermaid, plantuml, svg or html"
                .to_owned(),
        ),
    }
}
