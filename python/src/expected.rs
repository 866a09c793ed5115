//! The lines `//@ verify` of a text, as tests.

use std::sync::Arc;
use std::time::{Duration, Instant};

use map_diagnostics::{SourceFile, escaped};
use map_flags::{Expectation, Host, Outcome, SearchArgs, said};
use map_session::{Scene, SearchLimits};
use pyo3::prelude::*;

use crate::failure::internal;
use crate::task::{Task, Watch, work};
use crate::verify::limits;

/// The tests of a line: its number, and what it expects with each of its casts; or what is wrong with the line.
struct Tests {
    line: usize,
    expected: Result<Vec<Expectation>, String>,
}

/// The lines of a text that are tests: number, index among those of the line, and the text of the line.
#[pyfunction]
pub(crate) fn expectations(text: &str) -> Vec<(usize, usize, String)> {
    let all = read(text).into_iter().flat_map(|tests| match tests.expected {
        Ok(all) => {
            all.into_iter().enumerate().map(|(index, it)| (tests.line, index, it.text)).collect::<Vec<_>>()
        }
        Err(_) => vec![(tests.line, 0, String::new())],
    });
    all.collect()
}

/// What is not as one of these lines expects, in words; nothing if all is.
#[pyfunction]
pub(crate) fn unexpected(
    py: Python<'_>,
    name: &str,
    text: &str,
    line: usize,
    index: usize,
) -> PyResult<Option<String>> {
    let Some(tests) = read(text).into_iter().find(|tests| tests.line == line) else { return Ok(None) };
    let all = match tests.expected {
        Ok(all) => all,
        Err(why) => return Ok(Some(format!("{name}:{line}: {why}"))),
    };
    let Some(expectation) = all.into_iter().nth(index) else { return Ok(None) };
    let source = Arc::new(SourceFile::new(name, text));
    let judge = |task: &Task| expectation.judge(&source, &Alone { task, started: Instant::now() });
    let outcome = work(py, None, judge)?.map_err(|defect| internal(&defect))?;
    let told = |what: &str, lines: &[String]| {
        let lines: String = lines.iter().map(|line| format!("\n    {line}")).collect();
        Some(escaped(&format!("{name}:{line}: {}\n  {what}{lines}", expectation.text)).into_owned())
    };
    Ok(match outcome {
        Outcome::AsExpected(_) => None,
        Outcome::Differs { found, .. } => told("found:", &found),
        Outcome::Inconclusive { found, .. } => told("a limit was reached first; found:", &found),
        Outcome::Unusable(why) => told("not verified:", &why),
    })
}

/// The lines of a text. What stands below a line `verify` belongs to it.
fn read(text: &str) -> Vec<Tests> {
    let mut all: Vec<Tests> = Vec::new();
    for directive in said(text) {
        let words = directive.words;
        let (first, rest) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
        match first {
            "verify" => all.push(Tests { line: directive.number, expected: Expectation::read(rest) }),
            // Those are for `map` itself, at leisure.
            "large" => {}
            _ => {
                let Some(last) = all.last_mut() else { continue };
                let added = match &mut last.expected {
                    Ok(own) => own.iter_mut().try_for_each(|it| it.read_below(words)),
                    Err(_) => Ok(()),
                };
                if let Err(why) = added {
                    last.expected = Err(why);
                }
            }
        }
    }
    all
}

/// Verifies one test, for as long as it takes.
struct Alone<'a> {
    task: &'a Task,
    started: Instant,
}

impl Host for Alone<'_> {
    type Watch = Watch;

    fn next_limits(&self, args: &SearchArgs) -> SearchLimits {
        limits(args)
    }

    fn time_left(&self) -> Option<Duration> {
        // Advice is worth no more than this.
        Some(Duration::from_secs(60).saturating_sub(self.started.elapsed()))
    }

    fn watch(&self, _: &Scene, limits: &SearchLimits) -> Watch {
        self.task.watch(limits)
    }

    fn is_stopped(&self) -> bool {
        self.task.is_stopped()
    }
}
