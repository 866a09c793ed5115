//! Colours, by what they mean.

use std::fmt::Display;

use anstyle::{AnsiColor, Style};

const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();
const DOUBTFUL: Style = AnsiColor::Yellow.on_default().bold();
const WHO: Style = AnsiColor::Cyan.on_default();
const ASIDE: Style = Style::new().dimmed();
const HEAD: Style = Style::new().bold();

/// Something that holds.
pub(crate) fn good(text: impl Display) -> String {
    format!("{GOOD}{text}{GOOD:#}")
}

/// Something that is wrong.
pub(crate) fn bad(text: impl Display) -> String {
    format!("{BAD}{text}{BAD:#}")
}

/// Something that was left open.
pub(crate) fn doubtful(text: impl Display) -> String {
    format!("{DOUBTFUL}{text}{DOUBTFUL:#}")
}

/// An agent.
pub(crate) fn who(text: impl Display) -> String {
    format!("{WHO}{text}{WHO:#}")
}

/// What only those look at who look for it.
pub(crate) fn aside(text: impl Display) -> String {
    format!("{ASIDE}{text}{ASIDE:#}")
}

/// A headline.
pub(crate) fn head(text: impl Display) -> String {
    format!("{HEAD}{text}{HEAD:#}")
}
