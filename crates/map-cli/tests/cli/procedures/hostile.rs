//! Programs that do what they should not. Each ends the run with an error that names agent and procedure, soon, and
//! leaves no process behind.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::super::{Ran, command};
use super::{GREET, SCENE, Stage};

/// Long enough for a shell on a busy machine, short enough to wait for.
const PATIENCE: &str = "3";

/// What the program says to the first question.
fn answering(answer: &str) -> String {
    format!("{GREET}read -r question; printf '%s\\n' '{answer}'; read -r end")
}

#[track_caller]
fn fails(name: &str, script: &str, what: &str) {
    let stage = Stage::new(SCENE, &format!("echo $$ >> \"$1\"; {script}"));
    let started = Instant::now();
    let ran = stage.run(&["--answer-timeout", PATIENCE]);
    assert!(started.elapsed() < Duration::from_secs(20), "{name} took {:?}", started.elapsed());
    assert_eq!(ran.code, Some(1), "{name}:\n{}{}", ran.out, ran.err);
    for part in ["run error after", "!A asks p", "and gets no answer", what] {
        assert!(ran.out.contains(part), "{name}: {part:?} is not in\n{}", ran.out);
    }
    assert!(ran.out.lines().all(|line| line.chars().count() < 200), "{name}: {}", ran.out);
    assert!(!ran.out.contains('\u{1b}') && !ran.out.contains('\0'), "{name}: {:?}", ran.out);
    stage.nobody_is_left();
}

#[test]
fn programs_that_end() {
    fails("at once", "exit 0", "it has ended with exit code 0 instead of answering");
    fails("with an error", "exit 3", "it has ended with exit code 3");
    fails("after the greeting", &format!("{GREET}exit 4"), "it has ended with exit code 4");
    fails("after the question", &format!("{GREET}read -r q; exit 7"), "it has ended with exit code 7");
    fails("by a signal", &format!("{GREET}read -r q; kill -9 $$"), "it has ended by signal 9");
    let held = format!("{GREET}read -r q; sleep 1000 & echo $! >> \"$1\"; exit 5");
    fails("and leaves its output to a child", &held, "it has ended with exit code 5");
}

#[test]
fn programs_that_are_silent() {
    let silent = "it has not answered within 3 s";
    let family = format!("{GREET}for i in 1 2 3; do sleep 1000 & echo $! >> \"$1\"; done; wait");
    let grandchild = format!("{GREET}sh -c 'sleep 1000 & echo $! >> '\"$1\"'; wait' & wait");
    let programs = [
        ("from the beginning", "sleep 1000".to_owned(), silent),
        ("after the greeting", format!("{GREET}sleep 1000"), silent),
        ("stopped", format!("{GREET}kill -STOP $$"), silent),
        ("with closed input", format!("{GREET}exec 0<&-; sleep 1000"), silent),
        (
            "deaf to requests to end",
            format!("trap '' TERM INT HUP PIPE; {GREET}while :; do sleep 1; done"),
            silent,
        ),
        ("with children", family, silent),
        ("with grandchildren", grandchild, silent),
        ("with closed output", format!("{GREET}exec 1>&-; sleep 1000"), "it has closed its standard output"),
    ];
    // All wait at the same time.
    std::thread::scope(|scope| {
        for (name, script, what) in &programs {
            scope.spawn(move || fails(name, script, what));
        }
    });
}

#[test]
fn programs_that_flood() {
    let long = "it writes a line of more than 65536 bytes";
    fails("a line without end", &format!("{GREET}read -r q; yes | tr -d '\\n'"), long);
    fails(
        "a long line",
        &format!("{GREET}read -r q; head -c 100000 /dev/zero | tr '\\0' 'a'; echo; read -r end"),
        long,
    );
    fails("zeros", &format!("{GREET}cat /dev/zero"), long);
    fails("a greeting without end", "yes | tr -d '\\n'", long);
    fails("lines without end", &format!("{GREET}yes"), "its answer makes no sense");
    fails("blank lines without end", &format!("{GREET}yes ''"), "its answer makes no sense");
    let nested = format!("{GREET}read -r q; head -c 30000 /dev/zero | tr '\\0' '['; echo; read -r end");
    fails("brackets", &nested, "its answer makes no sense");
}

#[test]
fn programs_that_greet_wrongly() {
    let first = "it does not say {\"protocol\": 1} first";
    fails("not at all", "echo hello; read -r end", first);
    fails("with an answer", r#"echo '{"id":1,"answer":"no"}'; read -r end"#, first);
    fails("with an empty object", "echo '{}'; read -r end", first);
    fails("with a list", "echo '[1]'; read -r end", first);
    fails("with a word", r#"echo '{"protocol":"one"}'; read -r end"#, first);
    fails(
        "for another version",
        r#"echo '{"protocol": 3}'; read -r end"#,
        "it speaks protocol 3, and this is 1 or 2",
    );
}

#[test]
fn answers_that_make_no_sense() {
    let cases = [
        ("garbage", "its answer makes no sense (expected an object): garbage"),
        (r#"[1,"yes"]"#, "its answer makes no sense (expected an object)"),
        ("\u{1b}[31mred", "its answer makes no sense"),
        (r#"{"id":1,"answer":"yes","#, "its answer makes no sense (EOF while parsing"),
        (r#"{"id":1,"answer":"maybe"}"#, "unknown variant `maybe`"),
        (r#"{"id":1,"answer":true}"#, "its answer makes no sense"),
        (r#"{"id":1,"answer":"yes","vaule":3}"#, "unknown field `vaule`"),
        (r#"{"id":1,"answer":"yes","answer":"no"}"#, "duplicate field `answer`"),
        (r#"{"answer":"yes"}"#, "missing field `id`"),
        (r#"{"id":-1,"answer":"yes"}"#, "its answer makes no sense"),
        (r#"{"id":1}"#, "its answer says neither yes nor no"),
        (r#"{"id":1,"value":3}"#, "its answer says neither yes nor no"),
        (r#"{"id":1,"answer":"no","value":3}"#, "it says no, and gives a value"),
        (r#"{"id":1,"answer":"yes","error":"e"}"#, "has both an error and an answer"),
        (r#"{"id":1,"error":"no \u001b[2J strategy"}"#, "it reports an error: no \\u{1b}[2J strategy"),
        (r#"{"id":2,"answer":"yes"}"#, "it answers question 2 where 1 was asked"),
        (r#"{"id":0,"answer":"yes"}"#, "it answers question 0 where 1 was asked"),
    ];
    for (answer, what) in cases {
        fails(answer, &answering(answer), what);
    }
    fails(
        "twice the same",
        &format!(r#"{GREET}read -r q; echo '{{"id":1,"answer":"no"}}'; read -r end"#),
        "it says no",
    );
    let latin = format!("{GREET}read -r q; printf '\"caf\\351\"\\n'; read -r end");
    fails("another encoding", &latin, "something that is not UTF-8");
}

#[test]
fn values_that_are_none() {
    let cases = [
        ("1.5", "1.5 is no integer of 64 bits"),
        ("1e3", "is no integer of 64 bits"),
        ("9223372036854775808", "9223372036854775808 is no integer of 64 bits"),
        ("null", "null is no value"),
        ("true", "true is no value"),
        ("[1]", "is no value"),
        ("{}", "an object with one field was expected"),
        (r#"{"agent":"A","role":"a"}"#, "an object with one field was expected"),
        (r#"{"agent":"Nobody"}"#, r#"there is no agent "Nobody""#),
        (r#"{"agent":1}"#, r#"the "agent" of a value is no string"#),
        (r#"{"agent":"!A"}"#, r#"there is no agent "!A""#),
        (r#"{"role":"king"}"#, r#"there is no role "king""#),
        (r#"{"constant":"then"}"#, r#""then" is not the name of a constant"#),
        (r#"{"constant":"two words"}"#, "is not the name of a constant"),
        (r#"{"constant":"1"}"#, "is not the name of a constant"),
        (r#"{"constant":""}"#, "is not the name of a constant"),
        (r#"{"abstract":"p#1"}"#, r#"there is no abstract value "p#1""#),
        (r#"{"fresh":"p#9"}"#, r#"there is no fresh value "p#9""#),
        (r#"{"colour":"red"}"#, r#""colour" is no kind of value"#),
    ];
    for (value, what) in cases {
        fails(value, &answering(&format!(r#"{{"id":1,"answer":"yes","value":{value}}}"#)), what);
    }
}

#[test]
fn programs_that_cannot_be_started() {
    let stage = Stage::new(SCENE, "echo not executable");
    let folder = stage.path("").display().to_string();
    let text = stage.path("program").display().to_string();
    for program in ["no-such-program-anywhere", &folder, &text] {
        let scene = stage.scene();
        let ran = Ran::of(
            &command(&["run", &scene, "--seed", "1", "--procedures", &format!("'{program}'")])
                .stdin(Stdio::null())
                .output()
                .expect("the binary runs"),
        );
        ran.exits(1).out_has("!A asks p").out_has("it cannot be started:");
    }
}

#[test]
fn the_second_question_is_asked_of_the_same_program() {
    // An answer too many is an answer to no question.
    let script = format!(
        r#"{GREET}read -r q; echo '{{"id":1,"answer":"yes","value":1}}'; echo '{{"id":1,"answer":"yes"}}'; read -r end"#
    );
    let stage = Stage::new(SCENE, &script);
    let what = "it answers question 1 where 2 was asked";
    stage.run(&[]).exits(1).out_has("!A asks d").out_has("run error after 2 steps").out_has(what);
}

#[test]
fn noise_on_standard_error_and_a_slow_end_do_no_harm() {
    let script = format!(
        r#"echo $$ >> "$1"; trap '' TERM; sleep 1000 & echo $! >> "$1"
           {GREET}i=0; while [ $i -lt 2000 ]; do echo "noise $i" >&2; i=$((i + 1)); done
           read -r q; echo '{{"id":1,"answer":"yes","value":1}}'
           read -r q; echo '{{"id":2,"answer":"no"}}'; echo 'unasked'; while :; do sleep 1; done"#
    );
    let stage = Stage::new(SCENE, &script);
    stage.run(&[]).exits(0).out_has("done after").err_has("noise 1999");
    stage.nobody_is_left();
}

#[test]
fn many_that_do_not_end_are_not_waited_for_one_by_one() {
    let scene = "cast %a = 12 procedure p() s[ agent($me, %a) = $x = p() ]";
    let script = format!(
        r#"echo $$ >> "$1"; {GREET}read -r q; echo '{{"id":1,"answer":"yes"}}'; while :; do sleep 1; done"#
    );
    let stage = Stage::new(scene, &script);
    let started = Instant::now();
    stage.run(&["--per-agent", "--answer-timeout", "60"]).exits(0);
    let noted = std::fs::read_to_string(stage.path("pids")).expect("they have noted themselves");
    assert_eq!(noted.lines().count(), 12);
    // The programs are started one after the other, which takes its time on a busy machine; each would be waited for
    // a second.
    assert!(started.elapsed() < Duration::from_secs(11), "{:?}", started.elapsed());
    stage.nobody_is_left();
}

#[test]
fn json_tells_what_happened() {
    let stage = Stage::new(SCENE, &format!("{GREET}read -r q; exit 7"));
    let ran = stage.run(&["--format", "json"]).exits(1);
    let output: serde_json::Value = serde_json::from_str(&ran.out).expect("it is JSON");
    assert_eq!(output["verdict"], "run error");
    assert_eq!(output["unanswered"]["agent"], "A");
    assert_eq!(output["unanswered"]["procedure"], "p");
    assert_eq!(output["unanswered"]["what"], "it has ended with exit code 7 instead of answering");
}

#[test]
fn ctrl_c_leaves_nobody_behind() {
    let script = format!(
        "echo $$ >> \"$1\"; sleep 1000 & echo $! >> \"$1\"; {GREET}read -r q; touch \"$1.asked\"; wait"
    );
    let stage = Stage::new(SCENE, &script);
    let (scene, program) = (stage.scene(), stage.command());
    let child = command(&["run", &scene, "--seed", "1", "--procedures", &program, "--answer-timeout", "100"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let started = Instant::now();
    while !stage.path("pids.asked").exists() && started.elapsed() < Duration::from_secs(30) {
        std::thread::sleep(Duration::from_millis(20));
    }
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(killed.is_ok_and(|status| status.success()));
    let ran = Ran::of(&child.wait_with_output().expect("it ends"));
    assert!(started.elapsed() < Duration::from_secs(60));
    ran.exits(130).out_has("interrupted after 0 steps");
    stage.nobody_is_left();
}
