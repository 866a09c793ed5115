//! Gaps between tokens: white space and comments.
//!
//! A comment after a token on its line stays there, one on a line of its own keeps its own line, and one directly
//! before a token stays before it. Where a line break after a comment would tear a construct apart, the comment
//! moves past the adjacent punctuation or connective.

use std::ops::Range;

use super::pinned::{Hold, NEW_LINE, unbroken};
use super::printer::{Last, Printer};
use super::separator::{Next, Separator};
use super::trivia::{self, Comment};

/// The comments of a gap, as indices: `start..own` follow the last token on its line, `own..leading` are on lines
/// of their own, and `leading..end` precede the next token on its line.
struct Divided {
    start: usize,
    own: usize,
    leading: usize,
    end: usize,
}

impl Printer<'_> {
    /// Writes the gap before the next token.
    pub(super) fn gap(&mut self, separator: Separator, next: Next) {
        let offset = self.next_offset();
        self.gap_up_to(offset, separator, next);
    }

    /// Writes the gap before a connective. Comments between it and the offset `target` are moved before it if they
    /// end a line.
    pub(super) fn gap_before_joint(&mut self, target: usize, separator: Separator) {
        let mut offset = self.next_offset();
        let behind = self.run_from(self.run(offset).end, target);
        if self.moves(&behind) {
            for comment in &mut self.comments[behind] {
                comment.newline_before = true;
            }
            offset = target;
        }
        self.gap_up_to(offset, separator, Next::Follower);
    }

    fn gap_up_to(&mut self, offset: usize, separator: Separator, next: Next) {
        let Divided { start, own, leading, end } = self.divide(self.run(offset), next);
        let mut torn = own < leading;
        for index in start..own {
            torn |= self.comments[index].ends_line;
            self.trailing(index);
        }
        let blank = |printer: &Self, index: usize| match printer.comments[..end].get(index) {
            Some(comment) => comment.blank_before,
            None => trivia::blank_before(printer.text, printer.next_offset()),
        };
        for index in own..leading {
            self.break_line(separator, blank(self, index));
            self.comment(index);
        }
        let hold = self.hold();
        if torn || hold == Hold::Apart {
            self.break_line(separator, blank(self, leading));
        } else {
            let separator = match separator {
                Separator::Soft if start < own => Separator::Line,
                Separator::Nothing if start < own && next == Next::Leader => Separator::Space,
                other => other,
            };
            let separator = if hold == Hold::Together { unbroken(separator) } else { separator };
            self.separate(separator, blank(self, leading));
        }
        for index in leading..end {
            self.comment(index);
            self.doc.text(" ");
        }
        self.comment = end;
    }

    /// Writes the gap before a closing bracket or parenthesis of the text, with comments at the level of the
    /// content.
    pub(super) fn gap_before_closer(&mut self, separator: Separator) {
        let Divided { start, own, leading, end } = self.divide(self.run(self.next_offset()), Next::Follower);
        let mut torn = own < leading;
        for index in start..own {
            torn |= self.comments[index].ends_line;
            self.trailing(index);
        }
        for index in own..leading {
            self.break_line(Separator::Hard, self.comments[index].blank_before);
            self.comment(index);
        }
        self.comment = end;
        self.doc.dedent();
        match self.hold() {
            Hold::Together if !torn => self.separate(unbroken(separator), false),
            Hold::Free if !torn => self.separate(separator, false),
            _ => self.doc.hard(false),
        }
    }

    /// What the lines of the last word and the next one ask for between them; from now on the next is the last.
    fn hold(&mut self) -> Hold {
        let line = self.pinned.line(self.next);
        let hold = self.pinned.between(self.line, line);
        self.line = line.or(self.line);
        hold
    }

    /// Writes the gap before a closing parenthesis that is not in the text. A comment after the last token may
    /// belong to the whole chain; but if the chain spans several lines, it is more likely about the last operation
    /// and stays inside.
    pub(super) fn gap_before_added_closer(&mut self) {
        let mut torn = false;
        if self.doc.is_broken() {
            let Divided { start, own, .. } = self.divide(self.run(self.next_offset()), Next::Follower);
            for index in start..own {
                torn |= self.comments[index].ends_line;
                self.trailing(index);
            }
            self.comment = own;
        }
        self.doc.dedent();
        if torn {
            self.doc.hard(false);
            self.line = self.line.map(|_| NEW_LINE);
        } else if !self.pinned.holds(self.line) {
            self.doc.soft();
        }
    }

    /// Whether the gap before the next token has comments that move past it.
    pub(super) fn comments_move(&self) -> bool {
        self.moves(&self.run(self.next_offset()))
    }

    /// Whether these comments, which are next to the next token, move past it: there is a line break among them.
    /// Neither those that silence something do, nor those beside a pinned line.
    fn moves(&self, run: &Range<usize>) -> bool {
        self.has_newline(run)
            && !self.pinned.holds(self.pinned.line(self.next))
            && !self.comments[run.clone()].iter().any(Comment::allows_warnings)
    }

    /// The comments from the next one up to an offset.
    fn run(&self, offset: usize) -> Range<usize> {
        self.run_from(self.comment, offset)
    }

    fn run_from(&self, start: usize, offset: usize) -> Range<usize> {
        let length = self.comments[start..].iter().take_while(|comment| comment.start < offset).count();
        start..start + length
    }

    fn divide(&self, run: Range<usize>, next: Next) -> Divided {
        let Range { start, end } = run;
        let mut breaks = (start..=end).filter(|&index| start < end && self.newline_at(&run, index));
        let first = breaks.next();
        let last = breaks.next_back().or(first);
        let (own, leading) = match (first, last, next) {
            (Some(first), Some(last), Next::Leader) => (first, last),
            (Some(first), _, _) => (first, end),
            (None, _, Next::Leader) => (start, start),
            (None, _, Next::Follower) => (end, end),
        };
        Divided { start, own, leading, end }
    }

    fn has_newline(&self, run: &Range<usize>) -> bool {
        !run.is_empty() && (run.start..=run.end).any(|index| self.newline_at(run, index))
    }

    /// Whether there is a line break in a run before the comment `index` or, at its end, after the last one.
    fn newline_at(&self, run: &Range<usize>, index: usize) -> bool {
        (index < run.end && self.comments[index].newline_before)
            || (index > run.start && self.comments[index - 1].newline_after)
    }

    fn trailing(&mut self, index: usize) {
        let glued = self.last == Last::Opener && !self.comments[index].ends_line;
        if !glued && self.last != Last::Start {
            self.doc.text(" ");
        }
        self.comment(index);
    }

    fn comment(&mut self, index: usize) {
        let comment = &self.comments[index];
        self.doc.comment(comment.text, comment.ends_line);
        self.last = Last::Word;
    }

    fn separate(&mut self, separator: Separator, blank: bool) {
        let blank = blank && self.last == Last::Word;
        match separator {
            Separator::Nothing => {}
            Separator::Space => self.doc.text(" "),
            Separator::Soft => self.doc.soft(),
            Separator::Line => self.doc.line(false),
            Separator::Joint => self.doc.line(blank),
            Separator::Hard => self.doc.hard(blank),
        }
    }

    fn break_line(&mut self, separator: Separator, blank: bool) {
        match separator {
            Separator::Nothing | Separator::Space => self.doc.hard_continued(),
            _ => self.doc.hard(blank && self.last == Last::Word),
        }
    }
}
