//! Properties for any number of agents: proved from views, violated with some number, or not judged, and why.

use map_diagnostics::SourceFile;
use map_flags::{Compiled, PropertyState, compile_with_properties};
use map_ir::{Program, Properties};
use map_semantics::Bounds;
use map_verify::{
    Limit, Limits, Progress, PropertyOptions, PropertyVerdict, Reductions, Snapshot, verify_properties,
};
use map_views::{Sabotage, Unjudged, judge_properties};

use super::Question;
use super::evidence::range;
use crate::failure::Failure;
use crate::json::{AnyPropertyVerdict, Closed as _};

/// What was found about a property.
pub(super) struct Found {
    pub(super) name: String,
    pub(super) verdict: Verdict,
    /// The least number of agents with which the text is correct, of those that were asked for.
    pub(super) from: u32,
    /// The first and the last number of agents with which it was verified one by one, and holds.
    pub(super) holds_with: Option<(u32, u32)>,
}

/// Whether it holds.
pub(super) enum Verdict {
    /// It holds for any number of agents from this on, and for those before it as long as it is not known to be otherwise.
    Proved(u32),
    /// It does not with so many.
    Violated(u32),
    /// That is not known.
    NotJudged(&'static str),
    /// That is not known, because this limit was reached.
    Stopped(Limit),
}

/// What part of the states is enough with two agents or more, for each of the searches that properties may take.
const AT_FIRST: usize = 10;

/// The limits of all this.
#[derive(Clone, Copy)]
pub(super) struct Effort {
    /// The most views.
    pub(super) views: usize,
    /// Of the verifications with a number of agents; those with two or more have a part of the states.
    pub(super) limits: Limits,
    /// The most agents with which properties are verified as they are.
    pub(super) concrete: u32,
}

/// Judges the properties of the text. `None` if it has errors with two agents of the role, for views speak of two or more.
pub(super) fn judge(
    question: &Question<'_>,
    source: &SourceFile,
    bounds: &Bounds,
    effort: Effort,
    progress: &mut dyn Progress,
) -> Result<Option<Vec<Found>>, Failure> {
    let with = |count| {
        let Compiled { program, properties, .. } =
            compile_with_properties(source, &question.args.scene.with(count), &[], &[]);
        program.map(|program| (program, properties))
    };
    let Some((_, two)) = with(2) else { return Ok(None) };
    if two.entries.is_empty() {
        return Ok(Some(Vec::new()));
    }
    let scene = |count| with(count).map(|(program, set)| (program, set.compiled));
    let mut limit = None;
    let mut stop = || {
        limit = limit.or(progress.tick(&Snapshot::default()));
        limit.is_some()
    };
    let most = (effort.views, Sabotage::default());
    let judged = judge_properties(&scene, question.role, bounds, most, &mut stop);
    let found = two.entries.iter().map(|entry| {
        let verdict = match &entry.state {
            PropertyState::Compiled(place) => match judged[*place] {
                Ok(least) => Verdict::Proved(least),
                Err(why) => match limit {
                    Some(limit) if why == Unjudged::NoViews => Verdict::Stopped(limit),
                    _ => Verdict::NotJudged(reason(why)),
                },
            },
            PropertyState::Refused(..) => Verdict::NotJudged("it is refused"),
            PropertyState::OfOtherScene => Verdict::NotJudged("it is about another scene"),
        };
        Found { name: entry.name.clone(), verdict, from: question.from.max(1), holds_with: None }
    });
    let mut found: Vec<Found> = found.collect();
    let from = question.from.max(1);
    let mut first = None;
    for count in from..=effort.concrete.max(from) {
        let Some((program, set)) = with(count) else {
            // One alone has another name, which the text need not know.
            if first.is_none() {
                continue;
            }
            break;
        };
        let first = *first.get_or_insert(count);
        found.iter_mut().for_each(|it| it.from = first);
        verify(&mut found, (&program, &set.compiled, count), first, (question, bounds, effort), progress)?;
    }
    Ok(Some(found))
}

/// Verifies the properties with some number of agents.
fn verify(
    found: &mut [Found],
    (program, properties, count): (&Program, &Properties, u32),
    first: u32,
    (question, bounds, effort): (&Question<'_>, &Bounds, Effort),
    progress: &mut dyn Progress,
) -> Result<(), Failure> {
    let is_needed = |it: &Found| matches!(it.verdict, Verdict::Proved(least) if count < least);
    let is_needed = count < 2 || found.iter().any(is_needed);
    let states = if is_needed { effort.limits.states } else { effort.limits.states / AT_FIRST };
    let options = PropertyOptions {
        limits: Limits { states, ..effort.limits },
        fairness: question.args.judge.fairness.fairness(),
        reductions: Reductions::ALL,
    };
    let report = verify_properties(program, properties, bounds, &options, progress)?;
    let is_whole = report.cut_by.is_empty();
    for it in found {
        let judged = report.properties.iter().find(|judged| judged.name == it.name);
        let verdict = judged.map(|judged| judged.verdict);
        let is_violated = matches!(it.verdict, Verdict::Violated(_));
        match verdict {
            Some(PropertyVerdict::Violated) if !is_violated => it.verdict = Verdict::Violated(count),
            Some(PropertyVerdict::Holds) if is_whole => {
                let follows = count == first || it.holds_with.is_some_and(|(_, last)| last + 1 == count);
                it.holds_with = if follows { Some((first, count)) } else { it.holds_with };
            }
            _ if matches!(it.verdict, Verdict::Proved(least) if count < least) => {
                it.verdict = match report.limit {
                    Some(limit) => Verdict::Stopped(limit),
                    None => Verdict::NotJudged("it holds for more, but bounds cut a smaller number"),
                };
            }
            _ => {}
        }
    }
    Ok(())
}

fn reason(why: Unjudged) -> &'static str {
    match why {
        Unjudged::Several => {
            "it is about more than three of them at once; what is judged are claims about up to three, each under a \
             \"forall\""
        }
        Unjudged::LooksBack => {
            "it adds up, or looks back otherwise than as in \"always count(f) <= 2\" or \"always g implies before f\""
        }
        Unjudged::NotSafety => {
            "it is about what happens in the end, or about what may happen; what is judged are claims that the beginning \
             of a run can refute, such as \"always f\", \"f unless g\" and \"always f implies never g\""
        }
        Unjudged::Open => "some view leaves it open, which perhaps never happens",
        Unjudged::NoViews => "not all views are known",
    }
}

/// That a limit was reached, and what to do about it.
fn reached(limit: Limit) -> &'static str {
    match limit {
        Limit::States => "there are too many states; raise --max-states",
        Limit::Memory | Limit::NoRoom => "the limit of memory was reached; raise --max-memory",
        Limit::Time => "the limit of time was reached; raise --time-limit",
        Limit::Interrupted => "it was interrupted",
        Limit::Calls | Limit::NoFirstState => "the search with a smaller number cannot go on",
    }
}

impl Found {
    /// In the words of tests.
    pub(super) fn expected(&self, role: &str) -> String {
        match self.verdict {
            Verdict::Violated(count) => format!("{}, with {role}={count}", self.in_short().word()),
            Verdict::Stopped(_) => "inconclusive".to_owned(),
            Verdict::Proved(_) | Verdict::NotJudged(_) => self.in_short().word().to_owned(),
        }
    }

    pub(super) fn in_short(&self) -> AnyPropertyVerdict {
        match self.verdict {
            Verdict::Proved(_) => AnyPropertyVerdict::Holds,
            Verdict::Violated(_) => AnyPropertyVerdict::Violated,
            Verdict::NotJudged(_) | Verdict::Stopped(_) => AnyPropertyVerdict::NotJudged,
        }
    }

    /// Why it is not judged, if it is not.
    pub(super) fn reason(&self) -> Option<String> {
        match self.verdict {
            Verdict::NotJudged(why) => Some(why.to_owned()),
            Verdict::Stopped(limit) => Some(reached(limit).to_owned()),
            Verdict::Proved(_) | Verdict::Violated(_) => None,
        }
    }

    /// In one line.
    pub(super) fn line(&self, role: &str) -> String {
        let Self { name, from, .. } = self;
        let holds_with = self.holds_with.map(|(first, last)| format!(" with {role}={}", range(first, last)));
        match self.verdict {
            Verdict::Proved(_) if *from > 1 => {
                format!("property {name} holds, for any number of %{role} from {from} on")
            }
            Verdict::Proved(_) => format!("property {name} holds, for any number of %{role}"),
            Verdict::Violated(count) => format!("property {name} is violated, with {role}={count}"),
            Verdict::NotJudged(_) | Verdict::Stopped(_) => {
                let why = self.reason().unwrap_or_default();
                match holds_with {
                    Some(holds_with) => {
                        format!("property {name} holds{holds_with}; not judged for any number: {why}")
                    }
                    None => format!("property {name} is not judged: {why}"),
                }
            }
        }
    }
}
