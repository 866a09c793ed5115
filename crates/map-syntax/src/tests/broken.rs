//! Snapshots of the errors about broken texts. Every case is the text, followed by the output about it.

use super::rendered;

/// Inputs and outputs of a group of cases.
pub(super) fn sheet(cases: &[&str]) -> String {
    let mut sheet = String::new();
    for case in cases {
        super::fixes::assert_mended(case);
        sheet.push_str(&format!("{:=<80}\n{case}\n{:-<80}\n{}\n", "", "", rendered(case)));
    }
    // A snapshot that contains NUL would be treated as a binary file.
    sheet.replace('\0', "␀")
}

pub(super) fn assert_sheet(name: &str, sheet: &str) {
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!(name, sheet);
    });
}

/// A scene with a single clause that has this body.
fn body(body: &str) -> String {
    format!("s[\n  agent(!A, %r) =\n    {body}\n]")
}

pub(super) fn bodies(cases: &[&str]) -> String {
    let texts: Vec<String> = cases.iter().map(|case| body(case)).collect();
    sheet(&texts.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn joints() {
    assert_sheet(
        "joints",
        &bodies(&[
            "skip and fail",
            "skip; fail",
            "skip, fail",
            "skip || fail",
            "skip | fail",
            "skip Then fail",
            "skip tehn fail",
            "skip else fail",
            "skip\n    fail",
            "m() => agent($a, %b)\n    n() => agent($a, %b)",
            "skip)",
            "(skip then fail",
            "(skip then (fail)\n    then skip",
            "skip timeout fail",
            "waitfor skip timeout fail timeout skip",
            "waitfor skip tiemout fail",
            "skip() then fail",
            "skip -> fail",
            "agent(a) => agent($b, %c)",
            "{ skip }",
            "skip }",
            "skip then [skip]",
            "skip.",
            "waitfor (m() <= agent($a, %b) timeout fail",
            "skip\n  bidder($x) = fail",
            "$x = p() = q()",
        ]),
    );
}

#[test]
fn operations() {
    assert_sheet(
        "operations",
        &bodies(&[
            "",
            "skip then",
            "then skip",
            "skip then or fail",
            "()",
            "waitfor timeout fail",
            "waitfor skip timeout",
            "(skip then) or fail",
            "m() n() => agent($a, %b)",
            "m($x); skip",
            "m() -> agent($a, %b)",
            "m() <- agent($a, %b)",
            "m() = agent($a, %b)",
            "m() to agent($a, %b)",
            "m() agent($a, %b)",
            "m() =>",
            "m() => $a",
            "m => agent($a, %b)",
            "m then skip",
            "wait skip",
            "wait (m() <= agent($a, %b)) then skip",
            "Skip",
            "x = p()",
            "$x = p",
            "$x = p then skip",
            "$x = 5",
            "$x = $y",
            "$x := p()",
            "$x",
            "$m() => agent($a, %b)",
            "$x = then()",
            "or() => agent($a, %b)",
            "\"hello\"",
            "5",
            "agent then skip",
            "keep-bidding() => agent($a, %b)",
            "$ x = p()",
            "@cell = p()",
            "@cell := 1",
            "if $x then skip else fail",
            "waitfor skip timeout 10",
            "m() <== agent($a, %b)",
            "m() => %b",
        ]),
    );
}

#[test]
fn terms() {
    assert_sheet(
        "terms",
        &bodies(&[
            "m($x $y) => agent($a, %b)",
            "m($x => agent($a, %b)",
            "m($x, ) => agent($a, %b)",
            "m(, $x) => agent($a, %b)",
            "m(f($x)) => agent($a, %b)",
            "m([1, 2]) => agent($a, %b)",
            "m($x; $y) => agent($a, %b)",
            "m(then) => agent($a, %b)",
            "m() => agent($a)",
            "m() => agent()",
            "m() => agent($a, %b, $x)",
            "m() => agent($a %b)",
            "m() => agent($a, %b",
            "agent(a, b then skip",
            "m($x = 3) => agent($a, %b)",
            "m(%) => agent($a, %b)",
        ]),
    );
}

#[test]
fn heads() {
    assert_sheet(
        "heads",
        &sheet(&[
            "s[ agent(seller, %r) = skip ]",
            "s[ agent(!A, r) = skip ]",
            "s[ agent(!A, $r) = skip ]",
            "s[ agent(%r, !A) = skip ]",
            "s[ agent(!A) = skip ]",
            "s[ agent() = skip ]",
            "s[ agent(_, %r) = skip ]",
            "s[ agent(!A %r) = skip ]",
            "s[ agent(!A, %r = skip ]",
            "s[ agent(!A, %r) => skip ]",
            "s[ agent(!A, %r) := skip ]",
            "s[ agent(!A, %r) { skip } ]",
            "s[ agent(!A, %r) skip ]",
            "s[ agent(!A, %r, ) = skip ]",
            "s[ agent(!A, %r, or) = skip ]",
            "s[ agent !A, %r = skip ]",
            "s[ agnet(!A, %r) = skip ]",
            "s[ skip ]",
            "s[\n  agent(!A, %r) = skip\n  agent(!A, %r, x)\n    skip\n]",
        ]),
    );
}

#[test]
fn items() {
    assert_sheet(
        "items",
        &sheet(&[
            "",
            "// nothing\n",
            "cast %r = 3",
            "s[]",
            "s[ agent(!A, %r) = skip",
            "s[ agent(!A, %r) = skip }",
            "s{ agent(!A, %r) = skip }",
            "s( agent(!A, %r) = skip )",
            "s agent(!A, %r) = skip",
            "[ agent(!A, %r) = skip ]",
            "then[ agent(!A, %r) = skip ]",
            "%s[ agent(!A, %r) = skip ]",
            "scene s[ agent(!A, %r) = skip ]",
            "agent(!A, %r) = skip",
            "s[ agent(!A, %r) = skip ]\n]",
            "s[ agent(!A, %r) = skip\ncast %r = 2\nt[ agent(!A, %r) = skip ]",
            "s[ agent(!A, %r) = skip\ncast %r = 2\n]",
            "cast r = 3\ns[ agent(!A, %r) = skip ]",
            "cast %r 3\ns[ agent(!A, %r) = skip ]",
            "cast %r = n\ns[ agent(!A, %r) = skip ]",
            "cast %r = 3, %q = 2\ns[ agent(!A, %r) = skip ]",
            "cast\ns[ agent(!A, %r) = skip ]",
            "procedur p()\ns[ agent(!A, %r) = skip ]",
            "procedure p(a)\ns[ agent(!A, %r) = skip ]",
            "procedure p\ns[ agent(!A, %r) = skip ]",
            "procedure p($a $b)\ns[ agent(!A, %r) = skip ]",
            "procedure then()\ns[ agent(!A, %r) = skip ]",
            "hello world\ns[ agent(!A, %r) = skip ]",
            "memory %r { @a = 1 }\ns[ agent(!A, %r) = skip ]",
            "procedure p($a) = $a + 1\ndecision d() in { 1, 2 }\ndecision e() | @a == 1 = 2 with @a := 3\ns[ agent(!A, %r) = skip ]",
        ]),
    );
}

#[test]
fn characters() {
    let mut cases: Vec<String> = [
        "m(\"open) => agent($a, %b)",
        "m(\"open\\\") => agent($a, %b)",
        "m(\"\\q\\u{d800}\\u{}\\u{12\\u12 \\u{1234567}\\u{xyz}\") => agent($a, %b)",
        "m(99999999999999999999, -9223372036854775809) => agent($a, %b)",
        "m(12ab) => agent($a, %b)",
        "m(_x, _1) => agent($a, %b)",
        "m('text') => agent($a, %b)",
        "m(“text”) => agent($a, %b)",
        "m() ⇒ agent($a, %b)",
        "skip && fail",
        "skip\u{a0}then\u{200b}fail",
        "m(prix_é, größe) => agent($a, %b)",
        "skip # comment",
        "skip ???",
        "skip \0\0\0",
        "skip /* comment /* inner */ */",
        "skip /* comment",
        "skip\n<<<<<<< ours\n then fail\n=======\n then skip\n>>>>>>> theirs",
        "∊",
    ]
    .iter()
    .map(|case| body(case))
    .collect();
    cases.push("\"name\"[ agent(!A, %r) = skip ]".to_owned());
    let cases: Vec<&str> = cases.iter().map(String::as_str).collect();
    assert_sheet("characters", &sheet(&cases));
}
