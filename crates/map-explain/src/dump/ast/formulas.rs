//! The nodes of properties and formulas.

use map_syntax::ast::{
    Atom, Charge, Cost, Domain, DomainKind, Event, Formula, FormulaKind, Measure, Over, Property, Quantity,
    QuantityKind, RangeOver,
};

use super::Printer;

impl Printer<'_> {
    pub(super) fn property(&mut self, property: &Property) {
        self.branch("property", property.span, |it| {
            it.name("name", "", &property.name);
            it.formula(&property.formula);
        });
    }

    pub(super) fn cost(&mut self, cost: &Cost) {
        self.branch("cost", cost.span, |it| {
            it.name("name", "", &cost.name);
            for Charge { event, price, span } in &cost.charges {
                it.branch("charge", *span, |it| {
                    it.formula(event);
                    it.branch("price", price.span, |it| it.term(price));
                });
            }
        });
    }

    pub(super) fn measure(&mut self, measure: &Measure) {
        self.branch("measure", measure.span, |it| {
            it.name("name", "", &measure.name);
            measure.of.iter().for_each(|range| it.range_over(range));
            it.expression(&measure.value);
        });
    }

    pub(super) fn formula(&mut self, formula: &Formula) {
        let word = match &formula.kind {
            FormulaKind::Temporal(operator, _) => operator.word(),
            FormulaKind::Possible(_) => "possible",
            FormulaKind::Sequence(_) => "possible sequence",
            FormulaKind::Until(..) => "until",
            FormulaKind::Unless(..) => "unless",
            FormulaKind::Precedes(..) => "precedes",
            FormulaKind::LeadsTo(..) => "leadsto",
            FormulaKind::Implies(_) => "implies",
            FormulaKind::And(_) => "and",
            FormulaKind::Or(_) => "or",
            FormulaKind::Not(_) => "not",
            FormulaKind::Before(_) => "before",
            FormulaKind::Quantified(quantifier, ..) => quantifier.word(),
            FormulaKind::Atom(atom) => return self.atom(atom, formula),
        };
        self.branch(word, formula.span, |it| match &formula.kind {
            FormulaKind::Quantified(_, range, body) => {
                it.range_over(range);
                it.formula(body);
            }
            _ => formula.parts().into_iter().for_each(|part| it.formula(part)),
        });
    }

    fn atom(&mut self, atom: &Atom, formula: &Formula) {
        let word = match atom {
            Atom::Ended => "ended",
            Atom::Status(word, _) => word.word(),
            Atom::In(..) => "in",
            Atom::Comparison(..) => "comparison",
            Atom::Event(_, event) => match event {
                Event::Sends(..) => "sends",
                Event::Receives(..) => "receives",
                Event::Asks(_) => "asks",
                Event::Answers(_, true) => "answers yes",
                Event::Answers(_, false) => "answers no",
                Event::TimesOut => "times out",
            },
        };
        self.branch(word, formula.span, |it| match atom {
            Atom::Ended => {}
            Atom::Status(_, agent) => it.term(agent),
            Atom::In(agent, name) => {
                it.term(agent);
                it.name("name", "", name);
            }
            Atom::Comparison(left, operator, right) => {
                it.quantity(left);
                it.leaf(operator.sign(), formula.span);
                it.quantity(right);
            }
            Atom::Event(agent, event) => {
                it.term(agent);
                match event {
                    Event::Sends(message, other) | Event::Receives(message, other) => {
                        it.message(message);
                        it.term(other);
                    }
                    Event::Asks(procedure) | Event::Answers(procedure, _) => {
                        it.name("procedure", "", procedure);
                    }
                    Event::TimesOut => {}
                }
            }
        });
    }

    fn range_over(&mut self, range: &RangeOver) {
        self.name("variable", "$", &range.variable);
        match &range.over {
            Over::Domain(Domain { kind: DomainKind::Role(role), .. }) => self.name("agents of", "%", role),
            Over::Domain(domain) => self.domain(domain),
            Over::Answers(procedure) => self.name("answers of", "", procedure),
        }
    }

    pub(super) fn quantity(&mut self, quantity: &Quantity) {
        match &quantity.kind {
            QuantityKind::Term(kind) => self.term_kind(kind, quantity.span),
            QuantityKind::Cell(agent, cell) => self.branch("cell", quantity.span, |it| {
                it.term(agent);
                it.name("name", "@", cell);
            }),
            QuantityKind::Mailbox(agent) => {
                self.branch("mailbox", quantity.span, |it| it.term(agent));
            }
            QuantityKind::Cost(name, whose) | QuantityKind::Measure(name, whose) => {
                let word = if matches!(quantity.kind, QuantityKind::Cost(..)) { "cost" } else { "measure" };
                self.branch(word, quantity.span, |it| {
                    it.name("name", "", name);
                    whose.iter().for_each(|agent| it.term(agent));
                });
            }
            QuantityKind::Sum(name) => self.branch("sum", quantity.span, |it| it.name("name", "", name)),
            QuantityKind::Moment(word, variable, body) => self.branch(word.word(), quantity.span, |it| {
                it.name("variable", "$", variable);
                it.formula(body);
            }),
            QuantityKind::Count(range, body) => self.branch("count", quantity.span, |it| {
                it.range_over(range);
                it.formula(body);
            }),
            QuantityKind::Times(body) => self.branch("times", quantity.span, |it| it.formula(body)),
            QuantityKind::Total(variable, body) => self.branch("total", quantity.span, |it| {
                it.name("variable", "$", variable);
                it.formula(body);
            }),
        }
    }
}
