//! The flags of the page: those of a search, and of runs also how likely things are.

use std::sync::Arc;

use clap::Parser;
use map_diagnostics::SourceFile;
use map_flags::{OddsArgs, SearchArgs, first_line};
use map_session::{PropertySelection, Scene, compile};

use crate::failure::Failure;

/// The flags that choose a scene and say how it is played. Those that only a search heeds are accepted: a page has one
/// line of flags for all that can be asked.
#[derive(Parser)]
#[command(name = "flags", no_binary_name = true, disable_help_flag = true)]
pub(crate) struct PlayFlags {
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    pub(crate) odds: OddsArgs,
}

impl PlayFlags {
    /// # Errors
    /// What is wrong with them.
    pub(crate) fn read(flags: &str) -> Result<Self, Failure> {
        let words = shlex::split(flags).ok_or_else(|| Failure::flags("a quote is not closed"))?;
        Self::try_parse_from(words).map_err(|error| Failure::flags(first_line(&error)))
    }

    /// The scene that they choose, with all its properties.
    ///
    /// # Errors
    /// If the text has errors, or the flags do not fit it.
    pub(crate) fn scene_of(&self, source: &Arc<SourceFile>) -> Result<Scene, Failure> {
        let options = self.search.scene.to_options().map_err(Failure::flags)?;
        let compilation = compile(source, &options, PropertySelection::ALL);
        let Some(program) = &compilation.program else {
            return Err(Failure::diagnostics(source, &compilation.diagnostics));
        };
        let bounds = self.search.bounds.resolve(program).map_err(Failure::flags)?;
        Ok(compilation.scene(bounds).expect("it has a program"))
    }
}

/// The flags of a search.
pub(crate) fn of_search(flags: &str) -> Result<SearchArgs, Failure> {
    SearchArgs::read(flags).map_err(Failure::flags)
}
