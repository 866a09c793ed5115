//! Why there is no proof, in words.

use map_views::{Fault, Obstacle, Refusal};

use crate::numbers::grouped;

/// `1 view`, `1,234 views`.
pub(super) fn counted_views(views: usize) -> String {
    format!("{} view{}", grouped(views as u64), if views == 1 { "" } else { "s" })
}

/// What could not be excluded.
pub(super) const fn obstacle(obstacle: Obstacle) -> &'static str {
    match obstacle {
        Obstacle::Refused(refusal) => refused(refusal),
        Obstacle::Fault(Fault::Failure) => "a failure",
        Obstacle::Fault(Fault::Runaway) => "runaway recursion",
        Obstacle::Fault(Fault::RunError) => "a run error",
        Obstacle::Fault(Fault::Integers) => "what depends on integers that grow",
        Obstacle::Fault(Fault::Counting | Fault::Told(..)) => "what depends on a cell that counts far",
        Obstacle::Fault(Fault::Cut) => "steps that need more than the bounds allow",
        Obstacle::Deadlock => "a deadlock",
        Obstacle::TooMany => "anything: there are too many views (--max-states)",
        Obstacle::Stopped => "anything: there was no time for it",
        Obstacle::NoStart => "anything: an agent does not come to its first place",
    }
}

const fn refused(refusal: Refusal) -> &'static str {
    match refusal {
        Refusal::NoSuchRole => "anything: there is no such role",
        Refusal::SeveralParts => "anything: the role has agents of several kinds",
        Refusal::NotPlural => "anything: the role has a single agent",
        Refusal::Named => "anything: the text names agents of the role, so they are not interchangeable",
        Refusal::Faults => "anything: messages may be lost, or agents crash (--network)",
        Refusal::Rounds => "anything: calls are bounded (--rounds)",
        Refusal::NotAlike => "anything: another number of agents makes it another program",
        Refusal::Numbered => "what depends on a cell that holds the number of agents",
    }
}
