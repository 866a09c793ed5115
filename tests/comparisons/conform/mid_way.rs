//! Logs without their first lines: with whatever beginning, nobody is blamed for it.

use std::sync::Arc;

use map_conform::{Arrivals, Beginnings, LoggedMessage, Report, Settings, Verdict, performative_named};
use map_ir::{Body, Program};
use map_semantics::Message;
use map_testkit::oracle::OracleOptions;
use map_testkit::scenes::Random;
use map_tests::random::{Comparison, Counts, Kind, Scene};

use super::moves::{Moves, universe};
use super::naive::{Found, Naive, random_log};
use super::{Line, damage, reported, shown};

pub(super) const COMPARISON: Comparison = Comparison {
    name: "monitors-mid-way",
    kind: Kind::Any,
    scenes: 60,
    compare,
    enough: |counts, _| {
        let scenes = counts.of("scenes");
        counts.of("cut logs") > 4 * scenes
            && counts.of("violated") > scenes / 8
            && counts.of("hints") > scenes / 16
    },
};

fn report(program: &Program, arrivals: Arrivals, beginnings: Beginnings, log: &[Line]) -> Report {
    reported(program, Settings { arrivals, beginnings, limit: 300, ..Settings::default() }, log)
}

fn compare(scene: &Scene, counts: &mut Counts) {
    let Scene { seed, program, .. } = scene;
    if program.procedures.iter().any(|it| it.body == Body::Fresh) {
        return;
    }
    counts.one("scenes");
    let values = universe(program);
    let mut moves = Moves::new(std::slice::from_ref(program), &values);
    for (index, arrivals) in Arrivals::ALL.into_iter().enumerate() {
        let mut random = Random::new(*seed, 71 + index as u64);
        let mut log = random_log(program, arrivals, &mut random);
        // A log that has a run is one, damaged or not.
        let is_damaged = random.percent(50);
        if is_damaged {
            damage(program, &mut log, &mut random);
        }
        let has_run =
            !is_damaged || matches!(Naive::search(&mut moves, arrivals, &log), Found::Explained { .. });
        for first in 0..log.len() {
            let rest = &log[first..];
            let joined = report(program, arrivals, Beginnings::Before, rest);
            let unsure = report(program, arrivals, Beginnings::Unsure, rest);
            let show = || format!("{arrivals:?}, from line {}\n{}", first + 1, shown(program, &log));
            if has_run {
                assert_ne!(joined.verdict, Verdict::Violated, "{}", show());
            }
            // Where the first line fits, the log is taken to be whole.
            let begins_there = unsure.violations.iter().any(|violation| violation.mark.line == 1);
            if begins_there {
                assert_eq!(unsure.possibly, joined.verdict != Verdict::Violated, "{}", show());
            }
            counts.add("violated", usize::from(joined.verdict == Verdict::Violated));
            counts.add("inconclusive", usize::from(joined.verdict == Verdict::Inconclusive));
            counts.add("hints", usize::from(unsure.fits_mid_way));
            counts.one("cut logs");
        }
    }
}

/// Nobody is blamed for the rest of a log from this line on, counted from 0, however messages arrive.
fn clears(text: &str, log: &[(&str, &str, &str)], first: usize) {
    let scene = Scene::new(0, text.to_owned(), OracleOptions::new(1_000));
    let program = &scene.program;
    let agent = |name: &str| program.cast().find(|&it| program.agent_name(it) == name).expect("it is there");
    let line = |&(from, performative, to): &(&str, &str, &str)| {
        let performative = performative_named(program, performative, 0).expect("it is in the file");
        let from = agent(from);
        let message = Arc::new(Message { performative, sender: from, arguments: Vec::new() });
        Line::Send(LoggedMessage { from, to: vec![agent(to)], message, id: None })
    };
    let log: Vec<Line> = log.iter().map(line).collect();
    for arrivals in [Arrivals::Sent, Arrivals::Late, Arrivals::Unordered] {
        let found = report(program, arrivals, Beginnings::Before, &log[first..]);
        assert_ne!(found.verdict, Verdict::Violated, "{arrivals:?}: {found:?}");
    }
}

#[test]
fn what_came_before_the_log_is_taken_though_something_newer_is_there() {
    let text = "scene [
        agent($me, %a) = ask() => agent(!B, %b) then (waitfor say() <= agent(!B, %b))
        agent(!B, %b) = agent(loop)
        agent(!B, %b, loop) = (waitfor ask() <= agent($who, %a)) then say() => agent($who, %a) then agent(loop) ]
        cast %a = 2";
    let log = [("A1", "ask", "B"), ("A2", "ask", "B"), ("B", "say", "A1"), ("B", "say", "A2")];
    clears(text, &log, 1);
}

#[test]
fn a_log_may_begin_between_the_copies_of_a_message() {
    let text = "scene [
        agent(!A, %a) = hear() => agent(_, %b) then
            (waitfor tell() <= agent(!C, %c) timeout late() => agent(!C, %c))
        agent($me, %b) = waitfor hear() <= agent(!A, %a)
        agent(!C, %c) = tell() => agent(!A, %a) then (waitfor late() <= agent(!A, %a) timeout skip) ]
        cast %b = 2";
    // Time ran out before tell() came, and that came before the second copy.
    let log = [("A", "hear", "B1"), ("C", "tell", "A"), ("A", "hear", "B2"), ("A", "late", "C")];
    clears(text, &log, 1);
}
