//! Several processes that work together: what their flags ask for.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;
use std::{env, fs};

use map_cluster::{Cluster, Hosts, JoinError, Key, Member, Timing};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::identity::identity;
use crate::interrupt::Interrupt;

/// What the flags ask for.
pub(crate) struct Wanted<'a> {
    /// `--processes`
    pub(crate) processes: Option<u8>,
    /// `--hosts`
    pub(crate) hosts: Option<&'a Path>,
    /// `--process`
    pub(crate) process: Option<usize>,
    /// `--key`
    pub(crate) key: Option<&'a Path>,
    /// `--wait`
    pub(crate) wait: Duration,
    /// `--patience`
    pub(crate) patience: Duration,
}

impl Wanted<'_> {
    /// The process that the flags ask for; `None` if it works alone. Starts the others, with the same arguments and
    /// these further ones, if they are to run on this machine; all read this file.
    ///
    /// # Errors
    /// What is wrong with the flags, or with a file.
    pub(crate) fn member(&self, read: &Path, further: &[OsString]) -> Result<Option<Member>, String> {
        let timing = Timing { wait: self.wait, patience: self.patience };
        match (self.processes, self.hosts) {
            (Some(processes), _) => {
                if read == Path::new("-") {
                    return Err("--processes needs a file: standard input can be read once only".to_owned());
                }
                let mut line: Vec<OsString> = env::args_os().skip(1).collect();
                let end = line.iter().position(|word| word == "--").unwrap_or(line.len());
                line.splice(end..end, further.iter().cloned());
                let started = env::current_exe()
                    .and_then(|program| Member::first_of(usize::from(processes), timing, &program, &line));
                started.map(Some).map_err(|error| format!("--processes {processes}: {error}"))
            }
            (None, Some(file)) => {
                let text = fs::read_to_string(file).map_err(|error| at("--hosts", file, &error))?;
                let hosts = Hosts::parse(&text).map_err(|error| at("--hosts", file, &error))?;
                let key = self.key.map(|file| Key::read(file).map_err(|error| at("--key", file, &error)));
                let own = self.process.unwrap_or(0);
                if own >= hosts.count() {
                    return Err(format!(
                        "--process {own}: {} lists {} processes, counted from 0",
                        file.display(),
                        hosts.count()
                    ));
                }
                Ok(Some(Member::listed(hosts, own, key.transpose()?, timing)))
            }
            (None, None) => Ok(None),
        }
    }
}

/// Meets the others, with which this process has to agree on this.
pub(crate) fn join(
    member: &Member,
    must_agree: &[(String, String)],
    interrupt: &Interrupt,
) -> Result<Cluster, Failure> {
    member.join(must_agree, &|| interrupt.is_set()).map_err(|error| match error {
        JoinError::Failed(why) => Failure::Lost(Exit::Lost, why),
        JoinError::Stopped => Failure::Lost(Exit::Interrupted, "it was interrupted".to_owned()),
    })
}

/// Stands for something long that processes have to agree on.
pub(crate) fn digest(part: &str) -> String {
    identity(&[part]).iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

fn at(flag: &str, file: &Path, error: &dyn std::fmt::Display) -> String {
    format!("{flag} {}: {error}", file.display())
}
