//! `verify`: the verdicts on all scenes of a text.

mod any;

use std::sync::Arc;
use std::time::Duration;

use map_diagnostics::SourceFile;
use map_explain::verification::{Presentation, in_full, in_line, in_short, is_well};
use map_flags::{Host, SceneOfText, SearchArgs, Unsearchable};
use map_json::{Header, RejectedOutput, Several, VerifiedOutput, VerifyOutput, VerifyResult};
use map_session::{Compilation, Scene, SearchLimits, TimeLimit, Verification};
use map_verify::InternalError;

use crate::answer::Answer;
use crate::arguments::{Arguments, Detail};
use crate::dialogue::diagnostics;
use crate::flags::{in_flags, of_search};
use crate::limits::Limits;
use crate::present::present;
use crate::watch::{Task, Watch};

/// A request to verify a text.
pub(crate) struct Request<'a> {
    pub(crate) args: &'a SearchArgs,
    pub(crate) detail: Detail,
    pub(crate) limits: SearchLimits,
    pub(crate) task: &'a Task,
}

/// What is said so far.
#[derive(Default)]
struct Said {
    text: String,
    results: Vec<VerifyResult>,
    /// Whether some scene has errors.
    is_rejected: bool,
    /// Whether the run of a cast has been shown.
    has_shown: bool,
}

/// # Errors
/// Why nothing is verified.
pub(crate) fn verify(
    source: &Arc<SourceFile>,
    given: &Arguments,
    limits: &Limits,
    task: &Task,
) -> Result<Answer, String> {
    let args = &of_search(&given.flags)?;
    let limits = limits.of_search(&args.limits).map_err(in_flags)?;
    let request = Request { args, detail: given.detail, limits, task };
    let scenes = args.searchable(source).map_err(unsearchable)?;
    let mut bounds = Vec::new();
    for scene in &scenes {
        let program = scene.compilation.program.as_ref();
        let resolved =
            program.map(|program| scene.args.bounds.resolve(program)).transpose().map_err(in_flags)?;
        bounds.push(resolved.and_then(|bounds| scene.compilation.scene(bounds)));
    }
    let mut said = Said::default();
    for (index, (of_text, scene)) in scenes.iter().zip(bounds).enumerate() {
        if index > 0 && of_text.cast.is_none() {
            said.text.push('\n');
        }
        let to_come = scenes.len() - index;
        match scene {
            None => said.reject(&of_text.compilation),
            Some(scene) => {
                let any = of_text.args.scene.any_in(source).map_err(in_flags)?;
                if any.is_empty() {
                    said.text.push_str(&diagnostics(source, &of_text.compilation.diagnostics));
                    request.about(of_text, &scene, to_come, &mut said)?;
                } else {
                    any::ask(&request, of_text, &any, to_come, &mut said)?;
                }
            }
        }
    }
    let answer = if said.is_rejected { Answer::failed(&said.text) } else { Answer::told(&said.text) };
    if !given.structured {
        return Ok(answer);
    }
    Ok(answer.with(&match <[VerifyResult; 1]>::try_from(said.results) {
        Ok([result]) => VerifyOutput::One(Box::new(result)),
        Err(results) => VerifyOutput::Several(Several { header: Header::new("verify"), results }),
    }))
}

/// Why nothing is searched, in words.
fn unsearchable(why: Unsearchable) -> String {
    match why {
        Unsearchable::Flags(what) => in_flags(what),
        Unsearchable::Formulas(refused) => {
            refused.iter().map(|(formula, errors)| diagnostics(formula, errors)).collect()
        }
    }
}

impl Host for Request<'_> {
    type Watch = Watch;

    fn next_limits(&self, _: &SearchArgs) -> SearchLimits {
        self.share(1)
    }

    fn time_left(&self) -> Option<Duration> {
        self.limits.time.map(|time| time.whole.saturating_sub(self.task.started.elapsed()))
    }

    fn watch(&self, _: &Scene, limits: &SearchLimits) -> Watch {
        self.task.watch(limits)
    }

    fn is_stopped(&self) -> bool {
        self.task.ends.reason().is_some()
    }
}

impl Request<'_> {
    /// The limits of a search, of which so many are to come, this one included: they share what is left of the time.
    fn share(&self, to_come: usize) -> SearchLimits {
        let left = self.time_left();
        let share = |time: TimeLimit| {
            let searches = u32::try_from(to_come.max(1)).unwrap_or(u32::MAX);
            TimeLimit { search: left.unwrap_or(time.whole) / searches, is_shared: to_come > 1, ..time }
        };
        SearchLimits { time: self.limits.time.map(share), ..self.limits }
    }

    fn search(&self, scene: &Scene, limits: SearchLimits) -> Result<Verification, String> {
        let found = self.args.question(limits).ask(scene, &mut self.task.watch(&limits));
        found.map_err(|defect| internal(&defect))
    }

    fn about(&self, of: &SceneOfText, scene: &Scene, to_come: usize, said: &mut Said) -> Result<(), String> {
        let found = self.search(scene, self.share(to_come))?;
        if let Some(cast) = &of.cast {
            let line = present(scene, &of.args.scene, false, |how| in_line(&found, how));
            said.text.push_str(&format!("{}: {line}", cast.name));
            if !said.has_shown && !is_well(&found, &[]) {
                said.has_shown = true;
                said.text.push_str(&self.text(&found, &of.args)?);
            }
        } else {
            said.text.push_str(&self.text(&found, &of.args)?);
        }
        let json = VerifiedOutput::new(&found, &of.args.scene.agents, &[]);
        said.results.push(VerifyResult::Verified(Box::new(json)));
        Ok(())
    }

    fn text(&self, found: &Verification, args: &SearchArgs) -> Result<String, String> {
        let scene = &args.scene;
        let text = match self.detail {
            Detail::Short => {
                let tried = args.tried(found, true, self).map_err(|defect| internal(&defect))?;
                present(&found.scene, scene, false, |how| {
                    in_short(found, &Presentation { advice: tried.as_deref(), ..*how })
                })
            }
            Detail::Full => present(&found.scene, scene, true, |how| in_full(found, how)),
        };
        Ok(text.to_string())
    }
}

fn internal(defect: &InternalError) -> String {
    format!("internal error: {defect}; this is a defect of map: please report it, with the text")
}

impl Said {
    fn reject(&mut self, compilation: &Compilation) {
        let Compilation { source, diagnostics: found, .. } = compilation;
        self.is_rejected = true;
        self.text.push_str(&diagnostics(source, found));
        self.results.push(VerifyResult::Rejected(RejectedOutput::new("verify", source, found)));
    }
}

/// The verification of the first scene of a text that the flags are about.
///
/// # Errors
/// Why there is none.
pub(crate) fn verify_first(
    source: &Arc<SourceFile>,
    args: &SearchArgs,
    limits: SearchLimits,
    task: &Task,
) -> Result<Verification, String> {
    let compilation = args.compile(source).map_err(in_flags)?;
    let Some(program) = &compilation.program else {
        return Err(diagnostics(source, &compilation.diagnostics));
    };
    let bounds = args.bounds.resolve(program).map_err(in_flags)?;
    let scene = compilation.scene(bounds).expect("it has a program");
    Request { args, detail: Detail::Short, limits, task }.search(&scene, limits)
}
