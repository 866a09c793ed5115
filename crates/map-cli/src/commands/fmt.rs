//! `map fmt`: the canonical layout of files.

mod diff;

use std::path::{Path, PathBuf};

use map_diagnostics::{Diagnostic, SourceFile};
use map_explain::counted;

use crate::console::{Console, show_diagnostics};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::with_dialogues;
use crate::input::{is_stdin, read_source};

/// Lays out MAP files; comments stay
#[derive(clap::Args)]
#[command(after_long_help = "\
A file with errors is left as it is; the others are laid out all the same. Files are replaced as
a whole or not at all. Line ends stay as most lines have them (LF or CRLF), a byte order mark stays,
and a line whose warnings a comment allows keeps its words.

Exit code: 0, or 1 if --check finds a file that would change, 3 with errors in a file.

Examples:
  map fmt auction.map               rewrites the file if its layout changes
  map fmt *.map --check             says which files would change
  map fmt auction.map --diff        shows what would change
  map fmt - < auction.map           from standard input to standard output")]
pub(crate) struct Args {
    /// The files, or folders with such; - alone is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Write nothing; exit with 1 if a file would change
    #[arg(long)]
    check: bool,

    /// Write nothing; print what would change
    #[arg(long)]
    diff: bool,
}

/// How many files had which outcome.
#[derive(Default)]
struct Counts {
    changed: u64,
    unchanged: u64,
    rejected: u64,
}

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<(), Failure> {
    if args.files.len() > 1 && args.files.iter().any(|file| is_stdin(file)) {
        return Err(Failure::Usage("fmt", "`-` (standard input) stands alone".to_owned()));
    }
    let mut counts = Counts::default();
    // A reader that has enough, such as `head`, ends neither the work nor the exit code.
    let mut closed = None;
    for file in &with_dialogues(&args.files) {
        match formatted(file) {
            Ok((source, text)) => match apply(args, file, &source, &text, console, &mut counts) {
                Err(failure) if failure.is_closed_pipe() => closed = Some(failure),
                applied => applied?,
            },
            Err((source, errors)) => {
                show_diagnostics(console, &source, &errors)?;
                counts.rejected += 1;
            }
        }
    }
    if counts.rejected > 0 {
        console.set_exit(Exit::Source);
    }
    if let Some(closed) = closed {
        return Err(closed);
    }
    // What is printed instead is meant to be used as it is.
    if !args.diff && (args.check || !is_stdin(&args.files[0])) {
        console.print(&summary(args, &counts))?;
    }
    Ok(())
}

/// The file and its text in canonical layout, or its errors.
fn formatted(file: &Path) -> Result<(SourceFile, String), (SourceFile, Vec<Diagnostic>)> {
    let source = read_source(file).map_err(|it| (it.source, vec![it.diagnostic]))?;
    match map_syntax::format(&source) {
        Ok(text) => Ok((source, text)),
        Err(errors) => Err((source, errors)),
    }
}

/// Writes or prints the result for one file, as the flags ask, and counts it.
fn apply(
    args: &Args,
    file: &Path,
    source: &SourceFile,
    text: &str,
    console: &mut Console,
    counts: &mut Counts,
) -> Result<(), Failure> {
    let changes = source.text() != text;
    let writes = !args.check && !args.diff;
    if writes && is_stdin(file) {
        counts.unchanged += 1;
        return Ok(console.print_exactly(text)?);
    }
    if !changes {
        counts.unchanged += 1;
        return Ok(());
    }
    if args.check {
        console.set_exit(Exit::Violation);
    }
    if args.diff {
        // For `patch`, or for people.
        if console.is_coloured_for_people() {
            console.print(&diff::coloured(source, text))?;
        } else {
            console.print_exactly(&diff::unified(source, text))?;
        }
    } else if args.check {
        console.print(&format!("{} would change\n", source.name()))?;
    }
    if writes {
        if let Err(error) = map_doors::files::replace(file, text) {
            let file = source.name();
            console.complain(&format!("error: {file} cannot be written: {error}\n"))?;
            counts.rejected += 1;
            return Ok(());
        }
        console.print(&format!("{} changed\n", source.name()))?;
    }
    counts.changed += 1;
    Ok(())
}

fn summary(args: &Args, counts: &Counts) -> String {
    let would = if args.check { "would change" } else { "changed" };
    let mut text =
        format!("{} {would}, {} as it should be", counted(counts.changed, "file"), counts.unchanged);
    if counts.rejected > 0 {
        text.push_str(&format!(", {} left alone", counts.rejected));
    }
    text.push('\n');
    text
}
