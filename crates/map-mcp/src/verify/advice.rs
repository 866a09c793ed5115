//! Advice that was tried: what comes out with larger mailboxes, where one overflowed, or a limit came before the
//! verdict.

use std::time::Duration;

use map_explain::{counted, grouped, seconds, verdict};
use map_semantics::Bounds;
use map_session::{SearchLimits, TimeLimit, Verification};
use map_verify::{Limit, Limits, Options, Verdict, ViolationKind, verify_reduced};

use super::Request;

/// The most states of an attempt, or a tenth of what the request may use, and the longest time.
const STATES: usize = 200_000;
const TIME: Duration = Duration::from_secs(2);

/// The size of mailboxes that is tried, if the search does not say which would do.
const ROOMY: u32 = 1_000;

impl Request<'_> {
    /// What was tried and came out, as a sentence that begins with the flag. Nothing of what came to nothing.
    pub(super) fn tried(&self, found: &Verification) -> Option<String> {
        let report = &found.report;
        let overflows = report.verdict == Verdict::Violated(ViolationKind::MailboxOverflow);
        let is_open = report.verdict == Verdict::Inconclusive
            && matches!(report.limit, Some(Limit::States | Limit::Memory | Limit::Time));
        let mailbox = found.crowded.unwrap_or(ROOMY);
        let is_larger = mailbox > found.scene.bounds.mailbox;
        // Where integers grow it does not help.
        if found.growth.is_some() || !(overflows || is_open) || !is_larger {
            return None;
        }
        let whole = self.limits.time.map_or(TIME, |time| time.whole);
        let left = whole.saturating_sub(self.task.started.elapsed());
        if left.is_zero() || self.task.ends.reason().is_some() {
            return None;
        }
        let limits = SearchLimits {
            limits: Limits { states: STATES.min(self.limits.limits.states / 10), ..self.limits.limits },
            time: Some(TimeLimit { search: TIME.min(left), whole, is_shared: false }),
            fixed: self.limits.fixed,
        };
        let options = Options {
            limits: limits.limits,
            keep_going: false,
            reductions: self.args.reductions.chosen(),
            self_check: false,
        };
        let bounds = Bounds { mailbox, ..found.scene.bounds.clone() };
        let mut watch = self.task.watch(&limits);
        let searched = verify_reduced(&found.scene.program, &bounds, &options, &mut watch);
        let took = seconds(map_session::Watch::elapsed(&watch));
        let report = searched.ok()?.report;
        match report.verdict {
            Verdict::Inconclusive => None,
            Verdict::Violated(ViolationKind::MailboxOverflow) => {
                Some(format!("--mailbox {mailbox} does not help: it overflows, too (tried, {took})"))
            }
            _ => {
                let (words, states) =
                    (verdict::words(&report), counted(report.statistics.states as u64, "state"));
                let messages = grouped(mailbox.into());
                Some(format!(
                    "--mailbox {mailbox}, if {messages} messages are meant: {words} (tried, {states}, {took})"
                ))
            }
        }
    }
}
