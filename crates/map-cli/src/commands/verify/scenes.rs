//! The scenes to be verified: of each file the one that is chosen, or all.

use std::path::{Path, PathBuf};

use map_flags::{CastOfSeveral, SceneOfText};
use map_session::Compilation;

use super::args::Args;
use crate::input::load;

/// A scene to be verified, or a file with errors.
pub(super) struct SceneOfFile {
    /// The flags. If the file has several scenes, they choose this one, and have what concerns it alone.
    pub(super) args: Args,
    /// As on the command line.
    pub(super) file: PathBuf,
    pub(super) loaded: Compilation,
    /// Which cast it is, if several are asked for.
    pub(super) cast: Option<CastOfSeveral>,
}

impl SceneOfFile {
    /// Whether it is the same scene as the one before, with another cast.
    pub(super) fn is_further_cast(&self) -> bool {
        self.cast.as_ref().is_some_and(|cast| cast.index > 0)
    }

    /// The name of the cast; empty if there is only one.
    pub(super) fn cast_name(&self) -> &str {
        self.cast.as_ref().map_or("", |cast| &cast.name)
    }
}

/// The scenes of all files, in order.
pub(super) fn of_files(args: &Args) -> Vec<SceneOfFile> {
    args.files.iter().flat_map(|file| of_file(args, file)).collect()
}

fn of_file(args: &Args, file: &Path) -> Vec<SceneOfFile> {
    let search = &args.search;
    let scenes = search.scenes_of(load(file, &search.options(), search.judge.wanted()));
    let of_file = |SceneOfText { args: search, compilation, cast }: SceneOfText| {
        let args = Args { search, ..args.clone() };
        SceneOfFile { args, file: file.to_owned(), loaded: compilation, cast }
    };
    scenes.into_iter().map(of_file).collect()
}
