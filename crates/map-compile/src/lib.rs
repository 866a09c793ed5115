//! Lowering of a checked scene to a [`Program`]: match compilation and failure edges.
//!
//! [`compile`] is total on scenes that obey the static rules.

mod definitions;
mod expressions;
mod lower;
mod names;
mod open;
mod operators;
mod properties;

use map_check::{Analysis, CheckOptions, CheckedScene, check, check_around, lint};
use map_diagnostics::{Diagnostic, SourceFile};
use map_syntax::ParsedFile;
pub use open::{OpenPart, OpenScene, compile_open};
pub use properties::{NotAdditive, PropertyCompiler};

use map_ir::{Agent, AgentId, ClauseId, Part, PartId, Program, RoleId};

/// Compiles a scene under its cast.
///
/// Clause, part, role, agent and procedure ids are the indices of the corresponding tables of [`CheckedScene`].
#[must_use]
pub fn compile(checked: &CheckedScene<'_>) -> Program {
    let mut names = names::Names::new(checked);
    let analysis = Analysis::new(checked);
    let mut lowered = lower::lower_clauses(&analysis, &mut names);
    for (clause, &can_fail) in lowered.clauses.iter_mut().zip(analysis.clauses_that_can_fail()) {
        clause.can_fail = can_fail;
    }
    lowered.regions.sort_by_key(|region| (region.points.start, std::cmp::Reverse(region.points.end)));
    let parts: Vec<Part> = checked
        .parts
        .iter()
        .map(|part| Part {
            role: RoleId::new(part.role),
            clauses: part.clauses.iter().map(|&clause| ClauseId::new(clause)).collect(),
            entry: ClauseId::new(part.entry),
            agents: part.agents.clone().map(AgentId::new).collect(),
        })
        .collect();
    let agents = checked
        .agents
        .iter()
        .map(|agent| Agent { part: PartId::new(agent.part), role: parts[agent.part].role })
        .collect();
    let definitions = definitions::define(checked, &mut names, lowered.expressions);
    Program {
        scene: checked.scene.name.text.clone(),
        set: checked.first_values.iter().map(ToString::to_string).collect(),
        roles: names.roles.into_iter().collect(),
        agents,
        parts,
        clauses: lowered.clauses,
        points: lowered.points,
        procedures: definitions.procedures,
        truths: definitions.truths,
        cells: definitions.expressions.cells.into_iter().collect(),
        memories: definitions.memories,
        expressions: definitions.expressions.list,
        slot_sets: lowered.slot_sets.into_iter().collect(),
        regions: lowered.regions,
        agent_names: names.agents.into_iter().collect(),
        performatives: names.performatives.into_iter().collect(),
        names: names.constants.into_iter().collect(),
        texts: names.texts.into_iter().collect(),
    }
}

/// All there is to say about a text: its syntax errors, with those errors that do not depend on them; or its errors,
/// properties that cannot be judged, and, if there are no errors, its warnings. In source order; what has no place
/// comes first.
#[must_use]
pub fn examine(source: &SourceFile, parsed: &ParsedFile, options: &CheckOptions) -> Vec<Diagnostic> {
    let ParsedFile { file, diagnostics } = parsed;
    if !diagnostics.is_empty() {
        let mut all = check_around(file, diagnostics);
        all.extend_from_slice(diagnostics);
        all.sort_by_key(Diagnostic::span);
        return all;
    }
    let (checked, mut diagnostics) = check(file, options);
    diagnostics.extend(checked.iter().flat_map(properties::refused_properties));
    diagnostics.extend(lint(source, file, options));
    diagnostics.sort_by_key(|it| it.span().map(|span| (span, it.code)));
    diagnostics
}

#[cfg(test)]
mod tests;
