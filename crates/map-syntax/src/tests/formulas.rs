//! Correct properties: their grouping, spans and nesting.

use map_diagnostics::SourceFile;

use super::{codes, parse_text};
use crate::ast::{
    Atom, Domain, DomainKind, Event, Formula, FormulaKind, Over, Quantity, QuantityKind, RangeOver, Term,
    TermKind,
};
use crate::{MAX_NESTING, format, parse_formula};

const SCENE: &str = "\ns[ agent(!A, %r) = skip ]\n";

fn formula(text: &str) -> Formula {
    parse_formula(&SourceFile::new("test", text))
        .unwrap_or_else(|diagnostics| panic!("{text}: {diagnostics:?}"))
}

/// A formula, fully parenthesised to show its grouping.
fn shape(text: &str) -> String {
    show(&formula(text))
}

fn show(formula: &Formula) -> String {
    let chain =
        |word: &str, all: &[Formula]| format!("({})", all.iter().map(show).collect::<Vec<_>>().join(word));
    match &formula.kind {
        FormulaKind::Temporal(operator, operand) => format!("{}({})", operator.word(), show(operand)),
        FormulaKind::Possible(operand) => format!("possible({})", show(operand)),
        FormulaKind::Sequence(events) => format!("sequence{}", chain(";", events)),
        FormulaKind::Until(left, right) => format!("({} until {})", show(left), show(right)),
        FormulaKind::Unless(left, right) => format!("({} unless {})", show(left), show(right)),
        FormulaKind::Precedes(left, right) => format!("({} precedes {})", show(left), show(right)),
        FormulaKind::Before(operand) => format!("before({})", show(operand)),
        FormulaKind::LeadsTo(left, right) => format!("({} leadsto {})", show(left), show(right)),
        FormulaKind::Implies(all) => chain(" implies ", all),
        FormulaKind::And(all) => chain(" and ", all),
        FormulaKind::Or(all) => chain(" or ", all),
        FormulaKind::Not(denied) => format!("not({})", show(denied)),
        FormulaKind::Quantified(quantifier, range, body) => {
            format!("{} {}({})", quantifier.word(), range_over(range), show(body))
        }
        FormulaKind::Atom(it) => match it {
            Atom::Ended => "ended".to_owned(),
            Atom::Status(word, agent) => format!("{}({})", word.word(), term(agent)),
            Atom::In(agent, name) => format!("{}@{}", term(agent), name.text),
            Atom::Comparison(left, _, right) => format!("{}?{}", quantity(left), quantity(right)),
            Atom::Event(agent, event) => format!("{}.{}", term(agent), self::event(event)),
        },
    }
}

fn range_over(range: &RangeOver) -> String {
    let over = match &range.over {
        Over::Answers(procedure) => format!("{}()", procedure.text),
        Over::Domain(Domain { kind, .. }) => match kind {
            DomainKind::Role(role) => role.text.clone(),
            DomainKind::Range(first, last) => format!("{first}..{last}"),
            DomainKind::Values(values) => {
                format!("{{{}}}", values.iter().map(term).collect::<Vec<_>>().join(" "))
            }
        },
    };
    format!("{}:{over}", range.variable.text)
}

fn event(it: &Event) -> String {
    match it {
        Event::Sends(message, to) => {
            format!("sends {}/{} {}", message.performative.text, message.arguments.len(), term(to))
        }
        Event::Receives(message, from) => {
            format!("receives {}/{} {}", message.performative.text, message.arguments.len(), term(from))
        }
        Event::Asks(procedure) => format!("asks {}", procedure.text),
        Event::Answers(procedure, yes) => format!("answers {} {yes}", procedure.text),
        Event::TimesOut => "times out".to_owned(),
    }
}

fn quantity(it: &Quantity) -> String {
    match &it.kind {
        QuantityKind::Term(kind) => kind_of(kind),
        QuantityKind::Cell(agent, cell) => format!("{}.{}", term(agent), cell.text),
        QuantityKind::Mailbox(agent) => format!("|{}|", term(agent)),
        QuantityKind::Count(range, body) => {
            format!("#{}({})", range_over(range), show(body))
        }
        QuantityKind::Times(body) => format!("#({})", show(body)),
        QuantityKind::Cost(cost, payer) => {
            format!("{}/{}", cost.text, payer.as_ref().map_or(String::new(), term))
        }
        QuantityKind::Total(variable, body) => format!("+{}({})", variable.text, show(body)),
        QuantityKind::Moment(word, variable, body) => {
            format!("{}{}({})", word.word(), variable.text, show(body))
        }
        QuantityKind::Measure(name, agent) => {
            format!("{}:{}", name.text, agent.as_ref().map_or(String::new(), term))
        }
        QuantityKind::Sum(name) => format!("sum {}", name.text),
    }
}

fn term(it: &Term) -> String {
    kind_of(&it.kind)
}

fn kind_of(kind: &TermKind) -> String {
    match kind {
        TermKind::Agent(name) | TermKind::Name(name) => name.clone(),
        TermKind::Variable(name) => format!("${name}"),
        TermKind::Integer(number) => number.to_string(),
        TermKind::Wildcard => "_".to_owned(),
        other => format!("{other:?}"),
    }
}

#[test]
fn comparisons_bind_tightest_then_not_and_or_implies_then_until_and_leadsto() {
    assert_eq!(shape("not !A@x == 1 and ended"), "(not(A.x?1) and ended)");
    assert_eq!(shape("ended or ended and done(!A)"), "(ended or (ended and done(A)))");
    assert_eq!(
        shape("ended or ended implies ended and ended"),
        "((ended or ended) implies (ended and ended))"
    );
    assert_eq!(shape("ended implies ended implies ended"), "(ended implies ended implies ended)");
    assert_eq!(
        shape("ended implies ended until ended or ended"),
        "((ended implies ended) until (ended or ended))"
    );
    assert_eq!(shape("not ended leadsto not done(!A)"), "(not(ended) leadsto not(done(A)))");
}

#[test]
fn the_other_operators_reach_as_far_as_they_can() {
    assert_eq!(
        shape("always ended implies ended until ended"),
        "always(((ended implies ended) until ended))"
    );
    assert_eq!(shape("ended and never ended or ended"), "(ended and never((ended or ended)))");
    assert_eq!(shape("(ended and never ended) or ended"), "((ended and never(ended)) or ended)");
    assert_eq!(shape("not next ended and ended"), "not(next((ended and ended)))");
    assert_eq!(
        shape("forall $x in %r : exists $y in %r : $x == $y or ended"),
        "forall x:r(exists y:r(($x?$y or ended)))"
    );
    assert_eq!(shape("possible ended and ended"), "possible((ended and ended))");
    assert_eq!(shape("possible sequence ended or ended ; ended"), "sequence((ended or ended);ended)");
    assert_eq!(shape("count($x in %r : ended or ended) < 3"), "#x:r((ended or ended))?3");
}

#[test]
fn unless_precedes_and_before_bind_as_until_and_not_do() {
    assert_eq!(
        shape("ended implies ended unless ended or ended"),
        "((ended implies ended) unless (ended or ended))"
    );
    assert_eq!(shape("not ended precedes before ended"), "(not(ended) precedes before(ended))");
    assert_eq!(shape("before ended and ended"), "(before(ended) and ended)");
    assert_eq!(shape("before not !A@x == 1 or ended"), "(before(not(A.x?1)) or ended)");
    assert_eq!(shape("not before (ended or ended)"), "not(before((ended or ended)))");
    assert_eq!(shape("always ended unless ended"), "always((ended unless ended))");
    assert_eq!(shape("(ended unless ended) precedes ended"), "((ended unless ended) precedes ended)");
}

#[test]
fn variables_range_over_agents_and_values() {
    assert_eq!(shape("forall $p in 1..10 : ended"), "forall p:1..10(ended)");
    assert_eq!(shape("exists $p in -3 .. -1 : $p == 2"), "exists p:-3..-1($p?2)");
    assert_eq!(shape("forall $c in {red, 1, !A, always} : ended"), "forall c:{red 1 A always}(ended)");
    assert_eq!(shape("forall $p in price() : ended"), "forall p:price()(ended)");
    assert_eq!(shape("count($p in {1} : ended) == 1"), "#p:{1}(ended)?1");
    assert_eq!(shape("count($p in price() : ended) == 1"), "#p:price()(ended)?1");
}

#[test]
fn counts_and_totals_look_back() {
    assert_eq!(shape("count(!A asks p) <= 3"), "#(A.asks p)?3");
    assert_eq!(shape("count($x asks p or ended) <= 3"), "#(($x.asks p or ended))?3");
    assert_eq!(shape("count($x == 3) <= 3"), "#($x?3)?3");
    assert_eq!(shape("count($x in start) <= 3"), "#($x@start)?3");
    assert_eq!(shape("10 > total($c : _ sends m($c) to _ and $c > 0)"), "10?+c((_.sends m/1 _ and $c?0))");
}

#[test]
fn the_words_for_histories_are_constants_too() {
    assert_eq!(shape("!A@x == before and before == !A@x"), "(A.x?before and before?A.x)");
    assert_eq!(
        shape("unless == precedes unless precedes == total"),
        "(unless?precedes unless precedes?total)"
    );
    assert_eq!(shape("total != total"), "total?total");
    assert_eq!(shape("before before != before"), "before(before?before)");
    assert_eq!(
        shape("!A in before precedes !A sends total(unless) to _"),
        "(A@before precedes A.sends total/1 _)"
    );
    assert_eq!(
        shape("!A asks before and !A answers unless no"),
        "(A.asks before and A.answers unless false)"
    );
}

#[test]
fn events_say_who_does_what() {
    assert_eq!(shape("!A sends m(_, 3) to $x"), "A.sends m/2 $x");
    assert_eq!(shape("_ receives m() from !B"), "_.receives m/0 B");
    assert_eq!(shape("$x asks always"), "$x.asks always");
    assert_eq!(shape("!A answers no no"), "A.answers no false");
    assert_eq!(shape("!A answers p yes"), "A.answers p true");
    assert_eq!(shape("!A times out"), "A.times out");
    assert_eq!(shape("!A in count"), "A@count");
    assert_eq!(shape("!A sends done(ended, to) to !B"), "A.sends done/2 B");
}

#[test]
fn the_words_of_formulas_are_ordinary_names_elsewhere() {
    let text = "always[ agent(!A, %next, count) = ended(yes, no) => agent(_, sends) then $x = until(not) ]";
    assert_eq!(codes(text), Vec::<&str>::new());
}

#[test]
fn a_span_covers_the_text_without_outer_parentheses() {
    let text = "( (ended or done(!A)) until (not (ended)) )";
    let until = formula(text);
    let slice = |it: &Formula| text[it.span.start as usize..it.span.end as usize].to_owned();
    assert_eq!(slice(&until), "(ended or done(!A)) until (not (ended))");
    let FormulaKind::Until(left, right) = &until.kind else { panic!("until") };
    assert_eq!((slice(left), slice(right)), ("ended or done(!A)".to_owned(), "not (ended)".to_owned()));
}

#[test]
fn every_kind_of_nesting_has_the_same_limit() {
    let deep = |open: &str, close: &str, levels: usize| {
        format!("property p : {}ended{}{SCENE}", open.repeat(levels), close.repeat(levels))
    };
    let kinds = [
        ("(", ")"),
        ("not ", ""),
        ("always ", ""),
        ("ended and next ", ""),
        ("exists $x in %r : ", ""),
        ("possible ", ""),
        ("count($x in %r : ", ") == 1"),
        ("before ", ""),
        ("count(", ") == 1"),
        ("count($x in 1..2 : ", ") == 1"),
        ("total($c : ", ") == 1"),
        ("ended unless (", ")"),
        ("(", ") precedes ended"),
    ];
    for (open, close) in kinds {
        assert_eq!(codes(&deep(open, close, MAX_NESTING)), Vec::<&str>::new(), "{open}");
        for levels in [MAX_NESTING + 1, 10_000, 100_000] {
            assert_eq!(codes(&deep(open, close, levels)), ["MAP002"], "{open} {levels}");
        }
        let formula = format!("{}ended{}", open.repeat(100_000), close.repeat(100_000));
        let refused = parse_formula(&SourceFile::new("test", formula)).expect_err("too deep");
        assert_eq!(refused.len(), 1, "{open}");
    }
}

#[test]
fn chains_may_be_of_any_length() {
    for word in ["and", "or", "implies"] {
        let chain = vec!["not !A sends m(a) to _"; 20_000].join(&format!(" {word} "));
        assert_eq!(codes(&format!("property p : {chain}{SCENE}")), Vec::<&str>::new(), "{word}");
    }
}

#[test]
fn a_constant_opens_no_level() {
    let many = vec!["before"; MAX_NESTING + 1].join(", ");
    assert_eq!(codes(&format!("property p : !A sends m({many}) to _{SCENE}")), Vec::<&str>::new());
}

#[test]
fn formatting_keeps_the_grouping_and_changes_nothing_twice() {
    let formulas = [
        "always ended",
        "(always ended) and ended",
        "always (ended)",
        "not (not ended)",
        "not (!A == !B)",
        "(ended until ended) until ended",
        "ended until (ended leadsto ended)",
        "always (ended until ended)",
        "(ended implies ended) implies ended",
        "ended implies (ended implies ended)",
        "ended implies ended implies ended",
        "ended implies (always ended implies ended)",
        "(always ended) implies ended",
        "ended and (ended and ended) and (ended or ended)",
        "possible sequence (always ended) ; (possible sequence ended ; ended) ; ended",
        "possible (possible sequence ended ; ended)",
        "forall $x in %r : (exists $y in %r : $x@a == 3) and ended",
        "count($x in %r : (ended)) == count($y in %r : not (ended or ended))",
        "not ((ended))",
        "ended unless (ended precedes ended)",
        "(ended and ended) precedes (before ended)",
        "not before (not ended)",
        "before (before ended)",
        "before (!A@x == 3) and ended",
        "before not (ended or ended)",
        "(before ended) implies ended",
        "always (ended unless ended)",
        "forall $p in  1 .. 10:(exists $c in {red ,green}: forall $q in price( ):ended)",
        "count((ended))==total($c:((ended or ended)))",
        "count($p in -1 .. 1 : ended) == count($p in {a} : before ended)",
    ];
    for text in formulas {
        let file = |formula: &str| format!("property p : {formula}{SCENE}");
        let source = SourceFile::new("test", file(text));
        let once = format(&source).unwrap_or_else(|diagnostics| panic!("{text}: {diagnostics:?}"));
        let grouping =
            |file: &str| show(&parse_text(file).file.properties().next().expect("a property").formula);
        assert_eq!(grouping(&once), grouping(&file(text)), "{once}");
        assert_eq!(format(&SourceFile::new("test", once.as_str())).expect("correct"), once);
    }
}

#[test]
fn formatting_breaks_long_formulas() {
    let file = format!(
        "property p:always   forall $x in %r:$x sends accept(_) to !A implies eventually $x receives acknowledge(_,_) from !A or \
         $x times out // why\nproperty q:ended{SCENE}"
    );
    let formatted = format(&SourceFile::new("test", file)).expect("correct");
    let properties = formatted.split("\ns[").next().expect("the text before the scene");
    insta::assert_snapshot!(properties, @r"
    property p :
        always forall $x in %r :
            $x sends accept(_) to !A
                implies eventually $x receives acknowledge(_, _) from !A or $x times out // why
    property q : ended
    ");
}

#[test]
fn formatting_breaks_long_histories() {
    let file = format!(
        "property p:always count( $p in {{red,green , blue}}:before !Auctioneer sends announcement($p) to _)<=total($c:_ sends spend($c) to !Bank)\n\
         property q:forall $price in 1 .. 1000:!Seller sends propose($price,today) to _ precedes !Buyer sends accept($price) to _\n\
         property r:count( !A  asks p )<1 unless before ended{SCENE}"
    );
    let formatted = format(&SourceFile::new("test", file)).expect("correct");
    let properties = formatted.split("\ns[").next().expect("the text before the scene");
    insta::assert_snapshot!(properties, @r"
    property p :
        always count($p in {red, green, blue} : before !Auctioneer sends announcement($p) to _)
            <= total($c : _ sends spend($c) to !Bank)
    property q :
        forall $price in 1..1000 :
            !Seller sends propose($price, today) to _ precedes !Buyer sends accept($price) to _
    property r : count(!A asks p) < 1 unless before ended
    ");
}
