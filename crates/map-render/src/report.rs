//! The report of a verification: one self-contained HTML page that works offline.
//!
//! Runs are stepped through with the keyboard, with buttons, or by a click on a step in the chart or in the story: for
//! the current step a small script shows its sentence, its arrow in the chart, its line in the source, and the state of
//! every agent. Without the script, and in print, everything is visible.

mod run;
mod series;
mod source;

pub use series::SearchRow;

use crate::chart::Chart;
use crate::graph::{Graph, svg};
use crate::markup::Element;

const STYLE: &str = include_str!("report/style.css");
const SCRIPT: &str = include_str!("report/step.js");

/// Role graphs with more nodes are left out.
const MAX_NODES: usize = 300;

/// The contents of a report.
#[derive(Clone, Debug)]
pub struct Report {
    /// The file.
    pub file: String,
    /// The scene.
    pub scene: String,
    /// The verdict in a few words.
    pub verdict: VerdictText,
    /// How many properties hold, if there are any.
    pub of_properties: Option<VerdictText>,
    /// The casts with which the scene was verified, if there were several: the rest of the page is about one of them.
    pub casts: Vec<SearchRow>,
    /// The weathers in which it was verified, if there were several, in the same way.
    pub weathers: Vec<SearchRow>,
    /// Sentences that qualify the verdict.
    pub notes: Vec<String>,
    /// The properties with their verdicts.
    pub properties: Vec<PropertyRow>,
    /// What the costs come to.
    pub costs: Vec<PropertyRow>,
    /// Counterexamples and witnesses.
    pub runs: Vec<Run>,
    /// What the verdict depends on.
    pub assumptions: Vec<String>,
    /// What never happened.
    pub never: Never,
    /// The state charts of the roles.
    pub graphs: Vec<Graph>,
    /// The text of the file.
    pub source: String,
    /// Which operations ran, as disjoint byte ranges of `source`, in order.
    pub coverage: Vec<OperationCoverage>,
    /// Figures of the search: name and value.
    pub numbers: Vec<(String, String)>,
    /// Who wrote the report, and the command that repeats it.
    pub origin: String,
    /// The playground in which its runs can be gone on with, if it is to be in the report.
    pub live: Option<Live>,
}

/// A playground within a report.
#[derive(Clone, Debug)]
pub struct Live {
    /// The whole page, which has the element `given` ([`GIVEN`]).
    pub page: String,
    /// The flags of the search.
    pub flags: String,
}

/// The element of a playground that says what it opens with: whoever puts something into it makes a playground for
/// that.
pub const GIVEN: &str = r#"<script type="application/json" id="given"></script>"#;

/// A verdict in words, and its tone.
#[derive(Clone, Debug)]
pub struct VerdictText {
    /// The verdict in a few words.
    pub words: String,
    /// Whether it is good.
    pub tone: Tone,
}

/// Whether something is good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// It is good.
    Good,
    /// It is bad.
    Bad,
    /// It is not known.
    Doubtful,
}

/// A property with its verdict.
#[derive(Clone, Debug)]
pub struct PropertyRow {
    /// Its name, or its text.
    pub name: String,
    /// The text of its formula, if it has a name.
    pub formula: Option<String>,
    /// The verdict.
    pub verdict: VerdictText,
    /// Remarks, one sentence each.
    pub remarks: Vec<String>,
}

/// A run to step through.
#[derive(Clone, Debug)]
pub struct Run {
    /// What it shows.
    pub title: String,
    /// Why it ends as it does, line by line.
    pub explanation: String,
    /// Its steps.
    pub steps: Vec<Step>,
    /// The initial values of cells that may start with any of several; of each its place in the list.
    pub initial: Vec<u32>,
    /// The steps, as traces have them; none of them has white space in it.
    pub choices: Vec<String>,
    /// For each step, whether it is among the causes of the run's end; empty if all are.
    pub relevant: Vec<bool>,
    /// The steps from this index on are repeated for ever.
    pub repeated_from: Option<usize>,
    /// Its chart.
    pub chart: Chart,
    /// The states of each agent, in the order of the cast.
    pub agents: Vec<History>,
}

/// A step of a run.
#[derive(Clone, Debug)]
pub struct Step {
    /// What happens.
    pub sentence: String,
    /// Its place in the source, with the name of the file.
    pub place: String,
    /// The line of that place.
    pub line: usize,
}

/// The states of an agent in the course of a run.
#[derive(Clone, Debug)]
pub struct History {
    /// Its name with `!`.
    pub name: String,
    /// Its state after this many steps, and until the next entry.
    pub views: Vec<(usize, View)>,
}

/// The state of an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// Where it is, or how it ended.
    pub place: String,
    /// The numbers of the places at which it stands, as in the state charts.
    pub places: Vec<usize>,
    /// The clauses it is in, outermost first, each with its bound variables, with `$`, and their values.
    pub variables: Vec<(String, Vec<(String, String)>)>,
    /// The cells of its memory, with `@`, and their values.
    pub memory: Vec<(String, String)>,
    /// The messages it has not received, oldest first, with their senders; then those that are under way.
    pub mailbox: Vec<String>,
}

/// What never happened.
#[derive(Clone, Debug, Default)]
pub struct Never {
    /// A title that says how certain that is: "Never in any run on this network".
    pub title: String,
    /// Each item's place and sentence.
    pub items: Vec<(String, String)>,
    /// Messages that were left unread in some run.
    pub unread: Vec<String>,
}

/// Whether an operation ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperationCoverage {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// Whether it ran.
    pub ran: bool,
}

impl Tone {
    const fn class(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Bad => "bad",
            Self::Doubtful => "doubtful",
        }
    }
}

/// The page.
#[must_use]
pub fn print(report: &Report) -> String {
    let title = format!("{}: {}", report.scene, report.verdict.words);
    // What is opened from a page has its policy, too, and a playground runs WebAssembly in workers.
    let scripts = match report.live {
        None => "'unsafe-inline'",
        Some(_) => "'unsafe-inline' 'wasm-unsafe-eval' blob:; worker-src blob:",
    };
    let policy = format!(
        "default-src 'none'; style-src 'unsafe-inline'; script-src {scripts}; img-src data:; base-uri 'none'; form-action 'none'"
    );
    let meta =
        |name: &'static str, content: &str| Element::new("meta").with("name", name).with("content", content);
    let head = Element::new("head")
        .child(Element::new("meta").with("charset", "utf-8"))
        .child(Element::new("meta").with("http-equiv", "Content-Security-Policy").with("content", &policy))
        .child(meta("viewport", "width=device-width, initial-scale=1"))
        .child(meta("color-scheme", "light dark"))
        .child(Element::new("link").with("rel", "icon").with("href", "data:,"))
        .child(Element::new("title").text(title))
        .child(Element::new("style").raw(STYLE));
    let sections = [
        series::casts(report),
        series::weathers(report),
        runs(report),
        rows("properties", "Properties", &report.properties),
        rows("costs", "Costs", &report.costs),
        assumptions(report),
        never(report),
        graphs(report),
        source::section_of(report),
        numbers(report),
    ];
    let sections: Vec<Element> = sections.into_iter().flatten().collect();
    let body = Element::new("body")
        .child(header(report))
        .child(Element::new("main").children(sections))
        .child(Element::new("footer").child(Element::new("p").text(&report.origin)))
        .children(report.live.iter().map(|it| playground(report, it)))
        .child(Element::new("script").raw(SCRIPT));
    format!("<!DOCTYPE html>\n{}\n", Element::new("html").with("lang", "en").child(head).child(body))
}

/// The playground and what it is given, which the script puts together.
fn playground(report: &Report, live: &Live) -> Element {
    Element::new("div")
        .with("id", "playground")
        .with("hidden", "")
        .with("data-page", &live.page)
        .with("data-text", &report.source)
        .with("data-flags", &live.flags)
}

/// A section of the page with a heading.
fn section(id: &'static str, heading: &str) -> Element {
    Element::new("section")
        .with("id", id)
        .with("aria-labelledby", format!("{id}-heading"))
        .child(Element::new("h2").with("id", format!("{id}-heading")).text(heading))
}

fn said(said: &VerdictText) -> Element {
    Element::new("span").with("class", format!("verdict {}", said.tone.class())).text(&said.words)
}

fn header(report: &Report) -> Element {
    Element::new("header")
        .child(Element::new("p").with("class", "file").text(&report.file))
        .child(Element::new("h1").text(&report.scene))
        .child(Element::new("p").with("class", "headline").child(said(&report.verdict)))
        .children(
            report.of_properties.iter().map(|it| Element::new("p").with("class", "headline").child(said(it))),
        )
        .children(report.notes.iter().map(|note| Element::new("p").text(note)))
}

/// A table of verdicts; nothing if there are none.
fn rows(id: &'static str, heading: &str, all: &[PropertyRow]) -> Option<Element> {
    let row = |property: &PropertyRow| {
        let remarks = property.remarks.iter().map(|it| Element::new("p").with("class", "remark").text(it));
        let formula = property.formula.iter();
        let formula = formula.map(|it| Element::new("code").with("class", "formula").text(it));
        Element::new("tr")
            .child(
                Element::new("th")
                    .with("scope", "row")
                    .child(Element::new("code").text(&property.name))
                    .children(formula),
            )
            .child(Element::new("td").child(said(&property.verdict)).children(remarks))
    };
    (!all.is_empty()).then(|| {
        let rows = Element::new("tbody").children(all.iter().map(row));
        section(id, heading).child(Element::new("table").child(rows))
    })
}

fn runs(report: &Report) -> Option<Element> {
    (!report.runs.is_empty()).then(|| {
        let runs =
            report.runs.iter().enumerate().map(|(index, it)| run::draw(index, it, report.live.is_some()));
        section("runs", "What can happen").children(runs)
    })
}

fn assumptions(report: &Report) -> Option<Element> {
    (!report.assumptions.is_empty()).then(|| {
        let items = report.assumptions.iter().map(|it| Element::new("li").text(it));
        section("assumptions", "What this rests on").child(Element::new("ul").children(items))
    })
}

fn never(report: &Report) -> Option<Element> {
    let Never { title, items, unread } = &report.never;
    if items.is_empty() && unread.is_empty() {
        return None;
    }
    let mut all = section("never", "What did not happen");
    if !items.is_empty() {
        let item = |(place, what): &(String, String)| {
            let place = Element::new("span").with("class", "place").text(place);
            Element::new("li").child(place).text(" ").text(what)
        };
        all = all.child(Element::new("p").text(title));
        all = all.child(Element::new("ul").children(items.iter().map(item)));
    }
    if !unread.is_empty() {
        all = all.child(Element::new("p").text("Left unread in some run:"));
        let items = unread.iter().map(|it| Element::new("li").text(it));
        all = all.child(Element::new("ul").children(items));
    }
    Some(all)
}

fn graphs(report: &Report) -> Option<Element> {
    let drawn: Vec<Graph> =
        report.graphs.iter().filter(|graph| graph.nodes.len() <= MAX_NODES).cloned().collect();
    (!drawn.is_empty()).then(|| {
        let figure = |graph: &Graph| {
            let picture = svg::draw(std::slice::from_ref(graph));
            scrolled("figure", &format!("State-chart of {}", graph.title)).child(picture)
        };
        let note = "Dotted and struck through: what ran in none of the runs searched. Dashed: what follows when something comes to nothing. Stepping through a run, thick borders: where its agents stand.";
        section("roles", "What each role does")
            .child(Element::new("p").text(note))
            .children(drawn.iter().map(figure))
    })
}

/// A box that scrolls content that is too wide for it, also with the keyboard.
fn scrolled(element: &'static str, label: &str) -> Element {
    Element::new(element)
        .with("class", "scrolled")
        .with("tabindex", 0)
        .with("role", "group")
        .with("aria-label", label)
}

fn numbers(report: &Report) -> Option<Element> {
    let rows = report.numbers.iter().map(|(what, count)| {
        Element::new("tr")
            .child(Element::new("th").with("scope", "row").text(what))
            .child(Element::new("td").text(count))
    });
    let table = Element::new("table").child(Element::new("tbody").children(rows));
    (!report.numbers.is_empty()).then(|| section("numbers", "The search").child(table))
}
