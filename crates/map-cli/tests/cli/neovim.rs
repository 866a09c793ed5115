//! `map lsp` with a real client: Neovim opens a protocol of the library, and does with it what people do.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use super::{Ran, protocols};

#[test]
fn neovim_diagnoses_hovers_renames_completes_and_verifies() {
    if Command::new("nvim").arg("--version").stdout(Stdio::null()).status().is_err() {
        assert!(std::env::var_os("MAP_REQUIRE_NVIM").is_none(), "there is no nvim: install neovim");
        println!("SKIPPED: there is no nvim");
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("auction.map");
    fs::copy(protocols().join("auction.map"), &file).expect("the file is there");
    let before = fs::read_to_string(&file).expect("it can be read");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/neovim/session.lua");
    let output = Command::new("nvim")
        .args(["--headless", "-u", "NONE", "-i", "NONE", "-n", "-c"])
        .arg(format!("luafile {}", script.display()))
        .current_dir(folder.path())
        .env("HOME", folder.path())
        .env("XDG_STATE_HOME", folder.path())
        .env("XDG_CACHE_HOME", folder.path())
        .env("MAP", env!("CARGO_BIN_EXE_map"))
        .env("TEXT", "auction.map")
        .stdin(Stdio::null())
        .output()
        .expect("nvim runs");
    let ran = Ran::of(&output).exits(0);
    insta::assert_snapshot!("neovim", ran.out);
    assert_eq!(fs::read_to_string(&file).expect("it can be read"), before, "the server writes no files");
}
