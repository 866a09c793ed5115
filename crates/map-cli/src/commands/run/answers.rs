//! The flags that determine who answers for the agents.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use map_ir::{AgentId, Body, Program};
use map_semantics::open_cells;

use crate::input::is_stdin;
use crate::outside::Deciders;

/// Default of `--answer-timeout`, in seconds.
pub(super) const ANSWER_TIMEOUT: f64 = 10.0;

/// Who answers instead of chance.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct AnswerArgs {
    /// A program, with its arguments, that answers procedures without a body; see docs/book/src/procedures.md
    #[arg(long, value_name = "COMMAND")]
    pub(super) procedures: Option<String>,

    /// Starts the program once for each agent, not once for all
    #[arg(long, requires = "procedures")]
    pub(super) per_agent: bool,

    /// How long the program may take to answer, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = ANSWER_TIMEOUT, value_parser = parse_seconds)]
    #[arg(requires = "procedures")]
    pub(super) answer_timeout: f64,

    /// An agent for which you decide yourself, such as '!Bidder1'; may be repeated
    #[arg(long, value_name = "AGENT", value_delimiter = ',')]
    pub(super) ask: Vec<String>,
}

impl AnswerArgs {
    /// Who decides for whom, or what is wrong with the flags.
    pub(super) fn resolve(&self, program: &Program, file: &Path, many: bool) -> Result<Deciders, String> {
        let words = match &self.procedures {
            None => None,
            Some(command) => Some(words(command)?),
        };
        if !self.ask.is_empty() && many {
            return Err("--ask is for one run: a person cannot decide in many (--runs)".to_owned());
        }
        if !self.ask.is_empty() && is_stdin(file) {
            return Err("with --ask standard input is for the answers: give the file by its name".to_owned());
        }
        let asks_nobody = program.procedures.iter().all(|it| it.body != Body::Abstract);
        let chooses = !self.ask.is_empty() && open_cells(program).next().is_some();
        if let Some(flag) = self.flag().filter(|_| asks_nobody && !chooses) {
            let scene = &program.scene;
            return Err(format!(
                "{flag}: there is nothing to ask; every procedure of the scene {scene} has a body, which answers"
            ));
        }
        let mut people = BTreeSet::new();
        for name in &self.ask {
            if !people.insert(agent(program, name)?) {
                return Err(format!("--ask is given twice for {name}"));
            }
        }
        let patience = Duration::from_secs_f64(self.answer_timeout);
        Ok(Deciders { words, per_agent: self.per_agent, patience, people })
    }
}

impl AnswerArgs {
    /// The first of the given flags by which somebody is to be asked.
    fn flag(&self) -> Option<&'static str> {
        let program = self.procedures.is_some().then_some("--procedures");
        program.or((!self.ask.is_empty()).then_some("--ask"))
    }
}

/// Splits a command into words, as a shell would.
fn words(command: &str) -> Result<Vec<String>, String> {
    let words = shlex::split(command)
        .ok_or_else(|| format!("--procedures {command}: a quote or escape at its end is not closed"))?;
    if words.first().is_none_or(String::is_empty) {
        return Err("--procedures: expected a program, such as 'python3 traders.py'".to_owned());
    }
    Ok(words)
}

fn agent(program: &Program, name: &str) -> Result<AgentId, String> {
    let bare = name.trim().strip_prefix('!').unwrap_or(name.trim());
    let found = program.cast().find(|&agent| program.agent_name(agent) == bare);
    found.ok_or_else(|| {
        let names: Vec<String> =
            program.cast().take(8).map(|agent| format!("!{}", program.agent_name(agent))).collect();
        let more = if program.agents.len() > names.len() { ", .." } else { "" };
        format!("--ask {name}: no such agent; there are {}{more}", names.join(", "))
    })
}

fn parse_seconds(text: &str) -> Result<f64, String> {
    let seconds: Option<f64> = text.parse().ok();
    seconds
        .filter(|it| (0.001..=1e6).contains(it))
        .ok_or_else(|| "expected a number of seconds from 0.001 to 1000000, such as 2.5".to_owned())
}

#[cfg(test)]
mod tests {
    use super::{parse_seconds, words};

    #[test]
    fn commands_are_split_as_by_a_shell() {
        let split = words(r#"python3 'my traders.py' --limit=5 "a b" c\ d"#).unwrap();
        assert_eq!(split, ["python3", "my traders.py", "--limit=5", "a b", "c d"]);
        for junk in ["", "   ", "'open", "a \"b", "''", "a\\"] {
            assert!(words(junk).is_err(), "{junk:?}");
        }
    }

    #[test]
    fn seconds() {
        assert_eq!(parse_seconds("0.5"), Ok(0.5));
        for junk in ["", "0", "-1", "nan", "inf", "1e300", "soon", "1s"] {
            assert!(parse_seconds(junk).is_err(), "{junk}");
        }
    }
}
