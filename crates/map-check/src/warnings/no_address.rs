//! MAP320: an address with a constant where only an agent or a role can stand.

use map_diagnostics::{Code, Diagnostic};
use map_syntax::ast::{OpKind, Term, TermKind, Who};

use super::LintContext;
use crate::parts::capitalised;
use crate::{show, walk};

pub(super) fn find(cx: &LintContext<'_>, found: &mut Vec<Diagnostic>) {
    for (index, clause) in cx.clauses() {
        walk::operations(&clause.body, &mut |op| {
            let (address, end) = match &op.kind {
                OpKind::Send { to, .. } => (to, "so the send fails"),
                OpKind::Receive { from, .. } => (from, "so nothing is received"),
                _ => return,
            };
            let (agent, role) = (&address.agent, &address.role);
            if !may_be_one(agent) && !matches!(agent.kind, TermKind::Agent(_)) {
                let text = format!("no agent is called `{}`, {end}", show::term(agent));
                let warning = Diagnostic::new(Code::NoAddress, agent.span, text, kind(agent));
                found.push(meant_agent(cx, index, agent, warning));
            } else if !may_be_one(role) && !matches!(role.kind, TermKind::Role(_)) {
                let text = format!("no role is called `{}`, {end}", show::term(role));
                let warning = Diagnostic::new(Code::NoAddress, role.span, text, kind(role));
                found.push(meant_role(cx, role, warning));
            }
        });
    }
}

/// Whether a term may stand for an agent or a role: what it comes to is known when it runs.
fn may_be_one(term: &Term) -> bool {
    matches!(term.kind, TermKind::Variable(_) | TermKind::Wildcard | TermKind::Expression(_))
}

/// What a term is that is neither an agent nor a role, or stands in the place of the other.
fn kind(term: &Term) -> &'static str {
    match term.kind {
        TermKind::Name(_) => "a constant",
        TermKind::Integer(_) => "an integer",
        TermKind::Text(_) => "a string",
        TermKind::Role(_) => "a role",
        TermKind::Agent(_) => "an agent",
        TermKind::Variable(_) | TermKind::Wildcard | TermKind::Expression(_) => "a term",
    }
}

fn meant_agent(cx: &LintContext<'_>, clause: usize, term: &Term, warning: Diagnostic) -> Diagnostic {
    let unknown = "Write an agent `!Name`, a variable that holds one, or `_`";
    let (TermKind::Name(name) | TermKind::Text(name) | TermKind::Role(name)) = &term.kind else {
        return warning.with_help(unknown);
    };
    let is_agent = |name: &str| {
        let literal = cx.checked.parts.iter().any(|part| part.literal.as_deref() == Some(name));
        literal || cx.checked.agent_named(name).is_some()
    };
    let mut is_variable = false;
    walk::terms(cx.clause(clause), &mut |term| {
        is_variable |= matches!(&term.kind, TermKind::Variable(variable) if variable == name);
    });
    is_variable |= matches!(&cx.clause(clause).who, Who::Variable(variable) if variable.text == *name);
    let capitalised = capitalised(name);
    if is_agent(name) {
        warning
            .with_help(format!("Write `!{name}` for the agent of that name"))
            .replaced_by(format!("!{name}"))
    } else if is_variable {
        warning
            .with_help(format!("Write `${name}` for the agent that the variable holds"))
            .replaced_by(format!("${name}"))
    } else if is_agent(&capitalised) && !cx.checked.roles.contains(name) {
        warning
            .with_help(format!("Write `!{capitalised}` for the agent of that name"))
            .replaced_by(format!("!{capitalised}"))
    } else if cx.checked.roles.contains(name) {
        warning.with_help(format!("Write `agent(_, %{name})` for all agents of the role"))
    } else {
        warning.with_help(unknown)
    }
}

fn meant_role(cx: &LintContext<'_>, term: &Term, warning: Diagnostic) -> Diagnostic {
    match &term.kind {
        TermKind::Name(name) | TermKind::Text(name) if cx.checked.roles.contains(name) => warning
            .with_help(format!("Write `%{name}` for the role of that name"))
            .replaced_by(format!("%{name}")),
        _ => warning.with_help("Write a role `%role`, a variable that holds one, or `_`"),
    }
}
