//! Parsers for the values of flags. Each error says what is expected.

use std::cmp::Ordering;
use std::time::Duration;

use map_check::CastOverride;
use map_session::Rounds;

/// How many agents play a role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CastArg {
    /// So many.
    Exactly(CastOverride),
    /// Any number, from some number on.
    Any {
        /// The role.
        name: String,
        /// The least number, at least 1.
        from: u32,
    },
    /// Each of these numbers in turn.
    Between {
        /// The role, or the name of an agent.
        name: String,
        /// The first number.
        from: u32,
        /// The last one, larger than the first.
        to: u32,
    },
}

impl CastArg {
    /// The role, or the name of an agent.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Exactly(cast) => &cast.name,
            Self::Any { name, .. } | Self::Between { name, .. } => name,
        }
    }
}

impl std::fmt::Display for CastArg {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Exactly(cast) => cast.fmt(f),
            Self::Any { name, from: 1 } => write!(f, "{name}=any"),
            Self::Any { name, from } => write!(f, "{name}={from}..any"),
            Self::Between { name, from, to } => write!(f, "{name}={from}..{to}"),
        }
    }
}

/// `bidder=3`, `bidder=any`, `bidder=2..any` or `bidder=1..5`. The sigil of the role or agent is optional.
///
/// # Errors
/// What is expected.
pub(crate) fn parse_cast_arg(text: &str) -> Result<CastArg, String> {
    let Some((name, count)) = text.split_once('=') else { return text.parse().map(CastArg::Exactly) };
    let name = name.trim();
    let name = name.strip_prefix(['%', '!']).unwrap_or(name).to_owned();
    if count.ends_with("any") {
        let expected =
            || "expected any, or 1..any with a number of 1 or more, such as bidder=2..any".to_owned();
        let from = match count {
            "any" => Some(1),
            _ => count.strip_suffix("..any").and_then(digits::<u32>).filter(|&from| from > 0),
        };
        return match from.filter(|_| !name.is_empty()) {
            Some(from) => Ok(CastArg::Any { name, from }),
            None => Err(expected()),
        };
    }
    let Some((from, to)) = count.split_once("..") else { return text.parse().map(CastArg::Exactly) };
    let expected = || "expected two numbers, such as bidder=1..3".to_owned();
    if name.is_empty() {
        return Err(expected());
    }
    let from: u32 = digits(from).ok_or_else(expected)?;
    if to.is_empty() {
        return Err(format!(
            "where does it end? {name}={from}..{} is some numbers, {name}={}..any is any number",
            from.saturating_add(2),
            from.max(1)
        ));
    }
    let to = digits(to).ok_or_else(expected)?;
    match from.cmp(&to) {
        Ordering::Less => Ok(CastArg::Between { name, from, to }),
        Ordering::Equal => Ok(CastArg::Exactly(CastOverride { name, count: from.into() })),
        Ordering::Greater => Err(format!("the smaller number comes first: {name}={to}..{from}")),
    }
}

/// `5` or `bidloop=5`.
///
/// # Errors
/// What is expected.
pub(crate) fn parse_rounds(text: &str) -> Result<Rounds, String> {
    let expected = || "expected a number of 0 or more, or CONSTANT=NUMBER such as bidloop=5".to_owned();
    let (constant, limit) = match text.rsplit_once('=') {
        Some((constant, limit)) => (Some(constant.trim()), limit),
        None => (None, text),
    };
    if constant == Some("") {
        return Err(expected());
    }
    let limit = digits(limit).ok_or_else(expected)?;
    Ok(Rounds { constant: constant.map(str::to_owned), limit })
}

/// A size such as `2GiB`, `512M` or `1000000`; all units are powers of 1024.
///
/// # Errors
/// What is expected.
pub fn parse_bytes(text: &str) -> Result<u64, String> {
    let expected = || "expected a number of bytes, perhaps with K, M, G or T, such as 2GiB".to_owned();
    let (digits, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
    let number: u64 = digits.parse().map_err(|_| expected())?;
    let shift = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 10,
        "m" | "mb" | "mib" => 20,
        "g" | "gb" | "gib" => 30,
        "t" | "tb" | "tib" => 40,
        _ => return Err(expected()),
    };
    if number == 0 {
        return Err(expected());
    }
    number.checked_mul(1 << shift).ok_or_else(|| "that is more than any machine has".to_owned())
}

/// A time such as `30s`, `5m`, `2h`, `7d` or `500ms`; without a unit, seconds.
///
/// # Errors
/// What is expected.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let expected = || "expected a time in ms, s, m, h or d, such as 30s".to_owned();
    let (digits, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
    let number: u64 = digits.parse().map_err(|_| expected())?;
    let milliseconds = match unit {
        "ms" => 1,
        "" | "s" => 1000,
        "m" | "min" => 60_000,
        "h" => 3_600_000,
        "d" => 86_400_000,
        _ => return Err(expected()),
    };
    number
        .checked_mul(milliseconds)
        .map(Duration::from_millis)
        .ok_or_else(|| "that is longer than anyone waits".to_owned())
}

/// A number of things of which there is at least one.
///
/// # Errors
/// If it is no such number.
pub fn parse_positive(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) | Err(_) => Err("a number from 1 on was expected".to_owned()),
        Ok(number) => Ok(number),
    }
}

/// Digits only: no sign, no spaces.
fn digits<N: std::str::FromStr>(text: &str) -> Option<N> {
    let are_digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if are_digits { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use map_check::CastOverride;

    use super::{CastArg, parse_bytes, parse_cast_arg, parse_duration, parse_rounds};

    #[test]
    fn casts() {
        let parse_cast = str::parse::<CastOverride>;
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
    fn any_number_of_agents_has_a_least() {
        for text in ["bidder=any", "bidder=2..any", "bidder=3", "bidder=0..2"] {
            assert_eq!(parse_cast_arg(text).unwrap().to_string(), text);
        }
        let any = CastArg::Any { name: "bidder".to_owned(), from: 1 };
        assert_eq!(parse_cast_arg("%bidder=1..any"), Ok(any));
        assert_eq!(parse_cast_arg("bidder=2..2").unwrap().to_string(), "bidder=2");
        for junk in [
            "bidder=0..any",
            "bidder=..any",
            "bidder=many",
            "=any",
            "any",
            "bidder=-1..any",
            "bidder=3..2",
            "bidder=1..",
            "bidder=..2",
            "bidder=..",
            "bidder=1..2..3",
            "bidder=1..99999999999",
            "=1..2",
        ] {
            assert!(parse_cast_arg(junk).is_err(), "{junk}");
        }
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
    fn sizes() {
        assert_eq!(parse_bytes("2GiB"), Ok(2 << 30));
        assert_eq!(parse_bytes("512M"), Ok(512 << 20));
        assert_eq!(parse_bytes("7"), Ok(7));
        for junk in ["", "0", "-1", "2X", "GiB", "99999999999999999999", "18446744073709551615K", "1.5G"] {
            assert!(parse_bytes(junk).is_err(), "{junk}");
        }
    }

    #[test]
    fn times() {
        assert_eq!(parse_duration("30s"), Ok(Duration::from_secs(30)));
        assert_eq!(parse_duration("2h"), Ok(Duration::from_secs(7200)));
        assert_eq!(parse_duration("250ms"), Ok(Duration::from_millis(250)));
        assert_eq!(parse_duration("3d"), Ok(Duration::from_secs(259_200)));
        for junk in ["", "s", "-1s", "3w", "99999999999999999999s"] {
            assert!(parse_duration(junk).is_err(), "{junk}");
        }
    }
}
