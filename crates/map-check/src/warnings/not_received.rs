//! MAP305: a message that no clause of its addressees receives.

use std::collections::HashSet;

use map_diagnostics::{Code, Diagnostic};

use super::messages::{Exchange, Messages, Whom};
use super::{LintContext, words};
use crate::{CheckedScene, suggest};

/// The number of messages examined for a suggestion.
const MAX_SEARCHED: usize = 256;

/// Receives that a warning about a send has already pointed out: performative, arity and part.
pub(super) type Explained<'a> = HashSet<(&'a str, usize, usize)>;

/// Skips clauses that are never called. Returns the receives that were suggested as the intended ones.
pub(super) fn find<'a>(
    cx: &LintContext<'a>,
    messages: &Messages<'a>,
    found: &mut Vec<Diagnostic>,
) -> Explained<'a> {
    let checked = cx.checked;
    let mut explained = Explained::new();
    for send in messages.sends.list.iter().filter(|send| cx.reached[send.clause]) {
        let name = &*send.message.performative.text;
        let heard = |receive: &&Exchange<'a>| receive.whom.includes(checked, send.part);
        if send.whom == Whom::Nobody {
            found.push(to_nobody(checked, send));
        } else if messages.receives.of(name, send.arity(), send.whom).find(heard).is_none() {
            let meant = meant(checked, messages, send);
            if let Some(receive) = meant {
                explained.insert((&receive.message.performative.text, receive.arity(), receive.part));
            }
            found.push(warning(checked, messages, send, meant));
        }
    }
    explained
}

/// The receive that was probably meant: one that expects another sender, another number of arguments, or another
/// spelling.
fn meant<'m, 'a>(
    checked: &CheckedScene<'_>,
    messages: &'m Messages<'a>,
    send: &Exchange<'a>,
) -> Option<&'m Exchange<'a>> {
    let (name, arity) = (&*send.message.performative.text, send.arity());
    let there = |receive: &&Exchange<'a>| send.whom.includes(checked, receive.part);
    let alike =
        || messages.receives.all(send.whom).filter(|receive| receive.arity() == arity).take(MAX_SEARCHED);
    messages
        .receives
        .of(name, arity, send.whom)
        .next()
        .or_else(|| messages.receives.named(name).find(there))
        .or_else(|| {
            let near = suggest::nearest(name, alike().map(|receive| &*receive.message.performative.text))?;
            alike().find(|receive| receive.message.performative.text == near)
        })
}

fn warning(
    checked: &CheckedScene<'_>,
    messages: &Messages<'_>,
    send: &Exchange<'_>,
    meant: Option<&Exchange<'_>>,
) -> Diagnostic {
    let (name, signature) = (&*send.message.performative.text, words::signature(send.message));
    let (whom, sender) = (send.whom.shown(checked), words::title(checked, send.part));
    let new = |text: String| Diagnostic::new(Code::NotReceived, send.message.span, text, "stays unread");
    let plain = || match send.whom {
        Whom::Anybody => {
            new(format!("`{signature}` is sent to whoever it may concern, but no clause receives it"))
        }
        _ => new(format!("`{signature}` is sent to {whom}, but no clause of {whom} receives it")),
    };
    let Some(receive) = meant else {
        let elsewhere = messages.receives.of(name, send.arity(), Whom::Anybody).next();
        return match elsewhere {
            Some(receive) => {
                let title = words::title(checked, receive.part);
                plain()
                    .with_label(receive.message.span, format!("`{title}` receives it here"))
                    .with_help(format!("Send it to `{title}`, or receive it in a `waitfor` of {whom}"))
            }
            None => {
                let blanks = vec!["_"; send.arity()].join(", ");
                let role = words::role(checked, send.part);
                plain().with_help(format!(
                    "Receive it where it is expected: `{name}({blanks}) <= agent(_, %{role})`, or do not send it"
                ))
            }
        };
    };
    let there = words::signature(receive.message);
    if there == signature {
        let text =
            format!("`{signature}` is sent to {whom}, but no clause of {whom} receives it from `{sender}`");
        let from = receive.whom.shown(checked);
        return new(text)
            .with_label(receive.message.span, format!("received here, but from {from}"))
            .with_help("Correct one of the two addresses");
    }
    let warning = plain().with_label(receive.message.span, format!("it receives `{there}` here"));
    if receive.message.performative.text == name {
        warning
            .with_note("Messages with different numbers of arguments never match")
            .with_help("Send and receive it with the same number of arguments")
    } else {
        warning
            .with_help(format!("Did you mean `{}`?", receive.message.performative.text))
            .with_replacement(send.message.performative.span, &*receive.message.performative.text)
    }
}

fn to_nobody(checked: &CheckedScene<'_>, send: &Exchange<'_>) -> Diagnostic {
    let signature = words::signature(send.message);
    let (text, label, help) = if send.means_itself(checked) {
        (
            format!("`{signature}` is sent by an agent to itself, but a message reaches other agents only"),
            "the agent itself",
            "Address another agent, or call a clause instead",
        )
    } else {
        (
            format!("`{signature}` is sent to an agent that does not have this role, so the send fails"),
            "nobody has this name and this role",
            "Correct the name or the role",
        )
    };
    Diagnostic::new(Code::NotReceived, send.address.span, text, label).with_help(help)
}
