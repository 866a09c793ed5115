//! The views of a concrete state of a scene with some number of members: what the abstraction says it has.

use std::collections::BTreeMap;

use map_ir::{AgentId, Program, RoleId, Value};
use map_semantics::{Action, AgentState, EnabledStep, Message, SceneState, Status, Turn};

use crate::frame::{Frame, Precision, Sabotage};
use crate::local::{Count, Local};
use crate::shown::Shown;
use crate::views::{Incomplete, View, Views};
use crate::{Fault, Refusal};
use map_semantics::Bounds;

/// Views that were explored, to be compared with concrete states.
pub struct ExploredViews<'f> {
    views: Views<'f>,
    /// Whether these are all views: nothing is too much for them.
    pub complete: bool,
    /// The faults that may occur.
    pub faults: Vec<Fault>,
}

/// Explores the views of a scene, and passes them to `look`. `few` is the scene with one
/// member of the role more than views show, `more` with one more than that.
///
/// # Errors
/// If views cannot show the scene.
pub fn with_views<T>(
    (few, more): (&Program, &Program),
    role: &str,
    bounds: &Bounds,
    how: (&Precision, Sabotage),
    most: usize,
    look: impl FnOnce(&ExploredViews<'_>) -> T,
) -> Result<T, Refusal> {
    let frame = Frame::new(few, more, role, bounds, how)?;
    let mut views = Views::new(&frame);
    let ended = views.explore(most, true, &mut || false) != Err(Incomplete::Many);
    let faults: Vec<Fault> = views.faults.iter().map(|&(fault, _)| fault).collect();
    let leaves_out =
        |fault: &Fault| matches!(fault, Fault::Integers | Fault::Counting | Fault::Told(..) | Fault::Cut);
    let complete = ended && !faults.iter().any(leaves_out);
    Ok(look(&ExploredViews { views, complete, faults }))
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

impl ExploredViews<'_> {
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
        Tally { agents: frame.fixed().iter().enumerate().map(of).collect() }
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
        let Some(place) = frame.fixed().iter().position(|&agent| self.shown(program).there(agent) == actor)
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

    /// The members of a state of which a view is not among those explored, in the order in which they are seen.
    #[must_use]
    pub fn missing(&self, program: &Program, state: &SceneState, tally: &Tally) -> Vec<Vec<AgentId>> {
        let is_missing = |seen: &Vec<AgentId>| {
            let view = self.view(program, state, tally, seen);
            view.is_none_or(|view| !self.views.explored_view(view))
        };
        let mut all = vec![Vec::new()];
        for _ in self.views.frame.seen() {
            let members = self.shown(program).members();
            let longer = |seen: Vec<AgentId>| {
                let more = members.iter().filter(|it| !seen.contains(it));
                more.map(|&it| seen.iter().copied().chain([it]).collect()).collect::<Vec<_>>()
            };
            all = all.into_iter().flat_map(longer).collect();
        }
        all.into_iter().filter(is_missing).collect()
    }

    /// The view of a state in which these members are seen; `None` if there is none.
    fn view(&self, program: &Program, state: &SceneState, tally: &Tally, seen: &[AgentId]) -> Option<View> {
        let frame = self.views.frame;
        let shown = self.shown(program);
        let names = (&*shown.names(seen), seen);
        let fixed = frame.fixed().iter().map(|&agent| shown.there(agent));
        let locals = fixed.chain(seen.iter().copied()).enumerate().map(|(place, there)| {
            let agent = (frame.shown[place], &*state.agents[there.index()]);
            let tally = tally.agents.get(place).cloned().unwrap_or_default();
            let local = self.local(agent, shown, names, &tally)?;
            Some(self.views.table.locals.get_index_of(&local)? as u32)
        });
        self.views.view_of(&locals.collect::<Option<Vec<_>>>()?)
    }

    fn local(
        &self,
        (agent, state): (AgentId, &AgentState),
        shown: Shown<'_, '_>,
        (names, seen): (&[AgentId], &[AgentId]),
        tally: &OfAgent,
    ) -> Option<Local> {
        let messages = &self.views.table.messages;
        let number = &mut |message: Message| messages.get_index_of(&message).map(|it| it as u32);
        let mut local = shown.local(agent, state, names, number)?;
        local.last = tally.last.map(|last| names[last.index()]);
        let count = |cell: usize| {
            let mut count = Count { nobody: i32::try_from(tally.nobody[cell]).ok()?, ..Count::default() };
            for (place, member) in seen.iter().enumerate() {
                count.seen[place] = i32::try_from(tally.members.get(member)?[cell]).ok()?;
            }
            Some(count)
        };
        local.counts = (0..local.counts.len()).map(count).collect::<Option<_>>()?;
        Some(local)
    }
}
