//! From a call to the command lines that answer it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use rmcp::ErrorData;

use super::call::{Call, Dialogue};
use super::flags::{of_check, of_run, of_verify};
use super::limits::{Limits, MAX_TEXT};
use super::root::{Refused, Root};
use crate::commands::run::any_seed;

/// What is to be done for a call.
#[derive(Debug)]
pub(super) struct Job {
    verb: &'static str,
    words: Vec<String>,
    input: Input,
    pub(super) shape: Shape,
}

/// How the answer comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Text alone.
    Text,
    /// Text and JSON from one process each.
    Twice,
    /// From a search, which is not made twice: JSON on standard output and text on standard error.
    Search,
}

/// What a process reads.
#[derive(Debug)]
enum Input {
    Nothing,
    /// This text, on its standard input.
    Text(Arc<str>),
    /// The file of this name, from the root.
    Named(PathBuf),
    /// The same on its standard input, so that it cannot be written.
    Content(PathBuf),
}

/// Why there is nothing to be done.
pub(super) enum Refusal {
    /// The request breaks its rules.
    Protocol(ErrorData),
    /// What it asks for cannot be had; in words for the agent.
    Words(String),
}

impl From<Refused> for Refusal {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Forbidden(what) => Self::Protocol(ErrorData::invalid_params(what, None)),
            Refused::Missing(what) => Self::Words(what),
        }
    }
}

impl Job {
    /// # Errors
    /// Why the call cannot be answered.
    pub(super) fn new(call: Call, root: Option<&Root>, limits: &Limits) -> Result<Self, Refusal> {
        let flags = |words: Result<Vec<String>, String>| {
            words.map_err(|what| Refusal::Words(format!("error: flags: {what}")))
        };
        let text_of = |verb, words| Self { verb, words, input: Input::Nothing, shape: Shape::Text };
        Ok(match call {
            Call::Check(dialogue, given) => {
                let input = input(dialogue, root)?;
                Self { verb: "check", words: flags(of_check(&given))?, input, shape: Shape::Twice }
            }
            Call::Run(dialogue, given) => {
                let input = input(dialogue, root)?;
                Self { verb: "run", words: flags(of_run(&given, any_seed))?, input, shape: Shape::Twice }
            }
            Call::Verify(dialogue, given) => {
                let input = input(dialogue, root)?;
                Self { verb: "verify", words: flags(of_verify(&given, limits))?, input, shape: Shape::Search }
            }
            Call::Format(dialogue) => {
                let input = match input(dialogue, root)? {
                    Input::Named(file) => Input::Content(file),
                    input => input,
                };
                Self { verb: "fmt", words: Vec::new(), input, shape: Shape::Text }
            }
            Call::Explain(code) => text_of("explain", code.into_iter().collect()),
            Call::List(name) => text_of("new", name.into_iter().map(|it| format!("--from={it}")).collect()),
            Call::Read(name) => text_of("new", vec![format!("--from={name}"), "-".to_owned()]),
        })
    }

    /// Whether it may take long.
    pub(super) fn is_search(&self) -> bool {
        self.shape == Shape::Search
    }

    /// Whether errors in the text are what was asked for.
    pub(super) fn looks_for_errors(&self) -> bool {
        self.verb == "check"
    }

    /// The command line, with JSON on standard output if wanted, and its standard input.
    ///
    /// # Errors
    /// If a file cannot be opened.
    pub(super) fn command(
        &self,
        program: &Path,
        root: Option<&Root>,
        json: bool,
    ) -> std::io::Result<(Command, Option<Arc<str>>)> {
        let mut command = Command::new(program);
        command.args(["--color=never", self.verb]).args(&self.words).stdin(Stdio::null());
        command.env_remove("COLUMNS");
        if json {
            command.arg("--format=json");
        }
        if self.shape == Shape::Search {
            command.arg("--text-too");
        }
        if let Some(root) = root {
            command.current_dir(root.folder());
        }
        match (&self.input, root) {
            (Input::Nothing, _) => {}
            (Input::Text(text), _) => {
                command.arg("-");
                return Ok((command, Some(Arc::clone(text))));
            }
            (Input::Named(file), _) => {
                command.args([OsString::from("--"), file.into()]);
            }
            (Input::Content(file), root) => {
                let folder = root.map(Root::folder).unwrap_or(Path::new(""));
                command.arg("-").stdin(std::fs::File::open(folder.join(file))?);
            }
        }
        Ok((command, None))
    }
}

fn input(dialogue: Dialogue, root: Option<&Root>) -> Result<Input, Refusal> {
    match (dialogue, root) {
        (Dialogue::Text(text), _) if text.len() > MAX_TEXT => {
            Err(Refusal::Words(format!("the text is larger than {} MiB", MAX_TEXT >> 20)))
        }
        (Dialogue::Text(text), _) => Ok(Input::Text(text.into())),
        (Dialogue::Path(path), Some(root)) => Ok(Input::Named(root.file(&path)?)),
        (Dialogue::Path(_), None) => {
            let what = "path: this server reads no files, since it was started without --root; give the text";
            Err(Refusal::Protocol(ErrorData::invalid_params(what, None)))
        }
    }
}
