//! Tells of a conversation in the terms of the file and of the log.

use map_conform::{Cast, Possible, Scene, Spoken};
use map_diagnostics::SourceFile;
use map_ir::{AgentId, PointId, PointKind, Program, Value, quoted, show_message};
use map_semantics::Message;

/// Tells of a conversation in the terms of the file and of the log.
pub(super) struct Telling<'a> {
    pub(super) program: &'a Program,
    pub(super) cast: &'a Cast,
    source: &'a SourceFile,
}

impl<'a> Telling<'a> {
    pub(super) fn new(scene: &'a Scene, cast: &'a Cast, source: &'a SourceFile) -> Self {
        Self { program: scene.program(), cast, source }
    }

    /// `!Bidder1 (alice)`.
    pub(super) fn agent(&self, agent: AgentId) -> String {
        let name = format!("!{}", self.program.agent_name(agent));
        match self.cast.real_name(agent) {
            Some(real) if real != name && format!("!{real}") != name => format!("{name} ({real})"),
            _ => name,
        }
    }

    pub(super) fn agents(&self, agents: &[AgentId]) -> String {
        let names: Vec<String> = agents.iter().map(|&it| self.agent(it)).collect();
        names.join(", ")
    }

    pub(super) fn message(&self, message: &Message) -> String {
        let (program, foreign) = (self.program, &self.cast.foreign);
        let other = |value: Value| match value {
            Value::Abstract(_) | Value::Fresh(_) => "_".to_owned(),
            Value::Text(_) => quoted(foreign.content(program, value).unwrap_or_default()),
            _ => foreign.content(program, value).unwrap_or_default().to_owned(),
        };
        show_message(program, message.performative, &message.arguments, &other)
    }

    pub(super) fn spoken(&self, spoken: &Spoken) -> String {
        format!("{} to {}", self.message(&spoken.message), self.agents(&spoken.to))
    }

    /// `auction.map:12`.
    pub(super) fn place(&self, point: PointId) -> String {
        let span = self.program.point(point).span;
        format!("{}:{}", self.source.name(), self.line(point_start(span)))
    }

    pub(super) fn line(&self, offset: u32) -> usize {
        self.source.position(offset).line
    }

    pub(super) fn possible(&self, it: &Possible) -> String {
        format!("{} to {}, {}", self.message(&it.message), self.agents(&it.to), self.place(it.point))
    }

    /// The messages that an agent waits for at some points.
    pub(super) fn awaited(&self, points: &[PointId]) -> Vec<String> {
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

    pub(super) fn may_time_out(&self, points: &[PointId]) -> bool {
        let has_timeout =
            |it: &PointId| matches!(self.program.point(*it).kind, PointKind::Wait { timeout: Some(_), .. });
        points.iter().any(has_timeout)
    }
}

/// Where a span of the program begins.
pub(super) fn point_start(span: map_ir::SourceSpan) -> u32 {
    span.start
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
