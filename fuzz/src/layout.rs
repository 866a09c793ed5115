//! Texts that are correct by the grammar, with any white space, comments and needless parentheses. Names mean nothing.

use arbitrary::{Arbitrary, Result, Unstructured};

/// A text with correct syntax.
#[derive(Debug)]
pub struct Loose(pub String);

impl<'a> Arbitrary<'a> for Loose {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let mut writer = Writer { u, text: String::new() };
        writer.file()?;
        Ok(Self(writer.text))
    }
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

struct Writer<'u, 'a> {
    u: &'u mut Unstructured<'a>,
    text: String,
}

impl Writer<'_, '_> {
    /// A word, with what is before it.
    fn word(&mut self, word: &str) -> Result<()> {
        self.text.push(' ');
        while !self.u.is_empty() && self.u.ratio(1, 12)? {
            let gap = *self.u.choose(GAPS)?;
            self.text.push_str(gap);
        }
        self.text.push_str(word);
        Ok(())
    }

    fn words(&mut self, words: &[&str]) -> Result<()> {
        words.iter().try_for_each(|word| self.word(word))
    }

    fn file(&mut self) -> Result<()> {
        for _ in 0..self.u.int_in_range(0..=2)? {
            match self.u.int_in_range(0..=2)? {
                0 => self.words(&["cast", "%a", "=", "-1"])?,
                1 => {
                    self.words(&["decision", "p", "(", "$x", ",", "$y", ")"])?;
                }
                _ => self.words(&["procedure", "q", "(", ")"])?,
            }
        }
        for scene in 0..self.u.int_in_range(1..=2)? {
            self.words(&[["s", "cast", "t"][scene], "["])?;
            for _ in 0..self.u.int_in_range(1..=3)? {
                self.words(&["agent", "(", "!A", ",", "%a"])?;
                for _ in 0..self.u.int_in_range(0..=3)? {
                    self.word(",")?;
                    self.term()?;
                }
                self.words(&[")", "="])?;
                self.operation(0)?;
            }
            self.word("]")?;
        }
        if self.u.ratio(1, 2)? {
            let gap = *self.u.choose(GAPS)?;
            self.text.push_str(gap);
        }
        Ok(())
    }

    fn term(&mut self) -> Result<()> {
        let term = *self.u.choose(TERMS)?;
        self.word(term)
    }

    fn terms(&mut self) -> Result<()> {
        self.word("(")?;
        for index in 0..self.u.int_in_range(0..=4)? {
            if index > 0 {
                self.word(",")?;
            }
            self.term()?;
        }
        self.word(")")
    }

    fn operation(&mut self, depth: usize) -> Result<()> {
        self.unit(depth)?;
        while !self.u.is_empty() && self.u.ratio(2, 5)? {
            let word = *self.u.choose(&["then", "then", "or", "par"])?;
            self.word(word)?;
            self.unit(depth)?;
        }
        Ok(())
    }

    fn unit(&mut self, depth: usize) -> Result<()> {
        let kind = if depth >= DEPTH || self.u.is_empty() { 0 } else { self.u.int_in_range(0..=11)? };
        match kind {
            0 => self.word("skip"),
            1 => self.word("fail"),
            2 => self.word("ε"),
            3 => {
                self.word("agent")?;
                self.terms()
            }
            4 => {
                self.words(&["$x", "=", "p"])?;
                self.terms()
            }
            5 | 6 => {
                self.word("performative")?;
                self.terms()?;
                let arrow = *self.u.choose(&["=>", "<="])?;
                self.words(&[arrow, "agent", "("])?;
                self.term()?;
                self.word(",")?;
                self.term()?;
                self.word(")")
            }
            7 | 8 => {
                self.word("waitfor")?;
                self.operation(depth + 1)?;
                if self.u.ratio(2, 3)? {
                    self.word("timeout")?;
                    self.unit(depth + 1)?;
                }
                Ok(())
            }
            _ => {
                self.word("(")?;
                self.operation(depth + 1)?;
                self.word(")")
            }
        }
    }
}
