//! Many texts under one check: how far they got, and those that failed, which are kept as files.

use std::collections::BTreeMap;
use std::panic::catch_unwind;

use crate::documentation::root;
use crate::front_end::Stage;

/// Counts the stages that texts reach, and keeps those that fail.
pub struct Tally {
    extension: &'static str,
    holds: fn(&str) -> Result<Stage, String>,
    stages: BTreeMap<Stage, usize>,
    failures: Vec<String>,
}

impl Tally {
    /// No texts yet, how their names end, and what must hold of each.
    #[must_use]
    pub fn new(extension: &'static str, holds: fn(&str) -> Result<Stage, String>) -> Self {
        Self { extension, holds, stages: BTreeMap::new(), failures: Vec::new() }
    }

    /// Checks a text. One that fails is written to `tests/regressions/` under this name.
    ///
    /// # Panics
    /// If it cannot be written.
    pub fn take(&mut self, name: &str, text: &str) {
        let error = match catch_unwind(|| (self.holds)(text)) {
            Ok(Ok(stage)) => {
                *self.stages.entry(stage).or_default() += 1;
                return;
            }
            Ok(Err(error)) => error,
            Err(_) => "panic".to_owned(),
        };
        let folder = root().join("tests/regressions");
        std::fs::create_dir_all(&folder).expect("the folder can be made");
        let path = folder.join(format!("{name}.{}", self.extension));
        std::fs::write(&path, text).expect("the folder can be written");
        self.failures.push(format!("{}: {error}", path.display()));
    }

    /// How many texts got how far.
    ///
    /// # Panics
    /// If a text failed.
    pub fn finish(self) -> BTreeMap<Stage, usize> {
        println!("{:?}", self.stages);
        assert!(self.failures.is_empty(), "{}", self.failures.join("\n"));
        self.stages
    }
}
