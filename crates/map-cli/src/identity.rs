//! What the findings of a search depend on.

use map_trace::DIGEST;

/// The digest of the build of this program, and of all that the findings of a search depend on.
pub(crate) fn identity(parts: &[&str]) -> [u8; DIGEST] {
    map_trace::identity(concat!(env!("CARGO_PKG_VERSION"), " ", env!("MAP_BUILD")), parts)
}
