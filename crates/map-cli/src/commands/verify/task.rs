//! A scene to be searched, with the options of the search.

use std::io;
use std::path::Path;
use std::time::Duration;

use map_flags::{Host, SearchArgs};
use map_session::{Compilation, Scene, SearchLimits};

use super::args::{Args, limits};
use super::limits::SharedTime;
use crate::args::Format;
use crate::console::{Console, show_diagnostics};
use crate::interrupt::Interrupt;
use crate::progress::{SharedCheckpoints, Watch};

/// A scene, and what its search needs.
#[derive(Clone)]
pub(super) struct Task<'a> {
    pub(super) args: &'a Args,
    /// As on the command line.
    pub(super) file: &'a Path,
    pub(super) loaded: &'a Compilation,
    pub(super) scene: Scene,
    pub(super) interrupt: &'a Interrupt,
    /// The time that its searches share with others.
    pub(super) time: &'a SharedTime,
    /// Where its search for termination is kept.
    pub(super) checkpoints: Option<SharedCheckpoints>,
}

impl Task<'_> {
    /// Prints diagnostics, if the output is text.
    pub(super) fn print_diagnostics(&self, console: &mut Console) -> io::Result<()> {
        match self.args.tells() {
            true => show_diagnostics(console, &self.loaded.source, &self.loaded.diagnostics),
            false => Ok(()),
        }
    }

    /// The limits of the next search.
    pub(super) fn next_limits(&self) -> SearchLimits {
        self.time.next(self.args.limits())
    }
}

impl Host for Task<'_> {
    type Watch = Watch;

    fn next_limits(&self, args: &SearchArgs) -> SearchLimits {
        self.time.next(limits(args, u64::MAX))
    }

    fn time_left(&self) -> Option<Duration> {
        self.time.left()
    }

    /// With a line of progress where a person looks at it.
    fn watch(&self, scene: &Scene, limits: &SearchLimits) -> Watch {
        let visible = self.args.format == Format::Text && Console::err_is_terminal();
        Watch::new(scene.source.name(), limits, self.interrupt, visible)
    }

    fn is_stopped(&self) -> bool {
        self.interrupt.is_set()
    }
}
