//! Graphs of dialogues, and how they are written: DOT, Mermaid, SVG.
//!
//! A [`Graph`] is what is drawn, whatever it is of: [`roles`] makes it from the control points of a part. The texts in it
//! are as people read them; whoever writes them in a language escapes them.

pub mod dot;
pub mod layout;
pub mod mermaid;
pub mod roles;
pub mod svg;

/// A directed graph to be drawn.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Graph {
    /// What it is of.
    pub title: String,
    /// The nodes.
    pub nodes: Vec<Node>,
    /// The edges; there may be several between two nodes, and loops.
    pub edges: Vec<Edge>,
}

/// A node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// How it is drawn.
    pub shape: Shape,
    /// What stands in it, in lines; none for the shapes that are signs.
    pub label: Vec<String>,
    /// What is to be said of it.
    pub mark: Mark,
}

/// How a node is drawn, after the notation of UML state machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A dot: here it begins.
    Initial,
    /// A rounded box: a state.
    State,
    /// A diamond: one of the edges is taken, according to the values.
    Choice,
    /// A box with double sides: a clause is called.
    Call,
    /// A bar: several threads begin, or have ended.
    Bar,
    /// A dot in a ring: the end.
    End,
}

/// What is to be said of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mark {
    /// Nothing.
    Plain,
    /// The good end.
    Good,
    /// Something has failed or gone wrong.
    Failed,
    /// Nothing can happen any more, and not all have ended.
    Deadlock,
    /// No way leads out, and none to an end.
    Livelock,
    /// The good end is out of reach.
    Doomed,
    /// A bound cut a step.
    Cut,
}

/// An edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Index of the node where it begins.
    pub from: usize,
    /// Index of the node where it ends.
    pub to: usize,
    /// What stands beside it, in lines.
    pub label: Vec<String>,
    /// What it means.
    pub kind: EdgeKind,
    /// Whether it lies on the path that is shown.
    pub highlighted: bool,
    /// Whether it is known that it is never taken.
    pub never: bool,
}

/// What an edge means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EdgeKind {
    /// A message is sent.
    Send,
    /// A message is received.
    Receive,
    /// A procedure answers.
    Ask,
    /// Time runs out.
    Timeout,
    /// Control goes on.
    Move,
    /// Something failed, and control goes on elsewhere.
    Failure,
    /// An agent crashes.
    Crash,
}

impl Mark {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Plain, Self::Good, Self::Failed, Self::Deadlock, Self::Livelock, Self::Doomed, Self::Cut];

    /// A word for style sheets.
    #[must_use]
    pub const fn class(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Good => "good",
            Self::Failed => "failed",
            Self::Deadlock => "deadlock",
            Self::Livelock => "livelock",
            Self::Doomed => "doomed",
            Self::Cut => "cut",
        }
    }

    /// What it means, for a legend; nothing for what needs none.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Good => "good end",
            Self::Failed => "failed",
            Self::Deadlock => "deadlock",
            Self::Livelock => "livelock",
            Self::Doomed => "good end out of reach",
            Self::Cut => "cut by a bound",
        }
    }

    /// Colours for the languages that have no style sheets: fill and border.
    const fn colours(self) -> (&'static str, &'static str) {
        match self {
            Self::Plain => ("#ffffff", "#555555"),
            Self::Good => ("#d7f0d9", "#1a7f37"),
            Self::Failed => ("#ffdcd8", "#b3261e"),
            Self::Deadlock => ("#f6d5e5", "#9c1b62"),
            Self::Livelock => ("#e6dcfa", "#6639ba"),
            Self::Doomed => ("#fbe8cc", "#9a5b00"),
            Self::Cut => ("#e8eaed", "#5f6368"),
        }
    }
}

impl EdgeKind {
    /// A word for style sheets.
    #[must_use]
    pub const fn class(self) -> &'static str {
        match self {
            Self::Send => "send",
            Self::Receive => "receive",
            Self::Ask => "ask",
            Self::Timeout => "timeout",
            Self::Move => "move",
            Self::Failure => "failure",
            Self::Crash => "crash",
        }
    }

    /// Whether it is drawn dashed: something did not happen.
    const fn is_dashed(self) -> bool {
        matches!(self, Self::Timeout | Self::Failure | Self::Crash)
    }

    /// A colour for the languages that have no style sheets.
    const fn colour(self) -> &'static str {
        match self {
            Self::Send => "#0b57d0",
            Self::Receive => "#0a7040",
            Self::Ask => "#7b3ff2",
            Self::Timeout | Self::Failure => "#8a5a00",
            Self::Move => "#555555",
            Self::Crash => "#b3261e",
        }
    }
}

impl Node {
    /// A node of which nothing is to be said.
    #[must_use]
    pub fn new(shape: Shape, label: Vec<String>) -> Self {
        Self { shape, label, mark: Mark::Plain }
    }
}

impl Edge {
    /// An edge that is neither highlighted nor known to be never taken.
    #[must_use]
    pub fn new(from: usize, to: usize, kind: EdgeKind, label: Vec<String>) -> Self {
        Self { from, to, label, kind, highlighted: false, never: false }
    }
}
