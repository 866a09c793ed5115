//! Verifies a scene, or a property, as the lines `//@ verify` of its file say, and puts what is found into words and
//! places of the text.

use std::sync::Arc;

use map_diagnostics::SourceFile;
use map_flags::{PropertyState, SceneArgs, SearchArgs, compile_with_properties, test_lines};
use map_verify::Progress;

use crate::client::Budget;
use crate::positions::Text;
use crate::search::{Found, Task};
use crate::verdicts::Subject;

/// What is to be verified.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) text: Arc<Text>,
    /// The name of the file.
    pub(crate) name: String,
    pub(crate) subject: Subject,
}

/// Verifies it, once for each line that is about its scene.
///
/// # Errors
/// Why it cannot be verified.
pub(crate) fn verify(
    request: &Request,
    budget: &Budget,
    progress: &mut dyn Progress,
) -> Result<Vec<Found>, String> {
    let source = SourceFile::new(request.name.as_str(), request.text.as_str());
    let parsed = map_syntax::parse(&source);
    let scenes: Vec<&str> = parsed.file.scenes().map(|it| it.name.text.as_str()).collect();
    let first = *scenes.first().ok_or("the text has no scene")?;
    let scene = match (&request.subject.scene, &request.subject.property) {
        (Some(scene), _) => scene.as_str(),
        (None, Some(property)) => scene_of(&source, &scenes, property),
        (None, None) => first,
    };
    let mut lines = Vec::new();
    for line in test_lines(request.text.as_str()) {
        let args =
            line.args.map_err(|why| format!("line {}: `//@ verify {}`: {why}", line.number, line.flags))?;
        if args.scene.scene.as_deref().unwrap_or(first) == scene {
            lines.push((line.flags, args));
        }
    }
    if lines.is_empty() {
        lines.push((String::new(), SearchArgs::read("")?));
    }
    let mut found = Vec::new();
    for (flags, mut args) in lines {
        args.scene.scene = Some(scene.to_owned());
        if let Some(property) = &request.subject.property {
            args.judge.only = vec![property.clone()];
            args.judge.properties.clear();
            args.judge.no_properties = false;
        }
        let task = Task::new(&source, &args, budget)?;
        found.push(task.run(flags, request.subject.property.is_some(), progress).map_err(|defect| {
            format!("{defect}. This is a defect of map, not of your file; please report it, with the file.")
        })?);
    }
    Ok(found)
}

/// The first scene of which a property can speak.
fn scene_of<'s>(source: &SourceFile, scenes: &[&'s str], property: &str) -> &'s str {
    let speaks_of = |scene: &&&str| {
        let scene = SceneArgs { scene: Some((**scene).to_owned()), agents: Vec::new() };
        let Ok(options) = scene.to_options() else { return false };
        let compiled = compile_with_properties(source, &options, &[property.to_owned()], &[]);
        compiled.properties.entries.iter().any(|it| !matches!(it.state, PropertyState::OfOtherScene))
    };
    scenes.iter().find(speaks_of).or(scenes.first()).copied().unwrap_or_default()
}
