//! `map explain`: the explanation of a diagnostic code, or of a word of the reports.

mod parser;

use map_diagnostics::Code;
use map_explain::words;

use crate::console::Console;
use crate::failure::Failure;
use crate::markdown;
use crate::style;
use crate::terminal;

/// Explains a code such as MAP204, or a word of the reports such as livelock; without one, lists them all
#[derive(clap::Args)]
#[command(after_long_help = "\
Exit code: 0, or 2 if there is no such code or word.

Examples:
  map explain MAP204
  map explain livelock
  map explain terminates if fair
  map explain              all codes and words, one line each")]
pub(crate) struct Args {
    /// The code, or the word, which may be several; their case does not matter
    #[arg(value_name = "CODE|WORD", hide_possible_values = true, num_args = 0.., value_parser = parser::WordParser)]
    asked: Vec<String>,
}

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<(), Failure> {
    if args.asked.is_empty() {
        return Ok(console.print(&list())?);
    }
    let page = page(&args.asked.join(" "))?;
    if console.is_coloured() || terminal::width().is_some() {
        console.print_paragraphs(&markdown::for_terminal(&page))?;
    } else {
        console.print(&page)?;
    }
    Ok(())
}

fn page(asked: &str) -> Result<String, Failure> {
    if let Some(code) = parser::code(asked) {
        return Ok(code.explanation().to_owned());
    }
    let entry = words::explained(asked).ok_or_else(|| Failure::Usage("explain", parser::unknown(asked)))?;
    Ok(entry.page())
}

fn list() -> String {
    let mut text = String::new();
    for code in Code::ALL {
        let title = code.title();
        text.push_str(&format!("{}  {:7}  {title}\n", style::head(code.as_str()), code.severity().word()));
    }
    text.push_str("\nWords of the reports:\n");
    for entry in words::entries() {
        let heading = entry.words().collect::<Vec<_>>().join(", ");
        text.push_str(&format!("{}: {}\n", style::head(&heading), entry.first_sentence()));
    }
    text
}
