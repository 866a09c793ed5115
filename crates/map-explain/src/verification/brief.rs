//! What a verification found, in short: the verdict, the run that shows it, what to try next, and a last line that sums
//! up.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::time::Duration;

use map_diagnostics::{Code, Diagnostic, Severity};
use map_ir::{PointId, SourceSpan};
use map_render::chart::Chart;
use map_render::chart::evidence::{of_evidence, without_irrelevant};
use map_semantics::{Action, BoundHit, Bounds};
use map_session::{Evidence, stuck_agents};
use map_verify::{Limit, ReplayedRun, Verdict, Violation, ViolationKind};

use super::full::{cut_by, never_title, others};
use super::limits::{cuts_in_words, fewer_states};
use super::properties::PropertyTelling;
use super::{Telling, assumptions, denied, verdict_text};
use crate::{Namer, Role, Text, Tone, bounds, bytes, counted, initial_lines, seconds, unused, violation};

/// The most lines for what never happens, and for it and the properties that are listed; so that a right scene takes a
/// dozen lines.
const MAX_NEVER: usize = 3;
const MAX_LISTED: usize = 5;

/// The most warnings shown beside a violation.
const MAX_WARNINGS: usize = 3;

impl Telling<'_> {
    pub(super) fn in_short(self) -> Text {
        let mut text = self.headline();
        text.push_str("\n");
        let mut namer = self.namer();
        let shown = self.found.evidence();
        if let Some(run) = shown {
            text.push_str("\n");
            text.append(self.properties().run_once(&mut namer, run, &self.causal_past(), self.drawn_run()));
            text.append(self.explanation_in_short(&namer));
            text.append(self.warnings(&self.lines_of_run(run.replayed)));
            text.push_str("\n");
        }
        text.append(self.note());
        text.push_str(&others(self.found));
        let shown = shown.filter(|run| !run.replayed.steps.is_empty());
        let properties = self.properties().briefly(&mut namer, shown);
        let room = MAX_LISTED.saturating_sub((self.how.lines)(&properties)).clamp(1, MAX_NEVER);
        text.append(properties);
        text.append(self.costs_in_short());
        text.append(self.never_in_short(&namer, room));
        text.push_str(&self.left_unread(&namer));
        let assumptions = assumptions(self.found);
        text.append(self.properties().depends_on(&namer, &cut_by(self.found), assumptions));
        text.append(denied::lines(self.found, self.how.denied));
        if let Some(next) = self.next() {
            text.push(Role::Aside, "next:");
            let _ = writeln!(text, " {next}");
        }
        text.append(self.summary());
        text
    }

    /// The lines of the source that a run passes, and those at which agents wait at its end.
    fn lines_of_run(self, replayed: &ReplayedRun) -> BTreeSet<usize> {
        let (source, program) = (&self.found.scene.source, &self.found.scene.program);
        let mut points: Vec<PointId> = Vec::new();
        for step in &replayed.steps {
            points.push(step.place);
            points.extend(step.observed.outcome.action.as_ref().map(Action::point));
        }
        for thread in stuck_agents(program, replayed).iter().flat_map(|stuck| &stuck.threads) {
            points.push(thread.place);
            points.extend(thread.awaited.iter().map(|awaited| awaited.receive));
        }
        points.into_iter().map(|point| source.position(program.point(point).span.start).line).collect()
    }

    /// Why the trace of the verdict's violation ends as it does, in terms of the source.
    pub(super) fn explanation(self, namer: &Namer<'_>) -> Text {
        self.explained(namer, violation::explain)
    }

    fn explanation_in_short(self, namer: &Namer<'_>) -> Text {
        self.explained(namer, violation::in_short)
    }

    fn explained(self, namer: &Namer<'_>, explain: Explain) -> Text {
        match (self.found.violation(), &self.found.trace) {
            (Some(found), Some(replayed)) => {
                explain(namer, &self.found.report.bounds, found, replayed, self.found.endless.is_some())
            }
            _ => Text::default(),
        }
    }

    /// The chart of the verdict's violation followed by an empty line, or an empty string if none is wanted.
    pub(super) fn chart_of_verdict(self) -> String {
        self.chart(true).map_or_else(String::new, |chart| self.how.drawing.below(&chart))
    }

    /// The chart of the verdict's run in place of its steps, with the lines of the source; `None` if steps are to be
    /// listed. Who waits for whom is said elsewhere.
    fn drawn_run(self) -> Option<String> {
        self.properties().drawn_in_place(self.chart(false)?)
    }

    /// The chart of the verdict's violation.
    fn chart(self, with_waits: bool) -> Option<Chart> {
        let (violation, run) = (self.found.violation()?, self.found.evidence()?);
        let program = &self.found.scene.program;
        let stuck = match violation.kind {
            ViolationKind::Deadlock => stuck_agents(program, run.replayed),
            _ => Vec::new(),
        };
        let chart = of_evidence(program, run, if with_waits { &stuck } else { &[] });
        let is_folded = !stuck.is_empty() && !self.how.drawing.full;
        Some(match is_folded {
            true => without_irrelevant(&chart, &stuck, &self.found.report.bounds),
            false => chart,
        })
    }

    /// What never happens in any run, in at most so many lines below a title; nothing unless every run was searched.
    fn never_in_short(self, namer: &Namer<'_>, most: usize) -> Text {
        let title = never_title(self.found);
        let everything = self.how.offers.everything;
        let items = unused::items(namer, &self.found.report);
        let listed = if items.len() > most { most - 1 } else { items.len() };
        let mut text = match (items.len(), listed) {
            (0, _) => return Text::default(),
            (all, 0) => {
                let pieces = counted(all as u64, "piece");
                return Text::plain(format!("{title} {pieces} of the text ({everything} lists them)\n"));
            }
            _ => Text::plain(format!("{title}\n")),
        };
        for item in items.iter().take(listed) {
            let place = namer.place(item.span);
            let room = self.how.width.map(|width| width.saturating_sub(place.chars().count() + 4));
            text.push_str("  ");
            text.push(Role::Aside, place);
            let _ = writeln!(text, "  {}", cut(&item.what, room));
        }
        if items.len() > listed {
            let _ = writeln!(text, "  and {} more ({everything} lists them)", items.len() - listed);
        }
        text
    }

    /// What to do about a violation or a limit.
    fn next(self) -> Option<String> {
        let (found, offers) = (self.found, self.how.offers);
        let limit = found.report.limit.or_else(|| found.properties.limit());
        let advice = || self.how.advice.map(str::to_owned);
        match found.violation() {
            Some(violation) if violation.kind == ViolationKind::MailboxOverflow => {
                let larger = || "a larger --mailbox, if so many messages are meant".to_owned();
                Some(format!("{}; {}", advice().unwrap_or_else(larger), offers.run))
            }
            Some(_) => Some(offers.run.to_owned()),
            None if matches!(limit, Some(Limit::States | Limit::Memory | Limit::Time)) => {
                let fewer = || match &found.growth {
                    Some(_) => Some("a limit to what grows, or a bound on rounds (--rounds 3)".to_owned()),
                    None => fewer_states(&found.scene.program, &found.report.bounds)
                        .map(|fewer| format!("for fewer states, {fewer}")),
                };
                advice().or_else(|| self.roomy_enough()).or_else(fewer)
            }
            None if found.properties.violated().next().is_some() => Some(offers.run.to_owned()),
            None if found.report.verdict == Verdict::TerminatesIfFair && self.how.denied.is_empty() => {
                offers.fairness.map(str::to_owned)
            }
            None => None,
        }
    }

    /// A mailbox that no run overfills. A search that assumed such mailboxes was complete, on the way to this verdict.
    fn roomy_enough(self) -> Option<String> {
        self.found.report.limit?;
        let most = self.found.crowded?;
        Some(format!(
            "--mailbox {most}, if mailboxes may hold that many messages: no run sends more to agents of one part, so no \
             order of steps needs to be searched for overflows"
        ))
    }

    fn summary(self) -> Text {
        let found = self.found;
        let states = counted(found.states() as u64, "state");
        let mut text = Text::plain(format!("{}: ", found.scene.program.scene));
        text.append(verdict_text(found));
        text.push_str(&self.properties().in_passing());
        text.append(denied::in_passing(found, self.how.denied));
        let effort = effort(found.figures.took, found.figures.peak_memory);
        let _ = writeln!(text, " ({states}, {effort})");
        text
    }

    /// The warnings about these lines of the file that may explain a violation, a line each.
    fn warnings(self, lines: &BTreeSet<usize>) -> Text {
        let source = &self.found.scene.source;
        let is_passed = |warning: &Diagnostic| {
            warning.labels.iter().any(|label| lines.contains(&source.position(label.span.start).line))
        };
        let all = (self.how.warnings)();
        let warnings: Vec<_> = all.iter().filter(|it| may_explain(it.code) && is_passed(it)).collect();
        let mut text = Text::default();
        if !warnings.is_empty() {
            text.push_str("\n");
        }
        for warning in warnings.iter().take(MAX_WARNINGS) {
            let line = warning.span().map_or(0, |span| source.position(span.start).line);
            text.push(Role::Verdict(Tone::Doubtful), "warning:");
            let _ = write!(text, " line {line}: {}  ", warning.text);
            text.push(Role::Aside, warning.code.as_str());
            text.push_str("\n");
        }
        if warnings.len() > MAX_WARNINGS {
            let more = (warnings.len() - MAX_WARNINGS) as u64;
            let _ = writeln!(
                text,
                "and {}; {} shows them",
                counted(more, "more warning"),
                self.how.offers.warnings
            );
        }
        text
    }
}

type Explain = fn(&Namer<'_>, &Bounds, &Violation, &ReplayedRun, bool) -> Text;

impl PropertyTelling<'_> {
    /// A run as a chart or, where that is not wanted or has no room, as a list of steps; followed by an empty line.
    pub(super) fn run_once(
        self,
        namer: &mut Namer<'_>,
        run: Evidence<'_>,
        relevant: &[bool],
        drawn: Option<String>,
    ) -> Text {
        let Some(chart) = drawn else { return self.story(namer, run, relevant) };
        namer.begin_run();
        run.replayed.steps.iter().for_each(|step| namer.learn(&step.observed.outcome));
        Text::plain(initial_lines(namer, &run.replayed.initial) + &chart)
    }

    /// A chart in place of steps, with the lines of the source; `None` if steps are to be listed.
    pub(super) fn drawn_in_place(self, mut chart: Chart) -> Option<String> {
        chart.lifelines.iter_mut().for_each(|lifeline| lifeline.unread.clear());
        let source = &self.found.scene.source;
        let place = |span: SourceSpan| format!(":{}", source.position(span.start).line);
        self.how.drawing.in_place(&chart, &place)
    }

    /// What the verdicts depend on, in two lines.
    pub(super) fn depends_on(
        self,
        namer: &Namer<'_>,
        cut_by: &[BoundHit],
        mut assumptions: Vec<String>,
    ) -> Text {
        let bounds = &self.found.scene.bounds;
        let within = format!(
            "within: {}; {}",
            bounds::cast_in_short(&self.found.scene.program),
            bounds::sizes_in_short(namer, bounds)
        );
        assumptions.push(bounds::timeouts_in_words(bounds.timeouts).to_owned());
        let report = self.found.report.as_ref().filter(|report| !report.properties.is_empty());
        assumptions.extend(report.map(|report| format!("properties in {}", report.fairness.runs())));
        let assuming = format!("assuming: {}", assumptions.join("; "));
        let mut text = Text::default();
        for line in [Some(within), cuts_in_words(cut_by), Some(assuming)].into_iter().flatten() {
            text.push(Role::Aside, line);
            text.push_str("\n");
        }
        text
    }
}

/// The text, cut where there is no more room.
fn cut(text: &str, room: Option<usize>) -> String {
    match room.filter(|&room| text.chars().count() > room) {
        Some(room) => text.chars().take(room.saturating_sub(2)).chain("..".chars()).collect(),
        None => text.to_owned(),
    }
}

/// The time that was needed and, if that was long, the memory.
pub(super) fn effort(took: Duration, memory: u64) -> String {
    let time = seconds(took);
    if took < Duration::from_secs(1) { time } else { format!("{time}, {}", bytes(memory)) }
}

/// Whether a warning may be about why a run goes wrong, and not only about how the text is written.
const fn may_explain(code: Code) -> bool {
    let about_style = matches!(
        code,
        Code::UnusedVariable
            | Code::NeverCalled
            | Code::NotLastCall
            | Code::UselessAllow
            | Code::UnseenCharacter
    );
    !about_style && matches!(code.severity(), Severity::Warning)
}
