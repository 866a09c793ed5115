//! The verdict on each property, from the labelled graph.

use map_ir::{Possibility, Premise, Properties, Property, SourceSpan, Temporal};

use super::explore::{Explored, all_letters};
use super::form::{Form, Literal};
use super::graph::{LabelledGraph, NOBODY};
use super::groups::Group;
use super::reach::{self, Path, Run};
use super::run::Runs;
use super::temporal::{self, Graphs, Means, Unjudged};
use super::{Fairness, Judged, PropertyVerdict, RunEnding};
use crate::budget::{Limit, Limits, Progress};
use crate::reductions::Reductions;
use crate::report::InternalError;
use crate::witness::replay::NoReport;

/// What is said of a property after a search.
pub(super) struct Said {
    pub(super) judged: Option<Judged>,
    /// Whether it has to be judged with fewer reductions; what is said of it then counts if that comes to no end.
    pub(super) again: bool,
}

/// The verdicts on the properties of a group, in order, from what was explored for it. The limit is that of the search, or one
/// that ended the judging of a formula.
///
/// # Errors
/// If a run does not replay, or does not show what it is said to show.
pub(super) fn judge(
    group: &Group,
    explored: &mut Explored<'_>,
    limits: &Limits,
    fairness: Fairness,
    progress: &mut dyn Progress,
) -> Result<Vec<Said>, InternalError> {
    let statistics = explored.statistics;
    let graphs = Graphs::new(&explored.graph);
    let mut limit = explored.limit;
    let mut findings = Vec::new();
    for property in &group.properties.list {
        let hurried = matches!(limit, Some(Limit::Time | Limit::Interrupted));
        let mut judge = Judge {
            graphs: &graphs,
            searched: explored.searched,
            hurried,
            reductions: group.reductions(),
            unfit: false,
            limit: None,
            contradiction: None,
            reason: None,
            means: Means {
                agents: explored.space.program.agents.len(),
                fairness,
                memory: limits.memory.saturating_sub(statistics.memory),
                tick: &mut || if hurried { None } else { progress.tick(&statistics) },
            },
        };
        let finding = judge.property(property);
        if let Some(contradiction) = judge.contradiction {
            return Err(contradiction);
        }
        limit = Limit::told(limit, judge.limit);
        findings.push((finding, judge.unfit));
    }
    explored.limit = limit;
    let mut said = Vec::new();
    for (property, (finding, unfit)) in group.properties.list.iter().zip(findings) {
        // One part that is violated is enough, whatever the others come to.
        if unfit && (finding.verdict != PropertyVerdict::Violated || finding.open) {
            said.push(Said { judged: None, again: true });
            continue;
        }
        said.push(match report(group, explored, property, finding) {
            Ok(judged) => Said { judged: Some(judged), again: unfit },
            Err(NoReport::Unlifted) => Said { judged: None, again: true },
            Err(NoReport::Broken(error)) => return Err(error),
        });
    }
    Ok(said)
}

/// What was found out about a property.
struct Finding {
    verdict: PropertyVerdict,
    /// Whether the verdict rests on open comparisons.
    open: bool,
    run: Option<Run>,
    vacuous: Vec<SourceSpan>,
    reason: Option<&'static str>,
}

impl Finding {
    fn new(verdict: PropertyVerdict) -> Self {
        Self { verdict, open: false, run: None, vacuous: Vec::new(), reason: None }
    }
}

fn report(
    group: &Group,
    explored: &mut Explored<'_>,
    property: &Property,
    finding: Finding,
) -> Result<Judged, NoReport> {
    let Finding { verdict, open, run, vacuous, reason } = finding;
    let reason = if explored.runaway {
        Some("there is no first state: the way there is a runaway recursion")
    } else {
        reason
    };
    let (program, bounds) = (explored.space.program, explored.space.bounds);
    let reduced = group.reductions() != Reductions::NONE;
    let limit = explored.limit.filter(|_| verdict == PropertyVerdict::Inconclusive);
    let mut runs = Runs { program, properties: &group.properties, bounds, explored, reduced };
    let shown = run.map(|run| runs.made_again(&property.name, &run)).transpose()?;
    Ok(Judged { name: property.name.clone(), verdict, possible: open, shown, vacuous, reason, limit })
}

/// Whether the letters that were seen decide all of some properties.
pub(super) fn all_decided_by_letters(graph: &LabelledGraph, properties: &Properties) -> bool {
    properties.list.iter().all(|it| decided_by_letters(graph, it))
}

/// Whether single letters that were seen decide a property: then nothing more has to be searched for it. The first moment
/// at which they were seen is at most as far away as any. What holds has to be known to say something, too.
fn decided_by_letters(graph: &LabelledGraph, property: &Property) -> bool {
    let seen = |proposition, positive| reach::is_seen(graph, Literal { proposition, positive });
    let says_something = || property.premises.iter().all(|it| happens(graph, it));
    match &property.formula {
        Temporal::Possible(Possibility::Reach(proposition)) => seen(*proposition, true) && says_something(),
        Temporal::Not(inner) => {
            matches!(&**inner, Temporal::Possible(Possibility::Reach(proposition)) if seen(*proposition, true))
        }
        Temporal::Always(inner) => {
            matches!(&**inner, Temporal::Holds(proposition) if seen(*proposition, false))
        }
        Temporal::Holds(proposition) => !graph.holds(graph.initial(), *proposition) || says_something(),
        _ => false,
    }
}

/// Whether a premise holds at some moment.
fn happens(graph: &LabelledGraph, premise: &Premise) -> bool {
    let seen = |proposition: &usize| all_letters(graph).any(|it| graph.holds(it, *proposition));
    premise.propositions.iter().any(seen)
}

/// Whether a run is fair to every agent whoever makes its steps: a beginning that is enough, or one behind which nothing can
/// happen but polls.
fn is_fair_to_all(run: &Run) -> bool {
    match run.ending {
        RunEnding::Shown => true,
        RunEnding::Loop(from) => {
            !run.open && run.path[from..].iter().all(|(_, transition)| transition.agent == NOBODY)
        }
        RunEnding::TooLate => false,
    }
}

struct Judge<'g> {
    graphs: &'g Graphs<'g>,
    searched: bool,
    /// Whether only what single letters decide is judged: there is no time for more than the search for a run.
    hurried: bool,
    /// Those of the search.
    reductions: Reductions,
    /// The property has to be judged with fewer reductions.
    unfit: bool,
    /// The limit that kept a formula from being judged.
    limit: Option<Limit>,
    /// A defect of the engine that came to light.
    contradiction: Option<InternalError>,
    /// Why something could not be judged, if it is not for lack of search.
    reason: Option<&'static str>,
    means: Means<'g>,
}

/// Whether some run does something.
enum Whether {
    Yes(Run),
    No,
    Unknown,
}

/// What was found out about what some run is to do.
struct Asked {
    possibility: Possibility,
    answer: Option<bool>,
    /// A run that does it.
    witness: Option<Run>,
}

impl Asked {
    /// Whether it is so only if open comparisons come out so.
    fn is_open(&self) -> bool {
        self.witness.as_ref().is_some_and(|run| run.open)
    }
}

/// The best of the witnesses of which one alone shows that the formula holds, or that it does not.
fn decisive<'w>(formula: &Temporal, holds: bool, asked: &'w [Asked]) -> Option<&'w Run> {
    match (formula, holds) {
        (Temporal::Possible(possibility), true) => {
            asked.iter().find(|it| it.possibility == *possibility)?.witness.as_ref()
        }
        (Temporal::Not(inner), _) => decisive(inner, !holds, asked),
        // One part decides: with all of them, one witness would not show the whole.
        (Temporal::And(parts), false) | (Temporal::Or(parts), true) => {
            let deciding = parts.iter().filter_map(|part| decisive(part, holds, asked));
            deciding.fold(None, |best, run| if run.is_better(best) { Some(run) } else { best })
        }
        _ => None,
    }
}

/// Whether a formula is violated in what was searched.
enum Answer {
    NotViolated,
    /// With a run that shows it, if one can.
    Violated(Option<Run>),
    NotJudged,
}

impl From<Option<Run>> for Answer {
    fn from(run: Option<Run>) -> Self {
        run.map_or(Self::NotViolated, |run| Self::Violated(Some(run)))
    }
}

impl Judge<'_> {
    fn property(&mut self, property: &Property) -> Finding {
        let graphs = self.graphs;
        if graphs.all.len() == 0 {
            return Finding::new(PropertyVerdict::Inconclusive);
        }
        let mut asked: Vec<Asked> = Vec::new();
        let form =
            Form::new(&property.formula, &mut |possibility, _| self.ask(possibility, &mut asked).answer);
        let mut finding = self.every(form);
        let holds = match finding.verdict {
            PropertyVerdict::Holds => true,
            PropertyVerdict::Violated => false,
            PropertyVerdict::Inconclusive => {
                return Finding { reason: self.reason, ..finding };
            }
        };
        if asked.iter().any(Asked::is_open) {
            // The same if what is possible only so is not: as bad for the verdict as can be.
            let other = Form::new(&property.formula, &mut |possibility, positive| {
                let known = self.ask(possibility, &mut asked);
                if known.is_open() { Some(positive != holds) } else { known.answer }
            });
            let other = self.every(other);
            finding.open |= other.verdict != finding.verdict || other.open;
        }
        if let Some(witness) = decisive(&property.formula, holds, &asked)
            && witness.is_better(finding.run.as_ref())
        {
            finding.run = Some(witness.clone());
        }
        if holds && self.searched {
            let empty = property.premises.iter().filter(|premise| !happens(graphs.all, premise));
            finding.vacuous = empty.map(|premise| premise.span).collect();
        }
        finding
    }

    /// What is known of a possibility; found out if it was not asked for before.
    fn ask<'k>(&mut self, possibility: &Possibility, asked: &'k mut Vec<Asked>) -> &'k Asked {
        let index = asked.iter().position(|it| it.possibility == *possibility).unwrap_or_else(|| {
            let (answer, witness) = match self.possible(possibility) {
                Whether::Yes(run) => (Some(true), Some(run)),
                Whether::No => (Some(false), None),
                Whether::Unknown => (None, None),
            };
            asked.push(Asked { possibility: possibility.clone(), answer, witness });
            asked.len() - 1
        });
        &asked[index]
    }

    /// Whether every run satisfies the formula.
    fn every(&mut self, form: Form) -> Finding {
        let mut best: Option<Run> = None;
        let (mut violated, mut certainly, mut unknown) = (false, false, false);
        for part in form.conjuncts() {
            match self.conjunct(&part) {
                Answer::NotViolated => unknown |= !self.searched && !self.is_settled(&part),
                Answer::Violated(run) => {
                    violated = true;
                    certainly |= run.as_ref().is_none_or(|run| !run.open);
                    if let Some(run) = run
                        && run.is_better(best.as_ref())
                    {
                        best = Some(run);
                    }
                }
                Answer::NotJudged => unknown = true,
            }
        }
        let verdict = match () {
            () if violated => PropertyVerdict::Violated,
            () if unknown => PropertyVerdict::Inconclusive,
            () => PropertyVerdict::Holds,
        };
        Finding { run: best, open: violated && !certainly, ..Finding::new(verdict) }
    }

    /// Whether a formula that was not found violated holds though not every state was looked at.
    fn is_settled(&self, form: &Form) -> bool {
        matches!(form, Form::Constant(_) | Form::Literal(_))
    }

    fn conjunct(&mut self, form: &Form) -> Answer {
        let found = self.single_search(form).unwrap_or_else(|| self.as_temporal(form));
        found.unwrap_or_else(|limit| {
            self.limit = self.limit.or(Some(limit));
            Answer::NotJudged
        })
    }

    /// What one search of the graph judges; `None` if it takes an automaton.
    fn single_search(&mut self, form: &Form) -> Option<Result<Answer, Limit>> {
        let literal = |form: &Form| if let Form::Literal(it) = form { Some(*it) } else { None };
        let fair = self.means.fairness == Fairness::Fair;
        let (graph, means) = (self.graphs.all, &mut self.means);
        let found = match form {
            Form::Constant(true) => return Some(Ok(Answer::NotViolated)),
            Form::Constant(false) => return Some(Ok(Answer::Violated(None))),
            Form::Literal(it) => {
                let holds = reach::holds(graph, *it, graph.initial());
                let at_once = Run { path: Path::new(), ending: RunEnding::Shown, open: false };
                Ok((!holds).then_some(at_once))
            }
            Form::Always(inner) => {
                let wanted = literal(inner)?;
                reach::to_moment(graph, Literal { positive: !wanted.positive, ..wanted }, means)
            }
            _ if self.hurried => return Some(Ok(Answer::NotJudged)),
            Form::Eventually(goal) if fair => reach::never_after_all(graph, literal(goal)?, means),
            Form::LeadsTo(premise, goal) if fair => {
                reach::unanswered(graph, literal(premise)?, literal(goal)?, means)
            }
            Form::Until(left, goal) if fair => {
                reach::broken_off(graph, literal(left)?, literal(goal)?, means)
            }
            _ => return None,
        };
        Some(found.map(Answer::from))
    }

    fn as_temporal(&mut self, form: &Form) -> Result<Answer, Limit> {
        if form.has_unknown() || self.hurried {
            return Ok(Answer::NotJudged);
        }
        // Whose turn it is is not known up to symmetry. But if no run violates the formula, no fair one does; a beginning
        // that is violation enough is that of a fair run, too; and a run that stays for ever owes nobody a turn.
        let fairness = self.means.fairness;
        let turns_are_lost = self.reductions.symmetry && fairness == Fairness::Fair;
        if turns_are_lost {
            self.means.fairness = Fairness::None;
        }
        let found = temporal::violating_run(self.graphs, form, &mut self.means);
        self.means.fairness = fairness;
        match found {
            Ok(Some(run)) if turns_are_lost && !is_fair_to_all(&run) => {
                self.unfit = true;
                Ok(Answer::NotJudged)
            }
            Ok(run) => Ok(run.into()),
            Err(Unjudged::Limit(limit)) => Err(limit),
            Err(Unjudged::Contradiction(error)) => {
                self.contradiction = Some(error);
                Ok(Answer::NotJudged)
            }
            Err(Unjudged::TooLarge) => {
                self.reason = Some("the automaton of this formula would be too large");
                Ok(Answer::NotJudged)
            }
        }
    }

    fn possible(&mut self, possibility: &Possibility) -> Whether {
        let positive = |proposition: &usize| Literal { proposition: *proposition, positive: true };
        let (graph, means) = (self.graphs.all, &mut self.means);
        let found = match possibility {
            Possibility::Reach(proposition) => reach::to_moment(graph, positive(proposition), means),
            Possibility::Sequence(_) if self.hurried => return Whether::Unknown,
            Possibility::Sequence(all) => {
                reach::in_order(graph, &all.iter().map(positive).collect::<Vec<_>>(), means)
            }
            Possibility::Satisfy(formula) => {
                // Some run satisfies it if not every run satisfies its negation.
                let denied = Temporal::Not(formula.clone());
                let finding = self.every(Form::new(&denied, &mut |_, _| None));
                return match (finding.verdict, finding.run) {
                    (PropertyVerdict::Violated, Some(run)) => Whether::Yes(run),
                    (PropertyVerdict::Holds, _) => Whether::No,
                    _ => Whether::Unknown,
                };
            }
        };
        match found {
            Ok(Some(run)) => Whether::Yes(run),
            Ok(None) if self.searched => Whether::No,
            Ok(None) => Whether::Unknown,
            Err(limit) => {
                self.limit = self.limit.or(Some(limit));
                Whether::Unknown
            }
        }
    }
}
