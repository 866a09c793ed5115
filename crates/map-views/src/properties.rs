//! Safety properties for any number of members: their claims hold on every way through the views. Each run of the scene
//! is such a way, for each of its members: a step of the fixed agents or of the member is one of the view, and a step of
//! another disturbs it, or changes nothing in it.

use std::collections::{BTreeSet, VecDeque};

use map_ir::{Program, Properties, RoleId};
use map_semantics::{Bounds, Timeouts};
use rustc_hash::FxHashMap;

use crate::Refusal;
use crate::claims::{Claim, Safety, Unjudged, claims_of};
use crate::frame::{Frame, Sabotage, Wanted};
use crate::prove::precisions;
use crate::steps::Fault;
use crate::table::{Comes, NumberedThread, NumberedWay};
use crate::truth::{Act, At};
use crate::views::{View, Views};

/// Of each claim whether it holds at a moment.
type Letter = Box<[Option<bool>]>;

/// For each property whether it holds for any number of members of a role, two or more, or why that is not known. The
/// scene and its properties are given with two and with three members; `most` is the most views, and `sabotage` is for
/// tests. `stop` is asked whether to give up.
#[must_use]
pub fn judge_properties(
    (two, of_two): (&Program, &Properties),
    (three, of_three): (&Program, &Properties),
    role: &str,
    bounds: &Bounds,
    (most, sabotage): (usize, Sabotage),
    stop: &mut dyn FnMut() -> bool,
) -> Vec<Result<(), Unjudged>> {
    let Some(id) = two.roles.iter().position(|name| name == role).map(RoleId::new) else {
        return of_two.list.iter().map(|_| Err(Unjudged::NoViews)).collect();
    };
    let claims = of_two.list.iter().map(|few| {
        let more = of_three.list.iter().find(|more| more.name == few.name).ok_or(Unjudged::Several)?;
        claims_of((two, of_two, few), (three, of_three, more), id)
    });
    let mut claims: Vec<Result<Vec<Safety>, Unjudged>> = claims.collect();
    let mut wanted = Wanted::default();
    for claim in claims.iter_mut().flatten().flatten().flat_map(Safety::moments) {
        claim.observe(two, &mut wanted.visible);
        wanted.largest = wanted.largest.max(claim.largest());
    }
    let mut judged: Vec<Result<(), Unjudged>> = claims
        .iter()
        .map(|claims| match claims {
            Ok(_) => Err(Unjudged::NoViews),
            Err(why) => Err(*why),
        })
        .collect();
    for precision in precisions().into_iter().filter(|it| !it.no_overflow) {
        let open: Vec<usize> =
            (0..claims.len()).filter(|&it| claims[it].is_ok() && judged[it].is_err()).collect();
        if open.is_empty() || stop() {
            break;
        }
        let mut precision = precision;
        loop {
            let how = (&precision, sabotage);
            let frame = match Frame::watching(two, three, role, bounds, how, &wanted) {
                Ok(frame) => frame,
                Err(Refusal::Numbered) if !precision.counting => break,
                Err(_) => return judged,
            };
            let mut explored = Views::new(&frame);
            let complete = explored.explore(most, true, stop).is_ok();
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
                break;
            }
            let all: Vec<&Safety> = open.iter().flat_map(|&it| claims[it].iter().flatten()).collect();
            let mut ways = Ways::new(&mut explored, &all);
            for &it in &open {
                let holds = claims[it].iter().flatten().all(|claim| ways.keep(claim));
                judged[it] = if holds { Ok(()) } else { Err(Unjudged::Open) };
            }
            break;
        }
    }
    judged
}

/// All ways through views.
struct Ways {
    claims: Vec<Claim>,
    letters: Vec<Letter>,
    /// Views with the letters of their first moments.
    first: Vec<(View, usize)>,
    next: FxHashMap<View, Vec<(View, usize)>>,
}

impl Ways {
    fn new(views: &mut Views<'_>, safety: &[&Safety]) -> Self {
        let mut claims: Vec<Claim> = Vec::new();
        for claim in safety
            .iter()
            .flat_map(|it| (*it).clone().moments().into_iter().map(|it| it.clone()).collect::<Vec<_>>())
        {
            if !claims.contains(&claim) {
                claims.push(claim);
            }
        }
        let mut ways = Self { claims, letters: Vec::new(), first: Vec::new(), next: FxHashMap::default() };
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
        self.letters.iter().position(|it| *it == letter).unwrap_or_else(|| {
            self.letters.push(letter);
            self.letters.len() - 1
        })
    }

    /// The moments that may follow a view.
    fn next_of(&mut self, views: &mut Views<'_>, view: View) -> BTreeSet<(View, usize)> {
        let mut next = BTreeSet::new();
        let (number, _) = view;
        let frame = views.frame;
        let agents: Vec<_> = views.agents(view).collect();
        let steps: Vec<_> = agents.iter().map(|&(_, local)| views.table.steps(local)).collect();
        let waits = |views: &Views<'_>, place, thread: &NumberedThread| views.may_wait(number, place, thread);
        let all_wait = agents
            .iter()
            .zip(&steps)
            .all(|(&(place, _), threads)| threads.iter().all(|thread| waits(views, place, thread)));
        let times_out = all_wait && views.may_time_out(number);
        for (&(place, _), threads) in agents.iter().zip(&steps) {
            let agent = place.map_or(frame.member, |place| frame.fixed[place]);
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
                        Comes::To(step) => {
                            let act = Act::Step { agent, timeout, step, refused };
                            for (locals, seen) in views.after(view, place, step) {
                                self.add(views, (&locals, seen), act, &mut next);
                            }
                        }
                        Comes::ToNothing { .. } => {
                            let letter = self.letter(views, view, Act::Refusal { agent, timeout, refused });
                            next.insert((view, letter));
                        }
                        Comes::Wrong(_) => {}
                    }
                }
            }
        }
        let letter = self.letter(views, view, Act::Unseen);
        next.insert((view, letter));
        for record in 0..views.records(number) {
            for (locals, seen) in views.disturbed(view, record) {
                self.add(views, (&locals, seen), Act::Unseen, &mut next);
            }
        }
        next
    }

    fn add(
        &mut self,
        views: &Views<'_>,
        (locals, seen): (&[u32], u32),
        act: Act<'_>,
        next: &mut BTreeSet<(View, usize)>,
    ) {
        let view = views.number_of(locals).map(|number| (number, seen));
        // What is not explored is no view of a state.
        if let Some(view) = view.filter(|&view| views.explored_view(view)) {
            next.insert((view, self.letter(views, view, act)));
        }
    }

    /// Whether a claim is kept on all ways.
    fn keep(&mut self, safety: &Safety) -> bool {
        let mut seen: BTreeSet<(View, usize)> = BTreeSet::new();
        let mut queue: VecDeque<(View, usize)> = VecDeque::new();
        for &(view, letter) in &self.first {
            match self.after(safety, None, letter) {
                After::Broken => return false,
                After::Kept => {}
                After::Open(state) => queue.push_back((view, state)),
            }
        }
        while let Some((view, state)) = queue.pop_front() {
            if !seen.insert((view, state)) {
                continue;
            }
            for &(next, letter) in self.next.get(&view).into_iter().flatten() {
                match self.after(safety, Some(state), letter) {
                    After::Broken => return false,
                    After::Kept => {}
                    After::Open(state) => queue.push_back((next, state)),
                }
            }
        }
        true
    }

    /// What follows for a claim from a moment with this letter; `state` is how far it came before, `None` at the first
    /// moment.
    fn after(&self, safety: &Safety, state: Option<usize>, letter: usize) -> After {
        let truth = |claim: &Claim| {
            let place = self.claims.iter().position(|it| it == claim);
            place.and_then(|place| self.letters[letter][place])
        };
        let kept_if = |holds: bool, kept: After| if holds { kept } else { After::Broken };
        match safety {
            Safety::First(claim) => match state {
                None => kept_if(truth(claim) == Some(true), After::Kept),
                Some(_) => After::Kept,
            },
            Safety::Always(claim) => kept_if(truth(claim) == Some(true), After::Open(0)),
            Safety::Unless(left, right) => match truth(right) {
                Some(true) => After::Kept,
                // As if it did not hold: then more is asked for.
                _ => kept_if(truth(left) == Some(true), After::Open(0)),
            },
            Safety::Never(all) => {
                let before = state.unwrap_or(0);
                // To have come further is worse.
                let reached = if truth(&all[before]) == Some(false) { before } else { before + 1 };
                kept_if(reached < all.len(), After::Open(reached))
            }
        }
    }
}

/// How far a claim has come.
enum After {
    /// It may be broken.
    Broken,
    /// It cannot be broken any more.
    Kept,
    Open(usize),
}
