//! `--play` without `--start`: the guard plays agents for those who come.

use map_conform::CastRules;
use map_doors::{Company, Tokens};
use map_guard::Rules;
use map_ir::AgentId;

use super::Args;
use super::play::{agent_meant, agents_meant};

/// Who is played; `None` if nobody is to be.
///
/// # Errors
/// If nobody is left to be played, or a name means nobody.
pub(super) fn company(
    args: &Args,
    rules: &Rules,
    cast: &CastRules,
    tokens: Option<&Tokens>,
) -> Result<Option<Company>, String> {
    if !args.play.is_wanted() {
        return Ok(None);
    }
    let program = rules.program();
    let mut present: Vec<AgentId> = agents_meant(program, cast, &args.present)?;
    if args.play.is_all() {
        // A token that means nobody is good for nothing, and does no harm.
        let with_token = tokens.into_iter().flat_map(Tokens::agents);
        present.extend(with_token.filter_map(|name| agent_meant(program, cast, name)));
        #[cfg(feature = "http")]
        present.extend(args.http.a2a.iter().filter_map(|(name, _)| agent_meant(program, cast, name)));
    }
    let played = args.play.company(program, cast, &present)?;
    Ok(Some(Company::new(program, played, args.play.seed)))
}
