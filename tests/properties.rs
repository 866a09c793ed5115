//! Every `//@ property` line of every file in `protocols/` and `tests/cases/`: the engine must find what it says, and the
//! oracle the same where it judges such formulas.

use libtest_mimic::{Arguments, Failed, Trial};
use map_check::{CastOverride, CheckOptions, check, check_formula};
use map_compile::{PropertyCompiler, compile};
use map_diagnostics::SourceFile;
use map_testkit::oracle::{Judgement, OracleOptions, judge_formulas};
use map_tests::cases::{Case, trials_of_all_cases};
use map_tests::engines::{Unwatched, bounds, limits};
use map_tests::property_cases::PropertyCase;
use map_verify::{Fairness, PropertyVerdict, verify_properties};

fn main() {
    let trials = trials_of_all_cases(|name, text, found| {
        let trials = found.into_iter().flat_map(|case| {
            let Case { options, properties, .. } = case;
            properties.into_iter().map(move |property| (options.clone(), property))
        });
        let trial = |(options, property): (OracleOptions, PropertyCase)| {
            let text = text.to_owned();
            Trial::test(format!("{name} {}", property.name), move || run(&options, &property, &text))
        };
        trials.map(trial).collect()
    });
    assert!(trials.len() > 30, "the cases are found");
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn run(options: &OracleOptions, case: &PropertyCase, text: &str) -> Result<(), Failed> {
    let source = SourceFile::new("case.map", text);
    let parsed = map_syntax::parse(&source);
    let agents = options.agents.iter();
    let agents =
        agents.map(|(name, count)| CastOverride { name: name.clone(), count: i64::from(*count) }).collect();
    let (checked, errors) = check(&parsed.file, &CheckOptions { scene: options.scene.clone(), agents });
    let checked = checked.filter(|_| errors.is_empty()).ok_or_else(|| format!("{errors:?}"))?;
    let property = parsed.file.properties().find(|it| it.name.text == case.name).ok_or("no such property")?;
    let mut program = compile(&checked);
    let mut compiler = PropertyCompiler::new(&checked, &mut program);
    if !check_formula(&checked, &property.formula).is_empty() {
        return Err("the property is not about this scene".into());
    }
    if let Err(refused) = compiler.add(&case.name, &property.formula) {
        let codes: Vec<&str> = refused.iter().map(|it| it.code.as_str()).collect();
        let found = format!("refused {}", codes.join(" "));
        return if found == case.expected { Ok(()) } else { Err(format!("found: {found}").into()) };
    }
    let properties = compiler.finish();
    let bounds = bounds(&program, options);
    let limits = limits(options.max_states);
    let fairness = if case.unfair { Fairness::None } else { Fairness::Fair };
    let report = verify_properties(&program, &properties, &bounds, &limits, fairness, &mut Unwatched)
        .map_err(|error| error.to_string())?;
    let judged = &report.properties[0];
    let found = judged.words();
    if found != case.expected {
        return Err(format!("found: //@ property {} => {found}", case.name).into());
    }
    let formulas = [property.formula.clone()];
    let oracle = judge_formulas(&parsed.file, options, &formulas).filter(|_| !case.unfair);
    match oracle.as_deref() {
        Some([Judgement::Holds | Judgement::Shown(_)]) if judged.verdict != PropertyVerdict::Holds => {
            Err("the oracle finds that it holds".into())
        }
        Some([Judgement::Violated(_)]) if judged.verdict != PropertyVerdict::Violated => {
            Err("the oracle finds that it is violated".into())
        }
        _ => Ok(()),
    }
}
