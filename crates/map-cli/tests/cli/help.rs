//! What `map` and `map VERB --help` suggest can be entered as it stands there.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use super::{Ran, map, protocols, verbs};

/// Enters a line in a shell, in this folder.
fn enter(line: &str, folder: &Path) -> Ran {
    let binary = Path::new(env!("CARGO_BIN_EXE_map")).parent().expect("it is in a folder");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::iter::once(binary.to_owned()).chain(std::env::split_paths(&path));
    let mut shell = Command::new("sh");
    shell.args(["-c", line]).current_dir(folder).env("HOME", folder).stdin(Stdio::null());
    shell.env("PATH", std::env::join_paths(path).expect("no folder has a colon in its name"));
    Ran::of(&shell.output().expect("there is sh"))
}

/// A line of examples without what is said about it behind two spaces.
fn command(line: &str) -> &str {
    line.trim().split("  ").next().unwrap_or_default()
}

#[test]
fn the_greeting_works_in_an_empty_folder() {
    let greeting = map(&[]).exits(0).out;
    assert!(greeting.lines().all(|line| line.len() <= 90), "{greeting}");
    for text in [greeting, map(&["--help"]).exits(0).out] {
        let suggested: Vec<&str> = text.lines().filter(|it| it.starts_with("  map ")).map(command).collect();
        assert_eq!(suggested.len(), 3, "{text}");
        let folder = tempfile::tempdir().expect("a temporary folder");
        for line in suggested {
            enter(line, folder.path()).exits(0);
        }
    }
}

/// A folder with what the examples speak of.
fn prepared() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let at = |name: &str| folder.path().join(name);
    for name in ["protocols", "old", ".config/fish/completions", ".local/share/bash-completion/completions"] {
        fs::create_dir_all(at(name)).expect("the folder can be written");
    }
    let examples = protocols().join("../../examples");
    for (from, to) in [
        (protocols().join("auction.map"), "auction.map"),
        (protocols().join("auction.map"), "old/auction.map"),
        (protocols().join("auction.map"), "protocols/auction.map"),
        (examples.join("mapagent.py"), "mapagent.py"),
        (examples.join("auction/traders.py"), "traders.py"),
    ] {
        fs::copy(from, at(to)).expect("the file is there");
    }
    let port = || std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let hosts = [port(), port()].map(|it| it.local_addr().expect("it listens").to_string());
    fs::write(at("hosts"), hosts.join("\n")).expect("the folder can be written");
    let request = "{\"do\":\"offer\",\"conversation\":\"lot-7\",\"as\":\"Auctioneer\"}\n";
    fs::write(at("requests.jsonl"), request).expect("the folder can be written");
    enter("umask 77 && head -c 32 /dev/urandom > key", folder.path()).exits(0);
    enter("map run auction.map --seed 7 --save-trace trace.json --log lots.jsonl", folder.path()).exits(0);
    folder
}

#[test]
fn every_help_ends_with_examples_that_work() {
    map(&["--version"]).exits(0).out_has("map 0.");
    let folder = prepared();
    let is_missing = |program: &str| enter(&format!("command -v {program}"), folder.path()).code != Some(0);
    for verb in verbs() {
        let help = map(&[&verb, "--help"]).exits(0).out_has("--color").out;
        let (_, examples) = help.split_once("\nExamples:\n").unwrap_or_else(|| panic!("{verb}: {help}"));
        for line in examples.lines() {
            let line = command(line);
            assert!(line.contains("map "), "{verb}: the help ends with examples, but here is {line:?}");
            assert!(line.contains(&format!("map {verb}")) || verb == "replay", "{verb}: {line}");
            let needed =
                [("--with spin", "spin"), ("--with spin", "cc"), ("| dot", "dot"), ("python3", "python3")];
            if let Some((_, program)) = needed.iter().find(|(part, it)| line.contains(part) && is_missing(it))
            {
                println!("SKIPPED: {line}, for want of {program}");
                continue;
            }
            let ran = enter(line, folder.path());
            // A run without a seed may come to anything but an error; the auction does not survive all weathers; no
            // editor says goodbye here.
            let may_end_badly =
                line.starts_with("map run") || line.contains("--weather") || line.starts_with("map lsp");
            let expected: &[i32] = if may_end_badly { &[0, 1, 4] } else { &[0] };
            assert!(ran.code.is_some_and(|code| expected.contains(&code)), "{line}\n{}{}", ran.out, ran.err);
            assert!(!ran.err.starts_with("error"), "{line}\n{}", ran.err);
        }
    }
}

/// The page about the command line has every flag of every verb: in its section, or in one that is for several verbs.
#[test]
fn the_page_has_every_flag() {
    let page = include_str!("../../../../docs/book/src/cli.md");
    let section = |heading: &str| {
        let (_, below) =
            page.split_once(&format!("\n## {heading}\n")).unwrap_or_else(|| panic!("no {heading}"));
        below.split("\n## ").next().unwrap_or_default()
    };
    let for_several = section("The scene, its bounds and the network");
    let mut missing = Vec::new();
    for verb in super::verbs() {
        let help = map(&[&verb, "--help"]).exits(0).out;
        let flags = help.lines().filter_map(|line| {
            let (_, flag) = line.trim_start().split_once("--").filter(|(before, _)| before.len() <= 4)?;
            line.trim_start()
                .starts_with('-')
                .then(|| flag.split(|c: char| !c.is_alphanumeric() && c != '-').next())?
        });
        for flag in flags.filter(|flag| !["help", "color"].contains(flag)) {
            let written =
                [format!("--{flag}`"), format!("--{flag} "), format!("--{flag}["), format!("--{flag}\n")];
            let texts = [section(&verb), for_several];
            if !texts.iter().any(|text| written.iter().any(|it| text.contains(it))) {
                missing.push(format!("map {verb} --{flag}"));
            }
        }
    }
    assert!(missing.is_empty(), "not in docs/book/src/cli.md: {missing:#?}");
}
