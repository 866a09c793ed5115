//! The reductions against the oracle on random scenes: same verdict, same violations with the same lengths, same lists
//! of what never happened; and the same report whatever the number of threads.
//!
//! `MAP_SCENES=N` sets how many scenes, `MAP_SEED=S` where the seeds start. Each scene is searched under every
//! combination of reductions if `MAP_SCENES` is set, otherwise under two. Every other scene has loops that send. A
//! failure prints the seed and the scene.

use std::num::NonZeroUsize;

use map_diagnostics::SourceFile;
use map_ir::Program;
use map_testkit::oracle::{OracleOptions, explore};
use map_testkit::scenes::{chatty_scene, random_asking, random_options, random_scene, sharing_scene};
use map_tests::engines::{
    Findings, Unwatched, bounds, findings, oracle_findings, program, reduced, reduced_search,
};
use map_tests::seeds::for_each_seed;
use map_tests::settings::setting;
use map_verify::{Options, Reductions, Report, Verdict, ViolationKind, verify_reduced};

/// Every combination except none at all.
fn combinations() -> Vec<Reductions> {
    let on = |number: u32, bit: u32| number & 1 << bit != 0;
    (1..16)
        .map(|number| Reductions {
            slicing: on(number, 0),
            symmetry: on(number, 1),
            partial_order: on(number, 2),
            merging: on(number, 3),
        })
        // Merging requires partial-order reduction.
        .filter(|it| it.partial_order || !it.merging)
        .collect()
}

/// The scene and the options of a seed.
fn scene(seed: u64) -> (String, OracleOptions) {
    let options = random_options(seed);
    let text = if seed.is_multiple_of(2) { chatty_scene(seed) } else { random_scene(seed) };
    (text, OracleOptions { max_states: 10_000, ..options })
}

/// The parts of a report that must not depend on the number of threads.
fn independent(mut report: Report) -> String {
    (report.statistics.memory, report.statistics.states_memory) = (0, 0);
    format!("{report:#?}")
}

/// The report of two threads.
fn by_two_threads(program: &Program, options: &OracleOptions, how: &Options) -> Result<Report, String> {
    let mut how = *how;
    how.limits.threads = NonZeroUsize::new(2).expect("some threads");
    reduced_search(program, options, &how)
}

/// A false claim in the report of a search that was limited to too few states, if there is one.
fn false_claim(found: &Findings, report: &Report, expected: &Findings) -> Option<String> {
    if report.searched || matches!(report.verdict, Verdict::Terminates | Verdict::TerminatesIfFair) {
        let differences = found.differences_beside_counts(expected).join("\n");
        return (!differences.is_empty()).then_some(differences);
    }
    let is_there = |(kind, length, _): &(String, u32, bool)| {
        expected.violations.iter().any(|(its_kind, its_length, _)| kind == its_kind && length >= its_length)
    };
    let invented = found.violations.iter().find(|violation| !is_there(violation));
    invented.map(|violation| format!("{violation:?} is none of {:?}", expected.violations))
}

#[test]
fn on_random_scenes() {
    compare(800, scene);
}

/// The same scenes, with mailboxes for 1 to 6 messages.
fn scene_with_small_mailboxes(seed: u64) -> (String, OracleOptions) {
    let (text, options) = scene(seed);
    (text, OracleOptions { mailbox: 1 + (seed / 2 % 6) as u32, ..options })
}

#[test]
fn on_scenes_with_small_mailboxes() {
    compare(300, scene_with_small_mailboxes);
}

/// The search that ends with the first violation: there is one if the oracle has one, its kind and length are possible,
/// and if it is said to be shortest it is.
#[test]
fn first_violations_in_small_mailboxes() {
    let (count, first) = (setting("MAP_SCENES").unwrap_or(200), setting("MAP_SEED").unwrap_or(1));
    println!("{count} scenes from seed {first}");
    let overflows = for_each_seed(count, first, |seed| {
        let (text, options) = scene_with_small_mailboxes(seed);
        let source = SourceFile::new("scene.map", &text);
        let program = program(&source, &options).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        let oracle = explore(&map_syntax::parse(&source).file, &options);
        if oracle.states >= options.max_states {
            return 0;
        }
        let expected = oracle_findings(oracle).violations;
        let how = Options { keep_going: false, ..reduced(&options, Reductions::ALL) };
        let found = verify_reduced(&program, &bounds(&program, &options), &how, &mut Unwatched)
            .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}\n{options:#?}"));
        let Some(violation) = found.report.violations.first() else {
            assert!(expected.is_empty(), "seed {seed}: no violation, but {expected:?}\n{text}\n{options:#?}");
            return 0;
        };
        let (kind, steps) = (violation.kind.words(), violation.steps as u32);
        // Livelocks are judged only after a complete search.
        let of_other_kinds = expected.iter().filter(|(its_kind, ..)| its_kind != "livelock");
        let least = of_other_kinds.map(|(_, length, _)| *length).min().filter(|_| kind != "livelock");
        let is_there = expected.iter().any(|(its_kind, length, _)| its_kind == kind && *length <= steps);
        assert!(is_there, "seed {seed}: {kind} after {steps} is none of {expected:?}\n{text}\n{options:#?}");
        assert!(
            !found.shortest || least.is_none_or(|least| least == steps),
            "seed {seed}: {steps}, {expected:?}\n{text}\n{options:#?}"
        );
        u64::from(violation.kind == ViolationKind::MailboxOverflow)
    });
    let overflows: u64 = overflows.into_iter().sum();
    println!("{overflows} end with an overflow");
    assert!(overflows * 20 >= count, "too few scenes overflow: {overflows}");
}

/// Scenes whose messages share performatives, with mailboxes for 1 to 6 messages.
fn sharing(seed: u64) -> (String, OracleOptions) {
    let mailbox = 1 + (seed / 2 % 6) as u32;
    (sharing_scene(seed), OracleOptions { max_states: 10_000, mailbox, ..random_options(seed) })
}

#[test]
fn on_scenes_whose_messages_share_performatives() {
    compare(500, sharing);
}

#[test]
fn on_scenes_whose_receives_ask_for_one_value() {
    compare(120, random_asking);
}

/// What the comparisons of a scene came to.
#[derive(Default)]
struct Counts {
    compared: u64,
    sound: u64,
    states: usize,
    reduced_states: usize,
}

/// Compares the searches of `count` scenes, or of as many as `MAP_SCENES` says.
fn compare(count: u64, random: fn(u64) -> (String, OracleOptions)) {
    let (count, first) = (setting("MAP_SCENES").unwrap_or(count), setting("MAP_SEED").unwrap_or(1));
    println!("{count} scenes from seed {first}");
    let mut all = Counts::default();
    for it in for_each_seed(count, first, |seed| compare_one(seed, random(seed))) {
        all.compared += it.compared;
        all.sound += it.sound;
        all.states += it.states;
        all.reduced_states += it.reduced_states;
    }
    let Counts { compared, sound, states, reduced_states } = all;
    println!(
        "{compared} compared, {sound} of them without violation; {states} states, {reduced_states} with all reductions"
    );
    assert!(compared * 10 >= count * 9, "too many scenes ended at a limit: only {compared} compared");
    // A run that repeats a few seeds may have only scenes that nothing reduces.
    assert!(count < 100 || reduced_states < states, "the reductions reduce nothing");
}

/// Compares the searches of the scene of a seed, unless it is too large.
fn compare_one(seed: u64, (scene, options): (String, OracleOptions)) -> Counts {
    let mut counts = Counts::default();
    let all = combinations();
    let chosen: Vec<Reductions> = match setting("MAP_SCENES") {
        Some(_) => all,
        None => vec![Reductions::ALL, all[seed as usize % all.len()]],
    };
    let source = SourceFile::new("scene.map", &scene);
    let program = program(&source, &options)
        .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{scene}\n{options:#?}"));
    let oracle = explore(&map_syntax::parse(&source).file, &options);
    if oracle.states >= options.max_states {
        return counts;
    }
    let expected = oracle_findings(oracle);
    for reductions in chosen {
        // The self-check is slow, so only some scenes are searched with it.
        let self_check = seed % 4 < 2 && reductions == Reductions::ALL;
        let how = Options { self_check, ..reduced(&options, reductions) };
        let fail = |what: &str| -> ! { panic!("seed {seed}, {reductions:?}: {what}\n{scene}\n{options:#?}") };
        let report = reduced_search(&program, &options, &how).unwrap_or_else(|error| fail(&error));
        let found = findings(&program, &report);
        let differences = found.differences_beside_counts(&expected).join("\n");
        if !differences.is_empty() {
            fail(&differences);
        }
        assert!(found.states <= expected.states, "seed {seed}, {reductions:?}: more states than without");
        if reductions == Reductions::ALL {
            let mut tight = how;
            tight.limits.states = 1 + found.states / 2;
            let limited = reduced_search(&program, &options, &tight).unwrap_or_else(|error| fail(&error));
            if let Some(claim) = false_claim(&findings(&program, &limited), &limited, &expected) {
                fail(&format!("with at most {} states: {claim}", tight.limits.states));
            }
            counts.sound += u64::from(expected.violations.is_empty());
            counts.states += expected.states;
            counts.reduced_states += found.states;
            let one = independent(report);
            let two = by_two_threads(&program, &options, &how).unwrap_or_else(|error| fail(&error));
            let two = independent(two);
            if one != two {
                let differs = one.lines().zip(two.lines()).find(|(one, two)| one != two);
                fail(&format!("threads make a difference: {differs:?}"));
            }
        }
    }
    counts.compared += 1;
    counts
}
