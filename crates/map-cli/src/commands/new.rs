//! `map new`: a protocol of the library as a start.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use map_library::{PROTOCOLS, Protocol, Version, find};

use super::Failure;
use crate::console::Console;
use crate::interrupt::undisturbed;
use crate::story::style;

/// Starts a file from a protocol of the library; without a name, lists them
#[derive(clap::Args)]
#[command(after_help = "\
A file that exists is not touched.

Exit code: 0, or 2 if the file exists or cannot be written.

Examples:
  map new                                        what there is, one line each
  map new lot --from english-auction             writes lot.map
  map new vote --from ballot/voting-twice        a version with a defect
  map new - --from ballot                        to standard output")]
pub(crate) struct Args {
    /// The file to write, with or without .map; - is standard output
    #[arg(value_name = "NAME", requires = "from")]
    name: Option<String>,

    /// The protocol to start from; with /VERSION, one of its versions with a defect
    #[arg(long, value_name = "PROTOCOL", requires = "name", hide_possible_values = true)]
    #[arg(value_parser = PossibleValuesParser::new(names()))]
    from: Option<String>,
}

/// All that can stand behind `--from`.
fn names() -> Vec<String> {
    let versions = |protocol: &Protocol| {
        let defective =
            protocol.defective.iter().map(|version| format!("{}/{}", protocol.name, version.name));
        std::iter::once(protocol.name.to_owned()).chain(defective).collect::<Vec<_>>()
    };
    PROTOCOLS.iter().flat_map(versions).collect()
}

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<(), Failure> {
    let (Some(name), Some(from)) = (&args.name, &args.from) else {
        return Ok(console.print(&list())?);
    };
    let version = version(from).expect("the name is one of those that can be given");
    if name == crate::input::STDIN {
        return Ok(console.print(&version.start())?);
    }
    let path = file_name(name);
    create(&path, &version.start()).map_err(|error| Failure::Usage("new", refusal(&path, &error)))?;
    Ok(console.print(&next_steps(&path, from, version))?)
}

fn version(from: &str) -> Option<&'static Version> {
    match from.split_once('/') {
        None => find(from).map(|protocol| &protocol.right),
        Some((protocol, name)) => find(protocol)?.defective.iter().find(|version| version.name == name),
    }
}

fn file_name(name: &str) -> PathBuf {
    let path = PathBuf::from(name);
    if path.extension().is_some_and(|extension| extension == "map") {
        path
    } else {
        format!("{name}.map").into()
    }
}

/// Writes a new file, whole or not at all.
pub(super) fn create(path: &Path, text: &str) -> io::Result<()> {
    undisturbed(|| create_now(path, text))
}

fn create_now(path: &Path, text: &str) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new().prefix(".map-new-").suffix(".tmp").tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // A temporary file is for its owner alone; a text like this is not secret.
        file.as_file().set_permissions(std::fs::Permissions::from_mode(0o644))?;
    }
    file.persist_noclobber(path).map_err(|error| error.error)?;
    Ok(())
}

fn refusal(path: &Path, error: &io::Error) -> String {
    if error.kind() == io::ErrorKind::AlreadyExists {
        return format!("{} exists: choose another name", path.display());
    }
    format!("{} cannot be written: {error}", path.display())
}

fn next_steps(path: &Path, from: &str, version: &Version) -> String {
    let file = path.display();
    let flags = if version.flags().is_empty() { String::new() } else { format!(" {}", version.flags()) };
    format!(
        "{file} starts from {from}. Try:\n  map check {file}\n  map run {file}{flags}\n  map verify {file}{flags}\n"
    )
}

fn list() -> String {
    let width = PROTOCOLS.iter().map(|protocol| protocol.name.len()).max().unwrap_or_default();
    let mut text = String::new();
    for Protocol { name, about, defective, .. } in PROTOCOLS {
        let padding = " ".repeat(width - name.len());
        let _ = writeln!(text, "{}{padding}  {about}", style::head(name));
        for version in *defective {
            let _ = writeln!(text, "{:width$}    /{}", "", version.name);
        }
    }
    text.push_str("\nmap new NAME --from PROTOCOL copies one. Behind a / stand versions with a defect.\n");
    text
}
