//! `map explain`: the explanation of a diagnostic code.

mod parser;

use map_diagnostics::Code;

use crate::console::Console;
use crate::failure::Failure;
use crate::markdown;
use crate::style;
use crate::terminal;

/// Explains a code such as MAP204; without one, lists them all
#[derive(clap::Args)]
#[command(after_long_help = "\
Exit code: 0, or 2 if there is no such code.

Examples:
  map explain MAP204
  map explain              all codes, one line each")]
pub(crate) struct Args {
    /// The code; its case does not matter
    #[arg(value_name = "CODE", hide_possible_values = true, value_parser = parser::CodeParser)]
    code: Option<Code>,
}

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<(), Failure> {
    let Some(code) = args.code else {
        return Ok(console.print(&list())?);
    };
    let page = code.explanation();
    if console.is_coloured() || terminal::width().is_some() {
        console.print_paragraphs(&markdown::for_terminal(page))?;
    } else {
        console.print(page)?;
    }
    Ok(())
}

fn list() -> String {
    let mut text = String::new();
    for code in Code::ALL {
        let title = code.title();
        text.push_str(&format!("{}  {:7}  {title}\n", style::head(code.as_str()), code.severity().word()));
    }
    text
}
