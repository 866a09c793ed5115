//! Lines of a `.map` file about what never happens, and about messages that are left unread.
//!
//! ```text
//! //@ verify => livelock, 0 steps
//! //@ never entered => agent(!Sender, %sender, restart)
//! //@ never acts => !Guest1
//! //@ unread => log/1 by !Sender
//! ```
//!
//! They are about the complete search under the flags of the last `//@ verify` line above. Each names a clause by its
//! head, an agent, or a message with the number of its arguments and an agent that does not read it in some run. If
//! there is a line of a kind, those of the kind must be complete; `nothing` stands for an empty list.

use std::collections::BTreeSet;

/// What is expected, or was found, never to happen. A kind that is `None` is not compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnusedLines {
    /// Heads of clauses that are never entered.
    entered: Option<BTreeSet<String>>,
    /// Agents that never act.
    acts: Option<BTreeSet<String>>,
    /// Messages that are left unread in some run, with their recipients.
    unread: Option<BTreeSet<String>>,
}

impl UnusedLines {
    /// What was found, with all kinds, in the words of the lines.
    pub fn found(
        entered: impl Iterator<Item = String>,
        acts: impl Iterator<Item = String>,
        unread: impl Iterator<Item = String>,
    ) -> Self {
        Self { entered: Some(entered.collect()), acts: Some(acts.collect()), unread: Some(unread.collect()) }
    }

    /// Whether nothing is compared.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.entered.is_none() && self.acts.is_none() && self.unread.is_none()
    }

    /// Parses the text after `//@`, and adds it to the expectations.
    ///
    /// # Errors
    /// If it is invalid.
    pub fn read(&mut self, line: &str) -> Result<(), String> {
        let (kind, item) = line.split_once("=>").ok_or("there is no `=>`")?;
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

    /// For each kind that is not as expected, the lines that would be right, one below the other.
    #[must_use]
    pub fn right_lines(&self, found: &Self) -> Vec<String> {
        let kinds = [
            ("never entered", &self.entered, &found.entered),
            ("never acts", &self.acts, &found.acts),
            ("unread", &self.unread, &found.unread),
        ];
        let wrong = kinds.into_iter().filter(|(_, expected, found)| expected.is_some() && expected != found);
        wrong.flat_map(|(kind, _, found)| lines_of(kind, found.iter().flatten())).collect()
    }
}

fn lines_of<'i>(kind: &str, items: impl Iterator<Item = &'i String>) -> Vec<String> {
    let lines: Vec<String> = items.map(|item| format!("//@ {kind} => {item}")).collect();
    if lines.is_empty() { vec![format!("//@ {kind} => nothing")] } else { lines }
}
