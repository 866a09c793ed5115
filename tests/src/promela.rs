//! Runs the real SPIN on exported models, and compares its verdicts with ours.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};

use map_diagnostics::SourceFile;
use map_export::{Model, Refusal, Source, export, export_plain, retrace_claim};
use map_ir::{Program, Properties};
use map_semantics::Bounds;
use map_testkit::oracle::OracleOptions;
use map_verify::{
    Fairness, PropertyVerdict, Report, Trace, Verdict, ViolationKind, replay, run_violates, verify_properties,
};

use crate::engines::{NoWatch, bounds, judging, search};

/// The programs that are needed.
pub struct Tools {
    compiler: &'static str,
}

/// SPIN and a C compiler, if they are installed. `tcc` is preferred: there are many small models, so compile time
/// counts.
#[must_use]
pub fn tools() -> Option<Tools> {
    let answers = |program: &str, flag: &str| Command::new(program).arg(flag).output().is_ok();
    if !answers("spin", "-V") {
        return None;
    }
    ["tcc", "cc"].into_iter().find(|it| answers(it, "-v")).map(|compiler| Tools { compiler })
}

/// [`tools`]; prints a message if they are missing.
///
/// # Panics
/// If they are missing though `MAP_REQUIRE_SPIN` is set.
#[must_use]
pub fn installed() -> Option<Tools> {
    let tools = tools();
    if tools.is_none() {
        println!("SKIPPED: spin or a C compiler is not installed (apt-get install spin tcc)");
        assert!(std::env::var_os("MAP_REQUIRE_SPIN").is_none(), "SPIN is to be asked");
    }
    tools
}

/// What SPIN finds in a model, under partial order reduction and without.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpinFindings {
    /// Kinds of violation, in our words.
    pub kinds: BTreeSet<String>,
    /// Whether some run never ends.
    pub infinite: bool,
    /// Whether some integer grew too large for the model, or SPIN reached a limit of its own.
    pub limited: bool,
}

/// The outcome of comparing a scene.
pub enum ComparedVerdicts {
    /// They agree.
    Agreed,
    /// Not compared, for that reason.
    Skipped(String),
}

impl Tools {
    /// Verifies a model with SPIN.
    ///
    /// # Errors
    /// What SPIN, the compiler or the verifier said.
    pub fn verify(&self, model: &str, folder: &Path, reduced: bool) -> Result<SpinFindings, String> {
        std::fs::write(folder.join("model.pml"), model).map_err(|error| error.to_string())?;
        let generated = run(Command::new("spin").args(["-a", "model.pml"]).current_dir(folder))?;
        let said = text(&generated);
        if !generated.status.success() || said.contains("Error") {
            return Err(format!("spin: {said}"));
        }
        let mut found = SpinFindings::default();
        for cycles in [false, true] {
            let mut compile = Command::new(self.compiler);
            compile
                .args(["-w", "-DMEMLIM=1024", "-DVECTORSZ=32768", "-o", "pan", "pan.c"])
                .current_dir(folder);
            // With its own reduction SPIN has missed a run that never ends
            // (`network/an-infinite-run-that-spin-reduces-away.map`).
            compile.args((!reduced || cycles).then_some("-DNOREDUCE"));
            compile.args(cycles.then_some("-DNP"));
            let compiled = run(&mut compile)?;
            if !compiled.status.success() {
                return Err(format!("{}: {}", self.compiler, text(&compiled)));
            }
            let mut pan = Command::new("./pan");
            pan.current_dir(folder).args(["-m400000", "-w18"]);
            // The search for cycles continues past violated assertions (`-A`).
            pan.args(if cycles { &["-l", "-A", "-c1"][..] } else { &["-c0", "-n"] });
            let said = text(&run(&mut pan)?);
            // A search that pan aborts otherwise looks like one that found nothing.
            if !said.contains("State-vector") || said.contains("aborting (at") {
                return Err(format!("pan: {said}"));
            }
            found.limited |= is_limited(&said);
            if cycles {
                found.infinite = said.contains("non-progress cycle (at");
                continue;
            }
            for (sign, kind) in SIGNS {
                if said.contains(sign) {
                    found.kinds.insert((*kind).to_owned());
                }
            }
        }
        Ok(found)
    }
}

/// Whether SPIN reached a limit of its own, or an integer became too large.
fn is_limited(said: &str) -> bool {
    let signs =
        ["max search depth too small", "reached -DMEMLIM bound", "out of memory", "no_integer_out_of_range"];
    signs.iter().any(|sign| said.contains(sign))
}

impl Tools {
    /// For each claim of a model, SPIN's trail to a run that violates it, if there is one; `None` if SPIN reached a
    /// limit of its own.
    ///
    /// # Errors
    /// What SPIN, the compiler or the verifier said.
    pub fn violated(&self, model: &Model, folder: &Path) -> Result<Option<Vec<Option<String>>>, String> {
        std::fs::write(folder.join("model.pml"), &model.text).map_err(|error| error.to_string())?;
        let mut generate = Command::new("spin");
        let generated = run(generate.args(["-Dpassed__over=true", "-a", "model.pml"]).current_dir(folder))?;
        let said = text(&generated);
        if !generated.status.success() || said.contains("Error") || said.contains("tl_spin:") {
            return Err(format!("spin: {said}"));
        }
        let mut compile = Command::new(self.compiler);
        compile.args(["-w", "-DMEMLIM=1024", "-DVECTORSZ=32768", "-DNOREDUCE", "-o", "pan", "pan.c"]);
        let compiled = run(compile.current_dir(folder))?;
        if !compiled.status.success() {
            return Err(format!("{}: {}", self.compiler, text(&compiled)));
        }
        let mut violated = Vec::new();
        for claim in &model.claims {
            let mut pan = Command::new("./pan");
            pan.args(["-a", "-c1", "-n", "-m400000", "-w18", "-N", &claim.name]).current_dir(folder);
            let said = text(&run(&mut pan)?);
            if !said.contains("State-vector") || said.contains("aborting (at") {
                return Err(format!("pan: {said}"));
            }
            if is_limited(&said) {
                return Ok(None);
            }
            let signs = ["acceptance cycle (at", "assertion violated", "end state in claim"];
            let is_violated = signs.iter().any(|it| said.contains(it));
            let follow = ["-Dpassed__over=true", "-t", "-p", "model.pml"];
            let trail = is_violated.then(|| run(Command::new("spin").args(follow).current_dir(folder)));
            violated.push(trail.transpose()?.map(|output| text(&output)));
        }
        Ok(Some(violated))
    }
}

/// The outcome of comparing the properties of a scene: how many there are of each kind.
#[derive(Clone, Copy, Debug, Default)]
pub struct PropertyTally {
    /// Both agree that it holds.
    pub holding: usize,
    /// Both agree that it is violated.
    pub violated: usize,
    /// The model does not state it.
    pub unstated: usize,
    /// Our verdict depends on an open comparison, or is inconclusive.
    pub open: usize,
}

/// Compares our verdicts on the properties of a scene, over all runs, with SPIN's on the claims of its export. Returns
/// `None` if the scene is too large or cannot be exported.
///
/// # Errors
/// Where they differ, with the model.
pub fn compare_properties(
    tools: &Tools,
    source: &SourceFile,
    program: &Program,
    properties: &Properties,
    options: &OracleOptions,
    most_states: usize,
) -> Result<Option<PropertyTally>, String> {
    let bounds = bounds(program, options);
    let report =
        verify_properties(program, properties, &bounds, &judging(most_states, Fairness::None), &mut NoWatch)
            .map_err(|error| error.to_string())?;
    let names: Vec<String> = properties.list.iter().map(|it| it.name.clone()).collect();
    let text = Source { name: source.name(), text: source.text(), properties: &names };
    let Ok(model) = export(program, &bounds, &text, properties) else { return Ok(None) };
    if report.limit.is_some() {
        return Ok(None);
    }
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let found = tools.violated(&model, folder.path()).map_err(|error| format!("{error}\n{}", model.text))?;
    let Some(found) = found else { return Ok(None) };
    for (claim, trail) in model.claims.iter().zip(&found) {
        let Some(trail) = trail else { continue };
        let shown = model.counterexample(trail);
        let violates = |prefix: &[_], cycle: &[_]| run_violates(&claim.formula, prefix, cycle);
        let run = retrace_claim(program, properties, &bounds, &shown, violates).ok_or_else(|| {
            format!("{}\nthe trail against {} is no run that violates it:\n{trail}", model.text, claim.name)
        })?;
        replay(program, &bounds, &Trace { initial: shown.initial, steps: run.steps })
            .map_err(|error| error.to_string())?;
    }
    let mut judged = PropertyTally::default();
    for (index, ours) in report.properties.iter().enumerate() {
        if model.unstated.iter().any(|(it, _)| *it == index) {
            judged.unstated += 1;
            continue;
        }
        if ours.possible || ours.verdict == PropertyVerdict::Inconclusive {
            judged.open += 1;
            continue;
        }
        let claims = model.claims.iter().zip(&found).filter(|(claim, _)| claim.property == index);
        let violated = claims.into_iter().any(|(claim, trail)| trail.is_some() != claim.to_refute);
        if violated != (ours.verdict == PropertyVerdict::Violated) {
            let spin = if violated { "violated" } else { "holds" };
            let ours = format!("{}: we {}", ours.name, ours.verdict.word());
            return Err(format!("{}\n{ours}, SPIN {spin}", model.text));
        }
        if violated { judged.violated += 1 } else { judged.holding += 1 }
    }
    Ok(Some(judged))
}

/// What SPIN prints for each of our kinds of violation.
const SIGNS: &[(&str, &str)] = &[
    ("assertion violated no_failure", "failure"),
    ("assertion violated no_mailbox_overflow", "mailbox overflow"),
    ("assertion violated no_runaway_recursion", "runaway recursion"),
    ("assertion violated no_run_error", "run error"),
    ("invalid end state (at", "deadlock"),
];

fn run(command: &mut Command) -> Result<Output, String> {
    command.output().map_err(|error| format!("{command:?}: {error}"))
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// The style of an exported model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// One atomic sequence for each step; verified with partial order reduction and without.
    Guarded,
    /// The plain scheme of the 2004 paper; verified with partial order reduction.
    Walton,
}

impl Style {
    fn export(self, program: &Program, bounds: &Bounds, source: &Source<'_>) -> Result<Model, Vec<Refusal>> {
        match self {
            Self::Guarded => export(program, bounds, source, &Properties::default()),
            Self::Walton => export_plain(program, bounds, source),
        }
    }
}

/// Compares our verdict on a scene with SPIN's on its export.
///
/// # Errors
/// Where they differ, with the model.
pub fn compare(
    tools: &Tools,
    source: &SourceFile,
    program: &Program,
    options: &OracleOptions,
    style: Style,
    most_states: usize,
) -> Result<ComparedVerdicts, String> {
    let options = OracleOptions { max_states: most_states, ..options.clone() };
    let report = search(program, &options)?;
    if !report.searched {
        return Ok(ComparedVerdicts::Skipped("too large".to_owned()));
    }
    let text = Source { name: source.name(), text: source.text(), properties: &[] };
    let model = match style.export(program, &bounds(program, &options), &text) {
        Ok(model) => model,
        Err(refusals) => return Ok(ComparedVerdicts::Skipped(format!("{:?}", refusals[0].reason))),
    };
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    for reduced in if style == Style::Walton { &[true][..] } else { &[true, false] } {
        let found = tools
            .verify(&model.text, folder.path(), *reduced)
            .map_err(|error| format!("{error}\n{}", model.text))?;
        if found.limited {
            return Ok(ComparedVerdicts::Skipped("SPIN's limits".to_owned()));
        }
        let differences = differences(&report, &found);
        if !differences.is_empty() {
            let how = if *reduced { "reduced" } else { "not reduced" };
            return Err(format!("{}, {how}\n{}", differences.join("\n"), model.text));
        }
    }
    Ok(ComparedVerdicts::Agreed)
}

fn differences(report: &Report, found: &SpinFindings) -> Vec<String> {
    let ours: BTreeSet<String> = report
        .violations
        .iter()
        .filter(|it| it.kind != ViolationKind::Livelock)
        .map(|it| it.kind.words().to_owned())
        .collect();
    let has = |kind: ViolationKind| report.violations.iter().find(|it| it.kind == kind);
    let mut lines = Vec::new();
    for kind in found.kinds.difference(&ours) {
        lines.push(format!("SPIN finds {kind}, we do not ({:?})", report.verdict.words()));
    }
    // A deadlock that depends on open comparisons has steps in the model. And in the model nothing happens after a
    // failure.
    let possible = has(ViolationKind::Deadlock).is_some_and(|it| it.possible);
    let failed = has(ViolationKind::Failure).is_some();
    for kind in ours.difference(&found.kinds) {
        if (kind == "deadlock" && possible) || (failed && kind != "failure" && kind != "deadlock") {
            continue;
        }
        lines.push(format!("we find {kind}, SPIN does not"));
    }
    let infinite = match report.verdict {
        Verdict::Terminates => Some(false),
        Verdict::TerminatesIfFair => Some(true),
        _ => has(ViolationKind::Livelock).map(|_| true),
    };
    if infinite.is_some_and(|infinite| infinite != found.infinite) {
        let (we, verdict) = (infinite, report.verdict.words());
        lines.push(format!("infinite runs: we {we:?} ({verdict}), SPIN {}", found.infinite));
    }
    lines
}
