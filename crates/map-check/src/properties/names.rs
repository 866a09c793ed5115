//! Checks the names in a formula: roles, agents, cells, messages, procedures and clauses of the scene.

use std::collections::BTreeMap;

use indexmap::IndexSet;
use map_diagnostics::{Code, Diagnostic};
use map_syntax::ast::{
    Atom, Clause, DomainKind, Event, File, Formula, FormulaPart, Message, Name, OpKind, Over, Quantity,
    QuantityKind, RangeOver, Term, TermKind,
};

use super::{costs, measures};
use crate::parts::{Meaning, Parts};
use crate::resolve::{self, RolesOfFile};
use crate::{show, suggest, walk};

/// Errors about names in a formula that do not exist in the scene, which has these messages and procedures.
pub(super) fn mistakes(
    file: &File,
    parts: &Parts<'_>,
    scene: &OfScene<'_>,
    of_file: &RolesOfFile<'_>,
    cast_doubtful: bool,
    formula: &Formula,
) -> Vec<Diagnostic> {
    let (errors, measures) = (Vec::new(), Vec::new());
    let mut checker = NameChecker { file, parts, of_file, cast_doubtful, scene, errors, measures };
    checker.formula(formula);
    checker.errors
}

/// The names in a formula that a scene must have. They tell quickly, and without a diagnostic, that it is about another
/// scene: a file may have many scenes and many properties.
pub(super) struct Needed<'f> {
    sent: Vec<(&'f str, usize)>,
    asked: Vec<&'f str>,
    roles: Vec<&'f str>,
    agents: Vec<&'f str>,
}

impl<'f> Needed<'f> {
    pub(super) fn new(formula: &'f Formula) -> Self {
        let mut needed = Self { sent: Vec::new(), asked: Vec::new(), roles: Vec::new(), agents: Vec::new() };
        formula.visit(&mut |part, _| match part {
            FormulaPart::Range(range) => needed.roles.extend(range.role().map(|role| &*role.text)),
            FormulaPart::Atom(Atom::Event(agent, event)) => {
                needed.agent(agent);
                match event {
                    Event::Sends(message, other) | Event::Receives(message, other) => {
                        needed.sent.push((&message.performative.text, message.arguments.len()));
                        needed.agent(other);
                    }
                    Event::Asks(procedure) | Event::Answers(procedure, _) => {
                        needed.asked.push(&procedure.text);
                    }
                    Event::TimesOut => {}
                }
            }
            FormulaPart::Atom(Atom::Status(_, agent) | Atom::In(agent, _)) => needed.agent(agent),
            FormulaPart::Atom(_) => {}
        });
        needed
    }

    fn agent(&mut self, term: &'f Term) {
        if let TermKind::Agent(name) = &term.kind {
            self.agents.push(name);
        }
    }

    /// Whether the scene lacks one of the names, so that [`mistakes`] finds some.
    pub(super) fn lacks_some(&self, parts: &Parts<'_>, scene: &OfScene<'_>, cast_doubtful: bool) -> bool {
        // In a doubtful cast, unknown agents are not always reported.
        let known = |name: &&str| cast_doubtful || parts.meaning(name) != Meaning::Unknown;
        let sent = |&(name, arity): &(&str, usize)| {
            scene.sent.get(name).is_some_and(|arities| arities.contains(&arity))
        };
        !self.agents.iter().all(known)
            || !self.roles.iter().all(|role| parts.roles.contains(*role))
            || !self.sent.iter().all(sent)
            || !self.asked.iter().all(|procedure| scene.asked.contains(procedure))
    }
}

/// The messages sent and the procedures asked in a scene.
pub(super) struct OfScene<'a> {
    /// The arities with which each performative is sent.
    sent: BTreeMap<&'a str, Vec<usize>>,
    asked: IndexSet<&'a str>,
}

impl<'a> OfScene<'a> {
    pub(super) fn new(parts: &Parts<'a>) -> Self {
        let (mut sent, mut asked): (BTreeMap<&str, Vec<usize>>, IndexSet<&str>) = Default::default();
        for clause in &parts.scene.clauses {
            walk::operations(&clause.body, &mut |op| match &op.kind {
                OpKind::Send { message, .. } => {
                    let arities = sent.entry(&message.performative.text).or_default();
                    if !arities.contains(&message.arguments.len()) {
                        arities.push(message.arguments.len());
                    }
                }
                OpKind::Ask { procedure, .. } => _ = asked.insert(&procedure.text),
                _ => {}
            });
        }
        Self { sent, asked }
    }
}

struct NameChecker<'s> {
    file: &'s File,
    parts: &'s Parts<'s>,
    of_file: &'s RolesOfFile<'s>,
    cast_doubtful: bool,
    scene: &'s OfScene<'s>,
    errors: Vec<Diagnostic>,
    /// The measures whose own names have been looked at.
    measures: Vec<&'s str>,
}

impl NameChecker<'_> {
    fn formula(&mut self, formula: &Formula) {
        formula.visit(&mut |part, around| match part {
            FormulaPart::Range(range) => self.range(range),
            FormulaPart::Atom(atom) => self.atom(atom, around),
        });
    }

    fn range(&mut self, range: &RangeOver) {
        let Over::Domain(domain) = &range.over else { return };
        match &domain.kind {
            DomainKind::Role(role) => {
                self.term(&Term { kind: TermKind::Role(role.text.clone()), span: role.span });
            }
            DomainKind::Values(values) => values.iter().for_each(|value| self.term(value)),
            DomainKind::Range(..) => {}
        }
    }

    /// Checks an atom; `around` are the enclosing ranges, outermost first.
    fn atom(&mut self, atom: &Atom, around: &[&RangeOver]) {
        match atom {
            Atom::Ended => {}
            Atom::Status(_, agent) => self.term(agent),
            Atom::In(agent, name) => {
                self.term(agent);
                self.clause(agent, name, around);
            }
            Atom::Comparison(left, _, right) => {
                self.quantity(left, around);
                self.quantity(right, around);
            }
            Atom::Event(agent, event) => {
                self.term(agent);
                self.event(event);
            }
        }
    }

    fn event(&mut self, event: &Event) {
        match event {
            Event::Sends(message, other) | Event::Receives(message, other) => {
                self.message(message);
                for argument in &message.arguments {
                    self.term(argument);
                }
                self.term(other);
            }
            Event::Asks(procedure) | Event::Answers(procedure, _) => self.procedure(procedure),
            Event::TimesOut => {}
        }
    }

    fn quantity(&mut self, quantity: &Quantity, around: &[&RangeOver]) {
        match &quantity.kind {
            QuantityKind::Term(kind) => self.term(&Term { kind: kind.clone(), span: quantity.span }),
            QuantityKind::Mailbox(agent) => self.term(agent),
            QuantityKind::Cell(agent, cell) => {
                self.term(agent);
                self.cell(agent, cell, around);
            }
            QuantityKind::Cost(cost, payer) => {
                costs::undeclared(self.file, cost, &mut self.errors);
                payer.iter().for_each(|payer| self.term(payer));
            }
            // `Formula::visit` visits its body separately.
            QuantityKind::Count(..)
            | QuantityKind::Times(_)
            | QuantityKind::Total(..)
            | QuantityKind::Moment(..) => {}
            QuantityKind::Measure(name, whose) => {
                measures::mention(self.file, name, whose.as_ref(), false, &mut self.errors);
                if let Some(agent) = whose {
                    self.term(agent);
                    self.require_measure(agent, name, around);
                }
                self.measure(name);
            }
            QuantityKind::Sum(name) => {
                measures::mention(self.file, name, None, true, &mut self.errors);
                self.measure(name);
            }
        }
    }

    /// Reports that a measure reads what the scene does not have.
    fn measure(&mut self, name: &Name) {
        let Some(declared) = self.file.measures().find(|it| it.name.text == name.text) else { return };
        if self.measures.contains(&&*declared.name.text) {
            return;
        }
        self.measures.push(&declared.name.text);
        let before = self.errors.len();
        for formula in measures::formulas_of(declared.of.as_ref(), &declared.value) {
            self.formula(&formula);
        }
        if self.errors.len() > before {
            self.errors.truncate(before);
            self.errors.push(measures::of_other_scene(name));
        }
    }

    /// Reports that an agent is not one of those that have a measure.
    fn require_measure(&mut self, agent: &Term, name: &Name, around: &[&RangeOver]) {
        let declared = self.file.measures().find(|it| it.name.text == name.text);
        let Some(role) = declared.and_then(|it| it.of.as_ref()).and_then(RangeOver::role) else { return };
        let Some(&part) = self.parts_of(agent, around).first() else { return };
        let of_agent = self.parts.role_name(self.parts.list[part].role);
        if of_agent != role.text {
            let text = format!(
                "`{}` is a `%{of_agent}`, and `{}` is one of each `%{}`",
                show::term(agent),
                name.text,
                role.text
            );
            self.errors.push(
                Diagnostic::new(Code::UnknownCost, agent.span, text, "has no such measure")
                    .with_help(format!("Write an agent of `%{}`", role.text)),
            );
        }
    }

    fn term(&mut self, term: &Term) {
        let unknown = resolve::unknown(self.parts, self.of_file, self.cast_doubtful, &term.kind, term.span);
        self.errors.extend(unknown);
    }

    /// The parts whose agents a term may stand for; empty if it is unknown, which is reported elsewhere.
    fn parts_of(&self, agent: &Term, around: &[&RangeOver]) -> Vec<usize> {
        match &agent.kind {
            TermKind::Variable(name) => {
                let range = around.iter().rev().find(|range| range.variable.text == *name);
                let role = range.and_then(|range| range.role());
                let role = role.and_then(|role| self.parts.roles.get_index_of(&role.text));
                role.map_or(Vec::new(), |role| self.parts.of_role[role].clone())
            }
            TermKind::Agent(name) => match self.parts.meaning(name) {
                Meaning::Agent => self.parts.bearers(name).take(1).collect(),
                Meaning::Absent => self.parts.of_base(name).to_vec(),
                Meaning::Ambiguous(_) | Meaning::Unknown => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    fn clause(&mut self, agent: &Term, name: &Name, around: &[&RangeOver]) {
        let parts = self.parts_of(agent, around);
        if parts.is_empty() {
            return;
        }
        let clauses =
            |part: &usize| self.parts.list[*part].clauses.iter().map(|&it| &self.parts.scene.clauses[it]);
        let first = |clause: &'_ Clause| match clause.parameters.first().map(|term| &term.kind) {
            Some(TermKind::Name(name)) => Some(name.clone()),
            _ => None,
        };
        let known: Vec<String> = parts.iter().flat_map(clauses).filter_map(first).collect();
        if known.contains(&name.text) {
            return;
        }
        let who = show::term(agent);
        let text = format!("no clause of `{who}` has `{}` as its first term", name.text);
        let error = Diagnostic::new(Code::UnknownPlace, name.span, text, "no such clause");
        let mut listed: Vec<&str> = known.iter().map(String::as_str).collect();
        listed.sort_unstable();
        listed.dedup();
        self.errors.push(match suggest::nearest(&name.text, listed.iter().copied()) {
            Some(near) => error.with_help(format!("Did you mean `{near}`?")).replaced_by(near),
            None if listed.is_empty() => error.with_help(format!(
                "Give a clause such a term, `agent(.., {}) = ..`, and call it with `agent({})`",
                name.text, name.text
            )),
            None => error.with_help(format!("The clauses begin with {}", show::list(listed))),
        });
    }

    fn cell(&mut self, agent: &Term, cell: &Name, around: &[&RangeOver]) {
        let parts = self.parts_of(agent, around);
        let Some(&part) = parts.first() else { return };
        let role = self.parts.role_name(self.parts.list[part].role);
        let memory = self.file.memories().find(|memory| memory.role.text == role);
        let known: Vec<&str> =
            memory.map_or(Vec::new(), |memory| memory.cells.iter().map(|it| &*it.cell.text).collect());
        if known.contains(&&*cell.text) {
            return;
        }
        let text = format!("the agents of `%{role}` have no cell `@{}`", cell.text);
        let error = Diagnostic::new(Code::UnknownCell, cell.span, text, "no such cell");
        self.errors.push(match suggest::nearest(&cell.text, known.iter().copied()) {
            Some(near) => error.with_help(format!("Did you mean `@{near}`?")).replaced_by(format!("@{near}")),
            None if known.is_empty() => {
                error.with_help(format!("Declare it: `memory %{role} {{ @{} = .. }}`", cell.text))
            }
            None => error.with_help(format!(
                "The cells are {}",
                show::list(known.iter().map(|cell| format!("@{cell}")))
            )),
        });
    }

    fn message(&mut self, message: &Message) {
        let (name, used) = (&message.performative, message.arguments.len());
        let mut meant = None;
        let (text, help) = match self.scene.sent.get(&*name.text) {
            Some(arities) if arities.contains(&used) => return,
            Some(arities) => {
                let has = show::arguments(arities[0]);
                let text = format!("`{}` is sent with {has}, not with {}", name.text, show::arguments(used));
                (
                    text,
                    "Messages of different numbers of arguments never match; `_` stands for any value"
                        .to_owned(),
                )
            }
            None => {
                let text = format!("nothing sends a message `{}`", name.text);
                meant = suggest::nearest(&name.text, self.scene.sent.keys().copied());
                let help = match meant {
                    Some(near) => format!("Did you mean `{near}`?"),
                    None if self.scene.sent.is_empty() => "The scene sends no messages".to_owned(),
                    None => format!("The scene sends {}", show::list(self.scene.sent.keys().copied())),
                };
                (text, help)
            }
        };
        let error =
            Diagnostic::new(Code::UnknownMessage, message.span, text, "no such message").with_help(help);
        self.errors.push(match meant {
            Some(near) => error.with_replacement(name.span, near),
            None => error,
        });
    }

    fn procedure(&mut self, procedure: &Name) {
        if self.scene.asked.contains(&*procedure.text) {
            return;
        }
        let text = format!("nobody asks a procedure `{}`", procedure.text);
        let error = Diagnostic::new(Code::UnknownProcedure, procedure.span, text, "never asked");
        let known = &self.scene.asked;
        self.errors.push(match suggest::nearest(&procedure.text, known.iter().copied()) {
            Some(near) => error.with_help(format!("Did you mean `{near}`?")).replaced_by(near),
            None if known.is_empty() => error.with_help("The scene asks no procedures"),
            None => error.with_help(format!("The scene asks {}", show::list(known.iter().copied()))),
        });
    }
}
