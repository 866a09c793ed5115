//! Views of one precision after the other, for whoever asks what follows from them.

use map_ir::Program;
use map_semantics::Bounds;

use crate::Refusal;
use crate::frame::{Frame, Precision, Sabotage, Wanted};
use crate::steps::Fault;
use crate::views::Views;

/// A scene of which views are asked for.
pub(crate) struct Question<'q> {
    /// The scene with one member more than are seen, and with one more than that.
    pub(crate) few: &'q Program,
    pub(crate) more: &'q Program,
    pub(crate) role: &'q str,
    pub(crate) bounds: &'q Bounds,
    pub(crate) seen: usize,
    /// The most views.
    pub(crate) most: usize,
    pub(crate) sabotage: Sabotage,
}

/// Looks at all views of some precision, and is told when to give up; whether finer ones are of no use.
pub(crate) type Look<'l> = dyn FnMut(&mut Views<'_>, &mut dyn FnMut() -> bool) -> bool + 'l;

impl Question<'_> {
    /// Passes all views in which nothing goes wrong to `look`, those of coarse precision first, until it says that this
    /// is enough.
    pub(crate) fn explore(&self, wanted: &Wanted, stop: &mut dyn FnMut() -> bool, look: &mut Look<'_>) {
        let mut tried = Vec::new();
        for precision in Precision::finer(self.seen) {
            if stop() {
                break;
            }
            let counts = precision.counting;
            match self.explore_with((precision, &mut tried), wanted, stop, look) {
                Ok(true) => break,
                Err(refusal) if counts || refusal != Refusal::Numbered => break,
                _ => {}
            }
        }
    }

    /// The same with some precision, unless it was tried before.
    ///
    /// # Errors
    /// If views cannot show the scene.
    fn explore_with(
        &self,
        (mut precision, tried): (Precision, &mut Vec<Precision>),
        wanted: &Wanted,
        stop: &mut dyn FnMut() -> bool,
        look: &mut Look<'_>,
    ) -> Result<bool, Refusal> {
        loop {
            let how = (&precision, self.sabotage);
            let frame = Frame::watching(self.few, self.more, self.role, self.bounds, how, wanted)?;
            if tried.contains(&frame.precision) {
                return Ok(false);
            }
            tried.push(frame.precision.clone());
            let mut explored = Views::new(&frame);
            let complete = explored.explore(self.most, true, stop).is_ok();
            let told = explored.faults.iter().find_map(|&(fault, _)| match fault {
                Fault::Told(role, cell) => Some((role, cell)),
                _ => None,
            });
            if let Some(cell) = told {
                precision.except.push(cell);
                continue;
            }
            // Runs end where something goes wrong, but not because an agent fails.
            if !complete || explored.faults.iter().any(|&(fault, _)| fault != Fault::Failure) {
                return Ok(false);
            }
            return Ok(look(&mut explored, stop));
        }
    }
}
