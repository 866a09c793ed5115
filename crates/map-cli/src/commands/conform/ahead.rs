//! Logs that are read ahead, for the names in them.

use map_conform::{Form, Plan};
use map_doors::{LogFault, OpenLog, WholeLogs};
use map_ir::Program;

use crate::interrupt::Interrupt;

/// The lines ahead; none if none can be read before its time.
pub(super) struct Ahead(Option<WholeLogs>);

impl Ahead {
    /// Of a log that grows nothing is known beforehand.
    pub(super) const fn nothing() -> Self {
        Self(None)
    }

    /// Reads these logs ahead.
    pub(super) fn new(opened: &[OpenLog], form: &Form, most: usize) -> Result<Self, LogFault> {
        Ok(Self(Some(WholeLogs::new(opened, form, most)?)))
    }

    /// Reads on until the plan is far enough ahead of this line, or the user wants to stop.
    pub(super) fn reach(
        &mut self,
        plan: &mut Plan,
        program: &Program,
        line: u64,
        interrupt: &Interrupt,
    ) -> Result<(), LogFault> {
        while let Some(logs) = &mut self.0
            && plan.is_behind(line)
            && !interrupt.is_set()
        {
            match logs.next()? {
                Some(entry) => plan.note(program, entry.log, entry.content.record()),
                None => self.0 = None,
            }
        }
        plan.forget_before(line);
        Ok(())
    }
}
