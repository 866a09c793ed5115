//! What `map verify` says without being asked for more: the answer, on one screen.

use std::process::Stdio;

use map_library::PROTOCOLS;

use super::{Ran, command, map, map_with, protocols, some_of};

/// What is printed on a terminal of that width, with times and memory as `#`.
fn screen(columns: &str, arguments: &[&str]) -> String {
    let ran = on_terminal(columns, arguments);
    assert_eq!(ran.err, "");
    let units = ["ms", "s", "s,", "s)", "ms)", "MiB)", "GiB,"];
    let mask = |line: &str| {
        let line = line.replace("less than 1 ms", "1 ms").replace("< 1 ms", "  1 ms");
        let words: Vec<&str> = line.split(' ').collect();
        let mut masked: Vec<&str> = Vec::new();
        for (at, &word) in words.iter().enumerate() {
            let is_measured = words.get(at + 1).is_some_and(|next| units.contains(next));
            if is_measured {
                // How far it is to the right depends on how long it is.
                let end = masked.iter().rposition(|it| !it.is_empty()).map_or(0, |last| last + 1);
                masked.truncate(end);
            }
            masked.push(if is_measured { "#" } else { word });
        }
        masked.join(" ") + "\n"
    };
    ran.out.lines().map(mask).collect()
}

fn on_terminal(columns: &str, arguments: &[&str]) -> Ran {
    let mut command = command(arguments);
    Ran::of(&command.env("COLUMNS", columns).stdin(Stdio::null()).output().expect("the binary runs"))
}

#[test]
fn screens() {
    let scenes: [(&str, &[&str]); 4] = [
        ("right", &["verify", "../contract-net/contract-net.map"]),
        ("deadlock", &["verify", "published-corrected.map"]),
        ("property", &["verify", "auction.map", "--property", "never !Auctioneer sends start(_) to _"]),
        ("weather", &["verify", "auction.map", "--weather", "--max-memory", "1GiB"]),
    ];
    for (name, arguments) in scenes {
        for columns in ["80", "120"] {
            insta::assert_snapshot!(format!("screen_{name}_{columns}"), screen(columns, arguments));
        }
    }
}

/// A right scene takes at most 12 lines, and 10 more for a run that goes on for ever; a violation of up to 10 steps at
/// most 40, and one more for each violated property; no line is too long.
#[test]
fn the_whole_library_fits_on_a_screen() {
    let root = protocols().join("..");
    let mut told = [0, 0];
    let versions =
        PROTOCOLS.iter().flat_map(|protocol| protocol.versions().map(move |version| (protocol, version)));
    for (protocol, version) in some_of(versions.collect(), 6) {
        let path = format!("{}.map", version.name);
        let mut command = command(&["verify", &path, "--max-states", "5000"]);
        command.current_dir(root.join(protocol.name)).env("COLUMNS", "80");
        let ran = Ran::of(&command.output().expect("the binary runs"));
        let lines: Vec<&str> = ran.out.lines().collect();
        let limit = match ran.code {
            Some(0) if ran.out.contains("for ever") => 22,
            Some(0) => 12,
            Some(1) if steps(&ran.out) <= 10 => {
                40 + lines
                    .iter()
                    .filter(|it| it.starts_with("property ") && it.contains("  violated"))
                    .count()
            }
            _ => continue,
        };
        told[usize::from(limit >= 40)] += 1;
        let begins = |line: &&str| line.ends_with('[') && line.starts_with(char::is_alphabetic);
        let scenes = version.text.lines().filter(begins).count().max(1);
        assert!(lines.len() <= limit * scenes, "{path}: {} lines\n{}", lines.len(), ran.out);
        let long = lines.iter().find(|line| line.chars().count() > 80);
        assert_eq!(long, None, "{path}\n{}", ran.out);
    }
    assert!(told[0] > 5 && told[1] > 1, "{told:?}");
}

/// The number of steps in the last line, which sums up.
fn steps(text: &str) -> usize {
    let words: Vec<&str> = text.lines().last().unwrap_or_default().split(' ').collect();
    let after = words.iter().position(|&word| word == "after");
    after.and_then(|at| words.get(at + 1)?.parse().ok()).unwrap_or(usize::MAX)
}

#[test]
fn quiet_is_a_line_for_each_file() {
    let ran = map(&["verify", "-q", "auction.map", "published.map"]).exits(1);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines[0], "auction.map  english_auction  terminates; all 5 properties hold");
    assert_eq!(lines[1..], ["published.map  english_auction  failure after 1 step"]);
    map(&["verify", "-q", "auction.map", "--properties-only"])
        .exits(0)
        .out_has("auction.map  english_auction  all 5 properties hold\n");
    map(&["verify", "-q", "-v", "auction.map"]).exits(2);
}

/// The shortest run to a deadlock has nothing to do with one of the properties.
const LATE: &str = "procedure pick() in {1, 2}
property quick : never !A asks pick
property other : never !A sends m() to _
property can : possible !A sends m() to _
s[
    agent(!A, %a) = $n = pick() then agent(say, $n)
    agent(!A, %a, say, 1) = n() => agent(!B, %b)
    agent(!A, %a, say, 2) = m() => agent(!B, %b)
    agent(!B, %b) = waitfor m() <= agent(!A, %a)
]";

/// One run is shown; what it shows besides the verdict is said, what others show is left to `-v`.
#[test]
fn one_run_is_shown() {
    let ran = map_with(LATE.as_bytes(), &["verify", "-"]).exits(1);
    assert!(!ran.out.contains("property can"), "a witness of what is possible: {}", ran.out);
    ran.out_has("deadlock after 2 steps\n")
        .out_has("property quick  violated after 1 step\n  the first step above shows it\n")
        .out_has("property other  violated after 2 steps\n  -v shows its run\n");
    map_with(LATE.as_bytes(), &["verify", "-", "-v"])
        .exits(1)
        .out_has("property can  holds, shown after 2 steps\n")
        .out_has("property other  violated after 2 steps\n  1  !A ");
}

#[test]
fn what_was_not_searched_is_not_spoken_of() {
    let text = LATE.replace("agent(!A, %a, say, 2)", "agent(!A, %a, idle) = skip agent(!A, %a, say, 2)");
    for flags in [&["verify", "-"][..], &["verify", "-", "-v"]] {
        let ran = map_with(text.as_bytes(), flags).exits(1);
        assert!(!ran.out.contains("idle"), "{}", ran.out);
    }
    map_with(text.as_bytes(), &["verify", "-", "-v", "--keep-going"])
        .exits(1)
        .out_has("Never in any run on this network:\n")
        .out_has("idle");
}
