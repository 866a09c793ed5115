//! What is collected of many runs: a column of numbers for each thing.

use map_ir::{PerformativeId, Program, Value};
use map_semantics::Action;
use map_session::{PlayedRun, Scene};
use map_simulate::{EndWord, SimulatedStep};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};

use crate::failure::{misused, rejected};

/// What a column holds.
#[derive(Clone, Debug)]
enum Wanted {
    Seed,
    Steps,
    Verdict,
    Messages,
    Decisions,
    /// Whether the run violates this property, by its index.
    Violated(usize),
    /// How many messages with this performative were sent.
    Sent(PerformativeId),
    /// An argument of the last message with this performative, if it is an integer.
    Last(PerformativeId, usize),
    /// What `map run --collect` collects, by its index, if it is an integer.
    Measure(usize),
}

/// The columns that are wanted.
#[derive(Clone, Debug)]
pub(crate) struct Collector {
    columns: Vec<(String, Wanted)>,
}

/// The columns that there are, for advice.
const KNOWN: &str = "seed, steps, verdict, messages, decisions, violated:PROPERTY, sent:PERFORMATIVE, \
                     last:PERFORMATIVE.ARGUMENT (from 0), a cost or measure of the text, and expressions and events such as \
                     \"!Auctioneer sends bid($price) to _\"";

/// Names of columns, sorted by who knows what they mean.
pub(crate) struct Names {
    /// Those of this module.
    own: Vec<String>,
    /// Others, which scenes are asked to collect.
    pub(crate) measures: Vec<String>,
}

impl Names {
    pub(crate) fn new(names: Vec<String>) -> Self {
        let is_own = |name: &String| match name.split_once(':') {
            None => matches!(name.as_str(), "seed" | "steps" | "verdict" | "messages" | "decisions"),
            Some((kind, _)) => matches!(kind, "violated" | "sent" | "last"),
        };
        let (own, measures) = names.into_iter().partition(is_own);
        Self { own, measures }
    }
}

impl Collector {
    /// The columns of names; the scene was compiled with their measures.
    ///
    /// # Errors
    /// If there is no such column.
    pub(crate) fn new(py: Python<'_>, scene: &Scene, names: Names) -> PyResult<Self> {
        let measures = &scene.properties.measures;
        if let Some((text, diagnostics)) = measures.refused.first() {
            let is_word = text.text().chars().all(|sign| sign.is_alphanumeric() || sign == '_');
            return Err(match is_word {
                true => misused(py, &format!("collect {:?}: there are: {KNOWN}", text.text())),
                false => rejected(py, text, diagnostics),
            });
        }
        let read = |name: String| {
            let wanted = wanted(&scene.program, &scene.properties.compiled, &name);
            Ok((name, wanted.map_err(|what| misused(py, &what))?))
        };
        let mut columns = names.own.into_iter().map(read).collect::<PyResult<Vec<_>>>()?;
        let list = measures.compiled.list.iter().enumerate();
        columns.extend(list.map(|(index, measure)| (measure.name.clone(), Wanted::Measure(index))));
        Ok(Self { columns })
    }
}

fn wanted(program: &Program, properties: &map_ir::Properties, name: &str) -> Result<Wanted, String> {
    let performative = |its: &str| {
        let at = program.performatives.iter().position(|it| it.name == its);
        at.map(PerformativeId::new).ok_or_else(|| format!("collect {name:?}: there is no message {its:?}"))
    };
    Ok(match name.split_once(':') {
        None => match name {
            "seed" => Wanted::Seed,
            "steps" => Wanted::Steps,
            "verdict" => Wanted::Verdict,
            "messages" => Wanted::Messages,
            _ => Wanted::Decisions,
        },
        Some(("violated", its)) => {
            let at = properties.list.iter().position(|it| it.name == its);
            Wanted::Violated(at.ok_or_else(|| format!("collect {name:?}: there is no property {its:?}"))?)
        }
        Some(("sent", its)) => Wanted::Sent(performative(its)?),
        Some((_, its)) => {
            let (its, argument) = its.rsplit_once('.').unwrap_or((its, "0"));
            let argument =
                argument.parse().map_err(|_| format!("collect {name:?}: {argument:?} is no number"))?;
            let id = performative(its)?;
            let arity = program.performative(id).arity;
            if argument >= arity {
                return Err(format!("collect {name:?}: {its} has {arity} arguments"));
            }
            Wanted::Last(id, argument)
        }
    })
}

/// What is counted during a run.
pub(crate) struct RunTally {
    messages: i64,
    /// By column: what is counted, or the last value.
    counts: Vec<i64>,
}

/// What stands for no integer in a column.
const MISSING: i64 = i64::MIN;

impl RunTally {
    pub(crate) fn new(collector: &Collector) -> Self {
        let zero = |(_, wanted): &(String, Wanted)| match wanted {
            Wanted::Last(..) => MISSING,
            _ => 0,
        };
        Self { messages: 0, counts: collector.columns.iter().map(zero).collect() }
    }

    pub(crate) fn see(&mut self, collector: &Collector, seen: &SimulatedStep<'_>) {
        let Some(Action::Send { message, to, .. }) = &seen.observed.outcome.action else { return };
        let copies = to.len() as i64;
        self.messages += copies;
        for ((_, wanted), count) in collector.columns.iter().zip(&mut self.counts) {
            match *wanted {
                Wanted::Sent(performative) if performative == message.performative => *count += copies,
                Wanted::Last(performative, argument) if performative == message.performative => {
                    *count = match message.arguments.get(argument) {
                        Some(&Value::Integer(number)) => number,
                        _ => MISSING,
                    };
                }
                _ => {}
            }
        }
    }
}

/// The columns so far, and the numbers of their runs.
pub(crate) struct Columns {
    runs: Vec<u64>,
    columns: Vec<Vec<i64>>,
}

impl Columns {
    pub(crate) fn new(collector: &Collector, runs: u64) -> Self {
        let room = usize::try_from(runs.min(1 << 20)).unwrap_or(0);
        Self {
            runs: Vec::with_capacity(room),
            columns: collector.columns.iter().map(|_| Vec::with_capacity(room)).collect(),
        }
    }

    pub(crate) fn add(
        &mut self,
        collector: &Collector,
        number: u64,
        played: &PlayedRun,
        tally: &RunTally,
        decided: u64,
    ) {
        self.runs.push(number);
        let end = EndWord::of(&played.run);
        for (index, (_, wanted)) in collector.columns.iter().enumerate() {
            self.columns[index].push(match *wanted {
                Wanted::Seed => played.options.seed as i64,
                Wanted::Steps => played.run.steps as i64,
                Wanted::Verdict => EndWord::ALL.iter().position(|&it| it == end).unwrap_or(0) as i64,
                Wanted::Messages => tally.messages,
                Wanted::Decisions => decided as i64,
                Wanted::Violated(property) => i64::from(played.violated.contains(&property)),
                Wanted::Sent(_) | Wanted::Last(..) => tally.counts[index],
                Wanted::Measure(measure) => match played.collected.get(measure) {
                    Some(&Some(Value::Integer(number))) => number,
                    _ => MISSING,
                },
            });
        }
    }

    pub(crate) fn append(&mut self, mut others: Self) {
        self.runs.append(&mut others.runs);
        for (ours, theirs) in self.columns.iter_mut().zip(&mut others.columns) {
            ours.append(theirs);
        }
    }

    /// In the order of the runs, whichever thread played them.
    pub(crate) fn sorted(self) -> Self {
        let mut order: Vec<usize> = (0..self.runs.len()).collect();
        order.sort_unstable_by_key(|&at| self.runs[at]);
        let sorted = |column: &Vec<i64>| order.iter().map(|&at| column[at]).collect();
        Self {
            runs: order.iter().map(|&at| self.runs[at]).collect(),
            columns: self.columns.iter().map(sorted).collect(),
        }
    }

    /// As bytes for `array.array`, each with its type code; the words of verdicts; and what stands for no integer.
    pub(crate) fn into_python<'py>(
        self,
        py: Python<'py>,
        collector: &Collector,
    ) -> PyResult<(Bound<'py, PyDict>, Bound<'py, PyList>, i64)> {
        let columns = PyDict::new(py);
        for ((name, wanted), column) in collector.columns.iter().zip(&self.columns) {
            let (code, bytes): (&str, Vec<u8>) = match wanted {
                Wanted::Seed => ("Q", column.iter().flat_map(|&it| (it as u64).to_ne_bytes()).collect()),
                Wanted::Verdict | Wanted::Violated(_) => ("b", column.iter().map(|&it| it as u8).collect()),
                _ => ("q", column.iter().flat_map(|it| it.to_ne_bytes()).collect()),
            };
            columns.set_item(name, (code, PyBytes::new(py, &bytes)))?;
        }
        let words = EndWord::ALL.iter().map(|it| it.word());
        Ok((columns, PyList::new(py, words)?, MISSING))
    }
}
