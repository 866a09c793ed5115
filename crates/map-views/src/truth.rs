//! What views tell of claims about single moments: that they hold, that they do not, or nothing.

use map_ir::{
    AgentId, Body, Comparison, EventAtom, EventKind, MessagePattern, ProcedureId, StateAtom, StateQuantity,
    Value,
};
use map_semantics::{Message, Status, values_compare};

use crate::claim::{Side, StatePredicate};
use crate::counting::{Constraint, Form};
use crate::table::NumberedStep;
use crate::values::{FRESH, LARGE, NEGATIVE, UNKNOWN};
use crate::views::{View, Views};

/// What has happened at a moment.
#[derive(Clone, Copy)]
pub(crate) enum Act<'a> {
    /// Nothing: it is the first.
    Start,
    /// A step of an agent that is shown.
    Step { agent: AgentId, timeout: bool, step: &'a NumberedStep, refused: &'a [ProcedureId] },
    /// Perhaps a step of such an agent in which procedures said "no".
    Refusal { agent: AgentId, timeout: bool, refused: &'a [ProcedureId] },
    /// Some step of a member that is not seen.
    Unseen,
}

/// What is known of a value.
enum Known {
    /// That there is none.
    Missing,
    Exactly(Value),
    /// That it is an integer beyond those that are told apart, and whether it is positive.
    Beyond(bool),
    /// That it is the name of a member that is not seen.
    Other,
    /// That it is this sum of the counting cells of the fixed agent at this place.
    Sum(usize, Form),
    Nothing,
}

/// A moment: a view, and what has just happened.
pub(crate) struct At<'v, 'f, 'a> {
    pub(crate) views: &'v Views<'f>,
    pub(crate) view: View,
    pub(crate) act: Act<'a>,
}

impl At<'_, '_, '_> {
    /// Whether a claim holds; `None` if that is not known.
    pub(crate) fn holds(&self, claim: &StatePredicate) -> Option<bool> {
        match claim {
            StatePredicate::Constant(truth) => Some(*truth),
            StatePredicate::Event(event) => self.happens(event),
            StatePredicate::State(atom) => self.state(atom),
            StatePredicate::Compare(left, comparison, right) => {
                self.compare(self.known(left), *comparison, self.known(right))
            }
        }
    }

    /// What is shown of an agent, by its number.
    fn local(&self, agent: AgentId) -> Option<u32> {
        let place = self.views.frame.place_of(agent)?;
        Some(self.views.shown(self.view)[place])
    }

    fn state(&self, atom: &StateAtom) -> Option<bool> {
        let locals = &self.views.table.locals;
        let status = |agent: AgentId| self.local(agent).map(|local| locals[local as usize].status);
        match atom {
            // Others may still run.
            StateAtom::Ended => {
                let agents = self.views.shown(self.view);
                let runs = agents.iter().any(|&local| locals[local as usize].status == Status::Running);
                if runs { Some(false) } else { None }
            }
            StateAtom::Done(agent) => status(*agent).map(|it| it == Status::Done),
            StateAtom::Failed(agent) => status(*agent).map(|it| it == Status::Failed),
            StateAtom::Waiting(agent) => status(*agent).filter(|it| *it != Status::Running).map(|_| false),
            StateAtom::In(agent, clauses) => self.local(*agent).map(|local| {
                let control = &locals[local as usize].control;
                control.threads().any(|thread| {
                    let innermost = control.activations(thread).next();
                    innermost.is_some_and(|(clause, _)| clauses.contains(&clause))
                })
            }),
        }
    }

    fn happens(&self, event: &EventAtom) -> Option<bool> {
        let actor = match self.act {
            Act::Start => return Some(false),
            // It is some agent's; whose messages these are is not looked at.
            Act::Unseen => return if event.agent.is_some() { Some(false) } else { None },
            Act::Step { agent, .. } | Act::Refusal { agent, .. } => agent,
        };
        if event.agent.is_some_and(|agent| agent != actor) {
            return Some(false);
        }
        let (timeout, step, refused) = match self.act {
            Act::Step { timeout, step, refused, .. } => (timeout, Some(step), refused),
            Act::Refusal { timeout, refused, .. } => (timeout, None, refused),
            Act::Start | Act::Unseen => return None,
        };
        let is_asked = |procedure| step.is_some_and(|step| step.asked == Some(procedure));
        match &event.kind {
            EventKind::Sends(pattern, recipient) => {
                let Some(sent) = step.and_then(|step| step.sent.as_ref()) else { return Some(false) };
                let message = &self.views.table.messages[sent.message as usize];
                let hears = recipient.map_or(Some(true), |recipient| {
                    let place = self.views.frame.place_of(recipient)?;
                    // What a member sends to itself is not noted.
                    let is_own = actor == recipient && self.views.frame.seen().contains(&actor);
                    (!is_own).then(|| sent.to.contains(&place))
                });
                all([hears, self.fits(pattern, message)].into_iter())
            }
            EventKind::Receives(pattern, sender) => {
                let Some(taken) = step.and_then(|step| step.taken) else { return Some(false) };
                let message = &self.views.table.messages[taken as usize];
                let is_from = sender.is_none_or(|sender| message.sender == sender);
                all([Some(is_from), self.fits(pattern, message)].into_iter())
            }
            EventKind::Asks(procedure) if is_asked(*procedure) => Some(true),
            EventKind::Answers(procedure, true) => Some(is_asked(*procedure)),
            EventKind::Asks(procedure) | EventKind::Answers(procedure, false) => {
                let body = &self.views.frame.program.procedure(*procedure).body;
                // Whether guards say "no" is not noted.
                let may = refused.contains(procedure) || matches!(body, Body::Alternatives(_));
                if may { None } else { Some(false) }
            }
            EventKind::TimesOut if timeout && step.is_none() => None,
            EventKind::TimesOut => Some(timeout),
        }
    }

    fn fits(&self, pattern: &MessagePattern, message: &Message) -> Option<bool> {
        if pattern.performative != message.performative {
            return Some(false);
        }
        all(pattern.arguments.iter().zip(&message.arguments).map(|(wanted, &value)| {
            wanted.map_or(Some(true), |wanted| {
                self.compare(Known::Exactly(wanted), Comparison::Equal, self.shown(value))
            })
        }))
    }

    /// What is known of a value that is shown.
    fn shown(&self, value: Value) -> Known {
        match value {
            UNKNOWN | FRESH => Known::Nothing,
            LARGE => Known::Beyond(true),
            NEGATIVE => Known::Beyond(false),
            Value::Abstract(_) | Value::Fresh(_) => Known::Nothing,
            _ if self.views.frame.is_nothing(value) => Known::Nothing,
            Value::Agent(agent) if agent == self.views.frame.other => Known::Other,
            _ => Known::Exactly(value),
        }
    }

    fn known(&self, side: &Side) -> Known {
        let frame = self.views.frame;
        match side {
            Side::Nothing => Known::Missing,
            Side::Value(value) => Known::Exactly(*value),
            Side::State(StateQuantity::Mailbox(_)) => Known::Nothing,
            Side::State(StateQuantity::Cell(agent, cell)) => {
                let Some(index) = frame.program.cell_of(frame.program.agent(*agent).role, *cell) else {
                    return Known::Missing;
                };
                let counted = frame.counted_by(*agent).iter().position(|&(it, _)| it == index);
                if let (Some(counted), Some(place)) = (counted, frame.place_of(*agent)) {
                    let shown = self.views.shown(self.view);
                    let local = &self.views.table.locals[shown[place] as usize];
                    // The counts of an agent that has ended are gone.
                    return match local.status {
                        Status::Running => Known::Sum(place, Form::cell(counted)),
                        _ => Known::Nothing,
                    };
                }
                let Some(local) = self.local(*agent) else { return Known::Nothing };
                let memory = &self.views.table.locals[local as usize].memory;
                memory.get(index).map_or(Known::Missing, |&value| self.shown(value))
            }
            Side::Argument(event, place) => match self.happens(event) {
                Some(false) => Known::Missing,
                None => Known::Nothing,
                Some(true) => self.message().map_or(Known::Nothing, |message| {
                    message.arguments.get(*place).map_or(Known::Missing, |&value| self.shown(value))
                }),
            },
        }
    }

    /// The message that is sent or taken.
    fn message(&self) -> Option<&Message> {
        let Act::Step { step, .. } = self.act else { return None };
        let number = step.sent.as_ref().map(|sent| sent.message).or(step.taken)?;
        Some(&self.views.table.messages[number as usize])
    }

    fn compare(&self, left: Known, comparison: Comparison, right: Known) -> Option<bool> {
        let differs = Some(comparison == Comparison::NotEqual);
        match (left, right) {
            (Known::Missing, _) | (_, Known::Missing) => differs,
            (Known::Exactly(left), Known::Exactly(right)) => {
                Some(values_compare(Some(left), comparison, Some(right)))
            }
            (Known::Other, Known::Exactly(_)) | (Known::Exactly(_), Known::Other) => differs,
            (Known::Beyond(positive), Known::Exactly(value)) => {
                self.beyond(positive, comparison, value, false)
            }
            (Known::Exactly(value), Known::Beyond(positive)) => {
                self.beyond(positive, comparison, value, true)
            }
            (Known::Sum(place, form), Known::Exactly(Value::Integer(number))) => {
                self.sum(place, &form.plus(&Form::constant(number), -1)?, comparison)
            }
            (Known::Exactly(Value::Integer(number)), Known::Sum(place, form)) => {
                self.sum(place, &Form::constant(number).plus(&form, -1)?, comparison)
            }
            (Known::Sum(place, left), Known::Sum(other, right)) if place == other => {
                self.sum(place, &left.plus(&right, -1)?, comparison)
            }
            (Known::Sum(..) | Known::Beyond(_), Known::Other)
            | (Known::Other, Known::Sum(..) | Known::Beyond(_))
            | (Known::Sum(..), Known::Exactly(_))
            | (Known::Exactly(_), Known::Sum(..)) => differs,
            _ => None,
        }
    }

    /// Whether an integer beyond those told apart compares with a value, in this order unless `swapped` is set.
    fn beyond(&self, positive: bool, comparison: Comparison, value: Value, swapped: bool) -> Option<bool> {
        let Value::Integer(number) = value else { return Some(comparison == Comparison::NotEqual) };
        let rank = Value::Integer(if positive { 1 } else { -1 });
        let zero = Value::Integer(0);
        let (left, right) = if swapped { (zero, rank) } else { (rank, zero) };
        self.views.frame.is_small(number).then(|| values_compare(Some(left), comparison, Some(right)))
    }

    /// Whether a sum compares with 0.
    fn sum(&self, place: usize, form: &Form, comparison: Comparison) -> Option<bool> {
        let may = |holds| {
            let constraint = Constraint { form: form.clone(), comparison, holds };
            self.views.is_feasible(self.view.0, place, &[constraint])
        };
        match (may(true), may(false)) {
            (true, false) => Some(true),
            (false, true) => Some(false),
            _ => None,
        }
    }
}

fn all(mut truths: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    truths
        .try_fold(Some(true), |all, truth| match truth {
            Some(false) => Err(()),
            Some(true) => Ok(all),
            None => Ok(None),
        })
        .unwrap_or(Some(false))
}
