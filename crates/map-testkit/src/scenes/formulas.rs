//! Random formulas about a scene, most of them of shapes that the oracle judges.

use super::Random;
use crate::oracle::Vocabulary;

/// A random formula that obeys the static rules in the scene with this vocabulary. Equal seeds give equal formulas.
#[must_use]
pub fn random_formula(words: &Vocabulary, seed: u64) -> String {
    let mut writer =
        Writer { words, random: Random::new(seed, 77), variables: Vec::new(), bound: 0, named: 40 };
    writer.claim()
}

/// Like [`random_formula`], but symmetric in the agents of a role: agents are rarely named.
#[must_use]
pub fn random_formula_about_all(words: &Vocabulary, seed: u64) -> String {
    let mut writer =
        Writer { words, random: Random::new(seed, 78), variables: Vec::new(), bound: 0, named: 5 };
    writer.claim_about_all()
}

/// A random formula that says something of each two or three agents of a role together.
#[must_use]
pub fn random_formula_about_several(words: &Vocabulary, seed: u64) -> String {
    let mut writer =
        Writer { words, random: Random::new(seed, 79), variables: Vec::new(), bound: 0, named: 5 };
    writer.claim_about_several()
}

struct Writer<'w> {
    words: &'w Vocabulary,
    random: Random,
    /// The enclosing variables with the indices of their roles.
    variables: Vec<(String, usize)>,
    /// The number of variables that events have bound so far.
    bound: usize,
    /// The probability, in per cent, that an agent is named where variables are in scope.
    named: usize,
}

impl Writer<'_> {
    fn claim(&mut self) -> String {
        if self.random.percent(30) {
            return self.joined_claims();
        }
        if self.random.percent(15) {
            return self.claim_about_order();
        }
        match self.random.below(15) {
            0 | 1 => format!("always ({})", self.moment(2)),
            2 => format!("never ({})", self.moment(2)),
            3 | 4 => format!("eventually ({})", self.moment(2)),
            5 | 6 => format!("({}) leadsto ({})", self.moment(1), self.moment(1)),
            7 => format!("({}) until ({})", self.moment(1), self.moment(1)),
            8 => format!("possible ({})", self.moment(2)),
            9 => {
                let events: Vec<String> = (0..2 + self.random.below(2)).map(|_| self.event()).collect();
                format!("possible sequence {}", events.join(" ; "))
            }
            11..=13 => self.nested(2),
            10 => format!("not always ({})", self.moment(1)),
            _ => {
                let (range, role) = self.range();
                self.variables.push((format!("x{}", self.variables.len()), role));
                let inner = self.claim();
                self.variables.pop();
                format!("forall {range} {inner}")
            }
        }
    }

    /// Claims with `unless`, `precedes` and values.
    fn claim_about_order(&mut self) -> String {
        match self.random.below(5) {
            0 => format!("({}) unless ({})", self.moment(1), self.moment(1)),
            1 => format!("({}) precedes ({})", self.moment(1), self.moment(1)),
            2 => {
                let variable = self.new_variable();
                let (first, second) = (self.event_with(&variable), self.event_with(&variable));
                format!("{first} precedes {second}")
            }
            3 => {
                let variable = self.new_variable();
                let mut ranges = ["0..2", "{ 1, 2, a }", "1..1"].map(str::to_owned).to_vec();
                ranges.extend(self.words.domains.first().map(|procedure| format!("{procedure}()")));
                let range = self.random.pick(&ranges).clone();
                let event = self.event_with(&variable);
                let claim = *self.random.pick(&["never", "possible", "eventually"]);
                let quantifier = *self.random.pick(&["forall", "exists"]);
                format!("{quantifier} ${variable} in {range} : {claim} ({event})")
            }
            _ => format!("always ({})", self.past()),
        }
    }

    fn new_variable(&mut self) -> String {
        self.bound += 1;
        format!("v{}", self.bound)
    }

    /// A formula about one moment that looks back, or compares the values of events.
    fn past(&mut self) -> String {
        let number = |writer: &mut Self| {
            let operator = *writer.random.pick(&["==", "!=", "<", "<=", ">", ">="]);
            format!("{operator} {}", writer.random.below(4))
        };
        let variable = self.new_variable();
        match self.random.below(9) {
            0 => format!("before ({})", self.event()),
            1 => format!("before (({}) or ({}))", self.event(), self.event()),
            2 => format!("count({}) {}", self.event(), number(self)),
            3 => {
                let event = self.event_with(&variable);
                format!("total(${variable} : {event}) {}", number(self))
            }
            4 | 5 => {
                let event = self.event_with(&variable);
                let word = *self.random.pick(&["implies", "and"]);
                format!("({event} {word} ${variable} {})", number(self))
            }
            6 => {
                let event = self.event_with(&variable);
                format!("before ({event} and ${variable} {})", number(self))
            }
            _ => {
                let (now, then) = (self.event_with(&variable), self.event_with(&variable));
                let word = *self.random.pick(&["implies", "and"]);
                let second = self.random.percent(30).then(|| self.event_with(&variable));
                let then = second.map_or_else(|| then.clone(), |second| format!("({then}) or ({second})"));
                format!("({now} {word} before ({then}))")
            }
        }
    }

    /// Somebody sends or receives a message with this variable in it, if there is one with arguments.
    fn event_with(&mut self, variable: &str) -> String {
        let with_arguments: Vec<(String, usize)> =
            self.words.messages.iter().filter(|(_, arity)| *arity > 0).cloned().collect();
        if with_arguments.is_empty() {
            return self.event();
        }
        let (name, arity) = self.random.pick(&with_arguments).clone();
        let place = self.random.below(arity);
        let arguments: Vec<String> = (0..arity)
            .map(|index| if index == place { format!("${variable}") } else { "_".to_owned() })
            .collect();
        let (who, other) = (self.somebody(), self.somebody());
        let message = format!("{name}({})", arguments.join(", "));
        match self.random.percent(50) {
            true => format!("{who} sends {message} to {other}"),
            false => format!("{who} receives {message} from {other}"),
        }
    }

    /// `possible` formulas and other claims, combined.
    fn joined_claims(&mut self) -> String {
        let some_run = |writer: &mut Self| format!("(possible ({}))", writer.moment(1));
        match self.random.below(12) {
            0 => format!("possible ({})", self.nested(1)),
            1 => format!("not {}", some_run(self)),
            2 => format!("{} and {}", some_run(self), some_run(self)),
            3 => format!("{} or {}", some_run(self), some_run(self)),
            4 => format!("{} implies (always ({}))", some_run(self), self.moment(1)),
            5 => format!("{} implies (eventually ({}))", some_run(self), self.moment(1)),
            6 => format!("(always ({})) implies (eventually ({}))", self.moment(0), self.moment(1)),
            7 => format!("not (({}) until ({}))", self.moment(0), self.moment(1)),
            8 => format!("not (({}) leadsto ({}))", self.moment(0), self.moment(1)),
            9 => {
                let (quantifier, inner) =
                    (*self.random.pick(&["exists", "forall"]), *self.random.pick(&["possible", "never"]));
                let (range, body) = self.over(0);
                format!("{quantifier} {range} {inner} ({body})")
            }
            10 => {
                let quantifier = *self.random.pick(&["exists", "forall"]);
                let (range, body) = self.over(0);
                format!("always ({quantifier} {range} eventually ({body}))")
            }
            _ => {
                format!("(({}) leadsto ({})) and never ({})", self.moment(0), self.moment(1), self.moment(1))
            }
        }
    }

    /// Temporal operators inside each other.
    fn nested(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.moment(0);
        }
        match self.random.below(9) {
            0 => format!("always ({})", self.nested(depth - 1)),
            1 => format!("eventually ({})", self.nested(depth - 1)),
            2 => format!("next ({})", self.nested(depth - 1)),
            3 => format!("({}) until ({})", self.nested(depth - 1), self.nested(depth - 1)),
            4 => format!("({}) and ({})", self.nested(depth - 1), self.nested(depth - 1)),
            5 => format!("({}) or ({})", self.nested(depth - 1), self.nested(depth - 1)),
            6 => format!("(eventually always ({})) or eventually ({})", self.moment(0), self.moment(0)),
            7 => format!("not (always eventually ({}))", self.moment(0)),
            _ => format!("always eventually ({})", self.moment(1)),
        }
    }

    fn claim_about_all(&mut self) -> String {
        if self.random.percent(10) {
            let (range, role) = self.range();
            self.variables.push((format!("x{}", self.variables.len()), role));
            let claim = self.claim_about_order();
            self.variables.pop();
            return format!("forall {range} {claim}");
        }
        let (range, body) = self.over(2);
        match self.random.below(15) {
            0 => format!("always (forall {range} {body})"),
            1 => format!("never (exists {range} {body})"),
            2 => format!("eventually (forall {range} {body})"),
            3 => format!("eventually (exists {range} {body})"),
            4 => format!("possible (exists {range} {body})"),
            5 => format!("exists {range} possible ({body})"),
            6 => format!("always count({range} {body}) < {}", 1 + self.random.below(3)),
            7 => format!("always eventually (exists {range} {body})"),
            8 => format!("forall {range} eventually ({body})"),
            9 => format!("never (exists {range} ({body}) and next ({body}))"),
            10 => {
                let now = if self.random.percent(50) { self.event() } else { self.state() };
                format!("never (({now}) and (exists {range} {body}))")
            }
            _ => {
                let (range, role) = self.range();
                self.variables.push((format!("x{}", self.variables.len()), role));
                let claim = match self.random.below(13) {
                    0 => format!("({}) leadsto ({})", self.moment(1), self.moment(1)),
                    1 => format!("({}) until ({})", self.moment(1), self.moment(1)),
                    2 => format!("not (possible sequence {} ; {})", self.event(), self.event()),
                    3 => {
                        let (range, body) = self.over(2);
                        format!("forall {range} always ({body})")
                    }
                    4 => format!("(possible ({})) implies (always ({}))", self.moment(1), self.moment(1)),
                    5 => self.never_after(),
                    6 => {
                        let left = self.moment(0);
                        format!("(always ({left})) or (({left}) until ({}))", self.moment(0))
                    }
                    7 => format!("always eventually ({})", self.moment(1)),
                    8 => format!("always count({}) <= {}", self.event(), self.random.below(3)),
                    9 => format!("always (({}) implies before {})", self.moment(0), self.event()),
                    10 => format!("always (({}) or count({}) >= 2)", self.moment(0), self.event()),
                    11 => {
                        let released = format!("({}) unless ({})", self.moment(0), self.moment(0));
                        format!("always (({}) implies ({released}))", self.moment(0))
                    }
                    _ => format!("({}) implies (eventually ({}))", self.moment(0), self.moment(1)),
                };
                self.variables.pop();
                format!("forall {range} {claim}")
            }
        }
    }

    fn moment(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.percent(35) {
            return if self.random.percent(45) { self.event() } else { self.state() };
        }
        if self.random.percent(12) {
            return self.past();
        }
        match self.random.below(6) {
            0 => format!("not ({})", self.moment(depth - 1)),
            1 => format!("({}) and ({})", self.moment(depth - 1), self.moment(depth - 1)),
            2 => format!("({}) or ({})", self.moment(depth - 1), self.moment(depth - 1)),
            3 => format!("({}) implies ({})", self.moment(depth - 1), self.moment(depth - 1)),
            4 => {
                let quantifier = *self.random.pick(&["forall", "exists"]);
                let (range, body) = self.over(depth - 1);
                format!("({quantifier} {range} {body})")
            }
            _ => {
                let (range, body) = self.over(depth - 1);
                let operator = *self.random.pick(&["==", "!=", "<", "<=", ">", ">="]);
                format!("count({range} {body}) {operator} {}", self.random.below(3))
            }
        }
    }

    fn over(&mut self, depth: usize) -> (String, String) {
        let (range, role) = self.range();
        self.variables.push((format!("x{}", self.variables.len()), role));
        let body = self.moment(depth);
        self.variables.pop();
        (range, body)
    }

    fn claim_about_several(&mut self) -> String {
        if self.random.percent(40) {
            let (range, body) = self.over(0);
            return format!("always count({range} {body}) <= {}", 1 + self.random.below(2));
        }
        let (range, role) = self.range();
        self.variables = vec![("x0".to_owned(), role), ("x1".to_owned(), role)];
        let claim = match self.random.below(4) {
            0 => format!("always ({})", self.moment(2)),
            1 => self.never_after(),
            2 => format!("not (possible sequence {} ; {})", self.event(), self.event()),
            _ => format!("never (({}) and ({}))", self.moment(0), self.moment(0)),
        };
        self.variables.clear();
        format!("forall {range} forall {} $x0 == $x1 or {claim}", range.replace("$x0", "$x1"))
    }

    /// That something does not happen after something else: later, or at once, too.
    fn never_after(&mut self) -> String {
        let when = if self.random.percent(50) { "next " } else { "" };
        format!("always (({}) implies {when}never ({}))", self.moment(0), self.moment(0))
    }

    /// `$x in %role :` for the variable that is bound next.
    fn range(&mut self) -> (String, usize) {
        let role = self.random.below(self.words.roles.len());
        (format!("$x{} in %{} :", self.variables.len(), self.words.roles[role].name), role)
    }

    /// An agent or a variable, with the index of its role.
    fn agent(&mut self) -> (String, usize) {
        if !self.variables.is_empty() && self.random.percent(100 - self.named) {
            let (name, role) = self.random.pick(&self.variables).clone();
            return (format!("${name}"), role);
        }
        let agent = self.random.below(self.words.agents.len());
        (format!("!{}", self.words.agents[agent]), self.words.role_of[agent])
    }

    fn somebody(&mut self) -> String {
        if self.random.percent(40) { "_".to_owned() } else { self.agent().0 }
    }

    fn event(&mut self) -> String {
        let who = self.somebody();
        match self.random.below(5) {
            0 | 1 if !self.words.messages.is_empty() => {
                let message = self.message();
                format!("{who} sends {message} to {}", self.somebody())
            }
            2 if !self.words.messages.is_empty() => {
                let message = self.message();
                format!("{who} receives {message} from {}", self.somebody())
            }
            3 if !self.words.procedures.is_empty() => {
                let procedure = self.random.pick(&self.words.procedures).clone();
                let end = *self.random.pick(&["asks", "yes", "no"]);
                if end == "asks" {
                    format!("{who} asks {procedure}")
                } else {
                    format!("{who} answers {procedure} {end}")
                }
            }
            _ => format!("{who} times out"),
        }
    }

    fn message(&mut self) -> String {
        let (name, arity) = self.random.pick(&self.words.messages).clone();
        let arguments: Vec<String> = (0..arity)
            .map(|_| match self.random.below(8) {
                0 => self.agent().0,
                1 => self.constant(),
                _ => "_".to_owned(),
            })
            .collect();
        format!("{name}({})", arguments.join(", "))
    }

    fn constant(&mut self) -> String {
        (*self.random.pick(&["0", "1", "2", "10", "a", "b", "loop"])).to_owned()
    }

    fn state(&mut self) -> String {
        let (who, role) = self.agent();
        let words = &self.words.roles[role];
        match self.random.below(10) {
            9 => {
                // One quantity against another.
                let counted = self.random.percent(50).then(|| self.range()).map(|(range, role)| {
                    let variable = format!("x{}", self.variables.len());
                    self.variables.push((variable.clone(), role));
                    let body = match self.random.below(3) {
                        0 => format!("done(${variable})"),
                        1 => format!("waiting(${variable})"),
                        _ => format!("mailbox(${variable}) > 0"),
                    };
                    self.variables.pop();
                    format!("count({range} {body})")
                });
                let other = self.agent().0;
                let right = match words.cells.first().filter(|_| self.random.percent(40)) {
                    Some(cell) if self.random.percent(50) => return format!("{who}@{cell} == {other}"),
                    Some(cell) => format!("{who}@{cell}"),
                    None => format!("mailbox({other})"),
                };
                let operator = *self.random.pick(&["==", "!=", "<", ">="]);
                format!("{} {operator} {right}", counted.unwrap_or_else(|| format!("mailbox({who})")))
            }
            0 => "ended".to_owned(),
            1 => format!("done({who})"),
            2 => format!("failed({who})"),
            3 => format!("waiting({who})"),
            4 if !words.places.is_empty() => {
                let place = self.random.pick(&words.places).clone();
                format!("{who} in {place}")
            }
            5 | 6 if !words.cells.is_empty() => {
                let cell = self.random.pick(&words.cells).clone();
                let operator = *self.random.pick(&["==", "!=", "<", ">="]);
                let (other, its_role) = self.agent();
                let others: Vec<String> = self.words.roles[its_role].cells.clone();
                match self.random.below(3) {
                    0 if !others.is_empty() => {
                        let other_cell = self.random.pick(&others).clone();
                        format!("{who}@{cell} {operator} {other}@{other_cell}")
                    }
                    1 => format!("{who}@{cell} == {}", self.constant()),
                    _ => format!("{who}@{cell} {operator} {}", self.random.below(4)),
                }
            }
            7 => {
                let other = self.agent().0;
                let operator = *self.random.pick(&["==", "!="]);
                format!("{who} {operator} {other}")
            }
            _ => {
                let operator = *self.random.pick(&["==", "<", ">", "<=", ">="]);
                format!("mailbox({who}) {operator} {}", self.random.below(3))
            }
        }
    }
}
