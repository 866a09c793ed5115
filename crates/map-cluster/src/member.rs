//! A process as one of several: which one it is, how those on its own machine are started, and how it meets the others.

use std::cell::RefCell;
use std::ffi::OsString;
use std::io::{self, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};

use tempfile::{NamedTempFile, TempDir};

use crate::places::{line_of_process, without_processes};
use crate::{Cluster, Hosts, JoinError, Key, Timing};

/// This process as one of several, and those that it has started, which end with it.
pub struct Member {
    hosts: Hosts,
    own: usize,
    key: Option<Key>,
    timing: Timing,
    /// Where it listens, if it has chosen that itself.
    listener: Option<TcpListener>,
    started: Started,
}

/// Processes that end with this one; the first one has number 1.
#[derive(Default)]
struct Started {
    children: RefCell<Vec<Child>>,
    /// Where their hosts and key are.
    _folder: Option<TempDir>,
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
    /// Process `own` of those that are listed, which others start.
    #[must_use]
    pub fn listed(hosts: Hosts, own: usize, key: Option<Key>, timing: Timing) -> Self {
        Self { hosts, own, key, timing, listener: None, started: Started::default() }
    }

    /// The first of `count` processes on this machine. Starts the others: `program` with the arguments `line` but for
    /// `--processes`, and with the flags that tell each which one it is.
    ///
    /// # Errors
    /// If the system has no ports, random numbers, files or processes to give.
    pub fn first_of(count: usize, timing: Timing, program: &Path, line: &[OsString]) -> io::Result<Self> {
        let listen = |_| TcpListener::bind(("127.0.0.1", 0));
        let mut listeners: Vec<_> = (0..count).map(listen).collect::<io::Result<_>>()?;
        let hosts = Hosts::of_listeners(&listeners)?;
        // The others find theirs free, or say that they are not.
        listeners.truncate(1);
        let key = Key::random()?;
        // The folder is this user's alone.
        let folder = tempfile::tempdir()?;
        let keep = |name: &str, content: &str| {
            let mut file = NamedTempFile::new_in(folder.path())?;
            file.write_all(content.as_bytes())?;
            let path = folder.path().join(name);
            file.persist(&path).map_err(|error| error.error)?;
            Ok::<_, io::Error>(path)
        };
        let (hosts_file, key_file) = (keep("hosts", &hosts.to_string())?, keep("key", &key.to_hex())?);
        let started = Started { children: RefCell::default(), _folder: Some(folder) };
        let line = without_processes(line);
        for process in 1..count {
            let mut command = Command::new(program);
            command.args(line_of_process(&line, &hosts_file, Some(&key_file), process));
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            started.children.borrow_mut().push(command.spawn()?);
        }
        Ok(Self { hosts, own: 0, key: Some(key), timing, listener: listeners.pop(), started })
    }

    /// The number of this process.
    #[must_use]
    pub const fn own(&self) -> usize {
        self.own
    }

    /// Meets the others, with which it has to agree on this, as in [`Cluster::join`].
    ///
    /// # Errors
    /// As for [`Cluster::join`], and if a process that this one has started has ended.
    pub fn join(
        &self,
        must_agree: &[(String, String)],
        stop: &dyn Fn() -> bool,
    ) -> Result<Cluster, JoinError> {
        let Self { hosts, own, key, timing, listener, started } = self;
        let key = key.as_ref();
        let in_vain = || stop() || started.first_end().is_some();
        let joined = match listener {
            Some(listener) => Cluster::join_at(listener, hosts, *own, key, must_agree, *timing, &in_vain),
            None => Cluster::join(hosts, *own, key, must_agree, *timing, &in_vain),
        };
        joined.map_err(|error| match (error, started.first_end()) {
            (JoinError::Stopped, Some((process, how))) if !stop() => {
                let name = hosts.name(process);
                JoinError::Failed(format!("{name} ended before the search began ({how})"))
            }
            (error, _) => error,
        })
    }

    /// Waits for the processes that this one has started, which end by themselves when the work is done.
    pub fn wait_for_started(mut self) {
        for mut child in self.started.children.get_mut().drain(..) {
            let _ = child.wait();
        }
    }
}
