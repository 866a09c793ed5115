//! Exchanges of interchangeable agents, and what they make of atoms. Each is worked out for an agent when it is asked
//! for, so that its cost does not depend on the size of the cast.

use map_ir::{
    AgentId, Charge, ChargedEvent, Cost, EventAtom, EventKind, MessagePattern, StateAtom, StateQuantity,
    Value, Whom,
};

/// Classes of agents, with the place of each agent.
pub(super) struct Classes<'p> {
    pub(super) members: &'p [Vec<AgentId>],
    /// For each agent its class and its rank there, if it is of one.
    places: Vec<Option<(u32, u32)>>,
}

impl<'p> Classes<'p> {
    pub(super) fn new(members: &'p [Vec<AgentId>], agents: usize) -> Self {
        let mut places = vec![None; agents];
        for (class, members) in (0..).zip(members) {
            for (rank, agent) in (0..).zip(members) {
                places[agent.index()] = Some((class, rank));
            }
        }
        Self { members, places }
    }

    /// The class of an agent, and its rank there. Names without an agent are of none.
    pub(super) fn place(&self, agent: AgentId) -> Option<(u32, u32)> {
        self.places.get(agent.index()).copied().flatten()
    }

    pub(super) fn class_of(&self, agent: AgentId) -> Option<u32> {
        self.place(agent).map(|(class, _)| class)
    }

    /// The ranks of those of some agents that are of a class, in order.
    fn ranks(&self, class: u32, agents: &[AgentId]) -> Vec<u32> {
        let places = agents.iter().filter_map(|&agent| self.place(agent));
        let mut ranks: Vec<u32> = places.filter(|&(its, _)| its == class).map(|(_, rank)| rank).collect();
        ranks.sort_unstable();
        ranks
    }
}

/// What agents are renamed to.
pub(super) enum Renaming<'o> {
    /// Two agents take each other's names.
    Exchange(AgentId, AgentId),
    /// `here` is taken to `there`, pair by pair, and the others of each class to its others in order.
    Order { classes: &'o Classes<'o>, here: &'o [AgentId], there: &'o [AgentId] },
}

impl Renaming<'_> {
    fn agent(&self, agent: AgentId) -> AgentId {
        match *self {
            Self::Exchange(one, other) if agent == one => other,
            Self::Exchange(one, other) if agent == other => one,
            Self::Exchange(..) => agent,
            Self::Order { classes, here, there } => {
                if let Some(place) = here.iter().position(|&it| it == agent) {
                    return there[place];
                }
                let Some((class, rank)) = classes.place(agent) else { return agent };
                // Its rank among those not in `here` becomes its rank among those not in `there`.
                let before = classes.ranks(class, here).into_iter().filter(|&it| it < rank).count();
                let mut target = rank - before as u32;
                for taken in classes.ranks(class, there) {
                    target += u32::from(taken <= target);
                }
                classes.members[class as usize][target as usize]
            }
        }
    }

    pub(super) fn value(&self, value: Value) -> Value {
        if let Value::Agent(agent) = value { Value::Agent(self.agent(agent)) } else { value }
    }

    fn message(&self, pattern: &MessagePattern) -> MessagePattern {
        let arguments = pattern.arguments.iter().map(|value| value.map(|value| self.value(value)));
        MessagePattern { performative: pattern.performative, arguments: arguments.collect() }
    }

    pub(super) fn event(&self, event: &EventAtom) -> EventAtom {
        let agent = |agent: Option<AgentId>| agent.map(|agent| self.agent(agent));
        let kind = match &event.kind {
            EventKind::Sends(pattern, to) => EventKind::Sends(self.message(pattern), agent(*to)),
            EventKind::Receives(pattern, from) => EventKind::Receives(self.message(pattern), agent(*from)),
            kind @ (EventKind::Asks(_) | EventKind::Answers(..) | EventKind::TimesOut) => kind.clone(),
        };
        EventAtom { agent: agent(event.agent), kind }
    }

    pub(super) fn cost(&self, cost: &Cost) -> Cost {
        let charges = cost.charges.iter().map(|Charge { bearer, event, price }| {
            let event = match event {
                ChargedEvent::Sends(pattern, to) => ChargedEvent::Sends(self.message(pattern), self.whom(to)),
                ChargedEvent::Receives(pattern, from) => {
                    ChargedEvent::Receives(self.message(pattern), self.whom(from))
                }
                same @ (ChargedEvent::Asks(_)
                | ChargedEvent::Steps
                | ChargedEvent::Copies
                | ChargedEvent::Calls) => same.clone(),
            };
            Charge { bearer: self.whom(bearer), event, price: *price }
        });
        Cost { charges: charges.collect() }
    }

    fn whom(&self, whom: &Whom) -> Whom {
        match whom {
            Whom::Anybody => Whom::Anybody,
            Whom::These(agents) => {
                let mut renamed: Vec<AgentId> = agents.iter().map(|&agent| self.agent(agent)).collect();
                renamed.sort_unstable();
                Whom::These(renamed)
            }
        }
    }

    pub(super) fn state(&self, atom: &StateAtom) -> StateAtom {
        match atom {
            StateAtom::Ended => StateAtom::Ended,
            StateAtom::Done(agent) => StateAtom::Done(self.agent(*agent)),
            StateAtom::Failed(agent) => StateAtom::Failed(self.agent(*agent)),
            StateAtom::Waiting(agent) => StateAtom::Waiting(self.agent(*agent)),
            StateAtom::In(agent, clauses) => StateAtom::In(self.agent(*agent), clauses.clone()),
        }
    }

    pub(super) fn quantity(&self, quantity: &StateQuantity) -> StateQuantity {
        match *quantity {
            StateQuantity::Cell(agent, cell) => StateQuantity::Cell(self.agent(agent), cell),
            StateQuantity::Mailbox(agent) => StateQuantity::Mailbox(self.agent(agent)),
        }
    }
}

#[cfg(test)]
mod tests {
    use map_ir::AgentId;
    use map_testkit::scenes::Random;

    use super::{Classes, Renaming};

    fn agents(of: impl IntoIterator<Item = usize>) -> Vec<AgentId> {
        of.into_iter().map(AgentId::new).collect()
    }

    /// The same renaming, written down for every agent.
    fn in_full(agents: usize, classes: &[Vec<AgentId>], here: &[AgentId], there: &[AgentId]) -> Vec<AgentId> {
        let mut to: Vec<AgentId> = (0..agents).map(AgentId::new).collect();
        for class in classes {
            let sources = class.iter().filter(|it| !here.contains(it));
            let targets = class.iter().filter(|it| !there.contains(it));
            sources.zip(targets).for_each(|(source, &target)| to[source.index()] = target);
        }
        here.iter().zip(there).for_each(|(source, &target)| to[source.index()] = target);
        to
    }

    #[test]
    fn orders_are_those_written_down_in_full() {
        for seed in 0..500 {
            let mut random = Random::new(seed, 0);
            // Agent 0 is of no class, nor is the last one.
            let (first, second) = (1 + random.below(5), 1 + random.below(5));
            let members = [agents(1..1 + first), agents(1 + first..1 + first + second)];
            let all = first + second + 2;
            let classes = Classes::new(&members, all);
            let mut pairs: Vec<(AgentId, AgentId)> = Vec::new();
            for class in &members {
                let (mut ones, mut others) = (class.clone(), class.clone());
                for _ in 0..random.below(class.len() + 1) {
                    let one = ones.remove(random.below(ones.len()));
                    pairs.push((one, others.remove(random.below(others.len()))));
                }
            }
            let (here, there): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
            let renaming = Renaming::Order { classes: &classes, here: &here, there: &there };
            let renamed: Vec<AgentId> = (0..all).map(|agent| renaming.agent(AgentId::new(agent))).collect();
            assert_eq!(renamed, in_full(all, &members, &here, &there), "seed {seed}");
        }
    }
}
