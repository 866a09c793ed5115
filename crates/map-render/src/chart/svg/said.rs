//! The words of a row, and where they stand.

use crate::chart::{Act, AgentEnd, Chart, Fate, Row, fold};
use crate::measure::wrap;

/// The most lines of a text.
pub(super) const LINES: usize = 4;

/// The words of a row. They stand beside the lifeline of its agent, where no arrow runs: above the arrows that leave
/// there, below them, or at the height of the event.
#[derive(Default)]
pub(super) struct Said {
    pub(super) above: Vec<Words>,
    /// Whether `above` stands to the left.
    pub(super) left: bool,
    /// To the right, at the height of the event and below it.
    pub(super) level: Vec<Words>,
    /// To the right, below the arrow.
    pub(super) below: Vec<Words>,
}

/// A text with the class of its style.
pub(super) struct Words {
    pub(super) class: &'static str,
    pub(super) text: String,
}

/// The directions in which the arrows of a row leave.
#[derive(Clone, Copy)]
pub(super) struct Directions {
    pub(super) left: bool,
    pub(super) right: bool,
    /// Whether most arrows lead to the left.
    pub(super) mostly_left: bool,
}

impl Said {
    /// The words of a row; `directions` are those of its arrows.
    pub(super) fn new(chart: &Chart, index: usize, directions: Directions) -> Self {
        let row = &chart.rows[index];
        let Some(act) = row.act() else { return Self::default() };
        let notes = row.notes.iter().map(|text| words("note", text));
        let last = last_words(row);
        if let Act::Send(copies) = act {
            let lost = chart.said_of(copies, Fate::Lost, "lost").map(|text| words("note", &text));
            let label = copies.first().map(|&copy| words("label", &chart.copies[copy].label));
            let above = notes.chain(lost).chain(label).collect();
            let (level, below) = if directions.right { (Vec::new(), last) } else { (last, Vec::new()) };
            return Self { above, left: directions.mostly_left, level, below };
        }
        let act_said = match act {
            Act::Receive(Some(copy), label) => {
                let it = &chart.copies[*copy];
                let is_sent_in_sight = chart.rows[it.sent].act().is_some();
                match (is_sent_in_sight, index > it.sent + 2) {
                    (true, false) => None,
                    (true, true) => Some(words("late", label)),
                    (false, _) => {
                        let from = &chart.lifeline(it.from).name;
                        Some(words("late", &format!("{label} from {from}")))
                    }
                }
            }
            Act::Receive(None, label) => Some(words("late", &format!("takes {label}"))),
            Act::Ask(label) => Some(words("label", label)),
            Act::Timeout => Some(words("label", "times out")),
            Act::Crash => Some(words("bad", "crashes")),
            Act::Arrival(_, label) => Some(words("late", &format!("gets {label}"))),
            Act::Move if row.notes.is_empty() && last.is_empty() => Some(words("label", "goes on")),
            Act::Move | Act::Send(_) => None,
        };
        Self { level: act_said.into_iter().chain(notes).chain(last).collect(), ..Self::default() }
    }

    /// All of them with whether they stand to the left.
    pub(super) fn all(&self) -> impl Iterator<Item = (&Words, bool)> {
        let right = self.level.iter().chain(&self.below);
        self.above.iter().map(|it| (it, self.left)).chain(right.map(|it| (it, false)))
    }

    /// Breaks them into lines; `room` is the number of characters that fit to the left and to the right.
    pub(super) fn broken(self, room: (usize, usize)) -> Self {
        let side = if self.left { room.0 } else { room.1 };
        let (above, left) = (lines(&self.above, side), self.left);
        Self { above, left, level: lines(&self.level, room.1), below: lines(&self.below, room.1) }
    }
}

pub(super) fn words(class: &'static str, text: &str) -> Words {
    Words { class, text: text.to_owned() }
}

/// How a step goes wrong, and how its agent ends.
fn last_words(row: &Row) -> Vec<Words> {
    let wrong = row.wrong.iter().map(|text| words("bad", text));
    let ends = row.ends().filter(|_| row.act() != Some(&Act::Crash));
    let end = ends.map(|how| words(if how == AgentEnd::Done { "good" } else { "bad" }, how.word()));
    wrong.chain(end).collect()
}

/// The texts in lines of at most `room` characters.
pub(super) fn lines(all: &[Words], room: usize) -> Vec<Words> {
    let broken =
        |it: &Words| wrap(&it.text, room, LINES).into_iter().map(|text| words(it.class, &text)).collect();
    all.iter().flat_map(|it| -> Vec<Words> { broken(it) }).collect()
}

/// All words of a row in full, for those who point at it.
pub(super) fn in_full(chart: &Chart, row: &Row) -> String {
    match row.act() {
        None => fold::summary(row),
        Some(Act::Send(copies)) => {
            let label = copies.first().map(|&copy| chart.copies[copy].label.clone());
            label.into_iter().chain(row.words_beside()).collect::<Vec<_>>().join("; ")
        }
        Some(_) => row.words(chart).join("; "),
    }
}
