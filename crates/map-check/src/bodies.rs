//! Memories and the bodies of procedures, checked on their own and in the scenes that use them.

mod acts;
mod answers;
mod asked;
mod cells;
mod kinds;
mod names;
mod parameters;
mod probabilities;
mod truths;
mod visit;

use std::collections::HashMap;

use indexmap::IndexMap;
use map_diagnostics::{Diagnostic, Span};
use map_syntax::ast::{File, Name, Procedure, Truth};

pub use answers::alternatives_never_taken;
pub(crate) use kinds::check_measured;

use crate::ProcedureInfo;
use crate::bodies::cells::Memories;
use crate::parts::Parts;
use crate::resolve::RolesOfFile;

/// The memories and declared procedures of a file.
pub(crate) struct Bodies<'a> {
    file: &'a File,
    memories: Memories<'a>,
    /// The first declaration of every procedure.
    procedures: HashMap<&'a str, Declared<'a>>,
    /// The first truth of every procedure that has one.
    truths: HashMap<&'a str, Declared<'a>>,
}

/// A declared procedure, or a truth.
struct Declared<'a> {
    procedure: &'a Procedure,
    /// The cells its body uses, each with its first use.
    cells: IndexMap<&'a str, Span>,
}

impl<'a> Declared<'a> {
    fn new(procedure: &'a Procedure) -> Self {
        Self { procedure, cells: cells::used(procedure) }
    }
}

impl<'a> Bodies<'a> {
    /// Checks everything that does not depend on a particular scene.
    pub(crate) fn check(
        file: &'a File,
        scenes: &[Parts<'_>],
        of_file: &RolesOfFile<'_>,
        cast_doubtful: bool,
        known: &IndexMap<String, ProcedureInfo>,
        errors: &mut Vec<Diagnostic>,
    ) -> Self {
        let memories = cells::memories(file, errors);
        for memory in file.memories() {
            names::memory_role(&memory.role, scenes, of_file, errors);
            answers::check_memory(memory, errors);
        }
        let mut procedures: HashMap<&str, Declared<'_>> = HashMap::new();
        for procedure in file.procedures() {
            parameters::check(procedure, errors);
            cells::check(procedure, &memories, errors);
            kinds::check(procedure, errors);
            answers::check(procedure, errors);
            probabilities::check(procedure, errors);
            procedures.entry(&procedure.name.text).or_insert_with(|| Declared::new(procedure));
        }
        let mut truths: HashMap<&str, Declared<'_>> = HashMap::new();
        for Truth { decision } in file.truths() {
            parameters::check(decision, errors);
            cells::check(decision, &memories, errors);
            kinds::check(decision, errors);
            answers::check(decision, errors);
            truths.entry(&decision.name.text).or_insert_with(|| Declared::new(decision));
        }
        truths::check(file, known, errors);
        let bodies = Self { file, memories, procedures, truths };
        names::of_unused(&bodies, scenes, of_file, cast_doubtful, errors);
        bodies
    }

    /// What says how a procedure answers: its declaration and its truth.
    fn of(&self, procedure: &str) -> impl Iterator<Item = &Declared<'a>> {
        [&self.procedures, &self.truths].into_iter().filter_map(move |all| all.get(procedure))
    }

    /// Checks the memories and procedures that the scene uses.
    pub(crate) fn check_scene(
        &self,
        parts: &Parts<'_>,
        of_file: &RolesOfFile<'_>,
        cast_doubtful: bool,
        errors: &mut Vec<Diagnostic>,
    ) {
        let asked = asked::procedures(parts.scene);
        cells::check_asks(self, &asked, errors);
        acts::check(self, parts.scene, errors);
        names::in_scene(self, parts, &asked, of_file, cast_doubtful, errors);
        answers::roles_too_large(self, parts, &asked, errors);
    }
}

/// The procedures that a scene asks: the first ask for every pair (role, procedure), in source order.
type Asked<'a> = IndexMap<(&'a str, &'a str), &'a Name>;
