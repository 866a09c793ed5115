//! A command line for everything that the verbs do, in a folder with files for them: for tests that go through all of
//! it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{DEADLOCK, map, verbs};

/// What is written on a command line, and then on standard input. `old.*` and `u.map` are files that are there before.
pub(crate) const LINES: [(&str, &str); 41] = [
    ("check a.map --format sarif", ""),
    ("check deep.map", ""),
    ("run a.map --seed 1 --save-trace old.json --chart always", ""),
    ("run asks.map --runs 40 --threads 3", ""),
    ("run asks.map --seed 1 --procedures ./answer --save-trace new.json", ""),
    ("run asks.map --seed 1 --ask A", "yes 1\nyes\n"),
    ("step asks.map", "1\n1\nsave new.json\nundo\nquit\n"),
    ("verify a.map --junit old.xml --report old.html --save-trace old.json --save-test old.maptest", ""),
    ("verify a.map --junit new.xml --report new.html --save-trace new.json --save-test new.maptest", ""),
    ("verify asks.map --threads 3 --no-properties --format json", ""),
    ("verify properties.map --threads 3", ""),
    ("verify a.map --weather --save-trace new.json", ""),
    ("verify a.map --agents A=1..2 --junit old.xml --report new.html", ""),
    ("test a.map asks.map --junit old.xml", ""),
    ("replay t.json --chart always", ""),
    ("replay t.json --format json", ""),
    ("render a.map --as svg --output old.svg", ""),
    ("render a.map --graph state --as dot --output new.dot", ""),
    ("render t.json --as html --output new.html", ""),
    ("conform a.map messages.jsonl", ""),
    ("conform a.map messages.jsonl --format ndjson --junit new.xml", ""),
    ("conform asks.map calls.jsonl --mapping m.toml --junit old.xml --save-trace old.json", ""),
    ("conform a.map acl.txt --from fipa-acl --junit new.xml", ""),
    ("conform asks.map - --mapping m.toml --follow", CALLS),
    ("guard a.map --stdio --journal log", "{\"do\":\"status\",\"conversation\":\"c\"}\n"),
    ("fmt u.map", ""),
    ("fmt u.map --diff --check", ""),
    ("new lot --from ballot", ""),
    ("new", ""),
    ("explain MAP203", ""),
    ("export a.map --to promela --mailbox 2 --output old.pml", ""),
    ("dump ast a.map", ""),
    ("dump names a.map", ""),
    ("dump ir a.map", ""),
    ("dump successors a.map", ""),
    ("cluster run hosts -- verify a.map", ""),
    ("completions bash", ""),
    ("lsp", LSP),
    ("mcp", ""),
    ("man verify", ""),
    ("man --output-dir man1", ""),
];

/// What an editor says that opens a text and leaves.
const LSP: &str = "Content-Length: 75\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"capabilities\":{}}}\
Content-Length: 142\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"textDocument/didOpen\",\"params\":{\"textDocument\":{\"uri\":\"file:///a.map\",\"languageId\":\"map\",\"version\":1,\"text\":\"s[\"}}}\
Content-Length: 44\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"shutdown\"}\
Content-Length: 33\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"exit\"}";

/// The line that starts other programs to do the work: it takes long.
pub(crate) const SPIN: (&str, &str) = ("verify a.map --with spin --mailbox 2 --save-trace new.json", "");

/// A program that answers every question with "yes".
const ANSWER: &str = r#"#!/bin/sh
read greeting
echo '{"protocol": 1}'
while read question; do
    id=${question#*'"id":'}
    echo "{\"id\":${id%%[,\}]*},\"answer\":\"yes\",\"value\":1}"
done
"#;

const ASKS: &str = "//@ verify => terminates
s[
    agent(!A, %a) = $x = p() then $y = q($x) then m($x, $y) => agent(!B, %b) or skip
    agent(!B, %b) = (waitfor m($x, _) <= agent(_, %a) then skip) timeout (skip)
]
procedure p()
procedure q(_)
";

/// A log in which somebody says what nobody should.
const MESSAGES: &str = "{\"from\":\"B\",\"to\":[\"A\"],\"performative\":\"m\",\"args\":[]}\n";

/// The same form with names of its own, and what they mean: a run of the scene that asks.
const CALLS: &str = "{\"who\":\"A\",\"whom\":\"B\",\"what\":\"says\",\"x\":1,\"y\":2}\n";
const MAPPING: &str = "[fields]
from = '/who'
to = '/whom'
performative = '/what'
args = ['/x', '/y']
[performatives]
says = 'm'
";

/// A message that is not finished.
const ACL: &str = "(m :sender (agent-identifier :name B@h)\n";

const UNTIDY: &str = "s[ agent(!A,   %a)=skip   ]";

const PROPERTIES: &str =
    "s[ agent(!A, %a) = m() => agent(!B, %b) agent(!B, %b) = waitfor m() <= agent(_, %a) ]
property one: eventually ended
property two: always (eventually ended)
property three: never !A sends m() to _
";

/// What the files hold that are there before, and may be replaced.
pub(crate) const OLD: &str = "old";

/// A folder for these lines.
pub(crate) struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    pub(crate) fn new() -> Self {
        let place = Self { folder: tempfile::tempdir().expect("a folder") };
        let deep = ["s[ agent(!A, %a) = ", &"(".repeat(150), "skip", &")".repeat(150), " ]"].concat();
        for (name, text) in [
            ("a.map", &*format!("//@ verify => deadlock\n{DEADLOCK}")),
            ("asks.map", ASKS),
            ("deep.map", &deep),
            ("properties.map", PROPERTIES),
            ("u.map", UNTIDY),
            ("answer", ANSWER),
            ("messages.jsonl", MESSAGES),
            ("calls.jsonl", CALLS),
            ("m.toml", MAPPING),
            ("acl.txt", ACL),
        ] {
            fs::write(place.path(name), text).expect("it can be written");
        }
        for ending in ["json", "xml", "html", "maptest", "svg", "pml"] {
            fs::write(place.path(&format!("old.{ending}")), OLD).expect("it can be written");
        }
        // A cluster of one process.
        let port = std::net::TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr());
        fs::write(place.path("hosts"), port.expect("a port").to_string()).expect("it can be written");
        fs::create_dir(place.path("tmp")).expect("it can be made");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let executable = fs::Permissions::from_mode(0o755);
            fs::set_permissions(place.path("answer"), executable).expect("it is ours");
        }
        let saved = place.command("verify a.map --save-trace t.json").output().expect("it runs");
        assert_eq!(saved.status.code(), Some(1));
        place
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The command of a line, in this folder; temporary files go there, too.
    pub(crate) fn command(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_map"));
        command.args(line.split_whitespace()).current_dir(self.folder.path()).env("TMPDIR", self.path("tmp"));
        command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").env_remove("RUST_BACKTRACE");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// All files with their contents, without what differs from run to run.
    pub(crate) fn files(&self) -> Vec<(PathBuf, String)> {
        let mut files = Vec::new();
        gather(self.folder.path(), &mut files);
        files.sort();
        files
    }
}

fn gather(folder: &Path, files: &mut Vec<(PathBuf, String)>) {
    for entry in fs::read_dir(folder).expect("it is there").flatten() {
        let path = entry.path();
        if path.is_dir() {
            gather(&path, files);
        } else {
            let text = fs::read(&path).map(|it| String::from_utf8_lossy(&it).into_owned());
            files.push((path, masked(&text.unwrap_or_default())));
        }
    }
}

/// Without times and sizes, which differ from run to run.
pub(crate) fn masked(text: &str) -> String {
    let mut masked = String::with_capacity(text.len());
    for character in text.chars() {
        let is_number = |it: char| it.is_ascii_digit() || it == '.' || it == ',';
        if is_number(character) {
            if !masked.ends_with('0') {
                masked.push('0');
            }
        } else {
            masked.push(character);
        }
    }
    // "12 ms", "1 s" and "0.1 µs" are the same.
    masked.replace("0 ms", "0 s").replace("0 µs", "0 s")
}

/// Exit codes that the book documents for work that was not interrupted.
pub(crate) const DOCUMENTED: [i32; 6] = [0, 1, 2, 3, 4, 75];

#[test]
fn every_verb_has_a_line() {
    let has_one = |verb: &String| LINES.iter().any(|(line, _)| line.split(' ').next() == Some(verb));
    let without: Vec<String> = verbs().into_iter().filter(|verb| verb != "help" && !has_one(verb)).collect();
    assert!(without.is_empty(), "{without:?}");
    map(&["--version"]).exits(0);
}
