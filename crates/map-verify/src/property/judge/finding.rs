//! What the answers to questions say of a property.
//!
//! What has to be asked depends on what was answered: how a formula looks depends on what is possible. So a property is
//! worked out as far as the answers allow; what is missing is asked next.

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

/// What was found out about a property.
pub(super) struct Finding {
    pub(super) verdict: PropertyVerdict,
    /// Whether the verdict rests on open comparisons.
    pub(super) open: bool,
    pub(super) run: Option<Run>,
    pub(super) vacuous: Vec<SourceSpan>,
    pub(super) hindrances: Hindrances,
}

/// Why something could not be judged.
#[derive(Default)]
pub(super) struct Hindrances {
    /// The property has to be judged with fewer reductions.
    pub(super) unfit: bool,
    /// The first limit.
    pub(super) limit: Option<Limit>,
    /// A defect of the engine that came to light.
    pub(super) contradiction: Option<InternalError>,
    /// What else it was, if it is not for lack of search.
    pub(super) reason: Option<&'static str>,
}

/// The questions that were answered.
pub(super) type Known = Vec<(Question, Reply)>;

/// Some question was not answered yet.
pub(super) struct Pending;

/// A property being worked out.
pub(super) struct Inquiry<'k> {
    pub(super) graph: &'k LabelledGraph,
    /// Whether every state was looked at.
    pub(super) searched: bool,
    pub(super) known: &'k Known,
    /// What has to be asked.
    pub(super) asked: &'k mut Vec<Question>,
    hindrances: Hindrances,
}

/// Whether some run does something.
enum Whether {
    Yes(Run),
    No,
    Unknown,
}

/// Whether a formula is violated in what was searched.
enum Answer {
    NotViolated,
    /// With a run that shows it, if one can.
    Violated(Option<Run>),
    NotJudged,
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

/// Whether all runs satisfy a formula.
struct Judged {
    verdict: PropertyVerdict,
    open: bool,
    run: Option<Run>,
}

impl<'k> Inquiry<'k> {
    /// Into a property, by what is known; what is missing goes to `asked`.
    pub(super) fn new(
        graph: &'k LabelledGraph,
        searched: bool,
        known: &'k Known,
        asked: &'k mut Vec<Question>,
    ) -> Self {
        Self { graph, searched, known, asked, hindrances: Hindrances::default() }
    }

    /// What is found out.
    pub(super) fn find_out(mut self, property: &Property) -> Result<Finding, Pending> {
        let Judged { verdict, open, run } = match self.graph.len() {
            0 => Judged { verdict: PropertyVerdict::Inconclusive, open: false, run: None },
            _ => self.judge(&property.formula)?,
        };
        let mut vacuous = Vec::new();
        if verdict == PropertyVerdict::Holds && self.searched {
            let empty = property.premises.iter().filter(|premise| !happens(self.graph, premise));
            vacuous.extend(empty.map(|premise| premise.span));
        }
        Ok(Finding { verdict, open, run, vacuous, hindrances: self.hindrances })
    }

    fn judge(&mut self, formula: &Temporal) -> Result<Judged, Pending> {
        let mut asked = Vec::new();
        let form = self.form(formula, &mut asked, |known, _| known.answer)?;
        let mut judged = self.every(form)?;
        let holds = match judged.verdict {
            PropertyVerdict::Holds => true,
            PropertyVerdict::Violated => false,
            PropertyVerdict::Inconclusive => return Ok(judged),
        };
        if asked.iter().any(Asked::is_open) {
            // The same if what is possible only so is not: as bad for the verdict as can be.
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
        }
        Ok(judged)
    }

    /// The formula with what `choose` makes of what is known of possibilities.
    fn form(
        &mut self,
        formula: &Temporal,
        asked: &mut Vec<Asked>,
        choose: impl Fn(&Asked, bool) -> Option<bool>,
    ) -> Result<Form, Pending> {
        let mut pending = false;
        let form = Form::new(formula, &mut |possibility, positive| {
            let known = self.possibility(possibility, asked);
            pending |= known.is_err();
            known.ok().and_then(|known| choose(known, positive))
        });
        if pending { Err(Pending) } else { Ok(form) }
    }

    /// What is known of a possibility.
    fn possibility<'a>(
        &mut self,
        possibility: &Possibility,
        asked: &'a mut Vec<Asked>,
    ) -> Result<&'a Asked, Pending> {
        let index = match asked.iter().position(|it| it.possibility == *possibility) {
            Some(index) => index,
            None => {
                let (answer, witness) = match self.possible(possibility)? {
                    Whether::Yes(run) => (Some(true), Some(run)),
                    Whether::No => (Some(false), None),
                    Whether::Unknown => (None, None),
                };
                asked.push(Asked { possibility: possibility.clone(), answer, witness });
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
    fn every(&mut self, form: Form) -> Result<Judged, Pending> {
        let mut best: Option<Run> = None;
        let (mut violated, mut certainly, mut unknown, mut pending) = (false, false, false, false);
        for part in form.conjuncts() {
            match self.conjunct(&part) {
                Err(Pending) => pending = true,
                Ok(Answer::NotViolated) => unknown |= !self.searched && !is_settled(&part),
                Ok(Answer::Violated(run)) => {
                    violated = true;
                    certainly |= run.as_ref().is_none_or(|run| !run.open);
                    if let Some(run) = run
                        && run.is_better(best.as_ref())
                    {
                        best = Some(run);
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
        Ok(Judged { verdict, open: violated && !certainly, run: best })
    }

    fn conjunct(&mut self, form: &Form) -> Result<Answer, Pending> {
        Ok(match form {
            Form::Constant(true) => Answer::NotViolated,
            Form::Constant(false) => Answer::Violated(None),
            Form::Literal(it) if reach::holds(self.graph, *it, self.graph.initial()) => Answer::NotViolated,
            Form::Literal(_) => {
                Answer::Violated(Some(Run { path: Path::new(), ending: RunEnding::Shown, open: false }))
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

/// Whether a formula that was not found violated holds though not every state was looked at.
fn is_settled(form: &Form) -> bool {
    matches!(form, Form::Constant(_) | Form::Literal(_))
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
