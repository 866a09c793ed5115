//! Idioms with non-numeric values in memory or in domains: leaders, choices, fresh names that come back, remembered
//! messages.

use super::builder::Builder;
use super::idioms::{again, begin_loop, call, in_clause, waiting};
use super::op::Op;
use super::trading::{send_with, take};

/// One exchange between agents of two parts: the operations of each.
pub(super) fn exchange(b: &mut Builder, from: usize, to: usize) -> (Op, Op) {
    match b.random.below(12) {
        0..3 => leader(b, from, to),
        3..6 => choice(b, from, to),
        6..8 => echo(b, from, to),
        8..10 => repeated(b, from, to),
        10 => one_of_them(b, from, to),
        _ => (growing(b, from), growing(b, to)),
    }
}

/// The first to ask becomes the leader, and each asker is told who it is.
fn leader(b: &mut Builder, from: usize, to: usize) -> (Op, Op) {
    let theirs = begin_loop(b, to);
    let leader = b.cell(to, "nobody");
    let claim = match b.random.below(3) {
        0 => format!("\n  | {leader} == nobody = $who with {leader} := $who\n  = {leader}"),
        1 => format!("= {leader} with {leader} := $who"),
        _ => format!("= (if {leader} == nobody then $who else {leader}) with {leader} := self"),
    };
    let claim = b.declare(to, false, &["$who"], &claim);
    let body = *b.random.pick(&[
        "| $who == self = yes",
        "| not ($who != self) or $who == nobody = yes",
        "\n  | $who == self = self\n  | $who < 1 = no",
    ]);
    let mine = b.declare(from, true, &["$who"], body);
    let (question, reply) = (b.message_of_constants(), b.message_of(&["nobody"]));
    let ask = b.send(from, to, &question);
    let wait = waiting(b, from, |b| {
        let (receive, values, _) = take(b, from, to, &reply);
        let ask = b.aside(from, |b| b.ask_for(from, &mine, &[&values[0]]).0);
        let fallback = b.random.percent(80);
        Op::then(vec![receive, if fallback { Op::Or(vec![ask, Op::Skip]) } else { ask }])
    });
    in_clause(b, to, &theirs, |b| {
        let body = b.aside(to, |b| {
            let (receive, _, who) = take(b, to, from, &question);
            let (ask, value) = b.ask_for(to, &claim, &[&who]);
            Op::then(vec![receive, ask, send_with(b, (to, from), &reply, &[&value]), again(b, to, &theirs)])
        });
        Op::wait(body, b.random.percent(90).then_some(Op::Skip))
    });
    (Op::then(vec![ask, wait]), call(b, to, &theirs))
}

/// A value of a domain, by which the other side distinguishes cases.
fn choice(b: &mut Builder, from: usize, to: usize) -> (Op, Op) {
    let (domain, first, second) = match b.random.below(5) {
        0 => ("in 1 .. 2".to_owned(), "1", "2"),
        1 => ("in {yes, no}".to_owned(), "yes", "no"),
        2 => (String::from("= in {1, \"text\"}"), "1", "\"text\""),
        3 => (String::new(), "yes", "2"),
        _ => (format!("in {}", b.domain()), "1", "no"),
    };
    let may_refuse = b.random.percent(20) && !domain.starts_with('=');
    let choose = b.declare(from, may_refuse, &[], &domain);
    let judge = match b.random.below(4) {
        0 => format!("\n  | $x == {first} = good\n  | $x == {second} = bad\n  = unknown"),
        1 => format!("\n  | $x != {first} = in {{bad, good}}\n  = good"),
        2 => "= $x - 1".to_owned(),
        _ => format!("\n  | $x == {first} or $x < 3 = good\n  = bad"),
    };
    let judge = b.declare(to, false, &["$x"], &judge);
    let (said, reply) = (b.message_of(&[first]), b.message_of(&["good"]));
    let (ask, value) = b.ask_for(from, &choose, &[]);
    let send = send_with(b, (from, to), &said, &[&value]);
    let told = b.random.percent(50);
    let other = waiting(b, to, |b| {
        if !told && b.random.percent(50) {
            let ways = [first, second].map(|pattern| {
                let role = b.parts[from].plan.role;
                Op::Receive(format!("{}({pattern}) <= agent(_, %{role})", said.performative))
            });
            return Op::Or(ways.to_vec());
        }
        let (receive, values, _) = take(b, to, from, &said);
        let (ask, value) = b.ask_for(to, &judge, &[&values[0]]);
        let mut ops = vec![receive, ask];
        if told {
            ops.push(send_with(b, (to, from), &reply, &[&value]));
        }
        Op::then(ops)
    });
    let mut ops = vec![ask, send];
    if told {
        let role = b.parts[to].plan.role;
        let receive =
            |pattern: &str| Op::Receive(format!("{}({pattern}) <= agent(_, %{role})", reply.performative));
        let ways = vec![receive("good"), receive(if b.random.percent(60) { "bad" } else { "unknown" })];
        ops.push(Op::wait(Op::Or(ways), b.random.percent(40).then_some(Op::Skip)));
    }
    (Op::then(ops), other)
}

/// A fresh name is sent out and comes back.
fn echo(b: &mut Builder, from: usize, to: usize) -> (Op, Op) {
    let may_refuse = b.random.percent(20);
    let name = b.declare(from, may_refuse, &[], "fresh");
    let body = *b.random.pick(&[
        "= $x",
        "= $x",
        "fresh",
        "",
        "\n  | $x == 1 or $x == none = none\n  = $x",
        "= in {none, \"text\"}",
        "= $x + 1",
    ]);
    let other_name = b.declare(to, false, &["$x"], body);
    let (question, reply) = (b.message_of(&["none"]), b.message_of(&["none"]));
    let (ask, id) = b.ask_for(from, &name, &[]);
    let send = send_with(b, (from, to), &question, &[&id]);
    let other = waiting(b, to, |b| {
        let (receive, values, _) = take(b, to, from, &question);
        let (ask, value) = b.ask_for(to, &other_name, &[&values[0]]);
        Op::then(vec![receive, ask, send_with(b, (to, from), &reply, &[&value])])
    });
    let role = b.parts[to].plan.role;
    let receive = Op::Receive(format!("{}({id}) <= agent(_, %{role})", reply.performative));
    let timeout = b.random.percent(40).then_some(Op::Skip);
    (Op::then(vec![ask, send, Op::wait(receive, timeout)]), other)
}

/// A value is remembered and compared with the next one received.
fn repeated(b: &mut Builder, from: usize, to: usize) -> (Op, Op) {
    let initial = *b.random.pick(&["nobody", "0", "self", "1"]);
    let last = b.cell(to, initial);
    let note = match b.random.below(3) {
        0 => format!("= {last} with {last} := $x"),
        1 => format!("\n  | $x == {last} = same\n  = other with {last} := $x"),
        _ => format!("= $x with {last} := (if $x == {last} then none else $x)"),
    };
    let note = b.declare(to, false, &["$x"], &note);
    let same = match b.random.below(4) {
        0 => format!("| $x != {last} = {last} with {last} := none"),
        1 => format!("| $x <= {last} = $x"),
        2 => format!("| $x == {last} = {last} + 1 with {last} := none"),
        _ => format!("| $x == {last} = {last}"),
    };
    let same = b.declare(to, true, &["$x"], &same);
    let value = if b.random.percent(50) { b.random.between(0, 2).to_string() } else { b.value(from) };
    let (mut sends, value) = b.value_or_abstract(from, value);
    let (one, two) = (b.message_of(&[&value]), b.message_of(&[&value]));
    let again = if b.random.percent(70) { value.clone() } else { b.value(from) };
    sends.push(send_with(b, (from, to), &one, &[&value]));
    sends.push(send_with(b, (from, to), &two, &[&again]));
    let other = b.aside(to, |b| {
        let (first, values, _) = take(b, to, from, &one);
        let (note, _) = b.ask_for(to, &note, &[&values[0]]);
        let (second, values, _) = take(b, to, from, &two);
        let (ask, _) = b.ask_for(to, &same, &[&values[0]]);
        let first = Op::then(vec![Op::wait(first, None), note]);
        let second = match b.random.below(3) {
            0 => Op::wait(Op::then(vec![second, ask]), Some(Op::Skip)),
            1 => Op::then(vec![Op::wait(second, None), Op::wait(ask, Some(Op::Skip))]),
            _ => Op::then(vec![Op::wait(second, None), Op::Or(vec![ask, Op::Skip])]),
        };
        Op::then(vec![first, second])
    });
    (Op::then(sends), other)
}

/// A message to one agent of a role, whoever it is.
fn one_of_them(b: &mut Builder, from: usize, to: usize) -> (Op, Op) {
    let role = b.parts[to].plan.role;
    let may_refuse = b.random.percent(25);
    let body =
        if may_refuse || b.random.percent(50) { format!("in %{role}") } else { format!("= in %{role}") };
    let any = b.declare(from, may_refuse, &[], &body);
    let message = b.message_of_constants();
    let (ask, who) = b.ask_for(from, &any, &[]);
    let send = Op::Send(format!(
        "{}({}) => agent({who}, %{role})",
        message.performative,
        message.arguments.join(", ")
    ));
    let other = waiting(b, to, |b| b.receive(to, from, &message));
    (Op::then(vec![ask, send]), other)
}

/// A number that grows until it overflows, or until a guard or a decision stops it.
fn growing(b: &mut Builder, part: usize) -> Op {
    let this = begin_loop(b, part);
    let initial = *b.random.pick(&["3037000500", "4611686018427387904", "3", "-9223372036854775807"]);
    let big = b.cell(part, initial);
    let step = b.random.pick(&["{} * {}", "{} + {}", "{} - 9", "0 - {} * 3"]).replace("{}", &big);
    let guard = format!("| {big} < {}", b.random.pick(&["4000000000", "0", "9223372036854775807"]));
    let (may_refuse, body) = match b.random.below(3) {
        0 => (true, format!("{guard} and {big} > -9000000000 = grown with {big} := {step}")),
        1 => (false, format!("\n  {guard} = 1 with {big} := {step}\n  = {step}")),
        _ => (false, format!("= {step}")),
    };
    let grow = b.declare(part, may_refuse, &[], &body);
    let repeats = may_refuse || b.random.percent(30);
    in_clause(b, part, &this, |b| {
        let on = b.aside(part, |b| {
            let (ask, _) = b.ask_for(part, &grow, &[]);
            if repeats { Op::then(vec![ask, again(b, part, &this)]) } else { ask }
        });
        Op::Or(vec![on, Op::Skip])
    });
    call(b, part, &this)
}
