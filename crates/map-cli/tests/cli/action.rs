//! The script of the action for GitHub, in `packaging/action`, as the service runs it.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use super::{FINE, Ran, map};

/// Runs the script in a folder; what it would show of the run is in `summary`.
fn act(folder: &Path, files: &str, verify: &str) -> Ran {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../packaging/action/run");
    let binary = Path::new(env!("CARGO_BIN_EXE_map")).parent().expect("the binary is in a folder");
    let others = std::env::var("PATH").expect("there is a path");
    let mut run = Command::new("bash");
    run.arg(script)
        .current_dir(folder)
        .env("PATH", format!("{}:{others}", binary.display()))
        .env("RUNNER_TEMP", folder)
        .env("GITHUB_STEP_SUMMARY", folder.join("summary"))
        .envs([("MAP_FILES", files), ("MAP_VERIFY", verify), ("MAP_JUNIT", "verdicts.xml")]);
    Ran::of(&run.stdin(Stdio::null()).output().expect("bash is there"))
}

#[test]
fn the_action_checks_and_verifies_what_it_finds() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let read = |name: &str| fs::read_to_string(path(name)).expect("it has been written");
    act(folder.path(), ".", "off").exits(2).out_has("::error::there are no .map files in .");
    fs::create_dir(path("a folder")).expect("it can be made");
    fs::write(path("a folder/fine.map"), FINE).expect("it can be written");
    map(&["fmt", path("a folder/fine.map").to_str().expect("the name is UTF-8")]).exits(0);
    act(folder.path(), ".", "--time-limit 1m").exits(0).out_has("terminates");
    assert!(read("summary").contains("s: terminates"), "{}", read("summary"));
    assert!(read("verdicts.xml").contains("<testcase"), "{}", read("verdicts.xml"));

    // One that waits for ever, and one with an error: the more severe code counts.
    fs::write(path("stuck.map"), "s[ agent(!A, %a) = waitfor go() <= agent(_, %a) ]")
        .expect("it can be written");
    act(folder.path(), ".", "--quiet").exits(3).out_has("::warning file=./stuck.map");
    fs::write(path("wrong.map"), "s[ agent(!A, %a) = ]").expect("it can be written");
    act(folder.path(), "wrong.map", "off").exits(3).out_has("::error file=wrong.map,line=1");
}
