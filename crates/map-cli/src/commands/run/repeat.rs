//! Commands that repeat runs.

use map_semantics::Network;

use super::answers::PATIENCE;
use super::{Args, MAX_STEPS};
use crate::args::{CRASH, LOSS, TimeoutsArg};

/// `map run FILE --seed N` with every flag that matters.
pub(super) fn one(args: &Args, seed: u64) -> String {
    with(args, &[("seed", seed)])
}

/// The same for many runs.
pub(super) fn many(args: &Args, runs: u64, seed: u64) -> String {
    with(args, &[("runs", runs), ("seed", seed)])
}

fn with(args: &Args, last: &[(&str, u64)]) -> String {
    let mut words = vec!["map".to_owned(), "run".to_owned(), quoted(&args.file)];
    let mut flag = |name: &str, value: String| {
        words.push(format!("--{name}"));
        words.push(quoted(&value));
    };
    if let Some(scene) = &args.scene.scene {
        flag("scene", scene.clone());
    }
    for cast in &args.scene.agents {
        flag("agents", format!("{}={}", cast.name, cast.count));
    }
    if args.bounds.depth != 50 {
        flag("depth", args.bounds.depth.to_string());
    }
    for rounds in &args.bounds.rounds {
        flag(
            "rounds",
            match &rounds.constant {
                Some(constant) => format!("{constant}={}", rounds.limit),
                None => rounds.limit.to_string(),
            },
        );
    }
    if args.bounds.mailbox != 50 {
        flag("mailbox", args.bounds.mailbox.to_string());
    }
    if args.bounds.timeouts == TimeoutsArg::Any {
        flag("timeouts", "any".to_owned());
    }
    if args.bounds.network != Network::INSTANT {
        flag("network", args.bounds.network.to_string());
    }
    if args.odds.loss != LOSS {
        flag("loss", args.odds.loss.to_string());
    }
    if args.odds.crash != CRASH {
        flag("crash", args.odds.crash.to_string());
    }
    for odds in &args.odds.yes {
        flag("yes", odds.to_string());
    }
    if args.max_steps != MAX_STEPS {
        flag("max-steps", args.max_steps.to_string());
    }
    let answers = &args.answers;
    if let Some(command) = &answers.procedures {
        flag("procedures", command.clone());
    }
    if answers.answer_timeout != PATIENCE {
        flag("answer-timeout", answers.answer_timeout.to_string());
    }
    for agent in &answers.ask {
        flag("ask", agent.clone());
    }
    for (name, number) in last {
        flag(name, number.to_string());
    }
    if answers.per_agent {
        words.push("--per-agent".to_owned());
    }
    words.join(" ")
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
