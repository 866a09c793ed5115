//! The shape of a tree of the real parser.

use map_syntax::ast::{
    Alternative, Answer, Atom, Body, Domain, DomainKind, Event, Expression, ExpressionKind, File, Formula,
    FormulaKind, Item, Message, Name, Op, OpKind, Over, Quantity, QuantityKind, RangeOver, Term, TermKind,
    Weights, Who,
};

use super::list;

/// The shape of a file.
#[must_use]
pub fn of_file(file: &File) -> String {
    list("file", file.items.iter().map(item))
}

fn item(item: &Item) -> String {
    match item {
        Item::Cast(_) => "cast".to_owned(),
        Item::Memory(_) => "memory".to_owned(),
        Item::Property(it) => list("property", [it.name.text.clone(), formula(&it.formula)]),
        Item::Cost(it) => {
            let charges = it
                .charges
                .iter()
                .map(|charge| list("charge", [formula(&charge.event), term(&charge.price.kind)]));
            list("cost", std::iter::once(it.name.text.clone()).chain(charges))
        }
        Item::Measure(it) => {
            let of = it.of.iter().map(range);
            list("measure", std::iter::once(it.name.text.clone()).chain(of).chain([expression(&it.value)]))
        }
        Item::Truth(truth) => {
            let it = &truth.decision;
            let head = std::iter::once(it.name.text.clone()).chain(it.parameters.iter().map(variable));
            list("truth", head.chain(body(it.body.as_ref())))
        }
        Item::Procedure(it) => {
            let word = if it.may_refuse { "decision" } else { "procedure" };
            let head = std::iter::once(it.name.text.clone()).chain(it.parameters.iter().map(variable));
            let probability = it.probability.iter().map(|it| it.text.clone());
            list(word, head.chain(probability).chain(body(it.body.as_ref())))
        }
        Item::Scene(it) => {
            let clauses = it.clauses.iter().map(|clause| {
                let who = match &clause.who {
                    Who::Agent(name) => format!("!{}", name.text),
                    Who::Variable(name) => variable(name),
                };
                let head = [who, format!("%{}", clause.role.text)];
                let parameters = clause.parameters.iter().map(|it| term(&it.kind));
                list("clause", head.into_iter().chain(parameters).chain([op(&clause.body)]))
            });
            list("scene", std::iter::once(it.name.text.clone()).chain(clauses))
        }
    }
}

fn variable(name: &Name) -> String {
    format!("${}", name.text)
}

fn op(operation: &Op) -> String {
    match &operation.kind {
        OpKind::Then(parts) => list("then", parts.iter().map(op)),
        OpKind::Or(parts) => list("or", parts.iter().map(op)),
        OpKind::Par(parts) => list("par", parts.iter().map(op)),
        OpKind::Wait { body, timeout } => {
            list("wait", std::iter::once(op(body)).chain(timeout.as_ref().map(|it| op(it))))
        }
        OpKind::Call { arguments } => list("call", terms(arguments)),
        OpKind::Skip => "skip".to_owned(),
        OpKind::Fail => "fail".to_owned(),
        OpKind::Hole => "hole".to_owned(),
        OpKind::Ask { variable: answer, procedure, arguments } => {
            let answer = answer.iter().map(variable);
            list("ask", answer.chain([procedure.text.clone()]).chain(terms(arguments)))
        }
        OpKind::Send { message, to } => list("send", words(message).chain(address(&to.agent, &to.role))),
        OpKind::Receive { message, from } => {
            list("receive", words(message).chain(address(&from.agent, &from.role)))
        }
    }
}

fn words(message: &Message) -> impl Iterator<Item = String> {
    std::iter::once(message.performative.text.clone()).chain(terms(&message.arguments))
}

fn address(agent: &Term, role: &Term) -> [String; 2] {
    [term(&agent.kind), term(&role.kind)]
}

fn terms(terms: &[Term]) -> impl Iterator<Item = String> {
    terms.iter().map(|it| term(&it.kind))
}

fn term(kind: &TermKind) -> String {
    match kind {
        TermKind::Variable(name) => format!("${name}"),
        TermKind::Agent(name) => format!("!{name}"),
        TermKind::Role(name) => format!("%{name}"),
        TermKind::Name(name) => name.clone(),
        TermKind::Integer(value) => value.to_string(),
        TermKind::Text(_) => "\"\"".to_owned(),
        TermKind::Wildcard => "_".to_owned(),
        TermKind::Expression(it) => expression(it),
    }
}

fn body(body: Option<&Body>) -> Vec<String> {
    match body {
        None => Vec::new(),
        Some(Body::Domain(it)) => vec![list("in", [domain(it)])],
        Some(Body::Fresh(_)) => vec!["fresh".to_owned()],
        Some(Body::Alternatives(all)) => all.iter().map(alternative).collect(),
    }
}

fn alternative(alternative: &Alternative) -> String {
    let guard = alternative.guard.as_ref().map(expression);
    let label = if guard.is_some() { "|" } else { "=" };
    let answer = match &alternative.answer {
        Answer::Value(it) => expression(it),
        Answer::Domain(it) => list("in", [domain(it)]),
    };
    let updates = alternative
        .updates
        .iter()
        .map(|it| list("update", [format!("@{}", it.cell.text), expression(&it.value)]));
    list(label, guard.into_iter().chain([answer]).chain(updates))
}

fn domain(domain: &Domain) -> String {
    let values = match (&domain.kind, &domain.weights) {
        (DomainKind::Values(values), Some(Weights::Each(weights))) => {
            let weighed = values.iter().zip(weights).map(|(value, weight)| match weight {
                Some(weight) => list("weighed", [term(&value.kind), weight.value.to_string()]),
                None => term(&value.kind),
            });
            list("set", weighed)
        }
        (DomainKind::Values(values), _) => list("set", terms(values)),
        (DomainKind::Range(first, last), _) => list("range", [first.to_string(), last.to_string()]),
        (DomainKind::Role(name), _) => format!("%{}", name.text),
    };
    match &domain.weights {
        None | Some(Weights::Each(_)) => values,
        Some(Weights::By(weight)) => list("by", [values, expression(weight)]),
        Some(Weights::Distribution(distribution, number)) => {
            list("by", [values, list(distribution.word(), [number.text.clone()])])
        }
    }
}

fn expression(it: &Expression) -> String {
    match &it.kind {
        ExpressionKind::Constant(kind) => term(kind),
        ExpressionKind::Parameter(name) => format!("${name}"),
        ExpressionKind::Cell(name) => format!("@{name}"),
        ExpressionKind::Own => "self".to_owned(),
        ExpressionKind::Reading(it) => quantity(it),
        ExpressionKind::Holds(it) => formula(it),
        ExpressionKind::Arithmetic { first, rest } => {
            rest.iter().fold(expression(first), |left, (operator, right)| {
                list(operator.sign(), [left, expression(right)])
            })
        }
        ExpressionKind::Comparison { left, operator, right } => {
            list(operator.sign(), [expression(left), expression(right)])
        }
        ExpressionKind::And(parts) => list("and", parts.iter().map(expression)),
        ExpressionKind::Or(parts) => list("or", parts.iter().map(expression)),
        ExpressionKind::Not(part) => list("not", [expression(part)]),
        ExpressionKind::Min(a, b) => list("min", [expression(a), expression(b)]),
        ExpressionKind::Max(a, b) => list("max", [expression(a), expression(b)]),
        ExpressionKind::If { condition, then, otherwise } => {
            list("if", [expression(condition), expression(then), expression(otherwise)])
        }
    }
}

fn formula(it: &Formula) -> String {
    let two = |label, a: &Formula, b: &Formula| list(label, [formula(a), formula(b)]);
    match &it.kind {
        FormulaKind::Temporal(operator, part) => list(operator.word(), [formula(part)]),
        FormulaKind::Possible(part) => list("possible", [formula(part)]),
        FormulaKind::Sequence(parts) => list("sequence", parts.iter().map(formula)),
        FormulaKind::Until(a, b) => two("until", a, b),
        FormulaKind::Unless(a, b) => two("unless", a, b),
        FormulaKind::Precedes(a, b) => two("precedes", a, b),
        FormulaKind::LeadsTo(a, b) => two("leadsto", a, b),
        FormulaKind::Implies(parts) => list("implies", parts.iter().map(formula)),
        FormulaKind::And(parts) => list("and", parts.iter().map(formula)),
        FormulaKind::Or(parts) => list("or", parts.iter().map(formula)),
        FormulaKind::Not(part) => list("not", [formula(part)]),
        FormulaKind::Before(part) => list("before", [formula(part)]),
        FormulaKind::Quantified(word, over, part) => list(word.word(), [range(over), formula(part)]),
        FormulaKind::Atom(it) => atom(it),
    }
}

fn range(range: &RangeOver) -> String {
    let over = match &range.over {
        Over::Domain(it) => domain(it),
        Over::Answers(name) => list("answers_of", [name.text.clone()]),
    };
    list("range_over", [variable(&range.variable), over])
}

fn atom(atom: &Atom) -> String {
    match atom {
        Atom::Ended => "ended".to_owned(),
        Atom::Status(word, agent) => list(word.word(), [term(&agent.kind)]),
        Atom::In(agent, clause) => list("in_clause", [term(&agent.kind), clause.text.clone()]),
        Atom::Comparison(left, operator, right) => list(operator.sign(), [quantity(left), quantity(right)]),
        Atom::Event(agent, event) => {
            let agent = std::iter::once(term(&agent.kind));
            match event {
                Event::Sends(message, to) => {
                    list("sends", agent.chain(words(message)).chain([term(&to.kind)]))
                }
                Event::Receives(message, from) => {
                    list("receives", agent.chain(words(message)).chain([term(&from.kind)]))
                }
                Event::Asks(name) => list("asks", agent.chain([name.text.clone()])),
                Event::Answers(name, yes) => {
                    list(if *yes { "answers yes" } else { "answers no" }, agent.chain([name.text.clone()]))
                }
                Event::TimesOut => list("times_out", agent),
            }
        }
    }
}

fn quantity(it: &Quantity) -> String {
    match &it.kind {
        QuantityKind::Term(kind) => term(kind),
        QuantityKind::Cell(agent, cell) => list("cell_of", [term(&agent.kind), format!("@{}", cell.text)]),
        QuantityKind::Mailbox(agent) => list("mailbox", [term(&agent.kind)]),
        QuantityKind::Count(over, part) => list("count", [range(over), formula(part)]),
        QuantityKind::Times(part) => list("count", [formula(part)]),
        QuantityKind::Cost(name, payer) => {
            let payer = payer.iter().map(|payer| term(&payer.kind));
            list("cost_of", std::iter::once(name.text.clone()).chain(payer))
        }
        QuantityKind::Total(name, part) => list("total", [variable(name), formula(part)]),
        QuantityKind::Moment(word, name, part) => list(word.word(), [variable(name), formula(part)]),
        QuantityKind::Measure(name, agent) => {
            let agent = agent.iter().map(|agent| term(&agent.kind));
            list("measure_of", std::iter::once(name.text.clone()).chain(agent))
        }
        QuantityKind::Sum(name) => list("sum_of", [name.text.clone()]),
    }
}
