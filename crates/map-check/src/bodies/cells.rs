//! MAP113 and MAP114: a cell is declared once, and a procedure uses only cells of the roles that ask it.

use indexmap::IndexMap;
use indexmap::map::Entry;
use map_diagnostics::{Code, Diagnostic, Span};
use map_syntax::ast::{ExpressionKind, File, Name, Procedure};

use super::{Asked, Bodies, visit};
use crate::{show, suggest};

/// The cells of a file.
#[derive(Default)]
pub(super) struct Memories<'a> {
    /// The cells of every role with a memory, in order.
    of_role: IndexMap<&'a str, IndexMap<&'a str, Span>>,
    /// The roles that have a cell of this name.
    owners: IndexMap<&'a str, Vec<&'a str>>,
}

/// Collects the memories. If a role has two, the cells of both count, so that none is also reported as unknown.
pub(super) fn memories<'a>(file: &'a File, errors: &mut Vec<Diagnostic>) -> Memories<'a> {
    let mut declared: IndexMap<&str, Span> = IndexMap::new();
    let mut memories = Memories::default();
    for memory in file.memories() {
        let role = &memory.role;
        let repeated = declared.get(&*role.text).copied();
        if let Some(first) = repeated {
            let text = format!("the role `%{}` has two memories", role.text);
            errors.push(
                Diagnostic::new(Code::CellTwice, role.span, text, "another memory")
                    .with_label(first, "the first memory")
                    .with_help("Write all cells of a role into one memory"),
            );
        }
        declared.entry(&role.text).or_insert(role.span);
        let cells = memories.of_role.entry(&*role.text).or_default();
        for cell in &memory.cells {
            let name = &cell.cell;
            match cells.entry(&*name.text) {
                Entry::Vacant(vacant) => {
                    vacant.insert(name.span);
                    memories.owners.entry(&*name.text).or_default().push(&*role.text);
                }
                Entry::Occupied(_) if repeated.is_some() => {}
                Entry::Occupied(first) => {
                    let text = format!("the memory of `%{}` has two cells `@{}`", role.text, name.text);
                    errors.push(
                        Diagnostic::new(Code::CellTwice, name.span, text, "declared again")
                            .with_label(*first.get(), "first declared here")
                            .with_help("Remove or rename one of the two"),
                    );
                }
            }
        }
    }
    memories
}

/// The cells that a body uses, each with its first use.
pub(super) fn used(procedure: &Procedure) -> IndexMap<&str, Span> {
    let mut cells = IndexMap::new();
    each_use(procedure, &mut |name, span| {
        cells.entry(name).or_insert(span);
    });
    cells
}

fn each_use<'a>(procedure: &'a Procedure, found: &mut dyn FnMut(&'a str, Span)) {
    visit::expressions(procedure, &mut |expression| {
        if let ExpressionKind::Cell(name) = &expression.kind {
            found(name, expression.span);
        }
    });
    for update in visit::alternatives(procedure).iter().flat_map(|alternative| &alternative.updates) {
        found(&update.cell.text, update.cell.span);
    }
}

/// Reports cells that no memory of the file has, and cells that an alternative updates twice.
pub(super) fn check(procedure: &Procedure, memories: &Memories<'_>, errors: &mut Vec<Diagnostic>) {
    each_use(procedure, &mut |name, span| {
        if !memories.owners.contains_key(name) {
            errors.push(unknown(memories, name, span));
        }
    });
    for alternative in visit::alternatives(procedure) {
        let mut changed: IndexMap<&str, Span> = IndexMap::new();
        for update in &alternative.updates {
            let cell = &update.cell;
            if let Some(&first) = changed.get(&*cell.text) {
                let text = format!("the cell `@{}` gets two values at once", cell.text);
                errors.push(
                    Diagnostic::new(Code::CellTwice, cell.span, text, "and another here")
                        .with_label(first, "one value here")
                        .with_note("All cells behind a `with` change at the same moment")
                        .with_help("Remove one of the two"),
                );
            } else {
                changed.insert(&cell.text, cell.span);
            }
        }
    }
}

/// Reports a cell that agents of the role do not have, in an act or call of theirs.
pub(super) fn check_own(
    memories: &Memories<'_>,
    role: &str,
    name: &str,
    span: Span,
    errors: &mut Vec<Diagnostic>,
) {
    let own = memories.of_role.get(role);
    if own.is_some_and(|cells| cells.contains_key(name)) {
        return;
    }
    let Some(owners) = memories.owners.get(name) else {
        errors.push(unknown(memories, name, span));
        return;
    };
    let text = format!("agents of `%{role}` have no cell `@{name}`");
    let owners = show::list(owners.iter().map(|owner| format!("%{owner}")));
    let error = Diagnostic::new(Code::UnknownCell, span, text, format!("a cell of {owners}"))
        .with_note("An agent sees its own cells, and no others");
    let near = suggest::nearest(name, own.into_iter().flatten().map(|(cell, _)| *cell));
    errors.push(match near {
        Some(near) => error.with_help(format!("Did you mean `@{near}`?")).replaced_by(format!("@{near}")),
        None => error.with_help(format!(
            "Give `%{role}` a cell `@{name}`, or let an agent of {owners} send the value"
        )),
    });
}

fn unknown(memories: &Memories<'_>, name: &str, span: Span) -> Diagnostic {
    let known = || memories.owners.keys().copied();
    let error = Diagnostic::new(
        Code::UnknownCell,
        span,
        format!("no memory of the file has a cell `@{name}`"),
        "unknown cell",
    );
    match suggest::nearest(name, known()) {
        Some(near) => error.with_help(format!("Did you mean `@{near}`?")).replaced_by(format!("@{near}")),
        None => {
            error.with_help(format!("Declare it, with its initial value: `memory %role {{ @{name} = 0 }}`"))
        }
    }
}

/// Reports procedures asked by agents whose role lacks cells that the procedure uses.
///
/// Cells that no role has are skipped: [`check`] has reported them.
pub(super) fn check_asks(bodies: &Bodies<'_>, asked: &Asked<'_>, errors: &mut Vec<Diagnostic>) {
    for (&(role, procedure), &ask) in asked {
        let own = bodies.memories.of_role.get(role);
        let foreign = |name: &str| {
            let owned = own.is_some_and(|cells| cells.contains_key(name));
            !owned && bodies.memories.owners.contains_key(name)
        };
        let missing: Vec<(&str, Span)> = bodies
            .of(procedure)
            .flat_map(|declared| &declared.cells)
            .map(|(&name, &span)| (name, span))
            .filter(|(name, _)| foreign(name))
            .collect();
        if let Some(&(first, span)) = missing.first() {
            let names = show::list(missing.iter().map(|(name, _)| format!("@{name}")));
            errors.push(wrong_role(bodies, role, ask, &names, first, span));
        }
    }
}

fn wrong_role(
    bodies: &Bodies<'_>,
    role: &str,
    ask: &Name,
    names: &str,
    first: &str,
    used: Span,
) -> Diagnostic {
    let text = format!("agents of `%{role}` ask `{}`, which needs cells they do not have: {names}", ask.text);
    let owners = bodies.memories.owners.get(first).into_iter().flatten();
    let owners = show::list(owners.map(|owner| format!("%{owner}")));
    let error = Diagnostic::new(Code::UnknownCell, ask.span, text, format!("asked by agents of `%{role}`"))
        .with_label(used, format!("`@{first}` is a cell of {owners}"))
        .with_note("A procedure sees the cells of the agent that asks it, and no others");
    let own = bodies.memories.of_role.get(role).into_iter().flatten();
    if let Some(near) = suggest::nearest(first, own.map(|(cell, _)| *cell)) {
        return error.with_help(format!("Did you mean `@{near}`, a cell of `%{role}`?"));
    }
    error.with_help(format!(
        "Give `%{role}` a cell `@{first}`, or let an agent of {owners} ask and send the answer"
    ))
}
