//! The trace as a story; long ones are folded.

use map_verify::Replayed;

use super::Searched;
use super::properties::Answers;
use crate::numbers::counted;
use crate::story::transcript::Columns;
use crate::story::{Seen, Teller, style, tell};

/// Stories of more lines are folded.
const MAX_LINES: usize = 60;

/// How many lines are left at either end of a folded story.
const KEPT: usize = 25;

/// A step, with those after it that tell the same.
struct Line {
    text: String,
    what: String,
    repeats: u64,
}

impl Searched<'_> {
    /// The trace of the verdict, with an empty line below; nothing if it has no step.
    pub(super) fn trace(&self, teller: &mut Teller<'_>) -> String {
        let story = |replayed| self.answers.story(teller, replayed, None);
        self.replayed.as_ref().map_or_else(String::new, story)
    }
}

impl Answers<'_> {
    /// The steps, with an empty line below; nothing if there are none. Those from `repeated` on are repeated for ever.
    pub(super) fn story(
        &self,
        teller: &mut Teller<'_>,
        replayed: &Replayed,
        repeated: Option<usize>,
    ) -> String {
        let lines = self.lines(teller, replayed, repeated);
        let all = self.args.full_trace || lines.len() <= MAX_LINES;
        let folded = if all { 0..0 } else { KEPT..lines.len() - KEPT };
        let hidden: u64 = lines[folded.clone()].iter().map(|line| 1 + line.repeats).sum();
        let mut text = String::new();
        for (index, line) in lines.iter().enumerate() {
            if index == folded.start && hidden > 0 {
                text.push_str(&note(&counted(hidden, "more step")));
            }
            if !folded.contains(&index) {
                text.push_str(&line.text);
                if line.repeats > 0 {
                    text.push_str(&note(&format!("the same in {}", counted(line.repeats, "more step"))));
                }
            }
        }
        if !text.is_empty() {
            text.push('\n');
        }
        text
    }

    fn lines(&self, teller: &mut Teller<'_>, replayed: &Replayed, repeated: Option<usize>) -> Vec<Line> {
        let mut lines: Vec<Line> = Vec::new();
        let columns = Columns::new(teller, replayed.steps.len() as u64);
        for (index, step) in replayed.steps.iter().enumerate() {
            let before = &replayed.states[index].agents[step.step.agent.index()];
            let seen = Seen { step: &step.step, place: step.place, before, observed: &step.observed };
            let told = tell(teller, &seen);
            if repeated == Some(index) {
                let text = format!("{}\n", style::head("     these steps are repeated for ever:"));
                lines.push(Line { text, what: String::new(), repeats: 0 });
            }
            let what = format!("{} {}", told.agent, told.what);
            match lines.last_mut().filter(|last| last.what == what && !self.args.full_trace) {
                Some(last) => last.repeats += 1,
                None => {
                    let text = columns.line(teller, index as u64 + 1, &told);
                    lines.push(Line { text, what, repeats: 0 });
                }
            }
        }
        lines
    }
}

/// A line in the place of steps that are not shown.
fn note(what: &str) -> String {
    format!("{}\n", style::aside(format!("     .. {what} (--full-trace shows all)")))
}
