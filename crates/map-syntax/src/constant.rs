//! Single constants that come from outside a file: from a user or a program.

use crate::ast::TermKind;
use crate::build::Builder;
use crate::pest_grammar::{self, Rule};

/// Parses one constant in the syntax of a file: an integer, a string, a bare name, an agent or a role. White space
/// around it is ignored.
///
/// # Errors
/// A short message.
pub fn parse_constant(text: &str) -> Result<TermKind, String> {
    const EXPECTED: &str = "expected a number, a name, \"text\", !Agent or %role";
    let text = text.trim();
    let mut pairs = pest_grammar::read(Rule::term, text).map_err(|_| EXPECTED.to_owned())?;
    let pair = pairs.next().filter(|pair| pair.as_str().len() == text.len()).ok_or(EXPECTED)?;
    let mut diagnostics = Vec::new();
    let term = Builder::new(0, &mut diagnostics).term(pair).ok_or(EXPECTED)?;
    if let Some(diagnostic) = diagnostics.first() {
        return Err(diagnostic.text.clone());
    }
    match term.kind {
        TermKind::Variable(_) | TermKind::Wildcard => Err(EXPECTED.to_owned()),
        kind => Ok(kind),
    }
}

#[cfg(test)]
mod tests {
    use super::parse_constant;
    use crate::ast::TermKind;

    #[test]
    fn constants_are_read() {
        let read = [
            ("12", TermKind::Integer(12)),
            (" -3 ", TermKind::Integer(-3)),
            ("nobody", TermKind::Name("nobody".to_owned())),
            ("!Ann", TermKind::Agent("Ann".to_owned())),
            ("%bidder", TermKind::Role("bidder".to_owned())),
            (r#""a \"b\" \u{e9}""#, TermKind::Text("a \"b\" é".to_owned())),
        ];
        for (text, kind) in read {
            assert_eq!(parse_constant(text), Ok(kind), "{text}");
        }
    }

    #[test]
    fn all_else_is_refused() {
        let junk = [
            "",
            "_",
            "$x",
            "then",
            "1 2",
            "1,2",
            "1)",
            "a b",
            "\"open",
            "9223372036854775808",
            "\"\\q\"",
            "@c",
            "1 // one",
            "é",
            "1.5",
        ];
        for text in junk {
            assert!(parse_constant(text).is_err(), "{text:?}");
        }
    }
}
