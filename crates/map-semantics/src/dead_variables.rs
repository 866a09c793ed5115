//! Variables whose values can have no effect any more.

use map_ir::{Program, Slicing, Slot, Value};

use crate::{Control, NodeKind};

impl Control {
    /// Replaces the values of bound variables that are irrelevant at the current points. Activations of pinned clauses
    /// stay as they are.
    pub fn replace_dead(&mut self, program: &Program, slicing: &Slicing, mut by: impl FnMut() -> Value) {
        let live = self.live_variables(program, slicing);
        for (node, live) in self.nodes.iter_mut().zip(&live) {
            let NodeKind::Activation { clause, variables, .. } = &mut node.kind else { continue };
            if slicing.is_pinned(*clause) {
                continue;
            }
            for (index, variable) in variables.iter_mut().enumerate() {
                if variable.is_some() && !live.contains(&Slot::new(index)) {
                    *variable = Some(by());
                }
            }
        }
    }

    /// For every activation node the relevant live variables.
    fn live_variables(&self, program: &Program, slicing: &Slicing) -> Vec<Vec<Slot>> {
        let mut live = vec![Vec::new(); self.nodes.len()];
        for node in &self.nodes {
            let mut owner = node.below;
            while let Some(below) = owner.map(|below| &self.nodes[below as usize])
                && !matches!(below.kind, NodeKind::Activation { .. })
            {
                owner = below.below;
            }
            let Some(owner) = owner else { continue };
            let live = &mut live[owner as usize];
            match node.kind {
                NodeKind::Thread(point) => live.extend(slicing.live(point)),
                NodeKind::Activation { call: Some(point), .. } | NodeKind::Fork { point, .. } => {
                    live.extend(slicing.live_after(program, point));
                }
                NodeKind::Activation { call: None, .. } | NodeKind::SideOf(_) => {}
            }
        }
        live
    }
}
