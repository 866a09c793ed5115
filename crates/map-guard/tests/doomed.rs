//! Dialogues of the library in which a guard looks ahead: what dooms them is refused, and nothing else.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    reason = "it prints, and the nightly tests say how much"
)]

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};

use map_check::{CheckOptions, check};
use map_conform::{Roles, Scene, Settings};
use map_diagnostics::SourceFile;
use map_guard::{Choices, Ending, Foresight, Guard, Notice, OnDoomed, Outlook, Players, Policy, Rules};
use map_ir::{AgentId, Program};
use map_library::PROTOCOLS;
use map_semantics::{Bounds, SceneState};
use map_verify::{GoodEnds, Limits, Tuning, good_ends};

const START: u64 = 1_000_000_000_000;

/// The dialogues of each text; `MAP_DIALOGUES` is another number.
const DIALOGUES: u64 = 3;

fn program(name: &str, text: &str) -> Program {
    let source = SourceFile::new(name, text);
    let parsed = map_syntax::parse(&source);
    let (checked, diagnostics) = check(&parsed.file, &CheckOptions::default());
    map_compile::compile(&checked.unwrap_or_else(|| panic!("{name}: {diagnostics:?}")))
}

/// Looks states up in a search of the scene.
#[derive(Clone)]
struct Ends(Arc<Mutex<GoodEnds<'static>>>);

impl Ends {
    /// `None` if there are too many states. What is kept is never freed: a test ends soon.
    fn of(program: &Program) -> Option<Self> {
        let program: &'static Program = Box::leak(Box::new(program.clone()));
        let limits =
            Limits { states: 5_000, memory: 256 << 20, threads: NonZeroUsize::MIN, tuning: Tuning::SHIPPED };
        let bounds: &'static Bounds = Box::leak(Box::new(Bounds::USUAL));
        let found = good_ends(program, bounds, &limits, &mut |_: &_| None);
        found.expect("it searches").ok().map(|ends| Self(Arc::new(Mutex::new(ends))))
    }
}

impl Foresight for Ends {
    fn outlook(&self) -> Outlook {
        Outlook::Mixed
    }

    fn good_ends(&self, states: Vec<SceneState>) -> Option<Vec<bool>> {
        let mut ends = self.0.lock().expect("nothing panics while it is locked");
        states.iter().map(|state| ends.can_be_reached_from(state)).collect()
    }
}

/// How dialogues ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Ended {
    complete: u64,
    stuck: u64,
    /// Somebody may send something, and whatever it is would doom the dialogue.
    held_back: u64,
    too_long: u64,
}

fn hold(guard: &mut Guard, players: &mut Players, now: &mut u64, seed: u64, ended: &mut Ended) {
    let program = guard.rules().program();
    let names: Vec<String> = program.cast().map(|agent| program.agent_name(agent).to_owned()).collect();
    let mut dialogue = Players::begin(guard, *now, &seed.to_string(), names).expect("it is new");
    let mut choices = Choices::drawn(seed);
    for _ in 0..500 {
        while let Some(notice) = guard.next_notice() {
            let count = match notice {
                Notice::Closed { why: Ending::Complete, .. } => &mut ended.complete,
                Notice::Closed { .. } => &mut ended.held_back,
                Notice::Stuck { .. } => &mut ended.stuck,
                _ => continue,
            };
            *count += 1;
            return;
        }
        if !players.make_move(guard, *now, &mut dialogue, &mut choices) {
            *now = guard.next_due().unwrap_or(*now).max(*now);
            guard.advance(*now);
        }
    }
    ended.too_long += 1;
}

fn hold_all(program: &Arc<Program>, ends: &Ends, on_doomed: OnDoomed, dialogues: u64) -> Ended {
    let scene = Arc::new(Scene::new(Arc::clone(program), Settings::default()));
    let policy = Policy { on_doomed, ..Policy::new(program) };
    let rules = Rules::new(scene, Roles::new(program), policy).with_foresight(Box::new(ends.clone()));
    let mut guard = Guard::new(rules);
    let mut players = Players::of(program.cast().collect(), AgentId::new(0));
    let (mut now, mut ended) = (START, Ended::default());
    for seed in 0..dialogues {
        hold(&mut guard, &mut players, &mut now, seed, &mut ended);
    }
    ended
}

#[test]
fn what_dooms_a_dialogue_is_refused_and_nothing_else() {
    let dialogues =
        std::env::var("MAP_DIALOGUES").ok().and_then(|count| count.parse().ok()).unwrap_or(DIALOGUES);
    let (mut texts, mut without, mut with) = (0, Ended::default(), Ended::default());
    let add = |sum: &mut Ended, more: Ended| {
        sum.complete += more.complete;
        sum.stuck += more.stuck;
        sum.held_back += more.held_back;
        sum.too_long += more.too_long;
    };
    for protocol in PROTOCOLS {
        let right = Arc::new(program(protocol.name, protocol.right.text));
        if let Some(ends) = Ends::of(&right) {
            let all = Ended { complete: dialogues, ..Ended::default() };
            assert_eq!(hold_all(&right, &ends, OnDoomed::Refuse, dialogues), all, "{}", protocol.name);
        }
        for version in protocol.defective {
            let defective = Arc::new(program(version.name, version.text));
            let Some(ends) = Ends::of(&defective) else { continue };
            if ends.0.lock().expect("nothing panics while it is locked").doomed() == 0 {
                continue;
            }
            texts += 1;
            let (free, held) = (
                hold_all(&defective, &ends, OnDoomed::Off, dialogues),
                hold_all(&defective, &ends, OnDoomed::Refuse, dialogues),
            );
            println!("{} {}: {free:?} {held:?}", protocol.name, version.name);
            add(&mut without, free);
            add(&mut with, held);
        }
    }
    println!("{texts} texts: {without:?} {with:?}");
    assert!(with.stuck < without.stuck, "{texts} texts: {without:?} {with:?}");
    if dialogues == DIALOGUES {
        // Those that are stuck all the same are so by what nobody says, or have values that the file leaves open.
        assert_eq!(without, Ended { complete: 77, stuck: 67, held_back: 5, too_long: 7 });
        assert_eq!(with, Ended { complete: 92, stuck: 24, held_back: 40, too_long: 0 });
    }
}
