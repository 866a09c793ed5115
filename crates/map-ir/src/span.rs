//! Positions in the source; engines never read them.

/// Byte offsets into the source file the program was compiled from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceSpan {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}
