//! Text as JSON: pieces, each with its role.

use anstream::adapter::strip_str;
use map_diagnostics::{Diagnostic, SourceFile};
use map_explain::{Role, Text, Tone};
use serde::Serialize;

/// A text in pieces.
#[derive(Debug, Default, Serialize)]
#[serde(transparent)]
pub(crate) struct Pieces(Vec<PieceOutput>);

/// A piece of text.
#[derive(Debug, Serialize)]
struct PieceOutput {
    /// `agent`, `good`, `bad`, `doubtful`, `aside` or `heading`.
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'static str>,
    text: String,
}

/// The word for a tone.
pub(crate) const fn tone_word(tone: Tone) -> &'static str {
    match tone {
        Tone::Good => "good",
        Tone::Bad => "bad",
        Tone::Doubtful => "doubtful",
    }
}

impl From<Text> for Pieces {
    fn from(text: Text) -> Self {
        let role = |role: Role| match role {
            Role::Agent => "agent",
            Role::Verdict(tone) => tone_word(tone),
            Role::Aside => "aside",
            Role::Heading => "heading",
        };
        let pieces = text.pieces().iter();
        Self(pieces.map(|it| PieceOutput { role: it.role.map(role), text: it.text.clone() }).collect())
    }
}

/// The most diagnostics that are told in words.
const MAX_TOLD: usize = 50;

/// Diagnostics with the lines that they are about.
pub(crate) fn told(source: &SourceFile, all: &[Diagnostic]) -> String {
    let shown = all.iter().take(MAX_TOLD);
    let mut text: String =
        shown.map(|it| strip_str(&map_diagnostics::render(source, it)).to_string()).collect();
    if let Some(more) = all.len().checked_sub(MAX_TOLD).filter(|&more| more > 0) {
        text.push_str(&format!("and {more} more\n"));
    }
    text
}
