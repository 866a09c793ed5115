//! The verdicts on a scene in every weather.

use std::sync::Arc;

use map_diagnostics::SourceFile;
use map_explain::Text;
use map_explain::verification::{Table, weathers_in_full, weathers_in_short};
use map_json::{VerifiedOutput, VerifyResult};
use map_session::{FaultSweep, WEATHERS};
use serde_json::json;

use crate::failure::{Answered, Failure};
use crate::flags::of_search;
use crate::limits::AskedLimits;
use crate::pictures::runs_of;
use crate::pieces::{Pieces, tone_word};
use crate::request::Detail;
use crate::verify::{Asking, SceneAnswer, line_of, tone};

/// # Errors
/// If the text has errors, or the flags are wrong.
pub(crate) fn weather(
    source: &Arc<SourceFile>,
    flags: &str,
    detail: Detail,
    limits: AskedLimits,
) -> Answered {
    let args = of_search(flags)?;
    let compilation = args.compile(source).map_err(Failure::flags)?;
    let Some(program) = &compilation.program else {
        return Err(Failure::diagnostics(source, &compilation.diagnostics));
    };
    let bounds = args.bounds.resolve(program).map_err(Failure::flags)?;
    let scene = compilation.scene(bounds).expect("it has a program");
    let asking = Asking::new(&args, detail, limits);
    let table = Table::new("weather", WEATHERS.iter().map(|weather| weather.name));
    let mut said = table.head(&scene);
    let mut sweep = FaultSweep { scene: scene.clone(), rows: Vec::new() };
    let mut rows = Vec::new();
    for (index, weather) in WEATHERS.iter().enumerate() {
        let found = asking.search(weather.name, &scene.under(weather), WEATHERS.len() - index)?;
        said.append(table.row(weather.name, &found, &[]));
        said.append(table.fewer_states(&found));
        rows.push(SceneAnswer {
            title: weather.name.to_owned(),
            tone: tone_word(tone(&found)),
            said: line_of(&found, &args.scene).into(),
            output: VerifyResult::Verified(Box::new(VerifiedOutput::new(&found, &args.scene.agents, &[]))),
            runs: Vec::new(),
        });
        sweep.rows.push((weather, found));
    }
    // Each run once, with the first of the weathers in which it goes wrong.
    for fall in sweep.falls() {
        let (_, found) = &sweep.rows[fall.rows[0]];
        if rows[fall.rows[0]].runs.is_empty() {
            rows[fall.rows[0]].runs = runs_of(found);
        }
    }
    let below: Text = match detail {
        Detail::Short => weathers_in_short(&sweep, "the runs are below"),
        Detail::Full => weathers_in_full(&sweep),
    };
    said.append(below);
    Ok(json!({ "said": Pieces::from(said), "rows": rows }))
}
