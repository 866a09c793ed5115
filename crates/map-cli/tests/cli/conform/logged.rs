//! Logs of `map run --log`: what conform reads in them is what the run did.

use std::fs;

use super::super::{Ran, map};

/// Runs a scene, and judges its log; returns the log, too.
fn logged(scene: &str, run: &[&str], conform: &[&str]) -> (String, Ran) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("the name is UTF-8").to_owned();
    let (file, log) = (path("scene.map"), path("log.jsonl"));
    fs::write(&file, scene).expect("it can be written");
    map(&[&["run", &file, "--log", &log], run].concat());
    let text = fs::read_to_string(&log).expect("it was written");
    (text, map(&[&["conform", &file, &log], conform].concat()))
}

#[test]
fn texts_constants_and_agents_stay_what_they_are() {
    let scene = r#"texts[
        agent(!Writer, %writer) =
            note("draft") => agent(_, %reader) then note(draft) => agent(_, %reader)
            then note("Writer") => agent(_, %reader) then note(!Writer) => agent(_, %reader)
        agent(!Reader, %reader) =
            (waitfor note("draft") <= agent(_, %writer)) then (waitfor note(draft) <= agent(_, %writer))
            then (waitfor note("Writer") <= agent(_, %writer)) then (waitfor note(!Writer) <= agent(_, %writer))
    ]"#;
    let (_, ran) = logged(scene, &["--seed", "1"], &[]);
    ran.exits(0).out_has("texts-1  conforms  4 messages");
}

#[test]
fn a_step_that_goes_wrong_has_sent_nothing() {
    let scene = |last: &str| {
        format!(
            "wrong[
                agent(!A, %a) = one() => agent(!B, %b) then two() => agent(!B, %b) then {last}
                agent(!A, %a, x, $n) = agent(x, $n)
                agent(!B, %b) = waitfor three() <= agent(!A, %a)
            ]"
        )
    };
    let runs: [(&str, &[&str]); 3] =
        [("agent(x, 1)", &[]), ("agent(x, 1 / 0)", &[]), ("three() => agent(!B, %b)", &["--mailbox", "1"])];
    for (last, flags) in runs {
        let (log, ran) = logged(&scene(last), &[&["--seed", "1"], flags].concat(), &[]);
        assert_eq!(log.matches("\"send\"").count(), 1, "{last}: {log}");
        assert!(!ran.out.contains("violated"), "{last}: {}", ran.out);
        ran.exits(0);
    }
}

#[test]
fn on_an_unordered_network_a_message_arrives_when_it_is_taken() {
    let scene = "echoes[
        agent(!Sender, %sender) =
            number(1) => agent(_, %echo) then number(2) => agent(_, %echo)
            then (waitfor heard(_) <= agent(_, %echo)) then (waitfor heard(_) <= agent(_, %echo))
        agent(!Echo, %echo) =
            (waitfor (number($n) <= agent(_, %sender) then heard($n) => agent(_, %sender)))
            then (waitfor (number($m) <= agent(_, %sender) then heard($m) => agent(_, %sender)))
    ]";
    let mut overtaken = 0;
    for seed in 1..=12 {
        let (log, ran) = logged(scene, &["--seed", &seed.to_string(), "--network", "unordered"], &[]);
        ran.exits(0).out_has("conforms  4 messages");
        let first = log.lines().find(|it| it.contains("\"receive\"")).expect("something arrives");
        overtaken += u32::from(first.contains("[2]"));
    }
    assert!((1..12).contains(&overtaken), "{overtaken}");
}

#[test]
fn sides_that_call_themselves_after_timeouts_are_followed_within_bounds() {
    let scene = "cast %w = 2
    nested[
        agent(!H, %h) = agent(more)
        agent(!H, %h, more) =
            (waitfor (back() <= agent(_, %w)) timeout (agent(more))) par (out() => agent(_, %w) then agent(more))
        agent($me, %w) = agent(again)
        agent($me, %w, again) = again() => agent(_, %w) then agent(again)
    ]";
    let (_, ran) = logged(scene, &["--seed", "1", "--max-steps", "40"], &["--max-hypotheses", "300"]);
    ran.exits(0).out_has("conforms so far  40 messages").out_has("at most 120 hypotheses");
}
