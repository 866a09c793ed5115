//! Flags that do not go with any number of agents of a role.

use map_semantics::Network;

use crate::scene::{Any, BoundArgs};
use crate::search::JudgeArgs;

/// Refuses flags that are about a number of agents, where any number is asked for.
///
/// # Errors
/// What is wrong with them.
pub fn refuse_beside_any(any: Option<&Any>, judge: &JudgeArgs, bounds: &BoundArgs) -> Result<(), String> {
    let example = example_beside_any(any);
    let others = [("--property", !judge.properties.is_empty()), ("--only", !judge.only.is_empty())];
    if let Some((flag, _)) = others.into_iter().find(|&(_, given)| given) {
        return Err(format!(
            "{flag} is for a number of agents, not for any number: give one, such as {example}"
        ));
    }
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
