//! How agents begin: where they rest first, and what their variables hold.
//!
//! The process of an agent sets that itself. In models with claims, and where cells may start with any of several
//! values, the process that starts the others does it, so that it is done before the first step.

use map_ir::{AgentId, Value};

use crate::body::ENDED;
use crate::control::{HolderId, PlaceId};
use crate::explore::InitialState;
use crate::explored::Explored;
use crate::marks::LineMark;
use crate::moments::FAILED;
use crate::promela::{Expr, Stmt};
use crate::walk::Wrong;

impl Explored<'_> {
    /// Whether the process that starts the others sets the initial states of the part.
    pub(crate) fn is_set_up(&self) -> bool {
        self.walker.claims.is_some() || self.initial_states.iter().any(|it| it.len() > 1)
    }

    /// Sets the variables of the part's agents to their initial states; where there are several it chooses.
    pub(crate) fn set_up(&self, marks: &mut Vec<LineMark>) -> Vec<Stmt> {
        let mut statements = Vec::new();
        for (states, &agent) in self.initial_states.iter().zip(&self.walker.agents) {
            if let [only] = states.as_slice() {
                statements.extend(self.set_up_in(agent, only));
                continue;
            }
            let options = states.iter().map(|it| {
                marks.push(LineMark::Initial(agent, it.options.clone()));
                let mut option = vec![Stmt::Mark(marks.len() - 1)];
                option.extend(self.set_up_in(agent, it));
                option
            });
            statements.push(Stmt::If(options.collect()));
        }
        statements
    }

    fn set_up_in(&self, agent: AgentId, initial_state: &InitialState) -> Vec<Stmt> {
        let walker = &self.walker;
        let number = || walker.layout.constant(Value::Agent(agent));
        let own = Expr::Number((agent.index() - walker.agents[0].index()) as i64);
        let element = |name: &str| Expr::element(name, own.clone());
        let name = |holder: HolderId| walker.holder_name(holder);
        let mut statements: Vec<Stmt> = initial_state
            .contents
            .iter()
            .map(|(holder, value)| Stmt::Assign(element(&name(*holder)), walker.layout.constant(*value)))
            .collect();
        for &place in &initial_state.places {
            let at = match walker.control.places[place.0].thread() {
                None => format!("{}__at", walker.naming.part),
                Some(side) => walker.holder_name(walker.side_holder(side)),
            };
            statements.push(Stmt::Assign(element(&at), Expr::name(walker.place_name(place))));
        }
        let Some(succeeded) = initial_state.ended else { return statements };
        statements.push(Stmt::Assign(walker.layout.of_agent("ended", number()), Expr::True));
        if !succeeded {
            if walker.claims.is_some() {
                statements.push(Stmt::Assign(walker.layout.of_agent(FAILED, number()), Expr::True));
            }
            statements.push(Stmt::Assert(Expr::name(Wrong::Failure.constant())));
            // Without claims nothing is said of what comes after a failure, so nobody is started.
            statements.extend(walker.claims.is_none().then(|| Stmt::Goto(ENDED.to_owned())));
        }
        statements
    }

    /// The first statements of a process if it is set up by another: a jump to where its agent rests.
    pub(crate) fn entrance(&self) -> Vec<Stmt> {
        if self.first_place().is_some() {
            return Vec::new();
        }
        let walker = &self.walker;
        let mut options = Vec::new();
        for (states, &agent) in self.initial_states.iter().zip(&walker.agents) {
            let is = Expr::equal(Expr::name("self"), walker.layout.constant(Value::Agent(agent)));
            let mut beginnings: Vec<Option<PlaceId>> =
                states.iter().map(|it| it.ended.is_none().then(|| self.main_place_of(it))).collect();
            beginnings.sort_unstable();
            beginnings.dedup();
            let is_certain = beginnings.len() == 1;
            for place in beginnings {
                let (here, label) = match place {
                    None => (walker.layout.of_agent("ended", Expr::name("self")), ENDED.to_owned()),
                    Some(place) => {
                        let name = Expr::name(walker.place_name(place));
                        (Expr::equal(walker.main_place(), name), walker.label(place))
                    }
                };
                let here = if is_certain { Expr::True } else { here };
                options.push(vec![Stmt::Guard(Expr::and([is.clone(), here])), Stmt::Goto(label)]);
            }
        }
        vec![Stmt::If(options)]
    }

    fn main_place_of(&self, initial_state: &InitialState) -> PlaceId {
        let places = &self.walker.control.places;
        let main = initial_state.places.iter().find(|it| places[it.0].thread().is_none());
        *main.expect("an agent has a first thread")
    }

    /// The place where all agents of the part begin, if it is the same for all.
    pub(crate) fn first_place(&self) -> Option<PlaceId> {
        let mut states = self.initial_states.iter().flatten();
        if states.clone().any(|it| it.ended.is_some()) {
            return None;
        }
        let first = self.main_place_of(states.next()?);
        states.all(|it| self.main_place_of(it) == first).then_some(first)
    }

    /// The first statements of a process that sets its initial state itself.
    pub(crate) fn initial_statements(&self) -> Vec<Stmt> {
        let states: Vec<&InitialState> = self.initial_states.iter().flatten().collect();
        let options: Vec<Vec<Stmt>> = states.iter().map(|it| self.start(it)).collect();
        if states.iter().all(|it| *it == states[0]) {
            return match options.into_iter().next() {
                Some(statements) if statements.len() > 1 => vec![Stmt::Atomic(statements)],
                only => only.into_iter().flatten().collect(),
            };
        }
        let options = options.into_iter().zip(&self.walker.agents).map(|(statements, &agent)| {
            let name = self.walker.layout.constant(Value::Agent(agent));
            let mut option = vec![Stmt::Guard(Expr::equal(Expr::name("self"), name))];
            option.extend(statements);
            vec![Stmt::Atomic(option)]
        });
        vec![Stmt::If(options.collect())]
    }

    fn start(&self, initial_state: &InitialState) -> Vec<Stmt> {
        let walker = &self.walker;
        let mut statements: Vec<Stmt> = initial_state
            .contents
            .iter()
            .map(|(holder, value)| Stmt::Assign(walker.holder_expr(*holder), walker.layout.constant(*value)))
            .collect();
        match initial_state.ended {
            Some(true) => statements.extend(walker.end()),
            Some(false) => {
                statements.push(Stmt::Assert(Expr::name(Wrong::Failure.constant())));
                statements.push(Stmt::Goto(ENDED.to_owned()));
            }
            None => {
                for &place in &initial_state.places {
                    match walker.control.places[place.0].thread() {
                        None => {
                            if walker.layout.global {
                                let name = Expr::name(walker.place_name(place));
                                statements.push(Stmt::Assign(walker.main_place(), name));
                            }
                        }
                        Some(side) => {
                            let name = Expr::name(walker.place_name(place));
                            statements.push(Stmt::Assign(walker.holder_of_side(side), name));
                        }
                    }
                }
                statements.push(Stmt::Goto(walker.label(self.main_place_of(initial_state))));
            }
        }
        statements
    }
}
