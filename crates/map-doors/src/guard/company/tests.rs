//! Who is played, and that seed and requests determine what is done.

use std::sync::Arc;

use map_check::{CheckOptions, check};
use map_conform::{Roles, Scene, Settings};
use map_diagnostics::SourceFile;
use map_guard::{Guard, Policy, Record, Rules};
use map_ir::AgentId;
use map_json::guard::GuardRequest;
use serde_json::{from_value, json};

use super::{Company, PlayedAgents};

const NOW: u64 = 1_000_000_000;

/// Somebody asks two others, who say yes or no; and goes on asking.
const TEXT: &str = "s[
    agent(!A, %a) = ask() => agent(_, %b) then agent(heard)
    agent(!A, %a, heard) = waitfor (yes($x) <= agent(_, %b) or no() <= agent(_, %b)) then agent()
    agent($me, %b) = waitfor (ask() <= agent(!A, %a)) then (yes(1) => agent(!A, %a) or no() => agent(!A, %a)) then agent()
]
cast %b = 2";

fn guard() -> Guard {
    let source = SourceFile::new("s.map", TEXT);
    let parsed = map_syntax::parse(&source);
    let (checked, diagnostics) = check(&parsed.file, &CheckOptions::default());
    let checked = checked.unwrap_or_else(|| panic!("{diagnostics:?}"));
    let program = Arc::new(map_compile::compile(&checked));
    let scene = Arc::new(Scene::new(Arc::clone(&program), Settings::default()));
    Guard::new(Rules::new(scene, Roles::new(&program), Policy::new(&program)))
}

fn receive(conversation: &str, agent: &str) -> GuardRequest {
    from_value(json!({"do": "receive", "conversation": conversation, "as": agent})).expect("it is a request")
}

/// What a guard records while an agent asks for its messages in some conversations.
fn records(seed: u64) -> Vec<String> {
    let mut guard = guard();
    let mut company = Company::new(guard.rules().scene.program(), PlayedAgents::Absent, seed);
    for number in 0..5 {
        let conversation = format!("c{number}");
        for _ in 0..4 {
            company.next_turn(&mut guard, NOW, true);
            company.before(&mut guard, NOW, &receive(&conversation, "B1")).expect("it is not played");
            company.go_on(&mut guard, NOW, &conversation);
        }
    }
    guard.take_records().iter().map(Record::to_line).collect()
}

#[test]
fn seed_and_requests_determine_what_is_played() {
    let all: Vec<Vec<String>> = (1..=4).map(records).collect();
    assert_eq!(all, (1..=4).map(records).collect::<Vec<_>>());
    assert!(all.iter().any(|other| *other != all[0]), "{all:?}");
    assert!(all[0].iter().any(|line| line.contains("\"ask\"")), "{:?}", all[0]);
    // Who asks is not played.
    assert!(!all.concat().iter().any(|line| line.contains("\"from\":\"B1\"")), "{all:?}");
}

#[test]
fn played_agents_that_never_end_let_others_speak() {
    let mut guard = guard();
    let mut company = Company::new(guard.rules().scene.program(), PlayedAgents::Absent, 1);
    company.wake(&mut guard, NOW, "c");
    company.next_turn(&mut guard, NOW, true);
    let records = guard.take_records().len();
    // All three are played, and go on for ever once nobody asks for anything.
    company.next_turn(&mut guard, 3 * NOW, false);
    assert!(guard.take_records().len() > records + 100);
    assert!(!company.go_on(&mut guard, 3 * NOW, "c"), "they have had their turn");
    company.next_turn(&mut guard, 3 * NOW, true);
    assert!(company.go_on(&mut guard, 3 * NOW, "c"));
    company.leave("c");
    assert!(!company.go_on(&mut guard, 3 * NOW, "c"));
}

#[test]
fn who_is_played_in_any_case_is_not_spoken_for() {
    let mut guard = guard();
    let mut company =
        Company::new(guard.rules().scene.program(), PlayedAgents::These(vec![AgentId::new(0)]), 1);
    assert_eq!(company.played(), [AgentId::new(0)]);
    let refused = company.before(&mut guard, NOW, &receive("c", "!A"));
    assert!(refused.is_err_and(|text| text.contains("is played by the guard")));
    assert!(company.before(&mut guard, NOW, &receive("c", "B2")).is_ok());
}
