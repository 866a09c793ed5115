//! Error recovery: parses items and clauses one by one, so that a mistake costs only the unit that contains it.

use map_diagnostics::{Code, Diagnostic, Span};
use pest::iterators::Pairs;

use crate::ast::{Clause, File, Formula, Item, Name, Scene};
use crate::build::Builder;
use crate::errors;
use crate::pest_grammar::{self, Failure, Rule};
use crate::site::Site;
use crate::split::{self, ItemWord};
use crate::token::{Kind, Token};
use crate::unit::Unit;
use crate::{MAX_DIAGNOSTICS, misplaced, nesting, repair, scan};

/// Parses the units of `source` that are correct and reports errors about the others.
pub(crate) fn read(
    source: &str,
    tokens: &[Token],
    cut_short: bool,
    diagnostics: &mut Vec<Diagnostic>,
) -> File {
    let mut reader = Reader { source, tokens, cut_short, diagnostics, items: Vec::new() };
    let mut at = 0;
    while at < tokens.len() && reader.diagnostics.len() < MAX_DIAGNOSTICS {
        at = reader.item(at);
    }
    File { items: reader.items }
}

/// Parses a text that is a single formula.
pub(crate) fn formula(source: &str) -> Result<Formula, Vec<Diagnostic>> {
    let scanned = scan::scan(source, 0);
    let (tokens, mut diagnostics) = (scanned.tokens, scanned.diagnostics);
    if tokens.is_empty() && diagnostics.is_empty() {
        diagnostics.push(Diagnostic::unplaced(Code::Syntax, "the formula is empty"));
    }
    diagnostics.extend(nesting::item_too_deep(source, Unit::Formula, &tokens));
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    let cut_short = scanned.cut_short;
    let mut reader =
        Reader { source, tokens: &tokens, cut_short, diagnostics: &mut diagnostics, items: Vec::new() };
    let build = |mut builder: Builder<'_>, pairs: Pairs<'_, Rule>| builder.formula_unit(pairs);
    let formula = reader.unit(Unit::Formula, 0, tokens.len(), build, |_, _| None);
    formula.filter(|_| diagnostics.is_empty()).ok_or(diagnostics)
}

struct Reader<'a> {
    source: &'a str,
    tokens: &'a [Token],
    /// Whether an unclosed comment hides the end of the text.
    cut_short: bool,
    diagnostics: &'a mut Vec<Diagnostic>,
    items: Vec<Item>,
}

impl Reader<'_> {
    /// Parses whatever begins at a token outside all scenes. Returns the index of the token after it.
    fn item(&mut self, at: usize) -> usize {
        if split::starts_scene(self.tokens, at) {
            return self.scene(Some(at), at + 1);
        }
        if self.tokens[at].kind == Kind::OpenBracket {
            let text = "this scene has no name";
            let diagnostic =
                Diagnostic::new(Code::Syntax, self.tokens[at].span, text, "expected a name before this");
            self.report(diagnostic.with_help("write `NAME [ .. ]`; the name is what `--scene NAME` picks"));
            return self.scene(None, at);
        }
        let word = split::item_word(self.source, self.tokens, at);
        let end = split::item_limit(self.source, self.tokens, word, at);
        match word {
            Some(word) => self.other_item(word, at, end),
            None if self.has_bad(at, end) => {}
            None => {
                let before_scene = split::starts_scene(self.tokens, end);
                let (diagnostic, opener) =
                    misplaced::outside_scenes(self.source, &self.tokens[at..end], before_scene);
                self.report(diagnostic);
                if let Some(opener) = opener {
                    return self.scene(None, at + opener);
                }
            }
        }
        end
    }

    /// Parses a scene from its opening bracket. Returns the index of the token after it.
    fn scene(&mut self, name: Option<usize>, open: usize) -> usize {
        let extent = split::scene_extent(self.source, self.tokens, open);
        let name = name.and_then(|index| self.scene_name(index));
        let mut end = extent.end;
        let last = if extent.closed {
            self.tokens[extent.end]
        } else {
            self.unclosed(open, &mut end);
            self.tokens[extent.end.saturating_sub(1).max(open)]
        };
        let clauses = self.clauses(open, end, extent.closed);
        if let Some(name) = name {
            let span = name.span.to(last.span);
            self.items.push(Item::Scene(Scene { name, clauses, span }));
        }
        extent.end + usize::from(extent.closed)
    }

    fn scene_name(&mut self, index: usize) -> Option<Name> {
        let token = self.tokens[index];
        let text = token.text(self.source).to_owned();
        if token.kind == Kind::Name {
            return Some(Name { text, span: token.span });
        }
        let diagnostic = if token.kind.is_reserved() {
            Diagnostic::new(
                Code::Syntax,
                token.span,
                format!("`{text}` is a reserved word"),
                "not a scene's name",
            )
        } else {
            Diagnostic::new(
                Code::Syntax,
                token.span,
                format!("`{text}` cannot name a scene"),
                "not a bare name",
            )
        };
        self.report(diagnostic.with_help("call the scene by a bare name, such as `auction`"));
        None
    }

    fn unclosed(&mut self, open: usize, end: &mut usize) {
        let last = self.tokens[end.saturating_sub(1).max(open)];
        // A missing or wrong opening bracket has been reported.
        if self.cut_short || last.kind == Kind::Bad || self.tokens[open].kind != Kind::OpenBracket {
            return;
        }
        let opener = self.tokens[open].span;
        let diagnostic = if last.kind == Kind::CloseBrace {
            *end -= 1;
            Diagnostic::new(Code::Syntax, last.span, "a scene ends with `]`, not with `}`", "expected `]`")
                .with_label(opener, "the scene opens here")
        } else {
            Diagnostic::new(
                Code::Syntax,
                opener,
                "this scene is never closed",
                "no `]` belongs to this bracket",
            )
            .with_label(Span::new(last.span.end, last.span.end), "expected `]` here")
        };
        self.report(diagnostic);
    }

    fn clauses(&mut self, open: usize, end: usize, closed: bool) -> Vec<Clause> {
        let mut clauses = Vec::new();
        let mut at = open + 1;
        if at >= end {
            if closed {
                let span = self.tokens[open].span.to(self.tokens[end].span);
                let diagnostic =
                    Diagnostic::new(Code::Syntax, span, "a scene needs at least one clause", "empty");
                self.report(diagnostic.with_help("write a clause: `agent(!Name, %role) = ..`"));
            }
            return clauses;
        }
        while at < end && self.diagnostics.len() < MAX_DIAGNOSTICS {
            let mut next = at + 1;
            while next < end
                && !split::starts_clause(self.source, self.tokens, next)
                && !split::surely_starts_item(self.source, self.tokens, next)
            {
                next += 1;
            }
            let tokens = &self.tokens[at..next];
            if split::surely_starts_item(self.source, self.tokens, at) {
                self.report(misplaced::item_in_scene(self.source, tokens));
            } else if tokens[0].kind != Kind::Agent {
                if !self.has_bad(at, next) {
                    self.report(misplaced::not_a_clause(self.source, tokens));
                }
            } else {
                clauses.extend(self.clause(at, next));
            }
            at = next;
        }
        clauses
    }

    fn clause(&mut self, start: usize, end: usize) -> Option<Clause> {
        if let Some(diagnostic) = nesting::too_deep(self.source, &self.tokens[start..end]) {
            self.report(diagnostic);
            return None;
        }
        if self.has_bad(start, end) {
            return repair::around_bad_tokens(self.source, &self.tokens[start..end], self.diagnostics);
        }
        let build = |mut builder: Builder<'_>, pairs: Pairs<'_, Rule>| builder.clause_unit(pairs);
        self.unit(Unit::Clause, start, end, build, repair::around_mistakes)
    }

    fn other_item(&mut self, word: ItemWord, start: usize, end: usize) {
        let unit = match word {
            ItemWord::Cast => Unit::Cast,
            ItemWord::Memory => Unit::Memory,
            ItemWord::Procedure | ItemWord::Decision => Unit::Declaration,
            ItemWord::Property => Unit::Property,
        };
        if let Some(diagnostic) = nesting::item_too_deep(self.source, unit, &self.tokens[start..end]) {
            return self.report(diagnostic);
        }
        let build = |mut builder: Builder<'_>, pairs: Pairs<'_, Rule>| builder.item_unit(pairs);
        let item = self.unit(unit, start, end, build, |_, _| None);
        self.items.extend(item);
    }

    /// Parses the tokens in `start..end` as a unit, from which `repair` takes what it can if there is a mistake in it. A
    /// unit with tokens that have been reported is skipped silently.
    fn unit<T>(
        &mut self,
        unit: Unit,
        start: usize,
        end: usize,
        build: impl FnOnce(Builder<'_>, Pairs<'_, Rule>) -> Option<T>,
        repair: impl FnOnce(&Site<'_>, &mut Vec<Diagnostic>) -> Option<T>,
    ) -> Option<T> {
        let tokens = &self.tokens[start..end];
        let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else { return None };
        if self.has_bad(start, end) {
            return None;
        }
        let base = first.span.start as usize;
        let text = self.source.get(base..last.span.end as usize)?;
        match pest_grammar::read(unit.rule(), text) {
            Ok(pairs) => match build(Builder::new(base, self.diagnostics), pairs) {
                Some(built) => return Some(built),
                None => self.report(limit(first.span.to(last.span), unit)),
            },
            Err(Failure::Limit) => self.report(limit(first.span.to(last.span), unit)),
            Err(Failure::Unexpected { offset, expected }) => {
                let site = Site::new(unit, self.source, tokens, base + offset, &expected);
                self.report(errors::diagnose(&site));
                return repair(&site, self.diagnostics);
            }
        }
        None
    }

    fn has_bad(&self, start: usize, end: usize) -> bool {
        self.tokens[start..end].iter().any(|token| token.kind == Kind::Bad)
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }
}

fn limit(span: Span, unit: Unit) -> Diagnostic {
    Diagnostic::new(
        Code::Syntax,
        span,
        format!("this {} is too complicated to read", unit.word()),
        "gave up here",
    )
}
