//! Idioms with numbers in memory: prices, counters, votes, shares.

use super::builder::{Builder, Sent};
use super::idioms::{again, begin_loop, call, in_clause, waiting};
use super::op::Op;

/// One exchange between agents of two parts: the operations of each.
pub(super) fn exchange(b: &mut Builder, from: usize, to: usize) -> (Op, Op) {
    match b.random.below(10) {
        0..3 => auction(b, from, to),
        3..6 => counting(b, from, to),
        6..8 => votes(b, from, to),
        _ => shares(b, from, to),
    }
}

/// A receive that binds new variables to all arguments and to the sender.
pub(super) fn take(b: &mut Builder, part: usize, from: usize, message: &Sent) -> (Op, Vec<String>, String) {
    let names: Vec<String> = message.arguments.iter().map(|_| b.fresh()).collect();
    let sender = b.fresh();
    names.iter().for_each(|name| b.bind(part, name, false, None));
    b.bind(part, &sender, false, Some(from));
    let role = b.parts[from].plan.role;
    let text = format!("{}({}) <= agent({sender}, %{role})", message.performative, names.join(", "));
    (Op::Receive(text), names, sender)
}

/// A send of a message with other arguments than planned.
pub(super) fn send_with(
    b: &mut Builder,
    (part, to): (usize, usize),
    message: &Sent,
    arguments: &[&str],
) -> Op {
    let mut message = message.clone();
    message.arguments = arguments.iter().map(|&it| it.to_owned()).collect();
    b.send(part, to, &message)
}

/// Calls for bids at a price that bids raise, up to a limit; finally the winner is announced.
fn auction(b: &mut Builder, from: usize, to: usize) -> (Op, Op) {
    let start = b.random.between(0, 2);
    let limit = start + b.random.between(1, 2);
    let (price, leader) = (b.cell(from, &start.to_string()), b.cell(from, "nobody"));
    let most = limit + b.random.between(0, 2) - 1;
    let most = b.cell(to, &most.to_string());
    let value = b.declare(from, false, &[], &format!("= {price}"));
    let record = match b.random.below(5) {
        0 => {
            format!("| $bid >= {price} and $bid < {limit} = $bid with {price} := $bid + 1, {leader} := $who")
        }
        1 => format!(
            "| {leader} != $who and {price} < {limit} = {price} with {price} := {price} + 1, {leader} := $who"
        ),
        _ => format!(
            "\n  | $bid == {price} and {price} < {limit} = $bid + 1 with {price} := $bid + 1, {leader} := $who"
        ),
    };
    let record = b.declare(from, true, &["$who", "$bid"], &record);
    let winner = b.declare(from, false, &[], &format!("= {leader}"));
    let keep = match b.random.below(4) {
        0 => format!("| $price < {most} = in {{yes, no}}"),
        1 => format!("| $price <= {most} = yes with {most} := {most} - 1"),
        _ => format!("| $price < {most} = $price"),
    };
    let keep = b.declare(to, true, &["$price"], &keep);
    let (offer, bid, end) = (b.message_of(&["0"]), b.message_of(&["0"]), b.message_of(&["nobody"]));
    let (mine, theirs) = (begin_loop(b, from), begin_loop(b, to));
    in_clause(b, from, &mine, |b| {
        let (ask, now) = b.ask_for(from, &value, &[]);
        let call_for = send_with(b, (from, to), &offer, &[&now]);
        let body = b.aside(from, |b| {
            let (receive, values, who) = take(b, from, to, &bid);
            let (note, _) = b.ask_for(from, &record, &[&who, &values[0]]);
            Op::then(vec![receive, note, again(b, from, &mine)])
        });
        let timeout = b.aside(from, |b| {
            let (ask, who) = b.ask_for(from, &winner, &[]);
            Op::then(vec![ask, send_with(b, (from, to), &end, &[&who])])
        });
        let timeout = if b.random.percent(90) { Some(timeout) } else { None };
        Op::then(vec![ask, call_for, Op::wait(body, timeout)])
    });
    in_clause(b, to, &theirs, |b| {
        let one = b.aside(to, |b| {
            let (receive, values, who) = take(b, to, from, &offer);
            let reply = b.aside(to, |b| {
                let (ask, _) = b.ask_for(to, &keep, &[&values[0]]);
                let name = format!("agent({who}, %{})", b.parts[from].plan.role);
                Op::then(vec![ask, Op::Send(format!("{}({}) => {name}", bid.performative, values[0]))])
            });
            let reply =
                Op::Or(if b.random.percent(90) { vec![reply, Op::Skip] } else { vec![reply, Op::Fail] });
            Op::then(vec![receive, reply, again(b, to, &theirs)])
        });
        let two = b.aside(to, |b| take(b, to, from, &end).0);
        Op::wait(Op::Or(vec![one, two]), b.random.percent(15).then_some(Op::Skip))
    });
    (call(b, from, &mine), call(b, to, &theirs))
}

/// Numbered messages up to a bound, which the other side checks against its own counter.
fn counting(b: &mut Builder, from: usize, to: usize) -> (Op, Op) {
    let (mine, theirs) = (begin_loop(b, from), begin_loop(b, to));
    let (count, expected) = (b.cell(from, "0"), b.cell(to, "0"));
    let bound = b.random.between(1, 3);
    let tick = match b.random.below(4) {
        0 => format!("| not ({count} >= {bound}) = {count} with {count} := {count} + 1"),
        1 => format!(
            "| {count} != {bound} = in {{0, {count_now}}} with {count} := {count} + 1",
            count_now = bound - 1
        ),
        _ => format!("| {count} < {bound} = {count} with {count} := {count} + 1"),
    };
    let tick = b.declare(from, true, &[], &tick);
    let may_refuse = b.random.percent(60);
    let check = match b.random.below(3) {
        0 => format!("| $n == {expected} = $n with {expected} := $n + 1"),
        1 => format!("| $n >= {expected} = $n - {expected} with {expected} := max($n, {expected})"),
        _ => format!("| $n mod 2 == {expected} mod 2 = {expected} with {expected} := ({expected} + 1) mod 4"),
    };
    let check = if may_refuse { check } else { format!("{check}\n  = -1") };
    let check = b.declare(to, may_refuse, &["$n"], &check);
    let number = if b.careful || b.random.percent(80) { "0" } else { "yes" };
    let (more, stop) = (b.message_of(&[number]), b.message_of_constants());
    let acknowledgement = b.message_of_constants();
    in_clause(b, from, &mine, |b| {
        let on = b.aside(from, |b| {
            let (ask, number) = b.ask_for(from, &tick, &[]);
            let send = send_with(b, (from, to), &more, &[&number]);
            let mut ops = vec![ask, send];
            if b.random.percent(70) {
                ops.push(waiting(b, from, |b| b.receive(from, to, &acknowledgement)));
            }
            ops.push(again(b, from, &mine));
            Op::then(ops)
        });
        Op::Or(vec![on, b.send(from, to, &stop)])
    });
    in_clause(b, to, &theirs, |b| {
        let one = b.aside(to, |b| {
            let (receive, values, _) = take(b, to, from, &more);
            let ask = b.aside(to, |b| b.ask_for(to, &check, &[&values[0]]).0);
            let send = b.send(to, from, &acknowledgement);
            let ask = if b.random.percent(25) { Op::Or(vec![ask, Op::Skip]) } else { ask };
            Op::then(vec![receive, ask, send, again(b, to, &theirs)])
        });
        let two = b.aside(to, |b| b.receive(to, from, &stop));
        Op::wait(Op::Or(vec![one, two]), b.random.percent(15).then_some(Op::Skip))
    });
    (call(b, from, &mine), call(b, to, &theirs))
}

/// A question to everybody; the answers are counted until time runs out, and the majority decides.
fn votes(b: &mut Builder, from: usize, to: usize) -> (Op, Op) {
    let mine = begin_loop(b, from);
    let (yes, no) = (b.cell(from, "0"), b.cell(from, "0"));
    let may_refuse = b.random.percent(25);
    let choice = *b.random.pick(&["in {yes, no}", "in {yes, no}", "in {yes, 1}", "", "fresh"]);
    let choose = b.declare(to, may_refuse, &[], choice);
    let count = match b.random.below(3) {
        0 => format!(
            "\n  | $vote == yes = {yes} + 1 with {yes} := {yes} + 1\n  | $vote == no = {no} + 1 with {no} := {no} + 1\n  = self"
        ),
        1 => format!(
            "\n  | $vote != no = {yes} with {yes} := min({yes} + 1, 2)\n  = {no} with {no} := min({no} + 1, 2)"
        ),
        _ => format!("= {yes} with {yes} := (if $vote == yes then {yes} + 1 else {yes}), {no} := {yes}"),
    };
    let count = b.declare(from, false, &["$vote"], &count);
    let won = *b.random.pick(&["> {no}", ">= 1", "/ {no} >= 1"]);
    let won = b.declare(from, true, &[], &format!("| {yes} {} = yes", won.replace("{no}", &no)));
    let (question, vote, end) = (b.message_of_constants(), b.message_of(&["yes"]), b.message_of(&["yes"]));
    let ask = b.send(from, to, &question);
    let other = waiting(b, to, |b| {
        let receive = b.receive(to, from, &question);
        let (ask, choice) = b.ask_for(to, &choose, &[]);
        Op::then(vec![receive, ask, send_with(b, (to, from), &vote, &[&choice])])
    });
    let heard = b.random.percent(40);
    in_clause(b, from, &mine, |b| {
        let body = b.aside(from, |b| {
            let (receive, values, _) = take(b, from, to, &vote);
            let (ask, _) = b.ask_for(from, &count, &[&values[0]]);
            Op::then(vec![receive, ask, again(b, from, &mine)])
        });
        let (ask, result) = b.ask_for(from, &won, &[]);
        let decide =
            if heard { Op::then(vec![ask, send_with(b, (from, to), &end, &[&result])]) } else { ask };
        let decide = if b.random.percent(85) { Op::Or(vec![decide, Op::Skip]) } else { decide };
        Op::wait(body, Some(decide))
    });
    let other = if heard {
        let wait = b.aside(to, |b| Op::wait(b.receive(to, from, &end), Some(Op::Skip)));
        Op::then(vec![other, wait])
    } else {
        other
    };
    (Op::then(vec![ask, call(b, from, &mine)]), other)
}

/// A number is divided by a shrinking divisor.
fn shares(b: &mut Builder, from: usize, to: usize) -> (Op, Op) {
    let left = b.random.between(0, 2);
    let left = b.cell(to, &left.to_string());
    let share = match b.random.below(4) {
        0 => format!("= $x / {left} with {left} := {left} - 1"),
        1 => format!("\n  | {left} == 0 = 0\n  = $x mod {left} with {left} := {left} - 1"),
        2 => {
            format!("\n  | {left} > 0 and $x / {left} > 1 = $x / {left} with {left} := {left} - 1\n  = none")
        }
        _ => format!(
            "\n  | {left} == 0 or 6 / {left} > $x = $x\n  = min($x, 3) / {left} with {left} := {left} / 2"
        ),
    };
    let share = b.declare(to, false, &["$x"], &share);
    let number = if b.random.percent(75) { b.random.between(1, 6).to_string() } else { b.value(from) };
    let (mut ask, number) = b.value_or_abstract(from, number);
    let (question, reply) = (b.message_of(&[&number]), b.message_of(&["0"]));
    let times = b.random.between(1, 2);
    let mut other = Vec::new();
    for _ in 0..times {
        ask.push(send_with(b, (from, to), &question, &[&number]));
        ask.push(b.aside(from, |b| waiting(b, from, |b| take(b, from, to, &reply).0)));
        other.push(b.aside(to, |b| {
            waiting(b, to, |b| {
                let (receive, values, _) = take(b, to, from, &question);
                let (ask, part) = b.ask_for(to, &share, &[&values[0]]);
                Op::then(vec![receive, ask, send_with(b, (to, from), &reply, &[&part])])
            })
        }));
    }
    (Op::then(ask), Op::then(other))
}
