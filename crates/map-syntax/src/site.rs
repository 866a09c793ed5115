//! The place where the parser failed, with the queries that explanations need.

use std::ops::RangeInclusive;

use map_diagnostics::{Code, Diagnostic, Span};

use crate::pest_grammar::Rule;
use crate::phrases::list;
use crate::sketch::token::{Kind, Token};
use crate::unit::Unit;
use crate::words;

/// The place in a unit where the parser failed.
pub(crate) struct Site<'a> {
    pub(crate) unit: Unit,
    pub(crate) source: &'a str,
    /// The tokens of the unit.
    pub(crate) tokens: &'a [Token],
    /// Index of the offending token; the number of tokens if the unit ended too early.
    pub(crate) at: usize,
    /// The rules that could have matched there.
    pub(crate) expected: &'a [Rule],
}

impl<'a> Site<'a> {
    /// The site at a byte offset of the source.
    pub(crate) fn new(
        unit: Unit,
        source: &'a str,
        tokens: &'a [Token],
        offset: usize,
        expected: &'a [Rule],
    ) -> Self {
        // The offset may lie inside a token such as `<==`, of which the parser consumed a part.
        let at = tokens.partition_point(|token| token.span.end as usize <= offset);
        Self { unit, source, tokens, at, expected }
    }

    pub(crate) fn expects(&self, rule: Rule) -> bool {
        self.expected.contains(&rule)
    }

    /// Whether an operation could begin here. Which of its rules pest lists depends on how far it got.
    pub(crate) fn expects_operation(&self) -> bool {
        [Rule::operation, Rule::alternatives, Rule::sequence, Rule::unit]
            .iter()
            .any(|&rule| self.expects(rule))
    }

    /// The kind of the offending token; `None` at the end of the unit.
    pub(crate) fn found(&self) -> Option<Kind> {
        self.kind(self.at)
    }

    /// The kind of a token of the unit.
    pub(crate) fn kind(&self, index: usize) -> Option<Kind> {
        self.tokens.get(index).map(|token| token.kind)
    }

    /// The kind of the previous token.
    pub(crate) fn previous(&self) -> Option<Kind> {
        self.at.checked_sub(1).and_then(|index| self.kind(index))
    }

    /// The text of a token; empty past the end.
    pub(crate) fn text(&self, index: usize) -> &'a str {
        self.tokens.get(index).map_or("", |token| token.text(self.source))
    }

    pub(crate) fn found_text(&self) -> &'a str {
        self.text(self.at)
    }

    pub(crate) fn previous_text(&self) -> &'a str {
        self.at.checked_sub(1).map_or("", |index| self.text(index))
    }

    /// The span of the offending token, or the position after the last token.
    pub(crate) fn span(&self) -> Span {
        match self.tokens.get(self.at) {
            Some(token) => token.span,
            None => {
                self.tokens.last().map_or(Span::default(), |token| Span::new(token.span.end, token.span.end))
            }
        }
    }

    /// Whether a token directly follows the previous one, without white space.
    pub(crate) fn touches_previous(&self, index: usize) -> bool {
        match (index.checked_sub(1).and_then(|before| self.tokens.get(before)), self.tokens.get(index)) {
            (Some(before), Some(token)) => before.span.end == token.span.start,
            _ => false,
        }
    }

    /// Whether a token begins `word(..) =>` or `word(..) <=`, whatever the word is.
    pub(crate) fn message_at(&self, index: usize) -> bool {
        let arrow = self.arguments_end(index + 1).and_then(|end| self.kind(end));
        matches!(arrow, Some(Kind::SendArrow | Kind::ReceiveArrow))
    }

    /// Index of the token after `(..)`, if the token at `open` begins arguments.
    pub(crate) fn arguments_end(&self, open: usize) -> Option<usize> {
        if self.kind(open) != Some(Kind::OpenParen) {
            return None;
        }
        let mut depth = 0_usize;
        for index in open..self.tokens.len() {
            match self.kind(index)? {
                Kind::OpenParen => depth += 1,
                Kind::CloseParen if depth == 1 => return Some(index + 1),
                Kind::CloseParen => depth -= 1,
                Kind::Comma | Kind::Cell | Kind::Symbol => {}
                kind if kind.is_term() => {}
                _ => return None,
            }
        }
        None
    }

    /// The innermost `(` that is still open at the site.
    pub(crate) fn open_paren(&self) -> Option<usize> {
        let mut closed = 0_usize;
        for (index, token) in self.tokens[..self.at].iter().enumerate().rev() {
            match token.kind {
                Kind::CloseParen => closed += 1,
                Kind::OpenParen if closed == 0 => return Some(index),
                Kind::OpenParen => closed -= 1,
                _ => {}
            }
        }
        None
    }

    /// A syntax error at the site.
    pub(crate) fn error(&self, text: impl Into<String>, label: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Code::Syntax, self.span(), text, label)
    }

    /// Advises to write something in place of the offending token, and offers to do it.
    pub(crate) fn written(&self, diagnostic: Diagnostic, text: &str) -> Diagnostic {
        self.replacing(diagnostic.with_help(format!("write `{text}`")), self.at..=self.at, text)
    }

    /// Advises to write something in place of the offending token, which is named, and offers to do it.
    pub(crate) fn exchanged(&self, diagnostic: Diagnostic, text: &str) -> Diagnostic {
        let help = format!("write `{text}` in place of `{}`", self.found_text());
        self.replacing(diagnostic.with_help(help), self.at..=self.at, text)
    }

    /// Offers to write something in place of tokens; not if there is a comment between them, which would be lost.
    pub(crate) fn replacing(
        &self,
        diagnostic: Diagnostic,
        tokens: RangeInclusive<usize>,
        text: &str,
    ) -> Diagnostic {
        let Some(replaced) = self.tokens.get(tokens) else { return diagnostic };
        let [first, .., last] = replaced else {
            return match replaced {
                [one] => diagnostic.with_fix(title(text), vec![(one.span, self.spaced(one.span, text))]),
                _ => diagnostic,
            };
        };
        let blank = |pair: &[Token]| {
            let between = self.source.get(pair[0].span.end as usize..pair[1].span.start as usize);
            between.is_some_and(|it| it.trim().is_empty())
        };
        let span = first.span.to(last.span);
        match replaced.windows(2).all(blank) {
            true => diagnostic.with_fix(title(text), vec![(span, self.spaced(span, text))]),
            false => diagnostic,
        }
    }

    /// Offers to put something in before the offending token; a comma, directly behind the one before.
    pub(crate) fn preceded(&self, diagnostic: Diagnostic, text: &str) -> Diagnostic {
        let Some(token) = self.tokens.get(self.at) else { return diagnostic };
        let before = self.at.checked_sub(1).and_then(|index| self.tokens.get(index));
        let (at, put_in) = match before {
            Some(before) if text == "," => (before.span.end, text.to_owned()),
            _ => (token.span.start, format!("{text} ")),
        };
        let place = Span::new(at, at);
        diagnostic.with_fix(format!("Put in `{text}`"), vec![(place, self.spaced(place, &put_in))])
    }

    fn spaced(&self, span: Span, text: &str) -> String {
        words::spaced(self.source, span, text)
    }

    /// The offending token, for use in a sentence.
    pub(crate) fn found_phrase(&self) -> String {
        match self.found() {
            None => format!("the end of the {}", self.unit.word()),
            Some(Kind::Text) if self.found_text().len() > 30 => "a string".to_owned(),
            Some(_) if self.found_text().len() > 60 => "a long word".to_owned(),
            Some(_) => format!("`{}`", self.found_text()),
        }
    }

    /// The expected rules, for use in a sentence.
    pub(crate) fn expected_phrase(&self) -> String {
        list(self.expected, self.unit)
    }
}

fn title(text: &str) -> String {
    if text.is_empty() { "Remove it".to_owned() } else { format!("Write `{text}`") }
}
