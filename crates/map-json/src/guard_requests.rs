//! From requests to operations of a guard, and back to answers.

use map_diagnostics::SourceFile;
use map_guard::{Denial, Draft, Guard, Moment};
use serde_json::Value as Json;

use crate::GuardTeller;
use crate::guard::{GuardAnswer, GuardDone, GuardMessage, GuardRequest, GuardResult};

/// An agent that waits for messages.
pub struct Waiting {
    /// What the answer is known by.
    pub id: Json,
    /// The name of the conversation.
    pub conversation: String,
    /// The name of the agent.
    pub agent: String,
    /// The number up to which it has received everything.
    pub after: u64,
    /// Until when it waits.
    pub until: Moment,
}

/// What comes of a request.
pub enum Outcome {
    /// The answer.
    Answer(GuardAnswer),
    /// There is nothing yet for who fetches.
    Waits(Waiting),
}

/// Nanoseconds in a millisecond.
const MILLISECOND: Moment = 1_000_000;

fn answer(id: Json, result: GuardResult) -> Outcome {
    Outcome::Answer(GuardAnswer { id, result })
}

/// Does what a request asks for.
pub fn perform(source: &SourceFile, guard: &mut Guard, now: Moment, request: GuardRequest) -> Outcome {
    match request {
        GuardRequest::Open { id, conversation, cast } => {
            let cast: Vec<(String, String)> = cast.into_iter().collect();
            let opened = guard.open(now, &conversation, &cast).map(|()| GuardResult::Opened(GuardDone {}));
            answer(id, told(source, guard, opened))
        }
        GuardRequest::Offer { id, conversation, r#as } => {
            let offer = guard.offer(now, &conversation, &r#as);
            let teller = GuardTeller::new(source, guard.rules());
            let offer = offer.map(|offer| GuardResult::Offer(teller.offer(&offer)));
            answer(id, told(source, guard, offer))
        }
        GuardRequest::Send(message) => {
            let (id, conversation, agent, draft) = taken_apart(message);
            let sent = guard.send(now, &conversation, &agent, &draft);
            let teller = GuardTeller::new(source, guard.rules());
            let sent = sent.map(|acceptance| teller.acceptance(&acceptance));
            answer(id, told(source, guard, sent))
        }
        GuardRequest::MayI(message) => {
            let (id, conversation, agent, draft) = taken_apart(message);
            let tried = guard.may_i(now, &conversation, &agent, &draft);
            let teller = GuardTeller::new(source, guard.rules());
            let tried = tried.map(|acceptance| teller.acceptance(&acceptance));
            answer(id, told(source, guard, tried))
        }
        GuardRequest::Receive { id, conversation, r#as, after, wait_ms, rest } => {
            let until = now.saturating_add(wait_ms.saturating_mul(MILLISECOND));
            let waiting = Waiting { id, conversation, agent: r#as, after, until };
            fetch(source, guard, now, waiting, rest)
        }
        GuardRequest::Rest { id, conversation, r#as } => {
            let rested = guard.rest(now, &conversation, &r#as).map(|()| GuardResult::Rested(GuardDone {}));
            answer(id, told(source, guard, rested))
        }
        GuardRequest::Owe { id, conversation, r#as } => {
            let debts = guard.debts(now, &conversation, &r#as);
            let teller = GuardTeller::new(source, guard.rules());
            let debts = debts.map(|debts| teller.debts(&debts));
            answer(id, told(source, guard, debts))
        }
        GuardRequest::Status { id, conversation } => {
            let status = guard.status(now, &conversation);
            let teller = GuardTeller::new(source, guard.rules());
            let status = status.map(|status| teller.status(&status));
            answer(id, told(source, guard, status))
        }
    }
}

/// Looks whether there is something for who waits.
pub fn fetch(source: &SourceFile, guard: &mut Guard, now: Moment, waiting: Waiting, rest: bool) -> Outcome {
    match guard.receive(now, &waiting.conversation, &waiting.agent, waiting.after, rest) {
        Ok(delivery) if delivery.may_wait && waiting.until > now => Outcome::Waits(waiting),
        received => {
            let teller = GuardTeller::new(source, guard.rules());
            let received = received.map(|delivery| teller.delivery(&delivery));
            answer(waiting.id, told(source, guard, received))
        }
    }
}

fn told(source: &SourceFile, guard: &Guard, result: Result<GuardResult, Denial>) -> GuardResult {
    result.unwrap_or_else(|denial| GuardTeller::new(source, guard.rules()).denial(&denial))
}

fn taken_apart(message: GuardMessage) -> (Json, String, String, Draft) {
    let GuardMessage { id, conversation, r#as, performative, args, to, key } = message;
    (id, conversation, r#as, Draft { performative, args, to, key })
}
