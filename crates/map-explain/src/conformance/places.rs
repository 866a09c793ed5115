//! Where things stand: lines of logs, and places of the file.

use map_conform::Mark;
use map_diagnostics::SourceFile;

/// A log, or what has taken its place under the same name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogName {
    /// The name.
    pub name: String,
    /// Which file of this name it is, from 1: it may be rotated or truncated while it is followed.
    pub incarnation: u32,
}

impl LogName {
    /// The first file of a name.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned(), incarnation: 1 }
    }
}

/// The file and the logs, to say where things stand.
#[derive(Clone, Copy)]
pub struct Places<'a> {
    /// The file with the dialogue.
    pub source: &'a SourceFile,
    /// The logs, by their numbers.
    pub logs: &'a [LogName],
}

impl Places<'_> {
    /// `line 3`, or `b.jsonl:3` if there are several logs.
    #[must_use]
    pub fn line(&self, mark: Mark) -> String {
        match self.logs {
            [] | [_] => format!("line {}", mark.line),
            logs => match logs.get(mark.log) {
                Some(log) => format!("{}:{}", shown(log), mark.line),
                None => format!("line {}", mark.line),
            },
        }
    }

    /// `b.jsonl:3`, always with the name of the log.
    #[must_use]
    pub fn full(&self, mark: Mark) -> String {
        let log = self.logs.get(mark.log).map(shown).unwrap_or_default();
        format!("{log}:{}", mark.line)
    }
}

/// The name with the number of the file, from the second on.
fn shown(log: &LogName) -> String {
    match log.incarnation {
        1 => log.name.clone(),
        number => format!("{}#{number}", log.name),
    }
}

#[cfg(test)]
mod tests {
    use map_conform::Mark;
    use map_diagnostics::SourceFile;

    use super::{LogName, Places};

    #[test]
    fn a_log_is_named_as_soon_as_there_are_two() {
        let source = SourceFile::new("a.map", "");
        let again = LogName { incarnation: 2, ..LogName::new("a.jsonl") };
        let (one, two) = ([LogName::new("a.jsonl")], [LogName::new("a.jsonl"), again]);
        let mark = Mark { line: 3, log: 0, time: None };
        assert_eq!(Places { source: &source, logs: &one }.line(mark), "line 3");
        assert_eq!(Places { source: &source, logs: &two }.line(mark), "a.jsonl:3");
        assert_eq!(Places { source: &source, logs: &two }.line(Mark { log: 1, ..mark }), "a.jsonl#2:3");
        assert_eq!(Places { source: &source, logs: &one }.full(mark), "a.jsonl:3");
    }
}
