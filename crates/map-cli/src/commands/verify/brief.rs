//! The result of a search as text, in short: the verdict, the run that shows it, what to try next, and a last line that
//! sums up.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::time::Duration;

use map_diagnostics::{Code, Diagnostic, Severity};
use map_explain::{Teller, Text, bounds, explain_deadlock, unused, violation};
use map_ir::PointId;
use map_semantics::{Action, BoundHit, Bounds};
use map_verify::{Limit, Replayed, Verdict, ViolationKind};

use super::limits::{cuts_in_words, fewer_states};
use super::properties::Answers;
use super::searched::Searched;
use super::shown::Shown;
use crate::commands::run::starts;
use crate::input::warnings;
use crate::numbers::{bytes, counted, seconds};
use crate::style;
use crate::terminal;

/// The most lines for what never happens, and for it and the properties that are listed; so that a right scene takes a
/// dozen lines.
const MAX_NEVER: usize = 3;
const MAX_LISTED: usize = 5;

/// The most warnings shown beside a violation.
const MAX_WARNINGS: usize = 3;

impl Searched<'_> {
    /// One line: the file and its verdicts.
    pub(super) fn in_a_line(&self) -> String {
        let verdict = self.coloured(&self.verdict_in_words());
        format!(
            "{}{verdict}{}{}\n",
            self.answers.headed(),
            self.answers.in_passing(),
            self.denied_in_passing()
        )
    }

    /// Headline, run, explanation, properties, what never happened, what the verdict depends on, what to try, summary.
    pub(super) fn in_short(&self) -> String {
        let mut text = format!("{}{}\n", self.answers.headed(), self.coloured(&self.verdict_in_words()));
        let mut teller = Teller::new(&self.answers.loaded.source, self.answers.program);
        let shown = self.run_of_verdict();
        if let Some(run) = &shown {
            text.push('\n');
            text.push_str(&self.answers.run_once(&mut teller, run, &self.causal_past(), self.drawn_run()));
            text.push_str(&style::text(&self.explanation_in_short(&teller)));
            text.push_str(&self.answers.warnings(&self.lines_of_run(run.replayed)));
            text.push('\n');
        }
        for line in self.note().into_iter().chain(self.others().lines().map(str::to_owned)) {
            let _ = writeln!(text, "{line}");
        }
        let shown = shown.filter(|run| !run.replayed.steps.is_empty());
        let properties = self.answers.briefly(&mut teller, shown.as_ref());
        text.push_str(&properties);
        let lines =
            terminal::wrapped(&properties, terminal::width().unwrap_or(usize::MAX), 2).lines().count();
        let room = MAX_LISTED.saturating_sub(lines).clamp(1, MAX_NEVER);
        text.push_str(&self.never_in_short(&teller, room));
        text.push_str(&self.left_unread(&teller));
        text.push_str(&self.depends_on(&teller));
        text.push_str(&self.denials());
        if let Some(next) = self.next() {
            let _ = writeln!(text, "{} {next}", style::aside("next:"));
        }
        text.push_str(&self.summary());
        text
    }

    /// The lines of the source that a run passes, and those at which agents wait at its end.
    fn lines_of_run(&self, replayed: &Replayed) -> BTreeSet<usize> {
        let source = &self.answers.loaded.source;
        let program = self.answers.program;
        let mut points: Vec<PointId> = Vec::new();
        for step in &replayed.steps {
            points.push(step.place);
            points.extend(step.observed.outcome.action.as_ref().map(Action::point));
        }
        for thread in explain_deadlock(program, replayed).iter().flat_map(|stuck| &stuck.threads) {
            points.push(thread.place);
            points.extend(thread.awaited.iter().map(|awaited| awaited.receive));
        }
        points.into_iter().map(|point| source.position(program.point(point).span.start).line).collect()
    }

    fn explanation_in_short(&self, teller: &Teller<'_>) -> Text {
        match (self.violation(), &self.replayed) {
            (Some(found), Some(replayed)) => {
                violation::in_short(teller, &self.report.bounds, found, replayed, self.endless.is_some())
            }
            _ => Text::default(),
        }
    }

    /// What never happens in any run, in at most so many lines below a title; nothing unless every run was searched.
    fn never_in_short(&self, teller: &Teller<'_>, most: usize) -> String {
        let title = self.never_title();
        let items = unused::items(teller, &self.report);
        let listed = if items.len() > most { most - 1 } else { items.len() };
        let mut text = match (items.len(), listed) {
            (0, _) => return String::new(),
            (all, 0) => return format!("{title} {} (-v lists them)\n", counted(all as u64, "part")),
            _ => format!("{title}\n"),
        };
        for item in items.iter().take(listed) {
            let place = teller.place(item.span);
            let room = terminal::width().map(|width| width.saturating_sub(place.chars().count() + 4));
            let _ = writeln!(text, "  {}  {}", style::aside(&place), cut(&item.what, room));
        }
        if items.len() > listed {
            let _ = writeln!(text, "  and {} more (-v lists them)", items.len() - listed);
        }
        text
    }

    /// Bounds and assumptions.
    fn depends_on(&self, teller: &Teller<'_>) -> String {
        let cut_by: BTreeSet<BoundHit> =
            self.report.cut_by.iter().chain(self.answers.cut_by()).copied().collect();
        let assumptions = self.assumptions();
        self.answers.depends_on(teller, &self.report.bounds, &Vec::from_iter(cut_by), assumptions)
    }

    /// What to do about a violation or a limit.
    fn next(&self) -> Option<String> {
        let limit = self.report.limit.or_else(|| self.answers.report.as_ref()?.limit);
        match self.violation() {
            Some(violation) if violation.kind == ViolationKind::MailboxOverflow => {
                let larger = || "a larger --mailbox, if so many messages are meant".to_owned();
                Some(format!("{}; {SEE_THE_RUN}", self.advice.clone().unwrap_or_else(larger)))
            }
            Some(_) => Some(SEE_THE_RUN.to_owned()),
            None if matches!(limit, Some(Limit::States | Limit::Memory | Limit::Time)) => {
                let fewer = || match &self.growth {
                    Some(_) => Some("a limit to what grows, or a bound on rounds (--rounds 3)".to_owned()),
                    None => fewer_states(self.answers.program, &self.report.bounds)
                        .map(|fewer| format!("for fewer states, {fewer}")),
                };
                self.advice.clone().or_else(|| self.roomy_enough()).or_else(fewer)
            }
            None if self.answers.first_violated().is_some() => Some(SEE_THE_RUN.to_owned()),
            None if self.report.verdict == Verdict::TerminatesIfFair && self.answers.args.deny.is_empty() => {
                Some("--deny if-fair, if a run that goes on for ever is an error (exit code 1)".to_owned())
            }
            None => None,
        }
    }

    /// A mailbox that no run overfills. A search that assumed such mailboxes was complete, on the way to this verdict.
    fn roomy_enough(&self) -> Option<String> {
        self.report.limit?;
        let most = self.crowded?;
        Some(format!(
            "--mailbox {most}, if mailboxes may hold that many messages: no run sends more to agents of one part, so no \
             order of steps needs to be searched for overflows"
        ))
    }

    fn summary(&self) -> String {
        let states = counted(self.states() as u64, "state");
        format!(
            "{}: {}{}{} ({states}, {})\n",
            self.answers.program.scene,
            self.coloured(&self.verdict_in_words()),
            self.answers.in_passing(),
            self.denied_in_passing(),
            effort(self.took, self.peak_memory)
        )
    }
}

/// The ways to look at a run more closely.
pub(super) const SEE_THE_RUN: &str =
    "--report run.html shows it step by step in a browser, -v says everything";

impl Answers<'_> {
    /// The file and the scene, at the beginning of a line.
    pub(super) fn headed(&self) -> String {
        format!("{}  {}  ", self.loaded.source.name(), style::head(&self.program.scene))
    }

    /// How many properties hold, as the end of a sentence; empty if there are none.
    pub(super) fn in_passing(&self) -> String {
        self.in_brief().0.map_or_else(String::new, |words| format!("; {words}"))
    }

    /// A run as a chart or, where that is not wanted or has no room, as a list of steps; followed by an empty line.
    pub(super) fn run_once(
        &self,
        teller: &mut Teller<'_>,
        run: &Shown<'_>,
        relevant: &[bool],
        drawn: Option<String>,
    ) -> String {
        if let Some(chart) = drawn {
            teller.begin_run();
            run.replayed.steps.iter().for_each(|step| teller.learn(&step.observed.outcome));
            return starts(teller, &run.replayed.initial) + &chart;
        }
        self.story(teller, run, relevant)
    }

    /// The warnings about these lines of the file that may explain a violation, a line each.
    fn warnings(&self, lines: &BTreeSet<usize>) -> String {
        let Ok(options) = self.args.scene.to_options() else { return String::new() };
        let source = &self.loaded.source;
        let is_passed = |warning: &Diagnostic| {
            warning.labels.iter().any(|label| lines.contains(&source.position(label.span.start).line))
        };
        let found = warnings(source, &options);
        let found: Vec<_> = found.iter().filter(|it| may_explain(it.code) && is_passed(it)).collect();
        let mut text = String::new();
        for warning in found.iter().take(MAX_WARNINGS) {
            let line = warning.span().map_or(0, |span| source.position(span.start).line);
            let (word, code) = (style::doubtful("warning:"), style::aside(warning.code.as_str()));
            let _ = writeln!(text, "{word} line {line}: {}  {code}", warning.text);
        }
        if found.len() > MAX_WARNINGS {
            let more = (found.len() - MAX_WARNINGS) as u64;
            let _ = writeln!(text, "and {}; map check shows them", counted(more, "more warning"));
        }
        if text.is_empty() { text } else { format!("\n{text}") }
    }

    /// What the verdicts depend on, in two lines.
    pub(super) fn depends_on(
        &self,
        teller: &Teller<'_>,
        bounds: &Bounds,
        cut_by: &[BoundHit],
        mut assumptions: Vec<String>,
    ) -> String {
        let mut text = String::new();
        let within = format!(
            "within: {}; {}",
            bounds::cast_in_short(self.program),
            bounds::sizes_in_short(teller, bounds)
        );
        assumptions.push(bounds::timeouts_in_words(bounds.timeouts).to_owned());
        let report = self.report.as_ref().filter(|report| !report.properties.is_empty());
        assumptions.extend(report.map(|report| format!("properties in {}", report.fairness.runs())));
        let lines =
            [Some(within), cuts_in_words(cut_by), Some(format!("assuming: {}", assumptions.join("; ")))];
        for line in lines.into_iter().flatten() {
            let _ = writeln!(text, "{}", style::aside(line));
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
