//! Display names of agents, values, messages and places.

use map_diagnostics::{SourceFile, Span, escaped_line};
use map_ir::{
    AgentId, ClauseId, PerformativeId, PointId, PointKind, Program, RoleId, SourceSpan, Symbol, Value,
};
use map_semantics::{Message, Names, Outcome};

/// The maximum number of agents that are listed by name.
const MAX_LISTED: usize = 8;

/// The maximum length of a source quotation inside a sentence, in characters.
const MAX_QUOTED: usize = 60;

/// Names everything in a run in terms of the source.
#[derive(Clone)]
pub struct Namer<'a> {
    /// The source, for quotations.
    pub source: &'a SourceFile,
    /// The program compiled from it.
    pub program: &'a Program,
    /// The names of values.
    pub names: Names<'a>,
}

impl<'a> Namer<'a> {
    /// A namer for a program compiled from this source.
    #[must_use]
    pub fn new(source: &'a SourceFile, program: &'a Program) -> Self {
        Self { source, program, names: Names::new(program) }
    }

    /// Names the new symbols of a step. Must be called for every step before it is described.
    pub fn learn(&mut self, outcome: &Outcome) {
        self.names.learn(outcome);
    }

    /// Forgets all names of values, because another run is told from its start.
    pub fn begin_run(&mut self) {
        self.names.forget(Symbol(0));
    }

    /// Forgets the names of this symbol and all above it, because the steps that introduced them were undone.
    pub fn forget(&mut self, symbol: Symbol) {
        self.names.forget(symbol);
    }

    /// `!Bidder2`.
    #[must_use]
    pub fn agent(&self, agent: AgentId) -> String {
        format!("!{}", self.program.agent_name(agent))
    }

    /// `!A, !B, !C`; of a long list only the first names.
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

    /// A value in source syntax; an abstract or fresh one as `getValue#1`.
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

    /// The head of a clause, as written.
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

    /// The name of the file, without folders.
    #[must_use]
    pub fn file(&self) -> &str {
        let name = self.source.name();
        name.rsplit(['/', '\\']).next().filter(|base| !base.is_empty()).unwrap_or(name)
    }

    /// The line on which a span starts, from 1.
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

    /// An operation, as written.
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

    /// Whether the procedure of an ask may say "no".
    #[must_use]
    pub fn may_refuse(&self, ask: PointId) -> bool {
        match self.program.point(ask).kind {
            PointKind::Ask { procedure, .. } => self.program.procedure(procedure).may_refuse,
            _ => false,
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

    /// The agent with this name, as a value.
    ///
    /// # Errors
    /// If there is no such agent.
    pub fn agent_named(&self, name: &str) -> Result<Value, String> {
        let found = self.program.agent_names.iter().position(|it| it == name);
        let found = found.map(|index| Value::Agent(AgentId::new(index)));
        found.ok_or_else(|| format!("there is no agent {name:?}"))
    }

    /// The role with this name, as a value.
    ///
    /// # Errors
    /// If there is no such role.
    pub fn role_named(&self, name: &str) -> Result<Value, String> {
        let found = self.program.roles.iter().position(|it| it == name);
        let found = found.map(|index| Value::Role(RoleId::new(index)));
        found.ok_or_else(|| format!("there is no role {name:?}"))
    }

    /// The abstract or fresh value with this name, such as `getValue#1`.
    #[must_use]
    pub fn symbol_named(&self, name: &str) -> Option<Value> {
        self.names.symbol_named(name)
    }
}

/// A line up to its comment, which starts with a `//` outside strings.
fn without_comment(line: &str) -> &str {
    let cut = line
        .match_indices("//")
        .map(|(at, _)| at)
        .find(|&at| line[..at].matches('"').count().is_multiple_of(2));
    cut.map_or(line, |at| &line[..at])
}
