//! Which instance of a property a run violates, where a search did not tell them apart.

use map_ir::{Program, Properties, Property, Temporal};
use map_semantics::{Bounds, Watch};

use super::verdict::ShownRun;
use crate::report::InternalError;
use crate::witness::replay::replay;

/// The values of the first instance that does not hold at the last moment of a run. `None` if no instance says of one
/// proposition that it always holds.
///
/// # Errors
/// If the run does not replay.
pub(super) fn violated_in_the_end(
    (program, bounds): (&Program, &Bounds),
    properties: &Properties,
    property: &Property,
    run: &ShownRun,
) -> Result<Option<String>, InternalError> {
    let Temporal::And(parts) = &property.formula else { return Ok(None) };
    let replayed = replay(program, bounds, &run.trace)?;
    let mut watch = Watch::new(program, bounds, properties);
    let Some((first, later)) = replayed.states.split_first() else { return Ok(None) };
    let mut last = watch.see(None, first);
    for (made, state) in replayed.steps.iter().zip(later) {
        last = watch.see(Some((made.step.agent, &made.observed.outcome)), state);
    }
    let fails = |part: &Temporal| match part {
        Temporal::Always(inner) => matches!(**inner, Temporal::Holds(it) if !last.contains(it)),
        _ => false,
    };
    Ok(parts.iter().position(fails).and_then(|index| property.instances.get(index).cloned()))
}
