//! Agents that cannot be told apart: the classes of those under whose permutations a set of hypotheses is invariant.
//!
//! What an agent can do does not depend on names and values that the text does not mention. So if exchanging two agents
//! of one part maps a set of hypotheses to itself, it does so for what the set leads to; and of all hypotheses that are
//! permutations of each other, one is enough.

use map_ir::{AgentId, Program, Value, named_agents};
use map_semantics::Message;
use rustc_hash::{FxHashMap, FxHashSet};

/// Classes of agents that cannot be told apart, with the values that move with them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Orbits {
    /// By agent: its class; `None` if it is alone in it.
    class_of: Vec<Option<usize>>,
    /// The members of each class, in order. Classes that have been dissolved are empty.
    classes: Vec<Vec<AgentId>>,
    /// By agent: the values not in the file that only its messages have brought, in the order in which they move: the
    /// first of one agent is exchanged for the first of another. Members of a class have the same number of them.
    private: Vec<Vec<Value>>,
    /// The agent of each private value, with its place from 1.
    owners: FxHashMap<Value, (AgentId, usize)>,
}

/// Agents and private values, each with what takes its place.
pub(crate) type Exchange = Vec<(Value, Value)>;

impl Orbits {
    /// Each of so many agents is alone.
    pub(crate) fn new(agents: usize) -> Self {
        let private = vec![Vec::new(); agents];
        Self { class_of: vec![None; agents], classes: Vec::new(), private, owners: FxHashMap::default() }
    }

    /// The members of each class.
    pub(crate) fn classes(&self) -> impl Iterator<Item = &[AgentId]> {
        self.classes.iter().map(Vec::as_slice).filter(|class| !class.is_empty())
    }

    /// The class of an agent, if it is not alone in it.
    pub(crate) fn class_of(&self, agent: AgentId) -> Option<usize> {
        self.class_of[agent.index()]
    }

    /// The agents that cannot be told apart from this one, and itself.
    pub(crate) fn class(&self, agent: AgentId) -> Vec<AgentId> {
        self.class_of(agent).map_or_else(|| vec![agent], |class| self.classes[class].clone())
    }

    /// The number of agents.
    pub(crate) fn agents(&self) -> usize {
        self.class_of.len()
    }

    /// Makes these agents, all of those of some classes, one class.
    pub(crate) fn join(&mut self, mut members: Vec<AgentId>) {
        members.iter().for_each(|&member| self.dissolve(member));
        if members.len() < 2 {
            return;
        }
        members.sort_unstable();
        let free = self.classes.iter().position(Vec::is_empty).unwrap_or(self.classes.len());
        members.iter().for_each(|member| self.class_of[member.index()] = Some(free));
        match self.classes.get_mut(free) {
            Some(class) => *class = members,
            None => self.classes.push(members),
        }
    }

    /// Divides a class in two: these members, and the others.
    pub(crate) fn divide(&mut self, members: Vec<AgentId>) {
        let Some(&first) = members.first() else { return };
        let others = self.class(first).into_iter().filter(|it| !members.contains(it)).collect();
        self.join(members);
        self.join(others);
    }

    /// Leaves each member of an agent's class alone.
    fn dissolve(&mut self, agent: AgentId) {
        let Some(class) = self.class_of(agent) else { return };
        for member in std::mem::take(&mut self.classes[class]) {
            self.class_of[member.index()] = None;
        }
    }

    /// The private values of an agent.
    pub(crate) fn private(&self, agent: AgentId) -> &[Value] {
        &self.private[agent.index()]
    }

    /// Adds a private value of an agent, which nobody has yet.
    pub(crate) fn own(&mut self, agent: AgentId, value: Value) {
        let values = &mut self.private[agent.index()];
        self.owners.insert(value, (agent, values.len() + 1));
        values.push(value);
    }

    /// Forgets the private values that are not `used`, if those that move with them are not either.
    pub(crate) fn disown(&mut self, used: &FxHashSet<Value>) {
        let groups: Vec<Vec<AgentId>> = self.groups();
        for members in groups {
            let length = self.private[members[0].index()].len();
            let is_used = |place: usize| {
                members.iter().any(|member| used.contains(&self.private[member.index()][place]))
            };
            let kept: Vec<usize> = (0..length).filter(|&place| is_used(place)).collect();
            if kept.len() == length {
                continue;
            }
            for member in members {
                for value in std::mem::take(&mut self.private[member.index()]).into_iter().enumerate() {
                    self.owners.remove(&value.1);
                    if kept.contains(&value.0) {
                        self.own(member, value.1);
                    }
                }
            }
        }
    }

    /// All agents, by class.
    fn groups(&self) -> Vec<Vec<AgentId>> {
        let all = (0..self.class_of.len()).map(AgentId::new).map(|agent| self.class(agent));
        let mut groups: Vec<Vec<AgentId>> = all.collect();
        groups.sort_unstable();
        groups.dedup();
        groups
    }

    /// Exchanges two agents, with as many private values as both have.
    pub(crate) fn exchange(&self, one: AgentId, other: AgentId) -> Exchange {
        let mut exchange = Vec::new();
        self.move_to(one, other, &mut exchange);
        self.move_to(other, one, &mut exchange);
        exchange
    }

    /// Adds that an agent takes the place of another.
    pub(crate) fn move_to(&self, from: AgentId, to: AgentId, exchange: &mut Exchange) {
        exchange.push((Value::Agent(from), Value::Agent(to)));
        let values = self.private[from.index()].iter().zip(&self.private[to.index()]);
        exchange.extend(values.map(|(&from, &to)| (from, to)));
    }

    /// The sender of a message, and the agents that it names or whose values it brings.
    pub(crate) fn mentioned(&self, message: &Message) -> Vec<AgentId> {
        let owners = message.arguments.iter().filter_map(|&value| self.owner(value));
        let mut mentioned: Vec<AgentId> = owners.map(|(agent, _)| agent).collect();
        mentioned.push(message.sender);
        mentioned.sort_unstable();
        mentioned.dedup();
        mentioned
    }

    /// Gives the sender of a message the values in it that the program cannot know and nobody has yet.
    pub(crate) fn learn(&mut self, program: &Program, message: &Message) {
        for &value in &message.arguments {
            if is_foreign(program, value) && self.owner(value).is_none() {
                self.own(message.sender, value);
            }
        }
    }

    /// The agent that a value names or belongs to, and which of its values it is: 0 for its name.
    pub(crate) fn owner(&self, value: Value) -> Option<(AgentId, usize)> {
        match value {
            // There are names of parts that nobody plays.
            Value::Agent(agent) => (agent.index() < self.agents()).then_some((agent, 0)),
            Value::Text(_) | Value::Name(_) => self.owners.get(&value).copied(),
            Value::Integer(_) | Value::Role(_) | Value::Abstract(_) | Value::Fresh(_) => None,
        }
    }
}

/// Whether the program cannot know a value: a constant or text that is not in the file.
pub(crate) fn is_foreign(program: &Program, value: Value) -> bool {
    match value {
        Value::Name(id) => id.index() >= program.names.len(),
        Value::Text(id) => id.index() >= program.texts.len(),
        Value::Integer(_) | Value::Agent(_) | Value::Role(_) | Value::Abstract(_) | Value::Fresh(_) => false,
    }
}

/// The agents of each part that has several which the program does not name.
pub(crate) fn interchangeable(program: &Program) -> Vec<Vec<AgentId>> {
    let named = named_agents(program, std::iter::empty());
    let members = |agents: &[AgentId]| agents.iter().copied().filter(|it| !named[it.index()]).collect();
    let parts = program.parts.iter().map(|part| members(&part.agents));
    parts.filter(|members: &Vec<AgentId>| members.len() > 1).collect()
}
