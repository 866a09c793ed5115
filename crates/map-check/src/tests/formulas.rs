//! What binds the variables of formulas, what looks back at what, and what variables range over; with snapshots of the
//! errors.

use super::assert_errors;
use super::rendered::shown;

const SCENE: &str = "
memory %seller { @stock = 9 }
procedure price() in 1..9
procedure colour() in {red, green}
procedure whom() in %buyer
procedure secret()
decision nothing() in 9..1
s[
  agent(!S, %seller) = $p = price() then propose($p, red) => agent(_, %buyer) then $x = secret() then agent(wait)
  agent(!S, %seller, wait) = waitfor accept(_) <= agent(_, %buyer)
  agent(!B, %buyer) = waitfor propose($p, $c) <= agent($s, %seller) then accept($p) => agent($s, %seller)
]";

fn finds(formula: &str, expected: &[&str]) {
    let expected: Vec<String> = expected.iter().map(|it| format!("{it}@1")).collect();
    let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    assert_errors(&format!("property p : {formula}{SCENE}"), &expected);
}

fn all_right(formulas: &[&str]) {
    for formula in formulas {
        finds(formula, &[]);
    }
}

#[test]
fn an_event_binds_to_the_right_of_it() {
    all_right(&[
        "always !B sends accept($p) to _ implies $p <= 6",
        "never (_ sends propose($p, _) to _ and $p > 9)",
        "never (_ sends propose($p, $p) to _)",
        "never _ sends propose($p, $c) to _ and $p > 3 and $c == red",
        "never _ sends propose($p, _) to _ and _ receives propose($p, $c) from _ and $c != $p",
        "always !B sends accept($p) to _ implies $p > 3 implies $p > 2",
        "always !B sends accept($p) to _ implies ($p < 3 or $p > 6) and not $p == 2",
        "always !B sends accept($p) to _ implies exists $q in 1..9 : $q == $p",
        "always !B sends accept($p) to _ implies count($x in %buyer : $x sends accept($p) to _) <= $p",
        "possible sequence !S sends propose($p, _) to _ and $p > 3 ; !B sends accept($q) to _ and $q > 3",
        "!S sends propose($p, _) to _ and $p > 3 leadsto !B sends accept($q) to _ and $q < 9",
    ]);
    finds("always $p <= 6 and !B sends accept($p) to _", &["MAP123 $p"]);
    finds("always !B sends accept($p) to _ implies $q <= 6", &["MAP123 $q"]);
}

#[test]
fn a_variable_is_not_visible_outside_of_its_scope() {
    finds("never (not !B sends accept($p) to _) and $p > 3", &["MAP127 $p"]);
    finds("never (!B sends accept($p) to _ or !S times out) and $p > 3", &["MAP127 $p"]);
    finds("never (!B sends accept($p) to _ implies $p < 3) and $p > 3", &["MAP127 $p"]);
    finds("never (exists $b in %buyer : $b sends accept($p) to _) and $p > 3", &["MAP127 $p"]);
    finds("never count($b in %buyer : $b sends accept($p) to _) == 1 and $p > 3", &["MAP127 $p"]);
    finds("never (before !B sends accept($p) to _) and $p > 3", &["MAP127 $p"]);
    finds("never count(!B sends accept($p) to _) == 1 and $p > 3", &["MAP127 $p"]);
    finds("never total($p : !B sends accept($p) to _) == 1 and $p > 3", &["MAP127 $p"]);
    all_right(&[
        "never (!B sends accept($p) to _ and $p > 3) or (!S sends propose($p, _) to _ and $p > 4)",
        "never (not !B sends accept($p) to _) and !S sends propose($p, _) to _ and $p > 3",
        "(always !B sends accept($p) to _ implies $p > 0) and always !S sends propose($p, _) to _ implies $p > 0",
    ]);
}

#[test]
fn a_variable_has_its_value_at_one_moment() {
    finds("!S sends propose($p, _) to _ leadsto !B sends accept($p) to _", &["MAP127 $p"]);
    finds("!S sends propose($p, _) to _ until !B sends accept($p) to _", &["MAP127 $p"]);
    finds("!S sends propose($p, _) to _ unless !B sends accept($p) to _", &["MAP127 $p"]);
    finds("always !B sends accept($p) to _ implies eventually $p > 3", &["MAP127 $p"]);
    finds("always !B sends accept($p) to _ implies next never !B sends accept($p) to _", &["MAP127 $p"]);
    finds("always !B sends accept($p) to _ implies always $p > 3", &["MAP127 $p"]);
    finds("!S sends propose($p, _) to _ and possible !B sends accept($p) to _", &["MAP127 $p"]);
    finds("possible sequence !S sends propose($p, _) to _ ; !B sends accept($p) to _", &["MAP127 $p"]);
    finds("(always !S sends propose($p, _) to _) and $p > 3", &["MAP127 $p"]);
    finds("always !B sends accept($p) to _ implies next before !S sends propose($p, _) to _", &["MAP127 $p"]);
    finds("(!S asks price precedes !B sends accept($p) to _) and $p > 3", &["MAP127 $p"]);
}

#[test]
fn a_value_is_no_agent() {
    finds("never _ sends accept($p) to _ and $p sends accept(_) to _", &["MAP128 $p"]);
    finds("never _ sends accept($p) to $p", &["MAP128 $p"]);
    finds("never _ sends accept($p) to _ and done($p)", &["MAP128 $p"]);
    finds("never _ sends accept($p) to _ and $p in wait", &["MAP128 $p"]);
    finds("never _ sends accept($p) to _ and $p@stock == 1", &["MAP128 $p"]);
    finds("never _ sends accept($p) to _ and mailbox($p) == 1", &["MAP128 $p"]);
    finds("(never _ sends accept($p) to _) and done($p)", &["MAP128 $p"]);
    finds("forall $p in {!S, !B} : eventually done($p)", &["MAP128 $p"]);
    finds("forall $p in 1..9 : never $p asks price", &["MAP128 $p"]);
    finds("forall $p in whom() : never _ sends accept(_) to $p", &["MAP128 $p"]);
    finds("never $p sends accept($p) to _", &["MAP123 $p"]);
    all_right(&["forall $b in %buyer : never $b sends accept($b) to $b and $b == !B"]);
}

#[test]
fn a_variable_is_bound_once() {
    finds("never _ sends accept($p) to _ and exists $p in 1..9 : $p == 3", &["MAP123 $p"]);
    finds("never _ sends accept($p) to _ and count($p in 1..9 : $p == 3) == 1", &["MAP123 $p"]);
    finds("forall $p in 1..9 : forall $p in price() : ended", &["MAP123 $p"]);
    finds("forall $p in 1..9 : total($p : _ sends accept($p) to _) == 1", &["MAP123 $p"]);
    finds("never _ sends accept($p) to _ and total($p : _ sends accept($p) to _) == 1", &["MAP123 $p"]);
}

#[test]
fn a_variable_like_that_of_a_quantifier_is_probably_a_slip() {
    finds("forall $price in 1..9 : never _ sends accept($prise) to _", &["MAP123 $prise"]);
    finds("forall $buyer in %buyer : eventually _ sends propose($buyr, _) to $buyer", &["MAP123 $buyr"]);
    all_right(&[
        "forall $price in 1..9 : never _ sends accept($prise) to _ and $prise > 9",
        "forall $price in 1..9 : never _ sends accept($other) to _",
        "forall $price in 1..9 : always total($prise : _ sends accept($prise) to _) <= 9",
    ]);
}

#[test]
fn before_looks_back_at_events() {
    all_right(&[
        "always !B sends accept($p) to _ implies before (!S sends propose($p, _) to _)",
        "always !B sends accept($p) to _ implies before (!S sends propose($p, $c) to _ and $c == red)",
        "never !S asks secret and not before !S asks price",
        "possible !B sends accept(_) to _ and before !S asks secret",
        "possible sequence !S asks price ; !S asks secret and before !B sends accept(_) to _",
        "always count($b in %buyer : before $b sends accept(_) to _) <= 1",
        "forall $p in price() : always before !B sends accept($p) to _ implies before !S sends propose($p, _) to _",
        "never before (forall $b in %buyer : not $b sends accept(_) to _ or !S asks price implies 1 == 2)",
        "always (before !S asks price) until ended",
    ]);
    for inside in ["ended", "done(!S)", "!S in wait", "!S@stock == 1", "mailbox(!S) > 0"] {
        let marked = inside.split(['=', '>']).next().unwrap_or(inside).trim_end();
        finds(&format!("never before ({inside})"), &[&format!("MAP124 {marked}")]);
    }
    for inside in [
        "always !S asks price",
        "!S asks price until !S asks secret",
        "!S asks price unless !S asks secret",
        "!S asks price precedes !S asks secret",
        "!S asks price leadsto !S asks secret",
        "before !S asks price",
        "possible !S asks price",
    ] {
        finds(&format!("never before ({inside})"), &[&format!("MAP124 {inside}")]);
    }
    finds("never before count(!S asks price) > 1", &["MAP124 count(!S asks price)"]);
    finds("never before (count($b in %buyer : ended) > 1)", &["MAP124 count($b in %buyer : ended)"]);
    finds(
        "never before (1 < total($p : _ sends accept($p) to _))",
        &["MAP124 total($p : _ sends accept($p) to _)"],
    );
    finds("possible sequence before !S asks price", &["MAP124 before !S asks price"]);
    finds("always !B sends accept($p) to _ implies before (!S asks price and $p > 3)", &["MAP127 $p"]);
}

#[test]
fn counts_and_totals_look_back_at_events() {
    all_right(&[
        "always count(!S asks price) <= 3",
        "always count(_ sends accept($p) to _ and $p > 3) <= count(!S asks price)",
        "always total($p : !B sends accept($p) to _) <= 10",
        "always total($p : !B sends accept($p) to _ and !B receives propose($p, $c) from _ and $c == red) <= 10",
        "forall $q in 1..9 : always total($p : !B sends accept($p) to _ and $p < $q) <= 10",
        "always !B sends accept($p) to _ implies count(!B sends accept(_) to _) <= $p",
        "always !B sends accept($p) to _ implies total($q : !B sends accept($q) to _) >= $p",
    ]);
    finds("always count(ended) <= 3", &["MAP124 ended"]);
    finds("always count(next !S asks price) <= 3", &["MAP124 next !S asks price"]);
    finds("always total($p : _ sends accept($p) to _ and ended) <= 3", &["MAP124 ended"]);
    finds("always !B sends accept($p) to _ implies count(!S sends propose($p, _) to _) == 1", &["MAP127 $p"]);
    finds("always !B sends accept($p) to _ implies count(!S asks price and $p > 1) == 1", &["MAP127 $p"]);
    finds("always total($q : !B sends accept($p) to _) <= 3", &["MAP123 $q"]);
    finds("always total($p : not !B sends accept($p) to _) <= 3", &["MAP123 $p"]);
    finds("always total($p : !B sends accept($p) to _ or !S asks price) <= 3", &["MAP123 $p"]);
    finds("always total($p : exists $b in %buyer : $b sends accept($p) to _) <= 3", &["MAP123 $p"]);
}

#[test]
fn unless_and_precedes_stand_where_until_may() {
    all_right(&[
        "!S asks price precedes !B sends accept(_) to _",
        "!S@stock > 3 precedes ended",
        "not ended unless done(!S)",
        "(always !S@stock > 3) unless eventually ended",
        "always (!S@stock > 3 unless !S asks price)",
        "possible (not !S asks price unless !B sends accept(_) to _)",
        "!S sends propose($p, _) to _ precedes !B sends accept($p) to _",
        "!S sends propose($p, $c) to _ and $c == red precedes !B sends accept($p) to _ and $p > 3",
        "!S sends propose($q, _) to _ precedes (not !B sends accept($q) to _)",
    ]);
    finds("count($b in %buyer : done($b) unless ended) == 1", &["MAP124 done($b) unless ended"]);
    finds("possible sequence (ended precedes !S asks price)", &["MAP124 ended precedes !S asks price"]);
    finds("(always ended) precedes !S asks price", &["MAP124 always ended"]);
    finds("ended precedes possible !S asks price", &["MAP124 possible !S asks price"]);
    finds(
        "(!S sends propose($p, _) to _ and !S@stock > 3) precedes !B sends accept($p) to _",
        &["MAP124 !S@stock"],
    );
    finds("(!S asks price and $p > 3) precedes !B sends accept($p) to _", &["MAP127 $p"]);
    finds("!S sends propose($p, _) to _ precedes (!B sends accept(_) to _ and $p > 3)", &["MAP123 $p"]);
}

#[test]
fn variables_range_over_values() {
    all_right(&[
        "forall $p in 1..9 : never !B sends accept($p) to _ and $p > 9",
        "forall $c in {red, green} : never !S sends propose(_, $c) to _ and $c == red",
        "forall $c in colour() : exists $p in price() : eventually !S sends propose($p, $c) to _",
        "always count($p in price() : before !B sends accept($p) to _) <= 1",
        "forall $b in whom() : never !B sends accept($b) to _ and $b == !B",
        "forall $p in 1..65536 : never !B sends accept($p) to _",
    ]);
    finds("forall $p in 9..1 : ended", &["MAP118 9..1"]);
    finds("count($p in 9..1 : ended) == 1", &["MAP118 9..1"]);
    finds("forall $p in 0..65536 : ended", &["MAP118 0..65536"]);
    finds("forall $p in nothing() : ended", &["MAP118 nothing"]);
    finds("forall $p in secret() : ended", &["MAP129 secret"]);
    finds("forall $p in prices() : ended", &["MAP129 prices"]);
    finds("forall $p in {%buyers, !Z} : ended", &["MAP104 %buyers", "MAP105 !Z"]);
}

#[test]
fn the_kinds_of_variables() {
    finds("forall $p in 1..9 : $p == red", &["MAP117 $p == red"]);
    finds("forall $p in price() : $p == !S", &["MAP117 $p == !S"]);
    finds("forall $c in {red, green} : $c < 3", &["MAP117 $c"]);
    finds("forall $c in colour() : $c == 3", &["MAP117 $c == 3"]);
    finds("forall $b in whom() : $b == 3", &["MAP117 $b == 3"]);
    finds("forall $b in %buyer : $b == 3", &["MAP117 $b == 3"]);
    finds("count(!S asks price) == red", &["MAP117 count(!S asks price) == red"]);
    finds(
        "total($p : _ sends accept($p) to _) == red",
        &["MAP117 total($p : _ sends accept($p) to _) == red"],
    );
    finds("never before (1 == 2 and !S == 3)", &["MAP117 !S == 3"]);
    finds("always count(_ sends accept($p) to _ and $p == 2 and red < 3) == 1", &["MAP117 red"]);
    all_right(&[
        "forall $c in {red, 3} : $c == 3 or $c == red",
        "never _ sends accept($p) to _ and ($p == 3 or $p == red or $p < 3)",
        "forall $p in 1..9 : $p < 10",
    ]);
}

fn sheet(formulas: &[&str]) -> String {
    let shown = |formula: &&str| shown("", &format!("property p :\n  {formula}{SCENE}"));
    formulas.iter().map(shown).collect::<Vec<_>>().join("\n")
}

#[test]
fn errors_about_unbound_variables() {
    insta::assert_snapshot!(
        "formula_map123",
        sheet(&[
            "always $p <= 6 and !B sends accept($p) to _",
            "always !B sends accept($price) to _ implies $prise <= 6",
            "always $p <= 6",
            "never $p sends accept($p) to _",
            "never _ sends accept($p) to _ and exists $p in 1..9 : $p == 3",
            "forall $price in 1..9 : never _ sends accept($prise) to _",
            "always total($q : !B sends accept($p) to _) <= 3",
            "always total($p : not !B sends accept($p) to _) <= 3",
            "always total($p : !B sends accept($p) to _ or !S asks price) <= 3",
        ])
    );
}

#[test]
fn errors_about_what_stands_where() {
    insta::assert_snapshot!(
        "formula_map124",
        sheet(&[
            "never before ended",
            "never before !S@stock == 1",
            "never before (always !S asks price)",
            "never before (before !S asks price)",
            "always count(mailbox(!S) > 3) <= 3",
            "always total($p : _ sends accept($p) to _ and ended) <= 3",
            "(always ended) precedes !S asks price",
            "(!S sends propose($p, _) to _ and !S@stock > 3) precedes !B sends accept($p) to _",
            "possible sequence before !S asks price",
        ])
    );
}

#[test]
fn errors_about_variables_out_of_reach() {
    insta::assert_snapshot!(
        "formula_map127",
        sheet(&[
            "!S sends propose($p, _) to _ leadsto !B sends accept($p) to _",
            "always !B sends accept($p) to _ implies eventually $p > 3",
            "possible sequence !S sends propose($p, _) to _ ; !B sends accept($p) to _",
            "never (before !B sends accept($p) to _) and $p > 3",
            "always !S sends propose($p, _) to _ and before !S sends propose($q, _) to _ implies $p <= $q",
            "never (not !B sends accept($p) to _) and $p > 3",
            "never (!B sends accept($p) to _ or !S times out) and $p > 3",
            "never (!B sends accept($p) to _ implies $p < 3) and $p > 3",
            "never (exists $b in %buyer : $b sends accept($p) to _) and $p > 3",
            "always !B sends accept($p) to _ implies before (!S asks price and $p > 3)",
            "always !B sends accept($p) to _ implies count(!S sends propose($p, _) to _) == 1",
        ])
    );
}

#[test]
fn errors_about_values_and_ranges() {
    insta::assert_snapshot!(
        "formula_ranges",
        sheet(&[
            "never _ sends accept($p) to _ and $p sends accept(_) to _",
            "forall $p in {!S, !B} : eventually done($p)",
            "forall $p in 9..1 : ended",
            "forall $p in 0..65536 : ended",
            "forall $p in nothing() : ended",
            "forall $p in secret() : ended",
            "forall $p in prices() : ended",
            "forall $p in cost() : ended",
            "forall $p in 1..9 : $p == red",
        ])
    );
}
