//! Verdicts for any number of agents of a role.

use map_explain::any::{AnyPresentation, in_full, in_short};
use map_flags::{Any, SceneOfText};
use map_json::{AnyOutput, VerifiedOutput, VerifyResult};
use map_verify::Limit;

use super::{Request, Said, internal};
use crate::arguments::Detail;
use crate::flags::in_flags;

/// Asks of a scene about each of the roles, one after the other.
///
/// # Errors
/// Why there is no answer.
pub(super) fn ask(
    request: &Request<'_>,
    of_text: &SceneOfText,
    roles: &[Any],
    to_come: usize,
    said: &mut Said,
) -> Result<(), String> {
    for (index, any) in roles.iter().enumerate() {
        if index > 0 {
            said.text.push('\n');
        }
        ask_about(request, of_text, any, roles, to_come + roles.len() - 1 - index, said)?;
    }
    Ok(())
}

fn ask_about(
    request: &Request<'_>,
    of_text: &SceneOfText,
    any: &Any,
    roles: &[Any],
    to_come: usize,
    said: &mut Said,
) -> Result<(), String> {
    let source = &of_text.compilation.source;
    let args = of_text.args.about_any(any);
    let compilation = args.compile_any(source, any);
    let Some(program) = &compilation.program else {
        said.reject(&compilation);
        return Ok(());
    };
    let bounds = args.bounds.resolve(program).map_err(in_flags)?;
    let scene = compilation.scene(bounds.clone()).expect("it has a program");
    let limits = request.share(to_come);
    let found = args.any_number(source, any, limits).ask(&scene, &mut request.task.watch(&limits));
    let found = found.map_err(|defect| internal(&defect))?;
    let others: Vec<&str> = roles.iter().filter(|it| *it != any).map(|it| it.role.as_str()).collect();
    let interrupted = request.task.ends.reason() == Some(Limit::Interrupted);
    let how = AnyPresentation { others: &others, denies_fairness: false, interrupted };
    let text = match request.detail {
        Detail::Short => in_short(&found, how),
        Detail::Full => in_full(&found, how),
    };
    said.text.push_str(&text.to_string());
    let mut violation = None;
    if let Some((count, of_property)) = found.violated() {
        // The number of agents with which something is wrong is verified again: that replays and shows the run.
        let counted = args.counting(count, of_property);
        let compilation = counted.compile(source).map_err(in_flags)?;
        if let Some(scene) = compilation.scene(bounds) {
            let verified = request.search(&scene, request.share(to_come))?;
            said.text.push_str(&request.text(&verified, &counted)?);
            violation = Some(Box::new(VerifiedOutput::new(&verified, &counted.scene.agents, &[])));
        }
    }
    let json = AnyOutput { violation, ..AnyOutput::new(&found, how, &args.scene.agents) };
    said.results.push(VerifyResult::Any(Box::new(json)));
    Ok(())
}
