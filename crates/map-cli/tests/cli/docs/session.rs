//! A shell in a folder of its own, in which the commands of a page are entered one after the other.

use std::path::Path;
use std::process::{Command, Stdio};

use map_testkit::markdown::{Block, Files};

/// What a page may call: nothing that installs, fetches, or writes elsewhere.
const PROGRAMS: [&str; 11] =
    ["map", "printf", "echo", "sh", "cat", "ls", "grep", "head", "python3", "spin", "cc"];

/// The folder of a page, and what has happened in it so far.
pub(super) struct Session {
    pub(super) folder: tempfile::TempDir,
    /// The files that the page has told to write.
    pub(super) files: Files,
    /// The exit code of the last command, for `$?`.
    code: i32,
}

impl Session {
    /// An empty folder with copies of these paths of the repository, as `cp -r` makes them.
    pub(super) fn start(root: &Path, copied: &[String]) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        if !copied.is_empty() {
            let sources = copied.iter().map(|path| root.join(path));
            let status = Command::new("cp").arg("-r").args(sources).arg(folder.path()).status();
            assert!(status.expect("there is cp").success(), "{copied:?} cannot be copied");
        }
        Self { folder, files: Files::default(), code: 0 }
    }

    /// Whether the page wants the block to be run, and the programs are there that it needs.
    pub(super) fn can_run(&self, block: &Block) -> bool {
        let needed = block.remarks.get("needs").map_or("", String::as_str).split_whitespace();
        let missing = needed.filter(|program| !is_installed(program)).collect::<Vec<_>>();
        if !missing.is_empty() {
            println!("SKIPPED: line {}, for want of {}", block.line, missing.join(", "));
            let required = missing.contains(&"spin") && std::env::var_os("MAP_REQUIRE_SPIN").is_some();
            assert!(!required, "SPIN is to be asked");
        }
        missing.is_empty() && !block.remarks.contains_key("not run")
    }

    /// What a command prints to both of its outputs, in the order in which it does. From a clone the binary is called
    /// by `cargo run --profile quick --`; here it has been built already.
    pub(super) fn enter(&mut self, command: &str) -> String {
        let command = command.replace("cargo run --profile quick -- ", "map ");
        let program = command.split(' ').next().unwrap_or_default();
        assert!(PROGRAMS.contains(&program), "{program} is not among the programs that a page may call");
        let binary = Path::new(env!("CARGO_BIN_EXE_map")).parent().expect("it is in a folder");
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::iter::once(binary.to_owned()).chain(std::env::split_paths(&path));
        let (mut reader, writer) = std::io::pipe().expect("a pipe");
        let mut shell = Command::new("sh");
        shell
            .args(["-c", &format!("(exit {}); {command}", self.code)])
            .current_dir(self.folder.path())
            .env("PATH", std::env::join_paths(path).expect("no folder has a colon in its name"))
            .env("HOME", self.folder.path())
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .env("COLUMNS", "80")
            .env_remove("NO_COLOR")
            .env_remove("CLICOLOR_FORCE")
            .stdin(Stdio::null())
            .stdout(writer.try_clone().expect("a pipe"))
            .stderr(writer);
        let mut child = shell.spawn().expect("there is sh");
        // With it the writing ends of the pipe go, and only the commands hold one.
        drop(shell);
        let mut printed = Vec::new();
        std::io::Read::read_to_end(&mut reader, &mut printed).expect("the pipe can be read");
        self.code = child.wait().expect("the command ends").code().expect("no signal ends it");
        String::from_utf8(printed).expect("the output is UTF-8")
    }
}

fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}
