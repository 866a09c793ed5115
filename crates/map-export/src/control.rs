//! Where the threads of an agent can be: the static half of an agent's control.
//!
//! Calls that are not in last place are expanded: an activation is named by the chain of calls that are open below it
//! (its *level*), and its variables are those of the level. A `par` is named by all that is open when it is entered.
//! So every place of every thread is one of finitely many, as long as calls do not nest deeper than the bound.

use map_ir::{ClauseId, PointId, Slot};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub(crate) struct $name(pub(crate) usize);
    )*};
}

ids! {
    /// A chain of open calls.
    LevelId;
    /// A `par` that was entered.
    ForkId;
    /// A thread's resting place, with all that is open below it.
    PlaceId;
    /// Something that holds a value while the agent rests.
    HolderId;
}

/// A side of a `par` that was entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct SideId {
    pub(crate) fork: ForkId,
    pub(crate) index: usize,
}

/// An element of a stack of activations, without values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FrameKey {
    Activation { level: LevelId, clause: ClauseId, call: Option<PointId>, bound: Vec<bool> },
    Side(SideId),
}

/// What a thread does at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum At {
    /// It rests at an action or a `waitfor`.
    Point(PointId),
    /// It waits for the sides of a `par`.
    Fork(ForkId),
    /// It is a side that has ended; true with success.
    End(bool),
}

/// A place with all that is open below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) frames: Vec<FrameKey>,
    pub(crate) at: At,
}

impl Place {
    /// The thread: `None` is the agent's first one.
    pub(crate) fn thread(&self) -> Option<SideId> {
        thread_of(&self.frames)
    }

    /// The outermost `par` it is in.
    pub(crate) fn outermost_fork(&self) -> Option<ForkId> {
        self.frames.iter().find_map(|frame| match frame {
            FrameKey::Side(side) => Some(side.fork),
            FrameKey::Activation { .. } => None,
        })
    }
}

fn thread_of(frames: &[FrameKey]) -> Option<SideId> {
    frames.iter().rev().find_map(|frame| match frame {
        FrameKey::Side(side) => Some(*side),
        FrameKey::Activation { .. } => None,
    })
}

/// A `par` that was entered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fork {
    pub(crate) frames: Vec<FrameKey>,
    pub(crate) point: PointId,
    pub(crate) sides: usize,
}

/// What holds a value while the agent rests, or while a step is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Holder {
    /// A variable of an activation.
    Slot(LevelId, ClauseId, Slot),
    /// A memory cell.
    Cell(usize),
    /// The calls made so far that a bound counts.
    Calls(usize),
    /// Where a side of a `par` is; 0 when the `par` is not entered.
    Side(SideId),
    /// Something used within a step only.
    Scratch(usize),
    /// The same, for one of several variables that exchange their contents.
    Swap,
}

/// All levels, `par`s, places and holders of the agents of one part, in the order in which they were found.
#[derive(Default)]
pub(crate) struct Control {
    pub(crate) levels: Vec<(LevelId, Option<SideId>, PointId)>,
    pub(crate) forks: Vec<Fork>,
    pub(crate) places: Vec<Place>,
    pub(crate) holders: Vec<Holder>,
}

fn intern<T: PartialEq>(table: &mut Vec<T>, row: T) -> usize {
    table.iter().position(|it| *it == row).unwrap_or_else(|| {
        table.push(row);
        table.len() - 1
    })
}

impl Control {
    /// The level of the entry clause.
    pub(crate) const BOTTOM: LevelId = LevelId(0);

    /// The level of what is called from an activation, or from a side of a `par`.
    pub(crate) fn level(&mut self, below: LevelId, side: Option<SideId>, call: PointId) -> LevelId {
        LevelId(1 + intern(&mut self.levels, (below, side, call)))
    }

    pub(crate) fn fork(&mut self, fork: Fork) -> ForkId {
        ForkId(intern(&mut self.forks, fork))
    }

    pub(crate) fn place(&mut self, place: Place) -> PlaceId {
        PlaceId(intern(&mut self.places, place))
    }

    pub(crate) fn holder(&mut self, holder: Holder) -> HolderId {
        HolderId(intern(&mut self.holders, holder))
    }
}
