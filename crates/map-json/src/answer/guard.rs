//! What a guard answers, for programs.

use map_conform::{Cast, Kind};
use map_diagnostics::SourceFile;
use map_explain::conformance::{ConversationTeller, Places};
use map_guard::{
    Acceptance, AgentOffer, Ahead, ArgumentText, ConversationState, Debt, Debts, Delivery, Denial, Item,
    ItemKind, Left, Misuse, Notice, Refusal, RefusalKind, Rules, Status, Suggestion,
};
use map_ir::PointId;

use crate::guard::{
    GuardAcceptance, GuardArgument, GuardBudget, GuardDebt, GuardDebts, GuardDelivery, GuardError,
    GuardEvent, GuardItem, GuardItemKind, GuardMember, GuardOffer, GuardRefusal, GuardRefusalKind,
    GuardResult, GuardStatus, GuardSuggestion,
};

/// Tells what a guard answers in the terms of a file.
pub struct GuardTeller<'a> {
    source: &'a SourceFile,
    rules: &'a Rules,
}

impl<'a> GuardTeller<'a> {
    /// For a scene in a file.
    #[must_use]
    pub fn new(source: &'a SourceFile, rules: &'a Rules) -> Self {
        Self { source, rules }
    }

    fn place(&self, point: PointId) -> String {
        let line = self.source.position(self.rules.program().point(point).span.start).line;
        format!("{}:{line}", self.source.name())
    }

    /// The messages that are received at some points.
    fn awaited(&self, points: &[PointId]) -> Vec<String> {
        let cast = Cast::default();
        let places = Places { source: self.source, logs: &[] };
        ConversationTeller::new(&self.rules.scene, &cast, places).awaited(points)
    }

    /// What came of a request that was not done.
    #[must_use]
    pub fn denial(&self, denial: &Denial) -> GuardResult {
        match denial {
            Denial::Refused(refusal) => GuardResult::Refused(self.refusal(refusal)),
            Denial::Misused(Misuse { kind, text }) => {
                GuardResult::Error(GuardError { kind: kind.word().to_owned(), text: text.clone() })
            }
        }
    }

    /// A message that was accepted.
    #[must_use]
    pub fn acceptance(&self, acceptance: &Acceptance) -> GuardResult {
        let Acceptance { seq, is_certain, is_unguarded, ahead } = *acceptance;
        GuardResult::Accepted(GuardAcceptance {
            seq,
            certain: is_certain,
            unguarded: is_unguarded,
            at_risk: ahead == Ahead::AtRisk,
            doomed: ahead == Ahead::Doomed,
            looked_ahead: (ahead != Ahead::Unasked).then_some(ahead != Ahead::Unknown),
        })
    }

    fn refusal(&self, refusal: &Refusal) -> GuardRefusal {
        GuardRefusal {
            kind: kind(refusal.kind),
            text: refusal.text.clone(),
            offer: refusal.offer.as_ref().map(|offer| self.offer(offer)),
            unread: refusal.unread.iter().map(|item| self.item(item)).collect(),
            waits_for: refusal.waits_for.clone(),
            earliest: refusal.earliest,
        }
    }

    /// What an agent may do.
    #[must_use]
    pub fn offer(&self, offer: &AgentOffer) -> GuardOffer {
        GuardOffer {
            may: offer.may.iter().map(|suggestion| self.suggestion(suggestion)).collect(),
            owes: offer.owes,
            may_rest: offer.may_rest,
            waits_for_messages: self.awaited(&offer.waits_at),
            until: offer.until,
            left: offer.left,
            budgets: offer.budgets.iter().map(budget).collect(),
            looks_ahead: offer.looks_ahead,
        }
    }

    fn suggestion(&self, suggestion: &Suggestion) -> GuardSuggestion {
        let argument = |argument: &ArgumentText| match argument {
            ArgumentText::Is(value) => GuardArgument::Is(value.clone()),
            ArgumentText::In(low, high) => GuardArgument::In(*low, *high),
            ArgumentText::OneOf(values) => GuardArgument::OneOf(values.clone()),
            ArgumentText::Any => GuardArgument::Any(true),
        };
        GuardSuggestion {
            performative: suggestion.performative.clone(),
            args: suggestion.arguments.iter().map(argument).collect(),
            to: suggestion.to.clone(),
            exact: suggestion.exact,
            place: self.place(suggestion.point),
        }
    }

    fn item(&self, item: &Item) -> GuardItem {
        let kind = match &item.kind {
            ItemKind::Message { from, performative, args } => GuardItemKind::Message {
                from: from.clone(),
                performative: performative.clone(),
                args: args.to_vec(),
            },
            ItemKind::Timeout(place) => GuardItemKind::Timeout { timeout: self.place(*place) },
        };
        GuardItem { seq: item.seq, kind }
    }

    /// What is handed over.
    #[must_use]
    pub fn delivery(&self, delivery: &Delivery) -> GuardResult {
        GuardResult::Received(GuardDelivery {
            items: delivery.items.iter().map(|item| self.item(item)).collect(),
            debt: delivery.debt.as_ref().map(|offer| self.offer(offer)),
        })
    }

    /// Who owes what.
    #[must_use]
    pub fn debts(&self, debts: &Debts) -> GuardResult {
        let debt = |debt: &Debt| GuardDebt {
            agent: debt.agent.clone(),
            performatives: debt.performatives.clone(),
            or_to_others: debt.or_to_others,
            until: debt.until,
        };
        let (mine, to_me) = (debts.mine.as_ref().map(debt), debts.to_me.iter().map(debt).collect());
        GuardResult::Owed(GuardDebts { mine, to_me })
    }

    /// How a conversation stands.
    #[must_use]
    pub fn status(&self, status: &Status) -> GuardResult {
        let state = match status.state {
            ConversationState::Open => "open",
            ConversationState::Stuck => "stuck",
            ConversationState::Over(ending) => ending.word(),
        };
        let member = |member: &map_guard::MemberStatus| GuardMember {
            agent: member.agent.clone(),
            name: member.name.clone(),
            state: member.state.word().to_owned(),
            since: member.since,
            until: member.until,
            waits_for_messages: self.awaited(&member.waits_at),
            undelivered: member.undelivered as u64,
        };
        GuardResult::Status(GuardStatus {
            state: state.to_owned(),
            messages: status.messages,
            possibly: status.is_doubtful,
            unguarded: status.is_unguarded,
            agents: status.members.iter().map(member).collect(),
        })
    }

    /// Something that nobody asked for; `None` if it only concerns who waits for messages.
    #[must_use]
    pub fn event(&self, notice: &Notice) -> Option<GuardEvent> {
        Some(match notice.clone() {
            Notice::Arrived { .. } => return None,
            Notice::Timeout { conversation, agent, place, seq } => {
                GuardEvent::Timeout { conversation, r#as: agent, places: vec![self.place(place)], seq }
            }
            Notice::Silent { conversation, agent, gave_up, seq } => {
                GuardEvent::Silent { conversation, r#as: agent, gave_up, seq }
            }
            Notice::Stuck { conversation, seq } => GuardEvent::Stuck { conversation, seq },
            Notice::Closed { conversation, why, seq } => {
                GuardEvent::Closed { conversation, why: why.word().to_owned(), seq }
            }
        })
    }
}

fn budget(budget: &Left) -> GuardBudget {
    GuardBudget { property: budget.property.clone(), left: budget.left }
}

fn kind(kind: RefusalKind) -> GuardRefusalKind {
    match kind {
        RefusalKind::Closed => GuardRefusalKind::Closed,
        RefusalKind::Silenced => GuardRefusalKind::Silenced,
        RefusalKind::Rested => GuardRefusalKind::Rested,
        RefusalKind::Stale => GuardRefusalKind::Stale,
        RefusalKind::Early => GuardRefusalKind::Early,
        RefusalKind::Fault(Kind::NotItsWord) => GuardRefusalKind::NotItsWord,
        RefusalKind::Fault(Kind::AfterItsEnd) => GuardRefusalKind::AfterItsEnd,
        RefusalKind::Fault(Kind::Repeated) => GuardRefusalKind::Repeated,
        RefusalKind::Fault(Kind::WrongRecipient) => GuardRefusalKind::WrongRecipient,
        RefusalKind::Fault(Kind::WrongContent) => GuardRefusalKind::WrongContent,
        RefusalKind::Fault(Kind::UnfitAnswer) => GuardRefusalKind::UnfitAnswer,
        RefusalKind::Fault(Kind::OutOfTurn | Kind::NeverSent | Kind::Lost) => GuardRefusalKind::OutOfTurn,
        RefusalKind::Fault(Kind::Silent) => GuardRefusalKind::Owes,
        RefusalKind::Budget => GuardRefusalKind::Budget,
        RefusalKind::Doomed => GuardRefusalKind::Doomed,
        RefusalKind::Limit => GuardRefusalKind::Limit,
        RefusalKind::Unsure => GuardRefusalKind::Unsure,
    }
}
