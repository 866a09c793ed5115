//! Counting calls.

use map_ir::{NameId, Symbol, Value};

use crate::{Bounds, Network, Timeouts};

fn bounds(rounds: Option<u32>, rounds_of: &[(Value, u32)]) -> Bounds {
    Bounds {
        depth: 50,
        rounds,
        rounds_of: rounds_of.to_vec(),
        mailbox: 50,
        timeouts: Timeouts::Quiescent,
        network: Network::INSTANT,
        after: None,
    }
}

fn name(index: usize) -> Value {
    Value::Name(NameId::new(index))
}

#[test]
fn without_bounds_nothing_is_counted() {
    let bounds = bounds(None, &[]);
    assert_eq!(bounds.counters(), 0);
    assert!(bounds.count_call(&mut [], &[name(0)]));
}

#[test]
fn all_calls_count_up_to_the_bound() {
    let bounds = bounds(Some(2), &[]);
    let mut counters = vec![0; bounds.counters()];
    let within: Vec<bool> = [vec![], vec![name(0)], vec![name(1)]]
        .iter()
        .map(|arguments| bounds.count_call(&mut counters, arguments))
        .collect();
    assert_eq!((within, counters), (vec![true, true, false], vec![3]));
}

#[test]
fn a_constant_counts_in_the_first_place_only() {
    let bounds = bounds(None, &[(name(0), 1)]);
    let mut counters = vec![0; bounds.counters()];
    for other in [vec![], vec![name(1)], vec![name(1), name(0)], vec![Value::Integer(0)]] {
        assert!(bounds.count_call(&mut counters, &other));
        assert_eq!(counters, [0]);
    }
    assert!(bounds.count_call(&mut counters, &[name(0), name(1)]));
    assert_eq!(counters, [1]);
    assert!(!bounds.count_call(&mut counters, &[name(0)]));
}

#[test]
fn an_abstract_value_is_not_that_constant() {
    let bounds = bounds(None, &[(name(0), 0)]);
    assert!(bounds.count_call(&mut [0], &[Value::Abstract(Symbol(0))]));
}

#[test]
fn the_counter_of_all_calls_comes_first_and_each_bound_is_judged() {
    let bounds = bounds(Some(3), &[(name(0), 1), (name(1), 5)]);
    assert_eq!(bounds.counters(), 3);
    let mut counters = vec![0; 3];
    assert!(bounds.count_call(&mut counters, &[name(0)]));
    assert!(bounds.count_call(&mut counters, &[name(1)]));
    assert_eq!(counters, [2, 1, 1]);
    assert!(!bounds.count_call(&mut counters, &[name(0)]), "the second with that constant");
    assert!(!bounds.count_call(&mut counters, &[name(1)]), "the fourth call");
}

#[test]
fn a_bound_of_none_allows_none() {
    assert!(!bounds(Some(0), &[]).count_call(&mut [0], &[]));
    assert!(!bounds(None, &[(name(0), 0)]).count_call(&mut [0], &[name(0)]));
}
