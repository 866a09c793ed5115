//! Errors about costs: snapshots of what is said.

use super::assert_errors;
use super::rendered::shown;

const SCENE: &str = "
procedure price() in 1..9
decision sure()
s[
  agent(!S, %seller) = $p = price() then propose($p, red) => agent(_, %buyer) then agent(wait)
  agent(!S, %seller, wait) = waitfor accept(_) <= agent(_, %buyer)
  agent(!B, %buyer) = waitfor propose($p, $c) <= agent($s, %seller) then sure() then accept($p) => agent($s, %seller)
]";

#[test]
fn events_and_prices() {
    for cost in [
        "cost c { _ asks sure = 0, !S sends propose($p, red) to %buyer = $p }",
        "cost c { %buyer receives propose(_, $p) from !S = $p, %seller receives accept(9) from _ = 10 }",
        "cost c { _ asks sure = 1 } property p : always cost(c) <= 1 and cost(c, !B) <= 1 and cost(c, %seller) == 0",
        "cost c { _ asks sure = 1 } property p : forall $b in %buyer : never cost(c, $b) > 1",
        "cost c { _ asks sure = 1 } cost cost { _ asks price = 1 } property p : always cost(cost) <= 1",
    ] {
        assert_errors(&format!("{cost}{SCENE}"), &[]);
    }
}

#[test]
fn errors_about_costs() {
    let texts = [
        "cost c { _ asks sure = 1 }\ncost c { _ asks price = 1 }",
        "cost tokens { _ asks sure = 1 }\nproperty p : always cost(token) <= 1",
        "property p : always cost(tokens) <= 1",
        "cost c { _ asks sure = -1 }",
        "cost c { _ asks sure = $p }",
        "cost c { _ sends propose($p, $p) to _ = $p }",
        "cost c { _ sends propose($p, $q) to _ = $p }",
        "cost c { _ sends propose(_, $q) to _ = 3 }",
        "cost c { _ sends proposed(_, _) to _ = 3 }",
        "cost c { _ sends propose(_) to _ = 3 }",
        "cost c { %seler asks price = 3 }",
        "cost c { !Nobody asks price = 3 }",
        "cost c { _ asks prise = 3 }",
        "cost c { _ asks sure = 1 }\nproperty p : never cost(c, %buyr) > 3",
        "cost c { _ asks sure = 1 }\nproperty p : never cost(c, $b) > 3",
        "cost c { _ asks sure = 1 }\nproperty p : never before cost(c) > 3",
        "cost c { _ asks sure = 1 }\nproperty p : never cost(c) == red",
    ];
    let sheet: Vec<String> = texts.iter().map(|text| shown("", &format!("{text}{SCENE}"))).collect();
    insta::assert_snapshot!("errors_about_costs", sheet.join("\n"));
}
