//! The normal form of a mailbox against the mailbox itself: every sequence of sends and receives takes the same
//! messages.

use std::collections::BTreeMap;
use std::sync::Arc;

use map_ir::{AgentId, NameId, Operand, PartId, PerformativeId, Program, Slot, Symbol, Test, Value};
use map_semantics::Message;
use map_testkit::scenes::Random;

use super::Receives;
use crate::fixture::{performative, program};

/// A scene whose asker has these receives and is sent these messages. `$x` holds a constant, `$a` an abstract value,
/// `$me` and `$n` hold names.
fn scene(receives: &[&str], sends: &[&str]) -> Program {
    let alternatives: Vec<String> = receives.iter().map(|it| format!("{it} <= agent(_, _)")).collect();
    let sends: Vec<String> = sends.iter().map(|it| format!("{it} => agent(_, %a)")).collect();
    program(&format!(
        "decision open()\nprocedure known() in {{1, 2}}\nprocedure who() in %b\ncast %b = 3\nscene [\n\
         agent($me, %a) = $x = known() then $a = open() then $n = who() then (waitfor ({}))\n\
         agent($me, %b) = $x = known() then $a = open() then $n = who() then {}\n]\n",
        alternatives.join(" or "),
        sends.join(" then "),
    ))
}

/// The discriminating places of `m`.
fn told_apart(receives: &[&str], sends: &[&str]) -> Vec<usize> {
    let program = scene(receives, sends);
    let m = performative(&program, "m");
    let receives = Receives::new(&program);
    (0..program.performative(m).arity)
        .filter(|&place| receives.is_discriminating(PartId::new(0), m, place))
        .collect()
}

#[test]
fn a_constant_or_a_variable_that_holds_one_tells_messages_apart() {
    assert_eq!(told_apart(&["m($x)"], &["m(1)", "m(2)"]), [0]);
    assert_eq!(told_apart(&["m($x)", "m(7)", "m(yes)", "m(\"text\")", "m(%b)"], &["m($x)"]), [0]);
    assert_eq!(told_apart(&["m($x, $y)", "m(1, 2)"], &["m($x, $x)"]), [0]);
    assert_eq!(told_apart(&["m($x, _)", "m(_, $x)"], &["m($x, $x)"]), [0; 0]);
    assert_eq!(told_apart(&["n()"], &["m(1)", "n()"]), [0], "nothing is taken");
}

#[test]
fn whatever_may_choose_tells_nothing_apart() {
    for receives in [&["m($y)"][..], &["m($x)", "m(_)"]] {
        assert_eq!(told_apart(receives, &["m($x)"]), [0; 0], "{receives:?}");
    }
    assert_eq!(told_apart(&["m($y, $y)"], &["m($x, $x)"]), [0; 0]);
    // Whether an abstract value is the one that is asked for is open.
    assert_eq!(told_apart(&["m($a)"], &["m($x)"]), [0; 0]);
    assert_eq!(told_apart(&["m($x)"], &["m($x)", "m($a)"]), [0; 0]);
    assert_eq!(told_apart(&["n()"], &["m($a)", "n()"]), [0; 0], "nobody takes it, but it holds a symbol");
    // Names stand for other names.
    assert_eq!(told_apart(&["m($n)"], &["m($n)"]), [0; 0]);
    assert_eq!(told_apart(&["m($me)"], &["m($x)"]), [0; 0]);
    assert_eq!(told_apart(&["m($x)"], &["m($me)"]), [0; 0]);
}

#[test]
fn messages_are_put_in_order_unless_one_receive_could_choose() {
    let program = scene(&["m($x)"], &["m($x)", "l(1)", "l(2)"]);
    let receives = Receives::new(&program);
    let (m, l) = (performative(&program, "m"), performative(&program, "l"));
    let order = |messages: &[(PerformativeId, i64)]| {
        let messages: Vec<_> =
            messages.iter().map(|&(it, value)| message(it, vec![Value::Integer(value)])).collect();
        receives.order(AgentId::new(0), &messages)
    };
    assert_eq!(order(&[(m, 1)]), None);
    assert_eq!(order(&[(m, 1), (m, 2), (m, 3)]), None);
    assert_eq!(order(&[(m, 2), (m, 1), (m, 2)]), Some(vec![1, 0, 2]));
    assert_eq!(order(&[(l, 2), (l, 1)]), Some(vec![1, 0]), "nobody takes these");
    let choosing = scene(&["m($x)", "m($y)"], &["m($x)"]);
    let receives = Receives::new(&choosing);
    let messages = [2, 1, 2].map(|it| message(performative(&choosing, "m"), vec![Value::Integer(it)]));
    assert_eq!(receives.order(AgentId::new(0), &messages), None);
}

fn message(performative: PerformativeId, arguments: Vec<Value>) -> Arc<Message> {
    Arc::new(Message { performative, sender: AgentId::new(1), arguments })
}

/// Receives of two performatives of two arguments.
const RECEIVES: [&str; 10] = [
    "m($x, _)",
    "m(_, $x)",
    "m($x, $x)",
    "m(1, _)",
    "m(1, 2)",
    "m($y, $y)",
    "m(_, 2)",
    "l($x, 1)",
    "l($a, _)",
    "l(_, $x)",
];

/// A value of a message of that performative: `l` holds abstract ones at its first place.
fn value(random: &mut Random, is_open: bool) -> Value {
    match is_open && random.percent(40) {
        true => Value::Abstract(Symbol(random.below(2) as u32)),
        false => Value::Integer(1 + random.below(2) as i64),
    }
}

/// The oldest message that fits, given the values of variables; `says` decides open comparisons.
fn oldest(
    program: &Program,
    mailbox: &[Arc<Message>],
    receive: (PerformativeId, &[Test]),
    values: &BTreeMap<Slot, Value>,
    says: impl Fn(Value, Value) -> bool,
) -> Option<usize> {
    mailbox.iter().position(|message| {
        let at = |place: u32| message.at(program, place as usize);
        let equal = |one: Value, other: Value| one.equals(other).unwrap_or_else(|| says(one, other));
        message.performative == receive.0
            && receive.1.iter().all(|test| match *test {
                Test::Operand(place, Operand::Constant(value)) => equal(at(place), value),
                Test::Operand(place, Operand::Variable(slot)) => equal(at(place), values[&slot]),
                Test::Operand(_, Operand::Own | Operand::Expression(_)) => {
                    unreachable!("none compares with its own name or computes")
                }
                Test::Same(one, other) => equal(at(one), at(other)),
            })
    })
}

#[test]
fn what_is_taken_from_the_normal_form_is_what_is_taken_from_the_mailbox() {
    let (mut moved, mut taken) = (0, 0);
    for seed in 0..600 {
        let mut random = Random::new(seed, 0);
        let asker: Vec<&str> = (0..1 + random.below(3)).map(|_| *random.pick(&RECEIVES)).collect();
        let program = scene(&asker, &["m($x, $x)", "l($a, $x)", "l($x, $x)"]);
        let receives = Receives::new(&program);
        let part = PartId::new(0);
        let [m, l] = ["m", "l"].map(|it| performative(&program, it));
        let (mut plain, mut normal): (Vec<Arc<Message>>, Vec<Arc<Message>>) = (Vec::new(), Vec::new());
        for _ in 0..25 {
            if random.percent(60) {
                let sent = if random.percent(60) { m } else { l };
                let arguments = vec![value(&mut random, sent == l), value(&mut random, false)];
                let message = message(sent, arguments);
                plain.push(Arc::clone(&message));
                normal.push(message);
                if let Some(order) = receives.order(AgentId::new(0), &normal) {
                    normal = order.iter().map(|&index| Arc::clone(&normal[index])).collect();
                    moved += 1;
                }
                continue;
            }
            let asked = if random.percent(60) { m } else { l };
            let Some(asking) = receives.receives.get(&(part, asked)) else { continue };
            let receive = random.pick(asking);
            // What the variables hold at this moment, and how open comparisons come out.
            let abstract_one = Value::Abstract(Symbol(9));
            let open = random.percent(50);
            let x = value(&mut random, false);
            let values: BTreeMap<Slot, Value> = receive
                .tests
                .iter()
                .filter_map(|test| match *test {
                    Test::Operand(_, Operand::Variable(slot)) => Some((slot, slot)),
                    _ => None,
                })
                .map(|(slot, _)| (slot, if is_abstract(&program, slot) { abstract_one } else { x }))
                .collect();
            let says = |one: Value, _: Value| open ^ (one == Value::Abstract(Symbol(0)));
            let from_plain = oldest(&program, &plain, (asked, receive.tests), &values, says);
            let from_normal = oldest(&program, &normal, (asked, receive.tests), &values, says);
            let what = |mailbox: &mut Vec<Arc<Message>>, at: Option<usize>| at.map(|it| mailbox.remove(it));
            let (one, other) = (what(&mut plain, from_plain), what(&mut normal, from_normal));
            assert_eq!(one, other, "seed {seed}: {asker:?}");
            let ordered = |messages: &[Arc<Message>]| match receives.order(AgentId::new(0), messages) {
                Some(order) => order.iter().map(|&index| Arc::clone(&messages[index])).collect(),
                None => messages.to_vec(),
            };
            assert_eq!(
                ordered(&plain),
                ordered(&normal),
                "seed {seed}: {asker:?}: one mailbox, one normal form"
            );
            taken += usize::from(one.is_some());
        }
    }
    assert!(moved > 1_000 && taken > 1_000, "too little happened: {moved} reordered, {taken} taken");
}

/// Whether a variable of the asker's only clause is `$a`.
fn is_abstract(program: &Program, slot: Slot) -> bool {
    program.clauses[0].variables[slot.index()] == "a"
}

#[test]
fn names_of_constants_stand_in_an_order_too() {
    let program = scene(&["m(yes)", "m(no)"], &["m(yes)", "m(no)"]);
    let receives = Receives::new(&program);
    let of = |name: usize| message(performative(&program, "m"), vec![Value::Name(NameId::new(name))]);
    let (one, other) = ([of(0), of(1)], [of(1), of(0)]);
    let sorted = |messages: &[Arc<Message>]| {
        let order = receives.order(AgentId::new(0), messages).unwrap_or_else(|| vec![0, 1]);
        order.into_iter().map(|index| Arc::clone(&messages[index])).collect::<Vec<_>>()
    };
    assert_eq!(sorted(&one), sorted(&other));
}
