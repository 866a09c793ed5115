//! Charts of runs: recording what to draw, folding it, and printing it in a format.

use anstream::adapter::strip_str;
use clap::ValueEnum;
use map_explain::Namer;
use map_render::chart::shown::{Drawing, MAX_TEXT_ROWS, When};
use map_render::chart::{Chart, fold, mermaid, page, plantuml, svg, text};

use crate::terminal;

/// The width of charts in characters.
const WIDTH: usize = 80;

/// No chart is wider than this, however wide the terminal is.
const MAX_WIDTH: usize = 120;

/// The charts of other formats with more rows than this are folded in the middle.
const MAX_PICTURE_ROWS: usize = 400;

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
    /// How charts are shown on the terminal; unless `full`, they are folded.
    pub(crate) fn drawing(self, full: bool) -> Drawing {
        let when = match self {
            Self::Auto => When::Auto,
            Self::Always => When::Always,
            Self::Never => When::Never,
        };
        Drawing { when, full, width: room() }
    }
}

/// The width of a chart that is shown on a terminal.
fn room() -> usize {
    terminal::width().unwrap_or(WIDTH).min(MAX_WIDTH)
}

/// The result of [`Drawing::below`], as the next paragraph of a text.
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
pub(crate) fn title(namer: &Namer<'_>) -> String {
    format!("{}: {}", namer.program.scene, namer.source.name())
}
