//! Stands between the agents of a conversation, and lets through only the messages that a MAP scene allows.
//!
//! `map-conform` judges messages that have been sent; a [`Guard`] judges them before they are delivered. It keeps the
//! same monitors, delivers what they accept, refuses what they do not, lets time run out, and says what a journal has
//! to keep. It decides nothing for the agents, and never changes a message.
//!
//! Every moment is an argument: there are no clocks here, nor files or sockets. Whoever embeds a guard calls an
//! operation with the time that it is, writes the [records](Record) of it before anybody hears of it, and calls
//! [`Guard::advance`] when [something is due](Guard::next_due).

mod branches;
mod budgets;
mod changing;
mod choices;
mod clock;
mod config;
mod conversation;
mod draft;
mod ended;
mod foresight;
mod guard;
mod happening;
mod hindrance;
mod inbox;
mod judging;
mod looking;
mod member;
mod names;
mod notice;
mod offer;
mod offering;
mod owing;
mod players;
mod receiving;
mod record;
mod refusal;
mod replay;
mod rules;
mod sending;
mod shrinking;
mod status;
mod summary;

pub use branches::{Branch, BranchCoverage, BranchState};
pub use budgets::{Budgets, Left, LeftOut};
pub use choices::Choices;
pub use config::{Config, ConfigError};
pub use conversation::Ending;
pub use draft::Draft;
pub use ended::CarriedOver;
pub use foresight::{Ahead, Foresight, Outlook};
pub use guard::Guard;
pub use inbox::{Delivery, Item, ItemKind};
pub use notice::Notice;
pub use offer::{AgentOffer, ArgumentText, Suggestion};
pub use owing::{Debt, Debts};
pub use players::{Dialogue, Players};
pub use record::{Entry, Record, RecordError};
pub use refusal::{Acceptance, Denial, Misuse, MisuseKind, Refusal, RefusalKind};
pub use replay::ReplayError;
pub use rules::{Arrival, Limits, Moment, OnDoomed, OnSilent, OnUnsure, Policy, Rules, Wait};
pub use shrinking::shrink;
pub use status::{ConversationState, MemberState, MemberStatus, Status};
