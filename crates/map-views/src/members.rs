//! What each member pays at most of the costs that a text declares, for any number of members.

use map_ir::{AgentId, Charge, Cost, Costs, Program, RoleId};
use map_semantics::Bounds;

use crate::ceilings::{bound, of_one_member};
use crate::frame::Sabotage;
use crate::prices::Paid;
use crate::question::Question;
use crate::safety::NoJudgement;

/// A scene with its costs.
pub type WithCosts = (Program, Costs);

/// For each cost the most that a member of a role pays of it in any run, for any number of members from two on; no
/// amount if no bound was found. `scene` compiles it with a number of members; `most` is the most views, `sabotage` is
/// for tests, and `stop` is asked whether to give up.
///
/// # Errors
/// Why that is not known.
#[must_use]
pub fn most_of_a_member(
    scene: &dyn Fn(u32) -> Option<WithCosts>,
    role: &str,
    bounds: &Bounds,
    (most, sabotage): (usize, Sabotage),
    stop: &mut dyn FnMut() -> bool,
) -> Vec<Result<Option<i64>, NoJudgement>> {
    let (Some(two), Some(three)) = (scene(2), scene(3)) else { return Vec::new() };
    let Some(id) = two.0.roles.iter().position(|name| name == role).map(RoleId::new) else {
        return two.1.list.iter().map(|_| Err(NoJudgement::NoViews)).collect();
    };
    let asked: Vec<Result<Vec<Cost>, NoJudgement>> =
        (0..two.1.list.len()).map(|cost| of_each(&two, &three, id, cost)).collect();
    let mut costs: Vec<Cost> = Vec::new();
    for cost in asked.iter().flatten().flatten() {
        if !costs.contains(cost) {
            costs.push(cost.clone());
        }
    }
    let mut found: Vec<Option<Paid>> = vec![None; costs.len()];
    if !costs.is_empty() {
        let (few, more) = (&two.0, &three.0);
        let question = Question { few, more, role, bounds, seen: 1, most, sabotage };
        let is_enough = &mut |found: &[Option<Paid>]| found.iter().flatten().all(Option::is_some);
        bound(&question, &costs, stop, &mut found, is_enough);
    }
    let most = |of_each: Vec<Cost>| {
        let places = of_each.iter().filter_map(|cost| costs.iter().position(|it| it == cost));
        let found: Option<Vec<Paid>> = places.map(|place| found[place]).collect();
        let found = found.ok_or(NoJudgement::NoViews)?;
        Ok(found.into_iter().try_fold(0, |most: i64, paid| Some(most.max(paid?))))
    };
    asked.into_iter().map(|of_each| most(of_each?)).collect()
}

/// What members pay of a cost, each by itself: what is different of that.
fn of_each(two: &WithCosts, three: &WithCosts, role: RoleId, cost: usize) -> Result<Vec<Cost>, NoJudgement> {
    let distinct = |(program, costs): &WithCosts| {
        let members: Vec<AgentId> = program.cast().filter(|&it| program.agent(it).role == role).collect();
        let mut distinct = Vec::new();
        let total = &costs.tables.costs[costs.list[cost].total];
        for &member in &members {
            let borne = total.charges.iter().filter(|charge| charge.bearer.has(member));
            let borne = borne.map(|it| Charge { bearer: it.bearer.among(&[member]), ..it.clone() });
            let of_it = Cost { charges: borne.collect() };
            let of_it = of_one_member((program, &two.0), &members, &of_it)?;
            if !distinct.contains(&of_it) {
                distinct.push(of_it);
            }
        }
        Ok(distinct)
    };
    let (few, more) = (distinct(two)?, distinct(three)?);
    // What one member more pays is what others pay.
    let same = few.len() == more.len() && more.iter().all(|it| few.contains(it));
    if same { Ok(few) } else { Err(NoJudgement::Several) }
}
