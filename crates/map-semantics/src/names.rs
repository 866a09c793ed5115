//! Names of values in displayed runs.

use map_ir::{
    Body, Foreign, PerformativeId, PointKind, ProcedureId, Program, Symbol, Value, quoted, show_arguments,
    show_message, show_value,
};

use crate::{Action, Message, Outcome};

/// The names of values along a run. Abstract and fresh values are named after the procedure that answered them and
/// numbered in the order of its answers; constants and strings from outside are shown as they were received.
#[derive(Clone, Debug)]
pub struct Names<'p> {
    program: &'p Program,
    /// For each symbol, the procedure that answered it and the number of that answer, from 1.
    symbols: Vec<Option<(ProcedureId, u32)>>,
    /// The number of named answers of each procedure.
    answers: Vec<u32>,
    /// Constants and strings that came from outside.
    pub foreign: Foreign,
}

impl<'p> Names<'p> {
    /// The names before the first step: none.
    #[must_use]
    pub fn new(program: &'p Program) -> Self {
        let answers = vec![0; program.procedures.len()];
        Self { program, symbols: Vec::new(), answers, foreign: Foreign::default() }
    }

    /// Names the new symbols of a step. Must be called for every step before it is displayed.
    pub fn learn(&mut self, outcome: &Outcome) {
        let Some(Action::Ask { point, answer, updates, .. }) = &outcome.action else { return };
        let PointKind::Ask { procedure, .. } = self.program.point(*point).kind else { return };
        let values = [answer].into_iter().chain(updates.iter().map(|(_, value)| value));
        for symbol in values.filter_map(|value| value.symbol()) {
            let index = symbol.0 as usize;
            if self.symbols.len() <= index {
                self.symbols.resize(index + 1, None);
            }
            if self.symbols[index].is_none() {
                self.answers[procedure.index()] += 1;
                self.symbols[index] = Some((procedure, self.answers[procedure.index()]));
            }
        }
    }

    /// Forgets the names of this symbol and all above it, because the steps that introduced them were undone.
    pub fn forget(&mut self, symbol: Symbol) {
        let from = (symbol.0 as usize).min(self.symbols.len());
        for (procedure, _) in self.symbols.drain(from..).flatten() {
            self.answers[procedure.index()] -= 1;
        }
    }

    /// A value in source syntax; an abstract or fresh one as `getValue#1`.
    #[must_use]
    pub fn value(&self, value: Value) -> String {
        show_value(self.program, value, &|other| self.other(other))
    }

    /// Values separated by commas.
    #[must_use]
    pub fn values(&self, values: &[Value]) -> String {
        show_arguments(self.program, values, &|other| self.other(other))
    }

    /// `bid(startBidding#1)`.
    #[must_use]
    pub fn message(&self, message: &Message) -> String {
        show_message(self.program, message.performative, &message.arguments, &|other| self.other(other))
    }

    /// `bid(..)`, or `quit()` if it has no arguments.
    #[must_use]
    pub fn performative(&self, performative: PerformativeId) -> String {
        let it = self.program.performative(performative);
        format!("{}({})", it.name, if it.arity == 0 { "" } else { ".." })
    }

    /// `getValue#1`.
    #[must_use]
    pub fn symbol(&self, symbol: Symbol) -> String {
        match self.symbols.get(symbol.0 as usize).copied().flatten() {
            Some((procedure, number)) => format!("{}#{number}", self.program.procedure(procedure).name),
            None => format!("value#{}", symbol.0),
        }
    }

    /// The abstract or fresh value with this name, such as `getValue#1`.
    #[must_use]
    pub fn symbol_named(&self, name: &str) -> Option<Value> {
        let (procedure, number) = name.split_once('#')?;
        let number: u32 = number.parse().ok()?;
        let is_it =
            |&(id, its): &(ProcedureId, u32)| its == number && self.program.procedure(id).name == procedure;
        let index = self.symbols.iter().position(|it| it.as_ref().is_some_and(is_it))?;
        let (id, _) = self.symbols[index]?;
        let is_fresh = self.program.procedure(id).body == Body::Fresh;
        let symbol = Symbol(index as u32);
        Some(if is_fresh { Value::Fresh(symbol) } else { Value::Abstract(symbol) })
    }

    /// A value that does not occur in the source.
    fn other(&self, value: Value) -> String {
        let content = self.foreign.content(self.program, value).unwrap_or_default();
        match (value, value.symbol()) {
            (_, Some(symbol)) => self.symbol(symbol),
            (Value::Text(_), None) => quoted(content),
            _ => content.to_owned(),
        }
    }
}
