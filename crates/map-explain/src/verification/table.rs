//! A table with a row for each search: of a scene in every weather, or with several casts.

use map_session::{Scene, Verification};
use map_verify::Limit;

use super::limits::{self, fewer_states};
use super::properties::{Overview, overview};
use super::{DeniedFinding, denied, verdict_text};
use crate::{Role, Text, grouped, seconds};

/// The title and the width of the first column of such a table.
#[derive(Clone, Copy)]
pub struct Table<'t> {
    title: &'t str,
    width: usize,
}

impl<'t> Table<'t> {
    /// A table whose rows have these names.
    pub fn new<'n>(title: &'t str, names: impl Iterator<Item = &'n str>) -> Self {
        let of_names = names.map(|name| name.chars().count()).max().unwrap_or(0);
        Self { title, width: of_names.max(title.chars().count()) }
    }

    /// The file and the scene, and the heads of the columns.
    #[must_use]
    pub fn head(self, scene: &Scene) -> Text {
        let mut text = Text::plain(format!("{}  ", scene.source.name()));
        text.push(Role::Heading, &scene.program.scene);
        text.push_str("\n\n");
        let (title, width) = (self.title, self.width);
        text.push(Role::Aside, format!("{title:width$} {:>9} {:>8}  verdict", "states", "time"));
        text.push_str("\n");
        text
    }

    /// A row: states of all searches, their time, the verdict; below it the properties that do not hold, and which
    /// limit has ended a search.
    #[must_use]
    pub fn row(self, name: &str, found: &Verification, denied: &[DeniedFinding]) -> Text {
        let states = grouped(found.states() as u64);
        // The column has room for no more words.
        let took = seconds(found.figures.took).replace("less than", "<");
        let Overview { words: holding, others } = overview(&found.properties);
        let width = self.width;
        let mut text = Text::plain(format!("{name:width$} {states:>9} {took:>8}  "));
        text.append(verdict_text(found));
        text.push_str(&holding.map_or_else(String::new, |holding| format!("; {holding}")));
        text.append(denied::in_passing(found, denied));
        text.push_str("\n");
        for line in others.into_iter().chain(stopped(found)) {
            text.append(self.below(line));
        }
        text
    }

    /// What would make fewer states, below the row of a search that a limit has ended.
    #[must_use]
    pub fn fewer_states(self, found: &Verification) -> Text {
        let limit = found.report.limit.or(found.properties.limit());
        let is_reached = matches!(limit, Some(Limit::States | Limit::Memory | Limit::NoRoom | Limit::Time));
        let fewer = fewer_states(&found.scene.program, &found.report.bounds).filter(|_| is_reached);
        fewer.map_or_else(Text::default, |fewer| {
            self.below(Text::of(Role::Aside, format!("for fewer states: {fewer}")))
        })
    }

    fn below(self, line: Text) -> Text {
        let mut text = Text::plain(format!("{:1$}  ", "", self.width));
        text.append(line);
        text.push_str("\n");
        text
    }

    /// The rows of searches that an interruption came before.
    #[must_use]
    pub fn not_reached<'n>(self, names: impl Iterator<Item = &'n str>) -> Text {
        let mut text = Text::default();
        for name in names {
            text.push_str(&format!("{name:0$}{1:21}", self.width, ""));
            text.push(Role::Aside, "not searched: interrupted");
            text.push_str("\n");
        }
        text
    }
}

/// Which limit has ended a search.
fn stopped(found: &Verification) -> Option<Text> {
    let of_termination = found.report.limit.map(|limit| ("", limit));
    let of_properties = found.properties.limit().map(|limit| (" a search for properties", limit));
    let (whose, limit) = of_termination.or(of_properties)?;
    let stopped = limits::reached(&found.limits, limit, &found.report.cut_by);
    Some(Text::of(Role::Aside, format!("stopped{whose}: {stopped}")))
}
