//! `map completions`: completion scripts for shells.

use clap::Command;
use clap_complete::{Shell, generate};

use crate::console::Console;
use crate::failure::Failure;

/// Prints a completion script for a shell
#[derive(clap::Args)]
#[command(after_long_help = "\
Exit code: 0, or 2 if there is no such shell.

Examples:
  map completions fish > ~/.config/fish/completions/map.fish
  map completions bash > ~/.local/share/bash-completion/completions/map")]
pub(crate) struct Args {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// `command` is that of map itself.
pub(crate) fn run(args: &Args, mut command: Command, console: &mut Console) -> Result<(), Failure> {
    let mut script = Vec::new();
    generate(args.shell, &mut command, "map", &mut script);
    console.print_exactly(&String::from_utf8_lossy(&script))?;
    Ok(())
}
