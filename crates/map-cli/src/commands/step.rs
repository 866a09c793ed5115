//! `map step`: steps through a dialogue by hand, with undo.

mod command;
mod completion;
mod editor;
mod input;
mod session;
mod show;

use std::path::{Path, PathBuf};

use map_check::CastOverride;
use map_diagnostics::escaped_line;
use map_session::{PropertySelection, Scene};

use crate::console::{Console, show_diagnostics};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::{is_stdin, load};
use crate::interrupt::Interrupt;
use crate::trace::{Beginning, Opened, SourceArgs, beginning, open, refuse_step};
use command::Command;
use editor::Heard;
use input::Input;
use map_flags::{BoundArgs, OddsArgs, SceneArgs};
use session::{Session, Setting};

/// Plays the dialogue by hand: choose each step, go back, inspect
#[derive(clap::Args, Clone, Debug)]
#[command(after_long_help = "\
Commands: a number takes that step; list, show, mailbox, variables, memory, where, trace, chart,
undo, redo, go, random, save, help, quit. `help` explains them. On a terminal, arrow keys edit
the line and bring back earlier ones, and Tab completes commands and names.

Exit code: 0; 2 when a script gives a command that cannot be done, which ends it; 3 with errors
in the file or trace.

Examples:
  map step auction.map --agents bidder=2
  map step --resume trace.json                   go on where a saved trace ends
  printf '1\\n1\\nshow\\n' | map step auction.map    commands from a script")]
pub(crate) struct Args {
    /// The file with the dialogue
    #[arg(value_name = "FILE", required_unless_present = "resume", conflicts_with_all = ["resume", "file"])]
    dialogue: Option<PathBuf>,

    /// Go on where this trace ends, with its scene and bounds
    #[arg(long, value_name = "TRACE", conflicts_with_all = ["SceneArgs", "BoundArgs"])]
    resume: Option<PathBuf>,

    #[command(flatten)]
    at: SourceArgs,

    #[command(flatten)]
    scene: SceneArgs,

    #[command(flatten)]
    bounds: BoundArgs,

    #[command(flatten)]
    odds: OddsArgs,
}

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<(), Failure> {
    let names = [&args.dialogue, &args.resume, &args.at.file];
    if names.into_iter().flatten().any(|name| is_stdin(name)) {
        let what = "standard input is where the commands come from; name a file".to_owned();
        return Err(Failure::Usage("step", what));
    }
    match (&args.dialogue, &args.resume) {
        (_, Some(trace)) => match open(trace, &args.at, console)? {
            Some(opened) => resume(args, &opened, console),
            None => Ok(()),
        },
        (dialogue, None) => begin(args, dialogue.as_deref().unwrap_or(Path::new("")), console),
    }
}

fn begin(args: &Args, dialogue: &Path, console: &mut Console) -> Result<(), Failure> {
    let usage = |what| Failure::Usage("step", what);
    let options = args.scene.to_options().map_err(usage)?;
    let loaded = load(dialogue, &options, PropertySelection::Nothing);
    show_diagnostics(console, &loaded.source, &loaded.diagnostics)?;
    let Some(program) = &loaded.program else {
        console.set_exit(Exit::Source);
        return Ok(());
    };
    let bounds = args.bounds.resolve(program).map_err(usage)?;
    let scene = loaded.scene(bounds).expect("it has a program");
    let mut session = session(args, &scene, &options.agents)?;
    session.begin(console)?;
    talk(&mut session, console)
}

fn resume(args: &Args, opened: &Opened, console: &mut Console) -> Result<(), Failure> {
    let Opened { trace, scene, .. } = opened;
    let mut session = session(args, scene, &trace.cast)?;
    let Some(Beginning { initial, values }) = beginning(opened, session.namer(), console)? else {
        return Ok(());
    };
    if let Err((index, why)) = session.resume(initial, &trace.steps, values) {
        return refuse_step(opened, index, why, console);
    }
    session.begin(console)?;
    talk(&mut session, console)
}

fn session<'a>(args: &Args, scene: &'a Scene, cast: &'a [CastOverride]) -> Result<Session<'a>, Failure> {
    let options = args.odds.resolve(&scene.program, 0, 0).map_err(|what| Failure::Usage("step", what))?;
    let interrupt = Interrupt::install();
    Ok(Session::new(Setting { scene, cast, options, interrupt }))
}

/// Reads and runs commands until there are no more. A script ends at the first command that fails.
fn talk(session: &mut Session<'_>, console: &mut Console) -> Result<(), Failure> {
    let mut input = Input::open(session.program())?;
    let mut number = 0;
    loop {
        number += 1;
        let done = match input.next(session, console)? {
            Heard::Line(line) => line.and_then(|line| Command::read(&line)),
            Heard::End => return Ok(()),
            Heard::Interrupt => {
                console.set_exit(Exit::Interrupted);
                return Ok(());
            }
        };
        let done = match done {
            Ok(Command::Quit) => return Ok(()),
            Ok(command) => session.run(&command, console)?,
            Err(why) => Err(why),
        };
        if let Err(why) = done {
            if input.is_interactive() {
                console.complain(&format!("{}\n", escaped_line(&why)))?;
            } else {
                console.complain(&format!("error: line {number}: {}\n", escaped_line(&why)))?;
                console.set_exit(Exit::Usage);
                return Ok(());
            }
        }
    }
}
