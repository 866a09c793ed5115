//! Scenes in which receives ask for one value at a time: `m($x) <= agent(_, %b)` where `$x` is bound. In most of them
//! only constants are sent, and every receive asks for one. In the others something disturbs that: a receive that takes
//! any value, an abstract answer, a name, a sender that matters, another role that sends the same message.
//!
//! The asker notes what it takes, and whether it ends well depends on its notes, so the verdict shows whether a
//! relevant order of messages was left out.

use super::random::Random;
use crate::oracle::OracleOptions;

/// Bodies of procedures over `$x` whose answers are constants if `$x` is.
const CONSTANT: [&str; 5] = ["= $x", "= $x", "in {1, 2}", "| $x == 1 = 2", "| $x < 3 = $x + 1"];

/// Bodies whose answers are not, or need not be, constants.
const OPEN: [&str; 5] = ["fresh", "in %b", "", "in {1, !A}", "| $x == 1 = self"];

/// What the asker receives: `$x` is bound, `#` is the number of the receive.
const ASKING: [&str; 6] = [
    "m($x) <= agent(_, %b)",
    "m($x) <= agent(_, %b)",
    "m($x) <= agent($w#, %b)",
    "m(1) <= agent(_, %b)",
    "m(2) <= agent(_, _)",
    "m($x) <= agent(_, _)",
];

/// The same for messages with two arguments or none.
const ASKING_MORE: [&str; 4] =
    ["p($x, _) <= agent(_, %b)", "p(1, $x) <= agent(_, %b)", "p($x, 2) <= agent(_, _)", "n() <= agent(_, _)"];

/// Receives that may choose between messages, or observe something else.
const CHOOSING: [&str; 6] = [
    "m($y#) <= agent(_, %b)",
    "m($y#) <= agent(_, %b)",
    "m($y#) <= agent(_, _)",
    "m(_) <= agent($w#, %b)",
    "m($x) <= agent(_, %c)",
    "m($x) <= agent($x, %b)",
];

/// The same for messages with two arguments.
const CHOOSING_MORE: [&str; 4] = [
    "p($x, $y#) <= agent(_, %b)",
    "p($y#, $y#) <= agent(_, %b)",
    "p($y#, $x) <= agent(_, _)",
    "p($y#, _) <= agent(_, %b)",
];

/// How the asker notes a value `$v`.
const NOTES: [&str; 5] = [
    "= $v with @noted := $v",
    "\n  | $v >= @noted = $v with @noted := $v\n  = 9 with @noted := 9",
    "\n  | $v != @noted = $v with @noted := $v\n  = 9 with @noted := 9",
    "= $v with @noted := (@noted * 2 + $v) mod 8",
    "= $v with @noted := min(@noted + $v, 5)",
];

/// Conditions for acceptable notes.
const CHECKS: [&str; 5] =
    ["@noted < 9", "@noted != 1", "@noted mod 3 != 2", "@noted mod 4 != 1", "not (@noted == 5)"];

/// Messages that are offered; `$o` is an answer.
const OFFERS: [&str; 5] = ["m(1)", "m(2)", "m($o)", "m($o)", "m($o)"];

/// The same for other messages.
const OFFERS_MORE: [&str; 4] = ["p(1, 2)", "p(2, $o)", "p($o, 1)", "n()"];

/// Bodies of a third agent.
const THIRD: [&str; 7] = [
    "m(1) => agent(!A, %a) then m(2) => agent(!A, %a)",
    "m(2) => agent(!A, %a)",
    "p(1, 1) => agent(!A, %a)",
    "m(!A) => agent(!A, %a)",
    "m(2) => agent(_, %b)",
    "waitfor (m(1) <= agent(_, %b)) timeout skip",
    "waitfor (m($y) <= agent(_, %b) then m($y) => agent(!A, %a)) timeout skip",
];

/// The features of a scene.
struct Kind {
    /// Some receives may choose.
    chooses: bool,
    /// Answers may be abstract, fresh, or names.
    opens: bool,
    /// A third agent sends as well.
    meddles: bool,
    /// There are messages of other performatives.
    mixes: bool,
}

/// A scene in which receives ask for values, and its options.
#[must_use]
pub fn random_asking(seed: u64) -> (String, OracleOptions) {
    let mut random = Random::new(seed, 6);
    let disturbance = random.below(100);
    let kind = Kind {
        chooses: !(25..95).contains(&disturbance),
        opens: (25..35).contains(&disturbance) || disturbance >= 90,
        meddles: (35..45).contains(&disturbance) || disturbance >= 85,
        mixes: random.percent(40),
    };
    let crowd = [0, 1, 1, 2, 2][random.below(5)];
    let raise = procedure(&mut random, "raise", &kind);
    let offer = procedure(&mut random, "offer", &kind);
    let (note, check) = (random.pick(&NOTES), random.pick(&CHECKS));
    let first = match random.below(10) {
        0 => "(agent(loop, 1) par agent(loop, 2))",
        1 if kind.meddles => "m(1) => agent(_, %b) then agent(loop, 1)",
        2..4 => "call(1) => agent(_, %b) then agent(loop, 1)",
        _ => "agent(loop, 1)",
    };
    let listens = listens(&mut random, &kind);
    let begins = match random.below(6) {
        0 => "(waitfor (call($x) <= agent(_, %a) then agent(offer, $x)) timeout skip)",
        1 => "(waitfor (call($x) <= agent(_, %a) then agent(offer, $x)) timeout agent(offer, 2))",
        2 => "agent(offer, 2)",
        _ => "agent(offer, 1)",
    };
    let crowd_says = says(&mut random, &kind);
    // Agents with offers of their own make it visible who goes first.
    let singles = random.below(if crowd < 2 { 3 } else { 2 });
    let single: String = ["D", "E"]
        .iter()
        .take(singles)
        .map(|name| format!("  agent(!{name}, %b) = {}\n", says(&mut random, &kind).replace("$x", "1")))
        .collect();
    let third = if kind.meddles { *random.pick(&THIRD) } else { "skip" };
    let text = format!(
        "cast %b = {crowd}\nmemory %a {{ @noted = 0 }}\n{raise}{offer}procedure note($v) {note}\n\
         decision check() | {check} = yes\n\
         scene [\n  agent(!A, %a) = {first} then $d = check()\n\
         \x20 agent(!A, %a, loop, $x) = {listens}\n\
         \x20 agent($me, %b) = {begins}\n\
         \x20 agent($me, %b, offer, $x) = {crowd_says}\n\
         {single}  agent(!C, %c) = {third}\n]\n",
    );
    let mut options = OracleOptions::new(10_000);
    options.rounds_of = vec![("loop".to_owned(), random.between(1, 4))];
    options.mailbox = if random.percent(85) { 20 } else { random.between(2, 6) };
    options.any_time = random.percent(5);
    (text, options)
}

fn procedure(random: &mut Random, name: &str, kind: &Kind) -> String {
    let body = if kind.opens && random.percent(60) { random.pick(&OPEN) } else { random.pick(&CONSTANT) };
    // A procedure must always have an answer.
    let word = if body.starts_with('|') || random.percent(20) { "decision" } else { "procedure" };
    format!("{word} {name}($x) {body}\n")
}

/// The asker's waits, one after the other.
fn listens(random: &mut Random, kind: &Kind) -> String {
    let count = random.between(1, 3);
    let mut waits: Vec<String> = (0..count).map(|number| wait(random, kind, number)).collect();
    waits.push(match random.below(8) {
        0 => "agent(loop, $x)".to_owned(),
        1 => "($z = raise($x) then call($z) => agent(_, %b) then agent(loop, $z) or skip)".to_owned(),
        2..4 => "($z = raise($x) then agent(loop, $z) or skip)".to_owned(),
        _ => "skip".to_owned(),
    });
    waits.join(" then ")
}

/// A wait. Its last receive cannot be skipped: without that message there is nothing else to do.
fn wait(random: &mut Random, kind: &Kind, number: u32) -> String {
    let more = kind.mixes && random.percent(50);
    let receive = match (kind.chooses && random.percent(60), more) {
        (false, false) => random.pick(&ASKING),
        (false, true) => random.pick(&ASKING_MORE),
        (true, false) => random.pick(&CHOOSING),
        (true, true) => random.pick(&CHOOSING_MORE),
    };
    let noted = match random.below(4) {
        _ if receive.contains("$y#") => "$y#",
        0 => "2",
        _ => "$x",
    };
    let mut body = format!("{receive} then $n# = note({noted})");
    if kind.mixes && random.percent(20) {
        body = format!("(n() <= agent(_, _) then $k# = note(1)) or ({body})");
    }
    let gives_up = ["timeout skip", "timeout skip", "timeout skip", "timeout ($d# = check())", ""];
    format!("(waitfor ({body}) {})", random.pick(&gives_up)).replace('#', &number.to_string())
}

/// A sequence of offers.
fn says(random: &mut Random, kind: &Kind) -> String {
    let count = [1, 1, 2, 3][random.below(4)];
    let offers: Vec<String> = (0..count)
        .map(|_| {
            let more = kind.mixes && random.percent(50);
            let offer = if more { random.pick(&OFFERS_MORE) } else { random.pick(&OFFERS) };
            format!("{offer} => agent({}, %a)", if random.percent(85) { "!A" } else { "_" })
        })
        .collect();
    let all = format!("$o = offer($x) then {}", offers.join(" then "));
    if random.percent(40) { format!("({all}) or skip") } else { all }
}
