//! The ways of messages from sender to recipient.
//!
//! A message that is not received at once waits in a mailbox: its arrow runs across to a lane beside the recipient's
//! lifeline, down the lane, and into the lifeline where it is received. No text stands in a lane, and none between an
//! event and the arrows that leave it, so arrows keep clear of all texts.

use map_ir::AgentId;

use crate::chart::{Act, Chart, Fate, What};

/// The distance of the first lane from its lifeline.
const FIRST: f64 = 20.0;

/// The distance between lanes.
const APART: f64 = 5.0;

/// The most lanes on one side of a lifeline; of more messages some share a lane.
const MOST: usize = 24;

/// The space between a lifeline without lanes and the words beside it, and between the last lane and the words.
const MARGIN: f64 = 10.0;

/// The way of a copy of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    /// Straight to where it is received, in the next row.
    Straight,
    /// By this lane.
    Lane(usize),
    /// It is never received: the arrow ends where it arrives, or would have arrived.
    Ends,
}

/// The ways of all copies.
pub(super) struct Lanes {
    /// By copy.
    pub(super) ways: Vec<Way>,
    /// The number of lanes to the left and to the right of each lifeline that is drawn.
    counts: Vec<[usize; 2]>,
    /// By row, the number of lanes that may be occupied there beside the lifeline of its agent.
    occupied: Vec<[usize; 2]>,
}

impl Lanes {
    /// Lanes for all messages that are received. `has_words` tells whether words stand where a straight arrow from that
    /// row to the next would run.
    pub(super) fn new(chart: &Chart, agents: &[AgentId], has_words: impl Fn(usize) -> bool) -> Self {
        let column = |agent: AgentId| agents.binary_search(&agent).unwrap_or(0);
        let mut lanes = Self { ways: Vec::new(), counts: vec![[0; 2]; agents.len()], occupied: Vec::new() };
        // For each lane, the row in which it becomes free.
        let mut taken: Vec<[Vec<usize>; 2]> = vec![[Vec::new(), Vec::new()]; agents.len()];
        let mut copies = chart.copies.iter().enumerate().peekable();
        for (index, row) in chart.rows.iter().enumerate() {
            while let Some((copy, it)) = copies.next_if(|(_, it)| it.sent <= index) {
                let (from, to) = (column(it.from), column(it.to));
                let side = usize::from(from > to);
                let is_straight = is_alone(chart, copy) && !has_words(index);
                let (way, count) = match it.fate {
                    Fate::Received(_) if is_straight => (Way::Straight, 0),
                    Fate::Received(until) => {
                        let lane = occupy(&mut taken[to][side], index, until);
                        (Way::Lane(lane), lane + 1)
                    }
                    Fate::Unread | Fate::Dropped | Fate::Lost | Fate::Undelivered => (Way::Ends, 1),
                };
                let known = &mut lanes.counts[to][side];
                *known = count.max(*known);
                lanes.ways.push(way);
            }
            let occupied =
                |lanes: &Vec<usize>| lanes.iter().rposition(|&until| until >= index).map_or(0, |at| at + 1);
            lanes
                .occupied
                .push(row.agent().map_or([0; 2], |agent| taken[column(agent)].each_ref().map(occupied)));
        }
        lanes
    }

    /// The space to be left on both sides of a lifeline.
    pub(super) fn space_beside(&self, column: usize) -> [f64; 2] {
        self.counts[column].map(space)
    }

    /// The distance of the words of a row from its agent's lifeline, to the left and to the right.
    pub(super) fn offsets(&self, row: usize) -> [f64; 2] {
        self.occupied[row].map(space)
    }
}

/// Takes a lane for the rows from `from` until `until`: the first that is free.
fn occupy(lanes: &mut Vec<usize>, from: usize, until: usize) -> usize {
    let free = lanes.iter().position(|&taken_until| taken_until < from);
    let lane = free.unwrap_or(if lanes.len() < MOST { lanes.len() } else { from % MOST });
    match lanes.get_mut(lane) {
        Some(taken_until) => *taken_until = until.max(*taken_until),
        None => lanes.push(until),
    }
    lane
}

/// The space that so many lanes need, and a margin.
pub(super) fn space(lanes: usize) -> f64 {
    if lanes == 0 { MARGIN } else { distance(lanes - 1) + MARGIN }
}

/// The distance of a lane from its lifeline.
pub(super) fn distance(lane: usize) -> f64 {
    FIRST + APART * lane as f64
}

/// Whether a copy is the only one of its message, and received in the next row.
fn is_alone(chart: &Chart, copy: usize) -> bool {
    let sent = chart.copies[copy].sent;
    let is_only =
        matches!(&chart.rows[sent].what, What::Step { act: Act::Send(copies), .. } if copies.len() == 1);
    is_only && chart.taken_at_once(sent) == Some(copy)
}
