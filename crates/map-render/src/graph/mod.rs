//! Graphs of dialogues, printed as text, DOT, Mermaid or SVG.
//!
//! A [`Graph`] is independent of what it shows: [`roles`] builds one from the control points of a part. Its texts are
//! plain; each printer escapes them for its language.

pub mod dot;
pub mod layout;
pub mod mermaid;
pub mod roles;
pub mod svg;
pub mod text;

/// A directed graph to be drawn.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Graph {
    /// Its title.
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
    /// The lines of its label; empty for shapes that are symbols.
    pub label: Vec<String>,
    /// More lines below the label, which are no part of what the node is called.
    pub detail: Vec<String>,
    /// How it is marked.
    pub mark: Mark,
    /// The number of the place of the text at which an agent in this state stands, if it is one.
    pub place: Option<usize>,
    /// The number of the state that it stands for, if a page may ask which it is.
    pub state: Option<usize>,
}

/// How a node is drawn, after the notation of UML state machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A dot: the start.
    Initial,
    /// A rounded box: a state.
    State,
    /// A diamond: one of its edges is taken, depending on values.
    Choice,
    /// A box with double sides: a clause is called.
    Call,
    /// A bar: several threads begin, or have ended.
    Bar,
    /// A dot in a ring: the end.
    End,
}

/// A classification of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mark {
    /// Nothing special.
    Plain,
    /// The good end.
    Good,
    /// Something has failed or gone wrong.
    Failed,
    /// Nothing can happen any more, but not all agents have ended.
    Deadlock,
    /// Neither the good end nor a violation can be reached.
    Livelock,
    /// The good end cannot be reached, but a violation can.
    Doomed,
    /// A bound cut a step.
    Cut,
    /// More can happen here than is drawn.
    Further,
}

/// An edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Index of its source node.
    pub from: usize,
    /// Index of its target node.
    pub to: usize,
    /// The lines of its label.
    pub label: Vec<String>,
    /// What it means.
    pub kind: EdgeKind,
    /// Whether it lies on the highlighted path.
    pub highlighted: bool,
    /// Whether it is known never to be taken.
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
    /// Control moves on.
    Move,
    /// Something failed, and control moves elsewhere.
    Failure,
    /// An agent crashes.
    Crash,
}

impl Mark {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Plain,
        Self::Good,
        Self::Failed,
        Self::Deadlock,
        Self::Livelock,
        Self::Doomed,
        Self::Cut,
        Self::Further,
    ];

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
            Self::Further => "further",
        }
    }

    /// Its meaning, for a legend; empty if it needs none.
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
            Self::Further => "goes further",
        }
    }

    /// Fill and border, for languages without style sheets.
    const fn colours(self) -> (&'static str, &'static str) {
        match self {
            Self::Plain => ("#ffffff", "#555555"),
            Self::Good => ("#d7f0d9", "#1a7f37"),
            Self::Failed => ("#ffdcd8", "#b3261e"),
            Self::Deadlock => ("#f6d5e5", "#9c1b62"),
            Self::Livelock => ("#e6dcfa", "#6639ba"),
            Self::Doomed => ("#fbe8cc", "#9a5b00"),
            Self::Cut => ("#e8eaed", "#5f6368"),
            Self::Further => ("#ffffff", "#0b57d0"),
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

    /// Its colour, for languages without style sheets.
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
    /// All lines.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.label.iter().chain(&self.detail).cloned().collect()
    }

    /// A node without a mark.
    #[must_use]
    pub fn new(shape: Shape, label: Vec<String>) -> Self {
        Self { shape, label, detail: Vec::new(), mark: Mark::Plain, place: None, state: None }
    }
}

impl Edge {
    /// An edge that is neither highlighted nor known never to be taken.
    #[must_use]
    pub fn new(from: usize, to: usize, kind: EdgeKind, label: Vec<String>) -> Self {
        Self { from, to, label, kind, highlighted: false, never: false }
    }
}
