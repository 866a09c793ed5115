//! Scenes that compute with what procedures without a body answer: divisors that may be 0, values that may be equal or
//! in either order, clauses that are called again with answers that may be the ones before.
//!
//! `!A` asks, computes and tells `!B`; whether they end well depends on the answers.

use super::expressions::Words;
use super::random::Random;

/// Loops of `!A`: how it is entered, with two answers `$x` and `$y`, and the clauses.
const LOOPS: [(&str, &str); 6] = [
    (
        "agent(same, $x)",
        "agent(!A, %a, same, $v) = $w = p() then (differ($v, $w) then agent(same, $w) or skip)",
    ),
    (
        "agent(turn, $x, $y)",
        "agent(!A, %a, turn, $v, $w) = waitfor stop() <= agent(!B, %b) timeout agent(turn, $w, $v)",
    ),
    (
        "agent(turn, $x, $y)",
        "agent(!A, %a, turn, $v, $w) = waitfor differ($v, $w) timeout agent(turn, $w, $v)",
    ),
    (
        "agent(until, $x)",
        "agent(!A, %a, until, $v) = waitfor small($v) timeout agent(again, $v)
    agent(!A, %a, again, $v) = waitfor small($v) timeout agent(until, $v)",
    ),
    ("agent(down, $x)", "agent(!A, %a, down, $v) = (small($v) then skip or agent(down, $y0))"),
    ("skip", ""),
];

/// What is written so far.
struct Scene {
    random: Random,
    words: Words,
    /// Steps of `!A` and of `!B`.
    asker: Vec<String>,
    told: Vec<String>,
    decisions: String,
}

/// The source text of such a scene; the same for the same seed. It has one agent in each of two roles.
#[must_use]
pub fn computing_scene(seed: u64) -> String {
    let mut random = Random::new(seed, 9);
    let words =
        Words { parameters: vec!["$x".to_owned(), "$y".to_owned()], numbers: Vec::new(), ..Words::default() };
    let second = if random.percent(60) { "q" } else { "p" };
    let asker = vec!["$x = p()".to_owned(), format!("$y = {second}()")];
    let mut scene = Scene { random, words, asker, told: Vec::new(), decisions: String::new() };
    for number in 1..=scene.random.between(1, 3) {
        if scene.random.percent(60) {
            scene.decide(number);
        } else {
            scene.tell(number);
        }
    }
    let (call, clauses) = *scene.random.pick(&LOOPS);
    let clauses = clauses.replace("$y0", "$v");
    scene.asker.push(call.to_owned());
    if scene.told.is_empty() {
        scene.told.push("skip".to_owned());
    }
    let Scene { asker, told, decisions, .. } = scene;
    format!(
        "memory %a {{ @m = 1 }}
procedure p()
procedure q()
decision differ($u, $v) | $u != $v = yes
decision small($u) | $u < 2 = yes
{decisions}s[
    agent(!A, %a) = {}
    {clauses}
    agent(!B, %b) = {}
]
",
        asker.join(" then "),
        told.join(" then ")
    )
}

impl Scene {
    /// `!A` decides about its answers; without an alternative it fails if the answer is no.
    fn decide(&mut self, number: u32) {
        let of = Words {
            parameters: vec!["$u".to_owned(), "$v".to_owned()],
            numbers: vec!["@m".to_owned()],
            cells: vec!["@m".to_owned()],
            ..Words::default()
        };
        let condition = of.condition(&mut self.random, 1);
        let update = if self.random.percent(30) { " with @m := $u" } else { "" };
        let answer = of.number(&mut self.random, 1);
        self.decisions += &format!("decision d{number}($u, $v)\n  | {condition} = {answer}{update}\n");
        if self.random.percent(40) {
            let answer = of.number(&mut self.random, 1);
            self.decisions += &format!("  = {answer}\n");
        }
        let (one, other) = (self.variable(), self.variable());
        self.asker.push(if self.random.percent(50) {
            let variable = format!("$w{number}");
            let step = format!("{variable} = d{number}({one}, {other})");
            self.words.parameters.push(variable);
            step
        } else {
            format!("(d{number}({one}, {other}) then skip or skip)")
        });
    }

    /// `!A` tells `!B` a computed value, which asks for any value or for one.
    fn tell(&mut self, number: u32) {
        let value = self.words.number(&mut self.random, 1);
        let asked_for = match self.random.below(4) {
            0 => "1".to_owned(),
            1 if self.told.iter().any(|step| step.contains("$t")) => "$t".to_owned(),
            _ if self.told.is_empty() => "$t".to_owned(),
            _ => "_".to_owned(),
        };
        self.asker.push(format!("m{number}({value}) => agent(!B, %b)"));
        self.told.push(format!("(waitfor m{number}({asked_for}) <= agent(!A, %a))"));
    }

    fn variable(&mut self) -> String {
        self.random.pick(&self.words.parameters).clone()
    }
}
