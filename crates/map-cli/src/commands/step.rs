//! `map step`: steps through a dialogue by hand, with undo.

mod editor;
mod files;
mod input;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use map_check::CastOverride;
use map_diagnostics::escaped_line;
use map_doors::{from_bytes, named, shown};
use map_explain::counted;
use map_explain::stepping::{Command, Obstacle, Stepper, Surroundings};
use map_flags::{BoundArgs, OddsArgs, SceneArgs};
use map_session::{PropertySelection, Scene};
use map_simulate::SimulationOptions;

use crate::chart::ChartArg;
use crate::commands::run::any_seed;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::check_target;
use crate::input::{is_stdin, load, program_of};
use crate::interrupt::Interrupt;
use crate::json::choice;
use crate::style;
use crate::trace::{self, Beginning, NewTrace, Opened, SourceArgs, open, to_text};
use editor::Heard;
use input::Input;

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
        (_, Some(trace)) => resume(args, &open(trace, &args.at, console)?, console),
        (dialogue, None) => begin(args, dialogue.as_deref().unwrap_or(Path::new("")), console),
    }
}

fn begin(args: &Args, dialogue: &Path, console: &mut Console) -> Result<(), Failure> {
    let usage = |what| Failure::Usage("step", what);
    let options = args.scene.to_options().map_err(usage)?;
    let loaded = load(dialogue, &options, PropertySelection::Nothing);
    let program = program_of(&loaded, console)?;
    let bounds = args.bounds.resolve(&program).map_err(usage)?;
    let scene = loaded.scene(bounds).expect("it has a program");
    let mut session = Session::new(args, &scene, &options.agents)?;
    session.talk(console)
}

fn resume(args: &Args, opened: &Opened, console: &mut Console) -> Result<(), Failure> {
    let Opened { trace, scene, .. } = opened;
    let mut session = Session::new(args, scene, &trace.cast)?;
    let Beginning { initial, values } = opened.beginning(session.stepper.namer())?;
    let resumed = session.stepper.resume(initial, &trace.steps, values);
    resumed.map_err(|(index, why)| opened.refuse_step(index, &why))?;
    session.talk(console)
}

/// A run, and what stays the same while it is stepped through.
struct Session<'a> {
    stepper: Stepper<'a>,
    scene: &'a Scene,
    cast: &'a [CastOverride],
    odds: SimulationOptions,
    interrupt: Interrupt,
}

impl<'a> Session<'a> {
    fn new(args: &Args, scene: &'a Scene, cast: &'a [CastOverride]) -> Result<Self, Failure> {
        let odds = args.odds.resolve(&scene.program, 0, 0).map_err(|what| Failure::Usage("step", what))?;
        Ok(Self { stepper: Stepper::new(scene), scene, cast, odds, interrupt: Interrupt::install() })
    }

    /// Reads and runs commands until there are no more. A script ends at the first command that fails.
    fn talk(&mut self, console: &mut Console) -> Result<(), Failure> {
        console.print(&style::text(&self.stepper.begin()))?;
        let mut input = Input::open(&self.scene.program)?;
        let mut number = 0;
        loop {
            number += 1;
            let command = match input.next(&self.stepper, &self.interrupt, console)? {
                Heard::Line(line) => line.and_then(|line| read(&line)),
                Heard::End => return Ok(()),
                Heard::Interrupt => {
                    console.set_exit(Exit::Interrupted);
                    return Ok(());
                }
            };
            let done = match command {
                Ok(Command::Quit) => return Ok(()),
                Ok(Command::Save(file)) => self.save(&file, console)?,
                Ok(command) => self.run(&command, console)?,
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

    /// Carries out a command, or says what is wrong with it.
    fn run(&mut self, command: &Command, console: &mut Console) -> Result<Result<(), String>, Failure> {
        self.odds.seed = any_seed();
        let interrupt = self.interrupt.clone();
        let mut broken = None;
        let said = self.stepper.run(
            command,
            &mut Surroundings {
                odds: &self.odds,
                width: ChartArg::Always.drawing(false).width,
                is_stopped: &|| interrupt.is_set(),
                print: &mut |line| match console.print(&style::text(line)) {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(error) => {
                        broken = Some(error);
                        ControlFlow::Break(())
                    }
                },
            },
        );
        broken.map_or(Ok(()), Err)?;
        if matches!(command, Command::Random(..)) {
            interrupt.clear();
        }
        match said {
            Ok(text) => Ok(Ok(console.print(&style::text(&text))?)),
            Err(Obstacle::Command(why)) => Ok(Err(why)),
            Err(Obstacle::Defect(what)) => Err(Failure::Internal(what)),
        }
    }

    fn save(&self, file: &Path, console: &mut Console) -> Result<Result<(), String>, Failure> {
        let Scene { source, program, bounds, .. } = self.scene;
        if let Err(why) = check_target(trace::FLAG, file, [named(Path::new(""), source.name())]) {
            return Ok(Err(why));
        }
        let walk = self.stepper.walk();
        let saved = NewTrace {
            command: "step",
            source,
            program,
            bounds,
            cast: self.cast,
            verdict: self.stepper.standing().word(),
            initial: &walk.run().initial,
            choices: walk.steps().iter().map(choice).collect(),
            repeated_from: None,
            values: self.stepper.values(to_text),
        };
        if trace::save(saved, file, console)? {
            let steps = counted(walk.steps().len() as u64, "step");
            console.print(&format!("{steps} saved to {}\n", shown(file)))?;
        }
        Ok(Ok(()))
    }
}

/// Parses a line as it was read. Only the name of a file may be something else than UTF-8.
fn read(line: &[u8]) -> Result<Command, String> {
    if let Ok(text) = std::str::from_utf8(line) {
        return Command::parse(text);
    }
    let name = line.trim_ascii().strip_prefix(b"save");
    let name = name.filter(|rest| rest.first().is_some_and(u8::is_ascii_whitespace));
    let name = name.and_then(|name| from_bytes(name.trim_ascii().to_vec()));
    name.map(|name| Command::Save(name.into())).ok_or_else(|| "the line is not UTF-8".to_owned())
}

#[cfg(all(test, unix))]
mod tests {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    use super::{Command, read};

    #[test]
    fn file_names_are_bytes() {
        let name = OsStr::from_bytes(b"a \xff.json");
        assert_eq!(read(b" save  a \xff.json\n"), Ok(Command::Save(name.into())));
        for line in [&b"save\xff"[..], b"show \xff", b"\xff", b"saved \xff"] {
            assert_eq!(read(line), Err("the line is not UTF-8".to_owned()));
        }
    }
}
