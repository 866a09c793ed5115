//! The verdict on termination in words.

use map_verify::{Report, Verdict};

use crate::counted;

/// The verdict with its qualifications: `deadlock after 9 steps`.
#[must_use]
pub fn words(report: &Report) -> String {
    let words = report.verdict.words();
    match (report.verdict, report.violations.first()) {
        (Verdict::Violated(_), Some(violation)) => {
            let possible = if violation.possible { "possible " } else { "" };
            let after = match violation.steps {
                0 => "before the first step".to_owned(),
                steps => format!("after {}", counted(steps as u64, "step")),
            };
            format!("{possible}{words} {after}")
        }
        (Verdict::Inconclusive, _) => words.to_owned(),
        _ if !report.cut_by.is_empty() => format!("{words}, within these bounds"),
        _ => words.to_owned(),
    }
}
