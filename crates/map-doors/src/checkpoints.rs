//! Checkpoints: files from which a search goes on later, one for each search behind a verdict; of several processes,
//! one for each part of a search.
//!
//! A file is replaced as a whole, so that there is always one that is complete. A file that is not as it was written,
//! or not for this search, is refused.

mod lock;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use map_trace::checkpoint::{check, content, write};
use map_trace::{DIGEST, Head};
use map_verify::{Cut, Keep, KeptPart, Part};

use crate::files::put;
use crate::names::shown;
use lock::Lock;

/// A folder of checkpoints.
pub struct Checkpoints {
    folder: PathBuf,
    /// The digest of all that the findings depend on.
    identity: [u8; DIGEST],
    /// The least time between two checkpoints.
    every: Duration,
    /// When the last one was written, or the command began.
    last: Instant,
    /// Those to go on from, by search; `None` if the search begins anew.
    earlier: Option<BTreeMap<u32, Vec<Found>>>,
    /// Number of searches begun.
    begun: u32,
    /// Why the last checkpoint could not be written.
    problem: Option<String>,
    /// A cut of which perhaps not every process could write its part.
    open: Option<Cut>,
    /// Keeps other searches out of the folder.
    _lock: Lock,
}

/// A checkpoint that was found.
struct Found {
    path: PathBuf,
    file: File,
    head: Head,
}

impl Checkpoints {
    /// Whether there is a checkpoint in a folder, or in one of its folders, as of several processes.
    #[must_use]
    pub fn are_in(folder: &Path) -> bool {
        let inside = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten();
        let is_one = |path: &Path| path.extension().is_some_and(|it| it == "checkpoint");
        inside(folder).any(|entry| {
            let path = entry.path();
            is_one(&path) || inside(&path).any(|entry| is_one(&entry.path()))
        })
    }

    /// A number that no other cut has.
    #[must_use]
    pub fn new_stamp() -> u64 {
        // Each state has keys of its own, which are random.
        RandomState::new().build_hasher().finish()
    }

    /// Checkpoints in a folder that has none, and is made if it is missing. If `together`, several processes may use
    /// it.
    ///
    /// # Errors
    /// What is wrong with the folder, or that another search uses it.
    pub fn begin(
        folder: &Path,
        identity: [u8; DIGEST],
        every: Duration,
        together: bool,
    ) -> Result<Self, String> {
        let wrong = |what: &dyn std::fmt::Display| format!("--checkpoint {}: {what}", shown(folder));
        fs::create_dir_all(folder).map_err(|error| wrong(&error))?;
        let lock = Lock::take(folder, together).map_err(|why| wrong(&why))?;
        let (first, later): (Vec<_>, Vec<_>) =
            listed(folder).map_err(|error| wrong(&error))?.into_iter().partition(|path| is_first(path));
        if !later.is_empty() {
            return Err(wrong(&"there is a checkpoint in it; go on from it with --resume, or remove it"));
        }
        first.iter().try_for_each(|path| remove(path)).map_err(|error| wrong(&error))?;
        // Better now than after hours.
        tempfile::tempfile_in(folder).map_err(|error| wrong(&error))?;
        Ok(Self::new(folder, identity, every, None, lock))
    }

    /// Checkpoints in a folder, to go on from. All of them are read and checked. Those after a search that has not
    /// ended by itself are removed: when it goes on, other searches may follow. If `together`, they are of several
    /// processes, and this one may have none.
    ///
    /// # Errors
    /// If there is none, if another search uses them, or what is wrong with one of them.
    pub fn resume(
        folder: &Path,
        identity: [u8; DIGEST],
        every: Duration,
        together: bool,
    ) -> Result<Self, String> {
        let in_folder = |what: &dyn std::fmt::Display| format!("--resume {}: {what}", shown(folder));
        if together {
            fs::create_dir_all(folder).map_err(|error| in_folder(&error))?;
        }
        if listed(folder).map_err(|error| in_folder(&error))?.is_empty() && !together {
            return Err(in_folder(&"there is no checkpoint in it"));
        }
        let lock = Lock::take(folder, together).map_err(|why| in_folder(&why))?;
        let mut found: BTreeMap<u32, Vec<Found>> = BTreeMap::new();
        for path in listed(folder).map_err(|error| in_folder(&error))? {
            let wrong = |what: String| format!("--resume: {}: {what}", shown(&path));
            let mut file = match File::open(&path) {
                Ok(file) => file,
                // Another process has removed it.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(wrong(error.to_string())),
            };
            let head = check(&mut file).and_then(|head| fits(&head, &identity, &path, folder, together));
            let head = head.map_err(wrong)?;
            found.entry(head.search).or_default().push(Found { path, file, head });
        }
        let is_next = |(search, last): (&u32, u32)| *search == last + 1;
        let whole =
            found.keys().zip(0..).take_while(|&(search, last)| is_next((search, last))).count() as u32;
        let unfinished = (1..=whole).find(|search| !is_finished(&found[search])).unwrap_or(whole);
        let void = found.split_off(&(unfinished + 1));
        // The last one first, so that no gap hides those behind it.
        for path in void.values().rev().flatten().map(|it| &it.path) {
            remove(path).map_err(|error| format!("--resume: {}: {error}", shown(path)))?;
        }
        Ok(Self::new(folder, identity, every, Some(found), lock))
    }

    fn new(
        folder: &Path,
        identity: [u8; DIGEST],
        every: Duration,
        earlier: Option<BTreeMap<u32, Vec<Found>>>,
        lock: Lock,
    ) -> Self {
        let (folder, last) = (folder.to_owned(), Instant::now());
        Self { folder, identity, every, last, earlier, begun: 0, problem: None, open: None, _lock: lock }
    }

    /// Whether the search is to go on from earlier ones.
    #[must_use]
    pub fn resumes(&self) -> bool {
        self.earlier.is_some()
    }

    /// Begins the next search: what it is to go on from, if there is anything.
    pub fn next_search(&mut self) -> Option<Box<dyn Read>> {
        self.begun += 1;
        let found = self.earlier.as_ref()?.get(&self.begun)?.first()?;
        Some(found.content())
    }

    /// Begins the next search of several processes: the parts of earlier ones that are here. `None` if it begins anew.
    pub fn next_parts(&mut self) -> Option<Vec<KeptPart>> {
        self.begun += 1;
        let earlier = self.earlier.as_ref()?;
        let here = earlier.get(&self.begun).map(Vec::as_slice).unwrap_or_default();
        let parts = here
            .iter()
            .filter_map(|found| Some(KeptPart { part: found.head.part?, content: found.content() }));
        (self.begun == 1 || !here.is_empty()).then(|| parts.collect())
    }

    /// Whether it is time for the next one.
    #[must_use]
    pub fn is_due(&self) -> bool {
        self.last.elapsed() >= self.every
    }

    /// Writes a checkpoint of the search begun last. Returns whether it was written.
    pub fn keep(&mut self, content: &Keep<'_>) -> bool {
        let Self { identity, begun: search, .. } = *self;
        let head = Head { identity, search, finished: content.finished, part: content.part };
        let path = self.folder.join(name_of(&head));
        self.problem = put(&path, |file| write(head, content, file))
            .err()
            .map(|error| format!("no checkpoint could be written to {}: {error}", shown(&path)));
        self.last = Instant::now();
        self.open = content.part.map(|part| part.cut);
        self.problem.is_none()
    }

    /// Removes what is here of other cuts of the search begun last.
    pub fn settle(&mut self, cut: Cut) {
        self.open = None;
        let search = self.begun;
        // What cannot be listed or removed now is void all the same, and removed later.
        for path in listed(&self.folder).unwrap_or_default() {
            let is_other = |name: &str| {
                name.starts_with(&start_of(search)) && !name.starts_with(&start_of_cut(search, cut))
            };
            if path.file_name().and_then(|name| name.to_str()).is_some_and(is_other) {
                let _ = remove(&path);
            }
        }
    }

    /// Why the last checkpoint could not be written.
    #[must_use]
    pub fn problem(&self) -> Option<String> {
        let elsewhere =
            "another process could not write its part of the last checkpoint; the one before it holds";
        self.problem.clone().or_else(|| self.open.map(|_| elsewhere.to_owned()))
    }
}

impl Found {
    fn content(&self) -> Box<dyn Read> {
        match self.file.try_clone().and_then(content) {
            Ok(content) => Box::new(content),
            // A file that cannot be read any more is reported by whoever reads it.
            Err(_) => Box::new(io::empty()),
        }
    }
}

/// Whether a search has ended by itself, as far as this process knows.
fn is_finished(found: &[Found]) -> bool {
    let newest = found.iter().max_by_key(|it| it.head.part.map(|part| part.cut.number));
    newest.is_some_and(|it| it.head.finished)
}

/// Whether a checkpoint is of this search, and in its place. The error says what is wrong.
fn fits(
    head: &Head,
    identity: &[u8; DIGEST],
    path: &Path,
    folder: &Path,
    together: bool,
) -> Result<Head, String> {
    if head.identity != *identity {
        return Err(
            "this checkpoint is of another text, of other flags or of another version of map".to_owned()
        );
    }
    if *path != folder.join(name_of(head)) {
        return Err("this checkpoint has the name of another one".to_owned());
    }
    match (head.part, together) {
        (Some(Part { cut, .. }), false) => Err(format!(
            "this checkpoint is of {} processes; go on from it with --processes or --hosts, with any number of them",
            cut.parts
        )),
        (None, true) => {
            Err("this checkpoint is of one process; go on from it without --processes and --hosts".to_owned())
        }
        _ => Ok(*head),
    }
}

const SUFFIX: &str = ".checkpoint";

fn start_of(search: u32) -> String {
    format!("search-{search}.")
}

fn start_of_cut(search: u32, cut: Cut) -> String {
    let Cut { number, stamp, parts } = cut;
    format!("{}cut-{number}-{stamp:016x}.{parts}-parts.", start_of(search))
}

fn name_of(head: &Head) -> String {
    match head.part {
        None => format!("search-{}{SUFFIX}", head.search),
        Some(Part { cut, number }) => format!("{}part-{number}{SUFFIX}", start_of_cut(head.search, cut)),
    }
}

/// The checkpoints in a folder, by name. None if there is no folder.
fn listed(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut paths = entries.map(|entry| entry.map(|it| it.path())).collect::<io::Result<Vec<_>>>()?;
    let is_checkpoint = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| name.starts_with("search-") && name.ends_with(SUFFIX))
    };
    paths.retain(is_checkpoint);
    paths.sort();
    Ok(paths)
}

/// Whether a checkpoint is a part of the first cut of the first search, in which there is nothing yet.
fn is_first(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| name.starts_with(&format!("{}cut-1-", start_of(1))))
}

/// Removes a file, unless another process was faster.
fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}
