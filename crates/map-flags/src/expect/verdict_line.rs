//! What stands behind `=>` in a line `//@ verify`.

use std::fmt;

use map_session::AnyVerdictWord;
use map_verify::Verdict;

/// What stands behind a proof for any number of agents as long as a mailbox may overflow.
const MAY_OVERFLOW: &str = "unless a mailbox overflows";

/// What stands behind `=>` in a line `//@ verify`: what is expected, or what was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VerdictLine {
    /// The verdict in words.
    pub verdict: String,
    /// Whether the violation depends on an open comparison.
    pub possible: bool,
    /// Whether some step was cut by a bound.
    pub cut: bool,
    /// Whether, of a proof for any number of agents, a mailbox may overflow with a small number that was not verified.
    pub may_overflow: bool,
    /// The length of the trace, in steps; like all numbers, not compared if absent.
    pub steps: Option<usize>,
    /// States of the complete search without reductions. This and what follows is for the tool's own tests.
    pub states: Option<usize>,
    /// Transitions of that search.
    pub transitions: Option<usize>,
    /// States of the complete search with all reductions.
    pub reduced: Option<usize>,
    /// The cast with which any number of agents goes wrong, such as `bidder=2`; not compared if absent.
    pub with: Option<String>,
}

/// The verdicts that there are for any number of agents alone.
fn only_any() -> [&'static str; 2] {
    [AnyVerdictWord::NothingGoesWrong, AnyVerdictWord::NoProof].map(AnyVerdictWord::words)
}

impl VerdictLine {
    /// Reads the words.
    ///
    /// # Errors
    /// What is wrong with them.
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
        let mut line = Self { verdict, with, ..Self::default() };
        for item in items {
            let (is_reduced, counted) = match item.strip_prefix("reduced to ") {
                Some(counted) => (true, counted),
                None => (false, item),
            };
            let number =
                counted.split_once(' ').and_then(|(number, what)| Some((number.parse().ok()?, what)));
            match (item, number) {
                ("possible", _) => line.possible = true,
                ("cut", _) => line.cut = true,
                (MAY_OVERFLOW, _) => line.may_overflow = true,
                (_, Some((states, "state" | "states"))) if is_reduced => line.reduced = Some(states),
                (_, Some((steps, "step" | "steps"))) => line.steps = Some(steps),
                (_, Some((states, "state" | "states"))) => line.states = Some(states),
                (_, Some((count, "transition" | "transitions"))) => line.transitions = Some(count),
                (_, Some((_, "view" | "views"))) => {}
                _ => return Err(format!("`{item}` is not understood")),
            }
        }
        Ok(line)
    }

    /// Whether a violation is expected.
    pub(super) fn is_violation(&self) -> bool {
        let without = [Verdict::Terminates, Verdict::TerminatesIfFair, Verdict::Inconclusive];
        without.iter().map(|verdict| verdict.words()).chain(only_any()).all(|words| words != self.verdict)
    }

    /// Whether this is what was found, in all that both of them give.
    #[must_use]
    pub fn fits(&self, found: &Self) -> bool {
        let Self { verdict, possible, cut, may_overflow, steps, states, transitions, reduced, with } = self;
        let is_same = |expected: Option<usize>, found: Option<usize>| {
            expected.zip(found).is_none_or(|(expected, found)| expected == found)
        };
        (verdict, possible, cut, may_overflow)
            == (&found.verdict, &found.possible, &found.cut, &found.may_overflow)
            && is_same(*steps, found.steps)
            && is_same(*states, found.states)
            && is_same(*transitions, found.transitions)
            && is_same(*reduced, found.reduced)
            && (with.is_none() || *with == found.with)
    }
}

impl fmt::Display for VerdictLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { verdict, possible, cut, may_overflow, steps, states, transitions, reduced, with } = self;
        f.write_str(verdict)?;
        for (is_so, word) in [(possible, "possible"), (cut, "cut"), (may_overflow, MAY_OVERFLOW)] {
            if *is_so {
                write!(f, ", {word}")?;
            }
        }
        for (number, before, noun) in [
            (steps, "", "step"),
            (states, "", "state"),
            (transitions, "", "transition"),
            (reduced, "reduced to ", "state"),
        ] {
            if let Some(number) = number {
                write!(f, ", {before}{number} {noun}{}", if *number == 1 { "" } else { "s" })?;
            }
        }
        with.as_ref().map_or(Ok(()), |with| write!(f, ", with {with}"))
    }
}
