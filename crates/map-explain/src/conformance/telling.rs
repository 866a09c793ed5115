//! Names of a conversation in the terms of the file and of the log.

use map_conform::{
    Cast, LoggedMessage, Mark, Offence, Possible, Scene, UnfitAnswer, UnknownMessage, shown_value,
};
use map_ir::{AgentId, PointId, PointKind, ProcedureId, Program, Value, quoted, show_message, show_value};
use map_semantics::Message;

use super::Places;

/// Of more recipients than this, only the first are named.
const MAX_NAMED: usize = 5;

/// Of a longer message, in characters, only the beginning is shown.
const MAX_MESSAGE: usize = 120;

/// Names what is in a conversation in the terms of the file and of the log.
pub struct ConversationTeller<'a> {
    /// The program.
    pub program: &'a Program,
    /// Who in the log is who.
    pub cast: &'a Cast,
    /// Where things stand.
    pub places: Places<'a>,
}

impl<'a> ConversationTeller<'a> {
    /// A namer for a scene with its cast.
    #[must_use]
    pub fn new(scene: &'a Scene, cast: &'a Cast, places: Places<'a>) -> Self {
        Self { program: scene.program(), cast, places }
    }

    /// A line of a log.
    #[must_use]
    pub fn line(&self, mark: Mark) -> String {
        self.places.line(mark)
    }

    /// `!Bidder1 (alice)`.
    #[must_use]
    pub fn agent(&self, agent: AgentId) -> String {
        let name = format!("!{}", self.program.agent_name(agent));
        match self.cast.real_name(agent) {
            Some(real) if real != name && format!("!{real}") != name => format!("{name} ({real})"),
            _ => name,
        }
    }

    /// Some agents, of whom the first are named.
    #[must_use]
    pub fn agents(&self, agents: &[AgentId]) -> String {
        list(agents, |&it| self.agent(it))
    }

    /// The offending message in words; `None` if the offence is silence.
    #[must_use]
    pub fn offence(&self, offence: &Offence) -> Option<String> {
        match offence {
            Offence::Nothing => None,
            Offence::Message(spoken) => Some(self.logged(spoken)),
            Offence::Unknown(said) => Some(self.said(said)),
        }
    }

    fn said(&self, said: &UnknownMessage) -> String {
        let name = |real: &String| self.cast.agent_of(real).map_or_else(|| real.clone(), |it| self.agent(it));
        let place = match said.arities.as_slice() {
            [] => String::new(),
            arities => {
                let word = said.message.split('(').next().unwrap_or_default();
                format!("; the file has {}", list(arities, |arity| format!("{word}/{arity}")))
            }
        };
        format!("{} to {}{place}", said.message, list(&said.to, name))
    }

    /// A message, with unknown values as `_`; of a long one, the beginning.
    #[must_use]
    pub fn message(&self, message: &Message) -> String {
        let other = |value: Value| self.foreign(value);
        let mut text = show_message(self.program, message.performative, &message.arguments, &other);
        if let Some((end, _)) = text.char_indices().nth(MAX_MESSAGE) {
            text.truncate(end);
            text.push_str("..");
        }
        text
    }

    /// A value that is not in the file.
    fn foreign(&self, value: Value) -> String {
        let content = || self.cast.foreign.content(self.program, value).unwrap_or_default();
        match value {
            Value::Abstract(_) | Value::Fresh(_) => "_".to_owned(),
            Value::Text(_) => quoted(content()),
            _ => shown_value(content()),
        }
    }

    /// A value in source form.
    #[must_use]
    pub fn value(&self, value: Value) -> String {
        show_value(self.program, value, &|value| self.foreign(value))
    }

    /// `price for !Bidder1 (alice)`: what may have given an answer.
    #[must_use]
    pub fn asked(&self, unfit: &UnfitAnswer) -> String {
        let mut procedures: Vec<ProcedureId> = unfit.asked.iter().map(|&(procedure, _)| procedure).collect();
        procedures.sort_unstable();
        procedures.dedup();
        let told = procedures.into_iter().map(|procedure| {
            let asks = unfit.asked.iter().filter(|(its, _)| *its == procedure);
            let agents: Vec<AgentId> = asks.map(|&(_, agent)| agent).collect();
            format!("{} for {}", self.program.procedure(procedure).name, self.agents(&agents))
        });
        told.collect::<Vec<String>>().join(" or ")
    }

    /// A message with its recipients.
    #[must_use]
    pub fn logged(&self, logged: &LoggedMessage) -> String {
        if logged.to.is_empty() {
            return format!("{}, the log does not say to whom", self.message(&logged.message));
        }
        format!("{} to {}", self.message(&logged.message), self.agents(&logged.to))
    }

    /// `auction.map:12`.
    fn place(&self, point: PointId) -> String {
        format!("{}:{}", self.places.source.name(), self.source_line(point))
    }

    /// The line of the file on which a point is, from 1.
    #[must_use]
    pub fn source_line(&self, point: PointId) -> usize {
        self.places.source.position(self.program.point(point).span.start).line
    }

    /// A message that could have been sent, with its recipients.
    #[must_use]
    pub fn sendable(&self, possible: &Possible) -> String {
        format!("{} to {}", self.message(&possible.message), self.agents(&possible.to))
    }

    /// A message that could have been sent, with the place in the file that sends it.
    #[must_use]
    pub fn possible(&self, it: &Possible) -> String {
        let place = it.point.map(|it| format!(", {}", self.place(it))).unwrap_or_default();
        format!("{}{place}", self.sendable(it))
    }

    /// The messages that an agent waits for at some points.
    #[must_use]
    pub fn awaited(&self, points: &[PointId]) -> Vec<String> {
        let program = self.program;
        let mut found: Vec<String> = Vec::new();
        for &point in points {
            let PointKind::Wait { body, .. } = program.point(point).kind else { continue };
            for message in receives_from(program, body) {
                if !found.contains(&message) {
                    found.push(message);
                }
            }
        }
        found
    }

    /// Whether a wait at one of these points has a timeout.
    #[must_use]
    pub fn may_time_out(&self, points: &[PointId]) -> bool {
        let has_timeout =
            |it: &PointId| matches!(self.program.point(*it).kind, PointKind::Wait { timeout: Some(_), .. });
        points.iter().any(has_timeout)
    }
}

/// Names, of which the first are named if there are many.
fn list<T>(all: &[T], name: impl Fn(&T) -> String) -> String {
    let named = if all.len() > MAX_NAMED { MAX_NAMED - 1 } else { all.len() };
    let names: Vec<String> = all[..named].iter().map(name).collect();
    let others = match all.len() - named {
        0 => String::new(),
        others => format!(" and {others} others"),
    };
    format!("{}{others}", names.join(", "))
}

/// The receives that may be tried from a point on, before anything else is done.
fn receives_from(program: &map_ir::Program, from: PointId) -> Vec<String> {
    let (mut todo, mut seen, mut found) = (vec![from], vec![from], Vec::new());
    while let Some(point) = todo.pop() {
        let next = match &program.point(point).kind {
            PointKind::Receive { performative, err, .. } => {
                let it = program.performative(*performative);
                let blanks = vec!["_"; it.arity].join(", ");
                found.push(format!("{}({blanks})", it.name));
                vec![err.to]
            }
            PointKind::Skip { ok } => vec![*ok],
            other => other.err().map(|it| it.to).into_iter().collect(),
        };
        for goto in next {
            if let map_ir::Goto::Point(point) = goto
                && !seen.contains(&point)
            {
                seen.push(point);
                todo.push(point);
            }
        }
    }
    found.reverse();
    found
}
