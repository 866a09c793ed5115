//! The binary as a black box: what it prints, where, and with which exit code.

#[cfg(unix)]
mod action;
mod advice;
mod any;
mod attack;
mod bad_input;
mod brief;
mod casts;
mod charts;
mod checkpoints;
mod conform;
mod conform_filter;
mod conform_from;
mod conform_mapping;
mod denied;
mod docs;
mod dump;
mod escapes;
mod explain;
mod export;
mod faults;
mod files;
mod fmt;
mod full_disk;
mod graphs;
mod guard;
mod guard_a2a;
mod guard_agents;
mod guard_ahead;
mod guard_durable;
mod guard_http;
mod help;
mod highest_bidder;
mod initial;
mod json;
mod lines;
mod lsp;
mod man;
#[cfg(feature = "mcp")]
mod mcp;
mod names;
mod neovim;
mod new;
mod play;
mod play_doors;
mod procedures;
mod properties;
mod replay;
mod report;
mod sarif;
mod scenes;
mod schema;
#[cfg(feature = "cluster")]
mod set;
mod several_processes;
mod signals;
mod spin;
mod statistics;
mod step;
mod streams;
mod sweep;
#[cfg(unix)]
mod terminal;
mod tests;
mod truthful;
mod usage;
mod verdicts;
mod warnings;
mod weather;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// What a command came to.
struct Ran {
    code: Option<i32>,
    out: String,
    err: String,
}

impl Ran {
    fn of(output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("the output is UTF-8");
        Self { code: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) }
    }

    /// Fails unless the exit code is this one.
    #[track_caller]
    fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "stdout:\n{}\nstderr:\n{}", self.out, self.err);
        self
    }

    #[track_caller]
    fn out_has(self, part: &str) -> Self {
        assert!(self.out.contains(part), "{part:?} is not in stdout:\n{}", self.out);
        self
    }

    /// Some line of standard output begins and ends so.
    #[track_caller]
    fn out_line(self, start: &str, end: &str) -> Self {
        let is_it = |line: &str| line.starts_with(start) && line.ends_with(end);
        assert!(self.out.lines().any(is_it), "no line {start:?} .. {end:?} in stdout:\n{}", self.out);
        self
    }

    #[track_caller]
    fn err_has(self, part: &str) -> Self {
        assert!(self.err.contains(part), "{part:?} is not in stderr:\n{}", self.err);
        self
    }
}

/// The binary, in the folder of the protocols, in an environment that says nothing about colour.
fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_map"));
    command
        .args(arguments)
        .current_dir(protocols())
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR_FORCE")
        .env_remove("COLUMNS");
    command
}

fn map(arguments: &[&str]) -> Ran {
    Ran::of(&command(arguments).stdin(Stdio::null()).output().expect("the binary runs"))
}

/// Runs with that on standard input.
fn map_with(input: &[u8], arguments: &[&str]) -> Ran {
    let mut child = command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut stdin = child.stdin.take().expect("it is piped");
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        // The binary may have enough before all is written.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().expect("the binary ends");
    writer.join().expect("the writer ends");
    Ran::of(&output)
}

/// The verbs, as `map --help` lists them.
fn verbs() -> Vec<String> {
    let help = map(&["--help"]).exits(0).out;
    let commands = help.split("Commands:\n").nth(1).expect("the verbs are listed");
    let lines = commands.lines().take_while(|line| !line.is_empty());
    lines
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
        .filter(|it| !it.is_empty())
        .map(str::to_owned)
        .collect()
}

fn protocols() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../protocols/english-auction"))
}

/// Every scene of the library, as words of a command line: its file and, if that has several, `--scene` and its name.
fn scenes_of_library() -> Vec<Vec<String>> {
    let folders = fs::read_dir(protocols().join("..")).expect("the library is there").flatten();
    let files = folders.filter_map(|folder| fs::read_dir(folder.path()).ok()).flat_map(Iterator::flatten);
    let mut files: Vec<PathBuf> = files.map(|file| file.path()).collect();
    files.retain(|file| file.extension().is_some_and(|it| it == "map"));
    files.sort();
    files.iter().flat_map(|file| scenes_of(file)).collect()
}

/// Some of them, as [`some_of`] chooses.
fn some_scenes_of_library(one_in: usize) -> Vec<Vec<String>> {
    let all = scenes_of_library();
    assert!(all.len() > 100, "{} scenes", all.len());
    some_of(all, one_in)
}

/// One in so many: others for each seed of a commit (`MAP_SEED`), all of them with `MAP_ALL_TEXTS`.
fn some_of<T>(all: Vec<T>, one_in: usize) -> Vec<T> {
    if std::env::var_os("MAP_ALL_TEXTS").is_some() {
        return all;
    }
    // The seeds of commits are a thousand apart.
    let seed: usize = std::env::var("MAP_SEED").ok().and_then(|it| it.parse().ok()).unwrap_or(1);
    all.into_iter().skip(seed / 1_000 % one_in).step_by(one_in).collect()
}

fn scenes_of(file: &Path) -> Vec<Vec<String>> {
    let name = file.to_str().expect("the name is UTF-8").to_owned();
    let text = fs::read_to_string(file).expect("it can be read");
    let parsed = map_syntax::parse(&map_diagnostics::SourceFile::new(&*name, &*text)).file;
    let scenes: Vec<String> = parsed.scenes().map(|scene| scene.name.text.clone()).collect();
    match scenes.len() {
        0 | 1 => vec![vec![name]],
        _ => scenes.into_iter().map(|scene| vec![name.clone(), "--scene".to_owned(), scene]).collect(),
    }
}

/// The words of a command line in one list.
fn words<'w>(before: &[&'w str], scene: &'w [String], after: &[&'w str]) -> Vec<&'w str> {
    before.iter().copied().chain(scene.iter().map(String::as_str)).chain(after.iter().copied()).collect()
}

/// A scene that ends well.
const FINE: &str = "s[ agent(!A, %a) = skip ]";

/// A scene in which somebody waits for ever.
const DEADLOCK: &str = "s[ agent(!A, %a) = waitfor m() <= agent(_, %b) agent(!B, %b) = skip ]";

/// A scene without end.
const ENDLESS: &str = "live[
    agent(!A, %a) = ping() => agent(!B, %b) then (waitfor pong() <= agent(_, %b)) then agent()
    agent(!B, %b) = (waitfor ping() <= agent(_, %a)) then pong() => agent(!A, %a) then agent()
]";

/// A scene with ever more states.
const UNBOUNDED: &str = "s[
    agent(!A, %a) = $x = p() then agent(loop, $x)
    agent(!A, %a, loop, $x) = $y = p() then m($x, $y) => agent(!B, %b) then agent(loop, $y)
    agent(!B, %b) = agent(loop) agent(!B, %b, loop) = (waitfor m(_, $y) <= agent(_, %a)) then agent(loop)
]
procedure p()";
