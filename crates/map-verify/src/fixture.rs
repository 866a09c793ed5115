//! Programs for the tests of reductions, from the texts of scenes.

use map_check::{CastOverride, CheckOptions, check};
use map_compile::compile;
use map_diagnostics::SourceFile;
use map_ir::{PerformativeId, Program};
use map_semantics::{Bounds, Network, Timeouts};
use map_testkit::oracle::OracleOptions;

/// The program of a text that is correct, with its own cast.
pub(crate) fn program(text: &str) -> Program {
    let source = SourceFile::new("scene.map", text);
    let parsed = map_syntax::parse(&source);
    let options = CheckOptions { scene: None, agents: Vec::<CastOverride>::new() };
    let (checked, diagnostics) = check(&parsed.file, &options);
    let checked = checked.unwrap_or_else(|| panic!("{:?}{diagnostics:?}\n{text}", parsed.diagnostics));
    compile(&checked)
}

/// No bounds but on the mailboxes, and on calls by their first argument.
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
    }
}

/// The performative of that name.
pub(crate) fn performative(program: &Program, name: &str) -> PerformativeId {
    let found = program.performatives.iter().position(|it| it.name == name);
    PerformativeId::new(found.unwrap_or_else(|| panic!("nobody speaks of {name}")))
}
