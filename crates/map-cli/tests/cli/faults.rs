//! Everything that `map` asks of the system may fail: each write, flush, new file, rename, thread and process in turn.
//! However it fails, the exit code is a documented one, there is a message, files have their old content or the
//! complete new one, and no temporary file is left.
//!
//! `faults/shim.c` makes them fail. By default some of the requests of one in three lines, of others for each seed of a
//! commit (`MAP_SEED`); with `MAP_ALL_TEXTS` some of each line; `MAP_FAULTS=1` tries all of them.

#![cfg(all(target_os = "linux", target_env = "gnu"))]

mod memory;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use super::lines::{DOCUMENTED, LINES, Place, SPIN, masked};
use super::some_of;

/// What can fail, in the order of `enum kind` in `shim.c`, each with the errors that it fails with (`errno`).
const KINDS: [(&str, &[i32]); 10] = [
    ("write to standard output", &[EIO, ENOSPC, EINTR]),
    ("write to standard error", &[EIO, EINTR]),
    ("write to a file or pipe", &[ENOSPC, EINTR]),
    ("read", &[EIO, EINTR]),
    ("flush", &[EIO, EINTR]),
    ("new file", &[EACCES, EINTR]),
    ("new folder", &[EACCES]),
    ("rename", &[EIO]),
    ("thread", &[EAGAIN]),
    ("process", &[EAGAIN]),
];
const EINTR: i32 = 4;
const EIO: i32 = 5;
const EAGAIN: i32 = 11;
const EACCES: i32 = 13;
const ENOSPC: i32 = 28;

/// The kind of allocations, which follow these.
const MEMORY: usize = KINDS.len();

/// How many requests of a kind fail by default, for each line: the first ones.
const FEW: u64 = 1;

/// The compiled shim; `None` where there is no compiler.
fn shim() -> Option<&'static Path> {
    static SHIM: OnceLock<Option<PathBuf>> = OnceLock::new();
    let compile = || {
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/faults/shim.c");
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
        let made = folder.path().join("shim.so");
        let compiled =
            Command::new("cc").args(["-shared", "-fPIC", "-O1", source, "-ldl", "-o"]).arg(&made).output();
        let Ok(output) = compiled else {
            eprintln!("passed over: there is no C compiler `cc`");
            return None;
        };
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let shim = Path::new(env!("CARGO_TARGET_TMPDIR")).join("map-faults.so");
        fs::rename(made, &shim).expect("it can be moved");
        Some(shim)
    };
    SHIM.get_or_init(compile).as_deref()
}

/// The N-th request of a kind, and the error with which it fails; if N is negative, all from it on.
#[derive(Clone, Copy, Debug)]
struct Fault {
    kind: usize,
    n: i64,
    error: i32,
}

/// What came of a line.
struct Ended {
    code: Option<i32>,
    out: String,
    err: String,
    files: Vec<(PathBuf, String)>,
    /// How many requests there were of each kind.
    counts: Vec<u64>,
}

/// Runs a line in a folder of its own.
fn run(shim: &Path, (line, input): (&str, &str), fault: Option<Fault>, large: usize) -> Ended {
    let place = Place::new();
    let counts = place.path("counts");
    let mut command = place.command(line);
    command
        .env("LD_PRELOAD", shim)
        .env("MAP_FAULT_COUNTS", &counts)
        .env("MAP_FAULT_LARGE", large.to_string());
    if let Some(Fault { kind, n, error }) = fault {
        command.env("MAP_FAULT", format!("{kind} {n} {error}"));
    }
    let mut child = command.spawn().expect("it runs");
    // The line may end before it has read all.
    let _ = child.stdin.take().expect("it is piped").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("it ends");
    let numbers = fs::read(&counts).unwrap_or_default();
    let counts_of = |it: &[u8]| u64::from_le_bytes(it.try_into().expect("eight bytes"));
    fs::remove_file(&counts).expect("the shim was loaded");
    let root = place.path("");
    let name = |path: PathBuf| path.strip_prefix(&root).map(Path::to_owned).unwrap_or(path);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace(&*root.to_string_lossy(), "");
    Ended {
        code: output.status.code(),
        out: text(&output.stdout),
        err: text(&output.stderr),
        files: place.files().into_iter().map(|(path, text)| (name(path), text)).collect(),
        counts: numbers.chunks_exact(8).map(counts_of).collect(),
    }
}

/// Whether this is a whole document: what it says may depend on the fault.
fn is_complete(name: &Path, text: &str) -> bool {
    let is_document = ["</html>", "</testsuites>"].iter().any(|end| text.trim_end().ends_with(end));
    is_document || name.starts_with("log") && is_journal(text)
}

/// Whether this is the journal of a guard: records with the times of writing, after which one may be torn. Numbers are
/// masked, so that it is no JSON.
fn is_journal(text: &str) -> bool {
    let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
    let is_record =
        |line: &str| line.starts_with("{\"seq\"") && line.contains("\"crc\"") && line.ends_with("\"}");
    whole.lines().all(is_record)
}

/// What is wrong with how a line ended that had a fault.
fn wrong(fault: Fault, ended: &Ended, before: &[(PathBuf, String)], fine: &Ended) -> Result<(), String> {
    let Ended { code, err, files, .. } = ended;
    let code = code.filter(|it| DOCUMENTED.contains(it)).ok_or("the exit code is not documented")?;
    for bad in ["internal error", "panicked", "backtrace"] {
        if err.contains(bad) {
            return Err(format!("{bad:?} is on standard error"));
        }
    }
    let text_of = |files: &[(PathBuf, String)], name: &Path| {
        files.iter().find(|(it, _)| it == name).map(|(_, text)| text.clone())
    };
    for (name, text) in files {
        let is_old = text_of(before, name).as_ref() == Some(text);
        let is_new = text_of(&fine.files, name).as_ref() == Some(text) || is_complete(name, text);
        if !is_old && !is_new {
            return Err(format!("{} is neither old nor new", name.display()));
        }
    }
    if let Some((name, _)) = before.iter().find(|(name, _)| text_of(files, name).is_none()) {
        return Err(format!("{} is gone", name.display()));
    }
    let same = |(one, other): (&(PathBuf, String), &(PathBuf, String))| {
        one == other || one.0 == other.0 && is_complete(&one.0, &one.1) && is_complete(&other.0, &other.1)
    };
    let is_as_ever =
        Some(code) == fine.code && files.len() == fine.files.len() && files.iter().zip(&fine.files).all(same);
    if fault.error == EINTR && !is_as_ever {
        return Err("what was interrupted is not tried again".to_owned());
    }
    let is_err = KINDS.get(fault.kind).is_some_and(|(kind, _)| kind.ends_with("standard error"));
    if !is_as_ever && !is_err && err.trim().is_empty() && masked(&ended.out) == masked(&fine.out) {
        return Err("nothing is said of it".to_owned());
    }
    if code == 3
        && fine.code != Some(3)
        && !is_err
        && ![err, &ended.out].iter().any(|it| it.contains("error"))
    {
        return Err("exit code 3 without a message".to_owned());
    }
    Ok(())
}

/// Makes requests of one line fail, at most `most` of each kind; adds what is wrong to the list. Returns how many.
fn each_fault(shim: &Path, line: (&str, &str), most: u64, bad: &mut Vec<String>) -> u64 {
    let relative = |place: &Place| {
        let root = place.path("");
        let name = |path: PathBuf| path.strip_prefix(&root).map(Path::to_owned).unwrap_or(path);
        place.files().into_iter().map(|(path, text)| (name(path), text)).collect::<Vec<_>>()
    };
    let before = relative(&Place::new());
    let fine = run(shim, line, None, 1 << 40);
    let mut tried = 0;
    for (kind, (what, errors)) in KINDS.iter().enumerate() {
        for n in 1..=fine.counts[kind].min(most) {
            for &error in *errors {
                let fault = Fault { kind, n: n as i64, error };
                let ended = run(shim, line, Some(fault), 1 << 40);
                tried += 1;
                if let Err(why) = wrong(fault, &ended, &before, &fine) {
                    let (code, err) = (ended.code, ended.err.trim());
                    bad.push(format!("map {}: {what} {n}, error {error}: {why}; {code:?} {err}", line.0));
                }
            }
        }
    }
    tried
}

#[test]
fn whatever_fails_is_told_and_harms_nothing() {
    let Some(shim) = shim() else { return };
    let all = std::env::var_os("MAP_FAULTS").is_some();
    let (mut bad, mut tried) = (Vec::new(), 0);
    let lines: Vec<_> = if all { LINES.to_vec() } else { some_of(LINES.to_vec(), 3) };
    for &line in &lines {
        tried += each_fault(shim, line, if all { u64::MAX } else { FEW }, &mut bad);
    }
    if all && Command::new("spin").arg("-V").output().is_ok() {
        tried += each_fault(shim, SPIN, u64::MAX, &mut bad);
    }
    eprintln!("{tried} faults in {} lines", lines.len());
    assert!(bad.is_empty(), "{} of {tried}:\n{}", bad.len(), bad.join("\n"));
    assert!(tried > 100, "{tried}");
}
