//! Operations that are composed and changed before they are written out as text.

/// An operation; terms, messages and addresses are already text.
#[derive(Clone, Debug)]
pub(super) enum Op {
    Skip,
    Fail,
    Ask(String),
    Send(String),
    Receive(String),
    Call(String),
    Then(Vec<Op>),
    Or(Vec<Op>),
    Par(Vec<Op>),
    Wait(Box<Op>, Option<Box<Op>>),
}

impl Op {
    /// A chain of `then` of any length.
    pub(super) fn then(mut ops: Vec<Self>) -> Self {
        match ops.len() {
            0 => Self::Skip,
            1 => ops.remove(0),
            _ => Self::Then(ops),
        }
    }

    pub(super) fn wait(body: Self, timeout: Option<Self>) -> Self {
        Self::Wait(Box::new(body), timeout.map(Box::new))
    }

    /// The text; everything but single actions is in parentheses.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Skip => "skip".to_owned(),
            Self::Fail => "fail".to_owned(),
            Self::Ask(text) | Self::Send(text) | Self::Receive(text) | Self::Call(text) => text.clone(),
            Self::Then(ops) => chain(ops, "then"),
            Self::Or(ops) => chain(ops, "or"),
            Self::Par(ops) => chain(ops, "par"),
            Self::Wait(body, None) => format!("(waitfor {})", body.text()),
            Self::Wait(body, Some(timeout)) => {
                format!("(waitfor {} timeout {})", body.text(), timeout.text())
            }
        }
    }

    /// Calls `visit` for this operation and then for every operation in it.
    pub(super) fn each(&mut self, visit: &mut impl FnMut(&mut Self)) {
        visit(self);
        match self {
            Self::Then(ops) | Self::Or(ops) | Self::Par(ops) => ops.iter_mut().for_each(|op| op.each(visit)),
            Self::Wait(body, timeout) => {
                body.each(visit);
                if let Some(timeout) = timeout {
                    timeout.each(visit);
                }
            }
            Self::Skip | Self::Fail | Self::Ask(_) | Self::Send(_) | Self::Receive(_) | Self::Call(_) => {}
        }
    }
}

fn chain(ops: &[Op], word: &str) -> String {
    let texts: Vec<String> = ops.iter().map(Op::text).collect();
    format!("({})", texts.join(&format!(" {word} ")))
}
