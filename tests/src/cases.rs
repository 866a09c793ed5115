//! The expectations that `.map` files carry in their first lines, as `map test` reads them.
//!
//! ```text
//! //@ verify --agents bidder=2 --rounds bidloop=2 => deadlock, 7 steps, 41 states, 93 transitions
//! ```
//!
//! What stands behind the arrow is a [`VerdictLine`]; here its numbers of states and transitions are compared, too,
//! which are those of the complete search without reductions. Such a line is followed by those about properties and
//! about what never happens.

use std::path::{Path, PathBuf};

use libtest_mimic::Trial;
use map_flags::{CastArg, Expectation, SearchArgs, VerdictLine, said};
use map_semantics::{Network, Timeouts};
use map_syntax::parse_constant;
use map_testkit::oracle::{FirstValue, OracleOptions};

use crate::documentation::root;
use crate::engines::Findings;

/// One `//@ verify` line, with the following lines that belong to it.
#[derive(Clone, Debug)]
pub struct Case {
    /// The file.
    pub path: PathBuf,
    /// The options for its flags. If it asks for any number of agents of a role, for the other flags.
    pub options: OracleOptions,
    /// What is expected.
    pub expectation: Expectation,
}

/// The most states that a case may need.
const MAX_STATES: usize = 2_000_000;

/// A line about any number of agents of a role.
pub struct AnyCase {
    /// The role.
    pub role: String,
    /// The least number of its agents.
    pub from: u32,
    /// The options for the other flags.
    pub options: OracleOptions,
    /// What is expected: a verdict, and perhaps the cast that has a violation.
    pub expected: VerdictLine,
}

/// The cases of a file, read from its `//@` lines. Those about any number of agents are not among them.
///
/// # Errors
/// If such a line is invalid.
pub fn cases(path: &Path, text: &str) -> Result<Vec<Case>, String> {
    let mut all = read(path, said(text).map(|line| line.words).filter(|words| !words.starts_with("large ")))?;
    all.retain(|case| !is_of_any(case));
    Ok(all)
}

/// The lines of a file about any number of agents of a role.
///
/// # Errors
/// If such a line is invalid.
pub fn cases_of_any(text: &str) -> Result<Vec<AnyCase>, String> {
    let verify = said(text).map(|line| line.words).filter(|words| words.starts_with("verify"));
    let all = read(Path::new(""), verify)?;
    let of_any = |case: Case| {
        let any = case.expectation.args.scene.any().ok()?.pop()?;
        let (options, expected) = (case.options, case.expectation.expected);
        Some(AnyCase { role: any.role, from: any.from, options, expected })
    };
    Ok(all.into_iter().filter_map(of_any).collect())
}

/// The large cases of a file, in lines such as `//@ large --agents bidder=7 => terminates, reduced to 188210 states`:
/// only the search with all reductions can handle them.
///
/// # Errors
/// If such a line is invalid.
pub fn large_cases(path: &Path, text: &str) -> Result<Vec<Case>, String> {
    let large = said(text).filter_map(|line| line.words.strip_prefix("large "));
    let lines: Vec<String> = large.map(|line| format!("verify {line}")).collect();
    read(path, lines.iter().map(String::as_str))
}

fn is_of_any(case: &Case) -> bool {
    case.expectation.args.scene.agents.iter().any(|cast| matches!(cast, CastArg::Any { .. }))
}

/// Reads the words of lines.
fn read<'a>(path: &Path, lines: impl Iterator<Item = &'a str>) -> Result<Vec<Case>, String> {
    let mut all: Vec<Case> = Vec::new();
    for line in lines {
        add(path, line, &mut all).map_err(|error| format!("{}: `//@ {line}`: {error}", path.display()))?;
    }
    Ok(all)
}

/// Reads the words of a line, and adds them to the cases read so far.
fn add(path: &Path, line: &str, all: &mut Vec<Case>) -> Result<(), String> {
    if let Some(line) = line.strip_prefix("verify") {
        for expectation in Expectation::read(line)? {
            all.push(Case { path: path.to_owned(), options: options(&expectation.args)?, expectation });
        }
        return Ok(());
    }
    let Case { expectation, .. } = all.last_mut().ok_or("no `//@ verify` above")?;
    expectation.read_below(line)
}

/// The options of the oracle for these flags.
fn options(args: &SearchArgs) -> Result<OracleOptions, String> {
    let mut options = OracleOptions::new(MAX_STATES);
    for cast in &args.scene.agents {
        if let CastArg::Exactly(cast) = cast {
            let count = u32::try_from(cast.count).map_err(|_| format!("{cast}: too many"))?;
            options.agents.push((cast.name.clone(), count));
        }
    }
    for given in &args.scene.set {
        let value = parse_constant(&given.value).map_err(|why| format!("{given}: {why}"))?;
        let (role, cell, text) = (given.role.clone(), given.cell.clone(), given.value.clone());
        options.set.push(FirstValue { role, cell, text, value });
    }
    let rounds = args.bounds.rounds.iter();
    options.rounds = rounds.clone().find(|rounds| rounds.constant.is_none()).map(|rounds| rounds.limit);
    options.rounds_of = rounds.filter_map(|rounds| Some((rounds.constant.clone()?, rounds.limit))).collect();
    options.depth = args.bounds.depth;
    options.mailbox = args.bounds.mailbox;
    options.scene = args.scene.scene().map(str::to_owned);
    options.max_states = args.limits.max_states.map_or(MAX_STATES, |states| states as usize);
    options.any_time = args.bounds.timeouts.timeouts() == Timeouts::Any;
    Network {
        unordered: options.unordered,
        delayed: options.delayed,
        losses: options.losses,
        crashes: options.crashes,
    } = args.bounds.network;
    Ok(options)
}

/// What stands behind the arrow of a line that matches the findings of a search, with all numbers.
#[must_use]
pub fn verdict_line(findings: &Findings) -> VerdictLine {
    let first = findings.violations.first();
    VerdictLine {
        verdict: findings.verdict.clone(),
        possible: first.is_some_and(|violation| violation.2),
        cut: findings.cut,
        steps: first.map(|violation| violation.1 as usize),
        states: Some(findings.states),
        transitions: Some(findings.transitions),
        ..VerdictLine::default()
    }
}

/// The tests for every `.map` file in `protocols/`, `examples/` and `tests/cases/`, made by `trials_of` from the file's
/// name, text and cases. A file with an invalid line, or without any case, even a large one, becomes a test that fails.
///
/// # Panics
/// If the folders cannot be read, or a file is no text.
pub fn trials_of_all_cases(trials_of: impl Fn(&str, &str, Vec<Case>) -> Vec<Trial>) -> Vec<Trial> {
    let root = root();
    let mut trials = Vec::new();
    for folder in ["protocols", "examples", "tests/cases"] {
        for path in map_files(&root.join(folder)).expect("the folder is part of the repository") {
            let name = path.strip_prefix(&root).unwrap_or(&path).display().to_string();
            let text = std::fs::read_to_string(&path).expect("case files are UTF-8 text");
            match cases(&path, &text) {
                Ok(found) if found.is_empty() && !text.starts_with("//@ large ") => {
                    trials.push(Trial::test(name, || Err("the file has no `//@ verify` line".into())));
                }
                Ok(found) => trials.extend(trials_of(&name, &text, found)),
                Err(error) => trials.push(Trial::test(name, move || Err(error.into()))),
            }
        }
    }
    trials
}

/// The names and texts of all `.map` files below a folder of the repository, sorted.
///
/// # Panics
/// If the folder cannot be read, or a file is no text.
#[must_use]
pub fn texts(folder: &str) -> Vec<(String, String)> {
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("case files are UTF-8 text");
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        (name, text)
    };
    let paths = map_files(&root().join(folder)).expect("the folder is part of the repository");
    paths.into_iter().map(read).collect()
}

/// All `.map` files below a folder, sorted.
///
/// # Errors
/// If the folder cannot be read.
pub fn map_files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                // Packages of JavaScript have source maps, which end in `.map`, too.
                if !path.ends_with("node_modules") {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|extension| extension == "map") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}
