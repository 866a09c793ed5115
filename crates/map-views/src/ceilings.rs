//! What a member pays at most, however many there are, or a fixed agent: the most that a way through the views costs.
//! Every run is such a way for each of its members, so no run costs a member more; but some ways are those of no run.

use map_graph::strong_components;
use map_ir::{AgentId, ChargedEvent, Cost, Program, Value, Visible, Whom};
use rustc_hash::FxHashMap;

use crate::claims::named_here;
use crate::frame::Wanted;
use crate::moves::for_each_move;
use crate::prices::Paid;
use crate::question::Question;
use crate::safety::NoJudgement;
use crate::views::{View, Views};

/// A cost that fixed agents and at most one of the members pay, with the names of `here`, where that is the first
/// member.
///
/// # Errors
/// If several members pay, or the price depends on the names of several.
pub(crate) fn of_one_member(
    (program, here): (&Program, &Program),
    members: &[AgentId],
    cost: &Cost,
) -> Result<Cost, NoJudgement> {
    if members.iter().any(|it| program.agent(*it).part != program.agent(members[0]).part) {
        return Err(NoJudgement::NoViews);
    }
    let mut about = Vec::new();
    let mut see = |agent: AgentId| {
        if members.contains(&agent) && !about.contains(&agent) {
            about.push(agent);
        }
    };
    for charge in &cost.charges {
        match &charge.bearer {
            Whom::Anybody => return Err(NoJudgement::AddsUp),
            Whom::These(bearers) => bearers.iter().for_each(|&it| see(it)),
        }
        if let Some((pattern, other)) = charge.event.message() {
            let some = if has_all(other.named(), members) { &[][..] } else { other.named() };
            some.iter().for_each(|&it| see(it));
            pattern.arguments.iter().flatten().for_each(|value| {
                if let Value::Agent(agent) = value {
                    see(*agent);
                }
            });
        }
    }
    if about.len() > 1 {
        return Err(NoJudgement::AddsUp);
    }
    let rename = |agent: AgentId| named_here(program, here, &about, agent);
    let everybody = &here.part(program.agent(members[0]).part).agents;
    let rename_all = |whom: &mut Whom| {
        let Whom::These(agents) = whom else { return };
        // All members are all of them, however many there are.
        let all = if has_all(agents, members) { &everybody[..] } else { &[] };
        let named = agents.iter().filter(|it| all.is_empty() || !members.contains(it));
        let mut renamed: Vec<AgentId> = named.map(|&it| rename(it)).chain(all.iter().copied()).collect();
        renamed.sort_unstable();
        *agents = renamed;
    };
    let mut cost = cost.clone();
    for charge in &mut cost.charges {
        rename_all(&mut charge.bearer);
        if let ChargedEvent::Sends(pattern, other) | ChargedEvent::Receives(pattern, other) =
            &mut charge.event
        {
            rename_all(other);
            pattern.arguments.iter_mut().flatten().for_each(|value| {
                if let Value::Agent(agent) = value {
                    *agent = rename(*agent);
                }
            });
        }
    }
    Ok(cost)
}

/// Whether there are several members, and these agents are all of them and perhaps others.
fn has_all(agents: &[AgentId], members: &[AgentId]) -> bool {
    members.len() > 1 && members.iter().all(|it| agents.contains(it))
}

/// Finds the most that each of some costs comes to; nothing is noted as long as there are not all views. Stops when
/// `is_enough` says so of what was found.
pub(crate) fn bound(
    question: &Question<'_>,
    costs: &[Cost],
    stop: &mut dyn FnMut() -> bool,
    found: &mut [Option<Paid>],
    is_enough: &mut dyn FnMut(&[Option<Paid>]) -> bool,
) {
    let wanted = Wanted { visible: Visible::to_costs(costs), costs: costs.to_vec(), ..Wanted::default() };
    question.explore(&wanted, stop, &mut |views, _| {
        for (known, most) in found.iter_mut().zip(most_paid(views)) {
            // Each is a bound.
            *known = Some(match (*known, most) {
                (Some(Some(known)), Some(most)) => Some(known.min(most)),
                (Some(known @ Some(_)), None) => known,
                (_, most) => most,
            });
        }
        is_enough(found)
    });
}

/// To which views one may lead, by number, and what is paid on the way.
type Moves = Vec<(u32, Box<[Paid]>)>;

/// By cost of the frame the most that a way through the views costs.
fn most_paid(views: &mut Views<'_>) -> Vec<Paid> {
    let all: Vec<View> = views.explored().collect();
    let numbers: FxHashMap<View, u32> = all.iter().copied().zip(0..).collect();
    let mut next: Vec<Moves> = Vec::new();
    for &view in &all {
        let mut moves = Vec::new();
        for_each_move(views, view, &mut |_, it| moves.push((numbers[&it.to], it.paid.into())));
        next.push(moves);
    }
    let initial: Vec<u32> = views.initial.iter().filter_map(|view| numbers.get(view)).copied().collect();
    (0..views.frame.costs.len()).map(|cost| most_of(&next, &initial, cost)).collect()
}

/// The most that a way from one of the first views costs; `None` if there is no bound.
fn most_of(next: &[Moves], initial: &[u32], cost: usize) -> Paid {
    // What costs nothing anybody pays is empty.
    let price = |paid: &[Paid]| paid.get(cost).copied().unwrap_or(Some(0));
    let mut components: Vec<Vec<u32>> = Vec::new();
    let mut component = vec![0; next.len()];
    let successor = |node: u32, cursor: &mut usize| {
        *cursor += 1;
        next[node as usize].get(*cursor - 1).map(|&(to, _)| to)
    };
    strong_components(next.len(), initial.iter().copied(), successor, |nodes| {
        nodes.iter().for_each(|&node| component[node as usize] = components.len());
        components.push(nodes.to_vec());
    });
    // Each component comes behind all that it leads to.
    let mut to_come = vec![0_i64; next.len()];
    for (number, nodes) in components.iter().enumerate() {
        let mut most = 0_i64;
        for &node in nodes {
            for (to, paid) in &next[node as usize] {
                let price = price(paid)?;
                match component[*to as usize] == number {
                    true if price > 0 => return None,
                    true => {}
                    false => most = most.max(price.checked_add(to_come[*to as usize])?),
                }
            }
        }
        nodes.iter().for_each(|&node| to_come[node as usize] = most);
    }
    initial.iter().map(|&node| to_come[node as usize]).max()
}
