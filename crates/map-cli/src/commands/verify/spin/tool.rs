//! Runs SPIN, the C compiler and the verifiers they make, in a folder of their own; nothing of them is left behind.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use map_verify::ViolationKind;

use super::Opinion;
use crate::interrupt::Interrupt;
use crate::outside::Group;

/// How long all of it may take if no time limit is given.
const PATIENCE: Duration = Duration::from_secs(600);

/// How often it is looked whether the user wants to stop.
const GLANCE: Duration = Duration::from_millis(50);

/// SPIN and a C compiler, as they are installed.
pub(in crate::commands::verify) struct Spin {
    version: String,
}

/// Why there is no answer.
pub(in crate::commands::verify) enum Stopped {
    Interrupted,
    TimedOut,
    Failed(String),
}

impl From<io::Error> for Stopped {
    fn from(error: io::Error) -> Self {
        Self::Failed(error.to_string())
    }
}

/// What the verifier prints when it finds something.
const SIGNS: [(&str, ViolationKind); 5] = [
    ("assertion violated no_failure", ViolationKind::Failure),
    ("invalid end state (at", ViolationKind::Deadlock),
    ("assertion violated no_mailbox_overflow", ViolationKind::MailboxOverflow),
    ("assertion violated no_runaway_recursion", ViolationKind::RunawayRecursion),
    ("assertion violated no_run_error", ViolationKind::RunError),
];

/// One run of everything.
struct Session<'a> {
    folder: &'a Path,
    deadline: Instant,
    interrupt: &'a Interrupt,
}

impl Spin {
    /// Looks for the programs.
    ///
    /// # Errors
    /// Which one is missing, and how it is installed.
    pub(in crate::commands::verify) fn find() -> Result<Self, String> {
        let answer = |program: &str, flag: &str| {
            Command::new(program).arg(flag).stdin(Stdio::null()).output().ok().map(|output| output.stdout)
        };
        let version = answer("spin", "-V").ok_or(
            "--with spin: there is no program `spin`; install it (Debian: apt-get install spin), or see spinroot.com",
        )?;
        answer("cc", "--version")
            .ok_or("--with spin: there is no C compiler `cc`; SPIN needs one (Debian: apt-get install gcc libc6-dev)")?;
        let version = String::from_utf8_lossy(&version);
        let number = version.split_whitespace().nth(2).unwrap_or("of unknown version");
        Ok(Self { version: format!("SPIN {number}") })
    }

    /// Verifies a model: what goes wrong, then whether some run never ends.
    pub(super) fn verify(
        &self,
        model: &str,
        limit: Option<Duration>,
        interrupt: &Interrupt,
    ) -> Result<Opinion, Stopped> {
        let folder = tempfile::Builder::new().prefix("map-spin-").tempdir()?;
        let started = Instant::now();
        let deadline = started + limit.unwrap_or(PATIENCE);
        let session = Session { folder: folder.path(), deadline, interrupt };
        fs::write(folder.path().join("model.pml"), model)?;
        let said = session.run("spin", &["-a", "model.pml"])?;
        if !folder.path().join("pan.c").exists() || said.contains("Error:") {
            return Err(Stopped::Failed(said));
        }
        let mut opinion = Opinion::limited("", Duration::ZERO);
        (opinion.limited, opinion.version) = (None, self.version.clone());
        session.compile(&[])?;
        let (said, searching) = session.pan(&["-c0", "-n"])?;
        opinion.searching = searching;
        opinion.violations =
            SIGNS.iter().filter(|(sign, _)| said.contains(sign)).map(|&(_, kind)| kind).collect();
        opinion.limited = limit_of(&said);
        (opinion.states, opinion.transitions) =
            (number(&said, " states, stored"), number(&said, " transitions"));
        if !opinion.violations.is_empty() {
            let (said, _) = session.pan(&["-c1", "-n"])?;
            // What is found first is what the trail leads to.
            opinion
                .violations
                .sort_by_key(|kind| !SIGNS.iter().any(|(sign, its)| its == kind && said.contains(sign)));
            opinion.trail = Some(session.run("spin", &["-t", "-p", "model.pml"])?);
        }
        session.compile(&["-DNP"])?;
        let (said, searching) = session.pan(&["-l", "-A", "-c1", "-n"])?;
        opinion.searching += searching;
        opinion.infinite = said.contains("non-progress cycle (at");
        opinion.limited = opinion.limited.or(limit_of(&said));
        opinion.took = started.elapsed();
        Ok(opinion)
    }
}

/// What SPIN found about a claim.
pub(super) struct Refuted {
    /// A run violates it.
    pub(super) violated: bool,
    /// What kept SPIN from an answer.
    pub(super) limited: Option<&'static str>,
    pub(super) states: u64,
    /// The run that violates it.
    pub(super) trail: Option<String>,
}

impl Refuted {
    pub(super) fn limited(why: &'static str) -> Self {
        Self { violated: false, limited: Some(why), states: 0, trail: None }
    }
}

/// What is passed over where claims are verified: SPIN would stop at what goes wrong.
const PASSED_OVER: &str = "-Dpassed__over=true";

impl Spin {
    /// Verifies claims of a model, by name.
    pub(super) fn claims<'n>(
        model: &str,
        names: impl Iterator<Item = &'n str>,
        limit: Option<Duration>,
        interrupt: &Interrupt,
    ) -> Result<Vec<Refuted>, Stopped> {
        let folder = tempfile::Builder::new().prefix("map-spin-").tempdir()?;
        let deadline = Instant::now() + limit.unwrap_or(PATIENCE);
        let session = Session { folder: folder.path(), deadline, interrupt };
        fs::write(folder.path().join("model.pml"), model)?;
        let said = session.run("spin", &[PASSED_OVER, "-a", "model.pml"])?;
        if !folder.path().join("pan.c").exists() || said.contains("Error:") || said.contains("tl_spin:") {
            return Err(Stopped::Failed(said));
        }
        session.compile(&["-DNOREDUCE"])?;
        names.map(|name| session.claim(name)).collect()
    }
}

impl Session<'_> {
    fn claim(&self, name: &str) -> Result<Refuted, Stopped> {
        let (said, _) = self.pan(&["-a", "-c1", "-n", "-N", name])?;
        let ours = |line: &str| line.contains("assertion violated no_");
        let signs = ["acceptance cycle (at", "assertion violated", "end state in claim"];
        let violated = said.lines().any(|line| !ours(line) && signs.iter().any(|sign| line.contains(sign)));
        let limited = if violated { None } else { limit_of(&said) };
        let trail =
            violated.then(|| self.run("spin", &[PASSED_OVER, "-t", "-p", "model.pml"])).transpose()?;
        Ok(Refuted { violated, limited, states: number(&said, " states, stored"), trail })
    }
}

/// Whether SPIN came to a limit of its own.
fn limit_of(said: &str) -> Option<&'static str> {
    [
        ("max search depth too small", "some run is longer than 10,000,000 of SPIN's steps"),
        ("out of memory", "it needs more than 8 GB"),
        ("no_integer_out_of_range", "an integer is too large for the model"),
    ]
    .into_iter()
    .find(|(sign, _)| said.contains(sign))
    .map(|(_, limit)| limit)
}

/// The number in front of some words.
fn number(said: &str, words: &str) -> u64 {
    let line = said.lines().find(|line| line.contains(words));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

impl Session<'_> {
    fn compile(&self, flags: &[&str]) -> Result<(), Stopped> {
        let all =
            [&["-w", "-O2", "-DMEMLIM=8192", "-DVECTORSZ=65536", "-o", "pan"], flags, &["pan.c"]].concat();
        let _ = fs::remove_file(self.folder.join("pan"));
        let said = self.run("cc", &all)?;
        if self.folder.join("pan").exists() { Ok(()) } else { Err(Stopped::Failed(said)) }
    }

    fn pan(&self, flags: &[&str]) -> Result<(String, Duration), Stopped> {
        let started = Instant::now();
        // Deep searches are tried only where a shallow one does not do: the stack is set aside at once.
        let mut said = String::new();
        for depth in ["-m100000", "-m10000000"] {
            said = self.run("./pan", &[&[depth][..], flags].concat())?;
            if !said.contains("max search depth too small") {
                break;
            }
        }
        // A search that SPIN gives up looks like one that finds nothing.
        if said.contains("State-vector") && !said.contains("aborting (at") {
            Ok((said, started.elapsed()))
        } else {
            Err(Stopped::Failed(said))
        }
    }

    /// Runs a program to its end, or stops it with all it has started; what it says.
    fn run(&self, program: &str, arguments: &[&str]) -> Result<String, Stopped> {
        let path = self.folder.join("said");
        let file = File::create(&path)?;
        let mut command = Command::new(program);
        command.args(arguments).current_dir(self.folder).stdin(Stdio::null());
        command.stdout(file.try_clone()?).stderr(file);
        let group = Group::spawn(&mut command)?;
        while group.wait(GLANCE).is_none() {
            if self.interrupt.is_set() {
                return Err(Stopped::Interrupted);
            }
            if Instant::now() >= self.deadline {
                return Err(Stopped::TimedOut);
            }
        }
        drop(group);
        Ok(String::from_utf8_lossy(&fs::read(&path)?).into_owned())
    }
}
