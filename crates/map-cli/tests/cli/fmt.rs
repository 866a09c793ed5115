//! `map fmt`: what is written, what is not, and that nothing gets lost.

use std::fs;
use std::path::{Path, PathBuf};

use super::{map, map_with};

const UGLY: &str = "s[ agent(!A,%a)=skip then // why\n skip]";
const BROKEN: &str = "s[ agent(!A, %a) = skip then ]";

/// A folder with one file.
struct Place {
    folder: tempfile::TempDir,
    file: PathBuf,
}

impl Place {
    fn with(text: &str) -> Self {
        let folder = tempfile::tempdir().expect("there is room for a temporary folder");
        let file = folder.path().join("it.map");
        fs::write(&file, text).expect("the folder is writable");
        Self { folder, file }
    }

    fn name(&self) -> &str {
        self.file.to_str().expect("temporary folders have plain names")
    }

    /// Nothing was left beside the files.
    #[track_caller]
    fn holds_only(&self, names: &[&str]) {
        let entries = fs::read_dir(self.folder.path()).expect("the folder is readable");
        let mut found: Vec<_> =
            entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        found.sort();
        assert_eq!(found, names);
    }
}

/// The canonical layout, as standard output gives it.
fn pretty() -> String {
    let out = map_with(UGLY.as_bytes(), &["fmt", "-"]).exits(0).out;
    assert!(out.contains("// why") && out != UGLY && out.ends_with('\n'), "{out}");
    out
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).expect("the file is readable")
}

#[test]
fn files_are_rewritten_once() {
    let place = Place::with(UGLY);
    let first = map(&["fmt", place.name()]).exits(0);
    assert_eq!(first.out, format!("{} changed\n1 file changed, 0 as it should be\n", place.name()));
    assert_eq!(read(&place.file), pretty());
    let second = map(&["fmt", place.name()]).exits(0);
    assert_eq!(second.out, "0 files changed, 1 as it should be\n");
    map(&["fmt", place.name(), "--check"]).exits(0);
    place.holds_only(&["it.map"]);
}

#[test]
fn check_and_diff_write_nothing() {
    let place = Place::with(UGLY);
    map(&["fmt", "--check", place.name()])
        .exits(1)
        .out_has(&format!("{} would change\n1 file would change", place.name()));
    let diff = map(&["fmt", "--diff", place.name()]).exits(0).out;
    assert!(diff.starts_with(&format!("--- {0}\n+++ {0}\n@@ -1,2 +1,", place.name())), "{diff}");
    assert!(diff.contains("\n-s[ agent(!A,%a)=skip then // why\n"), "{diff}");
    assert!(diff.contains("\\ No newline at end of file"), "{diff}");
    let both = map(&["fmt", "--diff", "--check", place.name()]).exits(1).out;
    assert_eq!(both, diff);
    let coloured = map(&["fmt", "--diff", "--color", "always", place.name()]).exits(0).out;
    assert!(coloured.contains("\u{1b}[31m-s[") && coloured.contains("\u{1b}[32m+s"), "{coloured}");
    assert_eq!(read(&place.file), UGLY);

    fs::write(&place.file, pretty()).unwrap();
    assert_eq!(map(&["fmt", "--diff", "--check", place.name()]).exits(0).out, "");
}

#[test]
fn standard_input_goes_to_standard_output() {
    let text = pretty();
    assert_eq!(map_with(text.as_bytes(), &["fmt", "-"]).exits(0).out, text);
    map_with(UGLY.as_bytes(), &["fmt", "-", "--check"]).exits(1).out_has("<stdin> would change");
    map_with(UGLY.as_bytes(), &["fmt", "-", "--diff"]).exits(0).out_has("--- <stdin>\n");
    let bad = map_with(BROKEN.as_bytes(), &["fmt", "-"]).exits(3).err_has("MAP001");
    assert_eq!(bad.out, "");
    map_with(UGLY.as_bytes(), &["fmt", "-", "auction.map"]).exits(2).err_has("stands alone");
}

#[test]
fn files_with_errors_are_left_alone_and_the_others_done() {
    let place = Place::with(UGLY);
    let broken = place.folder.path().join("broken.map");
    fs::write(&broken, BROKEN).unwrap();
    let missing = place.folder.path().join("missing.map");
    map(&["fmt", broken.to_str().unwrap(), missing.to_str().unwrap(), place.name()])
        .exits(3)
        .err_has("MAP001")
        .err_has("MAP011")
        .out_has("1 file changed, 0 as it should be, 2 left alone");
    assert_eq!(read(&broken), BROKEN);
    assert_eq!(read(&place.file), pretty());
    // 3 takes precedence over 1.
    fs::write(&place.file, UGLY).unwrap();
    map(&["fmt", "--check", place.name(), broken.to_str().unwrap()]).exits(3).out_has("would change");
}

#[test]
fn what_is_laid_out_means_the_same() {
    for file in ["auction.map", "published.map", "published-corrected.map", "published-total.map"] {
        let text = fs::read(super::protocols().join(file)).unwrap();
        let formatted = map_with(&text, &["fmt", "-"]).exits(0).out;
        let again = map_with(formatted.as_bytes(), &["fmt", "-"]).exits(0).out;
        assert_eq!(formatted, again, "{file}");
        let verdict = |text: &[u8]| {
            let ran = map_with(text, &["verify", "-", "--rounds", "bidloop=2", "--format", "json"]);
            let value: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
            (value["verdict"].clone(), value["states"].clone(), value["transitions"].clone())
        };
        assert_eq!(verdict(&text), verdict(formatted.as_bytes()), "{file}");
    }
}

#[cfg(unix)]
mod unix {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
    use std::os::unix::process::CommandExt as _;

    use super::super::{Ran, command, map};
    use super::{Place, UGLY, pretty, read};

    #[test]
    fn permissions_and_links_are_kept() {
        let place = Place::with(UGLY);
        fs::set_permissions(&place.file, Permissions::from_mode(0o640)).unwrap();
        fs::create_dir(place.folder.path().join("links")).unwrap();
        let link = place.folder.path().join("links/link.map");
        symlink("../it.map", &link).unwrap();
        let before = fs::metadata(&place.file).unwrap();
        map(&["fmt", link.to_str().unwrap()]).exits(0).out_has("link.map changed");
        let after = fs::metadata(&place.file).unwrap();
        assert_eq!(after.permissions().mode() & 0o7777, 0o640);
        assert_eq!((after.uid(), after.gid()), (before.uid(), before.gid()));
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(read(&place.file), pretty());
        // A reader that has the old file open keeps it whole: it is another file.
        assert_ne!(after.ino(), before.ino());
        place.holds_only(&["it.map", "links"]);
    }

    #[test]
    fn a_file_that_cannot_be_replaced_stays_as_it_is() {
        let place = Place::with(UGLY);
        fs::set_permissions(&place.file, Permissions::from_mode(0o444)).unwrap();
        map(&["fmt", place.name()]).exits(3).err_has("cannot be written: it is read-only");
        assert_eq!(read(&place.file), UGLY);

        fs::set_permissions(&place.file, Permissions::from_mode(0o666)).unwrap();
        fs::set_permissions(place.folder.path(), Permissions::from_mode(0o555)).unwrap();
        let mut command = command(&["fmt", place.name()]);
        // The superuser may write anywhere, so it sends somebody else.
        if fs::metadata(place.folder.path()).unwrap().uid() == 0 {
            command.uid(65534).gid(65534).current_dir("/");
        }
        // That one may be kept from running the binary at all.
        if let Ok(output) = command.output() {
            Ran::of(&output).exits(3).err_has("cannot be written").err_has(place.name());
        }
        assert_eq!(read(&place.file), UGLY);
        place.holds_only(&["it.map"]);
        fs::set_permissions(place.folder.path(), Permissions::from_mode(0o755)).unwrap();
    }

    #[test]
    fn what_is_no_file_is_not_replaced() {
        map(&["fmt", "/dev/null"]).exits(3);
    }
}

/// Block comments may begin with any sign, also one that looks like half of an end.
#[test]
fn a_comment_that_begins_with_a_slash_hides_no_code() {
    let text = "s[
    agent(!A, %a) = m() => agent(_, %b) /*/ one */ then n() => agent(_, %b) /* two */
    agent(!B, %b) = (waitfor m() <= agent(_, %a)) then (waitfor n() <= agent(_, %a))
]
";
    assert_eq!(map_with(text.as_bytes(), &["fmt", "-"]).exits(0).out, text);
}

#[test]
fn line_ends_and_a_byte_order_mark_stay() {
    let unix = pretty();
    let windows = unix.replace('\n', "\r\n");
    let mark = format!("\u{feff}{windows}");
    // Most lines end so.
    let mixed = windows.replacen("\r\n", "\n", 1);
    for (text, wanted) in [(&unix, &unix), (&windows, &windows), (&mark, &mark), (&mixed, &windows)] {
        let place = Place::with(text);
        let (code, rest) =
            if text == wanted { (0, "0 files would change") } else { (1, "1 file would change") };
        map(&["fmt", "--check", place.name()]).exits(code).out_has(rest);
        map(&["fmt", place.name()]).exits(0);
        assert_eq!(read(&place.file), *wanted);
    }
}

#[test]
fn what_a_comment_allows_stays_allowed() {
    let text = "s[
    agent(!A, %a) = report(1, two) => agent(!Bookkeeper, %b)
    agent(!Bookkeeper, %b) = waitfor (report($unusedNumberOfTheReport, $unusedNameOfTheReport) <= agent($whoeverSentIt, %a)) // map: allow(MAP311)
]
";
    let place = Place::with(text);
    map(&["check", place.name(), "--deny", "warnings"]).exits(0);
    map(&["fmt", place.name()]).exits(0);
    map(&["check", place.name(), "--deny", "warnings"]).exits(0);
}
