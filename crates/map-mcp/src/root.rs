//! The folder whose files may be named. A name is judged by where it leads, after all links.

use std::fs;
use std::path::{Component, Path, PathBuf};

use map_diagnostics::{SourceFile, escaped};

use crate::limits::MAX_TEXT;

/// A folder; nothing outside it is read.
#[derive(Clone, Debug)]
pub struct Root(PathBuf);

impl Root {
    /// # Errors
    /// If it is no folder.
    pub fn new(folder: &Path) -> Result<Self, String> {
        let refused = |why: &str| format!("--root {}: {why}", escaped(&folder.to_string_lossy()));
        let whole = fs::canonicalize(folder).map_err(|_| refused("there is no such directory"))?;
        if whole.is_dir() { Ok(Self(whole)) } else { Err(refused("this is not a directory")) }
    }

    /// The file of that name.
    ///
    /// # Errors
    /// Why it is not read.
    #[expect(clippy::disallowed_methods, reason = "the root says which files are read")]
    pub(crate) fn read(&self, name: &str) -> Result<SourceFile, String> {
        let file = self.file(name)?;
        let bytes = fs::read(self.0.join(&file));
        let bytes = bytes.map_err(|_| format!("path: {}: the file cannot be read", escaped(name)))?;
        let text = String::from_utf8(bytes);
        let text = text.map_err(|_| format!("path: {}: the file is not UTF-8", escaped(name)))?;
        Ok(SourceFile::new(file.to_string_lossy(), text))
    }

    /// The path from the root to the file of that name.
    fn file(&self, name: &str) -> Result<PathBuf, String> {
        let forbidden = |why: &str| format!("path: {why}");
        let missing = |why: &str| format!("path: {}: {why}", escaped(name));
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

    use super::Root;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "there have to be files")]
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
            assert!(root.file(name).is_err(), "{name:?}");
        }
        for name in ["none.map", "gone.map", "loop.map", "folder.map", "a.map/b.map"] {
            assert!(root.file(name).is_err(), "{name:?}");
        }
    }
}
