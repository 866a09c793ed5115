//! `map render`: pictures of a dialogue.

mod graphs;

use std::path::Path;

use clap::ValueEnum;

use super::{Failure, fmt, new, show_diagnostics};
use crate::args::SceneArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::input::{STDIN, load};

/// Draws a dialogue: the state-chart of each role
#[derive(clap::Args)]
#[command(after_help = "\
Exit code: 0, or 3 with errors in the file.

Examples:
  map render auction.map --as dot | dot -Tsvg > auction.svg
  map render auction.map --role bidder --as mermaid")]
pub(crate) struct Args {
    /// The file; - is standard input
    #[arg(value_name = "FILE")]
    file: String,

    #[command(flatten)]
    scene: SceneArgs,

    /// Only this role
    #[arg(long, value_name = "ROLE")]
    role: Option<String>,

    /// How it is drawn
    #[arg(long = "as", value_enum, value_name = "LANGUAGE")]
    picture: Option<Picture>,

    /// Where to write the picture, in place of standard output (-); a file that exists is replaced
    #[arg(short, long, value_name = "FILE", default_value = "-", hide_default_value = true)]
    output: String,
}

/// `--as`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Picture {
    /// For Graphviz
    Dot,
    /// For Mermaid, which many web pages understand
    Mermaid,
    /// As a picture
    Svg,
}

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<(), Failure> {
    let usage = |what| Failure::Usage("render", what);
    let options = args.scene.to_options().map_err(usage)?;
    let loaded = load(&args.file, &options);
    show_diagnostics(console, &loaded.source, &loaded.diagnostics)?;
    let Some(program) = &loaded.program else {
        console.set_exit(Exit::Source);
        return Ok(());
    };
    if is_same_file(&args.output, &args.file) {
        return Err(usage(format!("--output {}: this is the dialogue itself", args.output)));
    }
    let text = graphs::draw(args, program).map_err(usage)?;
    write(&args.output, &text, console)
}

fn is_same_file(output: &str, file: &str) -> bool {
    let both = std::fs::canonicalize(output).ok().zip(std::fs::canonicalize(file).ok());
    output != STDIN && both.is_some_and(|(output, file)| output == file)
}

fn write(output: &str, text: &str, console: &mut Console) -> Result<(), Failure> {
    if output == STDIN {
        return Ok(console.print_exactly(text)?);
    }
    let path = Path::new(output);
    let written = if path.exists() { fmt::replace::replace(path, text) } else { new::create(path, text) };
    written.map_err(|error| Failure::Usage("render", format!("{output} cannot be written: {error}")))
}
