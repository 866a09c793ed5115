//! Properties as claims about the fixed agents and a few members: what they say with one member more than that they say
//! with any number of them.

use map_semantics::values_compare;

use crate::frame::MOST_SEEN;
use map_ir::{
    AgentId, CellId, Comparison, EventAtom, EventKind, PerformativeId, Possibility, Program, Properties,
    Proposition, Quantity, RoleId, StateAtom, StateQuantity, Temporal, Value, Visible,
};

/// Why a property is not judged for any number of members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unjudged {
    /// It is about more members at once than views show, or about all of them together.
    Several,
    /// It counts, adds up or looks back.
    LooksBack,
    /// It is about what happens in the end, or about what some run may do.
    NotSafety,
    /// A view shows it violated, or does not show it, which may never happen.
    Open,
    /// There are not all views, or not all that happens in them is known.
    NoViews,
}

/// A scene with its properties.
pub type WithProperties = (Program, Properties);

/// What is so at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    Constant(bool),
    Event(EventAtom),
    State(StateAtom),
    Not(Box<Self>),
    And(Vec<Self>),
    Or(Vec<Self>),
    Compare(Side, Comparison, Side),
}

/// A side of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Nothing,
    Value(Value),
    State(StateQuantity),
    /// The value at this place of the message.
    Argument(EventAtom, usize),
}

/// A claim about every run that a finite part of it refutes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Safety {
    /// It holds at the first moment.
    First(Claim),
    /// It holds at every moment.
    Always(Claim),
    /// The first holds until the second does, perhaps for ever.
    Unless(Claim, Claim),
    /// They do not hold in this order, each later than the one before.
    Never(Vec<Claim>),
}

/// The claims that a property makes about the fixed agents and at most as many members of a role as are `seen`. The scene
/// is given with one member more than that, and with one more again.
///
/// # Errors
/// Why it is not judged.
pub(crate) fn claims_of(
    few: &WithProperties,
    more: &WithProperties,
    property: &str,
    (role, seen): (RoleId, usize),
) -> Result<Vec<Safety>, Unjudged> {
    let [few, more] = [few, more].map(|(program, properties)| {
        let property = properties.list.iter().find(|it| it.name == property).ok_or(Unjudged::Several)?;
        let members: Vec<AgentId> = program.cast().filter(|&it| program.agent(it).role == role).collect();
        let mut claims = Vec::new();
        safety(properties, &property.formula, true, &mut claims)?;
        let mut distinct = Vec::new();
        for claim in claims {
            let claim = about_seen(program, &few.0, (&members, seen), claim)?;
            if !distinct.contains(&claim) {
                distinct.push(claim);
            }
        }
        Ok(distinct)
    });
    let (few, more): (Vec<Safety>, Vec<Safety>) = (few?, more?);
    // What is said with one member more is said of others than before.
    let same = few.len() == more.len() && more.iter().all(|it| few.contains(it));
    if same { Ok(few) } else { Err(Unjudged::Several) }
}

/// The claim with the names of `here`, where the members that it is about are the first, in the order in which it names
/// them.
fn about_seen(
    program: &Program,
    here: &Program,
    (members, seen): (&[AgentId], usize),
    mut claim: Safety,
) -> Result<Safety, Unjudged> {
    let mut about = Vec::new();
    for claim in claim.moments_mut() {
        claim.agents(&mut |agent| {
            if members.contains(agent) && !about.contains(agent) {
                about.push(*agent);
            }
        });
    }
    if about.len() > seen {
        return Err(Unjudged::Several);
    }
    if members.iter().any(|it| program.agent(*it).part != program.agent(members[0]).part) {
        return Err(Unjudged::NoViews);
    }
    for claim in claim.moments_mut() {
        claim.agents(&mut |agent| {
            // Names without an agent are those of the text.
            if agent.index() >= program.agents.len() {
                let name = program.agent_name(*agent);
                let known = here.agent_names.iter().position(|it| it == name);
                *agent = AgentId::new(known.expect("both are compiled from one text"));
                return;
            }
            let part = program.agent(*agent).part;
            let agents = &program.part(part).agents;
            let place = about.iter().position(|it| it == agent);
            let place = place.or_else(|| agents.iter().position(|it| it == agent));
            *agent = here.part(part).agents[place.expect("an agent is one of its part")];
        });
    }
    Ok(claim)
}

/// Adds what a formula, or its negation, claims.
fn safety(
    properties: &Properties,
    formula: &Temporal,
    positive: bool,
    found: &mut Vec<Safety>,
) -> Result<(), Unjudged> {
    let claim = |it: &Temporal, positive| moment(properties, it, positive);
    match (formula, positive) {
        (Temporal::Holds(_), _) => {
            found.extend(claim(formula, positive)?.conjuncts().into_iter().map(Safety::First));
        }
        (Temporal::Not(denied), _) => safety(properties, denied, !positive, found)?,
        (Temporal::And(parts), true) | (Temporal::Or(parts), false) => {
            parts.iter().try_for_each(|part| safety(properties, part, positive, found))?;
        }
        (Temporal::Always(inner), true)
            if let Temporal::Or(parts) = &**inner
                && parts.iter().any(is_next) =>
        {
            found.push(never_then(properties, parts)?);
        }
        (Temporal::Or(parts), true) => {
            let says = |part| claim(part, true).ok().and_then(|it| it.constant());
            let open: Vec<&Temporal> = parts.iter().filter(|part| says(part) != Some(false)).collect();
            match open.as_slice() {
                _ if open.iter().any(|part| says(part) == Some(true)) => {}
                [part] => safety(properties, part, true, found)?,
                _ => found.push(unless(properties, &open)?),
            }
        }
        (Temporal::Always(inner), true) | (Temporal::Eventually(inner), false) => {
            found.extend(claim(inner, positive)?.conjuncts().into_iter().map(Safety::Always));
        }
        // `not (f until g)` is `not g unless not f and not g`.
        (Temporal::Until(left, right), false) => {
            let (no_left, no_right) = (claim(left, false)?, claim(right, false)?);
            let neither = Claim::and(vec![no_left, no_right.clone()]);
            found.push(Safety::Unless(no_right, neither));
        }
        (Temporal::Possible(Possibility::Reach(proposition)), false) => {
            let reached = of_proposition(properties, &properties.propositions[*proposition])?;
            found.push(Safety::Always(reached.denied()));
        }
        (Temporal::Possible(Possibility::Sequence(all)), false) => {
            let all = all.iter().map(|&it| of_proposition(properties, &properties.propositions[it]));
            found.push(Safety::Never(all.collect::<Result<_, _>>()?));
        }
        _ => return Err(Unjudged::NotSafety),
    }
    Ok(())
}

fn is_next(formula: &Temporal) -> bool {
    matches!(formula, Temporal::Next(_))
}

/// `always f or next always g`: after a moment at which `f` does not hold there is none at which `g` does not.
fn never_then(properties: &Properties, parts: &[Temporal]) -> Result<Safety, Unjudged> {
    let (next, now): (Vec<&Temporal>, Vec<&Temporal>) = parts.iter().partition(|it| is_next(it));
    let [Temporal::Next(next)] = next.as_slice() else { return Err(Unjudged::NotSafety) };
    let Temporal::Always(then) = &**next else { return Err(Unjudged::NotSafety) };
    let now = now.into_iter().map(|part| moment(properties, part, false)).collect::<Result<_, _>>()?;
    Ok(Safety::Never(vec![Claim::and(now), moment(properties, then, false)?]))
}

/// `(always f) or (f until g)`.
fn unless(properties: &Properties, parts: &[&Temporal]) -> Result<Safety, Unjudged> {
    let ([Temporal::Always(always), Temporal::Until(left, right)]
    | [Temporal::Until(left, right), Temporal::Always(always)]) = parts
    else {
        return Err(Unjudged::NotSafety);
    };
    if always != left {
        return Err(Unjudged::NotSafety);
    }
    Ok(Safety::Unless(moment(properties, left, true)?, moment(properties, right, true)?))
}

/// A formula about one moment, or its negation.
fn moment(properties: &Properties, formula: &Temporal, positive: bool) -> Result<Claim, Unjudged> {
    Ok(match formula {
        Temporal::Holds(proposition) => {
            let claim = of_proposition(properties, &properties.propositions[*proposition])?;
            if positive { claim } else { claim.denied() }
        }
        Temporal::Not(denied) => moment(properties, denied, !positive)?,
        Temporal::And(parts) | Temporal::Or(parts) => {
            let all = parts.iter().map(|part| moment(properties, part, positive));
            let all = all.collect::<Result<_, _>>()?;
            if matches!(formula, Temporal::And(_)) == positive { Claim::and(all) } else { Claim::or(all) }
        }
        _ => return Err(Unjudged::NotSafety),
    })
}

fn of_proposition(properties: &Properties, proposition: &Proposition) -> Result<Claim, Unjudged> {
    let all = |parts: &[Proposition]| -> Result<Vec<Claim>, Unjudged> {
        parts.iter().map(|part| of_proposition(properties, part)).collect()
    };
    let side = |quantity: &Quantity| {
        Ok(match quantity {
            Quantity::Nothing => Side::Nothing,
            Quantity::Value(value) => Side::Value(*value),
            Quantity::State(index) => Side::State(properties.quantities[*index].clone()),
            Quantity::Argument(index) => {
                let argument = &properties.arguments[*index];
                Side::Argument(properties.events[argument.event].clone(), argument.place)
            }
            Quantity::Count(_) => return Err(Unjudged::Several),
            Quantity::Monitor(_) => return Err(Unjudged::LooksBack),
        })
    };
    Ok(match proposition {
        Proposition::Constant(truth) => Claim::Constant(*truth),
        Proposition::Event(index) => Claim::Event(properties.events[*index].clone()),
        Proposition::State(index) => Claim::State(properties.states[*index].clone()),
        Proposition::Not(denied) => of_proposition(properties, denied)?.denied(),
        Proposition::And(parts) => Claim::and(all(parts)?),
        Proposition::Or(parts) => Claim::or(all(parts)?),
        Proposition::Compare(Quantity::Value(left), comparison, Quantity::Value(right)) => {
            Claim::Constant(values_compare(Some(*left), *comparison, Some(*right)))
        }
        Proposition::Compare(
            Quantity::Count(counted),
            comparison,
            Quantity::Value(Value::Integer(number)),
        ) => few_of(all(counted)?, *comparison, *number)?,
        Proposition::Compare(
            Quantity::Value(Value::Integer(number)),
            comparison,
            Quantity::Count(counted),
        ) => few_of(all(counted)?, comparison.swapped(), *number)?,
        Proposition::Compare(left, comparison, right) => {
            Claim::Compare(side(left)?, *comparison, side(right)?)
        }
        Proposition::Before(..) => return Err(Unjudged::LooksBack),
    })
}

/// The claim that so many of these hold, if it says that there are at most one or two, or more than that.
fn few_of(claims: Vec<Claim>, comparison: Comparison, number: i64) -> Result<Claim, Unjudged> {
    let (most, positive) = match comparison {
        Comparison::Less => (number - 1, true),
        Comparison::LessOrEqual => (number, true),
        Comparison::Greater => (number, false),
        Comparison::GreaterOrEqual => (number - 1, false),
        Comparison::Equal | Comparison::NotEqual => return Err(Unjudged::Several),
    };
    let too_many = match usize::try_from(most) {
        Ok(most) if most < MOST_SEEN => most + 1,
        _ => return Err(Unjudged::Several),
    };
    let mut groups: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..too_many {
        let longer = |group: Vec<usize>| {
            let next = group.last().map_or(0, |last| last + 1);
            (next..claims.len()).map(move |it| group.iter().copied().chain([it]).collect())
        };
        groups = groups.into_iter().flat_map(longer).collect();
    }
    let not_all =
        |group: Vec<usize>| Claim::and(group.into_iter().map(|it| claims[it].clone()).collect()).denied();
    let few = Claim::and(groups.into_iter().map(not_all).collect());
    Ok(if positive { few } else { few.denied() })
}

impl Safety {
    /// What it says of single moments.
    pub(crate) fn moments(&self) -> Vec<&Claim> {
        match self {
            Self::First(claim) | Self::Always(claim) => vec![claim],
            Self::Unless(left, right) => vec![left, right],
            Self::Never(all) => all.iter().collect(),
        }
    }

    fn moments_mut(&mut self) -> Vec<&mut Claim> {
        match self {
            Self::First(claim) | Self::Always(claim) => vec![claim],
            Self::Unless(left, right) => vec![left, right],
            Self::Never(all) => all.iter_mut().collect(),
        }
    }
}

impl Claim {
    /// That all hold.
    fn and(parts: Vec<Self>) -> Self {
        let mut open: Vec<Self> = parts.into_iter().filter(|it| it.constant() != Some(true)).collect();
        match open.iter().any(|it| it.constant() == Some(false)) {
            true => Self::Constant(false),
            false if open.is_empty() => Self::Constant(true),
            false if open.len() == 1 => open.remove(0),
            false => Self::And(open),
        }
    }

    /// That some holds.
    fn or(parts: Vec<Self>) -> Self {
        let mut open: Vec<Self> = parts.into_iter().filter(|it| it.constant() != Some(false)).collect();
        match open.iter().any(|it| it.constant() == Some(true)) {
            true => Self::Constant(true),
            false if open.is_empty() => Self::Constant(false),
            false if open.len() == 1 => open.remove(0),
            false => Self::Or(open),
        }
    }

    /// That it does not hold.
    fn denied(self) -> Self {
        match self {
            Self::Constant(truth) => Self::Constant(!truth),
            Self::Not(claim) => *claim,
            claim => Self::Not(Box::new(claim)),
        }
    }

    /// Its truth, if it is always the same.
    fn constant(&self) -> Option<bool> {
        if let Self::Constant(truth) = self { Some(*truth) } else { None }
    }

    /// The claims that together say the same.
    fn conjuncts(self) -> Vec<Self> {
        match self {
            Self::And(parts) => parts.into_iter().flat_map(Self::conjuncts).collect(),
            Self::Not(denied) => match *denied {
                Self::Or(parts) => {
                    let denied = parts.into_iter().map(Self::denied);
                    denied.flat_map(Self::conjuncts).collect()
                }
                Self::Not(claim) => claim.conjuncts(),
                other => vec![Self::Not(Box::new(other))],
            },
            claim => vec![claim],
        }
    }

    /// Calls `see` with every agent that it names.
    fn agents(&mut self, see: &mut impl FnMut(&mut AgentId)) {
        match self {
            Self::Constant(_) => {}
            Self::Event(event) => agents_of(event, see),
            Self::State(atom) => match atom {
                StateAtom::Ended => {}
                StateAtom::Done(agent)
                | StateAtom::Failed(agent)
                | StateAtom::Waiting(agent)
                | StateAtom::In(agent, _) => see(agent),
            },
            Self::Not(denied) => denied.agents(see),
            Self::And(parts) | Self::Or(parts) => parts.iter_mut().for_each(|part| part.agents(see)),
            Self::Compare(left, _, right) => [left, right].into_iter().for_each(|side| match side {
                Side::Nothing => {}
                Side::Value(value) => agent_in(value, see),
                Side::State(StateQuantity::Cell(agent, _) | StateQuantity::Mailbox(agent)) => see(agent),
                Side::Argument(event, _) => agents_of(event, see),
            }),
        }
    }

    /// Adds what it observes.
    pub(crate) fn observe(&self, program: &Program, visible: &mut Visible) {
        match self {
            Self::Constant(_) | Self::State(_) => {}
            Self::Event(event) => observe_event(event, visible),
            Self::Not(denied) => denied.observe(program, visible),
            Self::And(parts) | Self::Or(parts) => parts.iter().for_each(|it| it.observe(program, visible)),
            Self::Compare(left, _, right) => [left, right].into_iter().for_each(|side| match side {
                Side::Nothing | Side::Value(_) | Side::State(StateQuantity::Mailbox(_)) => {}
                Side::State(StateQuantity::Cell(agent, cell)) => {
                    observe_cell(program, *agent, *cell, visible);
                }
                Side::Argument(event, place) => {
                    observe_event(event, visible);
                    visible.arguments.extend(performative_of(event).map(|it| (it, *place)));
                }
            }),
        }
    }

    /// The largest distance from 0 of an integer that it names.
    pub(crate) fn largest(&self) -> i64 {
        let of = |value: &Value| if let Value::Integer(number) = value { number.saturating_abs() } else { 0 };
        match self {
            Self::Constant(_) | Self::State(_) => 0,
            Self::Event(event) => match &event.kind {
                EventKind::Sends(pattern, _) | EventKind::Receives(pattern, _) => {
                    pattern.arguments.iter().flatten().map(of).max().unwrap_or(0)
                }
                EventKind::Asks(_) | EventKind::Answers(..) | EventKind::TimesOut => 0,
            },
            Self::Not(denied) => denied.largest(),
            Self::And(parts) | Self::Or(parts) => parts.iter().map(Self::largest).max().unwrap_or(0),
            Self::Compare(left, _, right) => [left, right]
                .into_iter()
                .map(|side| if let Side::Value(value) = side { of(value) } else { 0 })
                .max()
                .unwrap_or(0),
        }
    }
}

fn agents_of(event: &mut EventAtom, see: &mut impl FnMut(&mut AgentId)) {
    event.agent.iter_mut().for_each(&mut *see);
    if let EventKind::Sends(pattern, other) | EventKind::Receives(pattern, other) = &mut event.kind {
        other.iter_mut().for_each(&mut *see);
        pattern.arguments.iter_mut().flatten().for_each(|value| agent_in(value, see));
    }
}

fn agent_in(value: &mut Value, see: &mut impl FnMut(&mut AgentId)) {
    if let Value::Agent(agent) = value {
        see(agent);
    }
}

fn observe_event(event: &EventAtom, visible: &mut Visible) {
    let (EventKind::Sends(pattern, other) | EventKind::Receives(pattern, other)) = &event.kind else {
        return;
    };
    let values = pattern.arguments.iter().enumerate().filter(|(_, value)| value.is_some());
    visible.arguments.extend(values.map(|(place, _)| (pattern.performative, place)));
    if matches!(event.kind, EventKind::Receives(..)) && other.is_some() {
        visible.senders.push(pattern.performative);
    }
}

fn observe_cell(program: &Program, agent: AgentId, cell: CellId, visible: &mut Visible) {
    visible.cells.push((program.agent(agent).role, cell));
}

fn performative_of(event: &EventAtom) -> Option<PerformativeId> {
    match &event.kind {
        EventKind::Sends(pattern, _) | EventKind::Receives(pattern, _) => Some(pattern.performative),
        EventKind::Asks(_) | EventKind::Answers(..) | EventKind::TimesOut => None,
    }
}
