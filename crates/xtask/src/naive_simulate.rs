//! A naive scheduler, for comparison: at every draw it examines all agents, and it copies the agent that takes the
//! step. The steps of each agent are cached until its state changes, so that the scheduler alone is measured;
//! `map-semantics` decides which timeouts may fire.

use map_ir::{AgentId, Program};
use map_semantics::{
    Action, AgentSteps, Bounds, Census, Choice, Choices, Ending, ResolvedOutcome, SceneState, SceneStep,
    Turn, agent_steps,
};
use map_simulate::Random;

/// Runs the scene once; returns the number of steps.
pub(crate) fn simulate(program: &Program, bounds: &Bounds, seed: u64, yes: f64, max_steps: u64) -> u64 {
    let (Some(mut state), _) = SceneState::start(program, bounds, &[]) else { return 0 };
    let mut dice = Dice { random: Random::from_seed(seed), yes };
    let steps_of = |state: &SceneState, agent: AgentId| {
        agent_steps(program, bounds, agent, &state.agents[agent.index()])
    };
    let mut all: Vec<AgentSteps> = program.cast().map(|agent| steps_of(&state, agent)).collect();
    let mut steps = 0;
    while steps < max_steps {
        let candidates = candidates(bounds, &state, &all);
        if candidates.is_empty() {
            break;
        }
        let drawn = dice.random.below(candidates.len() as u64) as usize;
        let (agent, thread, turn) = candidates[drawn];
        let before = state.agents[agent.index()].clone();
        let observed = state.step(program, bounds, agent, thread, turn, &mut dice);
        match observed.result {
            SceneStep::Made => {}
            SceneStep::Nothing | SceneStep::Cut(_) => continue,
            SceneStep::Wrong(_) | SceneStep::TooLong(_) => break,
        }
        std::hint::black_box(before);
        steps += 1;
        let to: &[AgentId] = match &observed.outcome.action {
            Some(Action::Send { to, .. }) => to,
            _ => &[],
        };
        for &changed in to.iter().chain([&agent]) {
            all[changed.index()] = steps_of(&state, changed);
        }
    }
    steps
}

/// Every thread with a possible act, and every thread with a possible timeout.
fn candidates(bounds: &Bounds, state: &SceneState, all: &[AgentSteps]) -> Vec<(AgentId, usize, Turn)> {
    let mut census = Census::new(bounds);
    for (agent, steps) in state.agents.iter().zip(all) {
        census.count(agent.status, 1, steps.all_waiting(), steps.waiting_compared());
    }
    let mut candidates = Vec::new();
    for (agent, steps) in all.iter().enumerate() {
        for (index, thread) in steps.threads.iter().enumerate() {
            let is_made = |it: &ResolvedOutcome| !matches!(it.outcome.ending, Ending::Cut(_));
            if thread.acts.iter().any(is_made) {
                candidates.push((AgentId::new(agent), index, Turn::Act));
            }
            if census.may_time_out(thread.waiting) && thread.timeouts.iter().any(is_made) {
                candidates.push((AgentId::new(agent), index, Turn::Timeout));
            }
        }
    }
    candidates
}

struct Dice {
    random: Random,
    yes: f64,
}

impl Choices for Dice {
    fn choose(&mut self, choice: &Choice<'_>) -> u32 {
        match choice {
            Choice::Answer { .. } => u32::from(self.random.chance(self.yes)),
            _ => self.random.below(u64::from(choice.options())) as u32,
        }
    }
}
