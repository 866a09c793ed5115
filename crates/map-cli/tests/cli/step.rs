//! `map step`, with commands from standard input.

use std::fs;

use super::{command, map, map_with};

/// Runs a script of commands, one in a word.
fn script(commands: &str, arguments: &[&str]) -> super::Ran {
    map_with(commands.replace("; ", "\n").as_bytes(), &[&["step"], arguments].concat())
}

#[test]
fn a_session() {
    let ran = script(
        "1; 1; list; 1; show; undo; redo; 1.0.act.1; where !Auctioneer; mailbox Bidder; variables; memory; \
         go 1; trace; go 4; random 2 7; trace 4 5; help; quit; 1",
        &["auction.map"],
    );
    insta::assert_snapshot!(ran.exits(0).out);
}

#[test]
fn bodies_bounds_and_open_comparisons() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.map");
    let text = "memory %a { @n = 1, @who = self }
procedure next() = @n with @n := @n + 1
procedure pick() in { red, 3, !B }
procedure p()
s[
    agent(!A, %a) = $x = next() then $y = pick() then $p = p() then agent(is, $p)
    agent(!A, %a, is, red) = agent(more, 3)
    agent(!A, %a, is, $x) = $z = over($x) then skip
    agent(!A, %a, more, 0) = skip
    agent(!A, %a, more, $n) = waitfor m() <= agent(_, _) timeout (skip then agent(more, 0))
    agent(!B, %b) = (waitfor m() <= agent(_, _)) par (waitfor n() <= agent(_, _) timeout skip)
]
procedure over($x) = 1 / 0";
    fs::write(&path, text).unwrap();
    let ran =
        script("1; 2; show; 1; 1; undo; 2; 1; undo 3; 1; w", &[path.to_str().unwrap(), "--timeouts", "any"]);
    let folder = folder.path().to_str().unwrap();
    insta::assert_snapshot!(ran.exits(0).out.replace(folder, "FOLDER"));
}

#[test]
fn steps_that_are_cut_are_listed_and_cannot_be_taken() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.map");
    fs::write(
        &path,
        "s[ agent(!A, %a) = m() => agent(_, _) then agent() agent(!B, %b) = m() <= agent(_, _) or skip ]",
    )
    .unwrap();
    let path = path.to_str().unwrap();
    let ran = script("1; 1.0.act; 1", &[path, "--rounds", "0"]).exits(2);
    assert!(ran.out.contains("  -  !A") && ran.out.contains("is cut by --rounds"), "{}", ran.out);
    assert!(ran.out.contains("cut after 1 step"), "{}", ran.out);
    ran.err_has("line 2: 1.0.act cannot be done: the agent has no such thread, or has ended");
}

#[test]
fn scripts_end_at_the_first_command_that_cannot_be_done() {
    for (commands, why) in [
        ("7", "no step 7, only step 1"),
        ("0", "no step 0"),
        ("1; -1", "no command"),
        ("1; 99999999999999999999", "expected a number"),
        ("undo", "only 0 steps to take back"),
        ("redo", "only 0 steps to go on"),
        ("go 1", "only 0 steps to go on"),
        ("show !Nobody", "there is no agent !Nobody; there are: !Auctioneer, !Bidder"),
        ("5.0.act", "no agent of that number"),
        ("0.0.timeout", "time cannot run out"),
        ("save x.map", ".map is the ending of dialogues"),
        ("save /no/such/folder/t.json", "no directory"),
        ("random; random", "nothing can happen any more"),
        ("\u{0}", "no command"),
    ] {
        let ran = script(commands, &["auction.map"]).exits(2).err_has(why);
        let line = format!("line {}", commands.split("; ").count());
        ran.err_has(&line);
    }
    let long = "x".repeat(5_000_000);
    script(&long, &["auction.map"]).exits(2).err_has("fewer than 4096");
    map_with(b"\xff\xfe\n", &["step", "auction.map"]).exits(2).err_has("not UTF-8");
}

#[test]
fn the_end_of_the_input_ends_it() {
    map(&["step", "auction.map"]).exits(0).out_has("1)  !Auctioneer");
    script("1", &["auction.map"]).exits(0);
    script("# nothing\n\n   \n", &["auction.map"]).exits(0);
}

#[test]
fn a_trace_is_saved_and_taken_up_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("my trace.json");
    let path = path.to_str().unwrap();
    script(
        &format!("random 30 1; undo 3; save {path}"),
        &["auction.map", "--agents", "bidder=2", "--rounds", "bidloop=9"],
    )
    .exits(0)
    .out_has("saved to");
    map(&["replay", path]).exits(4).out_has("not ended").out_has("9 rounds of bidloop").out_has("!Bidder2");
    script("undo; redo; random", &["--resume", path]).exits(0).out_has("resumed after").out_has("done after");
    script("", &["auction.map", "--resume", path]).exits(2).err_has("--resume");
    script("", &["--resume", path, "--agents", "bidder=3"]).exits(2).err_has("--agents");
    script("", &["--resume", path, "--depth", "3"]).exits(2).err_has("--depth");
    script("", &["-"]).exits(2).err_has("standard input");
    script("", &[]).exits(2);
    script("", &["/no/such/file.map"]).exits(3).err_has("MAP011");
    script("", &["--resume", "auction.map"]).exits(3).err_has("MAP401");
}

#[cfg(target_os = "linux")]
#[test]
fn traces_have_names_that_are_bytes() {
    use std::os::unix::ffi::OsStrExt as _;

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(std::ffi::OsStr::from_bytes(b"a \xff.json"));
    let line = [b"1\nsave ", path.as_os_str().as_bytes(), b"\n"].concat();
    map_with(&line, &["step", "auction.map"]).exits(0).out_has(r"/a \xff.json");
    assert!(path.exists());
    map_with(b"show \xff\n", &["step", "auction.map"]).exits(2).err_has("line 1: the line is not UTF-8");
}

#[test]
fn a_chart() {
    let ran = script("chart; 1; undo; chart; redo; 1; 1; chart; list", &["auction.map"]).exits(0);
    assert_eq!(ran.out.matches("no steps have been made").count(), 2);
    let at = ran.out.rfind("       !Auctioneer").unwrap();
    let below = "
       !Auctioneer                         !Bidder
            │                                 │
    1       ◇ openingPrice() → openingPrice#1 │
  2-3       ●───── start(openingPrice#1) ────▶│
            │                                 │

 1)  !Bidder ";
    assert!(ran.out[at - 1..].starts_with(below), "{}", ran.out);
    // How it ends belongs to it.
    script("random 100 7; chart", &["published-corrected.map"]).exits(0).out_has("┄┄ waits for ┄┄");
}

#[test]
fn one_seed_leads_to_one_end() {
    let run = |seed: &str| {
        script(&format!("random 1000 {seed}"), &["auction.map", "--agents", "bidder=3"]).exits(0).out
    };
    assert_eq!(run("5"), run("5"));
    assert_ne!(run("5"), run("6"));
    script("random; undo 0", &["auction.map", "--yes", "0,startBidding=1"]).exits(0).out_has("unsold");
}

#[test]
fn no_first_state() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.map");
    fs::write(&path, "s[ agent(!A, %a) = agent() ]").unwrap();
    script("show; trace; random", &[path.to_str().unwrap()])
        .exits(2)
        .out_has("runaway recursion after 0 steps")
        .err_has("line 3: nothing can happen");
}

#[test]
fn a_closed_pipe_is_no_error() {
    use std::io::Write as _;
    use std::process::Stdio;

    let mut child = command(&["step", "auction.map"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    let _ = input.write_all(&b"1\nundo\n".repeat(10_000));
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_session_that_waits() {
    use std::io::{BufRead as _, BufReader};
    use std::process::{Command, Stdio};

    let mut child =
        command(&["step", "auction.map"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    // Kept open: the end of the input would end the session, too.
    let input = child.stdin.take();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().contains("1)  !Auctioneer")));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    drop(input);
}
