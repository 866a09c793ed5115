//! The answer to a verification, as Python holds it.

use map_explain::verification::{Offers, Presentation, in_full, in_short};
use map_flags::SceneArgs;
use map_render::chart::evidence::of_evidence;
use map_render::chart::shown::{Drawing, When};
use map_session::{CostAnswer, Evidence, Verification, stuck_agents, warnings};
use map_verify::{PropertyVerdict, ViolationKind};
use pyo3::exceptions::PyLookupError;
use pyo3::prelude::*;

use crate::charts::{WIDTH, chart};

/// The ways to learn more that Python has.
const OFFERS: Offers = Offers {
    run: "`answer.chart()` draws it, `answer.text(full=True)` says everything",
    run_of_property: "`answer.chart(NAME)` draws it",
    everything: "answer.text(full=True)",
    never: "answer.unused",
    every_step: "answer.text(full=True)",
    warnings: "protocol.check()",
    fairness: None,
};

/// What was found: as JSON, in words, and as pictures.
#[pyclass(frozen, module = "maplang._native")]
pub(crate) struct Found {
    /// As `map verify --format json` prints it.
    #[pyo3(get)]
    pub(crate) json: String,
    /// Whether everything is well: what exit code 0 means.
    #[pyo3(get)]
    pub(crate) well: bool,
    /// In words, if they are not to be made of the verification: short, and in full.
    pub(crate) words: Option<(String, String)>,
    /// The search whose runs can be drawn; none of a proof that found nothing wrong.
    pub(crate) verification: Option<Verification>,
    pub(crate) args: SceneArgs,
}

#[pymethods]
impl Found {
    /// In words.
    fn text(&self, full: bool) -> String {
        let mut text = match &self.words {
            Some((short, whole)) => if full { whole } else { short }.clone(),
            None => String::new(),
        };
        if let Some(found) = &self.verification {
            let told = present(found, &self.args, full);
            text.push_str(&told);
        }
        text
    }

    /// The run that shows something, of a property if one is named: drawn in a language; none if there is no such run.
    fn chart(&self, language: &str, property: Option<&str>) -> PyResult<Option<String>> {
        let Some(found) = &self.verification else { return Ok(None) };
        let run = match property {
            Some(name) => of_property(found, name)?,
            None => {
                let violated = found.properties.violated().map(|it| it.evidence).next();
                found.evidence().or(violated).or_else(|| found.unfair_run())
            }
        };
        let Some(run) = run else { return Ok(None) };
        let program = &found.scene.program;
        let deadlock = found.violation().filter(|it| it.kind == ViolationKind::Deadlock);
        let waits = deadlock.is_some() && property.is_none();
        let stuck = if waits { stuck_agents(program, run.replayed) } else { Vec::new() };
        chart(&of_evidence(program, run, &stuck), language).map(Some)
    }

    /// The run that costs most in a unit, drawn in a language; none if there is none.
    fn chart_of_cost(&self, language: &str, name: &str) -> PyResult<Option<String>> {
        let Some(found) = &self.verification else { return Ok(None) };
        let answers = found.costs.iter().flat_map(|answers| &answers.costs);
        let run = answers.filter(|it| it.bounds.name == name).find_map(CostAnswer::evidence);
        run.map(|run| chart(&of_evidence(&found.scene.program, run, &[]), language)).transpose()
    }
}

fn of_property<'a>(found: &'a Verification, name: &str) -> PyResult<Option<Evidence<'a>>> {
    if found.properties.iter().all(|(entry, _)| entry.name != name) {
        return Err(PyLookupError::new_err(format!("no property {name:?} was judged")));
    }
    let shown = found.properties.iter().find_map(|(entry, answer)| match answer {
        map_session::PropertyAnswer::Judged(judged, Some(replayed)) if entry.name == name => {
            let repeated_from = match judged.verdict {
                PropertyVerdict::Violated => judged.repeated_from(replayed),
                _ => None,
            };
            Some(Evidence { replayed, repeated_from })
        }
        _ => None,
    });
    Ok(shown)
}

fn present(found: &Verification, args: &SceneArgs, full: bool) -> String {
    let how = Presentation {
        drawing: Drawing { when: When::Auto, full, width: WIDTH },
        width: None,
        lines: &|text| text.to_string().lines().count(),
        denied: &[],
        advice: None,
        offers: &OFFERS,
        warnings: &|| {
            let options = args.to_options();
            options.map_or_else(|_| Vec::new(), |options| warnings(&found.scene.source, &options))
        },
    };
    if full { in_full(found, &how) } else { in_short(found, &how) }.to_string()
}
