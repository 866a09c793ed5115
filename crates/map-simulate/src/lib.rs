//! Single runs of a scene, chosen by a seeded random scheduler.
//!
//! At every step one thread is drawn uniformly from all that have a step. The open questions of the step are drawn as
//! well: a decision answers "yes" with a given probability, an open comparison comes out either way with equal
//! probability, and an abstract address means each agent it might be with equal probability. The same program, bounds
//! and options give the same run in every build: the generator and its use are fixed.
//!
//! A poll that is answered "no" is not a step. It is drawn again, along with everything else that could happen instead;
//! after [`MAX_VAIN_DRAWS`] fruitless draws in a row the run ends.

mod dice;
mod honest;
mod moves;
mod options;
mod outside;
mod pool;
mod random;
mod repeat;
mod run;
mod statistics;
mod tally;

#[cfg(test)]
mod tests;

pub use options::{NoHonestAnswer, RunEnd, SimulationOptions};
pub use outside::{Respondent, Response};
pub use random::Random;
pub use repeat::{Impossible, repeat};
pub use run::{MAX_VAIN_DRAWS, Run, SimulatedStep, drawn_initial, first, go_on, simulate, simulate_with};
pub use statistics::{
    Answers, Bin, CollectedValue, Distribution, EndWord, JudgedRun, Moments, Play, RunSource, Runs,
    Statistics, Violations, seed_of_run, statistics, statistics_of, wilson,
};
