//! Whether first values that are given besides the text fit their cells.

use map_diagnostics::{Code, Diagnostic};
use map_syntax::ast::{
    Domain, DomainKind, Expression, ExpressionKind, File, InitialCell, InitialValue, TermKind,
};
use map_syntax::parse_constant;

use crate::given::{FirstValue, GivenValue};
use crate::parts::{Meaning, Parts};
use crate::{show, suggest, weights};

/// The values for a scene, in order; reports those that fit no cell of it.
pub(crate) fn check(
    file: &File,
    scene: &Parts<'_>,
    given: &[FirstValue],
    errors: &mut Vec<Diagnostic>,
) -> Vec<GivenValue> {
    let mut all: Vec<GivenValue> = Vec::new();
    for wanted in given {
        match fitting(file, scene, wanted) {
            Ok(value) if all.iter().any(|it| (&it.role, &it.cell) == (&value.role, &value.cell)) => {
                let (role, cell) = (&value.role, &value.cell);
                let text = format!("`--set %{role}@{cell}` is given twice");
                errors.push(Diagnostic::unplaced(Code::CellTwice, text).with_help("Give one value"));
            }
            Ok(value) => all.push(value),
            Err(error) => errors.push(error),
        }
    }
    all
}

fn fitting(file: &File, scene: &Parts<'_>, wanted: &FirstValue) -> Result<GivenValue, Diagnostic> {
    let FirstValue { role, cell, value } = wanted;
    if !scene.roles.contains(role) {
        return Err(unknown_role(scene, wanted));
    }
    let cells =
        || file.memories().filter(|memory| memory.role.text == *role).flat_map(|memory| &memory.cells);
    let declared = cells().find(|it| it.cell.text == *cell);
    let declared = declared.ok_or_else(|| unknown_cell(cells(), wanted))?;
    let error = |code: Code, why: &str| Diagnostic::unplaced(code, format!("`--set {wanted}`: {why}"));
    let constant = parse_constant(value)
        .map_err(|why| error(Code::WrongKind, &why).with_note("The first value of a cell is a constant"))?;
    if let TermKind::Agent(name) = &constant
        && scene.meaning(name) != Meaning::Agent
    {
        return Err(error(Code::UnknownAgent, &format!("the cast has no agent `!{name}`"))
            .with_help("Give an agent of the cast"));
    }
    if let TermKind::Role(name) = &constant
        && !scene.roles.contains(name)
    {
        return Err(error(Code::UnknownRole, &format!("the scene has no role `%{name}`"))
            .with_help(format!("The roles of the scene are {}", roles(scene))));
    }
    match &declared.value {
        InitialValue::Domain(domain) if !has(scene, domain, &constant) => {
            Err(error(Code::Domain, "this is no value of the cell's domain")
                .with_help(format!("The cell begins with {}", values(domain))))
        }
        InitialValue::Value(Expression { kind: ExpressionKind::Constant(TermKind::Integer(_)), .. })
        | InitialValue::Count(_)
            if !matches!(constant, TermKind::Integer(_)) =>
        {
            Err(error(Code::WrongKind, "the text begins with an integer here")
                .with_help("Give an integer, too: the text may compute with it"))
        }
        InitialValue::Value(Expression { kind: ExpressionKind::Own, .. })
            if !matches!(constant, TermKind::Agent(_)) =>
        {
            Err(error(Code::WrongKind, "the text begins with an agent here, `self`")
                .with_help("Give an agent, too, such as `!Name`"))
        }
        _ => Ok(GivenValue { role: role.clone(), cell: cell.clone(), value: constant }),
    }
}

/// Whether a domain has a value; those of weight 0 are none of it.
fn has(scene: &Parts<'_>, domain: &Domain, value: &TermKind) -> bool {
    let index = match (&domain.kind, value) {
        (DomainKind::Values(values), value) => values.iter().position(|it| it.kind == *value),
        (DomainKind::Range(first, last), TermKind::Integer(number)) => {
            let is_in = (first..=last).contains(&number);
            is_in.then(|| number.abs_diff(*first)).and_then(|index| usize::try_from(index).ok())
        }
        (DomainKind::Role(role), TermKind::Agent(name)) => {
            let of_role = |part: usize| scene.role_name(scene.list[part].role) == role.text;
            return scene.bearers(name).any(of_role);
        }
        (DomainKind::Range(..) | DomainKind::Role(_), _) => None,
    };
    // Wrong weights are reported where they stand.
    let weights = weights(domain).ok().flatten();
    index.is_some_and(|index| {
        weights.is_none_or(|weights| weights.get(index).is_some_and(|weight| weight.is_some()))
    })
}

fn values(domain: &Domain) -> String {
    match &domain.kind {
        DomainKind::Values(values) => show::list(values.iter().map(show::term)),
        DomainKind::Range(first, last) => format!("a value of `{first}..{last}`"),
        DomainKind::Role(role) => format!("an agent of `%{}`", role.text),
    }
}

fn roles(scene: &Parts<'_>) -> String {
    show::list(scene.roles.iter().map(|role| format!("%{role}")))
}

fn unknown_role(scene: &Parts<'_>, wanted: &FirstValue) -> Diagnostic {
    let FirstValue { role, cell, value } = wanted;
    let text = format!("`--set {wanted}`: the scene `{}` has no role `%{role}`", scene.scene.name.text);
    let error = Diagnostic::unplaced(Code::UnknownRole, text);
    match suggest::nearest(role, scene.roles.iter().map(String::as_str)) {
        Some(near) => error.with_help(format!("Did you mean `--set %{near}@{cell}={value}`?")),
        None => error.with_help(format!("The roles of the scene are {}", roles(scene))),
    }
}

fn unknown_cell<'f>(cells: impl Iterator<Item = &'f InitialCell>, wanted: &FirstValue) -> Diagnostic {
    let FirstValue { role, cell, value } = wanted;
    let known: Vec<&str> = cells.map(|cell| &*cell.cell.text).collect();
    let text = format!("`--set {wanted}`: agents of `%{role}` have no cell `@{cell}`");
    let error = Diagnostic::unplaced(Code::UnknownCell, text);
    match suggest::nearest(cell, known.iter().copied()) {
        Some(near) => error.with_help(format!("Did you mean `--set %{role}@{near}={value}`?")),
        None if known.is_empty() => error.with_help(format!("No memory of the file is of `%{role}`")),
        None => {
            let known = show::list(known.iter().map(|cell| format!("@{cell}")));
            error.with_help(format!("The cells of `%{role}` are {known}"))
        }
    }
}
