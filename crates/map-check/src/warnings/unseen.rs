//! MAP319: characters in comments and strings that nobody sees. Elsewhere they are errors.

use std::cmp::Ordering;

use map_diagnostics::{Code, Diagnostic, SourceFile, Span, is_directional, is_unseen};

use super::comments::comments;

/// How many of the characters on a line are marked.
const MAX_MARKED: usize = 8;

/// One warning for each line of a comment or a string.
pub(super) fn find(source: &SourceFile, found: &mut Vec<Diagnostic>) {
    let comments = comments(source.text());
    let is_in_comment = |at: usize| {
        let place = |range: &std::ops::Range<usize>| match (range.end <= at, range.start <= at) {
            (true, _) => Ordering::Less,
            (false, true) => Ordering::Equal,
            (false, false) => Ordering::Greater,
        };
        comments.binary_search_by(|comment| place(&comment.range)).is_ok()
    };
    let unseen = unseen_characters(source.text());
    let kind = |it: &Unseen| (it.line, is_in_comment(it.at));
    for group in unseen.chunk_by(|a, b| kind(a) == kind(b)) {
        found.push(warning(group, is_in_comment(group[0].at)));
    }
}

/// A character, and where it is.
struct Unseen {
    at: usize,
    line: usize,
    character: char,
}

fn unseen_characters(text: &str) -> Vec<Unseen> {
    let mut found = Vec::new();
    let (mut line, mut before) = (0, '\n');
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let is_usual = match character {
            '\n' | '\t' => true,
            '\r' => matches!(characters.peek(), None | Some((_, '\n' | '\r'))),
            // The mark of the byte order.
            '\u{feff}' => at == 0,
            _ => !is_unseen(character) && !joins_nothing(character, before),
        };
        if !is_usual {
            found.push(Unseen { at, line, character });
        }
        line += usize::from(character == '\n');
        before = character;
    }
    found
}

/// Joiners and variation selectors shape letters of many scripts, and emoji. Behind letters of ASCII they do nothing;
/// there is `1\u{fe0f}`, but, which is the beginning of a keycap.
fn joins_nothing(character: char, before: char) -> bool {
    let is_keycap = character == '\u{fe0f}' && matches!(before, '0'..='9' | '#' | '*');
    let is_joiner = matches!(character,
        '\u{200c}' | '\u{200d}' | '\u{180b}'..='\u{180d}' | '\u{180f}' | '\u{fe00}'..='\u{fe0f}');
    is_joiner && before.is_ascii() && !is_keycap
}

fn warning(group: &[Unseen], in_comment: bool) -> Diagnostic {
    let place = if in_comment { "comment" } else { "string" };
    let all = |is: fn(char) -> bool| group.iter().all(|it| is(it.character));
    let count = if group.len() == 1 { "a character" } else { "characters" };
    let (does, note) = if all(is_directional) {
        let verb = if group.len() == 1 { "changes" } else { "change" };
        let note = "an editor may show the text in another order than that in which it is read";
        (format!("that {verb} the direction of the text"), note)
    } else if all(char::is_control) {
        let verb = if group.len() == 1 { "controls" } else { "control" };
        (format!("that {verb} terminals"), "a terminal that shows the file may obey it")
    } else {
        (
            "that nobody sees".to_owned(),
            "two texts that look the same may differ, or be shown in another order",
        )
    };
    let mut marks = group.iter().take(MAX_MARKED).map(|&Unseen { at, character, .. }| {
        let span = Span::new(at as u32, (at + character.len_utf8()) as u32);
        (span, format!("U+{:04X}", u32::from(character)))
    });
    let (span, label) = marks.next().unwrap_or_default();
    let text = format!("this {place} has {count} {does}");
    let mut warning = Diagnostic::new(Code::UnseenCharacter, span, text, label);
    for (span, label) in marks {
        warning = warning.with_label(span, label);
    }
    if group.len() > MAX_MARKED {
        warning = warning.with_note(format!("there are {} of them on this line", group.len()));
    }
    let warning = warning.with_note(note);
    let them = if group.len() == 1 { "it" } else { "them" };
    if in_comment {
        let gone = group
            .iter()
            .map(|it| (Span::new(it.at as u32, (it.at + it.character.len_utf8()) as u32), String::new()));
        return warning
            .with_help(format!("remove {them}"))
            .with_fix(format!("Remove {them}"), gone.collect());
    }
    let escape = group[0].character.escape_unicode();
    warning.with_help(format!(
        "remove {them}, or write `{escape}` where that is meant: the string stays the same"
    ))
}
