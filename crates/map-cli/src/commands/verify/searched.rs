//! Searches a scene, and holds what is found about its termination and its properties.

use map_explain::verification::Presentation;
use map_flags::Host as _;
use map_session::{Evidence, SearchLimits, Verification};
use map_verify::{Limit, Verdict};

use super::args::Args;
use super::properties::Answers;
use super::shown::Shown;
use super::task::Task;
use super::together::Member;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::json::VerifiedOutput;

/// What a search found, and how it is to be shown.
#[derive(Clone, Copy)]
pub(super) struct Searched<'a> {
    pub(super) args: &'a Args,
    pub(super) found: &'a Verification,
    /// What to do about the verdict, if that was tried.
    pub(super) advice: Option<&'a str>,
}

/// Searches the scene, and judges its properties, perhaps with other processes.
pub(super) fn search(task: &Task<'_>, member: Option<Member>) -> Result<Verification, Failure> {
    search_within(task.next_limits(), task, member)
}

/// Like [`search`], within these limits.
pub(super) fn search_within(
    limits: SearchLimits,
    task: &Task<'_>,
    member: Option<Member>,
) -> Result<Verification, Failure> {
    let mut watch = task.watch(&task.scene, &limits).keeping(task.checkpoints.clone());
    let question = task.args.search.question(limits);
    match member {
        None => Ok(question.ask(&task.scene, &mut watch)?),
        Some(member) => {
            let mut joined = member.join(task, &limits.limits)?;
            let found = question.ask_of(&mut joined, &task.scene, &mut watch);
            joined.leave();
            found
        }
    }
}

impl<'a> Searched<'a> {
    /// What was found under these flags, without advice.
    pub(super) const fn new(args: &'a Args, found: &'a Verification) -> Self {
        Self { args, found, advice: None }
    }

    /// What was found about the properties.
    pub(super) fn answers(&self) -> Answers<'a> {
        Answers { args: self.args, found: &self.found.properties }
    }

    /// The answer, presented as the flags want it.
    pub(super) fn presented<T>(&self, present: impl FnOnce(&Verification, &Presentation<'_>) -> T) -> T {
        self.args.present(&self.found.scene, self.advice, |how| present(self.found, how))
    }

    /// The answer for programs.
    pub(super) fn output(&self) -> VerifiedOutput {
        VerifiedOutput::new(self.found, &self.args.search.scene.agents, &self.args.denied())
    }

    /// The exit code of the verdict on termination.
    pub(super) fn exit_of_verdict(&self) -> Exit {
        match self.found.report.verdict {
            _ if self.found.report.limit == Some(Limit::Interrupted) => Exit::Interrupted,
            Verdict::Terminates | Verdict::TerminatesIfFair => Exit::Fine,
            Verdict::Violated(_) => Exit::Violation,
            Verdict::Inconclusive => Exit::Inconclusive,
        }
    }

    /// The run of the verdict.
    pub(super) fn run_of_verdict(&self) -> Option<Shown<'a>> {
        self.found.evidence().map(|evidence| self.shown(evidence))
    }

    /// A run that shows the verdict.
    pub(super) fn shown(&self, evidence: Evidence<'a>) -> Shown<'a> {
        Shown { verdict: self.found.report.verdict.words().to_owned(), evidence }
    }
}
