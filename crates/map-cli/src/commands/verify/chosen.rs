//! `--only` and `--properties-only`: checks that the selected properties exist, and that there is something to judge.

use map_session::PropertyState;

use super::args::Args;
use super::scenes::SceneOfFile;
use crate::failure::Failure;
use map_flags::{check_collected, check_only};

/// Refuses formulas of the command line that cannot be judged.
pub(super) fn refuse_formulas(scenes: &[SceneOfFile]) -> Result<(), Failure> {
    let entries = scenes.iter().flat_map(|scene| &scene.loaded.properties.entries);
    let refused = entries.filter_map(|entry| match &entry.state {
        PropertyState::Refused(Some(formula), errors) => Some((formula.clone(), errors.clone())),
        _ => None,
    });
    let refused: Vec<_> = refused.collect();
    if refused.is_empty() { Ok(()) } else { Err(Failure::Refused(refused)) }
}

/// Checks the selection of properties, unless a file has errors: that one may have the properties that seem to be
/// missing.
pub(super) fn check(args: &Args, scenes: &[SceneOfFile]) -> Result<(), String> {
    let files = || scenes.iter().map(|scene| &scene.loaded);
    if files().any(|loaded| loaded.program.is_none()) {
        return Ok(());
    }
    check_only(&args.search.judge.only, &files())?;
    check_collected(&args.search.judge.collect, &files())?;
    let nothing = files().all(|loaded| loaded.properties.entries.is_empty());
    if args.properties_only && nothing {
        return Err("--properties-only: there are no properties; --property gives one".to_owned());
    }
    let entries = || files().flat_map(|loaded| &loaded.properties.entries);
    if args.properties_only && entries().all(|it| matches!(it.state, PropertyState::OfOtherScene)) {
        let names: Vec<&str> = entries().map(|it| it.name.as_str()).collect();
        let scenes = files().flat_map(|loaded| &loaded.properties.other_scenes);
        let scenes: Vec<String> = scenes.map(|scene| format!("--scene {scene}")).collect();
        let (names, scenes) = (names.join(", "), scenes.join(" or "));
        return Err(format!("--properties-only: what {names} says is of another scene; try {scenes}"));
    }
    Ok(())
}
