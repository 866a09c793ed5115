//! `map render`: draws a dialogue or a trace.

mod charts;
mod graphs;
mod picture;

use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use std::sync::Arc;

use clap::ValueEnum;
use map_session::{Compilation, PropertySelection, compile};
use map_syntax::MAX_SOURCE_BYTES;

use crate::console::Console;
use crate::failure::Failure;
use crate::files::{check_target, write_output};
use crate::input::{is_stdin, load, program_of, read_source_up_to};
use crate::trace::{MAX_TRACE_BYTES, SourceArgs};
use map_flags::{BoundArgs, SceneArgs};
use picture::{Chosen, Picture};

/// Draws a dialogue as the state-chart of each role or as all states of a small scene, or a trace as a message sequence
/// chart
#[derive(clap::Args)]
#[command(after_long_help = "\
Exit code: 0, or 3 with errors in the file.

Examples:
  map render auction.map -o auction.svg
  map render auction.map | dot -Tpng > auction.png
  map render auction.map --role bidder --as mermaid
  map render auction.map --graph state --agents bidder=1 --rounds bidloop=2 -o states.svg
  map render trace.json                            who says what to whom
  map render trace.json -o trace.html")]
pub(crate) struct Args {
    /// The dialogue, or a trace that was saved; - is standard input
    #[arg(value_name = "FILE|TRACE")]
    input: PathBuf,

    #[command(flatten)]
    at: SourceArgs,

    #[command(flatten)]
    scene: SceneArgs,

    #[command(flatten)]
    graph: GraphArgs,

    /// How it is drawn: a dialogue as text, dot, mermaid or svg, a trace as text, mermaid, plantuml, svg or html; by
    /// default as the name of the output says
    #[arg(long = "as", value_enum, value_name = "LANGUAGE")]
    picture: Option<Picture>,

    /// Draw every step of a trace, also those that repeat others or have no part in how it ends
    #[arg(long)]
    full: bool,

    /// Where to write the picture, in place of standard output (-); a file that exists is replaced. Names end in .txt,
    /// .dot, .mmd, .puml, .svg or .html
    #[arg(short, long, value_name = "FILE", default_value = "-", hide_default_value = true)]
    output: PathBuf,
}

/// Which graph of a dialogue is drawn.
#[derive(clap::Args)]
struct GraphArgs {
    /// What is drawn of a dialogue: what each role does, or the states of all of them together
    #[arg(long, value_enum, default_value_t = GraphOf::Role, value_name = "OF")]
    graph: GraphOf,

    /// Only this role
    #[arg(long, value_name = "ROLE")]
    role: Option<String>,

    /// Draw no graph of more states than that
    #[arg(long, value_name = "N", default_value_t = 500)]
    max_states: usize,

    #[command(flatten)]
    bounds: BoundArgs,
}

/// `--graph`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum GraphOf {
    /// The state-charts of the roles
    Role,
    /// Every state that the scene can reach, in the plain semantics
    State,
}

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<(), Failure> {
    let usage = |what| Failure::Usage("render", what);
    if !is_stdin(&args.output) {
        let inputs = std::iter::once(&args.input).chain(&args.at.file);
        check_target("--output", &args.output, inputs).map_err(usage)?;
    }
    let chosen = Chosen::new(args.picture, &args.output).map_err(usage)?;
    let source = read_source_up_to(&args.input, MAX_TRACE_BYTES)?;
    let text = if source.text().trim_start().starts_with('{') {
        charts::draw(args, chosen, source, console)?
    } else {
        let options = args.scene.to_options().map_err(usage)?;
        let loaded = match source.text().len() <= MAX_SOURCE_BYTES {
            true => compile(&Arc::new(source), &options, PropertySelection::Nothing),
            // It says that the text is too large.
            false => load(&args.input, &options, PropertySelection::Nothing),
        };
        graphs_of(args, chosen, &loaded, console)?
    };
    if let Some(warning) = chosen.contradiction(&args.output) {
        console.complain(&warning)?;
    }
    write_output("the picture", &args.output, &text, console)
}

/// The graphs of a dialogue.
fn graphs_of(
    args: &Args,
    chosen: Chosen,
    loaded: &Compilation,
    console: &mut Console,
) -> Result<String, Failure> {
    let program = program_of(loaded, console)?;
    if args.at.file.is_some() || args.full {
        let what = "--file and --full are for traces, and this is a dialogue";
        return Err(Failure::Usage("render", what.to_owned()));
    }
    let on_terminal = is_stdin(&args.output) && io::stdout().is_terminal();
    let picture = chosen.or(if on_terminal { Picture::Text } else { Picture::Dot });
    graphs::draw(args, picture, loaded, &program).map_err(|what| Failure::Usage("render", what))
}
