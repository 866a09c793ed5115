//! Exchanges between parts. Both sides of an exchange are written together, so that it usually works.

use super::builder::{Builder, Clause, Variable};
use super::op::Op;
use super::plan::Naming;
use super::{polling, remembering, trading};

/// Writes all parts.
pub(super) fn compose(b: &mut Builder) {
    let parts = b.parts.len();
    let mut bodies: Vec<Vec<Op>> = vec![Vec::new(); parts];
    let crowd = b.parts.iter().any(|part| part.plan.naming != Naming::Single);
    let exchanges = match (parts, crowd) {
        (3, true) => 2,
        (3, false) => 2 + usize::from(b.random.percent(30)),
        (_, true) => 1 + b.random.below(2),
        _ => 1 + b.random.below(3),
    };
    // Nesting multiplies the states.
    let level = if parts == 3 || crowd { 1 } else { 2 };
    let first = b.random.below(parts);
    for number in 0..exchanges {
        // With three parts, each takes part in something.
        let from = (first + number) % parts;
        let to = (from + 1 + if parts == 3 { b.random.below(2) } else { 0 }) % parts;
        let (one, other) = exchange(b, from, to, level);
        bodies[from].push(one);
        bodies[to].push(other);
        if b.random.percent(12) {
            let part = b.random.below(parts);
            let op = local(b, part);
            bodies[part].push(op);
        }
    }
    for (part, ops) in bodies.into_iter().enumerate() {
        let entry = Clause { head: Vec::new(), body: Op::then(ops) };
        b.parts[part].clauses.insert(0, entry);
    }
}

/// One exchange between agents of two parts: the operations of each. `level` limits the nesting of exchanges.
fn exchange(b: &mut Builder, from: usize, to: usize, level: usize) -> (Op, Op) {
    if b.random.percent(10) {
        return if b.random.percent(50) {
            polling::exchange(b, from, to)
        } else {
            polling::carousel(b, from, to)
        };
    }
    if b.rich && b.random.percent(60) {
        return if b.random.percent(50) {
            trading::exchange(b, from, to)
        } else {
            remembering::exchange(b, from, to)
        };
    }
    if b.chatty && b.random.percent(70) {
        return match b.random.below(10) {
            0..3 => chatter(b, from, to),
            3..5 => server(b, from, to),
            5..7 => ping_pong(b, from, to, level),
            _ => bid_loop(b, from, to, level),
        };
    }
    match b.random.below(if level == 0 { 45 } else { 100 }) {
        0..10 => one_way(b, from, to),
        10..28 => request(b, from, to),
        28..40 => alternatives(b, from, to),
        40..45 => (local(b, from), local(b, to)),
        45..57 => bid_loop(b, from, to, level),
        57..64 => server(b, from, to),
        64..76 => ping_pong(b, from, to, level),
        76..82 => collect(b, from, to),
        82..88 => side_by_side(b, from, to, level),
        88..95 => nested(b, from, to),
        _ => {
            let (one, other) = exchange(b, from, to, level - 1);
            let (next, answer) = exchange(b, to, from, level - 1);
            (Op::then(vec![one, answer]), Op::then(vec![other, next]))
        }
    }
}

fn one_way(b: &mut Builder, from: usize, to: usize) -> (Op, Op) {
    let message = b.message(from);
    let send = b.send(from, to, &message);
    let send = if b.random.percent(20) { Op::then(vec![b.ask(from, false), send]) } else { send };
    (send, waiting(b, to, |b| b.receive(to, from, &message)))
}

fn request(b: &mut Builder, from: usize, to: usize) -> (Op, Op) {
    let question = b.message(from);
    let ask = b.send(from, to, &question);
    let mut answer = None;
    let other = waiting(b, to, |b| {
        let take = b.receive(to, from, &question);
        let mut ops = vec![take];
        if b.random.percent(25) {
            let may_refuse = b.random.percent(40);
            ops.push(b.ask(to, may_refuse));
        }
        let reply = b.message(to);
        ops.push(b.send(to, from, &reply));
        answer = Some(reply);
        Op::then(ops)
    });
    let reply = answer.expect("written above");
    let wait = waiting(b, from, |b| b.receive(from, to, &reply));
    (Op::then(vec![ask, wait]), other)
}

/// One of two messages, chosen by a decision.
fn alternatives(b: &mut Builder, from: usize, to: usize) -> (Op, Op) {
    let (first, second) = (b.message(from), b.message(from));
    let may_refuse = b.random.percent(85);
    let yes = b.aside(from, |b| {
        let ask = b.ask(from, may_refuse);
        Op::then(vec![ask, b.send(from, to, &first)])
    });
    let no = b.send(from, to, &second);
    let other = waiting(b, to, |b| {
        let one = b.aside(to, |b| {
            let take = b.receive(to, from, &first);
            after(b, to, take)
        });
        let two = b.aside(to, |b| {
            let take = b.receive(to, from, &second);
            after(b, to, take)
        });
        let mut ways = vec![one, two];
        if b.random.percent(10) {
            ways.push(b.aside(to, |b| b.ask(to, true)));
        }
        Op::Or(ways)
    });
    (Op::Or(vec![yes, no]), other)
}

/// Sometimes adds something small after a receive.
pub(super) fn after(b: &mut Builder, part: usize, op: Op) -> Op {
    match b.random.below(if b.careful { 30 } else { 12 }) {
        0 => Op::then(vec![op, Op::Skip]),
        1 => Op::then(vec![op, Op::Fail]),
        2 => Op::then(vec![op, b.ask(part, true)]),
        _ => op,
    }
}

/// A loop that continues as long as a decision says so, and its other side.
fn bid_loop(b: &mut Builder, from: usize, to: usize, level: usize) -> (Op, Op) {
    let (mine, theirs) = (begin_loop(b, from), begin_loop(b, to));
    let (more, stop) = (b.message_of_constants(), b.message_of_constants());
    // Without it the sender may overrun the mailbox.
    let acknowledgement = b.random.percent(55).then(|| b.message_of_constants());
    in_clause(b, from, &mine, |b| {
        let again = b.aside(from, |b| {
            let may_refuse = b.random.percent(92);
            let mut ops = vec![b.ask(from, may_refuse), b.send(from, to, &more)];
            if let Some(message) = &acknowledgement {
                ops.push(Op::wait(b.receive(from, to, message), None));
            }
            ops.push(again(b, from, &mine));
            Op::then(ops)
        });
        let send = b.send(from, to, &stop);
        let body = Op::Or(vec![again, send]);
        if b.random.percent(15) { Op::wait(body, None) } else { body }
    });
    in_clause(b, to, &theirs, |b| {
        waiting(b, to, |b| {
            let one = b.aside(to, |b| {
                let take = b.receive(to, from, &more);
                let mut ops = vec![if level > 1 { after(b, to, take) } else { take }];
                if let Some(message) = &acknowledgement {
                    ops.push(b.send(to, from, message));
                }
                ops.push(again(b, to, &theirs));
                Op::then(ops)
            });
            let two = b.aside(to, |b| b.receive(to, from, &stop));
            Op::Or(vec![one, two])
        })
    });
    (call(b, from, &mine), call(b, to, &theirs))
}

/// Requests, answered in a loop until nobody asks any more.
fn server(b: &mut Builder, from: usize, to: usize) -> (Op, Op) {
    let theirs = begin_loop(b, to);
    let (question, reply) = (b.message(from), b.message_of_constants());
    let ask = b.send(from, to, &question);
    let wait = waiting(b, from, |b| b.receive(from, to, &reply));
    in_clause(b, to, &theirs, |b| {
        let body = b.aside(to, |b| {
            let take = b.receive(to, from, &question);
            let send = b.send(to, from, &reply);
            Op::then(vec![take, send, again(b, to, &theirs)])
        });
        let timeout = match b.random.below(10) {
            0 => None,
            1 => Some(again(b, to, &theirs)),
            2 => Some(local(b, to)),
            _ => Some(Op::Skip),
        };
        Op::wait(body, timeout)
    });
    (Op::then(vec![ask, wait]), call(b, to, &theirs))
}

/// Back and forth, for ever or until one side stops.
fn ping_pong(b: &mut Builder, from: usize, to: usize, level: usize) -> (Op, Op) {
    let (mine, theirs) = (begin_loop(b, from), begin_loop(b, to));
    let (ping, pong) = (b.message_of_constants(), b.message_of_constants());
    let stop = b.random.percent(75).then(|| b.message_of_constants());
    in_clause(b, from, &mine, |b| {
        let ops = b.aside(from, |b| {
            let send = b.send(from, to, &ping);
            let take = waiting(b, from, |b| b.receive(from, to, &pong));
            let mut ops = vec![send, take];
            if level > 1 && b.random.percent(15) {
                ops.push(local(b, from));
            }
            ops.push(again(b, from, &mine));
            ops
        });
        match &stop {
            Some(stop) => {
                let decide = b.aside(from, |b| b.ask(from, true));
                Op::Or(vec![Op::then(vec![decide, b.send(from, to, stop)]), Op::then(ops)])
            }
            None => Op::then(ops),
        }
    });
    in_clause(b, to, &theirs, |b| {
        waiting(b, to, |b| {
            let answer = b.aside(to, |b| {
                let take = b.receive(to, from, &ping);
                let send = b.send(to, from, &pong);
                Op::then(vec![take, send, again(b, to, &theirs)])
            });
            match &stop {
                Some(stop) => Op::Or(vec![answer, b.aside(to, |b| b.receive(to, from, stop))]),
                None => answer,
            }
        })
    });
    (call(b, from, &mine), call(b, to, &theirs))
}

/// A loop that sends and waits for nothing, to an agent that need not listen, or not for long.
fn chatter(b: &mut Builder, from: usize, to: usize) -> (Op, Op) {
    let (mine, theirs) = (begin_loop(b, from), begin_loop(b, to));
    let said = b.message_of_constants();
    in_clause(b, from, &mine, |b| {
        let ops = b.aside(from, |b| {
            let mut ops = vec![b.send(from, to, &said), again(b, from, &mine)];
            if b.random.percent(60) {
                let may_refuse = b.random.percent(70);
                ops.insert(0, b.ask(from, may_refuse));
            }
            Op::then(ops)
        });
        if b.random.percent(60) { Op::Or(vec![ops, Op::Skip]) } else { ops }
    });
    let other = match b.random.below(4) {
        0 => Op::Skip,
        1 => waiting(b, to, |b| b.receive(to, from, &said)),
        2 => local(b, to),
        _ => {
            in_clause(b, to, &theirs, |b| {
                let timeout = b.random.percent(50).then_some(Op::Skip);
                let body = b.aside(to, |b| {
                    let take = b.receive(to, from, &said);
                    Op::then(vec![take, again(b, to, &theirs)])
                });
                Op::wait(body, timeout)
            });
            call(b, to, &theirs)
        }
    };
    (call(b, from, &mine), other)
}

/// A message to everybody, and answers collected until time runs out.
fn collect(b: &mut Builder, from: usize, to: usize) -> (Op, Op) {
    let mine = begin_loop(b, from);
    let (question, reply) = (b.message(from), b.message_of_constants());
    let ask = b.send(from, to, &question);
    let other = waiting(b, to, |b| {
        let take = b.receive(to, from, &question);
        let may_refuse = b.random.percent(20);
        let ask = b.aside(to, |b| b.ask(to, may_refuse));
        let send = b.send(to, from, &reply);
        Op::then(if b.random.percent(50) { vec![take, ask, send] } else { vec![take, send] })
    });
    in_clause(b, from, &mine, |b| {
        let body = b.aside(from, |b| {
            let take = b.receive(from, to, &reply);
            Op::then(vec![take, again(b, from, &mine)])
        });
        Op::wait(body, b.random.percent(85).then_some(Op::Skip))
    });
    (Op::then(vec![ask, call(b, from, &mine)]), other)
}

/// Two exchanges at once, on one side or on both.
fn side_by_side(b: &mut Builder, from: usize, to: usize, level: usize) -> (Op, Op) {
    // What a side binds is in scope after the `par` only; the other side must not use it.
    let scopes = |b: &Builder| (b.parts[from].scope.clone(), b.parts[to].scope.clone());
    let (before_from, before_to) = scopes(b);
    let mut extra = None;
    if b.random.percent(15) {
        let part = if b.random.percent(50) { from } else { to };
        extra = Some((part, b.aside(part, |b| local(b, part))));
    }
    let one = exchange(b, from, to, level - 1);
    let (mid_from, mid_to) = scopes(b);
    b.parts[from].scope = before_from.clone();
    b.parts[to].scope = before_to.clone();
    let swap = b.random.percent(40);
    let two = if swap { exchange(b, to, from, level - 1) } else { exchange(b, from, to, level - 1) };
    let two = if swap { (two.1, two.0) } else { two };
    let (end_from, end_to) = scopes(b);
    b.parts[from].scope = joined(mid_from, end_from, before_from.len());
    b.parts[to].scope = joined(mid_to, end_to, before_to.len());
    let mut put = |part: usize, mut sides: Vec<Op>| match extra.take_if(|(own, _)| *own == part) {
        Some((_, extra)) => {
            sides.push(extra);
            Op::Par(sides)
        }
        None if b.random.percent(30) => Op::then(sides),
        None => Op::Par(sides),
    };
    (put(from, vec![one.0, two.0]), put(to, vec![one.1, two.1]))
}

fn joined(mut one: Vec<Variable>, other: Vec<Variable>, common: usize) -> Vec<Variable> {
    one.extend(other.into_iter().skip(common));
    one
}

/// A `waitfor` in a `waitfor`.
fn nested(b: &mut Builder, from: usize, to: usize) -> (Op, Op) {
    let (first, second) = (b.message(from), b.message(from));
    let mut sends = vec![b.send(from, to, &first), b.send(from, to, &second)];
    if b.random.percent(25) {
        sends.swap(0, 1);
    }
    let other = waiting(b, to, |b| {
        if b.random.percent(25) {
            // The outer time cannot run out.
            return waiting(b, to, |b| b.receive(to, from, &first));
        }
        let one = b.receive(to, from, &first);
        let two = waiting(b, to, |b| b.receive(to, from, &second));
        Op::then(vec![one, two])
    });
    let sends = if b.random.percent(20) { Op::Par(sends) } else { Op::then(sends) };
    (sends, other)
}

/// Something an agent does by itself, with no bindings that matter.
pub(super) fn local(b: &mut Builder, part: usize) -> Op {
    b.aside(part, |b| match b.random.below(19) {
        0 => Op::Skip,
        1 => Op::Or(vec![Op::Fail, Op::Skip]),
        2 => Op::Par(vec![Op::Skip, b.ask(part, false)]),
        3 => Op::wait(b.ask(part, true), None),
        4 => Op::wait(Op::then(vec![b.ask(part, true), Op::Fail]), Some(Op::Skip)),
        5 => {
            let (one, two) = (b.ask(part, false), b.ask(part, true));
            Op::Or(vec![Op::then(vec![one, two]), Op::Skip])
        }
        6 | 7 => helper(b, part),
        8 | 9 => count_down(b, part),
        10..14 => restless(b, part),
        14 => Op::wait(Op::Par(vec![b.aside(part, |b| b.ask(part, true)), Op::Skip]), Some(Op::Skip)),
        15 => Op::wait(Op::wait(b.ask(part, true), Some(Op::Fail)), Some(Op::Skip)),
        16 | 17 => polling::shuffle(b, part),
        _ => Op::Or(vec![b.aside(part, |b| b.ask(part, true)), b.aside(part, |b| b.ask(part, false))]),
    })
}

/// A clause that is called and returns.
fn helper(b: &mut Builder, part: usize) -> Op {
    let this = begin_loop(b, part);
    in_clause(b, part, &this, |b| {
        let may_refuse = b.random.percent(50);
        let ask = b.ask(part, may_refuse);
        if b.random.percent(40) { Op::Or(vec![ask, Op::Skip]) } else { ask }
    });
    let one = call(b, part, &this);
    match b.random.below(4) {
        0 => Op::then(vec![one, call(b, part, &this)]),
        1 => Op::Or(vec![one, Op::Skip]),
        2 => Op::Par(vec![one, call(b, part, &this)]),
        _ => Op::then(vec![one, Op::Skip]),
    }
}

/// Heads with constants, taken in turn.
fn count_down(b: &mut Builder, part: usize) -> Op {
    let name = b.loop_name();
    let head = |arguments: &[&str]| {
        [name.as_str()]
            .into_iter()
            .chain(arguments.iter().copied())
            .map(str::to_owned)
            .collect::<Vec<String>>()
    };
    let call = |arguments: &[&str]| Op::Call(format!("agent({})", head(arguments).join(", ")));
    let variable = b.fresh();
    let ask = b.elsewhere(part, Vec::new(), |b| b.ask(part, false));
    let clauses = [
        (head(&["2"]), Op::then(vec![ask, call(&["1"])])),
        (
            head(&["1"]),
            if b.random.percent(60) { call(&["0"]) } else { Op::Or(vec![call(&["0"]), Op::Fail]) },
        ),
        (head(&["0"]), Op::Skip),
        (head(&[&variable]), if b.random.percent(50) { Op::Skip } else { call(&["2"]) }),
    ];
    b.parts[part].clauses.extend(clauses.map(|(head, body)| Clause { head, body }));
    let value = match b.random.below(4) {
        0 => "1".to_owned(),
        1 => "2".to_owned(),
        _ => b.value(part),
    };
    call(&[&value])
}

/// Recursion around a `waitfor`: runaway, or a move to the same place with other variables, or one level deeper.
fn restless(b: &mut Builder, part: usize) -> Op {
    let name = b.loop_name();
    let variable = b.fresh();
    let same = Op::Call(format!("agent({name}, {variable})"));
    let other = Op::Call(format!("agent({name}, 2)"));
    let parameter = Variable { name: variable.clone(), answer: false, agent_of: None };
    let ask = b.elsewhere(part, vec![parameter], |b| b.ask(part, true));
    let body = match b.random.below(6) {
        0 => Op::wait(Op::Or(vec![ask, same]), Some(Op::Skip)),
        1 => Op::wait(Op::Or(vec![ask, other]), Some(Op::Skip)),
        2 => Op::wait(Op::Par(vec![ask, other]), Some(Op::Skip)),
        3 => Op::wait(ask, Some(other)),
        4 => Op::Or(vec![ask, same]),
        _ => Op::wait(Op::then(vec![ask, same]), Some(Op::Skip)),
    };
    b.parts[part].clauses.push(Clause { head: vec![name.clone(), variable], body });
    Op::Call(format!("agent({name}, 1)"))
}

/// Usually a `waitfor`; without it the receive fails if it comes too early.
pub(super) fn waiting(b: &mut Builder, part: usize, write: impl FnOnce(&mut Builder) -> Op) -> Op {
    let before = b.parts[part].scope.len();
    let body = write(b);
    let chance = if b.careful { b.random.between(10, 92) } else { b.random.between(0, 99) };
    match chance {
        0..4 => body,
        4..63 => Op::wait(body, None),
        63..67 => Op::wait(body, Some(Op::Fail)),
        chance => {
            // After the timeout nothing of the operation is bound.
            b.parts[part].scope.truncate(before);
            let timeout = match chance {
                67..93 => Op::Skip,
                93..95 => b.aside(part, |b| b.ask(part, false)),
                95..97 => Op::wait(b.aside(part, |b| b.ask(part, true)), None),
                97 => Op::Or(vec![b.aside(part, |b| b.ask(part, true)), Op::Skip]),
                98 => Op::Par(vec![Op::Skip, b.aside(part, |b| b.ask(part, true))]),
                _ => {
                    let to = (part + 1) % b.parts.len();
                    let message = b.message(part);
                    b.send(part, to, &message)
                }
            };
            Op::wait(body, Some(timeout))
        }
    }
}

/// A clause that is called repeatedly: its first term, and its parameters with the values first passed.
pub(super) struct Loop {
    name: String,
    parameters: Vec<(Variable, String)>,
}

pub(super) fn begin_loop(b: &mut Builder, part: usize) -> Loop {
    let name = b.loop_name();
    let number = *b.random.pick(&[0, 0, 0, 1, 1, 2]);
    let parameters = (0..number).map(|_| {
        let value = b.value(part);
        let passed = b.parts[part].scope.iter().find(|it| it.name == value);
        let mut variable =
            passed.cloned().unwrap_or(Variable { name: String::new(), answer: false, agent_of: None });
        variable.name = b.fresh();
        (variable, value)
    });
    Loop { name, parameters: parameters.collect() }
}

pub(super) fn call(b: &mut Builder, part: usize, this: &Loop) -> Op {
    // The values were chosen when the loop was begun and are still bound, unless a `waitfor` has ended in between.
    let scope = b.parts[part].scope.clone();
    let bound = |value: &str| !value.starts_with('$') || scope.iter().any(|it| it.name == value);
    let values = this.parameters.iter().map(|(_, value)| if bound(value) { value } else { "none" });
    let values: Vec<String> = values.map(|it| b.perhaps_computed(part, it)).collect();
    let terms: Vec<&str> =
        [this.name.as_str()].into_iter().chain(values.iter().map(String::as_str)).collect();
    Op::Call(format!("agent({})", terms.join(", ")))
}

/// The recursive call of a clause, usually in last place and with the same arguments.
pub(super) fn again(b: &mut Builder, part: usize, this: &Loop) -> Op {
    let mut terms = vec![this.name.clone()];
    for (parameter, _) in &this.parameters {
        let value = if b.random.percent(75) { parameter.name.clone() } else { b.value(part) };
        terms.push(b.perhaps_computed(part, &value));
    }
    let call = Op::Call(format!("agent({})", terms.join(", ")));
    match b.random.below(14) {
        0 => Op::then(vec![call, Op::Skip]),
        1 => Op::Or(vec![call, Op::Fail]),
        _ => call,
    }
}

/// Writes the clause of a loop in a scope of its own; sometimes with a clause for a constant in front.
pub(super) fn in_clause(b: &mut Builder, part: usize, this: &Loop, write: impl FnOnce(&mut Builder) -> Op) {
    let scope = this.parameters.iter().map(|(variable, _)| variable.clone()).collect();
    let body = b.elsewhere(part, scope, write);
    let names: Vec<String> = this.parameters.iter().map(|(variable, _)| variable.name.clone()).collect();
    let head = |parameters: Vec<String>| [this.name.clone()].into_iter().chain(parameters).collect();
    if let [first, ..] = &names[..]
        && b.random.percent(18)
    {
        let constant = (*b.random.pick(&["yes", "2"])).to_owned();
        let special: Vec<String> =
            names.iter().map(|name| if name == first { constant.clone() } else { "_".to_owned() }).collect();
        b.parts[part].clauses.push(Clause { head: head(special), body: Op::Skip });
    }
    b.parts[part].clauses.push(Clause { head: head(names), body });
}
