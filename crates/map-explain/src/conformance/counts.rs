//! How many conversations have which verdict.

use map_conform::{Report, Verdict};

/// The number of conversations with each verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VerdictCounts {
    /// All conversations.
    pub all: u64,
    /// Those that conform.
    pub conforms: u64,
    /// Those that conform so far, and are not at their end.
    pub so_far: u64,
    /// Those in which nothing can happen any more.
    pub stuck: u64,
    /// Those that are violated for certain.
    pub violated: u64,
    /// Those that are possibly violated.
    pub possibly_violated: u64,
    /// Those of which nothing is known.
    pub inconclusive: u64,
}

impl VerdictCounts {
    /// Adds a conversation.
    pub fn add(&mut self, report: &Report) {
        self.all += 1;
        *match report.verdict {
            Verdict::Conforms => &mut self.conforms,
            Verdict::SoFar => &mut self.so_far,
            Verdict::Stuck => &mut self.stuck,
            Verdict::Violated if report.possibly => &mut self.possibly_violated,
            Verdict::Violated => &mut self.violated,
            Verdict::Inconclusive => &mut self.inconclusive,
        } += 1;
    }

    /// Takes back a conversation that conformed, because it goes on after its end.
    pub fn take_back_conforming(&mut self) {
        self.all -= 1;
        self.conforms -= 1;
    }

    /// A line for people, if there is more than one conversation.
    #[must_use]
    pub fn text(&self) -> String {
        let Self { all, conforms, so_far, stuck, violated, possibly_violated, inconclusive } = self;
        if *all <= 1 {
            return String::new();
        }
        let counts = [
            (conforms, if *conforms == 1 { "conforms" } else { "conform" }),
            (so_far, if *so_far == 1 { "conforms so far" } else { "conform so far" }),
            (stuck, "stuck"),
            (violated, "violated"),
            (possibly_violated, "possibly violated"),
            (inconclusive, "inconclusive"),
        ];
        let counts = counts.iter().filter(|(count, _)| **count > 0);
        let counts: Vec<String> = counts.map(|(count, words)| format!("{count} {words}")).collect();
        format!("{all} conversations: {}\n", counts.join(", "))
    }
}
