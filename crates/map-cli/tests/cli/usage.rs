//! Wrong and right command lines.

use super::{DEADLOCK, ENDLESS, map, map_with};

#[test]
fn wrong_usage_exits_2() {
    for arguments in [
        &["verfy"][..],
        &["verify"],
        &["run"],
        &["check", "--nonsense", "auction.map"],
        &["verify", "auction.map", "--depth", "0"],
        &["verify", "auction.map", "--depth", "-1"],
        &["verify", "auction.map", "--depth", "many"],
        &["verify", "auction.map", "--timeouts", "never"],
        &["verify", "auction.map", "--max-memory", "2XB"],
        &["verify", "auction.map", "--max-memory", "0"],
        &["verify", "auction.map", "--time-limit", "soon"],
        &["verify", "auction.map", "--reductions", "some"],
        &["verify", "auction.map", "--format", "xml"],
        &["run", "auction.map", "--yes", "2"],
        &["run", "auction.map", "--yes", "NaN"],
        &["run", "auction.map", "--seed", "-1"],
        &["run", "auction.map", "auction.map"],
        &["--color", "sometimes", "check", "auction.map"],
        &["completions", "tcsh2"],
        &["fmt"],
        &["fmt", "--nonsense", "auction.map"],
        &["dump"],
        &["dump", "ast"],
    ] {
        let ran = map(arguments).exits(2);
        assert!(ran.out.is_empty() && ran.err.contains("error:"), "{arguments:?}: {}", ran.err);
    }
}

#[test]
fn a_negative_number_is_a_bad_value_and_no_flag() {
    for flag in ["--depth", "--mailbox", "--max-states", "--threads", "--rounds", "--time-limit"] {
        let said = format!("invalid value '-1' for '{flag}");
        map(&["verify", "auction.map", flag, "-1"]).exits(2).err_has(&said);
    }
    map(&["run", "auction.map", "--runs", "-1"]).exits(2).err_has("invalid value '-1' for '--runs");
    map(&["verify", "-1"]).exits(2).err_has("unexpected argument '-1'");
}

#[test]
fn numbers_are_asked_for_in_words() {
    for (line, words) in [
        (["verify", "-", "--threads", "0"], "'--threads <N>': a number from 1 on was expected\n"),
        (["verify", "-", "--threads", "many"], "'--threads <N>': a whole number was expected\n"),
        (["verify", "-", "--max-states", "1e6"], "'--max-states <N>': a whole number was expected\n"),
        (["run", "-", "--seed", "99999999999999999999"], "'--seed <NUMBER>': the number is too large\n"),
    ] {
        map(&line).exits(2).err_has(words);
    }
    let scene = format!("//@ verify --threads 0 => terminates\n{DEADLOCK}");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.map");
    std::fs::write(&file, scene).expect("there is room");
    let file = file.to_str().expect("temporary folders have usual names");
    map(&["test", file]).exits(3).err_has("a number from 1 on was expected");
}

#[test]
fn counts_of_agents() {
    for junk in
        ["bidder=-1", "bidder=x", "bidder=", "=3", "bidder", "bidder=1,", "bidder=99999999999999999999"]
    {
        for verb in ["check", "run", "verify"] {
            map(&[verb, "auction.map", "--agents", junk]).exits(2).err_has("--agents").err_has("bidder=3");
        }
    }
    for verb in ["check", "run", "verify"] {
        map(&[verb, "auction.map", "--agents", "nobody=3"]).exits(3).err_has("MAP108").err_has("nobody");
    }
    map(&["check", "auction.map", "--agents", "bidder=2,bidder=3"])
        .exits(2)
        .err_has("given twice for bidder");
    map(&["check", "auction.map", "--agents", "bidder=2,auctioneer=1"]).exits(0);
    map(&["check", "auction.map", "--agents", "bidder=2", "--agents", "auctioneer=1"]).exits(0);
    map(&["check", "auction.map", "--agents", "bidder=2000000000"]).exits(3).err_has("MAP110");
}

#[test]
fn bounds_on_rounds() {
    map(&["verify", "auction.map", "--rounds", "x="]).exits(2).err_has("--rounds").err_has("bidloop=5");
    map(&["verify", "auction.map", "--rounds", "x=3"]).exits(2).err_has("bidloop").err_has("consider");
    map(&["verify", "auction.map", "--rounds", "bidlop=3"]).exits(2).err_has("did you mean bidloop?");
    map(&["verify", "auction.map", "--rounds", "3", "--rounds", "4"])
        .exits(2)
        .err_has("--rounds is given twice");
    map(&["verify", "auction.map", "--rounds", "bidloop=3,bidloop=4"]).exits(2).err_has("bidloop");
    map(&["verify", "auction.map", "--rounds", "9,bidloop=3", "--rounds", "consider=4"]).exits(0);
}

#[test]
fn a_flag_repeated_that_is_no_list_is_an_error() {
    for flags in [
        &["--depth", "3", "--depth", "3"][..],
        &["--mailbox", "3", "--mailbox", "4"],
        &["--format", "json", "--format", "json"],
        &["--keep-going", "--keep-going"],
        &["--max-states", "1", "--max-states", "2"],
    ] {
        let mut arguments = vec!["verify", "auction.map"];
        arguments.extend(flags);
        map(&arguments).exits(2).err_has("multiple times");
    }
}

#[test]
fn unknown_scenes() {
    map(&["verify", "auction.map", "--scene", "nowhere"]).exits(3).err_has("MAP111");
}

#[test]
fn standard_input_is_a_dash() {
    map_with(DEADLOCK.as_bytes(), &["check", "-"]).exits(0);
    map_with(DEADLOCK.as_bytes(), &["verify", "-"]).exits(1).out_has("<stdin>").out_has("deadlock");
    map_with(DEADLOCK.as_bytes(), &["run", "-", "--seed", "1"]).exits(1).out_has("map run - --seed 1");
    map_with(DEADLOCK.as_bytes(), &["verify", "-", "-"]).exits(2).err_has("standard input");
}

#[test]
fn completions_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        map(&["completions", shell]).exits(0).out_has("map");
    }
}

#[test]
fn colour_follows_the_flag() {
    let coloured = map_with(DEADLOCK.as_bytes(), &["--color", "always", "verify", "-"]).exits(1);
    assert!(coloured.out.contains('\u{1b}'));
    let plain = map_with(DEADLOCK.as_bytes(), &["verify", "-", "--color", "never"]).exits(1);
    assert!(!plain.out.contains('\u{1b}'));
    let plain = map_with(b"", &["check", "-"]).exits(3);
    assert!(!plain.err.contains('\u{1b}'));
    let coloured = map(&["verify", "--color=always", "--nonsense"]).exits(2);
    assert!(coloured.err.contains('\u{1b}'));
}

#[test]
fn limits_are_inconclusive() {
    let ran = map_with(ENDLESS.as_bytes(), &["run", "-", "--max-steps", "10", "--seed", "1"]).exits(4);
    ran.out_has("--max-steps");
    let input = super::UNBOUNDED.as_bytes();
    map_with(input, &["verify", "-", "--max-states", "10", "--reductions", "none"])
        .exits(4)
        .out_has("raise --max-states");
    map_with(input, &["verify", "-", "--time-limit", "1ms", "--mailbox", "1000000"])
        .exits(4)
        .out_has("--time-limit");
    map_with(input, &["verify", "-", "--max-memory", "1K", "--reductions", "none"])
        .exits(4)
        .out_has("raise --max-memory");
}

#[test]
fn threads_change_no_count() {
    let bounds = ["--agents", "bidder=2", "--rounds", "bidloop=2"];
    let with = |more: &[&str]| {
        map(&[&["verify", "-v", "auction.map", "--reductions", "none"], &bounds[..], more].concat()).exits(0)
    };
    with(&["--threads", "1"]).out_has("168 states, 298 transitions");
    with(&["--threads", "3"]).out_has("168 states, 298 transitions");
    map(&["verify", "auction.map", "--threads", "0"]).exits(2).err_has("--threads");
    let many = "note: --threads 100,000: 256 are used, the most there are\n";
    with(&["--threads", "100000"]).out_has("168 states, 298 transitions").err_has(many);
    map(&["run", "auction.map", "--runs", "2", "--threads", "100000"]).exits(0).err_has(many);
    map(&["verify", "auction.map", "--store", "fingerprint"]).exits(2).err_has("this flag was removed");
}

/// Both while it searches and while it stays well below what the machine has.
#[test]
fn memory_is_given_up_before_the_limit_is_passed_by_much() {
    for reductions in ["none", "all"] {
        let arguments = ["verify", "-", "--max-memory", "24MiB", "--mailbox", "1000000", "--reductions"];
        let ran = map_with(
            super::UNBOUNDED.as_bytes(),
            &[&arguments[..], &[reductions, "--format", "json"]].concat(),
        );
        let output: serde_json::Value = serde_json::from_str(&ran.exits(4).out).expect("JSON");
        assert_eq!(output["limit"], "memory", "{reductions}");
        let peak = output["peak_memory_bytes"].as_u64().expect("a number");
        assert!(peak < 96 << 20, "{reductions}: {peak} bytes");
    }
}

/// With reductions the way to the overflow has few states, but a million steps, with as many messages in most of them.
#[test]
fn a_trace_that_takes_too_much_is_not_made() {
    for limit in [["--max-memory", "1GiB"], ["--time-limit", "2s"]] {
        let mailbox = if limit[0] == "--time-limit" { "20000" } else { "1000000" };
        map_with(super::UNBOUNDED.as_bytes(), &[&["verify", "-", "--mailbox", mailbox], &limit[..]].concat())
            .exits(4)
            .out_has("Found, but with a trace too long to be made within the limits: mailbox overflow")
            .out_has(&format!("raise {} to go on", limit[0]));
    }
}

/// Whatever ends the search: a violation with a short trace is the verdict once it is found.
#[test]
fn what_is_found_before_a_limit_is_shown() {
    let scene = super::UNBOUNDED.replace(']', "agent(!Judge, %judge) = $x = p() then fail\n]");
    for limit in [["--time-limit", "1s"], ["--max-memory", "24MiB"], ["--max-states", "5000"]] {
        let flags = ["verify", "-", "--keep-going", "--mailbox", "1000000", "--reductions", "none"];
        map_with(scene.as_bytes(), &[&flags[..], &limit[..]].concat())
            .exits(1)
            .out_has("failure after 1 step")
            .out_has(&format!("raise {} to go on", limit[0]));
    }
}

#[test]
fn several_files_exit_with_the_gravest_code() {
    let fine = "auction.map";
    map(&["verify", fine, "published.map", "--rounds", "bidloop=2"]).exits(1);
    map(&["verify", fine, "/nowhere.map", "published.map", "--rounds", "bidloop=2"])
        .exits(3)
        .out_has("failure")
        .err_has("MAP011");
    map(&["verify", fine, "published.map", "--max-states", "2"]).exits(1);
    map(&["verify", fine, "--max-states", "2"]).exits(4);
    map(&["check", fine, "published.map"]).exits(0).out_has("2 files checked: no errors, ");
}
