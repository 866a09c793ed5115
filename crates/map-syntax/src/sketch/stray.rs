//! Characters that cannot occur in MAP outside strings and comments, and what the author probably meant.

use map_diagnostics::{Code, Diagnostic, Span};

use crate::words;

/// The number of characters searched for a closing quotation mark, so that many opening marks do not cost quadratic
/// time.
const MAX_QUOTED: usize = 100;

/// The number of bytes at the start of `text` that one error covers: a run of stray characters, or a string in the
/// wrong quotation marks.
pub(crate) fn length(text: &str) -> usize {
    let mut characters = text.char_indices();
    let Some((_, first)) = characters.next() else { return 0 };
    if let Some(closing) = closing_mark(first) {
        let mut quoted = characters.clone().take(MAX_QUOTED).take_while(|&(_, c)| c != '\n');
        if let Some((end, _)) = quoted.find(|&(_, c)| c == closing) {
            return end + closing.len_utf8();
        }
    }
    if meaning(first).is_some() {
        return characters.find(|&(_, c)| c != first).map_or(text.len(), |(end, _)| end);
    }
    characters.find(|&(_, c)| !is_stray(c) || meaning(c).is_some()).map_or(text.len(), |(end, _)| end)
}

/// The diagnostic about stray characters of a text.
pub(crate) fn diagnostic(source: &str, span: Span) -> Diagnostic {
    let found = &source[span.start as usize..span.end as usize];
    let first = found.chars().next().unwrap_or_default();
    let code = Code::StrayCharacter;
    if closing_mark(first).is_some() && found.chars().nth(1).is_some() {
        let text = "strings stand between straight double quotation marks";
        let diagnostic = Diagnostic::new(code, span, text, "not a string");
        let content = found.trim_start_matches(first).trim_end_matches(closing_mark(first).unwrap_or(first));
        return if content.is_empty() || content.len() > 30 || content.contains(['"', '\\']) {
            diagnostic.with_help("write `\"..\"`")
        } else {
            diagnostic.with_help(format!("write `\"{content}\"`")).replaced_by(format!("\"{content}\""))
        };
    }
    let text = format!("{} cannot stand here", describe(found, first));
    let diagnostic = Diagnostic::new(code, span, text, "not part of any MAP text");
    match meaning(first) {
        Some(Meaning::Word(word)) => {
            let written = words::spaced(source, span, word);
            diagnostic.with_help(format!("write `{word}`")).with_fix(format!("Write `{word}`"), vec![(span, written)])
        }
        Some(Meaning::And) => {
            diagnostic.with_help("write `then` between operations, `and` between conditions")
        }
        Some(Meaning::Space) => diagnostic.with_help("replace it by an ordinary space").replaced_by(" "),
        Some(Meaning::Nothing) => diagnostic.with_help("remove it; it is invisible in most editors").replaced_by(""),
        Some(Meaning::Comment) => diagnostic.with_help("a comment begins with `//`"),
        Some(Meaning::Question) => diagnostic.with_help(
            "a message is received with `m(..) <= agent($a, %role)`; a choice between operations is written `A or B`",
        ),
        Some(Meaning::Binary) => diagnostic.with_help("save the file as UTF-8 text"),
        None if first.is_alphabetic() => {
            diagnostic.with_note("names are made of the letters `a` to `z`, `A` to `Z`, digits and `_`")
        }
        None => diagnostic,
    }
}

/// The probable meaning of a stray character.
enum Meaning {
    Word(&'static str),
    And,
    Space,
    Nothing,
    Comment,
    Question,
    Binary,
}

fn meaning(character: char) -> Option<Meaning> {
    Some(match character {
        '\0' => Meaning::Binary,
        '#' => Meaning::Comment,
        '?' => Meaning::Question,
        '∧' => Meaning::And,
        '∨' => Meaning::Word("or"),
        '∥' | '‖' => Meaning::Word("par"),
        '⇒' | '→' | '⟶' | '⟹' | '➔' => Meaning::Word("=>"),
        '⇐' | '←' | '⟵' | '⟸' | '≤' | '⩽' => Meaning::Word("<="),
        '≥' | '⩾' => Meaning::Word(">="),
        '≠' => Meaning::Word("!="),
        '¬' => Meaning::Word("not"),
        '×' | '·' => Meaning::Word("*"),
        '÷' => Meaning::Word("/"),
        'ϵ' | '∊' | 'ɛ' | '∈' => Meaning::Word("skip"),
        '–' | '—' | '−' | '‐' | '‑' => Meaning::Word("-"),
        '，' | '、' => Meaning::Word(","),
        '（' => Meaning::Word("("),
        '）' => Meaning::Word(")"),
        '［' => Meaning::Word("["),
        '］' => Meaning::Word("]"),
        '＝' => Meaning::Word("="),
        '＄' => Meaning::Word("$"),
        '％' => Meaning::Word("%"),
        '！' => Meaning::Word("!"),
        '“' | '”' | '„' | '‟' | '″' | '«' | '»' | '‘' | '’' | '\'' | '`' => {
            Meaning::Word("\"")
        }
        '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' => {
            Meaning::Nothing
        }
        _ if character.is_whitespace() => Meaning::Space,
        _ => return None,
    })
}

/// The mark that closes a quotation begun with `opening`, if that is a quotation mark other than `"`.
fn closing_mark(opening: char) -> Option<char> {
    match opening {
        '\'' | '`' => Some(opening),
        '“' | '„' => Some('”'),
        '‘' => Some('’'),
        '«' => Some('»'),
        _ => None,
    }
}

/// Whether no token begins with it.
fn is_stray(character: char) -> bool {
    match character {
        'ε' | '\t' | '\r' | '\n' => false,
        '#' | '?' | '^' | '~' | '\\' | '\'' | '`' => true,
        _ => !character.is_ascii() || character.is_ascii_control(),
    }
}

fn describe(found: &str, first: char) -> String {
    let invisible =
        first.is_control() || first.is_whitespace() || matches!(meaning(first), Some(Meaning::Nothing));
    if invisible {
        format!("the invisible character U+{:04X}", u32::from(first))
    } else if found.chars().nth(1).is_some() && found.chars().count() > 12 {
        "this text".to_owned()
    } else {
        format!("`{found}`")
    }
}
