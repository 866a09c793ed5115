//! The tokens by which agents are known to a guard.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use toml::de::{DeTable, DeValue};

/// The shortest token, in bytes: nobody guesses it.
const MIN_TOKEN: usize = 16;

/// The largest file of tokens.
const MAX_FILE: u64 = 1 << 20;

/// Why a file of tokens cannot be used; it quotes none.
pub(super) struct TokensError {
    pub(super) text: String,
    pub(super) help: Option<&'static str>,
}

fn wrong(text: impl Into<String>, help: Option<&'static str>) -> TokensError {
    TokensError { text: text.into(), help }
}

/// A token for each agent. It has no `Debug`: tokens are not shown.
pub(super) struct Tokens {
    /// Names with the fingerprints of their tokens.
    known: Vec<(String, String)>,
}

impl Tokens {
    /// Reads the file of tokens of a guard.
    ///
    /// # Errors
    /// What is wrong with it, and what to do about it.
    pub(super) fn read(path: &Path) -> Result<Self, TokensError> {
        let known = entries(path)?;
        let known = known.into_iter().map(|(name, token)| (name, map_json::fingerprint(&token))).collect();
        Ok(Self { known })
    }

    /// Whether this is the token of the agent. It takes as long for a wrong one as for a right one.
    pub(super) fn admit(&self, name: &str, token: &str) -> bool {
        let given = map_json::fingerprint(token);
        let is_same = |expected: &str| {
            let differences = expected.bytes().zip(given.bytes()).map(|(left, right)| left ^ right);
            differences.fold(0, |all, next| all | next) == 0
        };
        self.known
            .iter()
            .fold(false, |found, (known, expected)| found | (is_same(expected) & (known == name)))
    }
}

/// The token of one agent, for its side.
///
/// # Errors
/// What is wrong with the file, and what to do about it.
#[cfg(feature = "mcp")]
pub(super) fn token_of(path: &Path, name: &str) -> Result<String, TokensError> {
    let token = entries(path)?.into_iter().find(|(known, _)| known == name).map(|(_, token)| token);
    token.ok_or_else(|| {
        wrong(format!("there is no token of {name:?}"), Some("add a line such as flights = \"..\""))
    })
}

/// The names with their tokens; no message quotes a token.
fn entries(path: &Path) -> Result<Vec<(String, String)>, TokensError> {
    let unreadable = |error: std::io::Error| wrong(error.to_string(), None);
    let file = File::open(path).map_err(unreadable)?;
    refuse_if_open_to_others(&file)?;
    let mut text = String::new();
    let length = file.take(MAX_FILE + 1).read_to_string(&mut text).map_err(unreadable)?;
    if length as u64 > MAX_FILE {
        return Err(wrong(format!("the file is longer than {MAX_FILE} bytes"), None));
    }
    let form = Some("write a line for each agent, such as flights = \"..\"");
    let table = DeTable::parse(&text).map_err(|_| wrong("the file is not TOML", form))?;
    let mut found = Vec::new();
    for (name, token) in table.get_ref() {
        let name = name.get_ref().to_string();
        let DeValue::String(token) = token.get_ref() else {
            return Err(wrong(format!("the token of {name:?} is no text"), form));
        };
        if token.len() < MIN_TOKEN {
            let text = format!("the token of {name:?} has less than {MIN_TOKEN} bytes");
            return Err(wrong(text, Some("take 32 hexadecimal digits by chance")));
        }
        found.push((name, token.to_string()));
    }
    if found.is_empty() {
        return Err(wrong("there is no token", form));
    }
    Ok(found)
}

#[cfg(unix)]
fn refuse_if_open_to_others(file: &File) -> Result<(), TokensError> {
    use std::os::unix::fs::MetadataExt as _;

    let metadata = file.metadata().map_err(|error| wrong(error.to_string(), None))?;
    match metadata.mode() & 0o077 {
        0 => Ok(()),
        _ => Err(wrong("others may read or write the file", Some("make it yours alone: chmod 600"))),
    }
}

#[cfg(not(unix))]
fn refuse_if_open_to_others(_: &File) -> Result<(), TokensError> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::Tokens;

    #[test]
    fn a_token_is_good_for_its_agent_only() {
        let known = [("desk", "0123456789abcdef"), ("flights", "fedcba9876543210")];
        let tokens = Tokens {
            known: known.map(|(name, token)| (name.to_owned(), map_json::fingerprint(token))).to_vec(),
        };
        for (name, token, is_good) in [
            ("desk", "0123456789abcdef", true),
            ("flights", "fedcba9876543210", true),
            ("flights", "0123456789abcdef", false),
            ("desk", "0123456789abcde", false),
            ("desk", "", false),
            ("hotels", "0123456789abcdef", false),
        ] {
            assert_eq!(tokens.admit(name, token), is_good, "{name} {token}");
        }
    }
}
