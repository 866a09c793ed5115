//! The agents of each scene whose numbers can be chosen.

use crate::answers::PartOfScene;
use crate::cast::is_its_role;
use crate::model::Model;

/// The agents of each scene whose numbers can be chosen.
pub(crate) fn parts(model: &Model) -> Vec<PartOfScene> {
    let Model { index, cast, .. } = model;
    let with_role = index.parts.iter().enumerate().filter(|(_, part)| !part.role.is_empty());
    let parts = with_role.map(|(number, part)| PartOfScene {
        scene: index.scenes[part.scene].name.map_or("", |name| model.word(name)).to_owned(),
        name: if is_its_role(index, part) { part.role.clone() } else { part.base() },
        role: part.role.clone(),
        count: cast.count(number),
    });
    parts.collect()
}
