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

/// The blocks of messages, as indices into `pending`, that may arrive just before a receive takes the last of them: it
/// has one of these performatives. `cut` is set if there are too many.
pub(crate) fn blocks(
    arrivals: Arrivals,
    pending: &[Arc<Message>],
    wanted: &[PerformativeId],
    cut: &mut bool,
) -> Vec<Vec<usize>> {
    let mut found = Vec::new();
    for (last, message) in pending.iter().enumerate() {
        if !wanted.contains(&message.performative) {
            continue;
        }
        if arrivals == Arrivals::Unordered {
            let seen = pending[..last].contains(message);
            if !seen {
                found.push(vec![last]);
            }
            continue;
        }
        // `pending` is sorted by sender, the oldest of each first.
        let first = pending.partition_point(|it| it.sender < message.sender);
        let forced: Vec<usize> = (first..=last).collect();
        let mut heads: Vec<usize> = Vec::new();
        mix(pending, (&forced, false), &mut Vec::new(), &mut heads, &mut found);
        if found.len() > MAX_BLOCKS {
            *cut = true;
            return found;
        }
    }
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
    mix(pending, (forced, true), &mut Vec::new(), &mut Vec::new(), &mut found);
    *cut |= found.len() > MAX_BLOCKS;
    found
}

/// Lists the ways to mix messages of other senders, each in its order, among the forced ones that are left; also just
/// before the last one, if they are to be mixed among `all`. `mixed` are those that are among them already.
fn mix(
    pending: &[Arc<Message>],
    (forced, all): (&[usize], bool),
    block: &mut Vec<usize>,
    mixed: &mut Vec<usize>,
    found: &mut Vec<Vec<usize>>,
) {
    if found.len() > MAX_BLOCKS {
        return;
    }
    let [next, rest @ ..] = forced else {
        found.push(block.clone());
        return;
    };
    block.push(*next);
    mix(pending, (rest, all), block, mixed, found);
    block.pop();
    // Before the receive's own message, others may as well arrive later.
    if rest.is_empty() && !all {
        return;
    }
    let own = pending[*next].sender;
    for (index, message) in pending.iter().enumerate() {
        let is_head =
            index == 0 || pending[index - 1].sender != message.sender || mixed.contains(&(index - 1));
        if message.sender != own && is_head && !mixed.contains(&index) {
            mixed.push(index);
            block.push(index);
            mix(pending, (forced, all), block, mixed, found);
            block.pop();
            mixed.pop();
        }
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
