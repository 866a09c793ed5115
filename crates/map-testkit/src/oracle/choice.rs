//! The ways an act may go, depending on the answers of procedures and on open comparisons.

/// Who decides how an act goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decider {
    /// "A decision both of whose answers are possible."
    Answer,
    /// An open comparison, or an abstract address.
    Comparison,
}

/// A choice beyond the end of a script.
#[derive(Clone, Copy, Debug)]
pub(super) struct Undecided {
    pub(super) decider: Decider,
    pub(super) branches: usize,
}

/// The tree of all the ways something may go.
#[derive(Debug)]
pub(super) enum Tree<T> {
    Leaf(T),
    Choice(Decider, Vec<Tree<T>>),
}

impl<T> Tree<T> {
    /// Runs something repeatedly, each time with a longer script of choices, until all ways are known.
    pub(super) fn explore(run: &impl Fn(&[usize]) -> Result<T, Undecided>) -> Self {
        Self::after(&mut Vec::new(), run)
    }

    fn after(script: &mut Vec<usize>, run: &impl Fn(&[usize]) -> Result<T, Undecided>) -> Self {
        match run(script) {
            Ok(outcome) => Self::Leaf(outcome),
            Err(Undecided { decider, branches }) => {
                let mut ways = Vec::new();
                for branch in 0..branches {
                    script.push(branch);
                    ways.push(Self::after(script, run));
                    script.pop();
                }
                Self::Choice(decider, ways)
            }
        }
    }

    /// Every outcome, with whether an open comparison lies on the path to it.
    pub(super) fn leaves(&self) -> Vec<(&T, bool)> {
        match self {
            Self::Leaf(outcome) => vec![(outcome, false)],
            Self::Choice(decider, ways) => {
                let open = *decider == Decider::Comparison;
                ways.iter()
                    .flat_map(Self::leaves)
                    .map(|(outcome, before)| (outcome, before || open))
                    .collect()
            }
        }
    }

    /// Whether some outcomes of the open comparisons leave only such outcomes, whatever the answers.
    pub(super) fn comparisons_may_force(&self, such: &impl Fn(&T) -> bool) -> bool {
        match self {
            Self::Leaf(outcome) => such(outcome),
            Self::Choice(Decider::Answer, ways) => ways.iter().all(|way| way.comparisons_may_force(such)),
            Self::Choice(Decider::Comparison, ways) => ways.iter().any(|way| way.comparisons_may_force(such)),
        }
    }
}
