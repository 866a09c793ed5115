//! `--save-trace`: which runs are saved, and where.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::properties::Answers;
use super::shown::Shown;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::{check_apart, check_target};
use crate::json;
use crate::trace::{FLAG, NewTrace, save};

impl Answers<'_> {
    /// Saves the run to show, if `--save-trace` is given.
    pub(super) fn save_the_one(
        &self,
        shown: Option<Shown<'_>>,
        console: &mut Console,
    ) -> Result<(), Failure> {
        let Some(target) = &self.args.save.save_trace else { return Ok(()) };
        match shown {
            Some(shown) => self.save(&shown, target, console).map(|_| ()),
            None => console
                .complain(&format!(
                    "no trace is saved to {}: the verdict has none\n",
                    map_doors::shown(target)
                ))
                .map_err(Failure::from),
        }
    }

    /// Saves a run; returns whether that succeeded.
    fn save(&self, shown: &Shown<'_>, target: &Path, console: &mut Console) -> Result<bool, Failure> {
        let saved = NewTrace {
            command: "verify",
            source: self.source(),
            program: self.program(),
            bounds: &self.found.scene.bounds,
            cast: &self.args.search.scene.agents,
            verdict: &shown.verdict,
            initial: &shown.evidence.replayed.initial,
            choices: shown.evidence.replayed.steps.iter().map(|step| json::choice(&step.step)).collect(),
            repeated_from: shown.evidence.repeated_from,
            values: Vec::new(),
        };
        save(saved, target, console)
    }

    /// Saves each run of one weather to a file of its own, if `--save-trace` is given; returns the names of the files.
    pub(super) fn save_all(
        &self,
        weather: &str,
        shown: Vec<(Option<String>, Shown<'_>)>,
        console: &mut Console,
    ) -> Result<Vec<String>, Failure> {
        let Some(target) = &self.args.save.save_trace else { return Ok(Vec::new()) };
        let mut saved = Vec::new();
        for (property, shown) in shown {
            let target = name(target, weather, property.as_deref());
            let apart = || {
                let junit = self.args.junit.iter().map(|junit| ("--junit", junit.as_path()));
                check_apart(&junit.chain([(FLAG, target.as_path())]).collect::<Vec<_>>())
            };
            if let Err(what) = check_target(FLAG, &target, &self.args.files).and_then(|()| apart()) {
                console.set_exit(Exit::Source);
                console.complain(&format!("error: {what}\n"))?;
            } else if self.save(&shown, &target, console)? {
                saved.push(map_doors::shown(&target));
            }
        }
        Ok(saved)
    }
}

/// `t.json` becomes `t.lossy-1.json` for termination and `t.lossy-1.single_winner.json` for a property.
fn name(target: &Path, weather: &str, property: Option<&str>) -> PathBuf {
    let weather = weather.replace([':', ' '], "-");
    let mut name = OsString::from(target.file_stem().unwrap_or_default());
    name.push(".");
    name.push(weather);
    for part in property.map(str::as_ref).into_iter().chain(target.extension()) {
        name.push(".");
        name.push(part);
    }
    target.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    #[test]
    fn each_weather_and_property_has_a_file() {
        let name = |target: &str, weather, property| super::name(Path::new(target), weather, property);
        assert_eq!(name("t.json", "lossy:1", None), Path::new("t.lossy-1.json"));
        assert_eq!(name("a.b/t", "timeouts any", Some("p")), Path::new("a.b/t.timeouts-any.p"));
        assert_eq!(name("t.x.json", "instant", Some("property-1")), Path::new("t.x.instant.property-1.json"));
    }
}
