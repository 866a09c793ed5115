//! Compilation of the atoms of formulas: names become ids.

use map_ir::{
    AgentId, ClauseId, EventAtom, EventKind, MessagePattern, NameId, PerformativeId, ProcedureId,
    Proposition, Quantity, RoleId, StateAtom, StateQuantity, TextId, Value,
};
use map_syntax::ast::{self, Atom, Event, QuantityKind, StatusWord, Term, TermKind};

use super::{Expansion, TooLarge};
use crate::operators::comparison;

/// An agent that a formula names.
enum Who {
    /// `_`.
    Anybody,
    One(AgentId),
    /// An agent that is not in the cast.
    Absent,
}

pub(super) fn compile(at: &mut Expansion<'_, '_>, atom: &Atom) -> Result<Proposition, TooLarge> {
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
        Atom::Comparison(left, operator, right) => {
            Proposition::Compare(quantity(at, left)?, comparison(*operator), quantity(at, right)?)
        }
        Atom::Event(agent, happening) => match (who(at, agent), event(at, happening)) {
            (Who::Absent, _) | (_, None) => Proposition::Constant(false),
            (who, Some(kind)) => {
                let agent = if let Who::One(agent) = who { Some(agent) } else { None };
                let event = EventAtom { agent, kind };
                Proposition::Event(at.compiler.events.insert_full(event).0)
            }
        },
    })
}

fn state(at: &mut Expansion<'_, '_>, atom: StateAtom) -> Proposition {
    Proposition::State(at.compiler.states.insert_full(atom).0)
}

fn who(at: &Expansion<'_, '_>, agent: &Term) -> Who {
    match &agent.kind {
        TermKind::Wildcard => Who::Anybody,
        TermKind::Variable(name) => at
            .variables
            .iter()
            .rev()
            .find(|(it, _)| it == name)
            .map_or(Who::Absent, |&(_, agent)| Who::One(agent)),
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
fn event(at: &mut Expansion<'_, '_>, event: &Event) -> Option<EventKind> {
    match event {
        Event::Sends(sent, to) => {
            let pattern = message(at, sent)?;
            other(at, to).map(|to| EventKind::Sends(pattern, to))
        }
        Event::Receives(received, from) => {
            let pattern = message(at, received)?;
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

fn message(at: &mut Expansion<'_, '_>, message: &ast::Message) -> Option<MessagePattern> {
    let wanted = |it: &map_ir::Performative| {
        it.name == message.performative.text && it.arity == message.arguments.len()
    };
    let performative = PerformativeId::new(at.compiler.program.performatives.iter().position(wanted)?);
    let arguments = message
        .arguments
        .iter()
        .map(|argument| match &argument.kind {
            TermKind::Wildcard => Some(None),
            kind => value(at, kind).map(Some),
        })
        .collect::<Option<_>>()?;
    Some(MessagePattern { performative, arguments })
}

fn procedure_id(at: &Expansion<'_, '_>, name: &str) -> Option<ProcedureId> {
    at.compiler.program.procedures.iter().position(|it| it.name == name).map(ProcedureId::new)
}

fn quantity(at: &mut Expansion<'_, '_>, quantity: &ast::Quantity) -> Result<Quantity, TooLarge> {
    Ok(match &quantity.kind {
        QuantityKind::Term(kind) => value(at, kind).map_or(Quantity::Nothing, Quantity::Value),
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
        QuantityKind::Count(range, body) => Quantity::Count(at.instances(range, |it| it.moment(body))?),
    })
}

fn of_state(at: &mut Expansion<'_, '_>, quantity: StateQuantity) -> Quantity {
    Quantity::State(at.compiler.quantities.insert_full(quantity).0)
}

/// The value of a term, if it has one. Constants that only properties mention are added to the program.
fn value(at: &mut Expansion<'_, '_>, term: &TermKind) -> Option<Value> {
    let known = if let TermKind::Variable(name) = term {
        at.variables.iter().rev().find(|(it, _)| it == name).map(|&(_, agent)| agent)
    } else {
        None
    };
    let program = &mut *at.compiler.program;
    Some(match term {
        TermKind::Variable(_) => Value::Agent(known?),
        TermKind::Wildcard | TermKind::Expression(_) => return None,
        TermKind::Agent(name) => Value::Agent(AgentId::new(index_of(&mut program.agent_names, name))),
        TermKind::Role(name) => Value::Role(RoleId::new(program.roles.iter().position(|it| it == name)?)),
        TermKind::Name(name) => Value::Name(NameId::new(index_of(&mut program.names, name))),
        TermKind::Integer(number) => Value::Integer(*number),
        TermKind::Text(text) => Value::Text(TextId::new(index_of(&mut program.texts, text))),
    })
}

fn index_of(table: &mut Vec<String>, text: &str) -> usize {
    table.iter().position(|it| it == text).unwrap_or_else(|| {
        table.push(text.to_owned());
        table.len() - 1
    })
}
