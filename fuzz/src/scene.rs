//! Scenes that obey the static rules, or nearly: variables are bound before they are used, calls have clauses.

use arbitrary::{Arbitrary, Result, Unstructured};

/// A text that should be compiled.
#[derive(Debug)]
pub struct Sound(pub String);

impl<'a> Arbitrary<'a> for Sound {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let mut writer = Writer { u, text: String::new(), bound: Vec::new(), fresh: 0, slips: false };
        writer.slips = writer.u.ratio(1, 4)?;
        writer.scene()?;
        Ok(Self(writer.text))
    }
}

const CONSTANTS: &[&str] = &["yes", "no", "1", "-7", "\"text\"", "!A", "%b"];

const DEPTH: usize = 30;

/// Further terms of the second and third clause of each part.
const HEADS: &[(&str, &[&str])] = &[("", &[]), (", loop, $p", &["$p"]), (", end, _, $q, $q", &["$q"])];

struct Writer<'u, 'a> {
    u: &'u mut Unstructured<'a>,
    text: String,
    bound: Vec<String>,
    fresh: usize,
    /// Whether a variable that is not bound may be used.
    slips: bool,
}

impl Writer<'_, '_> {
    fn scene(&mut self) -> Result<()> {
        if self.u.ratio(1, 3)? {
            self.text.push_str("procedure never($x)\ndecision maybe($x)\n");
        }
        if self.u.ratio(1, 4)? {
            self.text.push_str("cast %b = 2\n");
        }
        self.text.push_str("s[\n");
        for (who, role) in [("!A", "a"), ("$me", "b")] {
            for (head, variables) in HEADS {
                self.bound = variables.iter().map(|name| (*name).to_owned()).collect();
                if who == "$me" {
                    self.bound.push(who.to_owned());
                }
                self.text.push_str(&format!("agent({who}, %{role}{head}) = "));
                self.operation(0)?;
                self.text.push('\n');
            }
        }
        self.text.push_str("]\n");
        Ok(())
    }

    fn new_variable(&mut self) -> String {
        self.fresh += 1;
        format!("$v{}", self.fresh)
    }

    fn value(&mut self) -> Result<String> {
        if self.slips && self.u.ratio(1, 20)? {
            return Ok("$v1".to_owned());
        }
        if self.bound.is_empty() || self.u.ratio(1, 3)? {
            return Ok((*self.u.choose(CONSTANTS)?).to_owned());
        }
        Ok(self.u.choose(&self.bound)?.clone())
    }

    fn values(&mut self, most: usize) -> Result<String> {
        let count = self.u.int_in_range(0..=most)?;
        let values: Result<Vec<String>> = (0..count).map(|_| self.value()).collect();
        Ok(values?.join(", "))
    }

    fn pattern(&mut self) -> Result<String> {
        match self.u.int_in_range(0..=3)? {
            0 => Ok("_".to_owned()),
            1 => self.value(),
            _ => {
                let name = self.new_variable();
                self.bound.push(name.clone());
                Ok(name)
            }
        }
    }

    /// An operation as one unit.
    fn operation(&mut self, depth: usize) -> Result<()> {
        if depth >= DEPTH || self.u.is_empty() {
            return self.action();
        }
        match self.u.int_in_range(0..=9)? {
            0..=3 => self.action(),
            4..=6 => self.chain(depth, "then"),
            7 => self.chain(depth, "or"),
            8 => self.chain(depth, "par"),
            _ => {
                self.text.push_str("(waitfor ");
                let before = self.bound.clone();
                self.operation(depth + 1)?;
                if self.u.ratio(2, 3)? {
                    self.bound.clone_from(&before);
                    self.text.push_str(" timeout ");
                    self.operation(depth + 1)?;
                    self.bound = before;
                }
                self.text.push(')');
                Ok(())
            }
        }
    }

    /// What only one side of an `or` binds is forgotten; so is all that is bound in a `par`.
    fn chain(&mut self, depth: usize, word: &str) -> Result<()> {
        let before = self.bound.clone();
        self.text.push('(');
        for index in 0..self.u.int_in_range(2..=4)? {
            if index > 0 {
                self.text.push_str(&format!(" {word} "));
            }
            if word != "then" {
                self.bound.clone_from(&before);
            }
            self.operation(depth + 1)?;
        }
        if word != "then" {
            self.bound = before;
        }
        self.text.push(')');
        Ok(())
    }

    fn action(&mut self) -> Result<()> {
        let text = match self.u.int_in_range(0..=7)? {
            0 => "skip".to_owned(),
            1 => "fail".to_owned(),
            2 => {
                let procedure = *self.u.choose(&["maybe", "never"])?;
                let argument = self.value()?;
                let answer = self.pattern()?;
                let answer = if answer.starts_with('$') { answer } else { self.new_variable() };
                format!("{answer} = {procedure}({argument})")
            }
            3 => "agent()".to_owned(),
            4 => {
                let value = self.value()?;
                let call = if self.u.ratio(1, 2)? { "loop, " } else { "end, 1, x, " };
                let value = if call.starts_with('e') { "x".to_owned() } else { value };
                format!("agent({call}{value})")
            }
            5 => {
                let values = self.values(2)?;
                let address = *self.u.choose(&["_, %a", "_, %b", "!A, %a", "_, _"])?;
                format!("m({values}) => agent({address})")
            }
            _ => {
                let first = self.pattern()?;
                let sender = self.pattern()?;
                let performative = *self.u.choose(&["m", "n"])?;
                format!("{performative}({first}) <= agent({sender}, _)")
            }
        };
        self.text.push_str(&text);
        Ok(())
    }
}
