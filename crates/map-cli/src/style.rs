//! Colours, by what they mean. What is coloured is written out first, so that it cannot colour itself.

use std::fmt::Display;

use anstyle::{AnsiColor, Style};
use map_diagnostics::escaped;
use map_explain::{Role, Text, Tone};

const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();
const DOUBTFUL: Style = AnsiColor::Yellow.on_default().bold();
const WHO: Style = AnsiColor::Cyan.on_default();
const ASIDE: Style = Style::new().dimmed();
const HEAD: Style = Style::new().bold();

/// Something that holds.
pub(crate) fn good(text: impl Display) -> String {
    styled(GOOD, text)
}

/// Something that is wrong.
pub(crate) fn bad(text: impl Display) -> String {
    styled(BAD, text)
}

/// Something that was left open.
pub(crate) fn doubtful(text: impl Display) -> String {
    styled(DOUBTFUL, text)
}

/// An agent.
pub(crate) fn who(text: impl Display) -> String {
    styled(WHO, text)
}

/// Secondary information, such as places in the source.
pub(crate) fn aside(text: impl Display) -> String {
    styled(ASIDE, text)
}

/// A headline.
pub(crate) fn head(text: impl Display) -> String {
    styled(HEAD, text)
}

fn styled(style: Style, text: impl Display) -> String {
    format!("{style}{}{style:#}", escaped(&text.to_string()))
}

/// A text with the colours of its pieces.
pub(crate) fn text(text: &Text) -> String {
    let coloured = text.pieces().iter().map(|piece| match piece.role {
        None => escaped(&piece.text).into_owned(),
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
