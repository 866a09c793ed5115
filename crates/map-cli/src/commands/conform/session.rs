//! Reads the lines of logs, has them judged, and prints what becomes known.

use map_conform::{ConversationResult, Event, Line, Mark, Verdict, Watcher};
use map_diagnostics::Diagnostic;
use map_doors::{
    Follow, FoundCheckpoint, KeptReading, LogCheckpoint, LogEntry, LogFault, NextLine, WallClock, WholeLogs,
};
use map_explain::conformance::{ConversationTeller, LogName, Places, headline};
use map_ir::Program;

use super::Ahead;
use super::args::{Args, BadArg};
use super::drawn::Drawn;
use super::explained::Explained;
use super::output::{End, KeptOutput, Output};
use super::scenes::changed;
use crate::console::Console;
use crate::failure::Failure;
use crate::interrupt::Interrupt;

/// Where lines come from.
pub(super) enum Source {
    /// Logs that are whole, with their names.
    Whole(WholeLogs, Vec<LogName>),
    /// Logs that are still being written.
    Growing(Follow),
}

impl Source {
    fn next(&mut self, interrupt: &Interrupt) -> Result<NextLine, LogFault> {
        match self {
            Self::Whole(logs, _) => Ok(logs.next()?.map_or(NextLine::End, NextLine::Entry)),
            Self::Growing(follow) => follow.next(interrupt.flag()),
        }
    }

    /// Whether no line is being read of which there is more to come.
    fn is_between_lines(&self) -> bool {
        match self {
            Self::Whole(..) => true,
            Self::Growing(follow) => follow.is_between_lines(),
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
    pub(super) checkpoint: Option<LogCheckpoint>,
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
        // With a checkpoint, a line is read to its end.
        while !interrupt.is_set() || self.checkpoint.is_some() && !self.source.is_between_lines() {
            if self.checkpoint.as_ref().is_some_and(LogCheckpoint::is_due) {
                self.keep(output, console)?;
            }
            let LogEntry { log, line, mut content } = match self.source.next(interrupt) {
                Ok(NextLine::Entry(entry)) => entry,
                Ok(NextLine::Said(text)) => {
                    console.complain(&format!("note: {text}\n"))?;
                    continue;
                }
                Ok(NextLine::Idle) => {
                    if let Some(clock) = self.wall_clock.as_ref().and_then(WallClock::time_of_log) {
                        self.watcher.pass_time(clock);
                        self.print(output, console)?;
                    }
                    continue;
                }
                Ok(NextLine::End) => return Ok(End { interrupted: interrupt.is_set(), ..End::default() }),
                Err(bad) => return Ok(End { stopped: Some(bad), ..End::default() }),
            };
            let number = self.watcher.next_line();
            if let Err(bad) = self.ahead.reach(self.watcher.plan(), self.program, number, interrupt) {
                return Ok(End { stopped: Some(bad), ..End::default() });
            }
            if interrupt.is_set() && self.checkpoint.is_none() {
                break;
            }
            let mark = Mark { line, time: self.time_of(&mut content), log };
            if let Some(clock) = &mut self.wall_clock {
                clock.note(mark);
            }
            let judged = self.watcher.line(mark, &content);
            let violated = self.print(output, console)?;
            if let Err(fault) = judged {
                bad_lines += 1;
                let bad = LogFault::of_line(self.source.names()[log].clone(), line, &fault);
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

    /// Goes on from an earlier process.
    ///
    /// # Errors
    /// If its checkpoint contradicts itself.
    pub(super) fn go_on(
        &mut self,
        found: FoundCheckpoint<KeptOutput>,
        output: &mut Output<'_>,
    ) -> Result<(), Diagnostic> {
        found.tell(&mut self.watcher)?;
        let KeptReading { logs, output: reported, wall_clock } = found.kept;
        output.go_on(reported);
        if self.wall_clock.is_some() && wall_clock.is_some() {
            self.wall_clock = wall_clock;
        }
        match &mut self.source {
            Source::Growing(follow) => {
                follow.go_on(logs).map_err(|error| LogCheckpoint::damaged(&error.to_string()))
            }
            Source::Whole(..) => Ok(()),
        }
    }

    /// Writes a checkpoint, if there are some, and this is a place to go on from.
    pub(super) fn keep(&mut self, output: &Output<'_>, console: &mut Console) -> Result<(), Failure> {
        let (Some(checkpoint), Source::Growing(follow)) = (&mut self.checkpoint, &mut self.source) else {
            return Ok(());
        };
        if !follow.is_between_lines() {
            return Ok(());
        }
        let logs = match follow.kept() {
            Ok(logs) => logs,
            Err(error) => {
                return Ok(console.complain(&format!("note: no checkpoint could be made: {error}\n"))?);
            }
        };
        let kept = KeptReading { logs, output: output.kept(), wall_clock: self.wall_clock };
        if let Some(trouble) = checkpoint.keep(&kept, &self.watcher) {
            console.complain(&format!("note: {trouble}\n"))?;
        }
        Ok(())
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
        // What is said of conversations that go on later is not their end.
        self.keep(output, console)?;
        self.watcher.finish();
        self.print_all(output, console, true)?;
        output.note_times(self.source.names(), &self.source.times());
        Ok(())
    }

    /// Prints what became known; returns whether anybody has certainly broken the protocol.
    fn print(&mut self, output: &mut Output<'_>, console: &mut Console) -> Result<bool, Failure> {
        self.print_all(output, console, false)
    }

    fn print_all(
        &mut self,
        output: &mut Output<'_>,
        console: &mut Console,
        is_end: bool,
    ) -> Result<bool, Failure> {
        let mut violated = false;
        while let Some(event) = self.watcher.next_event() {
            let places = Places { source: output.source(), logs: self.source.names() };
            match event {
                Event::Violation(found) => {
                    violated |= found.violation.gap.is_none();
                    let key = LogCheckpoint::key_of_violation(&found.conversation, &found.violation);
                    if self.checkpoint.as_mut().is_some_and(|it| it.was_told(&key)) {
                        continue;
                    }
                    let telling = ConversationTeller::new(&found.scene, &found.cast, places);
                    output.violation(&found.conversation, &telling, &found.violation, console)?;
                    self.note(&key, console)?;
                }
                Event::Judged(mut judged) => {
                    let key = LogCheckpoint::key_of_end(&judged.name, judged.report.messages);
                    if !is_end && self.checkpoint.as_mut().is_some_and(|it| it.was_told(&key)) {
                        output.judged_before(&judged);
                        continue;
                    }
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
                    if !is_end {
                        self.note(&key, console)?;
                    }
                }
            }
        }
        Ok(violated)
    }

    /// Notes that something has been reported, once it has been.
    fn note(&mut self, key: &str, console: &mut Console) -> Result<(), Failure> {
        if let Some(checkpoint) = &mut self.checkpoint {
            console.flush()?;
            if let Err(error) = checkpoint.note(key) {
                console.complain(&format!("note: the checkpoint does not know of this report: {error}\n"))?;
            }
        }
        Ok(())
    }
}
