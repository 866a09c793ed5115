//! Agents that join while a conversation runs: the cast as it grows.
//!
//! The scenes of a growing cast are a tree: each has the cast of the one before and one agent more, so that ids stay
//! what they are. Conversations that agents join in the same order share its scenes.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use map_ir::{AgentId, PartId, Program};

use crate::monitor::Monitor;
use crate::record::{Fault, FaultKind};
use crate::scene::{Joining, Scene};
use crate::settings::Settings;

/// The maximum number of agents that join a conversation.
const MAX_JOINED: usize = 1_000;
/// The maximum number of casts that are kept for further conversations.
const MAX_KEPT: usize = 1_000;

impl Scene {
    /// Prepares a scene whose agents join: those of these parts, each with what the names of its agents begin with. The
    /// program has none of them yet.
    #[must_use]
    pub fn open(program: Arc<Program>, settings: Settings, parts: Vec<(PartId, String)>) -> Self {
        let joining = Joining {
            parts: parts.into(),
            joined: 0,
            next: Mutex::new(HashMap::new()),
            kept: Arc::new(AtomicUsize::new(0)),
        };
        Self::growing(program, settings, Some(joining))
    }

    /// The part that an agent of this name plays if it joins, such as the bidders' for `!Bidder2`.
    #[must_use]
    pub fn part_by_name(&self, name: &str) -> Option<PartId> {
        let bare = name.strip_prefix('!').unwrap_or(name);
        let is_it = |(_, base): &&(PartId, String)| {
            let number = bare.strip_prefix(base.as_str()).unwrap_or_default();
            !number.starts_with('0') && number.len() <= 7 && number.parse::<u32>().is_ok()
        };
        self.joining.as_ref()?.parts.iter().find(is_it).map(|it| it.0)
    }

    /// The scene with one agent more of a part. It is called `wanted` if that is a name of the part, and else by the
    /// first number that is free and not `reserved`.
    ///
    /// # Errors
    /// If nobody may join the part, or too many have joined.
    pub fn joined(
        &self,
        part: PartId,
        wanted: Option<&str>,
        reserved: impl Fn(&str) -> bool,
    ) -> Result<Arc<Self>, Fault> {
        let program = self.program();
        let beyond = |text: String| Fault::new(FaultKind::BeyondCast, text);
        let Some((joining, base)) = self.joining.as_ref().and_then(|it| Some((it, it.base(part)?))) else {
            let role = program.role_name(program.part(part).role);
            return Err(beyond(format!("nobody may join %{role}")));
        };
        if joining.joined >= MAX_JOINED {
            return Err(beyond(format!("more than {MAX_JOINED} agents have joined the conversation")));
        }
        let is_taken = |name: &str| program.agent_names.iter().any(|it| it == name);
        let wanted = wanted.map(|it| it.strip_prefix('!').unwrap_or(it));
        let name = match wanted.filter(|it| self.part_by_name(it) == Some(part) && !is_taken(it)) {
            Some(name) => name.to_owned(),
            None => {
                let mut names = (1_u32..).map(|number| format!("{base}{number}"));
                names.find(|it| !is_taken(it) && !reserved(it)).unwrap_or_default()
            }
        };
        let mut next = joining.next.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(scene) = next.get(&name) {
            return Ok(Arc::clone(scene));
        }
        let growing = Joining {
            parts: Arc::clone(&joining.parts),
            joined: joining.joined + 1,
            next: Mutex::new(HashMap::new()),
            kept: Arc::clone(&joining.kept),
        };
        let grown = Arc::new(program.with_agent(part, name.clone()));
        let scene = Arc::new(Self::growing(grown, self.settings.clone(), Some(growing)));
        if joining.kept.load(Ordering::Relaxed) < MAX_KEPT {
            joining.kept.fetch_add(1, Ordering::Relaxed);
            next.insert(name, Arc::clone(&scene));
        }
        Ok(scene)
    }

    /// The monitor of the agent that has joined last, in a conversation that began with the cast of `first`.
    pub(crate) fn newcomers_monitor(&self, first: &Self) -> Monitor {
        let newcomer = self.newcomer();
        let mut monitor = self.monitor(newcomer);
        let others = self.program().agents.len() - first.program().agents.len();
        if others > 1
            && let Ok(alone) = first.joined(self.program().agent(newcomer).part, None, |_| false)
        {
            monitor.may_have_been_alone(&alone.shared, alone.monitor(alone.newcomer()));
        }
        monitor
    }

    /// Whether somebody is there of every part that agents may join.
    pub(crate) fn has_all_parts(&self) -> bool {
        let is_played = |part: PartId| !self.program().part(part).agents.is_empty();
        self.joining.as_ref().is_none_or(|it| it.parts.iter().all(|it| is_played(it.0)))
    }

    /// The agent that has joined last.
    pub(crate) fn newcomer(&self) -> AgentId {
        AgentId::new(self.program().agents.len() - 1)
    }
}
