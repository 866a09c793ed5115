//! The limit on nesting, checked on tokens before any recursive code sees them. In a correct text the levels are those
//! of the grammar.

use map_diagnostics::{Code, Diagnostic, Span};

use super::ItemKind;
use super::token::{Kind, Token};
use crate::MAX_NESTING;

/// A construct that is open at a token.
#[derive(Clone, Copy, PartialEq)]
enum Open {
    /// `(` around an operation, an expression or a formula.
    Group,
    /// `(` around terms, which is no level: what nests among terms are expressions.
    Terms,
    /// `waitfor`, up to its `timeout`.
    Wait,
    /// `timeout`, up to the end of its unit.
    Timeout,
    /// `if`, up to its `then`.
    Condition,
    /// `then` of an expression, up to its `else`.
    Then,
    /// `else`, as far as possible.
    Else,
    /// `not` or `before`, up to the end of its operand.
    Not,
    /// A prefix operator of a formula that extends as far as possible.
    Reach,
    /// `sequence`, up to the end of its last event.
    Sequence,
}

/// Where something nests too deeply: the first token that opens a level beyond the limit.
pub(crate) struct TooDeep {
    span: Span,
    what: &'static str,
}

/// Looks at the tokens of a clause.
pub(crate) fn in_clause(source: &str, tokens: &[Token]) -> Option<TooDeep> {
    let mut open = Levels::default();
    let mut previous = None;
    for (index, token) in tokens.iter().enumerate() {
        let among_terms = open.innermost() == Some(Open::Terms);
        let opened = match token.kind {
            Kind::OpenParen if matches!(previous, Some(Kind::Agent | Kind::Name)) => {
                if !open.open.contains(&Open::Terms) {
                    let arguments = &tokens[index + 1..closing(tokens, index)];
                    let span = in_expressions(source, arguments, open.count, &[]);
                    if let Some(span) = span {
                        return Some(TooDeep { span, what: EXPRESSIONS });
                    }
                }
                Some(Open::Terms)
            }
            Kind::OpenParen if among_terms => Some(Open::Terms),
            Kind::OpenParen => Some(Open::Group),
            Kind::Waitfor => Some(Open::Wait),
            Kind::Timeout => {
                open.close_while(|innermost| innermost == Open::Timeout);
                let ends_wait = open.innermost() == Some(Open::Wait);
                if ends_wait {
                    open.close();
                }
                ends_wait.then_some(Open::Timeout)
            }
            Kind::Then | Kind::Or | Kind::Par => {
                open.close_while(|innermost| innermost == Open::Timeout);
                None
            }
            Kind::CloseParen => open.close_paren(),
            _ => None,
        };
        if open.opens_too_many(opened) {
            return Some(TooDeep { span: token.span, what: OPERATIONS });
        }
        previous = Some(token.kind);
    }
    None
}

/// Looks at the tokens of an item other than a scene, or of a formula that stands alone.
pub(crate) fn in_item(source: &str, kind: ItemKind, tokens: &[Token]) -> Option<TooDeep> {
    let (span, what) = match kind {
        ItemKind::Property => (in_formula(source, tokens), FORMULAS),
        ItemKind::Measure => (in_expressions(source, tokens, 0, &PREFIXES), EXPRESSIONS),
        _ => (in_expressions(source, tokens, 0, &[]), EXPRESSIONS),
    };
    span.map(|span| TooDeep { span, what })
}

/// The words of formulas that open a level, but for `not`; what a measure counts may contain them.
const PREFIXES: [&str; 8] =
    ["always", "eventually", "never", "next", "possible", "forall", "exists", "before"];

/// The first token too many in expressions that stand `levels` levels deep. Each of the words `reaching` opens a level
/// up to the end of the parentheses that it stands in.
fn in_expressions(source: &str, tokens: &[Token], levels: usize, reaching: &[&str]) -> Option<Span> {
    let mut open = Levels { count: levels, open: Vec::new() };
    for token in tokens {
        let opened = match (token.kind, token.text(source)) {
            (Kind::OpenParen, _) => Some(Open::Group),
            (Kind::Name, "if") => Some(Open::Condition),
            (Kind::Name, "not") => Some(Open::Not),
            (Kind::Name, word) if reaching.contains(&word) => Some(Open::Reach),
            (Kind::Then, _) => open.close_to(Open::Condition).then_some(Open::Then),
            (Kind::Name, "else") => open.close_to(Open::Then).then_some(Open::Else),
            (Kind::CloseParen, _) => {
                open.close_to(Open::Group);
                None
            }
            (Kind::Or, _) | (Kind::Name, "and") => {
                open.close_while(|innermost| innermost == Open::Not);
                None
            }
            (Kind::Comma, _) => {
                open.close_while(|innermost| innermost != Open::Group);
                None
            }
            // No expression continues after these.
            (Kind::Equals, _) | (Kind::Symbol, "|" | ":=") | (Kind::Name, "with") => {
                open.close_while(|_| true);
                None
            }
            _ => None,
        };
        if open.opens_too_many(opened) {
            return Some(token.span);
        }
    }
    None
}

/// The first token too many in a property or formula.
fn in_formula(source: &str, tokens: &[Token]) -> Option<Span> {
    let mut open = Levels::default();
    let (mut before, mut before_that) = ("", "");
    for token in tokens {
        let word = token.text(source);
        let named = matches!(before, "sends" | "receives" | "asks" | "answers");
        let opened = match (token.kind, word) {
            (Kind::OpenParen, _) => {
                let terms = matches!(before, "done" | "failed" | "waiting" | "mailbox")
                    || matches!(before_that, "sends" | "receives");
                Some(if terms { Open::Terms } else { Open::Group })
            }
            (Kind::Name, _) if open.innermost() == Some(Open::Terms) => None,
            (Kind::Name, "not" | "before") if !named => Some(Open::Not),
            (Kind::Name, "sequence") if before == "possible" => Some(Open::Sequence),
            (Kind::Name, "always" | "eventually" | "never" | "next" | "possible" | "forall" | "exists")
                if !named =>
            {
                Some(Open::Reach)
            }
            (Kind::CloseParen, _) => open.close_paren(),
            (Kind::Or, _) | (Kind::Name, "and" | "implies" | "until" | "unless" | "precedes" | "leadsto") => {
                open.close_while(|innermost| innermost == Open::Not);
                None
            }
            (Kind::Symbol, ";") => {
                open.close_while(|innermost| matches!(innermost, Open::Not | Open::Reach));
                None
            }
            _ => None,
        };
        if open.opens_too_many(opened) {
            return Some(token.span);
        }
        (before_that, before) = (before, word);
    }
    None
}

/// What is open at a token, outermost first.
#[derive(Default)]
struct Levels {
    open: Vec<Open>,
    /// The levels of nesting, with those around all that is looked at.
    count: usize,
}

impl Levels {
    fn innermost(&self) -> Option<Open> {
        self.open.last().copied()
    }

    /// Opens a construct, if any. Returns whether it is a level too many.
    fn opens_too_many(&mut self, opened: Option<Open>) -> bool {
        self.open.extend(opened);
        self.count += usize::from(opened.is_some_and(|opened| opened != Open::Terms));
        self.count > MAX_NESTING && opened.is_some()
    }

    fn close(&mut self) -> Option<Open> {
        let closed = self.open.pop();
        self.count -= usize::from(closed.is_some_and(|closed| closed != Open::Terms));
        closed
    }

    fn close_while(&mut self, closes: impl Fn(Open) -> bool) {
        while self.innermost().is_some_and(&closes) {
            self.close();
        }
    }

    /// Closes the innermost parenthesis and what is open inside it. Opens nothing.
    fn close_paren(&mut self) -> Option<Open> {
        self.close_while(|innermost| !matches!(innermost, Open::Group | Open::Terms));
        self.close();
        None
    }

    /// Closes the innermost `wanted` and everything inside it. Returns whether there is one within the current
    /// parentheses; if not, nothing is closed.
    fn close_to(&mut self, wanted: Open) -> bool {
        // An operand cannot extend beyond its parentheses.
        let found = self.open.iter().rposition(|&open| open == wanted || open == Open::Group);
        let Some(index) = found.filter(|&index| self.open[index] == wanted) else { return false };
        while self.open.len() > index {
            self.close();
        }
        true
    }
}

/// The index of the token that closes the parenthesis at `open`; the end if there is none.
fn closing(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0_usize;
    for (index, token) in tokens.iter().enumerate().skip(open) {
        match token.kind {
            Kind::OpenParen => depth += 1,
            Kind::CloseParen if depth == 1 => return index,
            Kind::CloseParen => depth -= 1,
            _ => {}
        }
    }
    tokens.len()
}

const OPERATIONS: &str = "operations";
const EXPRESSIONS: &str = "expressions";
const FORMULAS: &str = "formulas";

impl TooDeep {
    pub(crate) fn diagnostic(&self) -> Diagnostic {
        let text = format!("{} are nested more than {MAX_NESTING} levels deep", self.what);
        let diagnostic =
            Diagnostic::new(Code::NestingTooDeep, self.span, text, "this opens a level too many");
        match self.what {
            OPERATIONS => diagnostic
                .with_help("move an inner operation into a clause of its own and call that with `agent(..)`"),
            EXPRESSIONS => diagnostic
                .with_note(
                    "parentheses, `min`, `max`, `not` and `if` each open a level; a chain of operators opens none",
                )
                .with_help("write several alternatives, or several procedures, in place of one expression"),
            _ => diagnostic
                .with_note(
                    "parentheses, `count`, `total`, `not`, `before` and operators such as `always` each open a level",
                )
                .with_help("write several properties in place of one"),
        }
    }
}
