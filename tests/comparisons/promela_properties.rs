//! Properties in exported models under the real SPIN: its verdict on every claim and ours must be the same, over all
//! runs (`--fairness none`).
//!
//! `MAP_SPIN_PROPERTIES=N` sets how many random scenes, `MAP_SEED=S` where the seeds start. Without SPIN the tests are
//! skipped, and say so.

use map_check::{check, check_formula};
use map_compile::{PropertyCompiler, compile};
use map_diagnostics::SourceFile;
use map_ir::{Program, Properties};
use map_syntax::ast::{File, Formula};
use map_testkit::oracle::{OracleOptions, vocabulary};
use map_testkit::scenes::{random_formula, random_options, random_scene};
use map_tests::cases::{cases, map_files};
use map_tests::engines::check_options;
use map_tests::promela::{PropertyTally, compare_properties, installed};
use map_tests::seeds::for_each_seed;
use map_tests::settings::{Seeds, is_tried};
use std::path::Path;

/// Formulas for each random scene.
const FORMULAS: u64 = 5;

#[derive(Debug, Default)]
struct Counts {
    scenes: usize,
    holding: usize,
    violated: usize,
    unstated: usize,
    open: usize,
    not_exported: usize,
}

impl Counts {
    fn count(&mut self, judged: Option<PropertyTally>) {
        let Some(PropertyTally { holding, violated, unstated, open }) = judged else {
            self.not_exported += 1;
            return;
        };
        self.scenes += 1;
        self.holding += holding;
        self.violated += violated;
        self.unstated += unstated;
        self.open += open;
    }
}

/// A compiled scene with those of the formulas that are valid in it.
fn compiled<'f>(
    file: &File,
    options: &OracleOptions,
    formulas: impl IntoIterator<Item = (&'f str, &'f Formula)>,
) -> (Program, Properties) {
    let (checked, errors) = check(file, &check_options(options));
    let checked = checked.unwrap_or_else(|| panic!("{errors:?}"));
    let mut program = compile(&checked);
    let mut compiler = PropertyCompiler::new(&checked, &mut program);
    for (name, formula) in formulas {
        if check_formula(&checked, formula).is_empty() {
            // Refused formulas are left out.
            let _ = compiler.add(name, formula);
        }
    }
    let properties = compiler.finish();
    (program, properties)
}

/// The properties of all cases and protocols, each under the options of the `//@ verify` lines.
#[test]
fn on_cases_and_protocols() {
    let Some(tools) = installed() else { return };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let (mut counts, mut wrong) = (Counts::default(), Vec::new());
    for folder in ["protocols", "tests/cases"] {
        for path in map_files(&root.join(folder)).expect("the folder is part of the repository") {
            let text = std::fs::read_to_string(&path).expect("case files are UTF-8 text");
            let name = path.strip_prefix(&root).unwrap_or(&path).display().to_string();
            let source = SourceFile::new(name.as_str(), text.as_str());
            let parsed = map_syntax::parse(&source);
            if parsed.file.properties().next().is_none() {
                continue;
            }
            for case in cases(&path, &text).expect("the other tests read them too") {
                if !is_tried(&format!("{name} {}", case.expectation.flags), 6) {
                    continue;
                }
                // SPIN stores the full capacity of every mailbox in every state.
                let mut options = case.options.clone();
                options.mailbox = options.mailbox.min(8);
                let all = parsed.file.properties().map(|it| (it.name.text.as_str(), &it.formula));
                let (program, properties) = compiled(&parsed.file, &options, all);
                if properties.list.is_empty() {
                    continue;
                }
                match compare_properties(&tools, &source, &program, &properties, &options, 400) {
                    Ok(judged) => counts.count(judged),
                    Err(error) => wrong.push(format!("{name} {}: {error}", case.expectation.flags)),
                }
            }
        }
    }
    println!("{counts:?}");
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(counts.holding > 20 && counts.violated > 2, "too few could be compared: {counts:?}");
}

#[test]
fn on_random_scenes() {
    let Some(tools) = installed() else { return };
    let seeds = Seeds::new("MAP_SPIN_PROPERTIES", 20);
    let Seeds { first, count, .. } = seeds;
    println!("{count} scenes from seed {first}");
    let compared = for_each_seed(count, first, |seed| {
        // Crashes are not exported.
        let options = OracleOptions { delayed: false, crashes: 0, ..random_options(seed) };
        let text = random_scene(seed);
        let source = SourceFile::new("scene.map", text.as_str());
        let parsed = map_syntax::parse(&source);
        let words = vocabulary(&parsed.file, &options);
        if words.agents.is_empty() {
            return None;
        }
        let texts: Vec<String> =
            (0..FORMULAS).map(|index| random_formula(&words, seed * FORMULAS + index)).collect();
        let formulas: Vec<Formula> = texts
            .iter()
            .map(|it| {
                map_syntax::parse_formula(&SourceFile::new("formula", it.as_str())).expect("it is right")
            })
            .collect();
        let named = texts.iter().map(String::as_str).zip(&formulas);
        let (program, properties) = compiled(&parsed.file, &options, named);
        let judged = compare_properties(&tools, &source, &program, &properties, &options, 600);
        Some(judged.unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}\n{options:#?}")))
    });
    let mut counts = Counts::default();
    compared.into_iter().flatten().for_each(|judged| counts.count(judged));
    println!("{counts:?}");
    if !seeds.has_variety() {
        return;
    }
    let compared = counts.holding + counts.violated;
    assert!(compared as u64 > count, "too few could be compared: {counts:?}");
    assert!(counts.holding.min(counts.violated) * 10 > compared, "hardly any variety: {counts:?}");
}
