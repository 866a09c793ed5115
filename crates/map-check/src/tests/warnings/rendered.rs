//! Snapshots of the rendered warnings, one file for each code.

use super::super::rendered::plain;
use super::{options, parsed};

fn shown(text: &str) -> String {
    let (source, file) = parsed(text);
    plain(&source, &crate::lint(&source, &file, &options("")))
}

macro_rules! snapshots {
    ($($name:ident: $($text:literal),+;)*) => {
        $(#[test]
        fn $name() {
            let all = [$(shown($text)),+];
            insta::assert_snapshot!(stringify!($name), all.join("\n"));
        })*
    };
}

snapshots! {
    map301:
        "s[\n  agent($me, %seller) =\n    $goods = choose()\n    then $price = getPrice(1, $goods, $goods)\n]",
        "decision choose()\ns[\n  agent(!Ann, %seller) = agent(sell)\n  agent(!Ann, %seller, sell) = $goods = choose()\n]";
    map302:
        "s[\n  agent(!Desk, %desk) =\n    waitfor (\n      ring() <= agent(_, %guest)\n      or agent()\n    )\n  agent($me, %guest) = ring() => agent(!Desk, %desk)\n]",
        "s[\n  agent(!Desk, %desk) = agent(ask)\n  agent(!Desk, %desk, ask) =\n    $x = ready() or agent(wait)\n  agent(!Desk, %desk, wait) = agent(ask)\n]";
    map303:
        "s[\n  agent($me, %judge) =\n    guilty() => agent(_, %clerk)\n    or acquitted() => agent(_, %clerk)\n    or skip\n  agent($me, %clerk) =\n    waitfor (guilty() <= agent(_, %judge) or acquitted() <= agent(_, %judge))\n]",
        "s[\n  agent($me, %judge) =\n    (waitfor plea() <= agent(_, %clerk))\n    or $verdict = think()\n  agent($me, %clerk) =\n    waitfor (plea() => agent(_, %judge))\n    timeout skip\n]";
    map304:
        "s[\n  agent($me, %a) = agent(count, 0)\n  agent($me, %a, count, _) = skip\n  agent($me, %a, count, 0) = fail\n]",
        "s[\n  agent($me, %a) = agent(count, 0)\n  agent($me, %a, count, 0) = skip\n  agent($me, %a, count, 0) = fail\n]";
    map305:
        "s[\n  agent($me, %buyer) = offer(10, 2) => agent(_, %seller)\n  agent($me, %seller) = waitfor offer(_) <= agent(_, %buyer)\n]",
        "s[\n  agent($me, %buyer) = ofer(10) => agent(!Seller, %seller)\n  agent($me, %seller) = waitfor offer(_) <= agent(_, %buyer)\n]",
        "s[\n  agent($me, %buyer) = offer(10) => agent(_, %seller)\n  agent($me, %seller) = waitfor offer(_) <= agent(_, %seller)\n]",
        "s[\n  agent($me, %buyer) = offer(10) => agent(_, %seller) then offer(20) => agent(_, %bank)\n  agent($me, %seller) = skip\n  agent($me, %bank) = waitfor offer(_) <= agent(_, %buyer)\n]",
        "s[\n  agent(!Ann, %buyer) = offer(10, 2) => agent(_, _)\n]",
        "s[\n  agent(!Ann, %buyer) = skip\n  agent(!Bob, %seller) =\n    offer() => agent(!Ann, %seller)\n    then offer() => agent(!Bob, %seller)\n]";
    map306:
        "s[\n  agent($me, %buyer) = offer(10) => agent(_, %seller)\n  agent($me, %seller) =\n    waitfor (\n      offer(_) <= agent(_, %buyer)\n      or offer(_, _) <= agent(_, %buyer)\n      or offr(_) <= agent(_, %buyer)\n      or withdrawal() <= agent(_, _)\n      or offer(_) <= agent(!Buyer, %seller)\n    )\n]",
        "s[\n  agent($me, %buyer) = offer(10) => agent(_, %bank)\n  agent($me, %seller) = waitfor offer(_) <= agent(_, %buyer)\n  agent($me, %bank) = waitfor offer(_) <= agent(_, %buyer)\n]";
    map307:
        "s[\n  agent($me, %buyer) =\n    waitfor (\n      offer($price) <= agent(_, %seller)\n      then $yes = affordable($price)\n    )\n    timeout skip\n  agent($me, %seller) = offer(10) => agent(_, %buyer)\n]",
        "s[\n  agent($me, %buyer) =\n    waitfor (\n      goods() <= agent(_, %seller) then bill() <= agent(_, %seller)\n      or strike() <= agent(_, %seller)\n    )\n  agent($me, %seller) =\n    goods() => agent(_, %buyer) then bill() => agent(_, %buyer) then strike() => agent(_, %buyer)\n]",
        "s[\n  agent($me, %buyer) =\n    waitfor (goods() <= agent(_, %seller) then agent(inspect))\n  agent($me, %buyer, inspect) = $fine = look()\n  agent($me, %seller) = goods() => agent(_, %buyer)\n]",
        "procedure look()\ns[\n  agent($me, %buyer) =\n    waitfor (goods($what) <= agent(_, %seller) then $what = look())\n  agent($me, %seller) = goods(pears) => agent(_, %buyer)\n]";
    map308:
        "s[\n  agent($me, %buyer) =\n    offer($price) <= agent(_, %seller)\n    then $yes = affordable($price)\n    or strike() <= agent(_, %seller)\n  agent($me, %seller) = offer(10) => agent(_, %buyer) then strike() => agent(_, %buyer)\n]",
        "s[\n  agent($me, %buyer) = agent(take)\n  agent($me, %buyer, take) = offer(_) <= agent(_, %seller)\n  agent($me, %seller) = offer(10) => agent(_, %buyer)\n]";
    map309:
        "s[\n  agent($me, %buyer) =\n    waitfor (\n      waitfor offer() <= agent(_, %seller)\n      timeout hello() => agent(_, %seller)\n    )\n    timeout skip\n  agent($me, %seller) =\n    waitfor (hello() <= agent(_, %buyer) or agent(idle)) timeout offer() => agent(_, %buyer)\n  agent($me, %seller, idle) = waitfor hello() <= agent(_, %buyer)\n]",
        "s[\n  agent($me, %buyer) = waitfor (waitfor offer() <= agent(_, %seller) timeout skip)\n  agent($me, %seller) = offer() => agent(_, %buyer)\n]";
    map310:
        "s[\n  agent($me, %buyer) =\n    waitfor (\n      offer() <= agent(_, %seller)\n      par hello() <= agent(_, %seller)\n    )\n    timeout skip\n  agent($me, %seller) = offer() => agent(_, %buyer) then hello() => agent(_, %buyer)\n]";
    map311:
        "s[\n  agent($me, %buyer) = waitfor (offer($price) <= agent(_, %seller) then agent(pay, 5))\n  agent($me, %buyer, pay, $sum) = skip\n  agent($me, %seller) = offer(10) => agent(_, %buyer)\n]";
    map312:
        "s[\n  agent($me, %buyer) = skip\n  agent($me, %buyer, pay, $sum) = thanks($sum) => agent(_, %seller)\n  agent($me, %seller) = waitfor thanks(_) <= agent(_, %buyer) timeout skip\n]",
        "s[\n  agent(!Ann, %buyer) = skip\n  agent(!Ann, %buyer, pay) = $more = greedy() then agent(pay) or skip\n]";
    map313:
        "s[\n  agent($me, %buyer) =\n    $more = greedy() then agent() then enough() => agent(_, %seller)\n    or skip\n  agent($me, %seller) = waitfor (enough() <= agent(_, %buyer) then agent())\n]",
        "s[\n  agent($me, %buyer) =\n    waitfor (\n      offer() <= agent(_, %seller) then agent()\n    )\n    timeout ($better = look())\n  agent($me, %seller) = offer() => agent(_, %buyer)\n]",
        "s[\n  agent($me, %buyer) =\n    $more = greedy() then (agent() par offer() => agent(_, %seller))\n    or skip\n  agent($me, %seller) = waitfor (offer() <= agent(_, %buyer) then agent())\n]";
    map314:
        "// map: allow(MAP301)\ns[\n  // map: allow(MAP399)\n  agent($me, %buyer) = skip // map: allow(MAP307, MAP204)\n]\n// map: allow\ncast %buyer = 1";
    map315:
        "procedure getPrice()\ns[\n  agent($me, %buyer) = $x = getPrise() or skip\n]";
    map317:
        "s[\n  agent(!Desk, %desk) =\n    call() <= agent($who, %guest)\n    then waitfor pay($sum) <= agent($who, %guest)\n    or closed() <= agent(_, %guest)\n  agent($me, %guest) = call() => agent(!Desk, %desk) then pay(1) => agent(!Desk, %desk) then closed() => agent(!Desk, %desk)\n]",
        "s[\n  agent(!Desk, %desk) =\n    waitfor (\n      closed() <= agent(_, %guest)\n      or call($who, $room, 1) <= agent(_, %guest) then $room = a_room_with_a_view_of_the_sea($who, $room) then waitfor (pay($sum) <= agent($who, %guest) then thanks($sum) => agent($who, %guest)) or leave() <= agent($who, %guest)\n    )\n  agent($me, %guest) = call($me, 1, 1) => agent(!Desk, %desk) then pay(1) => agent(!Desk, %desk) then (waitfor thanks(_) <= agent(!Desk, %desk)) then leave() => agent(!Desk, %desk) then closed() => agent(!Desk, %desk)\n]",
        "s[\n  agent(!S, %s) = closed(!S, 1) => agent(_, %b) then pay() => agent(_, %b)\n  agent($me, %b) =\n    waitfor (\n      closed($me, _) <= agent(_, %s)\n      then (waitfor (pay() <= agent(_, %s) or closed(_, _) <= agent(_, %s)))\n    )\n]";
    map320:
        "s[\n  agent(!A, %a) =\n    m() => agent(B, %b) then m() => agent(c, %b) then m() => agent(b, %b) then m() => agent(3, %b) then m() => agent(_, b)\n  agent(!B, %b) = waitfor m() <= agent(_, %a)\n  agent(!C, %b) = waitfor m() <= agent(a, a)\n  agent($x, %d) = waitfor m() <= agent(x, %a)\n]";
    map321:
        "procedure price($lot, $day) in 1..3\ns[\n  agent($me, %buyer) = skip\n]";
}
