//! Whether and how a chart is shown within a text.

use map_ir::SourceSpan;

use super::{Chart, fold, text};

/// Text charts with more rows than this are folded in the middle.
pub const MAX_TEXT_ROWS: usize = 60;

/// Charts with more rows than this are not drawn by [`When::Auto`].
const MAX_AUTO_ROWS: usize = 40;

/// Nor, unless somebody waits, are charts with fewer rows than this.
const MIN_AUTO_ROWS: usize = 2;

/// Nor are charts where lines have fewer columns than this: steps are told instead.
const MIN_WIDTH: usize = 78;

/// When a chart is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// Unless it is long, or too wide.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// How charts are shown within a text.
#[derive(Clone, Copy, Debug)]
pub struct Drawing {
    /// When they are drawn.
    pub when: When,
    /// Whether every row is drawn; otherwise repetitions and the middle of a long chart are folded.
    pub full: bool,
    /// The columns that there are.
    pub width: usize,
}

impl Drawing {
    /// The chart followed by an empty line, or an empty string if none is wanted.
    #[must_use]
    pub fn below(&self, chart: &Chart) -> String {
        let rows = fold::repetitions(chart).rows.len();
        let wanted = match self.when {
            When::Auto => {
                let is_short = rows <= MAX_AUTO_ROWS && (rows >= MIN_AUTO_ROWS || !chart.waits.is_empty());
                is_short && self.width >= MIN_WIDTH
            }
            When::Always => true,
            When::Never => false,
        };
        if wanted { format!("{}\n", text::draw(&self.folded(chart), self.room())) } else { String::new() }
    }

    /// The chart of a run in place of its steps, followed by an empty line; `None` if it has no room, is long, or not
    /// wanted. `place` gives the place of a step in the source.
    #[must_use]
    pub fn in_place(&self, chart: &Chart, place: &dyn Fn(SourceSpan) -> String) -> Option<String> {
        let chart = self.folded(chart);
        let drawn = || text::draw_with_places(&chart, self.room(), place);
        let fits = |drawn: &String| drawn.lines().all(|line| line.chars().count() <= self.width);
        let drawn = match self.when {
            When::Never => None,
            When::Always => Some(drawn()),
            When::Auto if self.width < MIN_WIDTH => None,
            When::Auto if !(MIN_AUTO_ROWS..=MAX_AUTO_ROWS).contains(&chart.rows.len()) => None,
            When::Auto => Some(drawn()).filter(fits),
        };
        drawn.map(|drawn| format!("{}\n\n", drawn.trim_end()))
    }

    /// The columns of a chart that is drawn.
    fn room(&self) -> usize {
        self.width.max(MIN_WIDTH)
    }

    fn folded(&self, chart: &Chart) -> Chart {
        if self.full { chart.clone() } else { fold::usual(chart, MAX_TEXT_ROWS) }
    }
}
