//! How runs begin that have steps behind them.

use std::fmt;

use map_ir::Program;

use crate::Bounds;
use crate::initial::are_initial;
use crate::prefix::Prefix;
use crate::proposed::{NoStep, propose};
use crate::scene::SceneState;
use crate::step::Step;
use crate::steps::time_may_run_out;

/// Why steps are no prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoPrefix {
    /// No cells of the program can start with such values.
    Initial,
    /// The way to the first state is cut or goes wrong.
    NoFirstState,
    /// The step with this index cannot be taken.
    Step(usize, NoStep),
    /// The step with this index goes wrong: nothing can happen after it.
    GoesWrong(usize),
}

impl fmt::Display for NoPrefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Initial => f.write_str("no cells of this scene can start like that"),
            Self::NoFirstState => f.write_str("there is no first state"),
            Self::Step(index, why) => write!(f, "step {} cannot be taken: {why}", index + 1),
            Self::GoesWrong(index) => {
                write!(f, "step {} goes wrong, and nothing can happen after it", index + 1)
            }
        }
    }
}

impl Prefix {
    /// Takes steps from the start of the dialogue, whatever the bounds say of where runs begin.
    ///
    /// # Errors
    /// Why they lead nowhere.
    pub fn new(
        program: &Program,
        bounds: &Bounds,
        initial: Vec<u32>,
        steps: Vec<Step>,
    ) -> Result<Self, NoPrefix> {
        let bounds = &bounds.without_prefix();
        if !are_initial(program, &initial) {
            return Err(NoPrefix::Initial);
        }
        let mut state = SceneState::start(program, bounds, &initial).0.ok_or(NoPrefix::NoFirstState)?;
        let mut made = Vec::new();
        for (index, step) in steps.iter().enumerate() {
            let in_time = || time_may_run_out(program, bounds, &state, step.agent, step.thread);
            let proposed = propose(program, bounds, &state, step, &[], in_time);
            let observed = proposed.map_err(|why| NoPrefix::Step(index, why))?.observed;
            if !state.follow(bounds, step.agent, &observed) {
                return Err(NoPrefix::GoesWrong(index));
            }
            made.push((step.agent, observed.outcome));
        }
        let SceneState { agents, fresh, lost } = state;
        Ok(Self { initial, steps, made, agents, fresh, lost })
    }
}
