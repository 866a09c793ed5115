//! The TextMate grammar agrees with that of tree-sitter, and the extension for VS Code is in order. All of it needs
//! Node and the packages that `editors/install` installs; without them it is passed over. `MAP_REQUIRE_EDITORS=1` makes
//! that a failure.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Mutex;

use map_editors::{leaves, parse, texts};
use map_tests::documentation::root;
use tree_sitter::Node;

/// The folder of the extension, if its packages are installed.
fn extension() -> Option<PathBuf> {
    let folder = root().join("editors/vscode");
    if folder.join("node_modules/.package-lock.json").is_file() {
        return Some(folder);
    }
    assert!(std::env::var_os("MAP_REQUIRE_EDITORS").is_none(), "run editors/install first");
    eprintln!("passed over: the packages of the extension are not installed (run editors/install)");
    None
}

/// Runs a command, and gives its output.
fn output(command: &mut Command, input: &str) -> String {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("node and npm are installed with the packages");
    child.stdin.take().expect("it is piped").write_all(input.as_bytes()).expect("the input is read");
    let output = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{command:?}\n{said}\n{}", String::from_utf8_lossy(&output.stderr));
    said
}

/// A class of words, by the scope that the TextMate grammar gives it.
fn class_of_scope(scope: &str) -> &'static str {
    let classes = [
        ("variable.other.readwrite.", "variable"),
        ("punctuation.definition.variable.", "variable"),
        ("variable.other.constant.agent.", "agent"),
        ("punctuation.definition.agent.", "agent"),
        ("entity.name.type.role.", "role"),
        ("punctuation.definition.role.", "role"),
        ("variable.other.member.cell.", "cell"),
        ("punctuation.definition.cell.", "cell"),
        ("constant.numeric.integer.", "integer"),
        ("constant.numeric.float.", "decimal"),
        ("string.", "string"),
        ("punctuation.definition.string.", "string"),
        ("constant.character.escape.", "string"),
        ("comment.", "comment"),
        ("meta.directive.", "comment"),
        ("punctuation.definition.comment.", "comment"),
        ("keyword.other.directive.", "comment"),
        ("variable.language.wildcard.", "wildcard"),
        ("entity.name.namespace.scene.", "scene"),
        ("entity.name.label.property.", "property"),
        ("entity.name.label.cost.", "cost"),
        ("entity.name.label.measure.", "measure"),
        ("entity.name.function.performative.", "called"),
        ("support.function.procedure.", "called"),
        ("constant.other.symbol.", "constant"),
        ("keyword.operator.wordlike.", "word"),
        ("keyword.operator.", "sign"),
        ("punctuation.", "sign"),
        ("keyword.", "word"),
        ("storage.type.", "word"),
        ("support.function.builtin.", "word"),
        ("variable.language.self.", "word"),
        ("constant.language.boolean.", "word"),
    ];
    classes.iter().find(|(prefix, _)| scope.starts_with(prefix)).map_or("none", |(_, class)| class)
}

/// The same class, by the leaf of tree-sitter.
fn class_of_leaf(leaf: Node<'_>) -> &'static str {
    let classes = [
        "variable", "agent", "role", "cell", "integer", "decimal", "string", "comment", "wildcard",
        "constant",
    ];
    let is_word = leaf.kind().starts_with(char::is_alphabetic);
    match classes.into_iter().find(|class| leaf.is_named() && *class == leaf.kind()) {
        Some(class) => class,
        None if leaf.kind() == "name" => match leaf.parent().map_or("", |it| it.kind()) {
            "scene" => "scene",
            "property" => "property",
            "cost" | "cost_of" => "cost",
            "measure" | "measure_of" | "sum_of" => "measure",
            _ => "called",
        },
        None if is_word => "word",
        None => "sign",
    }
}

/// Where the two grammars differ in a text.
fn differences(text: &str, tokens: &[(usize, usize, String)]) -> Vec<String> {
    let tree = parse(text);
    let mut found = Vec::new();
    for leaf in leaves(tree.root_node()) {
        let class = class_of_leaf(leaf);
        let inside =
            tokens.iter().filter(|(start, end, _)| *start < leaf.end_byte() && leaf.start_byte() < *end);
        // A comment over several lines has blanks at the beginning of lines.
        let wrong = inside.filter(|(_, _, scope)| class_of_scope(scope) != class).map(|(_, _, scope)| scope);
        if let Some(scope) = wrong.into_iter().next() {
            let line = leaf.start_position().row + 1;
            found.push(format!(
                "line {line}: `{}` is {class}, and in TextMate {scope}",
                &text[leaf.byte_range()]
            ));
        }
    }
    found
}

/// TextMate sees one line at a time: where comments tear the heads of items apart, it has only their words.
const TORN_APART: &[&str] = &[
    "tests/cases-fmt/comment-inside-everything.out.map",
    "tests/cases-fmt/comment-lines-inside-everything.out.map",
];

/// Every word of every file has the same class in both grammars, and nothing is `invalid`. The formatter's cases from
/// before they were formatted are left out, for they are torn apart, too.
#[test]
fn every_word_is_of_the_class_that_tree_sitter_finds() {
    let Some(extension) = extension() else { return };
    let mut files = texts::files();
    files.retain(|(name, _)| !name.ends_with(".in.map") && !TORN_APART.contains(&name.as_str()));
    let paths: String = files.iter().map(|(name, _)| format!("{}\n", root().join(name).display())).collect();
    let said = output(Command::new("node").arg("scripts/tokens.mjs").current_dir(extension), &paths);
    assert_eq!(said.lines().count(), files.len());
    let mut wrong = Vec::new();
    for ((name, text), line) in files.iter().zip(said.lines()) {
        let tokens: Vec<(usize, usize, String)> = serde_json::from_str(line).expect("it is JSON");
        assert!(
            !tokens.iter().any(|(_, _, scope)| scope.starts_with("invalid.")),
            "{name}: something is invalid"
        );
        if !parse(text).root_node().has_error() {
            wrong.extend(differences(text, &tokens).into_iter().map(|it| format!("{name}, {it}")));
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong[..wrong.len().min(30)].join("\n"));
}

/// npm's scripts share a folder for what they build.
static BUILDING: Mutex<()> = Mutex::new(());

#[test]
fn the_extension_passes_its_own_tests() {
    let Some(extension) = extension() else { return };
    let _one = BUILDING.lock();
    let mut npm = Command::new("npm");
    npm.args(["--silent", "test"]).current_dir(extension);
    // The program is there if the command line has been built, as it is when everything is tested.
    let here = std::env::current_exe().expect("the test has a name");
    if let Some(program) = here.ancestors().nth(2).map(|it| it.join("map")).filter(|it| it.is_file()) {
        npm.env("MAP", program);
    }
    println!("{}", output(&mut npm, ""));
}

#[test]
fn the_extension_packs() {
    let Some(extension) = extension() else { return };
    let _one = BUILDING.lock();
    let folder = tempfile::tempdir().expect("there is room");
    let package = folder.path().join("map.vsix");
    output(
        Command::new("npm")
            .args(["--silent", "run", "pack", "--", "--out"])
            .arg(&package)
            .current_dir(extension),
        "",
    );
    let bytes = std::fs::metadata(package).expect("it was written").len();
    assert!((50_000..1_000_000).contains(&bytes), "the package has {bytes} bytes");
}
