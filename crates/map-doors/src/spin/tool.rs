//! Runs SPIN, the C compiler and the verifiers they build.

use std::io;
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use map_spin::{ClaimOutcome, Opinion, PanOutput};

use super::session::{Session, SpinStop};
use crate::process::End;

/// From so many states of our own search on, SPIN's takes longer than a C compiler that optimises its verifier: 20 s
/// for an auction with properties, whose 10,000 states it then visits in a fifth of a second.
const MANY: usize = 20_000;

/// What a search by SPIN is given.
#[derive(Clone, Copy)]
pub struct SpinEffort<'a> {
    /// How many states our own search visited.
    pub states: usize,
    /// The time of the search, all programs together; ten minutes if none is given.
    pub limit: Option<Duration>,
    /// Becomes true when the user wants to stop.
    pub stop: &'a AtomicBool,
}

impl<'a> SpinEffort<'a> {
    fn session(self) -> Result<Session<'a>, SpinStop> {
        Session::open(self.limit, self.stop)
    }

    /// The flag for the C compiler.
    const fn level(self) -> &'static str {
        if self.states < MANY { "-O0" } else { "-O2" }
    }
}

/// The installed SPIN; there is a C compiler, too.
pub struct Spin {
    version: String,
}

impl Spin {
    /// Looks for SPIN and the C compiler.
    ///
    /// # Errors
    /// Which one is missing or cannot be started, and how to install it.
    pub fn find() -> Result<Self, String> {
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
    ///
    /// # Errors
    /// Why there is no result.
    pub fn verify(&self, model: &str, effort: SpinEffort<'_>) -> Result<Opinion, SpinStop> {
        let session = effort.session()?;
        session.write("model.pml", model)?;
        session.spin(&["-a", "model.pml"])?;
        session.compile(effort.level(), &[])?;
        let (said, searching) = session.pan(&["-c0", "-n"])?;
        let pan = PanOutput(&said);
        let mut opinion = Opinion {
            version: self.version.clone(),
            violations: pan.violations().collect(),
            limited: pan.limit().map(str::to_owned),
            states: pan.states(),
            transitions: pan.transitions(),
            searching,
            ..Opinion::default()
        };
        if !opinion.violations.is_empty() {
            let (said, _) = session.pan(&["-c1", "-n"])?;
            // The violation at the end of the trail comes first.
            opinion.violations.sort_by_key(|kind| !PanOutput(&said).violations().any(|first| first == *kind));
            opinion.trail = Some(session.trail(&[])?);
        }
        session.compile(effort.level(), &["-DNP"])?;
        let (said, searching) = session.pan(&["-l", "-A", "-c1", "-n"])?;
        opinion.searching += searching;
        opinion.infinite = PanOutput(&said).has_endless_run();
        if !opinion.infinite {
            opinion.limited = opinion.limited.or(PanOutput(&said).limit().map(str::to_owned));
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

/// Disables the model's own assertions while claims are verified: SPIN would stop at those.
const PASSED_OVER: &str = "-Dpassed__over=true";

impl Spin {
    /// Verifies claims of a model, by name.
    ///
    /// # Errors
    /// Why there is no result.
    pub fn claims<'n>(
        model: &str,
        names: impl Iterator<Item = &'n str>,
        effort: SpinEffort<'_>,
    ) -> Result<Vec<ClaimOutcome>, SpinStop> {
        let session = effort.session()?;
        session.write("model.pml", model)?;
        session.spin(&[PASSED_OVER, "-a", "model.pml"])?;
        session.compile(effort.level(), &["-DNOREDUCE"])?;
        names.map(|name| session.claim(name)).collect()
    }
}

impl Session<'_> {
    /// Lets SPIN generate a verifier, `pan.c`.
    fn spin(&self, arguments: &[&str]) -> Result<(), SpinStop> {
        self.remove("pan.c");
        let (end, said) = self.run("spin", arguments)?;
        if said.contains("preprocessing failed") {
            let advice = "SPIN calls `gcc -E` for this: is gcc installed (Debian: apt-get install gcc), and does it work?";
            return Err(SpinStop::hindered("SPIN cannot preprocess the model", &said, advice));
        }
        if said.contains("not enough memory") {
            return Err(SpinStop::hindered(
                "SPIN has no memory left",
                &said,
                "Try smaller bounds, such as --mailbox 5",
            ));
        }
        if said.contains("Error:") || said.contains("tl_spin:") {
            return Err(SpinStop::Refused(said));
        }
        if end != End::Code(0) || !self.has("pan.c") {
            let what = format!("`spin` ended {end} and has written no verifier");
            return Err(SpinStop::hindered(what, &said, "Does `spin` work for other models?"));
        }
        Ok(())
    }

    /// Compiles the verifier.
    fn compile(&self, level: &str, flags: &[&str]) -> Result<(), SpinStop> {
        let usual = ["-w", level, "-DMEMLIM=8192", "-DVECTORSZ=65536", "-o", "pan"];
        let all = [&usual[..], flags, &["pan.c"]].concat();
        self.remove("pan");
        let (end, said) = self.run("cc", &all)?;
        if end == End::Code(0) && self.has("pan") {
            return Ok(());
        }
        let what = format!("the C compiler `cc` ended {end} and has made no verifier");
        let advice = "Does `cc` compile other programs? It needs the headers of C (Debian: apt-get install libc6-dev), \
                      memory, and room for temporary files";
        Err(SpinStop::hindered(what, &said, advice))
    }

    /// Runs the verifier; returns its output and the time it took.
    fn pan(&self, flags: &[&str]) -> Result<(String, Duration), SpinStop> {
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
            return Err(SpinStop::hindered(what, &said, "Does SPIN work for other models?"));
        }
        // A search that pan aborts otherwise looks like one that found nothing.
        if said.contains("aborting (at") {
            Err(SpinStop::Refused(said))
        } else {
            Ok((said, started.elapsed()))
        }
    }

    /// The run that the verifier has found, as printed by SPIN.
    fn trail(&self, flags: &[&str]) -> Result<String, SpinStop> {
        let (_, said) = self.run("spin", &[flags, &["-t", "-p", "model.pml"]].concat())?;
        Ok(said)
    }

    fn claim(&self, name: &str) -> Result<ClaimOutcome, SpinStop> {
        let (said, _) = self.pan(&["-a", "-c1", "-n", "-N", name])?;
        let pan = PanOutput(&said);
        let violated = pan.violates_claim();
        let limited = if violated { None } else { pan.limit().map(str::to_owned) };
        let trail = violated.then(|| self.trail(&[PASSED_OVER])).transpose()?;
        Ok(ClaimOutcome { violated, limited, states: pan.states(), trail })
    }
}
