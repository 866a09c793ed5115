//! A verification as a page: everything that a report shows ([`map_render::report`]).

use std::collections::BTreeMap;
use std::sync::Arc;

use map_ir::{AgentId, PartId, PointId, PointKind, Program, Value};
use map_render::chart::evidence::of_replayed;
use map_render::graph::{Graph, Mark, roles};
use map_render::report::{
    History, Never, OperationCoverage, PropertyRow, Report, Run, Step, Tone, VerdictText, View,
};
use map_semantics::{AgentState, Message, NodeKind, SceneState, Status};
use map_session::{
    CostAnswer, Evidence, PropertyAnswer, PropertyEntry, StuckAgent, Verification, stuck_agents, taken_steps,
};
use map_verify::{MostCost, PropertyJudgement, PropertyVerdict, ReplayedRun, RunEnding, ViolationKind};

use super::costs::{range_in_words, refused, roles_in_words};
use super::full::{basis, never_title, others};
use super::properties::{overview, remarks, verdict_of, why_refused};
use super::{Presentation, Telling, mark_property, mark_verdict, verdict_in_words};
use crate::{Namer, bytes, grouped, seconds, tell, unused};

/// The page of a verification.
#[must_use]
pub fn report(found: &Verification, how: &Presentation<'_>) -> Report {
    Page { found, how }.report()
}

/// The verdict on termination, for a page.
#[must_use]
pub fn verdict_for_page(found: &Verification) -> VerdictText {
    let tone = match super::tone(found) {
        crate::Tone::Bad => Tone::Bad,
        crate::Tone::Doubtful => Tone::Doubtful,
        crate::Tone::Good => Tone::Good,
    };
    VerdictText { words: verdict_in_words(found), tone }
}

/// A verification, and how it is presented.
#[derive(Clone, Copy)]
struct Page<'a> {
    found: &'a Verification,
    how: &'a Presentation<'a>,
}

impl<'a> Page<'a> {
    fn telling(self) -> Telling<'a> {
        Telling { found: self.found, how: self.how }
    }

    fn namer(self) -> Namer<'a> {
        self.telling().namer()
    }

    fn report(self) -> Report {
        let scene = &self.found.scene;
        let namer = self.namer();
        let report = &self.found.report;
        let note = self.telling().note().to_string();
        let note = Some(note.trim_end().to_owned()).filter(|note| !note.is_empty());
        let others = others(self.found);
        let notes = note.into_iter().chain(others.lines().map(str::to_owned)).collect();
        let properties = self.property_rows(&namer);
        Report {
            file: scene.source.name().to_owned(),
            scene: scene.program.scene.clone(),
            verdict: verdict_for_page(self.found),
            of_properties: overview(&self.found.properties)
                .words
                .map(|words| VerdictText { words, tone: worst(&properties) }),
            casts: Vec::new(),
            weathers: Vec::new(),
            notes,
            properties,
            costs: self.cost_rows(),
            runs: self.runs(),
            assumptions: basis(self.found, &namer),
            never: self.never_listed(&namer),
            graphs: self.role_graphs(),
            source: scene.source.text().to_owned(),
            coverage: if report.statistics.states > 0 { self.coverage() } else { Vec::new() },
            numbers: self.figures(),
            origin: format!("Written by map verify {}.", env!("CARGO_PKG_VERSION")),
            live: None,
        }
    }

    fn property_rows(self, namer: &Namer<'_>) -> Vec<PropertyRow> {
        let row = |(entry, answer): (&PropertyEntry, PropertyAnswer<'_>)| {
            let (verdict, remarks) = match answer {
                PropertyAnswer::Refused | PropertyAnswer::OfOtherScene => {
                    let words = "refused".to_owned();
                    (VerdictText { words, tone: Tone::Doubtful }, why_refused(entry))
                }
                PropertyAnswer::Judged(judged, _) => {
                    let words = verdict_of(&self.found.properties, judged).to_string();
                    let tone = match judged.verdict {
                        PropertyVerdict::Holds => Tone::Good,
                        PropertyVerdict::Violated => Tone::Bad,
                        PropertyVerdict::Inconclusive => Tone::Doubtful,
                    };
                    let remarks =
                        remarks(&self.found.properties, judged, &|span| format!("line {}", namer.line(span)))
                            .to_string();
                    (VerdictText { words, tone }, remarks.lines().map(|it| it.trim().to_owned()).collect())
                }
            };
            let formula = entry.formula.map(|span| {
                let text = self.found.scene.source.slice(span);
                text.split_whitespace().collect::<Vec<_>>().join(" ")
            });
            PropertyRow { name: entry.name.clone(), formula, verdict, remarks }
        };
        self.found.properties.iter().map(row).collect()
    }

    fn cost_rows(self) -> Vec<PropertyRow> {
        let mut rows: Vec<PropertyRow> = Vec::new();
        for (answers, answer) in
            self.found.costs.iter().flat_map(|it| it.costs.iter().map(move |of| (it, of)))
        {
            let tone = match answer.bounds.total.most {
                MostCost::Bounded(_) if answers.report.searched => Tone::Good,
                _ => Tone::Doubtful,
            };
            rows.push(PropertyRow {
                name: answer.bounds.name.clone(),
                formula: None,
                verdict: VerdictText { words: range_in_words(answers, answer.bounds.total), tone },
                remarks: roles_in_words(answers, answer).into_iter().collect(),
            });
        }
        let refused = refused(self.found).map(|(name, why)| PropertyRow {
            name: name.to_owned(),
            formula: None,
            verdict: VerdictText { words: "refused".to_owned(), tone: Tone::Doubtful },
            remarks: vec![why.to_owned()],
        });
        rows.extend(refused);
        rows
    }

    /// The counterexample of the verdict, then the counterexamples and witnesses of the properties, and the runs that
    /// cost most.
    fn runs(self) -> Vec<Run> {
        let mut runs = Vec::new();
        if let (Some(violation), Some(shown)) = (self.found.violation(), self.found.evidence()) {
            let replayed = shown.replayed;
            let stuck = match violation.kind {
                ViolationKind::Deadlock => stuck_agents(&self.found.scene.program, replayed),
                _ => Vec::new(),
            };
            let mut run = self.run(verdict_in_words(self.found), replayed, &stuck);
            (run.repeated_from, run.chart.repeated_from) = (shown.repeated_from, shown.repeated_from);
            mark_verdict(self.found, &mut run.chart);
            run.explanation = self.telling().explanation(&self.teller_of(replayed)).to_string();
            run.relevant = self.telling().causal_past();
            if run.relevant.contains(&false) {
                run.explanation.push_str("Steps in italics have no part in this.\n");
            }
            runs.push(run);
        }
        for (entry, answer) in self.found.properties.iter() {
            if let PropertyAnswer::Judged(judged, Some(replayed)) = answer {
                runs.push(self.run_of_property(&entry.name, judged, replayed));
            }
        }
        let costs = self.found.costs.iter().flat_map(|it| &it.costs).filter(|it| it.paid > 0);
        runs.extend(costs.filter_map(|answer| self.run_of_cost(answer)));
        runs
    }

    fn run_of_property(self, name: &str, judged: &PropertyJudgement, replayed: &ReplayedRun) -> Run {
        let verdict = verdict_of(&self.found.properties, judged).to_string();
        let mut run = self.run(format!("property {name} {verdict}"), replayed, &[]);
        match judged.shown.as_ref().map(|shown| shown.ending) {
            Some(RunEnding::Loop(_)) if judged.repeated_from(replayed).is_some() => {
                let from = judged.repeated_from(replayed);
                (run.repeated_from, run.chart.repeated_from) = (from, from);
                let from = from.map_or(0, |from| from + 1);
                run.explanation = format!("The steps from {from} on are repeated for ever.");
            }
            Some(RunEnding::Loop(_)) => run.explanation = "There the run stays for ever.".to_owned(),
            Some(_) if judged.verdict == PropertyVerdict::Violated => {
                let run_of_property = Evidence { replayed, repeated_from: None };
                mark_property(name, run_of_property, &mut run.chart);
            }
            _ => {}
        }
        match judged.shown.as_ref().map(|shown| shown.ending) {
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

    fn run_of_cost(self, answer: &CostAnswer) -> Option<Run> {
        let (name, paid) = (&answer.bounds.name, grouped(answer.paid.unsigned_abs()));
        let replayed = answer.run.as_ref()?;
        let mut run = self.run(format!("cost {name}: the dearest run"), replayed, &[]);
        (run.repeated_from, run.chart.repeated_from) = (answer.repeated_from, answer.repeated_from);
        run.explanation = match answer.repeated_from {
            Some(from) => {
                let first = from + 1;
                format!("The steps from {first} on can be repeated without end, and cost {paid} each time.")
            }
            None => format!("No run costs more than {paid}, and no shorter one costs as much."),
        };
        Some(run)
    }

    fn run(self, title: String, replayed: &ReplayedRun, stuck: &[StuckAgent]) -> Run {
        let program = &*self.found.scene.program;
        let mut namer = self.namer();
        let mut agents: Vec<History> =
            program.cast().map(|agent| History { name: namer.agent(agent), views: Vec::new() }).collect();
        let mut steps = Vec::new();
        record_views(&namer, replayed.states.first(), 0, &mut agents);
        for (index, step) in taken_steps(replayed).enumerate() {
            let told = tell(&mut namer, &step);
            steps.push(Step {
                sentence: format!("{} {}", told.agent, told.what),
                place: namer.place(told.span),
                line: namer.line(told.span),
            });
            record_views(&namer, replayed.states.get(index + 1), index + 1, &mut agents);
        }
        let chart = of_replayed(program, replayed, stuck);
        Run {
            title,
            explanation: String::new(),
            steps,
            initial: replayed.initial.clone(),
            choices: replayed.steps.iter().map(|it| it.step.to_string()).collect(),
            relevant: Vec::new(),
            repeated_from: None,
            chart,
            agents,
        }
    }

    /// A namer that knows the names of the values answered in a run.
    fn teller_of(self, replayed: &'a ReplayedRun) -> Namer<'a> {
        let mut namer = self.namer();
        replayed.steps.iter().for_each(|step| namer.learn(&step.observed.outcome));
        namer
    }

    fn never_listed(self, namer: &Namer<'_>) -> Never {
        if self.found.report.statistics.states == 0 {
            return Never::default();
        }
        let title = never_title(self.found);
        let items = unused::items(namer, &self.found.report);
        let items = items.into_iter().map(|item| (namer.place(item.span), item.what)).collect();
        Never { title: title.to_owned(), items, unread: unused::unread(namer, &self.found.report.unused) }
    }

    fn role_graphs(self) -> Vec<Graph> {
        let program = &*self.found.scene.program;
        let unused = &self.found.report.unused;
        let ran = |point| unused.ran.binary_search(&point).is_ok() || is_no_operation(program, point);
        let known = self.found.report.statistics.states > 0;
        let parts = (0..program.parts.len()).map(PartId::new);
        let failed = |point| unused.failed.binary_search(&point).is_ok();
        let happened = known.then_some(roles::Occurrences { ran: &ran, failed: &failed });
        let mut graphs: Vec<Graph> =
            parts.filter_map(|part| roles::role_graph(program, part, happened).ok()).collect();
        self.mark_where_it_hangs(&mut graphs);
        graphs
    }

    /// Marks the states in which agents stand at the end of a deadlock, with their names.
    fn mark_where_it_hangs(self, graphs: &mut [Graph]) {
        let is_deadlock =
            self.found.violation().is_some_and(|violation| violation.kind == ViolationKind::Deadlock);
        let last = self.found.evidence().filter(|_| is_deadlock).and_then(|it| it.replayed.states.last());
        let Some(state) = last else { return };
        let namer = self.namer();
        let mut standing: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for (index, agent) in state.agents.iter().enumerate() {
            for place in places(agent) {
                standing.entry(place).or_default().push(namer.agent(AgentId::new(index)));
            }
        }
        for node in graphs.iter_mut().flat_map(|graph| &mut graph.nodes) {
            let Some(agents) = node.place.and_then(|place| standing.get(&place)) else { continue };
            node.mark = Mark::Deadlock;
            node.label.push(match agents.as_slice() {
                [one] => format!("{one} hangs here"),
                [one, other] => format!("{one} and {other} hang here"),
                all => format!("{} agents hang here", grouped(all.len() as u64)),
            });
        }
    }

    /// Every operation and whether it ran, except those that only contain others (see [`is_no_operation`]). Of a search
    /// that stopped early only those that ran: the others may run in other searches.
    fn coverage(self) -> Vec<OperationCoverage> {
        let program = &*self.found.scene.program;
        let points = (0..program.points.len()).map(PointId::new);
        let mut covered: Vec<OperationCoverage> = points
            .filter(|&point| !is_no_operation(program, point))
            .map(|point| {
                let span = program.point(point).span;
                let ran = self.found.report.unused.ran.binary_search(&point).is_ok();
                OperationCoverage { start: span.start as usize, end: span.end as usize, ran }
            })
            .filter(|covered| covered.ran || self.found.report.is_exhaustive())
            .collect();
        covered.sort_by_key(|it| it.start);
        covered
    }

    fn figures(self) -> Vec<(String, String)> {
        let counts = self.found.report.statistics;
        let reductions = match self.found.reductions.names() {
            names if names.is_empty() => "none".to_owned(),
            names => names.join(", "),
        };
        let figures = [
            ("states", grouped(counts.states as u64)),
            ("transitions", grouped(counts.transitions as u64)),
            ("depth", grouped(counts.depth as u64)),
            ("time", seconds(self.found.figures.took)),
            ("states per second", grouped(self.found.states_per_second() as u64)),
            ("memory", bytes(self.found.figures.peak_memory)),
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
fn is_no_operation(program: &Program, point: PointId) -> bool {
    matches!(program.point(point).kind, PointKind::Wait { .. } | PointKind::Par { .. })
}

/// Appends each agent's view of a state to its history, if it has changed.
fn record_views(namer: &Namer<'_>, state: Option<&SceneState>, step: usize, histories: &mut [History]) {
    let Some(state) = state else { return };
    for ((index, agent), history) in state.agents.iter().enumerate().zip(histories) {
        let view = view(namer, AgentId::new(index), agent);
        if history.views.last().is_none_or(|(_, last)| *last != view) {
            history.views.push((step, view));
        }
    }
}

/// The numbers of the places at which an agent that has not ended stands.
fn places(state: &AgentState) -> Vec<usize> {
    match state.status {
        Status::Running => state.control.threads().map(|node| state.control.place(node).index()).collect(),
        Status::Done | Status::Failed | Status::Crashed => Vec::new(),
    }
}

fn view(namer: &Namer<'_>, agent: AgentId, state: &AgentState) -> View {
    let program = namer.program;
    let place = match state.status {
        Status::Running => {
            let threads = state.control.threads().map(|node| {
                let point = state.control.place(node);
                let does =
                    if map_semantics::is_waitfor(program, point) { "waits" } else { "is about to act" };
                format!("{does}, line {}", namer.line(program.point(point).span))
            });
            threads.collect::<Vec<_>>().join("; ")
        }
        Status::Done => "done".to_owned(),
        Status::Failed => "failed".to_owned(),
        Status::Crashed => "crashed".to_owned(),
    };
    let variables = state.control.nodes.iter().filter_map(|node| variables(namer, &node.kind)).collect();
    let cells = &program.memories[program.agent(agent).role.index()].cells;
    let memory = cells.iter().zip(&state.memory);
    let memory = memory
        .map(|(&(cell, _), &value)| (format!("@{}", program.cell_name(cell)), namer.value(value)))
        .collect();
    let message =
        |message: &Arc<Message>| format!("{} from {}", namer.message(message), namer.agent(message.sender));
    let under_way = state.under_way.iter().map(|sent| format!("{} (under way)", message(sent)));
    let mailbox = state.mailbox.iter().map(message).chain(under_way).collect();
    View { place, places: places(state), variables, memory, mailbox }
}

/// The head of an activation's clause, and its bound variables with their values; `None` if none is bound.
fn variables(namer: &Namer<'_>, node: &NodeKind) -> Option<(String, Vec<(String, String)>)> {
    let NodeKind::Activation { clause, variables, .. } = node else { return None };
    let names = &namer.program.clause(*clause).variables;
    let value = |value: &Option<Value>| value.map(|value| namer.value(value));
    let bound = names.iter().zip(variables);
    let bound: Vec<(String, String)> =
        bound.filter_map(|(name, it)| Some((format!("${name}"), value(it)?))).collect();
    (!bound.is_empty()).then(|| (format!("in {}", namer.head(*clause)), bound))
}
