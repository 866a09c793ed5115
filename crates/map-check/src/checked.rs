//! The result of the static checks for one scene under one cast: plain tables for the compiler.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use indexmap::{IndexMap, IndexSet};
use map_diagnostics::Span;
use map_syntax::ast::{self, Name};

use crate::given::{FirstValue, GivenValue};

/// A number of agents given on the command line, `--agents bidder=3`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CastOverride {
    /// A role or, if there is no such role, an agent name; without sigil.
    pub name: String,
    /// The number of agents, as given; it may be out of range.
    pub count: i64,
}

impl fmt::Display for CastOverride {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.name, self.count)
    }
}

impl FromStr for CastOverride {
    /// What is expected.
    type Err = String;

    /// `bidder=3`. The sigil of the role or agent is optional.
    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || "expected NAME=COUNT with a count of 0 or more, such as bidder=3".to_owned();
        let (name, count) = text.split_once('=').ok_or_else(expected)?;
        let name = name.trim();
        let name = name.strip_prefix(['%', '!']).unwrap_or(name);
        let count = Some(count).filter(|count| count.bytes().all(|byte| byte.is_ascii_digit()));
        let count = count.and_then(|count| count.parse().ok()).ok_or_else(expected)?;
        if name.is_empty() {
            return Err(expected());
        }
        Ok(Self { name: name.to_owned(), count })
    }
}

/// Which scene and cast to check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckOptions {
    /// The scene's name; `None` for the first.
    pub scene: Option<String>,
    /// Overrides of the file's cast, in order.
    pub agents: Vec<CastOverride>,
    /// First values of cells of the scene, in place of those of the file.
    pub set: Vec<FirstValue>,
}

/// A scene that obeys every static rule under the given cast.
#[derive(Clone, Debug)]
pub struct CheckedScene<'a> {
    /// The file; its memories and procedures are shared by all scenes.
    pub file: &'a ast::File,
    /// The scene.
    pub scene: &'a ast::Scene,
    /// Role names in order of first definition; roles are referred to by their index here.
    pub roles: IndexSet<String>,
    /// The parts in order of their first clause.
    pub parts: Vec<PartInfo>,
    /// The clauses, parallel to `scene.clauses`.
    pub clauses: Vec<ClauseInfo>,
    /// The agents, part by part.
    pub agents: Vec<AgentInfo>,
    /// Every procedure that is asked or declared, in order of declaration, then of first use.
    pub procedures: IndexMap<String, ProcedureInfo>,
    /// The meaning of every occurrence of a variable in a clause, keyed by the start of its span.
    pub occurrences: IndexMap<u32, Occurrence>,
    /// First values of cells, in place of those of the file.
    pub first_values: Vec<GivenValue>,
}

impl CheckedScene<'_> {
    /// Whether the variable occurrence at `span` is the one that binds it.
    #[must_use]
    pub fn binds(&self, span: Span) -> bool {
        self.occurrences.get(&span.start) == Some(&Occurrence::Binds)
    }

    /// Whether an ask into the variable, if there is one, compares the answer.
    pub(crate) fn compares(&self, variable: Option<&Name>) -> bool {
        variable.is_some_and(|it| !self.binds(it.span))
    }

    /// The agent of that name, as an index into [`CheckedScene::agents`]. `None` for the name of a part to which the
    /// cast gives no agents.
    #[must_use]
    pub fn agent_named(&self, name: &str) -> Option<usize> {
        self.agents.iter().position(|agent| agent.name == name)
    }
}

/// A part: all clauses with the same role and the same `who`.
#[derive(Clone, Debug)]
pub struct PartInfo {
    /// Index into [`CheckedScene::roles`].
    pub role: usize,
    /// The literal agent name of the heads, `None` if they have a variable. In the part's own clauses this literal
    /// refers to the agent itself.
    pub literal: Option<String>,
    /// Indices of its clauses, in order.
    pub clauses: Vec<usize>,
    /// Index of the entry clause: the one whose head has only an agent and a role.
    pub entry: usize,
    /// Its agents, as indices into [`CheckedScene::agents`].
    pub agents: Range<usize>,
}

/// Information about a clause.
#[derive(Clone, Debug)]
pub struct ClauseInfo {
    /// Index into [`CheckedScene::parts`].
    pub part: usize,
}

/// An agent of the cast.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentInfo {
    /// Its name without `!`.
    pub name: String,
    /// Index into [`CheckedScene::parts`].
    pub part: usize,
}

/// A decision procedure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcedureInfo {
    /// Number of arguments.
    pub arity: usize,
    /// Whether it may answer "no": false only if it is declared with `procedure`.
    pub may_refuse: bool,
    /// Whether it does so for all that its body tells: the last alternative may have no guard.
    pub may_say_no: bool,
    /// Its declaration, or else its first use.
    pub span: Span,
}

/// What an occurrence of a variable does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occurrence {
    /// In a pattern or an answer: unbound on every path to here, and bound here. Only the first occurrence in a
    /// pattern (arguments left to right, then agent, then role) binds.
    Binds,
    /// In a pattern or an answer: already bound on every path to here, or earlier in the same pattern, and
    /// compared.
    Compares,
    /// Its value is used.
    Value,
}
