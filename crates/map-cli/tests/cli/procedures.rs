//! Answers from outside: an external program, well-behaved and otherwise, and a person.
#![cfg(unix)]

mod hostile;
mod person;
mod python;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::{Ran, map, map_with};

/// A folder with a scene and a program for the shell.
struct Stage {
    folder: TempDir,
}

/// One agent asks, another hears the answer.
const SCENE: &str = "procedure p()
    decision d($x)
    s[ agent(!A, %a) = $x = p() then ($y = d($x) then m($x, $y) => agent(_, %b) or n($x) => agent(_, %b))
       agent(!B, %b) = waitfor (m(_, _) <= agent(_, %a) or n(_) <= agent(_, %a)) ]";

/// What a program does first when it does as it should.
const GREET: &str = "read -r hello; echo '{\"protocol\": 1}'; ";

impl Stage {
    fn new(scene: &str, script: &str) -> Self {
        let folder = TempDir::new().expect("there is room for a folder");
        fs::write(folder.path().join("scene.map"), scene).expect("it can be written");
        fs::write(folder.path().join("program"), script).expect("it can be written");
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn scene(&self) -> String {
        self.path("scene.map").display().to_string()
    }

    /// The command that runs the program; `$1` is a file in which it may note processes.
    fn command(&self) -> String {
        format!("sh '{}' '{}'", self.path("program").display(), self.path("pids").display())
    }

    /// Runs the scene with the program.
    fn run(&self, more: &[&str]) -> Ran {
        let (scene, command) = (self.scene(), self.command());
        let mut arguments = vec!["run", &scene, "--seed", "1", "--procedures", &command];
        arguments.extend(more);
        map(&arguments)
    }

    /// Fails if some process that the program has noted is alive.
    #[track_caller]
    fn nobody_is_left(&self) {
        let noted = fs::read_to_string(self.path("pids")).unwrap_or_default();
        // Those that were killed may need a moment to be gone, on a busy machine.
        let started = Instant::now();
        for pid in noted.split_whitespace() {
            while is_alive(pid) {
                assert!(started.elapsed() < Duration::from_secs(10), "process {pid} is left behind");
                std::thread::sleep(Duration::from_millis(10));
            }
        }
    }
}

/// Whether a process runs; one that is only waiting to be buried does not.
fn is_alive(pid: &str) -> bool {
    let stat = if Path::new("/proc/self/stat").exists() {
        fs::read_to_string(format!("/proc/{pid}/stat"))
            .ok()
            .and_then(|stat| Some(stat.rsplit_once(')')?.1.trim().to_owned()))
    } else {
        let ps = std::process::Command::new("ps").args(["-o", "stat=", "-p", pid]).output();
        ps.ok().and_then(|ps| String::from_utf8(ps.stdout).ok()).map(|stat| stat.trim().to_owned())
    };
    stat.is_some_and(|stat| !stat.is_empty() && !stat.starts_with(['Z', 'X']))
}

/// Gives every question its first argument back, or else no value.
const ECHO: &str = r#"
while read -r line; do
    value=${line#*\"arguments\":[}; value=${value%%],\"id\":*}
    id=${line#*,\"id\":}; id=${id%%,*}
    if [ -n "$value" ]; then
        printf '{"id":%s,"answer":"yes","value":%s}\n' "$id" "$value"
    else
        printf '{"id":%s,"answer":"yes"}\n' "$id"
    fi
done
"#;

#[test]
fn values_come_back_as_they_went() {
    let values = [
        "0",
        "-5",
        "9223372036854775807",
        "-9223372036854775808",
        r#""two words""#,
        r#""""#,
        r#""a \"quoted\" \\ one,\n😀\u{7}""#,
        "nobody",
        "!A",
        "!B",
        "%b",
        "$unknown",
        "$fresh",
    ];
    let checks: Vec<String> = values
        .iter()
        .enumerate()
        .map(|(n, it)| format!("$v{n} = echo({it}) then agent(same, {it}, $v{n})"))
        .collect();
    let scene = format!(
        "procedure echo($x) procedure unknown() procedure fresh() fresh
         s[ agent(!A, %a) = $unknown = unknown() then $fresh = fresh() then {}
            agent(!A, %a, same, $x, $x) = skip
            agent(!A, %a, same, _, _) = fail
            agent(!B, %b) = skip ]",
        checks.join(" then ")
    );
    let stage = Stage::new(&scene, &format!("{GREET}{ECHO}"));
    let ran = stage.run(&[]).exits(0);
    for value in values.iter().filter(|it| !it.starts_with('$')) {
        ran.out
            .find(&format!("echo({value}) -> {value}"))
            .unwrap_or_else(|| panic!("{value} in {}", ran.out));
    }
    // Nothing was open: the answers were equal, not taken to be.
    assert!(!ran.out.contains("taking"), "{}", ran.out);
    let ran = ran.out_has("echo(unknown#1) -> unknown#1").out_has("echo(fresh#1) -> fresh#1");
    // All of them come back out of a trace, without the program.
    let trace = stage.path("t.json").display().to_string();
    let cut = stage.path("cut.json").display().to_string();
    stage.run(&["--save-trace", &trace]).exits(0);
    let steps = |text: &str| {
        text.lines().filter(|it| it.contains("  asks ")).map(|it| it.trim().to_owned()).collect::<Vec<_>>()
    };
    let again = map(&["replay", &trace]).exits(0);
    assert_eq!(steps(&again.out), steps(&ran.out));
    map_with(format!("undo 3\nredo 3\ngo 1\nredo 2\nsave {cut}\n").as_bytes(), &["step", "--resume", &trace])
        .exits(0);
    let shorter = map(&["replay", &cut]).exits(4);
    assert_eq!(steps(&shorter.out), steps(&ran.out)[..3]);
    let text = fs::read_to_string(&trace).unwrap();
    for wrong in ["#99", "fresh#4000000000", "#-1", "!Nobody", "1.5", ""] {
        fs::write(&trace, text.replace("\"#0\"", &format!("{wrong:?}"))).unwrap();
        map(&["replay", &trace]).exits(3).err_has("MAP40");
    }
}

#[test]
fn what_the_file_does_not_contain_is_shown_too() {
    let script = format!(
        r#"{GREET}read -r q; echo '{{"id":1,"answer":"yes","value":{{"constant":"elsewhere"}}}}'
           read -r q; printf '%s\n' '{{"id":2,"answer":"yes","value":"from\toutside"}}'; read -r end"#
    );
    let stage = Stage::new(SCENE, &script);
    stage
        .run(&[])
        .exits(0)
        .out_has("asks p() -> elsewhere")
        .out_has(r#"sends m(elsewhere, "from\toutside") to !B"#);
    let ran = stage.run(&["--format", "json"]).exits(0);
    let output: serde_json::Value = serde_json::from_str(&ran.out).expect("it is JSON");
    assert_eq!(output["values"], serde_json::json!(["elsewhere", "\"from\\toutside\""]));
    assert_eq!(output["choices"][0], "0.0.act.3");
    assert_eq!(output["choices"][1], "0.0.act.4");
}

#[test]
fn no_is_an_answer_of_a_decision_only() {
    let no = |id| format!("read -r q; echo '{{\"id\":{id},\"answer\":\"no\"}}'; ");
    let first = r#"read -r q; echo '{"id":1,"answer":"yes","value":7}'; "#;
    Stage::new(SCENE, &format!("{GREET}{first}{}read -r end", no(2)))
        .run(&[])
        .exits(0)
        .out_has("sends n(7) to !B (after d said no)");
    Stage::new(SCENE, &format!("{GREET}{}read -r end", no(1)))
        .run(&[])
        .exits(1)
        .out_has("run error after 1 step: !A asks p and gets no answer")
        .out_has("it says no, but a procedure always answers");
}

#[test]
fn procedures_with_bodies_stay_inside() {
    let scene = "procedure a() in 1..6 procedure b($x) = $x + 1 procedure c() fresh procedure p()
        s[ agent(!A, %a) = $a = a() then $b = b($a) then $c = c() then $p = p() ]";
    let script = r#"read -r hello; case "$hello" in
             *'"procedures":[{"may_refuse":false,"name":"p","parameters":0}]'*) echo '{"protocol": 1}';;
           esac
           read -r q; case "$q" in *'"procedure":"p"'*) echo '{"id":1,"answer":"yes","value":0}';; esac; read -r end"#;
    Stage::new(scene, script).run(&[]).exits(0).out_has("asks p() -> 0");
}

#[test]
fn each_agent_may_have_a_program_of_its_own() {
    let scene = "cast %a = 3 procedure p()
        s[ agent($me, %a) = $x = p() then $y = p() ]";
    // Each counts its own questions from 1, and answers with the agent it was started for.
    let script = r#"echo $$ >> "$1"; read -r hello; me=${hello#\{\"agent\":}; me=${me%%,*}; echo '{"protocol": 1}'
        read -r q; echo "{\"id\":1,\"answer\":\"yes\",\"value\":{\"agent\":$me}}"
        read -r q; echo "{\"id\":2,\"answer\":\"yes\",\"value\":{\"agent\":$me}}"; read -r end"#;
    let stage = Stage::new(scene, script);
    let ran = stage.run(&["--per-agent"]).exits(0);
    for agent in ["!A1", "!A2", "!A3"] {
        let answers = ran
            .out
            .lines()
            .filter(|line| line.contains(&format!("{agent}  ")) && line.contains(&format!("-> {agent}")));
        assert_eq!(answers.count(), 2, "{agent} in {}", ran.out);
    }
    ran.out_has("--per-agent");
    assert_eq!(fs::read_to_string(stage.path("pids")).unwrap().lines().count(), 3);
    stage.nobody_is_left();
    // One for all has to answer six questions.
    Stage::new(scene, &format!("{GREET}{ECHO}")).run(&[]).exits(0);
}

#[test]
fn many_runs_have_a_process_each() {
    let script = format!("echo $$ >> \"$1\"; {GREET}{ECHO}");
    let stage = Stage::new(SCENE, &script);
    let ran = stage.run(&["--runs", "12", "--threads", "2"]).exits(0);
    assert_eq!(fs::read_to_string(stage.path("pids")).unwrap().lines().count(), 12);
    stage.nobody_is_left();
    let alone = stage.run(&["--runs", "12", "--threads", "1"]).exits(0);
    assert_eq!(ran.out, alone.out);
    ran.out_has("done                         12").out_has("--procedures");

    let broken = Stage::new(SCENE, &format!("{GREET}read -r q; exit 3"));
    broken.run(&["--runs", "5"]).exits(1).out_has("run error                     5");
}

/// Answers in many runs: the seed of the run for each `p`, "no" for every second decision of a run. `$1` gets a line
/// for each process; a run with the number `$2` is its last one.
const SERVE: &str = r#"
echo $$ >> "$1"
read -r hello
case "$hello" in *'"runs":'*) echo '{"protocol": 2}';; esac
while read -r line; do
    case "$line" in
    '{"run":'"$2"',"seed":'*) exit 7;;
    '{"run":'*) seed=${line#*\"seed\":}; seed=${seed%\}}; answer=no;;
    '{"end":'*) seed=;;
    *) id=${line#*,\"id\":}; id=${id%%,*}
        case "$line" in
        *'"procedure":"p"'*) printf '{"id":%s,"answer":"yes","value":%s}\n' "$id" "${seed%????????????}";;
        *) printf '{"id":%s,"answer":"%s"}\n' "$id" "$answer"; [ $answer = no ] && answer=yes || answer=no;;
        esac;;
    esac
done
"#;

#[test]
fn a_program_may_answer_in_many_runs() {
    let processes = |stage: &Stage| fs::read_to_string(stage.path("pids")).unwrap().lines().count();
    let stage = Stage::new(SCENE, SERVE);
    let json = ["--runs", "40", "--format", "json", "--collect", "!A sends n($x) to _"];
    let ran = stage.run(&[&json[..], &["--threads", "1"]].concat()).exits(0);
    assert_eq!(processes(&stage), 1);
    stage.nobody_is_left();
    let found: serde_json::Value = serde_json::from_str(&ran.out).expect("it is JSON");
    assert_eq!(found["measures"][0]["n"], 40, "each run begins anew: its first decision is a no");
    assert!(found["measures"][0]["values"].as_array().is_some_and(|it| it.len() > 5), "seeds differ");
    // Whatever runs each program gets.
    let shared = stage.run(&[&json[..], &["--threads", "3"]].concat()).exits(0);
    assert_eq!(shared.out, ran.out);
    assert!((2..=4).contains(&processes(&stage)), "{}", processes(&stage));
    // A single run is announced, too.
    stage.run(&[]).exits(0).out_has("sends n(");
    stage.nobody_is_left();
    // One for each agent that asks, again and again.
    let stage = Stage::new(SCENE, SERVE);
    stage.run(&["--runs", "9", "--per-agent", "--threads", "1"]).exits(0);
    assert_eq!(processes(&stage), 1);
}

#[test]
fn a_program_that_dies_in_one_of_many_runs_is_started_again() {
    let stage = Stage::new(SCENE, SERVE);
    let command = format!("{} 17", stage.command());
    let scene = stage.scene();
    let ran =
        map(&["run", &scene, "--seed", "1", "--procedures", &command, "--runs", "40", "--threads", "1"]);
    ran.exits(1).out_has("run error                     1").out_has("done                         39");
    assert_eq!(fs::read_to_string(stage.path("pids")).unwrap().lines().count(), 2);
    stage.nobody_is_left();
}

#[test]
fn one_seed_one_run() {
    let stage = Stage::new(SCENE, &format!("{GREET}{ECHO}"));
    let first = stage.run(&[]).exits(0);
    assert_eq!(first.out, stage.run(&[]).exits(0).out);
    first.out_has("again: map run").out_has("--procedures 'sh '\\''");
}

#[test]
fn a_saved_run_is_repeated_without_its_program() {
    let value = |id, value: &str| {
        format!(r#"read -r q; printf '%s\n' '{{"id":{id},"answer":"yes","value":{value}}}'; "#)
    };
    let cases = [
        (format!("{}{}read -r end", value(1, r#"{"constant":"elsewhere"}"#), value(2, r#""a \"b\" c""#)), 0),
        (format!("{}{}read -r end", value(1, "7"), r#"read -r q; echo '{"id":2,"answer":"no"}'; "#), 0),
        (
            format!(
                "{}{}read -r end",
                r#"read -r q; echo '{"id":1,"answer":"yes"}'; "#,
                value(2, r#"{"abstract":"p#1"}"#)
            ),
            0,
        ),
        (format!("{}exit 3", value(1, "{\"agent\":\"B\"}")), 1),
    ];
    for (script, code) in cases {
        let stage = Stage::new(SCENE, &format!("{GREET}{script}"));
        let trace = stage.path("trace.json").display().to_string();
        let ran = stage.run(&["--save-trace", &trace]).exits(code);
        let again = map(&["replay", &trace]).exits(code);
        let steps = |out: &str| -> Vec<String> {
            out.lines()
                .filter(|line| line.contains("scene.map:") && line.contains("  !"))
                .map(|line| line.trim().to_owned())
                .collect()
        };
        let (told, told_again) = (steps(&ran.out), steps(&again.out));
        assert!(told.len() > 1, "{}", ran.out);
        assert_eq!(told, told_again, "{}", again.out);
    }
}

#[test]
fn wrong_usage_is_told() {
    let stage = Stage::new(SCENE, "");
    let scene = stage.scene();
    let wrong: [(&[&str], &str); 9] = [
        (&["--procedures", ""], "expected a program"),
        (&["--procedures", "sh 'open"], "is not closed"),
        (&["--per-agent"], "--procedures"),
        (&["--answer-timeout", "0", "--procedures", "x"], "number of seconds"),
        (&["--answer-timeout", "3"], "--procedures"),
        (&["--ask", "!C"], "no such agent; there are !A, !B"),
        (&["--ask", "!A", "--ask", "A"], "given twice"),
        (&["--ask", "!A", "--runs", "3"], "--ask is for one run"),
        (&["--procedures", "x", "--procedures", "y"], "--procedures"),
    ];
    for (flags, message) in wrong {
        let arguments: Vec<&str> = ["run", &scene].into_iter().chain(flags.iter().copied()).collect();
        map(&arguments).exits(2).err_has(message);
    }
    map(&["run", "-", "--ask", "!A"]).exits(3);
    let stage = Stage::new("procedure p() in 1..3 s[ agent(!A, %a) = $x = p() then skip ]", "");
    let defined = stage.scene();
    for flags in [["--procedures", "x"], ["--ask", "!A"]] {
        let said = format!("{}: there is nothing to ask", flags[0]);
        map(&["run", &defined, flags[0], flags[1]]).exits(2).err_has(&said);
    }
}

#[test]
fn an_answer_that_is_no_number_is_the_fault_of_the_program_when_stepped_through_too() {
    let scene = "procedure price()
    procedure better($p) = $p + 1
    s[ agent(!A, %a) = $p = price() then $q = better($p) then m($q) => agent(_, %b)
       agent(!B, %b) = waitfor m(_) <= agent(_, %a) ]";
    let script =
        format!("{GREET}read -r question; echo '{{\"id\":1,\"answer\":\"yes\",\"value\":\"cheap\"}}'; cat");
    let stage = Stage::new(scene, &script);
    let trace = stage.path("trace.json").display().to_string();
    let fault = "price answered \"cheap\": the fault is that of who answers for price.";
    stage.run(&["--save-trace", &trace]).exits(1).out_has(fault);
    map(&["step", "--resume", &trace]).exits(0).out_has(fault);
}
