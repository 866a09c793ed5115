//! The properties that are enforced.

use map_guard::{Budgets, Config};
use map_session::{PropertySet, PropertyState};

use crate::failure::Failure;

/// The properties that are enforced, and the others.
pub(super) struct Enforced {
    pub(super) budgets: Budgets,
    /// Names, and why they are not enforced.
    pub(super) left_out: Vec<(String, String)>,
}

/// The properties that a configuration wants enforced, with all formulas of the command line.
///
/// # Errors
/// If something is wrong with one of these.
pub(super) fn enforced(properties: &PropertySet, config: &Config) -> Result<Enforced, Failure> {
    let of_text = properties.of_text();
    let given = properties.entries[of_text..].iter().map(|entry| entry.name.clone());
    let given: Vec<String> = given.collect();
    let wanted = |name: &str| config.enforces(name) || given.iter().any(|it| it == name);
    let mut left_out = Vec::new();
    for entry in &properties.entries {
        match &entry.state {
            PropertyState::Refused(Some(formula), diagnostics) => {
                return Err(Failure::Refused(vec![(formula.clone(), diagnostics.clone())]));
            }
            PropertyState::Refused(None, _) if wanted(&entry.name) => {
                let why = "compares what may be any value: see map verify";
                left_out.push((entry.name.clone(), why.to_owned()));
            }
            PropertyState::OfOtherScene if wanted(&entry.name) => {
                left_out.push((entry.name.clone(), "belongs to another scene".to_owned()));
            }
            PropertyState::Refused(None, _) | PropertyState::OfOtherScene | PropertyState::Compiled(_) => {}
        }
    }
    let budgets = Budgets::new(properties.compiled.clone(), wanted);
    left_out.extend(budgets.left_out().iter().map(|(name, why)| (name.clone(), why.words().to_owned())));
    Ok(Enforced { budgets, left_out })
}
