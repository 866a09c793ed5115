//! `map check`: the diagnostics of files, warnings included.

mod github;
mod sarif;

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::ValueEnum;
use map_diagnostics::{Diagnostic, Severity, SourceFile};

use crate::console::{Console, show_diagnostics};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::with_dialogues;
use crate::input::{examine, refuse_double_stdin};
use crate::json::{CheckOutput, CheckedFile, DiagnosticOutput, Header, to_text};
use crate::numbers::counted;
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

/// What was found in one file.
struct Findings {
    source: SourceFile,
    diagnostics: Vec<Diagnostic>,
    errors: usize,
    warnings: usize,
}

impl Findings {
    fn new((source, diagnostics): (SourceFile, Vec<Diagnostic>)) -> Self {
        let errors = diagnostics.iter().filter(|it| it.severity() == Severity::Error).count();
        let warnings = diagnostics.len() - errors;
        Self { source, diagnostics, errors, warnings }
    }
}

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<(), Failure> {
    refuse_double_stdin("check", &args.files)?;
    let options = args.scene.to_options().map_err(|what| Failure::Usage("check", what))?;
    let denied = args.deny == Some(Denied::Warnings);
    let mut all = Vec::new();
    for file in &with_dialogues(&args.files) {
        let findings = Findings::new(examine(file, &options));
        if findings.errors > 0 || (denied && findings.warnings > 0) {
            console.set_exit(Exit::Source);
        }
        if args.format == Format::Text {
            show_diagnostics(console, &findings.source, &findings.diagnostics)?;
        }
        all.push(findings);
    }
    let text = match args.format {
        Format::Text => summary(&all, denied),
        Format::Json => to_text(&output(&all))?,
        Format::Github => all.iter().flat_map(commands).collect(),
        Format::Sarif => to_text(&sarif::log(&all))?,
    };
    console.print(&text)?;
    Ok(())
}

fn commands(findings: &Findings) -> impl Iterator<Item = String> {
    findings.diagnostics.iter().map(|it| github::command(&findings.source, it))
}

fn output(all: &[Findings]) -> CheckOutput {
    let mut output = CheckOutput { header: Header::new("check"), files: Vec::new(), diagnostics: Vec::new() };
    for Findings { source, diagnostics, errors, warnings } in all {
        let file = source.name().to_owned();
        output.files.push(CheckedFile { file, errors: *errors, warnings: *warnings });
        output.diagnostics.extend(diagnostics.iter().map(|it| DiagnosticOutput::new(source, it)));
    }
    output
}

fn summary(all: &[Findings], denied: bool) -> String {
    let errors: usize = all.iter().map(|it| it.errors).sum();
    let warnings: usize = all.iter().map(|it| it.warnings).sum();
    let mut text = format!("{} checked: ", counted(all.len() as u64, "file"));
    match errors {
        0 => text.push_str("no errors"),
        _ => text.push_str(&counted(errors as u64, "error")),
    }
    if warnings > 0 {
        let denied = if denied { " (denied)" } else { "" };
        let _ = write!(text, ", {}{denied}", counted(warnings as u64, "warning"));
    }
    text.push('\n');
    text
}
