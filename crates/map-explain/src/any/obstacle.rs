//! Why there is no proof, in words: what is not known, why, and what can be done about it.

use map_diagnostics::SourceFile;
use map_ir::Program;
use map_syntax::{TokenKind, sketch};
use map_views::{Fault, Obstacle, Refusal};

use crate::grouped;

/// `1 view`, `1,234 views`.
pub(super) fn counted_views(views: usize) -> String {
    format!("{} view{}", grouped(views as u64), if views == 1 { "" } else { "s" })
}

/// Why there is no proof.
pub struct NoProof {
    /// What is not excluded, or that nothing could be tried.
    pub what: String,
    /// Why.
    pub why: String,
    /// What its reader can do.
    pub advice: String,
}

/// What it is about.
#[derive(Clone, Copy)]
pub(super) struct About<'a> {
    pub(super) role: &'a str,
    pub(super) source: &'a SourceFile,
    pub(super) program: &'a Program,
    /// The first number of agents that was not verified.
    pub(super) next: u32,
    /// The most views.
    pub(super) most: usize,
    /// Whether it was interrupted: otherwise its time was up.
    pub(super) interrupted: bool,
}

impl NoProof {
    fn new(what: impl Into<String>, why: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { what: what.into(), why: why.into(), advice: advice.into() }
    }

    /// In one line.
    #[must_use]
    pub fn line(&self) -> String {
        format!("{}: {}", self.what, self.why)
    }

    pub(super) fn of(obstacle: Obstacle, about: About<'_>) -> Self {
        let About { role, next, .. } = about;
        let shown = |what: &str, it: &str| {
            Self::new(
                format!("not excluded: {what}"),
                format!(
                    "it occurs in a view, but views show more than can happen, so perhaps {it} never does"
                ),
                format!("--agents {role}={next} looks for one with {next} of them"),
            )
        };
        match obstacle {
            Obstacle::Refused(refusal) => Self::refused(refusal, about),
            Obstacle::Fault(Fault::Failure) => shown("that an agent fails", "it"),
            Obstacle::Fault(Fault::Runaway) => shown("runaway recursion", "it"),
            Obstacle::Fault(Fault::RunError) => shown("a run error", "it"),
            Obstacle::Deadlock => shown("a deadlock", "it"),
            Obstacle::Fault(Fault::Integers) => Self::new(
                "not excluded: anything that depends on large integers",
                "an integer grows beyond those written in the text, views take it for any integer, and the scene \
                 computes with it",
                format!(
                    "count with cells to which only written integers are added, or verify a number: --agents {role}={next}"
                ),
            ),
            Obstacle::Fault(Fault::Counting | Fault::Told(..)) => Self::new(
                "not excluded: anything that depends on a cell that counts",
                "one agent adds to it again and again, and views tell a few times apart",
                format!("verify a number: --agents {role}={next}"),
            ),
            Obstacle::Fault(Fault::Cut) => Self::new(
                "not excluded: anything behind a step that was cut",
                "it needs deeper recursion, more calls or more outcomes than a step may have",
                "raise --depth",
            ),
            Obstacle::TooMany => Self::new(
                "not finished",
                format!("there are more than {} views", grouped(about.most as u64)),
                format!("raise --max-states, or verify a number: --agents {role}={next}"),
            ),
            Obstacle::Stopped if about.interrupted => {
                Self::new("not finished", "it was interrupted", "let it run longer")
            }
            Obstacle::Stopped => Self::new(
                "not finished",
                "a limit of time or memory was reached",
                "raise --time-limit or --max-memory",
            ),
            Obstacle::NoStart => Self::new(
                "not tried",
                "an agent cannot come to its first place within the bounds",
                "raise --depth",
            ),
        }
    }

    fn refused(refusal: Refusal, about: About<'_>) -> Self {
        let About { role, next, .. } = about;
        let number = format!("verify a number: --agents {role}={next}");
        let (why, advice) = match refusal {
            Refusal::NoSuchRole => {
                let roles: Vec<String> = about.program.roles.iter().map(|it| format!("%{it}")).collect();
                (format!("the scene has no role %{role}"), format!("its roles are {}", roles.join(", ")))
            }
            Refusal::SeveralParts => (
                format!("several parts of the scene play %{role}, so its agents are not alike"),
                "give each part a role of its own".to_owned(),
            ),
            Refusal::NotPlural => (
                format!("%{role} is played by agents that the text names, so there is no number of them"),
                format!("write its part for any agent, as in agent($me, %{role})"),
            ),
            Refusal::Named => (
                format!("the text names {}, so the agents of %{role} are not interchangeable", named(about)),
                format!("let messages tell who is meant, or {number}"),
            ),
            Refusal::Faults => (
                "messages are under way for a while or lost, or agents crash".to_owned(),
                format!("leave --network out, or {number}"),
            ),
            Refusal::Rounds => {
                ("--rounds bounds the calls of each agent".to_owned(), "leave --rounds out".to_owned())
            }
            Refusal::Begun => {
                ("the runs begin with given steps, which are those of one cast".to_owned(), number)
            }
            Refusal::NotAlike => (format!("with another number of %{role} the scene is another one"), number),
            Refusal::Numbered => (
                format!(
                    "a cell holds the number of %{role}, and more is done with it than counting and comparing"
                ),
                number,
            ),
        };
        Self::new("not tried", why, advice)
    }
}

/// The first place at which the text names an agent of the role, or a general phrase.
fn named(about: About<'_>) -> String {
    let About { role, source, program, .. } = about;
    let members = program.cast().filter(|&agent| program.role_name(program.agent(agent).role) == role);
    let members: Vec<String> = members.map(|agent| format!("!{}", program.agent_name(agent))).collect();
    let text = source.text();
    let is_named = |word: &str| members.iter().any(|it| it == word);
    let tokens = sketch(text).tokens;
    let mut words = tokens.iter().filter(|it| it.kind == TokenKind::AgentName);
    let first = words.find_map(|it| {
        let range = it.span.start as usize..it.span.end as usize;
        let word = text.get(range.clone())?;
        is_named(word).then_some((range.start, word))
    });
    match first {
        Some((start, word)) => {
            let place = source.position(u32::try_from(start).unwrap_or(u32::MAX));
            format!("{word} at {}:{}:{}", source.name(), place.line, place.column)
        }
        None => "one of them".to_owned(),
    }
}
