//! Formats quantities as people write them.

pub(crate) use map_explain::{bytes, counted, grouped, seconds};
