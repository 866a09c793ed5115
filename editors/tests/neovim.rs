//! Debian's Neovim reads the grammar and its queries, whose regular expressions it takes for its own. Passed over where
//! there is no Neovim; `MAP_REQUIRE_NVIM=1` makes that a failure.

use std::process::{Command, Stdio};

use map_tests::documentation::root;

/// Prints whether the text of the buffer has errors, and how many nodes each query captures.
const SCRIPT: &str = "
local parser = vim.treesitter.get_parser(0, 'map')
local tree = parser:parse()[1]
print(vim.bo.filetype .. ' ' .. tostring(tree:root():has_error()))
vim.treesitter.highlighter.new(parser)
local get_query = vim.treesitter.query.get or vim.treesitter.query.get_query
for _, name in ipairs({'highlights', 'folds', 'indents', 'locals', 'injections'}) do
  local count = 0
  local lines = vim.api.nvim_buf_line_count(0)
  for _ in get_query('map', name):iter_captures(tree:root(), 0, 0, lines) do count = count + 1 end
  print(name .. ' ' .. (count > 1 and 'some' or count))
end
";

#[test]
fn neovim_reads_grammar_and_queries() {
    let nvim = Command::new("nvim").arg("--version").stdout(Stdio::null()).status();
    if nvim.is_err() {
        assert!(std::env::var_os("MAP_REQUIRE_NVIM").is_none(), "there is no nvim: install neovim");
        eprintln!("passed over: there is no Neovim (Debian package neovim)");
        return;
    }
    let grammar = root().join("editors/tree-sitter");
    let site = tempfile::tempdir().expect("there is room");
    let queries = site.path().join("queries/map");
    std::fs::create_dir_all(site.path().join("parser")).expect("there is room");
    std::fs::create_dir_all(&queries).expect("there is room");
    for name in ["highlights", "folds", "indents", "locals", "injections"] {
        let file = format!("{name}.scm");
        std::fs::copy(grammar.join("queries").join(&file), queries.join(&file)).expect("the query is there");
    }
    let built = Command::new("cc")
        .args(["-shared", "-fPIC", "-I"])
        .arg(grammar.join("src"))
        .arg(grammar.join("src/parser.c"))
        .arg("-o")
        .arg(site.path().join("parser/map.so"))
        .status();
    assert!(built.is_ok_and(|it| it.success()), "cc compiles the parser");
    let script = site.path().join("script.lua");
    std::fs::write(&script, SCRIPT).expect("there is room");
    let output = Command::new("nvim")
        .args(["--headless", "-u", "NONE", "-i", "NONE", "-n", "--cmd", "filetype on", "--cmd"])
        .arg(format!("set runtimepath+={}", site.path().display()))
        .arg(root().join("editors/vscode/scripts/sample.map"))
        .arg("-c")
        .arg(format!("luafile {}", script.display()))
        .args(["-c", "qa!"])
        .stdin(Stdio::null())
        .output()
        .expect("Neovim runs");
    let said = String::from_utf8_lossy(&output.stderr) + String::from_utf8_lossy(&output.stdout);
    let lines: Vec<&str> = said.split_whitespace().collect();
    let expected = "map false highlights some folds some indents some locals some injections some";
    assert_eq!(lines.join(" "), expected, "{said}");
}
