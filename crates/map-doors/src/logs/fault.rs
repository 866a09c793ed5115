//! Lines that cannot be used, and logs that cannot be read.

use std::io;
use std::path::Path;

use map_conform::Fault;
use map_diagnostics::{Code, Diagnostic, SourceFile};
use map_explain::conformance::{LogName, Places, code_of, help_for};
use map_json::{ConformBadLine, ConformPlace};

use super::shown_log;

/// A line that cannot be used, or a log that cannot be read.
#[derive(Clone, Debug)]
pub struct LogFault {
    /// The log.
    pub log: LogName,
    /// The line, from 1; 0 if it is about the whole log.
    pub line: u64,
    /// What kind of fault it is.
    pub code: Code,
    /// What is wrong.
    pub text: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl LogFault {
    fn of_log(log: &str, line: u64, text: String, help: Option<String>) -> Self {
        Self { log: LogName::new(log), line, code: Code::ConformRecord, text, help }
    }

    /// A log that cannot be opened, or copied.
    pub(super) fn unreadable(path: &Path, error: &io::Error) -> Self {
        Self::of_log(&shown_log(path), 0, format!("the log cannot be opened: {error}"), None)
    }

    /// A log that cannot be read on.
    pub(super) fn broken(log: &str, line: u64, error: &io::Error) -> Self {
        Self::of_log(log, line, format!("the log cannot be read: {error}"), None)
    }

    /// A log that is no file, and longer than may be copied.
    pub(super) fn too_large(path: &Path, most: u64) -> Self {
        let text = format!("the log is no file, and longer than {most} bytes");
        let help = "write it into a file, or allow more with --spool".to_owned();
        Self::of_log(&shown_log(path), 0, text, Some(help))
    }

    /// A log of which a later process could not read what this one has not read.
    pub(super) fn no_file(log: &str) -> Self {
        let help = "let whoever writes it write into a file".to_owned();
        Self::of_log(log, 0, "the log is no file, and --checkpoint needs files".to_owned(), Some(help))
    }

    /// A log that is no text.
    pub(super) fn no_text(log: &str, what: &str, command: &str) -> Self {
        let help = format!("read it by a pipe: {command} LOG | map conform FILE -");
        Self::of_log(log, 0, format!("the log is {what}"), Some(help))
    }

    /// A line that cannot be used.
    #[must_use]
    pub fn of_line(log: LogName, line: u64, fault: &Fault) -> Self {
        let help = Some(help_for(fault.kind).to_owned());
        Self { log, line, code: code_of(fault.kind), text: fault.text.clone(), help }
    }

    /// What is said of it, about an empty text that is called like the log.
    #[must_use]
    pub fn diagnostic(&self) -> (SourceFile, Diagnostic) {
        let logs = std::slice::from_ref(&self.log);
        let name = &self.log.name;
        let source = SourceFile::new(name.clone(), "");
        let mark = map_conform::Mark { line: self.line, ..map_conform::Mark::default() };
        let place = match self.line {
            0 => name.clone(),
            _ => Places { source: &source, logs }.full(mark),
        };
        let mut diagnostic = Diagnostic::unplaced(self.code, format!("{place}: {}", self.text));
        if let Some(help) = &self.help {
            diagnostic = diagnostic.with_help(help.clone());
        }
        (source, diagnostic)
    }

    /// The same for programs.
    #[must_use]
    pub fn for_programs(&self) -> ConformBadLine {
        let LogName { name, incarnation } = self.log.clone();
        let incarnation = (incarnation > 1).then_some(incarnation);
        let at = ConformPlace { log: name, incarnation, line: self.line };
        ConformBadLine { code: self.code.as_str().to_owned(), at, text: self.text.clone() }
    }
}
