//! What views show of the states of a scene with some number of members.

use map_ir::{AgentId, Program};
use map_semantics::{AgentState, Message};

use crate::frame::Frame;
use crate::local::{Local, first, put, shown_control, shown_memory, shown_message};

/// The scene with some number of members, as the views of a frame show it.
#[derive(Clone, Copy)]
pub(crate) struct Shown<'a, 'p> {
    pub(crate) frame: &'a Frame<'p>,
    pub(crate) program: &'a Program,
}

impl Shown<'_, '_> {
    /// Its members.
    pub(crate) fn members(self) -> Vec<AgentId> {
        let is_member = |&agent: &AgentId| self.program.agent(agent).role == self.frame.role;
        self.program.cast().filter(is_member).collect()
    }

    /// The agent that a fixed agent of the views is.
    pub(crate) fn there(self, agent: AgentId) -> AgentId {
        let here = self.frame.program;
        let part = here.agent(agent).part;
        let place = here.part(part).agents.iter().position(|&it| it == agent);
        self.program.part(part).agents[place.expect("an agent is one of its part")]
    }

    /// For each name the one that views show in which these members are seen.
    pub(crate) fn names(self, seen: &[AgentId]) -> Vec<AgentId> {
        let Self { frame, program } = self;
        let here = frame.program;
        let name = |index: usize| {
            let agent = AgentId::new(index);
            if index >= program.agents.len() {
                let known = here.agent_names.iter().position(|it| it == program.agent_name(agent));
                return AgentId::new(known.expect("names without an agent are those of the text"));
            }
            let part = program.agent(agent).part;
            if program.agent(agent).role == frame.role {
                let place = seen.iter().position(|&it| it == agent);
                return place.map_or(frame.other, |place| frame.seen()[place]);
            }
            let place = program.part(part).agents.iter().position(|&it| it == agent);
            here.part(part).agents[place.expect("an agent is one of its part")]
        };
        (0..program.agent_names.len()).map(name).collect()
    }

    /// The state of an agent of the views, with these names, before anything is counted. `number` is that of a message;
    /// `None` if it has none.
    pub(crate) fn local(
        self,
        agent: AgentId,
        state: &AgentState,
        names: &[AgentId],
        number: &mut dyn FnMut(Message) -> Option<u32>,
    ) -> Option<Local> {
        let frame = self.frame;
        let mut state = state.clone();
        state.rename_agents(|_| true, &mut |name| names[name.index()]);
        let mut mail = Vec::new();
        for message in state.mailbox.iter() {
            let number = number(shown_message(frame, &[], message))?;
            put(&mut mail, number, frame.copies(message.sender));
        }
        let local = first(frame, agent, &AgentState { mailbox: Default::default(), ..state.clone() })?;
        Some(Local {
            control: shown_control(frame, &[], state.control),
            memory: shown_memory(frame, agent, &[], state.memory),
            mail,
            ..local
        })
    }
}
