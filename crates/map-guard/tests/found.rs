//! How soon played dialogues find the faults of the agents of `examples/trips`, and how small these dialogues become.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    reason = "it prints, and the nightly tests say how much"
)]

use std::convert::Infallible;
use std::sync::Arc;

use map_check::{CheckOptions, check};
use map_conform::{Roles, Scene, Settings};
use map_diagnostics::SourceFile;
use map_guard::{
    Budgets, Choices, Denial, Dialogue, Draft, Ending, Guard, ItemKind, Notice, OnSilent, Players, Policy,
    Rules, shrink,
};
use map_ir::{AgentId, Program};
use serde_json::{Value as Json, json};

const TRIPS: &str = include_str!("../../../examples/trips/trips.map");
const START: u64 = 1_000_000_000_000;
const SECOND: u64 = 1_000_000_000;

/// The most dialogues in which a fault is looked for.
const MAX_DIALOGUES: u64 = 1_000;
/// For how many seeds; `MAP_DIALOGUES` is another number.
const SEEDS: u64 = 5;
/// In which dialogue, in the middle of the seeds, every fault is found.
const SOON: u64 = 60;

/// What an agent wants to send: to whom, what, with which argument.
type Said = (&'static [&'static str], &'static str, Option<i64>);

/// What an agent has heard so far: performatives with their first arguments.
type Heard<'a> = &'a [(String, i64)];

/// An agent of which all behaviour is a function of what it has heard: everything that it wants to have said by then.
struct Agent {
    fault: &'static str,
    name: &'static str,
    says: fn(Heard<'_>) -> Vec<Said>,
}

const DESK: &[&str] = &["Desk"];
const HOTELS: &[&str] = &["Supplier2"];
const FLIGHTS: &[&str] = &["Supplier1"];
const BOTH: &[&str] = &["Supplier1", "Supplier2"];

/// A supplier that makes an offer for 4 if it can, and then does as it is told.
fn supplier(heard: Heard<'_>, offer: fn(i64) -> Vec<Said>) -> Vec<Said> {
    let mut said = Vec::new();
    if let Some((_, budget)) = heard.first() {
        said.extend(offer(*budget));
    }
    if let Some((order, _)) = heard.get(1) {
        said.push((DESK, if order == "book" { "booked" } else { "cancelled" }, None));
    }
    said
}

fn usual_offer(budget: i64) -> Vec<Said> {
    vec![if budget >= 4 { (DESK, "offer", Some(4)) } else { (DESK, "soldOut", None) }]
}

/// A desk with a budget of 5: whether it books, given the sum of two offers, and what it says then.
fn desk(heard: Heard<'_>, fits: fn(i64) -> bool, finish: fn(&'static str) -> Vec<Said>) -> Vec<Said> {
    let mut said: Vec<Said> = vec![(BOTH, "quote", Some(5))];
    let answers: Vec<&(String, i64)> = heard.iter().take(2).collect();
    if answers.len() == 2 {
        let is_complete = answers.iter().all(|(what, _)| what == "offer");
        let sum = answers.iter().map(|(_, price)| price).sum();
        said.extend(finish(if is_complete && fits(sum) { "book" } else { "cancel" }));
    }
    said
}

/// Those of the example, and three whose faults are rare.
const AGENTS: [Agent; 11] = [
    Agent {
        fault: "too expensive",
        name: "Supplier1",
        says: |heard| supplier(heard, |budget| vec![(DESK, "offer", Some(budget + 1))]),
    },
    Agent {
        fault: "too eager",
        name: "Supplier1",
        says: |heard| supplier(heard, |_| vec![(DESK, "booked", None)]),
    },
    Agent {
        fault: "vague",
        name: "Supplier1",
        says: |heard| supplier(heard, |_| vec![(DESK, "maybe", None)]),
    },
    Agent {
        fault: "talkative",
        name: "Supplier1",
        says: |heard| supplier(heard, |_| vec![(HOTELS, "offer", Some(1)), (DESK, "offer", Some(1))]),
    },
    Agent {
        fault: "insistent",
        name: "Supplier1",
        says: |heard| {
            let mut said = supplier(heard, usual_offer);
            if heard.len() == 2 {
                said.push((DESK, "offer", Some(1)));
            }
            said
        },
    },
    Agent {
        fault: "spendthrift",
        name: "Desk",
        says: |heard| desk(heard, |_| true, |order| vec![(BOTH, order, None)]),
    },
    Agent {
        fault: "stuttering",
        name: "Desk",
        says: |heard| {
            desk(
                heard,
                |sum| sum <= 5,
                |order| vec![(HOTELS, order, None), (HOTELS, order, None), (FLIGHTS, order, None)],
            )
        },
    },
    Agent {
        fault: "forgetful",
        name: "Desk",
        says: |heard| desk(heard, |sum| sum <= 5, |order| vec![(FLIGHTS, order, None)]),
    },
    Agent {
        fault: "too expensive for 10",
        name: "Supplier1",
        says: |heard| {
            supplier(heard, |budget| match budget {
                10 => vec![(DESK, "offer", Some(11))],
                _ => usual_offer(budget),
            })
        },
    },
    Agent {
        fault: "deaf to what is cancelled, for 4",
        name: "Supplier1",
        says: |heard| {
            let mut said = supplier(heard, usual_offer);
            if let [(_, 4), (order, _)] = heard
                && order == "cancel"
            {
                said.pop();
                said.push((DESK, "booked", None));
            }
            said
        },
    },
    Agent {
        fault: "books for a sum of 9",
        name: "Desk",
        says: |heard| desk(heard, |sum| sum <= 5 || sum == 9, |order| vec![(BOTH, order, None)]),
    },
];

fn trips() -> (Arc<Program>, Budgets) {
    let source = SourceFile::new("trips.map", TRIPS);
    let parsed = map_syntax::parse(&source);
    let (checked, diagnostics) = check(&parsed.file, &CheckOptions::default());
    let checked = checked.unwrap_or_else(|| panic!("{diagnostics:?}"));
    let mut program = map_compile::compile(&checked);
    let mut compiler = map_compile::PropertyCompiler::new(&checked, &mut program);
    for property in parsed.file.properties() {
        compiler.add(&property.name.text, &property.formula).expect("it can be compiled");
    }
    let budgets = Budgets::new(compiler.finish(), |_| true);
    (Arc::new(program), budgets)
}

/// Where dialogues are held with an agent.
struct Stage<'a> {
    agent: &'a Agent,
    guard: Guard,
    players: Players,
    tested: AgentId,
    now: u64,
    number: u64,
}

impl<'a> Stage<'a> {
    fn new(agent: &'a Agent) -> Self {
        let (program, budgets) = trips();
        let observed = budgets.observed(&program);
        let scene = Arc::new(Scene::new(Arc::clone(&program), Settings { observed, ..Settings::default() }));
        let tested = map_conform::agent_named(&program, agent.name).expect("it is in the cast");
        let mut policy = Policy::new(&program);
        policy.on_silent = OnSilent::Tell;
        policy.answers[tested.index()] = Some(10 * SECOND);
        policy.limits.conversations = usize::MAX;
        let guard = Guard::new(Rules::new(scene, Roles::new(&program), policy).with_budgets(budgets));
        Self { agent, guard, players: Players::new(&program, tested), tested, now: START, number: 0 }
    }

    /// Holds a dialogue: how the agent fails, if it does, and the choices.
    fn hold(&mut self, mut choices: Choices) -> (Option<String>, Vec<u32>) {
        self.number += 1;
        let name = self.number.to_string();
        let program = Arc::clone(self.guard.rules().scene.program());
        let names = program.cast().map(|agent| program.agent_name(agent).to_owned()).collect();
        let mut dialogue = Players::begin(&mut self.guard, self.now, &name, names).expect("it is new");
        let (mut heard, mut said, mut after) = (Vec::new(), 0, 0);
        let (mut failed, mut is_complete) = (None, false);
        for _ in 0..200 {
            if self.read_notices(&name, &mut failed, &mut is_complete) {
                break;
            }
            self.let_others_go_first(&mut dialogue, &mut choices);
            self.fetch(&name, &mut heard, &mut after);
            let Self { agent, guard, players, now, .. } = self;
            if let Some((to, performative, arg)) = (agent.says)(&heard).get(said) {
                said += 1;
                let draft = Draft {
                    performative: (*performative).to_owned(),
                    args: arg.iter().map(|arg| json!(arg)).collect(),
                    to: Some(to.iter().map(|&to| to.to_owned()).collect()),
                    key: None,
                };
                let sent = guard.send(*now, &name, agent.name, &draft);
                dialogue.look_at(guard);
                if let Err(denial) = sent {
                    failed = Some(kind(&denial));
                    break;
                }
            } else if is_complete {
                break;
            } else if !players.make_move(guard, *now, &mut dialogue, &mut choices) {
                *now = guard.next_due().unwrap_or(*now).max(*now);
                guard.advance(*now);
            }
        }
        self.guard.take_records();
        (failed, choices.made().to_vec())
    }

    fn let_others_go_first(&mut self, dialogue: &mut Dialogue, choices: &mut Choices) {
        let Self { guard, players, now, .. } = self;
        while players.can_move(guard, *now, dialogue) && choices.flip() {
            players.make_move(guard, *now, dialogue, choices);
        }
    }

    fn fetch(&mut self, name: &str, heard: &mut Vec<(String, i64)>, after: &mut u64) {
        let delivery = self.guard.receive(self.now, name, self.agent.name, *after, false);
        for item in delivery.into_iter().flat_map(|it| it.items) {
            *after = item.seq;
            if let ItemKind::Message { performative, args, .. } = &item.kind {
                let first = args.first().and_then(Json::as_i64).unwrap_or_default();
                heard.push((performative.clone(), first));
            }
        }
    }

    /// Reads the notices of a dialogue: whether it has ended. An agent that is silent has failed.
    fn read_notices(&mut self, name: &str, failed: &mut Option<String>, is_complete: &mut bool) -> bool {
        let tested = self.guard.rules().scene.program().agent_name(self.tested).to_owned();
        let mut has_ended = false;
        while let Some(notice) = self.guard.next_notice() {
            match notice {
                Notice::Silent { conversation, agent, .. } if conversation == name && agent == tested => {
                    *failed = Some("silent".to_owned());
                    has_ended = true;
                }
                // What is said when all is over is a fault, too.
                Notice::Closed { conversation, why: Ending::Complete, .. } => {
                    *is_complete |= conversation == name;
                }
                Notice::Closed { conversation, .. } | Notice::Stuck { conversation, .. } => {
                    has_ended |= conversation == name;
                }
                _ => {}
            }
        }
        has_ended
    }

    /// After how many dialogues the agent fails, and how; with the choices of the last one.
    fn first_failure(agent: &'a Agent, draw: fn(u64) -> Choices, seed: u64) -> (u64, String, Vec<u32>) {
        let mut stage = Stage::new(agent);
        for number in 0..MAX_DIALOGUES {
            let (failed, choices) = stage.hold(draw(map_simulate::seed_of_run(seed, number)));
            if let Some(kind) = failed {
                return (number + 1, kind, choices);
            }
        }
        panic!("{} is not found in {MAX_DIALOGUES} dialogues", agent.fault)
    }
}

fn kind(denial: &Denial) -> String {
    match denial {
        Denial::Refused(refusal) => format!("{:?}", refusal.kind),
        Denial::Misused(misuse) => format!("{:?}", misuse.kind),
    }
}

fn median(mut numbers: Vec<u64>) -> u64 {
    numbers.sort_unstable();
    numbers[numbers.len() / 2]
}

fn seeds() -> u64 {
    std::env::var("MAP_DIALOGUES").ok().and_then(|count| count.parse().ok()).unwrap_or(SEEDS)
}

#[test]
fn faults_are_found_soon() {
    for agent in &AGENTS {
        let first = |draw: fn(u64) -> Choices| {
            let all = (0..seeds()).map(|seed| Stage::first_failure(agent, draw, seed).0).collect();
            median(all)
        };
        let (preferred, even) = (first(Choices::drawn), first(Choices::drawn_evenly));
        println!("{}: dialogue {preferred}, without preference {even}", agent.fault);
        assert!(preferred <= SOON, "{}: {preferred}, without preference {even}", agent.fault);
    }
}

/// What is found is found because of the fault.
#[test]
fn agents_without_a_fault_do_not_fail() {
    let agents = [
        Agent { fault: "none", name: "Supplier1", says: |heard| supplier(heard, usual_offer) },
        Agent {
            fault: "none",
            name: "Desk",
            says: |heard| desk(heard, |sum| sum <= 5, |order| vec![(BOTH, order, None)]),
        },
    ];
    for agent in &agents {
        let mut stage = Stage::new(agent);
        for seed in 0..50 {
            let (failed, choices) = stage.hold(Choices::drawn(seed));
            assert_eq!(failed, None, "{}: {choices:?}", agent.name);
        }
    }
}

/// The longest list of choices than which all shorter ones are tried.
const LONGEST: usize = 4;

/// The next list of the same length with numbers below `base`; `None` after the last.
fn next(mut list: Vec<u32>, base: u32) -> Option<Vec<u32>> {
    for number in list.iter_mut().rev() {
        *number += 1;
        if *number < base {
            return Some(list);
        }
        *number = 0;
    }
    None
}

#[test]
fn no_smaller_dialogue_fails_like_one_that_was_shrunk() {
    let mut searched = 0;
    for agent in &AGENTS {
        let (_, kind, choices) = Stage::first_failure(agent, Choices::drawn, 1);
        let mut stage = Stage::new(agent);
        let mut fails = |choices: &[u32]| {
            let (failed, _) = stage.hold(Choices::given(choices.to_vec()));
            failed.as_deref() == Some(&*kind)
        };
        let shrunk = shrink::<Infallible>(choices.clone(), &mut |choices| Ok(fails(choices)));
        let shrunk = shrunk.unwrap_or_else(|never| match never {});
        println!("{}, {kind}: {} choices, shrunk to {shrunk:?}", agent.fault, choices.len());
        assert!(fails(&shrunk), "{}", agent.fault);
        if shrunk.len() > LONGEST {
            continue;
        }
        searched += 1;
        for length in 0..shrunk.len() {
            let mut list = Some(vec![0; length]);
            while let Some(choices) = list {
                assert!(!fails(&choices), "{}: {choices:?} is smaller than {shrunk:?}", agent.fault);
                list = next(choices, 10);
            }
        }
    }
    assert!(searched >= 9, "{searched} were searched");
}
