//! Half-typed and damaged texts: parsing always ends with a tree and diagnostics.

use map_diagnostics::Code;

use super::{BODIES, PROPERTIES, SAMPLE, parse_text, rendered};
use crate::pest_grammar::{self, Rule};
use crate::sketch;

/// Parses a text and checks the invariants of every result.
fn check(text: &str) {
    let parsed = parse_text(text);
    let correct = pest_grammar::read(Rule::file, text.trim_start_matches('\u{feff}')).is_ok();
    if !correct {
        assert!(!parsed.diagnostics.is_empty(), "accepted: {text}");
    } else {
        let refused = parsed.diagnostics.iter().any(|diagnostic| diagnostic.code == Code::Syntax);
        assert!(!refused, "refused: {text}");
    }
    for diagnostic in &parsed.diagnostics {
        for label in &diagnostic.labels {
            let range = label.span.start as usize..label.span.end as usize;
            assert!(text.get(range).is_some(), "{diagnostic:?} in {text}");
            assert!(!label.text.contains('\n'));
        }
        assert!(!diagnostic.text.ends_with('.') && !diagnostic.text.contains('\n'), "{diagnostic:?}");
    }
    let starts: Vec<_> = parsed.diagnostics.iter().filter_map(|diagnostic| diagnostic.span()).collect();
    assert!(starts.is_sorted(), "{starts:?}");
}

#[test]
fn every_prefix_is_read() {
    for sample in [SAMPLE, BODIES, PROPERTIES] {
        for (end, _) in sample.char_indices() {
            check(&sample[..end]);
        }
    }
}

#[test]
fn every_suffix_is_read() {
    for sample in [SAMPLE, BODIES, PROPERTIES] {
        for (start, _) in sample.char_indices() {
            check(&sample[start..]);
        }
    }
}

#[test]
fn every_word_may_be_missing_doubled_or_replaced() {
    damage_every_word(
        SAMPLE,
        &[
            "(", ")", "[", "]", "agent", "=", "=>", "then", "timeout", "x", "$x", "%r", "1", "\"", "/*", "?",
            "\u{e9}", ",",
        ],
    );
}

#[test]
fn every_word_of_bodies_may_be_missing_doubled_or_replaced() {
    damage_every_word(
        BODIES,
        &[
            "(", ")", "[", "]", "{", "}", "agent", "=", ":=", "==", "<", "|", "||", "&&", "..", "+", "-",
            "%", "!", "@", "then", "else", "if", "not", "and", "or", "in", "with", "min", "self", "fresh",
            "memory", "x", "$x", "@c", "%r", "1", "-1", "\"", "?", ",", "_",
        ],
    );
}

fn damage_every_word(sample: &str, others: &[&str]) {
    let tokens = sketch::tokens(sample);
    for token in &tokens {
        let (start, end) = (token.span.start as usize, token.span.end as usize);
        let (before, word, after) = (&sample[..start], &sample[start..end], &sample[end..]);
        check(&format!("{before}{after}"));
        check(&format!("{before}{word} {word}{after}"));
        for other in others {
            check(&format!("{before}{other}{after}"));
        }
    }
}

#[test]
fn one_missing_word_is_rarely_more_than_one_mistake() {
    for sample in [SAMPLE, BODIES, PROPERTIES] {
        let tokens = sketch::tokens(sample);
        let mut cascades = Vec::new();
        for token in &tokens {
            let (start, end) = (token.span.start as usize, token.span.end as usize);
            let text = format!("{}{}", &sample[..start], &sample[end..]);
            if parse_text(&text).diagnostics.len() > 1 {
                cascades.push(&sample[start.saturating_sub(10)..end]);
            }
        }
        assert!(cascades.len() * 25 <= tokens.len(), "{} of {}: {cascades:?}", cascades.len(), tokens.len());
    }
}

#[test]
fn every_character_may_stand_anywhere() {
    for short in [
        "s[ agent(!A, %r) = $x = p(\"a\", 1) /*ab*/ then m() => agent(_, %b) ]",
        "memory %r { @c = self } decision d($a) | not $a-1 < 2*@c = if $a==1 then a else in_b with @c := min(1, 2)\n= in 1..5 s[ agent(!A, %r) = skip ]",
    ] {
        for (at, _) in short.char_indices() {
            for character in (0..128).map(char::from).chain(['ε', 'é', '“', '\u{a0}', '🦀', '\u{feff}'])
            {
                check(&format!("{}{character}{}", &short[..at], &short[at..]));
            }
        }
    }
}

#[test]
fn every_diagnostic_can_be_drawn() {
    for (end, _) in SAMPLE.char_indices().step_by(7) {
        assert!(!rendered(&SAMPLE[..end]).is_empty() || parse_text(&SAMPLE[..end]).diagnostics.is_empty());
    }
}
