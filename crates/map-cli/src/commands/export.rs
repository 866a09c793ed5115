//! `map export`: translates a scene into a model for another tool.

use std::path::PathBuf;

use clap::ValueEnum;
use map_export::{Source, export, export_plain};
use map_session::{Collect, PropertyEntry, PropertySelection, PropertySet, PropertyState};
use map_spin::{refused, unstated};

use crate::console::{Console, show_diagnostics};
use crate::failure::Failure;
use crate::files::{check_target, write_output};
use crate::input::{is_stdin, load, program_of};
use map_flags::check_only;
use map_flags::{BoundArgs, SceneArgs};

/// Translates a scene for another tool
#[derive(clap::Args)]
#[command(after_long_help = "\
The model is of this scene, this cast and these bounds; its first lines say which, and how to
run it. SPIN stores every place of every mailbox in every state: choose a small --mailbox.

Exit code: 0, or 3 with errors in the file or something in it that cannot be exported.

Examples:
  map export auction.map --to promela --agents bidder=2 --rounds bidloop=2 --mailbox 5
  map export auction.map --to promela --mailbox 5 -o auction.pml
  map export auction.map --to promela --mailbox 5 --no-properties")]
pub(crate) struct Args {
    /// The file; - is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The language of the model
    #[arg(long, value_enum, value_name = "LANGUAGE")]
    to: Language,

    /// How the model is written
    #[arg(long, value_enum, value_name = "STYLE", default_value = "guarded", requires = "to")]
    style: Style,

    /// Of the properties of the file state only this one; may be given several times
    #[arg(long, value_name = "NAME", conflicts_with = "no_properties")]
    only: Vec<String>,

    /// Leave the properties out: the model is shorter, and SPIN has fewer states to store
    #[arg(long)]
    no_properties: bool,

    #[command(flatten)]
    scene: SceneArgs,

    #[command(flatten)]
    bounds: BoundArgs,

    /// Where to write the model, in place of standard output (-); a file that exists is replaced
    #[arg(short, long, value_name = "FILE", default_value = "-", hide_default_value = true)]
    output: PathBuf,
}

/// `--to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Language {
    /// For SPIN
    Promela,
}

/// `--style`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Style {
    /// One atomic sequence for each step, nobody polls
    Guarded,
    /// The plain scheme of the 2004 paper, for the core language only: a fail flag, mailboxes turned round, polling
    Walton,
}

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<(), Failure> {
    let usage = |what| Failure::Usage("export", what);
    let Language::Promela = args.to;
    if !is_stdin(&args.output) {
        check_target("--output", &args.output, [&args.file]).map_err(usage)?;
    }
    let options = args.scene.to_options().map_err(usage)?;
    let loaded = if args.no_properties {
        load(&args.file, &options, PropertySelection::Nothing)
    } else {
        load(
            &args.file,
            &options,
            PropertySelection::Properties { only: &args.only, given: &[], collect: Collect::NOTHING },
        )
    };
    let program = program_of(&loaded, console)?;
    if !args.no_properties {
        check_only(&args.only, &std::iter::once(&loaded)).map_err(usage)?;
    }
    let bounds = args.bounds.resolve(&program).map_err(usage)?;
    let properties: Vec<String> = loaded.properties.entries.iter().map(|it| it.name.clone()).collect();
    let (name, text) = (loaded.source.name(), loaded.source.text());
    let source = Source { name, text, properties: &properties };
    let model = match args.style {
        Style::Guarded => export(&program, &bounds, &source, &loaded.properties.compiled),
        Style::Walton => export_plain(&program, &bounds, &source),
    };
    let model = model.map_err(|refusals| {
        Failure::Refused(vec![((*loaded.source).clone(), refusals.iter().map(refused).collect())])
    })?;
    show_diagnostics(console, &loaded.source, &unstated(&model, &loaded.properties))?;
    let left_out = left_out(args.style, &loaded.properties).join(", ");
    if !left_out.is_empty() {
        console.complain(&format!("{name}: the model says nothing of the properties {left_out}\n"))?;
    }
    write_output("the model", &args.output, &model.text, console)
}

/// The properties that the model omits regardless of their content: those that cannot be judged and, in the plain
/// style, all of them.
fn left_out(style: Style, properties: &PropertySet) -> Vec<&str> {
    let is_judged = |entry: &&PropertyEntry| matches!(entry.state, PropertyState::Compiled(_));
    let entries = properties.entries.iter().filter(|it| style == Style::Walton || !is_judged(it));
    entries.map(|entry| entry.name.as_str()).collect()
}
