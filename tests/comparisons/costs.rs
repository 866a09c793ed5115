//! What random scenes cost: the engine, with and without reductions, alone and beside properties, against steps relaxed
//! one by one; and properties that bound costs.

use map_compile::PropertyCompiler;
use map_ir::{Costs, DeclaredCost, Properties};
use map_syntax::parse_formula;
use map_testkit::oracle::{NaiveCost, OracleOptions, naive_built_in_costs, naive_costs, vocabulary};
use map_testkit::scenes::{random_costs, random_formula, random_formula_about_all};
use map_tests::engines::{NoWatch, judging};
use map_tests::random::{Comparison, Counts, Kind, Scene};
use map_verify::{
    CostBounds, Fairness, MostCost, PropertyJudgement, PropertyOptions, PropertyVerdict, Reductions,
    RunEnding, verify_costs, verify_properties, verify_properties_and_costs,
};

pub(crate) const COMPARISON: Comparison =
    Comparison { name: "costs", kind: Kind::Any, scenes: 200, compare, enough };

/// Scenes with more states are skipped: the naive judge looks at all steps again and again.
const MAX_STATES: usize = 400;

/// More states than any search of such a scene has.
const ENOUGH: usize = 200_000;

fn enough(counts: &Counts, scenes: u64) -> bool {
    let (bounded, unbounded) = (counts.of("bounded"), counts.of("without bound"));
    let is_varied = counts.of("costs something") * 4 > bounded && counts.of("no good end") * 50 > bounded;
    let built_in = counts.of("built in") * 4 > scenes;
    let ceilings = counts.of("ceilings violated").min(counts.of("ceilings kept")) > scenes;
    let shared = counts.of("shared") * 4 > scenes && counts.of("not shared") * 50 > scenes;
    bounded * 2 > scenes && shared && unbounded * 20 > scenes && is_varied && built_in && ceilings
}

fn compare(scene: &Scene, counts: &mut Counts) {
    let options = OracleOptions { max_states: MAX_STATES, ..scene.options.clone() };
    let costs = random_costs(&vocabulary(&scene.file, &options), scene.seed);
    let scene = Scene::new(scene.seed, format!("{costs}{}", scene.text), options);
    let Some(naive) = naive_costs(&scene.file, &scene.options) else { return };
    let source = map_diagnostics::SourceFile::new("scene.map", &scene.text);
    let parsed = map_syntax::parse(&source);
    let (checked, errors) =
        map_check::check(&parsed.file, &map_tests::engines::check_options(&scene.options));
    let checked = checked.unwrap_or_else(|| panic!("{errors:#?}\n{scene}"));
    let mut program = scene.program.clone();
    let mut compiler = PropertyCompiler::new(&checked, &mut program);
    let compiled: Vec<Option<DeclaredCost>> = parsed.file.costs().map(|it| compiler.cost(it).ok()).collect();
    counts.add("refused", compiled.iter().filter(|it| it.is_none()).count());
    let mut list: Vec<DeclaredCost> = compiled.iter().flatten().cloned().collect();
    let mut naive: Vec<NaiveCost> =
        naive.into_iter().zip(&compiled).filter(|(_, it)| it.is_some()).map(|(it, _)| it).collect();
    // Of steps the naive judge also counts those that go wrong.
    if let Some([_, messages, rounds]) = naive_built_in_costs(&scene.file, &scene.options) {
        list.extend(["messages", "rounds"].iter().filter_map(|name| compiler.built_in_cost(name)));
        naive.extend([messages, rounds]);
        counts.one("built in");
    }
    let tables = compiler.finish();
    if list.is_empty() {
        return;
    }
    let costs = Costs { list, tables };
    let properties = random_properties(&scene, &checked, &mut program);
    for reductions in [Reductions::NONE, Reductions::ALL] {
        let how = PropertyOptions { reductions, ..judging(ENOUGH, Fairness::Fair) };
        let report = verify_costs(&program, &costs, &scene.bounds, &how, &mut NoWatch)
            .unwrap_or_else(|error| panic!("{error}\n{scene}"));
        assert!(report.searched, "{:?}\n{scene}", report.limit);
        assert_eq!(report.costs.len(), naive.len(), "{scene}");
        for (found, naive) in report.costs.iter().zip(&naive) {
            agree(found, *naive, reductions, &scene);
        }
        let both =
            verify_properties_and_costs(&program, (&properties, &costs), &scene.bounds, &how, &mut NoWatch);
        let (judged, beside) = both.unwrap_or_else(|error| panic!("{error}\n{scene}"));
        assert!(beside.searched && beside.cut_by == report.cut_by, "{:?}\n{scene}", beside.limit);
        for ((found, alone), naive) in beside.costs.iter().zip(&report.costs).zip(&naive) {
            agree(found, *naive, reductions, &scene);
            assert_eq!(found.by_role, alone.by_role, "{reductions:?}\n{scene}");
            assert_eq!(found.possible, alone.possible, "{reductions:?}\n{scene}");
        }
        let alone = verify_properties(&program, &properties, &scene.bounds, &how, &mut NoWatch)
            .unwrap_or_else(|error| panic!("{error}\n{scene}"));
        for (found, alone) in judged.properties.iter().zip(&alone.properties) {
            assert_eq!(found.words(), alone.words(), "{} with {reductions:?}\n{scene}", found.name);
        }
        assert_eq!(judged.statistics.states, alone.statistics.states, "{reductions:?}\n{scene}");
        counts.one(if beside.statistics.states == 0 { "shared" } else { "not shared" });
    }
    for (cost, naive) in costs.list.iter().zip(&naive) {
        counts.one(if naive.most.is_some() { "bounded" } else { "without bound" });
        counts.add("no good end", u8::from(naive.least.is_none()));
        counts.add("costs something", u8::from(naive.most.is_some_and(|(most, _)| most > 0)));
        bounded_by(&scene, &checked, &cost.name, *naive, counts);
    }
}

/// Some properties of the scene that have nothing to do with what it costs.
fn random_properties(
    scene: &Scene,
    checked: &map_check::CheckedScene<'_>,
    program: &mut map_ir::Program,
) -> Properties {
    let words = vocabulary(&scene.file, &scene.options);
    let mut compiler = PropertyCompiler::new(checked, program);
    if words.agents.is_empty() {
        return compiler.finish();
    }
    for text in [
        random_formula(&words, 2 * scene.seed),
        random_formula(&words, 2 * scene.seed + 1),
        random_formula_about_all(&words, scene.seed),
    ] {
        let formula = parse_formula(&map_diagnostics::SourceFile::new("formula", text.as_str()));
        let formula = formula.unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
        if map_check::check_formula(checked, &formula).is_empty() {
            // What it says may be refused.
            let _ = compiler.add(&text, &formula);
        }
    }
    compiler.finish()
}

fn agree(found: &CostBounds, naive: NaiveCost, reductions: Reductions, scene: &Scene) {
    let context = || format!("{} with {reductions:?}: {found:?}, naively {naive:?}\n{scene}", found.name);
    assert_eq!(found.total.least, naive.least, "{}", context());
    let most = naive.most.map_or(MostCost::Unbounded, |(most, _)| MostCost::Bounded(most));
    assert_eq!(found.total.most, most, "{}", context());
    let shown = found.shown.as_ref().unwrap_or_else(|| panic!("no run: {}", context()));
    match naive.most {
        Some((_, steps)) => assert_eq!(shown.trace.steps.len(), steps, "{}", context()),
        None => assert!(matches!(shown.ending, RunEnding::Loop(_)), "{}", context()),
    }
}

/// A property that bounds the cost by the most that it comes to holds, and by one less is violated; and what is judged
/// from what steps cost is what is judged with a counter in the state.
fn bounded_by(
    scene: &Scene,
    checked: &map_check::CheckedScene<'_>,
    cost: &str,
    naive: NaiveCost,
    counts: &mut Counts,
) {
    let most = naive.most.map_or(9, |(most, _)| most);
    let mut claims = vec![format!("cost({cost}) <= {most}"), format!("cost({cost}) < {most}")];
    claims.extend([0, 3, most / 2].map(|limit| format!("cost({cost}) <= {limit}")));
    let roles =
        scene.program.roles.iter().map(|role| (format!("cost({cost}, %{role}) <= {}", most / 2), role));
    let (of_roles, roles): (Vec<String>, Vec<&String>) = roles.unzip();
    claims.extend(of_roles);
    let mut texts: Vec<[String; 2]> = claims.iter().map(|it| [format!("always {it}"), counted(it)]).collect();
    for role in roles {
        let claim = format!("cost({cost}, $a) < {}", most.min(3));
        let of_each = |claim: String| format!("forall $a in %{role} : {claim}");
        texts.push([of_each(format!("never not {claim}")), of_each(counted(&claim))]);
    }
    let mut program = scene.program.clone();
    let mut compiler = PropertyCompiler::new(checked, &mut program);
    for text in texts.iter().flatten() {
        let source = map_diagnostics::SourceFile::new("property", text.as_str());
        let formula = parse_formula(&source).expect("a formula");
        compiler.add(text, &formula).expect("its cost was compiled");
    }
    let properties: Properties = compiler.finish();
    for (reductions, fairness) in [
        (Reductions::ALL, Fairness::Fair),
        (Reductions::ALL, Fairness::Weak),
        (Reductions::NONE, Fairness::None),
    ] {
        let how = PropertyOptions { reductions, ..judging(ENOUGH, fairness) };
        let report = verify_properties(&program, &properties, &scene.bounds, &how, &mut NoWatch)
            .unwrap_or_else(|error| panic!("{error}\n{scene}"));
        let most: Vec<PropertyVerdict> =
            report.properties.iter().step_by(2).take(2).map(|it| it.verdict).collect();
        let expected = [
            if naive.most.is_some() { PropertyVerdict::Holds } else { PropertyVerdict::Violated },
            PropertyVerdict::Violated,
        ];
        assert_eq!(most, expected, "{texts:?}, naively {naive:?}\n{scene}");
        for both in report.properties.chunks(2) {
            let [one, other] = [&both[0], &both[1]];
            let found = |it: &PropertyJudgement| (it.words(), it.instance.is_some());
            assert_eq!(found(one), found(other), "{} with {reductions:?}\n{scene}", one.name);
            counts.add("ceilings violated", u8::from(one.verdict == PropertyVerdict::Violated));
            counts.add("ceilings kept", u8::from(one.verdict == PropertyVerdict::Holds));
        }
    }
}

/// The same claim, in a form that takes a counter.
fn counted(claim: &str) -> String {
    let cost = claim.split([' ']).take_while(|it| !it.starts_with('<')).collect::<Vec<_>>().join(" ");
    format!("always ({claim} or {cost} < 0)")
}
