//! Whether the messages of a real system conform to a MAP scene.
//!
//! Agents meet in messages only: what one of them can do depends on its own state and mailbox. So a log is explained by
//! a run of the scene if and only if, for each agent by itself, its own sends and the arrivals of its messages are. A
//! monitor for each agent keeps the set of states that it may be in, computed with the step relation of
//! `map-semantics`. Receiving is always possible, so only a sender can break the protocol.

#![allow(
    clippy::mutable_key_type,
    reason = "the index of a mailbox is built on first use; equality and hashes do not depend on it"
)]

mod adapt;
mod addressed;
mod before;
mod blame;
mod by_time;
mod cast;
mod casting;
mod closure;
mod colour;
mod constraint;
mod conversation;
mod deadline;
mod doubt;
mod explaining;
mod fault;
mod folding;
mod follower;
mod gap;
mod hypothesis;
mod joining;
mod judging;
mod line;
mod mid_way;
mod monitor;
mod offer;
mod opaque;
mod orbits;
mod overdue;
mod own;
mod pending;
mod record;
mod relevance;
mod report;
mod scene;
mod settings;
mod skewed;
mod splitter;
mod steps;
mod subject;
mod time;
mod times;
mod unfit;
mod waiting;
mod watching;
mod ways;
mod window;
mod work;

pub use adapt::{Adapter, Filter, Form, MAX_MAPPING, MAX_RECORDS, Mapping, MappingError, Origin, RunFilter};
pub use blame::{Kind, Possible, PossibleSends};
pub use cast::{Cast, Roles, ValuesMark, agent_named, performative_named};
pub use casting::CastRules;
pub use conversation::Conversation;
pub use deadline::Deadlines;
pub use explaining::{Explanation, NoExplanation};
pub use follower::{FollowRules, Follower, Stance, Trial};
pub use line::{Fragment, Line, Records};
pub use monitor::LoggedMessage;
pub use offer::{ArgumentOffer, Offer};
pub use opaque::shown as shown_value;
pub use own::Own as LoggedLine;
pub use pending::Arrivals;
pub use record::{ANYBODY, Fault, FaultKind, MAX_LINE, Record, read};
pub use report::{
    Debt, Gap, Mark, Offence, Report, Standing, UnknownMessage, UnloggedArrivals, Verdict, Violation,
};
pub use scene::Scene;
pub use settings::{Beginnings, MAX_HYPOTHESES, Order, Settings};
pub use splitter::{ArrayProbe, Piece, Splitter, other_format, records_of};
pub use time::{duration, rfc_3339};
pub use times::{TimeRules, TimeUnit};
pub use unfit::UnfitAnswer;
pub use watching::without_results;
pub use watching::{
    Account, BadLines, ConversationResult, Counts, Event, FoundViolation, GivenUp, PassedOver, Plan, Policy,
    Scenes, Watcher,
};
pub use work::MAX_WORK;
