//! Which steps of a run can be among the causes of its end: the causal past of the agents concerned (L. Lamport, *Time,
//! Clocks, and the Ordering of Events in a Distributed System*, 1978).

use map_ir::AgentId;

use super::{Act, Chart, Fate, What};

/// For each row, whether it is in the causal past of the agents `of`: their own steps, and those that happened before
/// one of these by sending a message that was received. Every message sent to these agents counts, whatever its fate,
/// and so does every crash: either may be why something else does not come. If timeouts fire only when everybody is
/// waiting (`quiescent`), everything before a timeout happened before it.
#[must_use]
pub fn causal_past(chart: &Chart, of: &[AgentId], quiescent: bool) -> Vec<bool> {
    let mut past = vec![false; chart.rows.len()];
    let mut wanted = vec![false; chart.lifelines.len()];
    of.iter().for_each(|agent| wanted[agent.index()] = true);
    for copy in chart.copies.iter().filter(|copy| of.contains(&copy.to)) {
        past[copy.sent] = true;
    }
    for (index, row) in chart.rows.iter().enumerate().rev() {
        let What::Step { agent, act, .. } = &row.what else {
            past[index] = true;
            continue;
        };
        past[index] |= wanted[agent.index()] || *act == Act::Crash || row.wrong.is_some();
        if !past[index] {
            continue;
        }
        wanted[agent.index()] = true;
        match act {
            Act::Receive(Some(copy), _) | Act::Arrival(Some(copy), _) => {
                past[chart.copies[*copy].sent] = true;
            }
            // The messages that fill a mailbox are causes of its overflow.
            Act::Send(copies) if row.wrong.is_some() => {
                let full: Vec<AgentId> = copies.iter().map(|&copy| chart.copies[copy].to).collect();
                let there = chart.copies.iter().filter(|it| full.contains(&it.to) && it.fate == Fate::Unread);
                there.for_each(|copy| past[copy.sent] = true);
            }
            Act::Timeout if quiescent => {
                past[..index].fill(true);
                return past;
            }
            _ => {}
        }
    }
    past
}
