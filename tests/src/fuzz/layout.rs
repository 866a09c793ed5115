//! Texts that are correct by the grammar, with any white space, comments and needless parentheses. Names mean nothing.

use super::bytes::Bytes;

/// A text with correct syntax.
pub(super) fn loose(bytes: &[u8]) -> String {
    let mut writer = Writer { bytes: Bytes::new(bytes), text: String::new() };
    writer.file();
    writer.text
}

const GAPS: &[&str] = &[
    "\n",
    "\n\n",
    "\t",
    "\r\n",
    "// a\n",
    "/* b */",
    " /* c\n d */ ",
    "\n// e\n\n// f\n",
    "/*\n * g\n*/\n",
    "\n/* h */",
    " // i \r\n\r\n",
    "/**/ /*éa*/",
];

const TERMS: &[&str] =
    &["$x", "$y", "!A", "%a", "name", "_", "0", "-12", "\"a \\\"b\\\" // c\"", "$aLongNameThatFillsTheLine"];

/// Below the parser's limit on nesting, whatever the parentheses.
const DEPTH: usize = 40;

struct Writer<'a> {
    bytes: Bytes<'a>,
    text: String,
}

impl Writer<'_> {
    /// A word, with what is before it.
    fn word(&mut self, word: &str) {
        self.text.push(' ');
        while !self.bytes.is_empty() && self.bytes.happens(1, 12) {
            let gap = self.bytes.pick(GAPS);
            self.text.push_str(gap);
        }
        self.text.push_str(word);
    }

    fn words(&mut self, words: &[&str]) {
        for word in words {
            self.word(word);
        }
    }

    fn file(&mut self) {
        for _ in 0..self.bytes.below(3) {
            match self.bytes.below(3) {
                0 => self.words(&["cast", "%a", "=", "-1"]),
                1 => {
                    self.words(&["decision", "p", "(", "$x", ",", "$y", ")"]);
                }
                _ => self.words(&["procedure", "q", "(", ")"]),
            }
        }
        for scene in 0..1 + self.bytes.below(2) {
            self.words(&[["s", "cast", "t"][scene], "["]);
            for _ in 0..1 + self.bytes.below(3) {
                self.words(&["agent", "(", "!A", ",", "%a"]);
                for _ in 0..self.bytes.below(4) {
                    self.word(",");
                    self.term();
                }
                self.words(&[")", "="]);
                self.operation(0);
            }
            self.word("]");
        }
        if self.bytes.happens(1, 2) {
            let gap = self.bytes.pick(GAPS);
            self.text.push_str(gap);
        }
    }

    fn term(&mut self) {
        let term = self.bytes.pick(TERMS);
        self.word(term);
    }

    fn terms(&mut self) {
        self.word("(");
        for index in 0..self.bytes.below(5) {
            if index > 0 {
                self.word(",");
            }
            self.term();
        }
        self.word(")");
    }

    fn operation(&mut self, depth: usize) {
        self.unit(depth);
        while !self.bytes.is_empty() && self.bytes.happens(2, 5) {
            let word = self.bytes.pick(&["then", "then", "or", "par"]);
            self.word(word);
            self.unit(depth);
        }
    }

    fn unit(&mut self, depth: usize) {
        let kind = if depth >= DEPTH || self.bytes.is_empty() { 0 } else { self.bytes.below(12) };
        match kind {
            0 => self.word("skip"),
            1 => self.word("fail"),
            2 => self.word("ε"),
            3 => {
                self.word("agent");
                self.terms();
            }
            4 => {
                self.words(&["$x", "=", "p"]);
                self.terms();
            }
            5 | 6 => {
                self.word("performative");
                self.terms();
                let arrow = self.bytes.pick(&["=>", "<="]);
                self.words(&[arrow, "agent", "("]);
                self.term();
                self.word(",");
                self.term();
                self.word(")");
            }
            7 | 8 => {
                self.word("waitfor");
                self.operation(depth + 1);
                if self.bytes.happens(2, 3) {
                    self.word("timeout");
                    self.unit(depth + 1);
                }
            }
            _ => {
                self.word("(");
                self.operation(depth + 1);
                self.word(")");
            }
        }
    }
}
