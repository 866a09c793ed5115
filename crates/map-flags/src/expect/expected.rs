//! What stands behind `=>` in a line `//@ verify`.

use map_session::AnyVerdictWord;
use map_verify::Verdict;

use super::findings::{Findings, MAY_OVERFLOW};

/// What is expected of the verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Expected {
    verdict: String,
    possible: bool,
    cut: bool,
    /// See [`Findings::may_overflow`].
    may_overflow: bool,
    /// The length of the trace; not compared if absent.
    steps: Option<usize>,
    /// The cast with which any number of agents goes wrong, such as `bidder=2`; not compared if absent.
    with: Option<String>,
}

/// The verdicts that there are for any number of agents alone.
fn only_any() -> [&'static str; 2] {
    [AnyVerdictWord::NothingGoesWrong, AnyVerdictWord::NoProof].map(AnyVerdictWord::words)
}

impl Expected {
    /// Counts of states and transitions are for the tool's own tests, and ignored here.
    ///
    /// # Errors
    /// What is wrong with the words.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let verdicts: Vec<&str> =
            Verdict::ALL.iter().map(|verdict| verdict.words()).chain(only_any()).collect();
        // A violation with some number of agents may be followed by that number.
        let (text, with) = match text.rsplit_once(", with ") {
            Some((text, with)) => (text, Some(with.trim().to_owned())),
            None => (text, None),
        };
        let mut items = text.split(',').map(str::trim);
        let verdict = items.next().unwrap_or_default().to_owned();
        if !verdicts.contains(&verdict.as_str()) {
            return Err(format!("`{verdict}` is no verdict; there are: {}", verdicts.join(", ")));
        }
        let mut expected =
            Self { verdict, possible: false, cut: false, may_overflow: false, steps: None, with };
        for item in items {
            let counted = item.strip_prefix("reduced to ").unwrap_or(item).split_once(' ');
            let number = counted.and_then(|(number, what)| Some((number.parse::<usize>().ok()?, what)));
            match (item, number) {
                ("possible", _) => expected.possible = true,
                ("cut", _) => expected.cut = true,
                (MAY_OVERFLOW, _) => expected.may_overflow = true,
                (_, Some((steps, "step" | "steps"))) => expected.steps = Some(steps),
                (_, Some((_, "state" | "states" | "transition" | "transitions" | "view" | "views"))) => {}
                _ => return Err(format!("`{item}` is not understood")),
            }
        }
        Ok(expected)
    }

    /// Whether a violation is expected.
    pub(super) fn is_violation(&self) -> bool {
        let without = [Verdict::Terminates, Verdict::TerminatesIfFair, Verdict::Inconclusive];
        without.iter().map(|verdict| verdict.words()).chain(only_any()).all(|words| words != self.verdict)
    }

    /// Whether this is what was found.
    pub(super) fn fits(&self, found: &Findings) -> bool {
        let steps = self.steps.is_none() || !found.shortest || self.steps == found.steps;
        let with = self.with.is_none() || self.with == found.with;
        self.verdict == found.verdict
            && self.possible == found.possible
            && self.cut == found.cut
            && self.may_overflow == found.may_overflow
            && steps
            && with
    }
}
