//! What a dialogue consists of, for Python: its cast and procedures.

use map_ir::{Answer, Body, PointKind, Program};

/// The scene's name, its cast, its procedures, and its messages.
pub(crate) type Parts =
    (String, Vec<(String, String)>, Vec<(String, usize, bool, &'static str)>, Vec<(String, usize)>);

/// By role, the procedures that its agents ask, as indices.
pub(crate) type Asked = Vec<(String, Vec<usize>)>;

/// All of these.
pub(crate) fn parts(program: &Program) -> Parts {
    (program.scene.clone(), cast(program), procedures(program), performatives(program))
}

/// The procedures that the agents of each role ask.
pub(crate) fn asked(program: &Program) -> Asked {
    let of_part = |index: usize| {
        let asked = program.points.iter().filter_map(|point| match point.kind {
            PointKind::Ask { procedure, .. } if program.clause(point.clause).part.index() == index => {
                Some(procedure.index())
            }
            _ => None,
        });
        let mut asked: Vec<usize> = asked.collect();
        asked.sort_unstable();
        asked.dedup();
        asked
    };
    let parts = program.parts.iter().enumerate();
    parts.map(|(index, part)| (program.role_name(part.role).to_owned(), of_part(index))).collect()
}

/// The agents, each with its role.
fn cast(program: &Program) -> Vec<(String, String)> {
    let named = |agent| {
        (program.agent_name(agent).to_owned(), program.role_name(program.agent(agent).role).to_owned())
    };
    program.cast().map(named).collect()
}

/// The procedures: name, number of parameters, whether it may say no, and how it answers.
fn procedures(program: &Program) -> Vec<(String, usize, bool, &'static str)> {
    let told = |it: &map_ir::Procedure| {
        let how = match &it.body {
            Body::Abstract => "open",
            Body::Fresh => "fresh",
            Body::In(_) => "domain",
            Body::Alternatives(all) if all.iter().any(|it| matches!(it.answer, Answer::In(_))) => "domain",
            Body::Alternatives(_) => "computed",
        };
        (it.name.clone(), it.arity, it.may_refuse, how)
    };
    program.procedures.iter().map(told).collect()
}

/// The messages: performative and number of arguments.
fn performatives(program: &Program) -> Vec<(String, usize)> {
    program.performatives.iter().map(|it| (it.name.clone(), it.arity)).collect()
}
