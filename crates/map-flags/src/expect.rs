//! What lines `//@` of a file expect, and whether it is found.
//!
//! ```text
//! //@ verify --agents bidder=2 => deadlock, 7 steps
//! //@ property single_winner => holds
//! //@ cost tokens => 2200..4200
//! //@ never acts => !Guest1
//! ```

mod findings;
mod verdict_line;

use std::sync::Arc;
use std::time::Duration;

use map_diagnostics::SourceFile;
use map_verify::{Fairness, InternalError, Verdict};

use crate::any::refuse_beside_any;
use crate::host::Host;
use crate::search::{FairnessArg, SearchArgs};
use crate::unused::UnusedLines;

pub use self::findings::Findings;
pub use self::verdict_line::VerdictLine;

/// A line `//@ verify` with one cast, and the lines that belong to it.
#[derive(Clone, Debug)]
pub struct Expectation {
    /// Its text, without `//@`.
    pub text: String,
    /// The flags, as they stand there.
    pub flags: String,
    /// What they mean.
    pub args: SearchArgs,
    /// What is expected of the verdict.
    pub expected: VerdictLine,
    /// What is expected of properties.
    pub properties: Vec<ExpectedProperty>,
    /// What is expected of costs: the name of each, and its range.
    pub costs: Vec<(String, String)>,
    /// What is expected never to happen.
    pub unused: UnusedLines,
}

/// `property NAME [weak|unfair] => EXPECTED`.
#[derive(Clone, Debug)]
pub struct ExpectedProperty {
    /// The property.
    pub name: String,
    /// The runs that count; `Fair` leaves it to the flags.
    pub fairness: Fairness,
    /// The verdict in words; then `N steps` of the counterexample or witness, `possible`, `vacuous` (some premise never
    /// holds), `loop at N` (the steps from there on are repeated for ever).
    pub expected: String,
}

/// Whether what is expected is found.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// All of it; how long that took.
    AsExpected(Duration),
    /// Not all of it.
    Differs {
        /// The lines that would be right.
        found: Vec<String>,
        /// How long it took.
        took: Duration,
    },
    /// Wherever something is not as expected, a limit was reached first.
    Inconclusive {
        /// What was found there.
        found: Vec<String>,
        /// How long it took.
        took: Duration,
    },
    /// Nothing was verified; what is wrong with the text or with the flags.
    Unusable(Vec<String>),
}

/// Flags of `map verify` that make no sense in a file.
const REFUSED: [&str; 8] = [
    "--save-trace",
    "--save-test",
    "--junit",
    "--report",
    "--weather",
    "--properties-only",
    "--with",
    "--deny",
];

/// Why there are no lines about what never happens below a line about any number of agents.
const ABOUT_ANY: &str = "the line above is about any number of agents, and what never happens is known of one number: give \
                         this line a `//@ verify` with a number, such as --agents ROLE=3";

impl Expectation {
    /// Reads what stands behind `verify` in a line: an expectation for each cast that its flags ask for.
    ///
    /// # Errors
    /// What is wrong with the line.
    pub fn read(text: &str) -> Result<Vec<Self>, String> {
        let (flags, expected) = text.rsplit_once("=>").ok_or("there is no `=>`")?;
        let flags = flags.trim();
        let is_given =
            |flag: &&&str| flags.split_whitespace().any(|word| word.split('=').next() == Some(flag));
        if let Some(flag) = REFUSED.iter().find(is_given) {
            return Err(format!("{flag} has no place in a test"));
        }
        let whole = SearchArgs::read(flags).map_err(|why| {
            let of_word = why.strip_prefix("unexpected argument '").filter(|word| !word.starts_with('-'));
            of_word
                .map_or(why.clone(), |_| "a test is about the file it stands in, and names none".to_owned())
        })?;
        let any = whole.scene.any()?;
        if !any.is_empty() {
            refuse_beside_any(any.first(), &whole.bounds)?;
        }
        if any.len() > 1 {
            return Err("a test is about any number of agents of one role at a time".to_owned());
        }
        let wanted = VerdictLine::read(expected)?;
        let of_cast = |args: SearchArgs| {
            let flags = with_own_cast(flags, &whole, &args);
            let space = if flags.is_empty() { "" } else { " " };
            Self {
                text: format!("verify {flags}{space}=> {}", expected.trim()),
                flags,
                args,
                expected: wanted.clone(),
                properties: Vec::new(),
                costs: Vec::new(),
                unused: UnusedLines::default(),
            }
        };
        let casts = whole.scene.casts()?.into_iter();
        Ok(casts.map(|cast| of_cast(SearchArgs { scene: cast.args, ..whole.clone() })).collect())
    }

    /// Adds a line below: about a property, a cost, or what never happens.
    ///
    /// # Errors
    /// What is wrong with the line.
    pub fn read_below(&mut self, line: &str) -> Result<(), String> {
        match line.split_once(char::is_whitespace) {
            Some(("property", rest)) => self.read_property(rest),
            Some(("cost", rest)) => self.read_cost(rest),
            _ => self.read_unused(line),
        }
    }

    /// Adds what stands behind `property` in a line below.
    ///
    /// # Errors
    /// What is wrong with the line.
    fn read_property(&mut self, text: &str) -> Result<(), String> {
        let (name, expected) = text.rsplit_once("=>").ok_or("there is no `=>`")?;
        let (name, fairness) = Fairness::of_marked(name);
        let (name, expected) = (name.to_owned(), expected.trim().to_owned());
        self.properties.push(ExpectedProperty { name, fairness, expected });
        Ok(())
    }

    /// Adds what stands behind `cost` in a line below: `NAME => 2200..4200`. What is left out at the left is the cost
    /// of a dialogue that ends well, if none does; at the right, the bound if there is none.
    ///
    /// # Errors
    /// What is wrong with the line.
    fn read_cost(&mut self, text: &str) -> Result<(), String> {
        if self.has_any() {
            return Err("costs are added up for one number of agents: give this line a `//@ verify` with a number, such as \
                        --agents ROLE=3"
                .to_owned());
        }
        let (name, expected) = text.rsplit_once("=>").ok_or("there is no `=>`")?;
        let name = name.trim().to_owned();
        // Those that every text has, and measures, are added up only if they are asked for: those of a role together.
        let of_all = name.split_once('(').map_or(&*name, |(of_all, _)| of_all);
        self.args.judge.collect.push(of_all.to_owned());
        self.costs.push((name, expected.trim().to_owned()));
        Ok(())
    }

    /// Adds a line below about what never happens, or is left unread.
    ///
    /// # Errors
    /// What is wrong with the line.
    fn read_unused(&mut self, line: &str) -> Result<(), String> {
        if self.has_any() {
            return Err(ABOUT_ANY.to_owned());
        }
        self.unused.read(line)
    }

    /// Whether the flags ask about any number of agents of a role.
    fn has_any(&self) -> bool {
        self.args.scene.any().is_ok_and(|any| !any.is_empty())
    }

    /// Verifies the text, and compares.
    ///
    /// # Errors
    /// If the engine contradicts itself.
    pub fn judge(&self, source: &Arc<SourceFile>, host: &impl Host) -> Result<Outcome, InternalError> {
        let find = |args: &SearchArgs| Findings::of(args, source, host);
        let mut args = self.args.clone();
        args.judge.no_properties |= self.properties.is_empty() && self.has_any();
        let findings = match find(&args)? {
            Ok(findings) => findings,
            Err(why) => return Ok(Outcome::Unusable(why)),
        };
        // The cast of the text may ask for any number, too.
        if findings.unused.is_empty() && !self.unused.is_empty() {
            return Ok(Outcome::Unusable(vec![ABOUT_ANY.to_owned()]));
        }
        let mut took = findings.took;
        let mut in_other_runs = Vec::new();
        for (fairness, arg) in [(Fairness::Weak, FairnessArg::Weak), (Fairness::None, FairnessArg::None)] {
            if self.properties.iter().any(|line| line.fairness == fairness) {
                let mut args = self.args.clone();
                args.judge.fairness = arg;
                let again = find(&args)?.ok();
                took += again.as_ref().map_or(Duration::ZERO, |findings| findings.took);
                in_other_runs.push((fairness, again));
            }
        }
        // The expected violation may be the one with the shortest trace of all kinds, while this search stopped at the
        // first violation it found.
        let mut fits = findings.fits(&self.expected);
        let asks_for_all = !fits && self.expected.is_violation() || !self.unused.is_empty();
        let all = if asks_for_all && !findings.searched && !findings.is_open && !host.is_stopped() {
            let mut args = self.args.clone();
            args.limits.keep_going = true;
            find(&args)?.ok()
        } else {
            None
        };
        if let Some(all) = &all {
            took += all.took;
            fits |= all.fits(&self.expected);
        }
        let mut differences = Differences::default();
        if !fits {
            let space = if self.flags.is_empty() { "" } else { " " };
            let line = format!("//@ verify {}{space}=> {}", self.flags, findings.line);
            differences.add(line, findings.is_open);
        }
        let whole = all.as_ref().unwrap_or(&findings);
        for line in self.unused.right_lines(&whole.unused) {
            differences.add(line, !whole.searched);
        }
        for line in &self.properties {
            let of_runs = match line.fairness {
                Fairness::Fair => Some(&findings),
                wanted => in_other_runs.iter().find(|(it, _)| *it == wanted).and_then(|(_, it)| it.as_ref()),
            };
            match of_runs.and_then(|findings| findings.property(&line.name)) {
                Some(words) if same_words(words, &line.expected) => {}
                Some(words) => {
                    let mark = line.fairness.mark();
                    let right = format!("//@ property {}{mark} => {words}", line.name);
                    differences.add(right, words == Verdict::Inconclusive.words());
                }
                None => differences.add(format!("there is no property {}", line.name), false),
            }
        }
        for (name, expected) in &self.costs {
            match findings.costs.iter().find(|(known, _)| known == name) {
                Some((_, words)) if same_words(words, expected) => {}
                Some((_, words)) => {
                    let is_open = words == Verdict::Inconclusive.words();
                    differences.add(format!("//@ cost {name} => {words}"), is_open);
                }
                None => differences.add(format!("there is no cost {name}"), false),
            }
        }
        Ok(differences.outcome(took))
    }
}

/// The flags that stand for `whole`, with the numbers of agents of `one` cast where they have several.
fn with_own_cast(flags: &str, whole: &SearchArgs, one: &SearchArgs) -> String {
    let pairs = whole.scene.agents.iter().zip(&one.scene.agents).filter(|(several, one)| several != one);
    pairs.fold(flags.to_owned(), |flags, (several, one)| {
        flags.replacen(&several.to_string(), &one.to_string(), 1)
    })
}

/// Whether two comma-separated lists of words are equal up to order.
fn same_words(found: &str, expected: &str) -> bool {
    let words = |text: &str| {
        let mut words: Vec<String> = text.split(',').map(|word| word.trim().to_owned()).collect();
        words.sort_unstable();
        words
    };
    words(found) == words(expected)
}

/// What is not as expected.
#[derive(Default)]
struct Differences {
    /// The lines that would be right.
    right: Vec<String>,
    /// Whether something differs although no limit was reached first.
    is_certain: bool,
}

impl Differences {
    fn add(&mut self, right: String, is_open: bool) {
        self.right.push(right);
        self.is_certain |= !is_open;
    }

    fn outcome(self, took: Duration) -> Outcome {
        let Self { right: found, is_certain } = self;
        match (found.is_empty(), is_certain) {
            (true, _) => Outcome::AsExpected(took),
            (false, true) => Outcome::Differs { found, took },
            (false, false) => Outcome::Inconclusive { found, took },
        }
    }
}

impl Outcome {
    /// Remarks for people, one a line.
    #[must_use]
    pub fn remarks(&self) -> Vec<String> {
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

    /// How long it took.
    #[must_use]
    pub const fn took(&self) -> Duration {
        match self {
            Self::AsExpected(took) | Self::Differs { took, .. } | Self::Inconclusive { took, .. } => *took,
            Self::Unusable(_) => Duration::ZERO,
        }
    }
}
