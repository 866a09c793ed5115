//! Every `//@ verify` line of every file in `protocols/` and `tests/cases/`: both engines must find what it expects.

use libtest_mimic::{Failed, Trial};
use map_diagnostics::SourceFile;
use map_ir::Program;
use map_syntax::parse;
use map_testkit::oracle::explore;
use map_tests::cases::{Case, trials_of_all_cases, verdict_line};
use map_tests::engines::{self, Findings, findings, oracle_findings, program, reduced_search, search};
use map_tests::unused_cases::of_findings;
use map_verify::{Options, Reductions};

pub(crate) fn trials() -> Vec<Trial> {
    trials_of_all_cases(|name, text, found| {
        let trial = |case: Case| {
            let text = text.to_owned();
            Trial::test(format!("protocols: {name} {}", case.expectation.flags), move || run(&case, &text))
        };
        found.into_iter().map(trial).collect()
    })
}

fn run(case: &Case, text: &str) -> Result<(), Failed> {
    let source = SourceFile::new(case.path.display().to_string(), text);
    let program = program(&source, &case.options)?;
    let fast = findings(&program, &search(&program, &case.options)?);
    let found = verdict_line(&fast);
    if !case.expectation.expected.fits(&found) {
        return Err(format!("found: //@ verify {} => {found}", case.expectation.flags).into());
    }
    let unused = case.expectation.unused.right_lines(&of_findings(text, &program, &fast));
    if !unused.is_empty() {
        return Err(unused.join("\n").into());
    }
    reduced(case, &program, &fast)?;
    let oracle = oracle_findings(explore(&parse(&source).file, &case.options));
    let differences = fast.differences(&oracle);
    if differences.is_empty() { Ok(()) } else { Err(differences.join("\n").into()) }
}

/// The search with all reductions, and with the self-check on, must find the same.
fn reduced(case: &Case, program: &Program, plain: &Findings) -> Result<(), Failed> {
    let how = Options { self_check: true, ..engines::reduced(&case.options, Reductions::ALL) };
    let reduced = findings(program, &reduced_search(program, &case.options, &how)?);
    if let Some(states) = case.expectation.expected.reduced.filter(|&states| states != reduced.states) {
        return Err(format!("reduced to {} states, not to {states}", reduced.states).into());
    }
    let differences = reduced.differences_beside_counts(plain);
    if differences.is_empty() { Ok(()) } else { Err(format!("reduced: {}", differences.join("\n")).into()) }
}
