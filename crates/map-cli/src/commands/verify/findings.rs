//! The result of a search in the words of a test, and tests saved with that result.

use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use map_diagnostics::Severity;
use map_explain::Teller;
use map_session::{AnyVerdictWord, PropertyAnswer, PropertyState};
use map_verify::Verdict;

use super::any;
use super::args::Args;
use super::limits::SharedTime;
use super::searched::{Searched, search};
use super::task::Task;
use crate::again::CommandLine;
use crate::console::Console;
use crate::failure::Failure;
use crate::files::{check_place, write_besides};
use crate::input::is_stdin;
use crate::input::load;
use crate::interrupt::Interrupt;
use crate::names::{named, shown};
use crate::numbers::counted;
use map_flags::{FairnessArg, UnusedLines};

/// The verdicts that there are for any number of agents alone.
fn only_any() -> [&'static str; 2] {
    [AnyVerdictWord::NothingGoesWrong, AnyVerdictWord::NoProof].map(AnyVerdictWord::words)
}

/// What stands behind a proof for any number of agents as long as a mailbox may overflow.
const MAY_OVERFLOW: &str = "unless a mailbox overflows";

/// What a test expects of the verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::commands) struct Expected {
    pub(in crate::commands) verdict: String,
    pub(in crate::commands) possible: bool,
    pub(in crate::commands) cut: bool,
    /// See [`Findings::may_overflow`].
    pub(in crate::commands) may_overflow: bool,
    /// The length of the trace; not compared if absent.
    pub(in crate::commands) steps: Option<usize>,
    /// The cast with which any number of agents goes wrong, such as `bidder=2`; not compared if absent.
    pub(in crate::commands) with: Option<String>,
}

/// What a search found.
pub(in crate::commands) struct Findings {
    pub(in crate::commands) verdict: String,
    pub(in crate::commands) possible: bool,
    pub(in crate::commands) cut: bool,
    /// Whether, of a proof for any number of agents, a mailbox may overflow with a small number that was not verified.
    pub(in crate::commands) may_overflow: bool,
    pub(in crate::commands) steps: Option<usize>,
    /// Whether the trace is known to be a shortest one.
    pub(in crate::commands) shortest: bool,
    /// Whether every reachable state was expanded.
    pub(in crate::commands) searched: bool,
    /// Whether a limit came before the verdict.
    pub(in crate::commands) is_open: bool,
    /// The cast with which any number of agents goes wrong.
    pub(in crate::commands) with: Option<String>,
    pub(in crate::commands) took: Duration,
    /// For each property, its name and the words for what was found.
    properties: Vec<(String, String)>,
    /// What never happened, and what was left unread.
    pub(in crate::commands) unused: UnusedLines,
}

impl Expected {
    /// Parses the part after `=>`. Counts of states and transitions are for the tool's own tests and are ignored.
    pub(in crate::commands) fn read(text: &str) -> Result<Self, String> {
        let verdicts: Vec<&str> = Verdict::ALL.iter().map(|it| it.words()).chain(only_any()).collect();
        // A violation with some number of agents may be followed by that number.
        let (text, with) = match text.rsplit_once(", with ") {
            Some((text, with)) => (text, Some(with.trim().to_owned())),
            None => (text, None),
        };
        let mut items = text.split(',').map(str::trim);
        let verdict = items.next().unwrap_or_default().to_owned();
        if !verdicts.contains(&verdict.as_str()) {
            return Err(format!("`{verdict}` is no verdict; there are: {}", verdicts.join(", ")));
        }
        let mut expected =
            Self { verdict, possible: false, cut: false, may_overflow: false, steps: None, with };
        for item in items {
            let counted = item.strip_prefix("reduced to ").unwrap_or(item).split_once(' ');
            let number = counted.and_then(|(number, what)| Some((number.parse::<usize>().ok()?, what)));
            match (item, number) {
                ("possible", _) => expected.possible = true,
                ("cut", _) => expected.cut = true,
                (MAY_OVERFLOW, _) => expected.may_overflow = true,
                (_, Some((steps, "step" | "steps"))) => expected.steps = Some(steps),
                (_, Some((_, "state" | "states" | "transition" | "transitions" | "view" | "views"))) => {}
                _ => return Err(format!("`{item}` is not understood")),
            }
        }
        Ok(expected)
    }
}

impl Expected {
    /// Whether a violation is expected.
    pub(in crate::commands) fn is_violation(&self) -> bool {
        let without = [Verdict::Terminates, Verdict::TerminatesIfFair, Verdict::Inconclusive];
        without.iter().map(|it| it.words()).chain(only_any()).all(|words| words != self.verdict)
    }
}

impl Findings {
    /// The words for the verdict.
    pub(in crate::commands) fn words(&self) -> String {
        let mut words = self.verdict.clone();
        for (is_so, word) in
            [(self.possible, "possible"), (self.cut, "cut"), (self.may_overflow, MAY_OVERFLOW)]
        {
            if is_so {
                words.push_str(&format!(", {word}"));
            }
        }
        if let Some(steps) = self.steps {
            words.push_str(&format!(", {}", counted(steps as u64, "step").replace(',', "")));
        }
        if let Some(with) = &self.with {
            words.push_str(&format!(", with {with}"));
        }
        words
    }

    fn of_any(found: any::Found) -> Self {
        let any::Found { verdict, with, may_overflow, is_open, properties, took } = found;
        Self {
            verdict,
            possible: false,
            cut: false,
            may_overflow,
            steps: None,
            shortest: false,
            // Nothing else is to be found by going on.
            searched: true,
            is_open,
            with,
            took,
            properties,
            unused: UnusedLines::default(),
        }
    }

    /// The words for a property.
    pub(in crate::commands) fn property(&self, name: &str) -> Option<&str> {
        self.properties.iter().find(|(it, _)| it == name).map(|(_, words)| words.as_str())
    }

    /// Whether a limit was reached before the verdict or a property was decided.
    fn leaves_something_open(&self) -> bool {
        self.is_open || self.properties.iter().any(|(_, words)| words == "inconclusive")
    }
}

/// Searches a file. The inner error lists what is wrong with it, or with the flags.
pub(in crate::commands) fn find(
    args: &Args,
    file: &Path,
    interrupt: &Interrupt,
    time: &SharedTime,
) -> Result<Result<Findings, Vec<String>>, Failure> {
    let time = time.within(args.search.time_limit);
    let loaded = load(file, &args.scene.with_least(2), args.judge.wanted());
    let Some(program) = &loaded.program else {
        let errors = loaded.diagnostics.iter().filter(|it| it.severity() == Severity::Error);
        return Ok(Err(errors.map(|it| format!("{}: {}", loaded.source.name(), it.text)).collect()));
    };
    let any = match args.scene.any_in(&loaded.source) {
        Ok(any) => any,
        Err(why) => return Ok(Err(vec![why])),
    };
    if !any.is_empty() {
        return Ok(match any::find(args, &any, (file, &loaded), interrupt, &time)? {
            Ok(found) => Ok(Findings::of_any(found)),
            Err(why) => Err(vec![why]),
        });
    }
    let bounds = match args.bounds.resolve(program) {
        Ok(bounds) => bounds,
        Err(why) => return Ok(Err(vec![why])),
    };
    let scene = loaded.scene(bounds).expect("it has a program");
    let task = Task { args, file, loaded: &loaded, scene, interrupt, time: &time, checkpoints: None };
    Ok(Ok(search(&task, None)?.findings()))
}

impl Args {
    /// Refuses flags that make no sense in a test.
    pub(in crate::commands) fn refuse_in_test(&self) -> Result<(), String> {
        let refused = [
            ("--save-trace", self.save.save_trace.is_some()),
            ("--save-test", self.save_test.is_some()),
            ("--junit", self.junit.is_some()),
            ("--report", self.report.is_some()),
            ("--weather", self.weather),
            ("--properties-only", self.properties_only),
            ("--with", self.with.is_some()),
            ("--deny", !self.deny.is_empty()),
        ];
        if let Some((flag, _)) = refused.into_iter().find(|(_, is_given)| *is_given) {
            return Err(format!("{flag} has no place in a test"));
        }
        let any = self.scene.any()?;
        if !any.is_empty() {
            any::check(self)?;
        }
        if any.len() > 1 {
            return Err("a test is about any number of agents of one role at a time".to_owned());
        }
        if self.files.len() > 1 {
            return Err("a test is about the file it stands in, and names none".to_owned());
        }
        Ok(())
    }

    /// The same arguments; about any number of agents of a role, properties are not judged.
    pub(in crate::commands) fn without_properties_of_any(&self) -> Self {
        let mut args = self.clone();
        args.judge.no_properties |= self.scene.any().is_ok_and(|any| !any.is_empty());
        args
    }

    /// Whether the flags ask about any number of agents of a role.
    pub(in crate::commands) fn has_any(&self) -> bool {
        self.scene.any().is_ok_and(|any| !any.is_empty())
    }

    /// The same arguments for each of the casts that they ask for.
    pub(in crate::commands) fn of_each_cast(&self) -> Result<Vec<Self>, String> {
        let casts = self.scene.casts()?.into_iter();
        Ok(casts.map(|cast| Self { scene: cast.args, ..self.clone() }).collect())
    }

    /// The flags that stand for `whole`, with the numbers of agents of this cast where they have several.
    pub(in crate::commands) fn flags_with_own_cast(&self, whole: &Self, flags: &str) -> String {
        let pairs = whole.scene.agents.iter().zip(&self.scene.agents).filter(|(several, one)| several != one);
        pairs.fold(flags.to_owned(), |flags, (several, one)| {
            flags.replacen(&several.to_string(), &one.to_string(), 1)
        })
    }

    /// The same arguments, for a search that goes on after a violation.
    pub(in crate::commands) fn to_the_end(&self) -> Self {
        let mut args = self.clone();
        args.search.keep_going = true;
        args
    }

    /// The same arguments, with properties that have to hold in these runs.
    pub(in crate::commands) fn in_runs(&self, fairness: FairnessArg) -> Self {
        let mut args = self.clone();
        args.judge.fairness = fairness;
        args
    }
}

impl Searched<'_> {
    fn findings(&self) -> Findings {
        let violation = self.found.violation();
        let properties = self.found.properties.iter().map(|(entry, answer)| {
            let words = match answer {
                PropertyAnswer::Refused | PropertyAnswer::OfOtherScene => refusal(&entry.state),
                PropertyAnswer::Judged(judged, _) => judged.words(),
            };
            (entry.name.clone(), words)
        });
        Findings {
            verdict: self.found.report.verdict.words().to_owned(),
            possible: violation.is_some_and(|violation| violation.possible),
            cut: !self.found.report.cut_by.is_empty(),
            may_overflow: false,
            steps: violation.map(|violation| violation.steps),
            shortest: self.found.shortest,
            searched: self.found.report.searched,
            is_open: self.found.report.verdict == Verdict::Inconclusive,
            with: None,
            took: self.found.figures.took,
            properties: properties.collect(),
            unused: self.unused_lines(),
        }
    }

    /// What never happened, and what was left unread, in the words of lines of a test.
    fn unused_lines(&self) -> UnusedLines {
        let teller = Teller::new(&self.found.scene.source, self.program());
        let (program, unused) = (self.program(), &self.found.report.unused);
        UnusedLines::found(
            unused.clauses.iter().map(|&clause| {
                let head = program.clause(clause).head_span;
                self.found.scene.source.text()[head.start as usize..head.end as usize].to_owned()
            }),
            unused.agents.iter().map(|&agent| teller.agent(agent)),
            unused.unread.iter().map(|&(performative, agent)| {
                let of = program.performative(performative);
                format!("{}/{} by {}", of.name, of.arity, teller.agent(agent))
            }),
        )
    }

    /// Saves a test that expects what was found, if `--save-test` is given.
    pub(super) fn save_test(&self, console: &mut Console) -> Result<(), Failure> {
        let Some(target) = &self.args.save_test else { return Ok(()) };
        let findings = self.findings();
        if findings.leaves_something_open() {
            console.complain(&format!("no test is saved to {}: a limit came first\n", shown(target)))?;
            return Ok(());
        }
        let flags = self.flags();
        let space = if flags.is_empty() { "" } else { " " };
        let mut text = format!(
            "// A test saved by map {}: `map test` verifies the file again and compares.\n\
             // What is expected is what was found. Once a defect is mended, write here what is right.\n\
             //@ file {}\n//@ verify {flags}{space}=> {}\n",
            env!("CARGO_PKG_VERSION"),
            from_folder_of(target, &named(Path::new(""), self.found.scene.source.name())),
            findings.words()
        );
        let mark = self.args.judge.fairness.fairness().mark();
        for (name, words) in findings.properties.iter().filter(|(_, words)| !words.starts_with("refused")) {
            text.push_str(&format!("//@ property {name}{mark} => {words}\n"));
        }
        write_besides("the test", target, &text, console).map(|_| ())
    }

    /// The flags on which the result depends.
    fn flags(&self) -> String {
        let mut words = CommandLine::new("verify", Path::new("-"));
        words.scene(&self.args.scene);
        words.bounds(&self.args.bounds);
        if self.args.judge.no_properties {
            words.switch("no-properties");
        }
        for name in &self.args.judge.only {
            words.flag("only", name);
        }
        for formula in &self.args.judge.properties {
            words.flag("property", formula);
        }
        words.flags()
    }
}

/// What is wrong with the name of a file to save a test of that dialogue to.
pub(super) fn check_target(target: &Path, dialogue: &Path) -> Result<(), String> {
    if target.extension().is_none_or(|it| !it.eq_ignore_ascii_case("maptest")) {
        return Err(format!(
            "--save-test {}: give it a name that ends in .maptest, where `map test` finds it",
            shown(target)
        ));
    }
    if is_stdin(dialogue) {
        return Err("--save-test: a test names its dialogue, and this is standard input".to_owned());
    }
    check_place("--save-test", target, [dialogue])
}

/// The words for a property that cannot be judged: `refused` and the codes that say why.
fn refusal(state: &PropertyState) -> String {
    let PropertyState::Refused(_, diagnostics) = state else { return "refused".to_owned() };
    let codes: Vec<&str> = diagnostics.iter().map(|it| it.code.as_str()).collect();
    format!("refused {}", codes.join(" "))
}

/// A path as it is seen from the folder of another file.
fn from_folder_of(file: &Path, path: &Path) -> String {
    let folder = file.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let whole = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let (from, to) = (whole(folder), whole(path));
    let from: Vec<Component<'_>> = from.components().collect();
    let to: Vec<Component<'_>> = to.components().collect();
    let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n(Component::ParentDir, from.len() - common);
    let relative: PathBuf = up.chain(to[common..].iter().copied()).collect();
    let name = shown(&relative);
    if cfg!(windows) { name.replace('\\', "/") } else { name }
}
