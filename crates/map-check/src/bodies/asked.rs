//! Which roles ask which procedures.

use map_syntax::ast::{OpKind, Scene};

use super::Asked;
use crate::walk;

/// The first ask of every procedure by every role of the scene.
pub(super) fn procedures(scene: &Scene) -> Asked<'_> {
    let mut asked = Asked::new();
    for clause in &scene.clauses {
        walk::operations(&clause.body, &mut |op| {
            if let OpKind::Ask { procedure, .. } = &op.kind {
                asked.entry((&*clause.role.text, &*procedure.text)).or_insert(procedure);
            }
        });
    }
    asked
}
