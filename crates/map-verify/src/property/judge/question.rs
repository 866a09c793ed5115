//! Questions about the labelled graph, each answered by a search of its own.

use super::ceilings::exceeding;
use super::graphs::Graphs;
use super::reach;
use super::run::Run;
use super::temporal::{self, Runs, Unjudged};
use crate::budget::{Budget, Limit};
use crate::property::form::{Form, Literal};
use crate::property::graph::NOBODY;
use crate::property::plan::ceilings::Ceiling;
use crate::property::verdict::{Fairness, RunEnding};
use crate::report::InternalError;

/// Asks whether there is a certain run.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Question {
    /// A run in which the literals hold in this order, each at a later moment than the previous one.
    InOrder(Vec<Literal>),
    /// A run that violates a formula.
    Violating(Form),
}

/// The reply to a question.
pub(super) enum Reply {
    /// There is a run: the best one to show.
    Run(Run),
    /// There is none in the explored part.
    NoRun,
    /// No answer was found.
    Unanswered(Hindrance),
}

/// Why a question has no answer.
pub(super) enum Hindrance {
    /// A limit was reached.
    Limit(Limit),
    /// There is only time for questions about a single moment.
    Hurry,
    /// The truth of some part of the formula is not known.
    Unknown,
    /// It depends on whose turn it is, which symmetry does not preserve.
    TurnsAreLost,
    /// The automaton of the formula would be too large.
    TooLarge,
    /// A defect of the engine came to light.
    Contradiction(InternalError),
}

/// The subject of the questions.
pub(super) struct Subject<'g> {
    pub(super) graphs: Graphs<'g>,
    /// Number of movers.
    pub(super) movers: usize,
    pub(super) fairness: Fairness,
    /// Whether the graph is reduced by symmetry.
    pub(super) is_symmetric: bool,
    /// Claims about costs, which no letter tells.
    pub(super) ceilings: &'g [Ceiling],
}

impl Subject<'_> {
    /// The claim about a cost that a literal stands for.
    fn ceiling(&self, literal: Literal) -> Option<&Ceiling> {
        self.ceilings.iter().find(|it| it.literal == literal)
    }
}

impl Question {
    /// Whether it asks about a single moment.
    fn is_quick(&self, subject: &Subject<'_>) -> bool {
        match self {
            Self::InOrder(literals) => literals.len() == 1,
            Self::Violating(Form::Always(inner)) => {
                matches!(**inner, Form::Literal(literal) if subject.ceiling(literal).is_none())
            }
            Self::Violating(_) => false,
        }
    }

    /// Answers the question; if `hurried`, only a quick one.
    pub(super) fn answer(&self, subject: &Subject<'_>, hurried: bool, budget: &mut Budget<'_>) -> Reply {
        if hurried && !self.is_quick(subject) {
            return Reply::Unanswered(Hindrance::Hurry);
        }
        let fair = subject.fairness == Fairness::Fair;
        let searched = match self {
            Self::InOrder(literals) => Some(reach::in_order(subject.graphs.all, literals, fair, budget)),
            Self::Violating(form) => single_search(form, subject, budget),
        };
        match (searched, self) {
            (Some(Ok(Some(run))), _) => Reply::Run(run),
            (Some(Ok(None)), _) => Reply::NoRun,
            (Some(Err(limit)), _) => Reply::Unanswered(Hindrance::Limit(limit)),
            (None, Self::Violating(form)) => as_temporal(form, subject, budget),
            (None, Self::InOrder(_)) => unreachable!("moments in order are found by one search"),
        }
    }
}

/// Searches the graph for a run that violates a formula; `None` if that requires an automaton.
fn single_search(
    form: &Form,
    subject: &Subject<'_>,
    budget: &mut Budget<'_>,
) -> Option<Result<Option<Run>, Limit>> {
    let literal = |form: &Form| if let Form::Literal(it) = form { Some(*it) } else { None };
    let (graphs, fair) = (&subject.graphs, subject.fairness == Fairness::Fair);
    Some(match form {
        Form::Always(inner) => {
            let wanted = literal(inner)?;
            if let Some(ceiling) = subject.ceiling(wanted) {
                return Some(exceeding(graphs, ceiling, budget));
            }
            reach::in_order(graphs.all, &[Literal { positive: !wanted.positive, ..wanted }], fair, budget)
        }
        Form::Eventually(goal) if fair => reach::never_after_all(graphs, literal(goal)?, budget),
        Form::LeadsTo(premise, goal) if fair => {
            reach::unanswered(graphs, literal(premise)?, literal(goal)?, budget)
        }
        Form::Until(left, goal) if fair => reach::broken_off(graphs, literal(left)?, literal(goal)?, budget),
        _ => return None,
    })
}

/// A run that violates a formula, found by its automaton.
fn as_temporal(form: &Form, subject: &Subject<'_>, budget: &mut Budget<'_>) -> Reply {
    if form.has_unknown() {
        return Reply::Unanswered(Hindrance::Unknown);
    }
    // Symmetry does not preserve whose turn it is, which matters to weak fairness. But if no run violates the formula,
    // no fair one does; a finite prefix that refutes it can be extended to a fair run; and a run that stays in a state
    // for ever owes nobody a turn.
    let turns_are_lost = subject.fairness == Fairness::Weak && subject.is_symmetric;
    let among = match subject.fairness {
        Fairness::Fair => Runs::Drawn,
        Fairness::Weak if !turns_are_lost => Runs::FairTo(subject.movers),
        Fairness::Weak | Fairness::None => Runs::FairTo(0),
    };
    match temporal::violating_run(&subject.graphs, form, among, budget) {
        Ok(Some(run)) if turns_are_lost && !is_fair_to_all(&run) => {
            Reply::Unanswered(Hindrance::TurnsAreLost)
        }
        Ok(Some(run)) => Reply::Run(run),
        Ok(None) => Reply::NoRun,
        Err(Unjudged::Limit(limit)) => Reply::Unanswered(Hindrance::Limit(limit)),
        Err(Unjudged::TooLarge) => Reply::Unanswered(Hindrance::TooLarge),
        Err(Unjudged::Contradiction(error)) => Reply::Unanswered(Hindrance::Contradiction(error)),
    }
}

/// Whether a run is fair to every mover, whichever movers take its steps: it is a finite prefix, or stays in its last
/// state for ever.
fn is_fair_to_all(run: &Run) -> bool {
    match run.ending {
        RunEnding::Shown => true,
        RunEnding::Loop(from) => {
            !run.open && run.path[from..].iter().all(|(_, transition)| transition.mover == NOBODY)
        }
        RunEnding::TooLate => false,
    }
}
