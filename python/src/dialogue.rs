//! A text with a cast, of which Python asks everything.

use std::sync::Arc;

use map_diagnostics::SourceFile;
use map_session::{Compilation, NoGraph, PropertySelection, StateGraph, compile};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::charts::{graphs, role_graphs};
use crate::checked::{Asked, Parts};
use crate::collected::{Collector, Names};
use crate::conform::{How, Monitor};
use crate::deciders::Table;
use crate::failure::{as_json, misused, rejected, shown};
use crate::guard::Guard;
use crate::runs::Played;
use crate::verified::Found;
use crate::{checked, conform, flags, runs, verify};

/// A text that has no errors, with a cast.
#[pyclass(frozen, module = "maplang._native")]
pub(crate) struct Dialogue {
    pub(crate) source: Arc<SourceFile>,
    compilation: Compilation,
}

#[pymethods]
impl Dialogue {
    #[new]
    fn new(py: Python<'_>, name: &str, text: &str, words: Vec<String>) -> PyResult<Self> {
        let source = Arc::new(SourceFile::new(name, text));
        let options = flags::of_scene(py, &words)?.with_least(1);
        let compilation = py.detach(|| compile(&source, &options, PropertySelection::ALL));
        if compilation.program.is_none() {
            return Err(rejected(py, &source, &compilation.diagnostics));
        }
        Ok(Self { source, compilation })
    }

    /// What can be said of the text: as it is printed, and as JSON.
    fn check(&self, py: Python<'_>, words: Vec<String>) -> PyResult<(String, String)> {
        let options = flags::of_scene(py, &words)?.with_least(1);
        let found = py.detach(|| {
            let parsed = map_syntax::parse(&self.source);
            map_compile::examine(&self.source, &parsed, &options)
        });
        Ok((shown(&self.source, &found), as_json(&self.source, &found)))
    }

    /// What it consists of.
    fn parts(&self, py: Python<'_>) -> PyResult<Parts> {
        Ok(checked::parts(self.program(py)?))
    }

    /// Verifies it.
    #[pyo3(signature = (words, progress=None))]
    fn verify(
        &self,
        py: Python<'_>,
        words: Vec<String>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Found> {
        verify::verify(py, &self.source, &flags::of_search(py, &words)?, progress)
    }

    /// The procedures that the agents of each role ask, as indices into those of [`Self::parts`].
    fn asked(&self, py: Python<'_>, words: Vec<String>) -> PyResult<(Parts, Asked)> {
        let program = self.with_cast(py, &words)?;
        Ok((checked::parts(&program), checked::asked(&program)))
    }

    /// Plays a run. `table` has the functions that decide, by agent and procedure.
    fn run(&self, py: Python<'_>, words: Vec<String>, seed: u64, table: Table) -> PyResult<Played> {
        let flags = flags::of_run(py, &words)?;
        let (scene, options) = runs::scene(py, &self.source, &flags, seed, &[])?;
        runs::one(py, &scene, options, &flags, &table)
    }

    /// Plays many runs; returns columns, the words of verdicts, and what stands for no integer.
    #[pyo3(signature = (words, seed, count, table, collect, threads, progress=None))]
    #[expect(clippy::too_many_arguments, reason = "Python names them")]
    fn runs<'py>(
        &self,
        py: Python<'py>,
        words: Vec<String>,
        seed: u64,
        count: u64,
        table: Table,
        collect: Vec<String>,
        threads: usize,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyDict>, Bound<'py, PyList>, i64)> {
        let flags = flags::of_run(py, &words)?;
        let names = Names::new(collect);
        let (scene, options) = runs::scene(py, &self.source, &flags, seed, &names.measures)?;
        let collector = Collector::new(py, &scene, names)?;
        let columns = if table.iter().flatten().any(Option::is_some) {
            runs::many_decided(py, &scene, &options, count, &table, &collector, progress)?
        } else {
            runs::many(py, &scene, &options, count, threads, &collector)?
        };
        columns.into_python(py, &collector)
    }

    /// Judges a log: JSON, words, and whether all is well.
    #[pyo3(signature = (words, log, arrivals, only, ignores_unknown, max_conversations, complete, losses))]
    #[expect(clippy::too_many_arguments, reason = "Python names them")]
    fn conform(
        &self,
        py: Python<'_>,
        words: Vec<String>,
        log: &str,
        arrivals: Option<&str>,
        only: Option<String>,
        ignores_unknown: bool,
        max_conversations: usize,
        complete: bool,
        losses: u32,
    ) -> PyResult<(String, String, bool)> {
        let how = How::read(py, arrivals, only, ignores_unknown, max_conversations, complete, losses)?;
        let program = self.with_cast(py, &words)?;
        let conform::Conformance { json, text, well } =
            conform::whole(py, &self.source, &program, log, &how)?;
        Ok((json, text, well))
    }

    /// Follows messages as they come.
    fn monitor(
        &self,
        py: Python<'_>,
        words: Vec<String>,
        arrivals: Option<&str>,
        ignores_unknown: bool,
        max_conversations: usize,
        losses: u32,
    ) -> PyResult<Monitor> {
        let how = How::read(py, arrivals, None, ignores_unknown, max_conversations, false, losses)?;
        Ok(Monitor::new(Arc::clone(&self.source), &self.with_cast(py, &words)?, &how))
    }

    /// A guard with a configuration.
    fn guard(
        &self,
        py: Python<'_>,
        words: Vec<String>,
        config: &str,
        accepts_unsure: bool,
        keeps_journal: bool,
    ) -> PyResult<Guard> {
        let program = self.with_cast(py, &words)?;
        Guard::new(py, Arc::clone(&self.source), &program, config, accepts_unsure, keeps_journal)
    }

    /// The graphs of the roles, or of one of them.
    fn role_chart(&self, py: Python<'_>, language: &str, role: Option<&str>) -> PyResult<String> {
        let drawn = role_graphs(self.program(py)?, role).map_err(|what| misused(py, &what))?;
        graphs(&drawn, language)
    }

    /// All states of the scene, if there are at most so many.
    fn state_chart(
        &self,
        py: Python<'_>,
        words: Vec<String>,
        most: usize,
        language: &str,
    ) -> PyResult<String> {
        let args = flags::of_search(py, &words)?;
        let compilation = args.compile(&self.source).map_err(|what| misused(py, &what))?;
        let refused = || rejected(py, &self.source, &compilation.diagnostics);
        let program = compilation.program.as_ref().ok_or_else(refused)?;
        let bounds = args.bounds.resolve(program).map_err(|what| misused(py, &what))?;
        let scene = compilation.scene(bounds).ok_or_else(refused)?;
        let graph = py.detach(|| StateGraph::explore(&scene, most)).map_err(|why| {
            let what = match why {
                NoGraph::TooLarge => format!("the scene {} has more than {most} states", program.scene),
                NoGraph::NoFirstState => format!("the scene {} has no first state", program.scene),
            };
            misused(py, &what)
        })?;
        let namer = map_explain::Namer::new(&self.source, program);
        graphs(&[map_explain::state_graph(&graph, &namer)], language)
    }
}

impl Dialogue {
    /// The program with another cast.
    fn with_cast(&self, py: Python<'_>, words: &[String]) -> PyResult<Arc<map_ir::Program>> {
        let options = flags::of_scene(py, words)?.with_least(1);
        let compilation = py.detach(|| compile(&self.source, &options, PropertySelection::Nothing));
        compilation.program.ok_or_else(|| rejected(py, &self.source, &compilation.diagnostics))
    }

    pub(crate) fn program(&self, py: Python<'_>) -> PyResult<&Arc<map_ir::Program>> {
        let refused = || rejected(py, &self.source, &self.compilation.diagnostics);
        self.compilation.program.as_ref().ok_or_else(refused)
    }
}
