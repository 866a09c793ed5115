//! Commands and flags that this build of `map` does not have, and how to get them.

use clap::Error;
use clap::error::{ContextKind, ContextValue};

/// What a feature of the package brings to the command line.
struct Feature {
    name: &'static str,
    is_built_in: bool,
    /// Commands, and flags with their dashes.
    words: &'static [&'static str],
}

const FEATURES: [Feature; 3] = [
    Feature {
        name: "cluster",
        is_built_in: cfg!(feature = "cluster"),
        words: &["cluster", "--processes", "--hosts", "--process", "--key"],
    },
    Feature {
        name: "http",
        is_built_in: cfg!(feature = "http"),
        words: &["--http", "--no-tokens", "--host", "--a2a"],
    },
    Feature { name: "mcp", is_built_in: cfg!(feature = "mcp"), words: &["mcp", "--mcp"] },
];

/// What to say instead of "unknown" if the command line is wrong only in a build without some feature.
pub(crate) fn explanation(error: &Error) -> Option<String> {
    explained(error, &FEATURES)
}

fn explained(error: &Error, features: &[Feature]) -> Option<String> {
    let unknown = [ContextKind::InvalidSubcommand, ContextKind::InvalidArg];
    let word = unknown.into_iter().find_map(|kind| match error.get(kind) {
        Some(ContextValue::String(word)) => Some(word.split('=').next().unwrap_or(word)),
        _ => None,
    })?;
    let absent = features.iter().find(|feature| !feature.is_built_in && feature.words.contains(&word))?;
    let feature = absent.name;
    Some(format!(
        "error: {word} is not built in: it needs the feature {feature} of map-cli\n\n  \
         cargo install --locked --profile dist --path crates/map-cli --features {feature}\n\n\
         installs a map that has it; --features full has everything.\n"
    ))
}

#[cfg(test)]
mod tests {
    use clap::{Arg, Command};

    use super::{FEATURES, Feature, explained};

    /// What a build without any feature says of these words behind `map`.
    fn said(words: &[&str]) -> Option<String> {
        let build = Command::new("map").subcommand(Command::new("verify").arg(Arg::new("file")));
        let error = build.try_get_matches_from([&["map"], words].concat()).expect_err("a word is unknown");
        explained(&error, &FEATURES.map(|feature| Feature { is_built_in: false, ..feature }))
    }

    #[test]
    fn what_is_left_out_is_told_from_what_is_unknown() {
        for (words, what) in [
            (&["mcp"] as &[&str], "mcp is not built in: it needs the feature mcp"),
            (&["mcp", "--help"], "mcp is not built in"),
            (&["cluster", "hosts"], "cluster is not built in: it needs the feature cluster"),
            (&["verify", "a.map", "--processes", "2"], "--processes is not built in"),
            (&["verify", "a.map", "--hosts=h"], "--hosts is not built in"),
        ] {
            let said = said(words).expect("it is left out");
            assert!(said.contains(what), "{words:?}: {said}");
        }
        assert_eq!(said(&["mcq"]), None);
        assert_eq!(said(&["verify", "a.map", "--process-all"]), None);
    }

    #[test]
    fn what_is_built_in_is_not_explained_away() {
        let error =
            Command::new("map").subcommand(Command::new("verify")).try_get_matches_from(["map", "mcp"]);
        let error = error.expect_err("the word is unknown");
        assert_eq!(
            explained(&error, &FEATURES.map(|feature| Feature { is_built_in: true, ..feature })),
            None
        );
    }
}
