//! What was found about costs for any number of agents, in words.

use map_session::AnyCost;
use map_verify::{CostRange, MostCost};
use map_views::NoJudgement;

use super::evidence::range;
use crate::grouped;

/// What was found, line by line.
#[must_use]
pub fn lines(cost: &AnyCost, role: &str, from: u32) -> Vec<String> {
    let mut lines = vec![format!("cost {}  {}", cost.name, each_in_words(cost, role, from))];
    lines.extend(together_in_words(&cost.together, role).map(|words| format!("  {words}")));
    lines
}

/// What each agent of the role pays.
fn each_in_words(cost: &AnyCost, role: &str, from: u32) -> String {
    let least = if from > 1 { format!(" from {from} on") } else { String::new() };
    match cost.each {
        Ok(Some(0)) => format!("no %{role} pays anything, for any number of them{least}"),
        Ok(Some(most)) => {
            let most = grouped(most.unsigned_abs());
            format!("each %{role} pays at most {most}, for any number of them{least}")
        }
        Ok(None) => format!("no bound was found for what each %{role} pays; perhaps there is one"),
        Err(why) => format!("what each %{role} pays is not judged: {}", unjudged(why)),
    }
}

/// Why no bound was looked for.
#[must_use]
pub fn unjudged(why: NoJudgement) -> &'static str {
    match why {
        NoJudgement::AddsUp | NoJudgement::Several | NoJudgement::LooksBack | NoJudgement::NotSafety => {
            "its prices depend on the names of several of them"
        }
        NoJudgement::Open | NoJudgement::NoViews => "not all views are known",
    }
}

/// What all pay together, with the numbers that were verified.
fn together_in_words(together: &[(u32, CostRange)], role: &str) -> Option<String> {
    let ((first, _), (last, _)) = (together.first()?, together.last()?);
    let numbers = range(*first, *last);
    let most: Option<Vec<i64>> = together
        .iter()
        .map(|(_, range)| if let MostCost::Bounded(most) = range.most { Some(most) } else { None })
        .collect();
    let Some(most) = most else {
        let without = together.iter().find(|(_, range)| range.most == MostCost::Unbounded);
        return without.map(|(count, _)| format!("in all without bound with {role}={count}"));
    };
    let amounts: Vec<String> = most.iter().map(|it| grouped(it.unsigned_abs())).collect();
    let grows = most.windows(2).map(|pair| pair[1] - pair[0]);
    let mut grows: Vec<i64> = grows.collect();
    grows.dedup();
    let each = match grows.as_slice() {
        _ if most.len() < 3 => String::new(),
        [0] => ": the same with each number (seen, not proved)".to_owned(),
        [by] if *by > 0 => {
            format!(": grows by {} with each %{role} (seen, not proved)", grouped(by.unsigned_abs()))
        }
        _ => String::new(),
    };
    Some(format!("in all at most {} with {role}={numbers}{each}", amounts.join(", ")))
}
