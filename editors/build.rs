//! Compiles the parser in `tree-sitter/src`, and generates it once more from its grammar, for the test that the one in
//! the repository is up to date.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tree_sitter_generate::{OptLevel, generate_parser_in_directory};

/// The newest version of the format of parsers that Neovim, Emacs and Helix of the last years all read.
const ABI: usize = 14;

fn main() {
    let grammar = Path::new("tree-sitter");
    for file in ["grammar.js", "tree-sitter.json", "src"] {
        println!("cargo::rerun-if-changed={}", grammar.join(file).display());
    }
    println!("cargo::rerun-if-changed=build.rs");

    let source = grammar.join("src");
    cc::Build::new()
        .include(&source)
        .file(source.join("parser.c"))
        .warnings(false)
        .compile("tree-sitter-map");

    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets it")).join("generated");
    // Without Node nothing can read `grammar.js`; what is generated then starts from `grammar.json`.
    let node = Command::new("node").arg("--version").stdout(Stdio::null()).status();
    let start = if node.is_ok_and(|it| it.success()) {
        grammar.join("grammar.js")
    } else {
        source.join("grammar.json")
    };
    let mut said = Vec::new();
    generate_parser_in_directory(
        grammar,
        Some(out),
        Some(start),
        ABI,
        None,
        None,
        true,
        OptLevel::default(),
        &mut said,
    )
    .unwrap_or_else(|error| panic!("tree-sitter/grammar.js: {error}"));
    for diagnostic in said {
        println!("cargo::warning=tree-sitter/grammar.js: {diagnostic}");
    }
}
