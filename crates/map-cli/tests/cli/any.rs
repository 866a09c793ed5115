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
        .out_has("with client=1 to 3: terminates, ")
        .out_has("most messages in a mailbox, with client=1 to 3: %server 1, 2, 3; %client 1")
        .out_has("assumed: mailboxes have no bound");
    map_with(SERVER, &["verify", "-", "-q", "--agents", "client=2..any"])
        .exits(0)
        .out_has("terminates, for any number of %client from 2 on");
}

#[test]
fn a_policy_is_named() {
    map(&["verify", "auction.map", "--agents", "bidder=any", "--max-states", "5000"])
        .exits(4)
        .out_has("terminates if fair, for any number of %bidder")
        .out_has("they do whenever recordBid says \"no\"");
}

/// Clients that may send without end to each other, and read nothing.
const FLOOD: &[u8] = b"decision more()
s[
    agent(!Host, %host) = skip
    agent($me, %client) = agent(talk)
    agent($me, %client, talk) = $x = more() then (news() => agent(_, %client) then agent(talk) or skip) or skip
]";

#[test]
fn a_mailbox_that_may_overflow_with_some_number_is_no_success_whatever_the_limit() {
    let flood =
        |states: &str| map_with(FLOOD, &["verify", "-", "--agents", "client=2..any", "--max-states", states]);
    flood("100")
        .exits(4)
        .out_has("terminates if fair, for any number of %client from 2 on")
        .out_has("not known: whether a mailbox of 50 overflows with client=2");
    flood("4000000").exits(1).out_has("mailbox overflow, with client=2");
}

#[test]
fn nothing_is_said_of_a_number_with_which_the_text_has_errors() {
    let named = [SERVER, b"property asked : possible !Client1 sends ask() to _"].concat();
    map_with(&named, &["verify", "-", "--agents", "client=any"])
        .exits(0)
        .out_has("terminates, for any number of %client from 2 on")
        .out_has("nothing is said of client=1: with it the text has an error")
        .out_has("!Client1")
        .out_has("(MAP105)");
    let output = map_with(&named, &["verify", "-", "--agents", "client=any", "--format", "json"]).exits(0);
    let output: Value = serde_json::from_str(&output.out).expect("it is JSON");
    assert_eq!(output["from"], 2);
}

/// The clients divide by what they are told to.
const SHARE: &[u8] = b"procedure people()
procedure share($n) = 12 / $n
s[
    agent(!Host, %host) = go() => agent(_, %client)
    agent($me, %client) = waitfor (go() <= agent(_, %host) then $n = people() then $y = share($n))
]";

#[test]
fn an_unknown_divisor_is_no_proof() {
    map_with(SHARE, &["verify", "-", "--agents", "client=any"])
        .exits(1)
        .out_has("run error, with client=1")
        .out_has("step 4 takes people#1 = 0");
    let guarded = String::from_utf8_lossy(SHARE).replace("12 / $n", "if $n == 0 then 0 else 12 / $n");
    map_with(guarded.as_bytes(), &["verify", "-", "--agents", "client=any"])
        .exits(0)
        .out_has("terminates, for any number of %client")
        .out_has("assumed: people answers numbers where the text needs them");
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
        .out_has(
            "not tried: the text names !Client1 at <stdin>:3:48, so the agents of %client are not interchangeable",
        )
        .out_has("to go on: let messages tell who is meant, or verify a number: --agents client=10");
    map_with(SERVER, &["verify", "-", "--agents", "client=any", "--max-states", "2"])
        .exits(4)
        .out_has("not known for client=1, which is verified by itself: there are too many states")
        .out_has("to go on: raise --max-states");
}

/// Clients hear three equal messages: views do not tell so many apart.
const THREE: &str = "cast %client = 1
s[
    agent(!Server, %server) =
        tick() => agent(_, %client) then tick() => agent(_, %client) then tick() => agent(_, %client)
    agent($me, %client) =
        (waitfor tick() <= agent(!Server, %server)) then (waitfor tick() <= agent(!Server, %server))
        then (waitfor tick() <= agent(!Server, %server))
]";

#[test]
fn where_there_is_no_proof_more_numbers_are_verified() {
    map_with(THREE.as_bytes(), &["verify", "-", "--agents", "client=any"])
        .exits(4)
        .out_has("no proof, for any number of %client")
        .out_has("with client=1 to 9: terminates, ")
        .out_has("no new views since 1")
        .out_has("most messages in a mailbox, with client=1 to 9: %client 3")
        .out_has("not excluded: a deadlock")
        .out_has("--agents client=10 looks for one");
    let output = map_with(THREE.as_bytes(), &["verify", "-", "--agents", "client=any", "--format", "json"]);
    let output: Value = serde_json::from_str(&output.exits(4).out).expect("it is JSON");
    fits("verify", &output);
    assert_eq!(output["verified"].as_array().map(Vec::len), Some(9));
    assert_eq!(output["no_new_views_since"], 1);
    let new: Vec<u64> = numbers(&output, "new_views");
    assert!(new[0] > 0 && new[1..].iter().all(|&it| it == 0), "{new:?}");
    let mailboxes = output["verified"][8]["mailboxes"].as_array().expect("they were looked at");
    let of_clients = mailboxes.iter().find(|it| it["role"] == "client").map(|it| &it["messages"]);
    assert_eq!(of_clients, Some(&Value::from(3)));
    let junit = written(THREE.as_bytes(), "--junit", 4);
    assert!(junit.contains("with client=1 to 9: terminates") && junit.contains("errors=\"1\""), "{junit}");
    assert!(written(THREE.as_bytes(), "--report", 4).contains("no new views since"));
    test("//@ verify --agents client=any => no proof", THREE.as_bytes()).exits(0);
}

/// These numbers of all numbers of agents that were verified.
fn numbers(output: &Value, what: &str) -> Vec<u64> {
    let verified = output["verified"].as_array().expect("there are some");
    verified.iter().map(|it| it[what].as_u64().expect("it is a number")).collect()
}

#[test]
fn a_limit_ends_the_evidence() {
    let five = "cast %client = 1
s[
    agent(!Server, %server) = waitfor (tick() <= agent($who, %client) then agent(more, $who)) timeout skip
    agent(!Server, %server, more, $who) =
        (waitfor tick() <= agent($who, %client)) then (waitfor tick() <= agent($who, %client)) then agent()
    agent($me, %client) =
        tick() => agent(!Server, %server) then tick() => agent(!Server, %server) then tick() => agent(!Server, %server)
]";
    map_with(five.as_bytes(), &["verify", "-", "--agents", "client=any", "--max-states", "300"])
        .exits(4)
        .out_has("not finished, too many states");
}

#[test]
fn a_violation_with_more_than_three_is_shown() {
    let five = "cast %client = 1
memory %server { @seen = 0 }
procedure note() = yes with @seen := @seen + 1
decision few() | @seen < 5 = yes
s[
    agent(!Server, %server) = waitfor (ask() <= agent(_, %client) then note() then agent()) timeout agent(check)
    agent(!Server, %server, check) = few()
    agent($me, %client) = ask() => agent(!Server, %server)
]";
    map_with(five.as_bytes(), &["verify", "-", "--agents", "client=any"])
        .exits(1)
        .out_has("failure, with client=5")
        .out_has("!Client5");
    test("//@ verify --agents client=any => failure, with client=5", five.as_bytes()).exits(0);
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
fn any_number_is_for_verify() {
    map_with(SERVER, &["run", "-", "--agents", "client=any"]).exits(2).err_has("for `map verify` alone");
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
    // Nor is a proof that a mailbox which was not verified may refute.
    let flood = "//@ verify --agents client=2..any --max-states 100 => terminates if fair";
    test(flood, FLOOD).exits(4).out_has("a limit came first").out_has("unless a mailbox overflows");
    test(&format!("{flood}, unless a mailbox overflows"), FLOOD).exits(0);
}

#[test]
fn a_test_of_any_number_expects_what_is_judged_of_properties() {
    let with = |expected: &str| {
        let lines = format!("//@ verify --agents client=any => terminates\n//@ property {expected}\n");
        test(
            &lines,
            [
                SERVER,
                b"property once : forall $c in %client : always count($c sends ask() to _) <= 1\n\
            property twice : forall $c in %client : possible $c sends ask() to _",
            ]
            .concat()
            .as_slice(),
        )
    };
    with("once => holds").exits(0).out_has("1 as expected");
    with("once => not judged").exits(1).out_has("found: //@ property once => holds");
    with("twice => holds").exits(1).out_has("found: //@ property twice => not judged");
    with("thrice => holds").exits(1).out_has("there is no property thrice");
}

#[test]
fn properties_that_need_more_agents_than_views_show_are_not_passed_over() {
    let named = [SERVER, b"property asked : possible !Client4 sends ask() to _"].concat();
    map_with(&named, &["verify", "-", "--agents", "client=4..any"])
        .exits(4)
        .out_has("not judged: 1 property, which --agents client=4 judges");
}

#[test]
fn a_test_of_any_number_says_what_it_cannot_be_about() {
    for (line, why) in [
        ("//@ verify --agents client=any,server=any => terminates", "one role at a time"),
        (
            "//@ verify --agents client=any => terminates
//@ unread => nothing",
            "known of one number",
        ),
    ] {
        test(line, SERVER).exits(3).err_has(why);
    }
}

/// The cast of the file asks for any number, too.
#[test]
fn lines_about_properties_are_about_any_number_if_the_cast_is() {
    let any = String::from_utf8_lossy(SERVER).replace("%client = 1", "%client = any");
    let scene = format!("{any}\nproperty ends : eventually ended");
    test("//@ verify => terminates\n//@ property ends => holds", scene.as_bytes())
        .exits(1)
        .out_has("found: //@ property ends => not judged");
    test("//@ verify --agents client=2 => terminates\n//@ property ends => holds", scene.as_bytes()).exits(0);
}

#[test]
fn what_no_proof_can_be_about_is_refused_with_advice() {
    for (flags, exit, why) in [
        (&["--network", "lossy:1"][..], 2, "only if messages arrive at once"),
        (&["--network", "unordered,crash:1"], 2, "or give a number of agents, such as --agents client=3"),
        (&["--rounds", "2"], 2, "leave it out if there may be any number"),
        (&["--save-trace", "x.json"], 2, "give one, such as --agents client=3"),
    ] {
        let arguments = [&["verify", "-", "--agents", "client=any"], flags].concat();
        map_with(SERVER, &arguments).exits(exit).err_has(why);
    }
    map_with(SERVER, &["verify", "-", "--agents", "server=any"]).exits(3).err_has("server");
    map_with(SERVER, &["verify", "-", "--agents", "wizard=any"]).exits(3).err_has("wizard");
}

/// Runs `map verify` with a flag that names a file, and reads the file.
fn written(scene: &[u8], flag: &str, exit: i32) -> String {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("out");
    map_with(scene, &["verify", "-", "--agents", "client=any", flag, &path.display().to_string()])
        .exits(exit);
    std::fs::read_to_string(path).expect("it was written")
}

#[test]
fn the_verdict_is_a_suite_of_junit() {
    let junit = written(SERVER, "--junit", 0);
    for part in [
        "name=\"&lt;stdin&gt; (any number of %client)\"",
        "name=\"termination\"",
        "failures=\"0\" errors=\"0\"",
        "proved for two",
    ] {
        assert!(junit.contains(part), "{part}: {junit}");
    }
    let junit = written(ONCE, "--junit", 1);
    assert_eq!(junit.matches("<testcase ").count(), 1, "{junit}");
    assert!(junit.contains("deadlock, with client=2") && junit.contains("failures=\"1\""), "{junit}");
    let junit = written(NAMED, "--junit", 4);
    assert!(junit.contains("no proof") && junit.contains("errors=\"1\""), "{junit}");
}

#[test]
fn the_report_is_about_any_number() {
    let page = written(SERVER, "--report", 0);
    for part in
        ["terminates, for any number of %client", "proved for two or more", "states with client=3", "<svg"]
    {
        assert!(page.contains(part), "{part}");
    }
    assert!(written(NAMED, "--report", 4).contains("not tried: the text names !Client1"));
    // A violation is shown step by step, with the number of agents that has it.
    let page = written(ONCE, "--report", 1);
    assert!(page.contains("deadlock") && page.contains("!Client2"), "{page}");
}

/// Publishers send to subscribers; each is told by a server when all is over.
const PAIRS: &str = "//@ verify --agents a=any => terminates
cast %b = 2
s[
    agent($me, %a) = hello() => agent(_, %b)
    agent($me, %b) = waitfor (hello() <= agent(_, %a) then agent()) timeout skip
]
property p : eventually ended";

/// Properties of [`SERVER`]: two hold for any number of clients, one is violated with two, and one is not judged.
const PROPERTIES: &str = "
property waits_first : forall $c in %client : always $c receives answer() from _ implies done($c)
property asks_once : forall $c in %client : not (possible sequence $c sends ask() to _ ; $c sends ask() to _)
property one_answer : always !Server sends answer() to _ implies next never !Server sends answer() to _
property ends : eventually ended
property all : always count($c in %client : done($c)) < 5
property asked : forall $c in %client : never !Server sends answer() to $c and not before $c sends ask() to _
";

#[test]
fn properties_are_judged_for_any_number() {
    let text = format!("{}{PROPERTIES}", String::from_utf8_lossy(SERVER));
    let ran = map_with(text.as_bytes(), &["verify", "-", "--agents", "client=any"]).exits(1);
    ran.out_has("terminates, for any number of %client")
        .out_has("property waits_first holds, for any number of %client")
        .out_has("property asks_once holds, for any number of %client")
        .out_has("property one_answer is violated, with client=2")
        .out_has("property ends holds with client=1 to 3; not judged for any number: it is about what")
        .out_has(
            "property all holds with client=1 to 3; not judged for any number: it is about more than three of them",
        )
        .out_has("property asked holds, for any number of %client")
        // The run that shows it.
        .out_has("property one_answer  violated after");
    let output = map_with(text.as_bytes(), &["verify", "-", "--agents", "client=any", "--format", "json"]);
    let output: Value = serde_json::from_str(&output.exits(1).out).expect("it is JSON");
    fits("verify", &output);
    assert_eq!(output["proved"], Value::Bool(true));
    let found = output["properties"].as_array().expect("they were judged");
    let verdicts: Vec<_> = found.iter().map(|it| it["verdict"].as_str().unwrap_or_default()).collect();
    assert_eq!(verdicts, ["holds", "holds", "violated", "not judged", "not judged", "holds"]);
    assert_eq!(found[2]["with"], 2);
    assert_eq!(output["violation"]["cast"][0], "client=2");
    // Without that property it is no violation, and without properties none is told.
    let fine = text.replace("property one_answer", "// property one_answer");
    map_with(fine.as_bytes(), &["verify", "-", "--agents", "client=any"]).exits(0);
    let none =
        map_with(text.as_bytes(), &["verify", "-", "--agents", "client=any", "--no-properties"]).exits(0);
    assert!(!none.out.contains("property"), "{}", none.out);
    let junit = written(text.as_bytes(), "--junit", 1);
    assert!(junit.contains("property one_answer is violated, with client=2"), "{junit}");
    assert!(written(fine.as_bytes(), "--report", 0).contains("property asks_once holds, for any number"));
}

/// Two may be inside at once, and the lock knows who.
const TWO_INSIDE: &str = "cast %client = 2
s[
    agent(!Lock, %lock) = agent(open, 0)
    agent(!Lock, %lock, open, $inside) =
        waitfor (
            (ask() <= agent($who, %client) then grant() => agent($who, %client) then agent(one, $who))
        ) timeout skip
    agent(!Lock, %lock, one, $first) =
        waitfor (
            (ask() <= agent($who, %client) then grant() => agent($who, %client) then agent(two, $first, $who))
            or (release() <= agent($first, %client) then agent(open, 0))
        )
    agent(!Lock, %lock, two, $first, $second) =
        waitfor (
            (release() <= agent($first, %client) then agent(one, $second))
            or (release() <= agent($second, %client) then agent(one, $first))
        )
    agent($me, %client) =
        ask() => agent(!Lock, %lock) then waitfor (grant() <= agent(!Lock, %lock) then agent(inside))
    agent($me, %client, inside) = release() => agent(!Lock, %lock)
]
property one : never count($c in %client : $c in inside) > 1
property two : never count($c in %client : $c in inside) > 2
property pairs : forall $c in %client : forall $d in %client : forall $e in %client :
    $c == $d or $d == $e or $c == $e or never ($c in inside and $d in inside and $e in inside)
";

/// What is said of two or three of them at once is seen where as many are.
#[test]
fn properties_of_several_are_judged_for_any_number() {
    map_with(TWO_INSIDE.as_bytes(), &["verify", "-", "--agents", "client=any"])
        .exits(1)
        .out_has("terminates, for any number of %client")
        .out_has("property one is violated, with client=2")
        .out_has("property two holds, for any number of %client")
        .out_has("property pairs holds, for any number of %client");
}

/// Claims that the beginning of a run can refute, in different forms.
const SAFETY: &str = "
property asks_no_more : forall $c in %client :
    always ($c sends release() to _ implies never $c sends ask() to _)
property asks_at_once : forall $c in %client : always ($c sends ask() to _ implies never $c sends ask() to _)
property releases_later : forall $c in %client : always ($c sends ask() to _ implies never $c sends release() to _)
property at_most_two : always count($c in %client : $c in inside) <= 2
property asks_once : forall $c in %client : always count($c sends ask() to _) <= 1
property releases_never : forall $c in %client : always count($c sends release() to _) < 1
property asked_first : forall $c in %client : always ($c sends release() to _ implies before $c sends ask() to _)
property asked_once : forall $c in %client : always ($c sends release() to _ implies count($c sends ask() to _) == 1)
property in_order : forall $c in %client :
    (always not $c sends release() to _) or (not $c sends release() to _ until $c sends ask() to _)
property stays : forall $c in %client : always ($c in inside implies ($c in inside unless $c sends release() to _))
property no_way_back : not possible (eventually exists $c in %client :
    $c sends release() to _ and next eventually $c in inside)
property others : never exists $a in %client : exists $b in %client : exists $c in %client :
    $a != $b and $b != $c and $a != $c and $a in inside and $b in inside and $c in inside
property in_the_end : forall $c in %client : always ($c in inside implies eventually $c sends release() to _)
property too_often : forall $c in %client : always count($c sends ask() to _) <= 100
";

#[test]
fn properties_are_judged_for_any_number_by_what_they_mean() {
    let text = format!("{TWO_INSIDE}{SAFETY}");
    let mut judged = map_with(text.as_bytes(), &["verify", "-", "--agents", "client=any"]).exits(1);
    for name in [
        "asks_no_more",
        "at_most_two",
        "asks_once",
        "asked_first",
        "asked_once",
        "in_order",
        "stays",
        "no_way_back",
        "others",
    ] {
        judged = judged.out_has(&format!("property {name} holds, for any number of %client"));
    }
    for name in ["asks_at_once", "releases_later", "releases_never"] {
        judged = judged.out_has(&format!("property {name} is violated, with client=1"));
    }
    judged
        .out_has("in_the_end holds with client=1 to 3; not judged for any number: it is about what happens in the end")
        .out_has("too_often holds with client=1 to 3; not judged for any number: it adds up, or looks back otherwise");
}

/// With two and with three clients these say nothing, and with more of them they are wrong.
const WRONG_OF_MORE: &str = "
property few : always count($c in %client : !Client1 != $c) < 3
property no_four : forall $c in %client : forall $d in %client : forall $e in %client : forall $f in %client :
    $c == $d or $c == $e or $c == $f or $d == $e or $d == $f or $e == $f or always not done($c)
";

#[test]
fn what_holds_of_a_few_is_not_proved_of_more() {
    let text = format!("{}{WRONG_OF_MORE}", String::from_utf8_lossy(SERVER));
    let ran = map_with(text.as_bytes(), &["verify", "-", "--agents", "client=any"]).exits(0);
    ran.out_has("terminates, for any number of %client")
        // One client has another name, so the text is not correct with one.
        .out_has("with client=2 to 3: terminates")
        .out_has("property few holds with client=2 to 3; not judged for any number: it is about more than")
        .out_has("property no_four holds with client=2 to 3; not judged for any number: it is about more");
    map_with(text.as_bytes(), &["verify", "-", "--agents", "client=5"]).exits(1);
}

/// What a view does not tell is left open.
#[test]
fn what_views_leave_open_is_not_proved() {
    let text = format!(
        "{}\nproperty few : always mailbox(!Server) <= 3\nproperty wrong : always not done(!Server)",
        String::from_utf8_lossy(SERVER)
    );
    map_with(text.as_bytes(), &["verify", "-", "--agents", "client=any"])
        .exits(1)
        .out_has("property few holds with client=1 to 3; not judged for any number: some view leaves it open")
        .out_has("property wrong is violated, with client=1");
}

#[test]
fn several_roles_are_asked_one_after_the_other() {
    let ran = map_with(PAIRS.as_bytes(), &["verify", "-", "--agents", "a=any,b=any"]).exits(0);
    ran.out_has("terminates, for any number of %a")
        .out_has("here b=2; any number of %b is another question")
        .out_has("terminates, for any number of %b")
        .out_has("here a=1; any number of %a is another question")
        .out_has(
            "property p holds with a=1 to 3; not judged for any number: it is about what happens in the end",
        );
    // The least number that is asked for is a number, too.
    map_with(PAIRS.as_bytes(), &["verify", "-", "--agents", "a=any,b=3..any"]).exits(0).out_has("here b=3;");
    let json = map_with(PAIRS.as_bytes(), &["verify", "-", "--agents", "a=any,b=any", "--format", "json"]);
    let json: Value = serde_json::from_str(&json.exits(0).out).expect("it is JSON");
    fits("verify", &json);
    assert_eq!(json["results"][1]["role"], "b");
    map_with(PAIRS.as_bytes(), &["verify", "-", "--agents", "a=any,b=any", "--report", "x.html"])
        .exits(2)
        .err_has("--report is for one role at a time");
}

#[test]
fn a_cast_of_any_number_asks_verify() {
    let any = PAIRS.replace("%b = 2", "%b = 2..any").replace("--agents a=any", "");
    let any = any.as_bytes();
    map_with(any, &["verify", "-"]).exits(0).out_has("terminates, for any number of %b from 2 on");
    // A number on the command line is a number.
    let three = map_with(any, &["verify", "-", "--agents", "b=3"]).exits(0);
    assert!(!three.out.contains("any number"), "{}", three.out);
    // What needs a number takes the least.
    map_with(any, &["run", "-", "--seed", "1"]).exits(0).out_has("!A (%a); !B1, !B2 (%b)");
    map_with(any, &["verify", "-", "--weather"]).exits(2).err_has("--weather is for a number of agents");
    test(&String::from_utf8_lossy(any), b"").exits(0).out_has("1 test: 1 as expected");
    for (cast, why) in [
        ("cast %b = 0..any", "begins with 1 or more"),
        ("cast !A = any", "any number of agents is for a role"),
        ("cast %b = 2..3", "`cast %bidder = 2..any`"),
        ("cast %b = all", "or `any` for any number"),
    ] {
        map_with(PAIRS.replace("cast %b = 2", cast).as_bytes(), &["check", "-"]).exits(3).err_has(why);
    }
    let untidy = PAIRS.replace("%b = 2", "%b=2 .. any").replace("cast", "cast %a=any\ncast");
    map_with(untidy.as_bytes(), &["fmt", "-"]).exits(0).out_has("cast %a = any\ncast %b = 2..any\n");
}

/// The same server with two properties.
const CLAIMS: &[u8] = b"cast %client = 1
property asked_first : forall $c in %client : $c sends ask() to _ precedes !Server sends answer() to $c
property never_asked : forall $c in %client : never $c sends ask() to _
s[
    agent(!Server, %server) =
        waitfor (ask() <= agent($who, %client) then answer() => agent($who, %client) then agent()) timeout skip
    agent($me, %client) = ask() => agent(!Server, %server) then waitfor answer() <= agent(!Server, %server)
]";

#[test]
fn properties_are_chosen_as_for_a_number() {
    let any = ["verify", "-", "--agents", "client=any"];
    map_with(CLAIMS, &any).exits(1).out_has("property never_asked is violated, with client=1");
    let ran = map_with(CLAIMS, &[&any[..], &["--only", "asked_first"]].concat()).exits(0);
    let ran = ran.out_has("property asked_first holds, for any number of %client");
    assert!(!ran.out.contains("never_asked"), "{}", ran.out);
    let given = ["--only", "asked_first", "--property", "always mailbox(!Server) >= 0"];
    map_with(CLAIMS, &[&any[..], &given].concat()).exits(0).out_has("property always mailbox(!Server) >= 0");
    map_with(CLAIMS, &[&any[..], &["--only", "asked_frist"]].concat())
        .exits(2)
        .err_has("did you mean asked_first?");
    map_with(CLAIMS, &[&any[..], &["--property", "never $c"]].concat()).exits(3);
}
