//! Entry clauses and procedures.

use super::{assert_errors, with_checked};

#[test]
fn a_part_has_one_entry_clause() {
    assert_errors("s[ agent(!A, %a) = agent(1)\n agent(!A, %a, 1) = skip ]", &[]);
    assert_errors("s[ agent(!A, %a, 1) = skip\n agent(!A, %a, 2) = skip ]", &["MAP201 agent(!A, %a, 1)@1"]);
    assert_errors(
        "s[ agent(!A, %a) = skip\n agent(!A, %a) = skip\n agent(!A, %a) = skip ]",
        &["MAP202 agent(!A, %a)@2", "MAP202 agent(!A, %a)@3"],
    );
}

#[test]
fn all_variables_are_one_who_and_each_name_another() {
    with_checked("", "s[ agent($x, %a) = agent(1)\n agent($y, %a, 1) = skip ]", |checked| {
        assert_eq!(checked.parts.len(), 1);
        assert_eq!(checked.parts[0].clauses, [0, 1]);
    });
    assert_errors(
        "s[ agent($x, %a) = skip\n agent(!A, %a, 1) = skip ]",
        &["MAP201 agent(!A, %a, 1)@2", "MAP107 !A@2"],
    );
}

#[test]
fn the_entry_need_not_come_first() {
    with_checked("", "s[ agent($x, %a, 1) = skip\n agent($x, %a) = agent(1) ]", |checked| {
        assert_eq!(checked.parts[0].entry, 1);
    });
}

#[test]
fn a_missing_entry_is_not_reported_again_at_calls_of_it() {
    assert_errors("s[ agent($x, %a, 1) = agent() ]", &["MAP201 agent($x, %a, 1)@1"]);
}

#[test]
fn procedures_are_declared_once() {
    let scene = "s[ agent($x, %a) = $y = p(1) ]";
    assert_errors(&format!("{scene}\nprocedure p($a) decision q($a)"), &[]);
    assert_errors(&format!("{scene}\nprocedure p($a)\ndecision p($a, $b)"), &["MAP102 p@3"]);
}

#[test]
fn a_procedure_has_one_arity() {
    assert_errors("s[ agent($x, %a) = $y = p(1)\n then $y = p(2) ]", &[]);
    assert_errors("s[ agent($x, %a) = $y = p(1)\n then $y = p() ]", &["MAP103 p@2"]);
    assert_errors("s[ agent($x, %a) = $y = p(1) ]\nprocedure p()", &["MAP103 p@1"]);
    assert_errors("s[ agent($x, %a) = $y = p(1) ]\nt[ agent($x, %a) = $y = p() ]", &["MAP103 p@2"]);
}

#[test]
fn procedures_are_listed_in_order_of_declaration_and_use() {
    let text = "s[ agent($x, %a) = $y = late(1) then $z = second() ]\nprocedure first() decision second()";
    with_checked("", text, |checked| {
        let list: Vec<_> =
            checked.procedures.iter().map(|(name, info)| (&**name, info.arity, info.may_refuse)).collect();
        assert_eq!(list, [("first", 0, false), ("second", 0, true), ("late", 1, true)]);
    });
}
