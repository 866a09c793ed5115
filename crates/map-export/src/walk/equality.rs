//! Comparison of terms.

use map_ir::Value;

use super::Walker;
use crate::kinds::Kinds;
use crate::promela::Expr;
use crate::term::Term;

/// The conditions under which a comparison certainly holds, and under which it may hold.
#[derive(Clone, Debug)]
pub(crate) struct Equality {
    pub(crate) must: Expr,
    pub(crate) may: Expr,
}

impl Equality {
    pub(crate) fn certain(condition: Expr) -> Self {
        Self { must: condition.clone(), may: condition }
    }

    /// Whether one of several comparisons holds.
    pub(crate) fn any(parts: Vec<Self>) -> Self {
        let (must, may): (Vec<Expr>, Vec<Expr>) = parts.into_iter().map(|it| (it.must, it.may)).unzip();
        Self { must: Expr::or(must), may: Expr::or(may) }
    }

    /// The conjunction of comparisons, which has a single outcome even if several are open.
    pub(crate) fn all(parts: Vec<Self>) -> Self {
        let (must, may): (Vec<Expr>, Vec<Expr>) = parts.into_iter().map(|it| (it.must, it.may)).unzip();
        Self { must: Expr::and(must), may: Expr::and(may) }
    }

    pub(crate) fn is_open(&self) -> bool {
        self.must != self.may
    }
}

impl Walker<'_> {
    /// The expression for a term.
    pub(crate) fn expr(&self, term: &Term) -> Expr {
        match term {
            Term::Constant(value) => self.layout.constant(*value),
            Term::Own => Expr::name("self"),
            Term::Content(holder) => self.holder_expr(*holder),
            Term::Abstract(_) => Expr::name("abstract"),
            Term::Fresh(_) => Expr::name("fresh"),
            Term::Result(operator, left, right) => {
                Expr::binary((*operator).into(), self.expr(left), self.expr(right))
            }
        }
    }

    /// The condition that a term is abstract.
    pub(crate) fn is_abstract(&self, term: &Term) -> Expr {
        let kinds = self.kinds(term);
        if !kinds.has(Kinds::ABSTRACT) {
            return Expr::False;
        }
        if kinds == Kinds::ABSTRACT {
            return Expr::True;
        }
        if self.layout.symbols {
            Expr::Macro("is_abstract".to_owned(), vec![self.expr(term)])
        } else {
            Expr::equal(self.expr(term), Expr::name("abstract"))
        }
    }

    /// The comparison of two terms; abstract values leave it open.
    pub(crate) fn equality(&mut self, left: &Term, right: &Term) -> Equality {
        if left == right {
            return Equality::certain(Expr::True);
        }
        if matches!(left, Term::Abstract(_)) || matches!(right, Term::Abstract(_)) {
            return Equality { must: Expr::False, may: Expr::True };
        }
        let may_be_abstract = Expr::or([self.is_abstract(left), self.is_abstract(right)]);
        if matches!(left, Term::Fresh(_)) || matches!(right, Term::Fresh(_)) {
            return Equality { must: Expr::False, may: may_be_abstract };
        }
        let same = self.identical(left, right);
        Equality { may: Expr::or([same.clone(), may_be_abstract]), must: same }
    }

    /// The condition that two terms are the same constant or the same abstract or fresh value.
    pub(crate) fn identical(&mut self, left: &Term, right: &Term) -> Expr {
        if left == right {
            return Expr::True;
        }
        if let (Term::Constant(left), Term::Constant(right)) = (left, right) {
            return if left == right { Expr::True } else { Expr::False };
        }
        if let (Term::Own, Term::Constant(value)) | (Term::Constant(value), Term::Own) = (left, right) {
            match value {
                Value::Agent(agent) if self.agents == [*agent] => return Expr::True,
                Value::Agent(agent) if self.agents.contains(agent) => {}
                _ => return Expr::False,
            }
        }
        let (kinds, others) = (self.kinds(left), self.kinds(right));
        let both = |kind: Kinds| kinds.has(kind) && others.has(kind);
        if both(Kinds::ABSTRACT) || both(Kinds::FRESH) {
            self.needs_symbols |= !self.layout.symbols;
        } else if !both(Kinds::INTEGER) && !both(Kinds::ATOM) {
            return Expr::False;
        }
        Expr::equal(self.expr(left), self.expr(right))
    }

    /// Whether all pairs are equal, such as the values of variables before and after a move.
    pub(super) fn all_equal<'t>(&mut self, pairs: impl Iterator<Item = (&'t Term, &'t Term)>) -> Equality {
        Equality::all(pairs.map(|(one, other)| self.equality(one, other)).collect())
    }
}
