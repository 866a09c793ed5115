//! The order in which the messages of a conversation explain it if each arrives when it is sent.

use std::collections::BTreeSet;
use std::sync::Arc;

use map_ir::AgentId;

use super::NoExplanation;
use crate::monitor::{Fit, LoggedMessage, Monitor, Shared};
use crate::own::Own;
use crate::pending::Arrivals;

/// The maximum number of messages that are tried in vain, about, over all orders.
const MAX_TRIED: usize = 10_000;

/// The messages, with all of their recipients, in such an order: that of the log if it will do, and no other if
/// messages arrive with their sends by the log. If it `is_strict` no agent gets a message before what it said by the
/// log before that was sent. If `all_end`, all agents may have ended behind it.
pub(super) fn ordered(
    shared: &Shared,
    first: &[Monitor],
    (lines, arrivals): (&[Own], Arrivals),
    is_strict: bool,
    all_end: bool,
) -> Result<Vec<LoggedMessage>, NoExplanation> {
    let mut own: Vec<Vec<usize>> = vec![Vec::new(); first.len()];
    for (index, line) in lines.iter().enumerate() {
        own[line.agent().index()].push(index);
    }
    let log = Log { lines, own, arrivals, is_strict };
    let monitors = first.iter().map(|it| Arc::new(it.clone())).collect();
    let taken = vec![BTreeSet::new(); first.len()];
    let start = Order { at: vec![0; first.len()], taken, monitors, spoken: None };
    let mut stack = vec![(log.next(&start), start)];
    let mut tried = 0;
    while let Some((todo, order)) = stack.last_mut() {
        if todo.is_empty() && log.is_through(order) && (!all_end || order.may_end(shared)) {
            return Ok(stack.into_iter().filter_map(|(_, it)| it.spoken).collect());
        }
        let Some(copies) = todo.pop() else {
            stack.pop();
            continue;
        };
        tried += 1;
        shared.work.renew();
        if tried > MAX_TRIED + lines.len() {
            return Err(NoExplanation::Limit);
        }
        if let Some(next) = log.after(shared, order, &copies) {
            stack.push((log.next(&next), next));
        }
    }
    Err(NoExplanation::NoOrder)
}

/// The lines, and by agent which are its own.
struct Log<'a> {
    lines: &'a [Own],
    own: Vec<Vec<usize>>,
    arrivals: Arrivals,
    is_strict: bool,
}

/// A beginning of an order.
struct Order {
    /// By agent: how many of its own lines are behind it.
    at: Vec<usize>,
    /// By agent: the copies ahead that have been sent with an earlier line.
    taken: Vec<BTreeSet<usize>>,
    monitors: Vec<Arc<Monitor>>,
    /// The last message.
    spoken: Option<LoggedMessage>,
}

impl Order {
    fn may_end(&mut self, shared: &Shared) -> bool {
        self.monitors.iter_mut().all(|it| Arc::make_mut(it).closure(shared).may_end)
    }
}

impl<'a> Log<'a> {
    /// An agent's own lines that are still ahead.
    fn ahead<'s>(&'s self, order: &'s Order, agent: usize) -> impl Iterator<Item = (usize, &'a Own)> + 's {
        let rest = self.own[agent].iter().copied().skip(order.at[agent]);
        rest.filter(move |it| !order.taken[agent].contains(it)).map(|it| (it, &self.lines[it]))
    }

    fn is_through(&self, order: &Order) -> bool {
        (0..self.own.len()).all(|agent| self.ahead(order, agent).next().is_none())
    }

    /// What may come next: the lines with the copies of one message. The last is tried first: the earliest line, with
    /// as many copies as there are.
    fn next(&self, order: &Order) -> Vec<Vec<usize>> {
        let mut found: Vec<Vec<usize>> = Vec::new();
        for agent in 0..self.own.len() {
            let mut copies: Vec<usize> = Vec::new();
            let mut to: Vec<AgentId> = Vec::new();
            let mut ahead = self.ahead(order, agent).peekable();
            let Some((_, Own::Sends(first))) = ahead.peek() else { continue };
            for (line, own) in ahead {
                let Own::Sends(spoken) = own else { continue };
                if spoken.message != first.message || spoken.to.iter().any(|it| to.contains(it)) {
                    break;
                }
                copies.push(line);
                to.extend(&spoken.to);
                found.push(copies.clone());
            }
        }
        if self.arrivals == Arrivals::Sent {
            let first = found.iter().map(|it| it[0]).min();
            found.retain(|it| Some(it[0]) == first);
        }
        found.sort_by_key(|it| (std::cmp::Reverse(it[0]), it.len()));
        found
    }

    /// The order with one more message, if its sender can send it, and its recipients get it next.
    fn after(&self, shared: &Shared, order: &Order, copies: &[usize]) -> Option<Order> {
        let mut said = copies.iter().filter_map(|&line| match &self.lines[line] {
            Own::Sends(spoken) => Some((line, spoken)),
            Own::Receives(..) | Own::Unknown(..) => None,
        });
        let (first, spoken) = said.next()?;
        let mut spoken = spoken.clone();
        // By recipient, the line with its copy.
        let mut copied = vec![first; spoken.to.len()];
        for (line, it) in said {
            copied.extend(it.to.iter().map(|_| line));
            spoken.to.extend(&it.to);
        }
        let mut next = Order {
            at: order.at.clone(),
            taken: order.taken.clone(),
            monitors: order.monitors.clone(),
            spoken: None,
        };
        let sender = Arc::make_mut(&mut next.monitors[spoken.from.index()]);
        if sender.send(shared, &spoken) != Fit::Fits || !sender.require_complete_multicast() {
            return None;
        }
        next.taken[spoken.from.index()].extend(copies);
        self.pass(&mut next, spoken.from.index());
        for (to, &copy) in spoken.to.iter().zip(&copied).filter(|(to, _)| **to != spoken.from) {
            let first = self.ahead(&next, to.index()).next();
            match (self.arrivals, first) {
                (Arrivals::Logged, Some((line, Own::Receives(_, message)))) if *message == spoken.message => {
                    next.taken[to.index()].insert(line);
                    self.pass(&mut next, to.index());
                }
                // It is another one's turn, unless this one never arrived.
                (Arrivals::Logged, Some(_)) => return None,
                // What the recipient said before the message was sent, it said without it.
                (_, Some((line, _))) if self.is_strict && line < copy => return None,
                _ => {}
            }
            Arc::make_mut(&mut next.monitors[to.index()]).arrive(shared, &Arc::clone(&spoken.message));
        }
        next.spoken = Some(spoken);
        Some(next)
    }

    /// Passes over the lines that have been taken.
    fn pass(&self, order: &mut Order, agent: usize) {
        while let Some(line) = self.own[agent].get(order.at[agent])
            && order.taken[agent].remove(line)
        {
            order.at[agent] += 1;
        }
    }
}
