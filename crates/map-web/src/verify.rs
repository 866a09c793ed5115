//! The verdicts on the scenes of a text, with one cast, several, or any number of agents of a role.

use std::sync::Arc;
use std::time::{Duration, Instant};

use map_diagnostics::SourceFile;
use map_explain::any::{self, AnyPresentation};
use map_explain::verification::{Offers, Presentation, in_full, in_line, in_short, is_well};
use map_explain::{Text, Tone};
use map_flags::{Any, Host, SceneArgs, SceneOfText, SearchArgs, Unsearchable};
use map_json::{AnyOutput, RejectedOutput, VerifiedOutput, VerifyResult};
use map_render::chart::shown::{Drawing, When};
use map_session::{Scene, SearchLimits, TimeLimit, Verification, warnings};
use map_verify::InternalError;
use serde::Serialize;

use crate::failure::{Answered, Failure, json};
use crate::flags::of_search;
use crate::limits::AskedLimits;
use crate::pictures::{RunOutput, runs_of};
use crate::pieces::{Pieces, told, tone_word};
use crate::request::Detail;
use crate::watch::Watch;

/// The columns of charts within texts.
const WIDTH: usize = 100;

/// The ways to learn more that the page has.
const OFFERS: Offers = Offers {
    run: "the chart shows it, \"Go through it\" takes it step by step, \"everything\" says all",
    run_of_property: "\"everything\" says all",
    everything: "\"everything\"",
    never: "\"everything\"",
    every_step: "\"everything\"",
    warnings: "the tab Check",
    fairness: None,
};

/// What is found in a text.
#[derive(Default, Serialize)]
struct VerifyAnswer {
    scenes: Vec<SceneAnswer>,
}

/// What is found in a scene with one cast, or in a text with errors.
#[derive(Serialize)]
pub(crate) struct SceneAnswer {
    /// The scene or the cast, if there are several.
    pub(crate) title: String,
    /// `good`, `bad` or `doubtful`.
    pub(crate) tone: &'static str,
    pub(crate) said: Pieces,
    /// As `map verify --format json` has it.
    pub(crate) output: VerifyResult,
    /// The runs that show something.
    pub(crate) runs: Vec<RunOutput>,
}

/// # Errors
/// Why nothing is verified.
pub(crate) fn verify(source: &Arc<SourceFile>, flags: &str, detail: Detail, limits: AskedLimits) -> Answered {
    let args = of_search(flags)?;
    let asking = Asking::new(&args, detail, limits);
    let scenes = args.searchable(source).map_err(|why| match why {
        Unsearchable::Flags(what) => Failure::flags(what),
        Unsearchable::Formulas(refused) => {
            Failure::flags(refused.iter().map(|(formula, errors)| told(formula, errors)).collect::<String>())
        }
    })?;
    let mut answer = VerifyAnswer::default();
    for (index, scene) in scenes.iter().enumerate() {
        asking.about(scene, scenes.len() - index, &mut answer.scenes)?;
    }
    Ok(json(&answer))
}

/// What is asked, and since when.
pub(crate) struct Asking<'a> {
    args: &'a SearchArgs,
    detail: Detail,
    limits: SearchLimits,
    started: Instant,
}

impl Host for Asking<'_> {
    type Watch = Watch;

    fn next_limits(&self, _: &SearchArgs) -> SearchLimits {
        self.share(1)
    }

    fn time_left(&self) -> Option<Duration> {
        self.limits.time.map(|time| time.whole.saturating_sub(self.started.elapsed()))
    }

    fn watch(&self, _: &Scene, limits: &SearchLimits) -> Watch {
        Watch::new("", limits)
    }

    fn is_stopped(&self) -> bool {
        false
    }
}

impl<'a> Asking<'a> {
    pub(crate) fn new(args: &'a SearchArgs, detail: Detail, limits: AskedLimits) -> Self {
        Self { args, detail, limits: limits.of_search(&args.limits), started: Instant::now() }
    }

    /// The limits of a search, of which so many are to come, this one included: they share what is left of the time.
    pub(crate) fn share(&self, to_come: usize) -> SearchLimits {
        let left = self.time_left();
        let share = |time: TimeLimit| {
            let searches = u32::try_from(to_come.max(1)).unwrap_or(u32::MAX);
            TimeLimit { search: left.unwrap_or(time.whole) / searches, is_shared: to_come > 1, ..time }
        };
        SearchLimits { time: self.limits.time.map(share), ..self.limits }
    }

    pub(crate) fn search(
        &self,
        about: &str,
        scene: &Scene,
        to_come: usize,
    ) -> Result<Verification, InternalError> {
        let limits = self.share(to_come);
        self.args.question(limits).ask(scene, &mut Watch::new(about, &limits))
    }

    fn about(
        &self,
        of_text: &SceneOfText,
        to_come: usize,
        out: &mut Vec<SceneAnswer>,
    ) -> Result<(), Failure> {
        let compilation = &of_text.compilation;
        let source = &compilation.source;
        let Some(program) = &compilation.program else {
            let output = RejectedOutput::new("verify", source, &compilation.diagnostics);
            out.push(SceneAnswer {
                title: String::new(),
                tone: tone_word(Tone::Bad),
                said: Text::plain(told(source, &compilation.diagnostics)).into(),
                output: VerifyResult::Rejected(output),
                runs: Vec::new(),
            });
            return Ok(());
        };
        let bounds = of_text.args.bounds.resolve(program).map_err(Failure::flags)?;
        let roles = of_text.args.scene.any_in(source).map_err(Failure::flags)?;
        if roles.is_empty() {
            let scene = compilation.scene(bounds).expect("it has a program");
            let title = of_text.cast.as_ref().map_or(&program.scene, |cast| &cast.name);
            let found = self.search(title, &scene, to_come)?;
            out.push(self.verified(title, &found, of_text)?);
            return Ok(());
        }
        for (index, any) in roles.iter().enumerate() {
            self.any(of_text, any, &roles, to_come + roles.len() - 1 - index, out)?;
        }
        Ok(())
    }

    fn verified(
        &self,
        title: &str,
        found: &Verification,
        of_text: &SceneOfText,
    ) -> Result<SceneAnswer, Failure> {
        let args = &of_text.args;
        let tried = args.tried(found, true, self)?;
        let said = self.said(found, &args.scene, tried.as_deref());
        Ok(SceneAnswer {
            title: title.to_owned(),
            tone: tone_word(tone(found)),
            said: said.into(),
            output: VerifyResult::Verified(Box::new(VerifiedOutput::new(found, &args.scene.agents, &[]))),
            runs: runs_of(found),
        })
    }

    pub(crate) fn said(&self, found: &Verification, scene: &SceneArgs, advice: Option<&str>) -> Text {
        present(&found.scene, scene, self.detail, |how| match self.detail {
            Detail::Short => in_short(found, &Presentation { advice, ..*how }),
            Detail::Full => in_full(found, how),
        })
    }

    fn any(
        &self,
        of_text: &SceneOfText,
        any: &Any,
        roles: &[Any],
        to_come: usize,
        out: &mut Vec<SceneAnswer>,
    ) -> Result<(), Failure> {
        let source = &of_text.compilation.source;
        let args = of_text.args.about_any(any);
        let compilation = args.compile_any(source, any);
        let Some(program) = &compilation.program else {
            return Err(Failure::diagnostics(source, &compilation.diagnostics));
        };
        let bounds = args.bounds.resolve(program).map_err(Failure::flags)?;
        let scene = compilation.scene(bounds.clone()).expect("it has a program");
        let limits = self.share(to_come);
        let title = format!("any number of %{}", any.role);
        let found = args.any_number(source, any, limits).ask(&scene, &mut Watch::new(&title, &limits))?;
        let others: Vec<&str> = roles.iter().filter(|it| *it != any).map(|it| it.role.as_str()).collect();
        let how = AnyPresentation { others: &others, denies_fairness: false, interrupted: false };
        let mut said = match self.detail {
            Detail::Short => any::in_short(&found, how),
            Detail::Full => any::in_full(&found, how),
        };
        let (mut violation, mut runs) = (None, Vec::new());
        if let Some((count, of_property)) = found.violated() {
            // The number of agents with which something is wrong is verified again: that replays and shows the run.
            let counted = args.counting(count, of_property);
            let compilation = counted.compile(source).map_err(Failure::flags)?;
            if let Some(scene) = compilation.scene(bounds) {
                let verified = self.search(&title, &scene, to_come)?;
                said.append(self.said(&verified, &counted.scene, None));
                runs = runs_of(&verified);
                violation = Some(Box::new(VerifiedOutput::new(&verified, &counted.scene.agents, &[])));
            }
        }
        out.push(SceneAnswer {
            tone: tone_word(any::tone(&found, how)),
            title,
            said: said.into(),
            output: VerifyResult::Any(Box::new(AnyOutput {
                violation,
                ..AnyOutput::new(&found, how, &args.scene.agents)
            })),
            runs,
        });
        Ok(())
    }
}

/// Whether all is well.
pub(crate) fn tone(found: &Verification) -> Tone {
    let of_verdict = map_explain::verification::tone(found);
    if is_well(found, &[]) {
        return Tone::Good;
    }
    match of_verdict {
        Tone::Good if found.properties.violated().next().is_some() => Tone::Bad,
        Tone::Good => Tone::Doubtful,
        other => other,
    }
}

/// One line about a verification.
pub(crate) fn line_of(found: &Verification, scene: &SceneArgs) -> Text {
    present(&found.scene, scene, Detail::Short, |how| in_line(found, how))
}

/// Presents an answer in the terms of the page.
pub(crate) fn present<T>(
    scene: &Scene,
    args: &SceneArgs,
    detail: Detail,
    present: impl FnOnce(&Presentation<'_>) -> T,
) -> T {
    present(&Presentation {
        // The page has the chart as a picture.
        drawing: Drawing { when: When::Never, full: detail == Detail::Full, width: WIDTH },
        width: None,
        lines: &|text| text.to_string().lines().count(),
        denied: &[],
        advice: None,
        offers: &OFFERS,
        warnings: &|| {
            let options = args.to_options();
            options.map_or_else(|_| Vec::new(), |options| warnings(&scene.source, &options))
        },
    })
}
