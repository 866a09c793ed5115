//! Many agents that cannot be told apart: what is followed of an agent that hears from all of them stays small.

use std::sync::Arc;

use map_check::{CheckOptions, check};
use map_compile::compile;
use map_conform::{Arrivals, Beginnings, LoggedMessage, Report, Settings, Verdict};
use map_diagnostics::SourceFile;
use map_ir::{AgentId, PerformativeId, Program, TextId, Value};
use map_semantics::Message;
use map_testkit::scenes::Random;
use map_tests::settings::Seeds;

use super::{Line, reported, shown};

/// A planner that collects a result from each worker; it remembers the last one, or none.
fn program(workers: usize, remembers: bool) -> Program {
    let (last, kept) = if remembers { ("$r", ", @last := $r") } else { ("_", "") };
    let got = if remembers { "$r" } else { "" };
    let text = format!(
        "cast %worker = {workers}
memory %planner {{ @left = count(%worker), @last = nothing }}
procedure work()
procedure got({got}) = @left - 1 with @left := @left - 1{kept}
procedure last() = @last

work[
    agent(!Planner, %planner) = task() => agent(_, %worker) then agent(collect, @left)
    agent(!Planner, %planner, collect, 0) = $t = last() then total($t) => agent(_, %worker)
    agent(!Planner, %planner, collect, _) =
        (waitfor (result({last}) <= agent(_, %worker) then $l = got({got})))
        then agent(collect, @left)
    agent($me, %worker) =
        (waitfor task() <= agent(_, %planner))
        then $r = work()
        then result($r) => agent(!Planner, %planner)
        then (waitfor total(_) <= agent(_, %planner))
]
"
    );
    parsed(&text)
}

fn parsed(text: &str) -> Program {
    let parsed = map_syntax::parse(&SourceFile::new("alike.map", text));
    let (checked, _) = check(&parsed.file, &CheckOptions::default());
    compile(&checked.unwrap_or_else(|| panic!("the scene is correct:\n{text}")))
}

/// A conversation of a planner with workers, whose results are texts of their own.
struct Talk {
    program: Program,
    lines: Vec<Line>,
}

impl Talk {
    fn new(workers: usize, remembers: bool, last: impl Fn(&Program) -> Value) -> Self {
        let program = program(workers, remembers);
        let last = last(&program);
        let mut talk = Self { program, lines: Vec::new() };
        let planner = talk.agent("Planner");
        let all: Vec<AgentId> = talk.program.cast().filter(|&agent| agent != planner).collect();
        talk.say(planner, &all, "task", &[]);
        for &worker in &all {
            let result = own_text(&talk.program, worker);
            talk.say(worker, &[planner], "result", &[result]);
        }
        talk.say(planner, &all, "total", &[last]);
        talk
    }

    fn agent(&self, name: &str) -> AgentId {
        let index = self.program.agent_names.iter().position(|it| it == name);
        AgentId::new(index.expect("the agent is in the cast"))
    }

    fn say(&mut self, from: AgentId, to: &[AgentId], performative: &str, arguments: &[Value]) {
        let index = self.program.performatives.iter().position(|it| it.name == performative);
        let performative = PerformativeId::new(index.expect("the file has the performative"));
        let message = Arc::new(Message { performative, sender: from, arguments: arguments.to_vec() });
        self.lines.push(Line::Send(LoggedMessage { from, to: to.to_vec(), message, id: None }));
    }

    fn judge(&self, settings: Settings, lines: &[Line]) -> Report {
        reported(&self.program, Settings { arrivals: Arrivals::Late, ..settings }, lines)
    }
}

/// The text that only this agent says.
fn own_text(program: &Program, agent: AgentId) -> Value {
    Value::Text(TextId::new(program.texts.len() + agent.index()))
}

fn nothing(program: &Program) -> Value {
    let nothing = program.names.iter().position(|name| name == "nothing");
    Value::Name(map_ir::NameId::new(nothing.expect("the file has it")))
}

#[test]
fn a_hundred_workers_are_followed_in_a_few_hundred_states() {
    let talk = Talk::new(100, false, nothing);
    let report = talk.judge(Settings::default(), &talk.lines);
    assert_eq!((report.verdict, report.possibly), (Verdict::Conforms, false));
    assert!(report.explored < 1_000, "{} states", report.explored);
}

#[test]
fn private_texts_of_which_one_is_remembered_are_followed_in_a_few_hundred_states() {
    let talk = Talk::new(100, true, |program| own_text(program, AgentId::new(57)));
    let report = talk.judge(Settings::default(), &talk.lines);
    assert_eq!((report.verdict, report.possibly), (Verdict::Conforms, false));
    assert!(report.explored < 1_000, "{} states", report.explored);
    let talk = Talk::new(100, true, |program| own_text(program, AgentId::new(1_000)));
    let report = talk.judge(Settings::default(), &talk.lines);
    assert_eq!(report.violations[0].agent, Some(talk.agent("Planner")), "a text that nobody said");
}

#[test]
fn a_forged_line_among_a_hundred_is_blamed_on_its_sender() {
    let talk = Talk::new(100, true, |program| own_text(program, AgentId::new(57)));
    let (planner, worker) = (talk.agent("Planner"), talk.agent("Worker5"));
    // The sum before the last result.
    let mut early = talk.lines.clone();
    early.swap(100, 101);
    let report = talk.judge(Settings::default(), &early);
    assert_eq!((report.verdict, report.violations[0].agent), (Verdict::Violated, Some(planner)));
    // A second result.
    let mut twice = talk.lines.clone();
    twice.insert(60, talk.lines[5].clone());
    let report = talk.judge(Settings::default(), &twice);
    assert_eq!((report.verdict, report.violations[0].agent), (Verdict::Violated, Some(worker)));
    assert!(report.explored < 5_000, "{} states", report.explored);
}

#[test]
fn a_log_that_begins_among_a_hundred_results_conforms_so_far() {
    let talk = Talk::new(100, true, |program| own_text(program, AgentId::new(90)));
    for first in [1, 50, 101] {
        let settings = |beginnings| Settings { beginnings, ..Settings::default() };
        let unsure = talk.judge(settings(Beginnings::Unsure), &talk.lines[first..]);
        assert_eq!((unsure.verdict, unsure.possibly), (Verdict::Violated, true), "from {first}");
        assert!(unsure.fits_mid_way, "from {first}");
        let joined = talk.judge(settings(Beginnings::Before), &talk.lines[first..]);
        assert_ne!(joined.verdict, Verdict::Violated, "from {first}");
    }
}

#[test]
fn all_hypotheses_and_one_of_each_orbit_say_the_same_of_few_workers() {
    for (workers, said_by) in [(4, 1), (4, 3), (5, 2), (5, 9)] {
        let talk = Talk::new(workers, true, |program| own_text(program, AgentId::new(said_by)));
        for end in 0..=talk.lines.len() {
            let [all, one_of_each] = [usize::MAX, 0].map(|fold_from| {
                let report = talk.judge(Settings { fold_from, ..Settings::default() }, &talk.lines[..end]);
                (report.verdict, report.possibly, report.incomplete)
            });
            assert_eq!(all, one_of_each, "{workers} workers, up to {end}");
        }
    }
}

/// A host that takes what guests say in whatever order it likes, remembers two of them, and greets one.
const HOST: &str = "
cast %guest = 4
memory %host { @first = nobody, @second = nobody }
decision next() in 1..6
decision word() in 1..3
procedure text()
procedure keep($x) = $x with @second := @first, @first := $x
procedure first() = @first
procedure second() = @second

visit[
    agent(!Host, %host) = agent(go)
    agent(!Host, %host, go) = $k = next() then agent(do, $k)
    agent(!Host, %host, do, 1) =
        (waitfor (in() <= agent($x, %guest) then $y = keep($x)) timeout skip) then agent(go)
    agent(!Host, %host, do, 2) =
        (waitfor (out($v) <= agent($x, %guest) then told($v) => agent($x, %guest)) timeout skip)
        then agent(go)
    agent(!Host, %host, do, 3) = $x = first() then hello() => agent($x, %guest) then agent(go)
    agent(!Host, %host, do, 4) = $x = second() then hello() => agent($x, %guest) then agent(go)
    agent(!Host, %host, do, 5) =
        (waitfor (in() <= agent(_, %guest) then somebody() => agent(_, %guest)) timeout skip) then agent(go)
    agent(!Host, %host, do, 6) = skip
    agent($me, %guest) = agent(go)
    agent($me, %guest, go) = $k = word() then agent(say, $k)
    agent($me, %guest, say, 1) = in() => agent(!Host, %host) then agent(go)
    agent($me, %guest, say, 2) = $v = text() then out($v) => agent(!Host, %host) then agent(go)
    agent($me, %guest, say, 3) = skip
]
";

#[test]
fn guests_that_are_told_apart_and_are_alike_again() {
    let seeds = Seeds::new("MAP_SCENES", 300);
    let Seeds { first, count, .. } = seeds;
    println!("{count} logs from seed {first}");
    let (mut violated, mut fewer) = (0, 0);
    for seed in first..first + count {
        let mut random = Random::new(seed, 91);
        let mut talk = Talk { program: parsed(HOST), lines: Vec::new() };
        let host = talk.agent("Host");
        let guests: Vec<AgentId> = talk.program.cast().filter(|&agent| agent != host).collect();
        let guest = |random: &mut Random| guests[random.below(guests.len())];
        let (mut inside, mut left) = (Vec::new(), Vec::new());
        for _ in 0..random.between(4, 10) {
            let one = guest(&mut random);
            match random.below(if inside.is_empty() || left.is_empty() { 3 } else { 6 }) {
                0 | 1 => {
                    inside.push(one);
                    talk.say(one, &[host], "in", &[]);
                }
                2 => {
                    let teller = if random.percent(90) { one } else { guest(&mut random) };
                    left.push((one, teller));
                    talk.say(one, &[host], "out", &[own_text(&talk.program, teller)]);
                }
                3 => talk.say(host, &[*random.pick(&inside)], "hello", &[]),
                4 => talk.say(host, &guests, "somebody", &[]),
                _ => {
                    let (one, teller) = *random.pick(&left);
                    talk.say(host, &[one], "told", &[own_text(&talk.program, teller)]);
                }
            }
        }
        let [all, one_of_each] = [usize::MAX, 0].map(|fold_from| {
            talk.judge(Settings { fold_from, limit: 3_000, ..Settings::default() }, &talk.lines)
        });
        if all.incomplete || one_of_each.incomplete || all.cut_at.is_some() || one_of_each.cut_at.is_some() {
            continue;
        }
        let said = |report: &Report| {
            let blamed: Vec<_> = report.violations.iter().map(|it| (it.mark, it.agent)).collect();
            (report.verdict, report.possibly, blamed)
        };
        assert_eq!(said(&all), said(&one_of_each), "seed {seed}\n{}", shown(&talk.program, &talk.lines));
        violated += u64::from(!all.violations.is_empty());
        fewer += u64::from(one_of_each.explored < all.explored);
    }
    println!("{violated} violated, {fewer} in fewer states");
    assert!(violated > count / 16 && fewer > count / 16 || !seeds.has_variety(), "{violated}, {fewer}");
}

#[test]
fn who_has_said_nothing_is_not_like_those_of_whom_one_was_heard() {
    let mut talk = Talk { program: parsed(HOST), lines: Vec::new() };
    let host = talk.agent("Host");
    let guests: Vec<AgentId> = talk.program.cast().filter(|&agent| agent != host).collect();
    talk.say(guests[0], &[host], "in", &[]);
    talk.say(guests[1], &[host], "in", &[]);
    // Copy by copy, so that each guest is told apart and compared again. One of the first two has been heard: the
    // colours of these are that of the others, and another one.
    guests.iter().for_each(|&guest| talk.say(host, &[guest], "somebody", &[]));
    for (guest, is_possible) in [(0, true), (1, true), (2, false), (3, false)] {
        let heard = talk.lines.len();
        talk.say(host, &[guests[guest]], "hello", &[]);
        let report = talk.judge(Settings { fold_from: 0, ..Settings::default() }, &talk.lines);
        assert_eq!(report.verdict != Verdict::Violated, is_possible, "guest {guest}: {:?}", report.verdict);
        talk.lines.truncate(heard);
    }
}
