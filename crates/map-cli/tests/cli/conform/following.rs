//! `map conform --follow`: logs that are still being written.

use std::fs;

use super::super::{command, map_with};
use super::{line, of, refused};

/// A command that follows a log, with what it prints line by line.
pub(super) struct Following {
    child: std::process::Child,
    lines: std::io::Lines<std::io::BufReader<std::process::ChildStdout>>,
    notes: std::io::Lines<std::io::BufReader<std::process::ChildStderr>>,
}

impl Following {
    fn start(log: &str) -> Self {
        Self::start_with(log, &[])
    }

    pub(super) fn start_with(log: &str, flags: &[&str]) -> Self {
        use std::io::BufRead as _;
        let arguments =
            ["conform", "../contract-net/contract-net.map", log, "--follow", "--agents", "participant=1"];
        let arguments = [&arguments, flags].concat();
        let mut child = command(&arguments)
            .stdin(std::process::Stdio::null())
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .expect("the binary runs");
        let out = child.stdout.take().expect("it is piped");
        let err = child.stderr.take().expect("it is piped");
        Self {
            child,
            lines: std::io::BufReader::new(out).lines(),
            notes: std::io::BufReader::new(err).lines(),
        }
    }

    /// Waits for a line with this.
    #[track_caller]
    pub(super) fn says(&mut self, part: &str) {
        let found = self.lines.by_ref().map_while(Result::ok).any(|it| it.contains(part));
        assert!(found, "it ended without saying {part:?}");
    }

    /// Ctrl-C; returns what else it prints.
    #[track_caller]
    pub(super) fn stop(mut self, code: i32) -> Vec<String> {
        let pid = self.child.id().to_string();
        let stopped = std::process::Command::new("kill").args(["-INT", &pid]).status().expect("kill runs");
        assert!(stopped.success());
        let rest = self.lines.by_ref().map_while(Result::ok).collect();
        let status = self.child.wait().expect("it ends");
        assert_eq!(status.code(), Some(code), "{rest:?}");
        rest
    }

    #[track_caller]
    fn notes(&mut self, part: &str) {
        let found = self.notes.by_ref().map_while(Result::ok).any(|it| it.contains(part));
        assert!(found, "it ended without noting {part:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_growing_log_is_followed_until_the_user_stops() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("log.jsonl");
    let write = |text: &str| {
        use std::io::Write as _;
        let mut file =
            fs::OpenOptions::new().create(true).append(true).open(&path).expect("it can be opened");
        file.write_all(text.as_bytes()).expect("it can be written");
    };
    let first = refused("a");
    let (half, rest) = first.split_at(first.len() - 10);
    write(half);
    let mut following = Following::start(path.to_str().expect("the name is UTF-8"));
    write(rest);
    following.says("a  conforms  2 messages");
    let broken = of("b", &line("office", &["anna"], "cfp", &[]))
        + &of("b", &line("anna", &["office"], "propose", &[7]));
    write(&broken);
    following.says("b  violated at line 4 by !Participant (anna): wrong content");
    // It is truncated.
    fs::write(&path, "").expect("it can be written");
    following.notes("it has been truncated after line 4");
    write(&refused("c"));
    following.says("c  conforms  2 messages");
    // Another file takes its place.
    fs::rename(&path, folder.path().join("log.1")).expect("it can be renamed");
    write(&refused("d"));
    following.notes("another file has taken its place after line 2");
    following.says("d  conforms  2 messages");
    write(&of("e", &line("office", &["anna"], "cfp", &[])));
    write(&refused("f"));
    following.says("f  conforms");
    // The verdict counts for the exit code.
    let rest = following.stop(1);
    assert!(
        rest.iter().any(|it| it == "6 conversations: 4 conform, 1 conforms so far, 1 violated"),
        "{rest:?}"
    );
    assert!(rest.iter().any(|it| it.contains("e  conforms so far  1 message")), "{rest:?}");
    // What was told at once is not told again.
    assert!(!rest.iter().any(|it| it.contains("wrong content")), "{rest:?}");
    // A place in the fourth file of this name says so.
    assert!(rest.iter().all(|it| !it.contains("line 1")), "{rest:?}");
}

#[cfg(unix)]
#[test]
fn what_a_rotation_cuts_off_is_a_gap() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("log.jsonl");
    let call = of("a", &line("office", &["anna"], "cfp", &[]));
    let (half, _) = call.split_at(call.len() - 9);
    fs::write(&path, refused("b") + &call + half).expect("it can be written");
    fs::write(folder.path().join("next"), of("a", &line("anna", &["office"], "propose", &[7])))
        .expect("it can be written");
    let mut following = Following::start(path.to_str().expect("the name is UTF-8"));
    following.says("b  conforms");
    fs::rename(folder.path().join("next"), &path).expect("it can be renamed");
    following.notes("the line has no end, and another file has taken its place");
    following.says("log.jsonl#2:1 by !Participant (anna): wrong content (a bad line before");
    following.stop(3);
}

#[cfg(unix)]
#[test]
fn a_log_may_begin_to_exist_later_and_be_no_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("log.jsonl");
    let name = path.to_str().expect("the name is UTF-8");
    let mut following = Following::start(name);
    following.notes("does not exist yet");
    fs::write(&path, refused("a")).expect("it can be written");
    following.says("a  conforms  2 messages");
    following.stop(130);
    let fifo = folder.path().join("fifo");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status().expect("mkfifo runs");
    assert!(made.success());
    let mut following = Following::start(fifo.to_str().expect("the name is UTF-8"));
    fs::write(&fifo, refused("b")).expect("it can be written");
    following.says("b  conforms  2 messages");
    // It ends with its last writer.
    assert_eq!(following.child.wait().expect("it ends").code(), Some(0));
}

#[test]
fn a_followed_stream_ends_with_its_last_line_finished_or_not() {
    let log = refused("a");
    let flags = ["conform", "../contract-net/contract-net.map", "-", "--follow", "--agents", "participant=1"];
    map_with(log.trim_end().as_bytes(), &flags).exits(0).out_has("a  conforms  2 messages");
    let long = format!("{{\"from\":\"{}\"}}\n", "x".repeat(2 << 20));
    map_with((long + &log).as_bytes(), &[&flags[..], &["--skip-bad", "1"]].concat())
        .exits(0)
        .out_has("a  conforms  2 messages");
}
