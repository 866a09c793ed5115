//! The reductions against the oracle: same verdict, same violations with the same lengths, same lists of what never
//! happened; and the same report whatever the number of threads.
//!
//! Each scene is searched under every combination of reductions if `MAP_SCENES` is set, otherwise under two.

use std::num::NonZeroUsize;

use map_tests::engines::{Findings, NoWatch, findings, reduced, reduced_search};
use map_tests::random::{Comparison, Counts, Kind, Scene};
use map_tests::settings::setting;
use map_verify::{Options, Reductions, Report, Verdict, ViolationKind, verify_reduced};

const ON_ANY: Comparison = Comparison {
    name: "reductions",
    kind: Kind::Any,
    scenes: 120,
    compare: agree,
    enough: |counts, scenes| {
        counts.of("compared") * 10 >= scenes * 9 && counts.of("reduced states") < counts.of("states")
    },
};

pub(crate) const COMPARISONS: [Comparison; 4] = [
    ON_ANY,
    Comparison { name: "reductions-in-small-mailboxes", kind: Kind::SmallMailboxes, ..ON_ANY },
    Comparison { name: "reductions-with-shared-performatives", kind: Kind::Sharing, ..ON_ANY },
    Comparison {
        name: "first-violations",
        kind: Kind::SmallMailboxes,
        scenes: 250,
        compare: first_violation,
        enough: |counts, scenes| counts.of("overflows") * 20 >= scenes,
    },
];

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

/// The parts of a report that must not depend on the number of threads.
fn independent(mut report: Report) -> String {
    (report.statistics.memory, report.statistics.states_memory) = (0, 0);
    format!("{report:#?}")
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

/// The search that ends with the first violation: there is one if the oracle has one, its kind and length are possible,
/// and if it is said to be shortest it is.
fn first_violation(scene: &Scene, counts: &mut Counts) {
    let Some(Findings { violations: expected, .. }) = scene.oracle() else { return };
    let how = Options { keep_going: false, ..reduced(&scene.options, Reductions::ALL) };
    let found = verify_reduced(&scene.program, &scene.bounds, &how, &mut NoWatch);
    let found = found.unwrap_or_else(|error| panic!("{error}"));
    let Some(violation) = found.report.violations.first() else {
        assert!(expected.is_empty(), "no violation, but {expected:?}");
        return;
    };
    let (kind, steps) = (violation.kind.words(), violation.steps as u32);
    // Livelocks are judged only after a complete search.
    let of_other_kinds = expected.iter().filter(|(its_kind, ..)| its_kind != "livelock");
    let least = of_other_kinds.map(|(_, length, _)| *length).min().filter(|_| kind != "livelock");
    let is_there = expected.iter().any(|(its_kind, length, _)| its_kind == kind && *length <= steps);
    assert!(is_there, "{kind} after {steps} is none of {expected:?}");
    assert!(!found.shortest || least.is_none_or(|least| least == steps), "{steps}, {expected:?}");
    counts.add("overflows", u8::from(violation.kind == ViolationKind::MailboxOverflow));
}

/// Compares the searches of a scene, unless it is too large.
fn agree(scene: &Scene, counts: &mut Counts) {
    let Some(expected) = scene.oracle() else { return };
    let Scene { seed, program, options, .. } = scene;
    let search = |how: &Options, what: &str| -> Report {
        reduced_search(program, options, how)
            .unwrap_or_else(|error| panic!("{:?}, {what}: {error}", how.reductions))
    };
    let all = combinations();
    let chosen: Vec<Reductions> = match setting("MAP_SCENES") {
        Some(_) => all,
        None => vec![Reductions::ALL, all[*seed as usize % all.len()]],
    };
    for reductions in chosen {
        // The self-check is slow, so only some scenes are searched with it.
        let self_check = seed % 4 < 2 && reductions == Reductions::ALL;
        let how = Options { self_check, ..reduced(options, reductions) };
        let report = search(&how, "one thread");
        let found = findings(program, &report);
        let differences = found.differences_beside_counts(expected).join("\n");
        assert!(differences.is_empty(), "{reductions:?}: {differences}");
        // There may be a few more: equal messages of two words are told apart, and so are the orders of mailboxes in
        // which they stand. In all scenes together there must be fewer.
        assert!(
            found.states <= expected.states + expected.states / 2,
            "{reductions:?}: {} states, far more than the {} without",
            found.states,
            expected.states
        );
        if reductions == Reductions::ALL {
            let mut tight = how;
            tight.limits.states = 1 + found.states / 2;
            let limited = search(&tight, "few states");
            if let Some(claim) = false_claim(&findings(program, &limited), &limited, expected) {
                panic!("with at most {} states: {claim}", tight.limits.states);
            }
            counts.add("sound", u8::from(expected.violations.is_empty()));
            counts.add("states", expected.states);
            counts.add("reduced states", found.states);
            let mut two = how;
            two.limits.threads = NonZeroUsize::new(2).expect("some threads");
            let (one, two) = (independent(report), independent(search(&two, "two threads")));
            let differs = one.lines().zip(two.lines()).find(|(one, two)| one != two);
            assert!(one == two, "threads make a difference: {differs:?}");
        }
    }
    counts.one("compared");
}
