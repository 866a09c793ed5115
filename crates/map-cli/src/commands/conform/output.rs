//! Prints what is known of conversations, in some format, as soon as it can.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use map_check::nearest;
use map_conform::{Account, Arrivals, ConversationResult, Verdict, Violation};
use map_diagnostics::{Code, Diagnostic, SourceFile, escaped_line};
use map_doors::LogFault;
use map_explain::conformance::{self, ConversationTeller, LogName, Places, VerdictCounts};

use serde::{Deserialize, Serialize};

use super::args::{Args, FormatArg};
use super::show_fault;
use crate::console::{Console, show_diagnostics};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::json::junit::ConformCases;
use crate::json::{
    self, CONFORM_FORMAT, ConformBlame, ConformConversation, ConformEnd, ConformLine, ConformOutput,
    ConformReading, ConformTimes, Header,
};
use crate::style;
use crate::terminal;

/// So many reports are sorted and put into columns before they are printed: memory does not grow with the log.
const BLOCK: usize = 1_000;
/// The widest column of names.
const MAX_NAME: usize = 40;

/// The most bad lines that are shown one by one.
const MAX_BAD: u64 = 20;

/// How the reading of the logs ended.
#[derive(Default)]
pub(super) struct End {
    /// The error that ended it, if one did.
    pub(super) stopped: Option<LogFault>,
    /// Whether the user wanted to stop.
    pub(super) interrupted: bool,
    /// Whether it was to end with the first violation, and has.
    pub(super) at_first: bool,
}

/// What has been reported, as it is kept for a later process.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(super) struct KeptOutput {
    counts: [u64; 7],
    most: usize,
    bad_lines: u64,
}

/// A report for people.
struct Shown {
    name: String,
    headline: String,
    below: String,
}

/// What has been reported.
pub(super) struct Output<'a> {
    format: FormatArg,
    source: &'a SourceFile,
    arrivals: Arrivals,
    /// Reports that have not been printed yet, by the numbers of their conversations.
    block: BTreeMap<u64, Shown>,
    objects: BTreeMap<u64, ConformConversation>,
    cases: Option<ConformCases>,
    counts: VerdictCounts,
    most: usize,
    /// What was taken for granted about times, by log.
    times: Vec<(String, String)>,
    /// Whether the log is still being written: then nothing is kept back.
    is_followed: bool,
    args: &'a Args,
    /// The number of lines that cannot be used.
    bad_lines: u64,
}

impl<'a> Output<'a> {
    pub(super) fn new(args: &'a Args, source: &'a SourceFile, arrivals: Arrivals) -> Self {
        Self {
            format: args.format,
            source,
            arrivals,
            block: BTreeMap::new(),
            objects: BTreeMap::new(),
            cases: args.junit.is_some().then(ConformCases::default),
            counts: VerdictCounts::default(),
            most: 0,
            times: Vec::new(),
            is_followed: args.follow,
            args,
            bad_lines: 0,
        }
    }

    /// What has been reported so far.
    pub(super) fn kept(&self) -> KeptOutput {
        let VerdictCounts { all, conforms, so_far, stuck, violated, possibly_violated, inconclusive } =
            self.counts;
        let counts = [all, conforms, so_far, stuck, violated, possibly_violated, inconclusive];
        KeptOutput { counts, most: self.most, bad_lines: self.bad_lines }
    }

    /// Goes on from what an earlier process has reported.
    pub(super) fn go_on(&mut self, kept: KeptOutput) {
        let KeptOutput { counts, most, bad_lines } = kept;
        let [all, conforms, so_far, stuck, violated, possibly_violated, inconclusive] = counts;
        self.counts =
            VerdictCounts { all, conforms, so_far, stuck, violated, possibly_violated, inconclusive };
        (self.most, self.bad_lines) = (most, bad_lines);
    }

    /// A conversation has been judged, as an earlier process has reported already.
    pub(super) fn judged_before(&mut self, judged: &ConversationResult) {
        if judged.again {
            self.counts.take_back_conforming();
        }
        self.counts.add(&judged.report);
        self.most = self.most.max(judged.report.hypotheses);
    }

    /// Notes what was taken for granted about the times of logs.
    pub(super) fn note_times(&mut self, logs: &[LogName], times: &[Option<String>]) {
        let told = logs.iter().zip(times).filter_map(|(log, told)| Some((log.name.clone(), told.clone()?)));
        self.times = told.collect();
    }

    /// The dialogue.
    pub(super) fn source(&self) -> &'a SourceFile {
        self.source
    }

    /// Whether violations are printed for people as soon as they are found, and so not again at the end.
    pub(super) fn tells_at_once(&self) -> bool {
        self.is_followed && self.format == FormatArg::Text
    }

    /// A violation has been found.
    pub(super) fn violation(
        &mut self,
        conversation: &str,
        telling: &ConversationTeller<'_>,
        violation: &Violation,
        console: &mut Console,
    ) -> Result<(), Failure> {
        match self.format {
            FormatArg::Ndjson => {
                let violation = Box::new(ConformBlame::new(telling, violation));
                let line = ConformLine::Violation { conversation: conversation.to_owned(), violation };
                self.print_line(&line, console)
            }
            FormatArg::Text if self.tells_at_once() => {
                let text = conformance::at_once(conversation, telling, violation, terminal::width());
                console.print(&style::text(&text))?;
                Ok(console.flush()?)
            }
            FormatArg::Text | FormatArg::Json => Ok(()),
        }
    }

    /// A conversation has been judged. One that goes on after its end is judged again.
    pub(super) fn judged(
        &mut self,
        judged: &ConversationResult,
        places: Places<'_>,
        console: &mut Console,
    ) -> Result<(), Failure> {
        console.set_exit(match judged.report.verdict {
            Verdict::Violated if judged.report.possibly => Exit::Inconclusive,
            Verdict::Violated => Exit::Violation,
            Verdict::Inconclusive => Exit::Inconclusive,
            Verdict::Conforms | Verdict::SoFar | Verdict::Stuck => Exit::Fine,
        });
        if judged.again {
            self.counts.take_back_conforming();
        }
        self.counts.add(&judged.report);
        self.most = self.most.max(judged.report.hypotheses);
        if let Some(cases) = &mut self.cases {
            cases.add(places, judged);
        }
        // What was printed when it was found is not printed again.
        let told = if self.tells_at_once() { judged.told } else { 0 };
        match self.format {
            FormatArg::Text if self.args.quiet && is_good(judged) => {}
            FormatArg::Text => {
                let who = if self.args.verbose { conformance::who_is_who(judged) } else { String::new() };
                let shown = Shown {
                    name: escaped_line(conformance::name(&judged.name)).into_owned(),
                    headline: style::text(&conformance::headline(places, judged, told)),
                    below: who + &conformance::below(places, judged, told, terminal::width()),
                };
                self.block.insert(judged.number, shown);
                if self.block.len() >= BLOCK || self.is_followed {
                    self.print_block(console)?;
                }
                if self.is_followed {
                    console.flush()?;
                }
            }
            FormatArg::Json => {
                self.objects.insert(judged.number, ConformConversation::new(places, judged));
            }
            FormatArg::Ndjson => {
                let report = ConformConversation::new(places, judged);
                let line = ConformLine::Conversation { conversation: report.conversation.clone(), report };
                self.print_line(&line, console)?;
            }
        }
        Ok(())
    }

    fn print_line(&self, line: &ConformLine, console: &mut Console) -> Result<(), Failure> {
        console.print(&json::to_line(line)?)?;
        if self.is_followed {
            console.flush()?;
        }
        Ok(())
    }

    fn print_block(&mut self, console: &mut Console) -> Result<(), Failure> {
        let block = std::mem::take(&mut self.block);
        let width = block.values().map(|it| it.name.chars().count()).max().unwrap_or(0).min(MAX_NAME);
        let mut text = String::new();
        for Shown { name, headline, below } in block.values() {
            let pad = " ".repeat(width.saturating_sub(name.chars().count()));
            let _ = write!(text, "{}{pad}  {headline}\n{below}", style::head(name));
        }
        Ok(console.print(&text)?)
    }

    /// A line cannot be used.
    pub(super) fn bad_line(&mut self, bad: &LogFault, console: &mut Console) -> Result<(), Failure> {
        self.bad_lines += 1;
        if self.format == FormatArg::Ndjson {
            self.print_line(&ConformLine::BadLine { bad: bad.for_programs() }, console)?;
        }
        match self.bad_lines {
            ..=MAX_BAD => show_fault(bad, console),
            number if number == MAX_BAD + 1 => {
                Ok(console.complain("note: more lines cannot be used; they are counted\n")?)
            }
            _ => Ok(()),
        }
    }

    /// Prints what is left, sets the exit code, and returns the text of the JUnit file.
    pub(super) fn finish(
        mut self,
        end: &End,
        places: Places<'_>,
        account: &Account,
        console: &mut Console,
    ) -> Result<Option<String>, Failure> {
        let was_too_soon = end.interrupted && account.lines == 0;
        let nothing_judged = account.messages == 0 && !self.args.allow_empty && !was_too_soon;
        match self.format {
            FormatArg::Text => {
                self.print_block(console)?;
                let most = self.most;
                let plural = if most == 1 { "hypothesis" } else { "hypotheses" };
                let arrivals = self.arrivals.word();
                let joined = if self.args.joined { "joined mid-way; " } else { "" };
                let last = format!("arrivals: {arrivals}; {joined}at most {most} {plural} of an agent");
                console.print(&format!("{}{}\n", self.counts.text(), style::aside(last)))?;
                for (log, told) in &self.times {
                    let place = match places.logs.len() {
                        0 | 1 => String::new(),
                        _ => format!(" of {}", escaped_line(log)),
                    };
                    console.print(&format!("{}\n", style::aside(format!("times{place}: {told}"))))?;
                }
                if account.is_remarkable() {
                    console.print(&conformance::account(places, account))?;
                }
            }
            FormatArg::Json => {
                let conversations = std::mem::take(&mut self.objects).into_values().collect();
                let output = ConformOutput {
                    header: Header::of_version("conform", CONFORM_FORMAT),
                    file: self.source.name().to_owned(),
                    arrivals: self.arrivals.into(),
                    reading: self.reading(end, places, account),
                    conversations,
                };
                console.print(&json::to_text(&output)?)?;
            }
            FormatArg::Ndjson => {
                let reading = self.reading(end, places, account);
                let summary = ConformEnd::new(self.source, self.arrivals, reading, &self.counts);
                self.print_line(&ConformLine::End { summary }, console)?;
            }
        }
        if let Some(bad) = &end.stopped {
            show_fault(bad, console)?;
        }
        if nothing_judged && end.stopped.is_none() {
            self.show_nothing_judged(places, account, console)?;
        }
        if end.interrupted {
            console.complain("note: interrupted: lines that were not read yet are not judged\n")?;
        }
        if end.at_first {
            console.complain("note: stopped at the first violation: later lines are not judged\n")?;
        }
        let too_many_bad = self.bad_lines > self.args.skip_bad;
        console.exit = match &self.counts {
            counts if counts.violated > 0 => Exit::Violation,
            _ if end.stopped.is_some() || too_many_bad => Exit::Source,
            counts if counts.possibly_violated + counts.inconclusive > 0 || nothing_judged => {
                Exit::Inconclusive
            }
            _ if end.interrupted => Exit::Interrupted,
            _ => Exit::Fine,
        };
        let Some(mut cases) = self.cases else { return Ok(None) };
        if let Some(bad) = &end.stopped {
            cases.add_error("reading the logs", &format!("{}: {}", bad.code.as_str(), bad.text));
        }
        if end.interrupted {
            cases.add_error("reading the logs", "interrupted: lines that were not read yet are not judged");
        }
        if nothing_judged && end.stopped.is_none() {
            let (why, _) = conformance::nothing_judged(places, account, None, None);
            cases.add_error("nothing judged", &why.join("\n"));
        }
        if account.bad_lines() > 0 {
            let text = conformance::account(places, account);
            match too_many_bad {
                true => cases.add_error("bad lines", &text),
                false => cases.add_note("bad lines", &text),
            }
        }
        Ok(Some(cases.text(self.source)?))
    }

    /// How the reading went, for programs.
    fn reading(&self, end: &End, places: Places<'_>, account: &Account) -> ConformReading {
        let times = self.times.iter().map(|(log, told)| ConformTimes { log: log.clone(), are: told.clone() });
        ConformReading {
            interrupted: end.interrupted,
            stopped_at_first: end.at_first,
            stopped: end.stopped.as_ref().map(LogFault::for_programs),
            times: times.collect(),
            ..ConformReading::whole(places, account)
        }
    }

    /// Says why no message was judged.
    fn show_nothing_judged(
        &self,
        places: Places<'_>,
        account: &Account,
        console: &mut Console,
    ) -> Result<(), Failure> {
        let wanted = self.args.conversation.as_deref();
        let names = account.other_conversations.iter().map(String::as_str);
        let near = wanted.and_then(|wanted| nearest(wanted, names));
        let (why, help) = conformance::nothing_judged(places, account, wanted, near);
        let mut diagnostic = Diagnostic::unplaced(Code::ConformNothing, "no message was judged");
        for reason in why {
            diagnostic = diagnostic.with_note(reason);
        }
        Ok(show_diagnostics(console, self.source, &[diagnostic.with_help(help)])?)
    }
}

/// Whether there is nothing to say against anybody.
fn is_good(judged: &ConversationResult) -> bool {
    match judged.report.verdict {
        Verdict::Conforms | Verdict::SoFar => judged.report.gaps.is_empty(),
        Verdict::Stuck | Verdict::Violated | Verdict::Inconclusive => false,
    }
}
