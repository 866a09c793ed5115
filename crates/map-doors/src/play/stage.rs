//! Holds dialogues in which the agent under test is a program of its own and all others are played.
//!
//! The time of a dialogue is not that of the machine: it goes on only when nobody can do anything before, or when the
//! program says nothing for as long as it may. So the choices and what the program does determine a dialogue, however
//! fast the machine is.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use map_diagnostics::SourceFile;
use map_guard::{BranchCoverage, Choices, Dialogue, Ending, Guard, Moment, Notice, Players, Record};
use map_ir::PointId;
use map_json::guard::{
    GuardAnswer, GuardArgument, GuardLine, GuardRefusalKind, GuardRequest, GuardResult, GuardSuggestion,
};
use map_json::{GuardTeller, to_line};
use serde_json::Value as Json;

use super::PlayError;
use crate::guard::{Outcome, Waiting, bad_request, fetch, object_of, perform, request_of};
use crate::process::{Process, Silence};

/// The most requests of a dialogue, and the most moves before one of them is answered.
const MAX_REQUESTS: u32 = 10_000;
const MAX_MOVES: u32 = 1_000;
/// An agent that owes a message and asks for its mail again and again is silent after asking this often.
const MAX_POLLS: u64 = 8;
/// When the first dialogue begins, in nanoseconds since 1970: any time would do.
const BEGINNING: Moment = 1_700_000_000_000_000_000;

/// Where dialogues are held.
pub(super) struct Stage<'a> {
    pub(super) source: &'a SourceFile,
    pub(super) guard: Guard,
    pub(super) players: Players,
    pub(super) coverage: BranchCoverage,
    /// By agent.
    pub(super) names: Vec<String>,
    /// The program that speaks for the agent under test, with its arguments.
    pub(super) words: Vec<String>,
    /// The first line that it reads, without the name of the conversation.
    pub(super) opening: Json,
    /// How long it may say nothing.
    pub(super) patience: Duration,
    /// Tells when the user wants to stop.
    pub(super) stop: &'a AtomicBool,
    now: Moment,
    number: u64,
}

/// A dialogue that was held.
pub(super) struct HeldDialogue {
    pub(super) end: DialogueEnd,
    /// The choices that lead to it.
    pub(super) choices: Vec<u32>,
    pub(super) records: Vec<Record>,
}

/// How a dialogue ended.
pub(super) enum DialogueEnd {
    /// All agents have.
    Complete,
    /// Nothing can happen any more, and not all agents have ended; nobody is to blame.
    Stuck,
    /// It went on for too long.
    TooLong,
    /// The agent under test has failed.
    Failed(AgentFailure),
    /// The user wants to stop.
    Interrupted,
}

/// What the agent under test has done wrong.
pub(super) struct AgentFailure {
    /// The word for it: that of a refusal, `silent` or `bad_request`.
    pub(super) kind: String,
    pub(super) text: String,
    /// What it wanted to send.
    pub(super) message: Option<String>,
    /// Where it waited or could send something.
    pub(super) places: Vec<PointId>,
    /// What it could have sent, in words.
    pub(super) may: Vec<String>,
}

/// A dialogue that goes on.
struct Talk<'s, 'a> {
    stage: &'s mut Stage<'a>,
    dialogue: Dialogue,
    choices: Choices,
    records: Vec<Record>,
    /// The number of the last message or event that the agent under test was handed.
    handed: u64,
}

impl<'a> Stage<'a> {
    pub(super) fn new(
        source: &'a SourceFile,
        (guard, players, coverage): (Guard, Players, BranchCoverage),
        names: Vec<String>,
        words: Vec<String>,
        opening: Json,
        patience: Duration,
        stop: &'a AtomicBool,
    ) -> Self {
        let (now, number) = (BEGINNING, 0);
        Self { source, guard, players, coverage, names, words, opening, patience, stop, now, number }
    }

    /// The name of the agent under test.
    pub(super) fn tested(&self) -> &str {
        &self.names[self.players.tested().index()]
    }

    /// Holds a dialogue.
    pub(super) fn hold(&mut self, choices: Choices) -> Result<HeldDialogue, PlayError> {
        self.number += 1;
        let name = format!("dialogue-{}", self.number);
        let started = Process::start(&self.words, true);
        let mut process = started.map_err(|error| PlayError::Start(format!("{}: {error}", self.words[0])))?;
        let mut opening = self.opening.clone();
        opening["conversation"] = name.clone().into();
        opening["as"] = self.tested().into();
        process.send(to_line(&opening)?);
        let dialogue = Players::begin(&mut self.guard, self.now, &name, self.names.clone());
        let dialogue = dialogue.map_err(|denial| PlayError::Internal(format!("no dialogue: {denial:?}")))?;
        let mut talk = Talk { stage: self, dialogue, choices, records: Vec::new(), handed: 0 };
        let end = talk.go(&process)?;
        talk.keep_records();
        if !matches!(end, DialogueEnd::Complete) {
            process.distrust();
        }
        let Talk { dialogue, choices, records, .. } = talk;
        self.coverage.add_dialogue(&dialogue, matches!(end, DialogueEnd::Complete));
        Ok(HeldDialogue { end, choices: choices.made().to_vec(), records })
    }
}

impl Talk<'_, '_> {
    fn go(&mut self, process: &Process) -> Result<DialogueEnd, PlayError> {
        for _ in 0..MAX_REQUESTS {
            if let Some(end) = self.end() {
                return Ok(end);
            }
            match process.hear(self.stage.patience, self.stage.stop) {
                Ok(line) => {
                    let (answer, failure) = self.answer(&line);
                    if let Some(failure) = failure {
                        return Ok(DialogueEnd::Failed(failure));
                    }
                    process.send(to_line(&GuardLine::Answer(answer))?);
                }
                Err(Silence::TimedOut | Silence::Ended(_)) => self.pass(1),
                Err(Silence::TooLong) => {
                    return Ok(DialogueEnd::Failed(self.failure("bad_request", "a line is too long", None)));
                }
                Err(Silence::Interrupted) => return Ok(DialogueEnd::Interrupted),
            }
        }
        Ok(DialogueEnd::TooLong)
    }

    /// How the dialogue has ended, if it has.
    fn end(&mut self) -> Option<DialogueEnd> {
        let tested = self.stage.tested().to_owned();
        let mut end = None;
        while let Some(notice) = self.stage.guard.next_notice() {
            match notice {
                Notice::Silent { conversation, agent, .. }
                    if conversation == self.dialogue.name && agent == tested =>
                {
                    let failure = self.failure("silent", &format!("{tested} owes a message"), None);
                    return Some(DialogueEnd::Failed(failure));
                }
                Notice::Closed { conversation, why, .. } if conversation == self.dialogue.name => {
                    end = Some(match why {
                        Ending::Complete => DialogueEnd::Complete,
                        Ending::Expired | Ending::Failed => DialogueEnd::TooLong,
                    });
                }
                Notice::Stuck { conversation, .. } if conversation == self.dialogue.name => {
                    end = Some(DialogueEnd::Stuck);
                }
                _ => {}
            }
        }
        end
    }

    /// Answers a request of the agent under test, or says how it fails.
    fn answer(&mut self, line: &[u8]) -> (GuardAnswer, Option<AgentFailure>) {
        let request = match self.request(line) {
            Ok(request) => request,
            Err(text) => {
                let answer = bad_request(line, text.clone());
                return (answer, Some(self.failure("bad_request", &text, None)));
            }
        };
        self.let_others_go_first();
        let Stage { source, guard, players, now, .. } = &mut *self.stage;
        let tested = self.dialogue.names[players.tested().index()].clone();
        let before = guard.offer(*now, &self.dialogue.name, &tested);
        let wanted = match &request {
            GuardRequest::Send(message) => Some((message.performative.clone(), message.args.clone())),
            _ => None,
        };
        let answer = match perform(source, guard, *now, request) {
            Outcome::Answer(answer) => answer,
            Outcome::Waits(waiting) => self.wait(waiting),
        };
        self.dialogue.look_at(&self.stage.guard);
        let text = wanted.as_ref().map(|(performative, args)| message_text(performative, args));
        let failure = match &answer.result {
            GuardResult::Accepted(acceptance) if acceptance.certain => {
                if let (Ok(before), Some((performative, _))) = (&before, &wanted) {
                    self.stage.coverage.add_send(before, performative);
                }
                None
            }
            GuardResult::Refused(refusal) if is_fault(refusal.kind, text.is_some()) => {
                let kind = word(&refusal.kind);
                Some(self.failure(&kind, &refusal.text, text))
            }
            GuardResult::Error(error) => Some(self.failure(&error.kind, &error.text, text)),
            GuardResult::Received(delivery) => {
                match delivery.items.last() {
                    Some(last) if last.seq > self.handed => self.handed = last.seq,
                    _ => self.pass(MAX_POLLS),
                }
                None
            }
            _ => None,
        };
        self.keep_records();
        (answer, failure)
    }

    /// The request of a line, in which the conversation and the agent need not be named.
    fn request(&self, line: &[u8]) -> Result<GuardRequest, String> {
        let mut request = object_of(line)?;
        if let Some(fields) = request.as_object_mut() {
            fields.insert("conversation".to_owned(), self.dialogue.name.clone().into());
            if fields.get("do").is_none_or(|what| what != "status" && what != "open") {
                fields.insert("as".to_owned(), self.stage.tested().into());
            }
        }
        request_of(request)
    }

    fn let_others_go_first(&mut self) {
        let Stage { guard, players, now, .. } = &mut *self.stage;
        for _ in 0..MAX_MOVES {
            if !players.can_move(guard, *now, &mut self.dialogue) || !self.choices.flip() {
                return;
            }
            players.make_move(guard, *now, &mut self.dialogue, &mut self.choices);
        }
    }

    /// The agent under test waits: the others act, or time goes on, until there is something for it.
    fn wait(&mut self, mut waiting: Waiting) -> GuardAnswer {
        let mut moves = 0;
        loop {
            let Stage { source, guard, players, now, .. } = &mut *self.stage;
            let has_moved =
                moves < MAX_MOVES && players.make_move(guard, *now, &mut self.dialogue, &mut self.choices);
            moves += 1;
            if !has_moved {
                let due = guard.next_due().unwrap_or(waiting.until).min(waiting.until);
                *now = due.max(*now);
                guard.advance(*now);
            }
            match fetch(source, guard, *now, waiting, false) {
                Outcome::Answer(answer) => return answer,
                Outcome::Waits(again) => waiting = again,
            }
        }
    }

    /// There is nothing for the agent under test, or it says nothing: the others act, or else time goes on. If it owes
    /// a message, only this part of the time passes that it has.
    fn pass(&mut self, part: u64) {
        let Stage { guard, players, now, patience, .. } = &mut *self.stage;
        if players.make_move(guard, *now, &mut self.dialogue, &mut self.choices) {
            return;
        }
        let Some(due) = guard.next_due() else { return };
        let step = u64::try_from(patience.as_nanos()).unwrap_or(u64::MAX) / part + 1;
        let owes = self.dialogue.owes(guard, players.tested());
        *now = if owes && part > 1 { due.min(now.saturating_add(step)) } else { due }.max(*now);
        guard.advance(*now);
    }

    fn failure(&mut self, kind: &str, text: &str, message: Option<String>) -> AgentFailure {
        let Stage { guard, players, now, .. } = &mut *self.stage;
        let places = players.places(guard, *now, &self.dialogue);
        let tested = &self.dialogue.names[players.tested().index()];
        let offer = guard.offer(*now, &self.dialogue.name, tested);
        let teller = GuardTeller::new(self.stage.source, self.stage.guard.rules());
        let may = offer.map(|offer| teller.offer(&offer).may).unwrap_or_default();
        let may = may.iter().map(suggestion_text).collect();
        AgentFailure { kind: kind.to_owned(), text: text.to_owned(), message, places, may }
    }

    fn keep_records(&mut self) {
        let is_its = |record: &Record| record.entry.conversation() == Some(&*self.dialogue.name);
        self.records.extend(self.stage.guard.take_records().into_iter().filter(is_its));
    }
}

/// Whether who is refused like this has broken the protocol. Whoever asks whether it may send something has not.
fn is_fault(kind: GuardRefusalKind, sends: bool) -> bool {
    use GuardRefusalKind as Kind;
    match kind {
        Kind::NotItsWord
        | Kind::AfterItsEnd
        | Kind::Repeated
        | Kind::WrongRecipient
        | Kind::WrongContent
        | Kind::OutOfTurn
        | Kind::UnfitAnswer
        | Kind::Budget => sends,
        Kind::Owes => true,
        Kind::Closed
        | Kind::Silenced
        | Kind::Rested
        | Kind::Stale
        | Kind::Early
        | Kind::Doomed
        | Kind::Limit
        | Kind::Unsure => false,
    }
}

fn word(kind: &GuardRefusalKind) -> String {
    serde_json::to_value(kind).ok().and_then(|word| word.as_str().map(str::to_owned)).unwrap_or_default()
}

/// A message as it is shown.
pub(super) fn message_text(performative: &str, args: &[Json]) -> String {
    let args: Vec<String> = args.iter().map(Json::to_string).collect();
    format!("{performative}({})", args.join(", "))
}

/// What an agent may send, as it is shown.
fn suggestion_text(suggestion: &GuardSuggestion) -> String {
    let argument = |argument: &GuardArgument| match argument {
        GuardArgument::Is(value) => value.to_string(),
        GuardArgument::In(low, high) => format!("{low}..{high}"),
        GuardArgument::OneOf(values) => values.iter().map(Json::to_string).collect::<Vec<_>>().join(" or "),
        GuardArgument::Any(_) => "_".to_owned(),
    };
    let args: Vec<String> = suggestion.args.iter().map(argument).collect();
    let GuardSuggestion { performative, to, place, .. } = suggestion;
    format!("{performative}({}) to {} ({place})", args.join(", "), to.join(", "))
}
