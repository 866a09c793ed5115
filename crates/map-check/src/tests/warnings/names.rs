//! Variables that are never used (MAP311), procedures whose names are close to declared ones (MAP315) or that are never
//! asked (MAP321), addresses that no agent can have (MAP320), variables that are received again (MAP322), and
//! properties about the first moment (MAP323), and charges that are never paid (MAP324).

use super::{assert_marks, assert_silent, assert_warnings};

/// `!A` begins by calling `agent(go, 1, 2)`, the clause with the given head and the body `op`.
fn scene(head: &str, op: &str) -> String {
    format!(
        "s[ agent(!A, %a) = agent(go, 1, 2)\n agent(!A, %a, go, {head}) = {op}\n\
         agent(!B, %b) = m(1, 2) => agent(!A, %a) then (waitfor k(_) <= agent(_, %a)) ]"
    )
}

#[test]
fn a_variable_that_is_never_used() {
    for (head, op, unused) in [
        ("$x, $y", "k($y) => agent(_, %b)", &["$x@2"][..]),
        ("$x, $y", "skip", &["$x@2", "$y@2"]),
        ("_, _", "waitfor (m($x, $y) <= agent($b, %b) then k($x) => agent(!B, %b))", &["$y@2", "$b@2"]),
        ("_, _", "(waitfor m($x, _) <= agent(_, %b)) then skip", &["$x@2"]),
        // The use is in another alternative.
        (
            "_, _",
            "waitfor (m($x, 1) <= agent(_, %b) then k($x) => agent(_, %b) or m($x, _) <= agent(_, %b))",
            &["$x@2"],
        ),
    ] {
        let text = scene(head, op);
        assert_marks("MAP311", &text, unused);
    }
}

#[test]
fn a_variable_that_is_used_or_has_to_be_there() {
    for (head, op) in [
        ("$x, $y", "k($x) => agent($y, %b)"),
        ("$x, _", "waitfor m($x, _) <= agent(_, %b)"),
        ("_, _", "waitfor m($x, $x) <= agent(_, %b)"),
        // An answer needs a name.
        ("_, _", "$x = p() or skip"),
        ("$x, _", "$x = p()"),
        // The use follows the alternatives.
        ("_, _", "((waitfor m($x, 1) <= agent(_, %b)) or $x = p()) then k($x) => agent(_, %b)"),
        ("_, _", "((waitfor m($x, 1) <= agent(_, %b)) par skip) then k($x) => agent(_, %b)"),
    ] {
        assert_marks("MAP311", &scene(head, op), &[]);
    }
    assert_silent("s[ agent($me, %a) = skip ]");
    assert_silent("s[ agent(!A, %a) = agent(go, 1, 1)\n agent(!A, %a, go, $x, $x) = skip ]");
}

#[test]
fn a_procedure_that_is_misspelt() {
    let scene = |op: &str| format!("procedure getPrice()\ns[ agent(!A, %a) = {op} ]");
    assert_warnings(&scene("$x = getPrise() or skip"), &["MAP315 getPrise@2"]);
    assert_marks("MAP315", &scene("$x = getPirce() then $y = getPrice()"), &["getPirce@2"]);
    assert_marks("MAP315", &scene("$x = getprice()"), &["getprice@2"]);
}

#[test]
fn a_procedure_that_is_another_one() {
    let scene = |op: &str| format!("procedure getPrice()\ns[ agent(!A, %a) = {op} ]");
    for op in [
        "$x = getPrice()",
        // Both are asked, and the names differ by more than a slip.
        "$x = setPrice() or $y = getPrice()",
        // Asked twice, so not a slip.
        "$x = getPrise() or $y = getPrise() or skip",
        // The arity differs.
        "$x = getPrise(1) or skip",
        "$x = accept() or skip",
    ] {
        assert_marks("MAP315", &scene(op), &[]);
    }
    assert_silent("s[ agent(!A, %a) = $x = accept() or $x = acept() or skip ]");
}

#[test]
fn a_procedure_that_is_never_asked() {
    assert_warnings(
        "procedure p()\nprocedure q($x) in 1..3\ndecision d()\ns[ agent(!A, %a) = $x = p() ]",
        &["MAP321 q@2", "MAP321 d@3"],
    );
    assert_warnings("procedure p() // map: allow(MAP321)\ns[ agent(!A, %a) = skip ]", &[]);
}

#[test]
fn a_procedure_that_is_asked_somewhere() {
    assert_silent("procedure p() s[ agent(!A, %a) = skip ] t[ agent(!A, %a) = $x = p() ]");
    // It is asked where it is not reached, or under a name with a slip, which other warnings report.
    let text = "procedure p() s[ agent(!A, %a) = skip agent(!A, %a, go) = $x = p() ]";
    assert_marks("MAP321", text, &[]);
    let text = "procedure getPrice() s[ agent(!A, %a) = $x = getPrise() or skip ]";
    assert_marks("MAP321", text, &[]);
}

/// `!A` sends to one address and receives from another.
fn addressed(to: &str, from: &str) -> String {
    format!(
        "s[ agent(!A, %a) = m() => agent({to}) then (waitfor n() <= agent({from}))\n\
         agent($b, %bob) = (waitfor m() <= agent(_, %a)) then n() => agent(!A, %a) ]"
    )
}

#[test]
fn an_address_that_no_agent_can_have() {
    for (wrong, marked) in [
        ("B, %bob", "B"),
        ("bob, %bob", "bob"),
        ("3, %bob", "3"),
        ("\"Bob\", %bob", "\"Bob\""),
        ("%bob, %bob", "%bob"),
        ("_, bob", "bob"),
        ("!Bob, \"bob\"", "\"bob\""),
        ("_, 1", "1"),
        ("_, !Bob", "!Bob"),
        // Only the agent is reported.
        ("B, bob", "B"),
    ] {
        let expected = format!("MAP320 {marked}@1");
        assert_warnings(&addressed(wrong, "_, %bob"), &[&expected]);
        assert_warnings(&addressed("_, %bob", wrong), &[&expected]);
    }
    assert_warnings(&format!("// map: allow(MAP320)\n{}", addressed("B, %bob", "_, %bob")), &[]);
}

#[test]
fn an_address_that_an_agent_may_have() {
    for address in ["!Bob, %bob", "_, %bob", "!Bob, _", "_, _"] {
        assert_silent(&addressed(address, address));
    }
    assert_silent(
        "s[ agent(!A, %a) = (waitfor m($r) <= agent($x, $r)) then n() => agent($x, $r)\n\
         agent($b, %bob) = m(%bob) => agent(!A, %a) then (waitfor n() <= agent(!A, %a)) ]",
    );
    // What an expression comes to is known when it runs.
    assert_silent(
        "memory %a { @who = nobody }\ns[ agent(!A, %a) = (waitfor m($n) <= agent($x, %bob)) then n() => agent(if $n > 0 then $x else @who, %bob)\n\
         agent($b, %bob) = m(1) => agent(!A, %a) then (waitfor n() <= agent(!A, %a)) ]",
    );
}

#[test]
fn a_variable_that_is_received_again() {
    let scene = |body: &str| {
        format!(
            "procedure use($x)\ns[ agent(!A, %a) = {body}\nagent(!B, %b) = m(1) => agent(!A, %a) then n(2) => agent(!A, %a) ]"
        )
    };
    let m = "(waitfor m($x) <= agent(_, %b))";
    let n = "(waitfor n($x) <= agent(_, %b))";
    assert_warnings(&scene(&format!("{m} then {n} then use($x)")), &["MAP322 $x@2"]);
    // What binds it in one alternative has bound it in the other.
    let alternatives =
        format!("(waitfor (m($x) <= agent(_, %b) or n($x) <= agent(_, %b))) then {n} then use($x)");
    assert_warnings(&scene(&alternatives), &["MAP322 $x@2"]);
    for fine in [
        format!("{m} then use($x) then {n}"),
        format!("{m} then (waitfor n($y) <= agent(_, %b)) then use($x) then use($y)"),
        "(waitfor (m($x) <= agent(_, %b) then use($x) or n($x) <= agent(_, %b) then use($x)))".to_owned(),
        format!("{m} then {n} then use($x) // map: allow(MAP322)"),
    ] {
        assert_silent(&scene(&fine));
    }
}

#[test]
fn a_property_about_the_first_moment() {
    let text = |formula: &str| {
        format!(
            "property p : {formula}\n\
             s[ agent(!A, %a) = m(1) => agent(!B, %b) agent(!B, %b) = waitfor m(_) <= agent(!A, %a) ]"
        )
    };
    let sends = "!A sends m(1) to _";
    for (wrong, marked) in [
        (format!("count({sends}) <= 1"), format!("count({sends})")),
        ("total($x : !A sends m($x) to _) <= 1".to_owned(), "total($x : !A sends m($x) to _)".to_owned()),
        (sends.to_owned(), sends.to_owned()),
        (format!("not before {sends}"), format!("before {sends}")),
        (format!("{sends} implies eventually !B receives m(1) from _"), sends.to_owned()),
        (format!("(eventually ended) and forall $a in %a : count({sends}) == 0"), format!("count({sends})")),
    ] {
        assert_marks("MAP323", &text(&wrong), &[&format!("{marked}@1")]);
    }
    for right in [
        format!("always count({sends}) <= 1"),
        format!("{sends} leadsto !B receives m(1) from _"),
        format!("{sends} precedes !B receives m(1) from _"),
        format!("(not !B receives m(_) from _) until {sends}"),
        format!("possible {sends}"),
        "count($a in %a : done($a)) == 0".to_owned(),
        "not ended".to_owned(),
    ] {
        assert_marks("MAP323", &text(&right), &[]);
    }
}

#[test]
fn a_charge_that_is_never_paid() {
    let text = |charge: &str| {
        format!(
            "cost c {{ {charge} = 1 }}\nprocedure p()\ns[ agent(!A, %a) = $x = p() then m($x) => agent(!B, %b)\n\
             agent($me, %b) = waitfor m(_) <= agent(_, %a) ]"
        )
    };
    for charge in ["%b asks p", "%b sends m(_) to _", "%a receives m(_) from _", "!A receives m(_) from %a"] {
        assert_marks("MAP324", &text(charge), &[&format!("{charge}@1")]);
    }
    let paid = ["_ asks p", "%a asks p", "!A asks p", "!A sends m(_) to %b", "%b receives m(_) from !A"];
    for charge in paid {
        assert_marks("MAP324", &text(charge), &[]);
    }
}
