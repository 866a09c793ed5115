//! A guard in this process. Requests and answers are those of `map guard --stdio`, as JSON.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use map_conform::{MAX_HYPOTHESES, Roles, Scene, Settings};
use map_diagnostics::SourceFile;
use map_guard::{Config, Guard as Guards, OnUnsure, Rules};
use map_ir::Program;
use map_json::GuardTeller;
use map_json::guard::GuardRequest;
use map_json::guard_requests::{Outcome, perform};
use pyo3::prelude::*;

use crate::failure::misused;

/// Stands between the agents of conversations.
#[pyclass(frozen, module = "maplang._native")]
pub(crate) struct Guard {
    source: Arc<SourceFile>,
    /// One thread at a time uses it.
    guard: Mutex<Kept>,
}

struct Kept {
    guard: Guards,
    /// What nobody has taken notice of yet, as JSON.
    events: VecDeque<String>,
    /// What a journal would have, as JSON; kept only if somebody wants it.
    journal: Option<Vec<String>>,
}

impl Guard {
    /// A guard with a configuration as TOML, as that of `map guard --config`.
    ///
    /// # Errors
    /// What is wrong with the configuration.
    pub(crate) fn new(
        py: Python<'_>,
        source: Arc<SourceFile>,
        program: &Arc<Program>,
        config: &str,
        accepts_unsure: bool,
        keeps_journal: bool,
    ) -> PyResult<Self> {
        let wrong = |error: map_guard::ConfigError| {
            let line = config[..error.span.start.min(config.len())].matches('\n').count() + 1;
            let help = error.help.map(|help| format!("; {help}")).unwrap_or_default();
            misused(py, &format!("config: line {line}: {}{help}", error.text))
        };
        let read = Config::parse(config).map_err(wrong)?;
        let line = |point| source.position(program.point(point).span.start).line;
        let mut policy = read.policy(program, source.name(), &line).map_err(wrong)?;
        policy.on_unsure = if accepts_unsure { OnUnsure::Accept } else { OnUnsure::Refuse };
        let settings = Settings { limit: MAX_HYPOTHESES, ..Settings::default() };
        let scene = Arc::new(Scene::new(Arc::clone(program), settings));
        let guard = Guards::new(Rules::new(scene, Roles::new(program).with_cast(read.cast()), policy));
        let kept = Kept { guard, events: VecDeque::new(), journal: keeps_journal.then(Vec::new) };
        Ok(Self { source, guard: Mutex::new(kept) })
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.guard.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Guard {
    /// Does what a request asks for, at a moment in nanoseconds since 1970. Returns the answer, or nothing if the
    /// request is to wait.
    fn request(&self, py: Python<'_>, now: u64, line: &str) -> PyResult<Option<String>> {
        let request: GuardRequest =
            serde_json::from_str(line).map_err(|error| misused(py, &error.to_string()))?;
        Ok(py.detach(|| {
            let mut kept = self.kept();
            let outcome = perform(&self.source, &mut kept.guard, now, request);
            kept.note(&self.source);
            match outcome {
                Outcome::Answer(answer) => serde_json::to_string(&answer).ok(),
                Outcome::Waits(_) => None,
            }
        }))
    }

    /// Lets happen what is due by a moment; returns the moment of what is due next, if that is known.
    fn advance(&self, py: Python<'_>, now: u64) -> Option<u64> {
        py.detach(|| {
            let mut kept = self.kept();
            kept.guard.advance(now);
            kept.note(&self.source);
            kept.guard.next_due()
        })
    }

    /// What became known by itself since this was last asked.
    fn events(&self, py: Python<'_>) -> Vec<String> {
        py.detach(|| self.kept().events.drain(..).collect())
    }

    /// The records of a journal since this was last asked.
    fn journal(&self, py: Python<'_>) -> Vec<String> {
        py.detach(|| self.kept().journal.as_mut().map(std::mem::take).unwrap_or_default())
    }
}

/// The most events that wait for somebody who takes notice.
const MAX_EVENTS: usize = 10_000;

impl Kept {
    fn note(&mut self, source: &SourceFile) {
        let records = self.guard.take_records();
        if let Some(journal) = &mut self.journal {
            journal.extend(records.iter().filter_map(|record| serde_json::to_string(record).ok()));
        }
        while let Some(notice) = self.guard.next_notice() {
            let Some(event) = GuardTeller::new(source, self.guard.rules()).event(&notice) else { continue };
            if let Ok(event) = serde_json::to_string(&event) {
                self.events.push_back(event);
            }
            if self.events.len() > MAX_EVENTS {
                self.events.pop_front();
            }
        }
    }
}
