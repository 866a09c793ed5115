//! Scenes whose agents join while a dialogue runs: nobody is there at first except the agents with literal names.

use map_check::{CastOverride, CheckOptions, check};
use map_diagnostics::{Code, Diagnostic};
use map_ir::{PartId, PointKind, Program};
use map_syntax::ast::{Answer, Body, Domain, DomainKind, File, InitialValue, Item, Name, Procedure, Who};

use crate::compile;

/// A scene under an open cast.
#[derive(Clone, Debug)]
pub struct OpenScene {
    /// The scene before anybody has joined. Agents are added by [`Program::with_agent`].
    pub program: Program,
    /// The parts that agents may join.
    pub parts: Vec<OpenPart>,
}

/// A part that agents may join.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenPart {
    /// The part.
    pub part: PartId,
    /// What the names of its agents begin with, before a number.
    pub base: String,
}

/// Compiles a scene whose agents join later, except for those with a literal name and those whose number is given by
/// the options. The casts of the file do not count for the others.
///
/// What a clause can do then never rests on somebody being there: a send to a role may fail.
///
/// # Errors
/// If the file has errors, or the scene says something that needs the number or the names of agents who join.
pub fn compile_open(file: &File, options: &CheckOptions) -> Result<OpenScene, Vec<Diagnostic>> {
    let (checked, errors) = check(file, options);
    let Some(checked) = checked else { return Err(errors) };
    let is_given = |role: &str| options.agents.iter().any(|it| it.name == role);
    let mut roles: Vec<&str> = Vec::new();
    for clause in &checked.scene.clauses {
        let role = clause.role.text.as_str();
        if matches!(clause.who, Who::Variable(_)) && !is_given(role) && !roles.contains(&role) {
            roles.push(role);
        }
    }
    let errors = counted(file, &compile(&checked), &roles);
    if !errors.is_empty() {
        return Err(errors);
    }
    // Properties are not judged, and may name agents.
    let items = file.items.iter().filter(|it| !matches!(it, Item::Property(_))).cloned().collect();
    let bare = File { items };
    let mut program = under(&bare, options, &roles, None)?;
    if let Some(name) = program.agent_names.get(program.agents.len()) {
        let text =
            format!("`!{name}` is named in the file, and the cast does not have it from the beginning");
        return Err(vec![advised(Diagnostic::unplaced(Code::ConformOpenCast, text), None)]);
    }
    let mut parts = Vec::new();
    for role in &roles {
        // With one agent of this part and none of the others, every send to those who join may fail.
        let alone = under(&bare, options, &roles, Some(role))?;
        let is_it = |it: &usize| {
            let part = &alone.parts[*it];
            alone.role_name(part.role) == *role && program.parts[*it].agents.len() < part.agents.len()
        };
        let Some(part) = (0..alone.parts.len()).find(is_it) else { continue };
        for &clause in &program.parts[part].clauses {
            program.clauses[clause.index()].can_fail = alone.clause(clause).can_fail;
        }
        let base = alone.agent_name(alone.parts[part].agents[0]).to_owned();
        parts.push(OpenPart { part: PartId::new(part), base });
    }
    Ok(OpenScene { program, parts })
}

/// The scene with one agent of `only`, and none of the other roles.
fn under(
    file: &File,
    options: &CheckOptions,
    roles: &[&str],
    only: Option<&str>,
) -> Result<Program, Vec<Diagnostic>> {
    let counts = roles
        .iter()
        .map(|&role| CastOverride { name: role.to_owned(), count: i64::from(only == Some(role)) });
    let agents = options.agents.iter().cloned().chain(counts).collect();
    let (checked, errors) = check(file, &CheckOptions { agents, ..options.clone() });
    // Under another cast there are no errors: these are about agents who are not there.
    checked.as_ref().map(compile).ok_or_else(|| {
        errors
            .into_iter()
            .map(|it| {
                let text = format!("{}, as agents join later", it.text);
                advised(Diagnostic { code: Code::ConformOpenCast, text, ..it }, None)
            })
            .collect()
    })
}

/// Where the scene counts the agents of these roles, or chooses among them.
fn counted(file: &File, program: &Program, roles: &[&str]) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    let mut note = |role: &Name, what: &str| {
        if roles.contains(&role.text.as_str()) {
            let text = format!("{what} `%{}` is not known, as they join later", role.text);
            let label = "not known from the beginning";
            let error = Diagnostic::new(Code::ConformOpenCast, role.span, text, label);
            errors.push(advised(error, Some(&role.text)));
        }
    };
    let among = "which agents there are of";
    for cell in file.memories().filter(|it| program.roles.contains(&it.role.text)).flat_map(|it| &it.cells) {
        match &cell.value {
            InitialValue::Count(role) => note(role, "the number of agents of"),
            InitialValue::Domain(Domain { kind: DomainKind::Role(role), .. }) => note(role, among),
            InitialValue::Domain(_) | InitialValue::Value(_) => {}
        }
    }
    let is_asked = |name: &str| {
        program.points.iter().any(|it| match it.kind {
            PointKind::Ask { procedure, .. } => program.procedure(procedure).name == name,
            _ => false,
        })
    };
    for procedure in file.procedures().filter(|it| is_asked(&it.name.text)) {
        for domain in domains(procedure) {
            if let DomainKind::Role(role) = &domain.kind {
                note(role, among);
            }
        }
    }
    errors
}

/// The domains of a procedure's answers.
fn domains(procedure: &Procedure) -> Vec<&Domain> {
    match &procedure.body {
        Some(Body::Domain(domain)) => vec![domain],
        Some(Body::Alternatives(all)) => {
            let answers = all.iter().map(|it| &it.answer);
            answers.filter_map(|it| if let Answer::Domain(it) = it { Some(it) } else { None }).collect()
        }
        Some(Body::Fresh(_)) | None => Vec::new(),
    }
}

/// With the advice to give the number of agents.
fn advised(diagnostic: Diagnostic, role: Option<&str>) -> Diagnostic {
    let example = role.unwrap_or("ROLE");
    diagnostic.with_help(format!("Give the number of agents of the role with --agents, such as {example}=3"))
}
