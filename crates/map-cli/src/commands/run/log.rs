//! `map run --log`: the messages of a run, as `map conform` reads them.

use std::path::Path;

use map_explain::Teller;
use map_ir::Value;
use map_semantics::{Action, Question, Reply};
use map_simulate::{Random, Response, SimulatedStep, SimulationOptions};
use serde_json::json;

use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::write_whole;
use crate::names::shown;
use crate::outside::value_to_json;

/// Answers of procedures without a body are below this.
const MAX_ANSWER: u64 = 10;

/// The messages of a run, line by line.
pub(super) struct Log<'a> {
    options: &'a SimulationOptions,
    conversation: String,
    random: Random,
    text: String,
}

impl<'a> Log<'a> {
    pub(super) fn new(scene: &str, options: &'a SimulationOptions) -> Self {
        let conversation = format!("{scene}-{}", options.seed);
        // A stream of its own: the run itself is that of the seed.
        let random = Random::from_seed(options.seed ^ 0x006c_6f67);
        Self { options, conversation, random, text: String::new() }
    }

    /// A message in the log has concrete arguments, so procedures without a body answer numbers.
    pub(super) fn answer(&mut self, question: &Question<'_>) -> Response {
        let SimulationOptions { yes, yes_of, .. } = self.options;
        let yes = yes_of.iter().find(|(it, _)| *it == question.procedure).map_or(*yes, |&(_, yes)| yes);
        let says_no = question.may_refuse && !self.random.chance(yes);
        let number = self.random.below(MAX_ANSWER) as i64;
        Response::Reply(if says_no { Reply::No } else { Reply::Value(Value::Integer(number)) })
    }

    /// Adds the message that a step sends, and its arrivals: at once, unless it is lost.
    pub(super) fn add(&mut self, teller: &Teller<'_>, seen: &SimulatedStep<'_>) {
        let Some(Action::Send { message, to, .. }) = &seen.observed.outcome.action else { return };
        let program = teller.program;
        let name = |agent| program.agent_name(agent);
        let args: Vec<_> = message.arguments.iter().map(|&it| value_to_json(teller, it)).collect();
        let mut line = |event: &str, to: Vec<&str>| {
            let record = json!({
                "time": seen.number * 1_000_000,
                "conversation": self.conversation,
                "event": event,
                "from": name(message.sender),
                "to": to,
                "performative": program.performative(message.performative).name,
                "args": args,
            });
            self.text.push_str(&format!("{record}\n"));
        };
        line("send", to.iter().map(|&it| name(it)).collect());
        for &to in to.iter().filter(|it| !seen.observed.lost.contains(it)) {
            line("receive", vec![name(to)]);
        }
    }

    /// Writes the log.
    pub(super) fn write(&self, path: &Path, console: &mut Console) -> Result<(), Failure> {
        if let Err(error) = write_whole(path, &self.text) {
            console.complain(&format!("error: {} cannot be written: {error}\n", shown(path)))?;
            console.set_exit(Exit::Source);
        }
        Ok(())
    }
}
