//! The steps of a scene against a direct reading of the language reference that uses only [`SceneState::attempt`].

use std::sync::Arc;

use map_ir::{AgentId, PointKind, Program};

use super::scenes::{program, walk};
use crate::{
    Bounds, Choice, Choices, Judgement, NoStep, SceneState, SceneStep, Status, Step, Timeouts, Turn, propose,
    scene_steps, time_may_run_out,
};

const SCENES: std::ops::RangeInclusive<u64> = 1..=2_400;

/// The possible results of an act or a timeout: a question with a subtree for each option, or an end.
enum Tree {
    End(SceneStep),
    Question { is_comparison: bool, options: Vec<Tree> },
}

/// Takes these options and then option 0, and records the first question after them.
struct Prefix<'o> {
    options: std::slice::Iter<'o, u32>,
    next: Option<(bool, u32)>,
}

impl Choices for Prefix<'_> {
    fn choose(&mut self, choice: &Choice<'_>) -> u32 {
        let given = self.options.next().copied();
        if given.is_none() && self.next.is_none() {
            self.next = Some((choice.is_comparison(), choice.options()));
        }
        given.unwrap_or(0)
    }
}

/// A thread in a state.
struct Thread {
    agent: AgentId,
    index: usize,
    /// An act, or the arrival of a message: then it is no thread of the agent.
    turn: Turn,
    act: Tree,
    timeout: Tree,
    waiting: bool,
    waiting_compared: bool,
}

/// A step, whether it rests on comparisons, and its result.
#[derive(Debug, PartialEq, Eq)]
struct Found {
    step: Step,
    compared: bool,
    result: SceneStep,
}

impl Tree {
    fn grow(program: &Program, bounds: &Bounds, state: &SceneState, step: &Step) -> Self {
        let mut prefix = Prefix { options: step.options.iter(), next: None };
        let observed = state.attempt(program, bounds, step.agent, step.thread, step.turn, &mut prefix);
        let Some((is_comparison, count)) = prefix.next else { return Self::End(observed.result) };
        let longer = |option| Step { options: [&*step.options, &[option]].concat(), ..step.clone() };
        let options = (0..count).map(|option| Self::grow(program, bounds, state, &longer(option)));
        Self::Question { is_comparison, options: options.collect() }
    }

    /// Every end: the options that lead there, whether any of them settles a comparison, and the result.
    fn ends(&self) -> Vec<(Vec<u32>, bool, SceneStep)> {
        match self {
            Self::End(result) => vec![(Vec::new(), false, result.clone())],
            Self::Question { is_comparison, options } => {
                let of_option = |(option, tree): (usize, &Self)| {
                    let ends = tree.ends().into_iter();
                    let ends = ends.map(move |(options, compared, result)| {
                        ([&[option as u32], &*options].concat(), compared || *is_comparison, result)
                    });
                    ends.collect::<Vec<_>>()
                };
                options.iter().enumerate().flat_map(of_option).collect()
            }
        }
    }

    /// Whether some outcomes of the comparisons leave nothing, whatever else is answered.
    fn may_vanish(&self) -> bool {
        match self {
            Self::End(result) => *result == SceneStep::Nothing,
            Self::Question { is_comparison: true, options } => options.iter().any(Self::may_vanish),
            Self::Question { is_comparison: false, options } => options.iter().all(Self::may_vanish),
        }
    }

    fn is_step(&self) -> bool {
        self.ends().iter().any(|(_, _, result)| *result != SceneStep::Nothing)
    }

    /// The steps among the ends; if `doubtful`, all of them rest on a comparison.
    fn steps(&self, agent: AgentId, thread: usize, turn: Turn, doubtful: bool) -> Vec<Found> {
        let ends = self.ends().into_iter().filter(|(_, _, result)| *result != SceneStep::Nothing);
        ends.map(|(options, compared, result)| {
            let step = Step { agent, thread, turn, options };
            Found { step, compared: compared || doubtful, result }
        })
        .collect()
    }
}

fn threads(program: &Program, bounds: &Bounds, state: &SceneState) -> Vec<Thread> {
    let mut threads = Vec::new();
    for agent in program.cast() {
        let control = &state.agents[agent.index()].control;
        for (index, node) in control.threads().enumerate() {
            let grow = |turn| {
                let step = Step { agent, thread: index, turn, options: Vec::new() };
                Tree::grow(program, bounds, state, &step)
            };
            let (act, timeout) = (grow(Turn::Act), grow(Turn::Timeout));
            let at_waitfor = matches!(program.point(control.place(node)).kind, PointKind::Wait { .. });
            let mut vain = act.ends();
            vain.retain(|(_, _, result)| at_waitfor && *result == SceneStep::Nothing);
            let waiting = !vain.is_empty();
            let waiting_compared = waiting && vain.iter().all(|(_, compared, _)| *compared);
            threads.push(Thread { agent, index, turn: Turn::Act, act, timeout, waiting, waiting_compared });
        }
        for way in 0..state.agents[agent.index()].under_way.ways().count() {
            let (index, turn) = (control.threads().count() + way, Turn::Arrive);
            let act =
                Tree::grow(program, bounds, state, &Step { agent, thread: index, turn, options: Vec::new() });
            let timeout = Tree::End(SceneStep::Nothing);
            threads.push(Thread {
                agent,
                index,
                turn,
                act,
                timeout,
                waiting: false,
                waiting_compared: false,
            });
        }
    }
    threads
}

/// The steps without crashes, and the judgement.
fn direct(program: &Program, bounds: &Bounds, state: &SceneState) -> (Vec<Found>, Judgement) {
    let threads = threads(program, bounds, state);
    let quiescent = threads.iter().all(|thread| thread.waiting);
    let waiting_compared = threads.iter().any(|thread| thread.waiting_compared);
    let (mut steps, mut some_act, mut some_timeout, mut may_stand_still) = (Vec::new(), false, false, true);
    let mut sure_timeout = false;
    for Thread { agent, index, turn, act, timeout, waiting, waiting_compared: own } in threads {
        some_act |= act.is_step();
        may_stand_still &= !act.is_step() || act.may_vanish();
        steps.extend(act.steps(agent, index, turn, false));
        let (in_time, doubtful) = match bounds.timeouts {
            Timeouts::Quiescent => (quiescent, waiting_compared),
            Timeouts::Any => (waiting, own),
        };
        if in_time {
            some_timeout |= timeout.is_step();
            sure_timeout |= timeout.is_step() && !timeout.may_vanish();
            may_stand_still &= !timeout.is_step() || timeout.may_vanish();
            steps.extend(timeout.steps(agent, index, Turn::Timeout, doubtful));
        }
    }
    let all = |status: &[Status]| state.agents.iter().all(|agent| status.contains(&agent.status));
    let ended = all(&[Status::Done, Status::Failed, Status::Crashed]);
    let judgement = Judgement {
        good_end: all(&[Status::Done, Status::Crashed]),
        some_failed: !all(&[Status::Running, Status::Done, Status::Crashed]),
        ended,
        quiescent,
        waiting_compared,
        stands_still: !ended && steps.is_empty(),
        may_stand_still: !ended && may_stand_still,
        only_polls: quiescent && some_act && !sure_timeout,
        polls_compared: waiting_compared || some_timeout,
    };
    (steps, judgement)
}

/// The crashes; a crash always succeeds.
fn crashes(program: &Program, bounds: &Bounds, state: &SceneState) -> Vec<Found> {
    let crashed = state.agents.iter().filter(|agent| agent.status == Status::Crashed).count();
    let may_crash = crashed < bounds.network.crashes as usize;
    let running = program.cast().filter(|it| state.agents[it.index()].status == Status::Running);
    let crash = |agent| Step { agent, thread: 0, turn: Turn::Crash, options: Vec::new() };
    let found = running.map(|agent| Found { step: crash(agent), compared: false, result: SceneStep::Made });
    found.filter(|_| may_crash).collect()
}

#[test]
fn steps_and_judgements_are_those_of_a_direct_reading() {
    let mut seen = [0; 10];
    for seed in SCENES {
        walk(seed, &mut |program, bounds, state| {
            let (expected, judgement) = direct(program, bounds, state);
            let steps = scene_steps(program, bounds, state);
            assert_eq!(steps.judgement(), judgement, "seed {seed}: {state:?}");
            let flat = |step: crate::EnabledStep| {
                let result = step.observed.result.clone();
                Found { step: step.step, compared: step.compared, result }
            };
            let all: Vec<Found> = steps.all().map(flat).collect();
            let crashes = crashes(program, bounds, state);
            let every: Vec<&Found> = expected.iter().chain(&crashes).collect();
            assert_eq!(all.iter().collect::<Vec<_>>(), every, "seed {seed}: {state:?}");
            let fault_free: Vec<Found> = steps
                .fault_free(|_| true)
                .inspect(|it| assert!(it.observed.lost.is_empty()))
                .map(flat)
                .collect();
            assert!(fault_free.iter().all(|it| expected.contains(it)), "seed {seed}: {state:?}");
            let has_losses = bounds.network.losses > state.lost;
            assert!(fault_free.len() == expected.len() || has_losses, "seed {seed}: {state:?}");
            for (count, holds) in seen.iter_mut().zip([
                judgement.good_end,
                judgement.is_deadlock(),
                judgement.may_be_deadlock() && !judgement.is_deadlock(),
                judgement.only_polls && !judgement.polls_compared,
                judgement.only_polls && judgement.polls_compared,
                judgement.some_failed && judgement.stands_still,
                judgement.waiting_compared && judgement.quiescent,
                fault_free.len() < expected.len(),
                !crashes.is_empty(),
                expected.iter().any(|found| found.step.turn == Turn::Arrive),
            ]) {
                *count += u32::from(holds);
            }
        });
    }
    assert!(seen.iter().all(|&count| count >= 10), "{seen:?}");
}

/// B counts as waiting only if the message it was sent does not hold 1; A waits in any case.
const DOUBTFUL: &str = "s[
    agent(!A, %a) = $x = p() then m($x) => agent(!B, %b) then waitfor n() <= agent(_, %b) timeout skip
    agent(!B, %b) = waitfor m(1) <= agent(_, %a) timeout (n() => agent(!A, %a))
] procedure p()";

#[test]
fn that_time_runs_out_may_rest_on_the_comparison_of_another() {
    let program = program(DOUBTFUL);
    let timeouts = |timeouts| {
        let bounds = Bounds { timeouts, ..Bounds::USUAL };
        let mut state = SceneState::start(&program, &bounds, &[]).0.unwrap();
        for _ in ["asks", "sends"] {
            let step = scene_steps(&program, &bounds, &state).of_agent(AgentId::new(0)).next().unwrap();
            assert!(state.follow(&bounds, step.step.agent, &step.observed));
        }
        let steps = scene_steps(&program, &bounds, &state);
        assert!(steps.judgement().quiescent && steps.judgement().waiting_compared);
        let timeouts = steps.all().filter(|it| it.step.turn == Turn::Timeout);
        timeouts.map(|it| (it.step.agent.index(), it.compared)).collect::<Vec<_>>()
    };
    assert_eq!(timeouts(Timeouts::Quiescent), [(0, true), (1, true)]);
    assert_eq!(timeouts(Timeouts::Any), [(0, false), (1, true)]);
}

/// Steps to propose, most of which do not exist.
fn guesses(program: &Program) -> Vec<Step> {
    let options: [&[u32]; 6] = [&[], &[0], &[1], &[0, 0], &[1, 0], &[1, 1]];
    let agents = (0..=program.agents.len()).map(AgentId::new);
    let threads = agents.flat_map(|agent| (0..3).map(move |thread| (agent, thread)));
    let turns = [Turn::Act, Turn::Timeout, Turn::Crash, Turn::Arrive];
    let turns = threads.flat_map(|(agent, thread)| turns.map(|turn| (agent, thread, turn)));
    let steps = turns.flat_map(|(agent, thread, turn)| {
        options.map(|options| Step { agent, thread, turn, options: options.to_vec() })
    });
    steps.collect()
}

#[test]
fn what_may_be_proposed_are_the_steps_there_are() {
    for seed in SCENES.step_by(10) {
        walk(seed, &mut |program, bounds, state| {
            let proposed = |step: &Step| {
                let in_time = || time_may_run_out(program, bounds, state, step.agent, step.thread);
                propose(program, bounds, state, step, &[], in_time).map(|it| (it.place, it.observed.result))
            };
            let steps: Vec<_> = scene_steps(program, bounds, state).all().collect();
            for step in &steps {
                let expected = match &step.observed.result {
                    SceneStep::Cut(bound) => Err(NoStep::Cut(*bound)),
                    SceneStep::TooLong(_) => Err(NoStep::TooLong),
                    result => Ok((step.place, result.clone())),
                };
                assert_eq!(proposed(&step.step), expected, "seed {seed}, {:?}: {state:?}", step.step);
            }
            for guess in guesses(program) {
                let is_there = steps.iter().any(|it| it.is_taken() && it.step == guess);
                assert_eq!(proposed(&guess).is_ok(), is_there, "seed {seed}, {guess:?}: {state:?}");
            }
        });
    }
}

#[test]
fn a_step_shares_the_agents_that_it_leaves_alone() {
    let mut shared = 0;
    for seed in SCENES.step_by(10) {
        walk(seed, &mut |program, bounds, state| {
            // Where mailboxes are bags, a step may put any of them in order.
            let steps = scene_steps(program, bounds, state);
            for step in steps.all().filter(|_| !bounds.network.unordered) {
                let Some(next) = step.next_state(bounds, state) else { continue };
                let pairs = program.cast().zip(state.agents.iter().zip(&next.agents));
                for (_, (before, after)) in pairs.filter(|(agent, _)| *agent != step.step.agent) {
                    assert!(Arc::ptr_eq(before, after) || before != after, "seed {seed}: {state:?}");
                    shared += u32::from(Arc::ptr_eq(before, after));
                }
            }
        });
    }
    assert!(shared > 1_000, "{shared} agents were shared");
}
