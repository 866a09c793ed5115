//! The result of a search as text.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::time::Duration;

use map_explain::endless::kept_alive_by;
use map_explain::{Teller, bounds, growth, unused, verdict};
use map_semantics::BoundHit;
use map_verify::{Endless, Growth, Verdict};

use super::args::Denied;
use super::limits::cuts_in_words;
use super::searched::Searched;
use crate::numbers::{bytes, counted, grouped, seconds};
use crate::style;

/// The most things listed that never happen.
const MAX_NEVER: usize = 25;

/// The most lines for steps that are repeated for ever, and for steps with which integers grow.
const MAX_ENDLESS: usize = 6;
const MAX_GROWING: usize = 12;

/// With at least this many states a hint says how there might be fewer.
const LARGE: usize = 10_000;

impl Searched<'_> {
    /// Headline, trace, explanation, what never happened, figures, bounds.
    pub(super) fn in_full(&self) -> String {
        let mut teller = Teller::new(&self.answers.loaded.source, self.answers.program);
        let mut text = format!("{}{}\n", self.answers.headed(), self.coloured(&self.verdict_in_words()));
        if self.replayed.is_some() {
            text.push('\n');
            text.push_str(&self.trace(&mut teller));
            text.push_str(&style::text(&self.explanation(&teller)));
            text.push('\n');
            text.push_str(&self.chart_of_verdict());
        }
        if let Some(note) = self.note() {
            let _ = writeln!(text, "{note}");
        }
        text.push_str(&self.others());
        text.push_str(&self.answers.text(&mut teller));
        text.push_str(&self.never(&teller));
        text.push_str(&self.denials());
        text.push_str(&self.fine_print(&teller));
        text
    }

    /// The verdict with its qualifications.
    pub(super) fn verdict_in_words(&self) -> String {
        let words = verdict::words(&self.report);
        match (self.report.verdict, bounds::absent_roles(self.answers.program)) {
            (Verdict::Terminates | Verdict::TerminatesIfFair, Some(roles)) => {
                format!("{words}, without {roles}")
            }
            _ => words,
        }
    }

    /// A text in the colour of the verdict.
    pub(super) fn coloured(&self, text: &str) -> String {
        match self.report.verdict {
            Verdict::Violated(_) => style::bad(text),
            Verdict::Inconclusive => style::doubtful(text),
            Verdict::Terminates | Verdict::TerminatesIfFair => style::good(text),
        }
    }

    /// An explanation that the verdict needs: fairness, or the limit that was reached.
    pub(super) fn note(&self) -> Option<String> {
        if self.report.verdict == Verdict::TerminatesIfFair {
            return Some(match &self.unfair {
                Some(unfair) => self.goes_on_for_ever(unfair),
                None => "There are runs that never end, but the good end can be reached from everywhere: a run goes on for \
                         ever only by avoiding some choice for ever, such as a decision that always says yes."
                    .to_owned(),
            });
        }
        let limit = self.report.limit?;
        let reached = self.answers.limits.reached(limit, &self.report.cut_by);
        let what = if self.report.verdict == Verdict::Inconclusive {
            "No verdict"
        } else {
            "The search is not complete"
        };
        let untraced: Vec<&str> = self.report.untraced.iter().map(|kind| kind.words()).collect();
        let found = match untraced.join(", ") {
            kinds if kinds.is_empty() => String::new(),
            kinds => format!("Found, but with a trace too long to be made within the limits: {kinds}.\n"),
        };
        let growth =
            self.growth.as_ref().map_or_else(String::new, |growth| format!("\n{}", self.grows(growth)));
        Some(format!("{found}{what}: {reached}.{growth}"))
    }

    /// How a run goes on for ever although the good end can be reached from everywhere.
    fn goes_on_for_ever(&self, unfair: &Endless) -> String {
        let Endless { replayed, repeated_from } = unfair;
        let teller = Teller::new(&self.answers.loaded.source, self.answers.program);
        let choices = kept_alive_by(&teller, &replayed.steps[*repeated_from..]);
        let kept_alive = match choices.is_empty() {
            true => "as long as they come in this order".to_owned(),
            false => format!("as long as {}", choices.join(" and ")),
        };
        let mut told = format!(
            "The good end can be reached from everywhere, but a run can repeat these steps for ever, {kept_alive}:"
        );
        told.push('\n');
        told.push_str(self.answers.loop_of(replayed, *repeated_from, MAX_ENDLESS).trim_end());
        told
    }

    /// The integers that grow, and the steps with which they do.
    fn grows(&self, growth: &Growth) -> String {
        let Growth { replayed, repeated_from, rounds, grown } = growth;
        let teller = Teller::new(&self.answers.loaded.source, self.answers.program);
        format!(
            "A run took these steps {rounds} times, and each time {}; if nothing bounds that, no search comes to an \
             end:\n{}",
            growth::in_words(&teller, grown),
            self.answers.loop_of(replayed, *repeated_from, MAX_GROWING).trim_end()
        )
    }

    /// The other violations found.
    pub(super) fn others(&self) -> String {
        let mut text = String::new();
        for violation in self.report.violations.iter().skip(1) {
            let possible = if violation.possible { "possible " } else { "" };
            let _ = writeln!(
                text,
                "also found: {possible}{} after {}",
                violation.kind.words(),
                counted(violation.steps as u64, "step")
            );
        }
        text
    }

    fn never(&self, teller: &Teller<'_>) -> String {
        let mut text = String::new();
        let report = &self.report;
        if report.statistics.states == 0 {
            return text;
        }
        let items = unused::items(teller, report);
        if !items.is_empty() {
            let _ = writeln!(text, "{}", self.never_title());
        }
        for item in items.iter().take(MAX_NEVER) {
            let _ = writeln!(text, "  {}  {}", style::aside(teller.place(item.span)), item.what);
        }
        if items.len() > MAX_NEVER {
            let _ = writeln!(text, "  and {} more (--format json lists them)", items.len() - MAX_NEVER);
        }
        text.push_str(&self.left_unread(teller));
        text
    }

    /// A line about the messages that are left unread in some run, if there are any.
    pub(super) fn left_unread(&self, teller: &Teller<'_>) -> String {
        let unread = unused::unread(teller, &self.report.unused);
        if unread.is_empty() {
            String::new()
        } else {
            format!("Left unread in some run: {}\n", unread.join("; "))
        }
    }

    /// A line for everything found that `--deny` names.
    pub(super) fn denials(&self) -> String {
        let line = |(denied, what): (Denied, String)| {
            format!("{} {what} (--deny {})\n", style::bad("denied:"), denied.word())
        };
        self.denied().map(line).collect()
    }

    /// The title of what never happens.
    pub(super) fn never_title(&self) -> &'static str {
        if self.report.cut_by.is_empty() {
            "Never in any run on this network:"
        } else {
            "Never within these bounds:"
        }
    }

    fn fine_print(&self, teller: &Teller<'_>) -> String {
        let report = &self.report;
        let counts = report.statistics;
        let rate = match self.searching {
            // Too short for a rate that means anything.
            short if short < Duration::from_secs(1) => String::new(),
            _ => format!("{} states/s, ", grouped(self.states_per_second() as u64)),
        };
        let together = match counts.sent {
            0 => String::new(),
            sent => format!(
                " in this process; {} in all of them, {} sent",
                bytes(counts.memory as u64),
                bytes(sent as u64)
            ),
        };
        let mut text = format!(
            "{}, {}, at most {} from the start; {}, {rate}{}{together}\n",
            counted(counts.states as u64, "state"),
            counted(counts.transitions as u64, "transition"),
            counted(counts.depth as u64, "step"),
            seconds(self.took),
            bytes(self.peak_memory)
        );
        for line in self.basis(teller) {
            let _ = writeln!(text, "{}", style::aside(line));
        }
        text
    }

    /// What the verdict depends on: cast, bounds, limits, reductions, assumptions.
    pub(super) fn basis(&self, teller: &Teller<'_>) -> Vec<String> {
        let report = &self.report;
        let mut lines = vec![
            format!("cast: {}", bounds::cast(self.answers.program)),
            format!("bounds: {}", bounds::bounds(teller, &report.bounds)),
        ];
        let cut_by: BTreeSet<BoundHit> = report.cut_by.iter().chain(self.answers.cut_by()).copied().collect();
        lines.extend(cuts_in_words(&Vec::from_iter(cut_by)));
        lines.extend(self.answers.fine_print());
        lines.push(format!("limits: {}", self.answers.limits.words()));
        lines.push(match self.reductions.names() {
            names if names.is_empty() => "reductions: none".to_owned(),
            names => format!("reductions: {}", names.join(", ")),
        });
        lines.extend(self.larger_mailboxes());
        lines.extend(self.assumptions().into_iter().map(|it| format!("assumed: {it}")));
        lines
    }

    /// A hint, after a large search, that mailboxes are too small for partial-order reduction to be effective.
    fn larger_mailboxes(&self) -> Option<String> {
        let most = self.crowded.filter(|_| self.violation().is_none())?;
        let is_large = self.report.statistics.states >= LARGE || self.report.limit.is_some();
        is_large.then(|| {
            format!(
                "hint: a run may send {most} messages to agents of one part, more than a mailbox holds, so some orders of steps \
                 had to be told apart; with --mailbox {most} there may be far fewer states"
            )
        })
    }
}
