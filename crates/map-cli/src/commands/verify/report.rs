//! `--report`: everything on one HTML page.

use std::fs;
use std::path::Path;

use map_doors::shown as shown_path;
use map_explain::verification::page::{self, verdict_for_page};
use map_flags::{BoundArgs, CommandLine, TimeoutsArg};
use map_render::report::{GIVEN, Live, Report, SearchRow, print};

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
    check_target("--report", target, args.files.iter().chain(&args.live))?;
    playground(args).map(|_| ())
}

/// The playground that is to be in the report, if one is.
fn playground(args: &Args) -> Result<Option<String>, String> {
    let Some(path) = &args.live else { return Ok(None) };
    let name = shown_path(path);
    let page = fs::read_to_string(path).map_err(|error| format!("--live {name}: {error}"))?;
    if !page.contains(GIVEN) {
        return Err(format!("--live {name}: this is no playground; `cargo xtask web` builds one"));
    }
    Ok(Some(page))
}

/// Writes the report, atomically.
pub(super) fn write(searched: Searched<'_>, target: &Path, console: &mut Console) -> Result<(), Failure> {
    let text = print(&report_of(searched)?);
    write_besides("the report", target, &text, console).map(|_| ())
}

/// What is in the report of a search.
fn report_of(searched: Searched<'_>) -> Result<Report, Failure> {
    let mut report = searched.presented(page::report);
    let page = playground(searched.args).map_err(|what| Failure::Usage("verify", what))?;
    report.live = page.map(|page| Live { page, flags: flags(searched) });
    Ok(report)
}

/// The flags under which the scene of a search has the runs that were found.
fn flags(Searched { args, found, .. }: Searched<'_>) -> String {
    let asked = &args.search;
    let mut words = CommandLine::new("verify", Path::new("-"));
    words.scene(&asked.scene);
    let bounds = &found.scene.bounds;
    words.bounds(&BoundArgs {
        network: bounds.network,
        timeouts: TimeoutsArg::from(bounds.timeouts),
        ..asked.bounds.clone()
    });
    words.flags()
}

/// Writes the report of several searches, casts or weathers: a table of all of them, and everything about one.
pub(super) fn write_several(
    table: impl FnOnce(&mut Report) -> &mut Vec<SearchRow>,
    searches: &[(&str, Searched<'_>)],
    (name, shown): (&str, Searched<'_>),
    target: &Path,
    console: &mut Console,
) -> Result<(), Failure> {
    let mut report = report_of(shown)?;
    report.verdict.words = format!("{name}: {}", report.verdict.words);
    *table(&mut report) = rows(searches);
    write_besides("the report", target, &print(&report), console).map(|_| ())
}

fn rows(searches: &[(&str, Searched<'_>)]) -> Vec<SearchRow> {
    let row = |(name, searched): &(&str, Searched<'_>)| SearchRow {
        name: (*name).to_owned(),
        states: searched.found.states() as u64,
        seconds: searched.found.figures.took.as_secs_f64(),
        verdict: verdict_for_page(searched.found),
    };
    searches.iter().map(row).collect()
}
