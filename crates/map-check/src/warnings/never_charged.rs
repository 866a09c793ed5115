//! MAP324: a charge for what the agents that would pay never do.

use std::collections::HashSet;

use map_diagnostics::{Code, Diagnostic};
use map_syntax::ast::{Atom, Event, File, FormulaKind, Message, OpKind, Term, TermKind, Who};

use crate::{show, walk};

/// What the clauses of a file do, each with the role of the agents that do it.
#[derive(Default)]
struct Acts<'a> {
    asks: HashSet<(&'a str, &'a str)>,
    sends: HashSet<(&'a str, &'a str, usize)>,
    receives: HashSet<(&'a str, &'a str, usize)>,
}

impl<'a> Acts<'a> {
    fn of(file: &'a File) -> Self {
        let mut acts = Self::default();
        for clause in file.scenes().flat_map(|scene| &scene.clauses) {
            let role = &*clause.role.text;
            walk::operations(&clause.body, &mut |op| match &op.kind {
                OpKind::Ask { procedure, .. } => _ = acts.asks.insert((role, &procedure.text)),
                OpKind::Send { message, .. } => _ = acts.sends.insert(key_of(role, message)),
                OpKind::Receive { message, .. } => _ = acts.receives.insert(key_of(role, message)),
                _ => {}
            });
        }
        acts
    }

    fn has(&self, role: &str, event: &Event) -> bool {
        match event {
            Event::Asks(procedure) => self.asks.contains(&(role, &*procedure.text)),
            Event::Sends(message, _) => self.sends.contains(&key_of(role, message)),
            Event::Receives(message, _) => self.receives.contains(&key_of(role, message)),
            Event::Answers(..) | Event::TimesOut => true,
        }
    }
}

fn key_of<'a>(role: &'a str, message: &'a Message) -> (&'a str, &'a str, usize) {
    (role, &message.performative.text, message.arguments.len())
}

pub(super) fn find(file: &File, found: &mut Vec<Diagnostic>) {
    if file.costs().next().is_none() {
        return;
    }
    let acts = Acts::of(file);
    for charge in file.costs().flat_map(|cost| &cost.charges) {
        let FormulaKind::Atom(Atom::Event(payer, event)) = &charge.event.kind else { continue };
        let roles = roles_of(file, payer);
        if roles.is_empty() || roles.iter().any(|role| acts.has(role, event)) {
            continue;
        }
        let (verb, what) = match event {
            Event::Asks(procedure) => ("ask", procedure.text.clone()),
            Event::Sends(message, _) => ("send", message.performative.text.clone()),
            Event::Receives(message, _) => ("receive", message.performative.text.clone()),
            Event::Answers(..) | Event::TimesOut => continue,
        };
        let payer = show::term(payer);
        let text = format!("no clause of `{payer}` can {verb} `{what}`, so this is never paid");
        found.push(
            Diagnostic::new(Code::NeverCharged, charge.event.span, text, "never happens")
                .with_help("Write the agent or the role that does it, or `_` for whoever does"),
        );
    }
}

/// The roles of the agents that would pay; none if that depends on the cast, or if it is anybody.
fn roles_of<'a>(file: &'a File, payer: &'a Term) -> Vec<&'a str> {
    match &payer.kind {
        TermKind::Role(role) => vec![role],
        TermKind::Agent(name) => {
            let clauses = file.scenes().flat_map(|scene| &scene.clauses);
            let of_agent =
                clauses.filter(|clause| matches!(&clause.who, Who::Agent(who) if who.text == *name));
            of_agent.map(|clause| &*clause.role.text).collect()
        }
        _ => Vec::new(),
    }
}
