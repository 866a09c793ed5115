//! The expectations about what never happens that `.map` files carry in their first lines.
//!
//! ```text
//! //@ verify => livelock, 0 steps
//! //@ never entered => agent(!Sender, %sender, restart)
//! //@ never acts => !Guest1
//! //@ unread => log/1 by !Sender
//! ```
//!
//! They apply to the complete search under the flags of the last `//@ verify` line above. Each line names one clause
//! (by its head), agent, or message (with the number of its arguments, and the agent that does not read it in some
//! run). If there is a line of a kind, the lines of that kind must be complete; `nothing` stands for an empty list.

use std::collections::BTreeSet;

use map_ir::Program;

use crate::engines::Findings;

/// What is expected, or found, never to happen. A kind that is `None` is not compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnusedCases {
    /// Heads of clauses that are never entered.
    entered: Option<BTreeSet<String>>,
    /// Agents that never act.
    acts: Option<BTreeSet<String>>,
    /// Messages that are left unread in some run, with their recipients.
    unread: Option<BTreeSet<String>>,
}

impl UnusedCases {
    /// Parses the text after `//@`, and adds it to the expectations.
    ///
    /// # Errors
    /// If it is invalid.
    pub fn read(&mut self, line: &str) -> Result<(), String> {
        let (kind, item) = line.split_once("=>").ok_or("no `=>`")?;
        let known = match kind.trim() {
            "never entered" => &mut self.entered,
            "never acts" => &mut self.acts,
            "unread" => &mut self.unread,
            _ => {
                return Err("neither `verify`, `property`, `never entered`, `never acts` nor `unread`".into());
            }
        };
        let known = known.get_or_insert_default();
        let item = item.trim();
        if item != "nothing" && !known.insert(item.to_owned()) {
            return Err(format!("`{item}` is there twice"));
        }
        Ok(())
    }

    /// What a search has found, with all kinds.
    #[must_use]
    pub fn of(text: &str, program: &Program, findings: &Findings) -> Self {
        let clauses = program.clauses.iter().enumerate();
        let entered = clauses.filter(|(index, _)| !findings.entered.contains(index));
        let head = |span: map_ir::SourceSpan| text[span.start as usize..span.end as usize].to_owned();
        let acts = program.cast().map(|agent| program.agent_name(agent));
        let unread = findings.unread.iter();
        Self {
            entered: Some(entered.map(|(_, clause)| head(clause.head_span)).collect()),
            acts: Some(acts.filter(|it| !findings.acted.contains(*it)).map(|it| format!("!{it}")).collect()),
            unread: Some(unread.map(|(name, arity, agent)| format!("{name}/{arity} by !{agent}")).collect()),
        }
    }

    /// A paragraph for each kind that is not as expected, with the lines that would be right.
    #[must_use]
    pub fn differences(&self, found: &Self) -> Vec<String> {
        let kinds = [
            ("never entered", &self.entered, &found.entered),
            ("never acts", &self.acts, &found.acts),
            ("unread", &self.unread, &found.unread),
        ];
        let wrong = kinds.into_iter().filter(|(_, expected, found)| expected.is_some() && expected != found);
        let lines = wrong.map(|(kind, _, found)| {
            let items = found.iter().flatten().map(|item| format!("found: //@ {kind} => {item}"));
            let items: Vec<String> = items.collect();
            if items.is_empty() { format!("found: //@ {kind} => nothing") } else { items.join("\n") }
        });
        lines.collect()
    }
}
