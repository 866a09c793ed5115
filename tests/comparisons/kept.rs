//! A search that is interrupted and gone on with has the report of one that never ended: at every level, under every
//! limit, with other threads than before.

use std::io::{Cursor, Read};
use std::num::NonZeroUsize;

use map_testkit::oracle::OracleOptions;
use map_tests::random::{self, Comparison, Counts, Kind};
use map_verify::{
    Keep, Limit, Limits, Options, Progress, Reductions, Report, Snapshot, Tuning, verify_reduced,
};

pub(crate) const COMPARISON: Comparison = Comparison {
    name: "kept",
    kind: Kind::Any,
    scenes: 40,
    compare: random_scene,
    enough: |counts, scenes| counts.of("resumed") > scenes,
};

fn random_scene(scene: &random::Scene, counts: &mut Counts) {
    let seed = scene.seed as usize;
    let reductions = if seed % 4 < 2 { Reductions::ALL } else { Reductions::NONE };
    let states = scene.options.max_states.min(3_000);
    let resumed =
        Scene { scene, keep_going: seed.is_multiple_of(2), reductions }.compare(states, 1 + seed % 3);
    counts.add("resumed", resumed);
}

/// Keeps all that it is offered.
#[derive(Default)]
struct Keeper {
    /// What earlier searches are to go on from, in their order.
    earlier: Vec<Vec<u8>>,
    /// Number of searches begun.
    begun: usize,
    /// All that was kept: which search, its content, and whether it ended there by itself.
    kept: Vec<(usize, Vec<u8>, bool)>,
    /// After how many looks the search is interrupted.
    looks: Option<usize>,
}

impl Progress for Keeper {
    fn tick(&mut self, _: &Snapshot) -> Option<Limit> {
        let rest = self.looks?.checked_sub(1);
        self.looks = Some(rest.unwrap_or(0));
        if rest.is_some() { None } else { Some(Limit::Interrupted) }
    }

    fn resume(&mut self) -> Option<Box<dyn Read>> {
        self.begun += 1;
        let earlier = self.earlier.get(self.begun - 1)?.clone();
        Some(Box::new(Cursor::new(earlier)))
    }

    fn keeps(&self) -> bool {
        true
    }

    fn keep(&mut self, content: &Keep<'_>) -> bool {
        let mut bytes = Vec::new();
        content.write(&mut bytes).expect("memory can be written to");
        self.kept.push((self.begun - 1, bytes, content.finished));
        true
    }
}

impl Keeper {
    /// What is there if the process dies after something was kept, as `earlier`.
    fn until(&self, index: usize) -> Vec<Vec<u8>> {
        let mut earlier = Vec::new();
        for search in 0..=self.kept[index].0 {
            let mut before = self.kept[..=index].iter().filter(|&&(it, ..)| it == search);
            let (_, content, finished) = before.next_back().expect("every search is kept when it ends");
            earlier.push(content.clone());
            if !finished {
                break;
            }
        }
        earlier
    }
}

struct Scene<'s> {
    scene: &'s random::Scene,
    keep_going: bool,
    reductions: Reductions,
}

impl Scene<'_> {
    fn report(&self, (states, threads, tuning): (usize, usize, Tuning), keeper: &mut Keeper) -> Report {
        let random::Scene { program, bounds, .. } = self.scene;
        let threads = NonZeroUsize::new(threads).expect("some threads");
        let options = Options {
            limits: Limits { states, memory: usize::MAX, threads, tuning },
            keep_going: self.keep_going,
            reductions: self.reductions,
            self_check: false,
        };
        let reduced = verify_reduced(program, bounds, &options, keeper);
        let report = reduced.unwrap_or_else(|error| panic!("{error}")).report;
        let statistics = Snapshot { memory: 0, states_memory: 0, ..report.statistics };
        Report { statistics, ..report }
    }

    /// Compares a run with others that go on from every `stride`th of its levels, and from where limits end it.
    /// Returns how many.
    fn compare(&self, states: usize, stride: usize) -> usize {
        let mut whole = Keeper::default();
        let one = format!("{:#?}", self.report((states, 1, Tuning::TINY), &mut whole));
        let mut others = 0;
        let mut compare = |earlier: Vec<Vec<u8>>, how: &str| {
            let work = (states, 1 + others % 2, Tuning::TINY);
            let other = self.report(work, &mut Keeper { earlier, ..Keeper::default() });
            others += 1;
            assert_eq!(one, format!("{other:#?}"), "{how}");
        };
        for index in (0..whole.kept.len()).step_by(stride) {
            compare(whole.until(index), &format!("kept {index} of {}", whole.kept.len()));
        }
        for part in 1..3 {
            // More threads than before, and fewer.
            let few = whole.kept.len() * part * 2 / 3;
            let limits = [(states, Some(few)), (1 + part * states.min(3_000) / 4, None)];
            for (states, looks) in limits {
                let mut interrupted = Keeper { looks, ..Keeper::default() };
                self.report((states, part, Tuning::TINY), &mut interrupted);
                if let Some(last) = interrupted.kept.len().checked_sub(1) {
                    compare(interrupted.until(last), &format!("ended by {states} states, {looks:?} looks"));
                }
            }
        }
        others
    }
}

#[test]
fn auctions_go_on_as_if_they_had_never_ended() {
    for (name, reductions) in [("auction", Reductions::ALL), ("published-corrected", Reductions::NONE)] {
        let path = format!("{}/../protocols/english-auction/{name}.map", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).expect("the auctions are there");
        let mut options = OracleOptions::new(usize::MAX);
        options.agents = vec![("bidder".to_owned(), 3)];
        options.rounds_of = vec![("bidloop".to_owned(), 2)];
        let scene = random::Scene::new(0, text, options);
        Scene { scene: &scene, keep_going: false, reductions }.compare(usize::MAX, 5);
    }
}
