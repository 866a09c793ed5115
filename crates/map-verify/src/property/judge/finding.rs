//! Combines the answers to questions into the verdict on a property.
//!
//! Questions depend on earlier answers, because a formula is simplified by the truth of its possibilities. So a
//! property is evaluated as far as the answers allow, and the missing questions are collected.

use map_ir::{Possibility, Property, SourceSpan, Temporal};

use super::by_letters::happens;
use super::question::{Hindrance, Question, Reply};
use super::reach;
use super::run::{Path, Run};
use crate::budget::Limit;
use crate::property::form::{Form, Literal};
use crate::property::graph::LabelledGraph;
use crate::property::verdict::{PropertyVerdict, RunEnding};
use crate::report::InternalError;

/// The findings on a property.
pub(super) struct Finding {
    pub(super) verdict: PropertyVerdict,
    /// Whether the verdict depends on open comparisons.
    pub(super) open: bool,
    pub(super) run: Option<Run>,
    /// The instance of the property that the run violates, if the property is about several.
    pub(super) instance: Option<String>,
    /// Whether the run violates an `until` whose left side holds all along.
    pub(super) only_goal_missing: bool,
    pub(super) vacuous: Vec<SourceSpan>,
    pub(super) hindrances: Hindrances,
}

/// Why something could not be judged.
#[derive(Default)]
pub(super) struct Hindrances {
    /// Whether the property has to be judged with fewer reductions.
    pub(super) unfit: bool,
    /// The first limit reached.
    pub(super) limit: Option<Limit>,
    /// A defect of the engine that came to light.
    pub(super) contradiction: Option<InternalError>,
    /// Another reason, unrelated to the extent of the search.
    pub(super) reason: Option<&'static str>,
}

/// The answered questions.
pub(super) type Answers = Vec<(Question, Reply)>;

/// Signals that some question is not answered yet.
pub(super) struct Pending;

/// The evaluation of a property.
pub(super) struct Inquiry<'k> {
    pub(super) graph: &'k LabelledGraph,
    /// Whether every state was explored.
    pub(super) searched: bool,
    pub(super) known: &'k Answers,
    /// The questions still to be answered.
    pub(super) asked: &'k mut Vec<Question>,
    hindrances: Hindrances,
}

/// The truth of a possibility.
enum Whether {
    Yes(Run),
    No,
    Unknown,
}

/// Whether a formula is violated in the explored part.
enum Answer {
    NotViolated,
    /// With a run that shows it, if a run can.
    Violated(Option<Run>),
    NotJudged,
}

/// An evaluated possibility.
struct KnownPossibility {
    possibility: Possibility,
    answer: Option<bool>,
    /// A run that realises it.
    witness: Option<Run>,
}

impl KnownPossibility {
    /// Whether it holds only for some outcomes of open comparisons.
    fn is_open(&self) -> bool {
        self.witness.as_ref().is_some_and(|run| run.open)
    }
}

/// The verdict on whether all runs satisfy a formula.
struct FormulaVerdict {
    verdict: PropertyVerdict,
    open: bool,
    run: Option<Run>,
    /// The conjunct that the run violates.
    violated: Option<Form>,
}

impl<'k> Inquiry<'k> {
    /// An evaluation based on the known answers. Missing questions are added to `asked`.
    pub(super) fn new(
        graph: &'k LabelledGraph,
        searched: bool,
        known: &'k Answers,
        asked: &'k mut Vec<Question>,
    ) -> Self {
        Self { graph, searched, known, asked, hindrances: Hindrances::default() }
    }

    /// Evaluates a property.
    pub(super) fn evaluate(mut self, property: &Property) -> Result<Finding, Pending> {
        let FormulaVerdict { verdict, open, run, violated } = match self.graph.len() {
            0 => FormulaVerdict {
                verdict: PropertyVerdict::Inconclusive,
                open: false,
                run: None,
                violated: None,
            },
            _ => self.judge(&property.formula)?,
        };
        let mut vacuous = Vec::new();
        if verdict == PropertyVerdict::Holds && self.searched {
            let empty = property.premises.iter().filter(|premise| !happens(self.graph, premise));
            vacuous.extend(empty.map(|premise| premise.span));
        }
        let is_too_late = run.as_ref().is_some_and(|run| run.ending == RunEnding::TooLate);
        let instance = match (&violated, verdict) {
            (Some(part), _) => instance_with(property, part),
            // What is possible is asked part by part, up to the first that fails: a witness that is shown is its.
            (None, PropertyVerdict::Violated) => self.constantly_false_instance(property)?,
            _ => None,
        };
        Ok(Finding {
            verdict,
            open,
            run,
            instance,
            only_goal_missing: is_too_late && matches!(violated, Some(Form::Until(..))),
            vacuous,
            hindrances: self.hindrances,
        })
    }

    /// The first instance that what is possible, or is not, makes false.
    fn constantly_false_instance(&mut self, property: &Property) -> Result<Option<String>, Pending> {
        let Temporal::And(parts) = &property.formula else { return Ok(None) };
        for (part, values) in parts.iter().zip(&property.instances) {
            if self.form(part, &mut Vec::new(), |known, _| known.answer)? == Form::Constant(false) {
                return Ok(Some(values.clone()));
            }
        }
        Ok(None)
    }

    fn judge(&mut self, formula: &Temporal) -> Result<FormulaVerdict, Pending> {
        let mut asked = Vec::new();
        let form = self.form(formula, &mut asked, |known, _| known.answer)?;
        let mut judged = self.every(form)?;
        let holds = match judged.verdict {
            PropertyVerdict::Holds => true,
            PropertyVerdict::Violated => false,
            PropertyVerdict::Inconclusive => return Ok(judged),
        };
        if asked.iter().any(KnownPossibility::is_open) {
            // Evaluate again with the open possibilities reversed, the worst case for the verdict.
            let other = self.form(formula, &mut asked, |known, positive| {
                if known.is_open() { Some(positive != holds) } else { known.answer }
            })?;
            let other = self.every(other)?;
            judged.open |= other.verdict != judged.verdict || other.open;
        }
        if let Some(witness) = decisive(formula, holds, &asked)
            && witness.is_better(judged.run.as_ref())
        {
            judged.run = Some(witness.clone());
            judged.violated = None;
        }
        Ok(judged)
    }

    /// The formula with its possibilities replaced by the truth values that `choose` picks.
    fn form(
        &mut self,
        formula: &Temporal,
        asked: &mut Vec<KnownPossibility>,
        choose: impl Fn(&KnownPossibility, bool) -> Option<bool>,
    ) -> Result<Form, Pending> {
        let mut pending = false;
        let form = Form::new(formula, &mut |possibility, positive| {
            let known = self.possibility(possibility, asked);
            pending |= known.is_err();
            known.ok().and_then(|known| choose(known, positive))
        });
        if pending { Err(Pending) } else { Ok(form) }
    }

    /// Evaluates a possibility.
    fn possibility<'a>(
        &mut self,
        possibility: &Possibility,
        asked: &'a mut Vec<KnownPossibility>,
    ) -> Result<&'a KnownPossibility, Pending> {
        let index = match asked.iter().position(|it| it.possibility == *possibility) {
            Some(index) => index,
            None => {
                let (answer, witness) = match self.possible(possibility)? {
                    Whether::Yes(run) => (Some(true), Some(run)),
                    Whether::No => (Some(false), None),
                    Whether::Unknown => (None, None),
                };
                asked.push(KnownPossibility { possibility: possibility.clone(), answer, witness });
                asked.len() - 1
            }
        };
        Ok(&asked[index])
    }

    fn possible(&mut self, possibility: &Possibility) -> Result<Whether, Pending> {
        let positive = |proposition: &usize| Literal { proposition: *proposition, positive: true };
        let in_order = match possibility {
            Possibility::Reach(proposition) => vec![positive(proposition)],
            Possibility::Sequence(all) => all.iter().map(positive).collect(),
            Possibility::Satisfy(formula) => {
                // Some run satisfies it if not every run satisfies its negation.
                let denied = Temporal::Not(formula.clone());
                let judged = self.every(Form::new(&denied, &mut |_, _| None))?;
                return Ok(match (judged.verdict, judged.run) {
                    (PropertyVerdict::Violated, Some(run)) => Whether::Yes(run),
                    (PropertyVerdict::Holds, _) => Whether::No,
                    _ => Whether::Unknown,
                });
            }
        };
        Ok(match self.ask(Question::InOrder(in_order))? {
            Reply::Run(run) => Whether::Yes(run.clone()),
            Reply::NoRun if self.searched => Whether::No,
            Reply::NoRun => Whether::Unknown,
            Reply::Unanswered(why) => {
                self.hindrances.note(why);
                Whether::Unknown
            }
        })
    }

    /// Whether every run satisfies the formula.
    fn every(&mut self, form: Form) -> Result<FormulaVerdict, Pending> {
        let mut best: Option<(Run, Form)> = None;
        let (mut violated, mut certainly, mut unknown, mut pending) = (false, false, false, false);
        for part in form.conjuncts() {
            match self.conjunct(&part) {
                Err(Pending) => pending = true,
                Ok(Answer::NotViolated) => unknown |= !self.searched && !is_settled(&part),
                Ok(Answer::Violated(run)) => {
                    violated = true;
                    certainly |= run.as_ref().is_none_or(|run| !run.open);
                    if let Some(run) = run
                        && run.is_better(best.as_ref().map(|(run, _)| run))
                    {
                        best = Some((run, part));
                    }
                }
                Ok(Answer::NotJudged) => unknown = true,
            }
        }
        if pending {
            return Err(Pending);
        }
        let verdict = match () {
            () if violated => PropertyVerdict::Violated,
            () if unknown => PropertyVerdict::Inconclusive,
            () => PropertyVerdict::Holds,
        };
        let (run, part) = best.unzip();
        Ok(FormulaVerdict { verdict, open: violated && !certainly, run, violated: part })
    }

    fn conjunct(&mut self, form: &Form) -> Result<Answer, Pending> {
        Ok(match form {
            Form::Constant(true) => Answer::NotViolated,
            Form::Constant(false) => Answer::Violated(None),
            Form::Literal(it) => {
                let mut initial = self.graph.initial_letters();
                match initial.find(|&(_, letter)| !reach::holds(self.graph, *it, letter)) {
                    None => Answer::NotViolated,
                    Some((first, _)) => Answer::Violated(Some(Run {
                        first,
                        path: Path::new(),
                        ending: RunEnding::Shown,
                        open: false,
                    })),
                }
            }
            _ => match self.ask(Question::Violating(form.clone()))? {
                Reply::Run(run) => Answer::Violated(Some(run.clone())),
                Reply::NoRun => Answer::NotViolated,
                Reply::Unanswered(why) => {
                    self.hindrances.note(why);
                    Answer::NotJudged
                }
            },
        })
    }

    fn ask(&mut self, question: Question) -> Result<&'k Reply, Pending> {
        if let Some((_, reply)) = self.known.iter().find(|(known, _)| *known == question) {
            return Ok(reply);
        }
        if !self.asked.contains(&question) {
            self.asked.push(question);
        }
        Err(Pending)
    }
}

impl Hindrances {
    fn note(&mut self, why: &Hindrance) {
        match why {
            Hindrance::Limit(limit) => self.limit = self.limit.or(Some(*limit)),
            Hindrance::TurnsAreLost => self.unfit = true,
            Hindrance::TooLarge => self.reason = Some("the automaton of this formula would be too large"),
            Hindrance::Contradiction(error) => self.contradiction = Some(error.clone()),
            Hindrance::Hurry | Hindrance::Unknown => {}
        }
    }
}

/// The instance of a property that a conjunct of its formula comes from.
fn instance_with(property: &Property, violated: &Form) -> Option<String> {
    let Temporal::And(parts) = &property.formula else { return None };
    let has = |part: &Temporal| Form::new(part, &mut |_, _| None).conjuncts().contains(violated);
    let index = parts.iter().position(has)?;
    property.instances.get(index).cloned()
}

/// Whether a formula not found to be violated holds even if some states were not explored.
fn is_settled(form: &Form) -> bool {
    matches!(form, Form::Constant(_) | Form::Literal(_))
}

/// The best witness that by itself shows that the formula holds, or that it does not.
fn decisive<'w>(formula: &Temporal, holds: bool, asked: &'w [KnownPossibility]) -> Option<&'w Run> {
    match (formula, holds) {
        (Temporal::Possible(possibility), true) => {
            asked.iter().find(|it| it.possibility == *possibility)?.witness.as_ref()
        }
        (Temporal::Not(inner), _) => decisive(inner, !holds, asked),
        // A single part decides here. Where all parts are needed, no single witness suffices.
        (Temporal::And(parts), false) | (Temporal::Or(parts), true) => {
            let deciding = parts.iter().filter_map(|part| decisive(part, holds, asked));
            deciding.fold(None, |best, run| if run.is_better(best) { Some(run) } else { best })
        }
        _ => None,
    }
}
