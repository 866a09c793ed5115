//! Several processes that search together: who they are, and the search itself.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::{env, fs};

use map_cluster::{Cluster, Hosts, JoinError, Key, Timing};
use map_verify::{Limit, Options, Reduced, TogetherError, Verdict, verify_together};

use super::args::{Args, TogetherArgs};
use super::task::Task;
use crate::checkpoint::identity;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::progress::Watch;

/// This process as one of several, and those that it has started.
pub(super) struct Member {
    hosts: Hosts,
    own: usize,
    key: Option<Key>,
    timing: Timing,
    started: Started,
}

/// Processes that end with this one.
struct Started {
    children: Vec<Child>,
    /// Where their hosts and key are.
    _folder: Option<tempfile::TempDir>,
}

impl Drop for Started {
    fn drop(&mut self) {
        for child in &mut self.children {
            // Those that have ended are not there any more.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Member {
    /// The process that the flags ask for; `None` if it searches alone. Starts the others if they are to run on this
    /// machine.
    ///
    /// # Errors
    /// What is wrong with the flags, or with a file.
    pub(super) fn from_flags(args: &Args) -> Result<Option<Self>, String> {
        let TogetherArgs { processes, hosts, process, key, wait, patience } = &args.together;
        let timing = Timing { wait: *wait, patience: *patience };
        let flag = if processes.is_some() { "--processes" } else { "--hosts" };
        if (processes.is_some() || hosts.is_some()) && args.files.len() != 1 {
            return Err(format!("{flag} is for one file"));
        }
        match (processes, hosts) {
            (Some(processes), _) => {
                if args.files[0] == Path::new("-") {
                    return Err("--processes needs a file: standard input can be read once only".to_owned());
                }
                Self::start(usize::from(*processes), timing).map(Some)
            }
            (None, Some(file)) => {
                let text = fs::read_to_string(file).map_err(|error| at("--hosts", file, &error))?;
                let hosts = Hosts::parse(&text).map_err(|error| at("--hosts", file, &error))?;
                let key = key.as_ref().map(|file| Key::read(file).map_err(|error| at("--key", file, &error)));
                let own = process.unwrap_or(0);
                if own >= hosts.count() {
                    return Err(format!(
                        "--process {own}: {} lists {} processes, counted from 0",
                        file.display(),
                        hosts.count()
                    ));
                }
                let started = Started { children: Vec::new(), _folder: None };
                Ok(Some(Self { hosts, own, key: key.transpose()?, timing, started }))
            }
            (None, None) => Ok(None),
        }
    }

    /// Starts `count - 1` further processes with the same flags.
    fn start(count: usize, timing: Timing) -> Result<Self, String> {
        let cannot = |error: std::io::Error| format!("--processes {count}: {error}");
        let hosts = Hosts::on_this_machine(count).map_err(cannot)?;
        let key = Key::random().map_err(cannot)?;
        let folder = tempfile::tempdir().map_err(cannot)?;
        let (hosts_file, key_file) = (folder.path().join("hosts"), folder.path().join("key"));
        fs::write(&hosts_file, hosts.to_string()).map_err(cannot)?;
        // The folder is this user's alone.
        let mut secret = tempfile::NamedTempFile::new_in(folder.path()).map_err(cannot)?;
        std::io::Write::write_all(&mut secret, key.to_hex().as_bytes()).map_err(cannot)?;
        secret.persist(&key_file).map_err(|error| cannot(error.error))?;
        let mut started = Started { children: Vec::new(), _folder: Some(folder) };
        for process in 1..count {
            let mut command = Command::new(env::current_exe().map_err(cannot)?);
            command.args(without_processes(env::args_os().skip(1)));
            command.arg("--hosts").arg(&hosts_file).arg("--key").arg(&key_file);
            command.arg("--process").arg(process.to_string());
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            started.children.push(command.spawn().map_err(cannot)?);
        }
        Ok(Self { hosts, own: 0, key: Some(key), timing, started })
    }

    /// Searches with the other processes.
    ///
    /// # Errors
    /// If they do not meet, one is lost, or the engine contradicts itself.
    pub(super) fn search(
        self,
        task: &Task<'_>,
        options: &Options,
        watch: &mut Watch,
    ) -> Result<Reduced, Failure> {
        let Self { hosts, own, key, timing, started } = self;
        let joined = Cluster::join(&hosts, own, key.as_ref(), &must_agree(task, options), timing, &|| {
            task.interrupt.is_set()
        });
        let mut cluster = joined.map_err(|error| match error {
            JoinError::Stopped => Failure::Lost(Exit::Interrupted, "it was interrupted".to_owned()),
            JoinError::Failed(why) => Failure::Lost(Exit::Lost, why),
        })?;
        let made = verify_together(task.program, &task.bounds, options, &mut cluster, watch);
        let made = match made {
            Err(TogetherError::Lost(lost)) => {
                cluster.give_up(&lost.to_string());
                return Err(Failure::Lost(Exit::Lost, lost.to_string()));
            }
            // The others have the same.
            Err(TogetherError::NotKept(why)) => Err(Failure::Usage("verify", format!("--resume: {why}"))),
            Err(TogetherError::Internal(error)) => Err(error.into()),
            Ok(reduced) => Ok(reduced),
        };
        cluster.leave();
        // They end by themselves now.
        let mut started = started;
        for mut child in started.children.drain(..) {
            let _ = child.wait();
        }
        made
    }
}

/// Whether this process prints what is found, and writes the files that are asked for: of several the first one does.
pub(super) fn prints(args: &Args) -> bool {
    args.together.process.unwrap_or(0) == 0
}

/// The exit code of a process that does not print.
pub(super) fn exit_of(reduced: &Reduced) -> Exit {
    match reduced.report.verdict {
        _ if reduced.report.limit == Some(Limit::Interrupted) => Exit::Interrupted,
        Verdict::Terminates | Verdict::TerminatesIfFair => Exit::Fine,
        Verdict::Violated(_) => Exit::Violation,
        Verdict::Inconclusive => Exit::Inconclusive,
    }
}

/// What all processes have to agree on, by names that complete "process 1 has another ...".
fn must_agree(task: &Task<'_>, options: &Options) -> Vec<(String, String)> {
    let digest =
        |part: &str| identity(&[part]).iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"));
    let Options { keep_going, reductions, limits, .. } = options;
    let checkpoints = match &task.checkpoints {
        None => "none",
        Some(checkpoints) if checkpoints.borrow().resumes() => "--resume",
        Some(_) => "--checkpoint",
    };
    [
        ("build of map", env!("MAP_BUILD").to_owned()),
        ("text", digest(task.loaded.source.text())),
        ("cast", digest(&format!("{:?}", task.program.agent_names))),
        ("set of bounds", digest(&format!("{:?}", task.bounds))),
        ("set of reductions", digest(&format!("{reductions:?} {keep_going}"))),
        ("limit of states", limits.states.to_string()),
        ("use of checkpoints", checkpoints.to_owned()),
    ]
    .map(|(name, content)| (name.to_owned(), content))
    .to_vec()
}

/// The arguments without `--processes`.
fn without_processes(args: impl Iterator<Item = std::ffi::OsString>) -> Vec<std::ffi::OsString> {
    let mut kept = Vec::new();
    let mut skips = false;
    for arg in args {
        let is_flag = arg == "--processes";
        let has_value = arg.to_str().is_some_and(|arg| arg.starts_with("--processes="));
        if !skips && !is_flag && !has_value {
            kept.push(arg);
        }
        skips = is_flag;
    }
    kept
}

fn at(flag: &str, file: &Path, error: &dyn std::fmt::Display) -> String {
    format!("{flag} {}: {error}", file.display())
}
