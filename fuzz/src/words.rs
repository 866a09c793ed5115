//! Words in any order, a few at a time from the grammar: mistakes of every kind, most of them close to correct.

use arbitrary::{Arbitrary, Result, Unstructured};

/// A text of MAP's words.
#[derive(Debug)]
pub struct Scattered(pub String);

const PHRASES: &[&str] = &[
    "agent(!A, %a) = ",
    "agent($me, %b, loop) = ",
    "agent(!A, %a, 1, _, $x) = ",
    "s[ ",
    "cast %a = 2\n",
    "decision p($x)\n",
    "m($x) => agent(_, %b) ",
    "m($x) <= agent($y, %a) ",
    "$z = p($x) ",
    "waitfor ",
    "timeout ",
    "then ",
    "or ",
    "par ",
    "(",
    ") ",
    "[",
    "]\n",
    "{",
    "}",
    "agent",
    "agent(loop, $x) ",
    "skip ",
    "fail ",
    "ε",
    ", ",
    "=",
    "=>",
    "<=",
    "$x",
    "%a",
    "!A",
    "@c",
    "_",
    "-12",
    "99999999999999999999",
    "\"text\\n\"",
    "\"",
    "// comment\n",
    "/* comment */",
    "/*",
    "\n",
    "\u{feff}",
    "procedure ",
    "memory ",
    "property ",
    ":",
    "é",
    "\0",
];

impl<'a> Arbitrary<'a> for Scattered {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let mut text = String::new();
        while !u.is_empty() && text.len() < 4_000 {
            text.push_str(PHRASES[usize::from(u.arbitrary::<u8>()?) % PHRASES.len()]);
        }
        Ok(Self(text))
    }
}
