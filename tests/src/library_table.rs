//! The table of the protocol library: the results for every version under every cast that its `//@` lines name.
//!
//! `cargo xtask library` writes it; a test recomputes the rows of small searches.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use map_check::{check, check_formula};
use map_compile::{PropertyCompiler, compile};
use map_diagnostics::SourceFile;
use map_flags::VerdictLine;
use map_ir::Program;
use map_library::{PROTOCOLS, Protocol, Version};
use map_verify::{Fairness, PropertyVerdict, Reductions, verify_properties};

use crate::cases::{Case, cases, cases_of_any, large_cases, verdict_line};
use crate::engines::{
    NoWatch, bounds, check_options, findings, judging, program, reduced, reduced_search, search,
};

/// The most states, with all reductions, of a row that the test recomputes.
pub const QUICK: usize = 3_000;

/// The text above the table.
const HEAD: &str = "\
# The library in figures

All versions of all protocols, under the casts and flags that their first lines name; `cargo xtask library` writes this
table. A version in *italics* has a defect. **Large** casts are verified within ten seconds by one thread of a release
build that has a core for itself; they are searched with all reductions only, and without the properties. *Properties* are
those of the file that are about the scene, with how many of them hold. *Within bounds* says that some step was cut. *Any
number* is what is proved for any number of agents of a role, once for each version; where nothing is said of a role, it was
not asked. Seconds are those of the search with all reductions, by one thread, as the table was written, with other work
going on; tests find all other columns again.

| protocol | version | flags | agents | any number | properties | verdict | states | with reductions | seconds |
|---|---|---|---|---|---|---|---|---|---|
";

/// One line of the table.
pub struct Row {
    protocol: &'static Protocol,
    version: &'static Version,
    /// The case of the row.
    pub case: Case,
    /// Whether it is a large case.
    pub large: bool,
    /// Whether it is the first of its version.
    first: bool,
}

/// All rows, in the order of the library.
///
/// # Panics
/// If a `//@` line of a version is invalid.
#[must_use]
pub fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for protocol in PROTOCOLS {
        for version in protocol.versions() {
            let path = PathBuf::from(format!("{}/{}.map", protocol.name, version.name));
            let small = cases(&path, version.text).expect("other tests read them too");
            let large = large_cases(&path, version.text).expect("other tests read them too");
            let row = |large| move |case| Row { protocol, version, case, large, first: false };
            let start = rows.len();
            rows.extend(small.into_iter().map(row(false)).chain(large.into_iter().map(row(true))));
            if let Some(row) = rows.get_mut(start) {
                row.first = true;
            }
        }
    }
    rows
}

/// The file with the table.
#[must_use]
pub fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../protocols/README.md")
}

/// The whole text. `clock` runs the closure that it is given and returns the seconds that took.
///
/// # Errors
/// If a scene cannot be searched.
pub fn text(mut clock: impl FnMut(&mut dyn FnMut()) -> f64) -> Result<String, String> {
    let mut text = HEAD.to_owned();
    for row in rows() {
        let mut found = Ok((0, VerdictLine::default()));
        let program = row.program()?;
        let seconds = clock(&mut || found = row.reduced(&program));
        let (reduced, expected) = found?;
        let _ = writeln!(text, "{} {seconds:.2} |", row.columns(&program, reduced, &expected)?);
    }
    Ok(text)
}

impl Row {
    /// Compiles the scene under the cast of the row.
    ///
    /// # Errors
    /// If it is not correct.
    pub fn program(&self) -> Result<Program, String> {
        program(&SourceFile::new(self.version.name, self.version.text), &self.case.options)
    }

    /// The number of states with all reductions, and the verdict.
    ///
    /// # Errors
    /// If the engine contradicts itself.
    pub fn reduced(&self, program: &Program) -> Result<(usize, VerdictLine), String> {
        let how = reduced(&self.case.options, Reductions::ALL);
        let report = reduced_search(program, &self.case.options, &how)?;
        let found = findings(program, &report);
        Ok((found.states, verdict_line(&found)))
    }

    /// All columns except the last.
    ///
    /// # Errors
    /// If the engine contradicts itself.
    pub fn columns(&self, program: &Program, reduced: usize, found: &VerdictLine) -> Result<String, String> {
        let (protocol, version) = (self.protocol.name, self.version.name);
        let version_name = if self.protocol.defective.iter().any(|it| it.name == version) {
            format!("[*{version}*]({protocol}/{version}.map)")
        } else {
            format!("[{version}]({protocol}/{version}.map)")
        };
        let flags = match self.case.expectation.flags.as_str() {
            "" => String::new(),
            flags => format!("`{flags}`"),
        };
        let flags = if self.large { format!("**large** {flags}") } else { flags };
        let (states, properties) = if self.large {
            (String::new(), String::new())
        } else {
            let plain = findings(program, &search(program, &self.case.options)?);
            (plain.states.to_string(), self.properties()?)
        };
        let mut verdict = format!("`{}`", found.verdict);
        if found.possible {
            verdict.push_str(", possible");
        }
        if let Some(steps) = found.steps {
            let _ = write!(verdict, ", {steps} {}", if steps == 1 { "step" } else { "steps" });
        }
        if found.cut {
            verdict.push_str(", within bounds");
        }
        let agents = cast(program);
        Ok(format!(
            "| [{protocol}]({protocol}) | {version_name} | {flags} | {agents} | {} | {properties} | {verdict} | {states} | {reduced} |",
            self.any_number()?
        ))
    }

    /// What the version's lines about any number of agents expect; other tests find it again.
    fn any_number(&self) -> Result<String, String> {
        if !self.first {
            return Ok(String::new());
        }
        let asked = cases_of_any(self.version.text)?;
        let words = asked.iter().map(|it| {
            let least = if it.from > 1 { format!("{} or more", it.from) } else { "any".to_owned() };
            match it.expected.to_string().as_str() {
                "no proof" => format!("{least} {}: no proof", it.role),
                expected => format!("{least} {}: `{expected}`", it.role),
            }
        });
        let words: Vec<String> = words.collect();
        Ok(if words.is_empty() { "not asked".to_owned() } else { words.join(", ") })
    }

    /// The number of properties, and how many of them hold, in words.
    fn properties(&self) -> Result<String, String> {
        let source = SourceFile::new(self.version.name, self.version.text);
        let file = map_syntax::parse(&source).file;
        let options = &self.case.options;
        let (checked, _) = check(&file, &check_options(options));
        let checked = checked.ok_or("the scene is not correct")?;
        let mut program = compile(&checked);
        let mut compiler = PropertyCompiler::new(&checked, &mut program);
        let mut count = 0;
        for property in file.properties().filter(|it| check_formula(&checked, &it.formula).is_empty()) {
            count += usize::from(compiler.add(&property.name.text, &property.formula).is_ok());
        }
        if count == 0 {
            return Ok("none".to_owned());
        }
        let properties = compiler.finish();
        let bounds = bounds(&program, options);
        let report = verify_properties(
            &program,
            &properties,
            &bounds,
            &judging(options.max_states, Fairness::Fair),
            &mut NoWatch,
        )
        .map_err(|error| error.to_string())?;
        let holding = report.properties.iter().filter(|it| it.verdict == PropertyVerdict::Holds).count();
        Ok(if holding == count { format!("{count} hold") } else { format!("{holding} of {count} hold") })
    }
}

/// The cast: the number of agents of each role, in words.
fn cast(program: &Program) -> String {
    let counts = program.roles.iter().enumerate().map(|(index, name)| {
        let count = program.agents.iter().filter(|agent| agent.role.index() == index).count();
        format!("{count} {name}")
    });
    counts.collect::<Vec<_>>().join(", ")
}
