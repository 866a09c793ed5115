//! Values that a run has when it ends.

use map_ir::{AgentId, Measures, Program, Reading, Value};

use super::{Happening, Moment, MonitorState, PlainView, state_of};
use crate::outcome::Outcome;
use crate::{Bounds, SceneState};

/// Reads measures off a run, step by step.
#[derive(Clone, Debug)]
pub struct Measuring<'a> {
    program: &'a Program,
    bounds: &'a Bounds,
    measures: &'a Measures,
    /// What was noted before the last step, and with it.
    before: MonitorState,
    after: MonitorState,
    happening: Happening,
    /// By measure: the last value, of those that are read when something happens.
    last: Vec<Option<Value>>,
}

impl<'a> Measuring<'a> {
    /// Before the first step.
    #[must_use]
    pub fn new(program: &'a Program, bounds: &'a Bounds, measures: &'a Measures) -> Self {
        let tables = &measures.tables;
        Self {
            program,
            bounds,
            measures,
            before: MonitorState::start(tables),
            after: MonitorState::start(tables),
            happening: Happening::nothing(tables),
            last: vec![None; measures.list.len()],
        }
    }

    /// A step is made.
    pub fn see(&mut self, agent: AgentId, outcome: &Outcome) {
        let Measures { list, tables } = self.measures;
        self.happening = Happening::of_step(self.program, tables, agent, outcome);
        if !tables.monitors.is_empty() {
            let no_ceilings = vec![i64::MAX; tables.monitors.len()];
            let after = self.after.after(tables, &self.happening, &no_ceilings);
            self.before = std::mem::replace(&mut self.after, after);
        }
        let moment = Moment::of_events(&self.happening);
        for (measure, last) in list.iter().zip(&mut self.last) {
            if let Reading::Last(when, quantity) = &measure.reading
                && moment.holds(when)
            {
                *last = moment.quantity(quantity);
            }
        }
    }

    /// The values, of a run that ends in this state; `None` for those that it does not have.
    #[must_use]
    pub fn read(&self, state: &SceneState) -> Vec<Option<Value>> {
        let Self { program, bounds, measures, before, after, happening, last } = self;
        let (states, quantities) = state_of(program, &measures.tables, &PlainView { program, bounds, state });
        let moment = Moment {
            happening,
            before: Some(before),
            states: &states,
            quantities: &quantities,
            after: Some(after),
        };
        let value = |(measure, last): (&map_ir::Measure, &Option<Value>)| match &measure.reading {
            Reading::AtEnd(quantity) => moment.quantity(quantity),
            Reading::Last(..) => *last,
        };
        measures.list.iter().zip(last).map(value).collect()
    }
}
