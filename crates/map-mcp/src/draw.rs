//! `render`: pictures of roles, of all states, and of what goes wrong.

use std::sync::Arc;

use map_diagnostics::SourceFile;
use map_explain::{Namer, role_graphs, state_graph};
use map_render::chart::evidence::of_evidence;
use map_render::chart::shown::MAX_TEXT_ROWS;
use map_render::chart::{self, fold};
use map_render::graph::{mermaid, svg, text};
use map_session::{Evidence, NoGraph, PropertySelection, StateGraph, Verification, compile, stuck_agents};
use map_verify::{PropertyVerdict, ViolationKind};

use crate::answer::Answer;
use crate::arguments::{Arguments, Drawn, Language};
use crate::dialogue::diagnostics;
use crate::flags::{in_flags, of_search};
use crate::limits::Limits;
use crate::verify::verify_first;
use crate::watch::Task;

/// The most states that are drawn.
const MAX_STATES: usize = 500;

/// The columns of charts in characters.
const WIDTH: usize = 80;

/// # Errors
/// Why there is no picture.
pub(crate) fn draw(
    source: &Arc<SourceFile>,
    given: &Arguments,
    limits: &Limits,
    task: &Task,
) -> Result<Answer, String> {
    let args = of_search(&given.flags)?;
    let limits = limits.of_search(&args.limits).map_err(in_flags)?;
    if given.what == Drawn::Counterexample {
        return run_of(&verify_first(source, &args, limits, task)?, given.language).map(Answer::whole);
    }
    let options = args.scene.to_options().map_err(in_flags)?;
    let compilation = compile(source, &options, PropertySelection::Nothing);
    let Some(program) = &compilation.program else {
        return Err(diagnostics(source, &compilation.diagnostics));
    };
    let graphs = match given.what {
        Drawn::States => {
            let bounds = args.bounds.resolve(program).map_err(in_flags)?;
            let scene = compilation.scene(bounds).expect("it has a program");
            let most = limits.limits.states.min(MAX_STATES);
            let graph = StateGraph::explore(&scene, most).map_err(|why| match why {
                NoGraph::TooLarge => format!(
                    "the scene {} has more than {most} states, too many to draw: give it fewer agents (--agents) or \
                     rounds (--rounds) in `flags`",
                    program.scene
                ),
                NoGraph::NoFirstState => {
                    format!("the scene {} has no first state; the tool `verify` says why", program.scene)
                }
            })?;
            vec![state_graph(&graph, &Namer::new(source, program))]
        }
        _ => role_graphs(program, None)?,
    };
    Ok(Answer::whole(match given.language {
        Language::Mermaid => mermaid::mermaid(&graphs),
        Language::Text => text::text(&graphs),
        Language::Svg => format!("{}\n", svg::draw(&graphs)),
    }))
}

/// The chart of the run that shows what is wrong, or else of one that goes on for ever.
fn run_of(found: &Verification, language: Language) -> Result<String, String> {
    let violated = found.properties.violated().map(|violation| violation.evidence).next();
    let run: Option<Evidence<'_>> = found.evidence().or(violated).or_else(|| found.unfair_run());
    let Some(run) = run else {
        let open = found.properties.report.iter().flat_map(|report| &report.properties);
        let is_open =
            |judged: &map_verify::PropertyJudgement| judged.verdict == PropertyVerdict::Inconclusive;
        let words = found.report.verdict.words();
        let properties = if open.into_iter().any(is_open) { "; properties are open" } else { "" };
        return Err(format!("there is no run to draw: the verdict is {words}{properties}"));
    };
    let program = &found.scene.program;
    let deadlock = found.violation().filter(|violation| violation.kind == ViolationKind::Deadlock);
    let stuck = deadlock.map(|_| stuck_agents(program, run.replayed)).unwrap_or_default();
    let chart = fold::usual(&of_evidence(program, run, &stuck), MAX_TEXT_ROWS);
    Ok(match language {
        Language::Mermaid => chart::mermaid::print(&chart),
        Language::Text => chart::text::draw(&chart, WIDTH),
        Language::Svg => format!("{}\n", chart::svg::draw(&chart)),
    })
}
