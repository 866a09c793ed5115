//! Linear temporal logic over numbered propositions.
//!
//! A word is an infinite sequence of moments; at each of them some propositions hold. [`Formulas`] are written down in
//! an arena, [`Formulas::holds_on`] says what they mean on words of the form `prefix cycle cycle ..`, and [`translate`]
//! makes of a formula a Büchi [`Automaton`] that accepts the same words. The two share nothing but the formulas, so
//! that each can be used to check the other.
//!
//! Nothing here recurses over a formula further than [`MAX_DEPTH`]; the exponential cost of a translation is bounded by
//! an [`Effort`], beyond which the answer is [`TooLarge`].

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

/// The deepest formula that is translated, in operators.
pub const MAX_DEPTH: usize = 1_000;

#[cfg(test)]
mod tests;
