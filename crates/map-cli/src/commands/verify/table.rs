//! A table with a row for each search: of a scene in every weather, or with several casts.

use std::fmt::Write as _;
use std::path::Path;

use map_explain::verification::limits;
use map_explain::verification::properties::{Overview, overview};
use map_explain::verification::{denied_in_passing, verdict_text};
use map_flags::BoundArgs;

use super::args::Args;
use super::searched::Searched;
use crate::again::CommandLine;
use crate::numbers::{grouped, seconds};
use crate::style;

/// The width of its first column.
pub(super) struct Table {
    width: usize,
}

impl Table {
    /// A table whose rows have these names.
    pub(super) fn new<'n>(title: &'n str, names: impl Iterator<Item = &'n str>) -> Self {
        let width = names.chain([title]).map(|name| name.chars().count()).max().unwrap_or(0);
        Self { width }
    }

    /// The headline, and that of the table.
    pub(super) fn head(&self, file: &str, scene: &str, title: &str) -> String {
        let head = format!("{title:0$}{1:>10}{2:>9}  verdict", self.width, "states", "time");
        format!("{file}  {}\n\n{}\n", style::head(scene), style::aside(head))
    }

    /// A row: states of all searches, their time, the verdict; below it the properties that do not hold, and which
    /// limit has ended a search.
    pub(super) fn row(&self, name: &str, searched: &Searched<'_>) -> String {
        let states = grouped(searched.found.states() as u64);
        let Overview { words: holding, others } = overview(&searched.found.properties);
        let holding = holding.map_or_else(String::new, |holding| format!("; {holding}"));
        let verdict = style::text(&verdict_text(&searched.found));
        let denied = style::text(&denied_in_passing(&searched.found, &searched.args.denied()));
        // The column has room for no more words.
        let took = seconds(searched.found.figures.took).replace("less than", "<");
        let width = self.width;
        let mut text = format!("{name:width$}{states:>10}{took:>9}  {verdict}{holding}{denied}\n");
        for line in others.iter().map(style::text).chain(stopped(searched)) {
            text.push_str(&self.below(&line));
        }
        text
    }

    /// A line that belongs to the row above.
    pub(super) fn below(&self, line: &str) -> String {
        format!("{:1$}  {line}\n", "", self.width)
    }

    /// The rows of searches that an interruption came before.
    pub(super) fn not_reached<'n>(&self, names: impl Iterator<Item = &'n str>) -> String {
        let why = style::aside("not searched: interrupted");
        let mut text = String::new();
        for name in names {
            let _ = writeln!(text, "{name:0$}{1:21}{why}", self.width, "");
        }
        text
    }
}

/// Which limit has ended a search.
fn stopped(searched: &Searched<'_>) -> Option<String> {
    let of_properties = searched.found.properties.limit();
    let of_termination = searched.found.report.limit.map(|limit| ("", limit));
    let (whose, limit) = of_termination.or(of_properties.map(|limit| (" a search for properties", limit)))?;
    let stopped = limits::reached(&searched.found.limits, limit, &searched.found.report.cut_by);
    Some(style::aside(format!("stopped{whose}: {stopped}")))
}

/// The command that makes one of the searches alone.
pub(super) fn alone(args: &Args, file: &Path, bounds: &BoundArgs) -> String {
    let mut words = CommandLine::new("verify", file);
    words.scene(&args.search.scene);
    words.bounds(bounds);
    if args.search.judge.no_properties {
        words.switch("no-properties");
    }
    words.line()
}
