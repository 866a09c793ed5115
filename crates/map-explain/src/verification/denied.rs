//! Findings that are no violation, and that somebody does not accept nevertheless (`--deny`).

use map_session::Verification;
use map_verify::Verdict;

use crate::{Namer, Role, Text, Tone, counted, unused};

/// A finding that is no violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeniedFinding {
    /// A run may go on for ever: the scene terminates if fair.
    IfFair,
    /// A message is left unread in some run.
    Unread,
    /// An agent, clause, alternative, timeout or operation is never used.
    Never,
}

impl DeniedFinding {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::IfFair, Self::Unread, Self::Never];

    /// The word on the command line.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::IfFair => "if-fair",
            Self::Unread => "unread",
            Self::Never => "never",
        }
    }

    /// What was found of this kind, in words.
    #[must_use]
    pub fn found(self, found: &Verification) -> Option<String> {
        let namer = Namer::new(&found.scene.source, &found.scene.program);
        match self {
            Self::IfFair => {
                let is_so = found.report.verdict == Verdict::TerminatesIfFair;
                is_so.then(|| "a run can go on for ever".to_owned())
            }
            Self::Unread => {
                let unread = unused::unread(&namer, &found.report.unused);
                (!unread.is_empty()).then(|| format!("left unread in some run: {}", unread.join("; ")))
            }
            Self::Never => match unused::items(&namer, &found.report).len() {
                0 => None,
                pieces => Some(format!("{} of the text never used", counted(pieces as u64, "piece"))),
            },
        }
    }
}

/// What was found of these kinds, in words.
pub fn denied(
    found: &Verification,
    kinds: &[DeniedFinding],
) -> impl Iterator<Item = (DeniedFinding, String)> {
    kinds.iter().filter_map(|&kind| Some((kind, kind.found(found)?)))
}

/// The words for what was found of these kinds, as the end of a sentence; empty if nothing was.
pub(super) fn in_passing(found: &Verification, kinds: &[DeniedFinding]) -> Text {
    let words: Vec<&str> = denied(found, kinds).map(|(kind, _)| kind.word()).collect();
    match words.is_empty() {
        true => Text::default(),
        false => Text::of(Role::Verdict(Tone::Bad), format!("; denied: {}", words.join(", "))),
    }
}

/// A line for everything found of these kinds.
pub(super) fn lines(found: &Verification, kinds: &[DeniedFinding]) -> Text {
    let mut text = Text::default();
    for (kind, what) in denied(found, kinds) {
        text.push(Role::Verdict(Tone::Bad), "denied:");
        text.push_str(&format!(" {what} (--deny {})\n", kind.word()));
    }
    text
}
