//! The static control structure of an agent: the places where its threads can be.
//!
//! Calls that are not last calls are expanded: an activation is identified by its *level*, the chain of open calls
//! below it (a call string in the sense of Sharir and Pnueli 1981), and each level has its own variables. A `par`
//! is identified by everything that is open when it is entered. So there are finitely many places, as the depth of
//! calls is bounded.

use map_ir::{ClauseId, PointId, Slot};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub(crate) struct $name(pub(crate) usize);
    )*};
}

ids! {
    /// A level: a chain of open calls.
    LevelId;
    /// A `par` that has been entered.
    ForkId;
    /// A place at which a thread rests, including everything that is open below it.
    PlaceId;
    /// A storage location of the model.
    HolderId;
}

/// A side of a `par` that has been entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct SideId {
    pub(crate) fork: ForkId,
    pub(crate) index: usize,
}

/// An element of a thread's stack, without values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FrameKey {
    Activation { level: LevelId, clause: ClauseId, call: Option<PointId>, bound: Vec<bool> },
    Side(SideId),
}

/// Where in the program a thread rests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum At {
    /// It rests at an action or a `waitfor`.
    Point(PointId),
    /// It waits for the sides of a `par`.
    Fork(ForkId),
    /// It is a side that has ended: true if with success.
    End(bool),
}

/// A place at which a thread rests, including everything that is open below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) frames: Vec<FrameKey>,
    pub(crate) at: At,
}

impl Place {
    /// The thread that can rest here, as a side of a `par`; `None` for the agent's first thread.
    pub(crate) fn thread(&self) -> Option<SideId> {
        thread_of(&self.frames)
    }

    /// The outermost `par` that contains it.
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

/// A `par` that has been entered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fork {
    pub(crate) frames: Vec<FrameKey>,
    pub(crate) point: PointId,
    pub(crate) sides: usize,
}

/// A storage location of the model: it holds a value between steps, or within one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Holder {
    /// A variable of an activation.
    Slot(LevelId, ClauseId, Slot),
    /// A memory cell.
    Cell(usize),
    /// The counter of the calls limited by the bound of this index.
    Calls(usize),
    /// The place of a side of a `par`; 0 while the agent is not in the `par`.
    Side(SideId),
    /// A temporary used within a step only.
    Scratch(usize),
    /// A temporary for breaking cycles of parallel assignments.
    Swap,
}

/// All levels, `par`s, places and holders of the agents of one part, in order of discovery.
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

    /// The level of the activation that a call opens, given the level of the caller and the side of a `par` it is
    /// on.
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
