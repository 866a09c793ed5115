//! The lines above scenes and properties: what can be done there, and what is known.

use ls_types::{CodeLens, CodeLensParams, Command};
use serde_json::{Value, json};

use crate::snapshot::Snapshot;
use crate::verdicts::Subject;

/// The commands: the first two belong to the client, which has terminals.
pub(crate) const RUN: &str = "map.run";
pub(crate) const STEP: &str = "map.step";
pub(crate) const VERIFY: &str = "map.verify";
pub(crate) const CANCEL: &str = "map.cancel";

/// The commands that the server carries out.
pub(crate) const OWN: [&str; 2] = [VERIFY, CANCEL];

pub(crate) fn code_lenses(snapshot: &Snapshot, _: &CodeLensParams) -> Result<Option<Vec<CodeLens>>, String> {
    let mut lenses = Vec::new();
    for lens in snapshot.analysis().lenses() {
        let range = snapshot.range(&lens.range);
        let subject = Subject { scene: lens.scene.clone(), property: lens.property.clone() };
        let arguments = arguments(snapshot, &subject);
        let mut add = |title: String, command: &str| {
            let command = Command::new(title, command.to_owned(), Some(arguments.clone()));
            lenses.push(CodeLens { range, command: Some(command), data: None });
        };
        let verdicts = match (&subject.scene, &subject.property) {
            (_, Some(property)) => snapshot.verdicts.of_property(property),
            (Some(scene), None) => snapshot.verdicts.of_scene(scene),
            (None, None) => continue,
        };
        if subject.property.is_none() {
            add("Run".to_owned(), RUN);
        }
        if snapshot.in_work.contains(&subject) {
            add("Verifying .. (cancel)".to_owned(), CANCEL);
        } else {
            add("Verify".to_owned(), VERIFY);
        }
        if subject.property.is_none() {
            add("Step".to_owned(), STEP);
        }
        for verdict in verdicts {
            add(verdict.title(snapshot.text()), VERIFY);
        }
    }
    Ok(Some(lenses))
}

/// What a command is about: the text, the scene and the property, if it is about one.
fn arguments(snapshot: &Snapshot, subject: &Subject) -> Vec<Value> {
    let mut arguments = vec![json!(snapshot.uri), json!(subject.scene)];
    arguments.extend(subject.property.iter().map(|property| json!(property)));
    arguments
}
