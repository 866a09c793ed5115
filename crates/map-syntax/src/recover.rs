//! Error recovery: parses the items and clauses of a sketch one by one, so that a mistake costs only the item or
//! operation that contains it.

use std::ops::Range;

use map_diagnostics::{Code, Diagnostic, Span};
use pest::iterators::Pairs;

use crate::ast::{Clause, Expression, File, Formula, Item, Name, Scene};
use crate::build::Builder;
use crate::errors;
use crate::pest_grammar::{self, Failure, Rule};
use crate::site::Site;
use crate::sketch::token::{Kind, Token};
use crate::sketch::{ItemKind, ItemSketch, Sketch, nesting, sketch, split};
use crate::unit::Unit;
use crate::{MAX_DIAGNOSTICS, misplaced, repair};

/// Parses the units of `source` that are correct, and what can be read of the others, about which it reports errors.
pub(crate) fn read(source: &str, sketch: &Sketch, diagnostics: &mut Vec<Diagnostic>) -> File {
    let mut reader = Reader { source, sketch, diagnostics, items: Vec::new() };
    for item in &sketch.items {
        if reader.diagnostics.len() >= MAX_DIAGNOSTICS {
            break;
        }
        reader.item(item);
    }
    File { items: reader.items }
}

/// Parses a text that is a single formula.
pub(crate) fn formula(source: &str) -> Result<Formula, Vec<Diagnostic>> {
    alone(source, Unit::Formula, ItemKind::Property, |mut builder, pairs| builder.formula_unit(pairs))
}

/// Parses a text that is a single expression as of a measure.
pub(crate) fn measured(source: &str) -> Result<Expression, Vec<Diagnostic>> {
    alone(source, Unit::Measured, ItemKind::Measure, |mut builder, pairs| builder.measured_unit(pairs))
}

/// Parses a text that is a single unit of this kind, none of those that files have, which nests as this kind of item.
fn alone<T>(
    source: &str,
    unit: Unit,
    like: ItemKind,
    build: impl FnOnce(Builder<'_>, Pairs<'_, Rule>) -> Option<T>,
) -> Result<T, Vec<Diagnostic>> {
    let sketch = sketch(source);
    let mut diagnostics = sketch.diagnostics.clone();
    if sketch.tokens.is_empty() && diagnostics.is_empty() {
        diagnostics.push(Diagnostic::unplaced(Code::Syntax, format!("the {} is empty", unit.word())));
    }
    let too_deep = nesting::in_item(source, like, &sketch.tokens);
    diagnostics.extend(too_deep.map(|too_deep| too_deep.diagnostic()));
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    let mut reader = Reader { source, sketch: &sketch, diagnostics: &mut diagnostics, items: Vec::new() };
    let built = reader.unit(unit, 0..sketch.tokens.len(), build, |_, _| None);
    built.filter(|_| diagnostics.is_empty()).ok_or(diagnostics)
}

struct Reader<'a> {
    source: &'a str,
    sketch: &'a Sketch,
    diagnostics: &'a mut Vec<Diagnostic>,
    items: Vec<Item>,
}

impl Reader<'_> {
    fn item(&mut self, item: &ItemSketch) {
        let unit = match item.kind {
            ItemKind::Scene => return self.scene(item),
            ItemKind::Other if self.sketch.has_bad(&item.tokens) => return,
            ItemKind::Other => return self.misplaced(item),
            ItemKind::Cast => Unit::Cast,
            ItemKind::Memory => Unit::Memory,
            ItemKind::Procedure => Unit::Declaration,
            ItemKind::Property => Unit::Property,
            ItemKind::Cost => Unit::Cost,
            ItemKind::Measure => Unit::Measure,
            ItemKind::Truth => Unit::Truth,
        };
        let tokens = &self.sketch.tokens[item.tokens.clone()];
        if let Some(too_deep) = nesting::in_item(self.source, item.kind, tokens) {
            return self.report(too_deep.diagnostic());
        }
        let build = |mut builder: Builder<'_>, pairs: Pairs<'_, Rule>| builder.item_unit(pairs);
        let item = self.unit(unit, item.tokens.clone(), build, |_, _| None);
        self.items.extend(item);
    }

    fn misplaced(&mut self, item: &ItemSketch) {
        let before_scene = split::starts_scene(&self.sketch.tokens, item.tokens.end);
        let tokens = &self.sketch.tokens[item.tokens.clone()];
        self.report(misplaced::outside_scenes(self.source, tokens, before_scene));
    }

    fn scene(&mut self, item: &ItemSketch) {
        let (first, opener) = (self.sketch.tokens[item.tokens.start], self.sketch.tokens[item.open]);
        let mut name = None;
        if opener.kind != Kind::OpenBracket {
            self.misplaced(item);
        } else if item.open == item.tokens.start {
            let text = "this scene has no name";
            let diagnostic = Diagnostic::new(Code::Syntax, opener.span, text, "expected a name before this");
            self.report(diagnostic.with_help("write `NAME [ .. ]`; the name is what `--scene NAME` picks"));
        } else {
            name = self.scene_name(first);
        }
        let last = self.sketch.tokens[item.tokens.end - 1];
        if !item.closed {
            self.unclosed(opener, last);
        } else if item.clauses.is_empty() {
            let span = opener.span.to(last.span);
            let diagnostic =
                Diagnostic::new(Code::Syntax, span, "a scene needs at least one clause", "empty");
            self.report(diagnostic.with_help("write a clause: `agent(!Name, %role) = ..`"));
        }
        let mut clauses = Vec::new();
        for tokens in &item.clauses {
            if self.diagnostics.len() >= MAX_DIAGNOSTICS {
                break;
            }
            clauses.extend(self.clause(tokens.clone()));
        }
        if let Some(name) = name {
            let span = name.span.to(last.span);
            self.items.push(Item::Scene(Scene { name, clauses, span }));
        }
    }

    fn scene_name(&mut self, token: Token) -> Option<Name> {
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

    fn unclosed(&mut self, opener: Token, last: Token) {
        // A missing or wrong opening bracket has been reported.
        if self.sketch.cut_short || last.kind == Kind::Bad || opener.kind != Kind::OpenBracket {
            return;
        }
        let diagnostic = if last.kind == Kind::CloseBrace {
            Diagnostic::new(Code::Syntax, last.span, "a scene ends with `]`, not with `}`", "expected `]`")
                .with_label(opener.span, "the scene opens here")
        } else {
            Diagnostic::new(
                Code::Syntax,
                opener.span,
                "this scene is never closed",
                "no `]` belongs to this bracket",
            )
            .with_label(Span::new(last.span.end, last.span.end), "expected `]` here")
        };
        self.report(diagnostic);
    }

    /// Parses what stands where a clause should.
    fn clause(&mut self, range: Range<usize>) -> Option<Clause> {
        let tokens = &self.sketch.tokens[range.clone()];
        let has_bad = self.sketch.has_bad(&range);
        if split::surely_starts_item(self.source, &self.sketch.tokens, range.start) {
            self.report(misplaced::item_in_scene(self.source, tokens));
        } else if tokens[0].kind != Kind::Agent {
            if !has_bad {
                self.report(misplaced::not_a_clause(self.source, tokens));
            }
        } else if let Some(too_deep) = nesting::in_clause(self.source, tokens) {
            self.report(too_deep.diagnostic());
        } else if has_bad {
            return repair::around_bad_tokens(self.source, tokens, self.diagnostics);
        } else {
            let build = |mut builder: Builder<'_>, pairs: Pairs<'_, Rule>| builder.clause_unit(pairs);
            return self.unit(Unit::Clause, range, build, repair::around_mistakes);
        }
        None
    }

    /// Parses the tokens in a range as a unit, from which `repair` takes what it can if there is a mistake in it. A
    /// unit with tokens that have been reported is skipped silently.
    fn unit<T>(
        &mut self,
        unit: Unit,
        range: Range<usize>,
        build: impl FnOnce(Builder<'_>, Pairs<'_, Rule>) -> Option<T>,
        repair: impl FnOnce(&Site<'_>, &mut Vec<Diagnostic>) -> Option<T>,
    ) -> Option<T> {
        let tokens = &self.sketch.tokens[range.clone()];
        let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else { return None };
        if self.sketch.has_bad(&range) {
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
