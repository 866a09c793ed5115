//! Cells that start with any of several values. A run chooses one for each of them, before its first moment.

use std::ops::Range;

use map_ir::{AgentId, CellId, Domain, Initial, Program, Value};

use crate::Bounds;

/// A cell of an agent that starts with any of several values.
#[derive(Clone, Copy, Debug)]
pub struct OpenCell<'p> {
    /// The agent.
    pub agent: AgentId,
    /// The cell.
    pub cell: CellId,
    /// Its index in the agent's memory.
    pub index: usize,
    /// The values, at least two.
    pub values: &'p Domain,
}

/// The cells that start with any of several values, in the order of the cast and then of the memory. A run has an
/// option for each of them: an index into its values.
pub fn open_cells(program: &Program) -> impl Iterator<Item = OpenCell<'_>> {
    program.cast().flat_map(|agent| {
        let cells = program.memories[program.agent(agent).role.index()].cells.iter().enumerate();
        cells.filter_map(move |(index, (cell, initial))| match initial {
            Initial::In(values) => Some(OpenCell { agent, cell: *cell, index, values }),
            Initial::Constant(_) | Initial::Own => None,
        })
    })
}

/// Whether these are options of a run: one for each of [`open_cells`], which has such a value.
#[must_use]
pub fn are_initial(program: &Program, options: &[u32]) -> bool {
    let mut options = options.iter();
    open_cells(program)
        .all(|cell| options.next().is_some_and(|&option| (option as usize) < cell.values.len()))
        && options.next().is_none()
}

/// The first contents of an agent's cells. `options` begins with those of its open cells, which are taken off.
///
/// # Panics
/// If there are too few, or a cell has no such value.
pub(crate) fn initial_memory(program: &Program, agent: AgentId, options: &mut &[u32]) -> Vec<Value> {
    let mut first = |initial: &Initial| match initial {
        Initial::Constant(value) => *value,
        Initial::Own => Value::Agent(agent),
        Initial::In(values) => {
            let (option, rest) = options.split_first().expect("an option for each cell");
            *options = rest;
            values[*option as usize]
        }
    };
    let cells = &program.memories[program.agent(agent).role.index()].cells;
    cells.iter().map(|(_, initial)| first(initial)).collect()
}

/// Goes through the options of all initial states, one after the other: there may be very many.
#[derive(Clone, Debug)]
pub struct InitialChoices {
    /// By open cell: the number of options.
    sizes: Vec<u32>,
    options: Vec<u32>,
    /// The cells of each agent that has some.
    agents: Vec<Own>,
}

#[derive(Clone, Debug)]
struct Own {
    agent: AgentId,
    cells: Range<usize>,
    /// An earlier agent, as an index into the list, whose options may not come after these.
    not_before: Option<usize>,
}

impl InitialChoices {
    /// Starts with option 0 everywhere. A cell for which `matters` is false keeps option 0. If `like` names an earlier
    /// agent of the same role, only states in which the agent's options do not come before those of that agent are
    /// gone through: the others are the same with the agents exchanged.
    pub fn new(
        program: &Program,
        matters: &dyn Fn(OpenCell<'_>) -> bool,
        like: &dyn Fn(AgentId) -> Option<AgentId>,
    ) -> Self {
        let (mut sizes, mut agents) = (Vec::new(), Vec::<Own>::new());
        for cell in open_cells(program) {
            let place = sizes.len();
            sizes.push(if matters(cell) { cell.values.len() as u32 } else { 1 });
            match agents.last_mut().filter(|own| own.agent == cell.agent) {
                Some(own) => own.cells.end = place + 1,
                None => {
                    let earlier = like(cell.agent);
                    let not_before = earlier.and_then(|it| agents.iter().position(|own| own.agent == it));
                    agents.push(Own { agent: cell.agent, cells: place..place + 1, not_before });
                }
            }
        }
        Self { options: vec![0; sizes.len()], sizes, agents }
    }

    /// Every initial state.
    #[must_use]
    pub fn all(program: &Program) -> Self {
        Self::new(program, &|_| true, &|_| None)
    }

    /// Every initial state of the runs under these bounds; only one if steps are behind them.
    #[must_use]
    pub fn of_runs(program: &Program, bounds: &Bounds) -> Self {
        Self::new(program, &|_| bounds.after.is_none(), &|_| None)
    }

    /// The present options.
    #[must_use]
    pub fn options(&self) -> &[u32] {
        &self.options
    }

    /// Moves on to the next initial state; false after the last one.
    pub fn advance(&mut self) -> bool {
        let Some(changed) = (0..self.agents.len()).rev().find(|&place| self.increment(place)) else {
            return false;
        };
        for place in changed + 1..self.agents.len() {
            let Own { cells, not_before, .. } = &self.agents[place];
            match not_before {
                Some(earlier) => self.options.copy_within(self.agents[*earlier].cells.clone(), cells.start),
                None => self.options[cells.clone()].fill(0),
            }
        }
        true
    }

    /// The next options of one agent; false, with option 0 everywhere, after the last ones.
    fn increment(&mut self, place: usize) -> bool {
        for cell in self.agents[place].cells.clone().rev() {
            self.options[cell] += 1;
            if self.options[cell] < self.sizes[cell] {
                return true;
            }
            self.options[cell] = 0;
        }
        false
    }
}
