//! What is known of what lies ahead: whether a conversation can still end well.

use map_semantics::SceneState;

/// Knows from which states of a scene a good end can be reached.
pub trait Foresight {
    /// What is known.
    fn outlook(&self) -> Outlook;

    /// By state: whether a good end can be reached from it; `None` if that is not known of all of them.
    fn good_ends(&self, states: Vec<SceneState>) -> Option<Vec<bool>>;
}

/// What is known of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outlook {
    /// Nothing yet.
    Pending,
    /// A good end can be reached from everywhere.
    Bright,
    /// It is known from which states one can be reached.
    Mixed,
    /// Nothing: it cannot be found out.
    Blind,
}

/// What is known of a conversation after a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ahead {
    /// Nobody looked ahead.
    Unasked,
    /// A good end can be reached, whatever is true of what nobody sees.
    Clear,
    /// It depends on what nobody sees whether one can be reached.
    AtRisk,
    /// None can be reached.
    Doomed,
    /// It is not known.
    Unknown,
}
