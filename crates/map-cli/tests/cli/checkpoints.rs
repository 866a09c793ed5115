//! Long searches: ended by limits and from outside, gone on with, and files that are not as they were written.
//!
//! `MAP_SCENES=N` alters a file that many times.

mod ended;

use std::fs;
use std::path::Path;

use sha2::{Digest as _, Sha256};

use super::{Ran, command, map};

/// A search of moderate length.
const LINE: [&str; 10] = [
    "verify",
    "auction.map",
    "--agents",
    "bidder=3",
    "--rounds",
    "bidloop=3",
    "--reductions",
    "none",
    "--format",
    "json",
];

fn verify(further: &[&str]) -> Ran {
    map(&[&LINE, further].concat())
}

/// A report without what differs between two equal searches.
fn without_measures(report: &str) -> String {
    let is_measure = |line: &&str| {
        let name = line.trim_start();
        let measures =
            ["\"seconds\"", "\"peak_memory_bytes\"", "\"states_memory_bytes\"", "\"states_per_second\""];
        measures.iter().any(|it| name.starts_with(it))
    };
    report.lines().filter(|line| !is_measure(line)).collect::<Vec<_>>().join("\n")
}

/// The report of a search that is not interrupted.
fn whole() -> String {
    without_measures(&verify(&[]).exits(0).out)
}

/// The path as the command line takes it.
fn text(path: &Path) -> &str {
    path.to_str().expect("temporary folders have usual names")
}

#[test]
fn a_search_ended_by_a_limit_goes_on_under_a_larger_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("kept");
    let place = text(&place);
    verify(&["--max-states", "100", "--checkpoint", place]).exits(4);
    verify(&["--max-states", "100", "--checkpoint", place]).exits(2).err_has("go on from it with --resume");
    verify(&["--max-states", "200", "--resume", place, "--threads", "2"]).exits(4);
    let whole = whole();
    let resumed = verify(&["--resume", place, "--every", "0s"]).exits(0);
    assert!(resumed.err.is_empty(), "{}", resumed.err);
    assert_eq!(without_measures(&resumed.out), whole);
    // All is there now.
    assert_eq!(without_measures(&verify(&["--resume", place]).exits(0).out), whole);
}

#[test]
fn a_folder_belongs_to_one_search_at_a_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path();
    let lock = |name: &str| {
        fs::File::options().create(true).truncate(false).write(true).open(place.join(name)).expect("a file")
    };
    let other = lock("lock");
    other.try_lock().expect("nobody uses it");
    let refused = "another search keeps its checkpoints here";
    verify(&["--checkpoint", text(place)]).exits(2).err_has(refused);
    // Also if there is something to go on from.
    drop(other);
    verify(&["--max-states", "100", "--checkpoint", text(place)]).exits(4);
    let other = lock("lock");
    other.try_lock().expect("the search has ended");
    verify(&["--resume", text(place)]).exits(2).err_has(refused);
    // What is left of a process that was killed is only the file.
    drop(other);
    verify(&["--resume", text(place)]).exits(0);
}

#[test]
fn what_is_no_checkpoint_of_this_search_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path();
    verify(&["--resume", text(place)]).exits(2).err_has("there is no checkpoint in it");
    verify(&["--max-states", "100", "--checkpoint", text(place)]).exits(4);
    let file = place.join("search-1.checkpoint");
    let written = fs::read(&file).expect("it was written");
    let refused = |content: &[u8], what: &str| {
        fs::write(&file, content).expect("it can be written");
        let ran = verify(&["--resume", text(place)]).exits(2).err_has("search-1.checkpoint: this");
        assert!(ran.err.contains(what) && ran.out.is_empty(), "{what}: {}", ran.err);
    };
    refused(b"something else", "is no checkpoint");
    for len in [0, 5, 16, 40, 60, 109, written.len() / 2, written.len() - 1] {
        refused(&written[..len], "is damaged");
    }
    // The version of the format, the digest of the search, its number, the content everywhere, the checksum.
    let places = (0..16).map(|part| written.len() * part / 16);
    for place in places.chain([15, 17, 48, 49, 52, written.len() - 32, written.len() - 1]) {
        let mut altered = written.clone();
        altered[place] ^= 1;
        refused(
            &altered,
            if place < 15 {
                "is no checkpoint"
            } else if place < 17 {
                "another version"
            } else {
                "is damaged"
            },
        );
    }
    refused(&[&written[..], b"\n"].concat(), "is damaged");
    fs::write(&file, &written).expect("it can be written");
    let other = |further: &[&str]| verify(&[further, &["--resume", text(place)]].concat()).exits(2);
    for flags in [["--mailbox", "7"], ["--depth", "99"], ["--network", "lossy:1"]] {
        other(&flags).err_has("of another text, of other flags");
    }
    other(&["--keep-going"]).err_has("of another text, of other flags");
    fs::copy(&file, place.join("search-2.checkpoint")).expect("it can be copied");
    other(&[]).err_has("has the name of another one");
}

/// Bytes of the first line, the digest of what is searched, the number, whether the search has ended, and which part
/// of a cut it is.
const HEAD: usize = 17 + 32 + 4 + 1 + 8 + 8 + 4 + 4;

/// Whatever is altered in what the engine has written: though the checksum of the file is right, it is refused.
#[test]
fn an_altered_checkpoint_with_the_right_checksum_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let (place, file) = (text(folder.path()), folder.path().join("search-1.checkpoint"));
    verify(&["--max-states", "100", "--checkpoint", place]).exits(4);
    let written = fs::read(&file).expect("it was written");
    let content = &written[HEAD..written.len() - 32];
    let put = |content: &[u8]| {
        let whole = [&written[..HEAD], content].concat();
        fs::write(&file, [&whole[..], &Sha256::digest(&whole)].concat()).expect("it can be written");
    };
    put(content);
    assert!(fs::read(&file).expect("it is there") == written, "the checksum is the one of the format");
    let mut random = 1_u64;
    let mut draw = |below: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % below
    };
    let setting = std::env::var("MAP_SCENES").ok().and_then(|it| it.parse().ok());
    for time in 0..setting.unwrap_or(60) {
        let mut altered = content.to_vec();
        let (at, to) = (draw(altered.len()), draw(altered.len()));
        match time % 5 {
            0 => altered[at] ^= 1 << draw(8),
            1 => altered[at.min(content.len() - 8)..][..8].fill(if draw(2) == 0 { 0xFF } else { 1 }),
            2 => altered.truncate(at),
            3 => altered.insert(at, draw(256) as u8),
            _ => altered.swap(at, to),
        }
        if altered != content {
            put(&altered);
            let ran = verify(&["--resume", place]).exits(2).err_has("this checkpoint is damaged");
            assert!(ran.out.is_empty(), "time {time}: {}", ran.out);
        }
    }
    put(content);
    assert_eq!(without_measures(&verify(&["--resume", place]).exits(0).out), whole());
}

/// A verdict of two searches: one of some interleavings finds a deadlock, and one of all of them a shorter one.
#[test]
fn each_of_the_searches_behind_a_verdict_has_a_checkpoint() {
    const TWO: [&str; 8] = [
        "verify",
        "../contract-net/contract-net.map",
        "--agents",
        "participant=3",
        "--network",
        "lossy:1",
        "--format",
        "json",
    ];
    let ran = |further: &[&str]| map(&[&TWO, further].concat());
    let whole = without_measures(&ran(&[]).exits(1).out);
    let file = |folder: &Path, number: u32| folder.join(format!("search-{number}.checkpoint"));
    let read = |path: &Path| fs::read(path).expect("it was written");

    // The first search is finished, the second one is not: no shorter deadlock is known yet.
    let second_ended = tempfile::tempdir().expect("a folder");
    let place = second_ended.path();
    let limited = ran(&["--max-states", "300", "--checkpoint", text(place)]).exits(1);
    let unfinished = read(&file(place, 2));
    let resumed = ran(&["--max-states", "300", "--resume", text(place)]).exits(1);
    assert_eq!(without_measures(&resumed.out), without_measures(&limited.out), "the limit is the same");

    // What follows a search that is not finished is void, because it may end otherwise now.
    let first_ended = tempfile::tempdir().expect("a folder");
    let other = first_ended.path();
    ran(&["--max-states", "30", "--checkpoint", text(other)]).exits(4);
    fs::write(file(other, 2), &unfinished).expect("it can be written");
    ran(&["--max-states", "40", "--resume", text(other)]).exits(4);
    assert!(!file(other, 2).exists(), "it is removed");

    for place in [place, other] {
        assert_ne!(without_measures(&limited.out), whole);
        assert_eq!(without_measures(&ran(&["--resume", text(place)]).exits(1).out), whole);
        assert!(read(&file(place, 2)) != unfinished, "the second one has gone on");
        // Both are finished.
        assert_eq!(without_measures(&ran(&["--resume", text(place)]).exits(1).out), whole);
    }
}
