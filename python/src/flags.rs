//! Arguments in the words of the command line, so that both mean the same by them.

use clap::Parser;
use map_flags::{BoundArgs, OddsArgs, SceneArgs, SearchArgs, first_line};
use pyo3::prelude::*;

use crate::failure::misused;

/// Of a scene.
#[derive(Parser)]
#[command(name = "flags", no_binary_name = true, disable_help_flag = true)]
struct SceneFlags {
    #[command(flatten)]
    scene: SceneArgs,
}

/// Of runs.
#[derive(Parser)]
#[command(name = "flags", no_binary_name = true, disable_help_flag = true)]
pub(crate) struct RunFlags {
    #[command(flatten)]
    pub(crate) scene: SceneArgs,
    #[command(flatten)]
    pub(crate) bounds: BoundArgs,
    #[command(flatten)]
    pub(crate) odds: OddsArgs,
    #[arg(long)]
    pub(crate) max_steps: u64,
}

/// The flags of a scene.
///
/// # Errors
/// What is wrong with them. So it is with the functions below.
pub(crate) fn of_scene(py: Python<'_>, words: &[String]) -> PyResult<SceneArgs> {
    read::<SceneFlags>(py, words).map(|given| given.scene)
}

/// The flags of runs.
pub(crate) fn of_run(py: Python<'_>, words: &[String]) -> PyResult<RunFlags> {
    read(py, words)
}

/// The flags of a search.
pub(crate) fn of_search(py: Python<'_>, words: &[String]) -> PyResult<SearchArgs> {
    let line = shlex::try_join(words.iter().map(String::as_str));
    let line = line.map_err(|error| misused(py, &error.to_string()))?;
    SearchArgs::read(&line).map_err(|what| misused(py, &what))
}

fn read<F: Parser>(py: Python<'_>, words: &[String]) -> PyResult<F> {
    F::try_parse_from(words).map_err(|error| misused(py, &first_line(&error)))
}
