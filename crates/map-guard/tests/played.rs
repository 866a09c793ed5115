//! Dialogues of the library in which all agents are played: nothing is refused, and what can be covered is.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    reason = "it prints, and the nightly tests say how much"
)]

use std::num::NonZeroUsize;
use std::sync::Arc;

use map_check::{CheckOptions, check};
use map_conform::{Roles, Scene, Settings};
use map_diagnostics::SourceFile;
use map_guard::{
    Branch, BranchCoverage, BranchState, Choices, Ending, Entry, Guard, Notice, Players, Policy, Rules,
};
use map_ir::{AgentId, Program};
use map_library::PROTOCOLS;
use map_semantics::{Bounds, Timeouts};
use map_verify::{Limit, Limits, Progress, Snapshot, Tuning, UnusedParts, verify};

const START: u64 = 1_000_000_000_000;

fn program(name: &str, text: &str) -> Program {
    let source = SourceFile::new(name, text);
    let parsed = map_syntax::parse(&source);
    let (checked, diagnostics) = check(&parsed.file, &CheckOptions::default());
    map_compile::compile(&checked.unwrap_or_else(|| panic!("{name}: {diagnostics:?}")))
}

struct NoClock;

impl Progress for NoClock {
    fn tick(&mut self, _: &Snapshot) -> Option<Limit> {
        None
    }
}

/// What no run does in which time runs out only when nobody can do anything else, as in these dialogues; `None` if
/// there are too many states.
fn unused(scene: &Scene) -> Option<UnusedParts> {
    let bounds = Bounds { timeouts: Timeouts::Quiescent, ..scene.bounds().clone() };
    let limits =
        Limits { states: 20_000, memory: 256 << 20, threads: NonZeroUsize::MIN, tuning: Tuning::SHIPPED };
    let report = verify(scene.program(), &bounds, &limits, true, &mut NoClock).expect("it searches");
    report.is_exhaustive().then_some(report.unused)
}

/// How a dialogue ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Complete,
    Stuck,
    TooLong,
}

struct Theatre {
    guard: Guard,
    others: Players,
    tested: Players,
    coverage: BranchCoverage,
    now: u64,
}

impl Theatre {
    fn new(program: &Arc<Program>, scene: &Arc<Scene>, agent: AgentId) -> Self {
        let rules = Rules::new(Arc::clone(scene), Roles::new(program), Policy::new(program));
        Self {
            guard: Guard::new(rules),
            others: Players::new(program, agent),
            tested: Players::of(vec![agent], agent),
            coverage: BranchCoverage::new(program, agent),
            now: START,
        }
    }

    fn hold(&mut self, seed: u64, mut choices: Choices) -> End {
        let Self { guard, others, tested, coverage, now } = self;
        let program = guard.rules().program();
        let names: Vec<String> = program.cast().map(|agent| program.agent_name(agent).to_owned()).collect();
        let name = seed.to_string();
        let mut dialogue = Players::begin(guard, *now, &name, names).expect("it is new");
        let mut end = End::TooLong;
        for _ in 0..500 {
            while let Some(notice) = guard.next_notice() {
                match notice {
                    Notice::Closed { conversation, why: Ending::Complete, .. } if conversation == name => {
                        end = End::Complete;
                    }
                    Notice::Stuck { conversation, .. } if conversation == name => end = End::Stuck,
                    _ => {}
                }
            }
            if end != End::TooLong {
                break;
            }
            let pair =
                if choices.flip() { [&mut *others, &mut *tested] } else { [&mut *tested, &mut *others] };
            let has_moved =
                pair.into_iter().any(|players| players.make_move(guard, *now, &mut dialogue, &mut choices));
            if !has_moved {
                *now = guard.next_due().unwrap_or(*now).max(*now);
                guard.advance(*now);
            }
        }
        coverage.add_dialogue(&dialogue, end == End::Complete);
        end
    }
}

impl Theatre {
    /// The branches that some run takes and no dialogue has taken yet.
    fn missed(&self, unused: &UnusedParts) -> Vec<Branch> {
        let program = self.guard.rules().program();
        let is_reached = |branch| match branch {
            Branch::Clause(clause) => unused.entered.contains(&clause),
            Branch::Region(region) => {
                let points = &program.regions[region].points;
                unused.ran.iter().any(|point| points.contains(&point.index()))
            }
        };
        self.coverage
            .iter()
            .filter(|&(branch, taken)| taken == BranchState::Missed && is_reached(branch))
            .map(|(branch, _)| branch)
            .collect()
    }
}

/// In which dialogue each branch that some run takes is first taken, with `draw`; 200 if in none.
fn first_taken(theatre: &mut Theatre, unused: &UnusedParts, draw: fn(u64) -> Choices) -> Vec<(Branch, u64)> {
    let mut all: Vec<(Branch, u64)> =
        theatre.missed(unused).into_iter().map(|branch| (branch, 200)).collect();
    for number in 1..=200 {
        let before = theatre.missed(unused);
        if before.is_empty() {
            break;
        }
        theatre.hold(number, draw(number));
        let after = theatre.missed(unused);
        for (branch, first) in &mut all {
            if before.contains(branch) && !after.contains(branch) {
                *first = number;
            }
        }
    }
    all
}

/// A fault in a branch is found when the branch is taken. `MAP_ALL_TEXTS` looks at the whole library.
#[test]
fn branches_are_taken_sooner_than_by_chance() {
    let all_texts = std::env::var_os("MAP_ALL_TEXTS").is_some();
    let mut rare: Vec<(u64, u64)> = Vec::new();
    for protocol in PROTOCOLS.iter().step_by(if all_texts { 1 } else { 12 }) {
        let program = Arc::new(program(protocol.name, protocol.right.text));
        let scene = Arc::new(Scene::new(Arc::clone(&program), Settings::default()));
        let Some(unused) = unused(&scene) else { continue };
        for part in &program.parts {
            let first = |draw: fn(u64) -> Choices| {
                first_taken(&mut Theatre::new(&program, &scene, part.agents[0]), &unused, draw)
            };
            let (preferred, even) = (first(Choices::drawn), first(Choices::drawn_evenly));
            for ((branch, preferred), (_, even)) in preferred.into_iter().zip(even) {
                if even > 5 && (preferred, even) != (200, 200) {
                    println!("{} {branch:?}: dialogue {preferred}, without preference {even}", protocol.name);
                    rare.push((preferred, even));
                }
            }
        }
    }
    let sum = |of: fn(&(u64, u64)) -> u64| rare.iter().map(of).sum::<u64>();
    let (preferred, even) = (sum(|it| it.0), sum(|it| it.1));
    println!(
        "{} branches that are rare by chance: {preferred} dialogues, without preference {even}",
        rare.len()
    );
    assert!(preferred <= even, "{rare:?}");
}

/// How many branches that the search reaches none of 200 dialogues is known to have taken. What they do another way
/// does, too: `failure` is sent when time runs out and after a "no", and whether a bidder that was told the price read
/// that or only what came after it nobody sees.
const MISSED: &[(&str, &str, usize)] = &[
    ("fipa-request-when", "participant", 2),
    ("fipa-subscribe", "publisher", 3),
    ("reverse-auction", "bidder", 2),
    ("satellite-pass", "user", 1),
];

#[test]
fn small_protocols_of_the_library_are_covered() {
    let (mut dialogues, mut all_missed) = (Vec::new(), Vec::new());
    for protocol in PROTOCOLS {
        let program = Arc::new(program(protocol.name, protocol.right.text));
        let scene = Arc::new(Scene::new(Arc::clone(&program), Settings::default()));
        let Some(unused) = unused(&scene) else { continue };
        for part in &program.parts {
            let who = format!("{} %{}", protocol.name, program.role_name(part.role));
            // What one agent of a role cannot do another may: a node with the lowest number never leads.
            let new = |&agent| Theatre::new(&program, &scene, agent);
            let mut theatres: Vec<Theatre> = part.agents.iter().map(new).collect();
            let missed_by_all = |theatres: &[Theatre]| {
                let mut all = theatres[0].missed(&unused);
                all.retain(|branch| theatres.iter().all(|it| it.missed(&unused).contains(branch)));
                all
            };
            let mut seed = 0;
            while seed < 200 && !missed_by_all(&theatres).is_empty() {
                let theatre = &mut theatres[seed as usize % part.agents.len()];
                assert_eq!(theatre.hold(seed, Choices::drawn(seed)), End::Complete, "{who}");
                seed += 1;
            }
            for theatre in &mut theatres {
                let records = theatre.guard.take_records();
                assert!(!records.iter().any(|it| matches!(it.entry, Entry::Refused { .. })), "{who}");
            }
            let role = program.role_name(part.role);
            let missed = missed_by_all(&theatres);
            for branch in &missed {
                let span = match branch {
                    Branch::Clause(clause) => program.clause(*clause).span,
                    Branch::Region(region) => program.regions[*region].span,
                };
                println!("{who}: {:?}", &protocol.right.text[span.start as usize..span.end as usize]);
            }
            if !missed.is_empty() {
                all_missed.push((protocol.name, role.to_owned(), missed.len()));
            }
            dialogues.push(seed);
        }
    }
    let known = MISSED.iter().map(|&(protocol, role, missed)| (protocol, role.to_owned(), missed));
    all_missed.sort_unstable();
    let mut known: Vec<(&str, String, usize)> = known.collect();
    known.sort_unstable();
    assert_eq!(all_missed, known);
    dialogues.sort_unstable();
    assert!(dialogues[dialogues.len() / 2] <= 10, "{dialogues:?}");
}
