//! The costs that a text declares, for a scene.

use map_check::{BUILT_IN_COSTS, CheckedScene, check_measure};
use map_compile::{NotAdditive, PropertyCompiler};
use map_diagnostics::Diagnostic;
use map_ir::{Costs, Program};

/// The costs that a text declares.
#[derive(Default)]
pub struct CostSet {
    /// Those that can be added up.
    pub compiled: Costs,
    /// The names of those that cannot, and why.
    pub refused: Vec<(String, Vec<Diagnostic>)>,
    /// The names of all that may be asked for: costs, also those that every text has, and measures.
    pub names: Vec<String>,
    /// The names of those that are measures.
    pub measures: Vec<String>,
    /// The names of measures that were asked for and add nothing up, and why not.
    pub not_additive: Vec<(String, NotAdditive)>,
}

impl CostSet {
    /// Those of a checked file, for the chosen scene; of those that every text has, and of its measures, the ones that
    /// are `collected`.
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
        let is_collected = |name: &str| collected.iter().any(|it| it.trim() == name);
        let (mut measures, mut not_additive) = (Vec::new(), Vec::new());
        // The others are about other scenes of the file. Each may use those before it.
        for measure in checked.file.measures().filter(|it| check_measure(checked, it).is_empty()) {
            let name = &measure.name.text;
            match compiler.measure(measure) {
                Ok(found) if is_collected(name) => {
                    for measure in found {
                        match compiler.additive(&measure) {
                            Ok(cost) => list.push(cost),
                            Err(why) => not_additive.push((measure.name.clone(), why)),
                        }
                        measures.push(measure.name);
                    }
                }
                Err(diagnostics) if is_collected(name) => refused.push((name.clone(), diagnostics)),
                _ => {}
            }
        }
        let compiled = Costs { list, tables: compiler.finish() };
        let costs = checked.file.costs().map(|cost| &*cost.name.text).chain(BUILT_IN_COSTS);
        let names = costs.chain(checked.file.measures().map(|measure| &*measure.name.text));
        let names = names.map(str::to_owned).collect();
        Self { compiled, refused, names, measures, not_additive }
    }
}
