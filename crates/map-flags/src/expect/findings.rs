//! What a verification found, in the words of lines `//@`.

use std::sync::Arc;
use std::time::Duration;

use map_diagnostics::{Diagnostic, Severity, SourceFile};
use map_explain::Namer;
use map_explain::any::properties::expected;
use map_session::{
    AnyAnswer, AnyPropertyWord, Compilation, PropertyAnswer, PropertyState, Scene, Verification, compile,
};
use map_verify::{CostRange, InternalError, MostCost, Verdict};
use map_views::{AnyVerdict, Obstacle};

use super::verdict_line::VerdictLine;
use crate::any::refuse_beside_any;
use crate::host::Host;
use crate::scene::Any;
use crate::search::SearchArgs;
use crate::unused::UnusedLines;

/// What a verification found, in the words of lines `//@`.
#[derive(Clone, Debug)]
pub struct Findings {
    /// The verdict, and what belongs to it.
    pub line: VerdictLine,
    /// Whether the trace is known to be a shortest one.
    pub(super) shortest: bool,
    /// Whether every reachable state was expanded.
    pub(super) searched: bool,
    /// Whether a limit came before the verdict.
    pub(super) is_open: bool,
    pub(super) took: Duration,
    /// For each property, its name and the words for what was found.
    pub properties: Vec<(String, String)>,
    /// For each cost, its name and its range in words.
    pub costs: Vec<(String, String)>,
    /// What never happened, and what was left unread.
    pub(super) unused: UnusedLines,
}

impl Findings {
    /// Verifies a text. The inner error says what is wrong with it, or with the flags.
    pub(super) fn of<H: Host>(
        args: &SearchArgs,
        source: &Arc<SourceFile>,
        host: &H,
    ) -> Result<Result<Self, Vec<String>>, InternalError> {
        let compilation = compile(source, &args.options(), args.judge.wanted());
        let asked = match compilation.program {
            None => Err(errors(&compilation)),
            Some(_) => args.scene.any_in(source).map_err(|why| vec![why]),
        };
        let any = match asked {
            Ok(any) => any,
            Err(why) => return Ok(Err(why)),
        };
        if let [any, others @ ..] = any.as_slice() {
            if !others.is_empty() {
                let roles: Vec<String> =
                    [any].into_iter().chain(others).map(|any| format!("--agents {}=any", any.role)).collect();
                let why = format!("a test is about one role at a time: {}", roles.join(" or "));
                return Ok(Err(vec![why]));
            }
            return Self::of_any(&args.about_any(any), any, source, host);
        }
        let scene = match under_bounds(args, &compilation) {
            Ok(scene) => scene,
            Err(why) => return Ok(Err(vec![why])),
        };
        let limits = host.next_limits(args);
        let mut watch = host.watch(&scene, &limits);
        let found = args.question(limits).ask(&scene, &mut watch)?;
        Ok(Ok(Self::of_one(&found)))
    }

    /// What was found with one number of agents.
    #[must_use]
    pub fn of_one(found: &Verification) -> Self {
        let (report, violation) = (&found.report, found.violation());
        let properties = found.properties.iter().map(|(entry, answer)| {
            let words = match answer {
                PropertyAnswer::Refused | PropertyAnswer::OfOtherScene => refusal(&entry.state),
                PropertyAnswer::Judged(judged, _) => judged.words(),
            };
            (entry.name.clone(), words)
        });
        Self {
            line: VerdictLine {
                verdict: report.verdict.words().to_owned(),
                possible: violation.is_some_and(|violation| violation.possible),
                cut: !report.cut_by.is_empty(),
                steps: violation.map(|violation| violation.steps),
                ..VerdictLine::default()
            },
            shortest: found.shortest,
            searched: report.searched,
            is_open: report.verdict == Verdict::Inconclusive,
            took: found.figures.took,
            properties: properties.collect(),
            costs: costs(found),
            unused: unused(found),
        }
    }

    fn of_any<H: Host>(
        args: &SearchArgs,
        any: &Any,
        source: &Arc<SourceFile>,
        host: &H,
    ) -> Result<Result<Self, Vec<String>>, InternalError> {
        if let Err(why) = refuse_beside_any(Some(any), &args.bounds) {
            return Ok(Err(vec![why]));
        }
        let compilation = args.compile_any(source, any);
        let scene = match under_bounds(args, &compilation) {
            Ok(scene) => scene,
            Err(why) => return Ok(Err(vec![why])),
        };
        let limits = host.next_limits(args);
        let mut watch = host.watch(&scene, &limits);
        let found = args.any_number(source, any, limits).ask(&scene, &mut watch)?;
        Ok(Ok(Self::of_any_number(&found)))
    }

    fn of_any_number(found: &AnyAnswer) -> Self {
        let role = &found.question.role;
        let may_overflow = found.may_overflow().is_some();
        let (with, is_open) = match &found.answer.verdict {
            AnyVerdict::Violated(count) => (Some(format!("{role}={count}")), false),
            AnyVerdict::NoProof(Obstacle::TooMany | Obstacle::Stopped) | AnyVerdict::NotVerified(_) => {
                (None, true)
            }
            AnyVerdict::Proved(_) | AnyVerdict::NoProof(_) => (None, may_overflow),
        };
        let properties = match &found.properties {
            Some(found) => found.iter().map(|of| (of.name.clone(), expected(of, role))).collect(),
            // The scene goes wrong before, or there are too few agents of the role for views.
            None => {
                let file = map_syntax::parse(&found.question.source).file;
                let not_judged = AnyPropertyWord::NotJudged.words();
                file.properties().map(|of| (of.name.text.clone(), not_judged.to_owned())).collect()
            }
        };
        Self {
            line: VerdictLine {
                verdict: found.verdict().words().to_owned(),
                may_overflow,
                with,
                ..VerdictLine::default()
            },
            shortest: false,
            // Nothing else is to be found by going on.
            searched: true,
            is_open,
            took: found.took,
            properties,
            costs: Vec::new(),
            unused: UnusedLines::default(),
        }
    }

    /// Whether this is what is expected. The length of a trace that may not be a shortest one says nothing.
    pub(super) fn fits(&self, expected: &VerdictLine) -> bool {
        let steps = self.line.steps.filter(|_| self.shortest);
        expected.fits(&VerdictLine { steps, ..self.line.clone() })
    }

    /// The words for a property.
    pub(super) fn property(&self, name: &str) -> Option<&str> {
        self.properties.iter().find(|(known, _)| known == name).map(|(_, words)| words.as_str())
    }

    /// Whether a limit was reached before the verdict or a property was decided.
    #[must_use]
    pub fn leaves_something_open(&self) -> bool {
        let is_open = |(_, words): &(String, String)| words == Verdict::Inconclusive.words();
        self.is_open || self.properties.iter().any(is_open) || self.costs.iter().any(is_open)
    }
}

/// The range of each cost: `2200..4200`.
fn costs(found: &Verification) -> Vec<(String, String)> {
    let answers = found.costs.iter().flat_map(|it| it.costs.iter().map(move |answer| (it, answer)));
    let added_up = answers.map(|(answers, answer)| {
        let CostRange { least, most } = answer.bounds.total;
        let least = least.map_or(String::new(), |least| least.to_string());
        let most = match most {
            MostCost::Bounded(most) => most.to_string(),
            MostCost::Unbounded => String::new(),
            MostCost::TooMuch => "too much".to_owned(),
        };
        let cut = if answers.report.cut_by.is_empty() { "" } else { ", cut" };
        let words = match answers.report.searched {
            true => format!("{least}..{most}{cut}"),
            false => Verdict::Inconclusive.words().to_owned(),
        };
        (answer.bounds.name.clone(), words)
    });
    let of_scene = &found.scene.properties.costs;
    // A limit left no room for these.
    let missing = of_scene.compiled.list.iter().skip(found.costs.as_ref().map_or(0, |it| it.costs.len()));
    let missing = missing.map(|cost| (cost.name.clone(), Verdict::Inconclusive.words().to_owned()));
    added_up
        .chain(missing)
        .chain(of_scene.refused.iter().map(|(name, why)| (name.clone(), refused_for(why))))
        .collect()
}

fn errors(compilation: &Compilation) -> Vec<String> {
    let errors = compilation.diagnostics.iter().filter(|found| found.severity() == Severity::Error);
    errors.map(|error| format!("{}: {}", compilation.source.name(), error.text)).collect()
}

fn under_bounds(args: &SearchArgs, compilation: &Compilation) -> Result<Scene, String> {
    let program = compilation.program.as_ref().ok_or("the scene has errors")?;
    let bounds = args.bounds.resolve(program)?;
    Ok(compilation.scene(bounds).expect("it has a program"))
}

/// What never happened, and what was left unread.
fn unused(found: &Verification) -> UnusedLines {
    let Scene { source, program, .. } = &found.scene;
    let namer = Namer::new(source, program);
    let unused = &found.report.unused;
    UnusedLines::found(
        unused.clauses.iter().map(|&clause| {
            let head = program.clause(clause).head_span;
            source.text()[head.start as usize..head.end as usize].to_owned()
        }),
        unused.agents.iter().map(|&agent| namer.agent(agent)),
        unused.unread.iter().map(|&(performative, agent)| {
            let of = program.performative(performative);
            format!("{}/{} by {}", of.name, of.arity, namer.agent(agent))
        }),
    )
}

/// The words for a property that cannot be judged: `refused` and the codes that say why.
fn refusal(state: &PropertyState) -> String {
    let PropertyState::Refused(_, diagnostics) = state else { return "refused".to_owned() };
    refused_for(diagnostics)
}

/// `refused` and the codes that say why.
fn refused_for(why: &[Diagnostic]) -> String {
    let codes: Vec<&str> = why.iter().map(|found| found.code.as_str()).collect();
    format!("refused {}", codes.join(" "))
}
