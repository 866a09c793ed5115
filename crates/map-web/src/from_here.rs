//! What holds of all runs that begin with the steps taken so far.

use std::sync::Arc;

use map_diagnostics::SourceFile;
use map_explain::verification::judged_in_short;
use map_explain::{Text, Tone};
use map_session::{
    Collect, Figures, PropertyAnswers, PropertySelection, PropertyState, Scene, Watch as _, compile,
};
use map_verify::PropertyVerdict;
use serde::Serialize;

use crate::failure::{Answered, Failure, json};
use crate::flags::of_search;
use crate::limits::AskedLimits;
use crate::pictures::{RunOutput, runs_of, runs_of_properties};
use crate::pieces::{Pieces, told, tone_word};
use crate::request::{Detail, Question};
use crate::step::{Place, later};
use crate::verify::{Asking, present, tone};
use crate::watch::Watch;

#[derive(Serialize)]
struct FromHereAnswer {
    /// `good`, `bad` or `doubtful`.
    tone: &'static str,
    said: Pieces,
    /// The runs that show something. They begin with the steps so far.
    runs: Vec<RunOutput>,
}

/// # Errors
/// If the text has errors, or flags, steps or question do not fit it.
pub(crate) fn from_here(
    source: &Arc<SourceFile>,
    flags: &str,
    place: &Place,
    question: &Question,
    detail: Detail,
    limits: AskedLimits,
) -> Answered {
    let args = of_search(flags)?;
    let options = args.scene.to_options().map_err(Failure::flags)?;
    // A name that no property has chooses none of the text's.
    let none = [String::new()];
    let one = |it: &String| [it.clone()];
    let (property, formula);
    let wanted = match question {
        Question::Ends => PropertySelection::Nothing,
        Question::Property(name) => {
            property = one(name);
            PropertySelection::Properties { only: &property, given: &[], collect: Collect::NOTHING }
        }
        Question::Formula(text) => {
            formula = one(text);
            PropertySelection::Properties { only: &none, given: &formula, collect: Collect::NOTHING }
        }
    };
    let compilation = compile(source, &options, wanted);
    let Some(program) = &compilation.program else {
        return Err(Failure::diagnostics(source, &compilation.diagnostics));
    };
    let bounds = args.bounds.resolve(program).map_err(Failure::flags)?;
    let scene = compilation.scene(bounds).expect("it has a program");
    if !matches!(question, Question::Ends) {
        can_be_judged(&scene)?;
    }
    let scene = later(&scene, place)?;
    let asking = Asking::new(&args, detail, limits);
    let answer = match question {
        Question::Ends => {
            let found = asking.search("", &scene, 1)?;
            let said = asking.said(&found, &args.scene, None);
            FromHereAnswer { tone: tone_word(tone(&found)), said: said.into(), runs: runs_of(&found) }
        }
        Question::Property(_) | Question::Formula(_) => {
            let limits = asking.share(1);
            let mut watch = Watch::new("", &limits);
            let found = args.question(limits).ask_properties(&scene, &mut watch)?;
            let took = watch.elapsed();
            let figures = Figures { searching: took, took, resumed: 0, peak_memory: memory_of(&found) };
            let said: Text =
                present(&scene, &args.scene, detail, |how| judged_in_short(&found, figures, how));
            let runs = runs_of_properties(&found);
            FromHereAnswer { tone: tone_word(tone_of(&found)), said: said.into(), runs }
        }
    };
    Ok(json(&answer))
}

/// # Errors
/// Why what is asked cannot be judged, if it cannot.
fn can_be_judged(scene: &Scene) -> Result<(), Failure> {
    match scene.properties.entries.first().map(|entry| &entry.state) {
        Some(PropertyState::Compiled(_)) => Ok(()),
        Some(PropertyState::Refused(formula, errors)) => {
            let about = formula.as_ref().unwrap_or(&scene.source);
            Err(Failure::text(told(about, errors)))
        }
        Some(PropertyState::OfOtherScene) => {
            Err(Failure::text("it speaks of what only another scene of the text has"))
        }
        None => Err(Failure::text("the text has no property of this name")),
    }
}

fn memory_of(found: &PropertyAnswers) -> u64 {
    found.report.as_ref().map_or(0, |report| report.statistics.memory as u64)
}

fn tone_of(found: &PropertyAnswers) -> Tone {
    let judged = found.report.iter().flat_map(|report| &report.properties).next();
    match judged.map(|judged| (judged.verdict, judged.possible)) {
        Some((PropertyVerdict::Holds, false)) => Tone::Good,
        Some((PropertyVerdict::Violated, _)) => Tone::Bad,
        _ => Tone::Doubtful,
    }
}
