//! Initial contents of memory.

use map_syntax::ast::{Expression, ExpressionKind};

use super::cast::{Setting, constant};
use super::state::{Memory, Value};

impl<'a> Setting<'a> {
    /// The cells of an agent, "private to each agent of the role".
    pub(super) fn memory(&self, agent: usize) -> Memory<'a> {
        let role = self.role(agent);
        let cells = self.file.memories().filter(|it| it.role.text == role).flat_map(|it| &it.cells);
        cells.map(|it| (it.cell.text.as_str(), self.initial(&it.value, agent))).collect()
    }

    /// "In initial values `self` is the agent's own name."
    fn initial(&self, value: &'a Expression, agent: usize) -> Value<'a> {
        match &value.kind {
            ExpressionKind::Own => Value::Agent(self.name(agent)),
            ExpressionKind::Constant(term) => constant(term),
            _ => unreachable!("a constant or `self`"),
        }
    }
}
