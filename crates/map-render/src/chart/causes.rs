//! Which steps of a run can have a part in how it ends: the causal past of the agents that the end is about (L. Lamport,
//! *Time, Clocks, and the Ordering of Events in a Distributed System*, 1978).

use map_ir::AgentId;

use super::{Act, Chart, Fate, What};

/// Says of every row whether it has a part in where these agents stand at the end: their own steps, and those that
/// happened before one of them, by sending a message that was taken. What was sent to these agents counts whatever
/// became of it, and so does a crash: that something does not come may be the reason. If time runs out only when everybody
/// is waiting (`quiescent`), all that comes before a timeout happened before it.
#[must_use]
pub fn part(chart: &Chart, of: &[AgentId], quiescent: bool) -> Vec<bool> {
    let mut part = vec![false; chart.rows.len()];
    let mut wanted = vec![false; chart.lifelines.len()];
    of.iter().for_each(|agent| wanted[agent.index()] = true);
    for copy in chart.copies.iter().filter(|copy| of.contains(&copy.to)) {
        part[copy.sent] = true;
    }
    for (index, row) in chart.rows.iter().enumerate().rev() {
        let What::Step { agent, act, .. } = &row.what else {
            part[index] = true;
            continue;
        };
        part[index] |= wanted[agent.index()] || *act == Act::Crash || row.wrong.is_some();
        if !part[index] {
            continue;
        }
        wanted[agent.index()] = true;
        match act {
            Act::Receive(Some(copy), _) => part[chart.copies[*copy].sent] = true,
            // A full mailbox is full of what was sent to it.
            Act::Send(copies) if row.wrong.is_some() => {
                let full: Vec<AgentId> = copies.iter().map(|&copy| chart.copies[copy].to).collect();
                let there = chart.copies.iter().filter(|it| full.contains(&it.to) && it.fate == Fate::Unread);
                there.for_each(|copy| part[copy.sent] = true);
            }
            Act::Timeout if quiescent => {
                part[..index].fill(true);
                return part;
            }
            _ => {}
        }
    }
    part
}
