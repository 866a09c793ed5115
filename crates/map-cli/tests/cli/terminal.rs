//! What a person at a terminal sees, in a pseudo-terminal.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::process::Child;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use rustix::fs::{Mode, OFlags};
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, tcgetattr};

use super::command;

/// Nothing here takes long; this is for what would take for ever.
const PATIENCE: Duration = Duration::from_secs(120);

/// The command in a terminal.
struct Terminal {
    child: Child,
    keyboard: File,
    screen: Receiver<Vec<u8>>,
    /// All that was shown.
    shown: String,
    /// How much of it has been waited for.
    seen: usize,
}

impl Terminal {
    fn new(arguments: &[&str]) -> Self {
        let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("there are pseudo-terminals");
        grantpt(&ours).and_then(|()| unlockpt(&ours)).expect("it is ours");
        let name = ptsname(&ours, Vec::new()).expect("it has a name");
        let theirs: OwnedFd =
            rustix::fs::open(name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).expect("it can be opened");
        let end = || theirs.try_clone().expect("it can be opened twice");
        let mut command = command(arguments);
        command.env("TERM", "xterm").env("NO_COLOR", "1").stdin(end()).stdout(end()).stderr(end());
        let child = command.spawn().expect("the binary runs");
        let keyboard = File::from(ours);
        let mut output = keyboard.try_clone().expect("it can be opened twice");
        let (send, screen) = channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            // When the last process has left, reading fails.
            while let Ok(length @ 1..) = output.read(&mut buffer) {
                if send.send(buffer[..length].to_vec()).is_err() {
                    break;
                }
            }
        });
        Self { child, keyboard, screen, shown: String::new(), seen: 0 }
    }

    fn types(mut self, keys: &str) -> Self {
        self.keyboard.write_all(keys.as_bytes()).expect("somebody reads");
        self
    }

    /// Waits until that is shown, behind what was waited for before.
    #[track_caller]
    fn shows(mut self, text: &str) -> Self {
        let mut bytes = self.shown.clone().into_bytes();
        loop {
            self.shown = String::from_utf8_lossy(&bytes).into_owned();
            if let Some(at) = self.shown[self.seen..].find(text) {
                self.seen += at + text.len();
                return self;
            }
            match self.screen.recv_timeout(PATIENCE) {
                Ok(more) => bytes.extend(more),
                Err(_) => {
                    panic!("{text:?} is not shown behind {:?}:\n{}", &self.shown[..self.seen], self.shown)
                }
            }
        }
    }

    /// Waits for the end.
    #[track_caller]
    fn ends(mut self, code: i32) -> String {
        let mut bytes = self.shown.into_bytes();
        while let Ok(more) = self.screen.recv_timeout(PATIENCE) {
            bytes.extend(more);
        }
        let shown = String::from_utf8_lossy(&bytes).into_owned();
        assert_eq!(self.child.wait().expect("it ends").code(), Some(code), "{shown}");
        shown
    }
}

const UP: &str = "\x1b[A";
const CTRL_C: &str = "\x03";
const CTRL_D: &str = "\x04";

fn session() -> Terminal {
    Terminal::new(&["step", "auction.map"]).shows("1)  !Auctioneer").shows("step> ")
}

#[test]
fn lines_come_back_and_are_completed() {
    let at = session().types("1\r").shows("sends start(openingPrice#1)").shows("step> ");
    let at = at.types(&format!("{UP}\r")).shows("receives start(openingPrice#1)").shows("step> ");
    let at = at.types("sho\t !B\t\r").shows("show !Bidder").shows("mailbox: 1 message").shows("step> ");
    // Two lines back, and edited.
    let at =
        at.types(&format!("{UP}{UP}\x15chart\r")).shows("◇ openingPrice() → openingPrice#1").shows("step> ");
    let at = at.types("no such\r").shows("there is no command \"no\"").shows("step> ");
    at.types(CTRL_D).ends(0);
}

#[test]
fn ctrl_c_clears_the_line_and_then_ends() {
    let at = session().types(&format!("qu{CTRL_C}")).shows("once more").shows("step> ");
    let at = at.types(&format!("quit{CTRL_C}")).shows("once more").shows("step> ");
    let at = at.types("undo 0\r").shows("after 0 steps").shows("step> ");
    let at = at.types(CTRL_C).shows("once more").shows("step> ");
    at.types(CTRL_C).ends(130);
}

/// A signal that ends the command does not leave the terminal in the modes of the line editor.
#[test]
fn the_terminal_is_left_as_it_was() {
    let is_by_lines = |terminal: &File| {
        let modes = tcgetattr(terminal).expect("it is a terminal");
        modes.local_modes.contains(LocalModes::ICANON | LocalModes::ECHO)
    };
    let at = session();
    let terminal = at.keyboard.try_clone().expect("it can be opened twice");
    assert!(!is_by_lines(&terminal));
    kill_process(Pid::from_child(&at.child), Signal::TERM).expect("it runs");
    at.ends(130);
    assert!(is_by_lines(&terminal));
}

#[test]
fn lines_that_are_pasted_are_commands() {
    session().types("1\n1\nundo 2\nquit\n").shows("receives start").shows("after 0 steps").ends(0);
}

/// What is typed or completed is not obeyed by the terminal either.
#[test]
fn control_characters_are_not_sent_back() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("t\x1b[2Jx"), "").unwrap();
    let path = folder.path().to_str().unwrap();
    // Ctrl-V takes the next key as it is.
    let at =
        session().types("foo\x16\x1b[2J\r").shows("there is no command \"foo\\u{1b}[2J\"").shows("step> ");
    let at = at.types(&format!("{UP}\x15save {path}/t\t\r")).shows("saved to").shows("step> ");
    let shown = at.types("quit\r").ends(0);
    assert!(!shown.contains("\x1b[2J"), "{shown:?}");
    assert!(folder.path().join("t").exists(), "{shown}");
}

#[test]
fn graphs_are_text_on_a_terminal() {
    let shown = Terminal::new(&["render", "published-corrected.map", "--role", "bidder"]).ends(0);
    assert!(shown.contains("─▶ done  receive accept(_, _) from %auctioneer"), "{shown}");
    let shown = Terminal::new(&["render", "published-corrected.map", "--as", "dot"]).ends(0);
    assert!(shown.contains("digraph"), "{shown}");
}
