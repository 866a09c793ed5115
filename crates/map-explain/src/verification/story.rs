//! Runs as lists of steps; long ones are folded.

use map_render::chart::evidence::{causal_past, of_replayed};
use map_session::{Evidence, Verification, stuck_agents, taken_steps};
use map_verify::{ReplayedRun, ViolationKind};

use super::Telling;
use super::properties::PropertyTelling;
use crate::transcript::{Columns, repeated_head};
use crate::{Namer, Role, Text, counted, initial_lines, tell};

/// Longer traces are folded.
const MAX_LINES: usize = 60;

/// How many lines a folded trace keeps at either end.
const KEPT: usize = 25;

/// A step together with identical ones that follow, or a line that stands for steps that are not shown.
struct Line {
    text: Text,
    /// What the step does, without its number; empty if this line is no step.
    what: String,
    /// How many steps it stands for.
    steps: u64,
}

impl Line {
    fn between(text: Text, steps: u64) -> Self {
        Self { text, what: String::new(), steps }
    }
}

/// For each step of a trace to a deadlock, whether it is in the causal past of the deadlock. Empty for other verdicts.
#[must_use]
pub(super) fn past_of_deadlock(found: &Verification) -> Vec<bool> {
    let deadlock = found.violation().filter(|violation| violation.kind == ViolationKind::Deadlock);
    let Some((_, replayed)) = deadlock.zip(found.trace.as_ref()) else { return Vec::new() };
    let program = &found.scene.program;
    let stuck = stuck_agents(program, replayed);
    let chart = of_replayed(program, replayed, &stuck);
    causal_past(&chart, &stuck, &found.report.bounds)
}

impl Telling<'_> {
    /// The trace of the verdict followed by an empty line; empty if it has no steps.
    pub(super) fn trace(self, namer: &mut Namer<'_>) -> Text {
        let story = |run| self.properties().story(namer, run, &self.causal_past());
        self.found.evidence().map_or_else(Text::default, story)
    }

    /// [`past_of_deadlock`]; empty if every step is to be shown.
    pub(super) fn causal_past(self) -> Vec<bool> {
        if self.how.drawing.full { Vec::new() } else { past_of_deadlock(self.found) }
    }
}

impl PropertyTelling<'_> {
    /// The steps followed by an empty line; empty if there are none. Steps that are not `relevant`, by index, are
    /// summed up in one line.
    pub(super) fn story(self, namer: &mut Namer<'_>, run: Evidence<'_>, relevant: &[bool]) -> Text {
        let lines = self.lines(namer, run, relevant);
        let all = self.how.drawing.full || lines.len() <= MAX_LINES;
        let folded = if all { 0..0 } else { KEPT..lines.len() - KEPT };
        let hidden: u64 = lines[folded.clone()].iter().map(|line| line.steps).sum();
        let mut text = Text::default();
        for (index, line) in lines.into_iter().enumerate() {
            if index == folded.start && hidden > 0 {
                text.append(self.note(&counted(hidden, "more step")));
            }
            if !folded.contains(&index) {
                text.append(line.text);
                if !line.what.is_empty() && line.steps > 1 {
                    text.append(self.note(&format!("the same in {}", counted(line.steps - 1, "more step"))));
                }
            }
        }
        if !text.is_empty() {
            text.push_str("\n");
        }
        text
    }

    fn lines(self, namer: &mut Namer<'_>, run: Evidence<'_>, relevant: &[bool]) -> Vec<Line> {
        namer.begin_run();
        let replayed = run.replayed;
        let mut lines: Vec<Line> = Vec::new();
        let is_irrelevant = |index: usize| relevant.get(index) == Some(&false);
        let columns = Columns::new(namer, replayed.steps.len() as u64);
        let starts = initial_lines(namer, &replayed.initial);
        lines.extend(
            starts.trim_end().lines().map(|line| Line::between(Text::plain(format!("  {line}\n")), 0)),
        );
        for (index, step) in taken_steps(replayed).enumerate() {
            let told = tell(namer, &step);
            if run.repeated_from == Some(index) {
                lines.push(Line::between(repeated_head(), 0));
            }
            if is_irrelevant(index) && (index > 0 && is_irrelevant(index - 1) || is_irrelevant(index + 1)) {
                if index == 0 || !is_irrelevant(index - 1) {
                    let last = (index..replayed.steps.len()).take_while(|&later| is_irrelevant(later)).last();
                    let last = last.unwrap_or(index);
                    let said = format!("steps {} to {} have no part in how this ends", index + 1, last + 1);
                    lines.push(Line::between(self.note(&said), (last - index + 1) as u64));
                }
                continue;
            }
            let what = format!("{} {}", told.agent, told.what);
            match lines.last_mut().filter(|last| last.what == what && !self.how.drawing.full) {
                Some(last) => last.steps += 1,
                None => {
                    let text = columns.line(namer, index as u64 + 1, &told);
                    lines.push(Line { text, what, steps: 1 });
                }
            }
        }
        lines
    }

    /// The steps of a run from this index on, in so many lines; values are named as in the run before them.
    pub(super) fn loop_of(self, replayed: &ReplayedRun, repeated_from: usize, most: usize) -> Text {
        let run = Evidence { replayed, repeated_from: None };
        let lines = self.lines(&mut self.namer(), run, &[]);
        let steps = lines.into_iter().filter(|line| !line.what.is_empty());
        let mut number = 0;
        let of_loop = steps.skip_while(|line| {
            number += line.steps;
            number <= repeated_from as u64
        });
        let of_loop: Vec<Line> = of_loop.collect();
        let all = self.how.drawing.full || of_loop.len() <= most;
        let (count, shown) = (of_loop.len(), if all { of_loop.len() } else { most - 1 });
        let mut text = Text::default();
        of_loop.into_iter().take(shown).for_each(|line| text.append(line.text));
        if !all {
            text.append(self.note(&counted((count - shown) as u64, "more step")));
        }
        text
    }

    /// A line that stands for steps that are not shown.
    fn note(self, what: &str) -> Text {
        let mut text =
            Text::of(Role::Aside, format!("     .. {what} ({} shows all)", self.how.offers.every_step));
        text.push_str("\n");
        text
    }
}
