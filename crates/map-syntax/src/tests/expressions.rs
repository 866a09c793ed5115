//! Correct expressions: their grouping and spans.

use map_diagnostics::SourceFile;

use super::{codes, parse_text};
use crate::ast::{Answer, ArithmeticOperator, Body, Expression, ExpressionKind, TermKind};
use crate::parse;

const SCENE: &str = "\ns[ agent(!A, %r) = skip ]";

/// The answer of a procedure, fully parenthesised to show its grouping.
fn shape(expression: &str) -> String {
    let parsed = parse_text(&format!("procedure p() = {expression}{SCENE}"));
    assert!(parsed.diagnostics.is_empty(), "{expression}: {:?}", parsed.diagnostics);
    let Some(Body::Alternatives(all)) = parsed.file.procedures().next().and_then(|it| it.body.clone()) else {
        panic!("alternatives")
    };
    let [only] = all.as_slice() else { panic!("one alternative") };
    let Answer::Value(value) = &only.answer else { panic!("an expression") };
    show(value)
}

fn show(expression: &Expression) -> String {
    let chain =
        |word: &str, all: &[Expression]| format!("({})", all.iter().map(show).collect::<Vec<_>>().join(word));
    match &expression.kind {
        ExpressionKind::Constant(TermKind::Integer(value)) => value.to_string(),
        ExpressionKind::Constant(TermKind::Name(name)) => name.clone(),
        ExpressionKind::Constant(TermKind::Agent(name)) => format!("!{name}"),
        ExpressionKind::Constant(TermKind::Role(name)) => format!("%{name}"),
        ExpressionKind::Constant(other) => format!("{other:?}"),
        ExpressionKind::Parameter(name) => format!("${name}"),
        ExpressionKind::Cell(name) => format!("@{name}"),
        ExpressionKind::Own => "self".to_owned(),
        ExpressionKind::Reading(_) | ExpressionKind::Holds(_) => unreachable!("in measures only"),
        ExpressionKind::Arithmetic { first, rest } => {
            let rest: String = rest
                .iter()
                .map(|(operator, operand)| format!("{}{}", sign(*operator), show(operand)))
                .collect();
            format!("({}{rest})", show(first))
        }
        ExpressionKind::Comparison { left, operator, right } => {
            format!("({}{}{})", show(left), operator.sign(), show(right))
        }
        ExpressionKind::And(all) => chain(" and ", all),
        ExpressionKind::Or(all) => chain(" or ", all),
        ExpressionKind::Not(inner) => format!("!({})", show(inner)),
        ExpressionKind::Min(a, b) => format!("min({},{})", show(a), show(b)),
        ExpressionKind::Max(a, b) => format!("max({},{})", show(a), show(b)),
        ExpressionKind::If { condition, then, otherwise } => {
            format!("[{} ? {} : {}]", show(condition), show(then), show(otherwise))
        }
    }
}

fn sign(operator: ArithmeticOperator) -> char {
    match operator {
        ArithmeticOperator::Add => '+',
        ArithmeticOperator::Subtract => '-',
        ArithmeticOperator::Multiply => '*',
        ArithmeticOperator::Divide => '/',
        ArithmeticOperator::Remainder => '%',
    }
}

#[test]
fn products_bind_tighter_than_sums() {
    assert_eq!(shape("1 + 2 * 3 - 4"), "(1+(2*3)-4)");
    assert_eq!(shape("1 * 2 / 3 mod 4 + 5"), "((1*2/3%4)+5)");
    assert_eq!(shape("(1 + 2) * 3"), "((1+2)*3)");
    assert_eq!(shape("1 - (2 - 3)"), "(1-(2-3))");
    assert_eq!(shape("((1))"), "1");
}

#[test]
fn comparisons_bind_tightest_then_not_and_or() {
    assert_eq!(shape("1 + 2 < 3 * 4"), "((1+2)<(3*4))");
    assert_eq!(shape("not $a == 1 and $b != 2 or $c <= 3"), "((!(($a==1)) and ($b!=2)) or ($c<=3))");
    assert_eq!(shape("1 < 2 or 3 > 4 and 5 >= 6"), "((1<2) or ((3>4) and (5>=6)))");
    assert_eq!(shape("not (1 < 2 or 3 < 4)"), "!(((1<2) or (3<4)))");
    assert_eq!(shape("not not 1 < 2"), "!(!((1<2)))");
    assert_eq!(shape("1<2 and 1<2 and 1<2"), "((1<2) and (1<2) and (1<2))");
    assert_eq!(shape("(1 < 2) == (3 < 4)"), "((1<2)==(3<4))");
}

#[test]
fn if_reaches_as_far_as_it_can() {
    assert_eq!(shape("if $a == 1 then 2 else 3 + 4"), "[($a==1) ? 2 : (3+4)]");
    assert_eq!(shape("1 + if 1 < 2 then 3 else 4 + 5"), "(1+[(1<2) ? 3 : (4+5)])");
    assert_eq!(shape("(if 1 < 2 then 3 else 4) + 5"), "([(1<2) ? 3 : 4]+5)");
    assert_eq!(
        shape("if 1 < 2 then if 3 < 4 then a else b else if 5 < 6 then c else d"),
        "[(1<2) ? [(3<4) ? a : b] : [(5<6) ? c : d]]"
    );
    assert_eq!(shape("if if 1 < 2 then 1 < 2 else 2 < 3 then a else b"), "[[(1<2) ? (1<2) : (2<3)] ? a : b]");
}

#[test]
fn a_minus_is_a_sign_only_where_an_operand_is_expected() {
    assert_eq!(shape("-1"), "-1");
    assert_eq!(shape("$x -1"), "($x-1)");
    assert_eq!(shape("$x-1"), "($x-1)");
    assert_eq!(shape("$x - -1"), "($x--1)");
    assert_eq!(shape("$x--1"), "($x--1)");
    assert_eq!(shape("2-1-1"), "(2-1-1)");
    assert_eq!(shape("3 mod -2"), "(3%-2)");
    assert_eq!(shape("(-3)*-2"), "(-3*-2)");
    assert_eq!(shape("$x<-1"), "($x<-1)");
    assert_eq!(shape("min(-1,$x-1)"), "min(-1,($x-1))");
    assert_eq!(codes(&format!("procedure p($x) = - 1{SCENE}")), ["MAP001"]);
    assert_eq!(codes(&format!("procedure p($x) = -$x{SCENE}")), ["MAP001"]);
}

#[test]
fn operands() {
    assert_eq!(shape("self"), "self");
    assert_eq!(shape("@cell"), "@cell");
    assert_eq!(shape("!Ann"), "!Ann");
    assert_eq!(shape("%role"), "%role");
    assert_eq!(shape(r#""a\n""#), r#"Text("a\n")"#);
    assert_eq!(shape("max(1, min(2, 3))"), "max(1,min(2,3))");
    assert_eq!(shape("selfish + modest + ink + iffy"), "(selfish+modest+ink+iffy)");
    assert_eq!(shape("cast == memory"), "(cast==memory)");
    assert_eq!(shape("2*/* it's \" */3"), "(2*3)");
}

#[test]
fn words_of_bodies_are_reserved_in_bodies_only() {
    for word in ["in", "fresh", "with", "and", "not", "mod", "min", "max", "if", "else", "self"] {
        if word != "self" {
            assert_eq!(codes(&format!("procedure p() = {word}{SCENE}")), ["MAP001"], "{word}");
            assert_eq!(codes(&format!("memory %r {{ @c = {word} }}{SCENE}")), ["MAP001"], "{word}");
        }
        assert_eq!(codes(&format!("procedure p() in {{ {word} }}{SCENE}")), ["MAP001"], "{word}");
        assert_eq!(
            codes(&format!(
                "procedure {word}() {word}[ agent(!A, %r) = {word}({word}) => agent({word}, %r) ]"
            )),
            [""; 0]
        );
        assert_eq!(codes(&format!("procedure p() = 1 {word}[ agent(!A, %r) = $x = {word}() ]")), [""; 0]);
    }
}

#[test]
fn spans_leave_out_the_expressions_own_parentheses() {
    let text =
        format!("procedure p() | ( $a < (1) ) = ( ( $b ) + (2) ) * 3 with @c := (4) , @d := (5 )  {SCENE}");
    let source = SourceFile::new("test.map", text);
    let parsed = parse(&source);
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    let procedure = parsed.file.procedures().next().expect("a procedure");
    assert!(source.slice(procedure.span).ends_with("@d := (5 )"));
    let Some(Body::Alternatives(all)) = &procedure.body else { panic!("alternatives") };
    assert!(source.slice(all[0].span).starts_with("| ("));
    assert!(source.slice(all[0].span).ends_with("@d := (5 )"));
    let Some(guard) = &all[0].guard else { panic!("a guard") };
    assert_eq!(source.slice(guard.span), "$a < (1)");
    let Answer::Value(value) = &all[0].answer else { panic!("a value") };
    assert_eq!(source.slice(value.span), "( ( $b ) + (2) ) * 3");
    let ExpressionKind::Arithmetic { first, .. } = &value.kind else { panic!("arithmetic") };
    assert_eq!(source.slice(first.span), "( $b ) + (2)");
    assert_eq!(source.slice(all[0].updates[0].span), "@c := (4)");
    assert_eq!(source.slice(all[0].updates[1].value.span), "5");
}

#[test]
fn long_chains_are_flat() {
    let n = 200_000;
    for (operand, operator) in [("1", "+"), ("$x", " mod "), ("1<2", " and "), ("1<2", " or ")] {
        let text = vec![operand; n].join(operator);
        let parsed = parse_text(&format!("procedure p($x) = {text}{SCENE}"));
        assert!(parsed.diagnostics.is_empty());
    }
    let alternatives = "| $x == 1 = 2 with @c := 3\n".repeat(n / 10);
    assert_eq!(codes(&format!("decision p($x) {alternatives}{SCENE}")), [""; 0]);
}
