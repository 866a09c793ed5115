//! The messages of a run, as `map conform` reads them.

use std::sync::Arc;

use map_conform::rfc_3339;
use map_explain::Namer;
use map_ir::{AgentId, Value};
use map_semantics::{Action, Ending, Message, Network, Question, Reply, SceneStep};
use map_simulate::{Random, Response, SimulatedStep, SimulationOptions};
use serde_json::{Value as Json, json};

use crate::value_to_json;

/// Answers of procedures without a body are below this.
const MAX_ANSWER: u64 = 10;

/// The messages of a run, line by line.
pub struct RunLog<'a> {
    options: &'a SimulationOptions,
    conversation: String,
    arrival: Arrival,
    random: Random,
    text: String,
    /// The messages that have not arrived yet.
    under_way: Vec<UnderWay>,
    /// The number of the last step.
    last: u64,
}

/// When a message arrives in the log.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Arrival {
    /// With its send.
    AtOnce,
    /// With a step of its own, if messages are under way for a while.
    Step,
    /// When it is taken, if mailboxes are bags: until then others may overtake it.
    WhenTaken,
}

/// A copy of a message that has not arrived yet.
struct UnderWay {
    message: Arc<Message>,
    to: AgentId,
    /// Its arrival, but for the time.
    record: Json,
}

impl<'a> RunLog<'a> {
    /// The log of a run of this scene, which has no lines yet.
    #[must_use]
    pub fn new(scene: &str, network: Network, options: &'a SimulationOptions) -> Self {
        let conversation = format!("{scene}-{}", options.seed);
        // A stream of its own: the run itself is that of the seed.
        let random = Random::from_seed(options.seed ^ 0x006c_6f67);
        // Taken apart, so that a new way to arrive is not forgotten here: what is lost never does.
        let Network { unordered, delayed, losses: _, crashes: _ } = network;
        let arrival = match (unordered, delayed) {
            (true, _) => Arrival::WhenTaken,
            (false, true) => Arrival::Step,
            (false, false) => Arrival::AtOnce,
        };
        Self { options, conversation, arrival, random, text: String::new(), under_way: Vec::new(), last: 0 }
    }

    /// A message in the log has concrete arguments, so procedures without a body answer numbers.
    pub fn answer(&mut self, question: &Question<'_>) -> Response {
        let SimulationOptions { yes, yes_of, .. } = self.options;
        let yes = yes_of.iter().find(|(it, _)| *it == question.procedure).map_or(*yes, |&(_, yes)| yes);
        let says_no = question.may_refuse && !self.random.chance(yes);
        let number = self.random.below(MAX_ANSWER) as i64;
        Response::Reply(if says_no { Reply::No } else { Reply::Value(Value::Integer(number)) })
    }

    /// Adds the message that a step sends, takes or makes arrive.
    pub fn add(&mut self, namer: &Namer<'_>, seen: &SimulatedStep<'_>) {
        self.last = seen.number;
        // A step that goes wrong is not made.
        if matches!(seen.observed.result, SceneStep::Wrong(_)) {
            return;
        }
        match &seen.observed.outcome.action {
            Some(Action::Send { message, to, .. }) => {
                self.line(self.record(namer, "send", message, to));
                for &to in to.iter().filter(|it| !seen.observed.lost.contains(it)) {
                    let record = self.record(namer, "receive", message, &[to]);
                    match self.arrival {
                        Arrival::AtOnce => self.line(record),
                        Arrival::Step | Arrival::WhenTaken => {
                            self.under_way.push(UnderWay { message: Arc::clone(message), to, record });
                        }
                    }
                }
            }
            Some(Action::Receive { message, .. }) if self.arrival == Arrival::WhenTaken => {
                self.arrives(seen.step.agent, message);
            }
            None if self.arrival == Arrival::Step => {
                let Ending::State(next) = &seen.observed.outcome.ending else { return };
                let Some(place) = next.arrives else { return };
                if let Some(message) = seen.before.under_way.get(place) {
                    self.arrives(seen.step.agent, message);
                }
            }
            _ => {}
        }
    }

    /// Adds the arrival of a message that was under way.
    fn arrives(&mut self, to: AgentId, message: &Arc<Message>) {
        let arrived = self.under_way.iter().position(|copy| copy.to == to && copy.message == *message);
        if let Some(at) = arrived {
            let UnderWay { record, .. } = self.under_way.remove(at);
            self.line(record);
        }
    }

    fn record(&self, namer: &Namer<'_>, event: &str, message: &Message, to: &[AgentId]) -> Json {
        let program = namer.program;
        let value = |&value: &Value| match value {
            // A bare string may be a constant, or somebody's name.
            Value::Text(_) => {
                json!({ "text": namer.names.foreign.content(program, value).unwrap_or_default() })
            }
            _ => value_to_json(namer, value),
        };
        json!({
            "conversation": self.conversation,
            "event": event,
            "from": program.agent_name(message.sender),
            "to": to.iter().map(|&it| program.agent_name(it)).collect::<Vec<_>>(),
            "performative": program.performative(message.performative).name,
            "args": message.arguments.iter().map(value).collect::<Vec<_>>(),
        })
    }

    /// Adds a line at the time of the last step.
    fn line(&mut self, mut record: Json) {
        record["time"] = json!(rfc_3339(self.last * 1_000_000));
        self.text.push_str(&format!("{record}\n"));
    }

    /// The log. What has not arrived by then arrives at its end.
    #[must_use]
    pub fn finish(mut self) -> String {
        for UnderWay { record, .. } in std::mem::take(&mut self.under_way) {
            self.line(record);
        }
        self.text
    }
}
