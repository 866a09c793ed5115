//! `--report`: everything on one HTML page.

use std::path::Path;

use anstream::adapter::strip_str;
use map_explain::property::repeated_from;
use map_explain::{Seen, StuckAgent, Teller, explain_deadlock, tell, unused};
use map_ir::{AgentId, PartId, PointKind, Program, Value};
use map_render::graph::{Graph, roles};
use map_render::report::{
    CastRow, Covered, History, Never, PropertyRow, Report, Run, Step, Tone, VerdictText, View, print,
};
use map_semantics::{AgentState, NodeKind, SceneState, Status};
use map_verify::{Judged, PropertyVerdict, Replayed, RunEnding, Verdict, ViolationKind};

use super::args::Args;
use super::properties::Answer;
use super::searched::Searched;
use crate::chart;
use crate::console::Console;
use crate::failure::Failure;
use crate::files::{check_target, write_besides};
use crate::numbers::{bytes, grouped, seconds};

/// Checks the flag before any work is done.
pub(super) fn check(args: &Args) -> Result<(), String> {
    let Some(target) = &args.report else { return Ok(()) };
    if args.files.len() > 1 {
        return Err("--report is for one file: there is one scene in a report".to_owned());
    }
    check_target("--report", target, &args.files)
}

/// Writes the report, atomically.
pub(super) fn write(searched: &Searched<'_>, target: &Path, console: &mut Console) -> Result<(), Failure> {
    let text = print(&searched.report_for_people());
    write_besides("the report", target, &text, console).map(|_| ())
}

/// Writes the report of several casts: a table of all of them, and everything about one.
pub(super) fn write_series(
    casts: &[(&str, &Searched<'_>)],
    (name, shown): (&str, &Searched<'_>),
    target: &Path,
    console: &mut Console,
) -> Result<(), Failure> {
    let mut report = shown.report_for_people();
    report.verdict.words = format!("{name}: {}", report.verdict.words);
    let row = |(name, searched): &(&str, &Searched<'_>)| CastRow {
        name: (*name).to_owned(),
        states: searched.states() as u64,
        seconds: searched.took.as_secs_f64(),
        verdict: searched.verdict_text(),
    };
    report.casts = casts.iter().map(row).collect();
    write_besides("the report", target, &print(&report), console).map(|_| ())
}

impl Searched<'_> {
    fn verdict_text(&self) -> VerdictText {
        let tone = match self.report.verdict {
            Verdict::Violated(_) => Tone::Bad,
            Verdict::Inconclusive => Tone::Doubtful,
            Verdict::Terminates | Verdict::TerminatesIfFair => Tone::Good,
        };
        VerdictText { words: self.verdict_in_words(), tone }
    }

    fn report_for_people(&self) -> Report {
        let loaded = self.answers.loaded;
        let program = self.answers.program;
        let teller = Teller::new(&loaded.source, program);
        let report = &self.report;
        let mut notes: Vec<String> = self.note().into_iter().collect();
        notes.extend(self.others().lines().map(str::to_owned));
        let properties = self.property_rows(&teller);
        Report {
            file: loaded.source.name().to_owned(),
            scene: program.scene.clone(),
            verdict: self.verdict_text(),
            of_properties: self
                .answers
                .in_brief()
                .0
                .map(|words| VerdictText { words, tone: worst(&properties) }),
            casts: Vec::new(),
            notes,
            properties,
            runs: self.runs(),
            assumptions: self.basis(&teller),
            never: self.never_listed(&teller),
            graphs: self.role_graphs(),
            source: loaded.source.text().to_owned(),
            coverage: if report.statistics.states > 0 { self.coverage() } else { Vec::new() },
            numbers: self.figures(),
            origin: format!("Written by map verify {}.", env!("CARGO_PKG_VERSION")),
        }
    }

    fn property_rows(&self, teller: &Teller<'_>) -> Vec<PropertyRow> {
        let row = |(entry, answer): (&map_flags::PropertyEntry, Answer<'_>)| {
            let (verdict, remarks) = match answer {
                Answer::Refused(reasons) => {
                    (VerdictText { words: "refused".to_owned(), tone: Tone::Doubtful }, reasons)
                }
                Answer::Judged(judged, _) => {
                    let words = self.answers.verdict_of(judged).to_string();
                    let tone = match judged.verdict {
                        PropertyVerdict::Holds => Tone::Good,
                        PropertyVerdict::Violated => Tone::Bad,
                        PropertyVerdict::Inconclusive => Tone::Doubtful,
                    };
                    let remarks = strip_str(&self.answers.remarks(teller, judged)).to_string();
                    (VerdictText { words, tone }, remarks.lines().map(|it| it.trim().to_owned()).collect())
                }
            };
            let formula = entry.formula.map(|span| {
                let text = self.answers.loaded.source.slice(span);
                text.split_whitespace().collect::<Vec<_>>().join(" ")
            });
            PropertyRow { name: entry.name.clone(), formula, verdict, remarks }
        };
        self.answers.iter().map(row).collect()
    }

    /// The counterexample of the verdict, then the counterexamples and witnesses of the properties.
    fn runs(&self) -> Vec<Run> {
        let mut runs = Vec::new();
        if let (Some(violation), Some(shown)) = (self.violation(), self.run_of_verdict()) {
            let replayed = shown.replayed;
            let stuck = match violation.kind {
                ViolationKind::Deadlock => explain_deadlock(self.answers.program, replayed),
                _ => Vec::new(),
            };
            let mut run = self.run(self.verdict_in_words(), replayed, &stuck);
            (run.repeated_from, run.chart.repeated_from) = (shown.repeated_from, shown.repeated_from);
            run.explanation = strip_str(&self.explanation(&self.teller_of(replayed)).to_string()).to_string();
            run.relevant = self.causal_past();
            if run.relevant.contains(&false) {
                run.explanation.push_str("Steps in italics have no part in this.\n");
            }
            runs.push(run);
        }
        for (entry, answer) in self.answers.iter() {
            if let Answer::Judged(judged, Some(replayed)) = answer {
                runs.push(self.run_of_property(&entry.name, judged, replayed));
            }
        }
        runs
    }

    fn run_of_property(&self, name: &str, judged: &Judged, replayed: &Replayed) -> Run {
        let verdict = self.answers.verdict_of(judged).to_string();
        let mut run = self.run(format!("property {name} {verdict}"), replayed, &[]);
        match judged.shown.as_ref().map(|shown| shown.ending) {
            Some(RunEnding::Loop(_)) if repeated_from(judged, replayed).is_some() => {
                let from = repeated_from(judged, replayed);
                (run.repeated_from, run.chart.repeated_from) = (from, from);
                let from = from.map_or(0, |from| from + 1);
                run.explanation = format!("The steps from {from} on are repeated for ever.");
            }
            Some(RunEnding::Loop(_)) => run.explanation = "There the run stays for ever.".to_owned(),
            Some(RunEnding::TooLate) if replayed.steps.is_empty() => {
                run.explanation = "It cannot happen, whatever the agents do.".to_owned();
            }
            Some(RunEnding::TooLate) => {
                run.explanation =
                    "After the last step it cannot happen any more, whatever follows.".to_owned();
            }
            _ => {}
        }
        run
    }

    fn run(&self, title: String, replayed: &Replayed, stuck: &[StuckAgent]) -> Run {
        let program = self.answers.program;
        let mut teller = Teller::new(&self.answers.loaded.source, program);
        let mut agents: Vec<History> =
            program.cast().map(|agent| History { name: teller.agent(agent), views: Vec::new() }).collect();
        let mut steps = Vec::new();
        record_views(&teller, replayed.states.first(), 0, &mut agents);
        for (index, step) in replayed.steps.iter().enumerate() {
            let before = &replayed.states[index].agents[step.step.agent.index()];
            let seen = Seen { step: &step.step, place: step.place, before, observed: &step.observed };
            let told = tell(&mut teller, &seen);
            steps.push(Step {
                sentence: format!("{} {}", told.agent, told.what),
                place: teller.place(told.span),
                line: teller.line(told.span),
            });
            record_views(&teller, replayed.states.get(index + 1), index + 1, &mut agents);
        }
        let chart = chart::of_replayed(program, replayed, stuck);
        Run {
            title,
            explanation: String::new(),
            steps,
            relevant: Vec::new(),
            repeated_from: None,
            chart,
            agents,
        }
    }

    /// A teller that knows the names of the values answered in a run.
    fn teller_of(&self, replayed: &Replayed) -> Teller<'_> {
        let mut teller = Teller::new(&self.answers.loaded.source, self.answers.program);
        replayed.steps.iter().for_each(|step| teller.learn(&step.observed.outcome));
        teller
    }

    fn never_listed(&self, teller: &Teller<'_>) -> Never {
        if self.report.statistics.states == 0 {
            return Never::default();
        }
        let title = self.never_title();
        let items = unused::items(teller, &self.report);
        let items = items.into_iter().map(|item| (teller.place(item.span), item.what)).collect();
        Never { title: title.to_owned(), items, unread: unused::unread(teller, &self.report.unused) }
    }

    fn role_graphs(&self) -> Vec<Graph> {
        let program = self.answers.program;
        let unused = &self.report.unused;
        let ran = |point| unused.ran.binary_search(&point).is_ok() || is_no_operation(program, point);
        let known = self.report.statistics.states > 0;
        let parts = (0..program.parts.len()).map(PartId::new);
        let failed = |point| unused.failed.binary_search(&point).is_ok();
        let happened = known.then_some(roles::Happened { ran: &ran, failed: &failed });
        parts.filter_map(|part| roles::role_graph(program, part, happened).ok()).collect()
    }

    /// Every operation and whether it ran, except those that only contain others (see [`is_no_operation`]). Of a search
    /// that stopped early only those that ran: the others may run in other searches.
    fn coverage(&self) -> Vec<Covered> {
        let program = self.answers.program;
        let points = (0..program.points.len()).map(map_ir::PointId::new);
        let mut covered: Vec<Covered> = points
            .filter(|&point| !is_no_operation(program, point))
            .map(|point| {
                let span = program.point(point).span;
                let ran = self.report.unused.ran.binary_search(&point).is_ok();
                Covered { start: span.start as usize, end: span.end as usize, ran }
            })
            .filter(|covered| covered.ran || self.report.is_exhaustive())
            .collect();
        covered.sort_by_key(|it| it.start);
        covered
    }

    fn figures(&self) -> Vec<(String, String)> {
        let counts = self.report.statistics;
        let reductions = match self.reductions.names() {
            names if names.is_empty() => "none".to_owned(),
            names => names.join(", "),
        };
        let figures = [
            ("states", grouped(counts.states as u64)),
            ("transitions", grouped(counts.transitions as u64)),
            ("depth", grouped(counts.depth as u64)),
            ("time", seconds(self.took)),
            ("states per second", grouped(self.states_per_second() as u64)),
            ("memory", bytes(self.peak_memory)),
            ("reductions", reductions),
        ];
        figures.map(|(what, count)| (what.to_owned(), count)).to_vec()
    }
}

/// How good the verdicts on properties are on the whole.
fn worst(properties: &[PropertyRow]) -> Tone {
    let is = |tone: Tone| properties.iter().any(|row| row.verdict.tone == tone);
    [Tone::Bad, Tone::Doubtful].into_iter().find(|&tone| is(tone)).unwrap_or(Tone::Good)
}

/// Whether a point only contains others.
fn is_no_operation(program: &Program, point: map_ir::PointId) -> bool {
    matches!(program.point(point).kind, PointKind::Wait { .. } | PointKind::Par { .. })
}

/// Appends each agent's view of a state to its history, if it has changed.
fn record_views(teller: &Teller<'_>, state: Option<&SceneState>, step: usize, histories: &mut [History]) {
    let Some(state) = state else { return };
    for ((index, agent), history) in state.agents.iter().enumerate().zip(histories) {
        let view = view(teller, AgentId::new(index), agent);
        if history.views.last().is_none_or(|(_, last)| *last != view) {
            history.views.push((step, view));
        }
    }
}

fn view(teller: &Teller<'_>, agent: AgentId, state: &AgentState) -> View {
    let program = teller.program;
    let place = match state.status {
        Status::Running => {
            let threads = state.control.threads().map(|node| {
                let point = state.control.place(node);
                let does =
                    if map_semantics::is_waitfor(program, point) { "waits" } else { "is about to act" };
                format!("{does}, line {}", teller.line(program.point(point).span))
            });
            threads.collect::<Vec<_>>().join("; ")
        }
        Status::Done => "done".to_owned(),
        Status::Failed => "failed".to_owned(),
        Status::Crashed => "crashed".to_owned(),
    };
    let variables = state.control.nodes.iter().filter_map(|node| variables(teller, &node.kind)).collect();
    let cells = &program.memories[program.agent(agent).role.index()].cells;
    let memory = cells.iter().zip(&state.memory);
    let memory = memory
        .map(|(&(cell, _), &value)| (format!("@{}", program.cell_name(cell)), teller.value(value)))
        .collect();
    let message = |message: &std::sync::Arc<map_semantics::Message>| {
        format!("{} from {}", teller.message(message), teller.agent(message.sender))
    };
    let under_way = state.under_way.iter().map(|sent| format!("{} (under way)", message(sent)));
    let mailbox = state.mailbox.iter().map(message).chain(under_way).collect();
    View { place, variables, memory, mailbox }
}

/// The head of an activation's clause, and its bound variables with their values; `None` if none is bound.
fn variables(teller: &Teller<'_>, node: &NodeKind) -> Option<(String, Vec<(String, String)>)> {
    let NodeKind::Activation { clause, variables, .. } = node else { return None };
    let names = &teller.program.clause(*clause).variables;
    let value = |value: &Option<Value>| value.map(|value| teller.value(value));
    let bound = names.iter().zip(variables);
    let bound: Vec<(String, String)> =
        bound.filter_map(|(name, it)| Some((format!("${name}"), value(it)?))).collect();
    (!bound.is_empty()).then(|| (format!("in {}", teller.head(*clause)), bound))
}
