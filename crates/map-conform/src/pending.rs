//! Messages whose arrival the log does not show.
//!
//! Arrivals are put off as long as possible: until just before the receive that takes the message. That changes no
//! run, because nothing depends on the presence of a message except the receives that might take it. Only messages that
//! must arrive earlier, because they are older and of the same sender, arrive together with it; among those messages of
//! other senders may be mixed, for there the order may matter later.

use std::sync::Arc;

use map_ir::{AgentId, PerformativeId};
use map_semantics::Message;

/// When messages arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrivals {
    /// When the log says so.
    Logged,
    /// With their sends.
    Sent,
    /// At any time after their sends, those of one sender in order.
    Late,
    /// At any time after their sends, in any order.
    Unordered,
}

impl Arrivals {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Logged, Self::Late, Self::Sent, Self::Unordered];

    /// Its name on the command line.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Logged => "logged",
            Self::Sent => "sent",
            Self::Late => "late",
            Self::Unordered => "unordered",
        }
    }
}

/// The maximum number of messages on their way to an agent, or in a conversation whose arrivals are logged. More of
/// them make it inconclusive.
pub(crate) const MAX_UNDER_WAY: usize = 10_000;

/// The maximum number of blocks tried for one receive.
const MAX_BLOCKS: usize = 10_000;

/// Senders whose pending messages differ in nothing but their names and private values, and that occur nowhere else: of
/// those that have nothing in a block yet, only the first is mixed in.
#[derive(Debug, Default)]
pub(crate) struct Alike {
    /// By agent: the one before it among those of its kind. Empty if there are none.
    pub(crate) before: Vec<Option<AgentId>>,
}

impl Alike {
    /// The one before an agent among those of its kind.
    pub(crate) fn before(&self, agent: AgentId) -> Option<AgentId> {
        self.before.get(agent.index()).copied().flatten()
    }
}

/// The messages, as indices into `pending`, that a receive of one of these performatives may take as soon as they
/// arrive.
pub(crate) fn candidates(
    arrivals: Arrivals,
    pending: &[Arc<Message>],
    wanted: &[PerformativeId],
    alike: &Alike,
) -> Vec<usize> {
    let is_one = |&at: &usize| {
        let message = &pending[at];
        let is_repeated = arrivals == Arrivals::Unordered && pending[..at].contains(message);
        wanted.contains(&message.performative) && alike.before(message.sender).is_none() && !is_repeated
    };
    (0..pending.len()).filter(is_one).collect()
}

/// The messages, as indices into `pending`, that arrive with this one at least: the older ones of its sender.
pub(crate) fn forced(arrivals: Arrivals, pending: &[Arc<Message>], last: usize) -> Vec<usize> {
    if arrivals == Arrivals::Unordered {
        return vec![last];
    }
    // `pending` is sorted by sender, the oldest of each first.
    (pending.partition_point(|it| it.sender < pending[last].sender)..=last).collect()
}

/// The blocks of messages that may arrive just before a receive takes the last of the forced ones, besides these alone.
/// `cut` is set if there are too many.
pub(crate) fn mixed_blocks(
    pending: &[Arc<Message>],
    forced: &[usize],
    alike: &Alike,
    cut: &mut bool,
) -> Vec<Vec<usize>> {
    if forced.len() == 1 {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut mixing = Mixing { pending, alike, block: Vec::new(), mixed: Vec::new(), found: &mut found };
    mixing.mix(forced, false);
    *cut |= found.len() > MAX_BLOCKS;
    // First of all, the forced ones alone.
    found.remove(0);
    found
}

/// The blocks of messages, as indices into `pending`, that may arrive together with all but so many of a sender. `cut`
/// is set if there are too many.
pub(crate) fn all_but(
    pending: &[Arc<Message>],
    sender: AgentId,
    open: usize,
    cut: &mut bool,
) -> Vec<Vec<usize>> {
    let all: Vec<usize> = (0..pending.len()).filter(|&it| pending[it].sender == sender).collect();
    let forced = &all[..all.len().saturating_sub(open)];
    let mut found = Vec::new();
    let alike = &Alike::default();
    Mixing { pending, alike, block: Vec::new(), mixed: Vec::new(), found: &mut found }.mix(forced, true);
    *cut |= found.len() > MAX_BLOCKS;
    found
}

/// Mixes messages of other senders among those that must arrive.
struct Mixing<'a> {
    pending: &'a [Arc<Message>],
    alike: &'a Alike,
    block: Vec<usize>,
    /// Those of other senders in the block.
    mixed: Vec<usize>,
    found: &'a mut Vec<Vec<usize>>,
}

impl Mixing<'_> {
    /// Lists the ways to mix messages of other senders, each in its order, among the forced ones that are left; also
    /// just before the last one, if they are to be mixed among `all`.
    fn mix(&mut self, forced: &[usize], all: bool) {
        if self.found.len() > MAX_BLOCKS {
            return;
        }
        let [next, rest @ ..] = forced else {
            self.found.push(self.block.clone());
            return;
        };
        self.block.push(*next);
        self.mix(rest, all);
        self.block.pop();
        // Before the receive's own message, others may as well arrive later.
        if rest.is_empty() && !all {
            return;
        }
        let own = self.pending[*next].sender;
        for index in 0..self.pending.len() {
            if self.pending[index].sender != own && self.may_be_next(index, own) {
                self.mixed.push(index);
                self.block.push(index);
                self.mix(forced, all);
                self.block.pop();
                self.mixed.pop();
            }
        }
    }

    /// Whether a message may arrive next that is not of the sender whose messages are forced.
    fn may_be_next(&self, index: usize, forced: AgentId) -> bool {
        let sender = self.pending[index].sender;
        if self.mixed.contains(&index) {
            return false;
        }
        if index > 0 && self.pending[index - 1].sender == sender {
            return self.mixed.contains(&(index - 1));
        }
        let has_begun =
            |agent| agent == forced || self.mixed.iter().any(|&mixed| self.pending[mixed].sender == agent);
        self.alike.before(sender).is_none_or(has_begun)
    }
}

/// Adds a message that was sent.
pub(crate) fn enqueue(arrivals: Arrivals, pending: &mut Vec<Arc<Message>>, message: Arc<Message>) {
    let at = match arrivals {
        Arrivals::Unordered => pending.partition_point(|it| **it <= *message),
        _ => pending.partition_point(|it| it.sender <= message.sender),
    };
    pending.insert(at, message);
}
