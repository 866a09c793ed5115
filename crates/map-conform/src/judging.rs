//! Judges a conversation at the end of its log.

use std::sync::Arc;

use crate::blame::{Kind, PossibleSends};
use crate::conversation::Conversation;
use crate::monitor::LoggedMessage;
use crate::own::Own;
use crate::report::{Mark, Offence, Report, Standing, Verdict, Violation};
use crate::settings::Settings;

impl Conversation {
    /// The report at this point of the log.
    #[must_use]
    pub fn report(mut self) -> Report {
        if let Some(in_order) = self.in_order.take() {
            return self.report_skewed(*in_order);
        }
        if self.by_time.is_some() {
            return self.report_by_time();
        }
        let Settings { losses, complete, .. } = self.scene.settings;
        let now = self.now;
        self.expire(now);
        // What was not read may have what is missing.
        let complete = complete && !self.scene.shared.work.is_stopped();
        self.blame_nobody(losses, complete);
        let fits_mid_way = self.fits_mid_way();
        let (mut standings, mut all_end, mut certain) = (Vec::new(), true, true);
        // Agents may still join.
        let mut can_happen = !self.under_way.is_empty() || self.scene.joining.is_some() && !complete;
        let mut incomplete = false;
        for agent in self.scene.program().cast() {
            self.scene.shared.work.renew();
            if self.broke[agent.index()] {
                let blamed = self.violations.iter().any(|violation| violation.is_of(agent));
                standings.push(if blamed { Standing::Broke } else { Standing::Unknown });
                all_end = false;
                continue;
            }
            // What waits for a line that cannot be used is not judged.
            let waits = !self.held[agent.index()].is_empty() && self.gaps.first().is_some();
            let is_doubtful = waits || self.is_doubtful(agent);
            let monitor = &mut self.monitors[agent.index()];
            let closure = monitor.closure(&self.scene.shared);
            let (lacks_copies, lost, cut) =
                (monitor.lacks_copies(), monitor.is_lost(), monitor.cut || closure.cut);
            incomplete |= cut;
            certain &= if closure.may_end { closure.certainly_ends } else { monitor.is_certain() };
            all_end &= closure.may_end;
            can_happen |= cut || !closure.sends.is_empty() || lacks_copies;
            standings.push(if lost {
                Standing::Unknown
            } else if closure.may_end {
                Standing::Ended
            } else if is_doubtful {
                Standing::Unknown
            } else if !lacks_copies && (closure.comes_to_rest || cut) {
                let (at, may) = (closure.waits_at.clone(), self.possible(agent));
                Standing::Waits { at, may }
            } else {
                Standing::Owes(self.possible(agent))
            });
            if lost {
                self.cut_at.get_or_insert((agent, now));
            }
            // A run may also go wrong by a fault of the text: that is no breach.
            let goes_wrong =
                !lacks_copies && self.unfit_answer(agent, None).is_some_and(|answer| !answer.possibly);
            if (complete || goes_wrong) && matches!(standings.last(), Some(Standing::Owes(_))) {
                self.violated(now, agent, Kind::Silent, Offence::Nothing);
                standings.pop();
                standings.push(Standing::Broke);
            }
        }
        let verdict = if !self.violations.is_empty() {
            Verdict::Violated
        } else if self.cut_at.is_some() {
            Verdict::Inconclusive
        } else if all_end {
            Verdict::Conforms
        } else if can_happen {
            Verdict::SoFar
        } else {
            Verdict::Stuck
        };
        let has_gaps = self.gaps.first().is_some();
        let possibly = match verdict {
            Verdict::Conforms | Verdict::SoFar | Verdict::Stuck => !certain || has_gaps,
            Verdict::Violated => {
                fits_mid_way || self.violations.iter().all(|violation| violation.gap.is_some())
            }
            Verdict::Inconclusive => false,
        };
        Report {
            verdict,
            possibly,
            gaps: self.gaps.listed,
            runs_back: self.runs_back,
            violations: self.violations,
            standings,
            messages: self.messages,
            hypotheses: self.monitors.iter().map(|it| it.most).max().unwrap_or(0),
            explored: self.monitors.iter().map(|it| it.explored).max().unwrap_or(0),
            never_arrived: self.under_way.iter().map(|(mark, _, to)| (*mark, *to)).collect(),
            unlogged: self
                .cut_at
                .map(|(agent, _)| self.unlogged.swap_remove(agent.index()))
                .unwrap_or_default(),
            fits_mid_way,
            cut_at: self.cut_at,
            incomplete,
        }
    }

    /// Whether the first line fits no beginning, and the conversation may have begun before the log. If nobody wanted
    /// to know that any more, what rests on it is not judged.
    fn fits_mid_way(&mut self) -> bool {
        let is_first = |mark: Mark| self.gaps.first_line == Some(mark);
        if !self.violations.iter().any(|violation| is_first(violation.mark)) {
            return false;
        }
        let Some(mid_way) = self.mid_way.take() else { return false };
        if mid_way.is_stopped && mid_way.violations.is_empty() {
            self.cut_at = mid_way.cut_at;
            self.violations.clear();
            return false;
        }
        mid_way.report().verdict != Verdict::Violated
    }

    /// Adds the violations for which no agent is to blame.
    fn blame_nobody(&mut self, losses: u32, complete: bool) {
        self.note_first_line();
        // The send, or the arrival, may be in a line that cannot be used.
        let gaps = &self.gaps;
        let nobody = |mark, kind, spoken| Violation {
            mark,
            kind,
            agent: None,
            unfit: None,
            offence: Offence::Message(spoken),
            possible: PossibleSends::default(),
            before: None,
            gap: gaps.doubt_of_arrival(mark),
            debt: None,
        };
        for held in &self.held {
            if let Some((mark, Own::Receives(to, message))) = held.front() {
                let (from, to, message) = (message.sender, vec![*to], Arc::clone(message));
                self.violations.push(nobody(
                    *mark,
                    Kind::NeverSent,
                    LoggedMessage { from, to, message, id: None },
                ));
            }
        }
        if complete && self.under_way.len() > losses as usize {
            let (mark, message, to) = &self.under_way[0];
            let spoken =
                LoggedMessage { from: message.sender, to: vec![*to], message: Arc::clone(message), id: None };
            let lost = nobody(*mark, Kind::Lost, spoken);
            self.violations.push(lost);
        }
    }
}
