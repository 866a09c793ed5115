//! The grammar of tree-sitter agrees with the real parser: on what is MAP, and on what is part of what.
//!
//! `MAP_MUTATIONS=N` sets how many broken texts are tried, `MAP_SEED=S` where their seeds start.

use std::collections::BTreeMap;

use map_diagnostics::{Code, SourceFile};
use map_editors::{errors, file, leaves, parse, shape, texts};
use map_testkit::scenes::{Random, random_scene};
use map_tests::settings::setting;
use tree_sitter::{Node, Tree};

use crate::words;

/// Parser and node types are those that the grammar gives; `MAP_UPDATE=1` writes them.
#[test]
fn the_parser_is_up_to_date() {
    let generated = std::path::Path::new(env!("OUT_DIR")).join("generated");
    for name in ["parser.c", "node-types.json", "grammar.json", "tree_sitter/parser.h"] {
        let Ok(new) = std::fs::read_to_string(generated.join(name)) else {
            assert_eq!(name, "grammar.json");
            assert!(std::env::var_os("MAP_REQUIRE_EDITORS").is_none(), "there is no node");
            eprintln!("passed over: there is no node, which reads grammar.js");
            continue;
        };
        let old = format!("tree-sitter/src/{name}");
        if std::env::var_os("MAP_UPDATE").is_some() {
            let path = map_tests::documentation::root().join("editors").join(&old);
            std::fs::write(path, new).expect("the file can be written");
        } else {
            assert!(
                file(&old) == new,
                "editors/{old} is out of date: MAP_UPDATE=1 cargo test -p map-editors"
            );
        }
    }
}

/// What `differences.md` lists in the section with this heading: names in backticks at the beginning of an item.
fn listed(heading: &str) -> Vec<String> {
    let page = file("tree-sitter/differences.md");
    let (_, rest) = page.split_once(&format!("\n## {heading}\n")).expect("the section is there");
    let section = rest.split("\n## ").next().unwrap_or_default();
    let items = section.lines().filter_map(|line| line.strip_prefix("- `")?.split_once('`'));
    items.map(|(name, _)| name.to_owned()).collect()
}

/// What the parsers disagree on in a text; nothing if the page of differences explains it.
fn disagreement(text: &str) -> Result<(), String> {
    let (codes, tree) = (errors(text), parse(text));
    let codes: Vec<Code> = codes.into_iter().filter(|code| *code != Code::NoScene).collect();
    match (codes.is_empty(), tree.root_node().has_error()) {
        (true, true) if operator_names_a_scene(text) => Ok(()),
        (true, true) => Err(format!("only tree-sitter refuses it: {}", first_error(tree.root_node(), text))),
        (false, false)
            if codes.iter().all(|code| beyond_grammar(*code)) || accepted_on_purpose(&tree, text) =>
        {
            Ok(())
        }
        (false, false) => Err(format!("only the real parser refuses it: {codes:?}")),
        (false, true) => Ok(()),
        (true, false) => {
            let file = map_syntax::parse(&SourceFile::new("test.map", text)).file;
            let (ast, tree) = (shape::of_file(&file), shape::of_node(tree.root_node(), text));
            let ast = if file.items.is_empty() { tree.clone() } else { ast };
            if ast == tree { Ok(()) } else { Err(format!("other trees:\n{ast}\n{tree}")) }
        }
    }
}

/// Whether the code is about something that is no matter of grammar: nesting, sizes and values.
fn beyond_grammar(code: Code) -> bool {
    matches!(code, Code::IntegerRange | Code::NestingTooDeep | Code::BadEscape)
}

fn first_error(node: Node<'_>, text: &str) -> String {
    if node.is_error() || node.is_missing() {
        let end = text[node.end_byte()..].find('\n').map_or(text.len(), |at| node.end_byte() + at);
        return format!("{}: {}", node.start_position(), &text[node.start_byte()..end]);
    }
    let mut cursor = node.walk();
    let wrong = node.children(&mut cursor).find(Node::has_error);
    wrong.map(|child| first_error(child, text)).unwrap_or_default()
}

/// A word that continues an item names the scene behind the item.
fn operator_names_a_scene(text: &str) -> bool {
    let words = listed("Rejected here alone");
    let names = words.iter().filter(|word| !word.contains('/'));
    names.into_iter().any(|name| {
        text.match_indices(name.as_str()).any(|(at, _)| text[at + name.len()..].trim_start().starts_with('['))
    })
}

/// What the section "Accepted here alone" lists.
fn accepted_on_purpose(tree: &Tree, text: &str) -> bool {
    let leaves = leaves(tree.root_node());
    leaves.iter().any(|leaf| is_reserved_name(*leaf, text)) || leaves.windows(2).any(|pair| glued(pair, text))
}

fn is_reserved_name(leaf: Node<'_>, text: &str) -> bool {
    let word = &text[leaf.byte_range()];
    let within = |kinds: &[&str]| {
        std::iter::successors(Some(leaf), Node::parent).any(|node| kinds.contains(&node.kind()))
    };
    let is_constant = leaf.kind() == "constant";
    let is_name = leaf.is_named() && (is_constant || leaf.kind() == "name");
    is_name && words::reserved().contains(word)
        || is_constant && words::of_bodies().contains(word)
        || is_constant && within(&["property"]) && words::of_formulas().contains(word)
}

/// An integer or a wildcard with a letter directly behind it.
fn glued(pair: &[Node<'_>], text: &str) -> bool {
    let name = |at: usize| text[at..].starts_with(|sign: char| sign.is_ascii_alphanumeric() || sign == '_');
    ["integer", "_", "wildcard"].contains(&pair[0].kind())
        && pair[0].end_byte() == pair[1].start_byte()
        && name(pair[1].start_byte())
}

#[test]
fn every_file_is_read_alike() {
    let exceptions = listed("Rejected here alone");
    let mut wrong = Vec::new();
    let files = texts::files();
    assert!(files.len() > 500, "the files are found");
    for (name, text) in files {
        let tree = parse(&text);
        if exceptions.contains(&name) {
            assert!(tree.root_node().has_error(), "{name} is listed in differences.md, and need not be");
        } else if errors(&text).is_empty() && tree.root_node().has_error() {
            wrong.push(format!("{name}: {}", first_error(tree.root_node(), &text)));
        } else if let Err(why) = disagreement(&text) {
            wrong.push(format!("{name}: {why}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_example_is_read_alike() {
    let examples = texts::examples();
    assert!(examples.iter().filter(|(_, text)| !errors(text).is_empty()).count() > 5, "some are wrong");
    let wrong: Vec<_> = examples
        .iter()
        .filter_map(|(name, text)| Some(format!("{name}: {}", disagreement(text).err()?)))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn broken_texts_are_read_alike() {
    let corpus: Vec<String> =
        texts::files().into_iter().chain(texts::examples()).map(|(_, text)| text).collect();
    let small: Vec<&String> = corpus.iter().filter(|text| text.len() < 1_500).collect();
    let (first, count) = (setting("MAP_SEED").unwrap_or(0), setting("MAP_MUTATIONS").unwrap_or(2_000));
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for seed in first..first + count {
        let mut random = Random::new(seed, 11);
        let text = if random.percent(30) { random_scene(seed) } else { (*random.pick(&small)).clone() };
        let donor = (*random.pick(&small)).clone();
        let text = texts::broken(&mut random, &text, &donor);
        *seen.entry(if errors(&text).is_empty() { "accepted" } else { "refused" }).or_default() += 1;
        if let Err(why) = disagreement(&text) {
            wrong.push(format!("seed {seed}: {why}\n{text}"));
        }
    }
    println!("{seen:?}, seeds {first} to {}", first + count);
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong[..wrong.len().min(5)].join("\n\n"));
    assert!(seen.values().all(|number| *number as u64 > count / 20), "{seen:?}: most texts are of one kind");
}
