//! The vocabulary of a scene, for formulas about it.

use map_syntax::ast::{Body, File, OpKind};

use super::super::OracleOptions;
use super::super::cast::Cast;

/// What formulas about a scene may refer to.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    /// The agents of the cast.
    pub agents: Vec<String>,
    /// The roles that have agents, with their vocabulary.
    pub roles: Vec<RoleWords>,
    /// The role of each agent, as an index into `roles`.
    pub role_of: Vec<usize>,
    /// Performatives that are sent, with their numbers of arguments.
    pub messages: Vec<(String, usize)>,
    /// Procedures that are asked.
    pub procedures: Vec<String>,
    /// Procedures that are declared with a domain.
    pub domains: Vec<String>,
}

/// What formulas about the agents of a role may refer to.
#[derive(Clone, Debug, Default)]
pub struct RoleWords {
    /// The role.
    pub name: String,
    /// Its cells.
    pub cells: Vec<String>,
    /// The constants that occur as first terms in clauses of each of its parts.
    pub places: Vec<String>,
}

/// Collects what formulas about a scene may refer to.
#[must_use]
pub fn vocabulary(file: &File, options: &OracleOptions) -> Vocabulary {
    let cast = Cast::new(file, options);
    let mut words = Vocabulary::default();
    for agent in 0..cast.agents.len() {
        let role = cast.role_of(agent);
        let index = words.roles.iter().position(|it| it.name == role).unwrap_or_else(|| {
            words.roles.push(role_words(file, &cast, role));
            words.roles.len() - 1
        });
        words.agents.push(cast.agents[agent].name.clone());
        words.role_of.push(index);
    }
    for clause in &cast.scene.clauses {
        collect(&clause.body, &mut words);
    }
    let declared = file.procedures().filter(|it| matches!(it.body, Some(Body::Domain(_))));
    words.domains = declared.map(|it| it.name.text.clone()).collect();
    words
}

fn role_words(file: &File, cast: &Cast<'_>, role: &str) -> RoleWords {
    let memory = file.memories().find(|it| it.role.text == role);
    let mut places: Option<Vec<String>> = None;
    for part in cast.parts.iter().filter(|part| part.role == role) {
        let firsts: Vec<String> = part
            .clauses
            .iter()
            .filter_map(|&clause| match &cast.scene.clauses[clause].parameters.first()?.kind {
                map_syntax::ast::TermKind::Name(name) => Some(name.clone()),
                _ => None,
            })
            .collect();
        places = Some(match places {
            None => firsts,
            Some(known) => known.into_iter().filter(|it| firsts.contains(it)).collect(),
        });
    }
    RoleWords {
        name: role.to_owned(),
        cells: memory.map_or(Vec::new(), |it| it.cells.iter().map(|it| it.cell.text.clone()).collect()),
        places: places.unwrap_or_default(),
    }
}

fn collect(op: &map_syntax::ast::Op, words: &mut Vocabulary) {
    match &op.kind {
        OpKind::Then(ops) | OpKind::Or(ops) | OpKind::Par(ops) => {
            ops.iter().for_each(|op| collect(op, words));
        }
        OpKind::Wait { body, timeout } => {
            collect(body, words);
            if let Some(timeout) = timeout {
                collect(timeout, words);
            }
        }
        OpKind::Send { message, .. } => {
            words.messages.push((message.performative.text.clone(), message.arguments.len()));
        }
        OpKind::Ask { procedure, .. } => words.procedures.push(procedure.text.clone()),
        OpKind::Call { .. } | OpKind::Skip | OpKind::Fail | OpKind::Hole | OpKind::Receive { .. } => {}
    }
}
