//! Searches that something from outside ends: Ctrl-C, a disk that is full, and `kill -9` at any moment.
//!
//! `MAP_KILLS=N` kills a search that many times.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use super::{LINE, Ran, command, text, verify, whole, without_measures};

/// A search of one or two seconds.
const LONGER: [&str; 10] = [
    "verify",
    "auction.map",
    "--agents",
    "bidder=3",
    "--rounds",
    "bidloop=4",
    "--reductions",
    "none",
    "--format",
    "json",
];

/// The number of states that a report speaks of.
fn states(report: &str) -> u64 {
    let report: Value = serde_json::from_str(report).expect("a report is JSON");
    report["states"].as_u64().unwrap_or_else(|| panic!("no number of states: {report:#}"))
}

fn ran(line: &[&str], further: &[&str]) -> Ran {
    super::map(&[line, further].concat())
}

/// The number of states in a checkpoint: those of a search that goes on from a copy of it, and ends at once.
fn kept(checkpoint: &Path, line: &[&str]) -> u64 {
    let folder = tempfile::tempdir().expect("a folder");
    fs::copy(checkpoint, folder.path().join("search-1.checkpoint")).expect("it can be copied");
    let resumed = super::map(&[line, &["--max-states", "1", "--resume", text(folder.path())]].concat());
    states(&resumed.out)
}

/// What is left of temporary files.
fn temporary(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("it can be read").flatten().map(|it| it.path());
    entries.filter(|it| it.extension().is_some_and(|it| it == "tmp")).collect()
}

#[test]
#[cfg(unix)]
fn an_interrupted_search_keeps_all_that_it_has_found() {
    let whole = ran(&LONGER, &[]).exits(0).out;
    let mut interrupted = None;
    // It may have ended before, or not have begun.
    for wait in [400, 200, 100, 800] {
        let folder = tempfile::tempdir().expect("a folder");
        // None is written before the end.
        let arguments = [&LONGER[..], &["--every", "9h", "--checkpoint", text(folder.path())]].concat();
        let child = command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let child = child.expect("the binary runs");
        std::thread::sleep(Duration::from_millis(wait));
        let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(sent.is_ok());
        let ended = Ran::of(&child.wait_with_output().expect("it ends"));
        let is_kept = folder.path().join("search-1.checkpoint").exists();
        if ended.code == Some(130) && is_kept && states(&ended.out) < states(&whole) {
            interrupted = Some((folder, ended));
            break;
        }
    }
    let (folder, ended) = interrupted.expect("one of the signals comes while it searches");
    let found = states(&ended.out);
    assert!(kept(&folder.path().join("search-1.checkpoint"), &LONGER) >= found, "{found} were found");
    let resumed = ran(&LONGER, &["--resume", text(folder.path())]).exits(0);
    assert_eq!(without_measures(&resumed.out), without_measures(&whole));
}

/// Whether the signal for files that get too large is ignored, so that writing fails as on a full disk, or ends the
/// process in the middle of it.
#[test]
#[cfg(target_os = "linux")]
fn on_a_full_disk_the_last_checkpoint_stays() {
    for ignored in [true, false] {
        let folder = tempfile::tempdir().expect("a folder");
        let place = text(folder.path());
        verify(&["--max-states", "100", "--checkpoint", place]).exits(4);
        let file = folder.path().join("search-1.checkpoint");
        let before = fs::read(&file).expect("it was written");
        // 50 KiB, in blocks of 512 bytes.
        let ignore = if ignored { "trap '' XFSZ; " } else { "" };
        let script = format!("{ignore}ulimit -f 100; ulimit -c 0; exec \"$@\"");
        let binary = env!("CARGO_BIN_EXE_map");
        let arguments = [&["-c", &script, "sh", binary], &LINE[..], &["--resume", place]].concat();
        let output = Command::new("sh").args(arguments).current_dir(super::super::protocols()).output();
        let ended = Ran::of(&output.expect("there is a shell"));
        assert_eq!(fs::read(&file).expect("it is there"), before, "ignored: {ignored}");
        if ignored {
            let ended = ended.exits(0).err_has("no checkpoint could be written to").err_has("File too large");
            assert_eq!(without_measures(&ended.out), whole(), "the search itself is complete");
            assert!(temporary(folder.path()).is_empty());
        } else {
            assert_eq!(ended.code, None, "a signal ended it");
        }
        // There is room again.
        assert_eq!(without_measures(&verify(&["--resume", place]).exits(0).out), whole());
        assert!(temporary(folder.path()).is_empty());
        assert!(fs::metadata(&file).expect("it is there").len() > before.len() as u64);
    }
}

/// Whenever the process is killed, what is there is complete, the search goes on from it, and what was in a checkpoint
/// is never lost.
#[test]
#[cfg(unix)]
fn a_killed_search_goes_on() {
    let setting = std::env::var("MAP_KILLS").ok().and_then(|it| it.parse().ok());
    let (times, whole) = (setting.unwrap_or(2_u64), whole());
    let mut found = 0;
    for time in 0..times {
        let folder = tempfile::tempdir().expect("a folder");
        let (place, file) = (text(folder.path()), folder.path().join("search-1.checkpoint"));
        let (mut flag, mut last) = ("--checkpoint", 0);
        // Killed again and again, also when it has gone on.
        for again in 0..3 {
            let arguments = [&LINE[..], &["--every", "0s", flag, place]].concat();
            let mut child = command(&arguments)
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .expect("the binary runs");
            let wait = (time * 7_919 + again * 104_729) % 150_000;
            std::thread::sleep(Duration::from_micros(wait));
            child.kill().expect("it is ours");
            child.wait().expect("it ends");
            if file.exists() {
                flag = "--resume";
                let now = kept(&file, &LINE);
                assert!(now >= last, "time {time}: {last} states were kept, and then {now}");
                last = now;
            }
        }
        found += u64::from(flag == "--resume");
        let resumed = verify(&[flag, place]).exits(0);
        assert_eq!(without_measures(&resumed.out), whole, "time {time}");
        assert!(temporary(folder.path()).is_empty(), "time {time}: temporary files are left");
    }
    println!("{found} of {times} searches had a checkpoint when they were killed");
}
