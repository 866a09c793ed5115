//! Words in any order, a few at a time from the grammar: mistakes of every kind, most of them close to correct.

use super::bytes::Bytes;

/// A text of MAP's words.
pub(super) fn scattered(bytes: &[u8]) -> String {
    let mut bytes = Bytes::new(bytes);
    let mut text = String::new();
    while !bytes.is_empty() && text.len() < 4_000 {
        text.push_str(bytes.pick(PHRASES));
    }
    text
}

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
