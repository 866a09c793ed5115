//! Several processes that work together: what their flags ask for.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, fs};

use map_cluster::{Cluster, Hosts, JoinError, Key, Member, Timing};
use map_flags::parse_duration;
use map_session::Scene;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::identity::identity;
use crate::interrupt::Interrupt;

/// Flags about the process itself and about how it meets the others.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct PeerArgs {
    /// Which line of --hosts this process is, counted from 0
    #[arg(long, value_name = "I", requires = "hosts")]
    process: Option<usize>,

    /// The secret of the processes; without it they have to be on one machine
    ///
    /// A file with 32 bytes or more that nobody else can read. It authenticates the processes and seals what passes
    /// between them.
    #[arg(long, value_name = "FILE", requires = "hosts")]
    key: Option<PathBuf>,

    /// How long to wait for all processes to come
    #[arg(long, value_name = "TIME", value_parser = parse_duration, default_value = "60s")]
    wait: Duration,

    /// How long a process may give no sign of life
    #[arg(long, value_name = "TIME", value_parser = parse_duration, default_value = "10s")]
    patience: Duration,
}

impl PeerArgs {
    /// The process that the flags, with `--processes` and `--hosts`, ask for; `None` if it works alone. Starts the
    /// others, with the same arguments and these further ones, if they are to run on this machine; all read this file.
    ///
    /// # Errors
    /// What is wrong with the flags, or with a file.
    pub(crate) fn member(
        &self,
        (processes, hosts): (Option<u8>, Option<&Path>),
        read: &Path,
        further: &[OsString],
    ) -> Result<Option<Member>, String> {
        let timing = Timing { wait: self.wait, patience: self.patience };
        match (processes, hosts) {
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
                let key =
                    self.key.as_ref().map(|file| Key::read(file).map_err(|error| at("--key", file, &error)));
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

    /// Whether this process prints what is found, and writes the files that are asked for: of several the first one
    /// does.
    pub(crate) fn prints(&self) -> bool {
        self.process.unwrap_or(0) == 0
    }
}

/// Meets the others, with which this process has to agree on this.
pub(crate) fn join(
    member: &Member,
    must_agree: &[(String, String)],
    interrupt: &Interrupt,
) -> Result<Cluster, Failure> {
    member.join(must_agree, &|| interrupt.is_set()).map_err(|error| match error {
        JoinError::Failed(why) => Failure::Ended(Exit::Lost, why),
        JoinError::Stopped => Failure::Ended(Exit::Interrupted, "it was interrupted".to_owned()),
    })
}

/// What all processes have to agree on, by names that complete "process 1 has another ...": the scene, and this.
pub(crate) fn must_agree<const N: usize>(scene: &Scene, more: [(&str, String); N]) -> Vec<(String, String)> {
    let Scene { source, program, bounds, .. } = scene;
    let of_scene = [
        ("build of map", env!("MAP_BUILD").to_owned()),
        ("text", digest(source.text())),
        ("cast", digest(&format!("{:?}", program.agent_names))),
        ("list of first values", digest(&format!("{:?}", program.set))),
        ("set of bounds", digest(&format!("{bounds:?}"))),
    ];
    of_scene.into_iter().chain(more).map(|(name, content)| (name.to_owned(), content)).collect()
}

/// Stands for something long that processes have to agree on.
pub(crate) fn digest(part: &str) -> String {
    identity(&[part]).iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

fn at(flag: &str, file: &Path, error: &dyn std::fmt::Display) -> String {
    format!("{flag} {}: {error}", file.display())
}
