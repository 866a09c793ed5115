//! From requests to operations of a guard, and back to answers.

use map_diagnostics::SourceFile;
use map_guard::{Denial, Draft, Guard, Moment};
use map_json::GuardTeller;
use map_json::guard::{GuardAnswer, GuardDone, GuardError, GuardMessage, GuardRequest, GuardResult};
use serde_json::Value as Json;

/// An agent that waits for messages.
pub(super) struct Waiting {
    pub(super) id: Json,
    pub(super) conversation: String,
    pub(super) agent: String,
    pub(super) after: u64,
    pub(super) until: Moment,
}

/// What comes of a request.
pub(super) enum Outcome {
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
pub(super) fn bad_request(line: &[u8], text: String) -> GuardAnswer {
    let id = serde_json::from_slice::<Json>(line).ok().and_then(|mut request| {
        request.get_mut("id").map(Json::take).filter(|id| id.is_number() || id.is_string())
    });
    let error = GuardError { kind: "bad_request".to_owned(), text };
    GuardAnswer { id: id.unwrap_or_default(), result: GuardResult::Error(error) }
}

/// Why an agent may not ask for this: it speaks for itself, and conversations belong to all.
pub(super) fn foreign(request: &GuardRequest, agent: &str) -> Option<String> {
    let speaker = match request {
        GuardRequest::Open { .. } | GuardRequest::Status { .. } => {
            return Some("only whoever started the guard may do that".to_owned());
        }
        GuardRequest::Send(message) | GuardRequest::MayI(message) => &message.r#as,
        GuardRequest::Offer { r#as, .. }
        | GuardRequest::Receive { r#as, .. }
        | GuardRequest::Rest { r#as, .. }
        | GuardRequest::Owe { r#as, .. } => r#as,
    };
    (speaker != agent).then(|| format!("this connection speaks for {agent:?}, and for nobody else"))
}

/// Does what a request asks for.
pub(super) fn perform(source: &SourceFile, guard: &mut Guard, now: Moment, request: GuardRequest) -> Outcome {
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
pub(super) fn fetch(
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
