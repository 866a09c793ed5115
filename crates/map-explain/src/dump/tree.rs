//! An indented outline.

use std::fmt::{Display, Write as _};

/// A text that grows line by line.
pub(super) struct Tree {
    text: String,
    depth: usize,
}

impl Tree {
    pub(super) fn new() -> Self {
        Self { text: String::new(), depth: 0 }
    }

    /// Adds a line.
    pub(super) fn line(&mut self, line: impl Display) {
        let _ = writeln!(self.text, "{:width$}{line}", "", width = 2 * self.depth);
    }

    /// Indents the following lines one level deeper.
    pub(super) fn deeper(&mut self) {
        self.depth += 1;
    }

    /// Indents the following lines one level less.
    pub(super) fn back(&mut self) {
        self.depth -= 1;
    }

    pub(super) fn finish(self) -> String {
        self.text
    }
}
