//! Asks, sends and receives: the single action that an act may perform.

use std::sync::Arc;

use map_ir::{Goto, Operand, Pattern, PerformativeId, PointId, PointKind, Recipient, Target, Test, Value};

use super::{Machine, Mode, Stop};
use crate::outcome::{Action, Assumption, Event};
use crate::send::recipients;
use crate::{Choice, Look, Message};

impl<'a> Machine<'a> {
    /// Records the single action of the act. What follows is silent, and calls made before no longer count as open,
    /// because the action lies between them and any later call.
    pub(super) fn acted(&mut self, point: PointId, action: Action, mode: &mut Mode) {
        *mode = Mode::Silent;
        self.ran.push(point);
        self.action = Some(action);
        self.open_calls.clear();
        self.innermost_call = None;
        for extra in &mut self.extras {
            extra.calls_outside = None;
        }
    }

    pub(super) fn ask(&mut self, point: PointId, mode: &mut Mode) -> Result<Goto, Stop> {
        let program = self.program;
        let PointKind::Ask { procedure, arguments, target, ok, err } = &program.point(point).kind else {
            unreachable!("the point is an ask")
        };
        let arguments = self.operands(point, arguments)?;
        let given = self.answer(point, *procedure, &arguments);
        if given.is_err() {
            self.ran.push(point);
        }
        let Some(given) = given? else {
            self.events.push(Event::Refused(point));
            return Ok(self.fail(*err));
        };
        self.update(&given.updates);
        let answer = given.value;
        let unified = match *target {
            Target::Anything => true,
            Target::Binds(variable) => {
                *self.variable(variable) = Some(answer);
                true
            }
            Target::Compares(variable) => {
                let bound = self.value(Operand::Variable(variable));
                match self.choices.equals(bound, answer) {
                    Some(equal) => equal,
                    None => self.equal(point, &[(bound, answer)]),
                }
            }
        };
        let updates = given.updates;
        self.acted(point, Action::Ask { point, arguments, answer, unified, updates }, mode);
        if unified {
            Ok(*ok)
        } else {
            self.events.push(Event::NotUnified(point));
            Ok(self.fail(*err))
        }
    }

    pub(super) fn send(&mut self, point: PointId, mode: &mut Mode) -> Result<Goto, Stop> {
        let program = self.program;
        let PointKind::Send { performative, arguments, agent, role, ok, err } = &program.point(point).kind
        else {
            unreachable!("the point is a send")
        };
        let arguments = self.operands(point, arguments)?;
        let (name, role) = (self.recipient(point, *agent)?, self.recipient(point, *role)?);
        let mut options = recipients(program, self.me, name, role);
        let to = if options.len() == 1 {
            options.swap_remove(0)
        } else {
            let choice = Choice::Recipients {
                point,
                address: (name, role),
                sets: &options,
                options: options.len() as u32,
            };
            let chosen = self.choices.choose(&choice) as usize;
            let to = options.swap_remove(chosen);
            self.assumptions.push(Assumption::Recipients { point, to: to.clone() });
            to
        };
        if to.is_empty() {
            self.events.push(Event::NobodyThere(point));
            return Ok(self.fail(*err));
        }
        let message = Arc::new(Message { performative: *performative, sender: self.me, arguments });
        self.acted(point, Action::Send { point, message, to }, mode);
        Ok(*ok)
    }

    /// A term of an address; `None` for the wildcard.
    fn recipient(&mut self, point: PointId, recipient: Recipient) -> Result<Option<Value>, Stop> {
        match recipient {
            Recipient::Any => Ok(None),
            Recipient::Is(operand) => self.operand(point, operand).map(Some),
        }
    }

    /// The values that the pattern demands of a message, as far as they are concrete and independent of one another.
    fn wanted(&self, pattern: &Pattern) -> Vec<(usize, Value)> {
        let wanted = pattern.tests.iter().filter_map(|test| match *test {
            Test::Operand(place, operand) => Some((place as usize, self.value(operand))),
            Test::Same(..) => None,
        });
        let is_exact = |value: Value| self.choices.equals(value, value) == Some(true);
        wanted
            .filter(|&(_, value)| !matches!(value, Value::Abstract(_) | Value::Role(_)) && is_exact(value))
            .collect()
    }

    pub(super) fn receive(&mut self, point: PointId, mode: &mut Mode) -> Goto {
        let program = self.program;
        let PointKind::Receive { performative, pattern, ok, err } = &program.point(point).kind else {
            unreachable!("the point is a receive")
        };
        let found = if self.bounds.network.unordered {
            self.find_any(point, *performative, pattern)
        } else {
            self.find_oldest(point, *performative, pattern)
        };
        let Some((arrival, message)) = found else {
            self.events.push(Event::NothingThere(point));
            return self.fail(*err);
        };
        for &(place, slot) in &pattern.bindings {
            *self.variable(slot) = Some(message.at(program, place as usize));
        }
        self.acted(point, Action::Receive { point, arrival, message: Arc::clone(message) }, mode);
        *ok
    }

    fn find_oldest(
        &mut self,
        point: PointId,
        performative: PerformativeId,
        pattern: &Pattern,
    ) -> Option<(u64, &'a Arc<Message>)> {
        let (program, origin) = (self.program, self.origin);
        let mut messages = origin.mailbox.of(performative, || self.wanted(pattern));
        let found = messages.find(|&(arrival, message)| {
            self.choices.look(Look { performative, last: Some(arrival) });
            self.matches(point, pattern, |place| message.at(program, place))
        });
        if found.is_none() {
            self.choices.look(Look { performative, last: None });
        }
        found
    }

    /// In a bag any matching message may be found; equal messages count once.
    fn find_any(
        &mut self,
        point: PointId,
        performative: PerformativeId,
        pattern: &Pattern,
    ) -> Option<(u64, &'a Arc<Message>)> {
        let (program, origin) = (self.program, self.origin);
        self.choices.look(Look { performative, last: None });
        let mut candidates: Vec<(u64, &Arc<Message>)> = Vec::new();
        for (arrival, message) in origin.mailbox.of(performative, || self.wanted(pattern)) {
            // Equal messages are adjacent.
            let again = candidates.last().is_some_and(|&(_, last)| last == message);
            if !again && self.compare(pattern, |place| message.at(program, place)).is_some() {
                candidates.push((arrival, message));
            }
        }
        if candidates.len() > 1 {
            let choice = Choice::Message { point, options: candidates.len() as u32 };
            let first = self.choices.choose(&choice) as usize;
            candidates[..=first].rotate_right(1);
        }
        let mut candidates = candidates.into_iter();
        candidates.find(|(_, message)| self.matches(point, pattern, |place| message.at(program, place)))
    }
}
