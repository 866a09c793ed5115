//! The answers of procedures, computed by a body or resolved by the choices; and the operands of acts and calls.

use map_ir::{Alternative, Answer, Body, CellId, Domain, Operand, PointId, ProcedureId, SourceSpan, Value};

use super::{Machine, Stop};
use crate::agent::{Node, NodeKind};
use crate::expression::Evaluation;
use crate::outcome::{RunError, RunErrorKind};
use crate::{Choice, Question, Reply};

/// An answer other than "no", and the cells that change with it.
pub(super) struct Given {
    pub(super) value: Value,
    pub(super) updates: Vec<(CellId, Value)>,
}

/// The variables of the activation that a node rests on.
fn variables_at(nodes: &[Node], mut at: usize) -> &[Option<Value>] {
    loop {
        match &nodes[at].kind {
            NodeKind::Activation { variables, .. } => return variables,
            _ => at = nodes[at].below.expect("every node rests on an activation") as usize,
        }
    }
}

impl Machine<'_> {
    /// Asks a procedure; `None` is "no".
    pub(super) fn answer(
        &mut self,
        point: PointId,
        procedure: ProcedureId,
        arguments: &[Value],
    ) -> Result<Option<Given>, Stop> {
        let program = self.program;
        let definition = program.procedure(procedure);
        if let Body::In(domain) = &definition.body
            && !domain.is_empty()
            && let Some(picked) = self.pick(point, procedure, arguments, domain, definition.may_refuse)
        {
            let value = picked.map(|index| domain[index as usize]);
            return Ok(value.map(|value| Given { value, updates: Vec::new() }));
        }
        let alternatives = match &definition.body {
            Body::Alternatives(alternatives) => alternatives,
            Body::In(domain) if domain.is_empty() => {
                return if definition.may_refuse { Ok(None) } else { Err(self.empty_domain(point, None)) };
            }
            Body::Abstract => return self.reply(point, procedure, arguments, definition.may_refuse),
            Body::Fresh | Body::In(_) => {
                let choice = Choice::Answer { point, procedure, arguments };
                if definition.may_refuse && self.choices.choose(&choice) == 0 {
                    return Ok(None);
                }
                let value = match &definition.body {
                    Body::In(domain) => self.any_of(point, domain),
                    _ => Value::Fresh(self.new_symbol()),
                };
                return Ok(Some(Given { value, updates: Vec::new() }));
            }
        };
        for alternative in alternatives {
            let holds = match alternative.guard {
                Some(guard) => {
                    self.evaluating(point, arguments, |it| it.condition(guard)).map_err(Stop::RunError)?
                }
                None => true,
            };
            if holds {
                return self.take(point, procedure, arguments, alternative);
            }
        }
        Ok(None)
    }

    /// What a procedure without a body answers.
    fn reply(
        &mut self,
        point: PointId,
        procedure: ProcedureId,
        arguments: &[Value],
        may_refuse: bool,
    ) -> Result<Option<Given>, Stop> {
        let question = Question {
            agent: self.me,
            point,
            procedure,
            arguments,
            may_refuse,
            domain: None,
            in_alternative: false,
            variables: variables_at(&self.nodes, self.top),
            memory: &self.memory,
            mailbox: &self.origin.mailbox,
        };
        let reply = self.choices.reply(&question);
        let value = match reply {
            Reply::No if may_refuse => return Ok(None),
            Reply::Unknown => Value::Abstract(self.new_symbol()),
            Reply::Value(value) => value,
            Reply::No | Reply::Missing => {
                let span = self.program.point(point).span;
                return Err(Stop::RunError(RunError { point, span, kind: RunErrorKind::NoAnswer }));
            }
        };
        Ok(Some(Given { value, updates: Vec::new() }))
    }

    /// What a procedure with a domain answers, if that is not chosen part by part: "no", or an index of the domain.
    fn pick(
        &mut self,
        point: PointId,
        procedure: ProcedureId,
        arguments: &[Value],
        domain: &[Value],
        may_refuse: bool,
    ) -> Option<Option<u32>> {
        self.choices.pick(&Question {
            agent: self.me,
            point,
            procedure,
            arguments,
            may_refuse,
            domain: Some(domain),
            in_alternative: matches!(self.program.procedure(procedure).body, Body::Alternatives(_)),
            variables: variables_at(&self.nodes, self.top),
            memory: &self.memory,
            mailbox: &self.origin.mailbox,
        })
    }

    /// Answers by an alternative whose guard holds.
    fn take(
        &mut self,
        point: PointId,
        procedure: ProcedureId,
        arguments: &[Value],
        alternative: &Alternative,
    ) -> Result<Option<Given>, Stop> {
        let computed = match &alternative.answer {
            Answer::Value(value) => {
                Some(self.evaluating(point, arguments, |it| it.value(*value)).map_err(Stop::RunError)?)
            }
            Answer::In(_) => None,
        };
        let mut updates = Vec::with_capacity(alternative.updates.len());
        for &(cell, value) in &alternative.updates {
            let value = self.evaluating(point, arguments, |it| it.value(value)).map_err(Stop::RunError)?;
            updates.push((cell, value));
        }
        let value = match (&alternative.answer, computed) {
            (_, Some(value)) => value,
            (Answer::In(domain), None) if domain.is_empty() => {
                return if self.program.procedure(procedure).may_refuse {
                    Ok(None)
                } else {
                    Err(self.empty_domain(point, Some(alternative.span)))
                };
            }
            (Answer::In(domain), None) => {
                let picked = match self.program.truth(procedure) {
                    Some(_) if domain.len() > 1 => self.pick(point, procedure, arguments, domain, false),
                    _ => None,
                };
                match picked.flatten() {
                    Some(index) => domain[index as usize],
                    None => self.any_of(point, domain),
                }
            }
            (Answer::Value(_), None) => unreachable!("computed above"),
        };
        Ok(Some(Given { value, updates }))
    }

    /// A value of a non-empty domain, as chosen.
    fn any_of(&mut self, point: PointId, domain: &Domain) -> Value {
        match **domain {
            [only] => only,
            _ => {
                if let Some(value) = self.choices.member(domain, self.fresh) {
                    self.fresh.0 += u32::from(value.symbol() == Some(self.fresh));
                    return value;
                }
                let options = domain.len() as u32;
                let choice = Choice::Domain { point, options, weights: domain.weights() };
                domain[self.choices.choose(&choice) as usize]
            }
        }
    }

    /// The values of the operands of an act or call, from left to right.
    pub(super) fn operands(&mut self, point: PointId, operands: &[Operand]) -> Result<Vec<Value>, Stop> {
        operands.iter().map(|&operand| self.operand(point, operand)).collect()
    }

    pub(super) fn operand(&mut self, point: PointId, operand: Operand) -> Result<Value, Stop> {
        let Operand::Expression(id) = operand else { return Ok(self.value(operand)) };
        self.evaluating(point, &[], |it| it.value(id)).map_err(|error| {
            self.ran.push(point);
            Stop::RunError(error)
        })
    }

    fn evaluating<T>(
        &mut self,
        point: PointId,
        arguments: &[Value],
        evaluate: impl FnOnce(&mut Evaluation<'_>) -> Result<T, RunError>,
    ) -> Result<T, RunError> {
        let (program, role) = (self.program, self.program.agent(self.me).role);
        let memory = &self.memory;
        let variables = variables_at(&self.nodes, self.top);
        evaluate(&mut Evaluation {
            expressions: &program.expressions,
            point,
            own: Value::Agent(self.me),
            arguments,
            variables,
            cells: &|cell| program.cell_of(role, cell).map(|index| memory[index]),
            choices: self.choices,
            assumptions: &mut self.assumptions,
            nonzero: &mut self.nonzero,
            fresh: &mut self.fresh,
        })
    }

    /// Updates the cells. The values were all computed from the previous contents.
    pub(super) fn update(&mut self, updates: &[(CellId, Value)]) {
        let role = self.program.agent(self.me).role;
        for &(cell, value) in updates {
            let index = self.program.cell_of(role, cell);
            self.memory[index.expect("checked: the role of the asking agent has the cell")] = value;
        }
    }

    fn empty_domain(&self, point: PointId, span: Option<SourceSpan>) -> Stop {
        let span = span.unwrap_or(self.program.point(point).span);
        Stop::RunError(RunError { point, span, kind: RunErrorKind::EmptyDomain })
    }

    fn new_symbol(&mut self) -> map_ir::Symbol {
        let symbol = self.fresh;
        self.fresh.0 += 1;
        symbol
    }
}
