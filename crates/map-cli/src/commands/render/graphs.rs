//! Graphs of a dialogue: the state charts of its roles, or the state graph of the scene.

use map_explain::{Namer, role_graphs, state_graph};
use map_ir::{Program, RoleId};
use map_render::graph::{Graph, dot, mermaid, svg, text};
use map_session::{Compilation, NoGraph, StateGraph};

use super::picture::Picture;
use super::{Args, GraphOf};

/// Draws the requested graphs, or says what is wrong with the flags.
pub(super) fn draw(
    args: &Args,
    picture: Picture,
    compilation: &Compilation,
    program: &Program,
) -> Result<String, String> {
    let graphs = match (args.graph.graph, &args.graph.role) {
        (GraphOf::Role, role) => {
            role_graphs(program, role.as_deref().map(|role| named(program, role)).transpose()?)?
        }
        (GraphOf::State, None) => vec![states(args, compilation, program)?],
        (GraphOf::State, Some(_)) => {
            return Err("--role is for --graph role: the states are those of all agents together".to_owned());
        }
    };
    match picture {
        Picture::Text => Ok(text::text(&graphs)),
        Picture::Dot => Ok(dot::dot(&graphs)),
        Picture::Mermaid => Ok(mermaid::mermaid(&graphs)),
        Picture::Svg => Ok(format!("{}\n", svg::draw(&graphs))),
        Picture::Plantuml | Picture::Html => {
            Err("the graphs of a dialogue are drawn as text, dot, mermaid or svg; plantuml and html are for traces"
                .to_owned())
        }
    }
}

/// The state graph of the scene.
fn states(args: &Args, compilation: &Compilation, program: &Program) -> Result<Graph, String> {
    let bounds = args.graph.bounds.resolve(program)?;
    let most = args.graph.max_states;
    let scene = compilation.scene(bounds).expect("it has a program");
    let graph = StateGraph::explore(&scene, most).map_err(|why| match why {
        NoGraph::TooLarge => format!(
            "the scene {} has more than {most} states: give it fewer agents (--agents) or rounds (--rounds), or raise --max-states",
            program.scene
        ),
        NoGraph::NoFirstState => {
            format!("the scene {} has no first state; map verify tells why", program.scene)
        }
    })?;
    Ok(state_graph(&graph, &Namer::new(&compilation.source, program)))
}

/// The role of that name; the sigil `%` is optional.
fn named(program: &Program, role: &str) -> Result<RoleId, String> {
    let name = role.strip_prefix('%').unwrap_or(role);
    let found = program.roles.iter().position(|it| it == name).map(RoleId::new);
    found.filter(|role| program.parts.iter().any(|part| part.role == *role)).ok_or_else(|| {
        let known: Vec<String> =
            program.parts.iter().map(|part| format!("%{}", program.role_name(part.role))).collect();
        format!("--role {role}: no clause has this role; there are: {}", known.join(", "))
    })
}
