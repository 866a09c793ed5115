//! Cases on disk, comparisons between engines, and checks of the workspace's structure.
//!
//! The library is what the test targets share.

pub mod cases;
pub mod compiled;
pub mod documentation;
pub mod engines;
pub mod front_end;
pub mod fuzz;
pub mod lasso;
pub mod library_table;
pub mod module_graph;
pub mod peers;
pub mod promela;
pub mod random;
pub mod seeds;
pub mod settings;
pub mod spin;
pub mod tally;
pub mod unused_cases;
