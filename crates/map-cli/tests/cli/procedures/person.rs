//! A person who decides, here by a script on standard input.

use super::super::{Ran, map_with};
use super::{GREET, SCENE, Stage};

fn ask(input: &str, more: &[&str]) -> Ran {
    let stage = Stage::new(SCENE, "");
    let scene = stage.scene();
    let mut arguments = vec!["run", &scene, "--seed", "1"];
    arguments.extend(more);
    map_with(input.as_bytes(), &arguments)
}

#[test]
fn answers_are_values_or_no() {
    ask("7\nno\n", &["--ask", "!A"]).exits(0).out_has("asks p() -> 7").out_has("sends n(7) to !B");
    ask("yes 7\nyes\n", &["--ask", "A"]).exits(0).out_has("sends m(7, d#1) to !B");
    ask("\"two words\"\n!B\n", &["--ask", "!A"]).exits(0).out_has("sends m(\"two words\", !B) to !B");
    // A constant that is called like an answer.
    ask("yes no\nyes yes\r\n", &["--ask", "!A"]).exits(0).out_has("sends m(no, yes) to !B");
    // A value that nobody knows can be handed on.
    ask("yes\np#1\n", &["--ask", "!A"]).exits(0).out_has("sends m(p#1, p#1) to !B");
}

#[test]
fn what_is_no_answer_is_asked_again() {
    let lines = "no\n\n?\nthen\n$x\n1 2\n!C\n%king\n99999999999999999999\n\"open\n5\nn\n";
    let ran = ask(lines, &["--ask", "!A"]).exits(0).out_has("sends n(5) to !B");
    ran.err_has("a procedure always answers")
        .err_has("there is no agent \"C\"")
        .err_has("there is no role \"king\"")
        .err_has("type a value such as")
        .err_has("%role or p#1;")
        .err_has("yes or a value?")
        .err_has("no, yes or a value?");
}

#[test]
fn the_person_sees_what_the_agent_knows() {
    let scene = "memory %a { @limit = 50 } procedure limit() = @limit
        s[ agent(!A, %a) = waitfor (offer($price) <= agent($seller, %b) then agent(think, $price))
           agent(!A, %a, think, $price) = $limit = limit() then $yes = fair($price, best)
           agent(!B, %b) = hurry() => agent(!A, %a) then offer(15) => agent(!A, %a) ]";
    let stage = Stage::new(scene, "");
    let ran = map_with(b"no\n", &["run", &stage.scene(), "--seed", "1", "--ask", "!A"]);
    ran.exits(1)
        .err_has("!A asks fair(15, best)")
        .err_has("knows: $price = 15, $limit = 50")
        .err_has("remembers: @limit = 50")
        .err_has("has not read: hurry() from !B");
}

#[test]
fn the_end_of_input_ends_the_run() {
    for (input, steps) in [("", "0 steps"), ("7\n", "1 step")] {
        ask(input, &["--ask", "!A"])
            .exits(4)
            .out_has(&format!("unanswered after {steps}"))
            .out_has("and nobody answers:\n    standard input has ended");
    }
    // The last line needs no end.
    ask("7\nno", &["--ask", "!A"]).exits(0);
    let ran = ask("", &["--ask", "!A", "--format", "json"]).exits(4);
    let output: serde_json::Value = serde_json::from_str(&ran.out).expect("it is JSON");
    assert_eq!(output["verdict"], "unanswered");
    assert_eq!(output["unanswered"]["procedure"], "p");
}

#[test]
fn nonsense_without_end_ends_the_run() {
    ask(&"nonsense !\n".repeat(1000), &["--ask", "!A"]).exits(4).out_has("20 lines in a row were no answer");
    let stage = Stage::new(SCENE, "");
    let garbage = vec![0xff; 3 << 20];
    map_with(&garbage, &["run", &stage.scene(), "--ask", "!A"]).exits(4);
}

#[test]
fn a_person_and_a_program_share_the_agents() {
    let scene = "cast %a = 2 procedure p()
        s[ agent($me, %a) = $x = p() ]";
    let script = format!(r#"{GREET}read -r q; echo '{{"id":1,"answer":"yes","value":1}}'; read -r end"#);
    let stage = Stage::new(scene, &script);
    let command = stage.command();
    let arguments = ["run", &stage.scene(), "--seed", "1", "--procedures", &command, "--ask", "!A2"];
    let ran = map_with(b"2\n", &arguments).exits(0);
    for (agent, answer) in [("!A1", 1), ("!A2", 2)] {
        let line = ran.out.lines().find(|line| line.contains(&format!("{agent}  ")) && line.contains("asks"));
        assert!(line.is_some_and(|line| line.contains(&format!("asks p() -> {answer}"))), "{}", ran.out);
    }
    // Without the program the others decide at random.
    let ran = map_with(b"2\n", &["run", &stage.scene(), "--seed", "1", "--ask", "!A2"]).exits(0);
    ran.out_has("asks p() -> p#1").out_has("asks p() -> 2").out_has("--ask '!A2'");
}
