//! A tokeniser for Rust, sufficient for finding paths and brackets: comments and literals in quotes are left out.

/// A word or a sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// An identifier, a keyword or a number.
    Word(String),
    /// `::`.
    Path,
    /// Any other character.
    Sign(char),
}

impl Token {
    /// Whether it is spelt like this.
    pub(super) fn is(&self, text: &str) -> bool {
        match self {
            Self::Word(word) => word == text,
            Self::Path => text == "::",
            Self::Sign(sign) => text.chars().eq([*sign]),
        }
    }
}

/// The tokens of a text.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let next = rest[first.len_utf8()..].chars().next();
        let length = match (first, next) {
            ('/', Some('/')) => rest.find('\n').unwrap_or(rest.len()),
            ('/', Some('*')) => block_comment(rest),
            ('"', _) => 1 + quoted(&rest[1..]),
            ('\'', _) => character(rest),
            _ if raw_string(rest).is_some() => raw_string(rest).unwrap_or(1),
            (':', Some(':')) => {
                found.push(Token::Path);
                2
            }
            _ if is_in_word(first) => {
                let length = rest.find(|c: char| !is_in_word(c)).unwrap_or(rest.len());
                found.push(Token::Word(rest[..length].to_owned()));
                length
            }
            _ => {
                if !first.is_whitespace() {
                    found.push(Token::Sign(first));
                }
                first.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    found
}

fn is_in_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The length in bytes up to and including the closing quote.
fn quoted(text: &str) -> usize {
    let mut escaped = false;
    for (index, c) in text.char_indices() {
        match c {
            '"' if !escaped => return index + 1,
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    text.len()
}

/// The length in bytes of `'a'` or `'\n'`, or of the tick of a lifetime.
fn character(text: &str) -> usize {
    let inside = &text[1..];
    if let Some(escaped) = inside.strip_prefix('\\') {
        let skipped = escaped.chars().next().map_or(0, char::len_utf8);
        return escaped[skipped..].find('\'').map_or(1, |end| 2 + skipped + end + 1);
    }
    match inside.char_indices().nth(1) {
        Some((length, '\'')) => 1 + length + 1,
        _ => 1,
    }
}

/// The length in bytes of `r"..."`, `r#"..."#` and the like, if the text starts with one.
fn raw_string(text: &str) -> Option<usize> {
    let prefix = ["br", "r"].into_iter().find(|prefix| text.starts_with(prefix))?;
    let hashes = text[prefix.len()..].chars().take_while(|&c| c == '#').count();
    let start = prefix.len() + hashes;
    let body = text[start..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    Some(start + 1 + body.find(&end).map_or(body.len(), |at| at + end.len()))
}

fn block_comment(text: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < text.len() {
        let rest = &text[at..];
        let step = if rest.starts_with("/*") {
            depth += 1;
            2
        } else if rest.starts_with("*/") {
            depth -= 1;
            2
        } else {
            rest.chars().next().map_or(1, char::len_utf8)
        };
        at += step;
        if depth == 0 {
            break;
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::tokens;

    #[test]
    fn comments_and_quotes_are_left_out() {
        let text = "a::b /* x /* y */ z */ 'l \"q \\\" crate::no\" r#\"raw \" no\"# 'c' '\\'' // end\n{é";
        let shown: Vec<String> = tokens(text).iter().map(|token| format!("{token:?}")).collect();
        assert_eq!(shown, ["Word(\"a\")", "Path", "Word(\"b\")", "Word(\"l\")", "Sign('{')", "Word(\"é\")"]);
    }
}
