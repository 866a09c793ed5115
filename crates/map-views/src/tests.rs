//! Small scenes whose answer is known for any number of agents.

use std::num::NonZeroUsize;

use map_check::{CastOverride, CheckOptions, check};
use map_compile::compile;
use map_diagnostics::SourceFile;
use map_ir::Program;
use map_semantics::Bounds;
use map_verify::{Limits, Snapshot, Tuning};

use crate::{
    AnyVerdict, Fault, Obstacle, ProofOptions, Refusal, Theorem, VisibleFacts, no_new_views_since, prove,
};

fn program(text: &str, count: u32) -> Option<Program> {
    let parsed = map_syntax::parse(&SourceFile::new("scene.map", text));
    let agents = vec![CastOverride { name: "member".to_owned(), count: i64::from(count) }];
    let (checked, _) = check(&parsed.file, &CheckOptions { agents, ..CheckOptions::default() });
    checked.map(|it| compile(&it))
}

/// The verdict for any number of members, from `from` on; up to `concrete` they are verified as they are.
fn verdict_from(text: &str, (from, concrete): (u32, u32), bounds: &Bounds) -> AnyVerdict {
    let limits =
        Limits { states: 10_000, memory: usize::MAX, threads: NonZeroUsize::MIN, tuning: Tuning::TINY };
    let options = ProofOptions { from, concrete, evidence: 0, limits, views: 10_000 };
    let answer = prove(&|count| program(text, count), "member", bounds, &options, &mut |_: &Snapshot| None);
    answer.expect("traces replay").verdict
}

fn verdict(text: &str) -> AnyVerdict {
    verdict_from(text, (1, 3), &Bounds::USUAL)
}

#[test]
fn a_server_that_answers_everybody_terminates() {
    let text = "cast %member = 1
        scene [
          agent(!Server, %server) =
            waitfor (ask() <= agent($who, %member) then answer() => agent($who, %member) then agent())
            timeout skip
          agent($me, %member) = ask() => agent(!Server, %server) then waitfor answer() <= agent(!Server, %server)
        ]";
    assert_eq!(verdict(text), AnyVerdict::Proved(Theorem::Terminates));
}

#[test]
fn one_answer_for_all_is_a_deadlock_with_two() {
    let text = "cast %member = 1
        scene [
          agent(!Server, %server) =
            waitfor (ask() <= agent($who, %member) then answer() => agent($who, %member))
          agent($me, %member) = ask() => agent(!Server, %server) then waitfor answer() <= agent(!Server, %server)
        ]";
    assert_eq!(verdict(text), AnyVerdict::Violated(2));
}

/// What goes wrong with four only is no proof, however few are verified.
#[test]
fn a_fault_with_many_is_not_proved_away() {
    let text = "cast %member = 1
        memory %server { @seen = 0 }
        procedure note() = yes with @seen := @seen + 1
        decision few() | @seen < 4 = yes
        scene [
          agent(!Server, %server) =
            waitfor (ask() <= agent(_, %member) then note() then agent()) timeout agent(check)
          agent(!Server, %server, check) = few()
          agent($me, %member) = ask() => agent(!Server, %server)
        ]";
    assert_eq!(verdict(text), AnyVerdict::NoProof(Obstacle::Fault(Fault::Failure)));
}

#[test]
fn everybody_may_ask_again_for_ever_and_may_stop() {
    let text = "cast %member = 1
        decision again()
        scene [
          agent(!Server, %server) =
            waitfor (ask() <= agent($who, %member) then answer() => agent($who, %member) then agent())
            timeout skip
          agent($me, %member) =
            ask() => agent(!Server, %server)
            then (waitfor answer() <= agent(!Server, %server))
            then ((again() then agent()) or skip)
        ]";
    let AnyVerdict::Proved(Theorem::TerminatesIfFair(habits)) = verdict(text) else { panic!("it can end") };
    assert_eq!(habits.len(), 1);
    assert!(!habits[0].1, "it ends if nobody asks again");
}

/// Nobody ends here: who says "no" asks again, and who says "yes" does, too.
#[test]
fn to_say_no_for_ever_is_no_way_to_end() {
    let text = "cast %member = 1
        decision again()
        scene [
          agent($me, %member) = waitfor (again() then agent())
        ]";
    assert_eq!(
        verdict_from(text, (4, 0), &Bounds::USUAL),
        AnyVerdict::Proved(Theorem::NothingGoesWrong),
        "with `again` saying no there is no step, but it does not end"
    );
    assert_eq!(verdict(text), AnyVerdict::Violated(1));
}

#[test]
fn counting_shows_that_all_have_answered() {
    let text = "cast %member = 1
        memory %server { @awaited = count(%member) }
        procedure note() = yes with @awaited := @awaited - 1
        decision all() | @awaited == 0 = yes
        scene [
          agent(!Server, %server) = call() => agent(_, %member) then agent(collect)
          agent(!Server, %server, collect) =
            waitfor (
              (all() then end() => agent(_, %member))
              or (reply() <= agent(_, %member) then note() then agent(collect)))
          agent($me, %member) =
            waitfor (call() <= agent(!Server, %server) then reply() => agent(!Server, %server)
              then (waitfor end() <= agent(!Server, %server)))
        ]";
    assert_eq!(verdict(text), AnyVerdict::Proved(Theorem::Terminates));
}

/// With one member seen, nothing tells two members that are not from one that says it twice.
#[test]
fn two_of_many_are_told_apart_where_two_are_seen() {
    let text = "cast %member = 2
        scene [
          agent(!Chair, %chair) =
            (waitfor second() <= agent(_, %member))
            then (waitfor second() <= agent(_, %member))
            then carried() => agent(_, %member)
          agent($me, %member) =
            second() => agent(!Chair, %chair) then waitfor carried() <= agent(!Chair, %chair)
        ]";
    assert_eq!(verdict_from(text, (2, 3), &Bounds::USUAL), AnyVerdict::Proved(Theorem::Terminates));
    // Two are verified by themselves.
    assert_eq!(verdict(text), AnyVerdict::Violated(1));
}

#[test]
fn what_views_cannot_show_is_refused() {
    let named = "cast %member = 1
        scene [
          agent(!Server, %server) = hello() => agent(!Member1, %member)
          agent($me, %member) = waitfor (hello() <= agent(_, _)) timeout skip
        ]";
    let refused = |refusal| AnyVerdict::NoProof(Obstacle::Refused(refusal));
    assert_eq!(verdict(named), refused(Refusal::Named));
    let plain = "cast %member = 1
        scene [
          agent(!Server, %server) = hello() => agent(_, %member)
          agent($me, %member) = waitfor (hello() <= agent(_, _)) timeout skip
        ]";
    let rounds = Bounds { rounds: Some(5), ..Bounds::USUAL };
    assert_eq!(verdict_from(plain, (1, 3), &rounds), refused(Refusal::Rounds));
}

#[test]
fn views_are_new_up_to_the_last_number_that_shows_some() {
    let seen = |views: &[usize]| {
        let number = |(place, &new_views): (usize, &usize)| VisibleFacts {
            agents: place as u32 + 1,
            states: 1,
            new_views,
            fullest: Vec::new(),
        };
        let seen: Vec<VisibleFacts> = views.iter().enumerate().map(number).collect();
        no_new_views_since(&seen)
    };
    assert_eq!(seen(&[]), None);
    assert_eq!(seen(&[3]), None);
    assert_eq!(seen(&[3, 1]), None);
    assert_eq!(seen(&[3, 0]), Some(1));
    assert_eq!(seen(&[3, 0, 2, 0, 0]), Some(3));
}
