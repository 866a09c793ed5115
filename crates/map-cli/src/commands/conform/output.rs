//! Prints what is known of conversations, in some format, as soon as it can.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use map_conform::{Arrivals, ConversationResult, Verdict, Violation};
use map_diagnostics::{SourceFile, escaped_line};
use map_explain::conformance::{self, ConversationTeller};

use super::args::{Args, FormatArg};
use super::junit::Cases;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::json::{self, ConformBlame, ConformConversation, ConformEnd, ConformLine, ConformOutput, Header};
use crate::style;

/// So many reports are sorted and put into columns before they are printed: memory does not grow with the log.
const BLOCK: usize = 1_000;
/// The widest column of names.
const MAX_NAME: usize = 40;

/// A report for people.
struct Shown {
    name: String,
    headline: String,
    below: String,
}

/// The number of conversations with each verdict.
#[derive(Default)]
struct Counts {
    all: u64,
    conforms: u64,
    so_far: u64,
    stuck: u64,
    violated: u64,
    inconclusive: u64,
}

/// What has been reported.
pub(super) struct Output<'a> {
    format: FormatArg,
    source: &'a SourceFile,
    arrivals: Arrivals,
    /// Reports that have not been printed yet, by the numbers of their conversations.
    block: BTreeMap<u64, Shown>,
    objects: BTreeMap<u64, ConformConversation>,
    cases: Option<Cases>,
    counts: Counts,
    most: usize,
    /// Whether the log is still being written: then nothing is kept back.
    is_live: bool,
    /// Whether the user waits for what comes.
    is_followed: bool,
}

impl<'a> Output<'a> {
    pub(super) fn new(args: &Args, source: &'a SourceFile, arrivals: Arrivals, is_live: bool) -> Self {
        Self {
            format: args.format,
            source,
            arrivals,
            block: BTreeMap::new(),
            objects: BTreeMap::new(),
            cases: args.junit.is_some().then(Cases::default),
            counts: Counts::default(),
            most: 0,
            is_live,
            is_followed: args.follow,
        }
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
                let violation = ConformBlame::new(telling, violation);
                let line = ConformLine::Violation { conversation: conversation.to_owned(), violation };
                self.print_line(&line, console)
            }
            FormatArg::Text if self.tells_at_once() => {
                console.print(&style::text(&conformance::at_once(conversation, telling, violation)))?;
                Ok(console.flush()?)
            }
            FormatArg::Text | FormatArg::Json => Ok(()),
        }
    }

    /// A conversation has been judged. One that goes on after its end is judged again.
    pub(super) fn judged(
        &mut self,
        judged: &ConversationResult,
        console: &mut Console,
    ) -> Result<(), Failure> {
        console.set_exit(match judged.report.verdict {
            Verdict::Violated => Exit::Violation,
            Verdict::Inconclusive => Exit::Inconclusive,
            Verdict::Conforms | Verdict::SoFar | Verdict::Stuck => Exit::Fine,
        });
        if judged.again {
            self.counts.take_back_conforming();
        }
        self.counts.add(judged.report.verdict);
        self.most = self.most.max(judged.report.hypotheses);
        if let Some(cases) = &mut self.cases {
            cases.add(self.source, judged);
        }
        // What was printed when it was found is not printed again.
        let told = if self.tells_at_once() { judged.told } else { 0 };
        match self.format {
            FormatArg::Text => {
                let shown = Shown {
                    name: escaped_line(conformance::name(&judged.name)).into_owned(),
                    headline: style::text(&conformance::headline(self.source, judged, told)),
                    below: conformance::below(self.source, judged, told),
                };
                self.block.insert(judged.number, shown);
                if self.block.len() >= BLOCK || self.is_followed {
                    self.print_block(console)?;
                }
                if self.is_live {
                    console.flush()?;
                }
            }
            FormatArg::Json => {
                self.objects.insert(judged.number, ConformConversation::new(self.source, judged));
            }
            FormatArg::Ndjson => {
                let report = ConformConversation::new(self.source, judged);
                let line = ConformLine::Conversation { conversation: report.conversation.clone(), report };
                self.print_line(&line, console)?;
            }
        }
        Ok(())
    }

    fn print_line(&self, line: &ConformLine, console: &mut Console) -> Result<(), Failure> {
        console.print(&json::to_line(line)?)?;
        if self.is_live {
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

    /// Prints what is left, and returns the text of the JUnit file.
    pub(super) fn finish(mut self, console: &mut Console) -> Result<Option<String>, Failure> {
        match self.format {
            FormatArg::Text => {
                self.print_block(console)?;
                let most = self.most;
                let plural = if most == 1 { "hypothesis" } else { "hypotheses" };
                let arrivals = self.arrivals.word();
                let last = format!("arrivals: {arrivals}; at most {most} {plural} of an agent");
                console.print(&format!("{}{}\n", self.counts.text(), style::aside(last)))?;
            }
            FormatArg::Json => {
                let conversations = std::mem::take(&mut self.objects).into_values().collect();
                let output = ConformOutput {
                    header: Header::new("conform"),
                    file: self.source.name().to_owned(),
                    arrivals: self.arrivals.into(),
                    conversations,
                };
                console.print(&json::to_text(&output)?)?;
            }
            FormatArg::Ndjson => {
                let Counts { all, conforms, so_far, stuck, violated, inconclusive } = self.counts;
                let summary = ConformEnd {
                    header: Header::new("conform"),
                    file: self.source.name().to_owned(),
                    arrivals: self.arrivals.into(),
                    conversations: all,
                    conforms,
                    so_far,
                    stuck,
                    violated,
                    inconclusive,
                };
                self.print_line(&ConformLine::End { summary }, console)?;
            }
        }
        Ok(self.cases.map(|cases| cases.text(self.source)).transpose()?)
    }
}

impl Counts {
    fn add(&mut self, verdict: Verdict) {
        self.all += 1;
        *match verdict {
            Verdict::Conforms => &mut self.conforms,
            Verdict::SoFar => &mut self.so_far,
            Verdict::Stuck => &mut self.stuck,
            Verdict::Violated => &mut self.violated,
            Verdict::Inconclusive => &mut self.inconclusive,
        } += 1;
    }

    fn take_back_conforming(&mut self) {
        self.all -= 1;
        self.conforms -= 1;
    }

    /// A line for people, if there is more than one conversation.
    fn text(&self) -> String {
        let Self { all, conforms, so_far, stuck, violated, inconclusive } = self;
        if *all <= 1 {
            return String::new();
        }
        let counts = [
            (conforms, if *conforms == 1 { "conforms" } else { "conform" }),
            (so_far, if *so_far == 1 { "conforms so far" } else { "conform so far" }),
            (stuck, "stuck"),
            (violated, "violated"),
            (inconclusive, "inconclusive"),
        ];
        let counts = counts.iter().filter(|(count, _)| **count > 0);
        let counts: Vec<String> = counts.map(|(count, words)| format!("{count} {words}")).collect();
        format!("{all} conversations: {}\n", counts.join(", "))
    }
}
