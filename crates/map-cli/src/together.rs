//! Several processes that work together: who they are, how those on this machine are started, and how they meet.

use std::cell::RefCell;
use std::ffi::OsString;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;
use std::{env, fs, io};

use map_cluster::{Cluster, Hosts, JoinError, Key, Timing};

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

/// This process as one of several, and those that it has started.
pub(crate) struct Member {
    hosts: Hosts,
    own: usize,
    key: Option<Key>,
    timing: Timing,
    /// Where it listens, if it has chosen that itself.
    listener: Option<TcpListener>,
    started: Started,
}

/// Processes that end with this one; the first one has number 1.
struct Started {
    children: RefCell<Vec<Child>>,
    /// Where their hosts and key are.
    _folder: Option<tempfile::TempDir>,
}

impl Started {
    /// The first process that has ended, if one has, and how.
    fn first_end(&self) -> Option<(usize, ExitStatus)> {
        let mut children = self.children.borrow_mut();
        let end = |(index, child): (usize, &mut Child)| Some((index + 1, child.try_wait().ok()??));
        children.iter_mut().enumerate().find_map(end)
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        for child in self.children.get_mut() {
            // Those that have ended are not there any more.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Member {
    /// The process that the flags ask for; `None` if it works alone. Starts the others, with the same arguments and
    /// these further ones, if they are to run on this machine; all read this file.
    ///
    /// # Errors
    /// What is wrong with the flags, or with a file.
    pub(crate) fn from_flags(
        wanted: &Wanted<'_>,
        read: &Path,
        further: &[OsString],
    ) -> Result<Option<Self>, String> {
        let timing = Timing { wait: wanted.wait, patience: wanted.patience };
        match (wanted.processes, wanted.hosts) {
            (Some(processes), _) => {
                if read == Path::new("-") {
                    return Err("--processes needs a file: standard input can be read once only".to_owned());
                }
                Self::start(usize::from(processes), timing, further).map(Some)
            }
            (None, Some(file)) => {
                let text = fs::read_to_string(file).map_err(|error| at("--hosts", file, &error))?;
                let hosts = Hosts::parse(&text).map_err(|error| at("--hosts", file, &error))?;
                let key = wanted.key.map(|file| Key::read(file).map_err(|error| at("--key", file, &error)));
                let own = wanted.process.unwrap_or(0);
                if own >= hosts.count() {
                    return Err(format!(
                        "--process {own}: {} lists {} processes, counted from 0",
                        file.display(),
                        hosts.count()
                    ));
                }
                let started = Started { children: RefCell::default(), _folder: None };
                Ok(Some(Self { hosts, own, key: key.transpose()?, timing, listener: None, started }))
            }
            (None, None) => Ok(None),
        }
    }

    /// Starts `count - 1` further processes.
    fn start(count: usize, timing: Timing, further: &[OsString]) -> Result<Self, String> {
        let cannot = |error: io::Error| format!("--processes {count}: {error}");
        let listen = |_| TcpListener::bind(("127.0.0.1", 0));
        let mut listeners: Vec<_> = (0..count).map(listen).collect::<io::Result<_>>().map_err(cannot)?;
        let hosts = Hosts::of_listeners(&listeners).map_err(cannot)?;
        // The others find theirs free, or say that they are not.
        listeners.truncate(1);
        let key = Key::random().map_err(cannot)?;
        let folder = tempfile::tempdir().map_err(cannot)?;
        let (hosts_file, key_file) = (folder.path().join("hosts"), folder.path().join("key"));
        fs::write(&hosts_file, hosts.to_string()).map_err(cannot)?;
        // The folder is this user's alone.
        let mut secret = tempfile::NamedTempFile::new_in(folder.path()).map_err(cannot)?;
        io::Write::write_all(&mut secret, key.to_hex().as_bytes()).map_err(cannot)?;
        secret.persist(&key_file).map_err(|error| cannot(error.error))?;
        let started = Started { children: RefCell::default(), _folder: Some(folder) };
        for process in 1..count {
            let mut flags = further.to_vec();
            flags.extend(["--hosts".into(), hosts_file.clone().into_os_string()]);
            flags.extend(["--key".into(), key_file.clone().into_os_string()]);
            flags.extend(["--process".into(), process.to_string().into()]);
            let mut command = Command::new(env::current_exe().map_err(cannot)?);
            command.args(with_flags(without_processes(env::args_os().skip(1)), flags));
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            started.children.borrow_mut().push(command.spawn().map_err(cannot)?);
        }
        Ok(Self { hosts, own: 0, key: Some(key), timing, listener: listeners.pop(), started })
    }

    /// The number of this process.
    pub(crate) const fn own(&self) -> usize {
        self.own
    }

    /// Meets the others, with which it has to agree on this.
    pub(crate) fn join(
        &self,
        must_agree: &[(String, String)],
        interrupt: &Interrupt,
    ) -> Result<Cluster, Failure> {
        let Self { hosts, own, key, timing, listener, started } = self;
        let key = key.as_ref();
        let stop = || interrupt.is_set() || started.first_end().is_some();
        let joined = match listener {
            Some(listener) => Cluster::join_at(listener, hosts, *own, key, must_agree, *timing, &stop),
            None => Cluster::join(hosts, *own, key, must_agree, *timing, &stop),
        };
        joined.map_err(|error| match (error, started.first_end()) {
            (JoinError::Failed(why), _) => Failure::Lost(Exit::Lost, why),
            (JoinError::Stopped, Some((process, how))) if !interrupt.is_set() => {
                let what = format!("{} ended before the search began ({how})", hosts.name(process));
                Failure::Lost(Exit::Lost, what)
            }
            (JoinError::Stopped, _) => Failure::Lost(Exit::Interrupted, "it was interrupted".to_owned()),
        })
    }

    /// Waits for the processes that this one has started, which end by themselves when the work is done.
    pub(crate) fn wait_for_started(mut self) {
        for mut child in self.started.children.get_mut().drain(..) {
            let _ = child.wait();
        }
    }
}

/// Stands for something long that processes have to agree on.
pub(crate) fn digest(part: &str) -> String {
    identity(&[part]).iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

/// The arguments with further flags, which come before a `--`.
pub(crate) fn with_flags(mut args: Vec<OsString>, flags: Vec<OsString>) -> Vec<OsString> {
    let end = args.iter().position(|arg| arg == "--").unwrap_or(args.len());
    args.splice(end..end, flags);
    args
}

/// The arguments without `--processes`.
fn without_processes(args: impl Iterator<Item = OsString>) -> Vec<OsString> {
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
