//! Verdicts and their explanations, in words.

use super::{ENDLESS, map, map_with};

#[test]
fn the_auctions() {
    map(&["verify", "-v", "auction.map"]).exits(0).out_has("english_auction  terminates\n");
    map(&["verify", "-v", "auction.map", "--agents", "bidder=2"])
        .exits(0)
        .out_has("terminates if fair")
        .out_has("good end");
    map(&["verify", "-v", "auction.map", "--agents", "bidder=3", "--rounds", "bidloop=2"])
        .exits(0)
        .out_has("terminates, within these bounds")
        .out_has("2 rounds of bidloop");
    map(&["verify", "-v", "published-corrected.map", "--agents", "bidder=2", "--rounds", "bidloop=2"])
        .exits(1)
        .out_has("deadlock after 9 steps")
        .out_has("sends start(getValue#1) to !Bidder1, !Bidder2")
        .out_has("declines: startBidding says no; goes back to waiting")
        .out_has("!Bidder1 waits at published-corrected.map:36, since step 5")
        .out_has("!Auctioneer could send it, but ended in step 9")
        .out_has("its timeout agent() in line 42 would only start the same wait again")
        .out_has("unread in its mailbox: accept(getWinner#1, getValue#1) from !Auctioneer");
    map(&["verify", "-v", "published.map"])
        .exits(1)
        .out_has("failure after 1 step")
        .out_has("getValue says no")
        .out_has("nothing catches that");
    map(&["verify", "-v", "published-total.map"])
        .exits(1)
        .out_has("runaway recursion after 3 steps")
        .out_has("calls agent(bidloop, getValue#1)")
        .out_has("a waitfor tries again by itself");
}

#[test]
fn failures_tell_what_failed_and_why_nothing_caught_it() {
    let text = "s[
        agent(!A, %a) = agent(inner) then skip
        agent(!A, %a, inner) =
            $x = first() or $y = second() or ok() <= agent(_, %b)
        agent(!B, %b) = skip
    ]";
    map_with(text.as_bytes(), &["verify", "-v", "-"])
        .exits(1)
        .out_has("!A fails: no ok() is there")
        .out_has("the alternative before it had failed: second says no")
        .out_has("its call agent(inner)")
        .out_has("so the entry clause agent(!A, %a) in line 2 fails");

    let text = "s[
        agent(!A, %a) = ($x = left()) par (waitfor go() <= agent(_, %b))
        agent(!B, %b) = go() => agent(!A, %a)
    ]";
    map_with(text.as_bytes(), &["verify", "-v", "-"])
        .exits(1)
        .out_has("in step 1 a side of a par failed: left says no");

    map_with(b"s[ agent(!A, %a) = fail ]", &["verify", "-v", "-"])
        .exits(1)
        .out_has("failure before the first step");
}

#[test]
fn overflow_says_whose_mailbox_and_of_what() {
    let text = "s[
        agent(!A, %a) = agent(loop) agent(!A, %a, loop) = m() => agent(!B, %b) then agent(loop)
        agent(!B, %b) = waitfor n() <= agent(_, %a)
    ]";
    map_with(text.as_bytes(), &["verify", "-v", "-", "--mailbox", "3"])
        .exits(1)
        .out_has("mailbox overflow after 4 steps")
        .out_has("the mailbox of !B holds 3 messages")
        .out_has("3 x m() from !A");
    let folded = map_with(text.as_bytes(), &["verify", "-v", "-", "--mailbox", "100"]).exits(1);
    assert!(folded.out.contains("the same in 99 more steps") && folded.out.lines().count() < 45);
    let full = map_with(text.as_bytes(), &["verify", "-v", "-", "--mailbox", "100", "--full-trace"]).exits(1);
    assert!(full.out.lines().count() > 100);
}

#[test]
fn long_traces_are_folded() {
    let steps: Vec<String> = (0..80).map(|i| format!("$x{i} = p()")).collect();
    let text = format!("procedure p() s[ agent(!A, %a) = {} then fail ]", steps.join(" then "));
    let folded =
        map_with(text.as_bytes(), &["verify", "-v", "-"]).exits(1).out_has("30 more steps").out_has("p#80");
    assert!(!folded.out.contains("p#40"));
    map_with(text.as_bytes(), &["verify", "-v", "-", "--full-trace"]).exits(1).out_has("p#40");
}

#[test]
fn recursion_without_action_before_the_first_step() {
    let text = "s[ agent(!A, %a) = agent(loop, 1) agent(!A, %a, loop, $x) = agent(loop, $x) ]";
    for verb in ["verify", "run"] {
        map_with(text.as_bytes(), &[verb, "-"])
            .exits(1)
            .out_has("runaway recursion")
            .out_has("calls agent(loop, 1) at <stdin>:1");
    }
}

#[test]
fn livelock_says_what_remains() {
    map_with(ENDLESS.as_bytes(), &["verify", "-v", "-"])
        .exits(1)
        .out_has("livelock before the first step")
        .out_has("cannot be reached")
        .out_has("!A can send ping()");
}

#[test]
fn possible_violations_name_their_comparisons() {
    let text = "procedure p() procedure q()
        s[
            agent(!A, %a) = $x = p() then $y = q() then agent(same, $x, $y)
            agent(!A, %a, same, $x, $x) = fail
            agent(!A, %a, same, $x, $y) = skip
        ]";
    map_with(text.as_bytes(), &["verify", "-v", "-"])
        .exits(1)
        .out_has("possible failure after 2 steps")
        .out_has("step 2 takes p#1 = q#1");
    let text = "procedure p()
        s[
            agent(!A, %a) = $x = p() then m($x) => agent(!B, %b)
            agent(!B, %b) = waitfor m(1) <= agent(_, %a)
        ]";
    map_with(text.as_bytes(), &["verify", "-v", "-"])
        .exits(1)
        .out_has("possible deadlock")
        .out_has("taking p#1 = 1");
}

#[test]
fn what_never_happens_is_listed() {
    let text = "s[
        agent(!A, %a) = skip or m() => agent(!B, %b)
        agent(!A, %a, never) = skip
        agent(!B, %b) = skip
    ]";
    map_with(text.as_bytes(), &["verify", "-v", "-"])
        .exits(0)
        .out_has("Never in any run on this network:")
        .out_has("the alternative m() => agent(!B, %b) is never chosen")
        .out_has("the clause agent(!A, %a, never) is never entered");
}

#[test]
fn agents_that_never_act_are_listed() {
    let text = "cast %guest = 3
    s[
        agent(!A, %a) = waitfor knock() <= agent(_, %guest)
        agent(!B, %b) = skip then welcome() => agent(!A, %a)
        agent($me, %guest) = waitfor welcome() <= agent(_, %b)
    ]";
    map_with(text.as_bytes(), &["verify", "-v", "-"])
        .exits(1)
        .out_has("<stdin>:3  !A never acts")
        .out_has("<stdin>:5  no agent of %guest ever acts");
    let one_is_welcome = text.replace("welcome() => agent(!A, %a)", "welcome() => agent(!Guest1, %guest)");
    map_with(one_is_welcome.as_bytes(), &["verify", "-v", "-"])
        .out_has("<stdin>:5  !Guest2, !Guest3 never act");
    // That somebody else will act is not known after one step.
    let ends_early = text.replace("waitfor knock() <= agent(_, %guest)", "fail");
    let ran = map_with(ends_early.as_bytes(), &["verify", "-v", "-"]).exits(1);
    assert!(!ran.out.contains(" acts"), "{}", ran.out);
}

/// Where a search of all orders is too large, the trace of the other search is shown, with all its steps.
#[test]
fn a_trace_that_may_not_be_shortest_is_counted_in_steps() {
    let flags =
        ["published-corrected.map", "--agents", "bidder=4", "--rounds", "bidloop=2", "--max-states", "60"];
    map(&[&["verify", "-v"], &flags[..]].concat())
        .exits(1)
        .out_has("a search of all orders of steps was too large");
    let json = map(&[&["verify", "-v"], &flags[..], &["--format", "json"]].concat()).exits(1).out;
    let output: serde_json::Value = serde_json::from_str(&json).expect("it is JSON");
    let steps = output["violations"][0]["steps"].as_u64().expect("it has a length");
    assert!(output["depth"].as_u64().is_some_and(|depth| depth < steps), "{steps}");
    assert_eq!(output["trace"].as_array().map(|it| it.len() as u64), Some(steps));
    assert_eq!(output["choices"].as_array().map(|it| it.len() as u64), Some(steps));
}

#[test]
fn runs_tell_how_they_end() {
    map(&["run", "published.map", "--yes", "0", "--seed", "1"]).exits(1).out_has("failure after 1 step");
    map(&["run", "published-total.map", "--seed", "1"]).exits(1).out_has("runaway recursion after");
    map(&["run", "published-corrected.map", "--yes", "0", "--seed", "1"])
        .exits(1)
        .out_has("deadlock after 7 steps")
        .out_has("!Auctioneer could send it, but ended in step");
    map(&["run", "auction.map", "--yes", "1", "--agents", "bidder=2", "--rounds", "2", "--seed", "1"])
        .exits(4)
        .out_has("cut after")
        .out_has("--rounds");
    map_with(b"s[ agent(!A, %a) = waitfor $x = p() ]", &["run", "-", "--yes", "0"])
        .exits(4)
        .out_has("asked in vain");
    map_with(b"s[ agent(!A, %a) = fail agent(!B, %b) = m() => agent(!A, %a) ]", &["run", "-"])
        .exits(1)
        .out_has("failure after 1 step")
        .out_has("left unread: m() by !A");
}

/// Runs that were made once can be made again, by every later version: a change here is a change of what seeds mean.
#[test]
fn seeds_keep_their_meaning() {
    let ran = map(&["run", "auction.map", "--agents", "bidder=2", "--seed", "3"]).exits(0);
    assert_eq!(ran.out, include_str!("golden/auction-2-seed-3.txt"));
}

/// A run may send 32 messages to the vendor, who never has so many of them at once.
#[test]
fn a_mailbox_that_some_run_might_fill_costs_no_larger_search() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../protocols/customer-vendor/customer-vendor.map");
    for (mailbox, states) in [("8", "1,377 states"), ("20", "1,377 states"), ("32", "1,017 states")] {
        let cast = ["--agents", "customer=8", "--mailbox", mailbox, "--no-properties"];
        let verified = map(&[&["verify", "-v", file][..], &cast].concat()).exits(0).out_has(states);
        assert!(!verified.out.contains("hint"), "{mailbox}: few orders had to be told apart");
    }
}

/// !A may ask for ever, and as long as it does partial order puts off all that others do.
const PUT_OFF: &str = "procedure p() procedure pick() in {1, 2} procedure bad() = 1 / 0
s[
    agent(!A, %a) = $c = pick() then agent(go, $c)
    agent(!A, %a, go, 1) = go() => agent(!D, %d) then agent(spin)
    agent(!A, %a, go, 2) = skip
    agent(!A, %a, spin) = $x = p() then agent(spin)
    agent(!D, %d) = waitfor (go() <= agent(_, %a) then $z = p()) timeout skip
    agent(!B, %b) = $q = p() then $r = p() then $s = p() then $t = p() then $y = bad()
    agent(!C, %c) = $u = p() then $v = p()
]";

#[test]
fn a_search_that_puts_steps_off_does_not_say_what_never_happens() {
    let limited = map_with(PUT_OFF.as_bytes(), &["verify", "-v", "-", "--max-states", "20"]).exits(1);
    let limited = limited.out_has("run error after 5 steps");
    assert!(!limited.out.contains("Never "), "it did not search everything");
    assert!(!limited.out.contains("livelock"), "!B can still go wrong");
    let whole = map_with(PUT_OFF.as_bytes(), &["verify", "-v", "-", "--keep-going"]).exits(1);
    assert!(!whole.out.contains("livelock") && !whole.out.contains("$z = p() is never run"));
}

#[test]
fn a_trace_is_followed_along_what_was_merged_and_nothing_else() {
    let digits: String = (1..=9).map(|n| format!("$d{n} = digit() then ")).collect();
    let asks: String = (1..=20).map(|n| format!("$q{n} = p() then ")).collect();
    let scene = format!(
        "procedure p() procedure pick() in {{1, 2}} procedure digit() in 0..9 procedure bad() = 1 / 0
        s[
            agent(!A, %a) = $c = pick() then agent(go, $c)
            agent(!A, %a, go, 1) = {digits} agent(end, $d1, $d2, $d3, $d4, $d5, $d6, $d7, $d8, $d9)
            agent(!A, %a, go, 2) = skip
            agent(!A, %a, end, $n, $n, $n, $n, $n, $n, $n, $n, $n) = skip
            agent(!A, %a, end, _, _, _, _, _, _, _, _, _) = skip
            agent(!B, %b) = {asks} $y = bad()
        ]"
    );
    // Else all that !A might come to would be looked at: ten to the ninth.
    map_with(scene.as_bytes(), &["verify", "-v", "-", "--max-states", "2000"])
        .exits(1)
        .out_has("run error after 21 steps");
}

/// An act that finds nothing is no step, so there is nothing that a bound could cut.
#[test]
fn a_call_in_vain_hides_no_failure() {
    let text = "s[
        agent(!C, %c) = agent(wait)
        agent(!C, %c, wait) = waitfor agent(look) timeout fail
        agent(!C, %c, look) = m() <= agent(_, %d)
        agent(!D, %d) = skip
    ]";
    map_with(text.as_bytes(), &["verify", "-v", "-", "--rounds", "1"])
        .exits(1)
        .out_has("failure after 1 step");
    map_with(text.as_bytes(), &["run", "-", "--rounds", "1"]).exits(1).out_has("times out; fails");
}

/// What the trace shows to be run into has been entered.
#[test]
fn what_goes_wrong_was_entered() {
    let text = "s[ agent(!A, %a) = waitfor agent(round) agent(!A, %a, round) = agent(round) ]";
    let ran =
        map_with(text.as_bytes(), &["verify", "-v", "-"]).exits(1).out_has("runaway recursion after 1 step");
    assert!(!ran.out.contains("entered"), "{}", ran.out);
}

#[test]
fn further_bad_luck_is_no_way_out_of_a_livelock() {
    let told = |flags: &[&str], words: &str| {
        let arguments = [&["verify", "-v", "-", "--keep-going"], flags].concat();
        map_with(ENDLESS.as_bytes(), &arguments)
            .exits(1)
            .out_has("livelock")
            .out_has(&format!("the good end, where all agents are done{words}"));
    };
    let bad = |who, luck| format!("{who}, cannot be reached without further {luck}, which need not come.");
    told(&[], ", cannot be reached.");
    told(&["--network", "lossy:1"], &bad("", "losses"));
    told(&["--network", "crash:1"], &bad(" or have crashed", "crashes"));
    told(&["--network", "lossy:1,crash:1"], &bad(" or have crashed", "losses and crashes"));
}

/// A role without agents is no reason to pass: the verdict says that it is about the others.
#[test]
fn a_role_without_agents_is_named() {
    let scene = "s[ agent(!A, %a) = skip agent($x, %b) = fail ]";
    let verify = |flags: &[&str]| map_with(scene.as_bytes(), &[&["verify", "-"], flags].concat());
    verify(&["--agents", "b=1"]).exits(1);
    verify(&["--agents", "b=0"])
        .exits(0)
        .out_line("s: terminates, without %b (1 state,", ")")
        .out_has("there is no agent of %b, and nothing is said of the clauses");
    verify(&["--agents", "b=0", "-q"]).exits(0).out_has("s  terminates, without %b");
}

/// A variable that an earlier receive has bound is compared, not bound anew: the deadlock says which value does not
/// match.
#[test]
fn a_deadlock_says_which_value_does_not_match() {
    let scene = "procedure price() in 1..2
        s[ agent(!A, %a) = $p = price() then first($p) => agent(_, %b) then $q = price() then second($q) => agent(_, %b)
           agent(!B, %b) = (waitfor first($x) <= agent(_, %a)) then (waitfor second($x) <= agent(_, %a)) ]";
    let why = "second(2) is there, but not taken by second($x) <= agent(_, %a): 2 is not 1";
    for flags in [&[][..], &["-v"]] {
        let ran = map_with(scene.as_bytes(), &[&["verify", "-"], flags].concat()).exits(1);
        ran.out_has("deadlock").out_has(why);
    }
}
