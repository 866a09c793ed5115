//! The words of the language are the same wherever they are listed; and what snippets insert is MAP.

use std::collections::{BTreeMap, BTreeSet};

use map_diagnostics::Code;
use map_editors::{errors, file, language};
use map_tests::documentation::root;
use serde_json::Value;

type Words = BTreeSet<String>;

/// The words in quotation marks in a rule of `grammar/map.pest`.
fn rule(name: &str) -> Words {
    let grammar =
        std::fs::read_to_string(root().join("grammar/map.pest")).expect("it is part of the repository");
    let (_, rest) = grammar.split_once(&format!("\n{name} = _{{")).expect("the rule is there");
    let (body, _) = rest.split_once('}').expect("it ends");
    body.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Words that no name may be.
pub(crate) fn reserved() -> Words {
    rule("reserved")
}

/// Further words that no constant in a body may be.
pub(crate) fn of_bodies() -> Words {
    rule("body_word")
}

/// Further words that no constant in a formula may be.
pub(crate) fn of_formulas() -> Words {
    rule("formula_word")
}

fn words(list: &[&str]) -> Words {
    list.iter().map(|word| (*word).to_owned()).collect()
}

fn items() -> Words {
    words(&["cast", "memory", "procedure", "decision", "property", "cost", "measure", "truth"])
}

/// The words of formulas: those that no constant may be, and those that may.
fn formulas() -> Words {
    &rule("formula_word") | &words(&["unless", "precedes", "before", "total", "cost", "measure", "sum"])
}

/// The words in the strings of a declaration in the script that colours the book.
fn of_book(name: &str) -> Words {
    let script = std::fs::read_to_string(root().join("docs/book/theme/head.hbs"))
        .expect("it is part of the repository");
    let (_, rest) = script.split_once(&format!("const {name} = ")).expect("the declaration is there");
    let (value, _) = rest.split_once(';').expect("it ends");
    value.split('\'').skip(1).step_by(2).flat_map(str::split_whitespace).map(str::to_owned).collect()
}

#[test]
fn the_book_colours_the_words_of_the_grammar() {
    assert_eq!(of_book("words"), &rule("reserved") | &items());
    assert_eq!(of_book("body"), rule("body_word"));
    // The script adds these to the words of bodies.
    assert_eq!(&of_book("formula") | &rule("body_word"), &formulas() | &rule("body_word"));
}

#[test]
fn tree_sitter_knows_the_words_of_the_grammar() {
    let language = language();
    let ids = (0..language.node_kind_count()).filter_map(|id| u16::try_from(id).ok());
    let known: Words = ids.filter_map(|id| language.node_kind_for_id(id)).map(str::to_owned).collect();
    let all = &(&(&rule("reserved") | &rule("body_word")) | &formulas()) | &items();
    assert!(all.len() > 50, "the words are found");
    assert_eq!(&all - &known, Words::new(), "words without a token of their own");
}

/// All regular expressions of a grammar for TextMate.
fn expressions(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                match value {
                    Value::String(text) if ["match", "begin", "end"].contains(&name.as_str()) => {
                        found.push(text.clone())
                    }
                    _ => expressions(value, found),
                }
            }
        }
        Value::Array(values) => values.iter().for_each(|value| expressions(value, found)),
        _ => {}
    }
}

#[test]
fn textmate_knows_the_words_of_the_grammar() {
    let grammar: Value =
        serde_json::from_str(&file("vscode/syntaxes/map.tmLanguage.json")).expect("it is JSON");
    let mut all = Vec::new();
    expressions(&grammar, &mut all);
    // `\b`, `\s` and the like are not parts of words.
    let text = all.join(" ").replace(['\\'], " \\");
    let known: Words = text
        .split(|sign: char| !sign.is_ascii_alphabetic() && sign != '\\')
        .flat_map(|word| [word.to_owned(), word.chars().skip(2).collect()])
        .collect();
    let expected = &(&(&rule("reserved") | &rule("body_word")) | &formulas()) | &items();
    assert_eq!(&expected - &known, Words::new(), "words without a colour");
}

/// What a snippet inserts if nothing is changed in it.
fn inserted(body: &str) -> String {
    let mut texts: BTreeMap<String, String> = BTreeMap::new();
    let mut out = String::new();
    let mut rest = body;
    while let Some(at) = rest.find(['$', '\\']) {
        out.push_str(&rest[..at]);
        let (sign, behind) = rest[at..].split_at(1);
        if sign == "\\" {
            let next = behind.chars().next().expect("something is escaped");
            out.push(next);
            rest = &behind[next.len_utf8()..];
            continue;
        }
        let is_braced = behind.starts_with('{');
        let inside = behind.trim_start_matches('{');
        let digits = inside.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(inside.len());
        let (number, behind) = inside.split_at(digits);
        let (content, behind) =
            if is_braced { behind.split_once('}').expect("the braces are closed") } else { ("", behind) };
        let content = content.trim_start_matches(':').trim_matches('|').split(',').next().unwrap_or_default();
        let text = texts.entry(number.to_owned()).or_insert_with(|| content.to_owned());
        out.push_str(text);
        rest = behind;
    }
    out + rest
}

/// Each snippet is MAP as an item, as a clause or as an operation.
#[test]
fn snippets_insert_what_the_parser_reads() {
    let snippets: BTreeMap<String, Value> =
        serde_json::from_str(&file("vscode/snippets/map.json")).expect("it is JSON");
    assert!(snippets.len() > 20);
    let mut prefixes = BTreeSet::new();
    for (name, snippet) in snippets {
        assert!(prefixes.insert(snippet["prefix"].to_string()), "{name}: its prefix is taken");
        let text = match &snippet["body"] {
            Value::String(line) => inserted(line),
            lines => {
                let lines: Vec<String> = serde_json::from_value(lines.clone()).expect("lines are strings");
                inserted(&lines.join("\n"))
            }
        };
        let is_read = |text: String| errors(&text).iter().all(|code| *code == Code::NoScene);
        let as_clause = format!("s[\n{text}\n]");
        let as_operation = format!("s[ agent(!A, %a) =\n{text}\n]");
        assert!(is_read(text.clone()) || is_read(as_clause) || is_read(as_operation), "{name}:\n{text}");
    }
}
