//! Symmetry: which agents are interchangeable, and how names of agents in data are treated.
//!
//! Two agents of one part are interchangeable if nothing in the program names either of them: then swapping them, and
//! their names wherever they are held, maps runs to runs. An agent's state is therefore interned as that of the first
//! agent of its class; names of other interchangeable agents that it holds are replaced by the first ones of their
//! classes, in the order of first occurrence. The actual agents are kept in the tail, as the symbols of abstract
//! values are.

use map_ir::{AgentId, Program};
use map_semantics::Bounds;

/// The classes of interchangeable agents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Symmetry {
    /// The class of each agent; `None` for fixed agents.
    class_of: Vec<Option<usize>>,
    /// The agents of each class, in order; at least two.
    classes: Vec<Vec<AgentId>>,
}

impl Symmetry {
    /// No interchangeable agents.
    pub(crate) fn none(program: &Program) -> Self {
        Self { class_of: vec![None; program.agents.len()], classes: Vec::new() }
    }

    pub(crate) fn new(program: &Program, bounds: &Bounds) -> Self {
        let named = named_agents(program, bounds);
        let mut symmetry = Self::none(program);
        for part in &program.parts {
            let members: Vec<AgentId> =
                part.agents.iter().copied().filter(|agent| !named[agent.index()]).collect();
            if members.len() > 1 {
                for member in &members {
                    symmetry.class_of[member.index()] = Some(symmetry.classes.len());
                }
                symmetry.classes.push(members);
            }
        }
        symmetry
    }

    /// The given classes, in a scene of `agents` agents.
    pub(crate) fn of(agents: usize, classes: Vec<Vec<AgentId>>) -> Self {
        let mut class_of = vec![None; agents];
        for (class, members) in classes.iter().enumerate() {
            members.iter().for_each(|member| class_of[member.index()] = Some(class));
        }
        Self { class_of, classes }
    }

    /// The same classes without an agent.
    pub(crate) fn without(&self, agent: AgentId) -> Self {
        let left = self.classes.iter().map(|class| class.iter().copied().filter(|&it| it != agent).collect());
        let classes = left.filter(|class: &Vec<AgentId>| class.len() > 1).collect();
        Self::of(self.class_of.len(), classes)
    }

    pub(crate) fn classes(&self) -> &[Vec<AgentId>] {
        &self.classes
    }

    /// The class of a name; `None` for fixed agents, and for names without an agent.
    pub(crate) fn class_of(&self, agent: AgentId) -> Option<usize> {
        self.class_of.get(agent.index()).copied().flatten()
    }

    /// The agent as which the states of an agent are interned.
    pub(crate) fn stands_for(&self, agent: AgentId) -> AgentId {
        self.class_of(agent).map_or(agent, |class| self.classes[class][0])
    }

    /// The first agent of a class that is not among those in use.
    pub(crate) fn unused(&self, class: usize, in_use: impl Fn(AgentId) -> bool) -> AgentId {
        let free = self.classes[class].iter().copied().find(|&agent| !in_use(agent));
        free.expect("no more agents of a class are held than it has")
    }

    /// The agent that `name` refers to in the scene, if the names `here` refer to `there`, pair by pair. The other
    /// names of a class refer to its other agents, in order.
    pub(crate) fn meaning(&self, name: AgentId, here: &[AgentId], there: &[AgentId]) -> AgentId {
        let Some(class) = self.class_of(name) else { return name };
        if let Some(index) = here.iter().position(|&it| it == name) {
            return there[index];
        }
        let members = &self.classes[class];
        let rank = members.iter().filter(|it| !here.contains(it)).position(|&it| it == name);
        let mut others = members.iter().copied().filter(|it| !there.contains(it));
        others.nth(rank.expect("the name is of the class")).expect("as many are left here as there")
    }
}

/// Like [`map_ir::named_agents`], also those that a bound names.
#[must_use]
pub fn named_agents(program: &Program, bounds: &Bounds) -> Vec<bool> {
    map_ir::named_agents(program, bounds.rounds_of.iter().map(|&(constant, _)| constant))
}
