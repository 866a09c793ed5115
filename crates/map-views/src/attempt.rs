//! One attempt: all views of some precision, and what follows from them.

use map_ir::{AgentId, Program, RoleId};
use map_semantics::Bounds;

use crate::Refusal;
use crate::cycles::{Edges, Habit};
use crate::frame::{Frame, Precision, Sabotage};
use crate::standstill::{Kind, standing_still};
use crate::steps::Fault;
use crate::views::{Incomplete, Views};

/// What is proved for any number of members from [`Precision::least`] on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Theorem {
    /// Every run ends with all agents done.
    Terminates,
    /// Nothing goes wrong, and all agents can always still end: they do if these decisions are always answered like
    /// this. No answers are given if steps end anyway, but agents may ask again for ever.
    TerminatesIfFair(Vec<Habit>),
    /// No agent fails, and there is no deadlock, no runaway recursion and no run error; that all agents can always
    /// still end is not known.
    NothingGoesWrong,
}

/// Why there is no proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// Views cannot show the scene.
    Refused(Refusal),
    /// This cannot be excluded.
    Fault(Fault),
    /// A deadlock cannot be excluded.
    Deadlock,
    /// There are too many views.
    TooMany,
    /// The search was stopped.
    Stopped,
    /// There is no first state.
    NoStart,
}

/// The result of an attempt.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// How precise its views were.
    pub precision: Precision,
    /// The cells that are told apart by who has contributed to them, by role and place in its memory.
    pub counted: Vec<(RoleId, usize)>,
    /// The number of views.
    pub views: usize,
    /// What follows from them.
    pub result: Result<Theorem, Obstacle>,
}

/// Tries to prove what can be proved with views of a precision. `scene` compiles the scene with a number of members of
/// the role. Views are told apart by the content of more cells if that is needed. None if `before` has an attempt with
/// the same views.
pub(crate) fn attempt(
    scene: &dyn Fn(u32) -> Option<Program>,
    role: &str,
    bounds: &Bounds,
    (mut precision, most): (Precision, usize),
    before: &[Attempt],
    stop: &mut dyn FnMut() -> bool,
) -> Option<Attempt> {
    let refused = |precision: Precision, refusal| Attempt {
        precision,
        counted: Vec::new(),
        views: 0,
        result: Err(Obstacle::Refused(refusal)),
    };
    let (Some(few), Some(more)) = (scene(precision.least()), scene(precision.least() + 1)) else {
        return Some(refused(precision, Refusal::NotPlural));
    };
    loop {
        let frame = match Frame::new(&few, &more, role, bounds, (&precision, Sabotage::default())) {
            Ok(frame) => frame,
            Err(refusal) => return Some(refused(precision, refusal)),
        };
        if before.iter().any(|it| it.precision == frame.precision) {
            return None;
        }
        let mut views = Views::new(&frame);
        let explored = views.explore(most, false, stop);
        let told = views.faults.iter().find_map(|&(fault, _)| match fault {
            Fault::Told(role, cell) => Some((role, cell)),
            _ => None,
        });
        if let Some(cell) = told {
            precision.except.push(cell);
            continue;
        }
        let result = explored
            .map_err(|it| match it {
                Incomplete::Many => Obstacle::TooMany,
                Incomplete::Stopped => Obstacle::Stopped,
                Incomplete::NoStart => Obstacle::NoStart,
            })
            .and_then(|()| judge(&mut views));
        let views = views.views.len();
        let of_agent = |(agent, cells): (&AgentId, &Vec<(usize, bool)>)| {
            let role = few.agent(*agent).role;
            cells.iter().map(move |&(cell, _)| (role, cell)).collect::<Vec<_>>()
        };
        let mut counted: Vec<_> = frame.fixed().iter().zip(&frame.counted).flat_map(of_agent).collect();
        counted.sort_unstable();
        counted.dedup();
        return Some(Attempt { precision: frame.precision.clone(), counted, views, result });
    }
}

/// What follows from all views.
fn judge(views: &mut Views<'_>) -> Result<Theorem, Obstacle> {
    if let Some(&(fault, _)) = views.faults.first() {
        return Err(Obstacle::Fault(fault));
    }
    if standing_still(views, Kind::Deadlock).is_some() {
        return Err(Obstacle::Deadlock);
    }
    let edges = Edges::new(views);
    if edges.end(&[]) {
        let polls = standing_still(views, Kind::Polls).is_some();
        return Ok(if polls { Theorem::TerminatesIfFair(Vec::new()) } else { Theorem::Terminates });
    }
    Ok(edges.policy(views).map_or(Theorem::NothingGoesWrong, Theorem::TerminatesIfFair))
}
