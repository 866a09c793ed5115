//! What this search says against what the search of single states says, and when it says nothing.

use std::num::NonZeroUsize;

use map_semantics::Bounds;
use map_testkit::oracle::OracleOptions;
use map_testkit::scenes::{chatty_scene, random_options, random_scene};

use super::verify;
use crate::reduced::fixture::{bounds, program};
use crate::report::{Limit, Limits, Report, Snapshot, StoreKind, Verdict};
use crate::search::one_by_one;

const LIMITS: Limits =
    Limits { states: 20_000, memory: 1 << 30, threads: NonZeroUsize::MIN, store: StoreKind::Exact };

fn unwatched(_: &Snapshot) -> Option<Limit> {
    None
}

/// What this search says of a scene by so many threads, and what the other one says.
fn both(text: &str, options: &OracleOptions, threads: usize) -> (Option<Report>, Report) {
    let program = program(text);
    let bounds = bounds(&program, options);
    let limits = Limits { threads: NonZeroUsize::new(threads).expect("some"), ..LIMITS };
    let said = verify(&program, &bounds, &limits, &mut unwatched);
    let other = one_by_one(&program, &bounds, &LIMITS, false, &mut unwatched);
    (said, other.expect("traces can be repeated"))
}

/// It must say the same if it says anything; whether it does, and whether the scene terminates with nothing cut.
fn agree(name: &str, text: &str, options: &OracleOptions, threads: usize) -> (bool, bool) {
    let (said, other) = both(text, options, threads);
    if let Some(said) = &said {
        said.assert_same(&other, &format!("{name}, {threads} threads, {options:?}\n{text}"));
    }
    (said.is_some(), other.verdict == Verdict::Terminates && other.complete)
}

#[test]
fn what_is_said_of_random_scenes_is_said_by_the_other_search() {
    const SCENES: u64 = 600;
    let (mut said, mut terminating, mut states) = (0, 0, 0);
    for seed in 1..=SCENES {
        let options = OracleOptions { rounds_of: Vec::new(), ..random_options(seed) };
        let scene = if seed % 2 == 0 { random_scene(seed) } else { chatty_scene(seed) };
        for threads in 1..=3 {
            let (is_said, terminates) = agree(&format!("seed {seed}"), &scene, &options, threads);
            said += usize::from(is_said);
            terminating += usize::from(terminates);
        }
        states = states.max(both(&scene, &options, 1).1.statistics.states);
    }
    assert!(said > 250, "{said} of {terminating} said");
    assert!(10 * said > 9 * terminating, "{said} of {terminating} said");
    assert!(states > 1_000, "{states} states at most");
}

/// A scene of two who say so much to each other.
fn talk(first: &str, second: &str) -> String {
    format!(
        "decision yes()
         talk[ agent(!One, %one) = {first}
               agent(!Two, %two) = {second} ]"
    )
}

fn said(text: &str) -> Option<Report> {
    both(text, &OracleOptions { mailbox: 3, ..OracleOptions::new(0) }, 2).0
}

const HELLO: &str = "hello() => agent(!Two, %two)";

#[test]
fn a_scene_that_ends_well_terminates() {
    let text = talk(HELLO, "waitfor (hello() <= agent(!One, %one))");
    let report = said(&text).expect("it terminates");
    assert_eq!((report.verdict, report.complete, report.searched), (Verdict::Terminates, true, true));
    assert_eq!((report.statistics.states, report.statistics.transitions, report.statistics.depth), (3, 2, 2));
}

#[test]
fn nothing_is_said_of_what_goes_wrong_or_is_cut_or_may_go_on_for_ever() {
    let forever = format!("{HELLO} then waitfor (hello() <= agent(!Two, %two) then agent())");
    for (first, second) in [
        // A deadlock.
        (HELLO.to_owned(), "waitfor (goodbye() <= agent(!One, %one))"),
        // A failure: it does not wait.
        (HELLO.to_owned(), "hello() <= agent(!One, %one)"),
        // A mailbox that overflows.
        ([HELLO; 4].join(" then "), "waitfor (goodbye() <= agent(!One, %one))"),
        // A run that does not end.
        (forever, "waitfor (hello() <= agent(!One, %one) then hello() => agent(!One, %one) then agent())"),
    ] {
        let text = talk(&first, second);
        let (said, other) = both(&text, &OracleOptions { mailbox: 3, ..OracleOptions::new(0) }, 1);
        assert!(said.is_none(), "{text}");
        assert!(other.verdict != Verdict::Terminates && other.statistics.states > 1, "{text}: {other:?}");
    }
    // Something that is cut.
    let deep = talk(
        "($yes = yes() then agent() then hello() => agent(!Two, %two)) or hello() => agent(!Two, %two)",
        "waitfor (hello() <= agent(!One, %one))",
    );
    let (said, other) = both(&deep, &OracleOptions { depth: 3, mailbox: 9, ..OracleOptions::new(0) }, 1);
    assert!(said.is_none() && !other.cut_by.is_empty(), "{other:?}");
}

#[test]
fn nothing_is_said_where_a_limit_is_passed_and_what_was_seen_where_time_runs_out() {
    let text = talk(
        "($yes = yes() then hello() => agent(!Two, %two)) or goodbye() => agent(!Two, %two)",
        "waitfor (hello() <= agent(!One, %one) or goodbye() <= agent(!One, %one))",
    );
    let program = program(&text);
    let bounds: Bounds = bounds(&program, &OracleOptions { mailbox: 3, ..OracleOptions::new(0) });
    let under = |limits: Limits| verify(&program, &bounds, &limits, &mut unwatched);
    let all = under(LIMITS).expect("it terminates").statistics.states;
    assert!(all > 3);
    assert_eq!(under(Limits { states: all, ..LIMITS }).map(|it| it.statistics.states), Some(all));
    assert!(under(Limits { states: all - 1, ..LIMITS }).is_none());
    assert!(under(Limits { memory: 1, ..LIMITS }).is_none());
    assert!(under(Limits { store: StoreKind::Fingerprint, ..LIMITS }).is_none());
    let mut looks = 0;
    let report = loop {
        let mut left = looks;
        let mut clock = |_: &Snapshot| {
            left -= i32::from(left >= 0);
            (left < 0).then_some(Limit::Time)
        };
        let report =
            verify(&program, &bounds, &LIMITS, &mut clock).expect("time is no matter of what is seen");
        if report.limit.is_none() {
            break report;
        }
        assert_eq!(
            (report.verdict, report.complete, report.limit),
            (Verdict::Inconclusive, false, Some(Limit::Time))
        );
        looks += 1;
    };
    assert!(looks > report.statistics.depth as i32, "{looks} looks");
    assert_eq!(report.statistics.states, all);
}
