//! The stored results of the study.

use std::path::Path;

use serde::{Deserialize, Serialize};

/// All results.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Results {
    pub(crate) conditions: Conditions,
    pub(crate) sweeps: Vec<Sweep>,
}

/// The conditions of the measurement.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Conditions {
    /// The processor, its cores, and the memory.
    pub(crate) machine: String,
    /// The day of the last measurement.
    pub(crate) date: String,
    /// The commit measured.
    pub(crate) commit: String,
    pub(crate) map: String,
    pub(crate) spin: String,
    pub(crate) compiler: String,
    /// The limits of one search.
    pub(crate) seconds: u32,
    pub(crate) mebibytes: u32,
}

/// The curves of one sweep.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Sweep {
    pub(crate) name: String,
    pub(crate) curves: Vec<Curve>,
}

#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Curve {
    pub(crate) name: String,
    pub(crate) points: Vec<Point>,
    /// The point that exceeded a limit; `None` if the curve is complete.
    pub(crate) stopped: Option<Stop>,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct Point {
    pub(crate) bidders: u32,
    pub(crate) bids: u32,
    pub(crate) verdict: String,
    pub(crate) states: u64,
    pub(crate) transitions: u64,
    /// User and system time of the search; for SPIN, without compiling its verifier.
    pub(crate) cpu_seconds: f64,
    /// The peak memory of the process.
    pub(crate) memory_bytes: u64,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct Stop {
    pub(crate) bidders: u32,
    pub(crate) bids: u32,
    pub(crate) why: String,
}

impl Results {
    pub(crate) fn sweep(&self, name: &str) -> Option<&Sweep> {
        self.sweeps.iter().find(|sweep| sweep.name == name)
    }

    /// Adds a curve to a sweep, replacing an older one of the same name.
    pub(crate) fn put(&mut self, sweep: &str, curve: Curve) {
        let index = self.sweeps.iter().position(|it| it.name == sweep).unwrap_or_else(|| {
            self.sweeps.push(Sweep { name: sweep.to_owned(), curves: Vec::new() });
            self.sweeps.len() - 1
        });
        let curves = &mut self.sweeps[index].curves;
        match curves.iter_mut().find(|it| it.name == curve.name) {
            Some(older) => *older = curve,
            None => curves.push(curve),
        }
    }
}

/// Reads results; an error says what is wrong with the file.
pub(crate) fn read(path: &Path) -> Result<Results, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))
}

pub(crate) fn write(path: &Path, results: &Results) -> Result<(), String> {
    let text = serde_json::to_string_pretty(results).map_err(|error| error.to_string())?;
    let folder = path.parent().unwrap_or(path);
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    std::fs::write(path, text + "\n").map_err(|error| format!("{}: {error}", path.display()))
}
