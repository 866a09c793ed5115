//! What the lines `//@ verify` of a file say about a scene or a property, and the verification of each line.

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use map_diagnostics::SourceFile;
use map_flags::{SceneArgs, SearchArgs, test_lines};
use map_session::{Collect, PropertySelection, PropertyState, Watch, compile};

use crate::client::Budget;
use crate::positions::Text;
use crate::search::{Found, Task};
use crate::verdicts::Subject;

/// What is to be verified.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) text: Arc<Text>,
    /// The name of the file.
    pub(crate) name: String,
    pub(crate) subject: Subject,
}

/// A scene or a property, and how it is to be verified.
pub(crate) struct Plan {
    source: Arc<SourceFile>,
    scene: String,
    property: Option<String>,
    /// One for each line that is about the scene, or that cannot be read; without any, one for the default cast.
    pub(crate) lines: Vec<Line>,
}

/// One verification.
pub(crate) struct Line {
    /// Where it is in the text.
    place: Range<usize>,
    flags: String,
    args: Result<SearchArgs, String>,
}

impl Line {
    /// Its `--time-limit`.
    pub(crate) fn time(&self) -> Option<Duration> {
        self.args.as_ref().ok()?.limits.time_limit
    }
}

impl Plan {
    /// # Errors
    /// Why nothing can be verified.
    pub(crate) fn new(request: &Request) -> Result<Self, String> {
        let source = Arc::new(SourceFile::new(request.name.as_str(), request.text.as_str()));
        let property = request.subject.property.clone();
        let parsed = map_syntax::parse(&source);
        let scenes: Vec<&str> = parsed.file.scenes().map(|it| it.name.text.as_str()).collect();
        let first = *scenes.first().ok_or("the text has no scene")?;
        let scene = match (&request.subject.scene, &property) {
            (Some(scene), _) => scene.as_str(),
            (None, Some(property)) => scene_of(&source, &scenes, property),
            (None, None) => first,
        };
        let mut lines = Vec::new();
        for line in test_lines(source.text()) {
            let flags = line.flags;
            let why = |why| format!("line {}: `//@ verify {flags}`: {why}", line.number);
            let args = line.args.map_err(why);
            let is_about = |args: &SearchArgs| args.scene.scene().unwrap_or(first) == scene;
            // The verdict for any number of agents, or for several numbers, takes several searches, and is for `map
            // verify` and `map test`.
            let is_any = |args: &SearchArgs| args.scene.any().is_ok_and(|any| !any.is_empty());
            let are_several = |args: &SearchArgs| args.scene.casts().is_ok_and(|casts| casts.len() > 1);
            let is_one = |args: &SearchArgs| !is_any(args) && !are_several(args);
            if args.as_ref().map_or(true, |args| is_about(args) && is_one(args)) {
                lines.push(Line { place: line.place, flags, args });
            }
        }
        if lines.is_empty() {
            lines.push(Line { place: 0..0, flags: String::new(), args: SearchArgs::read("") });
        }
        for args in lines.iter_mut().filter_map(|line| line.args.as_mut().ok()) {
            args.scene.scenes = vec![scene.to_owned()];
            if let Some(property) = &property {
                args.judge.only = vec![property.clone()];
                args.judge.properties.clear();
                args.judge.no_properties = false;
            }
        }
        let scene = scene.to_owned();
        Ok(Self { source, scene, property, lines })
    }

    /// # Errors
    /// Why this line cannot be verified.
    pub(crate) fn verify(
        &self,
        line: &Line,
        budget: &Budget,
        watch: &mut dyn Watch,
    ) -> Result<Found, String> {
        let args = line.args.as_ref().map_err(Clone::clone)?;
        let task = Task::new(&self.source, args, budget)?;
        task.run(line.flags.clone(), self.property.is_some(), watch).map_err(|defect| {
            format!("{defect}. This is a defect of map, not of your file; please report it, with the file.")
        })
    }

    /// Instead of a result, why there is none.
    pub(crate) fn refused(&self, line: &Line, why: String) -> Found {
        Found::refused(&line.flags, &self.scene, self.property.as_deref(), why, line.place.clone())
    }
}

/// The first scene of which a property can speak.
fn scene_of<'s>(source: &Arc<SourceFile>, scenes: &[&'s str], property: &str) -> &'s str {
    let speaks_of = |scene: &&&str| {
        let scene = SceneArgs { scenes: vec![(**scene).to_owned()], agents: Vec::new(), set: Vec::new() };
        let Ok(options) = scene.to_options() else { return false };
        let only = [property.to_owned()];
        let compiled = compile(
            source,
            &options,
            PropertySelection::Properties { only: &only, given: &[], collect: Collect::NOTHING },
        );
        compiled.properties.entries.iter().any(|it| !matches!(it.state, PropertyState::OfOtherScene))
    };
    scenes.iter().find(speaks_of).or(scenes.first()).copied().unwrap_or_default()
}
