//! One small scene for each rule, with verdicts and numbers of states derived by hand from the reference.

mod abstract_values;
mod bounds;
mod cast;
mod expressions;
mod fresh_values;
mod looking_back;
mod memory;
mod operations;
mod procedures;
mod properties;
mod recursion;
mod run_errors;
mod values_of_events;
mod waiting;

use map_diagnostics::SourceFile;

use super::{OracleOptions, OracleReport, explore};

fn report(text: &str) -> OracleReport {
    report_with(text, |_| {})
}

fn report_with(text: &str, change: impl FnOnce(&mut OracleOptions)) -> OracleReport {
    let parsed = map_syntax::parse(&SourceFile::new("test.map", text));
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    let mut options = OracleOptions::new(10_000);
    change(&mut options);
    explore(&parsed.file, &options)
}

/// Asserts the verdict and the numbers of states and transitions.
fn assert_verdict(report: &OracleReport, verdict: &str, states: usize, transitions: usize) {
    assert_eq!((report.verdict.as_str(), report.states, report.transitions), (verdict, states, transitions));
}

/// Asserts that the verdict is this violation (kind, length of the trace, whether only possible), in addition to
/// [`assert_verdict`].
fn assert_violation(report: &OracleReport, violation: (&str, u32, bool), states: usize, transitions: usize) {
    let (verdict, steps, possible) = violation;
    assert_verdict(report, verdict, states, transitions);
    assert_eq!((report.steps, report.possible), (Some(steps), possible));
}

fn unread(report: &OracleReport) -> Vec<(&str, usize, &str)> {
    report
        .unread
        .iter()
        .map(|(performative, arity, to)| (performative.as_str(), *arity, to.as_str()))
        .collect()
}
