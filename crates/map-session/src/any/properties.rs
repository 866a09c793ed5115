//! Properties for any number of agents: proved from views, violated with some number, or not judged, and why.

use std::cell::RefCell;
use std::time::Duration;

use map_ir::{Program, Properties};
use map_semantics::Bounds;
use map_verify::{
    InternalError, Limit, Limits, PropertyOptions, PropertyVerdict, Reductions, Snapshot, verify_properties,
};
use map_views::{NoJudgement, Sabotage, judge_properties};

use super::AnyNumber;
use super::words::AnyPropertyWord;
use crate::compilation::PropertySelection;
use crate::measures::Collect;
use crate::properties::PropertyState;
use crate::watch::Watch;

/// What was found about a property.
pub struct AnyProperty {
    /// Its name.
    pub name: String,
    /// Whether it holds.
    pub verdict: AnyPropertyVerdict,
    /// The least number of agents with which the text is correct, of those that were asked for.
    pub from: u32,
    /// The first and the last number of agents with which it was verified one by one, and holds.
    pub holds_with: Option<(u32, u32)>,
    /// How long views were searched for it and for those that were judged with it.
    pub took: Duration,
}

/// Whether a property holds for any number of agents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnyPropertyVerdict {
    /// It holds for any number of agents from this on, and for those before it as long as it is not known to be
    /// otherwise.
    Proved(u32),
    /// It does not with so many.
    Violated(u32),
    /// That is not known.
    NotJudged(ProofGap),
    /// That is not known, because this limit was reached.
    Stopped(Limit),
}

/// Why it is not known whether a property holds for any number of agents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofGap {
    /// Views do not tell.
    Views(NoJudgement),
    /// It cannot be judged at all.
    Refused,
    /// It is about another scene.
    OfOtherScene,
    /// It holds for more, but bounds cut a smaller number.
    Cut,
}

/// What part of the states is enough with two agents or more, for each of the searches that properties may take.
pub(super) const AT_FIRST: usize = 10;

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

/// Judges the properties of the text. `None` if it has errors with two agents of the role, for views speak of two or
/// more.
pub(super) fn judge(
    question: &AnyNumber,
    bounds: &Bounds,
    effort: Effort,
    watch: &mut dyn Watch,
) -> Result<Option<Vec<AnyProperty>>, InternalError> {
    let Some(judged) = &question.properties else { return Ok(None) };
    let wanted =
        PropertySelection::Properties { only: &judged.only, given: &judged.given, collect: Collect::NOTHING };
    let with = |count| {
        let compilation = question.compile(count, wanted);
        compilation.program.map(|program| (program, compilation.properties))
    };
    let Some((_, two)) = with(2) else { return Ok(None) };
    if two.entries.is_empty() {
        return Ok(Some(Vec::new()));
    }
    let scene = |count| with(count).map(|(program, set)| (Program::clone(&program), set.compiled.clone()));
    let mut limit = None;
    let mut rounds = Rounds::default();
    let most = (effort.views, Sabotage::default());
    let judged = {
        let watch = RefCell::new(&mut *watch);
        let mut stop = || {
            limit = limit.or(watch.borrow_mut().tick(&Snapshot::default()));
            limit.is_some()
        };
        let mut begins = |names: &[&str]| rounds.begin(names, watch.borrow().elapsed());
        judge_properties(&scene, &question.role, bounds, most, &mut begins, &mut stop)
    };
    rounds.begin(&[], watch.elapsed());
    let from = question.from.max(1);
    let found = two.entries.iter().map(|entry| {
        let verdict = match &entry.state {
            PropertyState::Compiled(place) => match judged[*place] {
                Ok(least) => AnyPropertyVerdict::Proved(least),
                Err(why) => match limit {
                    Some(limit) if why == NoJudgement::NoViews => AnyPropertyVerdict::Stopped(limit),
                    _ => AnyPropertyVerdict::NotJudged(ProofGap::Views(why)),
                },
            },
            PropertyState::Refused(..) => AnyPropertyVerdict::NotJudged(ProofGap::Refused),
            PropertyState::OfOtherScene => AnyPropertyVerdict::NotJudged(ProofGap::OfOtherScene),
        };
        AnyProperty {
            name: entry.name.clone(),
            verdict,
            from,
            holds_with: None,
            took: rounds.of(&entry.name),
        }
    });
    let mut found: Vec<AnyProperty> = found.collect();
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
        found.iter_mut().for_each(|property| property.from = first);
        let scene = Counted { program: &program, properties: &set.compiled, bounds, count, first };
        verify(&mut found, &scene, question, effort, watch)?;
    }
    Ok(Some(found))
}

/// When views began to be searched for which properties.
#[derive(Default)]
struct Rounds(Vec<(Duration, Vec<String>)>);

impl Rounds {
    fn begin(&mut self, names: &[&str], at: Duration) {
        self.0.push((at, names.iter().map(|&name| name.to_owned()).collect()));
    }

    /// How long the rounds took in which a property was judged.
    fn of(&self, name: &str) -> Duration {
        let judged = self.0.windows(2).filter(|pair| pair[0].1.iter().any(|it| it == name));
        judged.map(|pair| pair[1].0.saturating_sub(pair[0].0)).sum()
    }
}

/// The scene with some number of agents.
struct Counted<'a> {
    program: &'a Program,
    properties: &'a Properties,
    bounds: &'a Bounds,
    count: u32,
    /// The least number with which the text is correct.
    first: u32,
}

/// Verifies the properties with some number of agents.
fn verify(
    found: &mut [AnyProperty],
    &Counted { program, properties, bounds, count, first }: &Counted<'_>,
    question: &AnyNumber,
    effort: Effort,
    watch: &mut dyn Watch,
) -> Result<(), InternalError> {
    let is_needed =
        |it: &AnyProperty| matches!(it.verdict, AnyPropertyVerdict::Proved(least) if count < least);
    let is_needed = count < 2 || found.iter().any(is_needed);
    let states = if is_needed { effort.limits.states } else { effort.limits.states / AT_FIRST };
    let options = PropertyOptions {
        limits: Limits { states, ..effort.limits },
        fairness: question.fairness,
        reductions: Reductions::ALL,
    };
    let report = verify_properties(program, properties, bounds, &options, watch)?;
    let is_whole = report.cut_by.is_empty();
    for property in found {
        let judged = report.properties.iter().find(|judged| judged.name == property.name);
        let verdict = judged.map(|judged| judged.verdict);
        let is_violated = matches!(property.verdict, AnyPropertyVerdict::Violated(_));
        match verdict {
            Some(PropertyVerdict::Violated) if !is_violated => {
                property.verdict = AnyPropertyVerdict::Violated(count);
            }
            Some(PropertyVerdict::Holds) if is_whole => {
                let follows =
                    count == first || property.holds_with.is_some_and(|(_, last)| last + 1 == count);
                property.holds_with = if follows { Some((first, count)) } else { property.holds_with };
            }
            _ if matches!(property.verdict, AnyPropertyVerdict::Proved(least) if count < least) => {
                property.verdict = match report.limit {
                    Some(limit) => AnyPropertyVerdict::Stopped(limit),
                    None => AnyPropertyVerdict::NotJudged(ProofGap::Cut),
                };
            }
            _ => {}
        }
    }
    Ok(())
}

impl AnyProperty {
    /// The verdict, whatever it rests on.
    #[must_use]
    pub const fn word(&self) -> AnyPropertyWord {
        match self.verdict {
            AnyPropertyVerdict::Proved(_) => AnyPropertyWord::Holds,
            AnyPropertyVerdict::Violated(_) => AnyPropertyWord::Violated,
            AnyPropertyVerdict::NotJudged(_) | AnyPropertyVerdict::Stopped(_) => AnyPropertyWord::NotJudged,
        }
    }
}
