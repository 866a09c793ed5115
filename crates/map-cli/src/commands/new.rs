//! `map new`: starts a file from a protocol of the library.

use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command};
use map_check::nearest;
use map_doors::files::create;
use map_doors::shown;
use map_library::{PROTOCOLS, Protocol, Version, find, names, version};

use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::is_stdin;
use crate::style;
use map_flags::quoted_name;

/// Starts a file from a protocol of the library; without a name, lists what there is
#[derive(clap::Args)]
#[command(after_long_help = "\
A file that exists is not touched.

Exit code: 0, 2 if the file or the protocol is the wrong one, 3 if the file cannot be written.

Examples:
  map new                                        what there is, one line each
  map new --from ballot                          the versions of one, larger or with a defect
  map new lot --from english-auction             writes lot.map
  map new vote --from ballot/voting-twice        a version with a defect
  map new - --from ballot                        to standard output")]
pub(crate) struct Args {
    /// The file to write, with or without .map; - is standard output
    name: Option<PathBuf>,

    /// The protocol to start from; with /VERSION, one of its other versions
    #[arg(long, value_name = "PROTOCOL", hide_possible_values = true, value_parser = Completed)]
    from: Option<String>,
}

/// Accepts any word, but offers the known names to shell completion. Clap would list all of them in an error message,
/// which would bury the error.
#[derive(Clone)]
struct Completed;

impl TypedValueParser for Completed {
    type Value = String;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(names().into_iter().map(PossibleValue::new)))
    }
}

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<(), Failure> {
    let refused = |why: String| Failure::Usage("new", why);
    let (name, from) = match (&args.name, &args.from) {
        (None, None) => return Ok(console.print(&list())?),
        (None, Some(from)) => {
            let protocol = find(from).ok_or_else(|| refused(unknown(from)))?;
            return Ok(console.print(&versions(protocol))?);
        }
        (Some(name), None) => {
            let name = shown(name);
            let why = format!("--from says what {name} starts from; `map new` lists what there is");
            return Err(refused(why));
        }
        (Some(name), Some(from)) => (name, from),
    };
    let version = version(from).ok_or_else(|| refused(unknown(from)))?;
    if is_stdin(name) {
        return Ok(console.print_exactly(&version.start())?);
    }
    let path = file_name(name).ok_or_else(|| refused(format!("`{}` is no name of a file", shown(name))))?;
    if let Err(error) = create(&path, &version.start()) {
        if let Some(why) = refusal(&path, &error) {
            return Err(refused(why));
        }
        return Err(Failure::Ended(Exit::Source, format!("{} cannot be written: {error}", shown(&path))));
    }
    Ok(console.print(&next_steps(&path, from, version))?)
}

/// The error for an unknown name, with the nearest known one if there is any.
fn unknown(from: &str) -> String {
    let all = names();
    let all = || all.iter().map(String::as_str);
    let longer = all().find(|known| !from.is_empty() && known.contains(from));
    let meant = nearest(from, all()).or(longer).map(|near| format!("did you mean {near}? "));
    format!("--from {from}: there is no such protocol; {}`map new` lists them", meant.unwrap_or_default())
}

/// The file that is meant; none if nothing but a folder is named.
fn file_name(path: &Path) -> Option<PathBuf> {
    let ends_in_a_name = !matches!(path.as_os_str().as_encoded_bytes(), [.., b'/' | b'.']);
    path.file_stem().filter(|stem| ends_in_a_name && *stem != ".map")?;
    if path.extension().is_some_and(|extension| extension == "map") {
        return Some(path.to_owned());
    }
    let mut name = OsString::from(path);
    name.push(".map");
    Some(name.into())
}

/// What is wrong with the name, if it is that.
fn refusal(path: &Path, error: &io::Error) -> Option<String> {
    let why = match error.kind() {
        io::ErrorKind::AlreadyExists => return Some(format!("{} exists: choose another name", shown(path))),
        io::ErrorKind::NotFound => "there is no such folder",
        io::ErrorKind::PermissionDenied => "that is not permitted there",
        io::ErrorKind::NotADirectory => "what stands before the name is no folder",
        _ => return None,
    };
    Some(format!("{} cannot be written: {why}", shown(path)))
}

fn next_steps(path: &Path, from: &str, version: &Version) -> String {
    let file = quoted_name(path);
    let flags = if version.flags().is_empty() { String::new() } else { format!(" {}", version.flags()) };
    format!(
        "{} starts from {from}. Try:\n  map check {file}\n  map run {file}{flags}\n  map verify {file}{flags}\n",
        shown(path)
    )
}

fn list() -> String {
    let rows = PROTOCOLS.iter().map(|protocol| (protocol.name.to_owned(), protocol.about.to_owned()));
    table(rows.collect())
        + "\nmap new NAME --from PROTOCOL copies one; map new --from PROTOCOL lists its versions, larger or with a defect.\n"
}

/// The versions of a protocol, each with the first sentence of its text.
fn versions(protocol: &'static Protocol) -> String {
    let Protocol { name, about, .. } = protocol;
    let rows =
        protocol.others().map(|version| (format!("{name}/{}", version.name), version.first_sentence()));
    let all = std::iter::once(((*name).to_owned(), (*about).to_owned())).chain(rows);
    table(all.collect()) + "\nmap new NAME --from PROTOCOL/VERSION copies one of them.\n"
}

fn table(rows: Vec<(String, String)>) -> String {
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
    let mut text = String::new();
    for (name, about) in rows {
        let padding = " ".repeat(width - name.len());
        let _ = writeln!(text, "{}{padding}  {about}", style::head(&name));
    }
    text
}
