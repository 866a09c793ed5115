//! Names for everything: agents, values, messages, places.

use map_diagnostics::{SourceFile, Span};
use map_ir::{AgentId, ClauseId, PerformativeId, PointId, PointKind, Program, SourceSpan, Symbol, Value};
use map_semantics::{Message, Names, Outcome};

/// How many agents are listed by name.
const MAX_LISTED: usize = 8;

/// The longest piece of source that is quoted inside a sentence, in characters.
const MAX_QUOTED: usize = 60;

/// Knows how to name things, and where they stand in the source.
#[derive(Clone)]
pub(crate) struct Teller<'a> {
    pub(crate) source: &'a SourceFile,
    pub(crate) program: &'a Program,
    /// What values are called.
    pub(crate) names: Names<'a>,
}

impl<'a> Teller<'a> {
    pub(crate) fn new(source: &'a SourceFile, program: &'a Program) -> Self {
        Self { source, program, names: Names::new(program) }
    }

    /// Gives the answer of an ask its name. To be called for every step before it is told.
    pub(crate) fn learn(&mut self, outcome: &Outcome) {
        self.names.learn(outcome);
    }

    /// Forgets the names of this symbol and all above it: the steps in which they came are taken back.
    pub(crate) fn forget(&mut self, symbol: Symbol) {
        self.names.forget(symbol);
    }

    /// `!Bidder2`.
    pub(crate) fn agent(&self, agent: AgentId) -> String {
        format!("!{}", self.program.agent_name(agent))
    }

    /// `!A, !B and !C`; of many the first only.
    pub(crate) fn agents(&self, agents: &[AgentId]) -> String {
        let mut names: Vec<String> = agents.iter().take(MAX_LISTED).map(|&agent| self.agent(agent)).collect();
        if agents.len() > MAX_LISTED {
            names.push(format!("{} more", agents.len() - MAX_LISTED));
            let last = names.pop().unwrap_or_default();
            return format!("{} and {last}", names.join(", "));
        }
        names.join(", ")
    }

    /// A value as the source would write it; an abstract one as `getValue#1`.
    pub(crate) fn value(&self, value: Value) -> String {
        self.names.value(value)
    }

    /// Values separated by commas.
    pub(crate) fn values(&self, values: &[Value]) -> String {
        self.names.values(values)
    }

    /// `bid(startBidding#1)`.
    pub(crate) fn message(&self, message: &Message) -> String {
        self.names.message(message)
    }

    /// `bid(..)`, or `quit()` if it has no arguments.
    pub(crate) fn performative(&self, performative: PerformativeId) -> String {
        self.names.performative(performative)
    }

    /// `agent(bidloop, getValue#1)`.
    pub(crate) fn call(&self, arguments: &[Value]) -> String {
        format!("agent({})", self.values(arguments))
    }

    /// The head of a clause, as it is written.
    pub(crate) fn head(&self, clause: ClauseId) -> String {
        self.quote(self.program.clause(clause).head_span)
    }

    /// `auction.map:12`.
    pub(crate) fn place(&self, span: SourceSpan) -> String {
        format!("{}:{}", self.file(), self.line(span))
    }

    /// `auction.map:12` for an operation.
    pub(crate) fn place_of(&self, point: PointId) -> String {
        self.place(self.program.point(point).span)
    }

    /// The file without its folders.
    pub(crate) fn file(&self) -> &str {
        let name = self.source.name();
        name.rsplit(['/', '\\']).next().filter(|base| !base.is_empty()).unwrap_or(name)
    }

    /// The line where it starts.
    pub(crate) fn line(&self, span: SourceSpan) -> usize {
        self.source.position(span.start).line
    }

    /// A piece of source on one line, shortened.
    pub(crate) fn quote(&self, span: SourceSpan) -> String {
        let text = self.source.slice(Span::new(span.start, span.end));
        let mut words = String::new();
        for word in text.lines().map(without_comment).flat_map(str::split_whitespace) {
            if !words.is_empty() {
                words.push(' ');
            }
            words.push_str(word);
            if words.chars().count() > MAX_QUOTED {
                let short: String = words.chars().take(MAX_QUOTED).collect();
                return format!("{short} ..");
            }
        }
        words
    }

    /// The operation as it is written.
    pub(crate) fn quote_of(&self, point: PointId) -> String {
        self.quote(self.program.point(point).span)
    }

    /// The procedure of an ask.
    pub(crate) fn procedure_of(&self, ask: PointId) -> &str {
        match self.program.point(ask).kind {
            PointKind::Ask { procedure, .. } => &self.program.procedure(procedure).name,
            _ => "a procedure",
        }
    }

    /// The message of a send or receive, without its arguments.
    pub(crate) fn performative_of(&self, point: PointId) -> String {
        match self.program.point(point).kind {
            PointKind::Send { performative, .. } | PointKind::Receive { performative, .. } => {
                self.performative(performative)
            }
            _ => "a message".to_owned(),
        }
    }

    /// The abstract or fresh value that is called so.
    pub(crate) fn symbol_named(&self, name: &str) -> Option<Value> {
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
