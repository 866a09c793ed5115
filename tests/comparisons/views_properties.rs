//! A property that is proved for any number of members of a role is violated with no number of them.

use map_diagnostics::SourceFile;
use map_library::PROTOCOLS;
use map_testkit::oracle::{OracleOptions, vocabulary};
use map_testkit::scenes::{random_formula_about_all, random_formula_about_several};
use map_tests::compiled::CompiledScene;
use map_tests::engines::{NoWatch, judging, program};
use map_tests::random::{self, Comparison, Kind, Scene};
use map_tests::seeds::for_each_seed;
use map_tests::settings::is_tried;
use map_verify::{Fairness, PropertyVerdict, verify_properties};
use map_views::{NoJudgement, Sabotage, judge_properties};

use crate::views::options;

pub(crate) const COMPARISON: Comparison = Comparison {
    name: "properties-by-views",
    kind: Kind::Any,
    scenes: 30,
    compare: random_properties,
    enough: |counts, scenes| counts.of("proved") > scenes / 2 && counts.of("confirmed") > counts.of("proved"),
};

/// Formulas for each scene.
const FORMULAS: u64 = 16;

/// The most views.
const MOST_VIEWS: usize = 3_000;

/// What came of some properties.
#[derive(Default)]
pub(crate) struct Counts {
    proved: usize,
    /// Of those proved, how many are about several members.
    of_several: usize,
    open: usize,
    refused: usize,
    /// Of those proved, how many are not violated with some number of members.
    confirmed: usize,
    wrong: Vec<String>,
}

impl Counts {
    /// How many were proved, and which of those are violated with some number of members.
    pub(crate) fn proved_and_wrong(self) -> (usize, Vec<String>) {
        (self.proved, self.wrong)
    }

    fn add(&mut self, other: Self) {
        self.proved += other.proved;
        self.of_several += other.of_several;
        self.open += other.open;
        self.refused += other.refused;
        self.confirmed += other.confirmed;
        self.wrong.extend(other.wrong);
    }
}

fn with_members(
    text: &str,
    options: &OracleOptions,
    role: &str,
    count: u32,
    formulas: &[String],
) -> Option<CompiledScene> {
    let mut options = options.clone();
    options.agents.retain(|(name, _)| name != role);
    options.agents.push((role.to_owned(), count));
    program(&SourceFile::new("scene.map", text), &options).ok()?;
    CompiledScene::new(text, &options, |_| formulas.to_vec())
}

/// Compares formulas about a scene and one of its roles.
pub(crate) fn compare(
    text: &str,
    options: &OracleOptions,
    role: &str,
    formulas: &[String],
    sabotage: Sabotage,
) -> Counts {
    let mut counts = Counts::default();
    let cast = |count| with_members(text, options, role, count, formulas);
    let Some(two) = cast(2) else { return counts };
    let scene = |count| cast(count).map(|it| (it.program, it.properties));
    let judged =
        judge_properties(&scene, role, &two.bounds, (MOST_VIEWS, sabotage), &mut |_| {}, &mut || false);
    let mut proved = Vec::new();
    for (name, judged) in two.texts.iter().zip(judged) {
        match judged {
            Ok(least) => {
                proved.push((name, least));
                counts.of_several += usize::from(least > 2);
            }
            Err(NoJudgement::Open | NoJudgement::NoViews) => counts.open += 1,
            Err(_) => counts.refused += 1,
        }
    }
    counts.proved = proved.len();
    if proved.is_empty() {
        return counts;
    }
    for count in 2..=5 {
        let Some(CompiledScene { program, properties, bounds, .. }) = cast(count) else { continue };
        // With five it is enough to see what is wrong from the beginning.
        let how = judging(if count < 5 { 20_000 } else { 1_000 }, Fairness::None);
        let report = verify_properties(&program, &properties, &bounds, &how, &mut NoWatch);
        for it in report.expect("runs replay").properties {
            if !proved.iter().any(|&(name, least)| *name == it.name && count >= least) {
                continue;
            }
            match it.verdict {
                PropertyVerdict::Holds => counts.confirmed += 1,
                PropertyVerdict::Inconclusive => {}
                PropertyVerdict::Violated => counts.wrong.push(format!(
                    "{}, proved for any number of %{role}, is {} with {count}\n{text}\n{options:?}",
                    it.name,
                    it.words()
                )),
            }
        }
    }
    counts
}

fn random_properties(scene: &Scene, counts: &mut random::Counts) {
    let options = options(scene);
    let words = vocabulary(&scene.file, &options);
    if words.agents.is_empty() {
        return;
    }
    let formula = |index| match index % 4 {
        0 => random_formula_about_several(&words, scene.seed * FORMULAS + index),
        _ => random_formula_about_all(&words, scene.seed * FORMULAS + index),
    };
    let formulas: Vec<String> = (0..FORMULAS).map(formula).collect();
    for role in &scene.program.roles {
        let found = compare(&scene.text, &options, role, &formulas, Sabotage::default());
        assert!(found.wrong.is_empty(), "{}", found.wrong[0]);
        counts.add("proved", found.proved);
        counts.add("of several members", found.of_several);
        counts.add("confirmed", found.confirmed);
        counts.add("open", found.open);
        counts.add("not judged", found.refused);
    }
}

/// Protocols in which each mistake shows: first those in which most do.
const TELLING: [&str; 8] = [
    "two-phase-commit",
    "highest-bidder",
    "ballot",
    "clock-auction",
    "contract-net",
    "dutch-auction",
    "sealed-bid-auction",
    "vickrey-auction",
];

/// The properties of the library, or of some protocols, each with each of its roles.
fn compare_library(sabotage: Sabotage, wanted: impl Fn(&str) -> bool) -> Counts {
    let protocols = PROTOCOLS.iter().filter(|it| wanted(it.name));
    let versions: Vec<_> = protocols.flat_map(|it| it.versions()).collect();
    let compared = for_each_seed(versions.len() as u64, 0, |index| {
        let version = versions[index as usize];
        let options = OracleOptions::new(usize::MAX);
        let source = SourceFile::new("scene.map", version.text);
        let mut counts = Counts::default();
        let Ok(plain) = program(&source, &options) else { return counts };
        let file = map_syntax::parse(&source).file;
        let formulas = file.properties().map(|it| {
            let span = it.formula.span;
            version.text[span.start as usize..span.end as usize].to_owned()
        });
        let formulas: Vec<String> = formulas.collect();
        for role in &plain.roles {
            counts.add(compare(version.text, &options, role, &formulas, sabotage));
        }
        counts
    });
    let mut all = Counts::default();
    compared.into_iter().for_each(|it| all.add(it));
    all
}

#[test]
fn no_property_of_the_library_that_is_proved_is_violated() {
    let Counts { proved, of_several, open, refused, confirmed, wrong } =
        compare_library(Sabotage::default(), |name| is_tried(name, 3));
    println!(
        "{proved} proved, {of_several} of them about several members, {confirmed} times confirmed, {open} open, {refused} not judged, {} wrong",
        wrong.len()
    );
    assert!(wrong.is_empty(), "{}", wrong[0]);
    assert!(proved > 15, "{proved} proved");
}

/// The comparison would find out if views left something out.
#[test]
fn properties_of_views_that_leave_something_out_are_wrong() {
    for sabotage in [
        Sabotage { no_others: true, ..Sabotage::default() },
        Sabotage { wrong_support: true, ..Sabotage::default() },
        Sabotage { never_quiet: true, ..Sabotage::default() },
        Sabotage { wrong_count: true, ..Sabotage::default() },
    ] {
        let finds = |telling: &&&str| !compare_library(sabotage, |name| name == **telling).wrong.is_empty();
        let found = TELLING.iter().find(finds);
        println!("{sabotage:?}: {found:?}");
        assert!(found.is_some(), "{sabotage:?}");
    }
}
