//! The `map` command: arguments, files, terminal, exit codes. Everything it knows about dialogues comes from the
//! libraries.

mod absent;
mod args;
mod chart;
mod cli;
mod commands;
mod console;
mod exit;
mod failure;
mod files;
mod identity;
mod input;
mod interrupt;
mod markdown;
mod outside;
mod panic;
mod progress;
mod style;
mod terminal;
mod terminal_modes;
mod threads;
#[cfg(feature = "cluster")]
mod together;
mod trace;

use std::process::ExitCode;

use map_json as json;

fn main() -> ExitCode {
    ExitCode::from(panic::guard(cli::dispatch).code())
}
