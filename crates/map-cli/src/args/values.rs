//! Parsers for the values of flags. Each error says what is expected.

use std::fmt;

use map_flags::digits;
use map_ir::AgentId;
use map_semantics::{Step, Turn};

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

/// `1.0.act.1`: the agent's index, the thread's, what it does, and the options chosen.
pub(crate) fn parse_choice(text: &str) -> Result<Step, String> {
    let expected =
        || "expected AGENT.THREAD.act, .timeout, .crash or .arrive, such as 0.0.act or 1.0.act.1".to_owned();
    let mut words = text.trim().split('.');
    let agent = words.next().and_then(digits::<u32>).ok_or_else(expected)?;
    let thread = words.next().and_then(digits::<u32>).ok_or_else(expected)?;
    let turn = match words.next() {
        Some("act") => Turn::Act,
        Some("timeout") => Turn::Timeout,
        Some("crash") => Turn::Crash,
        Some("arrive") => Turn::Arrive,
        _ => return Err(expected()),
    };
    let options = words.map(digits).collect::<Option<Vec<u32>>>().ok_or_else(expected)?;
    Ok(Step { agent: AgentId::new(agent as usize), thread: thread as usize, turn, options })
}

#[cfg(test)]
mod tests {
    use map_semantics::Turn;

    use super::{parse_choice, parse_yes};

    #[test]
    fn choices() {
        let step = parse_choice("2.1.act.1.0").unwrap();
        assert_eq!((step.agent.index(), step.thread, step.turn), (2, 1, Turn::Act));
        assert_eq!(step.options, [1, 0]);
        assert_eq!(parse_choice("0.0.timeout").unwrap().turn, Turn::Timeout);
        assert_eq!(parse_choice("0.0.crash").unwrap().turn, Turn::Crash);
        assert_eq!(parse_choice("0.1.arrive.1").unwrap().turn, Turn::Arrive);
        for junk in
            ["", "0", "0.0", "0.0.jump", "a.0.act", "0.0.act.", "0.0.act.x", "-1.0.act", "5000000000.0.act"]
        {
            assert!(parse_choice(junk).is_err(), "{junk}");
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
