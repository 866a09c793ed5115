//! What is said of a verdict that is none: the steps with which integers grow, and advice that was tried.

use serde_json::Value;

use super::map_with;
use super::schema::fits;

/// A price that nothing bounds.
const RISING: &[u8] = b"procedure first() = 10
decision raised($price) | $price != 0 = $price + 5
s[
    agent(!Seller, %seller) = $price = first() then agent(offer, $price)
    agent(!Seller, %seller, offer, $price) =
        offer($price) => agent(_, %buyer)
        then waitfor (bid($bid) <= agent(_, %buyer) then agent(offer, $bid))
    agent(!Buyer, %buyer) =
        waitfor (offer($price) <= agent(_, %seller)
        then $bid = raised($price) then bid($bid) => agent(_, %seller) then agent())
]";

#[test]
fn an_integer_that_grows_is_named_with_its_loop() {
    for flags in [&["--max-states", "100"][..], &["--max-states", "1000", "--reductions", "none"]] {
        let ran = map_with(RISING, &[&["verify", "-"], flags].concat()).exits(4);
        let (_, told) =
            ran.out.split_once("A run took these steps 200 times, and each time ").expect("it is said");
        let (grew, steps) = told.split_once(";").expect("something follows");
        assert!(grew.contains("grew by 5"), "{grew}");
        let steps: Vec<&str> = steps.lines().skip(1).take_while(|line| line.starts_with("  ")).collect();
        assert!(steps.len() == 5 && steps.iter().any(|it| it.contains("asks raised(")), "{steps:?}");
        ran.out_has("next: a limit to what grows, or a bound on rounds (--rounds 3)");
    }
    let ran = map_with(RISING, &["verify", "-", "--max-states", "100", "--format", "json"]).exits(4);
    let output: Value = serde_json::from_str(&ran.out).expect("it is JSON");
    fits("verify", &output);
    let growth = &output["growth"];
    let from = growth["repeated_from"].as_u64().expect("a number") as usize;
    let steps = growth["trace"].as_array().map_or(0, Vec::len);
    assert_eq!((&growth["rounds"], steps - from), (&200.into(), 5));
    let values = growth["values"].as_array().expect("some grow");
    assert!(!values.is_empty() && values.iter().all(|value| value["by"] == 5), "{values:?}");
    // With a bound there is a verdict.
    map_with(RISING, &["verify", "-", "--rounds", "3"]).exits(0);
}

/// Each of some clients sends so many messages before anybody reads.
const CHATTY: &[u8] = b"cast %client = 2
s[
    agent(!Desk, %desk) = waitfor (last() <= agent(_, %client) then agent(read)) timeout skip
    agent(!Desk, %desk, read) = waitfor (note() <= agent(_, %client) then agent()) timeout skip
    agent($me, %client) =
        note() => agent(_, %desk) then note() => agent(_, %desk) then note() => agent(_, %desk)
        then last() => agent(_, %desk)
]";

#[test]
fn a_larger_mailbox_is_tried_before_it_is_advised() {
    map_with(CHATTY, &["verify", "-", "--mailbox", "2"])
        .exits(1)
        .out_has("next: --mailbox 1000, if 1,000 messages are meant: terminates (tried, ");
    let flood = "s[ agent(!A, %a) = m() => agent(!B, %b) then agent() agent(!B, %b) = waitfor never() <= agent(!A, %a) ]";
    map_with(flood.as_bytes(), &["verify", "-"])
        .exits(1)
        .out_has("next: --mailbox 1000 does not help: it overflows, too (tried, ");
    // What nobody asked for is not tried.
    let quiet = map_with(CHATTY, &["verify", "-", "--mailbox", "2", "-q"]).exits(1);
    assert!(!quiet.out.contains("tried"), "{}", quiet.out);
}

/// What is sent is not read as fast, and there are many orders of its values.
const FLOOD: &[u8] = b"procedure pick() in 1..3
decision keep($x) | $x > 1 = $x
s[
    agent(!Feed, %feed) = $x = pick() then item($x) => agent(!Sink, %sink) then agent()
    agent(!Sink, %sink) = waitfor (item($x) <= agent(!Feed, %feed) then $y = keep($x) then agent(more, $y))
    agent(!Sink, %sink, more, $y) = waitfor (item($y) <= agent(!Feed, %feed) then agent())
]";

#[test]
fn small_mailboxes_are_tried_before_a_bound_on_rounds_is_advised() {
    map_with(FLOOD, &["verify", "-", "--max-states", "2000"])
        .exits(4)
        .out_has("next: --mailbox 3, which finds a flood of messages: mailbox overflow after ");
    // Where nothing overflows there is no such advice.
    let ran = map_with(SERVER, &["verify", "-", "--reductions", "none", "--max-states", "3000"]).exits(4);
    assert!(!ran.out.contains("flood"), "{}", ran.out);
}

/// A server that answers everybody who asks.
const SERVER: &[u8] = b"cast %client = 12
s[
    agent(!Server, %server) =
        waitfor (ask() <= agent($who, %client) then answer() => agent($who, %client) then agent()) timeout skip
    agent($me, %client) = ask() => agent(!Server, %server) then waitfor answer() <= agent(!Server, %server)
]";

#[test]
fn any_number_is_tried_before_it_is_advised() {
    let flags = ["verify", "-", "--reductions", "none", "--max-states", "3000"];
    map_with(SERVER, &flags)
        .exits(4)
        .out_has("next: --agents client=any: terminates for any number (tried, ");
    // There is no proof for this one, so none is advised.
    let once = String::from_utf8_lossy(SERVER).replace("then agent()) timeout skip", ")");
    let ran = map_with(once.as_bytes(), &["verify", "-", "--reductions", "none", "--max-states", "20"]);
    assert!(!ran.out.contains("=any"), "{}", ran.out);
}
