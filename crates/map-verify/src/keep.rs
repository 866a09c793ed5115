//! What a search offers to be kept, and what it is given to go on from.

use std::io::{self, Read, Write};

/// What a search needs to go on later.
pub struct Keep<'k> {
    /// Whether the search ends here.
    pub ends: bool,
    /// Whether it ends by itself, not because of a limit. Otherwise what was kept of later searches is void once this
    /// one goes on: they may be others then.
    pub finished: bool,
    /// Which part it is, if several processes search.
    pub part: Option<Part>,
    pub(crate) write: &'k dyn Fn(&mut dyn Write) -> io::Result<()>,
}

impl Keep<'_> {
    /// Writes it.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        (self.write)(out)
    }
}

/// A moment of a search at which all processes keep their parts. A search goes on from all parts of one cut, or not at
/// all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cut {
    /// Which one it is of this search, counted from 1 over all its interruptions. The first one is the beginning.
    pub number: u64,
    /// What tells it from others with this number, of runs that are void ([`crate::Progress::stamp`]).
    pub stamp: u64,
    /// Number of processes.
    pub parts: usize,
}

/// The part that one process has of a cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Part {
    /// The cut.
    pub cut: Cut,
    /// The number of the process.
    pub number: usize,
}

/// A part that was kept.
pub struct KeptPart {
    /// Which one.
    pub part: Part,
    /// The bytes that [`Keep::write`] wrote.
    pub content: Box<dyn Read>,
}
