//! Runs the fast engine and the oracle on the same scene under the same options.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use map_check::{CastOverride, CheckOptions, FirstValue, check};
use map_compile::compile;
use map_diagnostics::{SourceFile, Span, render};
use map_ir::{Program, Value};
use map_semantics::{Bounds, Network, Timeouts};
use map_testkit::oracle::{Evidence, Judgement, OracleOptions, OracleReport, Rests};
use map_verify::{
    Fairness, Limit, Limits, Options, Progress, PropertyJudgement, PropertyOptions, PropertyVerdict,
    Reductions, Report, RunEnding, Snapshot, Tuning, WAITING_IS_OPEN, verify, verify_reduced,
};

/// A search without a time limit.
pub struct NoWatch;

impl Progress for NoWatch {
    fn tick(&mut self, _: &Snapshot) -> Option<Limit> {
        None
    }
}

/// The checker's options that correspond to the oracle's.
#[must_use]
pub fn check_options(options: &OracleOptions) -> CheckOptions {
    let agents = options.agents.iter();
    let agents = agents.map(|(name, count)| CastOverride { name: name.clone(), count: i64::from(*count) });
    let set = options.set.iter().map(|it| FirstValue {
        role: it.role.clone(),
        cell: it.cell.clone(),
        value: it.text.clone(),
    });
    CheckOptions { scene: options.scene.clone(), agents: agents.collect(), set: set.collect() }
}

/// Compiles a scene.
///
/// # Errors
/// The rendered diagnostics, if the scene has any.
pub fn program(source: &SourceFile, options: &OracleOptions) -> Result<Program, String> {
    let parsed = map_syntax::parse(source);
    let (checked, diagnostics) = check(&parsed.file, &check_options(options));
    let rendered: String =
        parsed.diagnostics.iter().chain(&diagnostics).map(|it| render(source, it)).collect();
    match checked {
        Some(checked) if rendered.is_empty() => Ok(compile(&checked)),
        _ => Err(rendered),
    }
}

/// The bounds that correspond to the oracle's options. Rounds of a constant that does not occur in the program have no
/// effect.
#[must_use]
pub fn bounds(program: &Program, options: &OracleOptions) -> Bounds {
    let rounds_of = options.rounds_of.iter();
    Bounds {
        depth: options.depth,
        rounds: options.rounds,
        rounds_of: rounds_of
            .filter_map(|(name, limit)| Some((Value::Name(program.name_constant(name)?), *limit)))
            .collect(),
        mailbox: options.mailbox,
        timeouts: if options.any_time { Timeouts::Any } else { Timeouts::Quiescent },
        network: Network {
            unordered: options.unordered,
            delayed: options.delayed,
            losses: options.losses,
            crashes: options.crashes,
        },
        after: None,
    }
}

/// A limit on states only, and one thread. With `MAP_TUNING=shipped` the tuning is the one that users have; otherwise
/// tables are so small that even small scenes fill them.
#[must_use]
pub fn limits(states: usize) -> Limits {
    let tuning = match std::env::var("MAP_TUNING").as_deref() {
        Ok("shipped") => Tuning::SHIPPED,
        Ok(other) => panic!("MAP_TUNING is `shipped` or not set, not `{other}`"),
        Err(_) => Tuning::TINY,
    };
    Limits { states, memory: usize::MAX, threads: NonZeroUsize::MIN, tuning }
}

/// A complete search by the fast engine.
///
/// # Errors
/// If the engine contradicts itself.
pub fn search(program: &Program, options: &OracleOptions) -> Result<Report, String> {
    let limits = limits(options.max_states);
    verify(program, &bounds(program, options), &limits, true, &mut NoWatch).map_err(|error| error.to_string())
}

/// Options for a search with reductions that keeps going, on one thread.
#[must_use]
pub fn reduced(options: &OracleOptions, reductions: Reductions) -> Options {
    Options { limits: limits(options.max_states), keep_going: true, reductions, self_check: false }
}

/// Options for judging properties with all reductions, on one thread.
#[must_use]
pub fn judging(states: usize, fairness: Fairness) -> PropertyOptions {
    PropertyOptions { limits: limits(states), fairness, reductions: Reductions::ALL }
}

/// The answer on a property, as far as it is the same however much is searched. What asks who waits is judged with
/// certainty by a search that ends before it comes to a state in which that is open.
#[must_use]
pub fn lasting(property: &str, judged: &PropertyJudgement) -> PropertyJudgement {
    let mut lasting = judged.clone();
    if property.contains("waiting(") {
        if judged.reason == Some(WAITING_IS_OPEN) {
            lasting.verdict = PropertyVerdict::Holds;
        }
        lasting.possible = false;
        lasting.vacuous.clear();
    }
    lasting
}

/// A search by the fast engine with reductions.
///
/// # Errors
/// If the engine contradicts itself.
pub fn reduced_search(program: &Program, options: &OracleOptions, how: &Options) -> Result<Report, String> {
    let reduced = verify_reduced(program, &bounds(program, options), how, &mut NoWatch);
    reduced.map(|reduced| reduced.report).map_err(|error| error.to_string())
}

/// What both engines must agree on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Findings {
    /// The verdict.
    pub verdict: String,
    /// Nothing was cut, and every state was expanded.
    pub complete: bool,
    /// Some step was cut.
    pub cut: bool,
    /// The number of states.
    pub states: usize,
    /// The number of transitions.
    pub transitions: usize,
    /// For each violation its kind, the length of its shortest trace, and whether it is only possible.
    pub violations: Vec<(String, u32, bool)>,
    /// Spans of the operations that ran.
    pub ran: BTreeSet<Span>,
    /// Indices of the clauses that were entered.
    pub entered: BTreeSet<usize>,
    /// Agents that took a step.
    pub acted: BTreeSet<String>,
    /// Performative, arity and agent of messages left unread.
    pub unread: BTreeSet<(String, usize, String)>,
}

impl Findings {
    /// One line for each field in which the fast engine (left) and the oracle (right) differ.
    #[must_use]
    pub fn differences(&self, oracle: &Self) -> Vec<String> {
        let mut lines = self.differences_beside_counts(oracle);
        let counts =
            [("states", self.states, oracle.states), ("transitions", self.transitions, oracle.transitions)];
        for (name, fast, oracle) in counts.into_iter().filter(|(_, fast, oracle)| fast != oracle) {
            lines.push(format!("{name}: fast engine {fast}, oracle {oracle}"));
        }
        lines
    }

    /// Like [`Findings::differences`], without the numbers of states and transitions, which reductions change.
    #[must_use]
    pub fn differences_beside_counts(&self, oracle: &Self) -> Vec<String> {
        let mut lines = Vec::new();
        let mut compare = |name: &str, fast: String, oracle: String| {
            if fast != oracle {
                lines.push(format!("{name}: fast engine {fast}, oracle {oracle}"));
            }
        };
        compare("verdict", self.verdict.clone(), oracle.verdict.clone());
        compare("complete", self.complete.to_string(), oracle.complete.to_string());
        compare("cut", self.cut.to_string(), oracle.cut.to_string());
        compare("violations", format!("{:?}", self.violations), format!("{:?}", oracle.violations));
        compare("ran", format!("{:?}", self.ran), format!("{:?}", oracle.ran));
        compare("entered", format!("{:?}", self.entered), format!("{:?}", oracle.entered));
        compare("acted", format!("{:?}", self.acted), format!("{:?}", oracle.acted));
        compare("unread", format!("{:?}", self.unread), format!("{:?}", oracle.unread));
        lines
    }
}

/// The findings of the fast engine.
#[must_use]
pub fn findings(program: &Program, report: &Report) -> Findings {
    let span = |point: &map_ir::PointId| {
        let span = program.point(*point).span;
        Span::new(span.start, span.end)
    };
    Findings {
        verdict: report.verdict.words().to_owned(),
        complete: report.complete,
        cut: !report.cut_by.is_empty(),
        states: report.statistics.states,
        transitions: report.statistics.transitions,
        violations: report
            .violations
            .iter()
            .map(|it| (it.kind.words().to_owned(), it.steps as u32, it.possible))
            .collect(),
        ran: report.unused.ran.iter().map(span).collect(),
        entered: report.unused.entered.iter().map(|clause| clause.index()).collect(),
        acted: program
            .cast()
            .filter(|agent| !report.unused.agents.contains(agent))
            .map(|agent| program.agent_name(agent).to_owned())
            .collect(),
        unread: report
            .unused
            .unread
            .iter()
            .map(|&(performative, agent)| {
                let performative = program.performative(performative);
                (performative.name.clone(), performative.arity, program.agent_name(agent).to_owned())
            })
            .collect(),
    }
}

/// The findings of the oracle.
#[must_use]
pub fn oracle_findings(report: OracleReport) -> Findings {
    Findings {
        verdict: report.verdict,
        complete: report.complete && !report.cut,
        cut: report.cut,
        states: report.states,
        transitions: report.transitions,
        violations: report.violations,
        ran: report.operations_run,
        entered: report.clauses_entered,
        acted: report.agents_acted,
        unread: report.unread,
    }
}

/// Whether the fast engine and the oracle agree on a property: on the verdict, on whether it is only possible, and on
/// the length of the counterexample or witness, where the oracle knows it.
#[must_use]
pub fn agrees(judged: &PropertyJudgement, oracle: Judgement) -> bool {
    let rests_as = |rests| match rests {
        Rests::No => !judged.possible,
        Rests::Yes => judged.possible,
        Rests::Mostly => {
            let ending = judged.shown.as_ref().map(|run| run.ending);
            judged.possible || ending == Some(RunEnding::Shown)
        }
    };
    let shows = |Evidence { steps, rests }: Evidence| {
        let found = judged.shown.as_ref().map(|run| run.trace.steps.len() as u32);
        rests_as(rests) && (steps.is_none() || found == steps)
    };
    match oracle {
        Judgement::Holds(rests) => judged.verdict == PropertyVerdict::Holds && rests_as(rests),
        Judgement::Violated(evidence) => judged.verdict == PropertyVerdict::Violated && shows(evidence),
        Judgement::Shown(evidence) => judged.verdict == PropertyVerdict::Holds && shows(evidence),
        Judgement::NotJudged => true,
    }
}
