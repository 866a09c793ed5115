//! Properties that a guard enforces, judged naively on what was sent.

use map_conform::LoggedMessage;
use map_ir::{
    AgentId, CellId, Comparison, EventArgument, EventAtom, EventKind, MessagePattern, Monitor,
    PerformativeId, Program, Properties, Property, Proposition, Quantity, SourceSpan, StateQuantity,
    Temporal, Value,
};
use map_semantics::AgentState;
use map_testkit::scenes::Random;

/// Some sends.
#[derive(Clone, Debug)]
pub(super) struct Sends {
    from: Option<AgentId>,
    performative: PerformativeId,
    arguments: Vec<Option<Value>>,
    to: Option<AgentId>,
}

/// A property.
#[derive(Clone, Debug)]
pub(super) enum Rule {
    Never(Sends),
    AtMost(Sends, i64),
    TotalAtMost(Sends, usize, i64),
    /// The second only if the first came before it.
    Before(Sends, Sends),
    /// The second not before the first.
    Precedes(Sends, Sends),
    /// When the agent says so, its cell has at most this number.
    CellAtMost(Sends, AgentId, CellId, i64),
}

impl Sends {
    fn any(program: &Program, universe: &[Value], random: &mut Random) -> Self {
        let performative = PerformativeId::new(random.below(program.performatives.len()));
        let some = |random: &mut Random| {
            random.percent(40).then(|| AgentId::new(random.below(program.agents.len())))
        };
        let arity = program.performative(performative).arity;
        let arguments =
            (0..arity).map(|_| random.percent(20).then(|| *random.pick(universe))).collect::<Vec<_>>();
        Self { from: some(random), performative, arguments, to: some(random) }
    }

    fn has(&self, sent: &LoggedMessage) -> bool {
        let Self { from, performative, arguments, to } = self;
        from.is_none_or(|from| from == sent.from)
            && *performative == sent.message.performative
            && to.is_none_or(|to| sent.to.contains(&to))
            && arguments
                .iter()
                .zip(&sent.message.arguments)
                .all(|(own, its)| own.is_none_or(|own| own == *its))
    }

    fn event(&self) -> EventAtom {
        let Self { from, performative, arguments, to } = self.clone();
        let pattern = MessagePattern { performative, arguments };
        EventAtom { agent: from, kind: EventKind::Sends(pattern, to) }
    }
}

impl Rule {
    pub(super) fn any(program: &Program, universe: &[Value], random: &mut Random) -> Option<Self> {
        if program.performatives.is_empty() {
            return None;
        }
        let sends = Sends::any(program, universe, random);
        Some(match random.below(6) {
            0 => Self::Never(sends),
            1 => Self::AtMost(sends, random.below(3) as i64),
            2 => {
                let arity = sends.arguments.len();
                if arity == 0 {
                    return None;
                }
                Self::TotalAtMost(sends, random.below(arity), random.below(4) as i64)
            }
            3 => Self::Before(sends, Sends::any(program, universe, random)),
            4 => Self::Precedes(sends, Sends::any(program, universe, random)),
            _ => {
                let from = AgentId::new(random.below(program.agents.len()));
                let cells = &program.memories[program.agent(from).role.index()].cells;
                if cells.is_empty() {
                    return None;
                }
                let cell = random.pick(cells).0;
                Self::CellAtMost(Sends { from: Some(from), ..sends }, from, cell, random.below(3) as i64)
            }
        })
    }

    /// Whether a message violates it after those that were sent; the sender is in one of these states then.
    pub(super) fn is_violated(
        &self,
        program: &Program,
        history: &[LoggedMessage],
        next: &LoggedMessage,
        after: &[AgentState],
    ) -> bool {
        let all = || history.iter().chain([next]);
        match self {
            Self::Never(sends) => sends.has(next),
            Self::AtMost(sends, most) => all().filter(|it| sends.has(it)).count() as i64 > *most,
            Self::TotalAtMost(sends, place, most) => {
                let amount = |it: &LoggedMessage| match it.message.arguments.get(*place) {
                    Some(Value::Integer(amount)) if sends.has(it) => *amount,
                    _ => 0,
                };
                all().map(amount).sum::<i64>() > *most
            }
            Self::Before(first, then) => then.has(next) && !history.iter().any(|it| first.has(it)),
            Self::Precedes(first, then) => then.has(next) && !all().any(|it| first.has(it)),
            Self::CellAtMost(sends, agent, cell, most) => {
                let exceeds = |state: &AgentState| {
                    let index = program.cell_of(program.agent(*agent).role, *cell).expect("it has the cell");
                    !matches!(state.memory[index], Value::Integer(number) if number <= *most)
                };
                sends.has(next) && after.iter().all(exceeds)
            }
        }
    }

    /// Whether it is known of every state.
    pub(super) fn is_exact(&self) -> bool {
        !matches!(self, Self::CellAtMost(..))
    }

    /// As a property.
    pub(super) fn compiled(&self) -> Properties {
        let mut all = Properties::default();
        let number = |number: i64| Quantity::Value(Value::Integer(number));
        let mut event = |sends: &Sends| {
            all.events.push(sends.event());
            Proposition::Event(all.events.len() - 1)
        };
        let proposition = match self {
            Self::Never(sends) => Proposition::Not(Box::new(event(sends))),
            Self::AtMost(sends, most) => {
                let times = Monitor::Times(event(sends));
                all.monitors.push(times);
                Proposition::Compare(Quantity::Monitor(0), Comparison::LessOrEqual, number(*most))
            }
            Self::TotalAtMost(sends, place, most) => {
                let when = event(sends);
                all.arguments.push(EventArgument { event: 0, place: *place, may_be_name: true });
                all.monitors.push(Monitor::Total(when, Quantity::Argument(0)));
                Proposition::Compare(number(*most), Comparison::GreaterOrEqual, Quantity::Monitor(0))
            }
            Self::Before(first, then) => {
                let first = event(first);
                let then = event(then);
                all.monitors.push(Monitor::Seen(first, Vec::new()));
                implies(then, Proposition::Before(0, Vec::new()))
            }
            Self::Precedes(first, then) => {
                let first = event(first);
                let then = event(then);
                all.propositions.push(first);
                Proposition::Not(Box::new(then))
            }
            Self::CellAtMost(sends, agent, cell, most) => {
                let says = event(sends);
                all.quantities.push(StateQuantity::Cell(*agent, *cell));
                implies(
                    says,
                    Proposition::Compare(Quantity::State(0), Comparison::LessOrEqual, number(*most)),
                )
            }
        };
        all.propositions.push(proposition);
        let holds = |index: usize| Box::new(Temporal::Holds(index));
        let formula = match self {
            Self::Precedes(..) => {
                Temporal::Or(vec![Temporal::Until(holds(1), holds(0)), Temporal::Always(holds(1))])
            }
            _ => Temporal::Always(holds(0)),
        };
        let span = SourceSpan::default();
        let name = "rule".to_owned();
        let (premises, instances) = (Vec::new(), Vec::new());
        all.list.push(Property { name, span, formula, premises, instances, constant: None });
        all
    }
}

fn implies(one: Proposition, other: Proposition) -> Proposition {
    Proposition::Or(vec![Proposition::Not(Box::new(one)), other])
}
