//! `map render`: draws a dialogue or a trace.

mod charts;
mod graphs;
mod picture;

use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::ValueEnum;
use map_session::{Compilation, PropertySelection, compile};
use map_syntax::MAX_SOURCE_BYTES;

use crate::console::{Console, show_diagnostics};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::{check_target, write_besides};
use crate::input::{Unreadable, is_stdin, load, read_source_up_to};
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
    let text = match read_source_up_to(&args.input, MAX_TRACE_BYTES) {
        Ok(source) if source.text().trim_start().starts_with('{') => {
            charts::draw(args, chosen, source, console)?
        }
        Ok(source) if source.text().len() <= MAX_SOURCE_BYTES => {
            let options = args.scene.to_options().map_err(usage)?;
            graphs_of(
                args,
                chosen,
                &compile(&Arc::new(source), &options, PropertySelection::Nothing),
                console,
            )?
        }
        Ok(_) => {
            let options = args.scene.to_options().map_err(usage)?;
            graphs_of(args, chosen, &load(&args.input, &options, PropertySelection::Nothing), console)?
        }
        Err(unreadable) => {
            let Unreadable { source, diagnostic } = *unreadable;
            console.set_exit(Exit::Source);
            show_diagnostics(console, &source, &[diagnostic])?;
            None
        }
    };
    let Some(text) = text else { return Ok(()) };
    if let Some(warning) = chosen.contradiction(&args.output) {
        console.complain(&warning)?;
    }
    write(&args.output, &text, console)
}

/// The graphs of a dialogue; `None` if it has errors, which have been reported and the exit code set.
fn graphs_of(
    args: &Args,
    chosen: Chosen,
    loaded: &Compilation,
    console: &mut Console,
) -> Result<Option<String>, Failure> {
    show_diagnostics(console, &loaded.source, &loaded.diagnostics)?;
    let Some(program) = &loaded.program else {
        console.set_exit(Exit::Source);
        return Ok(None);
    };
    if args.at.file.is_some() || args.full {
        let what = "--file and --full are for traces, and this is a dialogue";
        return Err(Failure::Usage("render", what.to_owned()));
    }
    let on_terminal = is_stdin(&args.output) && io::stdout().is_terminal();
    let picture = chosen.or(if on_terminal { Picture::Text } else { Picture::Dot });
    let drawn = graphs::draw(args, picture, loaded, program);
    drawn.map(Some).map_err(|what| Failure::Usage("render", what))
}

fn write(output: &Path, text: &str, console: &mut Console) -> Result<(), Failure> {
    if is_stdin(output) {
        return Ok(console.print_exactly(text)?);
    }
    write_besides("the picture", output, text, console).map(|_| ())
}
