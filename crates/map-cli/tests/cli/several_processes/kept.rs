//! Checkpoints of several processes, which are killed, and go on as another number of them.
//!
//! `MAP_KILLS=N` kills them that many times.

#![cfg(target_os = "linux")]

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::super::{Ran, map};
use super::group::{Place, Process};
use super::same::without_measures;

/// A search that takes a second or so, with a report in JSON.
const LINE: [&str; 10] = [
    "auction.map",
    "--agents",
    "bidder=4",
    "--rounds",
    "bidloop=2",
    "--reductions",
    "none",
    "--no-properties",
    "--format",
    "json",
];

fn alone() -> serde_json::Value {
    without_measures(&map(&[&["verify"], &LINE[..]].concat()).exits(0).out)
}

fn verify(further: &[&str]) -> Ran {
    map(&[&["verify"], &LINE[..], further].concat())
}

/// The path as the command line takes it.
fn text(path: &Path) -> &str {
    path.to_str().expect("temporary folders have usual names")
}

/// The cuts in a folder, by the names of their parts, which begin with them.
fn cuts(folder: &Path) -> Vec<u64> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let names = entries.map(|entry| entry.expect("it can be listed").file_name().into_string());
    let number = |name: String| {
        let behind = name.strip_prefix("search-1.cut-")?.split('-').next()?.parse();
        behind.ok()
    };
    names.filter_map(|name| number(name.expect("names are UTF-8"))).collect()
}

#[test]
fn a_limit_ends_it_and_any_number_goes_on() {
    let alone = alone();
    for (before, after) in [("2", "2"), ("2", "3"), ("3", "1")] {
        let folder = tempfile::tempdir().expect("a folder");
        let place = folder.path().join("kept");
        let place = text(&place);
        verify(&["--processes", before, "--max-states", "9000", "--checkpoint", place]).exits(4);
        verify(&["--processes", before, "--checkpoint", place])
            .exits(2)
            .err_has("go on from it with --resume");
        let ran = verify(&["--processes", after, "--resume", place]).exits(0);
        assert!(ran.err.is_empty(), "{}", ran.err);
        assert_eq!(without_measures(&ran.out), alone, "{before}, then {after}");
        // Only the last cut is left.
        assert_eq!(cuts(Path::new(place)).len().to_string(), after);
        verify(&["--resume", place])
            .exits(2)
            .err_has("this checkpoint is of ")
            .err_has("--processes or --hosts");
    }
}

#[test]
fn what_is_not_there_or_of_one_process_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = text(folder.path());
    let resume = || verify(&["--processes", "2", "--resume", place]);
    resume().exits(2).err_has("error: --resume: no process has a checkpoint\n");
    verify(&["--max-states", "9000", "--checkpoint", place]).exits(4);
    resume().exits(2).err_has("this checkpoint is of one process; go on from it without --processes");
    fs::remove_file(folder.path().join("search-1.checkpoint")).expect("it is there");
    verify(&["--processes", "2", "--max-states", "9000", "--checkpoint", place]).exits(4);
    let files = fs::read_dir(folder.path()).expect("it is there").map(|it| it.expect("a file").path());
    // Not the lock.
    let mut parts: Vec<_> =
        files.filter(|it| it.extension().is_some_and(|extension| extension == "checkpoint")).collect();
    parts.sort();
    let content = fs::read(&parts[1]).expect("it can be read");
    fs::write(&parts[1], &content[..content.len() - 1]).expect("it can be written");
    resume().exits(2).err_has("this checkpoint is damaged");
    fs::remove_file(&parts[1]).expect("it is there");
    resume().exits(2).err_has("error: --resume: no checkpoint is whole: of 2 parts, no process has part 1\n");
    // It is there again.
    fs::write(&parts[1], &content).expect("it can be written");
    assert_eq!(without_measures(&resume().exits(0).out), alone());
}

/// Starts so many processes, each with a folder of its own, or all with one.
fn start(place: &Place, kept: &Path, is_shared: bool, flag: &str) -> Vec<Process> {
    let started = (0..place.addresses.len()).map(|process| {
        let folder = kept.join(if is_shared { "all".to_owned() } else { process.to_string() });
        place.start(process, &[&LINE[..], &[flag, text(&folder), "--every", "0s"]].concat())
    });
    started.collect()
}

/// Whenever the processes are killed, one cut is whole, and the search goes on from it.
#[test]
fn killed_at_any_moment_it_goes_on() {
    let setting = std::env::var("MAP_KILLS").ok().and_then(|it| it.parse().ok());
    let alone = alone();
    let mut random = 7_u64;
    let mut draw = |below: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % below
    };
    let mut cut = 0;
    for time in 0..setting.unwrap_or(4_u64).div_ceil(3) {
        let folder = tempfile::tempdir().expect("a folder");
        // What is in a folder of its own is not seen by others, so their number stays.
        let (is_shared, count) = (time % 2 == 0, 2 + draw(2) as usize);
        let mut count_now = || if is_shared { 1 + draw(3) as usize } else { count };
        let waits = [(time * 7_919) % 900, (time * 104_729) % 700, (time * 1_299_709) % 500];
        let (mut flag, mut last) = ("--checkpoint", 0);
        for wait in waits {
            let place = Place::new(count_now());
            let running = start(&place, folder.path(), is_shared, flag);
            std::thread::sleep(Duration::from_millis(wait));
            // One after the other, so that some may write while others are gone.
            running.iter().for_each(|process| process.signal("KILL"));
            running.into_iter().for_each(|process| drop(process.end()));
            let now = cuts(&folder.path().join(if is_shared { "all" } else { "0" }));
            let now = now.into_iter().max().unwrap_or(0);
            assert!(now >= last, "time {time}: cut {last} was there");
            (flag, last) = (if now > 0 { "--resume" } else { "--checkpoint" }, now);
        }
        cut += last;
        let place = Place::new(count_now());
        let running = start(&place, folder.path(), is_shared, flag);
        let ends: Vec<Ran> = running.into_iter().map(Process::end).collect();
        for end in &ends {
            assert_eq!((end.code, end.err.as_str()), (Some(0), ""), "time {time}");
        }
        assert_eq!(without_measures(&ends[0].out), alone, "time {time}");
    }
    println!("{cut} cuts were whole");
}

/// The search goes on without a checkpoint if one process cannot write its part; the cut before it stays.
#[test]
fn one_full_disk_leaves_the_cut_before() {
    let folder = tempfile::tempdir().expect("a folder");
    let kept = folder.path().join("kept");
    let alone = alone();
    verify(&["--processes", "2", "--max-states", "300", "--checkpoint", text(&kept)]).exits(4);
    let (place, before) = (Place::new(2), cuts(&kept));
    let line = [&LINE[..], &["--resume", text(&kept)]].concat();
    let mut full = Command::new("sh");
    // 25 KiB, in blocks of 512 bytes.
    full.args(["-c", "trap '' XFSZ; ulimit -f 50; exec \"$@\"", "sh"]);
    let usual = place.command(1, "key", &line);
    full.arg(usual.get_program()).args(usual.get_args()).current_dir(super::super::protocols());
    let one = Process::start(&mut full);
    let zero = place.start(0, &line).end().exits(0).err_has("another process could not write its part");
    one.end().exits(0).err_has("no checkpoint could be written to").err_has("File too large");
    assert_eq!(without_measures(&zero.out), alone);
    assert!(before.iter().all(|cut| cuts(&kept).contains(cut)), "{before:?}");
    assert_eq!(without_measures(&verify(&["--processes", "2", "--resume", text(&kept)]).exits(0).out), alone);
}
