//! What stands between two words where there is no comment.

/// What separates two words that have no comment between them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Separator {
    Nothing,
    Space,
    /// A place for a break, else nothing.
    Soft,
    /// A place for a break, else a space.
    Line,
    /// The same, where an empty line may be kept.
    Joint,
    /// A line break, where an empty line may be kept.
    Hard,
}

/// Which word follows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// One that begins something, so that a comment may stand before it on its line.
    Leader,
    /// One that goes on with something.
    Follower,
}
