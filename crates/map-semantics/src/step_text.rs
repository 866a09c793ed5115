//! How steps are written on the command line and in traces: `1.0.act.1`.

use std::fmt;
use std::str::FromStr;

use map_ir::AgentId;

use crate::digits::digits;
use crate::{Step, Turn};

impl fmt::Display for Step {
    /// The agent's index, the thread's, what it does, and the options chosen.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { agent, thread, turn, options } = self;
        write!(f, "{}.{thread}.{}", agent.index(), turn.word())?;
        options.iter().try_for_each(|option| write!(f, ".{option}"))
    }
}

impl FromStr for Step {
    /// What is expected.
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || {
            "expected AGENT.THREAD.act, .timeout, .crash or .arrive, such as 0.0.act or 1.0.act.1".to_owned()
        };
        let mut words = text.trim().split('.');
        let agent = words.next().and_then(digits::<u32>).ok_or_else(expected)?;
        let thread = words.next().and_then(digits::<u32>).ok_or_else(expected)?;
        let turn = words.next().and_then(|word| Turn::ALL.into_iter().find(|turn| turn.word() == word));
        let turn = turn.ok_or_else(expected)?;
        let options = words.map(digits).collect::<Option<Vec<u32>>>().ok_or_else(expected)?;
        Ok(Self { agent: AgentId::new(agent as usize), thread: thread as usize, turn, options })
    }
}

#[cfg(test)]
mod tests {
    use super::{Step, Turn};

    #[test]
    fn choices() {
        let read = str::parse::<Step>;
        let step = read("2.1.act.1.0").unwrap();
        assert_eq!((step.agent.index(), step.thread, step.turn), (2, 1, Turn::Act));
        assert_eq!(step.options, [1, 0]);
        assert_eq!(step.to_string(), "2.1.act.1.0");
        assert_eq!(read("0.0.timeout").unwrap().turn, Turn::Timeout);
        assert_eq!(read("0.0.crash").unwrap().turn, Turn::Crash);
        assert_eq!(read("0.1.arrive.1").unwrap().turn, Turn::Arrive);
        for junk in
            ["", "0", "0.0", "0.0.jump", "a.0.act", "0.0.act.", "0.0.act.x", "-1.0.act", "5000000000.0.act"]
        {
            assert!(read(junk).is_err(), "{junk}");
        }
    }
}
