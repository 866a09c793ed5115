//! What separates two tokens without a comment between them.

/// What separates two tokens without a comment between them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Separator {
    Nothing,
    Space,
    /// A possible break, otherwise nothing.
    Soft,
    /// A possible break, otherwise a space.
    Line,
    /// Like `Line`, but an empty line in the text is kept.
    Joint,
    /// A mandatory line break; an empty line in the text is kept.
    Hard,
}

/// The role of the token after a gap.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// It begins a construct, so a comment may precede it on its line.
    Leader,
    /// It continues a construct.
    Follower,
}
