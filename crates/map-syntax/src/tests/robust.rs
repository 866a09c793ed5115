//! Half-typed and damaged texts: whatever happens to a correct text, reading it ends with a tree and diagnostics.

use super::{SAMPLE, parse_text, rendered};
use crate::pest_grammar::{self, Rule};
use crate::{MAX_NESTING, scan};

/// Reads a text, and checks what holds of every result.
fn check(text: &str) {
    let parsed = parse_text(text);
    let correct = pest_grammar::read(Rule::file, text.trim_start_matches('\u{feff}')).is_ok();
    if !correct {
        assert!(!parsed.diagnostics.is_empty(), "accepted: {text}");
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
    for (end, _) in SAMPLE.char_indices() {
        check(&SAMPLE[..end]);
    }
}

#[test]
fn every_suffix_is_read() {
    for (start, _) in SAMPLE.char_indices() {
        check(&SAMPLE[start..]);
    }
}

#[test]
fn every_word_may_be_missing_doubled_or_replaced() {
    let tokens = scan::scan(SAMPLE, 0).tokens;
    for token in &tokens {
        let (start, end) = (token.span.start as usize, token.span.end as usize);
        let (before, word, after) = (&SAMPLE[..start], &SAMPLE[start..end], &SAMPLE[end..]);
        check(&format!("{before}{after}"));
        check(&format!("{before}{word} {word}{after}"));
        for other in [
            "(", ")", "[", "]", "agent", "=", "=>", "then", "timeout", "x", "$x", "%r", "1", "\"", "/*", "?",
            "\u{e9}", ",",
        ] {
            check(&format!("{before}{other}{after}"));
        }
    }
}

#[test]
fn one_missing_word_is_rarely_more_than_one_mistake() {
    let tokens = scan::scan(SAMPLE, 0).tokens;
    let mut cascades = 0;
    for token in &tokens {
        let text = format!("{}{}", &SAMPLE[..token.span.start as usize], &SAMPLE[token.span.end as usize..]);
        cascades += usize::from(parse_text(&text).diagnostics.len() > 1);
    }
    assert!(cascades * 25 <= tokens.len(), "{cascades} of {}", tokens.len());
}

#[test]
fn every_character_may_stand_anywhere() {
    let short = "s[ agent(!A, %r) = $x = p(\"a\", 1) /*ab*/ then m() => agent(_, %b) ]";
    for (at, _) in short.char_indices() {
        for character in (0..128).map(char::from).chain(['ε', 'é', '“', '\u{a0}', '🦀', '\u{feff}']) {
            check(&format!("{}{character}{}", &short[..at], &short[at..]));
        }
    }
}

#[test]
fn every_diagnostic_can_be_drawn() {
    for (end, _) in SAMPLE.char_indices().step_by(7) {
        assert!(!rendered(&SAMPLE[..end]).is_empty() || parse_text(&SAMPLE[..end]).diagnostics.is_empty());
    }
}

/// The stack of a test thread must do for pest alone, should no other thread be had.
#[test]
fn the_deepest_text_fits_a_small_stack() {
    let body = "(".repeat(MAX_NESTING) + "skip" + &")".repeat(MAX_NESTING);
    assert!(pest_grammar::read(Rule::file, &format!("s[ agent(!A, %r) = {body} ]")).is_ok());
}
