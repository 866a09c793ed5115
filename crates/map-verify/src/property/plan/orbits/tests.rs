//! Which agents propositions distinguish, and which instance represents others.

use map_ir::{
    AgentId, EventAtom, EventKind, Possibility, ProcedureId, Properties, Property, Proposition, Quantity,
    SourceSpan, StateAtom, Temporal, Value,
};
use map_testkit::scenes::Random;

use super::renaming::Renaming;
use super::{MAX_WORK, Orbits, Side, normal, propositions_of};

const AGENTS: usize = 5;

/// Agent 0, and a class of four.
fn class() -> Vec<AgentId> {
    (1..AGENTS).map(AgentId::new).collect()
}

/// Proposition `i` of these is about agent `i`: it asks; then, with `AGENTS` more, it is done.
fn atoms() -> Properties {
    let asks = |agent| EventAtom { agent: Some(agent), kind: EventKind::Asks(ProcedureId::new(0)) };
    let agents = || (0..AGENTS).map(AgentId::new);
    let events = (0..AGENTS).map(Proposition::Event);
    Properties {
        events: agents().map(asks).collect(),
        states: agents().map(StateAtom::Done).collect(),
        propositions: events.chain((0..AGENTS).map(Proposition::State)).collect(),
        ..Properties::default()
    }
}

fn asks(agent: usize) -> Proposition {
    Proposition::Event(agent)
}

fn done(agent: usize) -> Proposition {
    Proposition::State(agent)
}

fn of_class(of: impl Fn(usize) -> Proposition) -> Vec<Proposition> {
    (1..AGENTS).map(of).collect()
}

/// The reduced formula about one more proposition, and the number of interchangeable agents.
fn left(proposition: Proposition, formula: fn(usize) -> Temporal) -> (Proposition, usize) {
    let mut properties = atoms();
    properties.propositions.push(proposition);
    let formula = formula(properties.propositions.len() - 1);
    let property = Property {
        name: String::new(),
        span: SourceSpan { start: 0, end: 0 },
        formula,
        premises: Vec::new(),
        instances: Vec::new(),
        constant: None,
    };
    let classes = [class()];
    let mut orbits = Orbits::new(&properties, &classes, AGENTS);
    let (represented, classes) = orbits.represented(&property);
    let mut seen = Vec::new();
    propositions_of(&represented.formula, &mut seen);
    (orbits.propositions[seen[0]].clone(), classes.iter().map(Vec::len).sum())
}

fn always(id: usize) -> Temporal {
    Temporal::Always(Box::new(Temporal::Holds(id)))
}

fn possible(id: usize) -> Temporal {
    Temporal::Possible(Possibility::Reach(id))
}

fn eventually(id: usize) -> Temporal {
    Temporal::Eventually(Box::new(Temporal::Holds(id)))
}

/// The reduced formula of `always` of each of these, and the number of interchangeable agents.
fn each(propositions: Vec<Proposition>) -> (Temporal, usize) {
    let mut properties = atoms();
    let first = properties.propositions.len();
    let count = propositions.len();
    properties.propositions.extend(propositions);
    let property = Property {
        name: String::new(),
        span: SourceSpan { start: 0, end: 0 },
        formula: Temporal::And((first..first + count).map(always).collect()),
        premises: Vec::new(),
        instances: (0..count).map(|it| it.to_string()).collect(),
        constant: None,
    };
    let classes = [class()];
    let mut orbits = Orbits::new(&properties, &classes, AGENTS);
    let (represented, classes) = orbits.represented(&property);
    (represented.formula, classes.iter().map(Vec::len).sum())
}

#[test]
fn what_always_holds_of_each_tells_nobody_apart() {
    let no = |it| Proposition::Not(Box::new(it));
    let (formula, alike) = each(of_class(|it| no(done(it))));
    assert!(matches!(formula, Temporal::Always(_)), "{formula:?}");
    assert_eq!(alike, 4);
    // Who acts and who is done is not known together.
    let (formula, alike) = each(of_class(|it| no(Proposition::And(vec![asks(it), done(it)]))));
    assert!(matches!(&formula, Temporal::And(parts) if parts.len() == 1), "{formula:?}");
    assert_eq!(alike, 3);
    // These do not speak of all.
    let (formula, alike) = each(vec![done(1), done(2)]);
    assert!(matches!(&formula, Temporal::And(parts) if parts.len() == 1), "{formula:?}");
    assert_eq!(alike, 3);
}

#[test]
fn what_speaks_of_all_alike_tells_nobody_apart() {
    let all = Proposition::And(of_class(done));
    assert_eq!(left(all.clone(), always), (all, 4));
    assert_eq!(left(Proposition::Or(of_class(asks)), possible).1, 4);
    let count = Proposition::Compare(
        Quantity::Count(of_class(done)),
        map_ir::Comparison::Less,
        Quantity::Count(of_class(asks)),
    );
    assert_eq!(left(count, eventually).1, 4);
    assert_eq!(left(done(0), eventually).1, 4);
}

#[test]
fn who_is_named_is_told_apart() {
    assert_eq!(left(done(2), eventually), (done(2), 3));
    assert_eq!(left(Proposition::And(vec![done(2), asks(3)]), eventually).1, 2);
    // The two that are named alike are interchangeable, and so are the others: in two classes.
    assert_eq!(left(Proposition::And(vec![done(2), done(3)]), eventually).1, 4);
}

#[test]
fn one_agent_in_event_and_state_is_told_apart() {
    let both = |agent| Proposition::And(vec![asks(agent), done(agent)]);
    // Under `eventually` any of them may be the one: each is distinguished.
    assert_eq!(left(Proposition::Or(of_class(both)), eventually).1, 0);
    // What some run does at some moment the first of them does in another.
    let (kept, interchangeable) = left(Proposition::Or(of_class(both)), possible);
    assert_eq!((kept, interchangeable), (both(1), 3));
    let either = |agent| Proposition::Or(vec![asks(agent), done(agent)]);
    assert_eq!(left(Proposition::And(of_class(either)), always), (either(1), 3));
    // But at every moment some is not the same as some at every moment.
    assert_eq!(left(Proposition::Or(of_class(both)), always).1, 0);
}

#[test]
fn instances_with_several_agents() {
    let pair = |one: usize, other: usize| Proposition::Or(vec![asks(one), done(other)]);
    let pairs = || (1..AGENTS).flat_map(|one| (1..AGENTS).map(move |other| (one, other)));
    let all = |pairs: &mut dyn Iterator<Item = (usize, usize)>| {
        Proposition::And(pairs.map(|(one, other)| pair(one, other)).collect())
    };
    // Any agent asks, and any agent is done: nobody is distinguished.
    assert_eq!(left(all(&mut pairs()), always), (all(&mut pairs()), 4));
    let of_two = all(&mut pairs().filter(|(one, other)| one != other));
    assert_eq!(left(of_two, always), (pair(1, 2), 2));
    let of_one_or_two = all(&mut pairs().filter(|(one, other)| one <= other || *one == 3));
    assert!(left(of_one_or_two, always).1 <= 2, "who is first is told apart");
}

fn random_proposition(random: &mut Random, depth: usize) -> Proposition {
    let parts = |random: &mut Random| -> Vec<Proposition> {
        (0..1 + random.below(4)).map(|_| random_proposition(random, depth - 1)).collect()
    };
    match if depth == 0 { random.below(2) } else { random.below(6) } {
        0 => asks(random.below(AGENTS)),
        1 => done(random.below(AGENTS)),
        2 => Proposition::Not(Box::new(random_proposition(random, depth - 1))),
        3 => Proposition::And(parts(random)),
        4 => Proposition::Or(parts(random)),
        _ => {
            let right = match random.below(2) {
                0 => Quantity::Value(Value::Integer(2)),
                _ => Quantity::Count(parts(random)),
            };
            Proposition::Compare(Quantity::Count(parts(random)), map_ir::Comparison::Less, right)
        }
    }
}

#[test]
fn agents_can_be_swapped_if_the_renamed_proposition_is_the_same() {
    let mut seen = [0; 2];
    for seed in 0..2_000 {
        let mut random = Random::new(seed, 0);
        let mut properties = atoms();
        // What speaks of all agents alike, more often than chance would have it.
        let template = random_proposition(&mut random, 1);
        let all = of_class(|agent| {
            let exchange = Renaming::Exchange(AgentId::new(1), AgentId::new(agent));
            let classes = [class()];
            Orbits::new(&properties, &classes, AGENTS)
                .atoms
                .renamed(&template, &exchange, Side::Both)
                .unwrap()
        });
        let proposition = match random.below(3) {
            0 => Proposition::And(all),
            1 => Proposition::Not(Box::new(Proposition::Or(all))),
            _ => random_proposition(&mut random, 2),
        };
        properties.propositions = vec![normal(proposition)];
        let classes = [class()];
        let orbits = Orbits::new(&properties, &classes, AGENTS);
        for (one, other) in (1..AGENTS).flat_map(|one| (one + 1..AGENTS).map(move |other| (one, other))) {
            let pair = (AgentId::new(one), AgentId::new(other));
            let exchange = Renaming::Exchange(pair.0, pair.1);
            let whole = &orbits.propositions[0];
            let stays = |side| orbits.atoms.renamed(whole, &exchange, side).as_ref() == Some(whole);
            let expected = stays(Side::Events) && stays(Side::State);
            let found = orbits.can_be_exchanged(&orbits.indexed(&[0]), pair, &mut { MAX_WORK });
            assert_eq!(found, expected, "seed {seed}, agents {one} and {other}: {whole:?}");
            seen[usize::from(found)] += 1;
        }
    }
    assert!(seen.iter().all(|&times| times > 1_000), "{seen:?}");
}
