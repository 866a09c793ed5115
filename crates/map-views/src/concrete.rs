//! The views of a concrete state of a scene with some number of members: what the abstraction says it has.

use std::collections::BTreeMap;

use map_ir::{AgentId, Program, RoleId, Value};
use map_semantics::{Action, AgentState, EnabledStep, Message, SceneState, Status, Turn};

use crate::frame::{Frame, Precision, Sabotage};
use crate::local::Local;
use crate::shown::Shown;
use crate::views::{Incomplete, View, Views};
use crate::{Fault, Refusal};
use map_semantics::Bounds;

/// Views that were explored, to be compared with concrete states.
pub struct Explored<'f> {
    views: Views<'f>,
    /// Whether these are all views: nothing is too much for them.
    pub complete: bool,
    /// The faults that may occur.
    pub faults: Vec<Fault>,
}

/// Explores the views of a scene, and passes them to `look`. `two` and `three` are the scene with two and with three
/// members of the role.
///
/// # Errors
/// If views cannot show the scene.
pub fn with_views<T>(
    (two, three): (&Program, &Program),
    role: &str,
    bounds: &Bounds,
    how: (&Precision, Sabotage),
    most: usize,
    look: impl FnOnce(&Explored<'_>) -> T,
) -> Result<T, Refusal> {
    let frame = Frame::new(two, three, role, bounds, how)?;
    let mut views = Views::new(&frame);
    let ended = views.explore(most, true, &mut || false) != Err(Incomplete::Many);
    let faults: Vec<Fault> = views.faults.iter().map(|&(fault, _)| fault).collect();
    let leaves_out =
        |fault: &Fault| matches!(fault, Fault::Integers | Fault::Counting | Fault::Told(..) | Fault::Cut);
    let complete = ended && !faults.iter().any(leaves_out);
    Ok(look(&Explored { views, complete, faults }))
}

/// Who has changed the counting cells of each agent, as views tell it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tally {
    agents: Vec<OfAgent>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct OfAgent {
    /// The member whose message it took last.
    last: Option<AgentId>,
    /// By cell what comes from nobody.
    nobody: Vec<i64>,
    /// By member and cell.
    members: BTreeMap<AgentId, Vec<i64>>,
}

impl Explored<'_> {
    /// The number of views.
    #[must_use]
    pub fn len(&self) -> usize {
        self.views.views.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A counting cell that has to be told apart by its content, if there is one.
    #[must_use]
    pub fn told(&self) -> Option<(RoleId, usize)> {
        self.faults.iter().find_map(|fault| match *fault {
            Fault::Told(role, cell) => Some((role, cell)),
            _ => None,
        })
    }

    fn shown<'a>(&'a self, program: &'a Program) -> Shown<'a, 'a> {
        Shown { frame: self.views.frame, program }
    }

    /// The tally before the first step of the scene.
    #[must_use]
    pub fn first_tally(&self, program: &Program, state: &SceneState) -> Tally {
        let frame = self.views.frame;
        let members = self.shown(program).members();
        let of = |(place, &agent): (usize, &AgentId)| {
            let here = self.shown(program).there(agent);
            let cells = &frame.counted[place];
            let start = |&(index, numbered): &(usize, bool)| match state.agents[here.index()].memory[index] {
                Value::Integer(number) if !numbered => number,
                _ => 0,
            };
            let each: Vec<i64> = cells.iter().map(|&(_, numbered)| i64::from(numbered)).collect();
            OfAgent {
                last: None,
                nobody: cells.iter().map(start).collect(),
                members: members.iter().map(|&member| (member, each.clone())).collect(),
            }
        };
        Tally { agents: frame.fixed.iter().enumerate().map(of).collect() }
    }

    /// The tally after a step that leads from one state to another.
    #[must_use]
    pub fn tally(
        &self,
        program: &Program,
        before: &SceneState,
        tally: &Tally,
        step: &EnabledStep,
        after: &SceneState,
    ) -> Tally {
        let frame = self.views.frame;
        let mut tally = tally.clone();
        let actor = step.step.agent;
        let Some(place) = frame.fixed.iter().position(|&agent| self.shown(program).there(agent) == actor)
        else {
            return tally;
        };
        let cells = &frame.counted[place];
        if cells.is_empty() {
            return tally;
        }
        let of = &mut tally.agents[place];
        for (cell, &(index, _)) in cells.iter().enumerate() {
            let contents = [before, after].map(|state| state.agents[actor.index()].memory[index]);
            let [Value::Integer(old), Value::Integer(new)] = contents else { continue };
            match of.last.and_then(|last| of.members.get_mut(&last)) {
                Some(contributed) => contributed[cell] += new - old,
                None => of.nobody[cell] += new - old,
            }
        }
        if after.agents[actor.index()].status != Status::Running {
            of.last = None;
            of.nobody.iter_mut().for_each(|it| *it = 0);
            of.members.values_mut().flatten().for_each(|it| *it = 0);
        } else if step.step.turn == Turn::Timeout {
            of.last = None;
        } else if let Some(Action::Receive { message, .. }) = &step.observed.outcome.action {
            of.last = of.members.contains_key(&message.sender).then_some(message.sender);
        }
        tally
    }

    /// The members of a state none of whose views are among those explored.
    #[must_use]
    pub fn missing(&self, program: &Program, state: &SceneState, tally: &Tally) -> Vec<AgentId> {
        let is_missing = |&member: &AgentId| {
            let view = self.view(program, state, tally, member);
            view.is_none_or(|view| !self.views.explored_view(view))
        };
        self.shown(program).members().into_iter().filter(is_missing).collect()
    }

    /// The view of a state in which a member is seen; `None` if some part of it is in no view.
    #[must_use]
    pub(crate) fn view(
        &self,
        program: &Program,
        state: &SceneState,
        tally: &Tally,
        member: AgentId,
    ) -> Option<View> {
        let frame = self.views.frame;
        let shown = self.shown(program);
        let names = (&*shown.names(member), member);
        let mut locals = Vec::new();
        for (place, &agent) in frame.fixed.iter().enumerate() {
            let there = shown.there(agent);
            let local = (agent, &state.agents[there.index()]);
            let local = self.local(local, shown, names, &tally.agents[place])?;
            locals.push(self.views.table.locals.get_index_of(&local)? as u32);
        }
        let local = (frame.member, &state.agents[member.index()]);
        let local = self.local(local, shown, names, &OfAgent::default())?;
        let seen = self.views.table.locals.get_index_of(&local)? as u32;
        Some((self.views.number_of(&locals)?, seen))
    }

    fn local(
        &self,
        (agent, state): (AgentId, &AgentState),
        shown: Shown<'_, '_>,
        (names, member): (&[AgentId], AgentId),
        tally: &OfAgent,
    ) -> Option<Local> {
        let frame: &Frame<'_> = self.views.frame;
        let messages = &self.views.table.messages;
        let number = &mut |message: Message| messages.get_index_of(&message).map(|it| it as u32);
        let mut local = shown.local(agent, state, names, number)?;
        local.last = tally.last.map(|last| if last == member { frame.member } else { frame.other });
        let seen = tally.members.get(&member);
        local.counts = (0..local.counts.len())
            .map(|cell| {
                let of_seen = seen.map_or(0, |seen| seen[cell]);
                Some((i32::try_from(tally.nobody[cell]).ok()?, i32::try_from(of_seen).ok()?))
            })
            .collect::<Option<_>>()?;
        Some(local)
    }
}
