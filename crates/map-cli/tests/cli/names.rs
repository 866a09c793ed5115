//! Names of files that are no text: they are bytes, as arguments and in folders.

#![cfg(unix)]

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::Value;

use super::{DEADLOCK, Ran, command};

/// A folder whose name is no text, with a dialogue whose name is none.
fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let inner = folder.path().join(OsStr::from_bytes(b"d\xff"));
    fs::create_dir(&inner).expect("there is room");
    fs::write(inner.join(dialogue()), format!("//@ verify => deadlock\n{DEADLOCK}\n"))
        .expect("there is room");
    (folder, inner)
}

fn dialogue() -> &'static OsStr {
    OsStr::from_bytes(b"a\xfe\x1b.map")
}

/// As it is shown.
const SHOWN: &str = r"a\xfe\u{1b}.map";

/// In the folder; NAME stands for the dialogue, and what is no text is written `\xff`.
fn map_in(folder: &Path, line: &str) -> Ran {
    let words = line.split(' ').map(|word| {
        let mut bytes = Vec::new();
        for (index, part) in word.split(r"\xff").enumerate() {
            if index > 0 {
                bytes.push(0xff);
            }
            bytes.extend(part.as_bytes());
        }
        if word == "NAME" { dialogue().to_owned() } else { OsString::from_vec(bytes) }
    });
    let mut command = command(&[]);
    Ran::of(&command.args(words).current_dir(folder).stdin(Stdio::null()).output().expect("it runs"))
}

#[test]
fn every_verb_takes_names_that_are_no_text() {
    let (_folder, inner) = folder();
    let map = |line: &str| map_in(&inner, line);
    map("check NAME").exits(0).out_has("1 file checked: no errors");
    let json: Value =
        serde_json::from_str(&map("check NAME --format json").exits(0).out).expect("it is JSON");
    assert_eq!(json["files"][0]["file"], SHOWN);
    map("run NAME --seed 1").exits(1).out_has(SHOWN).out_has(r"again: map run $'a\xfe\x1b.map' --seed 1");
    map(r"verify NAME --save-trace t\xff.json --junit j\xff.xml --report r\xff.html --save-test t\xff.maptest").exits(1);
    for name in [&b"t\xff.json"[..], b"j\xff.xml", b"r\xff.html", b"t\xff.maptest"] {
        assert!(inner.join(OsStr::from_bytes(name)).is_file());
    }
    // A trace and a test find it again.
    map(r"replay t\xff.json").exits(1).out_has(SHOWN);
    map(r"render t\xff.json -o c\xff.txt").exits(0);
    map(r"test t\xff.maptest").exits(0).out_has("1 as expected");
    map(r"test .").exits(0).out_has("2 as expected");
    map(r"test ../d\xff").exits(0).out_has("2 as expected").out_has(r"../d\xff/a\xfe\u{1b}.map:1");
    map(r"verify NAME --weather --save-trace w\xff.json").exits(1).out_has(r"saved: w\xff.instant.json");
    assert!(inner.join(OsStr::from_bytes(b"w\xff.instant.json")).is_file());
    map(r"render NAME --as svg -o s\xff.svg").exits(0);
    map(r"export NAME --to promela --mailbox 2 --output m\xff.pml").exits(0);
    map("dump ir NAME").exits(0);
    map("step NAME").exits(0).out_has(SHOWN);
    map(r"step --resume t\xff.json").exits(0).out_has(SHOWN);
    map("fmt NAME --diff").exits(0).out_has(&format!("--- {SHOWN}"));
    map("fmt NAME").exits(0).out_has(&format!("{SHOWN} changed"));
    map(r"new n\xff --from english-auction").exits(0).out_has(r"map check $'n\xff.map'");
    assert!(inner.join(OsStr::from_bytes(b"n\xff.map")).is_file());
    map(r"new n\xff --from english-auction").exits(2).err_has(r"n\xff.map exists");
    map(r"man --output-dir p\xff").exits(0).out_has(r"p\xff/map.1");
    map(r"check none\xff.map").exits(3).err_has(r"none\xff.map");
    let sarif: Value =
        serde_json::from_str(&map(r"check none\xff.map --format sarif").exits(3).out).expect("it is JSON");
    let place =
        &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
    assert_eq!(place, "none%FF.map");
    map(r"check none\xff.map --color always").exits(3).err_has("\u{1b}[");
    // Where text is wanted it is said.
    map(r"verify NAME --scene \xff").exits(2).err_has("UTF-8");
}

#[test]
fn a_name_with_a_backslash_is_what_it_is() {
    let (_folder, inner) = folder();
    fs::write(inner.join(r"a\xfe.map"), DEADLOCK).expect("there is room");
    map_in(&inner, r"verify a\xfe.map --save-trace t.json").exits(1);
    map_in(&inner, "replay t.json").exits(1).out_has(r"a\u{5c}xfe.map");
    // Also beside the name that is shown in a similar way.
    fs::write(inner.join("a\n.map"), DEADLOCK).expect("there is room");
    fs::write(inner.join(r"a\u{a}.map"), format!("{DEADLOCK} ")).expect("there is room");
    let line = ["verify", "a\n.map", "--save-trace", "n.json"];
    let run =
        |line: &[&str]| command(line).current_dir(&inner).output().expect("the binary runs").status.code();
    assert_eq!(run(&line), Some(1));
    assert_eq!(run(&["replay", "n.json"]), Some(1));
}
