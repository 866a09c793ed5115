//! The tokens of a correct text as the grammar reads them: the scanner cannot tell a sign from a binary operator.

use map_diagnostics::Span;

use crate::sketch::token::{Kind, Token};

/// Corrects the tokens of a text without errors: `-2` after an operand is two tokens, and `<-2` is `<` and `-2`.
pub(super) fn of_correct(text: &str, tokens: Vec<Token>) -> Vec<Token> {
    let mut words: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut signed = false;
    for token in tokens {
        let Span { start, end } = token.span;
        let written = written(text, token);
        let symbol = |start, end| Token { kind: Kind::Symbol, span: Span::new(start, end), ..token };
        if signed {
            words.push(Token { span: Span::new(start - 1, end), ..token });
            signed = false;
        } else if written == "<-" {
            words.push(symbol(start, start + 1));
            signed = true;
        } else if token.kind == Kind::Integer
            && written.starts_with('-')
            && words.last().is_some_and(|&last| ends_operand(text, last))
            && !is_by(text, &words)
        {
            words.push(symbol(start, start + 1));
            words.push(Token { first_on_line: false, span: Span::new(start + 1, end), ..token });
        } else {
            words.push(token);
        }
    }
    words
}

fn ends_operand(text: &str, token: Token) -> bool {
    use Kind::{AgentName, Cell, CloseParen, Integer, Name, Role, Text, Variable};
    let begins_operand = ["in", "and", "not", "mod", "if", "else"];
    match token.kind {
        Variable | AgentName | Role | Cell | Integer | Text | CloseParen => true,
        Name => !begins_operand.contains(&written(text, token)),
        _ => false,
    }
}

/// Whether the last word is the `by` behind a range.
fn is_by(text: &str, words: &[Token]) -> bool {
    matches!(words, [.., bound, by] if bound.kind == Kind::Integer && written(text, *by) == "by")
}

fn written(text: &str, token: Token) -> &str {
    text.get(token.span.start as usize..token.span.end as usize).unwrap_or("")
}
