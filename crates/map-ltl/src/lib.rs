//! Linear temporal logic over numbered propositions.
//!
//! A word is an infinite sequence of moments, at each of which some propositions hold. [`Formulas`] are built in an
//! arena. [`Formulas::holds_on`] evaluates them on words of the form `prefix cycle cycle ..`, and [`translate`] turns a
//! formula into a Büchi [`Automaton`] that accepts the same words. The two share nothing but the formulas, so that each
//! can be used to check the other.
//!
//! Nothing recurses over a formula deeper than [`MAX_DEPTH`]. The exponential cost of a translation is limited by an
//! [`Effort`], beyond which the result is [`TooLarge`].

mod automaton;
mod cube;
mod degeneralise;
mod formula;
mod implication;
mod lasso;
mod normal;
mod random;
mod simplify;
mod simulation;
mod tableau;

pub use automaton::{Automaton, Edge};
pub use cube::Cube;
pub use degeneralise::{Buchi, BuchiState};
pub use formula::{FormulaId, Formulas, Operator};
pub use lasso::Word;
pub use random::{Shape, random_formula};
pub use tableau::{Effort, Polarity, TooLarge, translate};

/// The maximum depth of a formula that is translated, in operators.
pub const MAX_DEPTH: usize = 1_000;

#[cfg(test)]
mod tests;
