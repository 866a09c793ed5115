//! The expectations that `.map` files carry in their first lines.
//!
//! ```text
//! //@ verify --agents bidder=2 --rounds bidloop=2 => deadlock, 7 steps, 41 states, 93 transitions
//! ```
//!
//! After the arrow comes the verdict, then in any order: `possible`, `cut` (within the bounds), `N steps` of the
//! shortest trace, `N states` and `N transitions` of the complete search without reductions, `reduced to N states` of
//! the search with all of them. Numbers that are not given are not compared; `possible` and `cut` always are. Such a
//! line is followed by those about properties (`property_cases`) and about what never happens ([`UnusedLines`]).

use std::path::{Path, PathBuf};

use libtest_mimic::Trial;
use map_testkit::oracle::OracleOptions;

use crate::documentation::root;
use crate::engines::Findings;
use crate::property_cases::PropertyCase;
use map_flags::UnusedLines;

/// One `//@ verify` line, with the following lines that belong to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The file.
    pub path: PathBuf,
    /// The text between `verify` and the arrow.
    pub flags: String,
    /// The options for these flags.
    pub options: OracleOptions,
    /// What is expected.
    pub expected: ExpectedVerdict,
    /// The expectations about its properties.
    pub properties: Vec<PropertyCase>,
    /// The expectations about what never happens.
    pub unused: UnusedLines,
}

/// What a case expects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExpectedVerdict {
    /// The verdict in words.
    pub verdict: String,
    /// The violation depends on an open comparison.
    pub possible: bool,
    /// Some step was cut by a bound.
    pub cut: bool,
    /// Steps of the shortest trace.
    pub steps: Option<u32>,
    /// States of the complete search.
    pub states: Option<usize>,
    /// Transitions of the complete search.
    pub transitions: Option<usize>,
    /// States of the search with all reductions.
    pub reduced: Option<usize>,
}

/// The most states that a case may need.
const MAX_STATES: usize = 2_000_000;

/// The cases of a file, read from its `//@` lines.
///
/// # Errors
/// If such a line is invalid.
pub fn cases(path: &Path, text: &str) -> Result<Vec<Case>, String> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("//@")).map(str::trim);
    // Lines about properties belong to the line above, which may be about any number of agents.
    let mut is_any = false;
    let lines = lines.filter(|line| {
        if line.starts_with("verify") {
            is_any = any_number(line).is_some();
        }
        !line.starts_with("large ") && !is_any
    });
    all(path, lines)
}

/// A line about any number of agents of a role.
pub struct AnyCase {
    /// The role.
    pub role: String,
    /// The least number of its agents.
    pub from: u32,
    /// The options for the other flags.
    pub options: OracleOptions,
    /// What is expected: a verdict in words, and perhaps the cast that has a violation.
    pub expected: String,
}

/// The flags, the role with its number, and what is expected, of a line such as `verify --agents bidder=any => ..`.
fn any_number(line: &str) -> Option<(&str, &str, &str)> {
    let (flags, expected) = line.strip_prefix("verify")?.split_once("=>")?;
    let cast = flags.split_whitespace().find(|word| word.contains('=') && word.ends_with("any"))?;
    Some((flags, cast, expected.trim()))
}

/// The lines of a file about any number of agents of a role.
///
/// # Errors
/// If such a line is invalid.
pub fn cases_of_any(text: &str) -> Result<Vec<AnyCase>, String> {
    let lines = text.lines().filter_map(|line| any_number(line.strip_prefix("//@")?.trim()));
    let read = |(flags, cast, expected): (&str, &str, &str)| {
        let (role, count) = cast.split_once('=').ok_or("no role")?;
        let from = match count.strip_suffix("..any") {
            Some(from) => number(from)?,
            None => 1,
        };
        let others = flags.replacen(&format!("--agents {cast}"), "", 1);
        let options = options(&others)?;
        Ok(AnyCase { role: role.to_owned(), from, options, expected: expected.to_owned() })
    };
    lines.map(read).collect()
}

/// The large cases of a file, in lines such as `//@ large --agents bidder=7 => terminates, reduced to 188210 states`:
/// only the search with all reductions can handle them.
///
/// # Errors
/// If such a line is invalid.
pub fn large_cases(path: &Path, text: &str) -> Result<Vec<Case>, String> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("//@ large "));
    let lines: Vec<String> = lines.map(|line| format!("verify {line}")).collect();
    all(path, lines.iter().map(String::as_str))
}

fn all<'a>(path: &Path, lines: impl Iterator<Item = &'a str>) -> Result<Vec<Case>, String> {
    let mut found: Vec<Case> = Vec::new();
    for line in lines {
        read(path, line, &mut found).map_err(|error| format!("{}: `//@ {line}`: {error}", path.display()))?;
    }
    Ok(found)
}

/// Parses one line, and adds it to the cases found so far.
fn read(path: &Path, line: &str, found: &mut Vec<Case>) -> Result<(), String> {
    if let Some(line) = line.strip_prefix("verify") {
        let (flags, expected) = line.split_once("=>").ok_or("no `=>`")?;
        let flags = flags.trim().to_owned();
        found.push(Case {
            path: path.to_owned(),
            options: options(&flags)?,
            flags,
            expected: parse_expected(expected)?,
            properties: Vec::new(),
            unused: UnusedLines::default(),
        });
        return Ok(());
    }
    let case = found.last_mut().ok_or("no `//@ verify` above")?;
    match line.strip_prefix("property ") {
        Some(property) => case.properties.push(PropertyCase::read(property)?),
        None => case.unused.read(line)?,
    }
    Ok(())
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

fn options(flags: &str) -> Result<OracleOptions, String> {
    let mut options = OracleOptions::new(MAX_STATES);
    let mut words = flags.split_whitespace();
    while let Some(flag) = words.next() {
        let value = words.next().ok_or_else(|| format!("`{flag}` without a value"))?;
        match flag {
            "--agents" => options.agents.push(named(value)?),
            "--rounds" if value.contains('=') => options.rounds_of.push(named(value)?),
            "--rounds" => options.rounds = Some(number(value)?),
            "--depth" => options.depth = number(value)?,
            "--mailbox" => options.mailbox = number(value)?,
            "--scene" => options.scene = Some(value.to_owned()),
            "--max-states" => options.max_states = number(value)?,
            "--timeouts" => options.any_time = value == "any",
            "--network" => network(value, &mut options)?,
            _ => return Err(format!("unknown flag `{flag}`")),
        }
    }
    Ok(options)
}

fn network(text: &str, options: &mut OracleOptions) -> Result<(), String> {
    for word in text.split(',') {
        match word.split_once(':') {
            None if word == "unordered" => options.unordered = true,
            None if word == "delayed" => options.delayed = true,
            Some(("lossy", most)) => options.losses = number(most)?,
            Some(("crash", most)) => options.crashes = number(most)?,
            _ => return Err(format!("`{word}` is no network")),
        }
    }
    Ok(())
}

fn named(text: &str) -> Result<(String, u32), String> {
    let (name, count) = text.split_once('=').ok_or_else(|| format!("`{text}` is not NAME=NUMBER"))?;
    Ok((name.to_owned(), number(count)?))
}

fn number<T: std::str::FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("`{text}` is not a number"))
}

fn parse_expected(text: &str) -> Result<ExpectedVerdict, String> {
    let mut items = text.split(',').map(str::trim);
    let mut expected = ExpectedVerdict {
        verdict: items.next().unwrap_or_default().to_owned(),
        ..ExpectedVerdict::default()
    };
    for item in items {
        if let Some(states) = item.strip_prefix("reduced to ").and_then(|it| it.split(' ').next()) {
            expected.reduced = Some(number(states)?);
            continue;
        }
        match item.split_once(' ') {
            None if item == "possible" => expected.possible = true,
            None if item == "cut" => expected.cut = true,
            Some((count, "step" | "steps")) => expected.steps = Some(number(count)?),
            Some((count, "state" | "states")) => expected.states = Some(number(count)?),
            Some((count, "transition" | "transitions")) => expected.transitions = Some(number(count)?),
            _ => return Err(format!("`{item}` is not understood")),
        }
    }
    Ok(expected)
}

impl ExpectedVerdict {
    /// The expectation that matches the findings of a search, with all numbers given.
    #[must_use]
    pub fn of(findings: &Findings) -> Self {
        let first = findings.violations.first();
        Self {
            verdict: findings.verdict.clone(),
            possible: first.is_some_and(|violation| violation.2),
            cut: findings.cut,
            steps: first.map(|violation| violation.1),
            states: Some(findings.states),
            transitions: Some(findings.transitions),
            reduced: None,
        }
    }

    /// Whether findings match the expectation, in everything that it gives.
    #[must_use]
    pub fn fits(&self, found: &Self) -> bool {
        self.verdict == found.verdict
            && self.possible == found.possible
            && self.cut == found.cut
            && (self.steps.is_none() || self.steps == found.steps)
            && self.states.is_none_or(|states| found.states == Some(states))
            && self.transitions.is_none_or(|transitions| found.transitions == Some(transitions))
    }
}

impl std::fmt::Display for ExpectedVerdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let plural =
            |count: usize, word: &str| format!(", {count} {word}{}", if count == 1 { "" } else { "s" });
        f.write_str(&self.verdict)?;
        if self.possible {
            f.write_str(", possible")?;
        }
        if self.cut {
            f.write_str(", cut")?;
        }
        let steps = self.steps.map(|steps| (steps as usize, "step"));
        let counts =
            [steps, self.states.map(|it| (it, "state")), self.transitions.map(|it| (it, "transition"))];
        counts.into_iter().flatten().try_for_each(|(count, word)| f.write_str(&plural(count, word)))
    }
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
