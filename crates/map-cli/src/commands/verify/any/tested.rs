//! What a test compares.

use std::path::Path;
use std::time::Duration;

use map_explain::any::properties::expected;
use map_session::{AnyPropertyWord, Compilation};
use map_views::{AnyVerdict, Obstacle};

use super::super::args::Args;
use super::super::limits::SharedTime;
use super::super::task::Task;
use super::{Question, again, asking, check_file};
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use map_flags::Any;

/// What was found for any number of agents.
pub(in crate::commands::verify) struct Found {
    pub(in crate::commands::verify) verdict: String,
    /// Of a violation, the cast that has it, such as `bidder=2`.
    pub(in crate::commands::verify) with: Option<String>,
    /// Whether a mailbox may overflow with a small number of agents that was not verified.
    pub(in crate::commands::verify) may_overflow: bool,
    /// Whether a limit came before an answer.
    pub(in crate::commands::verify) is_open: bool,
    /// For each property, its name and the words for what was found.
    pub(in crate::commands::verify) properties: Vec<(String, String)>,
    pub(in crate::commands::verify) took: Duration,
}

/// Asks about a file that has no errors. The inner error says what is wrong with the flags.
pub(in crate::commands::verify) fn find(
    args: &Args,
    roles: &[Any],
    (file, loaded): (&Path, &Compilation),
    interrupt: &Interrupt,
    time: &SharedTime,
) -> Result<Result<Found, String>, Failure> {
    let [any] = roles else {
        let roles: Vec<String> = roles.iter().map(|it| format!("--agents {}=any", it.role)).collect();
        return Ok(Err(format!("a test is about one role at a time: {}", roles.join(" or "))));
    };
    if let Err(why) = check_file(args, loaded) {
        return Ok(Err(why));
    }
    let judges_properties = !args.judge.no_properties;
    let args = &asking(args, any);
    let (role, from) = (any.role.as_str(), any.from);
    let loaded = &again(loaded, args, from.max(2));
    let Some(program) = &loaded.program else { return Ok(Err("the scene has errors".to_owned())) };
    let bounds = match args.bounds.resolve(program) {
        Ok(bounds) => bounds,
        Err(why) => return Ok(Err(why)),
    };
    let scene = loaded.scene(bounds).expect("it has a program");
    let task = Task { args, file, loaded, scene, interrupt, time, checkpoints: None };
    let question = Question { args, role, from, others: Vec::new(), judges_properties };
    let asked = question.prove(&task)?;
    let may_overflow = asked.found.may_overflow().is_some();
    let (with, is_open) = match &asked.found.answer.verdict {
        AnyVerdict::Violated(count) => (Some(format!("{role}={count}")), false),
        AnyVerdict::NoProof(Obstacle::TooMany | Obstacle::Stopped) | AnyVerdict::NotVerified(_) => {
            (None, true)
        }
        AnyVerdict::Proved(_) | AnyVerdict::NoProof(_) => (None, may_overflow),
    };
    let properties = match &asked.found.properties {
        Some(found) => found.iter().map(|it| (it.name.clone(), expected(it, role))).collect(),
        // The scene goes wrong before, or there are too few agents of the role for views.
        None => {
            let file = map_syntax::parse(&loaded.source).file;
            file.properties()
                .map(|it| (it.name.text.clone(), AnyPropertyWord::NotJudged.words().to_owned()))
                .collect()
        }
    };
    Ok(Ok(Found {
        verdict: asked.found.verdict().words().to_owned(),
        with,
        may_overflow,
        is_open,
        properties,
        took: asked.found.took,
    }))
}
