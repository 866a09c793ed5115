//! Polls that are not a step by themselves, and moves that change only which abstract values are equal, or which
//! variable holds which.

use super::builder::{Builder, Clause, Variable};
use super::idioms::waiting;
use super::op::Op;

/// An agent polls for a message without a `waitfor`, in parallel with work of its own. Its order relative to what
/// follows the message is visible, by a third action or to the other side.
pub(super) fn exchange(b: &mut Builder, from: usize, to: usize) -> (Op, Op) {
    let (call, signal) = (b.message_of_constants(), b.message_of_constants());
    let first = b.send(to, from, &call);
    let name = b.loop_name();
    let poll = Op::Call(format!("agent({name})"));
    let look = b.elsewhere(from, Vec::new(), |b| b.receive(from, to, &call));
    let body = Op::Or(vec![Op::Par(vec![look, Op::Skip]), poll.clone()]);
    b.parts[from].clauses.push(Clause { head: vec![name], body });
    let noise = b.message_of_constants();
    let work = b.aside(from, |b| match b.random.below(3) {
        0 => b.ask(from, false),
        1 => b.send(from, to, &noise),
        _ => Op::then(vec![b.ask(from, false), b.send(from, to, &noise)]),
    });
    let then =
        b.aside(from, |b| if b.random.percent(40) { b.ask(from, true) } else { b.send(from, to, &signal) });
    let one = Op::Par(vec![work, Op::then(vec![poll, then])]);
    let other = waiting(b, to, |b| {
        let heard = b.receive(to, from, &signal);
        let noise = b.aside(to, |b| b.receive(to, from, &noise));
        if b.random.percent(60) { Op::then(vec![heard, Op::Or(vec![noise, Op::Fail])]) } else { heard }
    });
    (one, Op::then(vec![first, other]))
}

/// A loop around a `waitfor` that passes three values on in another order, until they are compared.
pub(super) fn shuffle(b: &mut Builder, part: usize) -> Op {
    let (turn, test) = (b.loop_name(), b.loop_name());
    let names = [b.fresh(), b.fresh(), b.fresh()];
    let parameter = |name: &String| Variable { name: name.clone(), answer: true, agent_of: None };
    let ask = b.elsewhere(part, names.iter().map(parameter).collect(), |b| b.ask(part, true));
    let mut any = || names[b.random.below(3)].clone();
    let again = Op::Call(format!("agent({turn}, {}, {}, {})", any(), any(), any()));
    let leave = Op::Call(format!("agent({test}, {}, {})", any(), any()));
    let body = Op::wait(Op::then(vec![ask, leave]), Some(again));
    let (same, one, other) = (b.fresh(), b.fresh(), b.fresh());
    let end = if b.random.percent(60) { Op::Fail } else { Op::Skip };
    let head = std::iter::once(turn.clone()).chain(names).collect();
    b.parts[part].clauses.extend([
        Clause { head, body },
        Clause { head: vec![test.clone(), same.clone(), same], body: Op::Skip },
        Clause { head: vec![test, one, other], body: end },
    ]);
    let asks = vec![b.ask_into_variable(part, false), b.ask_into_variable(part, false)];
    let values = [b.value(part), b.value(part), b.value(part)];
    Op::then(vec![Op::then(asks), Op::Call(format!("agent({turn}, {})", values.join(", ")))])
}

/// An agent passes values on in another order, by moves or timeouts, until a message comes; another may hold one of the
/// values, so that their order is visible from outside.
pub(super) fn carousel(b: &mut Builder, from: usize, to: usize) -> (Op, Op) {
    let asks = vec![b.ask_into_variable(from, false), b.ask_into_variable(from, false)];
    let answers: Vec<String> = b.parts[from].scope.iter().rev().take(2).map(|it| it.name.clone()).collect();
    // An answer may have been unified with an existing variable.
    let mut values = [0, 1, 0].map(|answer| answers[answer % answers.len()].clone());
    if b.random.percent(40) {
        values[b.random.below(3)] = b.value(from);
    }
    let go = if b.random.percent(50) { b.message_of_constants() } else { b.message(to) };
    let send = b.send(to, from, &go);
    let shown = b.random.percent(60).then(|| {
        let message = b.message_of(&[&values[0]]);
        let show = b.send(from, to, &message);
        // What it binds may come after what is sent.
        (show, b.aside(to, |b| waiting(b, to, |b| b.receive(to, from, &message))))
    });
    let turn = b.loop_name();
    let names = [b.fresh(), b.fresh(), b.fresh()];
    let parameter = |name: &String| Variable { name: name.clone(), answer: true, agent_of: None };
    let look = b.elsewhere(from, names.iter().map(parameter).collect(), |b| {
        let look = b.receive(from, to, &go);
        if b.random.percent(40) { Op::then(vec![look, b.ask(from, true)]) } else { look }
    });
    let mut order = [0, 1, 2].map(|place| if b.random.percent(25) { b.random.below(3) } else { place });
    let (one, other) = (b.random.below(3), b.random.below(3));
    order.swap(one, other);
    let [first, second, third] = order.map(|place| names[place].clone());
    let again = Op::Call(format!("agent({turn}, {first}, {second}, {third})"));
    let body = match b.random.percent(50) {
        true => Op::wait(Op::Or(vec![look, again]), None),
        false => Op::wait(look, Some(again)),
    };
    b.parts[from].clauses.push(Clause { head: std::iter::once(turn.clone()).chain(names).collect(), body });
    let call = Op::Call(format!("agent({turn}, {})", values.join(", ")));
    let (mut mine, mut its) = (asks, Vec::new());
    if let Some((show, see)) = shown {
        mine.push(show);
        its.push(see);
    }
    mine.push(call);
    its.insert(b.random.below(its.len() + 1), send);
    (Op::then(mine), Op::then(its))
}
