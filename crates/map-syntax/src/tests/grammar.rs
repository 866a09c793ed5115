//! Correct texts: the meaning of the grammar rules.

use map_diagnostics::SourceFile;

use super::{SAMPLE, codes, parse_text};
use crate::ast::{CastSubject, Clause, Item, Op, OpKind, Term, TermKind, Who};
use crate::parse;

/// The body of a clause, fully parenthesised to show its grouping.
fn shape(body: &str) -> String {
    let parsed = parse_text(&format!("s[ agent(!A, %r) = {body} ]"));
    assert!(parsed.diagnostics.is_empty(), "{body}: {:?}", parsed.diagnostics);
    let clause = parsed.file.scenes().next().and_then(|scene| scene.clauses.first()).expect("one clause");
    show(&clause.body)
}

pub(super) fn show(op: &Op) -> String {
    let chain = |word: &str, ops: &[Op]| format!("({})", ops.iter().map(show).collect::<Vec<_>>().join(word));
    match &op.kind {
        OpKind::Then(ops) => chain(" then ", ops),
        OpKind::Or(ops) => chain(" or ", ops),
        OpKind::Par(ops) => chain(" par ", ops),
        OpKind::Wait { body, timeout: None } => format!("wait[{}]", show(body)),
        OpKind::Wait { body, timeout: Some(timeout) } => {
            format!("wait[{} else {}]", show(body), show(timeout))
        }
        OpKind::Call { arguments } => match arguments.first().map(|term| &term.kind) {
            Some(TermKind::Name(name)) => name.to_uppercase(),
            _ => "call".to_owned(),
        },
        OpKind::Skip => "skip".to_owned(),
        OpKind::Fail => "fail".to_owned(),
        OpKind::Hole => "hole".to_owned(),
        OpKind::Ask { variable, procedure, arguments } => {
            let variable = variable.as_ref().map_or("_", |it| &it.text);
            format!("{variable}={}/{}", procedure.text, arguments.len())
        }
        OpKind::Send { message, to } => format!("{}=>{}", message.performative.text, term(&to.role)),
        OpKind::Receive { message, from } => format!("{}<={}", message.performative.text, term(&from.role)),
    }
}

fn term(term: &Term) -> String {
    format!("{:?}", term.kind)
}

fn clause(text: &str) -> Clause {
    let parsed = parse_text(text);
    assert!(parsed.diagnostics.is_empty(), "{text}: {:?}", parsed.diagnostics);
    parsed.file.scenes().next().expect("a scene").clauses[0].clone()
}

#[test]
fn then_binds_tighter_than_or_and_or_than_par() {
    assert_eq!(shape("agent(a) then agent(b) or agent(c)"), "((A then B) or C)");
    assert_eq!(shape("agent(a) or agent(b) then agent(c)"), "(A or (B then C))");
    assert_eq!(shape("agent(a) or agent(b) par agent(c)"), "((A or B) par C)");
    assert_eq!(shape("agent(a) par agent(b) or agent(c) then skip"), "(A par (B or (C then skip)))");
    assert_eq!(shape("agent(a) then (agent(b) or agent(c)) then fail"), "(A then (B or C) then fail)");
}

#[test]
fn chains_are_lists_and_parentheses_leave_no_trace() {
    assert_eq!(shape("agent(a) then agent(b) then agent(c)"), "(A then B then C)");
    assert_eq!(shape("((agent(a)))"), "A");
    assert_eq!(shape("agent(a) then (agent(b) then agent(c))"), "(A then (B then C))");
}

#[test]
fn waitfor_reaches_to_its_timeout_or_as_far_as_it_can() {
    assert_eq!(
        shape("waitfor agent(a) or agent(b) then agent(c) par skip"),
        "wait[((A or (B then C)) par skip)]"
    );
    assert_eq!(shape("waitfor agent(a) or agent(b) timeout agent(c)"), "wait[(A or B) else C]");
    assert_eq!(shape("(waitfor agent(a)) or agent(b)"), "(wait[A] or B)");
    assert_eq!(shape("agent(a) then waitfor agent(b) or agent(c)"), "(A then wait[(B or C)])");
}

#[test]
fn the_timeout_operation_is_one_unit() {
    assert_eq!(shape("waitfor agent(a) timeout agent(b) then agent(c)"), "(wait[A else B] then C)");
    assert_eq!(shape("waitfor agent(a) timeout agent(b) or agent(c)"), "(wait[A else B] or C)");
    assert_eq!(shape("waitfor agent(a) timeout (agent(b) then agent(c))"), "wait[A else (B then C)]");
    assert_eq!(
        shape("waitfor agent(a) timeout waitfor agent(b) then agent(c)"),
        "wait[A else wait[(B then C)]]"
    );
}

#[test]
fn the_innermost_open_waitfor_takes_the_timeout() {
    assert_eq!(shape("waitfor waitfor agent(a) timeout agent(b)"), "wait[wait[A else B]]");
    assert_eq!(
        shape("waitfor waitfor agent(a) timeout agent(b) timeout agent(c)"),
        "wait[wait[A else B] else C]"
    );
    assert_eq!(shape("waitfor (waitfor agent(a)) timeout agent(b)"), "wait[wait[A] else B]");
    assert_eq!(
        shape("waitfor agent(a) then waitfor agent(b) timeout agent(c) then skip timeout fail"),
        "wait[(A then wait[B else C] then skip) else fail]"
    );
}

#[test]
fn actions() {
    assert_eq!(shape("skip then ε then fail"), "(skip then skip then fail)");
    assert_eq!(shape("εthen ε"), "(skip then skip)");
    assert_eq!(shape("$x = p() then $y=q($x,1)"), "(x=p/0 then y=q/2)");
    assert_eq!(shape("m()=>agent(_,%b)"), "m=>Role(\"b\")");
    assert_eq!(shape("m($x) <= agent($a, $r)"), "m<=Variable(\"r\")");
    assert_eq!(shape("agent()"), "call");
}

#[test]
fn keywords_end_where_names_end() {
    assert_eq!(
        shape("then1() => agent(agentx, or_) then skipper() <= agent(_, _)"),
        "(then1=>Name(\"or_\") then skipper<=Wildcard)"
    );
    assert_eq!(shape("waitforx() => agent(_, _)"), "waitforx=>Wildcard");
    assert_eq!(shape("waitfor(skip)timeout(fail)"), "wait[skip else fail]");
    assert_eq!(codes("s[ agent(!A, %r) = skipthen fail ]"), ["MAP001"]);
    assert_eq!(codes("s[ agent(!A, %r) = agent(then) ]"), ["MAP001"]);
}

#[test]
fn words_with_sigils_are_never_reserved() {
    let clause = clause("s[ agent($agent, %then, !or) = skip ]");
    assert!(matches!(&clause.who, Who::Variable(name) if name.text == "agent"));
    assert_eq!(clause.role.text, "then");
    assert_eq!(clause.parameters[0].kind, TermKind::Agent("or".to_owned()));
}

#[test]
fn item_words_are_names_elsewhere() {
    let steps = "cast(memory) => agent(procedure, decision) then property() <= agent(_, memory)";
    assert_eq!(shape(steps), r#"(cast=>Name("decision") then property<=Name("memory"))"#);
    let parsed = parse_text(
        "cast[ agent(!A, %a) = skip ] memory[ agent(!A, %a) = skip ] cast %a = 1 cast !A = 2 property [ agent(!A, %a) = skip ]",
    );
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    let names: Vec<&str> = parsed.file.scenes().map(|scene| scene.name.text.as_str()).collect();
    assert_eq!(names, ["cast", "memory", "property"]);
    assert_eq!(parsed.file.casts().count(), 2);
}

#[test]
fn terms() {
    let clause = clause(r#"s[ agent(!A, %r, $v, !N, %r, name, -12, "a\"\\\n\t\u{e9}b", _) = skip ]"#);
    let kinds: Vec<TermKind> = clause.parameters.into_iter().map(|term| term.kind).collect();
    assert_eq!(
        kinds,
        [
            TermKind::Variable("v".to_owned()),
            TermKind::Agent("N".to_owned()),
            TermKind::Role("r".to_owned()),
            TermKind::Name("name".to_owned()),
            TermKind::Integer(-12),
            TermKind::Text("a\"\\\n\téb".to_owned()),
            TermKind::Wildcard,
        ]
    );
}

#[test]
fn integers_reach_to_64_bits() {
    let clause = clause("s[ agent(!A, %r, 9223372036854775807, -9223372036854775808, 007, -0) = skip ]");
    let values: Vec<TermKind> = clause.parameters.into_iter().map(|term| term.kind).collect();
    assert_eq!(values, [i64::MAX, i64::MIN, 7, 0].map(TermKind::Integer));
    assert_eq!(codes("s[ agent(!A, %r, 9223372036854775808) = skip ]"), ["MAP006"]);
    assert_eq!(codes("cast %r = 99999999999999999999 s[ agent(!A, %r) = skip ]"), ["MAP006"]);
}

#[test]
fn casts_and_declarations() {
    let parsed =
        parse_text("cast %r = -3 cast !A=2 procedure p() decision d($a,$b) s[ agent(!A, %r) = skip ]");
    assert!(parsed.diagnostics.is_empty());
    let casts: Vec<_> = parsed.file.casts().collect();
    assert!(matches!(&casts[0].subject, CastSubject::Role(name) if name.text == "r"));
    assert!(matches!(&casts[1].subject, CastSubject::Agent(name) if name.text == "A"));
    assert_eq!((casts[0].count, casts[1].count), (-3, 2));
    let procedures: Vec<_> = parsed.file.procedures().collect();
    assert_eq!((procedures[0].may_refuse, procedures[1].may_refuse), (false, true));
    assert_eq!(procedures[1].parameters.len(), 2);
}

#[test]
fn white_space_and_comments_mean_nothing() {
    let plain = parse_text("s[agent(!A,%r)=skip then fail]");
    let spread = "\u{feff}// a\r\ns\r\n[\tagent/**/(!A,//x\n%r)= skip/* then \" */then fail // end\r\n]//";
    let parsed = parse_text(spread);
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    let bodies =
        |parsed: &crate::ParsedFile| show(&parsed.file.scenes().next().expect("a scene").clauses[0].body);
    assert_eq!(bodies(&plain), bodies(&parsed));
    assert_eq!(codes("s[ agent(!A, %r) = agent(\"// no comment /* \") ]"), [""; 0]);
}

#[test]
fn spans_lie_tightly_in_the_whole_source() {
    let text = "// é\ns[ agent(!A, %r) = (waitfor (m($x) <= agent($a, %b)) timeout ( skip ) /* c */ ) then\n fail\n ]  ";
    let source = SourceFile::new("test.map", text);
    let parsed = parse(&source);
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    let Item::Scene(scene) = &parsed.file.items[0] else { panic!("a scene") };
    assert!(source.slice(scene.span).starts_with("s[") && source.slice(scene.span).ends_with(']'));
    assert_eq!(source.slice(scene.name.span), "s");
    let clause = &scene.clauses[0];
    assert_eq!(source.slice(clause.head_span), "agent(!A, %r)");
    assert!(source.slice(clause.span).ends_with("then\n fail"));
    assert_eq!(source.slice(clause.role.span), "%r");
    let OpKind::Then(steps) = &clause.body.kind else { panic!("a chain") };
    assert!(source.slice(clause.body.span).starts_with("(waitfor"));
    assert_eq!(source.slice(steps[0].span), "waitfor (m($x) <= agent($a, %b)) timeout ( skip )");
    let OpKind::Wait { body, timeout: Some(timeout) } = &steps[0].kind else { panic!("a wait") };
    assert_eq!(source.slice(body.span), "m($x) <= agent($a, %b)");
    assert_eq!(source.slice(timeout.span), "skip");
    let OpKind::Receive { message, from } = &body.kind else { panic!("a receive") };
    assert_eq!((source.slice(message.span), source.slice(from.span)), ("m($x)", "agent($a, %b)"));
}

#[test]
fn the_sample_is_correct() {
    let parsed = parse_text(SAMPLE);
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    assert_eq!(parsed.file.items.len(), 6);
}
