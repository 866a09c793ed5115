//! `map conform --save-trace`: runs that explain logs, replayed.

use std::fs;

use super::super::{Ran, map};
use super::{call, line};

struct Place(tempfile::TempDir);

impl Place {
    fn new(log: &str) -> Self {
        let place = Self(tempfile::tempdir().expect("a folder"));
        fs::write(place.path("log.jsonl"), log).expect("it can be written");
        place
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().expect("the name is UTF-8").to_owned()
    }

    fn judge(&self, flags: &[&str]) -> Ran {
        let (log, trace) = (self.path("log.jsonl"), self.path("trace.json"));
        let line = ["conform", "../contract-net/contract-net.map", &log, "--save-trace", &trace];
        map(&[&line, flags].concat())
    }

    fn replay(&self) -> Ran {
        map(&["replay", &self.path("trace.json"), "--format", "json"])
    }

    fn has_trace(&self) -> bool {
        fs::exists(self.path("trace.json")).expect("the folder can be read")
    }
}

/// The messages sent in a replayed run: sender, performative and arguments.
fn sent(replayed: &Ran) -> Vec<String> {
    let output: serde_json::Value = serde_json::from_str(&replayed.out).expect("it is JSON");
    let steps = output["trace"].as_array().expect("it is a list").iter();
    let sends = steps.filter(|it| it["kind"] == "send");
    sends.map(|it| format!("{} {} {}", it["agent"], it["performative"], it["arguments"])).collect()
}

fn ending() -> String {
    line("office", &["anna"], "accept", &[]) + &line("anna", &["office"], "done", &[])
}

#[test]
fn a_run_that_explains_the_log_is_saved_and_replayed() {
    let place = Place::new(
        &[
            call(),
            line("anna", &["office"], "propose", &[2]),
            line("bert", &["office"], "refuse", &[]),
            ending(),
        ]
        .concat(),
    );
    place.judge(&[]).exits(0).out_has("conforms  5 messages");
    let replayed = place.replay().exits(0);
    let expected = [
        r#""Initiator" "cfp" []"#,
        r#""Participant1" "propose" ["2"]"#,
        r#""Participant2" "refuse" []"#,
        r#""Initiator" "accept" []"#,
        r#""Participant1" "done" []"#,
    ];
    assert_eq!(sent(&replayed), expected, "{}", replayed.out);
    map(&["replay", &place.path("trace.json"), "--chart", "always"]).exits(0).out_has("propose(2)");
}

/// A waits twice; what it says tells whether something was there.
const TWICE: &str = "s[
    agent(!A, %a) =
        waitfor (m() <= agent(_, %b) then c() => agent(!B, %b))
        timeout (
            a() => agent(!B, %b)
            then waitfor (m() <= agent(_, %b) then c() => agent(!B, %b))
            timeout (b() => agent(!B, %b))
        )
    agent(!B, %b) = m() => agent(!A, %a) then (waitfor (c() <= agent(_, %a) or b() <= agent(_, %a)))
]";

#[test]
fn what_came_too_late_is_sent_late_in_the_run() {
    let place = Place::new(
        &(line("B", &["A"], "m", &[]) + &line("A", &["B"], "a", &[]) + &line("A", &["B"], "b", &[])),
    );
    fs::write(place.path("s.map"), TWICE).expect("it can be written");
    let (scene, log, trace) = (place.path("s.map"), place.path("log.jsonl"), place.path("trace.json"));
    let judge = |flags: &[&str]| map(&[&["conform", &scene, &log, "--save-trace", &trace], flags].concat());
    // With messages that arrive at once the last one breaks the protocol.
    judge(&["--arrivals", "sent"])
        .exits(1)
        .err_has("trace.json has what came before: violated at line 3 by !A");
    assert_eq!(sent(&place.replay()), [r#""B" "m" []"#, r#""A" "a" []"#]);
    judge(&[]).exits(0).out_has("conforms  3 messages");
    assert_eq!(sent(&place.replay().exits(0)), [r#""A" "a" []"#, r#""B" "m" []"#, r#""A" "b" []"#]);
}

#[test]
fn the_trace_has_the_cast_of_the_log() {
    let names = ["anna", "bert", "carl", "dora"];
    let refusals: String = names.iter().map(|name| line(name, &["office"], "refuse", &[])).collect();
    let place = Place::new(&(line("office", &names, "cfp", &[]) + &refusals));
    place.judge(&[]).exits(0).out_has("conforms  5 messages");
    assert_eq!(sent(&place.replay().exits(0)).len(), 5);
}

#[test]
fn a_trace_is_that_of_one_conversation() {
    let of = |name: &str| {
        let log =
            [call(), line("anna", &["office"], "refuse", &[]), line("bert", &["office"], "refuse", &[])];
        log.concat().replace('{', &format!(r#"{{"conversation":"{name}","#))
    };
    let place = Place::new(&(of("roof") + &of("walls")));
    place.judge(&[]).exits(0).err_has("there are several conversations; choose one with --conversation");
    assert!(!place.has_trace());
    let judged = place.judge(&["--conversation", "walls"]).exits(0).out_has("walls");
    assert!(!judged.out.contains("roof"), "{}", judged.out);
    assert_eq!(sent(&place.replay().exits(0)).len(), 3);
    place.judge(&["--follow"]).exits(2).err_has("--save-trace needs whole logs");
}

#[test]
fn what_came_before_a_violation_is_saved() {
    let wrong = line("anna", &["office"], "propose", &[7]);
    let (proposal, refusal) =
        (line("anna", &["office"], "propose", &[2]), line("bert", &["office"], "refuse", &[]));
    let log = [call(), proposal, refusal, line("office", &["anna"], "cfp", &[]), ending()];
    let place = Place::new(&log.concat());
    place.judge(&[]).exits(1).err_has("has what came before: violated at line 4 by !Initiator (office)");
    assert_eq!(sent(&place.replay()).len(), 3);
    let place = Place::new(&(wrong + &call()));
    place.judge(&[]).exits(1).err_has("has what came before: violated at line 1 by !Participant1 (anna)");
    assert_eq!(sent(&place.replay()).len(), 0);
    let late = [call(), line("anna", &["office"], "refuse", &[])].concat();
    let place = Place::new(&late);
    place.judge(&["--complete"]).exits(1).err_has("silent");
    assert_eq!(sent(&place.replay()).len(), 2);
}
