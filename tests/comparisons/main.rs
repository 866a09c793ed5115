//! Everything that must agree: engines with the oracle, reductions with plain searches, exported models with SPIN, and
//! the parser with itself, mostly on random scenes.
//!
//! One binary, so that all of it is linked once and shares the cores. A failure prints the seed;
//! `MAP_SCENES=5000 MAP_SEED=1 cargo test -p map-tests --test comparisons reductions` looks at more scenes.

mod auction;
mod concrete_answers;
mod conform;
mod engines_agree;
mod front_end;
mod fuzz;
mod kept;
mod kept_together;
mod ltl;
mod pinned_counts;
mod promela;
mod promela_properties;
mod properties_agree;
mod properties_laws;
mod properties_reduced;
mod properties_together;
mod reductions;
mod shorten;
mod threads;
mod together;
mod views;
mod views_properties;
mod visited;
