//! The parentheses and operations of a clause that are open at a token, even in a text full of mistakes.

use super::token::{Kind, Token};

/// What is open before a token.
pub(crate) struct Open {
    /// Outermost first.
    pub(crate) levels: Vec<Level>,
}

pub(crate) struct Level {
    pub(crate) bracket: Bracket,
    /// Index of the token with which its content begins.
    pub(crate) content: usize,
    /// Index of the token with which the current operation begins.
    pub(crate) operation: usize,
    /// The `waitfor`s that a `timeout` may still end.
    pub(crate) waits: usize,
    /// How many levels there are up to this one.
    count: Count,
}

/// How many levels there are, in total and of two kinds.
#[derive(Clone, Copy)]
pub(crate) struct Count {
    pub(crate) total: usize,
    pub(crate) terms: usize,
    pub(crate) foreign: usize,
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Bracket {
    /// The body itself.
    Body,
    /// `(` around an operation.
    Group,
    /// `(` around terms.
    Terms,
    /// A bracket that no clause contains.
    Foreign,
}

impl Open {
    pub(crate) fn new(start: usize) -> Self {
        let count = Count { total: 1, terms: 0, foreign: 0 };
        let body = Level { bracket: Bracket::Body, content: start, operation: start, waits: 0, count };
        Self { levels: vec![body] }
    }

    /// The level of the innermost operation, as opposed to terms.
    pub(crate) fn innermost_operation(&self) -> usize {
        let operation = |level: &Level| matches!(level.bracket, Bracket::Body | Bracket::Group);
        self.levels.iter().rposition(operation).unwrap_or(0)
    }

    /// How many levels are open inside the given one.
    pub(crate) fn above(&self, level: usize) -> Count {
        let (all, below) = (self.last().count, self.levels[level].count);
        Count {
            total: all.total - below.total,
            terms: all.terms - below.terms,
            foreign: all.foreign - below.foreign,
        }
    }

    pub(crate) fn pass(&mut self, tokens: &[Token], index: usize) {
        let before = index.checked_sub(1).map(|before| tokens[before].kind);
        let above = self.above(0);
        match tokens[index].kind {
            Kind::OpenParen if matches!(before, Some(Kind::Name | Kind::Agent)) => {
                self.push(Bracket::Terms, index);
            }
            Kind::OpenParen => self.push(Bracket::Group, index),
            Kind::OpenBracket | Kind::OpenBrace => self.push(Bracket::Foreign, index),
            Kind::CloseParen if above.total > above.foreign => {
                self.close_innermost(|bracket| bracket != Bracket::Foreign);
            }
            Kind::CloseBracket | Kind::CloseBrace if above.foreign > 0 => {
                self.close_innermost(|bracket| bracket == Bracket::Foreign);
            }
            Kind::Then | Kind::Or | Kind::Par => _ = self.begin(index),
            Kind::Waitfor => self.begin(index).waits += 1,
            Kind::Timeout => {
                let level = self.begin(index);
                level.waits = level.waits.saturating_sub(1);
            }
            _ => {}
        }
    }

    fn push(&mut self, bracket: Bracket, index: usize) {
        let mut count = self.last().count;
        count.total += 1;
        count.terms += usize::from(bracket == Bracket::Terms);
        count.foreign += usize::from(bracket == Bracket::Foreign);
        self.levels.push(Level { bracket, content: index + 1, operation: index + 1, waits: 0, count });
    }

    /// Closes a level and what is open inside it.
    pub(crate) fn close(&mut self, level: usize) {
        self.levels.truncate(level.max(1));
    }

    /// Closes the innermost bracket of a kind, which must be open.
    fn close_innermost(&mut self, closes: impl Fn(Bracket) -> bool) {
        if let Some(level) = self.levels.iter().rposition(|level| closes(level.bracket)) {
            self.close(level);
        }
    }

    /// An operation begins behind a connective; terms contain none.
    fn begin(&mut self, index: usize) -> &mut Level {
        while self.last().bracket == Bracket::Terms {
            self.levels.pop();
        }
        let last = self.levels.len() - 1;
        self.levels[last].operation = index + 1;
        &mut self.levels[last]
    }

    fn last(&self) -> &Level {
        &self.levels[self.levels.len() - 1]
    }
}
