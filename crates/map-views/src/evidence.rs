//! Evidence where there is no proof: whether the states with more members show views that those with fewer do not.
//! Nothing follows from it for other numbers.

use map_ir::{Program, RoleId};
use map_semantics::{Bounds, SceneState};
use map_verify::{InternalError, Limits, Progress, visit_states};

use crate::Refusal;
use crate::frame::{Frame, Precision, Sabotage};
use crate::local::Local;
use crate::shown::Shown;
use crate::table::Numbered;

/// What all states with some number of members show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VisibleFacts {
    /// The number of members.
    pub agents: u32,
    /// The number of states, without those that differ only in the names of members.
    pub states: usize,
    /// The number of views that states with fewer did not show.
    pub new_views: usize,
    /// By role, the number of messages in the fullest mailbox.
    pub fullest: Vec<(RoleId, usize)>,
}

/// The views of the states that were looked at.
pub(crate) struct Views<'p> {
    frame: Frame<'p>,
    messages: Numbered<map_semantics::Message>,
    locals: Numbered<Local>,
    views: Numbered<Box<[usize]>>,
}

impl<'p> Views<'p> {
    /// None yet. `two` and `three` are the scene with two and with three members.
    ///
    /// # Errors
    /// If the members are not interchangeable.
    pub(crate) fn new(
        two: &'p Program,
        three: &Program,
        role: &str,
        bounds: &Bounds,
    ) -> Result<Self, Refusal> {
        let how = (&Precision::COARSE, Sabotage::default());
        Ok(Self {
            frame: Frame::uncounted(two, three, role, bounds, how)?,
            messages: Numbered::default(),
            locals: Numbered::default(),
            views: Numbered::default(),
        })
    }

    /// Adds the views of all states of the scene with so many members; `None` if there are too many states.
    ///
    /// # Errors
    /// None but defects of the verifier.
    pub(crate) fn look(
        &mut self,
        (program, agents): (&Program, u32),
        bounds: &Bounds,
        limits: &Limits,
        progress: &mut dyn Progress,
    ) -> Result<Option<VisibleFacts>, InternalError> {
        let before = self.views.len();
        let mut fullest = vec![0; program.roles.len()];
        let (role, mut states) = (self.frame.role, 0);
        let all = visit_states(program, bounds, role, limits, progress, &mut |state| {
            states += 1;
            self.add(program, state);
            for (agent, state) in program.cast().zip(&state.agents) {
                let most = &mut fullest[program.agent(agent).role.index()];
                *most = state.mailbox.len().max(*most);
            }
        })?;
        let fullest = fullest.into_iter().enumerate().map(|(role, most)| (RoleId::new(role), most));
        let new_views = self.views.len() - before;
        Ok(all.then(|| VisibleFacts { agents, states, new_views, fullest: fullest.collect() }))
    }

    /// Adds the view of each member.
    fn add(&mut self, program: &Program, state: &SceneState) {
        let Self { frame, messages, locals, views } = self;
        let shown = Shown { frame, program };
        for member in shown.members() {
            let names = shown.names(&[member]);
            let fixed = frame.fixed().iter().map(|&agent| shown.there(agent));
            let agents = frame.shown.iter().zip(fixed.chain([member]));
            let view = agents.map(|(&here, there)| {
                let number = &mut |message| Some(messages.insert_full(message).0 as u32);
                let local = shown.local(here, &state.agents[there.index()], &names, number);
                local.map(|local| locals.insert_full(local).0)
            });
            let view: Option<Box<[usize]>> = view.collect();
            views.insert(view.expect("without counting every state has views"));
        }
    }
}

/// The least number of members since which there were no new views, of those looked at; `None` if the last still had
/// some, or too few were looked at.
#[must_use]
pub fn no_new_views_since(seen: &[VisibleFacts]) -> Option<u32> {
    let last = seen.iter().rposition(|it| it.new_views > 0)?;
    (last + 1 < seen.len()).then(|| seen[last].agents)
}
