//! Random expressions. None of them makes numbers grow without limit, so that a memory has few states; run errors come
//! from the values of parameters and cells.

use super::random::Random;

/// The operands that expressions may use.
#[derive(Clone, Debug, Default)]
pub(super) struct Words {
    /// `$x`.
    pub(super) parameters: Vec<String>,
    /// Cells that usually hold numbers.
    pub(super) numbers: Vec<String>,
    /// All cells.
    pub(super) cells: Vec<String>,
    /// Literal agents and roles.
    pub(super) names: Vec<String>,
}

impl Words {
    /// A value of any kind.
    pub(super) fn value(&self, random: &mut Random, depth: usize) -> String {
        match random.below(12) {
            0..4 if !self.parameters.is_empty() => random.pick(&self.parameters).clone(),
            4..6 if !self.cells.is_empty() => random.pick(&self.cells).clone(),
            6 => "self".to_owned(),
            7 => (*random.pick(&["yes", "no", "\"text\""])).to_owned(),
            8 if !self.names.is_empty() => random.pick(&self.names).clone(),
            9 if depth > 0 => {
                let condition = self.condition(random, depth - 1);
                let (one, other) = (self.value(random, depth - 1), self.value(random, depth - 1));
                format!("(if {condition} then {one} else {other})")
            }
            _ => self.number(random, depth),
        }
    }

    /// An expression that is a number if its operands are.
    pub(super) fn number(&self, random: &mut Random, depth: usize) -> String {
        if depth == 0 {
            return match random.below(10) {
                0..4 if !self.numbers.is_empty() => random.pick(&self.numbers).clone(),
                4..6 if !self.parameters.is_empty() => random.pick(&self.parameters).clone(),
                _ => (*random.pick(&["0", "1", "2", "3", "-1"])).to_owned(),
            };
        }
        let depth = depth - 1;
        let one = self.number(random, depth);
        let small = random.between(2, 4);
        match random.below(11) {
            0 => format!("({one} + {}) mod {small}", self.number(random, depth)),
            1 => format!("({one} - {}) mod {small}", self.number(random, depth)),
            2 => format!("({one} * {} + 1) mod {small}", self.number(random, depth)),
            3 => format!("min({one} + 1, {small})"),
            4 => format!("max({one} - 1, 0)"),
            5 => format!("({one} / {})", self.divisor(random)),
            6 => format!("({one} mod {})", self.divisor(random)),
            7 => format!("min({one}, {})", self.number(random, depth)),
            8 => {
                let condition = self.condition(random, depth);
                format!("(if {condition} then {one} else {})", self.number(random, depth))
            }
            _ => one,
        }
    }

    /// A divisor; never a literal zero.
    fn divisor(&self, random: &mut Random) -> String {
        match random.below(3) {
            0 if !self.numbers.is_empty() => random.pick(&self.numbers).clone(),
            1 if !self.parameters.is_empty() => random.pick(&self.parameters).clone(),
            _ => (*random.pick(&["2", "3", "-1"])).to_owned(),
        }
    }

    /// A condition.
    pub(super) fn condition(&self, random: &mut Random, depth: usize) -> String {
        match random.below(if depth > 0 { 12 } else { 6 }) {
            0..3 => {
                let operator = *random.pick(&["==", "==", "!="]);
                format!("{} {operator} {}", self.changing(random), self.value(random, depth.min(1)))
            }
            3..6 => {
                let operator = *random.pick(&["<", "<", "<=", ">", ">="]);
                format!("{} {operator} {}", self.number(random, depth.min(1)), self.number(random, 0))
            }
            6..8 => format!("not ({})", self.condition(random, depth - 1)),
            8..10 => {
                let (one, other) = (self.condition(random, depth - 1), self.condition(random, depth - 1));
                format!("({one} and {other})")
            }
            _ => {
                let (one, other) = (self.condition(random, depth - 1), self.condition(random, depth - 1));
                format!("({one} or {other})")
            }
        }
    }

    /// An operand that varies, if there is one.
    fn changing(&self, random: &mut Random) -> String {
        let changing: Vec<&String> = self.parameters.iter().chain(&self.cells).collect();
        if changing.is_empty() { "self".to_owned() } else { (*random.pick(&changing)).clone() }
    }
}
