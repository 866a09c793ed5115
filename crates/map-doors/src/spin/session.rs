//! Runs programs in a temporary folder of their own, and recognises failures of the environment: a full disk, a
//! compiler that fails, a system that kills them. None of these is a defect of map or of the dialogue, and they are
//! reported as such.

use std::fs::{self, File};
use std::io;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use map_diagnostics::escaped_line;

use crate::process::{End, Group};
use crate::temporary::Folder;

/// The time limit of a session if none is given.
const DEFAULT_LIMIT: Duration = Duration::from_secs(600);

/// How often the interrupt flag and the deadline are polled.
const POLL: Duration = Duration::from_millis(50);

/// Bytes that must still fit on the disk after each program: SPIN and its verifiers do not check their writes. Less
/// than the `pan.c` of any model, so that a limit on the size of files strikes them before us.
const ROOM: usize = 1 << 18;

/// How many of the last lines printed by a program are shown.
const SHOWN: usize = 8;

/// Why there is no result.
pub enum SpinStop {
    /// The user wanted to stop.
    Interrupted,
    /// Its time was over.
    TimedOut,
    /// A failure of the environment.
    Hindered(Hindrance),
    /// SPIN does not accept the exported model: a defect of map.
    Refused(String),
}

/// A failure of the environment that kept a program from its work.
pub struct Hindrance {
    /// What happened, on one line.
    pub what: String,
    /// The end of the program's output.
    said: String,
    /// What the user can do.
    advice: String,
}

impl SpinStop {
    /// A failure of the environment; `said` is the output of the program, of which the end is kept.
    pub(super) fn hindered(what: impl Into<String>, said: &str, advice: impl Into<String>) -> Self {
        let lines: Vec<&str> = said.trim().lines().collect();
        let shown = lines[lines.len().saturating_sub(SHOWN)..].iter();
        let said = shown.map(|line| format!("  | {}\n", escaped_line(line))).collect();
        Self::Hindered(Hindrance { what: what.into(), said, advice: advice.into() })
    }
}

impl Hindrance {
    /// The message: what happened, the end of the program's output, and advice. Several lines.
    #[must_use]
    pub fn message(&self) -> String {
        let Self { what, said, advice } = self;
        format!("error: --with spin: {what}\n{said}  = help: {advice}\n")
    }
}

/// A temporary folder, removed when dropped, and the deadline for all programs that run in it.
pub(super) struct Session<'a> {
    folder: Folder,
    started: Instant,
    deadline: Instant,
    stop: &'a AtomicBool,
}

impl<'a> Session<'a> {
    /// Creates the folder.
    pub(super) fn open(limit: Option<Duration>, stop: &'a AtomicBool) -> Result<Self, SpinStop> {
        let folder = Folder::create("map-spin-");
        let folder = folder
            .map_err(|error| hindered_at(&error, format!("no temporary folder can be made: {error}")))?;
        let started = Instant::now();
        Ok(Self { folder, started, deadline: started + limit.unwrap_or(DEFAULT_LIMIT), stop })
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.folder.path().join(name).exists()
    }

    pub(super) fn remove(&self, name: &str) {
        // It need not exist.
        let _ = fs::remove_file(self.folder.path().join(name));
    }

    pub(super) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> Result<(), SpinStop> {
        fs::write(self.folder.path().join(name), content).map_err(|error| self.unwritten(&error))
    }

    /// Runs a program to its end, or kills its process group at the deadline or an interrupt; returns how it ended and
    /// its output, both streams together.
    pub(super) fn run(&self, program: &str, arguments: &[&str]) -> Result<(End, String), SpinStop> {
        let path = self.folder.path().join("said");
        let (output, errors) = File::create(&path)
            .and_then(|file| Ok((file.try_clone()?, file)))
            .map_err(|error| self.unwritten(&error))?;
        let mut command = Command::new(program);
        command.args(arguments).current_dir(self.folder.path());
        // A C compiler that is killed leaves its own temporary files: they go with the folder.
        command.env("TMPDIR", self.folder.path());
        command.stdin(Stdio::null()).stdout(output).stderr(errors);
        let group = Group::spawn(&mut command).map_err(|error| {
            let advice =
                "Programs have to be allowed in the folder for temporary files; TMPDIR names another";
            SpinStop::hindered(format!("{} cannot be started: {error}", shown(program)), "", advice)
        })?;
        let end = self.await_end(&group)?;
        drop(group);
        let said = fs::read(&path).map_err(|error| self.unwritten(&error))?;
        let said = String::from_utf8_lossy(&said).into_owned();
        if let End::Signal(signal) = end {
            return Err(killed(program, signal, &said));
        }
        self.write("room", vec![0; ROOM])?;
        self.remove("room");
        Ok((end, said))
    }

    fn await_end(&self, group: &Group) -> Result<End, SpinStop> {
        loop {
            if let Some(end) = group.wait(POLL) {
                return Ok(end);
            }
            if self.stop.load(Ordering::Relaxed) {
                return Err(SpinStop::Interrupted);
            }
            if Instant::now() >= self.deadline {
                return Err(SpinStop::TimedOut);
            }
        }
    }

    fn unwritten(&self, error: &io::Error) -> SpinStop {
        let folder = self.folder.path().display();
        hindered_at(error, format!("what is written to {folder} does not arrive there: {error}"))
    }
}

/// A failure of the disk.
fn hindered_at(error: &io::Error, what: String) -> SpinStop {
    let advice = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "Make room there, or let TMPDIR name a folder with some"
        }
        _ => "TMPDIR names another folder for temporary files",
    };
    SpinStop::hindered(what, "", advice)
}

/// The name of a program in messages.
fn shown(program: &str) -> String {
    match program.strip_prefix("./") {
        Some(made) => format!("`{made}`, the verifier that SPIN has written,"),
        None => format!("`{program}`"),
    }
}

/// A program was ended by a signal.
fn killed(program: &str, signal: i32, said: &str) -> SpinStop {
    let (name, advice) = match signal {
        7 => (" (SIGBUS)", "Often the disk is full: make room, or let TMPDIR name a folder with some"),
        9 => (" (SIGKILL)", "Often the machine is short of memory: try smaller bounds, such as --mailbox 5"),
        24 => (" (SIGXCPU)", "A limit on the processor's time was reached: see `ulimit -t`"),
        25 => (" (SIGXFSZ)", "A limit on the size of files was reached: see `ulimit -f`"),
        _ => ("", "Try it again, perhaps with smaller bounds, such as --mailbox 5"),
    };
    SpinStop::hindered(format!("{} was killed by signal {signal}{name}", shown(program)), said, advice)
}
