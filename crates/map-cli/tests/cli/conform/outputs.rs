//! What `map conform` prints, for people and for programs.

use std::fs;

use serde_json::{Value, json};

use super::super::schema::fits;
use super::super::{Ran, command};
use super::{call, judge, line, of, refused};

fn wrong(name: &str) -> String {
    of(name, &line("office", &["anna"], "cfp", &[])) + &of(name, &line("anna", &["office"], "propose", &[7]))
}

#[test]
fn words_for_programs_are_in_snake_case_and_messages_are_objects() {
    let log = of("a", &line("office", &["anna"], "cfp", &[])) + &wrong("b");
    let log = log.replacen('{', "{\"time\":\"2026-11-20T10:00:00Z\",", 1);
    let ran = judge(&log, &["--format", "json"]).exits(1);
    let output: Value = serde_json::from_str(&ran.out).expect("it is JSON");
    fits("conform", &output);
    assert_eq!(output["schema"], 2);
    let [so_far, violated] = [0, 1].map(|index| &output["conversations"][index]);
    assert_eq!(so_far["verdict"], "conforms_so_far");
    let blame = &violated["violations"][0];
    assert_eq!((&blame["kind"], &blame["possibly"]), (&json!("wrong_content"), &json!(false)));
    let sent = &blame["sent"];
    assert_eq!((&sent["performative"], &sent["args"]), (&json!("propose"), &json!([7])), "{sent:#}");
    assert_eq!(sent["from"], json!({"agent": "Participant", "name": "anna"}));
    assert_eq!(sent["to"], json!([{"agent": "Initiator", "name": "office"}]));
    assert_eq!(sent["at"]["line"], 3);
    let offers: Vec<&Value> = blame["possible"].as_array().expect("a list").iter().collect();
    let offer = offers.iter().find(|it| it["performative"] == "propose").expect("there is one");
    assert_eq!(offer["args"], json!([{"is": 1}]), "{offer:#}");
    assert!(
        offer["place"]["file"].as_str().is_some_and(|file| file.ends_with("contract-net.map")),
        "{offer:#}"
    );
    let office = &so_far["agents"][0];
    assert_eq!((&office["state"], &office["timeout"]), (&json!("waits"), &json!(true)), "{office:#}");
    let owes = &so_far["agents"][1]["owes"];
    assert_eq!(owes.as_array().map(Vec::len), Some(4), "{owes:#}");
}

#[test]
fn an_unknown_message_is_shown_as_the_log_has_it() {
    let log = call() + &line("anna", &["office", "zoe"], "hello", &[3]);
    let ran = judge(&log, &["--format", "json"]).exits(1);
    let output: Value = serde_json::from_str(&ran.out).expect("it is JSON");
    fits("conform", &output);
    let sent = &output["conversations"][0]["violations"][0]["sent"];
    assert_eq!((&sent["performative"], &sent["args"]), (&json!("hello"), &json!([3])));
    assert_eq!(sent["to"], json!([{"agent": "Initiator", "name": "office"}, {"name": "zoe"}]));
}

#[test]
fn quiet_prints_what_does_not_conform() {
    let ran = judge(&(refused("a") + &wrong("b")), &["--quiet"]).exits(1).out_has("b  violated at line 4");
    assert!(!ran.out.contains("a  conforms"), "{}", ran.out);
}

#[test]
fn the_first_violation_may_end_the_judging() {
    judge(&(wrong("a") + &wrong("b")), &["--fail-fast"]).exits(1).out_has("violated at line 2");
    let ran = judge(&(wrong("a") + &wrong("b")), &["--stop-at-first"]).exits(1).out_has("violated at line 2");
    assert!(!ran.out.contains("line 4"), "{}", ran.out);
    ran.err_has("stopped at the first violation");
}

#[test]
fn a_long_message_is_shortened_for_people() {
    let long = "x".repeat(5_000);
    let record = json!({"from": "anna", "to": "office", "performative": "propose", "args": [long]});
    let ran = judge(&format!("{}{record}\n", call()), &[]).exits(1).out_has("wrong content");
    assert!(ran.out.len() < 2_000, "{}", ran.out.len());
    let ran = judge(&format!("{}{record}\n", call()), &["--format", "json"]).exits(1);
    assert!(ran.out.contains(&long));
}

#[test]
fn errors_of_the_file_are_printed_for_programs_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, log) = (folder.path().join("bad.map"), folder.path().join("log.jsonl"));
    std::fs::write(&file, "s[ agent(!A, %a) = ").expect("it can be written");
    std::fs::write(&log, call()).expect("it can be written");
    let path = |it: &std::path::Path| it.to_str().expect("the name is UTF-8").to_owned();
    let ran = super::super::map(&["conform", &path(&file), &path(&log), "--format", "json"]).exits(3);
    let output: Value = serde_json::from_str(&ran.out).expect("it is JSON");
    assert!(output["diagnostics"].as_array().is_some_and(|all| !all.is_empty()), "{output:#}");
}

#[test]
fn a_log_that_cannot_be_read_is_an_error_in_every_format() {
    let folder = tempfile::tempdir().expect("a folder");
    let junit = folder.path().join("j.xml");
    let junit = junit.to_str().expect("the name is UTF-8");
    let file = "../contract-net/contract-net.map";
    let flags = ["conform", file, "no-such-log.jsonl", "--format", "json", "--junit", junit];
    let ran = super::super::map(&flags).exits(3).err_has("cannot be opened");
    let output: Value = serde_json::from_str(&ran.out).expect("it is JSON");
    fits("conform", &output);
    assert_eq!((&output["stopped"]["code"], &output["nothing_judged"]), (&json!("MAP421"), &json!(true)));
    assert!(std::fs::read_to_string(junit).expect("it is there").contains("errors=\"1\""));
}

#[test]
fn a_violated_conversation_is_drawn_up_to_the_violation() {
    let folder = tempfile::tempdir().expect("a folder");
    let drawn = |log: &str, ending: &str, flags: &[&str]| {
        let path = folder.path().join(format!("report.{ending}"));
        let name = path.to_str().expect("the name is UTF-8");
        judge(log, &[flags, &["--report", name]].concat());
        std::fs::read_to_string(&path).expect("it was written")
    };
    let log = refused("a") + &wrong("b") + &of("b", &line("office", &["anna"], "reject", &[]));
    let text = drawn(&log, "txt", &[]);
    for part in ["cfp()", "propose(7)", "wrong content", "it could send"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // Neither what conforms nor what comes later is in it.
    assert!(!text.contains("reject()") && text.matches("cfp()").count() == 1, "{text}");
    let page = drawn(&log, "html", &[]);
    assert!(
        page.contains("<svg") && page.contains("wrong content") && page.contains("it could have sent"),
        "{page}"
    );
    assert!(drawn(&log, "svg", &[]).starts_with("<svg"));
    // Silence has a place, too.
    let silent = drawn(&call(), "txt", &["--complete"]);
    assert!(silent.contains("silent; it has to"), "{silent}");
    judge(&log, &["--report", "report.doc"]).exits(2).err_has("reports end in");
}

#[test]
fn a_message_has_the_id_of_its_line() {
    let with_id = |line: String, id: &str| line.replacen('{', &format!("{{\"id\":\"{id}\","), 1);
    for offence in ["propose", "hello"] {
        let log = call() + &with_id(line("anna", &["office"], offence, &[7]), "m2");
        let ran = judge(&log, &["--format", "json"]).exits(1);
        let output: Value = serde_json::from_str(&ran.out).expect("it is JSON");
        fits("conform", &output);
        let blame = &output["conversations"][0]["violations"][0];
        assert_eq!(blame["sent"]["id"], "m2", "{blame:#}");
        // What could be sent has none, and all of that is listed.
        assert!(blame["possible"][0].get("id").is_none() && blame.get("more").is_none(), "{blame:#}");
    }
}

#[test]
fn a_violated_conversation_is_drawn_below() {
    let ran = judge(&wrong("b"), &["--chart"]).exits(1).out_has("cfp()").out_has("propose(7)");
    let (_, chart) = ran
        .out
        .split_once("hypotheses of an agent")
        .or(ran.out.split_once("hypothesis of an agent"))
        .expect("the last line is there");
    assert!(chart.contains("wrong content") && chart.contains("anna"), "{chart}");
    judge(&wrong("b"), &["--chart", "--format", "json"]).exits(2).err_has("--chart is for people");
}

#[test]
fn messages_are_as_wide_as_the_terminal() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("log.jsonl");
    let long = "a very long text ".repeat(6);
    let wrong = json!({"from": "anna", "to": ["office"], "performative": "propose", "args": [long]});
    let lines = line("office", &["anna"], "cfp", &[]) + &format!("{wrong}\n");
    fs::write(&log, lines).expect("it can be written");
    let path = log.to_str().expect("the name is UTF-8");
    let shown = |columns: &str| {
        let mut conform = command(&["conform", "../contract-net/contract-net.map", path]);
        let ran = Ran::of(&conform.env("COLUMNS", columns).output().expect("the binary runs")).exits(1);
        let sent = ran
            .out
            .lines()
            .find(|it| it.contains("!Participant (anna) sent "))
            .expect("the message is shown");
        sent.to_owned()
    };
    assert!(shown("400").contains(long.trim_end()), "{}", shown("400"));
    let cut = shown("80");
    assert!(cut.contains('…') && cut.ends_with(" to !Initiator (office)"), "{cut}");
    assert_eq!(cut.chars().count(), 80, "{cut}");
}
