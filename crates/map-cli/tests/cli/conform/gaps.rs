//! Lines that cannot be used: gaps of their conversations, and of no others.

use serde_json::Value;

use super::super::schema::fits;
use super::{call, judge, line, of, refused};

/// A conversation in which anna makes an offer that cannot be made.
fn wrong(name: &str) -> String {
    of(name, &line("office", &["anna"], "cfp", &[])) + &of(name, &line("anna", &["office"], "propose", &[7]))
}

/// A line whose values cannot be read.
fn unread(name: &str, from: &str, to: &str) -> String {
    format!(
        "{{\"conversation\":\"{name}\",\"from\":\"{from}\",\"to\":\"{to}\",\"performative\":\"propose\",\"args\":[{{\"agent\":\"ghost\"}}]}}\n"
    )
}

#[test]
fn a_bad_line_spoils_its_conversation_only() {
    let log = of("a", &line("office", &["anna"], "cfp", &[]))
        + &unread("a", "anna", "office")
        + &of("a", &line("office", &["anna"], "accept", &[]))
        + &wrong("b")
        + &refused("c");
    judge(&log, &[])
        .exits(1)
        .err_has("log.jsonl:2: there is no agent \"ghost\"")
        .out_has("a  possibly violated at line 3 by !Initiator (office): out of turn (a bad line before: line 2)")
        .out_has("line 2 cannot be used: nothing is certain from there on of !Initiator (office), !Participant (anna)")
        .out_has("b  violated at line 5 by !Participant (anna): wrong content\n")
        .out_has("c  conforms  2 messages\n")
        .out_has("3 conversations: 1 conforms, 1 violated, 1 possibly violated");
    // Without a certain violation, the line decides; if it is allowed, the doubt.
    let log = log.replace(&wrong("b"), "");
    judge(&log, &[]).exits(3);
    judge(&log, &["--skip-bad", "1"]).exits(4).err_has("MAP422").out_has("possibly violated");
    judge(&log, &["--bad", "stop"]).exits(3).out_has("a  possibly conforms so far  1 message");
}

#[test]
fn who_is_not_concerned_is_judged_with_certainty() {
    let log = of("a", &line("office", &["anna", "bert"], "cfp", &[]))
        + &unread("a", "anna", "office")
        + &of("a", &line("bert", &["office"], "propose", &[7]));
    judge(&log, &[]).exits(1).out_has("a  violated at line 3 by !Participant2 (bert): wrong content\n");
    judge(&log, &["--complete"]).exits(1).out_has("a  violated at line 3 by !Participant2 (bert)");
}

#[test]
fn a_line_that_cannot_be_read_at_all_is_a_gap_of_all_open_conversations() {
    let answer = of("a", &line("anna", &["office"], "propose", &[7]));
    let log = of("a", &line("office", &["anna"], "cfp", &[])) + "{\n" + &answer + &wrong("b");
    judge(&log, &["--complete"])
        .exits(1)
        .out_has("a  possibly violated at line 3 by !Participant (anna): wrong content (a bad line before: line 2)")
        .out_has("b  violated at line 5 by !Participant (anna): wrong content\n");
    // What has ended is not affected.
    judge(&(refused("a") + "{\n"), &["--skip-bad", "1"]).exits(0).out_has("a  conforms  2 messages");
}

#[test]
fn a_first_line_may_be_the_second_if_one_before_it_is_bad() {
    let rest = of("b", &line("anna", &["office"], "propose", &[1]))
        + &of("b", &line("office", &["anna"], "accept", &[]));
    judge(&rest, &["--complete"]).exits(1).out_has("b  violated at line 1 by !Participant (anna)");
    judge(&rest, &[]).exits(4).out_has("if the log begins in the middle, this conforms so far: --joined");
    judge(&rest, &["--joined"]).exits(0).out_has("b  conforms").out_has("joined mid-way");
    let doubtful = judge(&format!("{{\n{rest}"), &["--skip-bad", "1", "--complete"]).exits(4);
    doubtful.out_has("b  possibly violated at line 2 by !Participant (anna)");
    // A first line that fits is one.
    judge(&format!("{{\n{}", wrong("b")), &[])
        .exits(1)
        .out_has("b  violated at line 3 by !Participant (anna)");
}

#[test]
fn who_may_have_spoken_is_never_silent() {
    let log = call() + "{\n";
    judge(&call(), &["--complete"]).exits(1).out_has("silent");
    let ran = judge(&log, &["--complete", "--skip-bad", "1"]).exits(0).out_has("possibly conforms so far");
    assert!(!ran.out.contains("silent"), "{}", ran.out);
}

#[test]
fn a_name_without_a_role_is_a_gap() {
    let log = call() + &line("nobody", &["anna"], "hello", &[]) + &line("bert", &["office"], "propose", &[7]);
    judge(&log, &[])
        .exits(1)
        .err_has("MAP423")
        .err_has("[cast]")
        .out_has("violated at line 3 by !Participant2 (bert): wrong content\n");
}

#[test]
fn what_has_ended_with_a_gap_stays_in_doubt() {
    let log = of("a", &line("office", &["anna"], "cfp", &[]))
        + &unread("a", "anna", "office")
        + &of("a", &line("anna", &["office"], "refuse", &[]))
        + &refused("b")
        + &of("a", &line("office", &["anna"], "accept", &[]));
    judge(&log, &["--skip-bad", "1"])
        .exits(4)
        .out_has("a  possibly violated at line 6 by !Initiator (office)");
}

#[test]
fn every_format_has_the_gaps() {
    let log = wrong("b") + &of("a", &line("office", &["anna"], "cfp", &[])) + &unread("a", "anna", "office");
    let folder = tempfile::tempdir().expect("a folder");
    let junit = folder.path().join("j.xml");
    let junit = junit.to_str().expect("the name is UTF-8");
    let ran = judge(&log, &["--format", "json", "--junit", junit]).exits(1);
    let output: Value = serde_json::from_str(&ran.out).expect("it is JSON");
    fits("conform", &output);
    let gap = &output["conversations"][1]["gaps"][0];
    assert_eq!((&gap["at"]["line"], &gap["agents"][0]["name"]), (&4.into(), &"office".into()), "{gap:#}");
    assert_eq!(output["conversations"][1]["possibly"], true);
    let junit = std::fs::read_to_string(junit).expect("it is there");
    assert!(
        junit.contains("failures=\"1\"") && junit.contains("errors=\"1\"") && junit.contains("MAP422"),
        "{junit}"
    );
    let ran = judge(&log, &["--format", "ndjson"]).exits(1);
    let lines: Vec<Value> = ran.out.lines().map(|it| serde_json::from_str(it).expect("it is JSON")).collect();
    lines.iter().for_each(|it| fits("conform-line", it));
    let bad = lines.iter().find(|it| it["event"] == "bad_line").expect("it is told");
    let bad = &bad["bad"];
    assert_eq!((&bad["code"], &bad["at"]["line"]), (&"MAP422".into(), &4.into()));
}
