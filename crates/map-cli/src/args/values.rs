//! Parsers for the values of flags. Each error says what is expected.

use std::fmt;

use map_check::CastOverride;
use map_ir::AgentId;
use map_semantics::{Network, Step, Turn};

/// An item of `--rounds`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rounds {
    /// The first argument of the calls that count, in source form; `None` for all calls.
    pub(crate) constant: Option<String>,
    /// The most calls.
    pub(crate) limit: u32,
}

/// An item of `--yes`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Yes {
    /// The decision it applies to; `None` for all that are not named.
    pub(crate) decision: Option<String>,
    /// The probability, from 0 to 1.
    pub(crate) probability: f64,
}

impl fmt::Display for Yes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.decision {
            Some(decision) => write!(f, "{decision}={}", self.probability),
            None => write!(f, "{}", self.probability),
        }
    }
}

/// `bidder=3`. The sigil of the role or agent is optional.
pub(crate) fn parse_cast(text: &str) -> Result<CastOverride, String> {
    let expected = || "expected NAME=COUNT with a count of 0 or more, such as bidder=3".to_owned();
    let (name, count) = text.split_once('=').ok_or_else(expected)?;
    let name = name.trim();
    let name = name.strip_prefix(['%', '!']).unwrap_or(name);
    let count = number::<i64>(count).ok_or_else(expected)?;
    if name.is_empty() {
        return Err(expected());
    }
    Ok(CastOverride { name: name.to_owned(), count })
}

/// `5` or `bidloop=5`.
pub(crate) fn parse_rounds(text: &str) -> Result<Rounds, String> {
    let expected = || "expected a number of 0 or more, or CONSTANT=NUMBER such as bidloop=5".to_owned();
    let (constant, limit) = match text.rsplit_once('=') {
        Some((constant, limit)) => (Some(constant.trim()), limit),
        None => (None, text),
    };
    if constant == Some("") {
        return Err(expected());
    }
    let limit = number(limit).ok_or_else(expected)?;
    Ok(Rounds { constant: constant.map(str::to_owned), limit })
}

/// `0.7` or `keepBidding=0.7`.
pub(crate) fn parse_yes(text: &str) -> Result<Yes, String> {
    let expected =
        || "expected a probability from 0 to 1 such as 0.8, or DECISION=P such as keepBidding=0.8".to_owned();
    let (decision, probability) = match text.rsplit_once('=') {
        Some((decision, probability)) => (Some(decision.trim()), probability),
        None => (None, text),
    };
    let probability = parse_probability(probability).map_err(|_| expected())?;
    if decision == Some("") {
        return Err(expected());
    }
    Ok(Yes { decision: decision.map(str::to_owned), probability })
}

/// A number from 0 to 1.
pub(crate) fn parse_probability(text: &str) -> Result<f64, String> {
    let value: Option<f64> = text.trim().parse().ok();
    let value = value.filter(|it| (0.0..=1.0).contains(it));
    // Minus zero is zero.
    value.map(f64::abs).ok_or_else(|| "expected a probability from 0 to 1, such as 0.1".to_owned())
}

/// `unordered`, `lossy:2`, `crash:1`, or several of them, each at most once; `instant` stands alone.
pub(crate) fn parse_network(text: &str) -> Result<Network, String> {
    let expected = || {
        "expected instant, unordered, lossy:K or crash:K with a number K of 1 or more, such as lossy:1; or several, \
         such as unordered,lossy:1"
            .to_owned()
    };
    let mut network = Network::INSTANT;
    if text == "instant" {
        return Ok(network);
    }
    for word in text.split(',') {
        let again = || format!("{word}: given twice");
        let (kind, most) = match word.split_once(':') {
            Some((kind, most)) => {
                (kind, Some(number::<u32>(most).filter(|&most| most > 0).ok_or_else(expected)?))
            }
            None => (word, None),
        };
        let known = match (kind, most) {
            ("unordered", None) => u32::from(std::mem::replace(&mut network.unordered, true)),
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

/// `1.0.act.1`: the agent's index, the thread's, what it does, and the options chosen.
pub(crate) fn parse_choice(text: &str) -> Result<Step, String> {
    let expected =
        || "expected AGENT.THREAD.act, .timeout or .crash, such as 0.0.act or 1.0.act.1".to_owned();
    let mut words = text.trim().split('.');
    let agent = words.next().and_then(number::<u32>).ok_or_else(expected)?;
    let thread = words.next().and_then(number::<u32>).ok_or_else(expected)?;
    let turn = match words.next() {
        Some("act") => Turn::Act,
        Some("timeout") => Turn::Timeout,
        Some("crash") => Turn::Crash,
        _ => return Err(expected()),
    };
    let options = words.map(number).collect::<Option<Vec<u32>>>().ok_or_else(expected)?;
    Ok(Step { agent: AgentId::new(agent as usize), thread: thread as usize, turn, options })
}

/// Digits only: no sign, no spaces.
fn number<N: std::str::FromStr>(text: &str) -> Option<N> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if digits { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use map_semantics::{Network, Turn};

    use super::{parse_cast, parse_choice, parse_network, parse_rounds, parse_yes};

    #[test]
    fn casts() {
        let cast = parse_cast("%bidder=3").unwrap();
        assert_eq!((cast.name.as_str(), cast.count), ("bidder", 3));
        for junk in
            ["", "bidder", "bidder=", "=3", "bidder=-1", "bidder=x", "bidder=1.5", "bidder=+3", "a=b=3"]
        {
            assert!(parse_cast(junk).is_err(), "{junk}");
        }
        assert!(parse_cast("bidder=99999999999999999999").is_err());
    }

    #[test]
    fn rounds() {
        assert_eq!(parse_rounds("5").unwrap().constant, None);
        let of = parse_rounds("bidloop=5").unwrap();
        assert_eq!((of.constant.as_deref(), of.limit), (Some("bidloop"), 5));
        for junk in ["", "x=", "=5", "-1", "x=-1", "x", "5000000000"] {
            assert!(parse_rounds(junk).is_err(), "{junk}");
        }
    }

    #[test]
    fn choices() {
        let step = parse_choice("2.1.act.1.0").unwrap();
        assert_eq!((step.agent.index(), step.thread, step.turn), (2, 1, Turn::Act));
        assert_eq!(step.options, [1, 0]);
        assert_eq!(parse_choice("0.0.timeout").unwrap().turn, Turn::Timeout);
        assert_eq!(parse_choice("0.0.crash").unwrap().turn, Turn::Crash);
        for junk in
            ["", "0", "0.0", "0.0.jump", "a.0.act", "0.0.act.", "0.0.act.x", "-1.0.act", "5000000000.0.act"]
        {
            assert!(parse_choice(junk).is_err(), "{junk}");
        }
    }

    #[test]
    fn networks() {
        assert_eq!(parse_network("instant"), Ok(Network::INSTANT));
        assert_eq!(parse_network("unordered"), Ok(Network { unordered: true, ..Network::INSTANT }));
        assert_eq!(parse_network("lossy:2"), Ok(Network { losses: 2, ..Network::INSTANT }));
        assert_eq!(parse_network("crash:1"), Ok(Network { crashes: 1, ..Network::INSTANT }));
        let all = parse_network("crash:1,unordered,lossy:2").unwrap();
        assert_eq!(all, Network { unordered: true, losses: 2, crashes: 1 });
        assert_eq!(parse_network(&all.to_string()), Ok(all));
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
            assert!(parse_network(junk).is_err(), "{junk}");
        }
    }

    #[test]
    fn probabilities() {
        let yes = |text: &str| parse_yes(text).unwrap().to_string();
        assert_eq!(yes("0.25"), "0.25");
        assert_eq!(yes("-0.0"), "0");
        assert_eq!(yes("keepBidding=1"), "keepBidding=1");
        for junk in ["", "2", "-0.1", "NaN", "inf", "half", "p=", "=0.5", "p=1.5", "p=NaN", "0.5=p"] {
            assert!(parse_yes(junk).is_err(), "{junk}");
        }
    }
}
