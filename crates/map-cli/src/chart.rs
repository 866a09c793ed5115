//! Charts of runs: recording what to draw, folding it, and printing it in a format.

use anstream::adapter::strip_str;
use clap::ValueEnum;
use map_explain::{Awaited, SenderState, StuckAgent, Teller, explain_deadlock};
use map_ir::{AgentId, Program, SourceSpan};
use map_render::chart::{Chart, Recorder, SeenStep, Wait, causes, fold, mermaid, page, plantuml, svg, text};
use map_semantics::{Bounds, Timeouts};
use map_simulate::{Run, RunEnd, SimulatedStep};
use map_verify::Replayed;

use crate::terminal;

/// The width of charts in characters.
const WIDTH: usize = 80;

/// No chart is wider than this, however wide the terminal is.
const MAX_WIDTH: usize = 120;

/// Text charts with more rows than this are folded in the middle.
const MAX_TEXT_ROWS: usize = 60;

/// The same for charts in the other formats.
const MAX_PICTURE_ROWS: usize = 400;

/// With `--chart auto`, charts with more rows than this are not drawn.
const MAX_AUTO_ROWS: usize = 40;

/// Nor, unless somebody waits, are charts with fewer rows than this.
const MIN_AUTO_ROWS: usize = 2;

/// `--chart`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ChartArg {
    /// Unless it is long
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl ChartArg {
    /// The chart followed by an empty line, or an empty string if none is wanted.
    pub(crate) fn drawn(self, chart: &Chart, full: bool) -> String {
        let rows = fold::repetitions(chart).rows.len();
        let wanted = match self {
            Self::Auto => rows <= MAX_AUTO_ROWS && (rows >= MIN_AUTO_ROWS || !chart.waits.is_empty()),
            Self::Always => true,
            Self::Never => false,
        };
        if !wanted {
            return String::new();
        }
        let chart = if full { chart.clone() } else { fold::usual(chart, MAX_TEXT_ROWS) };
        format!("{}\n", text::draw(&chart, room()))
    }
}

impl ChartArg {
    /// The chart of a run in place of its steps, followed by an empty line; `None` if it has no room on the terminal, is
    /// long, or not wanted. `place` gives the place of a step in the source.
    pub(crate) fn drawn_in_place(
        self,
        chart: &Chart,
        full: bool,
        place: &dyn Fn(SourceSpan) -> String,
    ) -> Option<String> {
        let chart = if full { chart.clone() } else { fold::usual(chart, MAX_TEXT_ROWS) };
        let room = room();
        let drawn = || text::draw_with_places(&chart, room, place);
        match self {
            Self::Never => None,
            Self::Always => Some(drawn()),
            Self::Auto if !(MIN_AUTO_ROWS..=MAX_AUTO_ROWS).contains(&chart.rows.len()) => None,
            Self::Auto => Some(drawn()).filter(|it| it.lines().all(|line| line.chars().count() <= room)),
        }
        .map(|drawn| format!("{}\n\n", drawn.trim_end()))
    }
}

/// The width of a chart that is shown on a terminal.
fn room() -> usize {
    terminal::width().unwrap_or(WIDTH).clamp(WIDTH, MAX_WIDTH)
}

/// The result of [`ChartArg::drawn`], as the next paragraph of a text.
pub(crate) fn paragraph(drawn: &str) -> String {
    if drawn.is_empty() { String::new() } else { format!("\n{}\n", drawn.trim_end_matches('\n')) }
}

/// How a chart is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ChartFormat {
    /// In characters, at most 80 in a line
    Text,
    /// For Mermaid, which many web pages understand
    Mermaid,
    /// For PlantUML
    Plantuml,
    /// As a picture
    Svg,
    /// As a page with the picture and the story
    Html,
}

/// The text around a chart, in formats that have room for it.
pub(crate) struct Around<'a> {
    /// What the chart is of.
    pub(crate) title: &'a str,
    /// The initial values chosen, with an empty line behind them; nothing if nothing is chosen.
    pub(crate) start: &'a str,
    /// How the run ends; may contain ANSI sequences.
    pub(crate) end: &'a str,
    /// The steps in words; may contain ANSI sequences.
    pub(crate) story: &'a str,
}

/// The chart of a replayed trace; `stuck` are the agents that wait at its end.
pub(crate) fn of_replayed(program: &Program, replayed: &Replayed, stuck: &[StuckAgent]) -> Chart {
    let mut recorder = Recorder::new(program, &replayed.start);
    for (step, state) in replayed.steps.iter().zip(&replayed.states) {
        let before = &state.agents[step.step.agent.index()];
        recorder.record(&SeenStep { step: &step.step, place: step.place, before, observed: &step.observed });
    }
    Chart { waits: waits(program, stuck), ..recorder.finish() }
}

/// A step of the simulator, for the recorder.
pub(crate) fn as_drawn<'s>(seen: &'s SimulatedStep<'_>) -> SeenStep<'s> {
    SeenStep { step: &seen.step, place: seen.place, before: seen.before, observed: seen.observed }
}

/// The chart of a run that was simulated or replayed, with the agents that wait at its end. Unless `full`, steps
/// outside their causal past are folded. The steps from `repeated_from` on are repeated for ever.
pub(crate) fn of_run(
    program: &Program,
    bounds: &Bounds,
    recorder: Recorder<'_>,
    run: &Run,
    repeated_from: Option<usize>,
    full: bool,
) -> Chart {
    let stuck: Vec<StuckAgent> = match (&run.end, &run.state) {
        (RunEnd::NothingMoves, Some(state)) if !run.some_failed() => {
            let last = Replayed {
                initial: Vec::new(),
                start: Vec::new(),
                steps: Vec::new(),
                states: vec![state.clone()],
            };
            explain_deadlock(program, &last)
        }
        _ => Vec::new(),
    };
    let chart = Chart { waits: waits(program, &stuck), repeated_from, ..recorder.finish() };
    if stuck.is_empty() || full { chart } else { without_irrelevant(&chart, &stuck, bounds) }
}

/// Who waits for whom in a deadlock.
pub(crate) fn waits(program: &Program, stuck: &[StuckAgent]) -> Vec<Wait> {
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

fn waiting_senders(awaited: &Awaited) -> Vec<AgentId> {
    let waiting = awaited.senders.iter().filter(|(_, state)| *state == SenderState::Waiting);
    waiting.map(|&(agent, _)| agent).collect()
}

/// For each row, whether it is in the causal past of these agents or of the agents that could have sent what they wait
/// for.
pub(crate) fn causal_past(chart: &Chart, stuck: &[StuckAgent], bounds: &Bounds) -> Vec<bool> {
    let mut about: Vec<AgentId> = stuck.iter().map(|it| it.agent).collect();
    let threads = stuck.iter().flat_map(|it| &it.threads);
    about.extend(threads.flat_map(|it| &it.awaited).flat_map(|it| &it.senders).map(|&(agent, _)| agent));
    about.sort_unstable();
    about.dedup();
    causes::causal_past(chart, &about, bounds.timeouts == Timeouts::Quiescent)
}

/// The chart with the steps folded that are not in [`causal_past`].
pub(crate) fn without_irrelevant(chart: &Chart, stuck: &[StuckAgent], bounds: &Bounds) -> Chart {
    fold::irrelevant(chart, &causal_past(chart, stuck, bounds))
}

/// The chart in a format. Unless `full`, repetitions and the middle of a long chart are folded.
pub(crate) fn print(chart: &Chart, format: ChartFormat, full: bool, around: &Around<'_>) -> String {
    let most = if format == ChartFormat::Text { MAX_TEXT_ROWS } else { MAX_PICTURE_ROWS };
    let folded;
    let chart = if full {
        chart
    } else {
        folded = fold::usual(chart, most);
        &folded
    };
    match format {
        ChartFormat::Text => strip_str(around.start).to_string() + &text::draw(chart, WIDTH),
        ChartFormat::Mermaid => mermaid::print(chart),
        ChartFormat::Plantuml => plantuml::print(chart),
        ChartFormat::Svg => format!("{}\n", svg::draw(chart)),
        ChartFormat::Html => {
            let end = strip_str(around.end).to_string();
            let story = format!("{}{}", strip_str(around.start), strip_str(around.story));
            let above: Vec<String> = end.lines().take(1).map(str::to_owned).collect();
            let rest: String = end.lines().skip(1).map(|line| format!("{line}\n")).collect();
            page::print(
                chart,
                &page::Around { title: around.title, above: &above, below: &(story + "\n" + &rest) },
            )
        }
    }
}

/// The title of a chart of this scene.
pub(crate) fn title(teller: &Teller<'_>) -> String {
    format!("{}: {}", teller.program.scene, teller.source.name())
}
