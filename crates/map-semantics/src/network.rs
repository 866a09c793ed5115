//! What the network does (language reference, "Networks"), and how that is written on the command line and in traces.

use std::fmt;
use std::str::FromStr;

use crate::digits::digits;

/// What the network does to messages and agents (language reference, "Networks"). The default is [`Network::INSTANT`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Network {
    /// Mailboxes are bags: a receive may take any message that matches, not only the oldest.
    pub unordered: bool,
    /// Messages are under way for a while: those of one sender to one recipient arrive in the order sent, all others
    /// in any order.
    pub delayed: bool,
    /// The maximum number of message copies lost in one run.
    pub losses: u32,
    /// The maximum number of agents that crash in one run.
    pub crashes: u32,
}

impl Network {
    /// Messages arrive at once and in order, none is lost, nobody crashes.
    pub const INSTANT: Self = Self { unordered: false, delayed: false, losses: 0, crashes: 0 };
}

impl fmt::Display for Network {
    /// As on the command line: `instant`, or a comma-separated list of `unordered`, `delayed`,
    /// `lossy:1`, `crash:1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { unordered, delayed, losses, crashes } = *self;
        let mut words = Vec::new();
        if unordered {
            words.push("unordered".to_owned());
        }
        if delayed {
            words.push("delayed".to_owned());
        }
        if losses > 0 {
            words.push(format!("lossy:{losses}"));
        }
        if crashes > 0 {
            words.push(format!("crash:{crashes}"));
        }
        if words.is_empty() {
            words.push("instant".to_owned());
        }
        f.write_str(&words.join(","))
    }
}

impl FromStr for Network {
    /// What is expected.
    type Err = String;

    /// `unordered`, `delayed`, `lossy:2`, `crash:1`, or several of them, each at most once; `instant` stands alone.
    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || {
            "expected instant, unordered, delayed, lossy:K or crash:K with a number K of 1 or more, such as lossy:1; or \
             several, such as unordered,lossy:1"
                .to_owned()
        };
        let mut network = Self::INSTANT;
        if text == "instant" {
            return Ok(network);
        }
        for word in text.split(',') {
            let again = || format!("{word}: given twice");
            let (kind, most) = match word.split_once(':') {
                Some((kind, most)) => {
                    (kind, Some(digits::<u32>(most).filter(|&most| most > 0).ok_or_else(expected)?))
                }
                None => (word, None),
            };
            let known = match (kind, most) {
                ("unordered", None) => u32::from(std::mem::replace(&mut network.unordered, true)),
                ("delayed", None) => u32::from(std::mem::replace(&mut network.delayed, true)),
                ("lossy", Some(most)) => std::mem::replace(&mut network.losses, most),
                ("crash", Some(most)) => std::mem::replace(&mut network.crashes, most),
                _ => return Err(expected()),
            };
            if known > 0 {
                return Err(again());
            }
        }
        Ok(network)
    }
}

#[cfg(test)]
mod tests {
    use super::Network;

    #[test]
    fn networks() {
        let read = str::parse::<Network>;
        assert_eq!(read("instant"), Ok(Network::INSTANT));
        assert_eq!(read("unordered"), Ok(Network { unordered: true, ..Network::INSTANT }));
        assert_eq!(read("lossy:2"), Ok(Network { losses: 2, ..Network::INSTANT }));
        assert_eq!(read("crash:1"), Ok(Network { crashes: 1, ..Network::INSTANT }));
        let all = read("crash:1,unordered,delayed,lossy:2").unwrap();
        assert_eq!(all, Network { unordered: true, delayed: true, losses: 2, crashes: 1 });
        assert_eq!(read(&all.to_string()), Ok(all));
        for junk in [
            "",
            "lossy",
            "lossy:",
            "lossy:0",
            "lossy:-1",
            "lossy:x",
            "lossy:99999999999",
            "crash",
            "crash:0",
            "unordered:1",
            "instant,lossy:1",
            "lossy:1,",
            "lossy:1,lossy:2",
            "unordered,unordered",
            "slow",
            "Lossy:1",
        ] {
            assert!(read(junk).is_err(), "{junk}");
        }
    }
}
