//! The number of threads changes nothing but the time, the store nothing but the memory: verdict, counts, traces, what never
//! happened, all of the report are the same.
//!
//! `MAP_SCENES=N` sets how many random scenes, `MAP_SEED=S` where the seeds start. Debug builds share out even the smallest
//! scenes.

use std::num::NonZeroUsize;

use map_diagnostics::SourceFile;
use map_testkit::oracle::OracleOptions;
use map_testkit::scenes::{random_options, random_scene};
use map_tests::engines::{Unwatched, bounds, program};
use map_tests::settings::setting;
use map_verify::{Limits, Report, StoreKind, verify};

fn report(text: &str, options: &OracleOptions, threads: usize, store: StoreKind, keep_going: bool) -> Report {
    let program = program(&SourceFile::new("scene.map", text), options).expect("the scene is correct");
    let threads = NonZeroUsize::new(threads).expect("some threads");
    let limits = Limits { states: options.max_states, memory: usize::MAX, threads, store };
    let bounds = bounds(&program, options);
    let mut report =
        verify(&program, &bounds, &limits, keep_going, &mut Unwatched).expect("traces can be repeated");
    (report.statistics.memory, report.statistics.states_memory) = (0, 0);
    report.store = StoreKind::Exact;
    report
}

fn compare(text: &str, options: &OracleOptions, name: &str) {
    for keep_going in [false, true] {
        let one = format!("{:#?}", report(text, options, 1, StoreKind::Exact, keep_going));
        for (threads, store) in [
            (2, StoreKind::Exact),
            (4, StoreKind::Exact),
            (1, StoreKind::Fingerprint),
            (3, StoreKind::Fingerprint),
        ] {
            let other = format!("{:#?}", report(text, options, threads, store, keep_going));
            let differs = one.lines().zip(other.lines()).find(|(one, other)| one != other);
            assert!(one == other, "{name}, {threads} threads, {store:?}: {differs:?}\n{text}\n{options:#?}");
        }
    }
}

#[test]
fn on_random_scenes() {
    let (count, first) = (setting("MAP_SCENES").unwrap_or(250), setting("MAP_SEED").unwrap_or(1));
    println!("{count} scenes from seed {first}");
    for seed in first..first + count {
        compare(&random_scene(seed), &random_options(seed), &format!("seed {seed}"));
    }
}

#[test]
fn on_auctions() {
    for name in ["auction", "published-corrected", "published-no-recursion"] {
        let path = format!("{}/../protocols/english-auction/{name}.map", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).expect("the auctions are there");
        let mut options = OracleOptions::new(usize::MAX);
        options.agents = vec![("bidder".to_owned(), 3)];
        options.rounds_of = vec![("bidloop".to_owned(), 2)];
        compare(&text, &options, name);
    }
}

/// Fingerprints so short that they miss states miss about as many as they should: of `n` random ones out of `m` about
/// `m (1 - exp(-n / m))` are different. Which states a search misses then depends on those it missed before, so that
/// only the order of magnitude is to be expected.
#[test]
fn short_fingerprints_miss_what_they_should() {
    let path = format!("{}/../protocols/english-auction/auction.map", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the auction is there");
    let mut options = OracleOptions::new(usize::MAX);
    options.agents = vec![("bidder".to_owned(), 3)];
    options.rounds_of = vec![("bidloop".to_owned(), 3)];
    let all = report(&text, &options, 2, StoreKind::Exact, false).statistics.states as f64;
    for (bits, least, most) in [(16, 0.5, 2.5), (18, 0.5, 2.5), (20, 0.4, 2.5), (32, 0.0, f64::MAX)] {
        let store = StoreKind::ShortFingerprint(bits);
        let missed = all - report(&text, &options, 2, store, false).statistics.states as f64;
        let size = 2_f64.powi(bits as i32);
        let expected = all + size * (-all / size).exp_m1();
        println!("{bits} bits: {missed} of {all} states missed, {expected:.1} expected");
        assert!((least * expected..=most * expected).contains(&missed), "{bits} bits: {missed}, {expected}");
        // That one at least is missed is no likelier than there are missed on average.
        let probability = store.omission_probability(all as usize);
        assert!((probability - expected.min(1.0)).abs() < 0.01 * probability, "{bits} bits: {probability}");
    }
}
