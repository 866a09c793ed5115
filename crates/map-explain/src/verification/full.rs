//! Everything that a verification found.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::time::Duration;

use map_semantics::BoundHit;
use map_session::Verification;
use map_verify::{Endless, Growth, Verdict};

use super::limits::{self, cuts_in_words};
use super::{Telling, assumptions, denied, properties};
use crate::endless::kept_alive_by;
use crate::{Namer, Role, Text, bounds, bytes, counted, grouped, growth, seconds, unused};

/// The most things listed that never happen.
const MAX_NEVER: usize = 25;

/// The most lines for steps that are repeated for ever, and for steps with which integers grow.
const MAX_ENDLESS: usize = 6;
const MAX_GROWING: usize = 12;

/// With at least this many states a hint says how there might be fewer.
const LARGE: usize = 10_000;

impl Telling<'_> {
    pub(super) fn in_full(self) -> Text {
        let found = self.found;
        let mut namer = self.namer();
        let mut text = self.headline();
        text.push_str("\n");
        if found.trace.is_some() {
            text.push_str("\n");
            text.append(self.trace(&mut namer));
            text.append(self.explanation(&namer));
            text.push_str("\n");
            text.push_str(&self.chart_of_verdict());
        }
        text.append(self.note());
        text.push_str(&others(found));
        text.append(self.properties().in_full(&mut namer));
        text.append(self.costs_in_full());
        text.append(self.never(&namer));
        text.append(denied::lines(found, self.how.denied));
        text.append(self.fine_print(&namer));
        text
    }

    /// Lines that the verdict needs: fairness, or the limit that was reached.
    pub(super) fn note(self) -> Text {
        let found = self.found;
        if found.report.verdict == Verdict::TerminatesIfFair {
            return match &found.unfair {
                Some(unfair) => self.goes_on_for_ever(unfair),
                None => Text::plain(
                    "There are runs that never end, but the good end can be reached from everywhere: a run goes on for \
                     ever only by avoiding some choice for ever, such as a decision that always says yes.\n",
                ),
            };
        }
        let Some(limit) = found.report.limit else { return Text::default() };
        let mut text = Text::default();
        let untraced: Vec<&str> = found.report.untraced.iter().map(|kind| kind.words()).collect();
        if !untraced.is_empty() {
            let kinds = untraced.join(", ");
            let _ = writeln!(text, "Found, but with a trace too long to be made within the limits: {kinds}.");
        }
        let what = match found.report.verdict {
            Verdict::Inconclusive => "No verdict",
            _ => "The search is not complete",
        };
        let reached = limits::reached(&found.limits, limit, &found.report.cut_by);
        let _ = writeln!(text, "{what}: {reached}.");
        if let Some(growth) = &found.growth {
            text.append(self.grows(growth));
        }
        text
    }

    /// How a run goes on for ever although the good end can be reached from everywhere.
    fn goes_on_for_ever(self, Endless { replayed, repeated_from }: &Endless) -> Text {
        let choices = kept_alive_by(&self.namer(), &replayed.steps[*repeated_from..]);
        let kept_alive = match choices.is_empty() {
            true => "as long as they come in this order".to_owned(),
            false => format!("as long as {}", choices.join(" and ")),
        };
        let mut text = Text::plain(format!(
            "The good end can be reached from everywhere, but a run can repeat these steps for ever, {kept_alive}:\n"
        ));
        text.append(self.properties().loop_of(replayed, *repeated_from, MAX_ENDLESS));
        text
    }

    /// The integers that grow, and the steps with which they do.
    fn grows(self, Growth { replayed, repeated_from, rounds, grown }: &Growth) -> Text {
        let grown = growth::in_words(&self.namer(), grown);
        let mut text = Text::plain(format!(
            "A run took these steps {rounds} times, and each time {grown}; if nothing bounds that, no search comes to \
             an end:\n"
        ));
        text.append(self.properties().loop_of(replayed, *repeated_from, MAX_GROWING));
        text
    }

    fn never(self, namer: &Namer<'_>) -> Text {
        let mut text = Text::default();
        let report = &self.found.report;
        if report.statistics.states == 0 {
            return text;
        }
        let items = unused::items(namer, report);
        if !items.is_empty() {
            let _ = writeln!(text, "{}", never_title(self.found));
        }
        for item in items.iter().take(MAX_NEVER) {
            text.push_str("  ");
            text.push(Role::Aside, namer.place(item.span));
            let _ = writeln!(text, "  {}", item.what);
        }
        if items.len() > MAX_NEVER {
            let (more, json) = (items.len() - MAX_NEVER, self.how.offers.never);
            let _ = writeln!(text, "  and {more} more ({json} lists them)");
        }
        text.push_str(&self.left_unread(namer));
        text
    }

    /// A line about the messages that are left unread in some run, if there are any.
    pub(super) fn left_unread(self, namer: &Namer<'_>) -> String {
        let unread = unused::unread(namer, &self.found.report.unused);
        match unread.is_empty() {
            true => String::new(),
            false => format!("Left unread in some run: {}\n", unread.join("; ")),
        }
    }

    fn fine_print(self, namer: &Namer<'_>) -> Text {
        let found = self.found;
        let counts = found.report.statistics;
        let figures = found.figures;
        let rate = match figures.searching {
            // Too short for a rate that means anything.
            short if short < Duration::from_secs(1) => String::new(),
            _ => format!("{} states/s, ", grouped(found.states_per_second() as u64)),
        };
        let together = match counts.sent {
            0 => String::new(),
            sent => format!(
                " in this process; {} in all of them, {} sent",
                bytes(counts.memory as u64),
                bytes(sent as u64)
            ),
        };
        let mut text = Text::plain(format!(
            "{}, {}, at most {} from the start; {}, {rate}{}{together}\n",
            counted(counts.states as u64, "state"),
            counted(counts.transitions as u64, "transition"),
            counted(counts.depth as u64, "step"),
            seconds(figures.took),
            bytes(figures.peak_memory)
        ));
        for line in basis(found, namer) {
            text.push(Role::Aside, line);
            text.push_str("\n");
        }
        text
    }
}

/// The other violations found, a line each.
pub(super) fn others(found: &Verification) -> String {
    let mut text = String::new();
    for violation in found.report.violations.iter().skip(1) {
        let possible = if violation.possible { "possible " } else { "" };
        let steps = counted(violation.steps as u64, "step");
        let _ = writeln!(text, "also found: {possible}{} after {steps}", violation.kind.words());
    }
    text
}

/// The title of what never happens.
pub(super) fn never_title(found: &Verification) -> &'static str {
    match found.report.cut_by.is_empty() {
        true => "Never in any run on this network:",
        false => "Never within these bounds:",
    }
}

/// All bounds that cut a step, of the search for termination or of one for properties.
pub(super) fn cut_by(found: &Verification) -> Vec<BoundHit> {
    let cut_by: BTreeSet<BoundHit> =
        found.report.cut_by.iter().chain(found.properties.cut_by()).copied().collect();
    Vec::from_iter(cut_by)
}

/// What the verdict depends on, a line each: cast, bounds, limits, reductions, assumptions.
pub(super) fn basis(found: &Verification, namer: &Namer<'_>) -> Vec<String> {
    let mut lines = vec![
        format!("cast: {}", bounds::cast(&found.scene.program)),
        format!("bounds: {}", bounds::bounds(namer, &found.report.bounds)),
    ];
    lines.extend(cuts_in_words(&cut_by(found)));
    lines.extend(properties::fine_print(&found.properties));
    lines.push(format!("limits: {}", limits::words(&found.limits)));
    lines.push(match found.reductions.names() {
        names if names.is_empty() => "reductions: none".to_owned(),
        names => format!("reductions: {}", names.join(", ")),
    });
    lines.extend(larger_mailboxes(found));
    lines.extend(assumptions(found).into_iter().map(|assumption| format!("assumed: {assumption}")));
    lines
}

/// A hint, after a large search, that mailboxes are too small for partial-order reduction to be effective.
fn larger_mailboxes(found: &Verification) -> Option<String> {
    let most = found.crowded.filter(|_| found.violation().is_none())?;
    let is_large = found.report.statistics.states >= LARGE || found.report.limit.is_some();
    is_large.then(|| {
        format!(
            "hint: a run may send {most} messages to agents of one part, more than a mailbox holds, so some orders of steps \
             had to be told apart; with --mailbox {most} there may be far fewer states"
        )
    })
}
