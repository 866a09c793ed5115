//! Comparisons on random scenes: a scene is made once for all comparisons that look at it.

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use map_diagnostics::SourceFile;
use map_ir::Program;
use map_semantics::Bounds;
use map_syntax::ast::File;
use map_testkit::oracle::{OracleOptions, explore};
use map_testkit::scenes::{any_scene, computing_scene, random_options, sharing_scene};
use map_verify::Report;

use crate::engines::{Findings, bounds, oracle_findings, program, search};
use crate::seeds::for_each_seed;
use crate::settings::Seeds;

/// Which scene belongs to a seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Composed of idioms, with loops that send, or with receives that ask for values.
    Any,
    /// [`Kind::Any`] in mailboxes for 1 to 6 messages.
    SmallMailboxes,
    /// [`Kind::Any`] in a network that delivers each message at once, and without crashes.
    Reliable,
    /// Messages share performatives.
    Sharing,
    /// Procedures compute with unknown answers.
    Computing,
}

impl Kind {
    const ALL: [Self; 5] = [Self::Any, Self::SmallMailboxes, Self::Reliable, Self::Sharing, Self::Computing];

    /// The scene of a seed.
    #[must_use]
    pub fn scene(self, seed: u64) -> Scene {
        let mailbox = 1 + (seed / 2 % 6) as u32;
        let (text, options) = any_scene(seed);
        let options = OracleOptions { max_states: options.max_states.min(10_000), ..options };
        let (text, options) = match self {
            Self::Any => (text, options),
            Self::SmallMailboxes => (text, OracleOptions { mailbox, ..options }),
            Self::Reliable => {
                let reliable = OracleOptions { delayed: false, losses: 0, crashes: 0, ..options };
                (text, OracleOptions { max_states: 2_000, ..reliable })
            }
            Self::Sharing => {
                let options = OracleOptions { max_states: 10_000, mailbox, ..random_options(seed) };
                (sharing_scene(seed), options)
            }
            Self::Computing => (computing_scene(seed), OracleOptions::new(3_000)),
        };
        Scene::new(seed, text, options)
    }
}

/// A random scene, with what most comparisons need of it.
pub struct Scene {
    /// What it was drawn by; comparisons draw by it, too.
    pub seed: u64,
    /// Its text.
    pub text: String,
    /// Its options.
    pub options: OracleOptions,
    /// The parsed text.
    pub file: File,
    /// The program under the cast of the options.
    pub program: Program,
    /// The bounds of the options.
    pub bounds: Bounds,
    report: OnceLock<Report>,
    oracle: OnceLock<Option<Findings>>,
}

impl Scene {
    /// The scene with this text.
    ///
    /// # Panics
    /// If it is not correct.
    #[must_use]
    pub fn new(seed: u64, text: String, options: OracleOptions) -> Self {
        let source = SourceFile::new("scene.map", &text);
        let program = program(&source, &options)
            .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}\n{options:#?}"));
        let file = map_syntax::parse(&source).file;
        let bounds = bounds(&program, &options);
        let (report, oracle) = (OnceLock::new(), OnceLock::new());
        Self { seed, text, options, file, program, bounds, report, oracle }
    }

    /// The report of the plain search.
    ///
    /// # Panics
    /// If the engine contradicts itself.
    pub fn report(&self) -> &Report {
        self.report
            .get_or_init(|| search(&self.program, &self.options).unwrap_or_else(|error| panic!("{error}")))
    }

    /// What the oracle finds; `None` if it has not seen every state.
    pub fn oracle(&self) -> Option<&Findings> {
        let explored = || {
            let report = explore(&self.file, &self.options);
            (report.states < self.options.max_states).then(|| oracle_findings(report))
        };
        self.oracle.get_or_init(explored).as_ref()
    }
}

impl fmt::Display for Scene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n{:#?}", self.text, self.options)
    }
}

/// How often what was seen.
#[derive(Clone, Default)]
pub struct Counts(BTreeMap<&'static str, u64>);

impl Counts {
    /// Counts one more.
    pub fn one(&mut self, name: &'static str) {
        self.add(name, 1);
    }

    /// Counts more.
    pub fn add(&mut self, name: &'static str, more: impl TryInto<u64>) {
        *self.0.entry(name).or_default() += more.try_into().unwrap_or(u64::MAX);
    }

    /// How often it was counted.
    #[must_use]
    pub fn of(&self, name: &str) -> u64 {
        self.0.get(name).copied().unwrap_or(0)
    }

    /// Adds those of another scene.
    pub fn merge(&mut self, other: &Self) {
        other.0.iter().for_each(|(&name, &more)| self.add(name, more));
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts: Vec<String> = self.0.iter().map(|(name, count)| format!("{count} {name}")).collect();
        f.write_str(&counts.join(", "))
    }
}

/// Something that must hold of every random scene.
pub struct Comparison {
    /// Its name, for `MAP_COMPARISON`.
    pub name: &'static str,
    /// Which scenes it looks at.
    pub kind: Kind,
    /// At how many of [`USUAL`] scenes it looks: fewer where it is slow.
    pub scenes: u64,
    /// Compares, and counts what was seen; panics if there is a difference.
    pub compare: fn(&Scene, &mut Counts),
    /// Whether enough was seen in so many scenes for the comparison to say something.
    pub enough: fn(&Counts, u64) -> bool,
}

/// The usual number of scenes.
pub const USUAL: u64 = 250;

/// What came of one comparison on one scene.
struct Outcome {
    counts: Counts,
    time: Duration,
    /// What runs it again, and what differs.
    failure: Option<(String, String)>,
}

/// The part of the comparisons whose names contain what `MAP_COMPARISON` says.
fn chosen(all: &[Comparison]) -> Vec<&Comparison> {
    let name = std::env::var("MAP_COMPARISON").unwrap_or_default();
    let chosen: Vec<&Comparison> = all.iter().filter(|comparison| comparison.name.contains(&name)).collect();
    let names = || all.iter().map(|comparison| comparison.name).collect::<Vec<_>>().join(", ");
    assert!(!chosen.is_empty(), "MAP_COMPARISON={name} is none of {}", names());
    chosen
}

/// Runs comparisons on `MAP_SCENES` scenes from the seed `MAP_SEED` on.
///
/// # Panics
/// If something differs, or not enough was seen.
pub fn compare(all: &[Comparison]) {
    let seeds = Seeds::new("MAP_SCENES", USUAL);
    let Seeds { first, count, .. } = seeds;
    let chosen = chosen(all);
    let share = |comparison: &Comparison| (count * comparison.scenes).div_ceil(USUAL);
    let outcomes = for_each_seed(count, first, |seed| {
        let wants = |comparison: &Comparison| seed - first < share(comparison);
        let mut outcomes = Vec::new();
        for kind in Kind::ALL {
            let wanted = chosen.iter().enumerate().filter(|(_, it)| it.kind == kind && wants(it));
            let mut wanted = wanted.peekable();
            if wanted.peek().is_some() {
                let scene = kind.scene(seed);
                outcomes.extend(wanted.map(|(index, comparison)| (index, outcome(comparison, &scene))));
            }
        }
        outcomes
    });
    let mut sums = vec![(Counts::default(), Duration::ZERO); chosen.len()];
    let mut failures = Vec::new();
    for (index, outcome) in outcomes.into_iter().flatten() {
        let (counts, time) = &mut sums[index];
        counts.merge(&outcome.counts);
        *time += outcome.time;
        failures.extend(outcome.failure);
    }
    println!("{count} seeds from {first}");
    for (comparison, (counts, time)) in chosen.iter().zip(sums) {
        let (name, scenes) = (comparison.name, share(comparison));
        println!("comparison {name}: {scenes} scenes, {:.1} s: {counts}", time.as_secs_f64());
        if seeds.shows_variety(scenes, comparison.scenes) && !(comparison.enough)(&counts, scenes) {
            let again = format!("MAP_COMPARISON={name} MAP_SEED={first} MAP_SCENES={count}");
            failures.push((again, format!("too little was seen: {counts}")));
        }
    }
    report(&failures);
}

/// Compares scenes that were drawn in another way; each with the comparison of this name.
///
/// # Panics
/// If something differs.
pub fn compare_scenes(all: &[Comparison], scenes: &[(&str, Scene)]) {
    let failures: Vec<_> = scenes
        .iter()
        .filter_map(|(name, scene)| {
            let comparison = all.iter().find(|comparison| comparison.name == *name);
            outcome(comparison.expect("a comparison has this name"), scene).failure
        })
        .collect();
    report(&failures);
}

fn report(failures: &[(String, String)]) {
    for (again, _) in failures {
        println!("failed: {again}");
    }
    let first: Vec<String> = failures.iter().take(5).map(|(again, why)| format!("{again}: {why}")).collect();
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), first.join("\n"));
}

fn outcome(comparison: &Comparison, scene: &Scene) -> Outcome {
    let mut counts = Counts::default();
    let begun = Instant::now();
    let result = catch_unwind(AssertUnwindSafe(|| (comparison.compare)(scene, &mut counts)));
    let failure = result.err().map(|panic| {
        let again = format!("MAP_COMPARISON={} MAP_SEED={} MAP_SCENES=1", comparison.name, scene.seed);
        (again, format!("{}\n{scene}", words(&*panic)))
    });
    Outcome { counts, time: begun.elapsed(), failure }
}

/// The message of a panic.
fn words(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("a panic without a message")
}
