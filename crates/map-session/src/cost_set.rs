//! The costs that a text declares, for a scene.

use map_check::{BUILT_IN_COSTS, CheckedScene};
use map_compile::PropertyCompiler;
use map_diagnostics::Diagnostic;
use map_ir::{Costs, Program};

/// The costs that a text declares.
#[derive(Default)]
pub struct CostSet {
    /// Those that can be added up.
    pub compiled: Costs,
    /// The names of those that cannot, and why.
    pub refused: Vec<(String, Vec<Diagnostic>)>,
}

impl CostSet {
    /// Those of a checked file, for the chosen scene, and those that every text has if they are `collected`.
    pub(crate) fn new(checked: &CheckedScene<'_>, program: &mut Program, collected: &[String]) -> Self {
        let mut compiler = PropertyCompiler::new(checked, program);
        let (mut list, mut refused) = (Vec::new(), Vec::new());
        for cost in checked.file.costs() {
            match compiler.cost(cost) {
                Ok(declared) => list.push(declared),
                Err(diagnostics) => refused.push((cost.name.text.clone(), diagnostics)),
            }
        }
        for name in BUILT_IN_COSTS {
            let is_declared = checked.file.costs().any(|cost| cost.name.text == name);
            if collected.iter().any(|it| it.trim() == name) && !is_declared {
                list.extend(compiler.built_in_cost(name));
            }
        }
        Self { compiled: Costs { list, tables: compiler.finish() }, refused }
    }
}
