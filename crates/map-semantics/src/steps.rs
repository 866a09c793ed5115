//! The steps of a scene in one of its states, and the judgement of the state.

use std::cell::OnceCell;

use map_ir::{AgentId, PointId, Program};

use crate::enumerate::{AgentSteps, ResolvedOutcome, ThreadSteps, agent_steps};
use crate::judgement::{Census, Judgement};
use crate::outcome::Ending;
use crate::scene::{ObservedStep, SceneState, SceneStep, StepError};
use crate::step::{Step, Turn};
use crate::{Bounds, Choice, Choices, Path};

/// A step of a state: one that can be taken, goes wrong, is cut by a bound, or makes too many calls.
#[derive(Clone, Debug)]
pub struct EnabledStep {
    /// The step, with all its open questions resolved.
    pub step: Step,
    /// Where the thread rests before it.
    pub place: PointId,
    /// Whether it rests on an open comparison: its own, or one because of which some thread counts as waiting.
    pub compared: bool,
    /// Its outcome; the result is never [`SceneStep::Nothing`].
    pub observed: ObservedStep,
}

impl EnabledStep {
    /// Whether the step is taken, though it may go wrong: neither cut nor too long.
    #[must_use]
    pub const fn is_taken(&self) -> bool {
        matches!(self.observed.result, SceneStep::Made | SceneStep::Wrong(_))
    }

    /// The error, if it goes wrong.
    #[must_use]
    pub const fn wrong(&self) -> Option<StepError> {
        match self.observed.result {
            SceneStep::Wrong(error) => Some(error),
            _ => None,
        }
    }

    /// The state it leads to, if it succeeds; `before` is the state it is a step of.
    #[must_use]
    pub fn next_state(&self, bounds: &Bounds, before: &SceneState) -> Option<SceneState> {
        if self.observed.result != SceneStep::Made {
            return None;
        }
        let mut after = before.clone();
        after.follow(bounds, self.step.agent, &self.observed);
        Some(after)
    }
}

/// The steps of a scene in one of its states ([`scene_steps`]).
///
/// Steps are listed agent by agent and thread by thread, acts before timeouts, and in the order of the options that
/// resolve their open questions; crashes come last.
#[derive(Clone, Debug)]
pub struct SceneSteps<'a> {
    program: &'a Program,
    bounds: &'a Bounds,
    state: &'a SceneState,
    /// The steps of each agent by itself, in the order of the cast; computed when they are asked for.
    agents: Vec<OnceCell<Box<AgentSteps>>>,
    /// Needed only where some thread has timeouts.
    census: OnceCell<Census>,
}

/// What a scene can do in a state. The steps of an agent are computed when they are asked for.
///
/// ```
/// # use map_check::{CheckOptions, check};
/// # use map_diagnostics::SourceFile;
/// use map_semantics::{Bounds, SceneState, scene_steps};
///
/// let text = "hello[ agent(!A, %a) = hi() => agent(!B, %b)  agent(!B, %b) = waitfor hi() <= agent(!A, %a) ]";
/// # let parsed = map_syntax::parse(&SourceFile::new("hello.map", text));
/// # let (checked, _) = check(&parsed.file, &CheckOptions::default());
/// # let program = map_compile::compile(&checked.unwrap());
/// let bounds = Bounds::USUAL;
/// let mut state = SceneState::start(&program, &bounds, &[]).0.unwrap();
/// for _ in 0..2 {
///     let steps = scene_steps(&program, &bounds, &state);
///     let step = steps.all().next().expect("the message is sent, then received");
///     state = step.next_state(&bounds, &state).expect("nothing goes wrong");
/// }
/// assert!(scene_steps(&program, &bounds, &state).judgement().good_end);
/// ```
#[must_use]
pub fn scene_steps<'a>(program: &'a Program, bounds: &'a Bounds, state: &'a SceneState) -> SceneSteps<'a> {
    let agents = vec![OnceCell::new(); state.agents.len()];
    SceneSteps { program, bounds, state, agents, census: OnceCell::new() }
}

impl SceneSteps<'_> {
    /// The judgement of the state. Does not compute deliveries.
    #[must_use]
    pub fn judgement(&self) -> Judgement {
        let census = self.census();
        let mut judging = census.judging();
        for thread in self.program.cast().flat_map(|agent| &self.steps_of(agent).threads) {
            judging.acts(!thread.acts.is_empty(), thread.act_may_vanish);
            if census.may_time_out(thread.waiting) {
                judging.timeouts(!thread.timeouts.is_empty(), thread.timeout_may_vanish);
            }
        }
        judging.judgement()
    }

    /// Every step. A send is listed once for each choice of copies that are lost.
    pub fn all(&self) -> impl Iterator<Item = EnabledStep> {
        self.of_agents(|_| true)
    }

    /// Every step of the wanted agents, including crashes and losses.
    pub fn of_agents(&self, wanted: impl Fn(AgentId) -> bool + Copy) -> impl Iterator<Item = EnabledStep> {
        let may_crash = self.state.may_crash_next(self.bounds).filter(move |&agent| wanted(agent));
        let agents = self.program.cast().filter(move |&agent| wanted(agent));
        agents.flat_map(|agent| self.of_agent(agent)).chain(may_crash.map(|agent| self.crash(agent)))
    }

    /// Every step of an agent except its crash.
    pub fn of_agent(&self, agent: AgentId) -> impl Iterator<Item = EnabledStep> {
        self.open_steps(agent).flat_map(|open| self.every_loss(open))
    }

    /// Every step of the wanted agents without network faults: nobody crashes, and no copy of a message is lost.
    pub fn fault_free(&self, wanted: impl Fn(AgentId) -> bool) -> impl Iterator<Item = EnabledStep> {
        let agents = self.program.cast().filter(move |&agent| wanted(agent));
        // The first choice loses nothing.
        agents.flat_map(|agent| self.open_steps(agent)).flat_map(|open| self.every_loss(open).take(1))
    }

    /// The steps of an agent by itself.
    fn steps_of(&self, agent: AgentId) -> &AgentSteps {
        let its = &self.state.agents[agent.index()];
        self.agents[agent.index()]
            .get_or_init(|| Box::new(agent_steps(self.program, self.bounds, agent, its)))
    }

    /// The census of all agents.
    fn census(&self) -> &Census {
        self.census.get_or_init(|| {
            let mut census = Census::new(self.bounds);
            for (agent, its) in self.program.cast().zip(&self.state.agents) {
                let steps = self.steps_of(agent);
                census.count(its.status, 1, steps.all_waiting(), steps.waiting_compared());
            }
            census
        })
    }

    /// The steps of an agent except its crash, before deliveries.
    fn open_steps(&self, agent: AgentId) -> impl Iterator<Item = OpenStep<'_>> {
        let threads = self.steps_of(agent).threads.iter().enumerate();
        threads.flat_map(move |(index, thread)| {
            let ThreadSteps { thread: node, waiting, waiting_compared, .. } = *thread;
            let has_timeouts = !thread.timeouts.is_empty();
            let doubtful = has_timeouts && self.census().is_doubtful(waiting_compared);
            let may_time_out = has_timeouts && self.census().may_time_out(waiting);
            let timeouts = may_time_out.then_some(&thread.timeouts);
            let place = self.state.agents[agent.index()].control.place(node);
            let open = move |turn, resolved, doubtful| OpenStep {
                agent,
                thread: index,
                place,
                turn,
                resolved,
                doubtful,
            };
            let turn = if thread.sender.is_some() { Turn::Arrive } else { Turn::Act };
            let acts = thread.acts.iter().map(move |act| open(turn, act, false));
            let timeouts = timeouts.into_iter().flatten();
            acts.chain(timeouts.map(move |timeout| open(Turn::Timeout, timeout, doubtful)))
        })
    }

    /// The step once for each choice of copies that are lost.
    fn every_loss<'s>(&'s self, open: OpenStep<'s>) -> impl Iterator<Item = EnabledStep> + 's {
        let mut next_choice = Some(Path::default());
        std::iter::from_fn(move || {
            let mut losses = next_choice.take()?;
            let step = self.enabled(&open, &mut losses);
            if losses.advance(false).is_ok() {
                next_choice = Some(losses);
            }
            Some(step)
        })
    }

    /// The step with its deliveries, where `losses` chooses the copies that are lost.
    fn enabled(&self, open: &OpenStep<'_>, losses: &mut Path) -> EnabledStep {
        let OpenStep { agent, thread, place, turn, resolved, doubtful } = *open;
        let mut settled = Settled { options: resolved.options.iter(), losses };
        let mut observed = self.state.attempt(self.program, self.bounds, agent, thread, turn, &mut settled);
        debug_assert!(settled.options.next().is_none(), "what was open by itself is open in the scene");
        debug_assert_ne!(observed.result, SceneStep::Nothing, "what is a step by itself is one in the scene");
        // The scene can take the last of too many ways, but the enumeration is incomplete.
        if let Ending::TooLong(point) = resolved.outcome.ending {
            observed.outcome.ending = Ending::TooLong(point);
            observed.result = SceneStep::TooLong(point);
            observed.unread.clear();
        }
        let options = resolved.options.iter().copied().chain(losses.options()).collect();
        let step = Step { agent, thread, turn, options };
        EnabledStep { step, place, compared: resolved.compared || doubtful, observed }
    }

    fn crash(&self, agent: AgentId) -> EnabledStep {
        let control = &self.state.agents[agent.index()].control;
        let node = control.threads().next().expect("an agent that has not ended has a thread");
        let step = Step { agent, thread: 0, turn: Turn::Crash, options: Vec::new() };
        let observed =
            self.state.attempt(self.program, self.bounds, agent, 0, Turn::Crash, &mut Path::default());
        EnabledStep { step, place: control.place(node), compared: false, observed }
    }
}

/// A step of an agent by itself; the copies of its message that are lost are still open.
#[derive(Clone, Copy)]
struct OpenStep<'s> {
    agent: AgentId,
    thread: usize,
    place: PointId,
    turn: Turn,
    resolved: &'s ResolvedOutcome,
    /// Whether the existence of the step rests on an open comparison, apart from those within it.
    doubtful: bool,
}

/// Resolves an agent's own questions by these options, in order, and losses by a path.
struct Settled<'p> {
    options: std::slice::Iter<'p, u32>,
    losses: &'p mut Path,
}

impl Choices for Settled<'_> {
    fn choose(&mut self, choice: &Choice<'_>) -> u32 {
        match choice {
            Choice::Loss { .. } => self.losses.choose(choice),
            Choice::Answer { .. }
            | Choice::Equal { .. }
            | Choice::Condition { .. }
            | Choice::Domain { .. }
            | Choice::Message { .. }
            | Choice::Recipients { .. } => self.options.next().copied().unwrap_or(0),
        }
    }
}

/// Whether time may run out for a thread in a state; false if the agent has no such thread. Cheaper than
/// [`scene_steps`], because it examines no more agents than necessary.
#[must_use]
pub fn time_may_run_out(
    program: &Program,
    bounds: &Bounds,
    state: &SceneState,
    agent: AgentId,
    thread: usize,
) -> bool {
    let steps = |agent: AgentId| agent_steps(program, bounds, agent, &state.agents[agent.index()]);
    let quiescent = || program.cast().all(|agent| steps(agent).all_waiting());
    let may_run_out = |quiescent| bounds.timeouts.may_run_out(true, quiescent);
    let waiting = steps(agent).threads.get(thread).is_some_and(|thread| thread.waiting);
    waiting && (may_run_out(false) || may_run_out(true) && quiescent())
}
