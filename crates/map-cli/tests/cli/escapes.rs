//! What comes from outside reaches no terminal as it is: not from files, names of files, traces, programs or arguments.

use std::fs;
use std::process::{Command, Stdio};

use super::{Ran, command, map, map_with, verbs};

/// Sets the title, wipes the screen, hides what follows, with characters of eight bits as well, and turns the text
/// round.
const EVIL: &str = "\x1b]0;pwned\x07\x1b[2J\x1b[8m\x1b[35m\u{9b}2J\u{202e}\u{2066}\u{200b}";

/// Whether there is something in it that a terminal may obey, apart from colours that hide nothing.
fn obeyed(text: &str) -> bool {
    let (mut rest, mut plain) = (text, String::new());
    while let Some((before, after)) = rest.split_once("\x1b[") {
        plain.push_str(before);
        let Some((numbers, behind)) = after.split_once('m') else { return true };
        let known =
            ["0", "1", "2", "4", "31", "32", "33", "34", "36", "38;5;9", "38;5;11", "38;5;12", "38;5;14"];
        if !known.contains(&numbers) {
            return true;
        }
        rest = behind;
    }
    plain.push_str(rest);
    let bad = |it: char| (it.is_control() && it != '\n') || "\u{202e}\u{2066}\u{200b}".contains(it);
    plain.chars().any(bad)
}

#[track_caller]
fn harmless(ran: Ran) -> Ran {
    assert!(!obeyed(&ran.out), "stdout: {:?}", ran.out);
    assert!(!obeyed(&ran.err), "stderr: {:?}", ran.err);
    ran
}

/// A dialogue with such characters wherever they may stand: it ends in a deadlock, and has a warning.
fn dialogue() -> String {
    format!(
        "//@ verify => {EVIL}\n//@ {EVIL}\n// {EVIL}\nproperty p: never !A sends m(\"{EVIL}\") to _ // {EVIL}\n\
         memory %a {{ @c = \"{EVIL}\" }}\nprocedure q($x)\ns[\n\
         agent(!A, %a) = m(\"{EVIL}\") => agent(!B, %b) then $z = q(\"{EVIL}\") then agent(\"{EVIL}\") // {EVIL}\n\
         agent(!A, %a, \"{EVIL}\") /* {EVIL} */ = waitfor n(\"{EVIL}\") <= agent(_, %b)\n\
         agent(!B, %b) = waitfor m($x) <= agent(_, %a) /* {EVIL} */ ]\n"
    )
}

#[test]
fn no_verb_shows_what_a_terminal_obeys() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("it is text").to_owned();
    // A slash ends a name.
    let dialogue_path = path(&format!("a{EVIL}.map"));
    let broken = path(&format!("b{EVIL}.map"));
    let absent = path(&format!("c{EVIL}.map"));
    let trace = path(&format!("t{EVIL}.json"));
    fs::write(&dialogue_path, dialogue()).expect("it can be written");
    fs::write(&broken, format!("s[ agent(!A, %a) = m(\"{EVIL}\", $x) => agent(!B, %b) {EVIL} ] // {EVIL}"))
        .expect("it can be written");
    let saved = map(&["verify", &dialogue_path, "--save-trace", &trace, "--full-trace"]).exits(1);
    harmless(saved);
    let words: Vec<Vec<&str>> = vec![
        vec!["check"],
        vec!["check", "--format", "json"],
        vec!["check", "--format", "github"],
        vec!["check", "--format", "sarif"],
        vec!["run", "--seed", "1", "--chart", "always"],
        vec!["run", "--seed", "1", "--format", "json"],
        vec!["run", "--runs", "3", "--seed", "1"],
        vec!["verify", "--full-trace", "--chart", "always"],
        vec!["verify", "--format", "json"],
        vec!["verify", "--weather"],
        vec!["verify", "--only", EVIL],
        vec!["verify", "--property", EVIL],
        vec!["verify", "--scene", EVIL],
        vec!["verify", "--agents", EVIL],
        vec!["test"],
        vec!["test", "--format", "json"],
        vec!["render", "--as", "svg"],
        vec!["render", "--as", "dot"],
        vec!["render", "--as", "mermaid"],
        vec!["render", "--role", EVIL],
        vec!["export", "--to", "promela", "--mailbox", "2"],
        vec!["fmt", "--check"],
        vec!["dump", "ast"],
        vec!["dump", "names"],
        vec!["dump", "ir"],
        vec!["dump", "successors"],
        vec!["replay"],
        vec!["explain"],
        vec!["completions"],
        vec!["man"],
        vec!["new", "--from"],
        vec!["new", "--from", "ballot"],
        vec!["--color"],
    ];
    for colour in ["--color=always", "--color=never"] {
        for words in &words {
            for file in [&dialogue_path, &broken, &absent] {
                harmless(map(&[&words[..], &[file, colour]].concat()));
            }
        }
        for words in
            [&["replay"][..], &["replay", "--chart", "always"], &["replay", "--format", "json"], &["render"]]
        {
            harmless(map(&[words, &[&trace, colour]].concat()).exits(if words[0] == "render" {
                0
            } else {
                1
            }));
        }
        let script = format!(
            "list\n1\nshow\nwhere\nmailbox\nvariables\nmemory\nsave {}\nlist {EVIL}\n",
            path("s.json")
        );
        harmless(map_with(script.as_bytes(), &["step", &dialogue_path, colour]).exits(2).out_has("saved to"));
        harmless(
            map(&["fmt", &dialogue_path, "--diff", "--color=always"]).exits(0).out_has("\\u{1b}]0;pwned"),
        );
        for verb in verbs() {
            harmless(map(&[&verb, EVIL, colour]));
            harmless(map(&[&verb, &format!("--{EVIL}"), colour]));
        }
    }
    // What is shown says what is there.
    map(&["check", &dialogue_path])
        .exits(0)
        .err_has("MAP319")
        .err_has(r"// \u{1b}]0;pwned\u{7}\u{1b}[2J\u{1b}[8m");
}

#[test]
fn a_trace_and_a_program_cannot_either() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("it is text").to_owned();
    fs::write(path("a.map"), "s[ agent(!A, %a) = $x = q() then m($x) => agent(!A, %a) ]")
        .expect("it can be written");
    map(&["run", &path("a.map"), "--save-trace", &path("t.json"), "--yes", "1"]);
    let trace = fs::read_to_string(path("t.json")).expect("it was saved");
    let json = serde_json::to_string(EVIL).expect("it is text");
    for part in ["\"run\"", "\"instant\"", "\"quiescent\"", "\"s\"", "\"A\"", "\"0.0."] {
        let there = trace.matches(part).count();
        assert!(there > 0, "{part} in {trace}");
        let evil =
            if part.ends_with('.') { format!("\"0.0.{}", json.trim_matches('"')) } else { json.clone() };
        // In escapes of JSON, and as they are.
        for evil in [evil.clone(), evil.replace("\\u001b", "\x1b")] {
            fs::write(path("evil.json"), trace.replace(part, &evil)).expect("it can be written");
            for verb in ["replay", "render"] {
                harmless(map(&[verb, &path("evil.json"), "--color=always"]));
            }
        }
    }
    for answer in [
        format!(r#"printf '%s\n' '{EVIL}'"#),
        format!(r#"printf '%s\n' '{{"protocol": 1}}' '{EVIL}'; cat > /dev/null"#),
        format!(r#"printf '%s\n' '{{"protocol": 1}}' '{{"id": 1, "error": {json}}}'; cat > /dev/null"#),
        format!(
            r#"printf '%s\n' '{{"protocol": 1}}' '{{"id": 1, "answer": "yes", "value": {json}}}'; cat > /dev/null"#
        ),
        format!(
            r#"printf '%s\n' '{{"protocol": 1}}' '{{"id": 1, "answer": "yes", "value": {{"agent": {json}}}}}'; cat > /dev/null"#
        ),
    ] {
        fs::write(path("answer.sh"), &answer).expect("it can be written");
        let program = format!("sh {}", path("answer.sh"));
        for more in [&[][..], &["--format", "json"], &["--chart", "always"]] {
            harmless(map(
                &[&["run", &path("a.map"), "--procedures", &program, "--color=always"], more].concat()
            ));
        }
    }
    // A person's answers are shown again.
    let ran = map_with(
        format!("\"{EVIL}\"\n").as_bytes(),
        &["run", &path("a.map"), "--ask", "A", "--color=always"],
    );
    harmless(ran).out_has("asks q()");
}

/// For `patch`, and where a file goes to standard output, nothing may be lost, unless it is a terminal.
#[test]
fn what_is_no_terminal_gets_files_as_they_are() {
    let text = "s[\n    agent(!A, %a) = skip // \u{1b}[2J\n]\n";
    let ran = map_with(text.as_bytes(), &["fmt", "-"]).exits(0);
    assert_eq!(ran.out, text);
    let ran = map_with(text.replace("    agent", "agent").as_bytes(), &["fmt", "-", "--diff"]).exits(0);
    assert!(ran.out.contains("+    agent(!A, %a) = skip // \u{1b}[2J\n"), "{}", ran.out);
    if !cfg!(target_os = "linux") {
        return;
    }
    // script(1) gives it a terminal.
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("a.map"), text).expect("it can be written");
    for arguments in
        ["fmt - < a.map", "fmt --diff a.map", "export a.map --to promela", "render a.map --as dot"]
    {
        let line = format!("{} {arguments}", env!("CARGO_BIN_EXE_map"));
        let mut script = Command::new("script");
        script.args(["-qec", &line, "/dev/null"]).current_dir(folder.path()).env("NO_COLOR", "1");
        let Ok(output) = script.stdin(Stdio::null()).output() else { return };
        let shown = String::from_utf8(output.stdout).expect("it is text");
        assert!(!shown.contains('\u{1b}'), "{arguments}: {shown:?}");
    }
    let _ = command;
}
