//! The values of integers and strings.

use map_diagnostics::{Code, Diagnostic, Span};

/// The value of an integer as written, or a diagnostic if 64 bits cannot hold it.
pub(crate) fn integer(text: &str, span: Span) -> Result<i64, Diagnostic> {
    text.parse().map_err(|_| {
        let bound = if text.starts_with('-') { i64::MIN } else { i64::MAX };
        let word = if text.starts_with('-') { "smallest" } else { "largest" };
        Diagnostic::new(Code::IntegerRange, span, "this integer does not fit in 64 bits", "out of range")
            .with_note(format!("the {word} integer is {bound}"))
    })
}

/// The value of a string literal, given with its quotes; bad escapes are reported and left out.
pub(crate) fn text(quoted: &str, span: Span, diagnostics: &mut Vec<Diagnostic>) -> String {
    let content = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(quoted);
    let base = span.start as usize + 1;
    let mut value = String::with_capacity(content.len());
    let mut at = 0;
    while let Some(found) = content[at..].find('\\') {
        value.push_str(&content[at..at + found]);
        at += found;
        let (length, resolved) = escape(&content[at..]);
        match resolved {
            Ok(character) => value.push(character),
            Err(problem) => {
                let span = Span::new((base + at) as u32, (base + at + length) as u32);
                diagnostics.push(problem.diagnostic(&content[at..at + length], span));
            }
        }
        at += length;
    }
    value.push_str(&content[at..]);
    value
}

/// The possible errors in an escape.
enum BadEscape {
    Unknown,
    NoBraces,
    NotClosed,
    NotHexadecimal,
    NoCharacter,
}

impl BadEscape {
    fn diagnostic(&self, written: &str, span: Span) -> Diagnostic {
        let (text, label) = match self {
            Self::Unknown => (format!("`{written}` is not an escape"), "unknown escape"),
            Self::NoBraces => ("`\\u` needs a code point in braces".to_owned(), "expected `{` after this"),
            Self::NotClosed => ("the braces of this `\\u{..}` are not closed".to_owned(), "expected `}`"),
            Self::NotHexadecimal => {
                (format!("`{written}` is not an escape"), "expected one to six hexadecimal digits")
            }
            Self::NoCharacter => (format!("`{written}` is no Unicode character"), "no such character"),
        };
        let help = match self {
            Self::Unknown => {
                "the escapes are `\\\"`, `\\\\`, `\\n`, `\\t` and `\\u{..}`; a backslash itself is written `\\\\`"
            }
            Self::NoCharacter => {
                "code points reach from `\\u{0}` to `\\u{10ffff}`, without `\\u{d800}` to `\\u{dfff}`"
            }
            _ => "write the code point in hexadecimal, such as `\\u{e9}` for `é`",
        };
        Diagnostic::new(Code::BadEscape, span, text, label).with_help(help)
    }
}

/// Resolves the escape at the start of `text`. Returns its length in bytes and the character it stands for.
fn escape(text: &str) -> (usize, Result<char, BadEscape>) {
    let Some(letter) = text[1..].chars().next() else { return (1, Err(BadEscape::Unknown)) };
    let length = 1 + letter.len_utf8();
    match letter {
        '"' => (length, Ok('"')),
        '\\' => (length, Ok('\\')),
        'n' => (length, Ok('\n')),
        't' => (length, Ok('\t')),
        'u' => code_point(&text[length..]).map_or_else(
            |(more, problem)| (length + more, Err(problem)),
            |(more, character)| (length + more, Ok(character)),
        ),
        _ => (length, Err(BadEscape::Unknown)),
    }
}

/// Parses `{..}`. Both variants of the result contain the number of bytes read.
fn code_point(text: &str) -> Result<(usize, char), (usize, BadEscape)> {
    let Some(rest) = text.strip_prefix('{') else { return Err((0, BadEscape::NoBraces)) };
    let digits = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
    if !rest[digits..].starts_with('}') {
        return Err((1 + digits, BadEscape::NotClosed));
    }
    let length = digits + 2;
    if !(1..=6).contains(&digits) {
        return Err((length, BadEscape::NotHexadecimal));
    }
    let value = u32::from_str_radix(&rest[..digits], 16).map_err(|_| (length, BadEscape::NotHexadecimal))?;
    char::from_u32(value).map(|character| (length, character)).ok_or((length, BadEscape::NoCharacter))
}
