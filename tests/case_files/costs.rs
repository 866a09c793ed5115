//! Every `//@ cost` line of every file in `protocols/` and `tests/cases/`: the engine must find what it expects, with
//! reductions and without, and so must the naive judge.

use libtest_mimic::{Failed, Trial};
use map_check::{BUILT_IN_COSTS, check};
use map_compile::{PropertyCompiler, compile};
use map_diagnostics::SourceFile;
use map_ir::{Costs, DeclaredCost};
use map_testkit::oracle::{NaiveCost, naive_built_in_costs, naive_costs};
use map_tests::cases::{Case, trials_of_all_cases};
use map_tests::engines::{NoWatch, bounds, check_options, judging};
use map_verify::{Fairness, MostCost, PropertyOptions, Reductions, verify_costs};

pub(crate) fn trials() -> Vec<Trial> {
    let trials = trials_of_all_cases(|name, text, found| {
        let trial = |case: Case| {
            let text = text.to_owned();
            Trial::test(format!("costs: {name} {}", case.expectation.flags), move || run(&case, &text))
        };
        found.into_iter().filter(|case| !case.expectation.costs.is_empty()).map(trial).collect()
    });
    assert!(trials.len() > 12, "the cases are found");
    trials
}

/// Compares what the engine finds with the expectation and with what the naive judge finds.
fn run(case: &Case, text: &str) -> Result<(), Failed> {
    let source = SourceFile::new("case.map", text);
    let file = map_syntax::parse(&source).file;
    let (checked, errors) = check(&file, &check_options(&case.options));
    let checked = checked.filter(|_| errors.is_empty()).ok_or_else(|| format!("{errors:?}"))?;
    let mut program = compile(&checked);
    let mut compiler = PropertyCompiler::new(&checked, &mut program);
    let compiled: Vec<Result<DeclaredCost, String>> =
        file.costs().map(|cost| compiler.cost(cost).map_err(|refused| codes(&refused))).collect();
    let expects = |name: &&str| case.expectation.costs.iter().any(|(known, _)| known == name);
    let is_declared = |name: &str| file.costs().any(|cost| cost.name.text == name);
    let built_in: Vec<&str> =
        BUILT_IN_COSTS.into_iter().filter(expects).filter(|name| !is_declared(name)).collect();
    let mut compiled = compiled;
    compiled.extend(built_in.iter().map(|name| Ok(compiler.built_in_cost(name).expect("it is built in"))));
    let tables = compiler.finish();
    let costs = Costs { list: compiled.iter().flatten().cloned().collect(), tables };
    let mut naive = naive_costs(&file, &case.options).ok_or("too many states for the naive judge")?;
    if !built_in.is_empty() {
        let all = naive_built_in_costs(&file, &case.options).ok_or("too much for the naive judge")?;
        let named = BUILT_IN_COSTS.iter().zip(all).filter(|(name, _)| built_in.contains(name));
        naive.extend(named.map(|(_, naive)| naive));
    }
    let names: Vec<&str> =
        file.costs().map(|cost| &*cost.name.text).chain(built_in.iter().copied()).collect();
    let bounds = bounds(&program, &case.options);
    let mut wrong = Vec::new();
    for reductions in [Reductions::ALL, Reductions::NONE] {
        let how = PropertyOptions { reductions, ..judging(case.options.max_states, Fairness::Fair) };
        let report =
            verify_costs(&program, &costs, &bounds, &how, &mut NoWatch).map_err(|error| error.to_string())?;
        let cut = if report.cut_by.is_empty() { "" } else { ", cut" };
        let mut found = report.costs.iter();
        for ((name, compiled), naive) in names.iter().zip(&compiled).zip(&naive) {
            let words = match compiled {
                Err(codes) => format!("refused {codes}"),
                Ok(_) => {
                    let total = found.next().ok_or("not added up")?.total;
                    let most = match total.most {
                        MostCost::Bounded(most) => Some(most),
                        MostCost::Unbounded => None,
                        MostCost::TooMuch => return Err("too much".into()),
                    };
                    if (total.least, most) != (naive.least, naive.most.map(|(most, _)| most)) {
                        wrong.push(format!("{name}: {total:?} with {reductions:?}, naively {naive:?}"));
                    }
                    format!("{}{cut}", range(NaiveCost { least: total.least, most: most.map(|it| (it, 0)) }))
                }
            };
            let expected = case.expectation.costs.iter().find(|(known, _)| known == name);
            if expected.is_some_and(|(_, expected)| *expected != words) {
                wrong.push(format!("found: //@ cost {name} => {words}"));
            }
        }
    }
    for (name, _) in &case.expectation.costs {
        if !names.contains(&name.as_str()) {
            wrong.push(format!("there is no cost {name}"));
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}

fn codes(refused: &[map_diagnostics::Diagnostic]) -> String {
    refused.iter().map(|it| it.code.as_str()).collect::<Vec<_>>().join(" ")
}

fn range(NaiveCost { least, most }: NaiveCost) -> String {
    let number = |number: Option<i64>| number.map_or(String::new(), |it| it.to_string());
    format!("{}..{}", number(least), number(most.map(|(most, _)| most)))
}
