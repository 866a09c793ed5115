//! What can be folded away.

use std::ops::Range;

use map_syntax::TokenKind as Kind;

use crate::answers::{Fold, FoldKind};
use crate::docs::line_start;
use crate::model::Model;

/// The items, clauses, groups and comments that span lines.
pub(crate) fn folds(model: &Model) -> Vec<Fold> {
    let words = &model.words;
    let mut code: Vec<Range<usize>> = words.items.iter().map(|item| words.extent(&item.tokens)).collect();
    code.extend(model.index.clauses.iter().map(|clause| words.extent(&clause.tokens)));
    let mut open = Vec::new();
    for (token, it) in words.tokens.iter().enumerate() {
        match it.kind {
            Kind::OpenParen | Kind::OpenBrace => open.push(token),
            Kind::CloseParen | Kind::CloseBrace => {
                code.extend(open.pop().map(|open| words.extent(&(open..token + 1))));
            }
            // What a clause or an item leaves open ends with it.
            Kind::OpenBracket | Kind::CloseBracket => open.clear(),
            _ => {}
        }
    }
    let code = code.into_iter().map(|range| Fold { range, kind: FoldKind::Code });
    let comments = comments(model).into_iter().map(|range| Fold { range, kind: FoldKind::Comment });
    let mut folds: Vec<Fold> =
        code.chain(comments).filter(|it| model.text()[it.range.clone()].contains('\n')).collect();
    // Of several that begin on one line, editors can fold one: the largest.
    folds.sort_by_key(|fold| (line_start(model.text(), fold.range.start), usize::MAX - fold.range.end));
    folds.dedup_by_key(|fold| line_start(model.text(), fold.range.start));
    folds
}

/// Comments, those on lines that follow each other together.
fn comments(model: &Model) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for comment in &model.words.comments {
        let text = model.text();
        let alone = text[line_start(text, comment.start)..comment.start].trim().is_empty();
        match runs.last_mut() {
            Some(run) if alone && is_line_break(&text[run.end..comment.start]) => run.end = comment.end,
            _ if alone => runs.push(comment.clone()),
            _ => {}
        }
    }
    runs
}

fn is_line_break(text: &str) -> bool {
    text.trim().is_empty() && text.matches('\n').count() == 1
}
