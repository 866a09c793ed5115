//! Message sequence charts: who says what to whom in a run.
//!
//! A [`Recorder`] observes the steps of a run and builds a [`Chart`]; [`fold`] shortens long ones; [`text`], [`svg`],
//! [`mermaid`], [`plantuml`] and [`page`] print one. [`Next`] is what can follow, to be drawn below. Sending and
//! receiving a message are two points of a chart, as they are two steps of a run, so that overtaking messages can be
//! seen.

pub mod causes;
pub mod evidence;
pub mod fold;
mod label;
pub mod mermaid;
mod next;
pub mod page;
pub mod plantuml;
mod record;
mod script;
pub mod shown;
pub mod svg;
#[cfg(test)]
mod tests;
pub mod text;
mod waits;

use map_ir::{AgentId, SourceSpan};

pub use next::Next;
pub use record::Recorder;

/// A run as a chart. Rows and copies refer to each other by index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chart {
    /// The scene.
    pub scene: String,
    /// One for each agent, in the order of the cast.
    pub lifelines: Vec<Lifeline>,
    /// What happened, in order.
    pub rows: Vec<Row>,
    /// Every copy of a message, in the order of sending; a message to three agents has three copies.
    pub copies: Vec<MessageCopy>,
    /// The rows from this one on are repeated for ever.
    pub repeated_from: Option<usize>,
    /// Who waits for whom at the end of the run, if that is why it ends.
    pub waits: Vec<Wait>,
}

/// An agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lifeline {
    /// Its name with `!`.
    pub name: String,
    /// Its role with `%`.
    pub role: String,
    /// How it ended, if it did, and in which row; no row if it ended before the first step.
    pub end: Option<(AgentEnd, Option<usize>)>,
    /// The messages it has not read, oldest first.
    pub unread: Vec<String>,
}

/// How an agent ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AgentEnd {
    /// Its entry clause succeeded.
    Done,
    /// Its entry clause failed.
    Failed,
    /// It crashed.
    Crashed,
}

impl AgentEnd {
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

/// A step, or several folded into one row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The number of the step, from 1, or of the first of several.
    pub first: u64,
    /// The number of the last step; equal to `first` unless several are folded.
    pub last: u64,
    /// What happens.
    pub what: What,
    /// Remarks on the step: refused answers, changed cells, assumptions.
    pub notes: Vec<String>,
    /// How the step goes wrong, if it does.
    pub wrong: Option<String>,
}

/// What happens in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// An agent does something.
    Step {
        /// The agent.
        agent: AgentId,
        /// Which of its threads, from 1, if it has several.
        thread: Option<usize>,
        /// What it does.
        act: Act,
        /// The place of that in the source.
        span: SourceSpan,
        /// How the agent ends, if this is its last step.
        ends: Option<AgentEnd>,
    },
    /// Steps that are not shown.
    Folded {
        /// How many.
        steps: u64,
        /// Why.
        why: Why,
        /// The agents that take them, in order.
        agents: Vec<AgentId>,
    },
}

/// What an agent does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// It sends these copies of one message.
    Send(Vec<usize>),
    /// It receives a copy, with its label. The copy is `None` if it is not in the chart.
    Receive(Option<usize>, String),
    /// A procedure answers: `price(3) → 7`.
    Ask(String),
    /// Its time runs out.
    Timeout,
    /// It moves on without any of these.
    Move,
    /// It stops for ever.
    Crash,
    /// A message that was under way gets into its mailbox: the copy, if it was seen sent, and the message with its
    /// sender.
    Arrival(Option<usize>, String),
}

/// Why steps are not shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// They repeat the rows before them.
    Again {
        /// How many steps are repeated.
        period: u64,
        /// How often they are repeated, beyond the one time that is shown.
        times: u64,
    },
    /// They are not among the causes of the run's end.
    Irrelevant,
    /// There are too many rows.
    Middle,
}

/// A copy of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageCopy {
    /// Who sends it.
    pub from: AgentId,
    /// Its recipient.
    pub to: AgentId,
    /// `bid(5)`.
    pub label: String,
    /// The row in which it is sent.
    pub sent: usize,
    /// The number of the step in which it is sent.
    pub step: u64,
    /// What becomes of it.
    pub fate: Fate,
}

/// What becomes of a copy of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Its recipient receives it in this row.
    Received(usize),
    /// It is still in the mailbox when the run or its recipient ends.
    Unread,
    /// The network loses it.
    Lost,
    /// Its recipient has ended by then.
    Dropped,
    /// The step goes wrong, and nothing is delivered.
    Undelivered,
}

/// An agent that waits for others at the end of the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    /// Who waits.
    pub agent: AgentId,
    /// What it waits for: `fork(..)`.
    pub what: String,
    /// The agents that could send it and have not ended.
    pub on: Vec<AgentId>,
}

impl Row {
    /// The agent that takes the step; `None` for folded steps.
    #[must_use]
    pub fn agent(&self) -> Option<AgentId> {
        match self.what {
            What::Step { agent, .. } => Some(agent),
            What::Folded { .. } => None,
        }
    }

    /// What the agent does; `None` for folded steps.
    #[must_use]
    pub fn act(&self) -> Option<&Act> {
        match &self.what {
            What::Step { act, .. } => Some(act),
            What::Folded { .. } => None,
        }
    }

    /// The words beside its arrow: its notes, how it goes wrong, and how its agent ends.
    #[must_use]
    pub fn words_beside(&self) -> Vec<String> {
        let ends = self.ends().filter(|_| self.act() != Some(&Act::Crash));
        let words = self.notes.iter().chain(&self.wrong).cloned();
        words.chain(ends.map(|how| how.word().to_owned())).collect()
    }

    /// All words for a step that has no arrow.
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
            Some(Act::Arrival(_, label)) => format!("gets {label}"),
            _ if !beside.is_empty() => return beside,
            _ => "goes on".to_owned(),
        };
        std::iter::once(act).chain(beside).collect()
    }

    /// How its agent ends, if this is its last step.
    #[must_use]
    pub fn ends(&self) -> Option<AgentEnd> {
        match self.what {
            What::Step { ends, .. } => ends,
            What::Folded { .. } => None,
        }
    }
}

impl Chart {
    /// Marks the row of a step as the one at which something goes wrong, in these words.
    pub fn mark(&mut self, step: u64, words: String) {
        let Some(row) = self.rows.iter_mut().find(|row| (row.first..=row.last).contains(&step)) else {
            return;
        };
        match &row.wrong {
            None => row.wrong = Some(words),
            Some(_) => row.notes.push(words),
        }
    }

    /// The agents that take a step, are sent a message, wait, or are waited for.
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

    /// The copy that is sent in this row and received in the next one, if there is one: the two rows are drawn as one
    /// arrow.
    #[must_use]
    pub fn taken_at_once(&self, row: usize) -> Option<usize> {
        if self.repeated_from == Some(row + 1) {
            return None;
        }
        let Some(Act::Send(copies)) = self.rows[row].act() else { return None };
        let Some(Act::Receive(..)) = self.rows.get(row + 1).and_then(Row::act) else { return None };
        copies.iter().copied().find(|&copy| self.copies[copy].fate == Fate::Received(row + 1))
    }

    /// The word for a fate of copies of a message, with the recipients unless it is the fate of all; `None` if of none.
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

    /// A cycle of agents each of which waits for the next, and the last for the first; empty if there is none.
    #[must_use]
    pub fn wait_cycle(&self) -> Vec<AgentId> {
        waits::shortest_cycle(&self.waits)
    }
}
