//! The syntax tree, one line per node: what it is, then its span.

mod bodies;
mod formulas;

use map_diagnostics::{SourceFile, Span};
use map_syntax::ast::{
    Address, Cast, CastSubject, Clause, File, Item, Message, Name, Op, OpKind, Procedure, Scene, Term,
    TermKind, Who,
};

use super::tree::Tree;

/// The tree of a file.
#[must_use]
pub fn ast(source: &SourceFile, file: &File) -> String {
    let mut printer = Printer { source, tree: Tree::new() };
    for item in &file.items {
        match item {
            Item::Scene(scene) => printer.scene(scene),
            Item::Cast(cast) => printer.cast(cast),
            Item::Procedure(procedure) => {
                let word = if procedure.may_refuse { "decision" } else { "procedure" };
                printer.procedure(word, procedure);
            }
            Item::Memory(memory) => printer.memory(memory),
            Item::Property(property) => printer.property(property),
            Item::Cost(cost) => printer.cost(cost),
            Item::Measure(measure) => printer.measure(measure),
            Item::Truth(truth) => printer.procedure("truth", &truth.decision),
        }
    }
    printer.tree.finish()
}

struct Printer<'a> {
    source: &'a SourceFile,
    tree: Tree,
}

impl Printer<'_> {
    fn scene(&mut self, scene: &Scene) {
        self.branch("scene", scene.span, |it| {
            it.name("name", "", &scene.name);
            for clause in &scene.clauses {
                it.clause(clause);
            }
        });
    }

    fn cast(&mut self, cast: &Cast) {
        self.branch("cast", cast.span, |it| {
            match &cast.subject {
                CastSubject::Role(name) => it.name("role", "%", name),
                CastSubject::Agent(name) => it.name("agent", "!", name),
            }
            let least = if cast.any { "..any" } else { "" };
            it.leaf(&format!("count {}{least}", cast.count), cast.count_span);
        });
    }

    fn procedure(&mut self, word: &str, procedure: &Procedure) {
        self.branch(word, procedure.span, |it| {
            it.name("name", "", &procedure.name);
            for parameter in &procedure.parameters {
                it.name("parameter", "$", parameter);
            }
            if let Some(probability) = &procedure.probability {
                it.leaf(&format!("probability {}", probability.text), probability.span);
            }
            if let Some(body) = &procedure.body {
                it.body(body);
            }
        });
    }

    fn clause(&mut self, clause: &Clause) {
        self.branch("clause", clause.span, |it| {
            it.branch("head", clause.head_span, |it| {
                match &clause.who {
                    Who::Agent(name) => it.name("agent", "!", name),
                    Who::Variable(name) => it.name("variable", "$", name),
                }
                it.name("role", "%", &clause.role);
                it.terms(&clause.parameters);
            });
            it.op(&clause.body);
        });
    }

    fn op(&mut self, op: &Op) {
        let word = match &op.kind {
            OpKind::Then(_) => "then",
            OpKind::Or(_) => "or",
            OpKind::Par(_) => "par",
            OpKind::Wait { .. } => "waitfor",
            OpKind::Call { .. } => "call",
            OpKind::Skip => "skip",
            OpKind::Fail => "fail",
            OpKind::Hole => "hole",
            OpKind::Ask { .. } => "ask",
            OpKind::Send { .. } => "send",
            OpKind::Receive { .. } => "receive",
        };
        self.branch(word, op.span, |it| match &op.kind {
            OpKind::Then(ops) | OpKind::Or(ops) | OpKind::Par(ops) => {
                for op in ops {
                    it.op(op);
                }
            }
            OpKind::Wait { body, timeout } => {
                it.op(body);
                if let Some(timeout) = timeout {
                    it.branch("timeout", timeout.span, |it| it.op(timeout));
                }
            }
            OpKind::Call { arguments } => it.terms(arguments),
            OpKind::Skip | OpKind::Fail | OpKind::Hole => {}
            OpKind::Ask { variable, procedure, arguments } => {
                if let Some(variable) = variable {
                    it.name("variable", "$", variable);
                }
                it.name("procedure", "", procedure);
                it.terms(arguments);
            }
            OpKind::Send { message, to } => {
                it.message(message);
                it.address("to", to);
            }
            OpKind::Receive { message, from } => {
                it.message(message);
                it.address("from", from);
            }
        });
    }

    fn message(&mut self, message: &Message) {
        self.branch("message", message.span, |it| {
            it.name("performative", "", &message.performative);
            it.terms(&message.arguments);
        });
    }

    fn address(&mut self, word: &str, address: &Address) {
        self.branch(word, address.span, |it| {
            it.term(&address.agent);
            it.term(&address.role);
        });
    }

    fn terms(&mut self, terms: &[Term]) {
        for term in terms {
            self.term(term);
        }
    }

    fn term(&mut self, term: &Term) {
        match &term.kind {
            TermKind::Expression(expression) => self.expression(expression),
            kind => self.term_kind(kind, term.span),
        }
    }

    fn term_kind(&mut self, kind: &TermKind, span: Span) {
        let what = match kind {
            TermKind::Variable(name) => format!("variable ${name}"),
            TermKind::Agent(name) => format!("agent !{name}"),
            TermKind::Role(name) => format!("role %{name}"),
            TermKind::Name(name) => format!("constant {name}"),
            TermKind::Integer(number) => format!("integer {number}"),
            // The content after unescaping, not the source text.
            TermKind::Text(text) => format!("text {text:?}"),
            TermKind::Wildcard => "wildcard _".to_owned(),
            TermKind::Expression(_) => "expression".to_owned(),
        };
        self.leaf(&what, span);
    }

    fn name(&mut self, word: &str, sigil: &str, name: &Name) {
        self.leaf(&format!("{word} {sigil}{}", name.text), name.span);
    }

    fn leaf(&mut self, what: &str, span: Span) {
        self.tree.line(format_args!("{what}  {}", super::span(self.source, span)));
    }

    fn branch(&mut self, what: &str, span: Span, under: impl FnOnce(&mut Self)) {
        self.leaf(what, span);
        self.tree.deeper();
        under(self);
        self.tree.back();
    }
}
