//! Flags that ask about any number of agents of a role.

use std::sync::Arc;

use map_diagnostics::SourceFile;
use map_semantics::Network;
use map_session::{AnyNumber, Compilation, JudgedProperties, PropertySelection, SearchLimits, compile};

use crate::scene::{Any, BoundArgs};
use crate::search::{JudgeArgs, SearchArgs};

impl SearchArgs {
    /// The flags that ask about any number of agents of this role alone; other roles of which there may be any number
    /// have the least number.
    #[must_use]
    pub fn about_any(&self, any: &Any) -> Self {
        Self { scene: self.scene.asking(any), ..self.clone() }
    }

    /// The text with as many agents of the role as [`AnyNumber::ask`] begins with, and without properties. The flags
    /// ask about one role ([`SearchArgs::about_any`]).
    #[must_use]
    pub fn compile_any(&self, source: &Arc<SourceFile>, any: &Any) -> Compilation {
        compile(source, &self.scene.with(any.from.max(2)), PropertySelection::Nothing)
    }

    /// The question about any number of agents. The flags ask about one role ([`SearchArgs::about_any`]).
    #[must_use]
    pub fn any_number(&self, source: &Arc<SourceFile>, any: &Any, limits: SearchLimits) -> AnyNumber {
        AnyNumber {
            source: Arc::clone(source),
            others: self.scene.with(0),
            role: any.role.clone(),
            from: any.from,
            limits,
            properties: (!self.judge.no_properties).then(|| JudgedProperties {
                only: self.judge.only.clone(),
                given: self.judge.properties.clone(),
            }),
            fairness: self.judge.fairness.fairness(),
        }
    }

    /// The flags with `count` agents of the role, which show what is wrong with that number: a property, or else that
    /// the dialogue does not end.
    #[must_use]
    pub fn counting(&self, count: u32, of_property: bool) -> Self {
        let judge = JudgeArgs { no_properties: !of_property, ..self.judge.clone() };
        Self { scene: self.scene.counting(count), judge, ..self.clone() }
    }
}

/// Refuses flags that are about a number of agents, where any number is asked for.
///
/// # Errors
/// What is wrong with them.
pub fn refuse_beside_any(any: Option<&Any>, bounds: &BoundArgs) -> Result<(), String> {
    let example = example_beside_any(any);
    if !bounds.rounds.is_empty() {
        return Err("--rounds bounds the calls of each agent, so nothing would be proved of longer runs: leave it out \
                    if there may be any number of agents"
            .to_owned());
    }
    let network = bounds.network;
    let Network { unordered: _, delayed, losses, crashes } = network;
    if delayed || losses > 0 || crashes > 0 {
        return Err(format!(
            "--network {network}: for any number of agents, there are proofs only if messages arrive at once, none is \
             lost and no agent crashes: leave it out, or give a number of agents, such as {example}"
        ));
    }
    Ok(())
}

/// The flag with a number of agents instead of any.
#[must_use]
pub fn example_beside_any(any: Option<&Any>) -> String {
    any.map_or_else(
        || "--agents ROLE=3".to_owned(),
        |Any { role, from }| format!("--agents {role}={}", from.max(&3)),
    )
}
