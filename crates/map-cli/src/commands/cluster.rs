//! `map cluster`: starts the processes of a cluster, and watches them.

mod line;
mod watch;

use std::ffi::OsString;
use std::path::PathBuf;
use std::{env, fs};

use clap::{Command, Subcommand};
use map_cluster::{Hosts, Key, Place, Remote};
use map_doors::shown;

use self::watch::Outcome;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::interrupt::Interrupt;

/// Starts processes on several machines that verify or play a dialogue together
#[derive(clap::Args)]
#[command(
    arg_required_else_help = false,
    subcommand_value_name = "WHAT",
    after_long_help = "\
Exit code: that of process 0, which prints what is found; 75 when processes were lost too often
or could not be started, 130 when interrupted.

Examples:
  map cluster run hosts -- verify auction.map
  map cluster run hosts --key key -- verify auction.map --agents bidder=3 --rounds bidloop=2
  map cluster run hosts --restarts 10 -- verify auction.map --patience 30s
  map cluster run hosts -- run auction.map --runs 10000 --seed 1
  map cluster run hosts --via 'sh -c {command}' --program map -- verify auction.map"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

/// What can be done with a cluster.
#[derive(Subcommand)]
enum Action {
    Run(RunArgs),
}

/// Starts a process for each line of a list of hosts, and all again if one is lost
///
/// What has an address of this machine is started here, everything else by ssh. The list of hosts, the key and the
/// file have to be at the same places everywhere, and the same version of map. Process 0 prints what is found; what
/// others say is printed on standard error.
#[derive(clap::Args)]
struct RunArgs {
    /// The address and port of each process, one a line
    #[arg(value_name = "HOSTS")]
    hosts: PathBuf,

    /// The secret of the processes, as for verify
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,

    /// How to start a process on its machine, in place of ssh
    ///
    /// {host} stands for the machine, {process} for the number of the process, and {command} for what a shell there has
    /// to execute, as one word; that is added at the end if it is not mentioned. Then this is used for every process.
    #[arg(long, value_name = "COMMAND")]
    via: Option<String>,

    /// What is called map on the other machines
    #[arg(long, value_name = "PROGRAM", default_value = "map")]
    program: String,

    /// How often all are started again after one was lost
    ///
    /// With `--checkpoint DIR` in the command line, they go on from the checkpoints in that folder.
    #[arg(long, value_name = "N", default_value_t = 3)]
    restarts: u32,

    /// What each process does: verify, or run with --runs and --seed, with its file and flags
    #[arg(last = true, required = true, value_name = "VERB")]
    line: Vec<OsString>,
}

/// `root` is the command of map itself.
pub(crate) fn run(args: &Args, root: Command, console: &mut Console) -> Result<(), Failure> {
    let Action::Run(args) = &args.action;
    let usage = |what: String| Failure::Usage("cluster", what);
    let at = |flag: &str, file: &PathBuf, error: &dyn std::fmt::Display| {
        Failure::Usage("cluster", format!("{flag}{}: {error}", file.display()))
    };
    let text = fs::read_to_string(&args.hosts).map_err(|error| at("", &args.hosts, &error))?;
    let hosts = Hosts::parse(&text).map_err(|error| at("", &args.hosts, &error))?;
    if let Some(key) = &args.key {
        // The processes read it; what is wrong with it should not be told by each of them.
        Key::read(key).map_err(|error| at("--key ", key, &error))?;
    }
    line::check(args, root).map_err(usage)?;
    let folder = env::current_dir().map_err(|error| usage(format!("the current folder: {error}")))?;
    let remote = Remote { via: args.via.as_deref(), program: &args.program, folder: &folder };
    let places = Place::all(&hosts, &remote).map_err(usage)?;
    // The first Ctrl-C is passed on.
    let interrupt = Interrupt::install();
    let mut restarts = 0;
    loop {
        let line = if restarts == 0 { args.line.clone() } else { line::going_on(&args.line) };
        match watch::attempt(&places, &line, args, &interrupt, console)? {
            Outcome::Ended(exit) => {
                console.set_exit(exit);
                return Ok(());
            }
            Outcome::Lost(_) if interrupt.is_set() => {
                return Err(Failure::Ended(Exit::Interrupted, "interrupted".to_owned()));
            }
            Outcome::Lost(what) if restarts == args.restarts => {
                let often = match restarts {
                    0 => String::new(),
                    1 => " after 1 restart".to_owned(),
                    _ => format!(" after {restarts} restarts"),
                };
                return Err(Failure::Ended(Exit::Lost, format!("{what}{often}")));
            }
            Outcome::Lost(what) => {
                restarts += 1;
                let again = format!("all start again ({restarts} of {})", args.restarts);
                console.complain(&format!("warning: {}; {again}\n", map_diagnostics::escaped(&what)))?;
                watch::pause(restarts, &interrupt);
            }
        }
    }
}

/// Completes "process 0 (..)" by what was started for it.
fn program_of(words: &[OsString]) -> String {
    words.first().map_or_else(String::new, |word| shown(word.as_ref()))
}
