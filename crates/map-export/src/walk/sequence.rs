//! What is decided one after the other until something ends it: the terms of a chain of conditions, the alternatives of
//! a body.

use crate::promela::Expr;

/// The outcomes of what was decided so far, with their conditions, which share that of getting there. They are in the
/// order in which a walk down every branch finds them: where a decision goes on before it ends, what follows comes
/// first.
pub(super) struct Sequence<T> {
    /// The condition of going on.
    so_far: Expr,
    before: Vec<(Expr, T)>,
    /// For each decision what comes behind all that follows.
    behind: Vec<Vec<(Expr, T)>>,
}

impl<T> Sequence<T> {
    pub(super) fn new() -> Self {
        Self { so_far: Expr::True, before: Vec::new(), behind: Vec::new() }
    }

    /// Adds the cases of the next decision; `None` goes on. Whether anything follows.
    pub(super) fn decide(&mut self, cases: impl IntoIterator<Item = (Expr, Option<T>)>) -> bool {
        let (mut goes_on, mut behind) = (Vec::new(), Vec::new());
        for (condition, outcome) in cases {
            let Some(outcome) = outcome else {
                goes_on.push(condition);
                continue;
            };
            let condition = Expr::and([self.so_far.clone(), condition]);
            if condition != Expr::False {
                let list = if goes_on.is_empty() { &mut self.before } else { &mut behind };
                list.push((condition, outcome));
            }
        }
        self.behind.push(behind);
        let so_far = std::mem::take(&mut self.so_far);
        self.so_far = Expr::and([so_far, Expr::or(goes_on)]);
        self.so_far != Expr::False
    }

    /// All outcomes; `last` is that of going on to the end.
    pub(super) fn finish(self, last: T) -> Vec<(Expr, T)> {
        let Self { so_far, before: mut all, behind } = self;
        if so_far != Expr::False {
            all.push((so_far, last));
        }
        all.extend(behind.into_iter().rev().flatten());
        all
    }
}
