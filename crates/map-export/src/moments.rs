//! Propositions about single moments, as conditions on global variables.

use map_ir::{
    AgentId, ClauseId, Comparison, EventAtom, EventKind, PartId, Program, Proposition, PropositionId,
    Quantity, StateAtom, StateQuantity, Value,
};

use crate::claims::Claims;
use crate::control::{At, FrameKey, Holder, HolderId, PlaceId};
use crate::explored::Explored;
use crate::kinds::{Flow, Kinds};
use crate::layout::Layout;
use crate::names::plain;
use crate::promela::{Expr, Item, Operator, Stmt, Variable};

/// The variable with the events of the last step, one bit each.
pub(crate) const EVENTS: &str = "events__seen";
/// The array of flags of agents that have failed.
pub(crate) const FAILED: &str = "has__failed";
/// The flag that a bound has cut the last step: nothing is claimed of the rest of the run.
pub(crate) const CUT: &str = "cut__off";
/// The inline definition that records what holds at the current moment.
pub(crate) const NOTE: &str = "note__moment";
/// The variable with the number of the process that has ended the run; 0 (the process that starts the others) if
/// none has.
pub(crate) const HALTED: &str = "halted__by";
/// The flag that all agents are at their first places.
pub(crate) const BEGUN: &str = "has__begun";

/// The context for translating propositions to conditions.
pub(crate) struct Moments<'m> {
    pub(crate) program: &'m Program,
    pub(crate) flow: &'m Flow,
    pub(crate) layout: &'m Layout,
    pub(crate) claims: &'m Claims<'m>,
    pub(crate) explored: &'m [(PartId, Explored<'m>)],
    /// Whether some agent may fail.
    pub(crate) fails: bool,
    /// Whether some bound may cut a step.
    pub(crate) cuts: bool,
}

/// A side of a comparison.
struct ComparisonSide {
    value: Expr,
    kinds: Kinds,
}

/// The counter of the elements of a sequence that have happened.
pub(crate) fn passed(sequence: usize) -> Expr {
    Expr::Name(format!("passed__{}", sequence + 1))
}

/// The value of that counter after the current moment.
pub(crate) fn later(sequence: usize) -> Expr {
    Expr::Name(format!("later__{}", sequence + 1))
}

fn name_of(proposition: PropositionId) -> String {
    format!("holds__{}", proposition + 1)
}

fn define(name: String, value: Expr) -> Item {
    Item::Define { name, parameters: Vec::new(), value }
}

fn variable(kind: &'static str, name: String, length: Option<usize>, comment: &str) -> Item {
    Item::Variable(Variable { kind, name, length, initial: None, comment: comment.to_owned() })
}

impl Moments<'_> {
    /// The variables and conditions, which are declared before the processes.
    pub(crate) fn definitions(&self) -> Vec<Item> {
        let mut items = vec![Item::Comment(vec!["What the claims at the end look at.".to_owned()])];
        items.push(variable("bool", BEGUN.to_owned(), None, "the first moment is there"));
        if !self.claims.events.is_empty() {
            items.push(variable(
                "int",
                EVENTS.to_owned(),
                None,
                "what the last step was, a bit for each event",
            ));
        }
        if self.fails {
            let agents = self.program.agents.len();
            items.push(variable("bool", FAILED.to_owned(), Some(agents), ""));
        }
        if self.cuts {
            items.push(variable(
                "bool",
                CUT.to_owned(),
                None,
                "a bound has ended the run: anything may follow",
            ));
        }
        items.push(variable(
            "byte",
            HALTED.to_owned(),
            None,
            "the process whose step was the last that is made",
        ));
        for (bit, &index) in self.claims.events.iter().enumerate() {
            let event = &self.claims.properties.events[index];
            items.push(define(self.event_name(bit, event), self.event(bit)));
        }
        let mut noted = Vec::new();
        for &id in &self.claims.propositions {
            if !self.claims.is_short(id) {
                let condition = self.proposition(&self.claims.properties.propositions[id]);
                items.push(variable("bool", name_of(id), None, ""));
                noted.push(Stmt::Assign(Expr::Name(name_of(id)), condition));
            }
        }
        let goes_on = if self.cuts { Expr::name(CUT).not() } else { Expr::True };
        for (index, sequence) in self.claims.sequences.iter().enumerate() {
            let (Expr::Name(counter), Expr::Name(next)) = (passed(index), later(index)) else {
                unreachable!("both are names")
            };
            let comment = format!("how many of {} have come, each after the one before", sequence.len());
            items.push(variable("int", counter, None, &comment));
            let step = sequence.iter().enumerate().map(|(place, &proposition)| {
                Expr::and([Expr::equal(passed(index), Expr::Number(place as i64)), self.holds(proposition)])
            });
            let step = Expr::and([goes_on.clone(), Expr::or(step)]);
            let more = Expr::choose(step, Expr::Number(1), Expr::Number(0));
            items.push(define(next, Expr::binary(Operator::Add, passed(index), more)));
            noted.push(Stmt::Assign(passed(index), later(index)));
        }
        if !noted.is_empty() {
            items.push(Item::Comment(vec!["A moment: what holds between two steps.".to_owned()]));
            items.push(Item::Inline(NOTE, noted));
        }
        items.push(Item::Blank);
        items
    }

    /// The condition that a proposition holds: written out, or the variable in which it was recorded. SPIN's
    /// formula parser accepts only short conditions.
    pub(crate) fn holds(&self, id: PropositionId) -> Expr {
        match self.claims.is_short(id) {
            true => self.proposition(&self.claims.properties.propositions[id]),
            false => Expr::Name(name_of(id)),
        }
    }

    /// A descriptive name for an event; the number makes it unique.
    fn event_name(&self, bit: usize, event: &EventAtom) -> String {
        let program = self.program;
        let who = event.agent.map_or("anybody", |agent| program.agent_name(agent));
        let what = match &event.kind {
            EventKind::Sends(pattern, _) => {
                format!("sends_{}", program.performative(pattern.performative).name)
            }
            EventKind::Receives(pattern, _) => {
                format!("receives_{}", program.performative(pattern.performative).name)
            }
            EventKind::Asks(procedure) => format!("asks_{}", program.procedure(*procedure).name),
            EventKind::Answers(procedure, yes) => {
                let answer = if *yes { "yes" } else { "no" };
                format!("answers_{}_{answer}", program.procedure(*procedure).name)
            }
            EventKind::TimesOut => "times_out".to_owned(),
        };
        format!("{}__{}__{}", plain(who), plain(&what), bit + 1)
    }

    fn event(&self, bit: usize) -> Expr {
        let seen = Expr::binary(Operator::BitAnd, Expr::name(EVENTS), Expr::Number(1 << bit));
        Expr::binary(Operator::NotEqual, seen, Expr::Number(0))
    }

    fn proposition(&self, proposition: &Proposition) -> Expr {
        match proposition {
            Proposition::Constant(value) => {
                if *value {
                    Expr::True
                } else {
                    Expr::False
                }
            }
            Proposition::Event(index) => {
                let bit = self.claims.events.iter().position(|it| it == index);
                let bit = bit.expect("all events that are spoken of have a bit");
                Expr::Name(self.event_name(bit, &self.claims.properties.events[*index]))
            }
            Proposition::State(index) => self.state(&self.claims.properties.states[*index]),
            Proposition::Not(inner) => self.proposition(inner).not(),
            Proposition::And(parts) => Expr::and(parts.iter().map(|it| self.proposition(it))),
            Proposition::Or(parts) => Expr::or(parts.iter().map(|it| self.proposition(it))),
            Proposition::Compare(left, comparison, right) => self.compare(left, *comparison, right),
            Proposition::Before(..) => unreachable!("properties that look back are not claimed"),
        }
    }

    fn state(&self, atom: &StateAtom) -> Expr {
        match atom {
            StateAtom::Ended => Expr::and(self.program.cast().map(|agent| self.ended(agent))),
            StateAtom::Done(agent) => Expr::and([self.ended(*agent), self.failed(*agent).not()]),
            StateAtom::Failed(agent) => self.failed(*agent),
            StateAtom::Waiting(agent) => {
                let name = &self.part_of(*agent).walker.naming.part;
                let waits = Expr::Macro(format!("{name}__waits"), vec![self.number(*agent)]);
                Expr::and([self.ended(*agent).not(), waits])
            }
            StateAtom::In(agent, clauses) => self.is_in(*agent, clauses),
        }
    }

    fn number(&self, agent: AgentId) -> Expr {
        self.layout.constant(Value::Agent(agent))
    }

    fn ended(&self, agent: AgentId) -> Expr {
        self.layout.of_agent("ended", self.number(agent))
    }

    fn failed(&self, agent: AgentId) -> Expr {
        if self.fails { self.layout.of_agent(FAILED, self.number(agent)) } else { Expr::False }
    }

    fn part_of(&self, agent: AgentId) -> &Explored<'_> {
        let part = self.program.agent(agent).part;
        let found = self.explored.iter().find(|(its, _)| *its == part);
        &found.expect("every agent plays a part").1
    }

    /// Whether the innermost clause of one of the agent's threads is one of these.
    fn is_in(&self, agent: AgentId, clauses: &[ClauseId]) -> Expr {
        let walker = &self.part_of(agent).walker;
        let places = walker.control.places.iter().enumerate().filter(|(_, place)| {
            let innermost = place.frames.iter().rev().find_map(|frame| match frame {
                FrameKey::Activation { clause, .. } => Some(clause),
                FrameKey::Side(_) => None,
            });
            matches!(place.at, At::Point(_)) && innermost.is_some_and(|it| clauses.contains(it))
        });
        Expr::or(places.map(|(index, place)| {
            let at = match place.thread() {
                None => self.of(agent, &format!("{}__at", walker.naming.part)),
                Some(side) => self.of(agent, &walker.holder_name(walker.side_holder(side))),
            };
            Expr::equal(at, Expr::name(walker.place_name(PlaceId(index))))
        }))
    }

    /// The agent's element of an array over the agents of its part.
    fn of(&self, agent: AgentId, array: &str) -> Expr {
        let first = self.part_of(agent).walker.agents[0];
        Expr::element(array, Expr::Number((agent.index() - first.index()) as i64))
    }

    fn side(&self, quantity: &Quantity) -> Option<ComparisonSide> {
        Some(match quantity {
            Quantity::Nothing => return None,
            Quantity::Value(value) => {
                ComparisonSide { value: self.layout.constant(*value), kinds: Kinds::of(*value) }
            }
            Quantity::Count(all) => {
                let holding = all.iter().map(|it| self.proposition(it));
                let sum = holding.reduce(|left, right| Expr::binary(Operator::Add, left, right));
                ComparisonSide { value: sum.unwrap_or(Expr::Number(0)), kinds: Kinds::INTEGER }
            }
            Quantity::Argument(_) | Quantity::Monitor(_) => {
                unreachable!("properties that compare what events bind are not claimed")
            }
            Quantity::State(index) => match self.claims.properties.quantities[*index] {
                StateQuantity::Mailbox(agent) => ComparisonSide {
                    value: Expr::Len(Box::new(self.layout.channel(self.number(agent)))),
                    kinds: Kinds::INTEGER,
                },
                StateQuantity::Cell(agent, cell) => {
                    let role = self.program.agent(agent).role;
                    let index = self.program.cell_of(role, cell)?;
                    let walker = &self.part_of(agent).walker;
                    let holder = walker.control.holders.iter().position(|it| *it == Holder::Cell(index));
                    let name = walker.holder_name(HolderId(holder.expect("every cell has a first content")));
                    ComparisonSide { value: self.of(agent, &name), kinds: self.flow.cell(role, index) }
                }
            },
        })
    }

    fn compare(&self, left: &Quantity, comparison: Comparison, right: &Quantity) -> Expr {
        let (Some(left), Some(right)) = (self.side(left), self.side(right)) else {
            return if comparison == Comparison::NotEqual { Expr::True } else { Expr::False };
        };
        let both = |kind: Kinds| left.kinds.has(kind) && right.kinds.has(kind);
        let operator = match comparison {
            Comparison::Equal | Comparison::NotEqual => {
                let alike = both(Kinds::INTEGER) || both(Kinds::ATOM) || both(Kinds::FRESH);
                let equal = if alike { Expr::equal(left.value, right.value) } else { Expr::False };
                return if comparison == Comparison::Equal { equal } else { equal.not() };
            }
            Comparison::Less | Comparison::LessOrEqual | Comparison::Greater | Comparison::GreaterOrEqual => {
                Operator::from(comparison)
            }
        };
        if !both(Kinds::INTEGER) {
            return Expr::False;
        }
        let is_integer = |side: &ComparisonSide| match side.kinds == Kinds::INTEGER {
            true => Expr::True,
            false => self.layout.is_integer(side.value.clone()),
        };
        Expr::and([is_integer(&left), is_integer(&right), Expr::binary(operator, left.value, right.value)])
    }

    /// Whether a claim compares two cells that may hold fresh values, which must then be distinguished.
    pub(crate) fn needs_symbols(program: &Program, flow: &Flow, claims: &Claims<'_>) -> bool {
        fn compares(proposition: &Proposition, is_fresh: &impl Fn(&Quantity) -> bool) -> bool {
            match proposition {
                Proposition::Compare(left, _, right) => {
                    let within = |side: &Quantity| match side {
                        Quantity::Count(all) => all.iter().any(|it| compares(it, is_fresh)),
                        _ => false,
                    };
                    (is_fresh(left) && is_fresh(right)) || within(left) || within(right)
                }
                Proposition::Not(inner) => compares(inner, is_fresh),
                Proposition::And(parts) | Proposition::Or(parts) => {
                    parts.iter().any(|it| compares(it, is_fresh))
                }
                Proposition::Constant(_)
                | Proposition::Event(_)
                | Proposition::State(_)
                | Proposition::Before(..) => false,
            }
        }
        let is_fresh = |quantity: &Quantity| match quantity {
            Quantity::State(index) => match claims.properties.quantities[*index] {
                StateQuantity::Cell(agent, cell) => {
                    let role = program.agent(agent).role;
                    program.cell_of(role, cell).is_some_and(|it| flow.cell(role, it).has(Kinds::FRESH))
                }
                StateQuantity::Mailbox(_) => false,
            },
            _ => false,
        };
        claims.propositions.iter().any(|&it| compares(&claims.properties.propositions[it], &is_fresh))
    }
}
