//! Reads the lines of logs, has them judged, and prints what becomes known.

use std::time::{SystemTime, UNIX_EPOCH};

use map_conform::{ConversationResult, Event, Line, Mark, Verdict, Watcher};
use map_explain::conformance::{ConversationTeller, LogName, Places, headline};
use map_ir::Program;

use super::args::{Args, BadArg};
use super::drawn::Drawn;
use super::explained::Explained;
use super::follow::{Follow, Next};
use super::logs::{Entry, Logs};
use super::output::{End, Output};
use super::scenes::changed;
use super::{Ahead, Bad};
use crate::console::Console;
use crate::failure::Failure;
use crate::interrupt::Interrupt;

/// Where lines come from.
pub(super) enum Source {
    /// Logs that are whole, with their names.
    Whole(Logs, Vec<LogName>),
    /// Logs that are still being written.
    Growing(Follow),
}

impl Source {
    fn next(&mut self, interrupt: &Interrupt) -> Result<Next, Bad> {
        match self {
            Self::Whole(logs, _) => Ok(logs.next()?.map_or(Next::End, Next::Entry)),
            Self::Growing(follow) => follow.next(interrupt),
        }
    }

    /// What was taken for granted about the times of each log, if anything was.
    fn times(&self) -> Vec<Option<String>> {
        match self {
            Self::Whole(logs, _) => logs.times(),
            Self::Growing(_) => Vec::new(),
        }
    }

    /// The names of the logs so far.
    pub(super) fn names(&self) -> &[LogName] {
        match self {
            Self::Whole(_, names) => names,
            Self::Growing(follow) => follow.names(),
        }
    }
}

/// The judging of logs.
pub(super) struct Session<'a> {
    pub(super) args: &'a Args,
    /// The program with the cast of the file.
    pub(super) program: &'a Program,
    pub(super) source: Source,
    pub(super) watcher: Watcher<'a>,
    pub(super) ahead: Ahead,
    pub(super) explained: Explained,
    pub(super) drawn: Drawn,
    pub(super) wall_clock: Option<WallClock>,
}

/// How far the times of lines lag behind the clock on the wall, for logs that are still being written.
#[derive(Default)]
pub(super) struct WallClock {
    /// The least distance in nanoseconds, of the lines so far.
    lag: Option<i128>,
    /// The last line.
    last: Mark,
}

impl WallClock {
    fn now() -> u64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
    }

    /// Notes a line that has just been read.
    fn note(&mut self, mark: Mark) {
        let Some(time) = mark.time else { return };
        let lag = i128::from(Self::now()) - i128::from(time);
        self.lag = Some(self.lag.map_or(lag, |least| least.min(lag)));
        self.last = mark;
    }

    /// The time by the clock of the log; `None` before the first line.
    fn time_of_log(&self) -> Option<Mark> {
        let time = i128::from(Self::now()) - self.lag?;
        Some(Mark { time: Some(u64::try_from(time).unwrap_or(0)), ..self.last })
    }
}

impl Session<'_> {
    /// Judges all lines, and says how it ended.
    pub(super) fn judge(
        &mut self,
        interrupt: &Interrupt,
        output: &mut Output<'_>,
        console: &mut Console,
    ) -> Result<End, Failure> {
        let mut bad_lines = 0;
        while !interrupt.is_set() {
            let Entry { log, line, mut content } = match self.source.next(interrupt) {
                Ok(Next::Entry(entry)) => entry,
                Ok(Next::Said(text)) => {
                    console.complain(&format!("note: {text}\n"))?;
                    continue;
                }
                Ok(Next::Idle) => {
                    if let Some(clock) = self.wall_clock.as_ref().and_then(WallClock::time_of_log) {
                        self.watcher.pass_time(clock);
                        self.print(output, console)?;
                    }
                    continue;
                }
                Ok(Next::End) => return Ok(End { interrupted: interrupt.is_set(), ..End::default() }),
                Err(bad) => return Ok(End { stopped: Some(bad), ..End::default() }),
            };
            let number = self.watcher.next_line();
            if let Err(bad) = self.ahead.reach(self.watcher.plan(), self.program, number) {
                return Ok(End { stopped: Some(bad), ..End::default() });
            }
            let mark = Mark { line, time: self.time_of(&mut content), log };
            if let Some(clock) = &mut self.wall_clock {
                clock.note(mark);
            }
            let judged = self.watcher.line(mark, &content);
            let violated = self.print(output, console)?;
            if let Err(fault) = judged {
                bad_lines += 1;
                let bad = Bad::line(self.source.names()[log].clone(), line, &fault);
                if self.args.bad == BadArg::Stop && bad_lines > self.args.skip_bad {
                    return Ok(End { stopped: Some(bad), ..End::default() });
                }
                output.bad_line(&bad, console)?;
            }
            if violated && self.args.stop_at_first {
                return Ok(End { at_first: true, ..End::default() });
            }
        }
        Ok(End { interrupted: true, ..End::default() })
    }

    /// The time of a line: if the log grows, that at which it is read, should it have none.
    fn time_of(&self, content: &mut Line) -> Option<u64> {
        let Line::Record(record) = content else { return None };
        if self.wall_clock.is_some() {
            record.time.get_or_insert_with(WallClock::now);
        }
        record.time
    }

    /// Reports what is still open.
    pub(super) fn finish(&mut self, output: &mut Output<'_>, console: &mut Console) -> Result<(), Failure> {
        self.watcher.finish();
        self.print(output, console)?;
        output.note_times(self.source.names(), &self.source.times());
        Ok(())
    }

    /// Prints what became known; returns whether anybody has certainly broken the protocol.
    fn print(&mut self, output: &mut Output<'_>, console: &mut Console) -> Result<bool, Failure> {
        let mut violated = false;
        while let Some(event) = self.watcher.next_event() {
            let places = Places { source: output.source(), logs: self.source.names() };
            match event {
                Event::Violation(found) => {
                    violated |= found.violation.gap.is_none();
                    let telling = ConversationTeller::new(&found.scene, &found.cast, places);
                    output.violation(&found.conversation, &telling, &found.violation, console)?;
                }
                Event::Judged(mut judged) => {
                    if let Some(explanation) = judged.explanation.take() {
                        let ConversationResult { begun, ref report, ref scene, ref cast, .. } = *judged;
                        let agents = changed(self.program, scene);
                        let headline = || headline(places, &judged, 0).to_string();
                        let violation = (report.verdict == Verdict::Violated).then(headline);
                        let verdict = (report.verdict, violation);
                        self.explained.add(begun, verdict, explanation, (scene, agents), cast);
                    }
                    if self.args.draws() {
                        self.drawn.add(&judged, places);
                    }
                    output.judged(&judged, places, console)?;
                }
            }
        }
        Ok(violated)
    }
}
