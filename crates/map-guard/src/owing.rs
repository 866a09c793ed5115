//! Who owes a message to whom.

use map_ir::AgentId;

use crate::conversation::Conversation;
use crate::guard::{Guard, seen};
use crate::member::Posture;
use crate::names::{resolve, shown};
use crate::refusal::Denial;
use crate::rules::{Moment, Rules};

/// What an agent owes, and what others owe it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Debts {
    /// What it owes itself.
    pub mine: Option<Debt>,
    /// What others owe it, in the order of the cast.
    pub to_me: Vec<Debt>,
}

/// That an agent owes a message. What the message says stays between those whom it concerns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Debt {
    /// The name of the agent.
    pub agent: String,
    /// The performatives, of which it owes one; of what others owe, those that they may send to who asks.
    pub performatives: Vec<String>,
    /// Whether it may send something to others instead.
    pub or_to_others: bool,
    /// When it is given up or reported, if that is known.
    pub until: Option<Moment>,
}

impl Guard {
    /// What an agent owes, and what others owe it. Nothing changes.
    ///
    /// # Errors
    /// If there is no such agent.
    pub fn debts(&mut self, now: Moment, name: &str, agent: &str) -> Result<Debts, Denial> {
        self.advance(now);
        let rules = &self.rules;
        let mut unopened = None;
        let conversation = seen(rules, &mut self.conversations, &mut unopened, (name, now));
        let mut cast = conversation.cast.clone();
        let asking = resolve(rules, &mut cast, agent)?;
        let mut debts = Debts::default();
        for debtor in rules.program().cast() {
            let Some(debt) = conversation.debt(rules, debtor, asking) else { continue };
            match debtor == asking {
                true => debts.mine = Some(debt),
                false => debts.to_me.push(debt),
            }
        }
        Ok(debts)
    }
}

impl Conversation {
    /// What an agent owes: at all if it asks itself, and else to who asks.
    fn debt(&mut self, rules: &Rules, debtor: AgentId, asking: AgentId) -> Option<Debt> {
        let member = self.member(debtor);
        if member.posture != Posture::Owes || member.is_silenced || self.ending.is_some() {
            return None;
        }
        let offers = self.member(debtor).follower.offers(rules.of(debtor));
        let count = offers.len();
        let concerning: Vec<_> =
            offers.into_iter().filter(|offer| debtor == asking || offer.to.contains(&asking)).collect();
        if concerning.is_empty() {
            return None;
        }
        let or_to_others = concerning.len() < count;
        let performative = |performative| rules.program().performative(performative).name.clone();
        let mut performatives: Vec<String> =
            concerning.into_iter().map(|offer| performative(offer.performative)).collect();
        performatives.dedup();
        let agent = shown(rules, &self.cast, debtor).to_owned();
        Some(Debt { agent, performatives, or_to_others, until: self.until(rules, debtor) })
    }
}
