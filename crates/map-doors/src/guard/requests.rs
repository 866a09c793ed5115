//! From requests to operations of a guard, and back to answers.

use map_diagnostics::SourceFile;
use map_guard::{Denial, Draft, Guard, Moment};
use map_json::GuardTeller;
use map_json::guard::{GuardAnswer, GuardDone, GuardError, GuardMessage, GuardRequest, GuardResult};
use serde_json::Value as Json;

use super::peer::Speaker;

/// An agent that waits for messages.
pub(crate) struct Waiting {
    /// That of the request.
    pub(crate) id: Json,
    /// Where it waits.
    pub(crate) conversation: String,
    /// Its name.
    pub(crate) agent: String,
    /// The number up to which it has acknowledged what it was handed.
    pub(crate) after: u64,
    /// How long it waits.
    pub(crate) until: Moment,
}

/// What comes of a request.
pub(crate) enum Outcome {
    /// An answer.
    Answer(GuardAnswer),
    /// There is nothing yet for who fetches.
    Waits(Waiting),
}

/// Nanoseconds in a millisecond.
const MILLISECOND: Moment = 1_000_000;

fn answer(id: Json, result: GuardResult) -> Outcome {
    Outcome::Answer(GuardAnswer { id, result })
}

/// An answer to what cannot be understood.
pub(crate) fn bad_request(line: &[u8], text: String) -> GuardAnswer {
    let id = serde_json::from_slice::<Json>(line).ok().and_then(|mut request| {
        request.get_mut("id").map(Json::take).filter(|id| id.is_number() || id.is_string())
    });
    let error = GuardError { kind: "bad_request".to_owned(), text };
    GuardAnswer { id: id.unwrap_or_default(), result: GuardResult::Error(error) }
}

/// Why somebody may not ask for this: an agent speaks for itself, and conversations belong to all.
pub(super) fn foreign(request: &GuardRequest, speaker: &Speaker) -> Option<String> {
    let meant = match request {
        GuardRequest::Open { .. } | GuardRequest::Status { .. } => {
            let text = "only whoever started the guard may do that, and operators";
            return matches!(speaker, Speaker::Agent(_)).then(|| text.to_owned());
        }
        GuardRequest::Send(message) | GuardRequest::MayI(message) => &message.r#as,
        GuardRequest::Offer { r#as, .. }
        | GuardRequest::Receive { r#as, .. }
        | GuardRequest::Rest { r#as, .. }
        | GuardRequest::Owe { r#as, .. } => r#as,
    };
    match speaker {
        Speaker::Anybody => None,
        Speaker::Agent(agent) if agent == meant => None,
        Speaker::Agent(agent) => Some(format!("this connection speaks for {agent:?}, and for nobody else")),
        Speaker::Operator(_) => Some("operators speak for no agent".to_owned()),
    }
}

/// Does what a request asks for.
pub(crate) fn perform(source: &SourceFile, guard: &mut Guard, now: Moment, request: GuardRequest) -> Outcome {
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
pub(crate) fn fetch(
    source: &SourceFile,
    guard: &mut Guard,
    now: Moment,
    waiting: Waiting,
    rest: bool,
) -> Outcome {
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
