//! What keeps SPIN, the compiler or the verifier from their work is no defect of map, and takes nothing from its
//! verdict. The programs are played by scripts.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use serde_json::Value;
use tempfile::TempDir;

use super::super::{DEADLOCK, FINE, Ran, command, schema};

/// What does its work.
const SPIN: &str = r#"case "$1" in -V) echo "Spin Version 6.5.2";; *) : > pan.c;; esac"#;
/// What makes a verifier that finds nothing.
const CC: &str = r#"[ "$1" = --version ] || verifier 'echo "State-vector 8 byte"'"#;

/// Runs with these two scripts in the place of SPIN and the compiler. They know `verifier SCRIPT`, which writes `pan`.
fn ask(scene: &str, spin: &str, cc: &str, flags: &[&str]) -> Ran {
    let folder = TempDir::new().expect("there is room");
    let made = r#"verifier() { printf '#!/bin/sh\n%s\n' "$1" > pan; chmod +x pan; }"#;
    for (name, script) in [("spin", spin), ("cc", cc)] {
        let path = folder.path().join(name);
        fs::write(&path, format!("#!/bin/sh\n{made}\n{script}\n")).expect("it can be written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it is ours");
    }
    let file = folder.path().join("scene.map");
    fs::write(&file, scene).expect("it can be written");
    let path = std::env::var("PATH").expect("there is a path");
    let temporary = folder.path().join("temporary");
    fs::create_dir(&temporary).expect("it can be made");
    let file = file.to_str().expect("it is UTF-8");
    let output = command(&[&["verify", file, "--with", "spin"], flags].concat())
        .env("PATH", format!("{}:{path}", folder.path().display()))
        .env("TMPDIR", &temporary)
        .output()
        .expect("the binary runs");
    assert_eq!(fs::read_dir(&temporary).expect("it is there").count(), 0, "something is left behind");
    Ran::of(&output)
}

/// The script, but for the question about its version.
fn at_work(script: &str) -> String {
    format!(r#"case "$1" in -V|--version) echo "Spin Version 6.5.2"; exit 0;; esac; {script}"#)
}

#[test]
fn the_scripts_play_their_part() {
    ask(FINE, SPIN, CC, &[]).exits(0).out_has("SPIN 6.5.2  every run ends").out_has("the two agree");
}

#[test]
fn a_program_that_is_killed() {
    let killed = at_work("kill -9 $$");
    let ran = ask(FINE, &killed, CC, &[]).exits(3).out_has("s  terminates").err_has("--mailbox 5");
    ran.out_has("SPIN  no verdict after ").out_has("`spin` was killed by signal 9 (SIGKILL)\n");
    ask(FINE, SPIN, &killed, &[])
        .exits(3)
        .err_has("error: --with spin: `cc` was killed by signal 9 (SIGKILL)");
    let cc = at_work("verifier 'kill -9 $$'");
    let ran = ask(DEADLOCK, SPIN, &cc, &[]).exits(3).out_has("s  deadlock");
    ran.err_has("`pan`, the verifier that SPIN has written, was killed by signal 9 (SIGKILL)");
    let cc = at_work("verifier 'kill -25 $$'");
    ask(FINE, SPIN, &cc, &[]).exits(3).err_has("see `ulimit -f`");
}

#[test]
fn a_compiler_that_fails() {
    let cc = at_work("echo 'pan.c:1:10: fatal error: stdio.h: No such file or directory' >&2; exit 1");
    let ran = ask(FINE, SPIN, &cc, &[]).exits(3).out_has("s  terminates");
    ran.err_has("the C compiler `cc` ended with exit code 1 and has made no verifier")
        .err_has("  | pan.c:1:10: fatal error: stdio.h: No such file or directory\n")
        .err_has("libc6-dev");
    ask(FINE, SPIN, &at_work("exit 0"), &[]).exits(3).err_has("has made no verifier");
}

#[test]
fn spin_cannot_do_its_work() {
    let spin = at_work("echo 'spin: preprocessing failed gcc -E'; exit 1");
    ask(FINE, &spin, CC, &[]).exits(3).err_has("SPIN cannot preprocess the model").err_has("gcc -E");
    ask(FINE, &at_work("exit 7"), CC, &[]).exits(3).err_has("`spin` ended with exit code 7");
}

#[test]
fn a_verifier_that_says_nothing() {
    let ran = ask(FINE, SPIN, &at_work("verifier 'exit 127'"), &[]).exits(3);
    ran.err_has("ended with exit code 127 before it was done");
}

#[test]
fn a_model_that_spin_does_not_accept_is_our_defect() {
    let spin = at_work("echo 'spin: model.pml:3, Error: syntax error'; exit 1");
    ask(FINE, &spin, CC, &[])
        .exits(70)
        .err_has("SPIN does not accept the exported model")
        .out_has("terminates");
}

#[test]
fn a_limit_of_spin_is_told_as_one() {
    for (said, told) in [
        ("pan: reached -DMEMLIM bound", "it needs more than 8 GB"),
        ("pan: out of memory", "the machine has no memory left for it"),
        ("Warning: Search not completed", "it has stopped before it was done"),
    ] {
        let cc = at_work(&format!("verifier 'echo {said}; echo State-vector 8 byte'"));
        let ran = ask(DEADLOCK, SPIN, &cc, &[]).exits(1);
        assert!(!ran.out.contains("agree"), "{}", ran.out);
        ran.out_has(told);
    }
}

#[test]
fn nowhere_to_write() {
    let output = command(&["verify", "auction.map", "--rounds", "bidloop=1", "--with", "spin"])
        .env("TMPDIR", "/nonexistent")
        .output()
        .expect("the binary runs");
    if super::is_installed() {
        Ran::of(&output).exits(3).err_has("no temporary folder can be made").err_has("TMPDIR");
    }
}

#[test]
fn machines_are_told() {
    let cc = at_work("verifier 'kill -9 $$'");
    let ran = ask(DEADLOCK, SPIN, &cc, &["--format", "json"]).exits(3);
    let output: Value = serde_json::from_str(&ran.out).expect("it is JSON");
    schema::fits("verify", &output);
    assert_eq!(output["verdict"], "deadlock");
    assert!(output["spin"]["limit"].as_str().is_some_and(|limit| limit.contains("killed by signal 9")));
    assert_eq!(output["spin"]["agrees"], Value::Null);
}

#[test]
fn properties_are_told_of_too() {
    let scene = format!("property p : eventually ended {FINE}");
    // The claims have a verifier of their own.
    let cc = at_work(
        r#"case "$*" in *NOREDUCE*) verifier 'kill -9 $$';; *) verifier 'echo State-vector 8 byte';; esac"#,
    );
    let ran = ask(&scene, SPIN, &cc, &[]).exits(3).out_has("the two agree");
    ran.out_has(
        "property p  inconclusive: `pan`, the verifier that SPIN has written, was killed by signal 9",
    );
}
