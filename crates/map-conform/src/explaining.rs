//! A run of the scene that explains a conversation, to be replayed.
//!
//! In a run a message arrives when it is sent. So the messages of the log are put into an order in which that explains
//! them. Then each agent by itself has a way through its own messages; what it was told by its procedures follows from
//! what it said. In the end the ways are made one run, which takes the steps of the semantics and is compared with the
//! log: what is wrong in any of this gives no run, and never a wrong one.

mod answers;
mod order;
mod path;
mod playing;

use std::fmt;
use std::sync::Arc;

use map_ir::Value;
use map_semantics::{Message, Step};

use crate::conversation::Conversation;
use crate::monitor::{LoggedMessage, Shared};
use crate::own::Own;
use crate::pending::Arrivals;
use crate::report::Mark;

/// A run of the scene.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The options for the cells that may start with several values.
    pub initial: Vec<u32>,
    /// The steps.
    pub steps: Vec<Step>,
    /// The answers of procedures that the options of the steps refer to.
    pub values: Vec<Value>,
}

/// Why there is no run to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoExplanation {
    /// An agent has broken the protocol.
    Violated,
    /// There are too many messages.
    TooLong,
    /// A message has been sent to some of its recipients only.
    CopiesAreMissing,
    /// Messages would have to arrive later than they are sent.
    NoOrder,
    /// A limit came first.
    Limit,
    /// The answers of the procedures do not follow from the log.
    Answers,
}

impl fmt::Display for NoExplanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Violated => "an agent has broken the protocol",
            Self::TooLong => "the conversation has too many messages",
            Self::CopiesAreMissing => "a message has not been sent to all of its recipients yet",
            Self::NoOrder => {
                "only a run in which messages are on their way for some time explains it, and in the runs that can be \
                 replayed they arrive at once"
            }
            Self::Limit => "it has too many runs to look through",
            Self::Answers => "the log does not tell what the procedures answered",
        })
    }
}

/// The maximum number of lines of a conversation for which a run is looked for.
pub(crate) const MAX_LINES: usize = 20_000;

/// What happens to an agent, in its own order.
enum Input {
    Arrives(Arc<Message>),
    Sends(LoggedMessage),
}

impl Conversation {
    /// A run that explains the lines so far, if the conversation [keeps them](crate::Settings::keeps_lines). If it is
    /// violated, those before the first violation. If all agents may have ended it goes on until they have.
    ///
    /// # Errors
    /// Why there is none. The conversation may conform all the same.
    pub fn explanation(&mut self) -> Result<Explanation, NoExplanation> {
        self.go_on(true);
        match self.violations.is_empty() {
            true => self.run(),
            false => self.before_violation().run(),
        }
    }

    /// The conversation with the lines before the first violation; with all of them if that is at no line.
    fn before_violation(&self) -> Self {
        let place = |mark: &Mark| (mark.log, mark.line);
        let offences: Vec<_> = self.violations.iter().map(|violation| place(&violation.mark)).collect();
        let mut past = Self::in_order(&self.scene);
        let lines = self.marks.iter().zip(&self.lines);
        for (mark, line) in lines.take_while(|(mark, _)| !offences.contains(&place(mark))) {
            past.own(line.agent(), *mark, line.clone());
        }
        past
    }

    fn run(&mut self) -> Result<Explanation, NoExplanation> {
        if !self.violations.is_empty() || self.scene.joining.is_some() {
            return Err(NoExplanation::Violated);
        }
        if self.cut_at.is_some() {
            return Err(NoExplanation::Limit);
        }
        if self.lines.len() > MAX_LINES {
            return Err(NoExplanation::TooLong);
        }
        if self.monitors.iter().any(|it| it.copies().next().is_some()) {
            return Err(NoExplanation::CopiesAreMissing);
        }
        let scene = Arc::clone(&self.scene);
        let all_end = self.monitors.iter_mut().all(|it| it.closure(&scene.shared).may_end);
        let frame = &scene.shared.frame;
        let shared = Shared::new(frame.clone(), Arrivals::Sent, &scene.settings);
        let arrivals = scene.settings.arrivals_by_clocks();
        let ordered =
            |is_strict| order::ordered(&shared, scene.first(), (&self.lines, arrivals), is_strict, all_end);
        let said = match ordered(true) {
            // The order of each agent's own messages is what a run has to keep.
            Err(_) if arrivals != Arrivals::Sent => ordered(false)?,
            said => said?,
        };
        let mut inputs: Vec<Vec<Input>> = frame.program.cast().map(|_| Vec::new()).collect();
        for spoken in &said {
            inputs[spoken.from.index()].push(Input::Sends(spoken.clone()));
            for to in spoken.to.iter().filter(|&&to| to != spoken.from) {
                inputs[to.index()].push(Input::Arrives(Arc::clone(&spoken.message)));
            }
        }
        let mut ways = Vec::new();
        for (agent, inputs) in frame.program.cast().zip(&inputs) {
            let path = path::through(frame, agent, inputs, all_end)?;
            ways.push(answers::told(frame, agent, inputs, path)?);
        }
        playing::play(frame, &said, &ways)
    }

    /// Keeps a line, if a run may be asked for.
    pub(crate) fn keep(&mut self, mark: Mark, own: &Own) {
        if self.scene.settings.keeps_lines && self.lines.len() <= MAX_LINES {
            self.lines.push(own.clone());
            self.marks.push(mark);
        }
    }
}
