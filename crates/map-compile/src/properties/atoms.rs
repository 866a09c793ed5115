//! Compilation of the atoms of formulas: names become ids.

use map_diagnostics::Span;
use map_ir::{
    AgentId, ClauseId, EventArgument, EventAtom, EventKind, MessagePattern, PerformativeId, ProcedureId,
    Proposition, Quantity, StateAtom, StateQuantity, Value,
};
use map_syntax::ast::{self, Atom, Event, QuantityKind, StatusWord, Term, TermKind};

use super::Refused;
use super::expansion::Expansion;
use super::variables::{Bound, Use};

/// An agent that a formula names.
pub(super) enum Who {
    /// `_`.
    Anybody,
    One(AgentId),
    /// An agent that is not in the cast.
    Absent,
}

pub(super) fn compile(at: &mut Expansion<'_, '_>, atom: &Atom) -> Result<Proposition, Refused> {
    Ok(match atom {
        Atom::Ended => state(at, StateAtom::Ended),
        Atom::Status(word, agent) => match who(at, agent) {
            Who::One(agent) => state(
                at,
                match word {
                    StatusWord::Done => StateAtom::Done(agent),
                    StatusWord::Failed => StateAtom::Failed(agent),
                    StatusWord::Waiting => StateAtom::Waiting(agent),
                },
            ),
            Who::Anybody | Who::Absent => Proposition::Constant(false),
        },
        Atom::In(agent, name) => match who(at, agent) {
            Who::One(agent) => {
                let clauses = clauses(at, agent, &name.text);
                state(at, StateAtom::In(agent, clauses))
            }
            Who::Anybody | Who::Absent => Proposition::Constant(false),
        },
        Atom::Comparison(left, operator, right) => at.compare(left, *operator, right)?,
        Atom::Event(agent, happening) => {
            let mut uses = Vec::new();
            let (agent, kind) = match (who(at, agent), event(at, happening, &mut uses)) {
                (Who::Absent, _) | (_, None) => (None, None),
                (Who::Anybody, Some(kind)) => (None, Some(kind)),
                (Who::One(agent), Some(kind)) => (Some(agent), Some(kind)),
            };
            let event = kind.map(|kind| at.compiler.events.insert_full(EventAtom { agent, kind }).0);
            with_values(at, event, uses)?
        }
    })
}

/// An argument of a message that is a variable bound by an event, or to be bound.
pub(super) struct VariableAt<'f> {
    pub(super) name: &'f str,
    pub(super) place: usize,
    span: Span,
}

/// An event, if it can happen at all, with what is said of the values in its message; binds variables.
fn with_values(
    at: &mut Expansion<'_, '_>,
    event: Option<usize>,
    uses: Vec<VariableAt<'_>>,
) -> Result<Proposition, Refused> {
    let mut parts = vec![event.map_or(Proposition::Constant(false), Proposition::Event)];
    for VariableAt { name, place, span } in uses {
        let value = event.map_or(Quantity::Nothing, |event| argument(at, event, place));
        match at.variables.find(name) {
            Use::Unbound => at.variables.push(name.to_owned(), Bound::Event(value)),
            Use::Event(known) => parts.push(Proposition::Compare(value, map_ir::Comparison::Equal, known)),
            Use::Captured(now) => {
                let past = at.variables.past.as_mut().expect("a variable is captured there");
                if past.is_optional {
                    return Err(Refused::Nested(span));
                }
                past.captured.push((value, now));
            }
            Use::Value(_) => unreachable!("a constant in the pattern"),
        }
    }
    Ok(if parts.len() == 1 { parts.remove(0) } else { Proposition::And(parts) })
}

/// A value in the message of an event.
fn argument(at: &mut Expansion<'_, '_>, event: usize, place: usize) -> Quantity {
    let compiler = &mut *at.compiler;
    let (EventKind::Sends(pattern, _) | EventKind::Receives(pattern, _)) = &compiler.events[event].kind
    else {
        return Quantity::Nothing;
    };
    let may_be_name = compiler.unfixed.argument(pattern.performative, place);
    Quantity::Argument(compiler.arguments.insert_full(EventArgument { event, place, may_be_name }).0)
}

fn state(at: &mut Expansion<'_, '_>, atom: StateAtom) -> Proposition {
    Proposition::State(at.compiler.states.insert_full(atom).0)
}

pub(super) fn who(at: &Expansion<'_, '_>, agent: &Term) -> Who {
    match &agent.kind {
        TermKind::Wildcard => Who::Anybody,
        TermKind::Variable(name) => match at.variables.find(name) {
            Use::Value(Value::Agent(agent)) if agent.index() < at.compiler.program.agents.len() => {
                Who::One(agent)
            }
            _ => Who::Absent,
        },
        TermKind::Agent(name) => {
            at.compiler.checked.agent_named(name).map_or(Who::Absent, |agent| Who::One(AgentId::new(agent)))
        }
        _ => Who::Absent,
    }
}

/// The clauses of an agent with this constant as their first parameter.
fn clauses(at: &Expansion<'_, '_>, agent: AgentId, name: &str) -> Vec<ClauseId> {
    let program = &*at.compiler.program;
    let clauses = &program.part(program.agent(agent).part).clauses;
    let has_name = |clause: &&ClauseId| {
        let clause = &at.compiler.checked.scene.clauses[clause.index()];
        matches!(clause.parameters.first().map(|term| &term.kind), Some(TermKind::Name(it)) if it == name)
    };
    clauses.iter().filter(has_name).copied().collect()
}

/// The kind of an event; `None` if it can never happen.
///
/// Adds the arguments that are variables of events.
fn event<'f>(
    at: &mut Expansion<'_, '_>,
    event: &'f Event,
    uses: &mut Vec<VariableAt<'f>>,
) -> Option<EventKind> {
    match event {
        Event::Sends(sent, to) => {
            let pattern = message(at, sent, uses)?;
            other(at, to).map(|to| EventKind::Sends(pattern, to))
        }
        Event::Receives(received, from) => {
            let pattern = message(at, received, uses)?;
            other(at, from).map(|from| EventKind::Receives(pattern, from))
        }
        Event::Asks(procedure) => procedure_id(at, &procedure.text).map(EventKind::Asks),
        Event::Answers(procedure, yes) => {
            procedure_id(at, &procedure.text).map(|procedure| EventKind::Answers(procedure, *yes))
        }
        Event::TimesOut => Some(EventKind::TimesOut),
    }
}

/// The other party of a send or receive: `Some(None)` for any, `None` if absent.
fn other(at: &Expansion<'_, '_>, agent: &Term) -> Option<Option<AgentId>> {
    match who(at, agent) {
        Who::Anybody => Some(None),
        Who::One(agent) => Some(Some(agent)),
        Who::Absent => None,
    }
}

pub(super) fn message<'f>(
    at: &mut Expansion<'_, '_>,
    message: &'f ast::Message,
    uses: &mut Vec<VariableAt<'f>>,
) -> Option<MessagePattern> {
    let variables = message.arguments.iter().enumerate().filter_map(|(place, argument)| {
        let TermKind::Variable(name) = &argument.kind else { return None };
        let is_value = matches!(at.variables.find(name), Use::Value(_));
        (!is_value).then_some(VariableAt { name, place, span: argument.span })
    });
    uses.extend(variables);
    let wanted = |it: &map_ir::Performative| {
        it.name == message.performative.text && it.arity == message.arguments.len()
    };
    let performative = PerformativeId::new(at.compiler.program.performatives.iter().position(wanted)?);
    let mut arguments = Vec::new();
    for argument in &message.arguments {
        arguments.push(match &argument.kind {
            TermKind::Wildcard => None,
            TermKind::Variable(name) => match at.variables.find(name) {
                Use::Value(value) => Some(value),
                _ => None,
            },
            kind => Some(at.constant(kind)?),
        });
    }
    Some(MessagePattern { performative, arguments })
}

pub(super) fn procedure_id(at: &Expansion<'_, '_>, name: &str) -> Option<ProcedureId> {
    at.compiler.program.procedures.iter().position(|it| it.name == name).map(ProcedureId::new)
}

/// A quantity that is no measure.
pub(super) fn quantity(at: &mut Expansion<'_, '_>, quantity: &ast::Quantity) -> Result<Quantity, Refused> {
    Ok(match &quantity.kind {
        QuantityKind::Term(kind) => at.term(kind),
        QuantityKind::Mailbox(agent) => match who(at, agent) {
            Who::One(agent) => of_state(at, StateQuantity::Mailbox(agent)),
            Who::Anybody | Who::Absent => Quantity::Nothing,
        },
        QuantityKind::Cell(agent, cell) => {
            let cell = at.compiler.program.cells.iter().position(|it| *it == cell.text);
            match (who(at, agent), cell) {
                (Who::One(agent), Some(cell)) => {
                    of_state(at, StateQuantity::Cell(agent, map_ir::CellId::new(cell)))
                }
                _ => Quantity::Nothing,
            }
        }
        QuantityKind::Times(_) | QuantityKind::Total(..) | QuantityKind::Cost(..) => {
            at.number(&quantity.kind)?
        }
        QuantityKind::Moment(..) | QuantityKind::Measure(..) | QuantityKind::Sum(_) => {
            unreachable!("what measures are made of is compiled instead")
        }
        QuantityKind::Count(range, body) => Quantity::Count(at.instances(range, |it, _| it.moment(body))?),
    })
}

fn of_state(at: &mut Expansion<'_, '_>, quantity: StateQuantity) -> Quantity {
    Quantity::State(at.compiler.quantities.insert_full(quantity).0)
}
