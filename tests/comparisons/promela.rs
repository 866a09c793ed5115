//! Exported models under the real SPIN: its verdict and ours must be of the same class.
//!
//! `MAP_SPIN_SCENES=N` sets how many random scenes, `MAP_SEED=S` where the seeds start; with `MAP_ALL_TEXTS` all lines
//! of the repository are tried. Without SPIN the tests are skipped, and say so.

use std::collections::BTreeMap;
use std::path::Path;

use map_diagnostics::SourceFile;
use map_testkit::oracle::OracleOptions;
use map_testkit::scenes::{random_options, random_scene};
use map_tests::cases::{cases, map_files};
use map_tests::engines::program;
use map_tests::promela::{ComparedVerdicts, Style, Tools, compare, installed};
use map_tests::seeds::for_each_seed;
use map_tests::settings::{Seeds, is_tried};

/// The number of scenes with each outcome.
#[derive(Default)]
struct Tally(BTreeMap<String, usize>);

impl Tally {
    fn count(&mut self, how: ComparedVerdicts) {
        let word = match how {
            ComparedVerdicts::Agreed => "agreed".to_owned(),
            ComparedVerdicts::Skipped(why) => why,
        };
        *self.0.entry(word).or_default() += 1;
    }

    fn agreed(&self) -> usize {
        self.0.get("agreed").copied().unwrap_or(0)
    }
}

/// One in so many lines is tried, unless all are wanted: SPIN compiles a verifier for each.
const ONE_IN: u64 = 9;

/// The `//@ verify` lines of the repository.
fn on_files(tools: &Tools, style: Style, most_states: usize) -> Tally {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut tally = Tally::default();
    let mut wrong = Vec::new();
    for folder in ["protocols", "tests/cases"] {
        for path in map_files(&root.join(folder)).expect("the folder is part of the repository") {
            let text = std::fs::read_to_string(&path).expect("case files are UTF-8 text");
            let name = path.strip_prefix(&root).unwrap_or(&path).display().to_string();
            for case in cases(&path, &text).expect("the other tests read them too") {
                if !is_tried(&format!("{name} {}", case.expectation.flags), ONE_IN) {
                    continue;
                }
                let source = SourceFile::new(name.as_str(), text.as_str());
                let program = program(&source, &case.options).expect("cases are correct");
                // SPIN stores the full capacity of every mailbox in every state.
                let mut options = case.options.clone();
                options.mailbox = options.mailbox.min(8);
                match compare(tools, &source, &program, &options, style, most_states) {
                    Ok(how) => tally.count(how),
                    Err(error) => wrong.push(format!("{name} {}: {error}", case.expectation.flags)),
                }
            }
        }
    }
    println!("{:?}", tally.0);
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    tally
}

#[test]
fn on_cases_and_protocols() {
    let Some(tools) = installed() else { return };
    let tally = on_files(&tools, Style::Guarded, 1_000);
    assert!(tally.agreed() > 20, "too few could be compared: {:?}", tally.0);
}

#[test]
fn the_plain_style_on_cases_and_protocols() {
    let Some(tools) = installed() else { return };
    let tally = on_files(&tools, Style::Walton, 300);
    assert!(tally.agreed() > 15, "too few could be compared: {:?}", tally.0);
}

/// The paper's auction with its defects mended. The lines of its file bound rounds, which the plain style does not.
#[test]
fn the_published_auction_in_the_plain_style() {
    let Some(tools) = installed() else { return };
    let text = include_str!("../../protocols/english-auction/published-corrected.map");
    let source = SourceFile::new("published-corrected.map", text);
    for mailbox in [1, 2, 5] {
        let agents = vec![("bidder".to_owned(), 1)];
        let options = OracleOptions { agents, mailbox, ..OracleOptions::new(usize::MAX) };
        let program = program(&source, &options).expect("the text is correct");
        match compare(&tools, &source, &program, &options, Style::Walton, 5_000) {
            Ok(ComparedVerdicts::Agreed) => {}
            Ok(ComparedVerdicts::Skipped(why)) => panic!("mailboxes of {mailbox}: skipped: {why}"),
            Err(error) => panic!("mailboxes of {mailbox}: {error}"),
        }
    }
}

#[test]
fn on_random_scenes() {
    let Some(tools) = installed() else { return };
    let seeds = Seeds::new("MAP_SPIN_SCENES", 40);
    let Seeds { first, count, .. } = seeds;
    println!("{count} scenes from seed {first}");
    let compared = for_each_seed(count, first, |seed| {
        // Crashes are not exported.
        let options = OracleOptions { delayed: false, crashes: 0, ..random_options(seed) };
        let scene = random_scene(seed);
        let source = SourceFile::new("scene.map", scene.as_str());
        let program = program(&source, &options).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        compare(&tools, &source, &program, &options, Style::Guarded, 3_000)
            .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{scene}\n{options:#?}"))
    });
    let mut tally = Tally::default();
    compared.into_iter().for_each(|how| tally.count(how));
    println!("{:?}", tally.0);
    let enough = tally.agreed() as u64 * 4 >= count * 3;
    assert!(enough || !seeds.has_variety(), "too few could be compared: {:?}", tally.0);
}
