//! `map check`: diagnostics, and nothing else.

use std::fmt::Write as _;

use map_diagnostics::Severity;

use super::{Failure, refuse_double_stdin, show_diagnostics};
use crate::args::{Format, SceneArgs};
use crate::console::Console;
use crate::exit::Exit;
use crate::input::load;
use crate::json::{CheckOutput, CheckedFile, DiagnosticOutput, Header};
use crate::numbers::counted;

/// Looks for errors in MAP files
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  map check auction.map
  map check protocols/*.map --format json
  map check auction.map --agents bidder=3     is it sound with three bidders, too?

Exit code: 0 without errors, 3 with errors.")]
pub(crate) struct Args {
    /// The files; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,

    #[command(flatten)]
    scene: SceneArgs,

    /// How to print the result
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<(), Failure> {
    refuse_double_stdin("check", &args.files)?;
    let options = args.scene.to_options().map_err(|what| Failure::Usage("check", what))?;
    let mut output = CheckOutput { header: Header::new("check"), files: Vec::new(), diagnostics: Vec::new() };
    let (mut errors, mut warnings) = (0, 0);
    for file in &args.files {
        let loaded = load(file, &options);
        let bad = loaded.diagnostics.iter().filter(|it| it.severity() == Severity::Error).count();
        let all = loaded.diagnostics.len();
        (errors, warnings) = (errors + bad, warnings + all - bad);
        console.set_exit(if bad > 0 { Exit::Source } else { Exit::Fine });
        match args.format {
            Format::Text => show_diagnostics(console, &loaded)?,
            Format::Json => {
                output.files.push(CheckedFile {
                    file: loaded.source.name().to_owned(),
                    errors: bad,
                    warnings: all - bad,
                });
                let found = loaded.diagnostics.iter();
                output.diagnostics.extend(found.map(|it| DiagnosticOutput::new(&loaded.source, it)));
            }
        }
    }
    match args.format {
        Format::Text => console.print(&summary(args.files.len(), errors, warnings))?,
        Format::Json => console.print(&crate::json::to_text(&output)?)?,
    }
    Ok(())
}

fn summary(files: usize, errors: usize, warnings: usize) -> String {
    let mut text = format!("{} checked: ", counted(files as u64, "file"));
    match (errors, warnings) {
        (0, 0) => text.push_str("no errors"),
        _ => {
            text.push_str(&counted(errors as u64, "error"));
            if warnings > 0 {
                let _ = write!(text, ", {}", counted(warnings as u64, "warning"));
            }
        }
    }
    text.push('\n');
    text
}
