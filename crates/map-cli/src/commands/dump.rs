//! `map dump`: the result of each phase, for people who work on the tool.

use std::path::{Path, PathBuf};

use clap::Subcommand;
use map_check::{CheckOptions, check};
use map_diagnostics::{Diagnostic, Severity, SourceFile};
use map_explain::dump;
use map_semantics::Step;
use map_session::{PropertySelection, choose_one};

use crate::console::{Console, show_diagnostics};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::{load, read_source};
use map_flags::{BoundArgs, SceneArgs};

/// Shows what a phase of this tool made of a file
#[derive(clap::Args)]
#[command(
    arg_required_else_help = false,
    subcommand_value_name = "STAGE",
    subcommand_help_heading = "Stages",
    after_long_help = "\
Places are LINE:COLUMN, both from 1, the end of a span exclusive. The layout may change from
release to release.

Exit code: 0, or 3 with errors in the file; `ast` then shows what could be read.

Examples:
  map dump ast auction.map
  map dump ir auction.map --agents bidder=2
  map dump successors auction.map --after 0.0.act,0.0.act"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    stage: Stage,
}

/// The phases.
#[derive(Subcommand)]
enum Stage {
    /// The syntax tree
    Ast {
        /// The file; - is standard input
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Roles, parts, clauses, agents, procedures, and what each variable does where it stands
    Names {
        /// The file; - is standard input
        #[arg(value_name = "FILE")]
        file: PathBuf,

        #[command(flatten)]
        scene: SceneArgs,
    },
    /// The compiled scene: its control points and where they lead
    Ir {
        /// The file; - is standard input
        #[arg(value_name = "FILE")]
        file: PathBuf,

        #[command(flatten)]
        scene: SceneArgs,
    },
    /// A state, every step that is possible in it, and the states they lead to
    Successors(Successors),
}

#[derive(clap::Args)]
struct Successors {
    /// The file; - is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    #[command(flatten)]
    scene: SceneArgs,

    #[command(flatten)]
    bounds: BoundArgs,

    /// The steps to take from the first state, named as they are listed, such as 0.0.act or 1.0.act.1; may be repeated
    #[arg(long, value_name = "CHOICE", value_delimiter = ',')]
    after: Vec<Step>,
}

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<(), Failure> {
    match &args.stage {
        Stage::Ast { file } => ast(file, console),
        Stage::Names { file, scene } => names(file, &options(scene)?, console),
        Stage::Ir { file, scene } => ir(file, &options(scene)?, console),
        Stage::Successors(args) => successors(args, console),
    }
}

fn options(scene: &SceneArgs) -> Result<CheckOptions, Failure> {
    scene.to_options().map_err(|what| Failure::Usage("dump", what))
}

fn complain(console: &mut Console, source: &SourceFile, found: &[Diagnostic]) -> Result<(), Failure> {
    if found.iter().any(|it| it.severity() == Severity::Error) {
        console.set_exit(Exit::Source);
    }
    Ok(show_diagnostics(console, source, found)?)
}

fn ast(file: &Path, console: &mut Console) -> Result<(), Failure> {
    let source = read_source(file)?;
    let parsed = map_syntax::parse(&source);
    console.print(&dump::ast(&source, &parsed.file))?;
    complain(console, &source, &parsed.diagnostics)
}

fn names(file: &Path, options: &CheckOptions, console: &mut Console) -> Result<(), Failure> {
    let source = read_source(file)?;
    let parsed = map_syntax::parse(&source);
    if !parsed.diagnostics.is_empty() {
        return complain(console, &source, &parsed.diagnostics);
    }
    let scenes: Vec<String> = parsed.file.scenes().map(|scene| scene.name.text.clone()).collect();
    if options.scene.is_none() && scenes.len() > 1 {
        return complain(console, &source, &[choose_one(&scenes)]);
    }
    let (checked, found) = check(&parsed.file, options);
    if let Some(checked) = checked {
        console.print(&dump::names(&source, &checked))?;
    }
    complain(console, &source, &found)
}

fn ir(file: &Path, options: &CheckOptions, console: &mut Console) -> Result<(), Failure> {
    let loaded = load(file, options, PropertySelection::Nothing);
    if let Some(program) = &loaded.program {
        console.print(&dump::ir(&loaded.source, program))?;
    }
    complain(console, &loaded.source, &loaded.diagnostics)
}

fn successors(args: &Successors, console: &mut Console) -> Result<(), Failure> {
    let usage = |what| Failure::Usage("dump", what);
    let loaded = load(&args.file, &options(&args.scene)?, PropertySelection::Nothing);
    if let Some(program) = &loaded.program {
        let bounds = args.bounds.resolve(program).map_err(usage)?;
        let text = dump::successors(&loaded.source, program, &bounds, &args.after).map_err(usage)?;
        console.print(&text)?;
    }
    complain(console, &loaded.source, &loaded.diagnostics)
}
