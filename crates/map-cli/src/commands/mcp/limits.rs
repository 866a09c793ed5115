//! How far a request may go: what the server was started with, which requests may lower.

use std::time::Duration;

use map_flags::LimitArgs;

/// The longest text that is taken, and the longest file, in bytes.
pub(super) const MAX_TEXT: usize = 4 << 20;

/// The time that a process gets beyond that of its search.
const GRACE: Duration = Duration::from_secs(10);

/// The most that a verification may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) states: Option<u64>,
    /// In bytes.
    pub(super) memory: u64,
    pub(super) time: Duration,
}

impl Limits {
    /// The flags for what the request leaves open.
    ///
    /// # Errors
    /// If the request asks for more than the server allows.
    pub(super) fn flags_beside(&self, asked: &LimitArgs) -> Result<Vec<String>, String> {
        let too_much = |flag: &str, most: String| Err(format!("{flag}: this server allows at most {most}"));
        let mut flags = Vec::new();
        match (asked.max_states, self.states) {
            (Some(asked), Some(most)) if asked > most => {
                return too_much("--max-states", most.to_string());
            }
            (None, Some(most)) => flags.push(format!("--max-states={most}")),
            _ => {}
        }
        match asked.max_memory {
            Some(asked) if asked > self.memory => {
                return too_much("--max-memory", format!("{} bytes", self.memory));
            }
            Some(_) => {}
            None => flags.push(format!("--max-memory={}", self.memory)),
        }
        match asked.time_limit {
            Some(asked) if asked > self.time => {
                return too_much("--time-limit", format!("{}ms", self.time.as_millis()));
            }
            Some(_) => {}
            None => flags.push(format!("--time-limit={}ms", self.time.as_millis())),
        }
        Ok(flags)
    }

    /// After this time a process is killed, whatever it does.
    pub(super) fn patience(&self) -> Duration {
        self.time.saturating_add(GRACE)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use map_flags::SearchArgs;

    use super::Limits;

    #[test]
    fn a_request_may_ask_for_less_but_not_for_more() {
        let limits = Limits { states: Some(100), memory: 1 << 20, time: Duration::from_secs(5) };
        let beside = |flags| limits.flags_beside(&SearchArgs::read(flags).unwrap().limits);
        assert_eq!(beside("").unwrap(), ["--max-states=100", "--max-memory=1048576", "--time-limit=5000ms"]);
        assert_eq!(beside("--time-limit 1s --max-states 9").unwrap(), ["--max-memory=1048576"]);
        for more in ["--max-states 101", "--max-memory 2MiB", "--time-limit 6s"] {
            assert!(beside(more).unwrap_err().contains("at most"), "{more}");
        }
    }
}
