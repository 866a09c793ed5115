//! Names for everything: agents, values, messages, places.

use map_diagnostics::{SourceFile, Span, escaped_line};
use map_ir::{
    AgentId, ClauseId, PerformativeId, PointId, PointKind, Program, RoleId, SourceSpan, Symbol, Value,
};
use map_semantics::{Message, Names, Outcome};

/// How many agents are listed by name.
const MAX_LISTED: usize = 8;

/// The longest piece of source that is quoted inside a sentence, in characters.
const MAX_QUOTED: usize = 60;

/// Knows how to name things, and where they stand in the source.
#[derive(Clone)]
pub struct Teller<'a> {
    /// The source, which is quoted.
    pub source: &'a SourceFile,
    /// What was compiled from it.
    pub program: &'a Program,
    /// What values are called.
    pub names: Names<'a>,
}

impl<'a> Teller<'a> {
    /// Names for a program that was compiled from this source.
    #[must_use]
    pub fn new(source: &'a SourceFile, program: &'a Program) -> Self {
        Self { source, program, names: Names::new(program) }
    }

    /// Gives the answer of an ask its name. To be called for every step before it is told.
    pub fn learn(&mut self, outcome: &Outcome) {
        self.names.learn(outcome);
    }

    /// Forgets the names of this symbol and all above it: the steps in which they came are taken back.
    pub fn forget(&mut self, symbol: Symbol) {
        self.names.forget(symbol);
    }

    /// `!Bidder2`.
    #[must_use]
    pub fn agent(&self, agent: AgentId) -> String {
        format!("!{}", self.program.agent_name(agent))
    }

    /// `!A, !B and !C`; of many the first only.
    #[must_use]
    pub fn agents(&self, agents: &[AgentId]) -> String {
        let mut names: Vec<String> = agents.iter().take(MAX_LISTED).map(|&agent| self.agent(agent)).collect();
        if agents.len() > MAX_LISTED {
            names.push(format!("{} more", agents.len() - MAX_LISTED));
            let last = names.pop().unwrap_or_default();
            return format!("{} and {last}", names.join(", "));
        }
        names.join(", ")
    }

    /// A value as the source would write it; an abstract one as `getValue#1`.
    #[must_use]
    pub fn value(&self, value: Value) -> String {
        self.names.value(value)
    }

    /// Values separated by commas.
    #[must_use]
    pub fn values(&self, values: &[Value]) -> String {
        self.names.values(values)
    }

    /// `bid(startBidding#1)`.
    #[must_use]
    pub fn message(&self, message: &Message) -> String {
        self.names.message(message)
    }

    /// `bid(..)`, or `quit()` if it has no arguments.
    #[must_use]
    pub fn performative(&self, performative: PerformativeId) -> String {
        self.names.performative(performative)
    }

    /// `agent(bidloop, getValue#1)`.
    #[must_use]
    pub fn call(&self, arguments: &[Value]) -> String {
        format!("agent({})", self.values(arguments))
    }

    /// The head of a clause, as it is written.
    #[must_use]
    pub fn head(&self, clause: ClauseId) -> String {
        self.quote(self.program.clause(clause).head_span)
    }

    /// `auction.map:12`.
    #[must_use]
    pub fn place(&self, span: SourceSpan) -> String {
        format!("{}:{}", self.file(), self.line(span))
    }

    /// `auction.map:12` for an operation.
    #[must_use]
    pub fn place_of(&self, point: PointId) -> String {
        self.place(self.program.point(point).span)
    }

    /// The file without its folders.
    #[must_use]
    pub fn file(&self) -> &str {
        let name = self.source.name();
        name.rsplit(['/', '\\']).next().filter(|base| !base.is_empty()).unwrap_or(name)
    }

    /// The line where it starts.
    #[must_use]
    pub fn line(&self, span: SourceSpan) -> usize {
        self.source.position(span.start).line
    }

    /// A piece of source on one line, shortened, with characters that nobody sees written out.
    #[must_use]
    pub fn quote(&self, span: SourceSpan) -> String {
        let text = self.source.slice(Span::new(span.start, span.end));
        let mut words = String::new();
        for word in text.lines().map(without_comment).flat_map(str::split_whitespace) {
            if !words.is_empty() {
                words.push(' ');
            }
            words.push_str(word);
            if words.chars().count() > MAX_QUOTED {
                let short: String = words.chars().take(MAX_QUOTED).collect();
                return format!("{} ..", escaped_line(&short));
            }
        }
        escaped_line(&words).into_owned()
    }

    /// The operation as it is written.
    #[must_use]
    pub fn quote_of(&self, point: PointId) -> String {
        self.quote(self.program.point(point).span)
    }

    /// The procedure of an ask.
    #[must_use]
    pub fn procedure_of(&self, ask: PointId) -> &str {
        match self.program.point(ask).kind {
            PointKind::Ask { procedure, .. } => &self.program.procedure(procedure).name,
            _ => "a procedure",
        }
    }

    /// The message of a send or receive, without its arguments.
    #[must_use]
    pub fn performative_of(&self, point: PointId) -> String {
        match self.program.point(point).kind {
            PointKind::Send { performative, .. } | PointKind::Receive { performative, .. } => {
                self.performative(performative)
            }
            _ => "a message".to_owned(),
        }
    }

    /// The agent of that name, as a value.
    ///
    /// # Errors
    /// If there is none.
    pub fn agent_named(&self, name: &str) -> Result<Value, String> {
        let found = self.program.agent_names.iter().position(|it| it == name);
        let found = found.map(|index| Value::Agent(AgentId::new(index)));
        found.ok_or_else(|| format!("there is no agent {name:?}"))
    }

    /// The role of that name, as a value.
    ///
    /// # Errors
    /// If there is none.
    pub fn role_named(&self, name: &str) -> Result<Value, String> {
        let found = self.program.roles.iter().position(|it| it == name);
        let found = found.map(|index| Value::Role(RoleId::new(index)));
        found.ok_or_else(|| format!("there is no role {name:?}"))
    }

    /// The abstract or fresh value that is called so.
    #[must_use]
    pub fn symbol_named(&self, name: &str) -> Option<Value> {
        self.names.symbol_named(name)
    }
}

/// Cut off at `//`, unless that is inside a string.
fn without_comment(line: &str) -> &str {
    let cut = line
        .match_indices("//")
        .map(|(at, _)| at)
        .find(|&at| line[..at].matches('"').count().is_multiple_of(2));
    cut.map_or(line, |at| &line[..at])
}
