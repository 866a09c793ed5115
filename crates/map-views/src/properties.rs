//! Safety properties for any number of members: their claims hold on every way through the views. Each run of the scene
//! is such a way, for each of its members, or for each two or three of them: a step of the fixed agents or of those
//! that are seen is one of the view, and a step of another disturbs it, or changes nothing in it.

use std::collections::{BTreeSet, VecDeque};

use indexmap::IndexSet;
use map_ir::{Program, RoleId};
use map_semantics::{Bounds, Timeouts};
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::Refusal;
use crate::claim::StatePredicate;
use crate::claims::{WithProperties, claims_of};
use crate::frame::{Frame, MOST_SEEN, Precision, Sabotage, Wanted};
use crate::obligations::{Letter, Obligations, Rest};
use crate::safety::{NoJudgement, Safety};
use crate::steps::Fault;
use crate::table::{NumberedThread, NumberedWay, StepResult};
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
        for (judged, found) in asked.into_iter().zip(question.judge(&claims, stop)) {
            *judged = found.map(|()| least);
        }
    }
    judged
}

/// What is asked about claims that speak of as many members as are seen.
struct Question<'q> {
    /// The scene with one member more than are seen, and with one more than that.
    few: &'q Program,
    more: &'q Program,
    role: &'q str,
    bounds: &'q Bounds,
    seen: usize,
    most: usize,
    sabotage: Sabotage,
}

impl Question<'_> {
    /// Of each list of claims whether they are kept.
    fn judge(&self, claims: &[Vec<Safety>], stop: &mut dyn FnMut() -> bool) -> Vec<Result<(), NoJudgement>> {
        let mut wanted = Wanted::default();
        let mut moments = Vec::new();
        claims.iter().flatten().for_each(|claim| claim.claims(&mut moments));
        for claim in moments {
            claim.observe(self.few, &mut wanted.visible);
            wanted.largest = wanted.largest.max(claim.largest());
        }
        let mut judged = vec![Err(NoJudgement::NoViews); claims.len()];
        let mut tried = Vec::new();
        for precision in Precision::finer(self.seen) {
            if judged.iter().all(Result::is_ok) || stop() {
                break;
            }
            let counts = precision.counting;
            let open = claims.iter().zip(&mut judged).filter(|(_, judged)| judged.is_err()).collect();
            match self.judge_with((precision, &mut tried), &wanted, open, stop) {
                Err(refusal) if counts || refusal != Refusal::Numbered => break,
                _ => {}
            }
        }
        judged
    }

    /// The same for those that are open, with views of some precision that was not tried before, if there are all.
    ///
    /// # Errors
    /// If views cannot show the scene.
    fn judge_with(
        &self,
        (mut precision, tried): (Precision, &mut Vec<Precision>),
        wanted: &Wanted,
        open: Vec<(&Vec<Safety>, &mut Result<(), NoJudgement>)>,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<(), Refusal> {
        loop {
            let how = (&precision, self.sabotage);
            let frame = Frame::watching(self.few, self.more, self.role, self.bounds, how, wanted)?;
            if tried.contains(&frame.precision) {
                return Ok(());
            }
            tried.push(frame.precision.clone());
            let mut explored = Views::new(&frame);
            let complete = explored.explore(self.most, true, stop).is_ok();
            let told = explored.faults.iter().find_map(|&(fault, _)| match fault {
                Fault::Told(role, cell) => Some((role, cell)),
                _ => None,
            });
            if let Some(cell) = told {
                precision.except.push(cell);
                continue;
            }
            // Runs end where something goes wrong, but not because an agent fails.
            if !complete || explored.faults.iter().any(|&(fault, _)| fault != Fault::Failure) {
                return Ok(());
            }
            let all: Vec<&Safety> = open.iter().flat_map(|(claims, _)| *claims).collect();
            let ways = Ways::new(&mut explored, &all);
            for (claims, judged) in open {
                if stop() {
                    break;
                }
                let holds = claims.iter().all(|claim| ways.keep(claim));
                *judged = if holds { Ok(()) } else { Err(NoJudgement::Open) };
            }
            return Ok(());
        }
    }
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
        let (number, _) = view;
        let frame = views.frame;
        let steps: Vec<_> = views.shown(view).iter().map(|&local| views.table.steps(local)).collect();
        let waits = |views: &Views<'_>, place, thread: &NumberedThread| views.may_wait(number, place, thread);
        let all_wait = steps
            .iter()
            .enumerate()
            .all(|(place, threads)| threads.iter().all(|thread| waits(views, place, thread)));
        let times_out = all_wait && views.may_time_out(number);
        for (place, threads) in steps.iter().enumerate() {
            let agent = frame.shown[place];
            for thread in threads.iter() {
                let may_time_out = match frame.bounds.timeouts {
                    Timeouts::Quiescent => times_out,
                    Timeouts::Any => waits(views, place, thread),
                };
                let timeouts: &[NumberedWay] = if may_time_out { &thread.timeouts } else { &[] };
                let ways =
                    thread.acts.iter().map(|way| (way, false)).chain(timeouts.iter().map(|way| (way, true)));
                for (way, timeout) in ways {
                    if !views.is_feasible(number, place, &way.constraints) {
                        continue;
                    }
                    let refused = way.refused.as_slice();
                    match &way.result {
                        StepResult::To(step) => {
                            let act = Act::Step { agent, timeout, step, refused };
                            for shown in views.after(view, place, step) {
                                self.add(views, &shown, act, &mut next);
                            }
                        }
                        StepResult::ToNothing { .. } => {
                            let letter = self.letter(views, view, Act::Refusal { agent, timeout, refused });
                            next.insert((view, letter));
                        }
                        StepResult::Wrong(_) => {}
                    }
                }
            }
        }
        let letter = self.letter(views, view, Act::Unseen);
        next.insert((view, letter));
        for record in 0..views.records(number) {
            for shown in views.disturbed(view, record) {
                self.add(views, &shown, Act::Unseen, &mut next);
            }
        }
        next
    }

    fn add(&mut self, views: &Views<'_>, shown: &[u32], act: Act<'_>, next: &mut BTreeSet<(View, usize)>) {
        // What is not explored is no view of a state.
        if let Some(view) = views.view_of(shown).filter(|&view| views.explored_view(view)) {
            next.insert((view, self.letter(views, view, act)));
        }
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
