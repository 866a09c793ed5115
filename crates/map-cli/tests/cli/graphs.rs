//! `map render` of a dialogue: graphs.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use insta::assert_snapshot;

use super::{DEADLOCK, ENDLESS, FINE, command, map, map_with};

fn rendered(scene: &str, flags: &[&str]) -> super::Ran {
    map_with(scene.as_bytes(), &[&["render", "-"][..], flags].concat())
}

/// Every construct of the language, and names and texts that would like to be something else.
const EVERYTHING: &str = r#"decision like($x)
procedure value() in {"a\"]; b [x=\\", "<script>&amp;\n", end}
s[
    agent(!A, %a) =
        $v = value()
        then (waitfor (offer($v, _) <= agent($from, %b) or stop() <= agent(_, %b)) timeout skip)
        then (agent(sub, $v) or fail)
        then ((thanks("a|b\"") => agent(_, %b) then agent(deep)) par ($z = like(1) or skip))
        then agent(loop, $v)
    agent(!A, %a, sub, $x) = $y = like($x) then hello($y) => agent(!C, %b)
    agent(!A, %a, deep) = skip
    agent(!A, %a, loop, "x") = agent(loop, "x")
    agent(!A, %a, loop, end) = skip
    agent(!A, %a, loop, $v) = waitfor (more($v) <= agent($b, %b) then agent(loop, $v)) timeout fail
    agent($me, %b) = waitfor ($n = value() then (offer($n, $me) => agent(!A, %a) or agent()))
    agent(!C, %b) = (offer(1, 2) <= agent(_, _) or stop() => agent(_, _)) then (waitfor $q = like(2))
]
"#;

#[test]
fn roles_as_mermaid() {
    let ran = map(&["render", "published-corrected.map", "--role", "%bidder", "--as", "mermaid"]);
    assert_snapshot!("bidder.mermaid", ran.exits(0).out);
    let ran = rendered(EVERYTHING, &["--as", "mermaid"]).exits(0);
    assert_snapshot!("everything.mermaid", ran.out);
}

#[test]
fn roles_as_dot() {
    let ran = rendered(EVERYTHING, &["--as", "dot"]).exits(0);
    assert_snapshot!("everything.dot", ran.out);
}

#[test]
fn roles_as_svg() {
    let ran = rendered(EVERYTHING, &["--as", "svg"]).exits(0);
    let hostile = "agent(loop, &quot;&lt;/text&gt;&lt;script&gt;&quot;)";
    let scene = EVERYTHING.replace("loop, \"x\"", "loop, \"</text><script>\"");
    let svg = rendered(&scene, &["--as", "svg"]).exits(0).out;
    assert!(svg.contains(hostile) && !svg.contains("<script"), "{svg}");
    assert_eq!(svg.matches("<g class=\"edge").count(), ran.out.matches("<g class=\"edge").count());
    assert_eq!(svg.matches("<g class=\"node").count(), 22 + 4 + 5);
    // It stands alone: whatever it names is within it.
    assert_eq!(svg.replace("http://www.w3.org/2000/svg", "").matches("://").count(), 0);
    assert_eq!(svg, rendered(&scene, &["--as", "svg"]).out);
}

/// Mermaid itself reads the state-charts of some protocols of the library and of everything there is, and graphs of
/// states; skipped where it is not installed.
#[test]
fn mermaid_reads_it() {
    let mut graphs = vec![rendered(EVERYTHING, &["--as", "mermaid"]).exits(0).out];
    for scene in [FINE, DEADLOCK, ENDLESS] {
        graphs.push(rendered(scene, &["--graph", "state", "--as", "mermaid"]).exits(0).out);
    }
    for scene in super::some_scenes_of_library(6) {
        graphs.push(map(&super::words(&["render"], &scene, &["--as", "mermaid"])).exits(0).out);
    }
    assert!(graphs.len() > 40, "{}", graphs.len());
    if let Some(kinds) = super::charts::kinds_by_mermaid(&graphs) {
        assert_eq!(kinds, vec!["flowchart-v2"; graphs.len()]);
    }
}

/// Graphviz reads what we write; skipped where it is not installed.
#[test]
fn graphviz_reads_it() {
    let dot = Command::new("dot").arg("-Tplain").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let Ok(mut child) = dot else {
        assert!(std::env::var_os("MAP_REQUIRE_GRAPHVIZ").is_none(), "there is no dot: install graphviz");
        eprintln!("skipped: there is no dot (Debian package graphviz)");
        return;
    };
    let text = rendered(EVERYTHING, &["--as", "dot"]).exits(0).out;
    let edges = text.matches(" -> ").count();
    std::io::Write::write_all(&mut child.stdin.take().expect("it is piped"), text.as_bytes())
        .expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success());
    let plain = String::from_utf8(output.stdout).expect("it is UTF-8");
    assert_eq!(plain.lines().filter(|line| line.starts_with("edge ")).count(), edges);
}

#[test]
fn wrong_requests_are_told() {
    rendered(FINE, &["--role", "b"]).exits(2).err_has("--role b").err_has("there are: %a");
    rendered(FINE, &["--as", "pdf"]).exits(2);
    rendered("s[ agent(!A, %a) = $x ]", &[]).exits(3);
    map(&["render", "nowhere.map"]).exits(3).err_has("error[MAP011]");
    let many = "or m() <= agent(_, %a) then skip ".repeat(5000);
    let large = format!("s[ agent(!A, %a) = waitfor (n() <= agent(_, %a) {many}) ]");
    rendered(&large, &[]).exits(0);
    let steps = "then m() => agent(_, _) ".repeat(12_000);
    let large = format!("s[ agent(!A, %a) = skip {steps} ]");
    rendered(&large, &[]).exits(2).err_has("more than 10000 nodes and edges");
}

#[test]
fn the_name_says_what_is_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    fs::write(path("a.map"), DEADLOCK).expect("it can be written");
    map(&["run", &path("a.map"), "--seed", "1", "--save-trace", &path("t.json")]).exits(1);
    let written = |input: &str, name: &str| {
        map(&["render", &path(input), "-o", &path(name)]).exits(0);
        fs::read_to_string(path(name)).expect("it was written")
    };
    for (input, name, start) in [
        ("a.map", "a.svg", "<svg"),
        ("a.map", "A.GV", "digraph"),
        ("a.map", "a.dot", "digraph"),
        ("a.map", "a.mmd", "flowchart"),
        ("a.map", "a.txt", "!A (%a)\n  start\n"),
        ("a.map", "plain", "digraph"),
        ("t.json", "t.svg", "<svg"),
        ("t.json", "t.html", "<!doctype html>"),
        ("t.json", "t.mermaid", "sequenceDiagram"),
        ("t.json", "t.puml", "@startuml"),
        ("t.json", "t.txt", "       !A"),
        ("t.json", "t", "       !A"),
    ] {
        let text = written(input, name);
        assert!(text.to_lowercase().starts_with(&start.to_lowercase()), "{name}: {text}");
    }
    let both = map(&["render", &path("a.map"), "--as", "dot", "-o", &path("b.svg")]).exits(0);
    both.err_has("b.svg is written as dot, though its name says svg");
    assert!(fs::read_to_string(path("b.svg")).expect("it was written").starts_with("digraph"));
    let same = map(&["render", &path("a.map"), "--as", "svg", "-o", &path("b.svg")]).exits(0);
    assert_eq!(same.err, "");
    map(&["render", &path("a.map"), "-o", &path("b.pdf")]).exits(2).err_has("pictures end in .txt, .dot,");
    map(&["render", &path("a.map"), "--as", "svg", "-o", &path("b.pdf")]).exits(0);
    map(&["render", &path("a.map"), "-o", &path("b.html")])
        .exits(2)
        .err_has("plantuml and html are for traces");
    map(&["render", &path("t.json"), "-o", &path("t.gv")])
        .exits(2)
        .err_has("dot is for the graphs of dialogues");
    assert!(!folder.path().join("b.html").exists() && !folder.path().join("t.gv").exists());
}

#[test]
fn a_picture_is_written_as_a_whole_and_never_over_the_dialogue() {
    let folder = tempfile::tempdir().expect("a folder");
    let (source, picture) = (folder.path().join("a.map"), folder.path().join("a.dot"));
    fs::write(&source, FINE).expect("it can be written");
    let (from, to) = (source.display().to_string(), picture.display().to_string());
    map(&["render", &from, "-o", &to]).exits(0);
    let first = fs::read_to_string(&picture).expect("it was written");
    assert_eq!(first, rendered(FINE, &[]).exits(0).out);
    map(&["render", &from, "--role", "a", "--as", "mermaid", "-o", &to]).exits(0);
    assert_ne!(fs::read_to_string(&picture).expect("it was replaced"), first);
    map(&["render", &from, "-o", &from]).exits(2).err_has("this is a file to be read");
    assert_eq!(fs::read_to_string(&source).expect("it is there"), FINE);
    let nowhere = folder.path().join("none/a.dot").display().to_string();
    map(&["render", &from, "-o", &nowhere]).exits(2).err_has("there is no directory");
    assert_eq!(fs::read_dir(folder.path()).expect("the folder is there").count(), 2);
    // Nobody reads to the end.
    let mut child = command(&["render", "auction.map"]).stdout(Stdio::piped()).spawn().expect("it runs");
    drop(child.stdout.take());
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

/// The state graphs of the library's cases have the states and transitions that the verifier counts without reductions,
/// and a violation is as many highlighted edges away as its shortest trace has steps.
#[test]
fn state_graphs_are_those_of_the_verifier() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../protocols");
    let mut compared = 0;
    for protocol in fs::read_dir(folder).expect("the library is there") {
        let files = fs::read_dir(protocol.expect("it can be read").path()).into_iter().flatten();
        for file in
            files.flatten().map(|it| it.path()).filter(|it| it.extension().is_some_and(|it| it == "map"))
        {
            let text = fs::read_to_string(&file).expect("it can be read");
            for line in text.lines().filter_map(|line| line.strip_prefix("//@ verify")) {
                let (flags, expected) = line.split_once("=> ").expect("a case has a verdict");
                let words: Vec<&str> = expected.split(", ").collect();
                let number = |unit: &str| {
                    let counted = words.iter().filter_map(|word| word.strip_suffix(unit));
                    counted.filter_map(|count| count.trim_end().parse::<usize>().ok()).next()
                };
                let Some(states @ ..=300) = number(" states") else { continue };
                let file = file.display().to_string();
                let mut arguments = vec!["render", &file, "--graph", "state", "--as", "dot"];
                arguments.extend(flags.split_whitespace());
                let drawn = map(&arguments).exits(0).out;
                if let Some(transitions) = number(" transitions") {
                    let title = format!(": {states} states, {transitions} transitions\"");
                    assert!(drawn.contains(&title), "{line}\n{drawn}");
                }
                // Of a violation that is only possible, others may be nearer.
                if let Some(steps) = number(" steps").filter(|_| !words.contains(&"possible")) {
                    assert_eq!(drawn.matches("penwidth").count(), steps, "{file}: {line}\n{drawn}");
                } else if words[0].starts_with("terminates") {
                    assert_eq!(drawn.matches("penwidth").count(), 0, "{file}: {line}\n{drawn}");
                }
                compared += 1;
            }
        }
    }
    assert!(compared > 40, "only {compared} graphs");
}

#[test]
fn verdicts_have_colours() {
    let marks = |scene: &str, flags: &[&str]| {
        let flags = [&["--graph", "state", "--as", "mermaid"][..], flags].concat();
        let text = rendered(scene, &flags).exits(0).out;
        let words = ["good", "failed", "deadlock", "livelock", "doomed", "cut"];
        words.into_iter().filter(|word| text.contains(&format!("classDef {word} "))).collect::<Vec<_>>()
    };
    assert_eq!(marks(FINE, &[]), ["good"]);
    assert_eq!(marks(DEADLOCK, &[]), ["deadlock"]);
    assert_eq!(marks(ENDLESS, &[]), ["livelock"]);
    assert_eq!(marks("s[ agent(!A, %a) = fail ]", &[]), ["failed"]);
    assert_eq!(marks("s[ agent(!A, %a) = $x = p() then fail ] procedure p()", &[]), ["failed", "doomed"]);
    let choice = "s[ agent(!A, %a) = $x = p() then (waitfor $y = p() then never() <= agent(_, _)) or skip ] decision p()";
    assert!(marks(choice, &[]).contains(&"good"));
    let deep = "s[ agent(!A, %a) = $x = p() then agent(again) then skip
        agent(!A, %a, again) = $x = p() then agent(again) then skip ] procedure p()";
    assert_eq!(marks(deep, &["--depth", "3"]), ["cut"]);
    let run_error = "s[ agent(!A, %a) = $x = p(0) ] procedure p($x) = 1 / $x";
    rendered(run_error, &["--graph", "state"]).exits(0).out_has("run error");
    let calls = "s[ agent(!A, %a) = $x = p() then agent(x) agent(!A, %a, x) = agent(x) ] procedure p()";
    rendered(calls, &["--graph", "state"]).exits(0).out_has("runaway recursion");
    let three = ["--graph", "state", "--mailbox", "0"];
    let send = "s[ agent(!A, %a) = m() => agent(!B, %b) agent(!B, %b) = waitfor m() <= agent(_, %a) ]";
    rendered(send, &three).exits(0).out_has("mailbox overflow");
}

#[test]
fn state_graphs_have_a_limit() {
    let flags = ["--graph", "state"];
    let many = ["auction.map", "--agents", "bidder=3", "--rounds", "bidloop=2"];
    map(&[&["render"], &flags[..], &many].concat())
        .exits(2)
        .err_has("more than 500 states")
        .err_has("--rounds");
    rendered(FINE, &[&flags[..], &["--max-states", "0"]].concat()).exits(2).err_has("more than 0 states");
    rendered(FINE, &[&flags[..], &["--role", "a"]].concat()).exits(2).err_has("--role is for");
    rendered("s[ agent(!A, %a) = agent() ]", &flags).exits(2).err_has("no first state");
}

#[test]
fn the_picture_of_the_readme_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/book/src/bidder.svg");
    let drawn = map(&["render", "published-corrected.map", "--role", "bidder", "--as", "svg"]).exits(0).out;
    assert_eq!(fs::read_to_string(path).expect("it is there"), drawn, "draw it again with -o");
}
