//! `map check`: the diagnostics of files, warnings included.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use map_diagnostics::{ExaminedFile, github_command};
use map_doors::named;
use map_explain::{check_summary, counted};

use crate::console::{Console, show_diagnostics};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::with_dialogues;
use crate::input::{examine, refuse_double_stdin};
use crate::json::{CheckOutput, sarif, to_text};
use map_flags::SceneArgs;

/// Looks for errors and warnings in MAP files
#[derive(clap::Args)]
#[command(after_long_help = "\
All scenes of a file are checked; as long as it has errors there are no warnings. The comment
`// map: allow(MAP301)` silences a warning, `map explain MAP301` explains it.
`map run` prints no warnings, and `map verify` only those about lines that the run shown passes.

Exit code: 0 without errors, 3 with errors, or with warnings under --deny warnings.

Examples:
  map check auction.map
  map check protocols/*.map --format json
  map check auction.map --agents bidder=3     is it sound with three bidders, too?
  map check *.map --deny warnings --format github")]
pub(crate) struct Args {
    /// The files, or folders with such; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    scene: SceneArgs,

    /// Exit with 3 if there are warnings, too
    #[arg(long, value_enum, value_name = "WHAT")]
    deny: Option<Denied>,

    /// How to print the result
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// `--deny`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Denied {
    /// All warnings that no comment allows
    Warnings,
}

/// `--format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// One JSON object
    Json,
    /// Workflow commands, which GitHub shows at the lines they are about
    Github,
    /// One SARIF 2.1.0 log, for code scanning services
    Sarif,
}

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<(), Failure> {
    refuse_double_stdin("check", &args.files)?;
    let options = args.scene.to_options().map_err(|what| Failure::Usage("check", what))?;
    let denied = args.deny == Some(Denied::Warnings);
    let mut all = Vec::new();
    for name in &with_dialogues(&args.files) {
        let file = examine(name, &options);
        if file.errors() > 0 || (denied && file.warnings() > 0) {
            console.set_exit(Exit::Source);
        }
        if args.format == Format::Text {
            show_diagnostics(console, &file.source, &file.diagnostics)?;
        }
        all.push(file);
    }
    let text = match args.format {
        Format::Text => {
            let checked = counted(all.len() as u64, "file");
            format!("{checked} checked: {}\n", check_summary(&all, denied))
        }
        Format::Json => to_text(&CheckOutput::new(&all))?,
        Format::Github => all.iter().flat_map(commands).collect(),
        Format::Sarif => to_text(&sarif::log(&all, |source| named(Path::new(""), source.name())))?,
    };
    Ok(console.print(&text)?)
}

fn commands(file: &ExaminedFile) -> impl Iterator<Item = String> {
    file.diagnostics.iter().map(|diagnostic| github_command(&file.source, diagnostic))
}
