//! The corpus of tree-sitter's own tests, and the queries that editors use.

use std::collections::{BTreeMap, BTreeSet};

use map_editors::{file, language, leaves, parse, texts};
use map_tests::documentation::root;
use tree_sitter::{Query, QueryCursor, StreamingIterator as _};

/// A case of the corpus, as `tree-sitter test` reads it.
struct Case {
    title: String,
    /// Whether the text is expected to be wrong.
    wrong: bool,
    text: String,
    tree: String,
}

fn cases(file: &str) -> Vec<Case> {
    let is_bar = |line: &str| line.len() >= 3 && line.bytes().all(|sign| sign == b'=');
    let lines: Vec<&str> = file.lines().collect();
    let bars: Vec<usize> = (0..lines.len()).filter(|at| is_bar(lines[*at])).collect();
    assert!(bars.len().is_multiple_of(2), "a bar stands before and after each title");
    let case = |number: usize| {
        let (above, below) = (bars[2 * number], bars[2 * number + 1]);
        let end = bars.get(2 * number + 2).copied().unwrap_or(lines.len());
        let content = lines[below + 1..end].join("\n");
        let (text, tree) = content.split_once("\n---\n").expect("a line of dashes parts text and tree");
        Case {
            title: lines[above + 1].to_owned(),
            wrong: lines[above + 2..below].contains(&":error"),
            text: text.trim_matches('\n').to_owned(),
            tree: tree.split_whitespace().collect::<Vec<_>>().join(" "),
        }
    };
    (0..bars.len() / 2).map(case).collect()
}

/// A tree without the names of its fields.
fn without_fields(tree: &str) -> String {
    tree.split(' ').filter(|word| !word.ends_with(':')).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_corpus_is_read_as_it_says() {
    let folder = root().join("editors/tree-sitter/test/corpus");
    let mut names: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("it can be read").file_name().into_string().expect("names are ASCII"))
        .collect();
    names.sort();
    let mut number = 0;
    for name in names {
        for case in cases(&file(format!("tree-sitter/test/corpus/{name}"))) {
            number += 1;
            let tree = parse(&case.text);
            let node = tree.root_node();
            assert_eq!(node.has_error(), case.wrong, "{name}: {}\n{}", case.title, node.to_sexp());
            if !case.wrong {
                assert_eq!(without_fields(&node.to_sexp()), case.tree, "{name}: {}", case.title);
            }
        }
    }
    assert!(number > 50, "the cases are found: {number}");
}

/// Every kind of node that the grammar has stands in the corpus.
#[test]
fn the_corpus_covers_the_grammar() {
    let mut seen = BTreeSet::new();
    for entry in
        std::fs::read_dir(root().join("editors/tree-sitter/test/corpus")).expect("the folder is there")
    {
        let text = std::fs::read_to_string(entry.expect("it can be read").path()).expect("it is UTF-8");
        for case in cases(&text) {
            seen.extend(case.tree.split(['(', ')', ' ']).map(str::to_owned));
        }
    }
    let language = language();
    let kinds = (0..language.node_kind_count()).filter_map(|id| u16::try_from(id).ok());
    let missing: Vec<_> = kinds
        .filter(|id| language.node_kind_is_named(*id) && language.node_kind_is_visible(*id))
        .filter_map(|id| language.node_kind_for_id(id))
        .filter(|kind| !seen.contains(*kind) && *kind != "ERROR" && *kind != "comment")
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// What `highlights.scm` captures of a text: the names for each range.
fn captured(query: &Query, text: &str) -> BTreeMap<(usize, usize), Vec<String>> {
    let tree = parse(text);
    let mut cursor = QueryCursor::new();
    let mut captures = cursor.captures(query, tree.root_node(), text.as_bytes());
    let mut found: BTreeMap<_, Vec<_>> = BTreeMap::new();
    while let Some((matched, index)) = captures.next() {
        let capture = matched.captures()[*index];
        let range = capture.node.byte_range();
        let name = query.capture_names()[capture.index as usize].to_owned();
        found.entry((range.start, range.end)).or_default().push(name);
    }
    found
}

/// Every word and sign of every file is captured, and no more than once.
#[test]
fn every_word_has_one_colour() {
    let query =
        Query::new(&language(), &file("tree-sitter/queries/highlights.scm")).expect("the query is right");
    let mut wrong = BTreeSet::new();
    for (name, text) in texts::files() {
        let found = captured(&query, &text);
        for leaf in leaves(parse(&text).root_node()) {
            let range = (leaf.start_byte(), leaf.end_byte());
            let names = found.get(&range).map_or(&[][..], Vec::as_slice);
            if names.len() != 1 && !leaf.is_missing() && !parse(&text).root_node().has_error() {
                wrong.insert(format!("{name}: `{}` is {names:?}", &text[leaf.byte_range()]));
            }
        }
    }
    let some: Vec<_> = wrong.iter().take(20).cloned().collect();
    assert!(wrong.is_empty(), "{}", some.join("\n"));
}

#[test]
fn colours_of_a_text() {
    let query =
        Query::new(&language(), &file("tree-sitter/queries/highlights.scm")).expect("the query is right");
    let text = "//@ verify => terminates\n// a comment\nprocedure p($a) in {red, -1}\nproperty q : eventually done(!A)\n\
                s[agent(!A, %a) = $x = p(1) then m(\"a\\n\", self, @c) => agent(_, %b) or waitfor m($y) <= agent($y, %a)]";
    let found = captured(&query, text);
    let colour = |word: &str| {
        let at = text.find(word).unwrap_or_else(|| panic!("{word} is there"));
        found[&(at, at + word.len())].clone()
    };
    for (word, expected) in [
        ("//@ verify => terminates", "attribute"),
        ("// a comment", "comment"),
        ("procedure", "keyword"),
        ("p", "function"),
        ("$a", "variable"),
        ("in", "keyword"),
        ("red", "string.special.symbol"),
        ("-1", "number"),
        ("eventually", "keyword"),
        ("!A", "constant"),
        ("s", "label"),
        ("agent", "keyword"),
        ("%a", "type"),
        ("then", "keyword"),
        ("m", "function.method"),
        ("\\n", "string.escape"),
        ("@c", "property"),
        ("=>", "operator"),
        ("waitfor", "keyword"),
    ] {
        // The first `p`, `m` and `s` of the text are letters of other words.
        let at = match word {
            "p" => text.find("p($a)"),
            "m" => text.find("m(\"a"),
            "s" => text.find("s[agent"),
            "=>" => text.find("=> agent"),
            "in" => text.find("in {"),
            _ => text.find(word),
        };
        let at = at.expect("it is there");
        assert_eq!(found.get(&(at, at + word.len())), Some(&vec![expected.to_owned()]), "{word}");
    }
    assert_eq!(colour("self"), ["string.special.symbol"]);
}

#[test]
fn queries_are_right() {
    let names = |folder: &str| {
        let entries =
            std::fs::read_dir(root().join("editors/tree-sitter").join(folder)).expect("it is there");
        entries
            .map(|entry| entry.expect("it can be read").path())
            .filter(|path| path.extension().is_some_and(|it| it == "scm"))
            .collect::<Vec<_>>()
    };
    let all = [names("queries"), names("helix")].concat();
    assert!(all.len() >= 8, "{all:?}");
    for path in all {
        let text = std::fs::read_to_string(&path).expect("it can be read");
        Query::new(&language(), &text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
}

/// Helix has other names for some captures; else its colours are the same.
#[test]
fn helix_has_the_same_colours() {
    let mut expected = file("tree-sitter/queries/highlights.scm");
    let (_, rest) = expected.split_once("\n\n").expect("a comment comes first");
    expected = rest.to_owned();
    for (name, of_helix) in [
        ("@keyword.conditional", "@keyword.control.conditional"),
        ("@boolean", "@constant.builtin.boolean"),
        ("@number", "@constant.numeric.integer"),
        ("@string.escape", "@constant.character.escape"),
        ("@property", "@variable.other.member"),
    ] {
        assert!(expected.contains(name), "{name} is not used any more");
        expected = expected.replace(name, of_helix);
    }
    let helix = format!(
        "; Colours for MAP in Helix: `queries/highlights.scm` with its names for captures.\n\n{expected}"
    );
    if std::env::var_os("MAP_UPDATE").is_some() {
        std::fs::write(root().join("editors/tree-sitter/helix/highlights.scm"), &helix)
            .expect("it can be written");
    }
    assert_eq!(file("tree-sitter/helix/highlights.scm"), helix, "MAP_UPDATE=1 cargo test -p map-editors");
}
