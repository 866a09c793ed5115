//! Single runs of a scene, chosen by a seeded random scheduler.
//!
//! At every step one thread is drawn, each with the same chance, from all that can make a step; what the step leaves
//! open is drawn as well: a decision answers "yes" with a given probability, an open comparison comes out either way
//! with even chance, an abstract address means each agent it might be with the same chance. The same program, bounds
//! and options give the same run in every build: the generator is fixed, and so is how it is used.
//!
//! A poll that is answered "no" is no step. It is drawn again, along with everything else that could happen instead;
//! after [`MAX_VAIN_DRAWS`] draws in a row that came to nothing the run ends.

mod dice;
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

pub use options::{RunEnd, SimulationOptions};
pub use outside::{Respondent, Response};
pub use random::Random;
pub use repeat::{Impossible, repeat};
pub use run::{MAX_VAIN_DRAWS, Run, SimulatedStep, first, go_on, simulate, simulate_with};
pub use statistics::{
    Answers, Bin, EndWord, Play, Statistics, seed_of_run, statistics, statistics_of, wilson,
};
