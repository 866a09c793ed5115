//! A scene under one cast, with what all of its conversations share.

use std::sync::Arc;

use map_ir::Program;
use map_semantics::{Bounds, Network, Timeouts};

use crate::hypothesis::Frame;
use crate::monitor::{Monitor, Shared};
use crate::pending::Arrivals;

/// How conversations are judged.
#[derive(Clone, Debug)]
pub struct Settings {
    /// When messages arrive.
    pub arrivals: Arrivals,
    /// The maximum number of hypotheses of an agent at a line.
    pub limit: usize,
    /// The number of messages that may be lost.
    pub losses: u32,
    /// Whether the log is whole: whoever owes something at its end is to blame.
    pub complete: bool,
    /// How long, in nanoseconds of the log's time, an agent may owe something.
    pub deadline: Option<u64>,
    /// Whether conversations keep their lines, so that a run can be shown.
    pub keeps_lines: bool,
}

/// The default of `--max-hypotheses`.
pub const MAX_HYPOTHESES: usize = 10_000;

impl Default for Settings {
    fn default() -> Self {
        Self {
            arrivals: Arrivals::Logged,
            limit: MAX_HYPOTHESES,
            losses: 0,
            complete: false,
            deadline: None,
            keeps_lines: false,
        }
    }
}

/// A scene under one cast, with what all of its conversations share.
pub struct Scene {
    pub(crate) shared: Shared,
    pub(crate) settings: Settings,
    pub(crate) first: Vec<Monitor>,
}

/// The maximum number of open activations of a thread, and of unread messages of an agent. Real systems are not bound by
/// what a verification explores; these only keep memory finite.
const DEPTH: u32 = 1_000;
const MAILBOX: u32 = 100_000;

impl Scene {
    /// Prepares a scene.
    #[must_use]
    pub fn new(program: Arc<Program>, settings: Settings) -> Self {
        let bounds = Bounds {
            depth: DEPTH,
            rounds: None,
            rounds_of: Vec::new(),
            mailbox: MAILBOX,
            timeouts: Timeouts::Any,
            network: Network::INSTANT,
        };
        let frame = Frame::new(program, bounds);
        let first = frame.program.cast().map(|agent| Monitor::new(&frame, agent, settings.limit)).collect();
        let shared = Shared::new(frame, settings.arrivals, settings.limit);
        Self { shared, settings, first }
    }

    /// The program.
    #[must_use]
    pub fn program(&self) -> &Arc<Program> {
        &self.shared.frame.program
    }

    /// The bounds of its runs.
    #[must_use]
    pub fn bounds(&self) -> &Bounds {
        &self.shared.frame.bounds
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }
}
