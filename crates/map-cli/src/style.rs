//! Colours, named after their meaning.

use std::fmt::Display;

use anstyle::{AnsiColor, Style};
use map_explain::{Role, Text, Tone};

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

/// Secondary information, such as places in the source.
pub(crate) fn aside(text: impl Display) -> String {
    format!("{ASIDE}{text}{ASIDE:#}")
}

/// A headline.
pub(crate) fn head(text: impl Display) -> String {
    format!("{HEAD}{text}{HEAD:#}")
}

/// A text with the colours of its pieces.
pub(crate) fn text(text: &Text) -> String {
    let coloured = text.pieces().iter().map(|piece| match piece.role {
        None => piece.text.clone(),
        Some(Role::Agent) => who(&piece.text),
        Some(Role::Verdict(tone)) => verdict(tone, &piece.text),
        Some(Role::Aside) => aside(&piece.text),
        Some(Role::Heading) => head(&piece.text),
    });
    coloured.collect()
}

/// A verdict in the colour of its tone.
pub(crate) fn verdict(tone: Tone, text: impl Display) -> String {
    match tone {
        Tone::Good => good(text),
        Tone::Bad => bad(text),
        Tone::Doubtful => doubtful(text),
    }
}
