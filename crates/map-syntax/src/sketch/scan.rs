//! The scanner: splits a text into tokens in one pass and reports lexical errors.

use map_diagnostics::{Code, Diagnostic, Span};

use super::stray;
use super::token::{Kind, Token};
use crate::MAX_DIAGNOSTICS;

/// The result of [`scan`].
pub(super) struct Scan {
    pub(super) tokens: Vec<Token>,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// Whether an unclosed comment hides the rest of the text.
    pub(super) cut_short: bool,
}

/// Scans `text` from byte `start`.
pub(super) fn scan(text: &str, start: usize) -> Scan {
    let scanned = Scan { tokens: Vec::new(), diagnostics: Vec::new(), cut_short: false };
    let mut scanner = Scanner { text, at: start, first_on_line: true, in_conflict: false, scanned };
    while scanner.at < text.len() {
        scanner.step();
    }
    scanner.scanned
}

/// Punctuation; a token comes before its prefixes. Symbols that MAP does not have are included because authors
/// write them.
const SYMBOLS: &[(&str, Kind)] = &[
    ("-->", Kind::Symbol),
    ("<--", Kind::Symbol),
    ("==>", Kind::Symbol),
    ("<==", Kind::Symbol),
    ("::=", Kind::Symbol),
    ("=>", Kind::SendArrow),
    ("<=", Kind::ReceiveArrow),
    ("->", Kind::Symbol),
    ("<-", Kind::Symbol),
    ("=<", Kind::Symbol),
    ("==", Kind::Symbol),
    ("!=", Kind::Symbol),
    (">=", Kind::Symbol),
    (":=", Kind::Symbol),
    ("..", Kind::Symbol),
    ("||", Kind::Symbol),
    ("&&", Kind::Symbol),
    ("**", Kind::Symbol),
    ("&", Kind::Symbol),
    ("*/", Kind::Symbol),
    ("(", Kind::OpenParen),
    (")", Kind::CloseParen),
    ("[", Kind::OpenBracket),
    ("]", Kind::CloseBracket),
    ("{", Kind::OpenBrace),
    ("}", Kind::CloseBrace),
    (",", Kind::Comma),
    ("=", Kind::Equals),
    ("|", Kind::Symbol),
    (":", Kind::Symbol),
    (";", Kind::Symbol),
    (".", Kind::Symbol),
    ("+", Kind::Symbol),
    ("-", Kind::Symbol),
    ("*", Kind::Symbol),
    ("/", Kind::Symbol),
    ("<", Kind::Symbol),
    (">", Kind::Symbol),
];

struct Scanner<'a> {
    text: &'a str,
    at: usize,
    first_on_line: bool,
    /// Whether the scanner is between the first and the last marker of a conflict.
    in_conflict: bool,
    scanned: Scan,
}

impl Scanner<'_> {
    fn step(&mut self) {
        let rest = &self.text[self.at..];
        let bytes = rest.as_bytes();
        match bytes[0] {
            b'\n' => {
                self.first_on_line = true;
                self.at += 1;
            }
            b' ' | b'\t' | b'\r' => self.at += 1,
            b'<' | b'=' | b'>' if self.is_conflict_marker(rest) => self.conflict_marker(rest),
            b'/' if rest.starts_with("//") => self.at += rest.find('\n').unwrap_or(rest.len()),
            b'/' if rest.starts_with("/*") => self.comment(rest),
            b'"' => self.string(rest),
            b'$' | b'%' | b'@' | b'!' if bytes.get(1).is_some_and(u8::is_ascii_alphabetic) => {
                let kind = match bytes[0] {
                    b'$' => Kind::Variable,
                    b'%' => Kind::Role,
                    b'@' => Kind::Cell,
                    _ => Kind::AgentName,
                };
                self.push(kind, 1 + word_length(&rest[1..]));
            }
            b'$' | b'%' | b'@' => self.push(Kind::Sigil, 1),
            b'!' if !rest.starts_with("!=") => self.push(Kind::Sigil, 1),
            b'a'..=b'z' | b'A'..=b'Z' => {
                let length = word_length(rest);
                self.push(Kind::of_word(&rest[..length]), length);
            }
            b'_' => self.underscore(rest),
            b'0'..=b'9' => self.number(rest),
            b'-' if bytes.get(1).is_some_and(u8::is_ascii_digit) => self.number(rest),
            _ => self.symbol(rest),
        }
    }

    fn is_conflict_marker(&self, rest: &str) -> bool {
        let at_line_start = self.at == 0 || self.text.as_bytes()[self.at - 1] == b'\n';
        at_line_start && ["<<<<<<<", "=======", ">>>>>>>"].iter().any(|marker| rest.starts_with(marker))
    }

    /// Handles a conflict marker. The markers of one conflict are reported once, at the first.
    fn conflict_marker(&mut self, rest: &str) {
        if rest.starts_with('<') || !self.in_conflict {
            let text = "this is a conflict marker of a version control system";
            let diagnostic = Diagnostic::new(Code::Syntax, self.span(7), text, "two versions meet here");
            self.report(diagnostic.with_help("decide which version is right and remove the marked lines"));
        }
        self.in_conflict = !rest.starts_with('>');
        self.push(Kind::Bad, rest.find('\n').unwrap_or(rest.len()));
    }

    fn comment(&mut self, rest: &str) {
        if let Some(length) = rest[2..].find("*/") {
            self.first_on_line |= rest[2..2 + length].contains('\n');
            self.at += length + 4;
        } else {
            let span = self.span(2);
            self.report(
                Diagnostic::new(
                    Code::Unterminated,
                    span,
                    "this comment is never closed",
                    "the comment starts here",
                )
                .with_help("close it with `*/`, or write `//` for a comment that ends with its line"),
            );
            self.scanned.cut_short = true;
            self.at = self.text.len();
        }
    }

    fn string(&mut self, rest: &str) {
        let mut escaped = false;
        let mut end = rest.len();
        for (offset, byte) in rest.bytes().enumerate().skip(1) {
            match byte {
                b'\n' | b'\r' => {
                    end = offset;
                    break;
                }
                b'"' if !escaped => {
                    let text = &rest[..=offset];
                    if let Some(position) = text.find('\0') {
                        self.stray(position, 1);
                        self.push(Kind::Bad, offset + 1);
                    } else {
                        self.push(Kind::Text, offset + 1);
                    }
                    return;
                }
                _ => escaped = byte == b'\\' && !escaped,
            }
        }
        let text = "this string is not closed on the line it begins on";
        let mut diagnostic =
            Diagnostic::new(Code::Unterminated, self.span(1), text, "no `\"` that ends it follows");
        diagnostic = if rest[..end].contains("\\\"") {
            diagnostic.with_help("`\\\"` is a quotation mark inside the string; close the string with `\"`")
        } else {
            diagnostic.with_help("close it with `\"`; a line break inside a string is written `\\n`")
        };
        self.report(diagnostic);
        self.push(Kind::Bad, end);
    }

    fn underscore(&mut self, rest: &str) {
        let length = word_length(rest);
        if length == 1 {
            self.push(Kind::Wildcard, 1);
            return;
        }
        let word = &rest[..length];
        let mut diagnostic = Diagnostic::new(
            Code::Syntax,
            self.span(length),
            format!("`{word}` is not a name"),
            "begins with `_`",
        )
        .with_note("a name is a letter followed by letters, digits and `_`");
        if word.trim_start_matches('_').starts_with(|c: char| c.is_ascii_alphabetic()) {
            diagnostic = diagnostic.with_help("for a value that does not matter write `_` alone");
        }
        self.report(diagnostic);
        self.push(Kind::Bad, length);
    }

    fn number(&mut self, rest: &str) {
        let sign = usize::from(rest.starts_with('-'));
        let digits = sign + rest[sign..].bytes().take_while(u8::is_ascii_digit).count();
        let length = sign + word_length(&rest[sign..]);
        if digits == length {
            self.push(Kind::Integer, length);
            return;
        }
        let (number, letters) = rest[..length].split_at(digits);
        let text = format!("`{number}{letters}` is neither a number nor a name");
        let diagnostic = Diagnostic::new(Code::Syntax, self.span(length), text, "begins with a digit")
            .with_note("an integer is written in decimal digits; a name begins with a letter");
        self.report(match in_decimal_digits(&rest[..length]) {
            Some(meant) => diagnostic.with_help(format!("write `{meant}`")).replaced_by(meant.to_string()),
            None => diagnostic.with_help("write two words, or put a letter in front"),
        });
        self.push(Kind::Bad, length);
    }

    fn symbol(&mut self, rest: &str) {
        if rest.starts_with("*/*") || rest.starts_with("*//") {
            // The operator `*` followed by a comment, not the end of a comment.
            self.push(Kind::Symbol, 1);
        } else if let Some((symbol, kind)) = SYMBOLS.iter().find(|(symbol, _)| rest.starts_with(symbol)) {
            self.push(*kind, symbol.len());
        } else if rest.starts_with('ε') {
            self.push(Kind::Skip, 'ε'.len_utf8());
        } else {
            let length = stray::length(rest);
            self.stray(0, length);
            self.push(Kind::Bad, length);
        }
    }

    /// Reports the stray characters `offset` bytes ahead.
    fn stray(&mut self, offset: usize, length: usize) {
        if self.scanned.diagnostics.len() < MAX_DIAGNOSTICS {
            let start = self.at + offset;
            let span = Span::new(start as u32, (start + length) as u32);
            self.report(stray::diagnostic(self.text, span));
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        if self.scanned.diagnostics.len() < MAX_DIAGNOSTICS {
            self.scanned.diagnostics.push(diagnostic);
        }
    }

    fn push(&mut self, kind: Kind, length: usize) {
        let span = self.span(length);
        self.scanned.tokens.push(Token { kind, first_on_line: self.first_on_line, span });
        self.first_on_line = false;
        self.at += length;
    }

    fn span(&self, length: usize) -> Span {
        Span::new(self.at as u32, (self.at + length) as u32)
    }
}

/// The number of bytes at the start that can be part of a name.
fn word_length(text: &str) -> usize {
    text.bytes().take_while(|&byte| byte.is_ascii_alphanumeric() || byte == b'_').count()
}

/// The value of a number as other languages write it: `1_000`, `0x1F`, `1e3`.
fn in_decimal_digits(text: &str) -> Option<i64> {
    let (sign, number) = text.strip_prefix('-').map_or((1, text), |number| (-1, number));
    let digits: String = number.chars().filter(|&c| c != '_').collect();
    let value = if let Some(digits) = digits.strip_prefix("0x") {
        i64::from_str_radix(digits, 16).ok()?
    } else if let Some((base, exponent)) = digits.split_once(['e', 'E']) {
        let power = 10_i64.checked_pow(exponent.parse().ok()?)?;
        base.parse::<i64>().ok()?.checked_mul(power)?
    } else {
        digits.parse().ok()?
    };
    Some(sign * value)
}
