//! `--report` and `--chart`: a conversation as a chart, with what is said of it.

use std::path::Path;

use map_conform::{ConversationResult, Verdict};
use map_diagnostics::SourceFile;
use map_doors::shown;
use map_explain::conformance::{self, Places};
use map_render::chart::Chart;

use crate::chart::{self, Around, ChartFormat};
use crate::console::Console;
use crate::failure::Failure;
use crate::files::write_besides;
use crate::style;

/// The conversation that is drawn: the first that is violated, else the first.
#[derive(Default)]
pub(super) struct Drawn(Option<Drawing>);

struct Drawing {
    /// How much it is worth seeing, by which conversations are chosen; the least first.
    rank: (u8, u64),
    chart: Chart,
    /// The conversation with its verdict.
    headline: String,
    /// What is said of it.
    below: String,
}

/// The format that the name of a file asks for.
pub(super) fn format_of(path: &Path) -> Result<ChartFormat, String> {
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("html" | "htm") => Ok(ChartFormat::Html),
        Some("svg") => Ok(ChartFormat::Svg),
        Some("txt") => Ok(ChartFormat::Text),
        Some("mmd" | "mermaid") => Ok(ChartFormat::Mermaid),
        Some("puml" | "plantuml" | "pu") => Ok(ChartFormat::Plantuml),
        _ => Err(format!("--report {}: reports end in .html, .svg, .txt, .mmd or .puml", shown(path))),
    }
}

impl Drawn {
    /// Draws a conversation, unless there is one that is better worth seeing.
    pub(super) fn add(&mut self, judged: &ConversationResult, places: Places<'_>) {
        let worth = match judged.report.verdict {
            Verdict::Violated if !judged.report.possibly => 0,
            Verdict::Violated => 1,
            Verdict::Conforms | Verdict::SoFar | Verdict::Stuck | Verdict::Inconclusive => 2,
        };
        let rank = (worth, judged.number);
        if self.0.as_ref().is_none_or(|drawing| rank < drawing.rank) {
            let headline = style::text(&conformance::headline(places, judged, 0));
            self.0 = Some(Drawing {
                rank,
                chart: conformance::chart(places, judged),
                headline: format!("{}  {headline}", conformance::name(&judged.name)),
                below: conformance::below(places, judged, 0, None),
            });
        }
    }

    /// Prints the chart, if there is one.
    pub(super) fn show(&self, console: &mut Console) -> Result<(), Failure> {
        let Some(Drawing { chart, headline, .. }) = &self.0 else { return Ok(()) };
        let around = Around { title: "", start: "", end: "", story: "" };
        let drawn = chart::print(chart, ChartFormat::Text, false, &around);
        Ok(console.print(&format!("\n{}\n\n{drawn}", headline.trim_end()))?)
    }

    /// Writes the report; says so if there is none.
    pub(super) fn save(
        self,
        target: &Path,
        source: &SourceFile,
        console: &mut Console,
    ) -> Result<(), Failure> {
        let format = format_of(target).map_err(|what| Failure::Usage("conform", what))?;
        let Some(Drawing { chart, headline, below, .. }) = self.0 else {
            let why = "there is no conversation";
            return Ok(console.complain(&format!("no report is saved to {}: {why}\n", shown(target)))?);
        };
        let title = format!("{}: {}", chart.scene, source.name());
        let around = Around { title: &title, start: "", end: headline.trim_end(), story: &below };
        write_besides("the report", target, &chart::print(&chart, format, false, &around), console)
            .map(|_| ())
    }
}
