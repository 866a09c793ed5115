//! Runs SPIN, the C compiler and the verifiers they build, and parses their output.

use std::io;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use map_verify::ViolationKind;

use super::Opinion;
use super::session::{Session, Stopped};
use crate::interrupt::Interrupt;
use crate::process_group::End;

/// The installed SPIN; there is a C compiler, too.
pub(in crate::commands::verify) struct Spin {
    version: String,
}

/// What the verifier prints for each kind of violation.
const SIGNS: [(&str, ViolationKind); 5] = [
    ("assertion violated no_failure", ViolationKind::Failure),
    ("invalid end state (at", ViolationKind::Deadlock),
    ("assertion violated no_mailbox_overflow", ViolationKind::MailboxOverflow),
    ("assertion violated no_runaway_recursion", ViolationKind::RunawayRecursion),
    ("assertion violated no_run_error", ViolationKind::RunError),
];

impl Spin {
    /// Looks for SPIN and the C compiler.
    ///
    /// # Errors
    /// Which one is missing or cannot be started, and how to install it.
    pub(in crate::commands::verify) fn find() -> Result<Self, String> {
        let version = answer(
            "spin",
            "-V",
            "there is no program `spin`; install it (Debian: apt-get install spin), or see spinroot.com",
        )?;
        answer(
            "cc",
            "--version",
            "there is no C compiler `cc`; SPIN needs one (Debian: apt-get install gcc libc6-dev)",
        )?;
        let number = version.split_whitespace().nth(2).unwrap_or("of unknown version");
        Ok(Self { version: format!("SPIN {number}") })
    }

    /// Verifies a model in two searches: for violations, then for runs that never end (non-progress cycles).
    pub(super) fn verify(
        &self,
        model: &str,
        limit: Option<Duration>,
        interrupt: &Interrupt,
    ) -> Result<Opinion, Stopped> {
        let session = Session::open(limit, interrupt)?;
        session.write("model.pml", model)?;
        session.spin(&["-a", "model.pml"])?;
        let mut opinion = Opinion::limited("", Duration::ZERO);
        (opinion.limited, opinion.version) = (None, self.version.clone());
        session.compile(&[])?;
        let (said, searching) = session.pan(&["-c0", "-n"])?;
        opinion.searching = searching;
        opinion.violations =
            SIGNS.iter().filter(|(sign, _)| said.contains(sign)).map(|&(_, kind)| kind).collect();
        opinion.limited = limit_of(&said).map(str::to_owned);
        (opinion.states, opinion.transitions) =
            (number(&said, " states, stored"), number(&said, " transitions"));
        if !opinion.violations.is_empty() {
            let (said, _) = session.pan(&["-c1", "-n"])?;
            // The violation at the end of the trail comes first.
            opinion
                .violations
                .sort_by_key(|kind| !SIGNS.iter().any(|(sign, its)| its == kind && said.contains(sign)));
            opinion.trail = Some(session.trail(&[])?);
        }
        session.compile(&["-DNP"])?;
        let (said, searching) = session.pan(&["-l", "-A", "-c1", "-n"])?;
        opinion.searching += searching;
        opinion.infinite = said.contains("non-progress cycle (at");
        if !opinion.infinite {
            opinion.limited = opinion.limited.or(limit_of(&said).map(str::to_owned));
        }
        opinion.took = session.elapsed();
        Ok(opinion)
    }
}

/// The output of a program for a flag such as `--version`.
fn answer(program: &str, flag: &str, missing: &str) -> Result<String, String> {
    match Command::new(program).arg(flag).stdin(Stdio::null()).output() {
        Ok(output) if output.status.code().is_some() => {
            Ok(String::from_utf8_lossy(&output.stdout).into_owned())
        }
        Ok(output) => {
            Err(format!("--with spin: `{program} {flag}` does not end by itself: {}", output.status))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(format!("--with spin: {missing}")),
        Err(error) => Err(format!("--with spin: `{program}` cannot be started: {error}")),
    }
}

/// What SPIN found about a claim.
pub(super) struct ClaimResult {
    /// Whether a run violates it.
    pub(super) violated: bool,
    /// What kept SPIN from a verdict.
    pub(super) limited: Option<String>,
    pub(super) states: u64,
    /// The run that violates it.
    pub(super) trail: Option<String>,
}

impl ClaimResult {
    pub(super) fn limited(why: &str) -> Self {
        Self { violated: false, limited: Some(why.to_owned()), states: 0, trail: None }
    }
}

/// Disables the model's own assertions while claims are verified: SPIN would stop at those.
const PASSED_OVER: &str = "-Dpassed__over=true";

impl Spin {
    /// Verifies claims of a model, by name.
    pub(super) fn claims<'n>(
        model: &str,
        names: impl Iterator<Item = &'n str>,
        limit: Option<Duration>,
        interrupt: &Interrupt,
    ) -> Result<Vec<ClaimResult>, Stopped> {
        let session = Session::open(limit, interrupt)?;
        session.write("model.pml", model)?;
        session.spin(&[PASSED_OVER, "-a", "model.pml"])?;
        session.compile(&["-DNOREDUCE"])?;
        names.map(|name| session.claim(name)).collect()
    }
}

/// The limit of its own that SPIN reached, if any, in a search that was to be complete.
fn limit_of(said: &str) -> Option<&'static str> {
    [
        ("max search depth too small", "some run is longer than 10,000,000 of SPIN's steps"),
        ("reached -DMEMLIM bound", "it needs more than 8 GB"),
        ("out of memory", "the machine has no memory left for it"),
        ("no_integer_out_of_range", "an integer is too large for the model"),
        ("Search not completed", "it has stopped before it was done"),
    ]
    .into_iter()
    .find(|(sign, _)| said.contains(sign))
    .map(|(_, limit)| limit)
}

/// The number at the start of the first line that contains some words; 0 if there is none.
fn number(said: &str, words: &str) -> u64 {
    let line = said.lines().find(|line| line.contains(words));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

impl Session<'_> {
    /// Lets SPIN generate a verifier, `pan.c`.
    fn spin(&self, arguments: &[&str]) -> Result<(), Stopped> {
        self.remove("pan.c");
        let (end, said) = self.run("spin", arguments)?;
        if said.contains("preprocessing failed") {
            let advice = "SPIN calls `gcc -E` for this: is gcc installed (Debian: apt-get install gcc), and does it work?";
            return Err(Stopped::hindered("SPIN cannot preprocess the model", &said, advice));
        }
        if said.contains("not enough memory") {
            return Err(Stopped::hindered(
                "SPIN has no memory left",
                &said,
                "Try smaller bounds, such as --mailbox 5",
            ));
        }
        if said.contains("Error:") || said.contains("tl_spin:") {
            return Err(Stopped::Refused(said));
        }
        if end != End::Code(0) || !self.has("pan.c") {
            let what = format!("`spin` ended {end} and has written no verifier");
            return Err(Stopped::hindered(what, &said, "Does `spin` work for other models?"));
        }
        Ok(())
    }

    /// Compiles the verifier.
    fn compile(&self, flags: &[&str]) -> Result<(), Stopped> {
        let all =
            [&["-w", "-O2", "-DMEMLIM=8192", "-DVECTORSZ=65536", "-o", "pan"], flags, &["pan.c"]].concat();
        self.remove("pan");
        let (end, said) = self.run("cc", &all)?;
        if end == End::Code(0) && self.has("pan") {
            return Ok(());
        }
        let what = format!("the C compiler `cc` ended {end} and has made no verifier");
        let advice = "Does `cc` compile other programs? It needs the headers of C (Debian: apt-get install libc6-dev), \
                      memory, and room for temporary files";
        Err(Stopped::hindered(what, &said, advice))
    }

    /// Runs the verifier; returns its output and the time it took.
    fn pan(&self, flags: &[&str]) -> Result<(String, Duration), Stopped> {
        let started = Instant::now();
        // A deep search is tried only if a shallow one does not suffice, because pan allocates the whole stack at once.
        let (mut end, mut said) = (End::Somehow, String::new());
        for depth in ["-m100000", "-m10000000"] {
            (end, said) = self.run("./pan", &[&[depth][..], flags].concat())?;
            if !said.contains("max search depth too small") {
                break;
            }
        }
        if !said.contains("State-vector") {
            let what = format!("`./pan`, the verifier that SPIN has written, ended {end} before it was done");
            return Err(Stopped::hindered(what, &said, "Does SPIN work for other models?"));
        }
        // A search that pan aborts otherwise looks like one that found nothing.
        if said.contains("aborting (at") {
            Err(Stopped::Refused(said))
        } else {
            Ok((said, started.elapsed()))
        }
    }

    /// The run that the verifier has found, as printed by SPIN.
    fn trail(&self, flags: &[&str]) -> Result<String, Stopped> {
        let (_, said) = self.run("spin", &[flags, &["-t", "-p", "model.pml"]].concat())?;
        Ok(said)
    }

    fn claim(&self, name: &str) -> Result<ClaimResult, Stopped> {
        let (said, _) = self.pan(&["-a", "-c1", "-n", "-N", name])?;
        let ours = |line: &str| line.contains("assertion violated no_");
        let signs = ["acceptance cycle (at", "assertion violated", "end state in claim"];
        let violated = said.lines().any(|line| !ours(line) && signs.iter().any(|sign| line.contains(sign)));
        let limited = if violated { None } else { limit_of(&said).map(str::to_owned) };
        let trail = violated.then(|| self.trail(&[PASSED_OVER])).transpose()?;
        Ok(ClaimResult { violated, limited, states: number(&said, " states, stored"), trail })
    }
}
