//! Safety properties for any number of members: their claims hold on every way through the views.

use std::collections::{BTreeSet, VecDeque};

use indexmap::IndexSet;
use map_ir::{AgentId, Cost, RoleId};
use map_semantics::Bounds;
use map_verify::{CostCeiling, cost_ceilings};
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::ceilings::{bound, of_one_member};
use crate::claim::StatePredicate;
use crate::claims::{WithProperties, claims_of};
use crate::frame::{MOST_SEEN, Sabotage, Wanted};
use crate::moves::{Move, for_each_move};
use crate::obligations::{Letter, Obligations, Rest};
use crate::prices::Paid;
use crate::question::Question;
use crate::safety::{NoJudgement, Safety};
use crate::truth::{Act, At};
use crate::views::{View, Views};

/// For each property the least number of members of a role from which on it holds for any number of them, or why that
/// is not known, in the order of the scene with two. `scene` compiles it with a number of members; `most` is the most
/// views, and `sabotage` is for tests. `begins` hears the names of the properties that are about to be judged
/// together, and `stop` is asked whether to give up.
#[must_use]
pub fn judge_properties(
    scene: &dyn Fn(u32) -> Option<WithProperties>,
    role: &str,
    bounds: &Bounds,
    (most, sabotage): (usize, Sabotage),
    begins: &mut dyn FnMut(&[&str]),
    stop: &mut dyn FnMut() -> bool,
) -> Vec<Result<u32, NoJudgement>> {
    let Some((two, of_two)) = scene(2) else { return Vec::new() };
    let Some(id) = two.roles.iter().position(|name| name == role).map(RoleId::new) else {
        return of_two.list.iter().map(|_| Err(NoJudgement::NoViews)).collect();
    };
    let mut judged: Vec<Result<u32, NoJudgement>> = vec![Err(NoJudgement::Several); of_two.list.len()];
    if let Some(three) = scene(3) {
        let both = (&(two, of_two.clone()), &three);
        let about_costs = judge_ceilings(both, (role, id, bounds), (most, sabotage), begins, stop);
        for (judged, found) in judged.iter_mut().zip(about_costs) {
            if let Some(found) = found {
                // Claims about costs are judged with one member that is seen, or not at all.
                *judged =
                    found.map_err(|why| if why == NoJudgement::Several { NoJudgement::AddsUp } else { why });
            }
        }
    }
    for seen in 1..=MOST_SEEN {
        let least = seen as u32 + 1;
        let (Some(few), Some(more)) = (scene(least), scene(least + 1)) else { break };
        let (mut asked, mut claims, mut names) = (Vec::new(), Vec::new(), Vec::new());
        for (property, judged) in of_two.list.iter().zip(&mut judged) {
            if *judged == Err(NoJudgement::Several) {
                match claims_of(&few, &more, &property.name, (id, seen)) {
                    Ok(found) => {
                        asked.push(judged);
                        claims.push(found);
                        names.push(property.name.as_str());
                    }
                    Err(why) => *judged = Err(why),
                }
            }
        }
        begins(&names);
        let question = Question { few: &few.0, more: &more.0, role, bounds, seen, most, sabotage };
        for (judged, found) in asked.into_iter().zip(judge(&question, &claims, stop)) {
            *judged = found.map(|()| least);
        }
    }
    judged
}

/// Of each list of claims whether they are kept.
fn judge(
    question: &Question<'_>,
    claims: &[Vec<Safety>],
    stop: &mut dyn FnMut() -> bool,
) -> Vec<Result<(), NoJudgement>> {
    let mut judged = vec![Err(NoJudgement::NoViews); claims.len()];
    if claims.is_empty() {
        return judged;
    }
    let mut wanted = Wanted::default();
    let mut moments = Vec::new();
    claims.iter().flatten().for_each(|claim| claim.claims(&mut moments));
    for claim in moments {
        claim.observe(question.few, &mut wanted.visible);
        wanted.largest = wanted.largest.max(claim.largest());
    }
    question.explore(&wanted, stop, &mut |views, stop| {
        let open: Vec<_> = claims.iter().zip(&mut judged).filter(|(_, judged)| judged.is_err()).collect();
        let all: Vec<&Safety> = open.iter().flat_map(|(claims, _)| *claims).collect();
        let ways = Ways::new(views, &all);
        for (claims, judged) in open {
            if stop() {
                break;
            }
            let holds = claims.iter().all(|claim| ways.keep(claim));
            *judged = if holds { Ok(()) } else { Err(NoJudgement::Open) };
        }
        judged.iter().all(Result::is_ok)
    });
    judged
}

/// Costs that fixed agents and at most one member pay, each with the least that is too much.
type Ceilings = Result<Vec<(Cost, i128)>, NoJudgement>;

/// Judges the properties that only say that costs never come to more than so much, unless views do not show the scene.
fn judge_ceilings(
    (two, three): (&WithProperties, &WithProperties),
    (role, id, bounds): (&str, RoleId, &Bounds),
    (most, sabotage): (usize, Sabotage),
    begins: &mut dyn FnMut(&[&str]),
    stop: &mut dyn FnMut() -> bool,
) -> Vec<Option<Result<u32, NoJudgement>>> {
    let (program, properties) = two;
    let claims: Vec<Option<Ceilings>> =
        properties.list.iter().map(|it| ceilings_of(two, three, &it.name, id)).collect();
    let known = claims.iter().flatten().flatten().flatten();
    let mut costs: Vec<Cost> = Vec::new();
    for (cost, _) in known {
        if !costs.contains(cost) {
            costs.push(cost.clone());
        }
    }
    let names = properties.list.iter().zip(&claims).filter(|(_, claims)| matches!(claims, Some(Ok(_))));
    let names: Vec<&str> = names.map(|(property, _)| property.name.as_str()).collect();
    let mut found: Vec<Option<Paid>> = vec![None; costs.len()];
    if !costs.is_empty() {
        begins(&names);
        let question = Question { few: program, more: &three.0, role, bounds, seen: 1, most, sabotage };
        let is_kept = |found: &[Option<Paid>], cost: &Cost, too_much: i128| {
            let place = costs.iter().position(|it| it == cost).expect("all of them are asked for");
            found[place].map(|most| most.is_some_and(|most| i128::from(most) < too_much))
        };
        bound(&question, &costs, stop, &mut found, &mut |found| {
            claims
                .iter()
                .flatten()
                .flatten()
                .flatten()
                .all(|(cost, it)| is_kept(found, cost, *it) == Some(true))
        });
        let judged = claims.into_iter().map(|claims| {
            Some(claims?.and_then(|claims| {
                let kept: Option<Vec<bool>> =
                    claims.iter().map(|(cost, it)| is_kept(&found, cost, *it)).collect();
                match kept {
                    None => Err(NoJudgement::NoViews),
                    Some(kept) if kept.iter().all(|it| *it) => Ok(2),
                    Some(_) => Err(NoJudgement::Open),
                }
            }))
        });
        return judged.collect();
    }
    claims.into_iter().map(|claims| Some(claims?.map(|_| 2))).collect()
}

/// What a property says, if that is only that costs never come to so much.
fn ceilings_of(
    two: &WithProperties,
    three: &WithProperties,
    property: &str,
    role: RoleId,
) -> Option<Ceilings> {
    let distinct = |(program, properties): &WithProperties| {
        let property = properties.list.iter().find(|it| it.name == property)?;
        let ceilings = cost_ceilings(properties, property).filter(|it| !it.is_empty())?;
        let members: Vec<AgentId> = program.cast().filter(|&it| program.agent(it).role == role).collect();
        let mut distinct = Vec::new();
        for CostCeiling { cost, too_much } in ceilings {
            match of_one_member((program, &two.0), &members, &properties.costs[cost]) {
                Ok(cost) if distinct.contains(&(cost.clone(), too_much)) => {}
                Ok(cost) => distinct.push((cost, too_much)),
                Err(why) => return Some(Err(why)),
            }
        }
        Some(Ok(distinct))
    };
    let few = match distinct(two)? {
        Ok(few) => few,
        refused => return Some(refused),
    };
    // What is said with one member more is said of others than before.
    Some(match distinct(three) {
        Some(Ok(more)) if more.len() == few.len() && more.iter().all(|it| few.contains(it)) => Ok(few),
        Some(Err(why)) => Err(why),
        _ => Err(NoJudgement::Several),
    })
}

/// All ways through views.
struct Ways {
    claims: Vec<StatePredicate>,
    letters: IndexSet<Letter, FxBuildHasher>,
    /// Views with the letters of their first moments.
    first: Vec<(View, usize)>,
    next: FxHashMap<View, Vec<(View, usize)>>,
}

impl Ways {
    fn new(views: &mut Views<'_>, safety: &[&Safety]) -> Self {
        let mut claims: Vec<StatePredicate> = Vec::new();
        let mut moments = Vec::new();
        safety.iter().for_each(|it| it.claims(&mut moments));
        for claim in moments {
            if !claims.contains(claim) {
                claims.push(claim.clone());
            }
        }
        let mut ways =
            Self { claims, letters: IndexSet::default(), first: Vec::new(), next: FxHashMap::default() };
        for view in views.initial.clone() {
            if views.explored_view(view) {
                let letter = ways.letter(views, view, Act::Start);
                ways.first.push((view, letter));
            }
        }
        let all: Vec<View> = views.explored().collect();
        for view in all {
            let next = ways.next_of(views, view);
            ways.next.insert(view, next.into_iter().collect());
        }
        ways
    }

    fn letter(&mut self, views: &Views<'_>, view: View, act: Act<'_>) -> usize {
        let at = At { views, view, act };
        let letter: Letter = self.claims.iter().map(|claim| at.holds(claim)).collect();
        self.letters.insert_full(letter).0
    }

    /// The moments that may follow a view.
    fn next_of(&mut self, views: &mut Views<'_>, view: View) -> BTreeSet<(View, usize)> {
        let mut next = BTreeSet::new();
        for_each_move(views, view, &mut |views, Move { to, act, .. }| {
            next.insert((to, self.letter(views, to, act)));
        });
        next
    }

    /// Whether a formula is kept on all ways.
    fn keep(&self, formula: &Safety) -> bool {
        let mut obligations = Obligations::new(formula, &self.claims);
        let mut seen: BTreeSet<(View, usize)> = BTreeSet::new();
        let mut queue: VecDeque<(View, usize)> = VecDeque::new();
        let mut moments: Vec<(View, usize)> = self.first.clone();
        let mut before = 0;
        loop {
            for (view, letter) in moments {
                match obligations.after(before, letter, &self.letters[letter]) {
                    Rest::Broken => return false,
                    Rest::Kept => {}
                    Rest::Open(left) if seen.insert((view, left)) => queue.push_back((view, left)),
                    Rest::Open(_) => {}
                }
            }
            let Some((view, left)) = queue.pop_front() else { return true };
            moments = self.next.get(&view).cloned().unwrap_or_default();
            before = left;
        }
    }
}
