//! The package as Python sees it: the library of this build beside `maplang`, and its tests, run by pytest.
//!
//! Without `python3` or pytest this is passed over, unless `MAP_REQUIRE_PYTHON` is set. `MAP_PYTEST` is more arguments
//! for pytest.

#![allow(clippy::disallowed_macros, reason = "a terminal reads what a test says")]

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use map_tests::documentation::root;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.iter().any(|word| word == "--list") {
        println!("pytest: test");
        return ExitCode::SUCCESS;
    }
    let filter = words.iter().find(|word| !word.starts_with('-'));
    if filter.is_some_and(|filter| !"pytest".contains(filter.as_str())) {
        return ExitCode::SUCCESS;
    }
    let Some(python) = python() else {
        println!("passed over: there is no python3 with pytest");
        let is_required = std::env::var_os("MAP_REQUIRE_PYTHON").is_some();
        return if is_required { ExitCode::FAILURE } else { ExitCode::SUCCESS };
    };
    let folder = tempfile::tempdir().expect("there is room for a copy of the package");
    let package = folder.path().join("maplang");
    copy(&root().join("python/maplang"), &package);
    let module = package.join(if cfg!(windows) { "_native.pyd" } else { "_native.abi3.so" });
    std::fs::copy(library(), module).expect("the library is built together with this test");
    let more = std::env::var("MAP_PYTEST").unwrap_or_default();
    let tested = Command::new(python)
        .args(["-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "doctest_optionflags=ELLIPSIS"])
        .args(["--doctest-modules", "--pyargs", "maplang"])
        .arg(root().join("python/tests"))
        .args(more.split_whitespace())
        .current_dir(folder.path())
        .env("PYTHONPATH", folder.path())
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("MAP_ROOT", root())
        .status();
    if tested.is_ok_and(|status| status.success()) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// An interpreter that has pytest: that of the environment that `python/install` makes, or the first one on the path.
fn python() -> Option<PathBuf> {
    let own = root().join("python/.venv/bin/python");
    let has_pytest = |python: &PathBuf| {
        let asked = Command::new(python).args(["-c", "import pytest"]).output();
        asked.is_ok_and(|output| output.status.success())
    };
    [own, PathBuf::from("python3")].into_iter().find(has_pytest)
}

/// The library beside this test.
fn library() -> PathBuf {
    let (start, end) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let own = std::env::current_exe().expect("a test knows where it is");
    own.with_file_name(format!("{start}_native{end}"))
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("the folder is ours");
    for entry in std::fs::read_dir(from).expect("the package is there") {
        let path = entry.expect("the folder can be read").path();
        let name = path.file_name().expect("an entry has a name");
        if path.is_dir() && name != "__pycache__" {
            copy(&path, &to.join(name));
        } else if path.is_file() && path.extension().is_none_or(|it| it != "so") {
            std::fs::copy(&path, to.join(name)).expect("the file can be read");
        }
    }
}
