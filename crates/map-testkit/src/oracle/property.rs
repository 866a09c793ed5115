//! Properties, judged by their definitions: sets of states are searched again for every question, and formulas are
//! evaluated as they are written. What the reference judges as linear temporal logic goes to the plain judge of it.

mod graph;
mod moment;
mod temporal;

use map_syntax::ast::{File, Formula, FormulaKind, OpKind, Quantifier, TemporalOperator};

use super::OracleOptions;
use super::cast::{Cast, Setting};
use graph::{Edge, Graph, Node};
use moment::{Environment, holds};

/// The answer about a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// It holds.
    Holds,
    /// It is violated; for what a single moment violates, how many steps it takes at least.
    Violated(Option<u32>),
    /// Some run does what it says is possible, after at least so many steps.
    Shown(Option<u32>),
    /// It would take too long.
    NotJudged,
}

/// Judges formulas that the static rules allow, in fair runs; `None` if the scene has too many states, or no first one.
#[must_use]
pub fn judge_formulas(file: &File, options: &OracleOptions, formulas: &[Formula]) -> Option<Vec<Judgement>> {
    let cast = Cast::new(file, options);
    let setting = Setting::new(file, &cast, options);
    let graph = Graph::new(&setting)?;
    let judge = Judge { setting: &setting, graph: &graph };
    Some(formulas.iter().map(|formula| judge.claim(formula, &Environment::new())).collect())
}

/// What formulas about a scene may speak of.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    /// The agents of the cast.
    pub agents: Vec<String>,
    /// The roles that have agents, each with its cells and the first terms of its clauses.
    pub roles: Vec<RoleWords>,
    /// The role of each agent, as an index into `roles`.
    pub role_of: Vec<usize>,
    /// Performatives that are sent, with their numbers of arguments.
    pub messages: Vec<(String, usize)>,
    /// Procedures that are asked.
    pub procedures: Vec<String>,
}

/// What formulas about the agents of a role may speak of.
#[derive(Clone, Debug, Default)]
pub struct RoleWords {
    /// The role.
    pub name: String,
    /// Its cells.
    pub cells: Vec<String>,
    /// The first terms that clauses of all its parts have.
    pub places: Vec<String>,
}

/// Collects what formulas about a scene may speak of.
#[must_use]
pub fn vocabulary(file: &File, options: &OracleOptions) -> Vocabulary {
    let cast = Cast::new(file, options);
    let mut words = Vocabulary::default();
    for agent in 0..cast.agents.len() {
        let role = cast.role_of(agent);
        let index = words.roles.iter().position(|it| it.name == role).unwrap_or_else(|| {
            words.roles.push(role_words(file, &cast, role));
            words.roles.len() - 1
        });
        words.agents.push(cast.agents[agent].name.clone());
        words.role_of.push(index);
    }
    for clause in &cast.scene.clauses {
        collect(&clause.body, &mut words);
    }
    words
}

fn role_words(file: &File, cast: &Cast<'_>, role: &str) -> RoleWords {
    let memory = file.memories().find(|it| it.role.text == role);
    let mut places: Option<Vec<String>> = None;
    for part in cast.parts.iter().filter(|part| part.role == role) {
        let firsts: Vec<String> = part
            .clauses
            .iter()
            .filter_map(|&clause| match &cast.scene.clauses[clause].parameters.first()?.kind {
                map_syntax::ast::TermKind::Name(name) => Some(name.clone()),
                _ => None,
            })
            .collect();
        places = Some(match places {
            None => firsts,
            Some(known) => known.into_iter().filter(|it| firsts.contains(it)).collect(),
        });
    }
    RoleWords {
        name: role.to_owned(),
        cells: memory.map_or(Vec::new(), |it| it.cells.iter().map(|it| it.cell.text.clone()).collect()),
        places: places.unwrap_or_default(),
    }
}

fn collect(op: &map_syntax::ast::Op, words: &mut Vocabulary) {
    match &op.kind {
        OpKind::Then(ops) | OpKind::Or(ops) | OpKind::Par(ops) => {
            ops.iter().for_each(|op| collect(op, words));
        }
        OpKind::Wait { body, timeout } => {
            collect(body, words);
            if let Some(timeout) = timeout {
                collect(timeout, words);
            }
        }
        OpKind::Send { message, .. } => {
            words.messages.push((message.performative.text.clone(), message.arguments.len()));
        }
        OpKind::Ask { procedure, .. } => words.procedures.push(procedure.text.clone()),
        OpKind::Call { .. } | OpKind::Skip | OpKind::Fail | OpKind::Receive { .. } => {}
    }
}

struct Judge<'j, 'a> {
    setting: &'j Setting<'a>,
    graph: &'j Graph<'a>,
}

impl Judge<'_, '_> {
    /// What is claimed of all runs, or with `possible` of some.
    fn claim(&self, formula: &Formula, environment: &Environment) -> Judgement {
        if is_about_a_moment(formula) {
            let holds = holds(self.setting, formula, environment, &self.graph.first_moment());
            return if holds { Judgement::Holds } else { Judgement::Violated(Some(0)) };
        }
        if let Some(simpler) = simpler(formula) {
            return self.claim(&simpler, environment);
        }
        match &formula.kind {
            FormulaKind::And(parts) => self.all(parts.iter().map(|part| self.claim(part, environment))),
            FormulaKind::Quantified(Quantifier::Forall, range, body) => {
                let agents = (0..self.setting.cast.agents.len())
                    .filter(|&agent| self.setting.role(agent) == range.role.text);
                self.all(agents.map(|agent| {
                    let mut inner = environment.clone();
                    inner.insert(range.variable.text.clone(), agent);
                    self.claim(body, &inner)
                }))
            }
            FormulaKind::Quantified(Quantifier::Exists, range, body) => {
                let mut agents = (0..self.setting.cast.agents.len())
                    .filter(|&agent| self.setting.role(agent) == range.role.text);
                match (agents.next(), agents.next()) {
                    // Of one agent there is no choice.
                    (Some(only), None) => {
                        let mut inner = environment.clone();
                        inner.insert(range.variable.text.clone(), only);
                        self.claim(body, &inner)
                    }
                    _ => self.as_temporal(formula, environment),
                }
            }
            FormulaKind::Not(denied)
                if matches!(denied.kind, FormulaKind::Possible(_) | FormulaKind::Sequence(_)) =>
            {
                match self.claim(denied, environment) {
                    Judgement::Shown(steps) => Judgement::Violated(steps),
                    Judgement::Violated(_) => Judgement::Holds,
                    other => other,
                }
            }
            FormulaKind::Temporal(operator, inner) if is_about_a_moment(inner) => {
                let inner = |moment: &Edge<'_>| holds(self.setting, inner, environment, moment);
                match operator {
                    TemporalOperator::Always => self.always(&inner),
                    TemporalOperator::Never => self.always(&|moment| !inner(moment)),
                    TemporalOperator::Eventually => self.eventually(&inner),
                    TemporalOperator::Next => self.as_temporal(formula, environment),
                }
            }
            FormulaKind::LeadsTo(left, right) if is_about_a_moment(left) && is_about_a_moment(right) => {
                let premise = |moment: &Edge<'_>| holds(self.setting, left, environment, moment);
                let goal = |moment: &Edge<'_>| holds(self.setting, right, environment, moment);
                self.leads_to(&premise, &goal)
            }
            FormulaKind::Until(left, right) if is_about_a_moment(left) && is_about_a_moment(right) => {
                let left = |moment: &Edge<'_>| holds(self.setting, left, environment, moment);
                let goal = |moment: &Edge<'_>| holds(self.setting, right, environment, moment);
                self.until(&left, &goal)
            }
            FormulaKind::Possible(inner) if is_about_a_moment(inner) => {
                match self.always(&|moment| !holds(self.setting, inner, environment, moment)) {
                    Judgement::Violated(steps) => Judgement::Shown(steps),
                    _ => Judgement::Violated(None),
                }
            }
            FormulaKind::Sequence(events) => self.sequence(events, environment),
            FormulaKind::Possible(inner) => match self.some_run(inner, environment) {
                Some(true) => Judgement::Shown(None),
                Some(false) => Judgement::Violated(None),
                None => Judgement::NotJudged,
            },
            _ => self.as_temporal(formula, environment),
        }
    }

    fn as_temporal(&self, formula: &Formula, environment: &Environment) -> Judgement {
        match self.every_run(formula, environment) {
            Some(true) => Judgement::Holds,
            Some(false) => Judgement::Violated(None),
            None => Judgement::NotJudged,
        }
    }

    fn all(&self, parts: impl Iterator<Item = Judgement>) -> Judgement {
        let parts: Vec<Judgement> = parts.collect();
        if parts.iter().any(|part| matches!(part, Judgement::Violated(_))) {
            return Judgement::Violated(None);
        }
        if parts.contains(&Judgement::NotJudged) { Judgement::NotJudged } else { Judgement::Holds }
    }

    /// "At every step": the distance of the nearest moment that is otherwise.
    fn always(&self, wanted: &dyn Fn(&Edge<'_>) -> bool) -> Judgement {
        if !wanted(&self.graph.first_moment()) {
            return Judgement::Violated(Some(0));
        }
        // Steps to each node; staying where it is takes none.
        let mut steps: Vec<Option<u32>> = vec![None; self.graph.nodes.len()];
        steps[0] = Some(0);
        let cost = |edge: &Edge<'_>| u32::from(edge.agent.is_some());
        loop {
            let before = steps.clone();
            for (node, known) in before.iter().enumerate() {
                let Some(known) = known else { continue };
                for edge in &self.graph.nodes[node].edges {
                    let found = known + cost(edge);
                    steps[edge.target] = Some(steps[edge.target].map_or(found, |it| it.min(found)));
                }
            }
            if steps == before {
                break;
            }
        }
        let nodes = self.graph.nodes.iter().zip(&steps);
        let wrong = nodes.filter_map(|(node, steps)| Some((node, (*steps)?))).flat_map(|(node, steps)| {
            node.edges.iter().filter(|edge| !wanted(edge)).map(move |edge| steps + cost(edge))
        });
        wrong.min().map_or(Judgement::Holds, |steps| Judgement::Violated(Some(steps)))
    }

    /// "Violated iff a state can be reached, without f before, from which f cannot be reached any more."
    fn eventually(&self, goal: &dyn Fn(&Edge<'_>) -> bool) -> Judgement {
        if goal(&self.graph.first_moment()) {
            return Judgement::Holds;
        }
        self.doomed(vec![0], &|moment| !goal(moment), goal)
    }

    /// "Likewise after an f."
    fn leads_to(&self, premise: &dyn Fn(&Edge<'_>) -> bool, goal: &dyn Fn(&Edge<'_>) -> bool) -> Judgement {
        let opens = |moment: &Edge<'_>| premise(moment) && !goal(moment);
        let mut starts = Vec::new();
        if opens(&self.graph.first_moment()) {
            starts.push(0);
        }
        for node in self.graph.reached_from(0) {
            starts.extend(self.graph.nodes[node].edges.iter().filter(|it| opens(it)).map(|it| it.target));
        }
        self.doomed(starts, &|moment| !goal(moment), goal)
    }

    /// "Also where its left side fails first."
    fn until(&self, left: &dyn Fn(&Edge<'_>) -> bool, goal: &dyn Fn(&Edge<'_>) -> bool) -> Judgement {
        let first = self.graph.first_moment();
        if goal(&first) {
            return Judgement::Holds;
        }
        if !left(&first) {
            return Judgement::Violated(None);
        }
        let goes_on = |moment: &Edge<'_>| left(moment) && !goal(moment);
        for node in self.graph.reached_through(vec![0], &goes_on) {
            if self.graph.nodes[node].edges.iter().any(|it| !left(it) && !goal(it)) {
                return Judgement::Violated(None);
            }
        }
        self.doomed(vec![0], &goes_on, goal)
    }

    /// Whether some state that is reached from the starts through such moments cannot reach the goal.
    fn doomed(
        &self,
        starts: Vec<usize>,
        through: &dyn Fn(&Edge<'_>) -> bool,
        goal: &dyn Fn(&Edge<'_>) -> bool,
    ) -> Judgement {
        let hopeless = |node: usize| {
            // "Without further crashes and losses."
            let reached = self.graph.reached_through(vec![node], &|edge| !edge.bad_luck);
            !reached.iter().any(|&it| {
                let Node { cut, edges, .. } = &self.graph.nodes[it];
                *cut || edges.iter().any(|edge| !edge.bad_luck && goal(edge))
            })
        };
        match self.graph.reached_through(starts, through).into_iter().any(hopeless) {
            true => Judgement::Violated(None),
            false => Judgement::Holds,
        }
    }

    fn sequence(&self, events: &[Formula], environment: &Environment) -> Judgement {
        let happens = |event: &Formula, moment: &Edge<'_>| holds(self.setting, event, environment, moment);
        // The first event may be what holds at the first moment.
        let at_once = matches!(events, [first, rest @ ..]
            if happens(first, &self.graph.first_moment()) && self.after(vec![0], rest, &happens));
        match at_once || self.after(vec![0], events, &happens) {
            true => Judgement::Shown(None),
            false => Judgement::Violated(None),
        }
    }

    /// Whether the events can happen one after the other from these states on.
    fn after(
        &self,
        mut places: Vec<usize>,
        events: &[Formula],
        happens: &dyn Fn(&Formula, &Edge<'_>) -> bool,
    ) -> bool {
        for event in events {
            let mut next: Vec<usize> = Vec::new();
            for node in self.graph.reached_through(places, &|_| true) {
                let edges = self.graph.nodes[node].edges.iter();
                next.extend(edges.filter(|it| happens(event, it)).map(|it| it.target));
            }
            next.sort_unstable();
            next.dedup();
            places = next;
        }
        !places.is_empty()
    }
}

/// "Negations are pushed inwards first", and operators that say the same twice say it once. `None` if there is nothing
/// to do.
fn simpler(formula: &Formula) -> Option<Formula> {
    use TemporalOperator::{Always, Eventually, Never};
    let made = |kind| Formula { kind, span: formula.span };
    let not = |inner: &Formula| made(FormulaKind::Not(Box::new(inner.clone())));
    let temporal = |operator, inner| made(FormulaKind::Temporal(operator, Box::new(inner)));
    match &formula.kind {
        FormulaKind::Temporal(Never, inner) if !is_about_a_moment(inner) => {
            Some(temporal(Always, not(inner)))
        }
        FormulaKind::Temporal(operator @ (Always | Eventually), inner) => match &inner.kind {
            FormulaKind::Temporal(same, inner) if same == operator => {
                Some(temporal(*operator, (**inner).clone()))
            }
            _ => simpler(inner).filter(|_| !is_about_a_moment(inner)).map(|it| temporal(*operator, it)),
        },
        FormulaKind::Not(denied) if !is_about_a_moment(denied) => match &denied.kind {
            FormulaKind::Not(inner) => Some((**inner).clone()),
            FormulaKind::Temporal(Always, inner) => Some(temporal(Eventually, not(inner))),
            FormulaKind::Temporal(Eventually, inner) => Some(temporal(Always, not(inner))),
            FormulaKind::Temporal(Never, inner) => Some(temporal(Eventually, (**inner).clone())),
            FormulaKind::Or(parts) => Some(made(FormulaKind::And(parts.iter().map(not).collect()))),
            FormulaKind::And(parts) => Some(made(FormulaKind::Or(parts.iter().map(not).collect()))),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a formula speaks of no other moment.
fn is_about_a_moment(formula: &Formula) -> bool {
    match &formula.kind {
        FormulaKind::Atom(_) => true,
        FormulaKind::Not(inner) | FormulaKind::Quantified(_, _, inner) => is_about_a_moment(inner),
        FormulaKind::And(parts) | FormulaKind::Or(parts) | FormulaKind::Implies(parts) => {
            parts.iter().all(is_about_a_moment)
        }
        _ => false,
    }
}
