//! Message sequence charts: a run as a picture of who says what to whom.
//!
//! A [`Recorder`] sees the steps of a run as `map-semantics` makes them and writes down a [`Chart`]; [`fold`] makes long
//! ones shorter; [`text`], [`svg`], [`mermaid`], [`plantuml`] and [`page`] print one. Sending and receiving a message are
//! two points of a chart, as they are two steps of a run: what overtakes what can be seen.

pub mod causes;
pub mod fold;
mod label;
pub mod mermaid;
pub mod page;
pub mod plantuml;
mod record;
mod script;
pub mod svg;
#[cfg(test)]
mod tests;
pub mod text;
mod waits;

use map_ir::{AgentId, SourceSpan};

pub use record::{Recorder, SeenStep};

/// A run as a picture. Agents are those of the cast, in order; rows and copies are known by their index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chart {
    /// The scene.
    pub scene: String,
    /// One for each agent, in the order of the cast.
    pub lifelines: Vec<Lifeline>,
    /// What happened, in order.
    pub rows: Vec<Row>,
    /// Every copy of a message, in the order of sending; a message to three agents has three.
    pub copies: Vec<MessageCopy>,
    /// The rows from this one on are repeated for ever.
    pub repeated_from: Option<usize>,
    /// For whom agents wait where the run ends, if that is why it ends.
    pub waits: Vec<Wait>,
}

/// An agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lifeline {
    /// Its name with `!`.
    pub name: String,
    /// Its role with `%`.
    pub role: String,
    /// How it ended, if it did, and in which row; in none if it ended before the first step.
    pub end: Option<(Ended, Option<usize>)>,
    /// What it has not read, oldest first.
    pub unread: Vec<String>,
}

/// How an agent ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Its entry clause succeeded.
    Done,
    /// Its entry clause failed.
    Failed,
    /// It crashed.
    Crashed,
}

impl Ended {
    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Crashed => "crashed",
        }
    }
}

/// A step, or several that are folded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The number of the step, from 1; of several the first.
    pub first: u64,
    /// The number of the last step; the same unless several are folded.
    pub last: u64,
    /// What happens.
    pub what: What,
    /// What belongs to it: answers that were refused, cells that changed, what is taken to be equal.
    pub notes: Vec<String>,
    /// How the step goes wrong, if it does.
    pub wrong: Option<String>,
}

/// What happens in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// An agent does something.
    Step {
        /// Who.
        agent: AgentId,
        /// Which of its threads, from 1, if it has several.
        thread: Option<usize>,
        /// What it does.
        act: Act,
        /// Where that stands in the source.
        span: SourceSpan,
        /// How the agent ends with it.
        ends: Option<Ended>,
    },
    /// Steps that are not shown.
    Folded {
        /// How many.
        steps: u64,
        /// Why.
        why: Why,
        /// The agents that make them, in order.
        agents: Vec<AgentId>,
    },
}

/// What an agent does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// It sends these copies of one message.
    Send(Vec<usize>),
    /// It takes this copy out of its mailbox; none if it is unknown where it comes from.
    Receive(Option<usize>, String),
    /// A procedure answers: `price(3) → 7`.
    Ask(String),
    /// Its time runs out.
    Timeout,
    /// It goes on without any of these.
    Move,
    /// It stops for ever.
    Crash,
}

/// Why steps are not shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// They repeat the rows before them: so many steps, so many times more.
    Again {
        /// How many steps are repeated.
        period: u64,
        /// How often, beyond the one time that is shown.
        times: u64,
    },
    /// They have no part in how the run ends.
    Aside,
    /// There are too many.
    Middle,
}

/// A copy of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageCopy {
    /// Who sends it.
    pub from: AgentId,
    /// Whom it is for.
    pub to: AgentId,
    /// `bid(5)`.
    pub label: String,
    /// The row in which it is sent.
    pub sent: usize,
    /// The step in which it is sent.
    pub step: u64,
    /// What becomes of it.
    pub fate: Fate,
}

/// What becomes of a copy of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Its recipient takes it in this row.
    Received(usize),
    /// It lies in the mailbox where the run ends, or where its recipient does.
    Unread,
    /// The network loses it.
    Lost,
    /// Its recipient has ended.
    Dropped,
    /// The step goes wrong, and nothing is delivered.
    Undelivered,
}

/// That an agent waits for another one where the run ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    /// Who waits.
    pub agent: AgentId,
    /// For what: `fork(..)`.
    pub what: String,
    /// Those who could send it and have not ended.
    pub on: Vec<AgentId>,
}

impl Row {
    /// The agent that makes the step, if it is one.
    #[must_use]
    pub fn agent(&self) -> Option<AgentId> {
        match self.what {
            What::Step { agent, .. } => Some(agent),
            What::Folded { .. } => None,
        }
    }

    /// What it does.
    #[must_use]
    pub fn act(&self) -> Option<&Act> {
        match &self.what {
            What::Step { act, .. } => Some(act),
            What::Folded { .. } => None,
        }
    }

    /// What is said of it beside its arrow: what belongs to it, and how its agent ends.
    #[must_use]
    pub fn words_beside(&self) -> Vec<String> {
        let ends = self.ends().filter(|_| self.act() != Some(&Act::Crash));
        let words = self.notes.iter().chain(&self.wrong).cloned();
        words.chain(ends.map(|how| how.word().to_owned())).collect()
    }

    /// All that is said of a step that has no arrow.
    #[must_use]
    pub fn words(&self, chart: &Chart) -> Vec<String> {
        let beside = self.words_beside();
        let act = match self.act() {
            Some(Act::Receive(Some(copy), label)) => {
                format!("takes {label}, sent in {}", chart.copies[*copy].step)
            }
            Some(Act::Receive(None, label)) => format!("takes {label}"),
            Some(Act::Ask(label)) => label.clone(),
            Some(Act::Timeout) => "times out".to_owned(),
            Some(Act::Crash) => "crashes".to_owned(),
            _ if !beside.is_empty() => return beside,
            _ => "goes on".to_owned(),
        };
        std::iter::once(act).chain(beside).collect()
    }

    /// How its agent ends with it.
    #[must_use]
    pub fn ends(&self) -> Option<Ended> {
        match self.what {
            What::Step { ends, .. } => ends,
            What::Folded { .. } => None,
        }
    }
}

impl Chart {
    /// The agents that do something, are sent something, or wait for another one.
    #[must_use]
    pub fn involved(&self) -> Vec<AgentId> {
        let mut involved = vec![false; self.lifelines.len()];
        let mut mark = |agent: AgentId| involved[agent.index()] = true;
        for row in &self.rows {
            match &row.what {
                What::Step { agent, .. } => mark(*agent),
                What::Folded { agents, .. } => agents.iter().copied().for_each(&mut mark),
            }
        }
        self.copies.iter().for_each(|copy| mark(copy.to));
        for wait in &self.waits {
            mark(wait.agent);
            wait.on.iter().copied().for_each(&mut mark);
        }
        (0..involved.len()).filter(|&index| involved[index]).map(AgentId::new).collect()
    }

    /// The agent's lifeline.
    #[must_use]
    pub fn lifeline(&self, agent: AgentId) -> &Lifeline {
        &self.lifelines[agent.index()]
    }

    /// The copy that is sent in this row and taken in the next one, if there is one: both are one arrow.
    #[must_use]
    pub fn taken_at_once(&self, row: usize) -> Option<usize> {
        if self.repeated_from == Some(row + 1) {
            return None;
        }
        let Some(Act::Send(copies)) = self.rows[row].act() else { return None };
        let Some(Act::Receive(..)) = self.rows.get(row + 1).and_then(Row::act) else { return None };
        copies.iter().copied().find(|&copy| self.copies[copy].fate == Fate::Received(row + 1))
    }

    /// What is said of copies of a message with that fate: the word, and for whom if it is not so for all of them.
    #[must_use]
    fn said_of(&self, copies: &[usize], fate: Fate, word: &str) -> Option<String> {
        let copies = copies.iter().map(|&copy| &self.copies[copy]);
        let of_fate = copies.clone().filter(|copy| copy.fate == fate);
        let names: Vec<&str> = of_fate.map(|copy| self.lifeline(copy.to).name.as_str()).collect();
        match names.len() {
            0 => None,
            count if count == copies.len() => Some(word.to_owned()),
            _ => Some(format!("{word} for {}", names.join(", "))),
        }
    }

    /// Agents that wait for each other in a circle, each for the next and the last for the first; none if there is no such
    /// circle.
    #[must_use]
    pub fn circle(&self) -> Vec<AgentId> {
        waits::circle(&self.waits)
    }
}
