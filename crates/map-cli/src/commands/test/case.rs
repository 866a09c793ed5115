//! A test: a line that says what `map verify` should find, and the lines about properties below it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Parser;
use map_flags::{FairnessArg, UnusedLines, first_line};
use map_verify::{Fairness, Verdict};

use crate::again::CommandLine;
use crate::commands::verify::{self, Expected, Findings, SharedTime};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::json::TestVerdict;

/// A test.
pub(super) struct Case {
    /// The file that contains it.
    pub(super) file: String,
    /// Its line, from 1.
    pub(super) line: usize,
    /// Its text, without `//@`.
    pub(super) text: String,
    /// The dialogue.
    dialogue: PathBuf,
    /// The flags of the command line, as they stand there.
    flags: String,
    args: verify::Args,
    expected: Expected,
    properties: Vec<PropertyLine>,
    unused: UnusedLines,
}

/// `property NAME [weak|unfair] => EXPECTED`.
struct PropertyLine {
    name: String,
    /// The runs that count; `Fair` leaves it to the flags.
    fairness: Fairness,
    expected: String,
}

/// The outcome of a test.
pub(super) enum Outcome {
    /// Everything is as expected.
    AsExpected(Duration),
    /// Something is not; `found` are the lines that would be right.
    Differs { found: Vec<String>, took: Duration },
    /// Wherever something is not as expected, a limit was reached first; `found` is what was found there.
    Inconclusive { found: Vec<String>, took: Duration },
    /// The dialogue has errors, or cannot be read.
    Unusable(Vec<String>),
}

/// The flags of a line.
#[derive(Parser)]
#[command(name = "//@ verify", no_binary_name = true, disable_help_flag = true)]
struct Line {
    #[command(flatten)]
    args: verify::Args,
}

/// Why there are no lines about what never happens below a line about any number of agents.
const ABOUT_ANY: &str = "the line above is about any number of agents, and what never happens is known of one number: give \
                         this line a `//@ verify` with a number, such as --agents ROLE=3";

impl Case {
    /// Reads what stands behind `verify` in a line: a test for each cast that its flags ask for.
    pub(super) fn read(file: &str, line: usize, text: &str, dialogue: &Path) -> Result<Vec<Self>, String> {
        let (flags, expected) = text.rsplit_once("=>").ok_or("there is no `=>`")?;
        let flags = flags.trim().to_owned();
        let words = shlex::split(&flags).ok_or("a quote is not closed")?;
        let words = words.into_iter().map(OsString::from).chain(["--".into(), dialogue.into()]);
        let parsed = Line::try_parse_from(words).map_err(|error| first_line(&error))?;
        parsed.args.refuse_in_test()?;
        let wanted = Expected::read(expected)?;
        let of_cast = |args: verify::Args| {
            let flags = args.flags_with_own_cast(&parsed.args, &flags);
            let space = if flags.is_empty() { "" } else { " " };
            Self {
                file: file.to_owned(),
                line,
                text: format!("verify {flags}{space}=> {}", expected.trim()),
                dialogue: dialogue.to_owned(),
                flags,
                args,
                expected: wanted.clone(),
                properties: Vec::new(),
                unused: UnusedLines::default(),
            }
        };
        Ok(parsed.args.of_each_cast()?.into_iter().map(of_cast).collect())
    }

    /// Parses the rest of a line after `property`, and adds it to the test.
    pub(super) fn read_property(&mut self, text: &str) -> Result<(), String> {
        let (name, expected) = text.rsplit_once("=>").ok_or("there is no `=>`")?;
        let (name, fairness) = Fairness::of_marked(name);
        let line = PropertyLine { name: name.to_owned(), fairness, expected: expected.trim().to_owned() };
        self.properties.push(line);
        Ok(())
    }

    /// Parses a line about what never happens or is left unread, and adds it to the test.
    pub(super) fn read_unused(&mut self, line: &str) -> Result<(), String> {
        if self.args.has_any() {
            return Err(ABOUT_ANY.to_owned());
        }
        self.unused.read(line)
    }

    /// The command line that shows what `map verify` finds.
    pub(super) fn command(&self) -> String {
        let space = if self.flags.is_empty() { "" } else { " " };
        format!("{}{space}{}", CommandLine::new("verify", &self.dialogue).line(), self.flags)
    }

    /// Searches the dialogue and compares.
    pub(super) fn run(&self, interrupt: &Interrupt, time: &SharedTime) -> Result<Outcome, Failure> {
        let args = match self.properties.is_empty() {
            true => self.args.without_properties_of_any(),
            false => self.args.clone(),
        };
        let findings = match verify::find(&args, &self.dialogue, interrupt, time)? {
            Ok(findings) => findings,
            Err(why) => return Ok(Outcome::Unusable(why)),
        };
        // The cast of the file may ask for any number, too.
        if findings.unused.is_empty() && !self.unused.is_empty() {
            return Ok(Outcome::Unusable(vec![ABOUT_ANY.to_owned()]));
        }
        let mut took = findings.took;
        let mut in_other_runs = Vec::new();
        for (fairness, arg) in [(Fairness::Weak, FairnessArg::Weak), (Fairness::None, FairnessArg::None)] {
            if self.properties.iter().any(|line| line.fairness == fairness) {
                let again = verify::find(&self.args.in_runs(arg), &self.dialogue, interrupt, time)?.ok();
                took += again.as_ref().map_or(Duration::ZERO, |findings| findings.took);
                in_other_runs.push((fairness, again));
            }
        }
        let mut mismatches = Vec::new();
        // The expected violation may be the one with the shortest trace of all kinds, while this search stopped at the
        // first violation it found.
        let mut fits = self.expected.fits(&findings);
        let asks_for_all = !fits && self.expected.is_violation() || !self.unused.is_empty();
        let all = if asks_for_all && !findings.searched && !findings.is_open && !interrupt.is_set() {
            let all = verify::find(&self.args.to_the_end(), &self.dialogue, interrupt, time)?.ok();
            took += all.as_ref().map_or(Duration::ZERO, |all| all.took);
            fits |= all.as_ref().is_some_and(|all| self.expected.fits(all));
            all
        } else {
            None
        };
        if !fits {
            let space = if self.flags.is_empty() { "" } else { " " };
            let line = format!("//@ verify {}{space}=> {}", self.flags, findings.words());
            mismatches.push(Mismatch { line, is_open: findings.is_open });
        }
        let whole = all.as_ref().unwrap_or(&findings);
        for line in self.unused.right_lines(&whole.unused) {
            mismatches.push(Mismatch { line, is_open: !whole.searched });
        }
        for line in &self.properties {
            let findings = match line.fairness {
                Fairness::Fair => Some(&findings),
                wanted => {
                    let found = in_other_runs.iter().find(|(fairness, _)| *fairness == wanted);
                    found.and_then(|(_, findings)| findings.as_ref())
                }
            };
            let it = findings.and_then(|it| it.property(&line.name));
            let mark = line.fairness.mark();
            match it {
                Some(it) if same_words(it, &line.expected) => {}
                Some(it) => {
                    let line = format!("//@ property {}{mark} => {it}", line.name);
                    mismatches.push(Mismatch { line, is_open: is_open(it) });
                }
                None => {
                    let line = format!("there is no property {}", line.name);
                    mismatches.push(Mismatch { line, is_open: false });
                }
            }
        }
        let all_open = mismatches.iter().all(|it| it.is_open);
        let found: Vec<String> = mismatches.into_iter().map(|it| it.line).collect();
        Ok(match (found.is_empty(), all_open) {
            (true, _) => Outcome::AsExpected(took),
            (false, true) => Outcome::Inconclusive { found, took },
            (false, false) => Outcome::Differs { found, took },
        })
    }
}

/// Something that is not as expected.
struct Mismatch {
    /// The line that would be right.
    line: String,
    /// Whether a limit was reached first there.
    is_open: bool,
}

/// Whether these words for a property mean that a limit was reached first.
fn is_open(words: &str) -> bool {
    words == Verdict::Inconclusive.words()
}

/// Whether two comma-separated lists of words are equal up to order.
fn same_words(found: &str, expected: &str) -> bool {
    let words = |text: &str| {
        let mut words: Vec<String> = text.split(',').map(|it| it.trim().to_owned()).collect();
        words.sort_unstable();
        words
    };
    words(found) == words(expected)
}

impl Outcome {
    /// The exit code it stands for.
    pub(super) const fn exit(&self) -> Exit {
        match self {
            Self::AsExpected(_) => Exit::Fine,
            Self::Differs { .. } => Exit::Violation,
            Self::Inconclusive { .. } => Exit::Inconclusive,
            Self::Unusable(_) => Exit::Source,
        }
    }

    /// What came of the test.
    pub(super) const fn verdict(&self) -> TestVerdict {
        match self {
            Self::AsExpected(_) => TestVerdict::AsExpected,
            Self::Differs { .. } => TestVerdict::Differs,
            Self::Inconclusive { .. } => TestVerdict::Inconclusive,
            Self::Unusable(_) => TestVerdict::Error,
        }
    }

    /// Remarks for the user, one per line.
    pub(super) fn remarks(&self) -> Vec<String> {
        let lines = |found: &[String]| found.iter().map(|line| format!("found: {line}")).collect::<Vec<_>>();
        match self {
            Self::AsExpected(_) => Vec::new(),
            Self::Differs { found, .. } => lines(found),
            Self::Inconclusive { found, .. } => {
                [vec!["a limit came first".to_owned()], lines(found)].concat()
            }
            Self::Unusable(why) => why.clone(),
        }
    }

    pub(super) const fn took(&self) -> Duration {
        match self {
            Self::AsExpected(took) | Self::Differs { took, .. } | Self::Inconclusive { took, .. } => *took,
            Self::Unusable(_) => Duration::ZERO,
        }
    }
}

impl Expected {
    fn fits(&self, found: &Findings) -> bool {
        let steps = self.steps.is_none() || !found.shortest || self.steps == found.steps;
        let with = self.with.is_none() || self.with == found.with;
        self.verdict == found.verdict
            && self.possible == found.possible
            && self.cut == found.cut
            && self.may_overflow == found.may_overflow
            && steps
            && with
    }
}
