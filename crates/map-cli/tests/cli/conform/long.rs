//! `map conform` on long conversations: what is saved is replayed, and limits are heard in time.

use std::fs;
use std::time::{Duration, Instant};

use super::super::{Ran, map};

/// A file and a log in a folder.
struct Place(tempfile::TempDir);

impl Place {
    fn new(file: &str) -> Self {
        let place = Self(tempfile::tempdir().expect("a folder"));
        fs::write(place.path("scene.map"), file).expect("it can be written");
        place
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().expect("the name is UTF-8").to_owned()
    }

    /// Writes the log of a run; returns its lines.
    fn run(&self, flags: &[&str]) -> Vec<String> {
        let (file, log) = (self.path("scene.map"), self.path("log.jsonl"));
        map(&[&["run", &file, "--seed", "3", "--chart", "never", "--log", &log], flags].concat()).exits(0);
        let lines = fs::read_to_string(log).expect("it was written");
        lines.lines().map(|it| format!("{it}\n")).collect()
    }

    fn judge(&self, lines: &[String], flags: &[&str]) -> Ran {
        let (file, log, trace) = (self.path("scene.map"), self.path("log.jsonl"), self.path("trace.json"));
        fs::write(&log, lines.concat()).expect("it can be written");
        map(&[&["conform", &file, &log, "--save-trace", &trace], flags].concat())
    }

    /// The messages sent in the saved run: performative and arguments, in the order of each sender.
    fn replayed(&self) -> Vec<String> {
        let ran = map(&["replay", &self.path("trace.json"), "--format", "json"]).exits(0);
        let output: serde_json::Value = serde_json::from_str(&ran.out).expect("it is JSON");
        let steps = output["trace"].as_array().expect("it is a list").iter();
        let sends = steps.filter(|it| it["kind"] == "send");
        sends.map(|it| format!("{} {}", it["agent"], it["performative"])).collect()
    }
}

const TALK: &str = "\
memory %asker { @left = 250 }
procedure left() = @left with @left := @left - 1
procedure reply($n)

talk[
    agent(!Asker, %asker) = $n = left() then agent(go, $n)
    agent(!Asker, %asker, go, 0) = bye() => agent(_, %answerer)
    agent(!Asker, %asker, go, $n) =
        ask($n) => agent(_, %answerer)
        then waitfor (answer(_, $n) <= agent(_, %answerer))
        then $m = left()
        then agent(go, $m)
    agent($me, %answerer) =
        waitfor (
            (ask($n) <= agent($who, %asker) then $a = reply($n) then answer($a, $n) => agent($who, %asker) then agent())
            or bye() <= agent(_, %asker)
        )
]
";

/// One agent says much, another takes it in its own time.
const FEED: &str = "\
memory %feed { @left = 200 }
procedure left() = @left with @left := @left - 1
decision wanted($n)

feed[
    agent(!Feed, %feed) = $n = left() then agent(go, $n)
    agent(!Feed, %feed, go, 0) = end() => agent(_, %reader) then agent(collect)
    agent(!Feed, %feed, go, $n) = item($n) => agent(_, %reader) then $m = left() then agent(go, $m)
    agent(!Feed, %feed, collect) =
        waitfor ((order(_) <= agent(_, %reader) then agent(collect)) or over() <= agent(_, %reader))
    agent($me, %reader) =
        waitfor (
            (item($n) <= agent(_, %feed) then agent(choose, $n))
            or (end() <= agent($who, %feed) then over() => agent($who, %feed))
        )
    agent($me, %reader, choose, $n) =
        ($yes = wanted($n) then order($n) => agent(!Feed, %feed) then agent())
        or agent()
]
";

#[test]
fn runs_of_several_hundred_messages_are_found() {
    for (file, least, flags) in [(TALK, 501, &[][..]), (FEED, 300, &["--mailbox", "500"])] {
        let place = Place::new(file);
        let logged = place.run(flags);
        let sends: Vec<String> = logged.iter().filter(|it| !it.contains("\"receive\"")).cloned().collect();
        assert!(sends.len() >= least && sends.len() < logged.len(), "{}", sends.len());
        for lines in [&logged, &sends] {
            place.judge(lines, &[]).exits(0).out_has(&format!("conforms  {} messages", sends.len()));
            assert_eq!(place.replayed().len(), sends.len());
            fs::remove_file(place.path("trace.json")).expect("it was saved");
        }
    }
}

#[test]
fn a_search_for_a_run_has_an_end() {
    let place = Place::new(
        "\
memory %clerk { @sum = 0 }
procedure added($n) = @sum + $n with @sum := @sum + $n
procedure sum() = @sum
procedure amount()

collecting[
    agent($me, %payer) = $n = amount() then pay($n) => agent(!Clerk, %clerk)
    agent(!Clerk, %clerk) =
        waitfor (pay($n) <= agent(_, %payer) then $s = added($n) then agent())
        timeout ($s = sum() then total($s) => agent(_, %payer))
]
",
    );
    let payers: Vec<String> = (0..12).map(|it| format!("payer {it}")).collect();
    let line = |from: &str, to: &[String], performative: &str, sum: u32| {
        let record = serde_json::json!({"from": from, "to": to, "performative": performative, "args": [sum]});
        format!("{record}\n")
    };
    let clerk = ["clerk".to_owned()];
    let pays = (0..12).map(|it| line(&payers[it as usize], &clerk, "pay", 3_u32.pow(it)));
    let log: Vec<String> =
        pays.chain([line("clerk", &payers, "total", 3_u32.pow(11) + 3_u32.pow(7))]).collect();
    // Which of them came in time is found by the monitors, but not the order of a run in which they arrive at once.
    let ran = place.judge(&log, &["--max-hypotheses", "60000"]).exits(0).out_has("conforms  13 messages");
    ran.err_has("it has too many runs to look through");
    assert!(!fs::exists(place.path("trace.json")).expect("the folder can be read"));
}

#[test]
fn many_messages_on_their_way_are_given_up_in_time() {
    let place = Place::new(TALK);
    let lines: Vec<String> = place.run(&["--agents", "answerer=3", "--mailbox", "2000"]);
    let sends = lines.into_iter().filter(|it| !it.contains("\"receive\"")).take(80);
    let begun = Instant::now();
    place
        .judge(&sends.collect::<Vec<_>>(), &[])
        .exits(4)
        .out_has("could be in too many states")
        .out_has("nor when");
    assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
}
