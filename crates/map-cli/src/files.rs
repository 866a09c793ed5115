//! Files that are written: never over one that is read, nor twice. Folders that are searched for files.

mod folders;

use std::ffi::OsStr;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use map_doors::files::{create, replace};
use map_doors::shown;

use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::is_stdin;
use crate::interrupt::while_blocked;

pub(crate) use folders::{below, with_dialogues};

/// The extensions of files that people write by hand; no flag overwrites them.
const HAND_WRITTEN: [(&str, &str); 2] = [("map", "dialogues"), ("maptest", "tests")];

/// What is wrong with the name of a file to write, found before anything is done. A pattern of the shell may have put a
/// dialogue behind the flag: one of those to be read, or another. Behind a link it is the target that would be lost.
pub(crate) fn check_target(
    flag: &str,
    target: &Path,
    inputs: impl IntoIterator<Item = impl AsRef<Path>>,
) -> Result<(), String> {
    check_place(flag, target, inputs)?;
    let name = shown(target);
    if let Some((ending, what)) = ending_of_people(target) {
        return Err(format!("{flag} {name}: .{ending} is the ending of {what}; choose another"));
    }
    let whole = fs::canonicalize(target).ok();
    if let Some((whole, (ending, what))) = whole.and_then(|it| ending_of_people(&it).map(|why| (it, why))) {
        let whole = shown(&whole);
        return Err(format!("{flag} {name}: this leads to {whole}, and .{ending} is the ending of {what}"));
    }
    Ok(())
}

fn ending_of_people(path: &Path) -> Option<(&'static str, &'static str)> {
    let ending = path.extension().and_then(OsStr::to_str)?;
    HAND_WRITTEN.into_iter().find(|(it, _)| ending.eq_ignore_ascii_case(it))
}

/// The same of all these files, as far as flags name them. Besides, they have to be different ones.
pub(crate) fn check_targets(
    targets: &[(&str, &Option<PathBuf>)],
    inputs: &[impl AsRef<Path>],
) -> Result<(), String> {
    let given = targets.iter().filter_map(|(flag, target)| Some((*flag, target.as_deref()?)));
    let given: Vec<_> = given.collect();
    given.iter().try_for_each(|(flag, target)| check_target(flag, target, inputs))?;
    check_apart(&given)
}

/// Like [`check_target`], but allows any extension.
pub(crate) fn check_place(
    flag: &str,
    target: &Path,
    inputs: impl IntoIterator<Item = impl AsRef<Path>>,
) -> Result<(), String> {
    let name = shown(target);
    if target.as_os_str().is_empty() || target.as_os_str() == "-" {
        return Err(format!("{flag} takes the name of a file, and is not for standard output"));
    }
    if target.is_dir() {
        return Err(format!("{flag} {name}: this is a directory"));
    }
    if let Ok(whole) = fs::canonicalize(target) {
        let is_read = |input: &Path| fs::canonicalize(input).is_ok_and(|it| it == whole);
        if inputs.into_iter().any(|input| is_read(input.as_ref())) {
            return Err(format!("{flag} {name}: this is a file to be read, and would be lost"));
        }
    } else if target.is_symlink() {
        return Err(format!("{flag} {name}: this is a link to what is not there"));
    }
    match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
            Err(format!("{flag} {name}: there is no directory {}", shown(folder)))
        }
        _ => Ok(()),
    }
}

/// Whether two of these flags would write the same file. A device or a pipe takes both.
pub(crate) fn check_apart(targets: &[(&str, &Path)]) -> Result<(), String> {
    for (index, &(flag, target)) in targets.iter().enumerate() {
        let same = |&&(_, other): &&(&str, &Path)| place(other).is_some_and(|it| Some(it) == place(target));
        if let Some((other, _)) = targets[..index].iter().find(same) {
            return Err(format!("{flag} {}: {other} writes this file, too", shown(target)));
        }
    }
    Ok(())
}

/// The file that is written, wherever links lead; none if it is a device or a pipe.
fn place(target: &Path) -> Option<PathBuf> {
    if let Ok(whole) = fs::canonicalize(target) {
        return whole.is_file().then_some(whole);
    }
    let folder = target.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Some(fs::canonicalize(folder).ok()?.join(target.file_name()?))
}

/// Gives a file this content, whether or not it exists: all of it or nothing. A device or a pipe is written to.
pub(crate) fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(it) if it.is_file() => replace(path, text),
        Ok(it) if it.is_dir() => Err(io::Error::other("it is a directory")),
        Ok(_) => while_blocked(|| OpenOptions::new().write(true).open(path)?.write_all(text.as_bytes())),
        Err(_) if path.is_symlink() => Err(io::Error::other("it is a link to what is not there")),
        Err(_) => create(path, text),
    }
}

/// Writes what was asked for to a file, or as it is to standard output (`-`).
pub(crate) fn write_output(
    what: &str,
    target: &Path,
    text: &str,
    console: &mut Console,
) -> Result<(), Failure> {
    if is_stdin(target) {
        return Ok(console.print_exactly(text)?);
    }
    write_besides(what, target, text, console).map(|_| ())
}

/// Writes a file besides what is printed. What goes wrong is told on standard error and makes the exit code that of an
/// unreadable file: the result is known all the same. Whether it was written.
pub(crate) fn write_besides(
    what: &str,
    target: &Path,
    text: &str,
    console: &mut Console,
) -> Result<bool, Failure> {
    if let Err(error) = write_whole(target, text) {
        console.set_exit(Exit::Source);
        console.complain(&format!("error: {what} cannot be saved to {}: {error}\n", shown(target)))?;
        return Ok(false);
    }
    Ok(true)
}
