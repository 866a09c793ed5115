//! Cases on disk, comparisons between engines, and black-box tests of the `map` binary.
