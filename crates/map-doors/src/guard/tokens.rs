//! The tokens by which agents are known to a guard.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use toml::de::{DeTable, DeValue};

use super::peer::Speaker;

/// The shortest token, in bytes: nobody guesses it.
const MIN_TOKEN: usize = 16;

/// The largest file of tokens.
const MAX_FILE: u64 = 1 << 20;

/// Why a file of tokens cannot be used; it quotes none.
#[derive(Clone, Debug)]
pub struct TokensError {
    /// What is wrong.
    pub text: String,
    /// What to do about it.
    pub help: Option<&'static str>,
}

fn wrong(text: impl Into<String>, help: Option<&'static str>) -> TokensError {
    TokensError { text: text.into(), help }
}

/// Tokens of agents and operators. It has no `Debug`: tokens are not shown.
#[derive(Clone)]
pub struct Tokens {
    /// Who is known, with the fingerprints of their tokens.
    known: Vec<(Speaker, String)>,
}

impl Tokens {
    /// Reads the file of tokens of a guard.
    ///
    /// # Errors
    /// What is wrong with it, and what to do about it.
    pub fn read(path: &Path) -> Result<Self, TokensError> {
        let Entries { agents, operators } = entries(path)?;
        let agents = agents.into_iter().map(|(name, token)| (Speaker::Agent(name), token));
        let operators = operators.into_iter().map(|(name, token)| (Speaker::Operator(name), token));
        let known = agents.chain(operators);
        let known: Vec<_> = known.map(|(who, token)| (who, map_json::fingerprint(&token))).collect();
        let mut prints: Vec<&String> = known.iter().map(|(_, print)| print).collect();
        prints.sort();
        if prints.windows(2).any(|two| two[0] == two[1]) {
            return Err(wrong("two have the same token", Some("a token says who speaks: give each its own")));
        }
        Ok(Self { known })
    }

    /// The names of the agents that have one.
    pub fn agents(&self) -> impl Iterator<Item = &str> {
        self.known.iter().filter_map(|(speaker, _)| match speaker {
            Speaker::Agent(name) => Some(name.as_str()),
            Speaker::Anybody | Speaker::Operator(_) => None,
        })
    }

    /// Whether this is the token of the agent. It takes as long for a wrong one as for a right one.
    pub(super) fn admit(&self, name: &str, token: &str) -> bool {
        self.whose(token) == Some(Speaker::Agent(name.to_owned()))
    }

    /// Whose token this is. It takes as long for a wrong one as for a right one.
    pub(super) fn whose(&self, token: &str) -> Option<Speaker> {
        let given = map_json::fingerprint(token);
        let is_same = |expected: &str| {
            let differences = expected.bytes().zip(given.bytes()).map(|(left, right)| left ^ right);
            differences.fold(0, |all, next| all | next) == 0
        };
        // All are looked at.
        let found =
            self.known.iter().fold(None, |found, known| if is_same(&known.1) { Some(known) } else { found });
        found.map(|(speaker, _)| speaker.clone())
    }
}

/// The token of one agent, for its side.
///
/// # Errors
/// What is wrong with the file, and what to do about it.
#[cfg(feature = "mcp")]
pub fn token_of(path: &Path, name: &str) -> Result<String, TokensError> {
    let token = entries(path)?.agents.into_iter().find(|(known, _)| known == name).map(|(_, token)| token);
    token.ok_or_else(|| {
        wrong(format!("there is no token of {name:?}"), Some("add a line such as flights = \"..\""))
    })
}

/// Names with their tokens.
#[derive(Default)]
struct Entries {
    agents: Vec<(String, String)>,
    operators: Vec<(String, String)>,
}

/// The names with their tokens; no message quotes a token.
fn entries(path: &Path) -> Result<Entries, TokensError> {
    let unreadable = |error: std::io::Error| wrong(error.to_string(), None);
    let file = File::open(path).map_err(unreadable)?;
    refuse_if_open_to_others(&file)?;
    let mut text = String::new();
    let length = file.take(MAX_FILE + 1).read_to_string(&mut text).map_err(unreadable)?;
    if length as u64 > MAX_FILE {
        return Err(wrong(format!("the file is longer than {MAX_FILE} bytes"), None));
    }
    let table = DeTable::parse(&text).map_err(|_| wrong("the file is not TOML", FORM))?;
    let mut found = Entries::default();
    for (name, value) in table.get_ref() {
        match value.get_ref() {
            DeValue::Table(operators) if name.get_ref() == OPERATORS => {
                for (name, value) in operators {
                    found.operators.push(entry(name.get_ref(), value.get_ref())?);
                }
            }
            value => found.agents.push(entry(name.get_ref(), value)?),
        }
    }
    if found.agents.is_empty() && found.operators.is_empty() {
        return Err(wrong("there is no token", FORM));
    }
    Ok(found)
}

/// The table of those who are no agents.
const OPERATORS: &str = "operators";
const FORM: Option<&str> = Some("write a line for each agent, such as flights = \"..\"");

fn entry(name: &str, value: &DeValue<'_>) -> Result<(String, String), TokensError> {
    let DeValue::String(token) = value else {
        return Err(wrong(format!("the token of {name:?} is no text"), FORM));
    };
    if token.len() < MIN_TOKEN {
        let text = format!("the token of {name:?} has less than {MIN_TOKEN} bytes");
        return Err(wrong(text, Some("take 32 hexadecimal digits by chance")));
    }
    Ok((name.to_owned(), token.to_string()))
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
    use super::{Speaker, Tokens};

    #[test]
    fn a_token_is_good_for_its_agent_only() {
        let known = [("desk", "0123456789abcdef"), ("flights", "fedcba9876543210")];
        let tokens = Tokens {
            known: known
                .map(|(name, token)| (Speaker::Agent(name.to_owned()), map_json::fingerprint(token)))
                .to_vec(),
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
