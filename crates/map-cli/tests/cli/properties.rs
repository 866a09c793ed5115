//! Verdicts on properties: in words, as JSON, in JUnit's format, and as exit codes.

use serde_json::Value;

use super::{map, map_with, schema};

const PINGS: &str = "
property answered : !A sends ping() to _ leadsto !A receives pong() from _
property silent : never !B sends pong() to _
property two_ways : possible sequence !A sends ping() to _ ; !B sends pong() to _
property vacuous : always (failed(!A) implies ended)

pings[
    agent(!A, %a) = ping() => agent(!B, %b) then waitfor pong() <= agent(_, %b)
    agent(!B, %b) = waitfor ping() <= agent(_, %a) then pong() => agent(_, %a)
]
";

fn verify(text: &str, flags: &[&str]) -> super::Ran {
    let arguments: Vec<&str> = ["verify", "-v", "-"].into_iter().chain(flags.iter().copied()).collect();
    map_with(text.as_bytes(), &arguments)
}

#[test]
fn in_words() {
    verify(PINGS, &[])
        .exits(1)
        .out_has("pings  terminates\n")
        .out_has("property answered  holds\n")
        .out_has("property silent  violated after 3 steps\n")
        .out_has("  3  !B  <stdin>:9   sends pong() to !A, and is done\n")
        .out_has("property two_ways  holds, shown after 3 steps\n")
        .out_has("vacuous: `failed(!A)` never happens (<stdin>:5)\n")
        .out_has("properties: 5 states, 4 transitions");
}

/// Two decisions whose answers are values of the same number in runs that begin with one or the other.
const TWO_DECISIONS: &str = "
decision price()
decision rebate()
property no_offer : never !B receives offer(_) from _
property no_gift : never !B receives gift(_) from _

shop[
    agent(!A, %a) =
        $x = price() then offer($x) => agent(!B, %b)
        or $y = rebate() then gift($y) => agent(!B, %b)
        or skip
    agent(!B, %b) = waitfor (offer(_) <= agent(_, %a) or gift(_) <= agent(_, %a)) timeout skip
]
";

#[test]
fn values_are_named_anew_in_each_run() {
    let told = [
        "  1  !A  <stdin>:9   asks price() -> price#1\n",
        "asks rebate() -> rebate#1 (after price said no)\n",
    ];
    let ran = verify(TWO_DECISIONS, &[]).exits(1);
    told.into_iter().fold(ran, |ran, line| ran.out_has(line)).out_has("gift(rebate#1)");
    let json = verify(TWO_DECISIONS, &["--format", "json"]).exits(1);
    assert!(json.out.contains("rebate#1"), "{}", json.out);
}

#[test]
fn from_the_command_line() {
    let right = PINGS.replace("property silent", "// property silent");
    verify(&right, &[]).exits(0);
    verify(&right, &["--property", "always mailbox(!A) <= 1", "--property", "never ended"])
        .exits(1)
        .out_has("property always mailbox(!A) <= 1  holds\n")
        .out_has("property never ended  violated after 4 steps\n");
    verify(&right, &["--property", "always failed(!A) implies done(!B)"])
        .exits(0)
        .out_has("vacuous: `failed(!A)` never happens (--property)\n");
}

#[test]
fn a_formula_that_cannot_be_judged_ends_the_command_before_any_search() {
    let ran = verify(PINGS, &["--property", "never done(!C)", "--property", "always always"])
        .exits(3)
        .err_has("error[MAP105]")
        .err_has("--property:1:12")
        .err_has("error[MAP001]");
    assert_eq!(ran.out, "");
}

#[test]
fn a_property_of_the_file_that_cannot_be_judged_does_not_keep_others_from_it() {
    let guess = "procedure guess()\nproperty three : never !A sends m(3) to _\nproperty ends : eventually ended
        s[ agent(!A, %a) = $x = guess() then m($x) => agent(_, %b) agent(!B, %b) = waitfor m(_) <= agent(_, %a) ]";
    verify(guess, &[])
        .exits(3)
        .out_has("property three  refused\n")
        .out_has("property ends  holds\n")
        .err_has("error[MAP125]")
        .err_has("Without a body are `guess`");
    map_with(guess.as_bytes(), &["check", "-"]).exits(3).err_has("error[MAP125]");
    map_with(guess.as_bytes(), &["run", "-", "--seed", "1"]).exits(0);
}

#[test]
fn of_another_scene() {
    let two = format!("{PINGS}property elsewhere : eventually done(!C)\nother[ agent(!C, %c) = skip ]");
    let two = two.replace("property silent", "// property silent");
    verify(&two, &[]).exits(0).out_has("property elsewhere  refused\n  it speaks of what only another scene");
    verify(&two, &["--scene", "other"]).exits(0).out_has("property elsewhere  holds\n");
}

#[test]
fn limits_leave_it_open() {
    let why =
        "property answered  inconclusive\n  the limit of 2 states was reached; raise --max-states to go on\n";
    for more in [&["--max-states", "2"][..], &["--max-states", "2", "--properties-only"]] {
        verify(PINGS, more).exits(4).out_has(why);
    }
    let ran = verify(PINGS, &["--max-states", "2", "--properties-only", "--format", "json"]).exits(4);
    let output: Value = serde_json::from_str(&ran.out).expect("JSON");
    let reason = &output["properties"][0]["reasons"][0];
    assert_eq!(reason, "the limit of 2 states was reached; raise --max-states to go on");
    let right = PINGS.replace("property silent", "// property silent");
    verify(&right, &["--max-states", "2"]).exits(4).out_has("property two_ways  inconclusive\n");
}

#[test]
fn as_json() {
    let ran = verify(PINGS, &["--format", "json"]).exits(1);
    let output: Value = serde_json::from_str(&ran.out).expect("JSON");
    schema::fits("verify", &output);
    let verdict =
        |index: usize| output["properties"][index]["verdict"].as_str().unwrap_or_default().to_owned();
    assert_eq!((0..4).map(verdict).collect::<Vec<_>>(), ["holds", "violated", "holds", "holds"]);
    assert_eq!(output["properties"][1]["trace"].as_array().map(Vec::len), Some(3));
    assert_eq!(output["properties"][1]["choices"].as_array().map(Vec::len), Some(3));
    assert_eq!(output["properties"][3]["vacuous"][0]["line"], 5);
}

#[test]
fn chosen_by_name() {
    let silent = verify(PINGS, &["--only", "silent", "--only", "two_ways", "--property", "ended"]);
    let silent = silent.exits(1).out_has("pings  terminates\n").out_has("property silent  violated");
    assert!(silent.out.contains("property two_ways  holds"), "{}", silent.out);
    assert!(silent.out.contains("property ended  violated before the first step"), "{}", silent.out);
    assert!(!silent.out.contains("answered") && !silent.out.contains("vacuous"), "{}", silent.out);
    verify(PINGS, &["--only", "answered"]).exits(0);
    verify(PINGS, &["--only", "silnt"])
        .exits(2)
        .err_has("--only silnt: there is no such property; did you mean silent?");
    verify(PINGS, &["--only", "zzz"]).exits(2).err_has("there are answered, silent, two_ways, vacuous");
    verify("s[ agent(!A, %a) = skip ]", &["--only", "p"]).exits(2).err_has("there are none at all");
    verify("s[", &["--only", "p"]).exits(3);
}

#[test]
fn without_termination() {
    let flags = ["--properties-only", "--only", "answered", "--rounds", "0"];
    let ran = verify(PINGS, &flags).exits(0).out_has("<stdin>  pings\nproperty answered  holds\n");
    assert!(!ran.out.contains("terminates") && !ran.out.contains("silent"), "{}", ran.out);
    verify(PINGS, &["--properties-only"]).exits(1).out_has("property silent  violated after 3 steps\n");
    verify(PINGS, &["--properties-only", "--max-states", "2"]).exits(4).out_has(
        "The search is not complete: the limit of 2 states was reached; raise --max-states to go on.",
    );
    // A deadlock is no matter here.
    let stuck = "property p : possible done(!B) s[ agent(!A, %a) = waitfor m() <= agent(_, %b) agent(!B, %b) = skip ]";
    verify(stuck, &[]).exits(1);
    verify(stuck, &["--properties-only"]).exits(0).out_has("property p  holds, shown before the first step");
    verify("s[ agent(!A, %a) = skip ]", &["--properties-only"]).exits(2).err_has("there are no properties");
    verify("s[ agent(!A, %a) = skip ]", &["--properties-only", "--property", "ended"]).exits(0);
    verify(PINGS, &["--properties-only", "--weather"]).exits(2).err_has("--weather");
}

#[test]
fn without_properties() {
    let ran = verify(PINGS, &["--no-properties"]).exits(0).out_has("pings  terminates\n");
    assert!(!ran.out.contains("property") && !ran.out.contains("properties"), "{}", ran.out);
    let ran = verify(PINGS, &["--no-properties", "--weather"]).out_has("timeouts any");
    assert!(!ran.out.contains("property"), "{}", ran.out);
    let ran = ran.exits(1).out_has("alone: map verify - --network lossy:1 --no-properties\n");
    assert!(!ran.out.contains("silent"), "{}", ran.out);
    let output = verify(PINGS, &["--no-properties", "--format", "json"]).exits(0).out;
    let output: Value = serde_json::from_str(&output).expect("JSON");
    schema::fits("verify", &output);
    assert_eq!(output["properties"].as_array().map(Vec::len), Some(0));
    for other in [&["--property", "ended"][..], &["--only", "silent"], &["--properties-only"]] {
        let ran = verify(PINGS, &[&["--no-properties"], other].concat()).exits(2);
        ran.err_has("cannot be used with").err_has(other[0]).err_has("--no-properties");
    }
    // In a test, and in one that is saved.
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = |name: &str| folder.path().join(name).to_str().expect("a path of text").to_owned();
    let (dialogue, test) = (path("pings.map"), path("pings.maptest"));
    std::fs::write(&dialogue, PINGS).expect("it can be written");
    map(&["verify", "-v", &dialogue, "--no-properties", "--save-test", &test]).exits(0);
    let text = std::fs::read_to_string(&test).expect("it was written");
    assert!(text.ends_with("//@ verify --no-properties => terminates\n"), "{text}");
    map(&["test", &test]).exits(0);
}

#[test]
fn without_termination_as_json_and_junit() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = |name: &str| folder.path().join(name).to_str().expect("a path of text").to_owned();
    let (junit, trace) = (path("verdicts.xml"), path("trace.json"));
    let flags = ["--properties-only", "--format", "json", "--junit", &junit, "--save-trace", &trace];
    let output: Value = serde_json::from_str(&verify(PINGS, &flags).exits(1).out).expect("JSON");
    schema::fits("verify", &output);
    assert_eq!(output.get("verdict"), None);
    assert_eq!(output["properties"][1]["verdict"], "violated");
    let text = std::fs::read_to_string(&junit).expect("the file was written");
    assert!(text.contains(r#"tests="4" skipped="0" errors="0" failures="1""#), "{text}");
    let saved: Value = serde_json::from_str(&std::fs::read_to_string(&trace).expect("saved")).expect("JSON");
    assert_eq!(saved["verdict"], "property silent violated");
}

/// Whether every state was seen and nothing was cut is told as for termination.
#[test]
fn whether_the_judging_was_complete() {
    let told = |flags: &[&str], exit: i32| {
        let property = ["--properties-only", "--property", "eventually ended", "--format", "json"];
        let text =
            "s[ agent(!A, %a) = $x = p() then agent(x) then skip agent(!A, %a, x) = skip ] procedure p()";
        let output: Value =
            serde_json::from_str(&verify(text, &[&property, flags].concat()).exits(exit).out).expect("JSON");
        schema::fits("verify", &output);
        ["complete", "cut", "searched"].map(|key| output[key].as_bool().expect(key))
    };
    assert_eq!(told(&[], 0), [true, false, true]);
    assert_eq!(told(&["--depth", "1"], 0), [false, true, true]);
    assert_eq!(told(&["--max-states", "1"], 4), [false, false, false]);
}

#[test]
fn as_junit() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("verdicts.xml");
    verify(PINGS, &["--junit", path.to_str().expect("a path of text")]).exits(1);
    let text = std::fs::read_to_string(&path).expect("the file was written");
    assert!(text.contains(r#"tests="5" skipped="0" errors="0" failures="1""#), "{text}");
    assert!(text.contains(r#"<testcase name="termination" classname="pings""#), "{text}");
    assert!(text.contains(r#"<failure message="violated after 3 steps" type="violated"/>"#), "{text}");
    assert_eq!(std::fs::read_dir(folder.path()).expect("the folder is there").count(), 1);
    verify(PINGS, &["--junit", "/nowhere/at/all.xml"]).exits(2).err_has("--junit /nowhere/at/all.xml");
    let broken = folder.path().join("broken.xml");
    verify("s[", &["--junit", broken.to_str().expect("a path of text")]).exits(3);
    assert!(std::fs::read_to_string(&broken).expect("written").contains("<error"), "errors are told, too");
}

#[test]
fn why_there_is_no_answer() {
    let start = "property p : eventually ended
        r[ agent(!A, %a) = agent(x) then skip
           agent(!A, %a, x) = BODY then skip ]";
    verify(&start.replace("BODY", "agent(x)"), &["--properties-only"])
        .exits(4)
        .out_has("there is no first state: the way there is a runaway recursion");
    verify(&start.replace("BODY", "skip"), &["--properties-only", "--depth", "1"])
        .exits(4)
        .out_has("an agent cannot come to its first place within the bounds; raise --depth");
    verify(PINGS, &["--properties-only", "--max-states", "1", "--format", "json"])
        .exits(4)
        .out_has("\"limit\": \"states\"");
}

#[test]
fn what_a_possible_verdict_rests_on() {
    let text = "procedure p()
        property ends : eventually ended
        one[ agent(!A, %a) = $x = p() then m($x) => agent(!B, %b)
             agent(!B, %b) = waitfor m(1) <= agent(_, %a) ]";
    verify(text, &["--properties-only"])
        .exits(1)
        .out_has("property ends  possibly violated after 2 steps")
        .out_has("It is so only if open comparisons come out the other way in what could be done then:")
        .out_has("!B can receive m(..) (taking p#1 = 1)");
}

#[test]
fn fair_runs_settle_what_is_open() {
    let scene = "procedure p() s[ agent(!A, %a) = $x = p() then m($x) => agent(!B, %b) then agent(tick)
        agent(!A, %a, tick) = $t = p() then agent(tick)
        agent(!B, %b) = waitfor m(1) <= agent(_, %a) ]";
    let assumed =
        "assumed: in fair runs, what can be reached only if open comparisons come out so can be reached";
    let judged = |more: &[&str]| {
        let arguments = ["verify", "-v", "-", "--properties-only", "--property", "eventually done(!B)"];
        map_with(scene.as_bytes(), &[&arguments[..], more].concat())
    };
    judged(&[]).exits(0).out_has("holds").out_has(assumed);
    assert!(!judged(&["--fairness", "none"]).out.contains(assumed), "nothing is settled there");
}

/// A fetcher and a hurried one that asks once; the fetcher may always ask again first.
const QUEUE: &str = "
cast %clerk = 1
queue[
    agent(!Fetcher, %user) = agent(again)
    agent(!Fetcher, %user, again) = fetch() => agent(!Clerk, %clerk) then (waitfor done() <= agent(_, %clerk)) then agent(again)
    agent(!Hurried, %user) = fetch() => agent(!Clerk, %clerk) then waitfor done() <= agent(_, %clerk)
    agent(!Clerk, %clerk) = agent(serve)
    agent(!Clerk, %clerk, serve) = waitfor (fetch() <= agent($u, %user) then done() => agent($u, %user) then agent(serve))
]
";

#[test]
fn the_runs_that_count_are_the_same_for_every_way_of_writing() {
    let ways = [
        "eventually done(!Hurried)",
        "always eventually done(!Hurried)",
        "eventually always done(!Hurried)",
        "not always not done(!Hurried)",
        "done(!Hurried) or next eventually done(!Hurried)",
        "not possible always not done(!Hurried)",
    ];
    for (fairness, runs, verdict) in [
        ("fair", "properties in fair runs", "holds"),
        ("weak", "properties in weakly fair runs", "violated"),
        ("none", "properties in all runs", "violated"),
    ] {
        let mut arguments =
            vec!["verify", "-", "--properties-only", "--network", "unordered", "--fairness", fairness];
        arguments.extend(ways.iter().flat_map(|way| ["--property", way]));
        let ran = map_with(QUEUE.as_bytes(), &arguments).exits(i32::from(verdict != "holds"));
        ran.out_has(runs);
        arguments.extend(["--format", "json"]);
        let output: Value =
            serde_json::from_str(&map_with(QUEUE.as_bytes(), &arguments).out).expect("it is JSON");
        schema::fits("verify", &output);
        let judged = output["properties"].as_array().expect("there are properties");
        let told: Vec<[&Value; 2]> =
            judged.iter().map(|property| [&property["verdict"], &property["fairness"]]).collect();
        assert_eq!(told, vec![[verdict, fairness]; ways.len()]);
    }
    map_with(QUEUE.as_bytes(), &["verify", "-", "--fairness", "strong"]).exits(2).err_has("fair, weak, none");
}

/// Three agents of which a property names one, and one that names none.
#[test]
fn the_reductions_are_told() {
    let crowd = "cast %b = 4
        property all_end : eventually ended
        property each_is_done : forall $b in %b : eventually done($b)
        s[ agent(!A, %a) = go() => agent(_, %b) agent($b, %b) = waitfor go() <= agent(_, %a) ]";
    let told = |flags: &[&str], words: &str| {
        verify(crowd, &[&["--properties-only"], flags].concat()).exits(0).out_has(words);
    };
    told(&[], "properties: 15 states, 16 transitions, 2 searches with slicing and symmetry;");
    told(&["--no-slicing"], "properties: 15 states, 16 transitions, 2 searches with symmetry;");
    told(&["--no-symmetry"], "properties: 17 states, 33 transitions, one search with slicing;");
    told(&["--reductions", "none"], "properties: 17 states, 33 transitions, one search without reductions;");
    told(&["--network", "unordered"], "one search without reductions;");
}

#[test]
fn a_violated_forall_names_its_instance() {
    verify(PINGS, &["--property", "forall $x in {!A, !B} : never $x == !B and done(!B)"])
        .exits(1)
        .out_has("violated after 3 steps for $x = !B\n");
    let possible = "forall $n in 0..2 : possible count(!A sends ping() to _) == $n";
    verify(PINGS, &["--property", possible]).exits(1).out_has("violated for $n = 2\n");
    let ran = verify(PINGS, &["--property", possible, "--format", "json"]).exits(1);
    let report: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(report["properties"][4]["instance"], "$n = 2", "{report:#}");
}

#[test]
fn a_forall_is_searched_as_cheaply_as_never_exists() {
    let crowd = "cast %b = 4
        memory %b { @heard = 0 }
        procedure hear() = yes with @heard := @heard + 1
        s[ agent(!A, %a) = go() => agent(_, %b) agent($b, %b) = waitfor (go() <= agent(_, %a) then hear()) ]";
    let searched = |formula: &str, exit, words: &str| {
        let ran = verify(crowd, &["--property", formula, "--properties-only"]).exits(exit).out_has(words);
        let line = ran.out.lines().find(|line| line.starts_with("properties: ")).map(str::to_owned);
        line.expect("the search is told").split(" search").next().map(str::to_owned)
    };
    let exists = searched("never exists $b in %b : $b@heard > 1", 0, "holds");
    assert_eq!(searched("forall $b in %b : never $b@heard > 1", 0, "holds"), exists);
    let exists = searched("never exists $b in %b : $b@heard > 0", 1, "violated after 3 steps\n");
    let each = searched("forall $b in %b : never $b@heard > 0", 1, "violated after 3 steps for $b = !B");
    assert_eq!(each, exists);
}

#[test]
fn a_witness_is_that_of_the_instance_that_is_named() {
    // Both instances are violated, the second one before the first step.
    let none = "forall $n in {1, 0} : not possible count(!A sends ping() to _) == $n";
    verify(PINGS, &["--property", none]).exits(1).out_has("violated after 1 step for $n = 1\n");
}

#[test]
fn what_the_right_side_of_an_until_lacks() {
    verify(PINGS, &["--property", "not done(!B) until !B sends pang() to _"]).exits(3);
    verify(PINGS, &["--property", "not failed(!A) until failed(!B)"])
        .exits(1)
        .out_has("The left side of `until` holds all along; the right side cannot happen any more.");
}

#[test]
fn what_says_nothing_about_the_dialogue() {
    verify(PINGS, &["--property", "always count($x in %a : done($x)) <= 3"])
        .exits(1)
        .out_has("This is so whatever the dialogue does");
}

/// What adds up is bounded like a cost, in all and of each agent; of anything else it is said why it is not.
#[test]
fn measures_that_add_up_are_bounded() {
    let text = "
cast %bidder = 2
cost coins { %clerk sends call() to _ = 2 }
measure bids of $b in %bidder = count($b sends bid(_) to _)
measure worth = 3 * cost(coins) + total($n : _ sends bid($n) to _) + sum(bids)
measure first = first($n : _ sends bid($n) to _)
measure less = measure(worth) - 1
procedure amount() in {1, 3}

bids[
    agent(!Clerk, %clerk) = call() => agent(_, %bidder)
    agent(!Bidder, %bidder) = (waitfor call() <= agent(_, %clerk)) then $n = amount() then bid($n) => agent(_, %clerk)
]
";
    let wanted = ["worth", "bids", "first", "less"].map(|name| ["--collect", name]).concat();
    verify(text, &wanted)
        .exits(0)
        .out_has("cost coins  at most 2; as much in each dialogue that ends well\n")
        .out_has("measure bids(Bidder1)  at most 1; as much in each dialogue that ends well\n")
        .out_has("measure worth  at most 14; at least 10 if it ends well\n")
        .out_has("measure first  no bound is looked for: it is the first or last value of an event")
        .out_has("measure less  no bound is looked for: it is computed");
    verify(text, &["--collect", "wort"]).exits(2).err_has("did you mean worth?");
    let json = verify(text, &["--collect", "worth", "--collect", "less", "--format", "json"]).exits(0);
    let value: Value = serde_json::from_str(&json.out).expect("JSON");
    schema::fits("verify", &value);
    let of = |name: &str| {
        value["costs"]
            .as_array()
            .and_then(|all| all.iter().find(|it| it["name"] == name))
            .expect("it is there")
    };
    assert_eq!((&of("worth")["most"], &of("worth")["measure"]), (&Value::from(14), &Value::Bool(true)));
    assert!(of("less")["reasons"][0].as_str().is_some_and(|it| it.starts_with("it is computed")));
}
