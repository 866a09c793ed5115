//! Shell command lines that repeat something: a run, a search, a replay.

use std::ffi::OsString;
use std::path::Path;

use map_diagnostics::is_unseen;
use map_semantics::{Bounds, Network};

use crate::scene::{BoundArgs, SceneArgs, TimeoutsArg};
use crate::search::SearchArgs;

/// The words of a command line.
pub struct CommandLine(Vec<OsString>);

impl CommandLine {
    /// `map VERB FILE`.
    #[must_use]
    pub fn new(verb: &str, file: &Path) -> Self {
        Self(vec!["map".into(), verb.into(), file.into()])
    }

    /// `--NAME VALUE`.
    pub fn flag(&mut self, name: &str, value: &dyn ToString) {
        self.switch(name);
        self.0.push(value.to_string().into());
    }

    /// `--NAME`.
    pub fn switch(&mut self, name: &str) {
        self.0.push(format!("--{name}").into());
    }

    /// The flags that choose the scene and its cast.
    pub fn scene(&mut self, args: &SceneArgs) {
        let SceneArgs { scenes, agents, set } = args;
        for scene in scenes {
            self.flag("scene", scene);
        }
        for cast in agents {
            self.flag("agents", cast);
        }
        for value in set {
            self.flag("set", value);
        }
    }

    /// The flags for bounds that differ from the defaults.
    pub fn bounds(&mut self, args: &BoundArgs) {
        let BoundArgs { depth, rounds: all_rounds, mailbox, timeouts, network } = args;
        if *depth != Bounds::USUAL.depth {
            self.flag("depth", depth);
        }
        for rounds in all_rounds {
            match &rounds.constant {
                Some(constant) => self.flag("rounds", &format!("{constant}={}", rounds.limit)),
                None => self.flag("rounds", &rounds.limit),
            }
        }
        if *mailbox != Bounds::USUAL.mailbox {
            self.flag("mailbox", mailbox);
        }
        if *timeouts == TimeoutsArg::Any {
            self.flag("timeouts", &"any");
        }
        if *network != Network::INSTANT {
            self.flag("network", network);
        }
    }

    /// The command line.
    #[must_use]
    pub fn line(&self) -> String {
        self.0.iter().map(|word| quoted_name(Path::new(word))).collect::<Vec<_>>().join(" ")
    }

    /// What stands behind the file, with characters that nobody sees as they are: for a file.
    #[must_use]
    pub fn flags(&self) -> String {
        self.0[3..].iter().map(|word| quoted(&word.to_string_lossy())).collect::<Vec<_>>().join(" ")
    }
}

/// The command that verifies a file under these flags alone.
#[must_use]
pub fn alone(args: &SearchArgs, file: &Path) -> String {
    let mut words = CommandLine::new("verify", file);
    words.scene(&args.scene);
    words.bounds(&args.bounds);
    if args.judge.no_properties {
        words.switch("no-properties");
    }
    words.line()
}

/// A word for the shell.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// The name of a file, or another word, for the shell. What nobody sees, and what is no text, is given by its bytes, as
/// most shells take them.
#[must_use]
pub fn quoted_name(path: &Path) -> String {
    if let Some(text) = path.to_str().filter(|text| !text.chars().any(is_unseen)) {
        return quoted(text);
    }
    let mut word = "$'".to_owned();
    let escape =
        |word: &mut String, bytes: &[u8]| bytes.iter().for_each(|it| *word += &format!("\\x{it:02x}"));
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                '\'' | '\\' => word.extend(['\\', character]),
                _ if is_unseen(character) => escape(&mut word, character.encode_utf8(&mut [0; 4]).as_bytes()),
                _ => word.push(character),
            }
        }
        escape(&mut word, chunk.invalid());
    }
    word.push('\'');
    word
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{quoted, quoted_name};

    #[test]
    fn names_for_the_shell() {
        assert_eq!(quoted_name(Path::new("my file.map")), "'my file.map'");
        assert_eq!(quoted_name(Path::new("it's\x1b\u{202e}\\ a")), r"$'it\'s\x1b\xe2\x80\xae\\ a'");
    }

    #[test]
    fn words_for_the_shell() {
        assert_eq!(quoted("a/b.map"), "a/b.map");
        assert_eq!(quoted("my file.map"), "'my file.map'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted("!A"), "'!A'");
        assert_eq!(quoted(""), "''");
    }
}
