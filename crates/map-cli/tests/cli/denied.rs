//! `--deny`: findings that are no violation, and that fail nevertheless; and the run that goes on for ever.

use std::fs;

use serde_json::Value;

use super::schema::fits;
use super::{FINE, map, map_with};

/// Two who hand a task to each other, as long as neither can do it; and a third who is told, and does not read it.
const HAND_OFF: &str = "\
decision can_do()
s[ agent(!A, %a) = task() => agent(!B, %b) then agent(wait)
   agent(!A, %a, wait) = waitfor (task() <= agent(!B, %b) then agent(try) or done() <= agent(!B, %b))
   agent(!A, %a, try) = $y = can_do() then done() => agent(_, _) or task() => agent(!B, %b) then agent(wait)
   agent(!B, %b) = waitfor (task() <= agent(!A, %a) then agent(try) or done() <= agent(!A, %a))
   agent(!B, %b, try) = $y = can_do() then done() => agent(_, _) or task() => agent(!A, %a) then agent()
   agent(!C, %c) = skip
   agent(!C, %c, late) = skip ]
";

fn verify(flags: &[&str]) -> super::Ran {
    map_with(HAND_OFF.as_bytes(), &[&["verify", "-"], flags].concat())
}

#[test]
fn the_loop_is_shown_that_fairness_excludes() {
    let ran = verify(&[]).exits(0);
    let (_, after) = ran.out.split_once("a run can repeat these steps for ever, ").expect("it is said");
    let (kept_alive, steps) = after.split_once('\n').expect("steps follow");
    assert_eq!(kept_alive, "as long as can_do says no (!B, !A):");
    let steps: Vec<&str> = steps.lines().take_while(|line| line.starts_with(' ')).collect();
    assert_eq!(steps.len(), 4, "{}", ran.out);
    ran.out_has("next: --deny if-fair, if a run that goes on for ever is an error (exit code 1)");
}

#[test]
fn what_is_denied_is_an_error() {
    verify(&["--deny", "if-fair"]).exits(1).out_has("denied: a run can go on for ever (--deny if-fair)");
    let ran = verify(&["--deny", "unread,never"]).exits(1);
    ran.out_has("denied: left unread in some run: done() by !C")
        .out_has("denied: 2 pieces of the text never used");
    verify(&["--deny", "unread", "-q"]).exits(1).out_has("terminates if fair; denied: unread");
    // Nothing of the kind.
    map_with(FINE.as_bytes(), &["verify", "-", "--deny", "if-fair,unread"]).exits(0);
    verify(&["--deny", "unread", "--weather"]).exits(2);
}

#[test]
fn proofs_that_rest_on_fairness_are_denied() {
    let scene = "decision more() s[ agent(!A, %a) = $y = more() then agent() or skip agent($x, %b) = skip ]";
    let ask =
        |flags: &[&str]| map_with(scene.as_bytes(), &[&["verify", "-", "--agents", "b=any"], flags].concat());
    ask(&[]).exits(0).out_has("terminates if fair, for any number of %b");
    ask(&["--deny", "if-fair"]).exits(1).out_has("denied: a run can go on for ever (--deny if-fair)");
    // Views have no list of what never happens.
    ask(&["--deny", "unread"]).exits(2).err_has("--deny unread");
}

#[test]
fn json_and_junit_have_what_is_denied() {
    let folder = tempfile::tempdir().expect("a folder");
    let junit = folder.path().join("junit.xml");
    let junit_path = junit.to_str().expect("the name is UTF-8");
    let ran = verify(&["--deny", "if-fair,never,unread", "--format", "json", "--junit", junit_path]).exits(1);
    let output: Value = serde_json::from_str(&ran.out).expect("it is JSON");
    fits("verify", &output);
    assert_eq!(output["denied"], serde_json::json!(["if-fair", "never", "unread"]));
    assert_eq!(output["endless"]["repeated_from"], 1);
    let text = fs::read_to_string(junit).expect("it was written");
    assert_eq!(text.matches("type=\"denied\"").count(), 3, "{text}");
    let ran = verify(&["--format", "json"]).exits(0);
    assert!(!ran.out.contains("\"denied\""), "{}", ran.out);
}

#[test]
fn the_run_that_goes_on_for_ever_is_kept_for_replay() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("the name is UTF-8").to_owned();
    let (scene, trace) = (path("hand-off.map"), path("run.json"));
    fs::write(&scene, HAND_OFF).expect("it can be written");
    map(&["verify", &scene, "--save-trace", &trace]).exits(0);
    map(&["replay", &trace]).out_has("repeated for ever");
}

#[test]
fn a_test_compares_what_never_happens_and_what_is_left_unread() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("hand-off.map");
    let test = |lines: &str| {
        fs::write(&path, format!("//@ verify => terminates if fair\n{lines}\n{HAND_OFF}"))
            .expect("it can be written");
        map(&["test", path.to_str().expect("the name is UTF-8")])
    };
    test("//@ unread => done/0 by !C\n//@ never entered => agent(!C, %c, late)\n//@ never acts => !C")
        .exits(0);
    test("//@ unread => nothing").exits(1).out_has("found: //@ unread => done/0 by !C");
    test("//@ never entered => nothing").exits(1).out_has("found: //@ never entered => agent(!C, %c, late)");
    test("//@ never acts => nothing\n").exits(1).out_has("found: //@ never acts => !C");
    test("//@ never ends => nothing").exits(3).err_has("never acts");
}
