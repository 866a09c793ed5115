//! Memories, and procedures with bodies: what the file declares besides its scene.

use super::builder::Builder;
use super::expressions::Words;
use super::op::Op;
use super::plan::Naming;
use super::weights::{weighed, weighed_body};

/// What has been declared so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Items {
    cells: Vec<Cell>,
    procedures: Vec<Declared>,
}

/// A memory cell of the agents of a part.
#[derive(Clone, Debug)]
struct Cell {
    part: usize,
    name: String,
    initial: String,
    number: bool,
}

/// A procedure with a body.
#[derive(Clone, Debug)]
struct Declared {
    /// Only agents of this part ask it, because it uses their cells.
    part: usize,
    name: String,
    parameters: usize,
    may_refuse: bool,
    /// Whether idioms other than the one it was written for may ask it.
    common: bool,
    text: String,
}

impl Builder {
    /// A new cell of the agents of the part.
    pub(super) fn cell(&mut self, part: usize, initial: &str) -> String {
        let name = format!("@c{}", self.items.cells.len() + 1);
        let number = initial.parse::<i64>().is_ok();
        self.items.cells.push(Cell { part, name: name.clone(), initial: initial.to_owned(), number });
        name
    }

    /// Declares `procedure` or `decision` with a body. Only agents of the part may ask it.
    pub(super) fn declare(
        &mut self,
        part: usize,
        may_refuse: bool,
        parameters: &[&str],
        body: &str,
    ) -> String {
        self.declared(part, may_refuse, parameters, body, false)
    }

    fn declared(
        &mut self,
        part: usize,
        may_refuse: bool,
        parameters: &[&str],
        body: &str,
        common: bool,
    ) -> String {
        let name = format!("q{}", self.items.procedures.len() + 1);
        let word = if may_refuse { "decision" } else { "procedure" };
        let body = weighed_body(body, may_refuse, &mut self.random.clone());
        let text = format!("{word} {name}({}) {body}\n", parameters.join(", "));
        let parameters = parameters.len();
        self.items.procedures.push(Declared {
            part,
            name: name.clone(),
            parameters,
            may_refuse,
            common,
            text,
        });
        name
    }

    /// `$new = p(..)`, and the new variable.
    pub(super) fn ask_for(&mut self, part: usize, procedure: &str, arguments: &[&str]) -> (Op, String) {
        let variable = self.fresh();
        self.bind(part, &variable, true, None);
        (Op::Ask(format!("{variable} = {procedure}({})", arguments.join(", "))), variable)
    }

    /// An ask of some procedure with a body, usually into a new variable.
    pub(super) fn ask_with_body(&mut self, part: usize, may_refuse: bool) -> Op {
        let fitting = |it: &&Declared| it.common && it.part == part && it.may_refuse == may_refuse;
        let old: Vec<(String, usize)> =
            self.items.procedures.iter().filter(fitting).map(|it| (it.name.clone(), it.parameters)).collect();
        let (name, arity) = if !old.is_empty() && (self.random.percent(50) || self.items.procedures.len() > 8)
        {
            self.random.pick(&old).clone()
        } else {
            let arity = *self.random.pick(&[0, 1, 1, 2]);
            let parameters = &["$x", "$y"][..arity];
            let body = self.random_body(part, may_refuse, parameters);
            (self.declared(part, may_refuse, parameters, &body, true), arity)
        };
        let argument = |b: &mut Self| {
            let value = match b.random.below(5) {
                0..2 => b.random.between(0, 3).to_string(),
                2 => b.answer_in_scope(part),
                _ => b.value(part),
            };
            b.perhaps_computed(part, &value)
        };
        let arguments: Vec<String> = (0..arity).map(|_| argument(self)).collect();
        let known = if self.random.percent(6) { self.bound(part) } else { None };
        match known {
            Some(variable) => Op::Ask(format!("{} = {name}({})", variable.name, arguments.join(", "))),
            None => {
                let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
                self.ask_for(part, &name, &arguments).0
            }
        }
    }

    /// An earlier answer of a procedure, if there is one in scope.
    fn answer_in_scope(&mut self, part: usize) -> String {
        let scope = &self.parts[part].scope;
        let answers: Vec<String> = scope.iter().filter(|it| it.answer).map(|it| it.name.clone()).collect();
        if answers.is_empty() { self.value(part) } else { self.random.pick(&answers).clone() }
    }

    /// A value, sometimes replaced by the answer of an ask before it, which makes it abstract.
    pub(super) fn value_or_abstract(&mut self, part: usize, value: String) -> (Vec<Op>, String) {
        if !self.random.percent(30) {
            return (Vec::new(), value);
        }
        let (ask, answer) = self.ask_for(part, "p0", &[]);
        (vec![ask], answer)
    }

    fn random_body(&mut self, part: usize, may_refuse: bool, parameters: &[&str]) -> String {
        match self.random.below(if parameters.is_empty() { 10 } else { 40 }) {
            0..3 => {
                let word = if may_refuse { "in" } else { *self.random.pick(&["in", "= in"]) };
                return format!("{word} {}", self.domain());
            }
            3..5 => return "fresh".to_owned(),
            _ => {}
        }
        if self.items.cells.iter().filter(|it| it.part == part).count() < 2 && self.random.percent(60) {
            let initial = *self.random.pick(&["0", "1", "2", "0", "self", "no", "\"text\"", "%a"]);
            self.cell(part, initial);
        }
        let words = self.words(part, parameters);
        let mut guarded = usize::from(may_refuse) + *self.random.pick(&[0, 0, 1, 1, 2]);
        let plain = !may_refuse || self.random.percent(8);
        if may_refuse && plain && self.random.percent(50) {
            guarded = 0;
        }
        let mut body = String::new();
        for number in 0..guarded + usize::from(plain) {
            if number < guarded {
                let depth = self.random.below(3);
                body.push_str(&format!("\n  | {} = ", words.condition(&mut self.random, depth)));
            } else {
                body.push_str("\n  = ");
            }
            body.push_str(&self.answer(&words));
            body.push_str(&self.updates(part, &words));
        }
        body
    }

    fn answer(&mut self, words: &Words) -> String {
        let depth = self.random.below(3);
        match self.random.below(20) {
            0..3 => format!("in {}", self.domain()),
            3..9 => words.value(&mut self.random, depth),
            // These may grow or overflow.
            9 => format!("{} + {}", words.number(&mut self.random, 0), words.number(&mut self.random, 0)),
            10 => match words.numbers.iter().chain(&words.parameters).next() {
                Some(number) => format!("{number} * 4611686018427387904"),
                None => "self".to_owned(),
            },
            _ => words.number(&mut self.random, depth),
        }
    }

    fn updates(&mut self, part: usize, words: &Words) -> String {
        let mut updates = Vec::new();
        let cells: Vec<Cell> = self.items.cells.iter().filter(|it| it.part == part).cloned().collect();
        for cell in cells {
            if !self.random.percent(35) {
                continue;
            }
            let depth = self.random.below(2);
            let value = if cell.number && self.random.percent(85) {
                words.number(&mut self.random, depth)
            } else {
                words.value(&mut self.random, depth)
            };
            updates.push(format!("{} := {value}", cell.name));
        }
        if updates.is_empty() { String::new() } else { format!(" with {}", updates.join(", ")) }
    }

    /// A small domain; empty only if it is that of a role without agents.
    pub(super) fn domain(&mut self) -> String {
        let nobody = self.parts.iter().find(|it| it.plan.agents.or(it.plan.cast) == Some(0));
        if let Some(role) = nobody.map(|it| it.plan.role)
            && self.random.percent(40)
        {
            return format!("%{role}");
        }
        match self.random.below(6) {
            0 => {
                let first = self.random.between(0, 2);
                format!("{first} .. {}", first + self.random.between(0, 1))
            }
            1 => {
                let part = self.random.below(self.parts.len());
                format!("%{}", self.parts[part].plan.role)
            }
            2 => "{yes, no}".to_owned(),
            3 => "{1, -7}".to_owned(),
            4 => (*self.random.pick(&["{1, \"text\"}", "{2, 1, 2}", "{yes}", "{no, 0, 3}"])).to_owned(),
            _ => {
                let names = self.words(0, &[]).names;
                format!("{{{}, none}}", self.random.pick(&names))
            }
        }
    }

    pub(super) fn words(&self, part: usize, parameters: &[&str]) -> Words {
        let own = || self.items.cells.iter().filter(|it| it.part == part);
        let plans = || self.parts.iter().map(|it| &it.plan);
        // Outside the clauses a literal name must be one agent's.
        let single = plans().filter(|it| it.naming == Naming::Single).map(|it| format!("!{}", it.name()));
        let second = plans().filter(|it| it.naming == Naming::Two).map(|it| format!("!{}2", it.name()));
        Words {
            parameters: parameters.iter().map(|&it| it.to_owned()).collect(),
            numbers: own().filter(|it| it.number).map(|it| it.name.clone()).collect(),
            cells: own().map(|it| it.name.clone()).collect(),
            names: single.chain(second).chain(plans().map(|it| format!("%{}", it.role))).collect(),
        }
    }

    /// The memories.
    pub(super) fn items_in_front(&self) -> String {
        // Draws of its own, so that all else stays as it would be without.
        let mut random = self.random.clone();
        let mut counting = self.random.clone();
        let mut weighing = self.random.clone();
        let mut left = if random.percent(33) { 2 } else { 0 };
        let mut text = String::new();
        for (part, it) in self.parts.iter().enumerate() {
            let own = self.items.cells.iter().filter(|cell| cell.part == part);
            let cells: Vec<String> = own
                .map(|cell| {
                    let Cell { name, initial, number, .. } = cell;
                    let domain = match (number, initial.as_str()) {
                        (true, it) if it.len() < 3 => *random.pick(&["0..1", "1..3", "{ 0, 2 }", "-1..1"]),
                        (false, "self" | "no" | "nobody") => *random.pick(&["{ no, 0 }", "{ 1, no, \"x\" }"]),
                        _ => "",
                    };
                    let is_open = !domain.is_empty() && left > 0 && random.percent(50);
                    left -= u32::from(is_open);
                    if is_open {
                        let role = initial == "self" && random.percent(50);
                        let domain = if role { format!("%{}", it.plan.role) } else { domain.to_owned() };
                        return format!("{name} in {}", weighed(&domain, &mut weighing));
                    }
                    if *number && counting.percent(10) {
                        return format!("{name} = count(%{})", counting.pick(&self.parts).plan.role);
                    }
                    format!("{name} = {initial}")
                })
                .collect();
            if !cells.is_empty() {
                text.push_str(&format!("memory %{} {{ {} }}\n", it.plan.role, cells.join(", ")));
            }
        }
        text
    }

    /// The procedures.
    pub(super) fn items_behind(&self) -> String {
        self.items.procedures.iter().map(|it| it.text.as_str()).collect()
    }
}
