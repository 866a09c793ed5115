//! The values that a program writes: constants, and domains.

use crate::{
    Answer, Body, ExpressionKind, Initial, Operand, Pattern, PointKind, Program, Recipient, SourceSpan, Test,
    Value,
};

impl Program {
    /// The constants: operands of points, of patterns and of heads, expressions, initial values of cells. Each with
    /// where it stands, as far as that is known. Members of domains are not among them.
    #[must_use]
    pub fn constants(&self) -> Vec<(Value, Option<SourceSpan>)> {
        let mut all = Vec::new();
        for point in &self.points {
            let mut add = |operand: &Operand| all.extend(constant(*operand).map(|it| (it, Some(point.span))));
            match &point.kind {
                PointKind::Ask { arguments, .. } | PointKind::Call { arguments, .. } => {
                    arguments.iter().for_each(add);
                }
                PointKind::Send { arguments, agent, role, .. } => {
                    arguments.iter().for_each(&mut add);
                    for recipient in [agent, role] {
                        if let Recipient::Is(operand) = recipient {
                            add(operand);
                        }
                    }
                }
                PointKind::Receive { pattern, .. } => operands(pattern).for_each(add),
                PointKind::Skip { .. }
                | PointKind::Fail { .. }
                | PointKind::Wait { .. }
                | PointKind::Par { .. } => {}
            }
        }
        for clause in &self.clauses {
            let written = operands(&clause.head).filter_map(|operand| constant(*operand));
            all.extend(written.map(|value| (value, Some(clause.head_span))));
        }
        for expression in &self.expressions {
            if let ExpressionKind::Constant(value) = expression.kind {
                all.push((value, Some(expression.span)));
            }
        }
        all.extend(self.initials().filter_map(|initial| match initial {
            Initial::Constant(value) => Some((*value, None)),
            Initial::Own | Initial::In(_) => None,
        }));
        all
    }

    /// The domains: of procedures, of their alternatives, of cells. Each with where it stands, as far as that is known.
    #[must_use]
    pub fn domains(&self) -> Vec<(&[Value], Option<SourceSpan>)> {
        let mut all: Vec<(&[Value], Option<SourceSpan>)> = Vec::new();
        for procedure in &self.procedures {
            match &procedure.body {
                Body::In(domain) => all.push((domain, None)),
                Body::Alternatives(alternatives) => {
                    for alternative in alternatives {
                        if let Answer::In(domain) = &alternative.answer {
                            all.push((domain, Some(alternative.span)));
                        }
                    }
                }
                Body::Abstract | Body::Fresh => {}
            }
        }
        all.extend(self.initials().filter_map(|initial| match initial {
            Initial::In(domain) => Some((&**domain, None)),
            Initial::Own | Initial::Constant(_) => None,
        }));
        all
    }

    /// The initial values of all cells.
    fn initials(&self) -> impl Iterator<Item = &Initial> {
        self.memories.iter().flat_map(|memory| &memory.cells).map(|(_, initial)| initial)
    }
}

fn constant(operand: Operand) -> Option<Value> {
    match operand {
        Operand::Constant(value) => Some(value),
        Operand::Variable(_) | Operand::Own | Operand::Expression(_) => None,
    }
}

/// The operands that a pattern compares with.
fn operands(pattern: &Pattern) -> impl Iterator<Item = &Operand> {
    pattern.tests.iter().filter_map(|test| match test {
        Test::Operand(_, operand) => Some(operand),
        Test::Same(..) => None,
    })
}
