//! Every `//@ property` line of every file in `protocols/` and `tests/cases/`: the engine must find what it expects,
//! with reductions and without, and so must the oracle where it judges such formulas.

use libtest_mimic::{Failed, Trial};
use map_check::{CheckedScene, check, check_formula};
use map_compile::{PropertyCompiler, compile};
use map_diagnostics::SourceFile;
use map_flags::ExpectedProperty;
use map_syntax::ast::{File, Formula};
use map_testkit::oracle::{OracleOptions, judge_formulas};
use map_testkit::temporal::Runs;
use map_tests::cases::{Case, trials_of_all_cases};
use map_tests::engines::{NoWatch, agrees, bounds, check_options, judging};
use map_verify::{Fairness, PropertyJudgement, PropertyOptions, Reductions, verify_properties};

pub(crate) fn trials() -> Vec<Trial> {
    let trials = trials_of_all_cases(|name, text, found| {
        let trial = |case: Case| {
            let text = text.to_owned();
            Trial::test(format!("properties: {name} {}", case.expectation.flags), move || run(&case, &text))
        };
        found.into_iter().filter(|case| !case.expectation.properties.is_empty()).map(trial).collect()
    });
    assert!(trials.len() > 30, "the cases are found");
    trials
}

/// Compares the engine's verdict on each property with the expectation, and with the oracle's where that has one.
fn run(case: &Case, text: &str) -> Result<(), Failed> {
    let source = SourceFile::new("case.map", text);
    let file = map_syntax::parse(&source).file;
    let (checked, errors) = check(&file, &check_options(&case.options));
    let checked = checked.filter(|_| errors.is_empty()).ok_or_else(|| format!("{errors:?}"))?;
    let mut wrong = Vec::new();
    for (fairness, runs) in
        [(Fairness::Fair, Runs::Drawn), (Fairness::Weak, Runs::Fair), (Fairness::None, Runs::All)]
    {
        let (mut formulas, mut judged) = (Vec::new(), Vec::new());
        for property in case.expectation.properties.iter().filter(|property| property.fairness == fairness) {
            match found(&checked, &file, property, &case.options) {
                Ok(Some((formula, verdict))) => {
                    formulas.push(formula);
                    judged.push((property, verdict));
                }
                Ok(None) => {}
                Err(error) => wrong.push(error),
            }
        }
        if formulas.is_empty() {
            continue;
        }
        let oracle = judge_formulas(&file, &case.options, runs, &formulas).unwrap_or_default();
        for ((property, judged), oracle) in judged.iter().zip(oracle) {
            if !agrees(judged, oracle) {
                wrong.push(format!("{}: the oracle finds {oracle:?}", property.name));
            }
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}

/// The formula and the engine's verdict; `None` if it is refused, as expected. The error is the line that would be
/// right.
fn found(
    checked: &CheckedScene<'_>,
    file: &File,
    case: &ExpectedProperty,
    options: &OracleOptions,
) -> Result<Option<(Formula, PropertyJudgement)>, String> {
    let name = &case.name;
    let property = file.properties().find(|it| it.name.text == *name);
    let property = property.ok_or_else(|| format!("{name}: no such property"))?;
    let mut program = compile(checked);
    let mut compiler = PropertyCompiler::new(checked, &mut program);
    if !check_formula(checked, &property.formula).is_empty() {
        return Err(format!("{name} is not about this scene"));
    }
    let (words, verdict) = match compiler.add(name, &property.formula) {
        Err(refused) => {
            let codes: Vec<&str> = refused.iter().map(|it| it.code.as_str()).collect();
            (format!("refused {}", codes.join(" ")), None)
        }
        Ok(_) => {
            let properties = compiler.finish();
            let bounds = bounds(&program, options);
            let judge = |reductions| {
                let how = PropertyOptions { reductions, ..judging(options.max_states, case.fairness) };
                let report = verify_properties(&program, &properties, &bounds, &how, &mut NoWatch)
                    .map_err(|error| error.to_string())?;
                report.properties.into_iter().next().ok_or_else(|| "nothing judged".to_owned())
            };
            let (judged, plain) = (judge(Reductions::ALL)?, judge(Reductions::NONE)?);
            if judged.words() != plain.words() {
                return Err(format!("{name}: {}, and {} without reductions", judged.words(), plain.words()));
            }
            (judged.words(), Some((property.formula.clone(), judged)))
        }
    };
    if words == case.expected { Ok(verdict) } else { Err(format!("found: //@ property {name} => {words}")) }
}
