//! Checkpoints of logs that are followed: what a later process has to know to go on as if none had ended.
//!
//! A checkpoint is a file of lines, replaced as a whole: which scene and settings it is of, how far each log has been
//! read, what has been reported, and what is known of conversations; then a digest of all that. What is reported
//! afterwards is added behind, a line for each report, so that it is not reported again.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufWriter, Read as _, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use map_conform::{Kind, Violation, Watcher};
use map_diagnostics::{Code, Diagnostic};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::clock::WallClock;
use super::follow::KeptLogs;
use crate::files::put;
use crate::names::shown;

/// The first line. The number changes with the format.
const FIRST: &str = "map conform checkpoint 1";
/// What all versions of the format have in common.
const ANY: &str = "map conform checkpoint ";
/// What the line with the digest begins with, as no other line does.
const DIGEST: &str = "digest ";
/// What the line of a report begins with.
const TOLD: &str = "told ";

/// How many times as long as it takes to write one is the least time between two.
const SHARE: u32 = 10;

/// The file of checkpoints.
pub struct LogCheckpoint {
    path: PathBuf,
    /// The digest of all that the reports depend on.
    identity: String,
    last: Instant,
    /// The least time between two, as it was asked for and as it is now.
    least: Duration,
    every: Duration,
    /// The last one, to which reports are added. It is locked.
    file: Option<File>,
    /// What has been reported since the checkpoint from which this process went on.
    told: BTreeSet<String>,
}

/// What is kept besides conversations; `O` is what has been reported.
#[derive(Serialize, Deserialize)]
pub struct KeptReading<O> {
    /// How far each log has been read.
    pub logs: KeptLogs,
    /// What has been reported.
    pub output: O,
    /// The clock of logs that are still being written.
    pub wall_clock: Option<WallClock>,
}

/// A checkpoint to go on from.
pub struct FoundCheckpoint<O> {
    /// What was kept besides conversations.
    pub kept: KeptReading<O>,
    /// What the watcher has kept.
    conversations: String,
}

impl<O> FoundCheckpoint<O> {
    /// Goes on with conversations.
    ///
    /// # Errors
    /// If what was kept of them contradicts itself.
    pub fn tell(&self, watcher: &mut Watcher<'_>) -> Result<(), Diagnostic> {
        watcher.go_on(self.conversations.lines()).map_err(|why| LogCheckpoint::damaged(&why))
    }
}

impl LogCheckpoint {
    /// A report, by what makes it one: it is the same for whoever finds it again.
    #[must_use]
    pub fn key_of_violation(conversation: &str, violation: &Violation) -> String {
        let Violation { mark, kind, agent, debt, .. } = violation;
        // When silence was found depends on when somebody looked.
        let at = debt.map_or(*mark, |debt| debt.since);
        let kind: &Kind = kind;
        let agent = agent.map(|it| it.index());
        format!("{conversation:?} {}:{} {kind:?} {agent:?}", at.log, at.line)
    }

    /// The same for a conversation that has ended.
    #[must_use]
    pub fn key_of_end(conversation: &str, messages: u64) -> String {
        format!("{conversation:?} {messages}")
    }

    /// What a checkpoint says cannot be.
    #[must_use]
    pub fn damaged(why: &str) -> Diagnostic {
        refused(&format!("it is damaged: {why}"))
    }

    /// Looks for a checkpoint. If there is none, there will be.
    ///
    /// # Errors
    /// If there is one, and it cannot be used.
    pub fn open<O: DeserializeOwned>(
        path: &Path,
        least: Duration,
        identity: &[&str],
    ) -> Result<(Self, Option<FoundCheckpoint<O>>), Diagnostic> {
        let identity = hex(&identity_of(identity));
        let new = |file| Self {
            path: path.to_owned(),
            identity: identity.clone(),
            last: Instant::now(),
            least,
            every: least,
            file,
            told: BTreeSet::new(),
        };
        let mut file = match File::options().read(true).append(true).open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok((new(None), None)),
            Err(error) => return Err(unusable(path, &error.to_string())),
        };
        if let Err(std::fs::TryLockError::WouldBlock) = file.try_lock() {
            return Err(unusable(path, "another process goes on from it"));
        }
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(|error| unusable(path, &error.to_string()))?;
        let (found, told) = read(&text, &identity).map_err(|why| unusable(path, &why))?;
        Ok((Self { told, ..new(Some(file)) }, Some(found)))
    }

    /// Whether it is time for the next one.
    #[must_use]
    pub fn is_due(&self) -> bool {
        self.last.elapsed() >= self.every
    }

    /// Whether a report was made before this process began, which is asked once.
    pub fn was_told(&mut self, key: &str) -> bool {
        self.told.remove(key)
    }

    /// Notes a report that was made just now.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn note(&mut self, key: &str) -> io::Result<()> {
        match &mut self.file {
            Some(file) => file.write_all(told_line(key).as_bytes()),
            None => Ok(()),
        }
    }

    /// Writes a checkpoint. That it cannot be written is no reason to stop: the one before it holds. Returns what is to
    /// be told of it.
    pub fn keep<O: Serialize>(&mut self, kept: &KeptReading<O>, watcher: &Watcher<'_>) -> Option<String> {
        let began = Instant::now();
        let trouble = self.write(kept, watcher).err();
        let trouble =
            trouble.map(|error| format!("no checkpoint could be written to {}: {error}", shown(&self.path)));
        self.last = Instant::now();
        // What takes long is not done all the time, unless it is asked for.
        self.every = match self.least {
            Duration::ZERO => Duration::ZERO,
            least => least.max(began.elapsed() * SHARE),
        };
        trouble
    }

    fn write(&mut self, kept: &impl Serialize, watcher: &Watcher<'_>) -> io::Result<()> {
        let Self { identity, told, .. } = &*self;
        let mut written = None;
        put(&self.path, |file| {
            restrict(file)?;
            let mut out = Digesting { out: BufWriter::new(&*file), digest: Sha256::new() };
            writeln!(out, "{FIRST}\n{identity}")?;
            serde_json::to_writer(&mut out, kept)?;
            writeln!(out)?;
            watcher.keep(&mut out)?;
            let Digesting { mut out, digest } = out;
            writeln!(out, "{DIGEST}{}", hex(&digest.finalize()))?;
            told.iter().try_for_each(|key| out.write_all(told_line(key).as_bytes()))?;
            out.flush()?;
            drop(out);
            // The file keeps its lock as long as somebody has it open.
            written = Some(file.try_clone()?);
            Ok(())
        })?;
        self.file = written;
        Ok(())
    }
}

/// What a log says may be a secret.
#[cfg(unix)]
fn restrict(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    file.set_permissions(std::fs::Permissions::from_mode(0o600))
}

#[cfg(not(unix))]
fn restrict(_: &File) -> io::Result<()> {
    Ok(())
}

/// Reads a checkpoint: what to go on from, and what has been reported since it was written.
fn read<O: DeserializeOwned>(
    text: &str,
    identity: &str,
) -> Result<(FoundCheckpoint<O>, BTreeSet<String>), String> {
    let damaged = |what: &str| format!("it is damaged: {what}");
    let rest = match text.split_once('\n') {
        Some((FIRST, rest)) => rest,
        Some((first, _)) if first.starts_with(ANY) => {
            return Err("it is in the format of another version of map".to_owned());
        }
        _ => return Err("this is no checkpoint of map conform".to_owned()),
    };
    let end = match rest.starts_with(DIGEST) {
        true => 0,
        false => rest.find(&format!("\n{DIGEST}")).ok_or_else(|| damaged("it has no end"))? + 1,
    };
    let (content, behind) = rest.split_at(end);
    let (digest, reports) = behind.split_once('\n').ok_or_else(|| damaged("it has no end"))?;
    let before = &text[..text.len() - behind.len()];
    if digest.strip_prefix(DIGEST) != Some(hex(&Sha256::digest(before)).as_str()) {
        return Err(damaged("its checksum is wrong"));
    }
    let mut parts = content.splitn(3, '\n');
    if parts.next() != Some(identity) {
        return Err("it is of another file, of other logs or of other settings".to_owned());
    }
    let kept = parts.next().unwrap_or_default();
    let kept = serde_json::from_str(kept).map_err(|error| damaged(&error.to_string()))?;
    let conversations = parts.next().unwrap_or_default().to_owned();
    Ok((
        FoundCheckpoint { kept, conversations },
        told(reports).ok_or_else(|| damaged("a report in it is none"))?,
    ))
}

/// The reports that were added. The last line may be torn.
fn told(mut lines: &str) -> Option<BTreeSet<String>> {
    let mut told = BTreeSet::new();
    while let Some((line, rest)) = lines.split_once('\n') {
        let key = line.strip_prefix(TOLD).and_then(|it| it.split_once(' '));
        match key {
            Some((check, key)) if check == check_of(key) => drop(told.insert(key.to_owned())),
            _ if rest.is_empty() => {}
            _ => return None,
        }
        lines = rest;
    }
    Some(told)
}

fn told_line(key: &str) -> String {
    format!("{TOLD}{} {key}\n", check_of(key))
}

fn check_of(key: &str) -> String {
    hex(&Sha256::digest(key)[..4])
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The digest of all that reports depend on. Every version of map that has the format can go on.
fn identity_of(parts: &[&str]) -> [u8; map_trace::DIGEST] {
    map_trace::identity(FIRST, parts)
}

fn unusable(path: &Path, why: &str) -> Diagnostic {
    refused(&format!("{}: {why}", shown(path)))
}

fn refused(why: &str) -> Diagnostic {
    Diagnostic::unplaced(Code::ConformCheckpoint, format!("the checkpoint cannot be used: {why}"))
        .with_help("give another name to begin anew; what the logs have said so far is judged again then")
}

/// Computes the digest of what passes through.
struct Digesting<W> {
    out: W,
    digest: Sha256,
}

impl<W: Write> Write for Digesting<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.digest.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::{DIGEST, FIRST, hex, read, told, told_line};
    use sha2::{Digest as _, Sha256};

    fn written() -> String {
        let kept = r#"{"logs":{"names":[],"logs":[]},"output":7,"wall_clock":null}"#;
        let before = format!("{FIRST}\nabc\n{kept}\n");
        format!("{before}{DIGEST}{}\n{}", hex(&Sha256::digest(&before)), told_line("\"a\" 0:1"))
    }

    #[test]
    fn every_flipped_byte_is_found() {
        let text = written();
        assert!(read::<u8>(&text, "abc").is_ok());
        assert!(read::<u8>(&text, "abd").is_err());
        // What is behind the last report but one may be torn.
        let torn_from = text.rfind("told").expect("there is a report");
        for at in 0..torn_from {
            let mut bytes = text.clone().into_bytes();
            bytes[at] ^= 1;
            let flipped = String::from_utf8(bytes).expect("it is ASCII");
            assert!(read::<u8>(&flipped, "abc").is_err(), "byte {at} of {text}");
        }
        for end in 0..torn_from {
            assert!(read::<u8>(&text[..end], "abc").is_err(), "up to {end}");
        }
        for end in torn_from..text.len() {
            let (_, told) = read::<u8>(&text[..end], "abc").expect("only a report is torn");
            assert!(told.is_empty());
        }
    }

    #[test]
    fn only_the_last_report_may_be_torn() {
        let (one, two) = (told_line("one"), told_line("two"));
        let all = format!("{one}{two}");
        assert_eq!(told(&all).map(|it| it.len()), Some(2));
        assert_eq!(told(&format!("{}{two}", one.replace('o', "0"))), None);
        assert_eq!(told(&format!("{one}{}", two.replace('w', "v"))).map(|it| it.len()), Some(1));
    }
}
