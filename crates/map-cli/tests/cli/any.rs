//! `--agents bidder=any`.

use serde_json::Value;

use super::schema::fits;
use super::{map, map_with};

/// A server that answers everybody who asks, and its like with a fault.
const SERVER: &[u8] = b"cast %client = 1
s[
    agent(!Server, %server) =
        waitfor (ask() <= agent($who, %client) then answer() => agent($who, %client) then agent()) timeout skip
    agent($me, %client) = ask() => agent(!Server, %server) then waitfor answer() <= agent(!Server, %server)
]";

/// Two clients are one too many.
const ONCE: &[u8] = b"cast %client = 1
s[
    agent(!Server, %server) = waitfor (ask() <= agent($who, %client) then answer() => agent($who, %client))
    agent($me, %client) = ask() => agent(!Server, %server) then waitfor answer() <= agent(!Server, %server)
]";

/// One client is named.
const NAMED: &[u8] = b"cast %client = 1
s[
    agent(!Server, %server) = hello() => agent(!Client1, %client)
    agent($me, %client) = waitfor (hello() <= agent(!Server, %server)) timeout skip
]";

#[test]
fn what_is_proved_is_said_with_what_it_rests_on() {
    map_with(SERVER, &["verify", "-", "--agents", "client=any"])
        .exits(0)
        .out_has("terminates, for any number of %client")
        .out_has("proved for two or more from")
        .out_has("with client=1: terminates")
        .out_has("assumed: mailboxes have no bound");
    map_with(SERVER, &["verify", "-", "-q", "--agents", "client=2..any"])
        .exits(0)
        .out_has("terminates, for any number of %client from 2 on");
}

#[test]
fn a_policy_is_named() {
    map(&["verify", "auction.map", "--agents", "bidder=any", "--max-states", "5000"])
        .exits(0)
        .out_has("terminates if fair, for any number of %bidder")
        .out_has("they do whenever recordBid says \"no\"");
}

#[test]
fn a_violation_with_some_number_is_shown() {
    map_with(ONCE, &["verify", "-", "--agents", "client=any"])
        .exits(1)
        .out_has("deadlock, with client=2")
        .out_has("Nothing can happen any more, but not everybody has ended");
    let output = map_with(ONCE, &["verify", "-", "--agents", "client=any", "--format", "json"]).exits(1);
    let output: Value = serde_json::from_str(&output.out).expect("it is JSON");
    fits("verify", &output);
    assert_eq!(output["proved"], Value::Bool(false));
    assert_eq!(output["violation"]["verdict"], "deadlock");
    assert_eq!(output["violation"]["cast"][0], "client=2");
}

#[test]
fn what_cannot_be_shown_is_no_proof() {
    map_with(NAMED, &["verify", "-", "--agents", "client=any"])
        .exits(4)
        .out_has("no proof, for any number of %client")
        .out_has("the text names agents of the role");
    map_with(SERVER, &["verify", "-", "--agents", "client=any", "--network", "lossy:1"]).exits(1);
    map_with(SERVER, &["verify", "-", "--agents", "server=any"]).exits(3);
}

#[test]
fn the_answer_fits_its_schema() {
    let output = map_with(SERVER, &["verify", "-", "--agents", "client=any", "--format", "json"]).exits(0);
    let output: Value = serde_json::from_str(&output.out).expect("it is JSON");
    fits("verify", &output);
    assert_eq!(output["scope"], "any");
    assert_eq!(output["verdict"], "terminates");
    assert_eq!(output["verified"].as_array().map(Vec::len), Some(3));
    assert_eq!(output["cast"][0], "client=any");
}

#[test]
fn any_number_is_for_one_role_of_verify() {
    map_with(SERVER, &["run", "-", "--agents", "client=any"]).exits(2).err_has("for `map verify` alone");
    map_with(SERVER, &["verify", "-", "--agents", "client=any,server=any"])
        .exits(2)
        .err_has("one role at a time");
    map_with(SERVER, &["verify", "-", "--agents", "client=any", "--weather"])
        .exits(2)
        .err_has("--weather is for a number of agents");
    map_with(SERVER, &["verify", "-", "--agents", "client=0..any"]).exits(2).err_has("1 or more");
}

/// Runs `map test` on a file with these lines above a scene.
fn test(lines: &str, scene: &[u8]) -> crate::Ran {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("a.map");
    let scene = String::from_utf8_lossy(scene);
    std::fs::write(&path, format!("{lines}\n{scene}")).expect("it can be written");
    map(&["test", &path.display().to_string()])
}

#[test]
fn a_test_expects_a_verdict_for_any_number() {
    test("//@ verify --agents client=any => terminates, 24 views", SERVER)
        .exits(0)
        .out_has("ok    ")
        .out_has("1 test: 1 as expected");
    test("//@ verify --agents client=2..any => terminates", SERVER).exits(0);
    test("//@ verify --agents client=any => deadlock, with client=2", ONCE).exits(0);
    test("//@ verify --agents client=any => deadlock", ONCE).exits(0);
    test("//@ verify --agents client=any => no proof", NAMED).exits(0);
}

#[test]
fn a_test_of_any_number_can_fail() {
    test("//@ verify --agents client=any => terminates if fair", SERVER)
        .exits(1)
        .out_has("found: //@ verify --agents client=any => terminates")
        .out_has("--agents client=any");
    test("//@ verify --agents client=any => deadlock, with client=3", ONCE)
        .exits(1)
        .out_has("found: //@ verify --agents client=any => deadlock, with client=2");
    test("//@ verify --agents client=any => terminates", NAMED)
        .exits(1)
        .out_has("found: //@ verify --agents client=any => no proof");
    // A limit that came first is no other answer.
    test("//@ verify --agents client=any --max-states 2 => terminates", SERVER)
        .exits(4)
        .out_has("a limit came first");
}

#[test]
fn a_test_of_any_number_says_what_it_cannot_be_about() {
    for (line, why) in [
        ("//@ verify --agents client=any,server=any => terminates", "one role at a time"),
        ("//@ verify --agents client=any => inconclusive", "`inconclusive` is no verdict"),
        (
            "//@ verify --agents client=any --property 'never ended' => terminates",
            "--property is for a number",
        ),
        ("//@ verify => no proof", "`no proof` is no verdict"),
        ("//@ verify --agents client=any => terminates\n//@ property p => holds", "judged for one number"),
    ] {
        test(line, SERVER).exits(3).err_has(why);
    }
}
