//! MAP306: a receive of a message that nothing sends.

use map_diagnostics::{Code, Diagnostic};

use super::messages::{Exchange, Messages, Whom};
use super::not_received::Explained;
use super::{LintContext, words};
use crate::{CheckedScene, suggest};

/// The number of messages examined for a suggestion.
const MAX_SEARCHED: usize = 256;

/// Skips receives that a warning about a send has already pointed out, and clauses that are never called.
pub(super) fn find<'a>(
    cx: &LintContext<'a>,
    messages: &Messages<'a>,
    explained: &Explained<'a>,
    found: &mut Vec<Diagnostic>,
) {
    let checked = cx.checked;
    for receive in messages.receives.list.iter().filter(|receive| cx.reached[receive.clause]) {
        let (name, arity, part) = (&*receive.message.performative.text, receive.arity(), receive.part);
        if receive.whom == Whom::Nobody {
            found.push(from_nobody(checked, receive));
            continue;
        }
        let mut sends = messages.sent_to(checked, name, arity, part);
        if !sends.any(|send| receive.whom.includes(checked, send.part))
            && !explained.contains(&(name, arity, part))
        {
            found.push(warning(checked, messages, receive));
        }
    }
}

fn warning(checked: &CheckedScene<'_>, messages: &Messages<'_>, receive: &Exchange<'_>) -> Diagnostic {
    let (name, arity) = (&*receive.message.performative.text, receive.arity());
    let (signature, title) = (words::signature(receive.message), words::title(checked, receive.part));
    let text = match receive.whom {
        Whom::Anybody => format!("`{title}` receives `{signature}`, but nothing sends it to `{title}`"),
        from => format!(
            "`{title}` receives `{signature}` from {0}, but {0} never sends it to `{title}`",
            from.shown(checked)
        ),
    };
    let warning = Diagnostic::new(Code::NotSent, receive.message.span, text, "never comes");
    let gets = |send: &&Exchange<'_>| {
        send.whom.includes(checked, receive.part) && receive.whom.includes(checked, send.part)
    };
    if let Some(send) = messages.sends.named(name).filter(|send| send.arity() != arity).find(gets) {
        return warning
            .with_label(send.message.span, format!("`{}` is sent here", words::signature(send.message)))
            .with_note("Messages with different numbers of arguments never match")
            .with_help("Send and receive it with the same number of arguments");
    }
    let alike =
        || messages.sends.list.iter().filter(|send| send.arity() == arity).filter(gets).take(MAX_SEARCHED);
    let near = suggest::nearest(name, alike().map(|send| &*send.message.performative.text));
    if let Some(send) = near.and_then(|near| alike().find(|send| send.message.performative.text == near)) {
        let near = &send.message.performative.text;
        return warning
            .with_label(send.message.span, format!("`{}` is sent here", words::signature(send.message)))
            .with_help(format!("Did you mean `{near}`?"))
            .with_replacement(receive.message.performative.span, near);
    }
    if let Some(send) = messages.sends.named(name).find(|send| send.arity() == arity) {
        let (sender, whom) = (words::title(checked, send.part), send.whom.shown(checked));
        return warning
            .with_label(send.message.span, format!("`{sender}` sends it to {whom} here"))
            .with_help("Correct one of the two addresses, or remove the receive");
    }
    warning.with_help("Send it, or remove the receive")
}

fn from_nobody(checked: &CheckedScene<'_>, receive: &Exchange<'_>) -> Diagnostic {
    let signature = words::signature(receive.message);
    let (text, help) = match receive.means_itself(checked) {
        true => (
            format!(
                "`{signature}` is received from the agent itself, but a message reaches other agents only"
            ),
            "Expect it from another agent, or call a clause instead",
        ),
        false => (
            format!("`{signature}` is received from an agent that does not have this role"),
            "Correct the name or the role",
        ),
    };
    Diagnostic::new(Code::NotSent, receive.address.span, text, "nobody sends from here").with_help(help)
}
