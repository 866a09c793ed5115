//! A process together with its descendants: a Unix process group.

use std::collections::BTreeSet;
use std::fmt;
use std::io;
use std::process::{Child, ChildStdin, ChildStdout, Command};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The leaders of all live groups; `None` once no more may be started.
static LIVE: Mutex<Option<BTreeSet<u32>>> = Mutex::new(Some(BTreeSet::new()));

/// A process that leads a group. Dropping it kills the group.
pub struct Group(Child);

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// With this exit code.
    Code(i32),
    /// By this signal.
    Signal(i32),
    /// In an unknown way.
    Somehow,
}

/// Completes the phrase "ended ...".
impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(f, "with exit code {code}"),
            Self::Signal(signal) => write!(f, "by signal {signal}"),
            Self::Somehow => f.write_str("somehow"),
        }
    }
}

/// Kills every group and prevents new ones: for use just before the process exits.
pub fn kill_all() {
    for leader in live().take().unwrap_or_default() {
        kill(leader);
    }
}

fn live() -> MutexGuard<'static, Option<BTreeSet<u32>>> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Group {
    /// Starts a process that leads a group.
    ///
    /// # Errors
    /// If it cannot be started, or no more may be.
    pub fn spawn(command: &mut Command) -> io::Result<Self> {
        lead_group(command);
        let mut live = live();
        let Some(live) = &mut *live else { return Err(io::ErrorKind::Interrupted.into()) };
        let child = command.spawn()?;
        live.insert(child.id());
        Ok(Self(child))
    }

    /// Its standard input and output, if they are pipes that were not taken yet.
    pub fn pipes(&mut self) -> (Option<ChildStdin>, Option<ChildStdout>) {
        (self.0.stdin.take(), self.0.stdout.take())
    }

    /// Its standard error, if that is a pipe that was not taken yet.
    pub fn errors(&mut self) -> Option<std::process::ChildStderr> {
        self.0.stderr.take()
    }

    /// How the leader ended, if it has.
    pub fn end(&mut self) -> Option<End> {
        #[cfg(unix)]
        return ended(self.0.id());
        #[cfg(not(unix))]
        return self.0.try_wait().ok().flatten().map(|status| status.code().map_or(End::Somehow, End::Code));
    }

    /// Asks all processes of the group to stop, as Ctrl-C does. Elsewhere than on Unix, a terminal has asked them.
    pub fn interrupt(&self) {
        #[cfg(unix)]
        if let Some(pid) = pid(self.0.id()) {
            // The group may be gone already.
            let _ = rustix::process::kill_process_group(pid, rustix::process::Signal::INT);
        }
    }

    /// Waits for the leader to end, at most for `patience`; returns how it ended, if it has.
    pub fn wait(&self, patience: Duration) -> Option<End> {
        let started = Instant::now();
        let mut pause = Duration::from_millis(1);
        loop {
            if let Some(end) = ended(self.0.id()) {
                return Some(end);
            }
            if started.elapsed() >= patience {
                return None;
            }
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(20));
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let leader = self.0.id();
        let mut live = live();
        // The leader has not been reaped, so its process id is still its own.
        kill(leader);
        if let Some(live) = &mut *live {
            live.remove(&leader);
        }
        drop(live);
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[cfg(unix)]
fn lead_group(command: &mut Command) {
    use std::os::unix::process::CommandExt as _;
    command.process_group(0);
}

#[cfg(unix)]
fn pid(leader: u32) -> Option<rustix::process::Pid> {
    rustix::process::Pid::from_raw(i32::try_from(leader).ok()?)
}

#[cfg(unix)]
fn kill(leader: u32) {
    if let Some(pid) = pid(leader) {
        // The group may be gone already.
        let _ = rustix::process::kill_process_group(pid, rustix::process::Signal::KILL);
    }
}

/// How a process ended, if it has. It is not reaped, so that its id is not reused.
#[cfg(unix)]
fn ended(leader: u32) -> Option<End> {
    use rustix::process::{WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    let status = waitid(WaitId::Pid(pid(leader)?), options).ok().flatten()?;
    Some(match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => End::Code(code),
        (_, Some(signal)) => End::Signal(signal),
        _ => End::Somehow,
    })
}

// Elsewhere there are no groups: only the process itself is killed.
#[cfg(not(unix))]
fn lead_group(_: &mut Command) {}

#[cfg(not(unix))]
fn kill(_: u32) {}

#[cfg(not(unix))]
fn ended(_: u32) -> Option<End> {
    None
}
