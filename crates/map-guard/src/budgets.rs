//! Budgets: the properties that a guard enforces, and what a conversation has left of them.
//!
//! A safety property over sends is an automaton that reads a letter for each message: the propositions that hold then.
//! Between two messages agents do things unseen, so letters without events may come there, as many as there like to be.
//! A message violates a property if no such run of its automaton goes on. What is not known of a moment may be either
//! way; so a message is refused only if every explanation violates.

mod atoms;
mod formula;
mod truth;

use std::collections::BTreeSet;

use map_conform::LoggedMessage;
use map_graph::strong_component_numbers;
use map_ir::{
    Comparison, PerformativeId, Program, Properties, Proposition, PropositionId, Quantity, Temporal, Value,
    Visible,
};
use map_ltl::{Automaton, Effort, Formulas, Polarity, translate};
use map_semantics::{AgentState, Bounds, MonitorState};

use atoms::{Atom, is_unseen, places, visit_atoms};
use formula::{formula_of, is_safety, propositions_of};
use truth::{Moment, nothing_happens, sent};

/// Why a property is not enforced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftOut {
    /// It promises that something happens: no message can break it.
    Promise,
    /// It is about all runs together.
    AllRuns,
    /// Its truth does not depend on what is said.
    Constant,
    /// It speaks of what a guard does not see.
    Unseen,
    /// It does not hold before anything is said.
    Broken,
    /// Its automaton would be too large.
    TooLarge,
}

impl LeftOut {
    /// All reasons.
    pub const ALL: [Self; 6] =
        [Self::Promise, Self::AllRuns, Self::Constant, Self::Unseen, Self::Broken, Self::TooLarge];

    /// Why, in words that continue the name of the property.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Promise => "promises that something happens, which no message breaks",
            Self::AllRuns => "is about all runs together",
            Self::Constant => "does not depend on what is said",
            Self::Unseen => "speaks of receives, asks or timeouts, which a guard does not see",
            Self::Broken => "does not hold before anything is said",
            Self::TooLarge => "would take an automaton that is too large",
        }
    }
}

/// The properties that a guard enforces.
#[derive(Default)]
pub struct Budgets {
    properties: Properties,
    /// The names of those that are enforced.
    enforced: Vec<String>,
    left_out: Vec<(String, LeftOut)>,
    parts: Vec<Part>,
}

/// A conjunct of a property.
struct Part {
    /// Its property, among those that are enforced.
    property: usize,
    automaton: Automaton,
    /// By state of the automaton: whether it accepts anything from there.
    is_live: Vec<bool>,
    /// What may still be counted, if that is all that it says.
    allowance: Option<Allowance>,
    /// The places of messages that it looks at.
    places: Vec<(PerformativeId, usize)>,
    /// Whether it looks at the states of agents.
    reads_states: bool,
}

/// That a number never exceeds another one.
#[derive(Clone, Copy)]
struct Allowance {
    /// What counts.
    monitor: usize,
    most: i64,
}

/// What a conversation has made of its budgets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Spent {
    noted: MonitorState,
    /// By part: the states in which its automaton may be. None if it was violated.
    at: Vec<BTreeSet<u32>>,
}

/// What may still be counted before a property is violated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left {
    /// The property.
    pub property: String,
    /// How much.
    pub left: u64,
}

impl Budgets {
    /// Those of some properties that can be enforced and are `wanted`, by their names.
    #[must_use]
    pub fn new(properties: Properties, wanted: impl Fn(&str) -> bool) -> Self {
        let mut budgets = Self::default();
        let mut parts: Vec<Part> = Vec::new();
        for property in properties.list.iter().filter(|property| wanted(&property.name)) {
            let number = budgets.enforced.len();
            let conjuncts = match &property.formula {
                _ if property.constant.is_some() => Err(LeftOut::Constant),
                Temporal::And(parts) => Ok(&parts[..]),
                other => Ok(std::slice::from_ref(other)),
            };
            let made = conjuncts
                .and_then(|conjuncts| conjuncts.iter().map(|it| part(&properties, it, number)).collect());
            match made {
                Ok::<Vec<Part>, _>(made) => {
                    parts.extend(made);
                    budgets.enforced.push(property.name.clone());
                }
                Err(why) => budgets.left_out.push((property.name.clone(), why)),
            }
        }
        Self { properties, parts, ..budgets }
    }

    /// The names of the properties that are enforced.
    #[must_use]
    pub fn enforced(&self) -> &[String] {
        &self.enforced
    }

    /// The other ones, and why they are not.
    #[must_use]
    pub fn left_out(&self) -> &[(String, LeftOut)] {
        &self.left_out
    }

    /// What of messages and memories they depend on.
    #[must_use]
    pub fn observed(&self, program: &Program) -> Visible {
        if self.parts.is_empty() { Visible::default() } else { Visible::to(program, &self.properties) }
    }

    /// Whether it matters what stands at a place of messages.
    pub(crate) fn depend_on(&self, performative: PerformativeId, place: usize) -> bool {
        // Different arguments may come from different states.
        self.parts.iter().any(|part| part.reads_states || part.places.contains(&(performative, place)))
    }

    /// Before the first message.
    pub(crate) fn unspent(&self) -> Spent {
        let noted = MonitorState::start(&self.properties);
        let nothing = nothing_happens(&self.properties);
        let moment = Moment::unseen(&self.properties, &nothing, &noted);
        let at = self.parts.iter().map(|part| part.next(&BTreeSet::from([0]), &moment)).collect();
        Spent { noted, at }
    }

    /// After another message. The sender is in one of these states then; if there are none, nothing is known of it.
    ///
    /// # Errors
    /// The name of a property that it violates for certain.
    pub(crate) fn spend(
        &self,
        (program, bounds): (&Program, &Bounds),
        spent: &Spent,
        message: &LoggedMessage,
        sender: &[&AgentState],
    ) -> Result<Spent, &str> {
        let after = self.after((program, bounds), spent, message, sender);
        let violated = |index: &usize| after.at[*index].is_empty() && !spent.at[*index].is_empty();
        match (0..self.parts.len()).find(violated) {
            Some(index) => Err(&self.enforced[self.parts[index].property]),
            None => Ok(after),
        }
    }

    /// The same, even if a property is violated.
    pub(crate) fn after(
        &self,
        (program, bounds): (&Program, &Bounds),
        spent: &Spent,
        message: &LoggedMessage,
        sender: &[&AgentState],
    ) -> Spent {
        if self.parts.is_empty() {
            return spent.clone();
        }
        let nothing = nothing_happens(&self.properties);
        let unseen = Moment::unseen(&self.properties, &nothing, &spent.noted);
        let before: Vec<BTreeSet<u32>> =
            self.parts.iter().zip(&spent.at).map(|(part, at)| part.however_often(at, &unseen)).collect();
        let happening = sent(&self.properties, message);
        let no_ceilings = vec![i64::MAX; self.properties.monitors.len()];
        let noted = spent.noted.after(&self.properties, &happening, &no_ceilings);
        let unknown = [None];
        let known: Vec<Option<&AgentState>> = sender.iter().copied().map(Some).collect();
        let states = if known.is_empty() { &unknown[..] } else { &known };
        let mut at = vec![BTreeSet::new(); self.parts.len()];
        for state in states {
            let moment = Moment {
                properties: &self.properties,
                happening: &happening,
                before: &spent.noted,
                after: &noted,
                of: truth::Of::new((program, bounds), &self.properties, message.from, *state),
            };
            for ((part, before), at) in self.parts.iter().zip(&before).zip(&mut at) {
                at.extend(part.next(before, &moment));
            }
        }
        Spent { noted, at }
    }

    /// What is left of those that limit a number.
    pub(crate) fn left(&self, spent: &Spent) -> Vec<Left> {
        let of_part = |part: &Part| {
            let Allowance { monitor, most } = part.allowance?;
            let left = most.saturating_sub(spent.noted.number(monitor)?);
            let property = self.enforced[part.property].clone();
            Some(Left { property, left: u64::try_from(left).unwrap_or(0) })
        };
        self.parts.iter().filter_map(of_part).collect()
    }
}

/// A conjunct that can be enforced.
fn part(properties: &Properties, formula: &Temporal, property: usize) -> Result<Part, LeftOut> {
    if formula.is_about_all_runs() {
        return Err(LeftOut::AllRuns);
    }
    if !is_safety(formula, true) {
        return Err(LeftOut::Promise);
    }
    let atoms = atoms_of(properties, formula);
    if atoms.iter().any(|&atom| is_unseen(properties, atom)) {
        return Err(LeftOut::Unseen);
    }
    let mut formulas = Formulas::default();
    let id = formula_of(&mut formulas, formula);
    let automaton = translate(&formulas, id, Polarity::Positive, Effort::default());
    let automaton = automaton.map_err(|_| LeftOut::TooLarge)?;
    let is_live = live_states(&automaton);
    let part = Part {
        property,
        is_live,
        automaton,
        allowance: allowance(properties, formula),
        places: atoms.iter().flat_map(|&atom| places(properties, atom)).collect(),
        reads_states: atoms.iter().any(|atom| matches!(atom, Atom::State(_) | Atom::Quantity(_))),
    };
    let noted = MonitorState::start(properties);
    let nothing = nothing_happens(properties);
    let first = part.next(&BTreeSet::from([0]), &Moment::unseen(properties, &nothing, &noted));
    if first.is_empty() { Err(LeftOut::Broken) } else { Ok(part) }
}

fn atoms_of(properties: &Properties, formula: &Temporal) -> Vec<Atom> {
    let mut atoms = Vec::new();
    for proposition in propositions_of(formula) {
        visit_atoms(properties, &properties.propositions[proposition], &mut |atom| atoms.push(atom));
    }
    atoms
}

/// By state: whether the automaton accepts anything from there.
fn live_states(automaton: &Automaton) -> Vec<bool> {
    let states = automaton.len();
    let targets = |state: usize| automaton.edges(state as u32).iter().map(|edge| edge.target as usize);
    let edges: Vec<Vec<usize>> = (0..states).map(|state| targets(state).collect()).collect();
    let component = strong_component_numbers(&edges);
    let mut marks: Vec<Option<u128>> = vec![None; states];
    for state in 0..states {
        for edge in automaton.edges(state as u32) {
            if component[edge.target as usize] == component[state] {
                *marks[component[state]].get_or_insert(0) |= edge.marks;
            }
        }
    }
    let mut is_live: Vec<bool> =
        (0..states).map(|state| marks[component[state]] == Some(automaton.all_marks())).collect();
    while let Some(state) = (0..states).find(|&it| !is_live[it] && targets(it).any(|to| is_live[to])) {
        is_live[state] = true;
    }
    is_live
}

impl Part {
    /// The states behind a moment.
    fn next(&self, at: &BTreeSet<u32>, moment: &Moment<'_>) -> BTreeSet<u32> {
        if at.is_empty() {
            return BTreeSet::new();
        }
        let may = self.automaton.moment(|atom| moment.truth(atom as usize).may);
        let may_not = self.automaton.moment(|atom| moment.truth(atom as usize).may_not);
        let edges = at.iter().flat_map(|&state| self.automaton.edges(state));
        edges
            .filter(|edge| edge.guard.positive & !may == 0 && edge.guard.negative & !may_not == 0)
            .map(|edge| edge.target)
            .filter(|&target| self.is_live[target as usize])
            .collect()
    }

    /// The states before and behind a moment that may come any number of times.
    fn however_often(&self, at: &BTreeSet<u32>, moment: &Moment<'_>) -> BTreeSet<u32> {
        let mut all = at.clone();
        loop {
            let next = self.next(&all, moment);
            if next.is_subset(&all) {
                return all;
            }
            all.extend(next);
        }
    }
}

/// What a formula allows, if it says no more than that a number never exceeds another one.
fn allowance(properties: &Properties, formula: &Temporal) -> Option<Allowance> {
    let Temporal::Always(inner) = formula else { return None };
    let Temporal::Holds(proposition) = **inner else { return None };
    let (monitor, most) = match compared(properties, proposition)? {
        (Quantity::Monitor(monitor), Comparison::LessOrEqual, Quantity::Value(Value::Integer(most)))
        | (Quantity::Value(Value::Integer(most)), Comparison::GreaterOrEqual, Quantity::Monitor(monitor)) => {
            (*monitor, *most)
        }
        (Quantity::Monitor(monitor), Comparison::Less, Quantity::Value(Value::Integer(above)))
        | (Quantity::Value(Value::Integer(above)), Comparison::Greater, Quantity::Monitor(monitor)) => {
            (*monitor, above.saturating_sub(1))
        }
        _ => return None,
    };
    Some(Allowance { monitor, most })
}

fn compared(
    properties: &Properties,
    proposition: PropositionId,
) -> Option<(&Quantity, Comparison, &Quantity)> {
    match &properties.propositions[proposition] {
        Proposition::Compare(left, how, right) => Some((left, *how, right)),
        _ => None,
    }
}
