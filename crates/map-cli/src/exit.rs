//! Exit codes, which are part of the command line's contract.

use map_explain::{Tone, tone_of};
use map_simulate::EndWord;

/// How the command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Success; everything holds.
    Fine,
    /// A violation was found.
    Violation,
    /// The command line is wrong.
    Usage,
    /// There are errors in the source.
    Source,
    /// No verdict was reached.
    Inconclusive,
    /// A defect of this program.
    Internal,
    /// Processes that search together cannot go on: another attempt may succeed (`EX_TEMPFAIL` of `sysexits.h`).
    #[cfg_attr(not(feature = "cluster"), expect(dead_code, reason = "no process works with others"))]
    Lost,
    /// Ctrl-C.
    Interrupted,
}

impl Exit {
    /// The number the shell sees.
    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::Fine => 0,
            Self::Violation => 1,
            Self::Usage => 2,
            Self::Source => 3,
            Self::Inconclusive => 4,
            Self::Internal => 70,
            Self::Lost => 75,
            Self::Interrupted => 130,
        }
    }

    /// What a process of `map` meant that ended with this number.
    #[cfg(feature = "cluster")]
    pub(crate) fn of_code(code: i32) -> Option<Self> {
        use Exit::{Fine, Inconclusive, Internal, Interrupted, Lost, Source, Usage, Violation};
        [Fine, Violation, Usage, Source, Inconclusive, Internal, Lost, Interrupted]
            .into_iter()
            .find(|exit| i32::from(exit.code()) == code)
    }

    /// The exit code for a verdict of this tone.
    pub(crate) const fn of(tone: Tone) -> Self {
        match tone {
            Tone::Good => Self::Fine,
            Tone::Bad => Self::Violation,
            Tone::Doubtful => Self::Inconclusive,
        }
    }

    /// The exit code for a run with this end.
    pub(crate) const fn of_run(end: EndWord) -> Self {
        match end {
            EndWord::Stopped => Self::Interrupted,
            // It is a mistake in the text (MAP135) that shows only in a run.
            EndWord::NoHonestAnswer => Self::Source,
            end => Self::of(tone_of(end)),
        }
    }

    /// The more severe of two exit codes: the one that counts when several files differ.
    pub(crate) fn and(self, other: Self) -> Self {
        if other.rank() < self.rank() { other } else { self }
    }

    /// 0 is the most severe.
    const fn rank(self) -> u8 {
        match self {
            Self::Internal => 0,
            Self::Lost => 1,
            Self::Interrupted => 2,
            Self::Usage => 3,
            Self::Source => 4,
            Self::Violation => 5,
            Self::Inconclusive => 6,
            Self::Fine => 7,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Exit::{Fine, Inconclusive, Source, Violation};

    #[test]
    fn precedence_is_3_1_4_0() {
        let order = [Source, Violation, Inconclusive, Fine];
        for (i, &first) in order.iter().enumerate() {
            for &second in &order[i..] {
                assert_eq!(first.and(second), first);
                assert_eq!(second.and(first), first);
            }
        }
    }
}
