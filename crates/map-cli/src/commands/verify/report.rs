//! `--report`: everything on one HTML page.

use std::path::Path;

use map_explain::verification::page::{self, verdict_for_page};
use map_render::report::{CastRow, print};

use super::args::Args;
use super::searched::Searched;
use crate::console::Console;
use crate::failure::Failure;
use crate::files::{check_target, write_besides};

/// Checks the flag before any work is done.
pub(super) fn check(args: &Args) -> Result<(), String> {
    let Some(target) = &args.report else { return Ok(()) };
    if args.files.len() > 1 {
        return Err("--report is for one file: there is one scene in a report".to_owned());
    }
    check_target("--report", target, &args.files)
}

/// Writes the report, atomically.
pub(super) fn write(searched: Searched<'_>, target: &Path, console: &mut Console) -> Result<(), Failure> {
    let text = print(&searched.presented(page::report));
    write_besides("the report", target, &text, console).map(|_| ())
}

/// Writes the report of several casts: a table of all of them, and everything about one.
pub(super) fn write_series(
    casts: &[(&str, Searched<'_>)],
    (name, shown): (&str, Searched<'_>),
    target: &Path,
    console: &mut Console,
) -> Result<(), Failure> {
    let mut report = shown.presented(page::report);
    report.verdict.words = format!("{name}: {}", report.verdict.words);
    let row = |(name, searched): &(&str, Searched<'_>)| CastRow {
        name: (*name).to_owned(),
        states: searched.found.states() as u64,
        seconds: searched.found.figures.took.as_secs_f64(),
        verdict: verdict_for_page(searched.found),
    };
    report.casts = casts.iter().map(row).collect();
    write_besides("the report", target, &print(&report), console).map(|_| ())
}
