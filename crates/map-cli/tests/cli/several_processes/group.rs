//! Processes of `map` that are started one by one, and end with the test.

use std::fs;
use std::io::Read as _;
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::super::{Ran, command};

/// A test must not hang with the processes that it tests.
pub(super) const LIMIT: Duration = Duration::from_secs(120);

/// A folder with a list of hosts and a key, for processes on this machine.
pub(super) struct Place {
    folder: tempfile::TempDir,
    pub(super) addresses: Vec<String>,
}

impl Place {
    pub(super) fn new(count: usize) -> Self {
        // All at once, so that they differ.
        let free: Vec<_> = (0..count).map(|_| TcpListener::bind("127.0.0.1:0").expect("a port")).collect();
        let address = |it: &TcpListener| it.local_addr().expect("it listens").to_string();
        let place = Self {
            folder: tempfile::tempdir().expect("a folder"),
            addresses: free.iter().map(address).collect(),
        };
        place.write("hosts", &place.addresses.join("\n"));
        place.write("key", &"0123456789abcdef".repeat(4));
        place.write("other-key", &"fedcba9876543210".repeat(4));
        place
    }

    /// A file in this folder, which nobody else can read.
    pub(super) fn write(&self, name: &str, text: &str) -> String {
        let path = self.path(name);
        fs::write(&path, text).expect("it can be written");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("it is ours");
        }
        path.into_os_string().into_string().expect("temporary folders have usual names")
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// How messages name a process.
    pub(super) fn name(&self, process: usize) -> String {
        format!("process {process} ({})", self.addresses[process])
    }

    /// A process of this list that verifies, with the key of that name.
    pub(super) fn command(&self, process: usize, key: &str, arguments: &[&str]) -> Command {
        let mut command = command(&["verify"]);
        command.args(arguments).arg("--hosts").arg(self.path("hosts")).arg("--key").arg(self.path(key));
        command.args(["--process", &process.to_string()]);
        command
    }

    pub(super) fn start(&self, process: usize, arguments: &[&str]) -> Process {
        Process::start(&mut self.command(process, "key", arguments))
    }
}

/// A process that runs.
pub(super) struct Process {
    child: Child,
    out: Option<JoinHandle<Vec<u8>>>,
    err: Option<JoinHandle<Vec<u8>>>,
}

impl Process {
    pub(super) fn start(command: &mut Command) -> Self {
        let command = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("it runs");
        // What is printed is read, so that nobody waits for that.
        let read = |mut from: Box<dyn std::io::Read + Send>| {
            Some(std::thread::spawn(move || {
                let mut text = Vec::new();
                from.read_to_end(&mut text).expect("it can be read");
                text
            }))
        };
        let out = read(Box::new(child.stdout.take().expect("it is piped")));
        let err = read(Box::new(child.stderr.take().expect("it is piped")));
        Self { child, out, err }
    }

    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(super) fn still_runs(&mut self) -> bool {
        self.child.try_wait().expect("it is ours").is_none()
    }

    /// Sends it a signal, by its name.
    pub(super) fn signal(&self, signal: &str) {
        let sent = Command::new("kill").args([&format!("-{signal}"), &self.id().to_string()]).status();
        assert!(sent.expect("there is kill").success(), "{signal}");
    }

    /// What it came to. The code of a process that a signal has ended is not there.
    #[track_caller]
    pub(super) fn end(mut self) -> Ran {
        let since = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("it is ours") {
                break status;
            }
            assert!(since.elapsed() < LIMIT, "it goes on");
            std::thread::sleep(Duration::from_millis(5));
        };
        let text = |thread: Option<JoinHandle<Vec<u8>>>| {
            let bytes = thread.expect("it is read once").join().expect("it is read");
            String::from_utf8(bytes).expect("it is UTF-8")
        };
        Ran { code: status.code(), out: text(self.out.take()), err: text(self.err.take()) }
    }

    /// Returns when it has computed for a while, which it does when it has met the others.
    #[cfg(target_os = "linux")]
    pub(super) fn wait_until_it_searches(&mut self) {
        let since = Instant::now();
        while !computes(self.id()) {
            assert!(self.still_runs(), "it has ended");
            assert!(since.elapsed() < LIMIT, "it does not begin");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// Whether a process has computed for a while.
#[cfg(target_os = "linux")]
pub(super) fn computes(process: u32) -> bool {
    let about = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let behind = about.rsplit_once(") ").map(|it| it.1).unwrap_or_default();
    let ticks: u64 = behind.split(' ').nth(11).and_then(|it| it.parse().ok()).unwrap_or(0);
    // Hundredths of a second.
    ticks >= 20
}

impl Drop for Process {
    fn drop(&mut self) {
        // It has ended, unless the test failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
