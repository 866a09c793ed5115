//! Judging properties.

#[allow(dead_code, reason = "the search that asks for it is being built")]
mod cycle;
#[allow(dead_code, reason = "the search that fills it is being built")]
pub(crate) mod graph;
#[allow(dead_code, reason = "the search that asks for it is being built")]
pub(crate) mod product;

#[cfg(test)]
mod tests;

/// Which runs a property has to hold in.
#[allow(dead_code, reason = "the search that asks for it is being built")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Fairness {
    /// Fair runs: no agent that could always go on is left out for ever.
    #[default]
    Fair,
    /// All runs.
    None,
}
