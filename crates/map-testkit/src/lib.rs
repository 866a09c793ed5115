//! Test support: the naive oracle, written from the language reference over the syntax tree, and random scenes.
