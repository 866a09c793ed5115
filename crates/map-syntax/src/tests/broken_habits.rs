//! Snapshots of the errors about texts as people write them who know other languages. Every case is the text, followed
//! by the output about it.

use super::broken::{assert_sheet, sheet};

fn around(before: &str, cases: &[&str], after: &str) -> String {
    let texts: Vec<String> = cases.iter().map(|case| format!("{before}{case}{after}")).collect();
    sheet(&texts.iter().map(String::as_str).collect::<Vec<_>>())
}

fn bodies(cases: &[&str]) -> String {
    around("s[\n  agent($self, %buyer) =\n    ", cases, "\n]")
}

#[test]
fn python() {
    assert_sheet(
        "habits_python",
        &bodies(&[
            "if $price < 10:\n        buy($price) => agent(!Seller, %seller)\n    else:\n        reject() => agent(!Seller, %seller)",
            "while True:\n        m() <= agent(_, %seller)\n        n() => agent(_, %seller)",
            "for $s in %seller:\n        ask() => agent($s, %seller)",
            "$x = 5\n    then $y := price($x)\n    then return $y",
            "send offer(10) to !Seller\n    receive answer($x) from !Seller",
            "seller.offer(10) then print \"sent\"",
            "try (m() => agent(_, %seller)) except fail",
            "m(10) => agent(!Seller, %seller)\n    if accepted then skip",
            "not ready() or skip",
            "$x = await answer()",
            "$price += 1 then skip",
            "$x == 5 then m() -> agent(!S, %seller)",
        ]),
    );
}

#[test]
fn typescript() {
    assert_sheet(
        "habits_typescript",
        &bodies(&[
            "const $x = price();\n    offer($x) => agent(!S, %seller);\n    return;",
            "if ($x == 3) { offer($x) => agent(!S, %seller); } else { skip; }",
            "switch ($x) { case 1: skip; default: fail; }",
            "$x = $y ? 1 : 2",
            "{ offer(1) => agent(!S, %seller); accept() <= agent(!S, %seller) }",
            "offer({\"price\": 10, \"item\": \"pear\"}) => agent(!Seller, %seller) then wait 5",
            "!Seller.offer(10)",
            "async offer(1) => agent(!S, %seller) && await reply() <= agent(!S, %seller)",
            "// reply\n    reply() => agent(!S, %seller) /* then */ done() => agent(!S, %seller)",
        ]),
    );
}

#[test]
fn promela() {
    assert_sheet(
        "habits_promela",
        &bodies(&[
            "do\n    :: m() <= agent(_, %seller) -> skip\n    :: timeout -> break\n    od",
            "c!offer(10); c?accept($x); goto end",
            "!S ! offer(10) then !S ? accept()",
            "atomic { skip; fail }",
            "skip -> m() => agent(!S, %seller) -> skip",
            "c!offer(10); skip; goto end",
        ]),
    );
}

#[test]
fn several_mistakes() {
    assert_sheet(
        "habits_several_mistakes",
        &bodies(&[
            "x = price()\n    then offer(x.y) -> agent(seller %seller)\n    or (reject => agent(!S, %seller)\n    then stop)",
            "waitfor offer($x) <- agent(!S, %seller)\n    or $x == 3\n    timeout 5",
            "m(1.5) => agent(!S, %seller);\n    n([1]) => agent(!S, %seller);\n    o(a = 1) => agent(!S, %seller)",
            "offer() => !Seller then accept() <= %seller then skip else fail",
            "then m() => agent(!S, %seller)\n    then",
            "m() =>agent(!S %seller) then n() => agent(!S) then o() => (!S, %seller)",
            "loop skip then call wait_for_bid($x) then agent wait_for_bid($x)",
            "offer('pear', 1.50€) => agent(!S, %seller) then accept?($x)",
            "waitfor { m() <= agent(!S, %seller) | n() <= agent(!S, %seller) } timeout { fail }",
            "m() => agent(!S, %seller), n() => agent(!S, %seller)\n    par, skip",
        ]),
    );
}

#[test]
fn values() {
    assert_sheet(
        "habits_values",
        &bodies(&[
            "m(1.5) => agent($a, %b)",
            "m(-0.25, .5, 1.) => agent($a, %b)",
            "m(1e3) => agent($a, %b)",
            "m([1, 2]) => agent($a, %b)",
            "m({price: 10, item: \"x\"}) => agent($a, %b)",
            "m({\"price\": 10}) => agent($a, %b)",
            "m({1, 2}) => agent($a, %b)",
            "m('text') => agent($a, %b)",
            "m('it''s') => agent($a, %b)",
            "m($x.field) => agent($a, %b)",
            "m($x.append(1)) => agent($a, %b)",
            "m(item.price) => agent($a, %b)",
            "m($x[0]) => agent($a, %b)",
            "m(list[0]) => agent($a, %b)",
            "m(price = 10) => agent($a, %b)",
            "m(price: 10, qty: 2) => agent($a, %b)",
            "m(\"price\": 10) => agent($a, %b)",
            "m($price: int) => agent($a, %b)",
            "m(int $price) => agent($a, %b)",
            "m(f\"bid {$x}\") => agent($a, %b)",
            "m(*) => agent($a, %b)",
            "m(...) => agent($a, %b)",
            "m($x, ...) => agent($a, %b)",
            "m(<price>) => agent($a, %b)",
            "m(!$x) => agent($a, %b)",
            "m(agent(!A, %r)) => agent($a, %b)",
            "m($$x) => agent($a, %b)",
            "m(1..3) => agent($a, %b)",
            "m() => agent($a.name, %b)",
            "m() => agent(*, %b)",
            "m(10%) => agent($a, %b)",
            "m(10$) => agent($a, %b)",
            "m(`x`) => agent($a, %b)",
            "m(1_000) => agent($a, %b)",
            "m(0x1F) => agent($a, %b)",
            "$x = p(1.5) then agent(loop, [])",
        ]),
    );
}

#[test]
fn heads_and_items() {
    assert_sheet(
        "habits_items",
        &sheet(&[
            "s[\n  agent(buyer, seller) := skip\n  agent(!B, %b) -> skip, fail\n]",
            "s[\n  def buyer($self):\n    skip\n]",
            "s[\n  %buyer: m() => agent(_, %seller)\n]",
            "s[\n  agent $self, %buyer { skip }\n]",
            "s[\n  agent($self: %buyer) = skip\n]",
            "import auction\nconst n = 5\ns[ agent(!A, %r) = skip ]",
            "scene auction {\n  role buyer = { skip }\n}",
            "cast %buyer: 3\ncast !A, !B = 1\ns[ agent(!A, %r) = skip ]",
            "s[ agent(!A, %r) = $x = p() ]\nprocedure p() { return 5; }",
            "s[ agent(!A, %r) = $x = p() ]\ndecision p(): \"yes\" or \"no\"",
            "s[ agent(!A, %r) = skip ]\nmemory %r { count: 0; name = \"x\" }",
        ]),
    );
}

#[test]
fn formulas() {
    let scene = "s[ agent(!A, %r) = waitfor m() <= agent(_, %r) ]\nproperty p : ";
    assert_sheet(
        "habits_formulas",
        &around(
            scene,
            &[
                "[] (!A in start -> <> ended)",
                "G (!A in start)",
                "G F ended",
                "F ended && !ended",
                "!(ended)",
                "always (m() => agent(!A, %r))",
                "!A sends m to !B",
                "forall !x : done(!x)",
                "always !A@x = 3",
                "A[] not deadlock",
                "eventually done !A",
                "ended -> done(!A) || failed(!A)",
                "never deadlock",
                "!A received m() from _ and then ended",
                "assert(ended)",
                "if !A in start then eventually ended",
            ],
            "",
        ),
    );
}
