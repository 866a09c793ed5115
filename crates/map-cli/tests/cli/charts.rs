//! Charts of traces, in every language they are written in.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use insta::assert_snapshot;
use tempfile::TempDir;

use super::{map, map_with};

/// Texts that would like to be something else, sent and answered.
const HOSTILE: &str = r#"procedure word() in { "a\"b'; end %%{x}%% #quot; --> <script>alert(1)</script> & ]]> \n@enduml\u{202e}txt \u{1b}[31m" }
s[
    agent(!A, %a) = $x = word() then m($x, "שלום 👩‍🚀 二つの言葉") => agent(_, %b)
        then n("!include /etc/passwd %getenv(\"HOME\") ${x} __i__ **b** <&heart> <br/> a very long text without any sense but with an end") => agent(_, %b)
    agent(!B, %b) = (waitfor m($y, $z) <= agent(_, %a)) then waitfor n($n) <= agent(_, %a)
]"#;

/// What a chart can show: asks with and without answers, memory, a multicast, a message overtaken by another, one lost,
/// one for somebody who has ended, a timeout, threads, and a deadlock of two.
const EVERYTHING: &str = "memory %hub { @seen = 0 }
procedure note($n) = @seen with @seen := @seen + $n
decision small($n) | $n < 2 = $n
everything[
    agent(!Hub, %hub) = $a = note(7) then start($a) => agent(_, %leaf) then agent(go)
    agent(!Hub, %hub, go) = (waitfor late() <= agent(_, %leaf) timeout skip)
        then ($no = small(5) or early() => agent(!Left, %leaf))
        then (waitfor done() <= agent(!Left, %leaf))
    agent(!Left, %leaf) =
        (waitfor start($n) <= agent(_, %hub))
        then second() => agent(!Right, %leaf) then first() => agent(!Right, %leaf)
        then (waitfor ok() <= agent(!Right, %leaf)) then done() => agent(!Hub, %hub)
    agent(!Right, %leaf) =
        (waitfor first() <= agent(_, %leaf)) then (waitfor second() <= agent(_, %leaf))
        then ((waitfor hello() <= agent(!Left, %leaf)) par (waitfor start(_) <= agent(_, %hub)))
        then ok() => agent(!Left, %leaf)
]";

/// A trace of a scene, saved.
struct Saved {
    folder: TempDir,
}

impl Saved {
    /// That of a verb with these flags.
    fn by(text: &str, verb: &str, flags: &[&str]) -> Self {
        let saved = Self { folder: tempfile::tempdir().expect("there is room") };
        let scene = saved.path("scene.map");
        fs::write(&scene, text).expect("there is room");
        map(&[&[verb, &scene, "--save-trace", &saved.path("trace.json")], flags].concat());
        saved
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().expect("the path is UTF-8").to_owned()
    }

    fn drawn(&self, format: &str) -> String {
        map(&["render", &self.path("trace.json"), "--as", format]).exits(0).out
    }
}

#[test]
fn everything_is_drawn() {
    let saved = Saved::by(EVERYTHING, "verify", &[]);
    assert_snapshot!("everything.text", saved.drawn("text"));
    assert_snapshot!("everything.mermaid", saved.drawn("mermaid"));
    assert_snapshot!("everything.plantuml", saved.drawn("plantuml"));
    assert_snapshot!("everything.svg", saved.drawn("svg").replace("><", ">\n<"));
}

#[test]
fn losses_and_crashes_are_drawn() {
    let network = ["--network", "lossy:2,crash:1", "--seed", "4", "--loss", "0.5", "--crash", "0.2"];
    let saved = Saved::by(EVERYTHING, "run", &network);
    let text = saved.drawn("text");
    assert!(text.contains("(lost") && text.contains('✕') && text.contains("crashes"), "{text}");
    let svg = saved.drawn("svg");
    assert!(svg.contains(">lost for !Left<") && svg.contains(">crashes<"), "{svg}");
    assert!(saved.drawn("mermaid").contains("-x"));
    assert!(saved.drawn("plantuml").contains("->x"));
}

#[test]
fn lines_fit_a_terminal() {
    for agents in ["1", "2", "3", "5", "8", "20"] {
        let scene =
            "s[ agent(!Hub, %hub) = start(\"a long text for everybody\") => agent(_, %leaf) then agent(all)
            agent(!Hub, %hub, all) = waitfor bye() <= agent($who, %leaf) then agent(all) timeout skip
            agent($me, %leaf) = (waitfor start($t) <= agent(_, %hub)) then bye() => agent(_, %hub) ]";
        let saved = Saved::by(scene, "run", &["--seed", "1", "--agents", &format!("leaf={agents}")]);
        for line in saved.drawn("text").lines() {
            assert!(line.chars().count() <= 80, "{agents}: {line}");
        }
    }
}

/// With four agents, a message that does not fit between two lifelines stands beside them, in one piece.
#[test]
fn messages_of_many_agents_are_in_one_piece() {
    let scene = |message: &str| {
        format!(
            "s[ agent(!Hub, %hub) = {message} => agent(_, %leaf)
                agent($me, %leaf) = waitfor {message} <= agent(_, %hub) ]"
        )
    };
    for (message, beside) in [("short(1)", false), ("a_long_message(1, two, three)", true)] {
        let drawn = Saved::by(&scene(message), "run", &["--seed", "1", "--agents", "leaf=3"]).drawn("text");
        assert!(drawn.contains(message), "{drawn}");
        assert_eq!(drawn.contains(&format!("{message}: !Hub to")), beside, "{drawn}");
    }
}

#[test]
fn what_users_write_stays_text() {
    let saved = Saved::by(HOSTILE, "run", &["--seed", "1"]);
    for format in ["text", "mermaid", "plantuml", "svg", "html"] {
        let drawn = saved.drawn(format);
        assert!(format == "text" || !drawn.contains("<script"), "{format}: {drawn}");
        assert!(!drawn.contains(['\u{202e}', '\u{1b}']), "{format}: {drawn}");
        assert!(drawn.contains("שלום") && drawn.contains('二'), "{format}: {drawn}");
    }
    let svg = saved.drawn("svg");
    assert!(svg.contains("&lt;script&gt;"), "{svg}");
    // What stands in a line for a tool is ours.
    let plantuml = saved.drawn("plantuml");
    for line in plantuml.lines().skip(1) {
        let ours = ["hide ", "participant ", "note ", "a0 ->", "a1 ->", "@enduml"];
        assert!(ours.iter().any(|it| line.starts_with(it)), "{line}");
        assert!(!line.contains(['%', '!', '[', ']', ';', '#', '\'', '&']), "{line}");
    }
    let mermaid = saved.drawn("mermaid");
    for line in mermaid.lines().skip(1) {
        let ours = ["participant ", "Note over a", "a0-", "a1-"];
        assert!(ours.iter().any(|it| line.trim_start().starts_with(it)), "{line}");
        assert!(!line.replace("<br/>", "").contains(['%', '<', '"', '\'', '&', '{']), "{line}");
    }
}

/// A long run that repeats itself: folded, unless all of it is wanted.
#[test]
fn what_repeats_itself_is_folded() {
    let saved = Saved::by(super::ENDLESS, "run", &["--seed", "1", "--max-steps", "200"]);
    let folded = saved.drawn("text");
    assert!(folded.contains("times more") && folded.lines().count() < 30, "{folded}");
    let trace = saved.path("trace.json");
    let full = map(&["render", &trace, "--full"]).exits(0).out;
    assert!(full.lines().count() > 100 && !full.contains("times more"), "{full}");
    let svg = map(&["render", &trace, "--as", "svg"]).exits(0).out;
    assert!(svg.matches("data-step").count() < 30, "{svg}");
}

/// With an agent that has nothing to do with the deadlock.
#[test]
fn what_has_no_part_is_folded() {
    let scene = "s[
        agent(!A, %a) = (waitfor m() <= agent(_, %b)) then m() => agent(_, %b)
        agent(!B, %b) = (waitfor m() <= agent(_, %a)) then m() => agent(_, %a)
        agent(!C, %c) = $x = p() then $y = p() then $z = p() then x($x) => agent(!D, %d)
        agent(!D, %d) = waitfor x($x) <= agent(_, %c)
    ]
    procedure p()";
    let ran = map_with(scene.as_bytes(), &["verify", "-v", "-"]).exits(1);
    ran.out_has("steps 1 to 5: no part in how this ends").out_has("waiting in a circle: !A ┄▷ !B ┄▷ !A");
}

/// The story folds the same steps, unless all are wanted.
#[test]
fn the_story_folds_what_has_no_part() {
    let scene = "s[
        agent(!A, %a) = (waitfor m() <= agent(_, %b)) then m() => agent(_, %b)
        agent(!B, %b) = (waitfor m() <= agent(_, %a)) then m() => agent(_, %a)
        agent(!C, %c) = $x = p() then $y = p() then skip
    ]
    procedure p()";
    let ran = map_with(scene.as_bytes(), &["verify", "-v", "-"]).exits(1);
    let ran = ran.out_has("deadlock after 2 steps").out_has(".. steps 1 to 2 have no part in how this ends");
    assert!(!ran.out.contains("asks p()"), "{}", ran.out);
    let ran = map_with(scene.as_bytes(), &["verify", "-v", "-", "--full-trace"]).exits(1);
    ran.out_has("1  !C").out_has("2  !C").out_has("p() → p#2; done");
}

/// Of traces that are equally short one with fewer agents is shown.
#[test]
fn few_agents_are_shown() {
    let scene = "s[
        agent(!A, %a) = m() => agent(_, %c)
        agent(!B, %b) = m() => agent(_, %c) then m() => agent(_, %c)
        agent(!C, %c) = (waitfor m() <= agent(_, _)) then (waitfor m() <= agent(_, _)) then fail
    ]";
    let ran = map_with(scene.as_bytes(), &["verify", "-v", "-", "--reductions", "none"]).exits(1);
    let ran = ran.out_has("failure after 4 steps").out_has("!B  <stdin>:3");
    assert!(!ran.out.contains("!A  <stdin>"), "{}", ran.out);
}

/// A run and a trace are drawn where that is wanted, as `map render` draws the trace.
#[test]
fn runs_and_replays_are_drawn() {
    let saved = Saved::by(EVERYTHING, "run", &["--seed", "3"]);
    let (scene, trace) = (saved.path("scene.map"), saved.path("trace.json"));
    let drawn = saved.drawn("text");
    for arguments in [&["run", &scene, "--seed", "3"][..], &["replay", &trace]] {
        let plain = map(arguments).out;
        for when in ["always", "auto"] {
            let out = map(&[arguments, &["--chart", when]].concat()).out;
            assert!(out.contains(&format!("\n\n{drawn}\nbounds: ")), "{out}");
            let out = out
                .replacen(&format!("\n{drawn}"), "", 1)
                .replace(" --chart=auto", "")
                .replace(" --chart", "");
            assert_eq!(out, plain);
        }
        assert_eq!(map(&[arguments, &["--chart", "never"]].concat()).out, plain);
    }
    // Long ones only always, and folded.
    let long = ["run", "auction.map", "--agents", "bidder=9", "--seed", "1", "--chart"];
    assert!(!map(&[&long[..], &["auto"]].concat()).out.contains('┼'));
    assert!(map(&[&long[..], &["always"]].concat()).out.contains("more steps: steps"));
    let again = map(&[&long[..], &["always"]].concat()).out_has("--seed 1 --chart\n");
    assert!(again.code.is_some());
    assert_eq!(map(&long).out, again.out);
    map(&["run", "auction.map", "--runs", "3", "--chart", "always"]).exits(2);
    // A file may follow, and a word that says when may stand apart or not.
    let always = map(&["replay", &trace, "--chart=always"]).out_has(&drawn).out;
    assert_eq!(map(&["replay", "--chart", &trace]).out, always);
    assert_eq!(map(&["verify", "--chart", "published.map", "--chart", "never"]).code, Some(2));
    let never = map(&["verify", "published-corrected.map", "--chart", "never"]).exits(1).out;
    assert!(!never.contains('│'), "{never}");
    map(&["verify", "--chart", "published-corrected.map"]).exits(1).out_has("│");
    map(&["replay", &trace, "--chart=x.svg"]).exits(2).err_has("[possible values: auto, always, never]");
    map(&["replay", "--", "--chart", "always"]).exits(2);
    let deadlock = map_with(super::DEADLOCK.as_bytes(), &["run", "-", "--chart", "auto"]).exits(1);
    deadlock.out_has("┄┄ waits for");
}

const LIVELOCK: &str = "s[
    agent(!A, %a) = hello() => agent(_, %b) then agent(loop)
    agent(!A, %a, loop) = ping() => agent(_, %b) then (waitfor pong() <= agent(_, %b)) then agent(loop)
    agent(!B, %b) = (waitfor hello() <= agent(_, %a)) then agent(loop)
    agent(!B, %b, loop) = (waitfor ping() <= agent(_, %a)) then pong() => agent(_, %a) then agent(loop)
]";

/// What goes on for ever in a livelock is shown once, as something that is repeated, in every language.
#[test]
fn a_livelock_is_a_loop() {
    let ran = map_with(LIVELOCK.as_bytes(), &["verify", "-v", "-"]).exits(1);
    let figures = ran.out.lines().position(|line| line.contains(" states, ")).expect("they are counted");
    assert_snapshot!("livelock", ran.out.lines().take(figures).collect::<Vec<_>>().join("\n"));
    let saved = Saved::by(LIVELOCK, "verify", &[]);
    let text = saved.drawn("text");
    assert!(text.contains("repeated for ever from here") && text.contains("and so on"), "{text}");
    for (format, part) in [
        ("mermaid", "    loop for ever\n"),
        ("plantuml", "loop for ever\n"),
        ("svg", "class=\"loop\""),
        ("html", "these steps are repeated for ever:"),
    ] {
        let drawn = saved.drawn(format);
        assert!(drawn.contains(part), "{format}: {drawn}");
    }
    let trace = saved.path("trace.json");
    map(&["replay", &trace]).exits(1).out_has("these steps are repeated for ever:");
    let json = map(&["verify", &saved.path("scene.map"), "--format", "json"]).exits(1).out;
    super::schema::fits("verify", &serde_json::from_str(&json).expect("it is JSON"));
    map_with(json.as_bytes(), &["replay", "-"]).exits(1).out_has("these steps are repeated for ever:");
    // A trace that claims something else is refused.
    let text = fs::read_to_string(&trace).expect("it was saved");
    let from = text.split("\"repeated_from\": ").nth(1).and_then(|it| it.split(['\n', ',']).next());
    let from: usize = from.expect("it says so").trim().parse().expect("it is a number");
    let claim = |other: usize| {
        let is = format!("\"repeated_from\": {from}");
        fs::write(&trace, text.replace(&is, &format!("\"repeated_from\": {other}"))).expect("there is room");
        trace.as_str()
    };
    map(&["replay", claim(from + 1)]).exits(3).err_has("does not lead back");
    map(&["render", claim(from + 1)]).exits(3).err_has("does not lead back");
    map(&["replay", claim(999)]).exits(3).err_has("`repeated_from` is behind the last step");
}

/// So it is with what a property forbids.
#[test]
fn a_run_of_a_property_is_a_loop() {
    let property = "always eventually done(!A)";
    let saved = Saved::by(LIVELOCK, "verify", &["--properties-only", "--property", property]);
    assert!(saved.drawn("text").contains("repeated for ever from here"));
    assert!(saved.drawn("mermaid").contains("loop for ever"));
}

#[test]
fn traces_that_cannot_be_drawn() {
    let saved = Saved::by(super::DEADLOCK, "verify", &[]);
    let trace = saved.path("trace.json");
    map(&["render", &trace, "--as", "dot"]).exits(2).err_has("dot is for the graphs of dialogues");
    map(&["render", &trace, "--role", "a"]).exits(2).err_has("--role is for dialogues");
    map(&["render", &trace, "-o", &trace]).exits(2).err_has("this is a file to be read, and would be lost");
    map(&["render", &saved.path("none.json")]).exits(3).err_has("no such file");
    map_with(b"{\"schema\": 1}", &["render", "-"]).exits(3).err_has("not from map");
    map_with(b"{", &["render", "-"]).exits(3).err_has("this is no trace");
    let scene = saved.path("scene.map");
    map(&["render", &scene, "--as", "svg", "--full"]).exits(2);
    fs::write(&scene, super::FINE).expect("there is room");
    map(&["render", &trace]).exits(3).err_has("another version");
}

#[test]
fn a_picture_is_written_as_a_whole() {
    let saved = Saved::by(super::DEADLOCK, "verify", &[]);
    let (trace, out) = (saved.path("trace.json"), saved.path("out.html"));
    for _ in 0..2 {
        map(&["render", &trace, "--as", "html", "-o", &out]).exits(0);
        let page = fs::read_to_string(&out).expect("it was written");
        assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"), "{page}");
        assert_eq!(page.matches("://").count(), page.matches("://www.w3.org/2000/svg").count(), "{page}");
    }
}

/// Charts in pages look well in Chromium, at the width of a desk and of a telephone: no text of a chart lies on another
/// one, and a chart that is too wide scrolls in its own box.
#[test]
fn chromium_shows_charts() {
    let crowd = "s[ agent(!Hub, %hub) = start(\"a long text for everybody\") => agent(_, %leaf) then agent(all)
        agent(!Hub, %hub, all) = waitfor bye($n) <= agent($who, %leaf) then agent(all) timeout skip
        agent($me, %leaf) = (waitfor start($t) <= agent(_, %hub)) then $n = number() then bye($n) => agent(_, %hub) ]
        procedure number()";
    let mut saved = samples();
    saved.push(Saved::by(LIVELOCK, "verify", &[]));
    saved.push(Saved::by(crowd, "run", &["--seed", "1", "--agents", "leaf=20"]));
    for saved in saved {
        super::report::looks_well(&saved.drawn("html"), None);
    }
}

/// Mermaid itself reads what we write; skipped where it is not installed (`tests/mermaid/install`).
#[test]
fn mermaid_reads_it() {
    let mut charts: Vec<String> = samples().iter().map(|saved| saved.drawn("mermaid")).collect();
    charts.push(Saved::by(LIVELOCK, "verify", &[]).drawn("mermaid"));
    if let Some(said) = kinds_by_mermaid(&charts) {
        assert_eq!(said, vec!["sequence"; charts.len()]);
    }
}

/// What kind of diagram Mermaid finds each text to be; fails if it cannot read one. Nothing if Mermaid is not
/// installed.
pub(super) fn kinds_by_mermaid(texts: &[String]) -> Option<Vec<String>> {
    let tool = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/mermaid");
    if !tool.join("node_modules").is_dir() {
        assert!(std::env::var_os("MAP_REQUIRE_MERMAID").is_none(), "run tests/mermaid/install first");
        eprintln!("skipped: there is no Mermaid (run tests/mermaid/install)");
        return None;
    }
    let folder = tempfile::tempdir().expect("there is room");
    let files: Vec<_> = (0..texts.len()).map(|index| folder.path().join(format!("{index}.mmd"))).collect();
    for (file, text) in files.iter().zip(texts) {
        fs::write(file, text).expect("there is room");
    }
    let output = Command::new("node").arg(tool.join("parse.mjs")).args(&files).output().expect("node runs");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    Some(said.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect())
}

/// PlantUML itself reads what we write; skipped where it is not installed.
#[test]
fn plantuml_reads_it() {
    let help = Command::new("plantuml").arg("-version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if help.is_err() {
        assert!(std::env::var_os("MAP_REQUIRE_PLANTUML").is_none(), "there is no plantuml: install it");
        eprintln!("skipped: there is no plantuml (Debian package plantuml)");
        return;
    }
    let folder = tempfile::tempdir().expect("there is room");
    let mut files = Vec::new();
    for (index, saved) in samples().into_iter().enumerate() {
        let file = folder.path().join(format!("{index}.puml"));
        fs::write(&file, saved.drawn("plantuml")).expect("there is room");
        files.push(file);
    }
    let output = Command::new("plantuml")
        .args(["-tsvg", "-failfast2"])
        .args(&files)
        .env("JAVA_TOOL_OPTIONS", "-Djava.awt.headless=true")
        .output()
        .expect("plantuml runs");
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let hostile = fs::read_to_string(files[1].with_extension("svg")).expect("it was drawn");
    assert!(!hostile.contains("root:") && hostile.contains("passwd"), "{hostile}");
}

fn samples() -> Vec<Saved> {
    vec![
        Saved::by(EVERYTHING, "verify", &[]),
        Saved::by(HOSTILE, "run", &["--seed", "1"]),
        Saved::by(
            EVERYTHING,
            "run",
            &["--network", "lossy:2,crash:1", "--seed", "4", "--loss", "0.5", "--crash", "0.2"],
        ),
        Saved::by(super::ENDLESS, "run", &["--seed", "1", "--max-steps", "50"]),
    ]
}
