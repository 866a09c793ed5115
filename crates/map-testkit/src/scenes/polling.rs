//! Polls that stand in no step, and moves that change only which of the abstract values held are equal.

use super::builder::{Builder, Clause, Variable};
use super::idioms::waiting;
use super::op::Op;

/// Somebody looks for a message again and again without a `waitfor`, beside work of its own whose order with what follows
/// the message can be seen: by a third action, or by the other side.
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

/// A loop round a `waitfor` that carries three values on in another order, until they are compared.
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
    let asks = vec![b.ask(part, false), b.ask(part, false)];
    let values = [b.value(part), b.value(part), b.value(part)];
    Op::then(vec![Op::then(asks), Op::Call(format!("agent({turn}, {})", values.join(", ")))])
}
