//! Clocks that differ: by the time of an agent, what others say may have happened earlier than the log shows, or later.
//!
//! What concerns an agent is put into the order of its own time: a message is there from `skew` before its line on, and
//! if messages arrive with their sends it is there `skew` after it at the latest. So lines wait until nothing can come
//! that belongs before them.
//!
//! Each line by itself may be off by as much, and no run need exist for clocks that go evenly. So the conversation is
//! judged by the order of the log, too; what conforms only in the order of some clocks does so possibly.
//!
//! Lines of equal times in several logs are a case of this: the clocks agree, but do not tell which was first.

use std::sync::Arc;

use map_ir::AgentId;

use crate::conversation::Conversation;
use crate::own::Own;
use crate::pending::{Arrivals, MAX_UNDER_WAY};
use crate::report::{Mark, Report, Verdict};
use crate::window::{Event, Order};

impl Conversation {
    /// A line of an agent, at its place among the others.
    pub(crate) fn skewed(&mut self, agent: AgentId, mark: Mark, own: Own) {
        let sent = self.scene.settings.arrivals == Arrivals::Sent;
        if self.window.as_ref().is_some_and(|it| it.is_behind(mark)) {
            self.go_on(true);
        }
        let Some(window) = &mut self.window else { return };
        if window.events.len() >= MAX_UNDER_WAY {
            return self.give_up(agent, mark);
        }
        if let Own::Sends(spoken) = &own {
            for &to in spoken.to.iter().filter(|&&to| to != spoken.from) {
                let message = Arc::clone(&spoken.message);
                let order = window.order_of_arrival(mark, to);
                window.add(mark, 0, order, Event::MayArrive(to, message));
                if sent {
                    window.add(mark, 2, Order::HasArrived, Event::HasArrived(to, spoken.from));
                }
            }
        }
        window.add(mark, 1, Order::Own, Event::Own(agent, own));
        self.pass(mark.time.unwrap_or(0));
    }

    /// It is this time by now, in nanoseconds, so that lines that waited for others need not wait any more.
    pub fn pass(&mut self, now: u64) {
        if let Some(window) = &mut self.window {
            window.clock = window.clock.max(now);
        }
        self.go_on(false);
    }

    /// The latest time at which something may happen that waits.
    #[must_use]
    pub fn waits_until(&self) -> Option<u64> {
        let window = self.window.as_ref()?;
        window.events.last_key_value().map(|((time, ..), _)| time.saturating_add(window.skew))
    }

    /// Judges the lines that need not wait any more, or all.
    pub(crate) fn go_on(&mut self, is_last: bool) {
        while let Some((mark, event)) = self.window.as_mut().and_then(|it| it.next(is_last)) {
            self.scene.shared.work.renew();
            match event {
                Event::Own(agent, own) => self.own(agent, mark, own),
                Event::MayArrive(to, message) => {
                    if let Some(window) = &mut self.window {
                        *window.open.entry((to, message.sender)).or_default() += 1;
                    }
                    self.may_arrive(mark, to, &message);
                }
                Event::HasArrived(to, from) => self.deliver_all_but(mark, to, from),
            }
        }
    }

    /// Delivers the oldest message of a sender that may have arrived.
    fn deliver_all_but(&mut self, mark: Mark, to: AgentId, from: AgentId) {
        let open = self.window.as_mut().and_then(|it| it.open.get_mut(&(to, from)));
        let Some(open) = open else { return };
        *open -= 1;
        let open = *open;
        self.check_deadline(to, mark);
        if !self.broke[to.index()] {
            self.monitors[to.index()].deliver_all_but(&self.scene.shared, from, open);
        }
        self.note_owing(to, mark);
    }

    /// The report by the order of the log, if that explains it, and else by the order of some clocks.
    pub(crate) fn report_skewed(mut self, in_order: Self) -> Report {
        self.go_on(true);
        self.window = None;
        let in_order = in_order.report();
        match in_order.verdict {
            Verdict::Conforms | Verdict::SoFar | Verdict::Stuck => in_order,
            Verdict::Violated | Verdict::Inconclusive => {
                let mut report = self.report();
                if report.verdict == Verdict::Violated && in_order.fits_mid_way {
                    return in_order;
                }
                report.possibly |=
                    matches!(report.verdict, Verdict::Conforms | Verdict::SoFar | Verdict::Stuck);
                report
            }
        }
    }
}
