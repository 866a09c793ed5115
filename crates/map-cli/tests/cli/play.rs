//! `map guard --play`: one agent is tested alone. The agents are shell scripts.
#![cfg(unix)]

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::{Ran, map};

/// How every agent here begins, and asks.
const PROLOGUE: &str = r#"
read -r opening
after=0
ask() { printf '%s\n' "$1"; read -r answer || exit 0; }
fetch() {
    ask "{\"do\": \"receive\", \"after\": $after, \"wait_ms\": 60000}"
    case $answer in *'"seq":'*) after=${answer##*\"seq\":}; after=${after%%[,\}]*} ;; esac
}
send() { ask "{\"do\": \"send\", \"performative\": \"$1\", \"args\": [$2]}"; }
"#;

/// A supplier that sells for 4 if it can.
const OFFER: &str = r#"
fetch
budget=${answer##*\"args\":[}; budget=${budget%%]*}
if [ "$budget" -ge 4 ]; then send offer 4; else send soldOut; fi
fetch
"#;

const RIGHT: &str = r#"
case $answer in *'"book"'*) send booked ;; *) send cancelled ;; esac
"#;

/// One that always books what it has offered.
const DEAF: &str = r#"
fetch
budget=${answer##*\"args\":[}; budget=${budget%%]*}
if [ "$budget" -ge 4 ]; then send offer 4; fetch; send booked; else send soldOut; fetch; send cancelled; fi
"#;

struct Play {
    folder: TempDir,
    script: String,
}

impl Play {
    fn of(parts: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        let script = folder.path().join("agent.sh");
        fs::write(&script, format!("{PROLOGUE}{}", parts.concat())).expect("it can be written");
        let script = format!("sh '{}'", script.display());
        Self { folder, script }
    }

    fn run(&self, more: &[&str]) -> Ran {
        let trips = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/trips");
        let file = |name: &str| trips.join(name).display().to_string();
        let (dialogue, config) = (file("trips.map"), file("trips.toml"));
        let mut arguments = vec!["guard", &dialogue, "--config", &config];
        arguments.extend(["--play", "%desk,!Supplier2", "--start", &self.script]);
        arguments.extend(more);
        map(&arguments)
    }
}

#[test]
fn a_right_agent_passes_and_all_it_can_do_is_covered() {
    let ran = Play::of(&[OFFER, RIGHT]).run(&["--dialogues", "40", "--cover", "100%"]).exits(0);
    assert!(ran.out.contains("40 dialogues: 40 complete\n"), "{}", ran.out);
    assert!(ran.out.contains("clauses and branches: 7 of 7 covered\n"), "{}", ran.out);
}

/// The only voter is told to abort after its yes only if time runs out for the coordinator too early, which it never
/// does here.
#[test]
fn what_needs_time_to_run_out_early_is_unreachable() {
    let play = Play::of(&["send begin\nfetch\nsend yes\nfetch\n"]);
    let protocol = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../protocols/two-phase-commit");
    let file = protocol.join("two-phase-commit.map").display().to_string();
    let ran = map(&["guard", &file, "--play", "!Coordinator", "--start", &play.script, "--dialogues", "2"]);
    let ran = ran.exits(0);
    let abort: Vec<&str> = ran.out.lines().filter(|line| line.contains("abort()")).collect();
    assert_eq!(abort.iter().filter(|line| line.contains("unreachable")).count(), 1, "{}", ran.out);
}

#[test]
fn a_wrong_message_is_found_and_shrunk_and_found_again() {
    let play = Play::of(&[DEAF]);
    let ran = play.run(&["--seed", "3"]).exits(1);
    let last = "  flights wants to send booked(): refused, out_of_turn\n";
    assert!(ran.out.contains(last), "{}", ran.out);
    let replay = ran.out.lines().find_map(|line| line.trim().strip_prefix("again: --replay \""));
    let (numbers, share) = replay.expect("it can be replayed").split_once('"').expect("it ends");
    assert_eq!(share, " fails 5 times of 5");
    let again = play.run(&["--replay", numbers]).exits(1);
    assert!(again.out.contains(last), "{}", again.out);

    // None of the numbers can be left out, or be smaller, for the same failure.
    let failure = |out: &str| {
        let lines = out.lines().skip_while(|line| !line.contains(" wants to send "));
        lines.take_while(|line| !line.contains("again: ")).map(str::to_owned).collect::<Vec<_>>()
    };
    let numbers: Vec<u32> = numbers.split(',').filter_map(|number| number.parse().ok()).collect();
    assert!(numbers.iter().any(|&number| number > 0), "{numbers:?}");
    for at in 0..numbers.len() {
        let mut fewer = numbers.clone();
        fewer.remove(at);
        let lesser = (0..numbers[at]).map(|number| {
            let mut lesser = numbers.clone();
            lesser[at] = number;
            lesser
        });
        for smaller in lesser.chain([fewer]) {
            let text: Vec<String> = smaller.iter().map(ToString::to_string).collect();
            let tried = play.run(&["--replay", &text.join(",")]);
            assert_ne!(failure(&tried.out), failure(&ran.out), "{smaller:?}");
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_report() {
    let play = Play::of(&[OFFER, RIGHT]);
    let report = |seed: &str| play.run(&["--dialogues", "3", "--seed", seed]).out;
    let some: Vec<String> = ["1", "2", "3", "4"].map(report).to_vec();
    assert_eq!(some, ["1", "2", "3", "4"].map(report));
    assert!(some.iter().any(|other| *other != some[0]), "{some:?}");
}

#[test]
fn who_is_silent_or_makes_no_sense_fails() {
    for (agent, what) in [
        ("exit 0\n", "flights: silent"),
        ("while :; do fetch; done\n", "flights: silent"),
        ("while :; do ask '{\"do\": \"receive\"}'; done\n", "flights: silent"),
        ("echo hello; read -r answer\n", "flights: bad_request"),
        ("fetch; ask '{\"do\": \"rest\"}'\n", "flights: owes"),
        ("fetch; send offer 11\n", "offer(11): refused, wrong_content"),
        ("fetch; send hello\n", "hello(): refused, not_its_word"),
    ] {
        let ran = Play::of(&[agent]).run(&[]).exits(1);
        assert!(ran.out.contains(what), "{agent}: {}", ran.out);
    }
}

#[test]
fn what_is_missed_is_an_error_of_its_own() {
    let play = Play::of(&["fetch; send soldOut; fetch; send cancelled\n"]);
    let junit = play.folder.path().join("play.xml");
    let ran =
        play.run(&["--dialogues", "10", "--cover", "90%", "--junit", &junit.display().to_string()]).exits(4);
    assert!(ran.out.contains("%, less than 90%\n"), "{}", ran.out);
    assert!(ran.out.contains("  not covered: trips.map:"), "{}", ran.out);
    let junit = fs::read_to_string(junit).expect("it was written");
    assert_eq!(junit.matches("<testcase ").count(), 8, "{junit}");
    assert!(junit.contains("failures=\"0\""), "{junit}");
    play.run(&["--dialogues", "10"]).exits(0);
}

#[test]
fn a_failure_is_kept_for_conform() {
    let play = Play::of(&[DEAF]);
    let journal = play.folder.path().join("failure.jsonl").display().to_string();
    play.run(&["--save-failure", &journal]).exits(1);
    let trips = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/trips/trips.map");
    let judged = map(&["conform", &trips.display().to_string(), &journal, "--from", "guard"]).exits(0);
    assert!(judged.out.contains("conforms so far"), "{}", judged.out);
}

#[test]
fn wrong_flags_are_refused() {
    let trips = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/trips/trips.map");
    let trips = trips.display().to_string();
    for (flags, why) in [
        (&["--play", "%desk", "--start", "x"][..], "!Supplier1, !Supplier2 are left"),
        (&["--play", "%desk,%supplier", "--start", "x"], "nobody is left"),
        (&["--play", "%nobody", "--start", "x"], "has no agent"),
        (&["--play", "%desk"], "--start"),
        (&["--start", "x"], "--play"),
        (&["--play", "%desk,!Supplier2", "--start", "'"], "all quotes closed"),
        (&["--play", "%desk,!Supplier2", "--start", "/no/such/program"], "/no/such/program"),
        (&["--play", "%desk,!Supplier2", "--start", "x", "--cover", "200%"], "a share such as"),
        (&["--play", "%desk,!Supplier2", "--start", "x", "--replay", "a"], "numbers"),
        (&["--play", "%desk,!Supplier2", "--start", "x", "--stdio"], "--stdio"),
    ] {
        let ran = map(&[&["guard", &trips], flags].concat()).exits(2);
        assert!(ran.err.contains(why), "{flags:?}: {}", ran.err);
    }
}
