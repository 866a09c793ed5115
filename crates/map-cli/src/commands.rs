//! The verbs, one module each, and what they have in common.

pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod dump;
pub(crate) mod explain;
pub(crate) mod export;
pub(crate) mod fmt;
pub(crate) mod man;
pub(crate) mod new;
pub(crate) mod render;
pub(crate) mod replay;
pub(crate) mod run;
pub(crate) mod step;
pub(crate) mod test;
pub(crate) mod verify;

use std::ffi::OsString;
use std::io;

use anstream::ColorChoice;
use clap::error::ErrorKind;
use clap::{Arg, CommandFactory as _, FromArgMatches as _};
use map_diagnostics::{Diagnostic, SourceFile};
use map_verify::InternalError;

use crate::args::{Cli, Colour, Command};
use crate::console::Console;
use crate::exit::Exit;
use crate::input::STDIN;

/// How many diagnostics of one file are shown.
const MAX_SHOWN: usize = 100;

/// Why a command does not come to its end.
pub(crate) enum Failure {
    /// The output cannot be written.
    Output(io::Error),
    /// The command line is wrong; the verb and what is wrong.
    Usage(&'static str, String),
    /// The engine contradicted itself.
    Internal(String),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<InternalError> for Failure {
    fn from(error: InternalError) -> Self {
        Self::Internal(error.to_string())
    }
}

/// Runs what the command line asks for.
pub(crate) fn dispatch() -> Exit {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let colour = colour_of(&arguments);
    // `--mailbox -1` is a bad number, not an unknown flag.
    let numbers = |it: Arg| {
        let takes_a_value = it.get_long().is_some() && it.get_action().takes_values();
        it.allow_negative_numbers(takes_a_value)
    };
    let command = Cli::command().mut_subcommands(|verb| verb.mut_args(numbers));
    let mut command = command.color(match colour {
        ColorChoice::Always | ColorChoice::AlwaysAnsi => clap::ColorChoice::Always,
        ColorChoice::Never => clap::ColorChoice::Never,
        ColorChoice::Auto => clap::ColorChoice::Auto,
    });
    let parsed = command.try_get_matches_from_mut(arguments).and_then(|it| Cli::from_arg_matches(&it));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => {
            // A closed pipe is no error here either.
            let _ = error.print();
            return if error.use_stderr() { Exit::Usage } else { Exit::Fine };
        }
    };
    // For what is written past the console: prompts.
    colour.write_global();
    let mut console = Console::new(colour);
    let result = match &cli.command {
        None => console.print(GREETING).map_err(Failure::from),
        Some(Command::Check(args)) => check::run(args, &mut console),
        Some(Command::Run(args)) => run::run(args, &mut console),
        Some(Command::Step(args)) => step::run(args, &mut console),
        Some(Command::Verify(args)) => verify::run(args, &mut console),
        Some(Command::Test(args)) => test::run(args, &mut console),
        Some(Command::Replay(args)) => replay::run(args, &mut console),
        Some(Command::Render(args)) => render::run(args, &mut console),
        Some(Command::Fmt(args)) => fmt::run(args, &mut console),
        Some(Command::New(args)) => new::run(args, &mut console),
        Some(Command::Explain(args)) => explain::run(args, &mut console),
        Some(Command::Export(args)) => export::run(args, &mut console),
        Some(Command::Dump(args)) => dump::run(args, &mut console),
        Some(Command::Completions(args)) => completions::run(args, &mut console),
        Some(Command::Man(args)) => man::run(args, &mut console),
    };
    match result.and_then(|()| Ok(console.flush()?)) {
        Ok(()) => console.exit,
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => console.exit,
        Err(Failure::Output(error)) => {
            let _ = console.complain(&format!("the output cannot be written: {error}\n"));
            Exit::Internal
        }
        Err(Failure::Usage(verb, what)) => {
            let _ = console.flush();
            let verb = command.find_subcommand_mut(verb).expect("the verb was parsed");
            let _ = verb.error(ErrorKind::ValueValidation, what).print();
            Exit::Usage
        }
        Err(Failure::Internal(what)) => {
            let _ = console.complain(&format!(
                "internal error: {what}\nThis is a defect of map, not of your file. Please report it.\n"
            ));
            Exit::Internal
        }
    }
}

/// `--color`, found before the rest is parsed: errors in the rest want it too.
fn colour_of(arguments: &[OsString]) -> ColorChoice {
    let words: Vec<&str> =
        arguments.iter().map_while(|it| it.to_str()).take_while(|it| *it != "--").collect();
    let split = words.windows(2).filter(|pair| pair[0] == "--color").map(|pair| pair[1]);
    let joined = words.iter().filter_map(|word| word.strip_prefix("--color="));
    let chosen =
        split.chain(joined).next().and_then(|word| <Colour as clap::ValueEnum>::from_str(word, false).ok());
    match chosen {
        Some(Colour::Always) => ColorChoice::Always,
        Some(Colour::Never) => ColorChoice::Never,
        Some(Colour::Auto) | None => ColorChoice::Auto,
    }
}

const GREETING: &str = "\
map plays and verifies dialogues between agents: does every run end, and end well?

Three commands to try, in an empty folder:
  map new auction --from english-auction    starts a file from the library
  map run auction.map                       plays it once
  map verify auction.map                    explores every run of it

map --help lists all commands, map verify --help the flags and examples of one.
";

/// Shows the diagnostics of a file on standard error, at most [`MAX_SHOWN`].
pub(crate) fn show_diagnostics(
    console: &mut Console,
    source: &SourceFile,
    diagnostics: &[Diagnostic],
) -> io::Result<()> {
    for diagnostic in diagnostics.iter().take(MAX_SHOWN) {
        console.complain(&map_diagnostics::render(source, diagnostic))?;
    }
    let rest = diagnostics.len().saturating_sub(MAX_SHOWN);
    if rest > 0 {
        console.complain(&format!("and {rest} more in {}\n\n", source.name()))?;
    }
    Ok(())
}

/// Standard input can be read once only.
pub(crate) fn refuse_double_stdin(verb: &'static str, files: &[String]) -> Result<(), Failure> {
    if files.iter().filter(|file| *file == STDIN).count() > 1 {
        return Err(Failure::Usage(verb, "`-` (standard input) can be given once only".to_owned()));
    }
    Ok(())
}
