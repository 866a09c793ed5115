//! Properties with verdicts and lengths derived by hand from the reference.

use map_diagnostics::SourceFile;

use crate::oracle::{Evidence, Judgement, OracleOptions, judge_formulas};
use crate::temporal::Runs;

pub(super) const HOLDS: Option<u32> = None;

/// Asserts the judgement of each formula: `HOLDS`, or the length of a shortest trace that violates it.
pub(super) fn assert_broken(text: &str, fair: bool, expected: &[(&str, Option<u32>)]) {
    for (formula, steps) in expected {
        assert_eq!(judged(text, formula, fair), (steps.is_none(), *steps), "{formula}");
    }
}

/// Whether a formula holds, and the length of the trace, if the oracle gives one.
pub(super) fn judged(text: &str, formula: &str, fair: bool) -> (bool, Option<u32>) {
    match judgement(text, formula, fair) {
        Judgement::Holds(_) => (true, None),
        Judgement::Shown(Evidence { steps, .. }) => (true, steps),
        Judgement::Violated(Evidence { steps, .. }) => (false, steps),
        Judgement::NotJudged => panic!("not judged: {formula}"),
    }
}

pub(super) fn judgement(text: &str, formula: &str, fair: bool) -> Judgement {
    let text = format!("{text}\nproperty p : {formula}");
    let parsed = map_syntax::parse(&SourceFile::new("test.map", &text));
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    let formula = parsed.file.properties().next().expect("a property").formula.clone();
    let runs = if fair { Runs::Drawn } else { Runs::All };
    let judgements = judge_formulas(&parsed.file, &OracleOptions::new(1_000), runs, &[formula]);
    judgements.expect("few states").remove(0)
}

const PING: &str = "
    s [ agent(!A, %a) = ping(1) => agent(!B, %b) then waitfor pong() <= agent(!B, %b)
        agent(!B, %b) = waitfor (ping($n) <= agent(!A, %a) then pong() => agent(!A, %a)) ]";

#[test]
fn events_are_judged_on_the_step_and_states_after_it() {
    // Ping, received, pong, received.
    assert_broken(
        PING,
        true,
        &[
            ("always mailbox(!A) <= 1", HOLDS),
            ("always mailbox(!A) < 1", Some(3)),
            ("never !A sends ping(1) to !B", Some(1)),
            ("never !A sends ping(2) to !B", HOLDS),
            ("never !A sends ping(_) to _", Some(1)),
            ("never _ receives ping(_) from !A", Some(2)),
            ("never !B sends pong() to !A and mailbox(!A) == 1", Some(3)),
            ("never !A receives pong() from !B and mailbox(!A) == 1", HOLDS),
            ("never done(!B) and not done(!A)", Some(3)),
            ("never done(!A) and not done(!B)", HOLDS),
            ("always (waiting(!A) or waiting(!B) or ended)", Some(3)),
        ],
    );
}

#[test]
fn promises_are_broken_where_they_cannot_be_kept() {
    assert_broken(
        PING,
        true,
        &[
            ("eventually ended", HOLDS),
            ("eventually failed(!A)", Some(0)),
            ("!A sends ping(_) to !B leadsto !A receives pong() from !B", HOLDS),
            ("!B sends pong() to !A leadsto !A sends ping(_) to !B", Some(3)),
            ("not !B sends pong() to !A until !B receives ping(_) from !A", HOLDS),
            ("mailbox(!B) == 0 until !B receives ping(_) from !A", Some(1)),
        ],
    );
}

#[test]
fn other_nestings_are_judged_on_infinite_runs() {
    assert_broken(
        PING,
        true,
        &[("always (done(!B) implies next done(!B))", HOLDS), ("always eventually ended", HOLDS)],
    );
    assert_eq!(judged(PING, "eventually always not ended", true), (false, None));
    assert!(judged(PING, "next !A sends ping(_) to !B", true).0);
    assert!(!judged(PING, "next next !A sends ping(_) to !B", true).0);
}

#[test]
fn what_is_possible_is_shown_by_a_shortest_trace() {
    assert_eq!(judged(PING, "possible mailbox(!B) == 1", true), (true, Some(1)));
    assert_eq!(judged(PING, "possible failed(!A)", true), (false, None));
    let sequence = "possible sequence !A sends ping(_) to !B ; !B sends pong() to !A";
    assert_eq!(judged(PING, sequence, true), (true, Some(3)));
    let backwards = "possible sequence !B sends pong() to !A ; !A sends ping(_) to !B";
    assert_eq!(judged(PING, backwards, true), (false, None));
    // The second event comes after the first.
    let twice = "possible sequence !A sends ping(_) to !B ; !A sends ping(_) to !B";
    assert_eq!(judged(PING, twice, true), (false, None));
}

#[test]
fn a_poll_may_be_refused_for_ever() {
    let poll = "s [ agent(!A, %a) = waitfor $x = ready() ]";
    assert_broken(poll, true, &[("eventually done(!A)", HOLDS), ("always eventually done(!A)", HOLDS)]);
    assert_eq!(judged(poll, "eventually done(!A)", false), (false, None));
    assert_eq!(judged(poll, "always eventually done(!A)", false), (false, None));
    assert_eq!(judged(poll, "possible !A answers ready yes", true), (true, Some(1)));
    assert_eq!(judged(poll, "possible !A asks ready and not done(!A)", true), (false, None));
}

#[test]
fn a_fair_run_gives_everybody_a_turn() {
    let clock = "procedure tick() = 1
        s [ agent(!A, %a) = $x = tick() then agent()
            agent(!B, %b) = $x = tick() ]";
    assert_broken(clock, true, &[("eventually done(!B)", HOLDS), ("next eventually done(!B)", HOLDS)]);
    assert_eq!(judged(clock, "eventually done(!B)", false), (false, None));
    assert_eq!(judged(clock, "next eventually done(!B)", false), (false, None));
}

#[test]
fn quantifiers_range_over_the_cast() {
    let crowd = "procedure tick() = 1
        memory %b { @n = 0 }
        procedure up() = @n + 1 with @n := @n + 1
        cast %b = 2
        s [ agent($b, %b) = $x = up() then agent(go)
            agent($b, %b, go) = $x = up() ]";
    assert_broken(
        crowd,
        true,
        &[
            ("forall $b in %b : eventually done($b)", HOLDS),
            ("always count($b in %b : done($b)) < 2", Some(4)),
            ("never exists $b in %b : $b@n == 2", Some(2)),
            ("always ((exists $b in %b : $b in go) implies next 1 == 1)", HOLDS),
            ("never !B1 in go", Some(1)),
            ("always (!B1@n == 0 or !B1 in go or done(!B1))", HOLDS),
        ],
    );
}

#[test]
fn where_a_step_goes_wrong_the_run_ends() {
    let zero = "procedure half() = 1 / 0
        s [ agent(!A, %a) = $x = half() ]";
    assert_broken(zero, true, &[("eventually done(!A)", Some(0)), ("always not ended", HOLDS)]);
    assert_eq!(judged(zero, "eventually done(!A)", false), (false, None));
}

#[test]
fn what_is_cut_may_still_come() {
    let deep = "procedure tick() = 1
        s [ agent(!A, %a) = $x = tick() then agent(a) then $y = tick()
            agent(!A, %a, a) = $x = tick() then agent(a) then $y = tick() ]";
    assert_eq!(judged(deep, "eventually done(!A)", true), (true, None));
}
