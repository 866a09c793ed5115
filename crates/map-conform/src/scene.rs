//! A scene under one cast, with what all of its conversations share.

use std::collections::HashMap;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, OnceLock};

use map_ir::{AgentId, PartId, Program};
use map_semantics::{Bounds, Network, Timeouts};

use crate::hypothesis::Frame;
use crate::monitor::{Monitor, Shared};
use crate::settings::{Beginnings, Settings};

/// A scene under one cast, with what all of its conversations share.
pub struct Scene {
    pub(crate) shared: Shared,
    pub(crate) settings: Settings,
    /// By agent: its monitor before the first line.
    first: OnceLock<Vec<Monitor>>,
    mid_way: OnceLock<Arc<Self>>,
    /// How it grows, if agents may join.
    pub(crate) joining: Option<Joining>,
}

/// How a scene grows.
pub(crate) struct Joining {
    /// The parts that agents may join, with what the names of their agents begin with.
    pub(crate) parts: Arc<[(PartId, String)]>,
    /// How many agents have joined.
    pub(crate) joined: usize,
    /// The scenes with one agent more, by the name of that agent.
    pub(crate) next: Mutex<HashMap<String, Arc<Scene>>>,
    /// How many scenes are kept, in the whole tree.
    pub(crate) kept: Arc<AtomicUsize>,
}

impl Joining {
    /// What the names of a part begin with that agents may join.
    pub(crate) fn base(&self, part: PartId) -> Option<&str> {
        self.parts.iter().find(|it| it.0 == part).map(|it| it.1.as_str())
    }
}

/// The maximum number of open activations of a thread, and of unread messages of an agent. Real systems are not bound
/// by what a verification explores; these only keep memory finite.
const DEPTH: u32 = 1_000;
const MAILBOX: u32 = 100_000;

impl Scene {
    /// Prepares a scene.
    #[must_use]
    pub fn new(program: Arc<Program>, settings: Settings) -> Self {
        Self::growing(program, settings, None)
    }

    pub(crate) fn growing(program: Arc<Program>, settings: Settings, joining: Option<Joining>) -> Self {
        let bounds = Bounds {
            depth: DEPTH,
            rounds: None,
            rounds_of: Vec::new(),
            mailbox: MAILBOX,
            timeouts: Timeouts::Any,
            network: Network::INSTANT,
            after: None,
        };
        let frame = Frame::new(program, bounds, joining.is_some(), &settings.observed);
        let shared = Shared::new(frame, settings.arrivals_by_clocks(), &settings);
        Self { shared, settings, first: OnceLock::new(), mid_way: OnceLock::new(), joining }
    }

    /// The monitors of all agents before the first line.
    pub(crate) fn first(&self) -> &[Monitor] {
        self.first.get_or_init(|| self.program().cast().map(|agent| self.monitor(agent)).collect())
    }

    /// The monitor of an agent before the first line.
    pub(crate) fn monitor(&self, agent: AgentId) -> Monitor {
        match self.settings.beginnings {
            Beginnings::Before if self.joining.is_none() => Monitor::mid_way(&self.shared, agent),
            _ => Monitor::new(&self.shared.frame, agent, self.settings.limit),
        }
    }

    /// The same scene, whose conversations may have begun before the log.
    pub(crate) fn mid_way(&self) -> &Arc<Self> {
        self.mid_way.get_or_init(|| {
            let settings = Settings { beginnings: Beginnings::Before, ..self.settings.clone() };
            Arc::new(Self::new(Arc::clone(self.program()), settings))
        })
    }

    /// Whether agents may join a part.
    #[must_use]
    pub fn is_open(&self, part: PartId) -> bool {
        self.joining.as_ref().is_some_and(|it| it.base(part).is_some())
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
