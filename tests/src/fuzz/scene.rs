//! Scenes that obey the static rules, or nearly: variables are bound before they are used, calls have clauses.

use super::bytes::Bytes;

/// A text that should be compiled.
pub(super) fn sound(bytes: &[u8]) -> String {
    let mut writer =
        Writer { bytes: Bytes::new(bytes), text: String::new(), bound: Vec::new(), fresh: 0, slips: false };
    writer.slips = writer.bytes.happens(1, 4);
    writer.scene();
    writer.text
}

const CONSTANTS: &[&str] = &["yes", "no", "1", "-7", "\"text\"", "!A", "%b"];

const DEPTH: usize = 30;

/// Further terms of the second and third clause of each part.
const HEADS: &[(&str, &[&str])] = &[("", &[]), (", loop, $p", &["$p"]), (", end, _, $q, $q", &["$q"])];

struct Writer<'a> {
    bytes: Bytes<'a>,
    text: String,
    bound: Vec<String>,
    fresh: usize,
    /// Whether a variable that is not bound may be used.
    slips: bool,
}

impl Writer<'_> {
    fn scene(&mut self) {
        if self.bytes.happens(1, 3) {
            self.text.push_str("procedure never($x)\ndecision maybe($x)\n");
        }
        if self.bytes.happens(1, 4) {
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
                self.operation(0);
                self.text.push('\n');
            }
        }
        self.text.push_str("]\n");
    }

    fn new_variable(&mut self) -> String {
        self.fresh += 1;
        format!("$v{}", self.fresh)
    }

    fn value(&mut self) -> String {
        if self.slips && self.bytes.happens(1, 20) {
            return "$v1".to_owned();
        }
        if self.bound.is_empty() || self.bytes.happens(1, 3) {
            return self.bytes.pick(CONSTANTS).to_owned();
        }
        self.bytes.pick(&self.bound)
    }

    fn values(&mut self, most: usize) -> String {
        let count = self.bytes.below(most + 1);
        let values: Vec<String> = (0..count).map(|_| self.value()).collect();
        values.join(", ")
    }

    fn pattern(&mut self) -> String {
        match self.bytes.below(4) {
            0 => "_".to_owned(),
            1 => self.value(),
            _ => {
                let name = self.new_variable();
                self.bound.push(name.clone());
                name
            }
        }
    }

    /// An operation as one unit.
    fn operation(&mut self, depth: usize) {
        if depth >= DEPTH || self.bytes.is_empty() {
            return self.action();
        }
        match self.bytes.below(10) {
            0..=3 => self.action(),
            4..=6 => self.chain(depth, "then"),
            7 => self.chain(depth, "or"),
            8 => self.chain(depth, "par"),
            _ => {
                self.text.push_str("(waitfor ");
                let before = self.bound.clone();
                self.operation(depth + 1);
                if self.bytes.happens(2, 3) {
                    self.bound.clone_from(&before);
                    self.text.push_str(" timeout ");
                    self.operation(depth + 1);
                    self.bound = before;
                }
                self.text.push(')');
            }
        }
    }

    /// What only one side of an `or` binds is forgotten; so is all that is bound in a `par`.
    fn chain(&mut self, depth: usize, word: &str) {
        let before = self.bound.clone();
        self.text.push('(');
        for index in 0..2 + self.bytes.below(3) {
            if index > 0 {
                self.text.push_str(&format!(" {word} "));
            }
            if word != "then" {
                self.bound.clone_from(&before);
            }
            self.operation(depth + 1);
        }
        if word != "then" {
            self.bound = before;
        }
        self.text.push(')');
    }

    fn action(&mut self) {
        let text = match self.bytes.below(8) {
            0 => "skip".to_owned(),
            1 => "fail".to_owned(),
            2 => {
                let procedure = self.bytes.pick(&["maybe", "never"]);
                let argument = self.value();
                let answer = self.pattern();
                let answer = if answer.starts_with('$') { answer } else { self.new_variable() };
                format!("{answer} = {procedure}({argument})")
            }
            3 => "agent()".to_owned(),
            4 => {
                let value = self.value();
                let call = if self.bytes.happens(1, 2) { "loop, " } else { "end, 1, x, " };
                let value = if call.starts_with('e') { "x".to_owned() } else { value };
                format!("agent({call}{value})")
            }
            5 => {
                let values = self.values(2);
                let address = self.bytes.pick(&["_, %a", "_, %b", "!A, %a", "_, _"]);
                format!("m({values}) => agent({address})")
            }
            _ => {
                let first = self.pattern();
                let sender = self.pattern();
                let performative = self.bytes.pick(&["m", "n"]);
                format!("{performative}({first}) <= agent({sender}, _)")
            }
        };
        self.text.push_str(&text);
    }
}
