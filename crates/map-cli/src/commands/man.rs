//! `map man`: manual pages, generated from the same definitions as `--help`.

use std::io::{self, ErrorKind, IsTerminal};
use std::path::{Path, PathBuf};

use clap::Command;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use map_doors::shown;

use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::{check_target, write_besides};

/// Prints a page of the manual, or writes all of them
#[derive(clap::Args)]
#[command(after_long_help = "\
The pages are in the format of man(1), section 1, and say what --help says. On a terminal, what to do with one is printed
in its place.
Exit code: 0, 2 if there is no such verb or no such folder can be, 3 if a page cannot be written.

Examples:
  map man > map.1
  map man verify | man -l -                         reads the page of a verb
  map man verify > map-verify.1                     the page of a verb
  map man --output-dir ~/.local/share/man/man1      all of them, for `man map` and `man map-verify`")]
pub(crate) struct Args {
    /// Whose page; without it, that of map itself
    #[arg(value_name = "VERB")]
    verb: Vec<String>,

    /// Write the pages of all verbs into this folder, which is made if it is not there; pages that exist are replaced
    #[arg(long, value_name = "DIR", conflicts_with = "verb")]
    output_dir: Option<PathBuf>,
}

/// `root` is the command of map itself.
pub(crate) fn run(args: &Args, mut root: Command, console: &mut Console) -> Result<(), Failure> {
    root.build();
    if let Some(folder) = &args.output_dir {
        return write_all(&root, folder, console);
    }
    let mut command = &root;
    for verb in &args.verb {
        command = command
            .find_subcommand(verb)
            .ok_or_else(|| Failure::Usage("man", format!("there is no verb `{verb}`")))?;
    }
    if io::stdout().is_terminal() {
        return Ok(console.print(&how_to_read(&args.verb))?);
    }
    Ok(console.print_exactly(&page(&root, command)?)?)
}

/// What to do with a page that nobody can read as it is.
fn how_to_read(verb: &[String]) -> String {
    let words: Vec<&str> = ["map", "man"].into_iter().chain(verb.iter().map(String::as_str)).collect();
    let (line, verb) = (words.join(" "), words[2..].join(" "));
    let help = format!("map help {verb}");
    format!(
        "The page is written for man(1), not to be read as it is:\n  {line} | man -l -\n  {line} > map.1\n\
         The same text, now: {}\n",
        help.trim_end()
    )
}

/// Writes the page of a command and those of the commands below it, and prints their names.
fn write_all(root: &Command, folder: &Path, console: &mut Console) -> Result<(), Failure> {
    if let Err(error) = std::fs::create_dir_all(folder) {
        let what = format!("{} cannot be written: {error}", shown(folder));
        if matches!(error.kind(), ErrorKind::AlreadyExists | ErrorKind::NotADirectory) {
            return Err(Failure::Usage("man", what));
        }
        return Err(Failure::Ended(Exit::Source, what));
    }
    for command in all(root) {
        let path = folder.join(format!("{}.1", name(command)));
        check_target("--output-dir", &path, [] as [&Path; 0]).map_err(|what| Failure::Usage("man", what))?;
        if !write_besides("the page", &path, &page(root, command)?, console)? {
            break;
        }
        console.print(&format!("{}\n", shown(&path)))?;
    }
    Ok(())
}

/// A command and all its subcommands, recursively.
fn all(command: &Command) -> Vec<&Command> {
    std::iter::once(command).chain(command.get_subcommands().flat_map(all)).collect()
}

/// `map-verify` for `map verify`: the name of its page.
fn name(command: &Command) -> &str {
    command.get_display_name().unwrap_or_else(|| command.get_name())
}

/// The page of a command.
fn page(root: &Command, command: &Command) -> io::Result<String> {
    let man = Man::new(command.clone())
        .title(name(command).to_uppercase())
        // No date, so that the same source gives the same page; an empty one would be left out.
        .date(" ")
        .source(format!("map {}", env!("CARGO_PKG_VERSION")))
        .manual("Agent dialogues");
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    after_help(command).to_writer(&mut page)?;
    see_also(root, command).to_writer(&mut page)?;
    Ok(once(&String::from_utf8_lossy(&page)))
}

/// The text below the flags in `--help`: notes, exit codes and examples, each as a section of its own.
fn after_help(command: &Command) -> Roff {
    let text = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
    let (notes, examples) = text.split_once("Examples:\n").unwrap_or((&text, ""));
    let (notes, codes) = notes.split_once("Exit code: ").unwrap_or((notes, ""));
    let mut roff = Roff::new();
    for (heading, text) in [("NOTES", notes), ("EXIT STATUS", codes)] {
        if !text.trim().is_empty() {
            roff.control("SH", [heading]);
            for paragraph in text.trim().split("\n\n") {
                roff.control("PP", []).text([roman(paragraph)]);
            }
        }
    }
    if !examples.is_empty() {
        roff.control("SH", ["EXAMPLES"]);
        for (command, comment) in examples.lines().map(example) {
            roff.control("PP", []).text([bold(command)]);
            if !comment.is_empty() {
                roff.control("RS", []).text([roman(comment)]).control("RE", []);
            }
        }
    }
    roff
}

/// Splits a line of examples into the command and its comment, which two spaces set apart.
fn example(line: &str) -> (&str, &str) {
    let line = line.trim();
    line.split_once("  ").map_or((line, ""), |(command, comment)| (command, comment.trim_start()))
}

fn see_also(root: &Command, command: &Command) -> Roff {
    let others = all(root).into_iter().map(name).filter(|other| *other != name(command));
    let others: Vec<String> = others.map(|other| format!("{other}(1)")).collect();
    let mut roff = Roff::new();
    roff.control("SH", ["SEE ALSO"]).text([roman(others.join(", "))]);
    roff
}

/// The page without the repeated preambles: each rendered section comes with one.
fn once(page: &str) -> String {
    let preamble: Vec<&str> = page.lines().take_while(|line| !line.starts_with(".TH")).collect();
    let (head, rest) = page.split_at(page.find(".TH").unwrap_or_default());
    let kept = rest.lines().filter(|line| !preamble.contains(line));
    kept.fold(head.to_owned(), |text, line| text + line + "\n")
}

#[cfg(test)]
mod tests {
    use super::how_to_read;

    #[test]
    fn a_terminal_is_told_how_to_read_a_page() {
        let text = how_to_read(&["verify".to_owned()]);
        assert!(
            text.contains("  map man verify | man -l -\n") && text.ends_with("map help verify\n"),
            "{text}"
        );
        assert!(how_to_read(&[]).ends_with("map help\n"));
    }
}
