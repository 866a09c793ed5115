//! Verdicts for any number of agents of one role, by view abstraction (P. Abdulla, F. Haziza and L. Holík,
//! "Parameterized
//! verification through view abstraction", 2016) and counting.

mod attempt;
mod ceilings;
mod claim;
mod claims;
mod concrete;
mod counting;
mod cycles;
mod evidence;
mod frame;
mod local;
mod members;
mod moves;
mod obligations;
mod past;
mod prices;
mod properties;
mod prove;
mod question;
mod reading;
mod safety;
mod shown;
mod standstill;
mod steps;
mod successors;
mod support;
mod table;
#[cfg(test)]
mod tests;
mod truth;
mod values;
mod views;

pub use attempt::{Attempt, Obstacle, Theorem};
pub use claims::WithProperties;
pub use concrete::{ExploredViews, Tally, with_views};
pub use cycles::Habit;
pub use evidence::{VisibleFacts, no_new_views_since};
pub use frame::{MOST_SEEN, Precision, Sabotage};
pub use members::{WithCosts, most_of_a_member};
pub use properties::judge_properties;
pub use prove::{Answer, AnyVerdict, ProofOptions, prove};
pub use safety::NoJudgement;
pub use steps::Fault;

/// Why views cannot show a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// There is no such role.
    NoSuchRole,
    /// More than one part has the role.
    SeveralParts,
    /// The part has a single agent with a name.
    NotPlural,
    /// The program names a member, or lists some of them.
    Named,
    /// Messages may be under way for a while or lost, or agents crash.
    Faults,
    /// Calls are bounded.
    Rounds,
    /// The runs begin with given steps, which are those of one cast.
    Begun,
    /// The number of members makes the program another one.
    NotAlike,
    /// The number of members is not just counted.
    Numbered,
}
