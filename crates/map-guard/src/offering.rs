//! What an agent may do now, in the words of its conversation.

use map_conform::{ArgumentOffer, Cast, Offer};
use map_ir::AgentId;

use crate::conversation::Conversation;
use crate::foresight::Outlook;
use crate::member::Posture;
use crate::names::{shown, value_to_plain};
use crate::offer::{AgentOffer, ArgumentText, Suggestion};
use crate::refusal::{Refusal, RefusalKind};
use crate::rules::Rules;

impl Conversation {
    /// What an agent may do now.
    pub(crate) fn offer(&mut self, rules: &Rules, agent: AgentId) -> AgentOffer {
        let left = self.left(rules, agent);
        let until = self.until(rules, agent);
        let budgets = rules.budgets.left(&self.spent);
        let looks_ahead = rules.outlook().map(|it| matches!(it, Outlook::Bright | Outlook::Mixed));
        let follow = rules.of(agent);
        let member = &mut self.members[agent.index()];
        let is_over = self.ending.is_some() || member.is_silenced || left == Some(0);
        let offers = if is_over { Vec::new() } else { member.follower.offers(follow) };
        let owes = member.posture == Posture::Owes && !is_over;
        let may_rest = !owes && member.posture != Posture::Unsure;
        let waits_at =
            if may_rest && self.ending.is_none() { member.follower.waits_at(follow) } else { Vec::new() };
        let offers = self.unhindered(rules, agent, offers);
        let may = offers.into_iter().map(|offer| suggestion(rules, &self.cast, offer)).collect();
        AgentOffer { may, owes, may_rest, waits_at, until, left, budgets, looks_ahead }
    }

    /// How many messages an agent may still send.
    pub(crate) fn left(&self, rules: &Rules, agent: AgentId) -> Option<u64> {
        let of_all = rules.policy.messages.map(|most| most.saturating_sub(self.messages));
        let of_role = rules.policy.messages_of[agent.index()].map(|most| {
            let role = rules.program().agent(agent).role;
            let of_role = self.members.iter().filter(|it| rules.program().agent(it.agent).role == role);
            most.saturating_sub(of_role.map(|member| member.sent).sum())
        });
        of_all.into_iter().chain(of_role).min()
    }
}

fn suggestion(rules: &Rules, cast: &Cast, offer: Offer) -> Suggestion {
    let program = rules.program();
    let value = |value| value_to_plain(program, cast, value);
    let argument = |argument| match argument {
        ArgumentOffer::OneOf(values) => match values[..] {
            [only] => ArgumentText::Is(value(only)),
            _ => ArgumentText::OneOf(values.into_iter().map(value).collect()),
        },
        ArgumentOffer::Between(low, high) => ArgumentText::In(low, high),
        ArgumentOffer::Anything => ArgumentText::Any,
    };
    Suggestion {
        performative: program.performative(offer.performative).name.clone(),
        arguments: offer.arguments.into_iter().map(argument).collect(),
        to: offer.to.iter().map(|&to| shown(rules, cast, to).to_owned()).collect(),
        exact: offer.exact,
        point: offer.point,
    }
}

/// A refusal with what the agent may do instead.
pub(crate) fn with_offer(
    rules: &Rules,
    conversation: &mut Conversation,
    agent: AgentId,
    mut refusal: Refusal,
) -> Refusal {
    let is_out = matches!(refusal.kind, RefusalKind::Closed | RefusalKind::Silenced);
    refusal.offer = (!is_out).then(|| conversation.offer(rules, agent));
    refusal
}
