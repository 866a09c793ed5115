//! The verdict on each property, from the labelled graph.

use map_ir::{Possibility, Program, Properties, Property, Temporal};
use map_semantics::Bounds;

use super::explore::{Explored, all_letters, explore};
use super::form::{Form, Literal};
use super::graph::LabelledGraph;
use super::reach::{self, Path};
use super::run::Runs;
use super::temporal::{self, Means, Unjudged};
use super::{Fairness, Judged, PropertyReport, PropertyVerdict, RunEnding, ShownRun};
use crate::report::{InternalError, Limit, Limits, Progress};

pub(super) fn judge(
    program: &Program,
    properties: &Properties,
    bounds: &Bounds,
    limits: &Limits,
    fairness: Fairness,
    progress: &mut dyn Progress,
) -> Result<PropertyReport, InternalError> {
    let decided = |graph: &LabelledGraph| properties.list.iter().all(|it| decided_by_letters(graph, it));
    let mut explored = explore(program, properties, bounds, limits, decided, progress);
    let mut list = Vec::new();
    for property in &properties.list {
        let statistics = explored.statistics;
        let mut judge = Judge {
            graph: &explored.graph,
            searched: explored.searched,
            limit: None,
            contradiction: None,
            means: Means {
                agents: program.agents.len(),
                fairness,
                memory: limits.memory.saturating_sub(statistics.memory),
                tick: &mut || progress.tick(&statistics),
            },
        };
        let finding = judge.property(property);
        let (limit, contradiction) = (judge.limit, judge.contradiction);
        if let Some(contradiction) = contradiction {
            return Err(contradiction);
        }
        explored.limit = explored.limit.or(limit);
        list.push(report(program, properties, bounds, &mut explored, property, finding)?);
    }
    Ok(PropertyReport {
        properties: list,
        statistics: explored.statistics,
        searched: explored.searched,
        cut_by: explored.cut_by,
        limit: explored.limit,
        fairness,
        bounds: bounds.clone(),
    })
}

/// What was found out about a property.
struct Finding {
    verdict: PropertyVerdict,
    run: Option<(Path, RunEnding)>,
    vacuous: Vec<map_ir::SourceSpan>,
    reason: Option<&'static str>,
}

impl Finding {
    fn new(verdict: PropertyVerdict) -> Self {
        Self { verdict, run: None, vacuous: Vec::new(), reason: None }
    }
}

fn report(
    program: &Program,
    properties: &Properties,
    bounds: &Bounds,
    explored: &mut Explored<'_>,
    property: &Property,
    finding: Finding,
) -> Result<Judged, InternalError> {
    let Finding { verdict, run, vacuous, reason } = finding;
    let (mut possible, mut shown) = (false, None);
    if let Some((path, ending)) = run {
        let mut runs = Runs { program, properties, bounds, explored };
        let (trace, ending, compared) = runs.made_again(&property.name, &path, ending)?;
        possible = compared;
        shown = Some(ShownRun { trace, ending });
    }
    Ok(Judged { name: property.name.clone(), verdict, possible, shown, vacuous, reason })
}

/// Whether single letters that were seen decide a property: then nothing more has to be searched for it. The first moment
/// at which they were seen is at most as far away as any.
fn decided_by_letters(graph: &LabelledGraph, property: &Property) -> bool {
    let seen = |proposition, value| all_letters(graph).any(|it| graph.holds(it, proposition) == value);
    match &property.formula {
        Temporal::Possible(Possibility::Reach(proposition)) => seen(*proposition, true),
        Temporal::Not(inner) => {
            matches!(&**inner, Temporal::Possible(Possibility::Reach(proposition)) if seen(*proposition, true))
        }
        Temporal::Always(inner) => {
            matches!(&**inner, Temporal::Holds(proposition) if seen(*proposition, false))
        }
        Temporal::Holds(_) => true,
        _ => false,
    }
}

struct Judge<'g> {
    graph: &'g LabelledGraph,
    searched: bool,
    /// The limit that kept a formula from being judged.
    limit: Option<Limit>,
    /// A defect of the engine that came to light.
    contradiction: Option<InternalError>,
    means: Means<'g>,
}

/// What is known of whether some run does something.
enum Whether {
    Yes(Path, RunEnding),
    No,
    Unknown,
}

/// A run that does what is said to be possible.
struct Witness {
    possibility: Possibility,
    path: Path,
    ending: RunEnding,
}

/// The shortest of the witnesses of which one alone shows that the formula holds, or that it does not.
fn decisive<'w>(formula: &Temporal, holds: bool, witnesses: &'w [Witness]) -> Option<&'w Witness> {
    match (formula, holds) {
        (Temporal::Possible(possibility), true) => witnesses.iter().find(|it| it.possibility == *possibility),
        (Temporal::Not(inner), _) => decisive(inner, !holds, witnesses),
        // One part decides: with all of them, one witness would not show the whole.
        (Temporal::And(parts), false) | (Temporal::Or(parts), true) => {
            let deciding = parts.iter().filter_map(|part| decisive(part, holds, witnesses));
            deciding.min_by_key(|witness| witness.path.len())
        }
        _ => None,
    }
}

/// Whether a formula is violated in what was searched.
enum Answer {
    NotViolated,
    /// With a run that shows it, if one can.
    Violated(Option<(Path, RunEnding)>),
    /// Why it cannot be judged, if it is not for lack of search.
    NotJudged(Option<&'static str>),
}

impl Judge<'_> {
    fn property(&mut self, property: &Property) -> Finding {
        if self.graph.len() == 0 {
            return Finding::new(PropertyVerdict::Inconclusive);
        }
        let mut witnesses = Vec::new();
        let form = Form::new(&property.formula, &mut |possibility| match self.possible(possibility) {
            Whether::Yes(path, ending) => {
                witnesses.push(Witness { possibility: possibility.clone(), path, ending });
                Some(true)
            }
            Whether::No => Some(false),
            Whether::Unknown => None,
        });
        let mut finding = self.every(form);
        let holds = match finding.verdict {
            PropertyVerdict::Holds => Some(true),
            PropertyVerdict::Violated => Some(false),
            _ => None,
        };
        let decisive = holds.and_then(|holds| decisive(&property.formula, holds, &witnesses));
        let shorter = |it: &&Witness| finding.run.as_ref().is_none_or(|(path, _)| it.path.len() < path.len());
        if let Some(witness) = decisive.filter(shorter) {
            finding.run = Some((witness.path.clone(), witness.ending));
        }
        if finding.verdict == PropertyVerdict::Holds && self.searched {
            finding.vacuous = self.vacuous(property);
        }
        finding
    }

    fn vacuous(&self, property: &Property) -> Vec<map_ir::SourceSpan> {
        let happens =
            |proposition: &usize| all_letters(self.graph).any(|it| self.graph.holds(it, *proposition));
        let never = |premise: &&map_ir::Premise| !premise.propositions.iter().any(happens);
        property.premises.iter().filter(never).map(|premise| premise.span).collect()
    }

    /// Whether every run satisfies the formula.
    fn every(&mut self, form: Form) -> Finding {
        let mut best: Option<(Path, RunEnding)> = None;
        let (mut violated, mut open, mut reason) = (false, false, None);
        for part in form.conjuncts() {
            match self.conjunct(&part) {
                Answer::NotViolated => open |= !self.searched && !self.is_settled(&part),
                Answer::Violated(run) => {
                    violated = true;
                    if let Some(run) = run
                        && best.as_ref().is_none_or(|(path, _)| run.0.len() < path.len())
                    {
                        best = Some(run);
                    }
                }
                Answer::NotJudged(why) => {
                    open = true;
                    reason = reason.or(why);
                }
            }
        }
        let verdict = match () {
            () if violated => PropertyVerdict::Violated,
            () if open => PropertyVerdict::Inconclusive,
            () => PropertyVerdict::Holds,
        };
        Finding { run: best, reason: reason.filter(|_| !violated), ..Finding::new(verdict) }
    }

    /// Whether a formula that was not found violated holds though not every state was looked at.
    fn is_settled(&self, form: &Form) -> bool {
        matches!(form, Form::Constant(_) | Form::Literal(_))
    }

    fn conjunct(&mut self, form: &Form) -> Answer {
        let answer = |path: Option<Path>, ending| match path {
            Some(path) => Answer::Violated(Some((path, ending))),
            None => Answer::NotViolated,
        };
        let literal = |form: &Form| if let Form::Literal(it) = form { Some(*it) } else { None };
        let pair = |left: &Form, right: &Form| literal(left).zip(literal(right));
        let fair = self.means.fairness == Fairness::Fair;
        match form {
            Form::Constant(true) => return Answer::NotViolated,
            Form::Constant(false) => return Answer::Violated(None),
            Form::Literal(it) => {
                let holds = reach::holds(self.graph, *it, self.graph.initial());
                return answer((!holds).then(Path::new), RunEnding::Shown);
            }
            Form::Always(inner) => {
                if let Some(wanted) = literal(inner) {
                    let unwanted = Literal { positive: !wanted.positive, ..wanted };
                    return answer(reach::to_moment(self.graph, unwanted), RunEnding::Shown);
                }
            }
            Form::Eventually(goal) if fair => {
                if let Some(goal) = literal(goal) {
                    return answer(reach::never_after_all(self.graph, goal), RunEnding::TooLate);
                }
            }
            Form::LeadsTo(premise, goal) if fair => {
                if let Some((premise, goal)) = pair(premise, goal) {
                    return answer(reach::unanswered(self.graph, premise, goal), RunEnding::TooLate);
                }
            }
            Form::Until(left, goal) if fair => {
                if let Some((left, goal)) = pair(left, goal) {
                    let path = reach::broken_off(self.graph, left, goal);
                    let last = path.iter().flat_map(|path| path.last()).map(|(_, it)| it.letter).next();
                    let failed = !reach::holds(self.graph, left, last.unwrap_or(self.graph.initial()));
                    return answer(path, if failed { RunEnding::Shown } else { RunEnding::TooLate });
                }
            }
            _ => {}
        }
        if form.has_unknown() {
            return Answer::NotJudged(None);
        }
        match temporal::violating_run(self.graph, form, &mut self.means) {
            Ok(Some(run)) => Answer::Violated(Some(run)),
            Ok(None) => Answer::NotViolated,
            Err(Unjudged::Limit(limit)) => {
                self.limit = Some(limit);
                Answer::NotJudged(None)
            }
            Err(Unjudged::Contradiction(error)) => {
                self.contradiction = Some(error);
                Answer::NotJudged(None)
            }
            Err(Unjudged::TooLarge) => {
                Answer::NotJudged(Some("the automaton of this formula would be too large"))
            }
        }
    }

    fn possible(&mut self, possibility: &Possibility) -> Whether {
        let positive = |proposition: &usize| Literal { proposition: *proposition, positive: true };
        let found = match possibility {
            Possibility::Reach(proposition) => reach::to_moment(self.graph, positive(proposition)),
            Possibility::Sequence(all) => {
                reach::in_order(self.graph, &all.iter().map(positive).collect::<Vec<_>>())
            }
            Possibility::Satisfy(formula) => {
                // Some run satisfies it if not every run satisfies its negation.
                let denied = Temporal::Not(formula.clone());
                let finding = self.every(Form::new(&denied, &mut |_| None));
                return match (finding.verdict, finding.run) {
                    (PropertyVerdict::Violated, Some((path, ending))) => Whether::Yes(path, ending),
                    (PropertyVerdict::Holds, _) => Whether::No,
                    _ => Whether::Unknown,
                };
            }
        };
        match found {
            Some(path) => Whether::Yes(path, RunEnding::Shown),
            None if self.searched => Whether::No,
            None => Whether::Unknown,
        }
    }
}
