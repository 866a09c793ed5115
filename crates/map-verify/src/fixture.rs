//! Test programs from the text of scenes.

use map_check::{CastOverride, CheckOptions, check};
use map_compile::compile;
use map_diagnostics::SourceFile;
use map_ir::{AgentId, PerformativeId, Program};
use map_semantics::{Bounds, Network, StepKind, Timeouts};
use map_testkit::oracle::OracleOptions;

use crate::state::Next;
use crate::state::Scratch;
use crate::state::space::Space;

/// Compiles a correct text, with its own cast.
pub(crate) fn program(text: &str) -> Program {
    let source = SourceFile::new("scene.map", text);
    let parsed = map_syntax::parse(&source);
    let options = CheckOptions { agents: Vec::<CastOverride>::new(), ..CheckOptions::default() };
    let (checked, diagnostics) = check(&parsed.file, &options);
    let checked = checked.unwrap_or_else(|| panic!("{:?}{diagnostics:?}\n{text}", parsed.diagnostics));
    compile(&checked)
}

/// The bounds of the oracle's options, on an instant network.
pub(crate) fn bounds(program: &Program, options: &OracleOptions) -> Bounds {
    let rounds_of = options.rounds_of.iter().map(|(name, limit)| {
        let name = program.name_constant(name).expect("the scene mentions the constant");
        (map_ir::Value::Name(name), *limit)
    });
    Bounds {
        depth: options.depth,
        rounds: None,
        rounds_of: rounds_of.collect(),
        mailbox: options.mailbox,
        timeouts: Timeouts::Quiescent,
        network: Network::INSTANT,
        after: None,
    }
}

/// The performative of this name.
pub(crate) fn performative(program: &Program, name: &str) -> PerformativeId {
    let found = program.performatives.iter().position(|it| it.name == name);
    PerformativeId::new(found.unwrap_or_else(|| panic!("nobody speaks of {name}")))
}

/// A step that leads to a state.
pub(crate) struct MadeStep {
    pub(crate) agent: AgentId,
    pub(crate) kind: StepKind,
    /// The words of that state.
    pub(crate) next: Vec<u32>,
}

/// All steps of a state that lead to a state, in order.
pub(crate) fn made_steps(space: &mut Space<'_>, words: &[u32]) -> Vec<MadeStep> {
    let mut scratch = Scratch::default();
    loop {
        let mut made = Vec::new();
        if scratch.locate(space, words) {
            space.steps(&mut scratch, words, None, &mut |step| {
                if let Next::State(next) = step.result {
                    made.push(MadeStep {
                        agent: step.agent,
                        kind: step.step.label.kind,
                        next: next.to_vec(),
                    });
                }
            });
        }
        if scratch.missing.is_empty() {
            return made;
        }
        std::mem::take(&mut scratch.missing).into_iter().for_each(|missing| space.agents.fill(missing));
    }
}
