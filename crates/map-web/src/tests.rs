//! Requests and their answers, as the page sees them.

use serde_json::{Value, json};

use crate::answer::answer;

/// The answer to a request that can be answered.
#[track_caller]
fn ok(request: &Value) -> Value {
    let answer: Value = serde_json::from_str(&answer(request.to_string().as_bytes())).unwrap();
    assert!(answer["error"].is_null(), "{answer}");
    answer["ok"].clone()
}

/// The kind of the failure and its message.
#[track_caller]
fn refused(request: &Value) -> (String, String) {
    refused_text(&request.to_string())
}

#[track_caller]
fn refused_text(request: &str) -> (String, String) {
    let answer: Value = serde_json::from_str(&answer(request.as_bytes())).unwrap();
    let word = |key: &str| answer["error"][key].as_str().unwrap_or_default().to_owned();
    assert!(answer["ok"].is_null(), "{answer}");
    (word("kind"), word("message"))
}

fn library(name: &str) -> &'static str {
    map_library::version(name).unwrap().text
}

/// Both wait for each other.
const STUCK: &str = "s[
    agent(!A, %a) = (waitfor y() <= agent(_, %b)) then x() => agent(_, %b)
    agent(!B, %b) = (waitfor x() <= agent(_, %a)) then y() => agent(_, %a)
]
";

/// One says something, the other hears it.
const HEARD: &str = "s[
    agent(!A, %a) = x() => agent(_, %b)
    agent($b, %b) = waitfor x() <= agent(_, %a)
]
";

fn said(answer: &Value) -> String {
    answer.as_array().unwrap().iter().map(|piece| piece["text"].as_str().unwrap()).collect()
}

#[test]
fn wrong_requests_are_refused() {
    for request in [
        "",
        "[]",
        "{\"ask\": \"everything\"}",
        "{\"ask\": \"check\"}",
        "{\"ask\": \"check\", \"text\": \"\", \"file\": \"x\"}",
        "{\"ask\": \"verify\", \"text\": \"\", \"detail\": \"long\"}",
        "{\"ask\": \"verify\", \"text\": \"\", \"limits\": {\"threads\": 2}}",
        "{\"ask\": \"hover\", \"text\": \"\", \"at\": -1}",
    ] {
        assert_eq!(refused_text(request).0, "request", "{request}");
    }
    let long = json!({ "ask": "check", "text": "x".repeat((1 << 20) + 1) });
    assert_eq!(refused(&long), ("text".to_owned(), "the text is larger than 1 MiB".to_owned()));
    for flags in ["--agents", "'", "--report x", "--threads 0"] {
        let (kind, message) = refused(&json!({ "ask": "verify", "text": HEARD, "flags": flags }));
        assert!(kind == "flags" && !message.is_empty(), "{flags}: {message}");
    }
}

#[test]
fn a_text_is_checked() {
    let wrong = HEARD.replace("x() =>", "x() then =>");
    let found = ok(&json!({ "ask": "check", "text": wrong }));
    let first = &found["output"]["diagnostics"][0];
    assert_eq!(first["severity"], "error");
    assert!(found["said"].as_str().unwrap().contains("1 error"), "{found}");
    assert!(!found["tokens"].as_array().unwrap().is_empty());
    let found = ok(&json!({ "ask": "check", "text": HEARD }));
    assert_eq!(found["output"]["diagnostics"], json!([]));
    assert_eq!(
        found["cast"],
        json!([
            { "scene": "s", "name": "a", "role": "a", "count": 1 },
            { "scene": "s", "name": "b", "role": "b", "count": 1 },
        ])
    );
}

#[test]
fn what_is_offered_mends_the_text() {
    let wrong = HEARD.replace("waitfor x()", "waitfor y()");
    let found = ok(&json!({ "ask": "check", "text": wrong }));
    let action = found["actions"].as_array().unwrap().iter().find(|it| it["code"].is_string()).unwrap();
    let mut text = wrong;
    for edit in action["edits"].as_array().unwrap().iter().rev() {
        let place = |key: &str| usize::try_from(edit[key].as_u64().unwrap()).unwrap();
        text.replace_range(place("start")..place("end"), edit["text"].as_str().unwrap());
    }
    let after = ok(&json!({ "ask": "check", "text": text }));
    let count = |found: &Value| found["output"]["diagnostics"].as_array().unwrap().len();
    assert!(count(&after) < count(&found), "{action}\n{text}");
}

#[test]
fn an_editor_is_answered() {
    let at = HEARD.find("x()").unwrap();
    let hover = ok(&json!({ "ask": "hover", "text": HEARD, "at": at }));
    assert_eq!((hover["start"].as_u64(), hover["end"].as_u64()), (Some(at as u64), Some(at as u64 + 1)));
    let other = HEARD.rfind("x()").unwrap();
    let target = ok(&json!({ "ask": "define", "text": HEARD, "at": at }));
    assert_eq!(target[0]["start"].as_u64(), Some(other as u64));
    let places = ok(&json!({ "ask": "references", "text": HEARD, "at": at }));
    assert_eq!(places.as_array().unwrap().len(), 2);
    let range = ok(&json!({ "ask": "rename-range", "text": HEARD, "at": at }));
    assert_eq!(range, json!({ "start": at, "end": at + 1 }));
    let edits = ok(&json!({ "ask": "rename", "text": HEARD, "at": at, "name": "greet" }));
    assert_eq!(edits.as_array().unwrap().len(), 2);
    assert_eq!(refused(&json!({ "ask": "rename", "text": HEARD, "at": 1, "name": "a b" })).0, "text");
    let proposals = ok(&json!({ "ask": "complete", "text": HEARD, "at": at }));
    assert!(proposals.as_array().unwrap().iter().any(|it| it["kind"] == "keyword"), "{proposals}");
    let untidy = HEARD.replace("    agent", "agent");
    assert!(!ok(&json!({ "ask": "format", "text": untidy })).as_array().unwrap().is_empty());
    assert_eq!(refused(&json!({ "ask": "format", "text": "s[" })).0, "text");
    assert!(ok(&json!({ "ask": "explain", "code": "map204" }))["markdown"].is_string());
    assert_eq!(refused(&json!({ "ask": "explain", "code": "MAP999" })).0, "text");
}

#[test]
fn a_deadlock_has_a_run_that_can_be_stepped_through() {
    let text = library("english-auction/published-corrected");
    let flags = "--agents bidder=2 --rounds bidloop=2";
    let found = ok(&json!({ "ask": "verify", "text": text, "flags": flags }));
    let scene = &found["scenes"][0];
    assert_eq!(scene["tone"], "bad");
    let output = &scene["output"];
    let run = &scene["runs"][0];
    let steps = run["steps"].as_array().unwrap();
    assert_eq!(output["choices"], run["steps"]);
    assert!(run["chart"].as_str().unwrap().starts_with("<svg"));
    let end = json!({
        "ask": "step", "text": text, "flags": flags, "initial": run["initial"], "steps": run["steps"],
    });
    let end = ok(&end);
    assert_eq!(end["taken"].as_array().unwrap().len(), steps.len());
    assert_eq!(end["enabled"], json!([]));
    assert_eq!(end["standing"]["word"], output["verdict"]);
    // Values have the same names in the steps and in what is said about the end.
    assert!(said(&end["standing"]["said"]).contains("accept(getWinner#1, getValue#1)"), "{end}");
}

#[test]
fn steps_lead_on_and_are_refused_where_they_do_not_fit() {
    let first = ok(&json!({ "ask": "step", "text": HEARD, "steps": [] }));
    assert_eq!(first["enabled"].as_array().unwrap().len(), 1, "{first}");
    assert_eq!(first["standing"]["open"], true);
    let steps = json!([first["enabled"][0]["step"]]);
    let second = ok(&json!({ "ask": "step", "text": HEARD, "steps": steps }));
    assert_eq!(second["taken"][0]["what"], first["enabled"][0]["what"]);
    let refused_step = ok(&json!({ "ask": "step", "text": STUCK, "steps": steps }));
    assert!(refused_step["refused"].as_str().unwrap().starts_with("step 1 cannot be taken"));
    assert_eq!(refused_step["taken"], json!([]));
    for steps in [json!(["jump"]), json!(["99999999999.0.act"])] {
        assert_eq!(refused(&json!({ "ask": "step", "text": HEARD, "steps": steps })).0, "text");
    }
    let far = ok(&json!({ "ask": "step", "text": HEARD, "steps": ["9.9.act"] }));
    assert!(far["refused"].is_string());
    assert_eq!(refused(&json!({ "ask": "step", "text": HEARD, "steps": [], "initial": [7] })).0, "text");
}

/// Three may say one of several things, and one hears it.
const TALK: &str = "s[
    agent(!A, %a) = waitfor (say(_) <= agent(_, %b) then skip)
    agent($b, %b) = $n = number() then say($n) => agent(_, %a)
] procedure number() in 1..9
";

#[test]
fn what_can_happen_next_is_in_the_chart() {
    let numbers = |chart: &Value, name: &str| -> Vec<usize> {
        let before = format!("{name}=\"");
        let pieces = chart.as_str().unwrap().split(&before).skip(1);
        pieces.map(|it| it.split('"').next().unwrap().parse().unwrap()).collect()
    };
    let ask = |steps: &Value, whole: bool| {
        ok(&json!({ "ask": "step", "text": TALK, "flags": "--agents b=3", "steps": steps, "whole": whole }))
    };
    // Of three agents with nine answers each, four of each are drawn.
    let first = ask(&json!([]), false);
    assert_eq!(first["enabled"].as_array().unwrap().len(), 27, "{first}");
    assert_eq!(numbers(&first["chart"], "data-next"), [1, 2, 3, 4, 10, 11, 12, 13, 19, 20, 21, 22]);
    assert_eq!(numbers(&first["chart"], "data-more"), [15]);
    let whole = ask(&json!([]), true);
    assert_eq!(numbers(&whole["chart"], "data-next"), (1..=27).collect::<Vec<_>>());
    assert!(numbers(&whole["chart"], "data-more").is_empty());
    // A number leads to what is drawn for it.
    let second = ask(&json!([first["enabled"][9]["step"]]), true);
    assert_eq!(numbers(&second["chart"], "data-step"), [1]);
    let chart = second["chart"].as_str().unwrap();
    let enabled = second["enabled"].as_array().unwrap();
    let sends = enabled.iter().position(|it| it["what"].as_str().unwrap().starts_with("sends")).unwrap();
    let place = format!("data-next=\"{}\"", sends + 1);
    let drawn = chart.split(&place).nth(1).unwrap();
    assert!(drawn.split("</g>").next().unwrap().contains("<title>say("), "{chart}");
    // Where nothing can happen any more, nothing is drawn.
    let run = ok(&json!({ "ask": "run", "text": TALK, "flags": "--agents b=3", "seed": 1 }));
    assert!(numbers(&ask(&run["steps"], false)["chart"], "data-next").is_empty());
}

#[test]
fn a_run_repeats_itself() {
    let text = library("english-auction");
    let request = json!({ "ask": "run", "text": text, "flags": "--agents bidder=2", "seed": 7 });
    let run = ok(&request);
    assert_eq!(run, ok(&request));
    let end = ok(&json!({
        "ask": "step", "text": text, "flags": "--agents bidder=2", "initial": run["initial"], "steps": run["steps"],
    }));
    assert!(end["refused"].is_null() && end["standing"]["open"] == false, "{end}");
    // A page has one line of flags for everything.
    let flags = "--agents bidder=2 --keep-going --reductions none --yes 0.5";
    assert_eq!(ok(&json!({ "ask": "run", "text": text, "flags": flags, "seed": 7 }))["steps"], run["steps"]);
}

#[test]
fn limits_end_searches() {
    let text = library("english-auction");
    let limited = |limits: Value| {
        ok(&json!({ "ask": "verify", "text": text, "flags": "--agents bidder=2", "limits": limits }))["scenes"][0]
            .clone()
    };
    let few = limited(json!({ "states": 10 }));
    assert_eq!(
        (&few["output"]["verdict"], &few["output"]["limit"]),
        (&json!("inconclusive"), &json!("states"))
    );
    assert_eq!(few["tone"], "doubtful");
    assert_eq!(limited(json!({ "memory": 1 }))["output"]["limit"], "memory");
    assert_eq!(limited(json!({ "seconds": 60 }))["output"]["verdict"], "terminates if fair");
}

#[test]
fn any_number_and_every_weather() {
    let found = ok(&json!({ "ask": "verify", "text": HEARD, "flags": "--agents b=any" }));
    assert_eq!(found["scenes"][0]["tone"], "good", "{found}");
    let found = ok(&json!({ "ask": "weather", "text": HEARD }));
    let rows = found["rows"].as_array().unwrap();
    assert_eq!(rows.len(), map_session::WEATHERS.len());
    assert!(said(&found["said"]).contains("lossy:1"));
    let lost = rows.iter().find(|row| row["title"] == "lossy:1").unwrap();
    assert_eq!(lost["tone"], "bad");
    assert!(!lost["runs"].as_array().unwrap().is_empty());
}

#[test]
fn violated_properties_have_runs_and_texts_with_errors_are_rejected() {
    let text = format!("{HEARD}\nproperty silent : never !A sends x() to _\n");
    let found = ok(&json!({ "ask": "verify", "text": text }));
    let scene = &found["scenes"][0];
    assert_eq!(scene["tone"], "bad");
    assert_eq!(scene["runs"][0]["property"], "silent");
    let found = ok(&json!({ "ask": "verify", "text": "s[" }));
    assert!(!found["scenes"][0]["output"]["diagnostics"].as_array().unwrap().is_empty());
    assert_eq!(refused(&json!({ "ask": "run", "text": "s[", "seed": 1 })).0, "text");
    let (kind, message) = refused(&json!({ "ask": "verify", "text": HEARD, "flags": "--property 'always'" }));
    assert!(kind == "flags" && message.contains("always"), "{message}");
}

#[test]
fn pictures() {
    let roles = ok(&json!({ "ask": "roles", "text": HEARD }));
    assert_eq!(roles["pictures"].as_array().unwrap().len(), 2);
}

#[test]
fn a_small_graph_is_whole_and_says_who_waits_for_what() {
    let states = ok(&json!({ "ask": "states", "text": HEARD, "states": 100 }));
    let svg = states["svg"].as_str().unwrap();
    assert!(
        svg.starts_with("<svg") && svg.contains("!B waits for x") && svg.contains("!A has ended"),
        "{svg}"
    );
    assert_eq!((&states["whole"], &states["here"]), (&json!(true), &json!(0)));
    let ways = states["ways"].as_array().unwrap();
    let nodes: Vec<usize> =
        (0..ways.len()).filter(|it| svg.contains(&format!("data-state=\"{it}\""))).collect();
    assert_eq!(nodes.len(), ways.len());
    // Each node leads to its state.
    for (state, way) in ways.iter().enumerate() {
        let there = json!({
            "ask": "states", "text": HEARD, "states": 100, "initial": way["initial"], "steps": way["steps"],
        });
        assert_eq!(ok(&there)["here"], json!(state));
    }
}

#[test]
fn a_large_graph_is_drawn_around_where_one_is() {
    let text = library("english-auction");
    let request = |steps: &Value, states: usize| {
        json!({
            "ask": "states", "text": text, "flags": "--agents bidder=3", "states": states, "steps": steps,
        })
    };
    let first = ok(&request(&json!([]), 12));
    assert_eq!((&first["whole"], &first["here"]), (&json!(false), &json!(0)));
    assert_eq!(first["ways"].as_array().unwrap().len(), 12);
    assert!(first["svg"].as_str().unwrap().contains("goes further"));
    let steps = &first["ways"][11]["steps"];
    let there = ok(&request(steps, 12));
    let step = json!({ "ask": "step", "text": text, "flags": "--agents bidder=3", "steps": steps });
    assert_eq!(ok(&step)["taken"].as_array().unwrap().len(), steps.as_array().unwrap().len());
    assert_eq!(&there["ways"][0]["steps"], steps);
    assert!(there["ways"][1]["steps"].as_array().unwrap().len() > steps.as_array().unwrap().len());
    assert_eq!(refused(&request(&json!(["9.9.act"]), 12)).0, "text");
}

/// A counter that has said one thing; then it says it again or not.
const TWICE: &str = "s[
    agent(!A, %a) = x() => agent(!B, %b) then ((again() then x() => agent(!B, %b)) or skip)
    agent(!B, %b) = (waitfor x() <= agent(_, %a)) then waitfor (x() <= agent(_, %a)) timeout (skip)
] decision again()
property once: always count(!A sends x() to _) <= 1
property said: eventually !A sends x() to _
";

#[test]
fn properties_are_asked_from_here() {
    let first = ok(&json!({ "ask": "step", "text": TWICE }));
    assert_eq!(first["properties"], json!(["once", "said"]));
    let steps = json!([first["enabled"][0]["step"]]);
    let ask = |steps: &Value, question: Value| json!({ "ask": "from-here", "text": TWICE, "steps": steps, "question": question });
    // The step is remembered by counts and by `before`; but no event happens at the first moment.
    for (question, from_the_start, from_here) in [
        (json!({ "property": "once" }), "bad", "bad"),
        (json!({ "property": "said" }), "good", "bad"),
        (json!({ "formula": "eventually before !A sends x() to _" }), "good", "good"),
        (json!({ "formula": "count(!A sends x() to _) == 1" }), "bad", "good"),
        (json!({ "formula": "possible !A sends x() to _" }), "good", "good"),
        (json!("ends"), "good", "good"),
    ] {
        assert_eq!(ok(&ask(&json!([]), question.clone()))["tone"], from_the_start, "{question}");
        assert_eq!(ok(&ask(&steps, question.clone()))["tone"], from_here, "{question}");
    }
    // The counterexample goes on from the steps.
    let twice = ok(&ask(&steps, json!({ "property": "once" })));
    let run = &twice["runs"][0];
    assert_eq!(run["steps"][0], steps[0]);
    assert!(run["steps"].as_array().unwrap().len() > 1, "{twice}");
    let end = ok(&json!({ "ask": "step", "text": TWICE, "steps": run["steps"] }));
    assert!(end["refused"].is_null(), "{end}");
    for (question, words) in [
        (json!({ "property": "never" }), "no property of this name"),
        (json!({ "formula": "always" }), "always"),
        (json!({ "formula": "" }), ""),
    ] {
        let (kind, message) = refused(&ask(&steps, question));
        assert!(kind == "text" && message.contains(words), "{message}");
    }
    let (_, message) = refused(&ask(&json!(["0.0.act", "0.7.act"]), json!("ends")));
    assert!(message.starts_with("step 2 cannot be taken"), "{message}");
}

#[test]
fn a_deadlock_is_found_from_here() {
    let text = library("english-auction/published-corrected");
    let flags = "--agents bidder=2 --rounds bidloop=2";
    let whole = ok(&json!({ "ask": "verify", "text": text, "flags": flags }));
    let steps = whole["scenes"][0]["runs"][0]["steps"].as_array().unwrap().clone();
    for taken in [0, 3, steps.len()] {
        let here = json!({
            "ask": "from-here", "text": text, "flags": flags, "steps": &steps[..taken], "question": "ends",
        });
        let found = ok(&here);
        assert_eq!(found["tone"], "bad", "{taken}: {found}");
        assert!(said(&found["said"]).contains("deadlock"), "{found}");
        let run = found["runs"][0]["steps"].as_array().unwrap();
        assert_eq!(run[..taken], steps[..taken]);
        assert!(run.len() >= taken && run.len() <= steps.len().max(taken), "{taken}: {run:?}");
    }
}

#[test]
fn the_library_is_all_there() {
    let all = ok(&json!({ "ask": "library" }));
    assert_eq!(all.as_array().unwrap().len(), map_library::PROTOCOLS.len());
    let slips = all.as_array().unwrap().iter().flat_map(|it| it["versions"].as_array().unwrap());
    let slips = slips.filter(|it| it["slip"] == true).count();
    assert_eq!(slips, map_library::PROTOCOLS.iter().map(|it| it.defective.len()).sum::<usize>());
}
