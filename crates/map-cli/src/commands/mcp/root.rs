//! The folder whose files may be named. A name is judged by where it leads, after all links.

use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::names::shown;

use super::limits::MAX_TEXT;

/// A folder; nothing outside it is read.
#[derive(Clone, Debug)]
pub(super) struct Root(PathBuf);

/// Why a file is not read.
#[derive(Debug)]
pub(super) enum Refused {
    /// The name is none that a request may have.
    Forbidden(String),
    /// There is no such file, or none that can be read.
    Missing(String),
}

impl Root {
    /// # Errors
    /// If it is no folder.
    pub(super) fn new(folder: &Path) -> Result<Self, String> {
        let refused = |why: &str| format!("--root {}: {why}", shown(folder));
        let whole = fs::canonicalize(folder).map_err(|_| refused("there is no such directory"))?;
        if whole.is_dir() { Ok(Self(whole)) } else { Err(refused("this is not a directory")) }
    }

    /// The folder itself.
    pub(super) fn folder(&self) -> &Path {
        &self.0
    }

    /// The path from the root to the file of that name.
    pub(super) fn file(&self, name: &str) -> Result<PathBuf, Refused> {
        let forbidden = |why: &str| Refused::Forbidden(format!("path: {why}"));
        let missing = |why: &str| Refused::Missing(format!("{}: {why}", shown(Path::new(name))));
        let path = Path::new(name);
        let is_plain = |it: Component<'_>| matches!(it, Component::Normal(_) | Component::CurDir);
        if name.is_empty() || name.contains('\0') || !path.components().all(is_plain) {
            return Err(forbidden("expected a path relative to the root, without `..`"));
        }
        let whole = fs::canonicalize(self.0.join(path)).map_err(|_| missing("there is no such file"))?;
        let inside = whole.strip_prefix(&self.0).map_err(|_| forbidden("it leads out of the root"))?;
        if whole.extension().is_none_or(|it| it != "map") {
            return Err(forbidden("expected the name of a .map file"));
        }
        // A pipe or a device could keep its reader for ever.
        let about = fs::metadata(&whole).map_err(|_| missing("the file cannot be read"))?;
        if !about.is_file() {
            return Err(missing("this is not a file"));
        }
        if about.len() > MAX_TEXT as u64 {
            return Err(missing(&format!("the file is larger than {} MiB", MAX_TEXT >> 20)));
        }
        Ok(inside.to_owned())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::path::Path;

    use super::{Refused, Root};

    #[test]
    fn names_lead_nowhere_else() {
        let outer = tempfile::tempdir().unwrap();
        let root = outer.path().join("root");
        fs::create_dir_all(root.join("in")).unwrap();
        for file in ["secret.map", "root/a.map", "root/in/b.map", "root/notes.txt"] {
            fs::write(outer.path().join(file), "s[]").unwrap();
        }
        for (target, link) in [
            ("../secret.map", "out.map"),
            ("in/b.map", "within.map"),
            ("..", "up"),
            ("notes.txt", "notes.map"),
            ("nowhere", "gone.map"),
            ("loop.map", "loop.map"),
        ] {
            symlink(target, root.join(link)).unwrap();
        }
        fs::create_dir(root.join("folder.map")).unwrap();
        let root = Root::new(&root).unwrap();
        assert_eq!(root.file("a.map").unwrap(), Path::new("a.map"));
        assert_eq!(root.file("./in/b.map").unwrap(), Path::new("in/b.map"));
        assert_eq!(root.file("within.map").unwrap(), Path::new("in/b.map"));
        let absolute = outer.path().join("root/a.map");
        for name in [
            "",
            "..",
            "../secret.map",
            "in/../../secret.map",
            "in/../a.map",
            "/etc/passwd",
            absolute.to_str().unwrap(),
            "a.map\0",
            "out.map",
            "up/secret.map",
            "notes.txt",
            "notes.map",
            ".",
        ] {
            assert!(matches!(root.file(name), Err(Refused::Forbidden(_))), "{name:?}");
        }
        for name in ["none.map", "gone.map", "loop.map", "folder.map", "a.map/b.map"] {
            assert!(matches!(root.file(name), Err(Refused::Missing(_))), "{name:?}");
        }
    }
}
