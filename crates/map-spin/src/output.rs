//! What the verifiers that SPIN writes (`pan`) print.

use map_verify::ViolationKind;

/// What is printed for each kind of violation.
const SIGNS: [(&str, ViolationKind); 5] = [
    ("assertion violated no_failure", ViolationKind::Failure),
    ("invalid end state (at", ViolationKind::Deadlock),
    ("assertion violated no_mailbox_overflow", ViolationKind::MailboxOverflow),
    ("assertion violated no_runaway_recursion", ViolationKind::RunawayRecursion),
    ("assertion violated no_run_error", ViolationKind::RunError),
];

/// What is printed where a claim is violated.
const CLAIM_SIGNS: [&str; 3] = ["acceptance cycle (at", "assertion violated", "end state in claim"];

/// The limits of its own that SPIN may reach in a search that was to be complete.
const LIMITS: [(&str, &str); 5] = [
    ("max search depth too small", "some run is longer than 10,000,000 of SPIN's steps"),
    ("reached -DMEMLIM bound", "it needs more than 8 GB"),
    ("out of memory", "the machine has no memory left for it"),
    ("no_integer_out_of_range", "an integer is too large for the model"),
    ("Search not completed", "it has stopped before it was done"),
];

/// What a verifier has printed.
#[derive(Clone, Copy, Debug)]
pub struct PanOutput<'s>(pub &'s str);

impl PanOutput<'_> {
    /// The kinds of violation that were found.
    pub fn violations(self) -> impl Iterator<Item = ViolationKind> {
        SIGNS.into_iter().filter(move |(sign, _)| self.0.contains(sign)).map(|(_, kind)| kind)
    }

    /// Whether a run was found that never ends, in a search for non-progress cycles.
    #[must_use]
    pub fn has_endless_run(self) -> bool {
        self.0.contains("non-progress cycle (at")
    }

    /// Whether a claim is violated. Assertions of the model itself do not count.
    #[must_use]
    pub fn violates_claim(self) -> bool {
        let ours = |line: &str| line.contains("assertion violated no_");
        self.0.lines().any(|line| !ours(line) && CLAIM_SIGNS.iter().any(|sign| line.contains(sign)))
    }

    /// The limit of its own that SPIN reached, if any.
    #[must_use]
    pub fn limit(self) -> Option<&'static str> {
        LIMITS.into_iter().find(|(sign, _)| self.0.contains(sign)).map(|(_, limit)| limit)
    }

    /// The number of states; 0 if it is not printed.
    #[must_use]
    pub fn states(self) -> u64 {
        self.number(" states, stored")
    }

    /// The number of transitions; 0 if it is not printed.
    #[must_use]
    pub fn transitions(self) -> u64 {
        self.number(" transitions")
    }

    /// The number at the start of the first line that contains some words.
    fn number(self, words: &str) -> u64 {
        let line = self.0.lines().find(|line| line.contains(words));
        line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
    }
}
