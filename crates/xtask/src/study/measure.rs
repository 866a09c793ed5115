//! Measures one search by `map` or by SPIN within limits of time and memory: its states and its cost.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use super::Subject;
use super::results::{Conditions, Point};

/// The limits of one search: CPU seconds, which do not depend on other load, and memory.
#[derive(Clone, Copy)]
pub(crate) struct Limit {
    pub(crate) seconds: u32,
    pub(crate) mebibytes: u32,
}

impl Limit {
    /// The limits of the study.
    pub(crate) const STUDY: Self = Self { seconds: 10, mebibytes: 2048 };
    /// Enough for the smallest points, with unoptimised programs.
    pub(crate) const SMOKE: Self = Self { seconds: 5, mebibytes: 1024 };
}

/// The programs to measure, and a temporary folder for their files.
pub(crate) struct Bench {
    root: PathBuf,
    map: PathBuf,
    folder: TempDir,
    has_spin: bool,
    limit: Limit,
}

/// The standard output of a program, and the CPU seconds that it took; `None` if it exceeded the limit.
struct Ran {
    output: String,
    cpu_seconds: Option<f64>,
}

/// Why there is no point: the limit that was exceeded.
type Why = String;

impl Bench {
    /// Builds `map` in the release or the debug profile, unless `MAP` names a binary.
    pub(crate) fn new(root: &Path, limit: Limit, release: bool) -> Result<Self, String> {
        let map = match std::env::var_os("MAP") {
            Some(map) => PathBuf::from(map),
            None => built(root, release)?,
        };
        // The programs are started in another folder.
        let map = map.canonicalize().map_err(|error| format!("{}: {error}", map.display()))?;
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let has_spin = first_line("spin", &["-V"]).is_ok() && first_line("cc", &["--version"]).is_ok();
        Ok(Self { root: root.to_owned(), map, folder, has_spin, limit })
    }

    /// Whether the programs needed for a subject are installed.
    pub(crate) fn can(&self, subject: Subject) -> bool {
        self.has_spin || matches!(subject, Subject::Map { .. })
    }

    /// The conditions of a measurement: machine, versions, limits.
    pub(crate) fn conditions(&self) -> Result<Conditions, String> {
        if !self.has_spin {
            return Err("spin or cc is not installed (apt-get install spin gcc)".to_owned());
        }
        let map = self.map.to_string_lossy();
        Ok(Conditions {
            machine: machine(),
            date: today()?,
            commit: commit(&self.root)?,
            map: first_line(&map, &["--version"])?,
            spin: first_line("spin", &["-V"])?,
            compiler: first_line("cc", &["--version"])?,
            seconds: self.limit.seconds,
            mebibytes: self.limit.mebibytes,
        })
    }

    /// Measures one point. The inner error names the limit that was exceeded.
    pub(crate) fn measure(
        &self,
        subject: Subject,
        bidders: u32,
        bids: u32,
    ) -> Result<Result<Point, Why>, String> {
        let point = match subject {
            Subject::Map { file, mailbox, flags } => self.map(file, mailbox, flags, bidders, bids)?,
            Subject::Spin { model } => self.spin(model, bidders, bids)?,
        };
        Ok(point.map(|point| Point { bidders, bids, ..point }))
    }

    fn map(
        &self,
        file: &str,
        mailbox: Option<u32>,
        flags: &[&str],
        bidders: u32,
        bids: u32,
    ) -> Result<Result<Point, Why>, String> {
        let source = self.root.join("benches/peers").join(file);
        let text = std::fs::read_to_string(&source).map_err(|error| format!("{file}: {error}"))?;
        let copy = self.folder.path().join(file);
        let text = text.replace("@left = 50", &format!("@left = {bids}"));
        std::fs::write(&copy, text).map_err(|error| error.to_string())?;
        let mut command = vec![self.map.clone().into_os_string(), "verify".into(), copy.into_os_string()];
        let mailbox = mailbox.map_or_else(String::new, |size| format!("--mailbox {size} "));
        let options = format!(
            "--agents bidder={bidders} {mailbox}--threads 1 --format json --max-memory {}MiB",
            self.limit.mebibytes
        );
        command.extend(options.split(' ').chain(flags.iter().copied()).map(OsString::from));
        let ran = self.run(&command)?;
        let Some(cpu_seconds) = ran.cpu_seconds else { return Ok(Err(self.out_of_time())) };
        let report: Value =
            serde_json::from_str(&ran.output).map_err(|error| format!("{file}: {error}: {}", ran.output))?;
        let number = |key: &str| report[key].as_u64().unwrap_or_default();
        let verdict = report["verdict"].as_str().unwrap_or_default().to_owned();
        if verdict == "inconclusive" {
            return Ok(Err(self.out_of_memory()));
        }
        Ok(Ok(Point {
            bidders,
            bids,
            verdict,
            states: number("states"),
            transitions: number("transitions"),
            cpu_seconds,
            memory_bytes: number("peak_memory_bytes"),
        }))
    }

    fn spin(&self, model: &str, bidders: u32, bids: u32) -> Result<Result<Point, Why>, String> {
        let source = self.root.join(format!("benches/peers/{model}.pml"));
        let (n, b) = (format!("-DN={bidders}"), format!("-DB={bids}"));
        self.make("spin", &[&n, &b, "-a", &source.to_string_lossy()])?;
        let memory = format!("-DMEMLIM={}", self.limit.mebibytes);
        self.make("cc", &["-O2", "-w", "-DSAFETY", &memory, "-o", "pan", "pan.c"])?;
        let ran = self.run(&["./pan", "-m100000", "-w20", "-n"].map(OsString::from))?;
        let Some(cpu_seconds) = ran.cpu_seconds else { return Ok(Err(self.out_of_time())) };
        let says = |text: &str| ran.output.contains(text);
        if says("MEMLIM") || says("out of memory") {
            return Ok(Err(self.out_of_memory()));
        }
        if says("VECTORSZ") {
            return Ok(Err("the state is too long for SPIN".to_owned()));
        }
        if says("max search depth too small") {
            return Ok(Err("the search is deeper than SPIN was given room for".to_owned()));
        }
        let number = |marker: &str| {
            let line = ran.output.lines().find(|line| line.contains(marker))?;
            line.split_whitespace().find_map(|word| word.parse::<f64>().ok())
        };
        let found = (number("states, stored"), number("transitions (="), number("total actual memory usage"));
        let (Some(states), Some(transitions), Some(mebibytes)) = found else {
            return Err(format!("{model}: what SPIN says is not understood: {}", ran.output));
        };
        let verdict = if says("errors: 0") { "terminates" } else { "otherwise" };
        Ok(Ok(Point {
            bidders,
            bids,
            verdict: verdict.to_owned(),
            states: states as u64,
            transitions: transitions as u64,
            cpu_seconds,
            memory_bytes: (mebibytes * 1_048_576.0) as u64,
        }))
    }

    fn out_of_time(&self) -> Why {
        format!("{} s", self.limit.seconds)
    }

    fn out_of_memory(&self) -> Why {
        format!("{} GiB", self.limit.mebibytes / 1024)
    }

    /// Runs a command in the folder; it must succeed.
    fn make(&self, program: &str, arguments: &[&str]) -> Result<(), String> {
        let made = Command::new(program).args(arguments).current_dir(self.folder.path()).output();
        let made = made.map_err(|error| format!("{program}: {error}"))?;
        if made.status.success() {
            return Ok(());
        }
        let said =
            String::from_utf8_lossy(&made.stdout).into_owned() + &String::from_utf8_lossy(&made.stderr);
        Err(format!("{program}: {said}"))
    }

    /// Runs a command in the folder, discarding its standard error.
    fn run(&self, command: &[OsString]) -> Result<Ran, String> {
        const TIMED: &str = "TIMEFORMAT='%U %S'; ulimit -S -t \"$0\"; { time \"$@\" 2>/dev/null; code=$?; } 2>time; exit $code";
        /// The shell's exit code for a process that was ended by SIGXCPU, which is 24 on Linux.
        const OUT_OF_TIME: i32 = 128 + 24;
        let ran = Command::new("bash")
            .args(["-c", TIMED, &self.limit.seconds.to_string()])
            .args(command)
            .current_dir(self.folder.path())
            .stdin(Stdio::null())
            .output();
        let ran = ran.map_err(|error| format!("bash: {error}"))?;
        let time =
            std::fs::read_to_string(self.folder.path().join("time")).map_err(|error| error.to_string())?;
        let seconds: f64 = time.split_whitespace().filter_map(|it| it.parse::<f64>().ok()).sum();
        // A sum of milliseconds; rounding removes the error of adding binary fractions.
        let seconds = (seconds * 1000.0).round() / 1000.0;
        Ok(Ran {
            output: String::from_utf8_lossy(&ran.stdout).into_owned(),
            cpu_seconds: (ran.status.code() != Some(OUT_OF_TIME)).then_some(seconds),
        })
    }
}

fn built(root: &Path, release: bool) -> Result<PathBuf, String> {
    let mut build = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    build.args(["build", "--quiet", "--locked", "--package", "map-cli"]).current_dir(root);
    if release {
        build.args(["--profile", "dist"]);
    }
    let status = build.status().map_err(|error| format!("cargo: {error}"))?;
    if !status.success() {
        return Err("`map` does not build".to_owned());
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    Ok(target.join(if release { "dist" } else { "debug" }).join("map"))
}

/// The first line that a program prints.
fn first_line(program: &str, arguments: &[&str]) -> Result<String, String> {
    let ran =
        Command::new(program).args(arguments).output().map_err(|error| format!("{program}: {error}"))?;
    Ok(String::from_utf8_lossy(&ran.stdout).lines().next().unwrap_or_default().trim().to_owned())
}

/// The day, as in 2026-11-27.
pub(crate) fn today() -> Result<String, String> {
    first_line("date", &["-u", "+%Y-%m-%d"])
}

/// The first ten digits of the commit that is checked out.
pub(crate) fn commit(root: &Path) -> Result<String, String> {
    first_line("git", &["-C", &root.to_string_lossy(), "rev-parse", "--short=10", "HEAD"])
}

/// The processor, its cores, and the memory.
pub(crate) fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{}, {cores} cores, {}", processor(), memory())
}

fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with("model name"));
    let name =
        line.and_then(|line| line.split_once(':')).map_or("unknown processor", |(_, name)| name.trim());
    name.to_owned()
}

fn memory() -> String {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let kibibytes = text.split_whitespace().nth(1).and_then(|it| it.parse::<f64>().ok()).unwrap_or_default();
    format!("{:.0} GiB", kibibytes / 1_048_576.0)
}
