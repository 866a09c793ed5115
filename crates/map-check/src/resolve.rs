//! Resolution of names: scenes, and the roles and agents in terms.

use std::collections::{HashMap, HashSet};

use indexmap::IndexMap;
use map_diagnostics::{Code, Diagnostic, Span};
use map_syntax::ast::{CastSubject, ExpressionKind, File, TermKind};

use crate::parts::{Meaning, Parts, numbered};
use crate::{CheckOptions, show, suggest, walk};

/// Errors about scenes that share a name.
pub(crate) fn scenes_twice(file: &File) -> Vec<Diagnostic> {
    let mut first: HashMap<&str, Span> = HashMap::new();
    let mut errors = Vec::new();
    for scene in file.scenes() {
        let name = &scene.name;
        if let Some(&first) = first.get(&*name.text) {
            let text = format!("the scene `{}` is defined twice", name.text);
            errors.push(
                Diagnostic::new(Code::SceneTwice, name.span, text, "defined again")
                    .with_label(first, "first defined here")
                    .with_help("Rename one of the two scenes"),
            );
        } else {
            first.insert(&name.text, name.span);
        }
    }
    errors
}

/// The index of the scene chosen by the options; the first by default.
pub(crate) fn chosen_scene(
    file: &File,
    options: &CheckOptions,
    errors: &mut Vec<Diagnostic>,
) -> Option<usize> {
    file.scenes().next()?;
    let Some(wanted) = &options.scene else { return Some(0) };
    let found = file.scenes().position(|scene| scene.name.text == *wanted);
    if found.is_none() {
        let known = || file.scenes().map(|scene| &*scene.name.text);
        let error = Diagnostic::unplaced(Code::UnknownScene, format!("there is no scene `{wanted}`"))
            .with_note(format!("The file has {}", show::list(known())));
        errors.push(match suggest::nearest(wanted, known()) {
            Some(near) => error.with_help(format!("Did you mean `{near}`?")),
            None => error.with_help("Choose one of these"),
        });
    }
    found
}

/// The scene that first defines each role of the file, for errors about a role used in the wrong scene.
pub(crate) struct RolesOfFile<'s>(HashMap<&'s str, &'s str>);

/// How many more places an error about a role shows.
const MAX_PLACES: usize = 4;

impl<'s> RolesOfFile<'s> {
    pub(crate) fn new(scenes: &'s [Parts<'_>]) -> Self {
        let mut scene_of = HashMap::new();
        for parts in scenes {
            for role in &parts.roles {
                scene_of.entry(&**role).or_insert(&*parts.scene.name.text);
            }
        }
        Self(scene_of)
    }

    pub(crate) fn knows(&self, role: &str) -> bool {
        self.0.contains_key(role)
    }
}

/// Reports roles and agents in terms that no clause of the scene defines, and agent names that are ambiguous.
///
/// If `cast_doubtful` (the cast has errors), the numbers of agents are not reliable, so names that depend on them are
/// not reported. A role is reported once, with some of its places; not at all if a cast or a memory of the `file`
/// names it, which is where it has been reported.
pub(crate) fn names(
    file: &File,
    parts: &Parts<'_>,
    of_file: &RolesOfFile<'_>,
    cast_doubtful: bool,
    errors: &mut Vec<Diagnostic>,
) {
    let mut roles: IndexMap<String, Vec<Span>> = IndexMap::new();
    let counted = file.casts().filter_map(|cast| match &cast.subject {
        CastSubject::Role(role) => Some(&*role.text),
        CastSubject::Agent(_) => None,
    });
    let reported: HashSet<&str> = counted
        .chain(file.memories().map(|memory| &*memory.role.text))
        .filter(|role| !of_file.knows(role))
        .collect();
    for (clause, &part) in parts.scene.clauses.iter().zip(&parts.of_clause) {
        let own = parts.list[part].literal;
        let mut check = |constant: &TermKind, span| match constant {
            TermKind::Role(role) if parts.roles.contains(role) || reported.contains(&**role) => {}
            TermKind::Role(role) => roles.entry(role.clone()).or_default().push(span),
            TermKind::Agent(name) if own == Some(name) => {}
            _ => errors.extend(unknown(parts, of_file, cast_doubtful, constant, span)),
        };
        walk::terms(clause, &mut |term| match &term.kind {
            TermKind::Expression(expression) => walk::expressions(expression, &mut |part| {
                if let ExpressionKind::Constant(constant) = &part.kind {
                    check(constant, part.span);
                }
            }),
            kind => check(kind, term.span),
        });
    }
    for (role, places) in roles {
        let error = unknown_role(parts, of_file, &role, places[0]);
        let others = places[1..].iter().take(MAX_PLACES);
        errors.push(others.fold(error, |error, &place| error.with_label(place, "and here")));
    }
}

/// The error about a role or agent that is unknown or ambiguous, if it is; `None` for other terms.
pub(crate) fn unknown(
    parts: &Parts<'_>,
    of_file: &RolesOfFile<'_>,
    cast_doubtful: bool,
    term: &TermKind,
    span: Span,
) -> Option<Diagnostic> {
    match term {
        TermKind::Role(role) if !parts.roles.contains(role) => Some(unknown_role(parts, of_file, role, span)),
        TermKind::Agent(name) => match parts.meaning(name) {
            Meaning::Agent | Meaning::Absent => None,
            Meaning::Ambiguous(_) if cast_doubtful => None,
            Meaning::Ambiguous(several) => Some(ambiguous(parts, several, name, span)),
            Meaning::Unknown => {
                let instance = numbered(name).find(|(base, _)| !parts.of_base(base).is_empty());
                let doubtful = instance.is_some() && cast_doubtful;
                let base = instance.map(|(base, _)| base);
                (!doubtful).then(|| unknown_agent(parts, name, base, span))
            }
        },
        _ => None,
    }
}

fn unknown_role(parts: &Parts<'_>, of_file: &RolesOfFile<'_>, role: &str, span: Span) -> Diagnostic {
    let scene = &parts.scene.name.text;
    let text = format!("no clause of the scene `{scene}` defines the role `%{role}`");
    let error = Diagnostic::new(Code::UnknownRole, span, text, "unknown role");
    if let Some(near) = suggest::nearest(role, parts.roles.iter().map(String::as_str)) {
        return error.with_help(format!("Did you mean `%{near}`?")).replaced_by(format!("%{near}"));
    }
    let error = match of_file.0.get(role) {
        Some(other) => error.with_note(format!(
            "`%{role}` is a role of the scene `{other}`; every scene has roles of its own"
        )),
        None => error,
    };
    let known = parts.roles.iter().map(|role| format!("%{role}"));
    error.with_help(format!("The scene has {}; or add a clause `agent($x, %{role}) = ..`", show::list(known)))
}

fn ambiguous(parts: &Parts<'_>, several: usize, name: &str, span: Span) -> Diagnostic {
    let (count, role) = (parts.list[several].count, parts.role_name(parts.list[several].role));
    let text = format!("`!{name}` could be any of {count} agents");
    let label = format!("which of `!{name}1` .. `!{name}{count}`?");
    Diagnostic::new(Code::AmbiguousAgent, span, text, label)
        .with_help(format!("Name one, such as `!{name}1`, or address them all with `agent(_, %{role})`"))
}

fn unknown_agent(parts: &Parts<'_>, name: &str, instance_of: Option<&str>, span: Span) -> Diagnostic {
    let text = format!("the cast of the scene `{}` has no agent `!{name}`", parts.scene.name.text);
    let error = Diagnostic::new(Code::UnknownAgent, span, text, "unknown agent");
    if let Some(&part) = instance_of.and_then(|base| parts.of_base(base).first()) {
        let part = &parts.list[part];
        let role = parts.role_name(part.role);
        let has = match part.count {
            0 => format!("The cast has no agent `!{}`", part.base),
            1 => format!("The cast has one such agent, called `!{}`", part.base),
            count => format!("The cast has {count} such agents, `!{0}1` .. `!{0}{count}`", part.base),
        };
        let subject = part.literal.map_or_else(|| format!("%{role}"), |literal| format!("!{literal}"));
        return error.with_note(has).with_help(format!("`cast {subject} = N` sets how many there are"));
    }
    let known = || parts.list.iter().map(|part| &*part.base);
    match suggest::nearest(name, known()) {
        Some(near) => error.with_help(format!("Did you mean `!{near}`?")).replaced_by(format!("!{near}")),
        None => error.with_help(format!(
            "The scene has {}; or add a clause `agent(!{name}, ..) = ..`",
            show::list(known().map(|name| format!("!{name}")))
        )),
    }
}
