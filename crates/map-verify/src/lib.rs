//! The model checker of MAP: search over interned agent states, verdicts, counterexamples.
