//! `--only` and `--properties-only`: which properties are judged, and that there are any.

use super::args::Args;
use crate::commands::only::check_only;
use crate::input::Loaded;
use crate::properties::PropertyState;

/// What is wrong with the choice of properties. Files with errors may have had the properties that are missed.
pub(super) fn check(args: &Args, files: &[Loaded]) -> Result<(), String> {
    if files.iter().any(|loaded| loaded.program.is_none()) {
        return Ok(());
    }
    check_only(&args.only, files)?;
    let nothing = files.iter().all(|loaded| loaded.properties.entries.is_empty());
    if args.properties_only && nothing {
        return Err("--properties-only: there are no properties; --property gives one".to_owned());
    }
    let entries = || files.iter().flat_map(|loaded| &loaded.properties.entries);
    if args.properties_only && entries().all(|it| matches!(it.state, PropertyState::OfOtherScene)) {
        let names: Vec<&str> = entries().map(|it| it.name.as_str()).collect();
        let scenes = files.iter().flat_map(|loaded| &loaded.properties.other_scenes);
        let scenes: Vec<String> = scenes.map(|scene| format!("--scene {scene}")).collect();
        let (names, scenes) = (names.join(", "), scenes.join(" or "));
        return Err(format!("--properties-only: what {names} says is of another scene; try {scenes}"));
    }
    Ok(())
}
