//! The trace as a story; long ones are folded.

use map_explain::transcript::{Columns, repeated_head};
use map_explain::{Seen, Teller, explain_deadlock, tell};
use map_verify::ViolationKind;

use super::properties::Answers;
use super::searched::Searched;
use super::shown::Shown;
use crate::chart;
use crate::numbers::counted;
use crate::style;

/// Stories of more lines are folded.
const MAX_LINES: usize = 60;

/// How many lines are left at either end of a folded story.
const KEPT: usize = 25;

/// A step with those after it that tell the same, or something in the place of several.
struct Line {
    text: String,
    /// What the step does, without its number; nothing if this is no step.
    what: String,
    /// How many steps it stands for.
    steps: u64,
}

impl Line {
    fn between(text: String, steps: u64) -> Self {
        Self { text, what: String::new(), steps }
    }
}

impl Searched<'_> {
    /// The trace of the verdict, with an empty line below; nothing if it has no step.
    pub(super) fn trace(&self, teller: &mut Teller<'_>) -> String {
        let story = |run: Shown<'_>| self.answers.story(teller, &run, &self.part());
        self.run_of_verdict().map_or_else(String::new, story)
    }

    /// Which steps of the trace have a part in how it ends; nothing if all have, or all are to be shown.
    pub(super) fn part(&self) -> Vec<bool> {
        let deadlock = self.violation().filter(|it| it.kind == ViolationKind::Deadlock);
        let Some((_, replayed)) = deadlock.zip(self.replayed.as_ref()) else { return Vec::new() };
        if self.answers.args.full_trace {
            return Vec::new();
        }
        let stuck = explain_deadlock(self.answers.program, replayed);
        let chart = chart::of_replayed(self.answers.program, replayed, &stuck);
        chart::part(&chart, &stuck, &self.report.bounds)
    }
}

impl Answers<'_> {
    /// The steps, with an empty line below; nothing if there are none. Steps that have no `part` in the end, by number, are
    /// told in one line.
    pub(super) fn story(&self, teller: &mut Teller<'_>, run: &Shown<'_>, part: &[bool]) -> String {
        let lines = self.lines(teller, run, part);
        let all = self.args.full_trace || lines.len() <= MAX_LINES;
        let folded = if all { 0..0 } else { KEPT..lines.len() - KEPT };
        let hidden: u64 = lines[folded.clone()].iter().map(|line| line.steps).sum();
        let mut text = String::new();
        for (index, line) in lines.iter().enumerate() {
            if index == folded.start && hidden > 0 {
                text.push_str(&note(&counted(hidden, "more step")));
            }
            if !folded.contains(&index) {
                text.push_str(&line.text);
                if !line.what.is_empty() && line.steps > 1 {
                    text.push_str(&note(&format!("the same in {}", counted(line.steps - 1, "more step"))));
                }
            }
        }
        if !text.is_empty() {
            text.push('\n');
        }
        text
    }

    fn lines(&self, teller: &mut Teller<'_>, run: &Shown<'_>, part: &[bool]) -> Vec<Line> {
        let replayed = run.replayed;
        let mut lines: Vec<Line> = Vec::new();
        let is_aside = |index: usize| part.get(index) == Some(&false);
        let columns = Columns::new(teller, replayed.steps.len() as u64);
        for (index, step) in replayed.steps.iter().enumerate() {
            let before = &replayed.states[index].agents[step.step.agent.index()];
            let seen = Seen { step: &step.step, place: step.place, before, observed: &step.observed };
            let told = tell(teller, &seen);
            if run.repeated_from == Some(index) {
                lines.push(Line::between(style::text(&repeated_head()), 0));
            }
            if is_aside(index) && (index > 0 && is_aside(index - 1) || is_aside(index + 1)) {
                if index == 0 || !is_aside(index - 1) {
                    let last = (index..replayed.steps.len()).take_while(|&it| is_aside(it)).last();
                    let last = last.unwrap_or(index);
                    let said = format!("steps {} to {} have no part in how this ends", index + 1, last + 1);
                    lines.push(Line::between(note(&said), (last - index + 1) as u64));
                }
                continue;
            }
            let what = format!("{} {}", told.agent, told.what);
            match lines.last_mut().filter(|last| last.what == what && !self.args.full_trace) {
                Some(last) => last.steps += 1,
                None => {
                    let text = style::text(&columns.line(teller, index as u64 + 1, &told));
                    lines.push(Line { text, what, steps: 1 });
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
