//! Judges a message before it is delivered.

use std::sync::Arc;

use map_conform::{Follower, Kind, LoggedMessage, Trial, performative_named};
use map_ir::{AgentId, PerformativeId};
use map_semantics::Message;

use crate::conversation::{Conversation, Ending};
use crate::draft::Draft;
use crate::foresight::Ahead;
use crate::member::Sight;
use crate::names::{resolve, shown, values};
use crate::refusal::{Misuse, MisuseKind, Refusal, RefusalKind};
use crate::rules::{OnUnsure, Rules};

/// What is found about a message.
pub(crate) enum Judgement {
    /// It is to be delivered.
    Accepted(Verdict),
    /// It is refused.
    Refused(Refusal),
}

/// A message that is to be delivered.
pub(crate) struct Verdict {
    pub(crate) message: LoggedMessage,
    /// The sender after it; `None` if nobody knows.
    pub(crate) after: Option<Box<Follower>>,
    pub(crate) is_certain: bool,
    pub(crate) ahead: Ahead,
}

impl Conversation {
    /// What becomes of a message. Nothing changes but for the values that are known.
    pub(crate) fn judge(
        &mut self,
        rules: &Rules,
        agent: AgentId,
        draft: &Draft,
    ) -> Result<Judgement, Misuse> {
        if let Some(refusal) = self.out_of_it(rules, agent) {
            return Ok(Judgement::Refused(refusal));
        }
        let arguments = values(rules, &mut self.cast, &draft.args)?;
        let Some(performative) = performative_named(rules.program(), &draft.performative, arguments.len())
        else {
            return Ok(Judgement::Refused(self.unknown(rules, agent, draft)));
        };
        let verdict =
            |message, after, is_certain| Verdict { message, after, is_certain, ahead: Ahead::Unasked };
        let message = Message { performative, sender: agent, arguments };
        let to = self.recipients(rules, agent, draft, &message)?;
        let message = LoggedMessage { from: agent, to, message: Arc::new(message), id: None };
        if self.is_unguarded {
            return Ok(self.bounded(rules, draft, verdict(message, None, false)));
        }
        let follow = rules.of(agent);
        Ok(match self.member(agent).follower.attempt(follow, &message) {
            Trial::Fits(after) => {
                let is_certain = after.is_certain();
                if !is_certain && rules.policy.refuses_doubtful {
                    let text = "it rests on values that nobody has seen";
                    return Ok(Judgement::Refused(Refusal::new(RefusalKind::Unsure, text)));
                }
                self.bounded(rules, draft, verdict(message, Some(after), is_certain))
            }
            Trial::Unexplained => Judgement::Refused(self.refusal(rules, &message)),
            Trial::Unknown if rules.policy.on_unsure == OnUnsure::Accept => {
                self.bounded(rules, draft, verdict(message, None, false))
            }
            Trial::Unknown => {
                let text = "there are too many states in which the agent could be: see --max-hypotheses and --max-work";
                Judgement::Refused(Refusal::new(RefusalKind::Unsure, text))
            }
        })
    }

    /// That the agent cannot send anything, whatever it is.
    pub(crate) fn out_of_it(&self, rules: &Rules, agent: AgentId) -> Option<Refusal> {
        let member = &self.members[agent.index()];
        let (kind, text) = match self.ending {
            Some(Ending::Complete) => (RefusalKind::Closed, "the conversation has ended".to_owned()),
            Some(Ending::Expired) => (RefusalKind::Closed, "the conversation has expired".to_owned()),
            Some(Ending::Failed) => {
                (RefusalKind::Unsure, "the guard has failed in this conversation".to_owned())
            }
            None if member.is_silenced => {
                let name = shown(rules, &self.cast, agent);
                (RefusalKind::Silenced, format!("{name} was given up: it owed a message for too long"))
            }
            None if member.follower.rests() && !self.is_unguarded => {
                let text = "the agent is at rest until a message arrives or time runs out";
                (RefusalKind::Rested, text.to_owned())
            }
            None => return None,
        };
        Some(Refusal::new(kind, text))
    }

    /// A message that nobody sends.
    fn unknown(&mut self, rules: &Rules, agent: AgentId, draft: &Draft) -> Refusal {
        let offers = self.member(agent).follower.offers(rules.of(agent));
        let name = |id: PerformativeId| &rules.program().performative(id).name;
        let arities: Vec<usize> = rules
            .program()
            .performatives
            .iter()
            .filter(|it| it.name == draft.performative)
            .map(|it| it.arity)
            .collect();
        let is_known = offers.iter().any(|offer| *name(offer.performative) == draft.performative);
        match arities.first() {
            Some(arity) if is_known || !arities.is_empty() => {
                let text = format!(
                    "{} has {arity} argument{}, not {}",
                    draft.performative,
                    if *arity == 1 { "" } else { "s" },
                    draft.args.len()
                );
                Refusal::new(RefusalKind::Fault(Kind::WrongContent), text)
            }
            _ => {
                let text = format!("nobody says {}", draft.performative);
                Refusal::new(RefusalKind::Fault(Kind::NotItsWord), text)
            }
        }
    }

    /// To whom a message goes: those that are named, or else those to whom it can only go.
    fn recipients(
        &mut self,
        rules: &Rules,
        agent: AgentId,
        draft: &Draft,
        message: &Message,
    ) -> Result<Vec<AgentId>, Misuse> {
        let mut to = Vec::new();
        for name in draft.to.iter().flatten() {
            let recipient = resolve(rules, &mut self.cast, name)?;
            if !to.contains(&recipient) {
                to.push(recipient);
            }
        }
        if draft.to.is_some() && !to.is_empty() {
            return Ok(to);
        }
        let mut candidates: Vec<Vec<AgentId>> = Vec::new();
        for offer in self.member(agent).follower.offers(rules.of(agent)) {
            if offer.performative == message.performative && !candidates.contains(&offer.to) {
                candidates.push(offer.to);
            }
        }
        if candidates.len() > 1 {
            let fits = |to: &Vec<AgentId>| {
                let message = LoggedMessage {
                    from: agent,
                    to: to.clone(),
                    message: Arc::new(message.clone()),
                    id: None,
                };
                let mut follower = self.members[agent.index()].follower.clone();
                !matches!(follower.attempt(rules.of(agent), &message), Trial::Unexplained)
            };
            candidates.retain(fits);
        }
        match candidates.len() {
            0 => Ok(self.recipients_elsewhere(rules, agent, message)),
            1 => Ok(candidates.swap_remove(0)),
            _ => {
                let several = |to: &Vec<AgentId>| {
                    let names: Vec<&str> = to.iter().map(|&to| shown(rules, &self.cast, to)).collect();
                    names.join(" and ")
                };
                let all: Vec<String> = candidates.iter().map(several).collect();
                let text = format!("{} may go to {}: say to whom", draft.performative, all.join(", or to "));
                Err(Misuse::new(MisuseKind::NoRecipient, text))
            }
        }
    }

    /// To whom a message would go that does not fit: had less arrived, had time run out, or as the one before.
    fn recipients_elsewhere(&mut self, rules: &Rules, agent: AgentId, message: &Message) -> Vec<AgentId> {
        let follow = rules.of(agent);
        let member = &mut self.members[agent.index()];
        let mut offers = Vec::new();
        if let Sight::Behind(seen) = &mut member.sight {
            offers.extend(seen.offers(follow));
            offers.extend(seen.early_offers(follow));
        }
        offers.extend(member.follower.early_offers(follow));
        let offer = offers.into_iter().find(|offer| offer.performative == message.performative);
        let last = member.last.as_ref().filter(|last| *last.message == *message);
        offer.map(|offer| offer.to).or_else(|| last.map(|last| last.to.clone())).unwrap_or_default()
    }

    /// Why a message is refused that no hypothesis explains.
    fn refusal(&mut self, rules: &Rules, message: &LoggedMessage) -> Refusal {
        let agent = message.from;
        let follow = rules.of(agent);
        let member = &mut self.members[agent.index()];
        if let Sight::Behind(seen) = &mut member.sight
            && (matches!(seen.attempt(follow, message), Trial::Fits(_)) || seen.fits_early(follow, message))
        {
            let text = "messages have arrived that the agent has not fetched";
            let mut refusal = Refusal::new(RefusalKind::Stale, text);
            refusal.unread = member.inbox.batch(member.inbox.handed());
            return refusal;
        }
        if member.follower.fits_early(follow, message) {
            return self.early(rules, agent);
        }
        let before = member.last.clone();
        let (kind, _) = member.follower.breach(follow, before.as_ref(), message);
        Refusal::new(RefusalKind::Fault(kind), self.words(rules, kind, message))
    }

    fn early(&mut self, rules: &Rules, agent: AgentId) -> Refusal {
        let mut refusal = Refusal::new(RefusalKind::Early, "time has not run out for the agent");
        refusal.earliest = self.until(rules, agent);
        let others: Vec<AgentId> = self.restless(rules).collect();
        refusal.waits_for = others.iter().map(|&it| shown(rules, &self.cast, it).to_owned()).collect();
        refusal
    }

    /// A message that fits, if nothing gets too large by it.
    fn bounded(&self, rules: &Rules, draft: &Draft, verdict: Verdict) -> Judgement {
        let limits = rules.policy.limits;
        let refused = |kind, text: String| Judgement::Refused(Refusal::new(kind, text));
        if self.left(rules, verdict.message.from) == Some(0) {
            let text = "no more messages are allowed: see messages in [enforce]";
            return refused(RefusalKind::Budget, text.to_owned());
        }
        let ahead = match self.hindered(rules, &verdict.message, verdict.after.as_deref()) {
            Ok(ahead) => ahead,
            Err(refusal) => return Judgement::Refused(refusal),
        };
        let full = verdict.message.to.iter().find(|to| {
            let member = &self.members[to.index()];
            !member.is_silenced && member.inbox.len() >= limits.undelivered
        });
        if let Some(&full) = full {
            let name = shown(rules, &self.cast, full);
            let text = format!(
                "{name} has {} messages that it has not acknowledged: see --max-undelivered",
                limits.undelivered
            );
            return refused(RefusalKind::Limit, text);
        }
        let size: usize = draft.args.iter().map(|arg| arg.to_string().len()).sum();
        if size > limits.body {
            return refused(
                RefusalKind::Limit,
                format!("the arguments take more than {} bytes: see --max-body", limits.body),
            );
        }
        if self.cast.size() > limits.texts {
            return refused(
                RefusalKind::Limit,
                format!("the texts of the conversation take {} bytes: see --max-texts", limits.texts),
            );
        }
        Judgement::Accepted(Verdict { ahead, ..verdict })
    }

    /// How a message breaks the protocol.
    fn words(&mut self, rules: &Rules, kind: Kind, message: &LoggedMessage) -> String {
        let program = rules.program();
        let name = shown(rules, &self.cast, message.from).to_owned();
        let said = &program.performative(message.message.performative).name;
        match kind {
            Kind::NotItsWord => format!("{name} never says {said}"),
            Kind::AfterItsEnd => format!("{name} has ended"),
            Kind::Repeated => format!("{name} has just said that"),
            Kind::WrongRecipient => format!("{name} may say {said}, but to somebody else"),
            Kind::WrongContent => format!("{name} may say {said} now, with other arguments"),
            Kind::UnfitAnswer => "an answer is computed with, and is no number or too large".to_owned(),
            Kind::OutOfTurn | Kind::Silent | Kind::NeverSent | Kind::Lost => {
                format!("it is not the time for {name} to say {said}")
            }
        }
    }
}
