//! Random measures of a scene.

use std::fmt::Write as _;

use super::Random;
use crate::oracle::Vocabulary;

/// A measure of a scene, `m0` and so on.
#[derive(Clone, Debug)]
pub struct RandomMeasure {
    /// The role each of whose agents has one, as an index into [`Vocabulary::roles`].
    pub of: Option<usize>,
    /// What it is.
    pub value: RandomValue,
}

/// A value that is read off a run.
#[derive(Clone, Debug)]
pub enum RandomValue {
    /// An integer.
    Integer(i64),
    /// How often these messages are sent.
    Count(RandomSends),
    /// The argument at this place of the first or last of these messages.
    Moment {
        /// The first one, not the last.
        first: bool,
        /// The messages.
        sends: RandomSends,
        /// The place.
        place: usize,
    },
    /// How many copies are sent.
    Copies,
    /// The cell of the agent that the measure is of.
    Cell(String),
    /// An earlier measure that is not of a role.
    Earlier(usize),
    /// The sum of an earlier measure that is of a role.
    Sum(usize),
    /// `+`, `-`, `*`, `/` or `mod`.
    Arithmetic(&'static str, Box<RandomValue>, Box<RandomValue>),
    /// The larger integer.
    Max(Box<RandomValue>, Box<RandomValue>),
    /// The third value if the first is less than the second, else the fourth.
    If(Box<[RandomValue; 4]>),
}

/// Messages that are sent.
#[derive(Clone, Debug)]
pub struct RandomSends {
    /// Only those of this agent, or of the one that the measure is of.
    pub sender: RandomAgent,
    /// The performative, and how many arguments it has.
    pub message: (String, usize),
}

/// Who sends.
#[derive(Clone, Debug)]
pub enum RandomAgent {
    /// Anybody.
    Anybody,
    /// The agent of this name.
    Named(String),
    /// The agent that the measure is of.
    Own,
}

/// A few measures that obey the static rules in the scene with this vocabulary, each made of those before it at most.
/// Equal seeds give equal measures.
#[must_use]
pub fn random_measures(words: &Vocabulary, seed: u64) -> Vec<RandomMeasure> {
    let mut random = Random::new(seed, 89);
    let mut all: Vec<RandomMeasure> = Vec::new();
    for _ in 0..1 + random.below(4) {
        let of = (!words.roles.is_empty() && random.percent(45)).then(|| random.below(words.roles.len()));
        let value = Drawing { words, random: &mut random, earlier: &all, of }.value(3);
        all.push(RandomMeasure { of, value });
    }
    all
}

struct Drawing<'a> {
    words: &'a Vocabulary,
    random: &'a mut Random,
    earlier: &'a [RandomMeasure],
    of: Option<usize>,
}

impl Drawing<'_> {
    fn value(&mut self, depth: usize) -> RandomValue {
        if depth == 0 || self.random.percent(35) {
            return self.leaf();
        }
        let next = |it: &mut Self| Box::new(it.value(depth - 1));
        match self.random.below(6) {
            0 => RandomValue::Max(next(self), next(self)),
            1 | 2 => {
                let parts = [(); 4].map(|()| self.value(depth - 1));
                RandomValue::If(Box::new(parts))
            }
            _ => {
                let operator = *self.random.pick(&["+", "-", "*", "/", "mod"]);
                RandomValue::Arithmetic(operator, next(self), next(self))
            }
        }
    }

    fn leaf(&mut self) -> RandomValue {
        let cells = self.of.map_or(&[][..], |role| &self.words.roles[role].cells);
        match self.random.below(8) {
            0 => RandomValue::Integer([0, 1, 2, 7, -3][self.random.below(5)]),
            1 => RandomValue::Copies,
            2 if !cells.is_empty() => RandomValue::Cell(self.random.pick(cells).clone()),
            3 if !self.earlier.is_empty() => {
                let earlier = self.random.below(self.earlier.len());
                match self.earlier[earlier].of {
                    Some(_) => RandomValue::Sum(earlier),
                    None => RandomValue::Earlier(earlier),
                }
            }
            4 | 5 if !self.words.messages.is_empty() => RandomValue::Count(self.sends()),
            _ if self.words.messages.iter().any(|(_, arity)| *arity > 0) => loop {
                let sends = self.sends();
                if sends.message.1 > 0 {
                    let (first, place) = (self.random.percent(50), self.random.below(sends.message.1));
                    return RandomValue::Moment { first, sends, place };
                }
            },
            _ => RandomValue::Copies,
        }
    }

    fn sends(&mut self) -> RandomSends {
        let message = self.random.pick(&self.words.messages).clone();
        let sender = match self.random.below(4) {
            0 if !self.words.agents.is_empty() => {
                RandomAgent::Named(self.random.pick(&self.words.agents).clone())
            }
            1 if self.of.is_some() => RandomAgent::Own,
            _ => RandomAgent::Anybody,
        };
        RandomSends { sender, message }
    }
}

/// The measures as items of a text.
#[must_use]
pub fn measures_text(words: &Vocabulary, all: &[RandomMeasure]) -> String {
    let mut text = String::new();
    for (number, RandomMeasure { of, value }) in all.iter().enumerate() {
        let of = of.map_or(String::new(), |role| format!(" of $b in %{}", words.roles[role].name));
        let value = written(value, "$b", &|earlier| match all[earlier].of {
            Some(_) => format!("sum(m{earlier})"),
            None => format!("measure(m{earlier})"),
        });
        let _ = writeln!(text, "measure m{number}{of} = {value}");
    }
    text
}

/// A measure as one expression without the others, that of this agent if each agent of a role has one.
#[must_use]
pub fn measure_alone(
    words: &Vocabulary,
    all: &[RandomMeasure],
    measure: usize,
    agent: Option<&str>,
) -> String {
    let own = agent.map_or(String::new(), |agent| format!("!{agent}"));
    written(&all[measure].value, &own, &|earlier| match all[earlier].of {
        None => measure_alone(words, all, earlier, None),
        Some(role) => {
            let agents = words.agents.iter().zip(&words.role_of).filter(|(_, of)| **of == role);
            let parts = agents.map(|(agent, _)| measure_alone(words, all, earlier, Some(agent)));
            format!("({})", std::iter::once("0".to_owned()).chain(parts).collect::<Vec<_>>().join(" + "))
        }
    })
}

fn written(value: &RandomValue, own: &str, earlier: &dyn Fn(usize) -> String) -> String {
    let part = |value| written(value, own, earlier);
    match value {
        RandomValue::Integer(number) => number.to_string(),
        RandomValue::Count(sends) => format!("count({})", event(sends, own, None)),
        RandomValue::Moment { first, sends, place } => {
            let word = if *first { "first" } else { "last" };
            format!("{word}($n : {})", event(sends, own, Some(*place)))
        }
        RandomValue::Copies => "cost(messages)".to_owned(),
        RandomValue::Cell(cell) => format!("{own}@{cell}"),
        RandomValue::Earlier(measure) | RandomValue::Sum(measure) => earlier(*measure),
        RandomValue::Arithmetic(operator, left, right) => {
            format!("({} {operator} {})", part(left), part(right))
        }
        RandomValue::Max(left, right) => format!("max({}, {})", part(left), part(right)),
        RandomValue::If(parts) => {
            let [less, than, then, otherwise] = &**parts;
            format!("(if {} < {} then {} else {})", part(less), part(than), part(then), part(otherwise))
        }
    }
}

fn event(sends: &RandomSends, own: &str, place: Option<usize>) -> String {
    let (performative, arity) = &sends.message;
    let sender = match &sends.sender {
        RandomAgent::Anybody => "_".to_owned(),
        RandomAgent::Named(name) => format!("!{name}"),
        RandomAgent::Own => own.to_owned(),
    };
    let arguments: Vec<&str> = (0..*arity).map(|it| if Some(it) == place { "$n" } else { "_" }).collect();
    format!("{sender} sends {performative}({}) to _", arguments.join(", "))
}
