//! The cast: the number of agents of each part, and the rule that agent names are unique.

use std::collections::{HashMap, HashSet};

use indexmap::IndexMap;

use map_diagnostics::{Code, Diagnostic, Span};
use map_syntax::ast::{Cast, CastSubject, File, Name, Who};

use crate::parts::{CountedBy, Parts, numbered};
use crate::{CastOverride, show, suggest};

/// The largest number of agents that a part, or a whole scene, may have.
pub const MAX_AGENTS: usize = 1_000_000;

/// Sets the number of agents of each part: applies the casts of the file to all scenes, and the overrides to the
/// chosen one.
///
/// Returns whether there was an error, in which case the numbers may not be those the author intended.
pub(crate) fn apply(
    file: &File,
    scenes: &mut [Parts<'_>],
    chosen: Option<usize>,
    overrides: &[CastOverride],
    errors: &mut Vec<Diagnostic>,
) -> bool {
    let before = errors.len();
    apply_casts(file, scenes, errors);
    if let Some(scene) = chosen.and_then(|index| scenes.get_mut(index)) {
        for wanted in overrides {
            apply_override(scene, wanted, errors);
        }
    }
    for scene in scenes.iter() {
        errors.extend(too_many(scene));
    }
    errors.len() > before
}

fn apply_casts(file: &File, scenes: &mut [Parts<'_>], errors: &mut Vec<Diagnostic>) {
    let index = SubjectIndex::new(scenes);
    let mut by_subject: HashMap<(bool, &str), Span> = HashMap::new();
    let mut by_part: HashMap<(usize, usize), Span> = HashMap::new();
    for cast in file.casts() {
        let count = match number(cast.count) {
            Ok(count) => Some(count),
            Err(text) => {
                errors.push(
                    Diagnostic::new(Code::CastCount, cast.count_span, text, "out of range")
                        .with_help(format!("Choose a number from 0 to {MAX_AGENTS}")),
                );
                None
            }
        };
        errors.extend(not_any(cast));
        let (is_role, name) = subject(cast);
        if let Some(&first) = by_subject.get(&(is_role, &name.text)) {
            errors.push(cast_twice(cast, first));
            continue;
        }
        by_subject.insert((is_role, &name.text), name.span);
        let having = index.scenes(is_role, &name.text);
        if having.is_empty() {
            errors.push(unknown_subject(&index, is_role, name));
        }
        for &scene_index in having {
            let Some(scene) = scenes.get_mut(scene_index) else { continue };
            let parts = match parts_meant(scene, is_role, &name.text) {
                Meant::Parts(parts) => parts,
                Meant::Named(agents) => {
                    errors.push(named_parts(&name.text, &agents, Some(name.span)));
                    continue;
                }
                Meant::Nothing => continue,
            };
            for part in parts {
                if let Some(&first) = by_part.get(&(scene_index, part)) {
                    errors.push(cast_twice(cast, first));
                    continue;
                }
                by_part.insert((scene_index, part), name.span);
                if let Some(count) = count {
                    scene.list[part].count = count;
                    scene.list[part].counted_by = CountedBy::File(cast.count_span);
                }
            }
        }
    }
}

fn apply_override(scene: &mut Parts<'_>, wanted: &CastOverride, errors: &mut Vec<Diagnostic>) {
    let name = &wanted.name;
    let parts = match (parts_meant(scene, true, name), parts_meant(scene, false, name)) {
        (Meant::Parts(parts), _) | (Meant::Nothing, Meant::Parts(parts)) => parts,
        (Meant::Named(agents), _) => return errors.push(named_parts(name, &agents, None)),
        (Meant::Nothing, _) => return errors.push(unknown_override(scene, wanted)),
    };
    match number(wanted.count) {
        Ok(count) => {
            for part in parts {
                scene.list[part].count = count;
                scene.list[part].counted_by = CountedBy::Override;
            }
        }
        Err(text) => {
            let text = format!("`--agents {name}={}`: {text}", wanted.count);
            errors.push(
                Diagnostic::unplaced(Code::CastCount, text)
                    .with_help(format!("Choose a number from 0 to {MAX_AGENTS}")),
            );
        }
    }
}

/// The scenes that have a role or an agent name, by (is it a role, name).
struct SubjectIndex(IndexMap<(bool, String), Vec<usize>>);

impl SubjectIndex {
    fn new(scenes: &[Parts<'_>]) -> Self {
        let mut having: IndexMap<(bool, String), Vec<usize>> = IndexMap::new();
        let mut add = |key, scene| {
            let scenes = having.entry(key).or_default();
            if scenes.last() != Some(&scene) {
                scenes.push(scene);
            }
        };
        for (index, scene) in scenes.iter().enumerate() {
            for part in &scene.list {
                add((true, scene.role_name(part.role).to_owned()), index);
                add((false, part.base.clone()), index);
            }
        }
        Self(having)
    }

    fn scenes(&self, is_role: bool, name: &str) -> &[usize] {
        self.0.get(&(is_role, name.to_owned())).map_or(&[], Vec::as_slice)
    }

    /// The roles, or the agent names, in order of first definition.
    fn names(&self, roles: bool) -> impl Iterator<Item = &str> {
        self.0.keys().filter(move |(is_role, _)| *is_role == roles).map(|(_, name)| &**name)
    }
}

/// The parts of one scene that a cast for a role or agent name refers to.
enum Meant {
    Parts(Vec<usize>),
    /// The role has several parts, all with literal agent names (given here), so a number for the role is
    /// ambiguous.
    Named(Vec<String>),
    Nothing,
}

fn parts_meant(scene: &Parts<'_>, is_role: bool, name: &str) -> Meant {
    if !is_role {
        let parts = scene.of_base(name);
        return if parts.is_empty() { Meant::Nothing } else { Meant::Parts(parts.to_vec()) };
    }
    let Some(role) = scene.roles.get_index_of(name) else { return Meant::Nothing };
    let of_role = &scene.of_role[role];
    let counted = match of_role.as_slice() {
        [only] => Some(only),
        _ => of_role.iter().find(|&&part| scene.list[part].literal.is_none()),
    };
    match counted {
        Some(&part) => Meant::Parts(vec![part]),
        None => Meant::Named(of_role.iter().map(|&part| scene.list[part].base.clone()).collect()),
    }
}

fn number(count: i64) -> Result<usize, String> {
    match usize::try_from(count) {
        Ok(count) if count <= MAX_AGENTS => Ok(count),
        Ok(_) => Err(format!("{count} agents are more than the {MAX_AGENTS} allowed")),
        Err(_) => Err("a number of agents cannot be negative".to_owned()),
    }
}

/// What is wrong with `any` in a cast.
fn not_any(cast: &Cast) -> Option<Diagnostic> {
    if !cast.any {
        return None;
    }
    if let CastSubject::Agent(name) = &cast.subject {
        let text = "any number of agents is for a role";
        let error = Diagnostic::new(Code::CastCount, cast.count_span, text, "any number of which role?");
        return Some(
            error.with_help(format!("Write a number, or `any` for the role that `!{}` plays", name.text)),
        );
    }
    (cast.count == 0).then(|| {
        let text = "any number of agents begins with 1 or more";
        Diagnostic::new(Code::CastCount, cast.count_span, text, "begins with 0")
            .with_help("`any` alone means 1 or more; a scene without them is another one: `--agents`")
    })
}

fn subject(cast: &Cast) -> (bool, &Name) {
    match &cast.subject {
        CastSubject::Role(name) => (true, name),
        CastSubject::Agent(name) => (false, name),
    }
}

fn sigil(is_role: bool) -> char {
    if is_role { '%' } else { '!' }
}

fn cast_twice(cast: &Cast, first: Span) -> Diagnostic {
    let (is_role, name) = subject(cast);
    let text = format!("`{}{}` is counted by two casts", sigil(is_role), name.text);
    Diagnostic::new(Code::CastTwice, name.span, text, "counted again")
        .with_label(first, "first counted here")
        .with_help("Remove one of the two casts")
}

fn named_parts(role: &str, agents: &[String], span: Option<Span>) -> Diagnostic {
    let text = format!("all clauses of `%{role}` name their agents, so a number for the role has no meaning");
    let error = match span {
        Some(span) => Diagnostic::new(Code::CastNamedParts, span, text, "which of its agents?"),
        None => Diagnostic::unplaced(Code::CastNamedParts, format!("`--agents {role}`: {text}")),
    };
    let list = show::list(agents.iter().map(|agent| format!("!{agent}")));
    let example = agents.first().map_or("", String::as_str);
    let how = if span.is_some() { format!("cast !{example} = N") } else { format!("--agents {example}=N") };
    error.with_help(format!("The agents of `%{role}` are {list}; count one of them, as in `{how}`"))
}

fn unknown_subject(index: &SubjectIndex, is_role: bool, name: &Name) -> Diagnostic {
    let (what, sigil) = (if is_role { "role" } else { "agent" }, sigil(is_role));
    let text = format!("no scene of the file defines the {what} `{sigil}{}`", name.text);
    let error = Diagnostic::new(Code::CastUnknown, name.span, text, format!("unknown {what}"));
    let instance_of = numbered(&name.text).find(|(base, _)| !index.scenes(false, base).is_empty());
    if let Some((base, _)) = instance_of.filter(|_| !is_role) {
        return error.with_help(format!("`cast !{base} = N` sets how many agents there are"));
    }
    let near = suggest::nearest(&name.text, index.names(is_role));
    let known = show::list(index.names(is_role).map(|name| format!("{sigil}{name}")));
    match near {
        Some(near) => {
            error.with_help(format!("Did you mean `{sigil}{near}`?")).replaced_by(format!("{sigil}{near}"))
        }
        None if known.is_empty() => error,
        None => error.with_help(format!("The {what}s of the file are {known}")),
    }
}

fn unknown_override(scene: &Parts<'_>, wanted: &CastOverride) -> Diagnostic {
    let (name, count) = (&wanted.name, wanted.count);
    let title = &scene.scene.name.text;
    let text = format!("`--agents {name}={count}`: the scene `{title}` has no role or agent `{name}`");
    let bases = || scene.list.iter().map(|part| &*part.base);
    let roles = || scene.roles.iter().map(String::as_str);
    let error = Diagnostic::unplaced(Code::CastUnknown, text).with_note(format!(
        "The scene has the roles {} and the agents {}",
        show::list(roles()),
        show::list(bases())
    ));
    match suggest::nearest(name, roles().chain(bases())) {
        Some(near) => error.with_help(format!("Did you mean `--agents {near}={count}`?")),
        None => error.with_help("Give the number for one of these"),
    }
}

/// Reports a scene with too many agents in total. The limit bounds memory use.
fn too_many(scene: &Parts<'_>) -> Option<Diagnostic> {
    let total = scene.list.iter().fold(0_usize, |total, part| total.saturating_add(part.count));
    let largest = scene.list.iter().max_by_key(|part| part.count)?;
    if total <= MAX_AGENTS {
        return None;
    }
    let name = &scene.scene.name;
    let text = format!("the scene `{}` has {total} agents, more than the {MAX_AGENTS} allowed", name.text);
    let error = match largest.counted_by {
        CountedBy::File(span) => Diagnostic::new(Code::CastCount, span, text, "the largest number"),
        CountedBy::Override => Diagnostic::unplaced(Code::CastCount, text),
        CountedBy::Default => Diagnostic::new(Code::CastCount, name.span, text, "this scene"),
    };
    Some(error.with_help("Choose smaller numbers"))
}

/// Reports agents that share a name.
///
/// If the cast is in doubt (see [`apply`]), only clashes that do not depend on the numbers of agents are reported.
pub(crate) fn names_twice(scene: &Parts<'_>, cast_doubtful: bool, errors: &mut Vec<Diagnostic>) {
    let mut reported = HashSet::new();
    for (index, part) in scene.list.iter().enumerate() {
        // If two parts share any name, the first name of one of them is shared.
        let name = match part.count {
            0 => continue,
            1 => part.base.clone(),
            _ => format!("{}1", part.base),
        };
        let clashes =
            |other: &usize| *other != index && (!cast_doubtful || scene.list[*other].base == part.base);
        let Some(other) = scene.bearers(&name).find(clashes) else { continue };
        // One report for each part that clashes with an earlier one.
        let (first, second) = (index.min(other), index.max(other));
        if reported.insert(second) {
            errors.extend(name_twice(scene, &name, first, second));
        }
    }
}

fn name_twice(scene: &Parts<'_>, name: &str, first: usize, second: usize) -> Option<Diagnostic> {
    // If the head has a variable, the name derives from the role.
    let place = |part| {
        let clause = scene.first_clause(part)?;
        Some(match &clause.who {
            Who::Agent(name) => name.span,
            Who::Variable(_) => clause.role.span,
        })
    };
    let text = format!("two agents of the scene `{}` are called `!{name}`", scene.scene.name.text);
    let error =
        Diagnostic::new(Code::AgentTwice, place(second)?, text, format!("`!{name}` also comes from here"))
            .with_label(place(first)?, format!("`!{name}` comes from here"));
    let same_name =
        scene.list[first].literal.is_some() && scene.list[first].literal == scene.list[second].literal;
    Some(if same_name {
        error
            .with_note("An agent keeps one role for the whole scene")
            .with_help("Use two names, or give all these clauses one role")
    } else {
        error
            .with_note("Agents without a name of their own are called after their role, with a number if there are several")
            .with_help("Rename one of the agents or roles, or change the cast")
    })
}
