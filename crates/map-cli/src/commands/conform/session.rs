//! Reads the lines of logs, has them judged, and prints what becomes known.

use map_conform::{ConversationResult, Event, Fault, Mark, Watcher};
use map_explain::conformance::ConversationTeller;
use map_ir::Program;

use super::args::Args;
use super::explained::Explained;
use super::follow::Follow;
use super::logs::{Entry, Logs, Next, code_of, help_for};
use super::output::Output;
use super::scenes::changed;
use super::{Ahead, Bad};
use crate::console::Console;
use crate::failure::Failure;
use crate::interrupt::Interrupt;

/// Where lines come from.
pub(super) enum Source {
    /// Logs that are whole.
    Whole(Logs),
    /// Logs that are still being written.
    Growing(Follow),
}

impl Source {
    fn next(&mut self, interrupt: &Interrupt) -> Result<Next, Bad> {
        match self {
            Self::Whole(logs) => Ok(logs.next()?.map_or(Next::End, Next::Entry)),
            Self::Growing(follow) => follow.next(interrupt),
        }
    }

    fn name(&self, log: usize) -> &str {
        match self {
            Self::Whole(logs) => logs.name(log),
            Self::Growing(follow) => follow.name(log),
        }
    }
}

/// The judging of logs.
pub(super) struct Session<'a> {
    pub(super) args: &'a Args,
    /// The program with the cast of the file.
    pub(super) program: &'a Program,
    pub(super) watcher: Watcher<'a>,
    pub(super) ahead: Ahead,
    pub(super) explained: Explained,
}

impl Session<'_> {
    /// Judges all lines; ends at the first that cannot be used, if more than allowed cannot.
    pub(super) fn judge(
        &mut self,
        mut source: Source,
        interrupt: &Interrupt,
        output: &mut Output<'_>,
        console: &mut Console,
    ) -> Result<Option<Bad>, Failure> {
        let mut bad_lines = 0;
        while !interrupt.is_set() {
            let Entry { log, line, record } = match source.next(interrupt) {
                Ok(Next::Entry(entry)) => entry,
                Ok(Next::Said(text)) => {
                    console.complain(&format!("note: {text}\n"))?;
                    continue;
                }
                Ok(Next::End) => break,
                Err(bad) => return Ok(Some(bad)),
            };
            let number = self.watcher.next_line();
            if let Err(bad) = self.ahead.reach(self.watcher.plan(), self.program, number) {
                return Ok(Some(bad));
            }
            let judged = record.and_then(|record| {
                let wanted = self.args.conversation.as_ref();
                if wanted.is_some_and(|wanted| *wanted != record.conversation) {
                    return Ok(());
                }
                self.watcher.line(Mark { line, time: record.time, log }, &record)
            });
            self.print(output, console)?;
            if let Err(Fault { kind, text }) = judged {
                bad_lines += 1;
                if bad_lines > self.args.skip_bad {
                    let help = help_for(kind).map(str::to_owned);
                    let log = source.name(log).to_owned();
                    return Ok(Some(Bad { log, line, code: code_of(kind), text, help }));
                }
            }
        }
        Ok(None)
    }

    /// Reports what is still open.
    pub(super) fn finish(
        mut self,
        output: &mut Output<'_>,
        console: &mut Console,
    ) -> Result<Explained, Failure> {
        self.watcher.finish();
        self.print(output, console)?;
        Ok(self.explained)
    }

    /// Prints what became known.
    fn print(&mut self, output: &mut Output<'_>, console: &mut Console) -> Result<(), Failure> {
        while let Some(event) = self.watcher.next_event() {
            match event {
                Event::Violation(found) => {
                    let telling = ConversationTeller::new(&found.scene, &found.cast, output.source());
                    output.violation(&found.conversation, &telling, &found.violation, console)?;
                }
                Event::Judged(mut judged) => {
                    if let Some(explanation) = judged.explanation.take() {
                        let ConversationResult { begun, ref report, ref scene, ref cast, .. } = *judged;
                        let agents = changed(self.program, scene);
                        self.explained.add(begun, report.verdict, explanation, (scene, agents), cast);
                    }
                    output.judged(&judged, console)?;
                }
            }
        }
        Ok(())
    }
}
