//! What stands against a message that fits: a property that it would violate, or that no good end could be reached.

use std::sync::Arc;

use map_conform::{ArgumentOffer, Follower, LoggedMessage, Offer, Trial};
use map_ir::{AgentId, Value};
use map_semantics::Message;

use crate::conversation::Conversation;
use crate::foresight::{Ahead, Outlook};
use crate::member::states_of;
use crate::refusal::{Refusal, RefusalKind};
use crate::rules::{OnDoomed, Rules};

/// The most messages of an offer that are looked at one by one.
const MAX_LOOKED_AT: usize = 64;

/// What becomes of a message of an offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Accepted,
    Refused,
    /// It does not fit.
    Excluded,
    Unknown,
}

impl Conversation {
    /// Whether a message that fits may be sent, behind which the sender is as given, if that is known.
    pub(crate) fn hindered(
        &self,
        rules: &Rules,
        message: &LoggedMessage,
        after: Option<&Follower>,
    ) -> Result<Ahead, Refusal> {
        let states = after.map(states_of).unwrap_or_default();
        if let Err(property) = rules.budgets.spend(rules.meaning(), &self.spent, message, &states) {
            return Err(Refusal::new(RefusalKind::Budget, format!("it would violate {property}")));
        }
        match self.ahead(rules, message, after) {
            Ahead::Doomed if rules.policy.on_doomed == OnDoomed::Refuse => {
                let text = "the conversation could not end well any more";
                Err(Refusal::new(RefusalKind::Doomed, text))
            }
            ahead => Ok(ahead),
        }
    }

    /// The offers without what would be refused.
    pub(crate) fn unhindered(&mut self, rules: &Rules, agent: AgentId, offers: Vec<Offer>) -> Vec<Offer> {
        let looks = rules.policy.on_doomed == OnDoomed::Refuse
            && rules.foresight.as_ref().is_some_and(|it| it.outlook() == Outlook::Mixed);
        if rules.budgets.enforced().is_empty() && !looks {
            return offers;
        }
        let mut all = Vec::new();
        for offer in offers {
            let matters = |place| looks || rules.budgets.depend_on(offer.performative, place);
            let choices: Option<Vec<Vec<Value>>> = offer
                .arguments
                .iter()
                .enumerate()
                .map(
                    |(place, argument)| {
                        if matters(place) { listed(argument) } else { Some(vec![some_value(argument)]) }
                    },
                )
                .collect();
            let Some(messages) = choices.and_then(|choices| combinations(&choices)) else {
                all.push(Offer { exact: false, ..offer });
                continue;
            };
            let fates: Vec<Fate> =
                messages.iter().map(|arguments| self.fate(rules, agent, &offer, arguments)).collect();
            let is_representative = (0..offer.arguments.len()).any(|place| !matters(place));
            if fates.contains(&Fate::Unknown) || is_representative && fates.contains(&Fate::Excluded) {
                all.push(Offer { exact: false, ..offer });
            } else if fates.iter().all(|fate| *fate == Fate::Accepted) {
                all.push(offer);
            } else {
                let accepted = messages.iter().zip(&fates).filter(|(_, fate)| **fate == Fate::Accepted);
                narrowed(&mut all, &offer, accepted.map(|(arguments, _)| &arguments[..]), &matters);
            }
        }
        all
    }

    fn fate(&self, rules: &Rules, agent: AgentId, offer: &Offer, arguments: &[Value]) -> Fate {
        let arguments = arguments.to_vec();
        let message = Message { performative: offer.performative, sender: agent, arguments };
        let message =
            LoggedMessage { from: agent, to: offer.to.clone(), message: Arc::new(message), id: None };
        let mut follower = self.members[agent.index()].follower.clone();
        match follower.attempt(rules.of(agent), &message) {
            Trial::Fits(after) => match self.hindered(rules, &message, Some(&after)) {
                Ok(_) => Fate::Accepted,
                Err(_) => Fate::Refused,
            },
            Trial::Unexplained => Fate::Excluded,
            Trial::Unknown => Fate::Unknown,
        }
    }
}

/// All values that an argument may be, if they are few.
fn listed(argument: &ArgumentOffer) -> Option<Vec<Value>> {
    match argument {
        ArgumentOffer::OneOf(values) => (values.len() <= MAX_LOOKED_AT).then(|| values.clone()),
        ArgumentOffer::Between(low, high) => {
            let few = high.checked_sub(*low).is_some_and(|more| more < MAX_LOOKED_AT as i64);
            few.then(|| (*low..=*high).map(Value::Integer).collect())
        }
        ArgumentOffer::Anything => None,
    }
}

/// One of the values that an argument may be.
fn some_value(argument: &ArgumentOffer) -> Value {
    match argument {
        ArgumentOffer::OneOf(values) => values.first().copied().unwrap_or(Value::Integer(0)),
        ArgumentOffer::Between(i64::MIN, high) => Value::Integer(0.min(*high)),
        ArgumentOffer::Between(low, _) => Value::Integer(*low),
        ArgumentOffer::Anything => Value::Integer(0),
    }
}

/// All lists that have one of the choices at each place, in order; `None` if they are many.
fn combinations(choices: &[Vec<Value>]) -> Option<Vec<Vec<Value>>> {
    let mut all = vec![Vec::new()];
    for values in choices {
        if all.len() * values.len() > MAX_LOOKED_AT {
            return None;
        }
        let longer = |list: &Vec<Value>| {
            let list = list.clone();
            values.iter().map(move |&value| [&list[..], &[value]].concat())
        };
        all = all.iter().flat_map(longer).collect();
    }
    Some(all)
}

/// Adds an offer of these messages alone: one for all that differ in the last place that matters.
fn narrowed<'a>(
    all: &mut Vec<Offer>,
    offer: &Offer,
    accepted: impl Iterator<Item = &'a [Value]>,
    matters: &impl Fn(usize) -> bool,
) {
    let Some(last) = (0..offer.arguments.len()).rfind(|&place| matters(place)) else { return };
    let mut groups: Vec<(Vec<Value>, Vec<Value>)> = Vec::new();
    for arguments in accepted {
        let others: Vec<Value> = (0..last).filter(|&place| matters(place)).map(|at| arguments[at]).collect();
        match groups.iter_mut().find(|(known, _)| *known == others) {
            Some((_, values)) => values.push(arguments[last]),
            None => groups.push((others, vec![arguments[last]])),
        }
    }
    for (others, values) in groups {
        let mut others = others.into_iter();
        let mut narrow = offer.clone();
        for place in (0..last).filter(|&place| matters(place)) {
            narrow.arguments[place] = ArgumentOffer::one_of(others.next().into_iter().collect());
        }
        narrow.arguments[last] = ArgumentOffer::one_of(values);
        all.push(narrow);
    }
}
