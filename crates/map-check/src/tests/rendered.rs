//! Snapshots of the rendered errors, one file for each code.

use map_diagnostics::{Diagnostic, SourceFile, render};

use super::{options, parsed};

/// What the user sees, without colours.
pub(super) fn shown(arguments: &str, text: &str) -> String {
    let (source, file) = parsed(text);
    let (_, errors) = crate::check(&file, &options(arguments));
    plain(&source, &errors)
}

/// What the user sees, without colours.
pub(super) fn plain(source: &SourceFile, diagnostics: &[Diagnostic]) -> String {
    let coloured: String = diagnostics.iter().map(|diagnostic| render(source, diagnostic)).collect();
    let mut plain = String::new();
    let mut rest = &*coloured;
    while let Some((before, after)) = rest.split_once('\x1b') {
        plain.push_str(before);
        rest = after.split_once('m').map_or("", |(_, after)| after);
    }
    plain.push_str(rest);
    plain
}

macro_rules! snapshots {
    ($($name:ident: $($(@ $arguments:literal)? $text:literal),+;)*) => {
        $(#[test]
        fn $name() {
            let all = [$(shown(concat!($($arguments)?), $text)),+];
            insta::assert_snapshot!(stringify!($name), all.join("\n"));
        })*
    };
}

snapshots! {
    map101: "trade[\n  agent($x, %a) = skip\n]\ntrade[\n  agent($x, %a) = skip\n]";
    map102: "s[ agent($x, %a) = $y = price() ]\nprocedure price()\ndecision price($of)";
    map103:
        "s[\n  agent($x, %a) = $y = price()\n    then $z = price($y)\n]",
        "s[ agent($x, %a) = $y = price(1) ]\nprocedure price()",
        "s[ agent($x, %a) = $y = price(1) ]\nprocedure price()\nprocedure prices($of)";
    map104:
        "s[\n  agent($x, %buyer) = ask() => agent(_, %sellr)\n  agent($x, %seller) = skip\n]",
        "cast %buyer = 2\ns[\n  agent($x, %buyr) = skip\n  agent(!A, %shop) =\n    ask() => agent(_, %buyer)\n    then ask() => agent(_, %buyer)\n]",
        "s[\n  agent(!A, %shop) =\n    ask() => agent(_, %shp)\n    then ask() => agent(_, %shp)\n]",
        "s[ agent($x, %buyer) = ask() => agent(_, %seller) ]\nt[ agent($x, %seller) = skip ]",
        "s[ agent($x, %buyer) = ask() => agent(_, %thief) ]";
    map105:
        "s[\n  agent($x, %buyer) = ask() => agent(!Buyers, %buyer)\n]",
        "s[\n  agent($x, %buyer) = ask() => agent(!Buyer4, %buyer)\n]\ncast %buyer = 3",
        "s[\n  agent($x, %buyer) = ask() => agent(!Buyer1, %buyer)\n]",
        "s[\n  agent($x, %buyer) = ask() => agent(!Thief, %buyer)\n]";
    map106: "s[\n  agent(!Ann, %seller) = ask() => agent(!Buyer, %buyer)\n  agent($x, %buyer) = skip\n]\ncast %buyer = 3";
    map107:
        "s[\n  agent(!Ann, %seller) = skip\n  agent(!Ann, %buyer) = skip\n]",
        @ "buyer=2" "s[\n  agent(!Buyer2, %seller) = skip\n  agent($x, %buyer) = skip\n]";
    map108:
        "s[ agent($x, %buyer) = skip ]\ncast %buyers = 2",
        "s[ agent($x, %buyer) = skip ]\ncast !Thief = 2",
        "s[ agent($x, %buyer) = skip ]\ncast !Buyer2 = 1",
        "s[ agent($x, %buyer) = skip ]\nt[ agent($x, %buyer) = skip ]\ncast %thief = 2",
        @ "byer=2" "s[ agent($x, %buyer) = skip agent(!Ann, %seller) = skip ]",
        @ "thief=2" "s[ agent($x, %buyer) = skip agent(!Ann, %seller) = skip ]";
    map109:
        "s[ agent(!Ann, %buyer) = skip agent(!Bob, %buyer) = skip ]\ncast %buyer = 2",
        @ "buyer=2" "s[ agent(!Ann, %buyer) = skip agent(!Bob, %buyer) = skip ]";
    map110:
        "s[ agent($x, %buyer) = skip ]\ncast %buyer = -2",
        "s[ agent($x, %buyer) = skip ]\ncast %buyer = 1000001",
        "s[ agent($x, %buyer) = skip agent($x, %seller) = skip ]\ncast %buyer = 1000000",
        @ "buyer=-2" "s[ agent($x, %buyer) = skip ]",
        @ "buyer=1000000" "s[ agent($x, %buyer) = skip agent($x, %seller) = skip ]";
    map111:
        @ "trde" "trade[ agent($x, %a) = skip ]\nloan[ agent($x, %a) = skip ]",
        @ "theft" "trade[ agent($x, %a) = skip ]\nloan[ agent($x, %a) = skip ]";
    map112: "s[ agent($x, %buyer) = skip ]\ncast %buyer = 2\ncast !Buyer = 3";
    map201:
        "s[\n  agent($x, %buyer) = agent(loop)\n  agent($x, %buyr, loop) = skip\n]",
        "s[\n  agent($x, %buyer, loop) = skip\n  agent($x, %buyer, wait) = skip\n]",
        "s[\n  agent($x, %buyer) = skip\n  agent(!Ann, %buyer, wait) = skip\n]";
    map202: "s[\n  agent($x, %buyer) = skip\n  agent($y, %buyer) = fail\n]";
    map203:
        "s[\n  agent($x, %buyer) = agent(loop, 10)\n  agent($x, %buyer, loop) = skip\n]",
        "s[\n  agent($x, %buyer) = agent(lop, 10)\n  agent($x, %buyer, loop, $y) = skip\n]",
        "s[\n  agent(!Ann, %buyer) = agent(loop, 10)\n  agent($x, %buyer) = skip\n  agent($x, %buyer, loop, $y) = skip\n]",
        "s[\n  agent($x, %buyer) = ask() => agent(_, %buyer) then agent($x, %buyer)\n]",
        "s[\n  agent($x, %buyer) = ask() => agent(_, %buyer) then agent($x)\n]";
    map204:
        "s[\n  agent($x, %buyer) = waitfor (ask($price) => agent(!Shop, %shop) or ask(0) <= agent(_, %shop))\n  agent(!Shop, %shop) = skip\n]",
        "s[\n  agent($x, %buyer) = ask($price) => agent(_, %buyer)\n]",
        "s[\n  agent($x, %buyer) = $price = p() then ask($prise) => agent(_, %buyer)\n]",
        "s[\n  agent($x, %buyer) = ask($price) => agent(_, %buyer)\n    then $price = p()\n]",
        "s[\n  agent($x, %buyer) = $price = p()\n    or ask($price) => agent(_, %buyer)\n]";
    map205:
        "s[\n  agent($x, %buyer) = ($price = p() or skip)\n    then ask($price) => agent(_, %buyer)\n]",
        "s[\n  agent($x, %buyer) = ($price = p() or $price = q() or skip)\n    then ask($price) => agent(_, %buyer)\n]",
        "s[\n  agent($x, %buyer) =\n    waitfor ask() <= agent($who, %buyer) timeout skip\n    then no() => agent($who, %buyer)\n]",
        "s[\n  agent($x, %buyer) =\n    waitfor ask() <= agent(_, %buyer) timeout $y = p()\n    then $z = q($y)\n]";
    map206:
        "s[\n  agent($x, %buyer) = ($price = p() or skip)\n    then ask($price) <= agent(_, %buyer)\n]",
        "s[\n  agent($x, %buyer) = ($price = p() or skip)\n    then $price = p()\n]";
    map207:
        "s[\n  agent($x, %buyer) = ask(_) => agent(_, %buyer)\n]",
        "s[\n  agent($x, %buyer) = $y = p(_)\n]",
        "s[\n  agent($x, %buyer) = agent(_)\n  agent($x, %buyer, _) = skip\n]";
    map208: "s[\n  agent($x, %buyer) = $price = p()\n    par ask($price) <= agent(_, %buyer)\n]";
    map209: "s[\n  agent($x, %buyer) = $price = p()\n    par ask($price) => agent(_, %buyer)\n]";
    map210:
        "s[\n  agent($x, %buyer) = ask(10) then waitfor offer() <= agent(_, %seller)\n  agent($x, %seller) = waitfor ask($p) <= agent(_, %buyer)\n]",
        "s[\n  agent($x, %buyer) = waitfor (ask($p) then skip)\n  agent($x, %seller) = ask(10) => agent(_, %buyer)\n]",
        "s[\n  agent($x, %buyer) = $y = price() then keep($y, 10)\n]",
        "s[\n  agent($x, %buyer) = $y = price() then kep($y) or skip\n]\ndecision keep($y)";
    map211:
        "s[\n  agent($x, %a) = waitfor m(1 + 2, $y) <= agent(_, %b)\n  agent($x, %b) = m(3, 4) => agent(_, %a)\n]",
        "memory %a { @n = 0 }\ns[\n  agent($x, %a) = waitfor m(@n) <= agent((self), %b)\n  agent($x, %b) = m(3) => agent(_, %a)\n]",
        "s[\n  agent($x, %a) = waitfor m() <= agent(_, if 1 < 2 then %a else %b)\n  agent($x, %b) = m() => agent(_, %a)\n]";
    values_of_acts:
        "memory %b { @price = 0 }\ns[\n  agent($x, %a) = m(@price + 1) => agent(_, %b)\n  agent($x, %b) = waitfor m(_) <= agent(_, %a)\n]",
        "memory %a { @price = 0 }\ns[\n  agent($x, %a) = m(@prise + 1) => agent(_, %a)\n]",
        "s[\n  agent($x, %a) = p(@price) then skip\n]\nprocedure p($x)",
        "s[\n  agent($x, %a) = m($y + 1) => agent(_, %a)\n]",
        "s[\n  agent($x, %a) = ($y = p() or skip) then agent(on, $y * 2)\n  agent($x, %a, on, $n) = skip\n]",
        "s[\n  agent($x, %a) = m(1) => agent(if $x == !Thief then $x else !B, %a)\n]",
        "s[\n  agent($x, %a) = agent(on, 1 < 2, (not 1 < 2), yes + 1)\n  agent($x, %a, on, _, _, _) = skip\n]",
        "s[\n  agent($x, %a) = m(1) => agent(if 1 then $x else $x, %a)\n]",
        "s[\n  agent($x, %a) = $y = p() par m($y + 1) => agent(_, %a)\n]",
        "s[\n  agent($x, %a) = m(min(self, 2)) => agent(_, %a)\n]";
}
