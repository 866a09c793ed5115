//! The trace as text, step by step; long ones are folded.

use map_explain::transcript::{Columns, repeated_head};
use map_explain::{Seen, Teller, explain_deadlock, initial_lines, tell};
use map_verify::{Replayed, ViolationKind};

use super::properties::Answers;
use super::searched::Searched;
use super::shown::Shown;
use crate::chart;
use crate::numbers::counted;
use crate::style;

/// Longer traces are folded.
const MAX_LINES: usize = 60;

/// How many lines a folded trace keeps at either end.
const KEPT: usize = 25;

/// A step together with identical ones that follow, or a line that stands for steps that are not shown.
struct Line {
    text: String,
    /// What the step does, without its number; empty if this line is no step.
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
    /// The trace of the verdict followed by an empty line; empty if it has no steps.
    pub(super) fn trace(&self, teller: &mut Teller<'_>) -> String {
        let story = |run: Shown<'_>| self.answers.story(teller, &run, &self.causal_past());
        self.run_of_verdict().map_or_else(String::new, story)
    }

    /// For each step of a trace to a deadlock, whether it is in the causal past of the deadlock. Empty for other
    /// verdicts, or if every step is to be shown.
    pub(super) fn causal_past(&self) -> Vec<bool> {
        let deadlock = self.violation().filter(|it| it.kind == ViolationKind::Deadlock);
        let Some((_, replayed)) = deadlock.zip(self.replayed.as_ref()) else { return Vec::new() };
        if self.answers.args.full_trace {
            return Vec::new();
        }
        let stuck = explain_deadlock(self.answers.program, replayed);
        let chart = chart::of_replayed(self.answers.program, replayed, &stuck);
        chart::causal_past(&chart, &stuck, &self.report.bounds)
    }
}

impl Answers<'_> {
    /// The steps followed by an empty line; empty if there are none. Steps that are not `relevant`, by index, are
    /// summed up in one line.
    pub(super) fn story(&self, teller: &mut Teller<'_>, run: &Shown<'_>, relevant: &[bool]) -> String {
        let lines = self.lines(teller, run, relevant);
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

    fn lines(&self, teller: &mut Teller<'_>, run: &Shown<'_>, relevant: &[bool]) -> Vec<Line> {
        teller.begin_run();
        let replayed = run.replayed;
        let mut lines: Vec<Line> = Vec::new();
        let is_irrelevant = |index: usize| relevant.get(index) == Some(&false);
        let columns = Columns::new(teller, replayed.steps.len() as u64);
        let starts = initial_lines(teller, &replayed.initial);
        lines.extend(starts.lines().map(|line| Line::between(format!("  {line}\n"), 0)));
        for (index, step) in replayed.steps.iter().enumerate() {
            let before = &replayed.states[index].agents[step.step.agent.index()];
            let seen = Seen { step: &step.step, place: step.place, before, observed: &step.observed };
            let told = tell(teller, &seen);
            if run.repeated_from == Some(index) {
                lines.push(Line::between(style::text(&repeated_head()), 0));
            }
            if is_irrelevant(index) && (index > 0 && is_irrelevant(index - 1) || is_irrelevant(index + 1)) {
                if index == 0 || !is_irrelevant(index - 1) {
                    let last = (index..replayed.steps.len()).take_while(|&it| is_irrelevant(it)).last();
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

impl Answers<'_> {
    /// The steps of a run from this index on, in so many lines; values are named as in the run before them.
    pub(super) fn loop_of(&self, replayed: &Replayed, repeated_from: usize, most: usize) -> String {
        let mut teller = Teller::new(&self.loaded.source, self.program);
        let shown = Shown { verdict: String::new(), replayed, repeated_from: None };
        let lines = self.lines(&mut teller, &shown, &[]);
        let steps: Vec<&Line> = lines.iter().filter(|line| !line.what.is_empty()).collect();
        let mut number = 0;
        let of_loop = steps.iter().skip_while(|line| {
            number += line.steps;
            number <= repeated_from as u64
        });
        let of_loop: Vec<&str> = of_loop.map(|line| line.text.as_str()).collect();
        let all = self.args.full_trace || of_loop.len() <= most;
        let shown = if all { of_loop.len() } else { most - 1 };
        let mut text = of_loop[..shown].concat();
        if !all {
            text.push_str(&note(&counted((of_loop.len() - shown) as u64, "more step")));
        }
        text
    }
}

/// A line that stands for steps that are not shown.
fn note(what: &str) -> String {
    format!("{}\n", style::aside(format!("     .. {what} (--full-trace shows all)")))
}
