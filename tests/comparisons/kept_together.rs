//! What several processes have kept of a search is gone on with by any number of processes, and the report is that of
//! one process that was never interrupted: from any cut, and from wherever a limit has ended the search.

use std::io::Cursor;
use std::num::NonZeroUsize;

use map_diagnostics::SourceFile;
use map_ir::Program;
use map_semantics::Bounds;
use map_testkit::oracle::OracleOptions;
use map_testkit::scenes::Random;
use map_tests::engines::{NoWatch, bounds, program};
use map_tests::peers::threads;
use map_tests::random::{self, Comparison, Counts, Kind};
use map_verify::{
    Cut, Keep, KeptPart, Limit, Limits, Options, Part, Progress, Reductions, Report, SearchResult, Snapshot,
    TogetherError, Tuning, verify_reduced, verify_together,
};

pub(crate) const COMPARISON: Comparison = Comparison {
    name: "kept-together",
    kind: Kind::Any,
    scenes: 60,
    compare: random_scene,
    enough: |counts, scenes| counts.of("resumed") > scenes,
};

/// What a process has kept: of which search, which part, whether that search had ended by itself, and the bytes.
type Kept = (usize, Part, bool, Vec<u8>);

/// Keeps all that it is offered.
#[derive(Default)]
struct Keeper {
    /// What this process has of earlier searches.
    earlier: Vec<Kept>,
    resumes: bool,
    begun: usize,
    kept: Vec<Kept>,
    /// The cuts of which everybody has its part.
    settled: Vec<(usize, Cut)>,
    /// After how many looks the search is interrupted.
    looks: Option<usize>,
    /// How often it cannot write, at first.
    refusals: usize,
}

impl Progress for Keeper {
    fn tick(&mut self, _: &Snapshot) -> Option<Limit> {
        let rest = self.looks?.checked_sub(1);
        self.looks = Some(rest.unwrap_or(0));
        if rest.is_some() { None } else { Some(Limit::Interrupted) }
    }

    fn resume_parts(&mut self) -> Option<Vec<KeptPart>> {
        self.begun += 1;
        let of_this = self.earlier.iter().filter(|it| it.0 == self.begun);
        let parts = of_this.map(|(_, part, _, bytes)| KeptPart {
            part: *part,
            content: Box::new(Cursor::new(bytes.clone())),
        });
        let parts = Vec::from_iter(parts);
        (self.resumes && (self.begun == 1 || !parts.is_empty())).then_some(parts)
    }

    fn keeps(&self) -> bool {
        true
    }

    fn keep(&mut self, content: &Keep<'_>) -> bool {
        if self.refusals > 0 {
            self.refusals -= 1;
            return false;
        }
        let mut bytes = Vec::new();
        content.write(&mut bytes).expect("memory can be written to");
        let part = content.part.expect("several processes search");
        self.kept.push((self.begun, part, content.finished, bytes));
        true
    }

    fn stamp(&mut self) -> u64 {
        self.kept.len() as u64 + 7
    }

    fn settle(&mut self, cut: Cut) {
        self.settled.push((self.begun, cut));
    }
}

/// The report in words, without the memory, and what was sent.
fn words(reduced: SearchResult) -> String {
    let statistics = Snapshot { memory: 0, states_memory: 0, sent: 0, ..reduced.report.statistics };
    format!("{:#?}", SearchResult { report: Report { statistics, ..reduced.report }, ..reduced })
}

struct Scene {
    program: Program,
    bounds: Bounds,
    options: Options,
}

impl Scene {
    fn alone(&self) -> SearchResult {
        let Self { program, bounds, options } = self;
        verify_reduced(program, bounds, options, &mut NoWatch).expect("traces can be repeated")
    }

    /// Searches with as many processes as there are keepers.
    fn together(
        &self,
        states: usize,
        keepers: Vec<Keeper>,
    ) -> (Vec<Keeper>, Vec<Result<SearchResult, TogetherError>>) {
        let limits = Limits { states, ..self.options.limits };
        let options = &Options { limits, ..self.options };
        std::thread::scope(|scope| {
            let search = |(mut peers, mut keeper): (_, Keeper)| {
                move || {
                    let Self { program, bounds, .. } = self;
                    let made = verify_together(program, bounds, options, &mut peers, &mut keeper);
                    (keeper, made)
                }
            };
            let running: Vec<_> =
                threads(keepers.len()).into_iter().zip(keepers).map(|it| scope.spawn(search(it))).collect();
            running.into_iter().map(|it| it.join().expect("no thread panics")).unzip()
        })
    }
}

/// What is there if the processes die after they have settled a cut: the last cut of each search before, that cut, and
/// what some have of the one after it.
fn until(keepers: &[Keeper], index: usize, random: &mut Random) -> Vec<Kept> {
    let settled = &keepers[0].settled;
    let (search, cut) = settled[index];
    let mut cuts: Vec<(usize, Cut)> = Vec::new();
    for before in 1..search {
        cuts.extend(settled.iter().rfind(|it| it.0 == before));
    }
    cuts.push((search, cut));
    let all = || keepers.iter().flat_map(|keeper| &keeper.kept);
    let mut kept: Vec<Kept> = all().filter(|it| cuts.contains(&(it.0, it.1.cut))).cloned().collect();
    if let Some(next) = settled.get(index + 1).filter(|it| it.0 == search) {
        let some = all().filter(|it| (it.0, it.1.cut) == *next && it.1.number > 0);
        kept.extend(some.filter(|_| random.percent(50)).cloned());
    }
    kept
}

/// Gives what was kept to so many processes, some of it to several.
fn deal(kept: &[Kept], count: usize, random: &mut Random) -> Vec<Keeper> {
    let mut keepers: Vec<Keeper> =
        (0..count).map(|_| Keeper { resumes: true, ..Keeper::default() }).collect();
    for one in kept {
        let own = one.1.number;
        let to = if own < count && random.percent(60) { own } else { random.below(count) };
        keepers[to].earlier.push(one.clone());
        if random.percent(20) {
            let to = random.below(count);
            keepers[to].earlier.push(one.clone());
        }
    }
    keepers
}

/// Compares a search that was never interrupted with ones that were. Returns how many.
fn compare(scene: &Scene, random: &mut Random, name: &str) -> usize {
    let alone = scene.alone();
    // Where a limit ends the search depends on who has which states.
    if alone.report.limit.is_some() {
        return 0;
    }
    let all = scene.options.limits.states;
    let found = alone.report.statistics.states;
    let alone = words(alone);
    let mut compared = 0;
    for count in 1..=3 {
        let (states, looks) = match random.below(3) {
            0 => (all, None),
            1 => (1 + found / (1 + random.below(4)), None),
            _ => (all, Some(random.below(30))),
        };
        let fresh = |_| Keeper { looks, ..Keeper::default() };
        let (keepers, _) = scene.together(states, (0..count).map(fresh).collect());
        for now in 1..=3 {
            let Some(most) = keepers[0].settled.len().checked_sub(1) else { break };
            let index = if random.percent(50) { most } else { random.below(most + 1) };
            let kept = until(&keepers, index, random);
            let (_, reports) = scene.together(all, deal(&kept, now, random));
            compared += 1;
            for report in reports {
                let report = report.map_or_else(|error| format!("error: {error}"), words);
                let differs = alone.lines().zip(report.lines()).find(|(one, other)| one != other);
                assert!(alone == report, "{name}, {count} processes, then {now}, cut {index}: {differs:?}");
            }
        }
    }
    compared
}

fn scene(text: &str, options: &OracleOptions, keep_going: bool, reductions: Reductions) -> Scene {
    let program = program(&SourceFile::new("scene.map", text), options).expect("the scene is correct");
    let bounds = bounds(&program, options);
    let limits = Limits {
        states: options.max_states,
        memory: usize::MAX,
        threads: NonZeroUsize::MIN,
        tuning: Tuning::TINY,
    };
    Scene { program, bounds, options: Options { limits, keep_going, reductions, self_check: false } }
}

fn random_scene(random: &random::Scene, counts: &mut Counts) {
    let random::Scene { seed, options, .. } = random;
    let reductions = if seed % 4 < 2 { Reductions::ALL } else { Reductions::NONE };
    let options = OracleOptions { max_states: options.max_states.min(3_000), ..options.clone() };
    let scene = scene(&random.text, &options, seed % 5 < 2, reductions);
    counts.add("resumed", compare(&scene, &mut Random::new(*seed, 1), "random"));
}

#[test]
fn an_auction_goes_on_with_any_number_of_processes() {
    for (name, reductions) in [("auction", Reductions::ALL), ("published-corrected", Reductions::NONE)] {
        let path = format!("{}/../protocols/english-auction/{name}.map", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).expect("the auctions are there");
        let mut options = OracleOptions::new(usize::MAX);
        options.agents = vec![("bidder".to_owned(), 3)];
        options.rounds_of = vec![("bidloop".to_owned(), 2)];
        let scene = scene(&text, &options, false, reductions);
        assert_eq!(compare(&scene, &mut Random::new(1, 1), name), 9, "{name}");
    }
}

#[test]
fn what_is_missing_or_altered_is_refused_by_all() {
    let text = include_str!("../../protocols/english-auction/auction.map");
    let scene = scene(text, &OracleOptions::new(usize::MAX), false, Reductions::ALL);
    let (keepers, _) = scene.together(usize::MAX, vec![Keeper::default(), Keeper::default()]);
    let mut kept = until(&keepers, 4, &mut Random::new(1, 1));
    kept.retain(|it| it.1.cut == keepers[0].settled[4].1);
    assert_eq!(kept.len(), 2);
    let dealt = |kept: &[Kept]| -> Vec<Keeper> {
        let keeper = |process| Keeper {
            resumes: true,
            earlier: kept.iter().filter(|it| it.1.number == process).cloned().collect(),
            ..Keeper::default()
        };
        (0..2).map(keeper).collect()
    };
    let errors = |kept: &[Kept]| -> Vec<String> {
        let (_, reports) = scene.together(usize::MAX, dealt(kept));
        reports.into_iter().map(|it| it.err().map_or("none".to_owned(), |it| it.to_string())).collect()
    };
    assert_eq!(errors(&kept), ["none", "none"]);
    let missing = "no checkpoint is whole: of 2 parts, no process has part 1";
    assert_eq!(errors(&kept[..1]), [missing; 2]);
    assert_eq!(errors(&[]), ["no process has a checkpoint"; 2]);
    let middle = kept[1].3.len() / 2;
    kept[1].3[middle] ^= 1;
    let altered = "process 1 cannot go on from its checkpoint: bytes that were altered";
    assert_eq!(errors(&kept), [altered; 2]);
}

/// What has the first number may be given up as the beginning, so nothing else gets it.
#[test]
fn a_beginning_that_could_not_be_written_leaves_its_number_unused() {
    let text = include_str!("../../protocols/english-auction/auction.map");
    let scene = scene(text, &OracleOptions::new(usize::MAX), false, Reductions::ALL);
    for refusals in 0..3 {
        let full = Keeper { refusals, ..Keeper::default() };
        let (keepers, _) = scene.together(usize::MAX, vec![Keeper::default(), full]);
        assert_eq!(keepers[0].settled[0].1.number, refusals as u64 + 1);
        assert_eq!(keepers[0].settled, keepers[1].settled);
    }
}
