//! Changes that diagnostics offer.

use map_diagnostics::{Diagnostic, Fix, SourceFile};

use crate::parse;

fn diagnostics(text: &str) -> Vec<Diagnostic> {
    parse(&SourceFile::new("test.map", text)).diagnostics
}

fn applied(text: &str, fix: &Fix) -> String {
    let mut changed = String::new();
    let mut at = 0;
    for (span, replacement) in &fix.edits {
        changed.push_str(&text[at..span.start as usize]);
        changed.push_str(replacement);
        at = span.end as usize;
    }
    changed + &text[at..]
}

/// Asserts that each change that is offered for a text ends what it is offered for.
#[track_caller]
pub(super) fn assert_mended(text: &str) {
    for diagnostic in diagnostics(text) {
        for fix in &diagnostic.fixes {
            let changed = applied(text, fix);
            assert_ne!(changed, text, "{}", fix.title);
            let place = diagnostic.span().map_or(0..=0, |span| span.start..=span.end);
            let still = |it: &Diagnostic| {
                it.text == diagnostic.text && it.span().is_some_and(|span| place.contains(&span.start))
            };
            let after = diagnostics(&changed);
            let same = |all: &[Diagnostic]| all.iter().filter(|it| it.text == diagnostic.text).count();
            let fewer = same(&after) < same(&diagnostics(text));
            assert!(
                fewer || !after.iter().any(still),
                "{} does not mend `{}` in\n{text}\nwhich became\n{changed}",
                fix.title,
                diagnostic.text
            );
        }
    }
}

/// A text after the first change that is offered, without what is before it and behind it.
fn mended(before: &str, text: &str, behind: &str) -> String {
    let whole = format!("{before}{text}{behind}");
    let found = diagnostics(&whole);
    let fix = found.iter().find_map(|it| it.fixes.first());
    let Some(fix) = fix else { return format!("no fix: {found:?}") };
    let changed = applied(&whole, fix);
    let inner = changed.strip_prefix(before).and_then(|it| it.strip_suffix(behind));
    inner.unwrap_or(&changed).to_owned()
}

#[track_caller]
fn assert_fixes(before: &str, behind: &str, cases: &[(&str, &str)]) {
    let found: Vec<_> = cases.iter().map(|(text, _)| (*text, mended(before, text, behind))).collect();
    let expected: Vec<_> = cases.iter().map(|(text, mended)| (*text, (*mended).to_owned())).collect();
    assert_eq!(found, expected);
}

#[test]
fn operations() {
    assert_fixes(
        "s[ agent(!A, %a) = ",
        " ]",
        &[
            ("skip;fail", "skip then fail"),
            ("m() => agent(!A, %a);skip", "m() => agent(!A, %a)then skip"),
            ("skip, fail", "skip then fail"),
            ("skip ∨fail", "skip or fail"),
            ("skip)", "skip"),
            ("m($ x) => agent(!A, %a)", "m($x) => agent(!A, %a)"),
            ("keep-on($x) => agent(!A, %a)", "keep_on($x) => agent(!A, %a)"),
            ("m(*) <= agent(!A, %a)", "m(_) <= agent(!A, %a)"),
            ("m(<price>) <= agent(!A, %a)", "m($price) <= agent(!A, %a)"),
            ("m(price = 10) => agent(!A, %a)", "m(10) => agent(!A, %a)"),
            ("m($x: int) <= agent(!A, %a)", "m($x) <= agent(!A, %a)"),
            ("m(int $x) <= agent(!A, %a)", "m($x) <= agent(!A, %a)"),
            ("m(10%) => agent(!A, %a)", "m(10) => agent(!A, %a)"),
            ("m(10.) => agent(!A, %a)", "m(10) => agent(!A, %a)"),
        ],
    );
}

#[test]
fn heads_and_memories() {
    assert_fixes(
        "",
        " s[ agent(!A, %a) = skip ]",
        &[
            ("procedure p(price)", "procedure p($price)"),
            ("procedure p($a $b)", "procedure p($a, $b)"),
            ("memory a { @x = 1 }", "memory %a { @x = 1 }"),
            ("memory %a { @x = - 1 }", "memory %a { @x = -1 }"),
            ("memory %a { @x = 1 @y = 2 }", "memory %a { @x = 1, @y = 2 }"),
            ("memory %a { @x = 1; @y = 2 }", "memory %a { @x = 1, @y = 2 }"),
        ],
    );
}

#[test]
fn bodies() {
    assert_fixes(
        "procedure p($a, $b) ",
        " s[ agent(!A, %a) = skip ]",
        &[
            ("-> $a", "= $a"),
            ("return $a", "= $a"),
            ("1..5", "in 1..5"),
            ("$a", "= $a"),
            ("in { 1 2 }", "in { 1, 2 }"),
            ("in { 1; 2 }", "in { 1, 2 }"),
            ("in 1 5", "in 1..5"),
            ("= fresh", "fresh"),
            ("= $a &&$b == 1", "= $a and $b == 1"),
            ("| $a =< 1 = 2", "| $a <= 1 = 2"),
            ("| $a < > 1 = 2", "| $a != 1 = 2"),
            ("| $a == 1 -> 2", "| $a == 1 = 2"),
            ("| $a == 1 in 1..2", "| $a == 1 = in 1..2"),
            ("= $a%2", "= $a mod 2"),
            ("= - 1", "= -1"),
            ("= 1, @c := 2", "= 1 with @c := 2"),
            ("= 1 @c := 2", "= 1 with @c := 2"),
            ("= 1 with @c := 2; @d := 3", "= 1 with @c := 2, @d := 3"),
            ("= 1 with @c := 2 @d := 3", "= 1 with @c := 2, @d := 3"),
            ("= 1 with c := 2", "= 1 with @c := 2"),
            ("= 1 with @c = 2", "= 1 with @c := 2"),
            (
                "= if $a == 1 then 2 elif $b == 1 then 3 else 4",
                "= if $a == 1 then 2 else if $b == 1 then 3 else 4",
            ),
        ],
    );
}

#[test]
fn properties() {
    assert_fixes(
        "s[ agent(!A, %a) = skip ] property x : ",
        "",
        &[
            ("ended&&ended", "ended and ended"),
            ("[] ended", "always ended"),
            ("<>ended", "eventually ended"),
            ("eventually done !A", "eventually done(!A)"),
            ("!A times", "!A times out"),
            ("!A sent m() to _", "!A sends m() to _"),
            ("!A sends m() to B", "!A sends m() to !B"),
            ("¬ended", "not ended"),
        ],
    );
}

#[test]
fn no_comment_is_lost() {
    let found = diagnostics("s[ agent(!A, %a) = m($ /* why */ x) => agent(!A, %a) ]");
    assert!(found[0].fixes.is_empty(), "{found:?}");
}
