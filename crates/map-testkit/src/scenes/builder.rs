//! The parts of a scene under construction: which variables are bound where, and the terms made of them.

use super::op::Op;
use super::plan::{Naming, PlannedPart};
use super::procedures::Items;
use super::random::Random;

/// A variable that is bound on every path to the current place in the body.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) name: String,
    /// Whether it holds an answer, which is abstract.
    pub(super) answer: bool,
    /// The part whose agent it holds.
    pub(super) agent_of: Option<usize>,
}

/// A clause: its further head terms, and its body.
#[derive(Clone, Debug)]
pub(super) struct Clause {
    pub(super) head: Vec<String>,
    pub(super) body: Op,
}

/// A part, with the scope of the body under construction.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) plan: PlannedPart,
    pub(super) clauses: Vec<Clause>,
    pub(super) scope: Vec<Variable>,
}

/// A message that is sent somewhere: performative and arguments.
#[derive(Clone, Debug)]
pub(super) struct Sent {
    pub(super) performative: String,
    pub(super) arguments: Vec<String>,
    /// For each argument, whether it is an answer, so that comparisons with it are open.
    open: Vec<bool>,
}

/// The whole scene.
#[derive(Clone, Debug)]
pub(super) struct Builder {
    pub(super) random: Random,
    pub(super) parts: Vec<Part>,
    /// Whether receives always fit what is sent, and no mistakes are made.
    pub(super) careful: bool,
    /// Whether there are memories and procedures with bodies.
    pub(super) rich: bool,
    /// Whether most exchanges are loops that send.
    pub(super) chatty: bool,
    /// Whether acts and calls compute some of their values.
    pub(super) computing: bool,
    pub(super) items: Items,
    variables: usize,
    performatives: usize,
    loops: usize,
}

const CONSTANTS: [&str; 6] = ["yes", "no", "1", "2", "\"text\"", "-7"];

impl Builder {
    pub(super) fn new(plan: Vec<PlannedPart>, mut random: Random) -> Self {
        let careful = random.percent(50);
        let part = |plan| Part { plan, clauses: Vec::new(), scope: Vec::new() };
        let mut builder = Self {
            random,
            careful,
            rich: false,
            chatty: false,
            computing: false,
            items: Items::default(),
            parts: plan.into_iter().map(part).collect(),
            variables: 0,
            performatives: 0,
            loops: 0,
        };
        for part in 0..builder.parts.len() {
            builder.parts[part].scope = builder.own_name(part);
        }
        builder
    }

    /// The scope at the beginning of a clause without parameters.
    fn own_name(&self, part: usize) -> Vec<Variable> {
        let own = Variable { name: "$me".to_owned(), answer: false, agent_of: None };
        if self.parts[part].plan.variable { vec![own] } else { Vec::new() }
    }

    /// A variable name that is used nowhere else, so that it is bound here.
    pub(super) fn fresh(&mut self) -> String {
        self.variables += 1;
        format!("$v{}", self.variables)
    }

    /// The constant of a new loop.
    pub(super) fn loop_name(&mut self) -> String {
        self.loops += 1;
        format!("loop{}", self.loops)
    }

    pub(super) fn bind(&mut self, part: usize, name: &str, answer: bool, agent_of: Option<usize>) {
        self.parts[part].scope.push(Variable { name: name.to_owned(), answer, agent_of });
    }

    pub(super) fn bound(&mut self, part: usize) -> Option<Variable> {
        let scope = &self.parts[part].scope;
        if scope.is_empty() { None } else { Some(self.random.pick(scope).clone()) }
    }

    /// A value: a bound variable, a constant or a name.
    pub(super) fn value(&mut self, part: usize) -> String {
        match self.random.below(10) {
            0..5 => match self.bound(part) {
                Some(variable) => variable.name,
                None => (*self.random.pick(&CONSTANTS)).to_owned(),
            },
            5 => {
                let other = self.random.below(self.parts.len());
                self.name_of(part, other).unwrap_or_else(|| format!("%{}", self.parts[other].plan.role))
            }
            _ => (*self.random.pick(&CONSTANTS)).to_owned(),
        }
    }

    /// A literal that refers to an agent of `other` in the clauses of `part`.
    fn name_of(&mut self, part: usize, other: usize) -> Option<String> {
        let plan = self.parts[other].plan.clone();
        match plan.naming {
            _ if part == other && !plan.variable => Some(format!("!{}", plan.name())),
            Naming::Single => Some(format!("!{}", plan.name())),
            Naming::Two => Some(format!("!{}{}", plan.name(), self.random.between(1, 2))),
            Naming::Many => None,
        }
    }

    /// A message from an agent of the part.
    pub(super) fn message(&mut self, part: usize) -> Sent {
        self.performatives += 1;
        let number = if !self.careful && self.random.percent(12) { 1 } else { self.performatives };
        let arity = *self.random.pick(&[0, 0, 1, 1, 1, 2]);
        let arguments: Vec<String> = (0..arity).map(|_| self.value(part)).collect();
        let answer = |name: &String| self.parts[part].scope.iter().any(|it| it.answer && it.name == *name);
        let open = arguments.iter().map(answer).collect();
        Sent { performative: format!("m{number}"), arguments, open }
    }

    /// A message whose arguments are constants, so that it can be written in any scope.
    pub(super) fn message_of_constants(&mut self) -> Sent {
        self.performatives += 1;
        let arity = *self.random.pick(&[0, 0, 1]);
        let arguments = (0..arity).map(|_| (*self.random.pick(&CONSTANTS)).to_owned()).collect();
        Sent { performative: format!("m{}", self.performatives), arguments, open: vec![false; arity] }
    }

    /// A message with these arguments, none of which is open.
    pub(super) fn message_of(&mut self, arguments: &[&str]) -> Sent {
        self.performatives += 1;
        let arguments: Vec<String> = arguments.iter().map(|&it| it.to_owned()).collect();
        let open = vec![false; arguments.len()];
        Sent { performative: format!("m{}", self.performatives), arguments, open }
    }

    /// `m(..) => agent(..)` to agents of `to`.
    pub(super) fn send(&mut self, part: usize, to: usize, message: &Sent) -> Op {
        let role = format!("%{}", self.parts[to].plan.role);
        let scope = &self.parts[part].scope;
        let known: Vec<String> =
            scope.iter().filter(|it| it.agent_of == Some(to)).map(|it| it.name.clone()).collect();
        let open: Vec<String> = scope.iter().filter(|it| it.answer).map(|it| it.name.clone()).collect();
        let chance = self.random.below(100);
        let (name, role) = match chance {
            0..5 if self.careful => ("_".to_owned(), role),
            0..3 if !open.is_empty() => (self.random.pick(&open).clone(), role),
            3..5 if !open.is_empty() => ("_".to_owned(), self.random.pick(&open).clone()),
            5..7 => ("_".to_owned(), "_".to_owned()),
            7..70 if !known.is_empty() => (self.random.pick(&known).clone(), role),
            7..80 => match self.name_of(part, to) {
                Some(name) => (name, role),
                None => ("_".to_owned(), role),
            },
            _ => ("_".to_owned(), role),
        };
        let arguments: Vec<String> =
            message.arguments.iter().map(|it| self.perhaps_computed(part, it)).collect();
        let name = if name == "_" { name } else { self.perhaps_computed(part, &name) };
        Op::Send(format!("{}({}) => agent({name}, {role})", message.performative, arguments.join(", ")))
    }

    /// A value of an act or call, or an expression in its place, which may have that value.
    pub(super) fn perhaps_computed(&mut self, part: usize, value: &str) -> String {
        if !self.computing || !self.random.percent(25) {
            return value.to_owned();
        }
        let variables: Vec<String> = self.parts[part].scope.iter().map(|it| it.name.clone()).collect();
        let variables: Vec<&str> = variables.iter().map(String::as_str).collect();
        let words = self.words(part, &variables);
        let random = &mut self.random;
        match random.below(8) {
            0 => words.value(random, 1),
            1 => words.number(random, 1),
            2 if value.starts_with('$') => format!("min({value}, 2)"),
            3 => format!("(if {} then {} else {value})", words.condition(random, 0), words.value(random, 0)),
            _ => format!("if {} then {value} else {}", words.condition(random, 1), words.value(random, 0)),
        }
    }

    /// `m(..) <= agent(..)` for a message; what it binds is in scope afterwards.
    pub(super) fn receive(&mut self, part: usize, from: usize, message: &Sent) -> Op {
        let mut patterns = Vec::new();
        let mut new: Vec<String> = Vec::new();
        for (argument, &open) in message.arguments.iter().zip(&message.open) {
            let constant = !argument.starts_with('$');
            let chance = if self.careful { self.random.between(50, 130) } else { self.random.between(0, 99) };
            let pattern = match chance {
                50..75 if open => (*self.random.pick(&CONSTANTS)).to_owned(),
                116.. | 0..15 => "_".to_owned(),
                // The sender's own name refers to another agent here.
                15..30 if argument.starts_with('!') => self.name_of(part, from).unwrap_or("_".to_owned()),
                15..30 if constant => argument.clone(),
                30..34 => (*self.random.pick(&CONSTANTS)).to_owned(),
                34..44 => match self.bound(part) {
                    Some(variable) => variable.name,
                    None => "_".to_owned(),
                },
                44..50 if !new.is_empty() => self.random.pick(&new).clone(),
                _ => {
                    new.push(self.fresh());
                    new[new.len() - 1].clone()
                }
            };
            patterns.push(pattern);
        }
        for name in new {
            self.bind(part, &name, false, None);
        }
        let role = format!("%{}", self.parts[from].plan.role);
        let chance = self.random.below(100);
        let (name, role) = match chance {
            50..54 if self.careful => ("_".to_owned(), role),
            0..35 => match self.name_of(part, from) {
                Some(name) => (name, role),
                None => ("_".to_owned(), role),
            },
            35..45 => ("_".to_owned(), role),
            45..50 => ("_".to_owned(), "_".to_owned()),
            50..54 => match self.bound(part) {
                Some(variable) => (variable.name, role),
                None => ("_".to_owned(), role),
            },
            54..57 => {
                let variable = self.fresh();
                self.bind(part, &variable, false, None);
                ("_".to_owned(), variable)
            }
            chance => {
                let variable = self.fresh();
                // If the role is not written, it is only known at run time whose name it is.
                let role = if chance == 99 { "_".to_owned() } else { role };
                self.bind(part, &variable, false, (role != "_").then_some(from));
                (variable, role)
            }
        };
        Op::Receive(format!("{}({}) <= agent({name}, {role})", message.performative, patterns.join(", ")))
    }

    /// An ask of a decision, or of a procedure that never refuses, usually into a new variable, sometimes into none.
    pub(super) fn ask(&mut self, part: usize, may_refuse: bool) -> Op {
        if !self.random.percent(9) {
            return self.ask_into_variable(part, may_refuse);
        }
        let ask = self.aside(part, |b| b.ask_into_variable(part, may_refuse));
        match &ask {
            // Only declared procedures are asked without a variable, and `d0` is not.
            Op::Ask(text) => match text.split_once(" = ") {
                Some((_, call)) if !call.starts_with("d0(") => Op::Ask(call.to_owned()),
                _ => ask,
            },
            _ => ask,
        }
    }

    /// An ask, usually into a new variable.
    pub(super) fn ask_into_variable(&mut self, part: usize, may_refuse: bool) -> Op {
        if self.rich && self.random.percent(60) {
            return self.ask_with_body(part, may_refuse);
        }
        let old = if self.random.percent(6) { self.bound(part) } else { None };
        let letter = if may_refuse { "d" } else { "p" };
        let call = match self.random.below(3) {
            0 => {
                let value = self.value(part);
                format!("{letter}1({})", self.perhaps_computed(part, &value))
            }
            _ => format!("{letter}0()"),
        };
        let variable = match old {
            Some(variable) => variable.name,
            None => {
                let fresh = self.fresh();
                self.bind(part, &fresh, true, None);
                fresh
            }
        };
        Op::Ask(format!("{variable} = {call}"))
    }

    /// Writes something in another clause of the part, with these parameters in scope.
    pub(super) fn elsewhere<T>(
        &mut self,
        part: usize,
        parameters: Vec<Variable>,
        write: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let mut scope = self.own_name(part);
        scope.extend(parameters);
        let here = std::mem::replace(&mut self.parts[part].scope, scope);
        let written = write(self);
        self.parts[part].scope = here;
        written
    }

    /// Writes something whose bindings are not in scope afterwards.
    pub(super) fn aside<T>(&mut self, part: usize, write: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.parts[part].scope.len();
        let written = write(self);
        self.parts[part].scope.truncate(before);
        written
    }

    /// The source text.
    pub(super) fn text(&self) -> String {
        let mut text = self.items_in_front();
        text.push_str("scene [\n");
        for part in &self.parts {
            let plan = &part.plan;
            let who = if plan.variable { "$me".to_owned() } else { format!("!{}", plan.name()) };
            for clause in &part.clauses {
                let head: Vec<String> =
                    [who.clone(), format!("%{}", plan.role)].into_iter().chain(clause.head.clone()).collect();
                text.push_str(&format!("  agent({}) =\n    {}\n", head.join(", "), clause.body.text()));
            }
        }
        text.push_str("]\n");
        text.push_str(&self.items_behind());
        for (name, declaration) in
            [("p0(", "procedure p0()"), ("p1(", "procedure p1($x)"), ("d1(", "decision d1($x)")]
        {
            if text.contains(&format!("= {name}"))
                || text.contains(&format!(" {name}"))
                || text.contains(&format!("({name}"))
            {
                text.push_str(declaration);
                text.push('\n');
            }
        }
        for part in &self.parts {
            if let Some(count) = part.plan.cast {
                text.push_str(&format!("cast %{} = {count}\n", part.plan.role));
            }
        }
        text
    }
}
