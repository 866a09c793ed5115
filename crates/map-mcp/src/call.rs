//! Calls of tools: which tool, what it is given, and what answers.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::answer::Answer;
use crate::arguments::{Arguments, Drawn};
use crate::cheatsheet::CHEATSHEET;
use crate::check::check;
use crate::conform::conform;
use crate::dialogue::{diagnostics, dialogue};
use crate::draw::draw;
use crate::library::{explain, library};
use crate::limits::Limits;
use crate::root::Root;
use crate::run::run;
use crate::verify::verify;
use crate::watch::Task;

/// A tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tool {
    Check,
    Verify,
    Run,
    Explain,
    Format,
    Library,
    Conform,
    Render,
    Cheatsheet,
}

impl Tool {
    /// All of them, as they are listed.
    pub(crate) const ALL: [Self; 9] = [
        Self::Check,
        Self::Verify,
        Self::Run,
        Self::Explain,
        Self::Format,
        Self::Library,
        Self::Conform,
        Self::Render,
        Self::Cheatsheet,
    ];

    /// Its name.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Check => "check",
            Self::Verify => "verify",
            Self::Run => "run",
            Self::Explain => "explain",
            Self::Format => "format",
            Self::Library => "library",
            Self::Conform => "conform",
            Self::Render => "render",
            Self::Cheatsheet => "cheatsheet",
        }
    }

    /// The arguments that it takes.
    pub(crate) const fn arguments(self) -> &'static [&'static str] {
        match self {
            Self::Check | Self::Run => &["text", "path", "flags", "max_bytes", "structured"],
            Self::Verify => &["text", "path", "flags", "detail", "max_bytes", "structured"],
            Self::Explain => &["code", "max_bytes"],
            Self::Format => &["text", "path"],
            Self::Library => &["action", "name", "max_bytes"],
            Self::Conform => &["text", "path", "log", "flags", "max_bytes", "structured"],
            Self::Render => &["text", "path", "what", "as", "flags"],
            Self::Cheatsheet => &[],
        }
    }
}

/// A call of a tool.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) tool: Tool,
    pub(crate) arguments: Arguments,
}

impl Call {
    /// # Errors
    /// What is wrong with the arguments.
    pub(crate) fn read(tool: Tool, given: Map<String, Value>) -> Result<Self, String> {
        Ok(Self { tool, arguments: Arguments::read(given, tool.arguments())? })
    }

    /// Whether it may take long.
    pub(crate) fn is_search(&self) -> bool {
        match self.tool {
            Tool::Verify | Tool::Conform => true,
            Tool::Render => self.arguments.what != Drawn::Roles,
            _ => false,
        }
    }

    /// Does what is asked for.
    pub(crate) fn answer(
        &self,
        root: Option<&Root>,
        limits: &Limits,
        any_seed: fn() -> u64,
        task: &Task,
    ) -> Answer {
        let given = &self.arguments;
        let source = || dialogue(given.text.as_deref(), given.path.as_deref(), root);
        let answer = match self.tool {
            Tool::Check => source().and_then(|source| check(&source, given)),
            Tool::Verify => source().and_then(|source| verify(&source, given, limits, task)),
            Tool::Run => source().and_then(|source| run(&source, given, any_seed, task)),
            Tool::Conform => source().and_then(|source| conform(&source, given, task)),
            Tool::Render => source().and_then(|source| draw(&source, given, limits, task)),
            Tool::Format => source().and_then(|source| {
                let formatted = map_syntax::format(&source);
                formatted.map(Answer::whole).map_err(|errors| diagnostics(&source, &errors))
            }),
            Tool::Explain => explain(given.code.as_deref()),
            Tool::Library => library(given.action, given.name.as_deref()),
            Tool::Cheatsheet => Ok(Answer::whole(CHEATSHEET)),
        };
        answer.unwrap_or_else(|why| Answer::failed(&why))
    }
}

/// What is shared by all calls.
pub(crate) struct Shared {
    pub(crate) root: Option<Root>,
    pub(crate) limits: Limits,
    pub(crate) any_seed: fn() -> u64,
}

impl Shared {
    /// Answers a call.
    pub(crate) fn answer(self: &Arc<Self>, call: &Call, task: &Task) -> Answer {
        call.answer(self.root.as_ref(), &self.limits, self.any_seed, task)
    }
}
