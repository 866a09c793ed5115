//! Shell command lines that repeat something: a run, a search, a replay.

use map_semantics::{Bounds, Network};

use crate::args::{BoundArgs, SceneArgs, TimeoutsArg};

/// A command line, as its words, each quoted for the shell.
pub(crate) struct CommandLine(Vec<String>);

impl CommandLine {
    /// `map VERB FILE`.
    pub(crate) fn new(verb: &str, file: &str) -> Self {
        Self(vec!["map".to_owned(), verb.to_owned(), quoted(file)])
    }

    /// `--NAME VALUE`.
    pub(crate) fn flag(&mut self, name: &str, value: &dyn ToString) {
        self.0.push(format!("--{name}"));
        self.0.push(quoted(&value.to_string()));
    }

    /// `--NAME`.
    pub(crate) fn switch(&mut self, name: &str) {
        self.0.push(format!("--{name}"));
    }

    /// The flags that choose the scene and its cast.
    pub(crate) fn scene(&mut self, args: &SceneArgs) {
        let SceneArgs { scene, agents } = args;
        if let Some(scene) = scene {
            self.flag("scene", &scene);
        }
        for cast in agents {
            self.flag("agents", &format!("{}={}", cast.name, cast.count));
        }
    }

    /// The flags for bounds that differ from the defaults.
    pub(crate) fn bounds(&mut self, args: &BoundArgs) {
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
    pub(crate) fn line(&self) -> String {
        self.0.join(" ")
    }
}

/// A word, quoted for the shell if necessary.
pub(crate) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn words_for_the_shell() {
        assert_eq!(quoted("a/b.map"), "a/b.map");
        assert_eq!(quoted("my file.map"), "'my file.map'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted("!A"), "'!A'");
        assert_eq!(quoted(""), "''");
    }
}
