//! A single agent as a part of the scene.

use map_semantics::{Status, Timeouts, may_time_out};

use super::half::{
    ACTS, ACTS_MAY_VANISH, DONE, Effect, Ending, FAILED, Half, HalfStep, Letter, NO_THREADS, NONE, Outlook,
    TIMEOUTS, TIMEOUTS_MAY_VANISH, WAITING, WAITING_COMPARED,
};
use super::names::{Names, Unfit, are_kept};
use super::{Halves, Means};
use crate::agents::{LocalEnding, LocalStep, Missing, StateId};

impl Halves {
    /// What an agent in this state can do, with its steps from `start` on; nothing if they are missing.
    pub(super) fn of_agent(
        &mut self,
        means: &Means<'_>,
        (agent, id): (usize, StateId),
        start: usize,
    ) -> Result<Option<Half>, Unfit> {
        let Some(locals) = means.space.agents.locals(id) else {
            self.missing.push(Missing::Locals(id));
            return Ok(None);
        };
        let brief = means.space.agents.brief(id);
        let held = brief.symbols as usize;
        let bounds = means.space.bounds;
        let outline = locals.outline();
        let (mut acts, mut timeouts, mut acts_may_vanish, mut timeouts_may_vanish) = (0, 0, true, true);
        let mut first = 0;
        for (thread, its_acts, its_timeouts) in locals.threads() {
            for (place, deed) in (first..).zip(its_acts) {
                let step = locals.step(deed);
                let half_step =
                    self.of_step((agent, held), (id, place), &step, false, step.label.compared)?;
                self.tables.steps.push(half_step);
            }
            first += its_acts.len();
            acts += its_acts.len();
            acts_may_vanish &= thread.act_may_vanish || its_acts.is_empty();
            // If all the others wait.
            if may_time_out(bounds, thread.waiting, outline.all_waiting) {
                let doubtful = bounds.timeouts == Timeouts::Any && thread.waiting_compared;
                for (place, deed) in (first..).zip(its_timeouts) {
                    let step = locals.step(deed);
                    let compared = step.label.compared || doubtful;
                    let half_step = self.of_step((agent, held), (id, place), &step, true, compared)?;
                    self.tables.steps.push(half_step);
                }
                timeouts += its_timeouts.len();
                timeouts_may_vanish &= thread.timeout_may_vanish || its_timeouts.is_empty();
            }
            first += its_timeouts.len();
        }
        let outlook = Outlook::new([
            (DONE, matches!(brief.status, Status::Done | Status::Crashed)),
            (FAILED, brief.status == Status::Failed),
            (WAITING, outline.all_waiting),
            (WAITING_COMPARED, outline.waiting_compared),
            (NO_THREADS, outline.threads.is_empty()),
            (ACTS, acts > 0),
            (TIMEOUTS, timeouts > 0),
            (ACTS_MAY_VANISH, acts_may_vanish),
            (TIMEOUTS_MAY_VANISH, timeouts_may_vanish),
        ]);
        Ok(Some(Half::new(held, outlook, start..self.tables.steps.len())))
    }

    fn of_step(
        &mut self,
        (agent, held): (usize, usize),
        at: (StateId, usize),
        step: &LocalStep<'_>,
        is_timeout: bool,
        is_compared: bool,
    ) -> Result<HalfStep, Unfit> {
        let fails = matches!(step.ending, LocalEnding::State { ended: Some(false), .. });
        let label = step.label;
        let mut half_step =
            HalfStep::new(agent, at, (label.thread, label.kind)).flagged(is_timeout, is_compared, fails);
        let (ending, after, symbols) = match &step.ending {
            LocalEnding::State { after, more, .. } => {
                debug_assert!(more.is_none(), "messages are counted by slicing alone");
                if self.tables.is_noted(after.id) {
                    half_step.note();
                }
                (Ending::State, after.next, &*after.kept.symbols)
            }
            LocalEnding::Runaway => (Ending::Runaway, 0, [].as_slice()),
            LocalEnding::Cut(_) | LocalEnding::RunError | LocalEnding::TooLong => return Ok(half_step),
        };
        let names = |symbols: &[u32]| Names::collect(symbols.iter().map(|&symbol| Ok(symbol as usize)));
        let names_after = names(symbols)?;
        let keeps = are_kept(held, &names_after);
        let map = self.tables.string(&names_after);
        let letter = match &step.sent {
            Some(sent) if !sent.to.is_empty() => {
                let symbols = self.tables.string(&names(&sent.symbols)?);
                let address = self.tables.address(sent);
                self.tables.letter(Letter { address, symbols, place: NONE })
            }
            _ => NONE,
        };
        let effect = self.tables.effect(Effect { map, letter, no_state: ending == Ending::Runaway });
        Ok(HalfStep { ending, after, effect, ..half_step.sending(letter != NONE).keeping(keeps) })
    }
}
