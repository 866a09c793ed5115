//! What the static rules found out about one scene under one cast: plain tables for the compiler.

use std::ops::Range;

use indexmap::{IndexMap, IndexSet};
use map_diagnostics::Span;
use map_syntax::ast;

/// A number of agents given on the command line, `--agents bidder=3`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CastOverride {
    /// A role, else an agent name; without sigil.
    pub name: String,
    /// How many.
    pub count: i64,
}

/// Which scene and cast to check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckOptions {
    /// The scene's name; `None` for the first.
    pub scene: Option<String>,
    /// Overrides of the file's cast, in order.
    pub agents: Vec<CastOverride>,
}

/// A scene that obeys every static rule under the given cast.
#[derive(Clone, Debug)]
pub struct Checked<'a> {
    /// The file: its memories and procedures hold for every scene.
    pub file: &'a ast::File,
    /// The scene.
    pub scene: &'a ast::Scene,
    /// Role names in order of first definition; an index here is the role's number.
    pub roles: IndexSet<String>,
    /// The parts in order of their first clause.
    pub parts: Vec<PartInfo>,
    /// The clauses, parallel to `scene.clauses`.
    pub clauses: Vec<ClauseInfo>,
    /// The agents, part by part.
    pub agents: Vec<AgentInfo>,
    /// Every procedure that is asked or declared, in order of declaration, then of first use.
    pub procedures: IndexMap<String, ProcedureInfo>,
    /// For every occurrence of a variable in a clause (keyed by the start of its span): its meaning there.
    pub occurrences: IndexMap<u32, Occurrence>,
}

impl Checked<'_> {
    /// Whether the variable occurrence at `span` is the one that binds it.
    #[must_use]
    pub fn binds(&self, span: Span) -> bool {
        self.occurrences.get(&span.start) == Some(&Occurrence::Binds)
    }

    /// The agent of that name, as an index into [`Checked::agents`]. A name that a part defines but of which the
    /// cast has no agent (count 0) gives `None`.
    #[must_use]
    pub fn agent_named(&self, name: &str) -> Option<usize> {
        self.agents.iter().position(|agent| agent.name == name)
    }
}

/// A part: all clauses with the same role and the same `who`.
#[derive(Clone, Debug)]
pub struct PartInfo {
    /// Index into [`Checked::roles`].
    pub role: usize,
    /// The literal agent name of the heads, `None` for a variable. In the part's own clauses that literal means
    /// the agent itself.
    pub literal: Option<String>,
    /// Indices of its clauses, in order.
    pub clauses: Vec<usize>,
    /// Index of the clause without further terms.
    pub entry: usize,
    /// Its agents, as indices into [`Checked::agents`].
    pub agents: Range<usize>,
}

/// What is known of a clause.
#[derive(Clone, Debug)]
pub struct ClauseInfo {
    /// Index into [`Checked::parts`].
    pub part: usize,
}

/// An agent of the cast.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentInfo {
    /// Its name without `!`.
    pub name: String,
    /// Index into [`Checked::parts`].
    pub part: usize,
}

/// A decision procedure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcedureInfo {
    /// Number of arguments.
    pub arity: usize,
    /// False if declared with `procedure`.
    pub may_refuse: bool,
    /// Its declaration, or else its first use.
    pub span: Span,
}

/// What a variable does where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occurrence {
    /// In a pattern or an answer: it is unbound on every path to here, and bound here. In one pattern only the first
    /// occurrence (arguments left to right, then agent, then role) binds.
    Binds,
    /// In a pattern or an answer: it is bound on every path to here, or earlier in the same pattern, and compared.
    Compares,
    /// Its value is used.
    Value,
}
