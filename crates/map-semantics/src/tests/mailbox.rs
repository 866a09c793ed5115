//! The index of long mailboxes finds the same messages as a scan.

use std::sync::Arc;

use map_ir::{AgentId, PerformativeId, Symbol, Value};

use crate::{Mailbox, Message};

/// A linear congruential generator.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    fn value(&mut self) -> Value {
        match self.below(12) {
            0 => Value::Abstract(Symbol(self.below(3) as u32)),
            1 => Value::Fresh(Symbol(self.below(3) as u32)),
            2 => Value::Agent(AgentId::new(self.below(4) as usize)),
            _ => Value::Integer(self.below(9) as i64),
        }
    }
}

/// Whether a message may hold these values.
fn may_hold(message: &Message, wanted: &[(usize, Value)]) -> bool {
    wanted.iter().all(|&(place, value)| {
        let held = message.arguments.get(place).copied().unwrap_or(Value::Agent(message.sender));
        held.equals(value) != Some(false)
    })
}

#[test]
fn an_index_leaves_out_nothing_that_may_match() {
    let performative = PerformativeId::new(1);
    let mut numbers = Numbers(7);
    let mut mailbox = Mailbox::default();
    let (mut looked_at, mut there) = (0, 0);
    for round in 0..6000 {
        // It grows to some hundreds, shrinks to nothing, and grows again.
        let growing = round % 1500 < 900;
        if numbers.below(4) < if growing { 3 } else { 1 } {
            let sender = AgentId::new(numbers.below(4) as usize);
            let arguments = vec![numbers.value(), numbers.value()];
            mailbox.push(Arc::new(Message { performative, sender, arguments }));
        }
        let mut wanted: Vec<(usize, Value)> = (0..2).map(|place| (place, numbers.value())).collect();
        wanted.push((2, Value::Agent(AgentId::new(numbers.below(4) as usize))));
        wanted.retain(|(_, value)| !matches!(value, Value::Abstract(_)) && numbers.below(2) == 0);
        let candidates: Vec<_> = mailbox.of(performative, || wanted.clone()).collect();
        assert!(candidates.is_sorted_by(|a, b| a.0 < b.0));
        (looked_at, there) = (looked_at + candidates.len(), there + mailbox.len());
        let found: Vec<u64> =
            candidates.iter().filter(|(_, it)| may_hold(it, &wanted)).map(|&(arrival, _)| arrival).collect();
        let all = mailbox.of(performative, Vec::new);
        let expected: Vec<u64> =
            all.filter(|(_, it)| may_hold(it, &wanted)).map(|(arrival, _)| arrival).collect();
        assert_eq!(found, expected, "round {round}, {wanted:?}");
        if let Some(&arrival) = found.get(numbers.below(3) as usize) {
            mailbox.take(performative, arrival);
        }
        if round % 500 == 499 {
            // Renamed symbols are found under their new names.
            for message in mailbox.iter_mut() {
                let arguments = Arc::make_mut(message).arguments.iter_mut();
                arguments.filter_map(Value::symbol_mut).for_each(|symbol| symbol.0 = (symbol.0 + 1) % 3);
            }
        }
    }
    assert!(looked_at < there, "{looked_at} of {there}");
}

#[test]
fn one_of_many_is_found_without_a_scan() {
    let performative = PerformativeId::new(0);
    let mut mailbox = Mailbox::default();
    for number in 0..1000 {
        let sender = AgentId::new(number as usize % 10);
        let arguments = vec![Value::Integer(number)];
        mailbox.push(Arc::new(Message { performative, sender, arguments }));
    }
    let looked_at = |wanted: Vec<(usize, Value)>| mailbox.of(performative, || wanted).count();
    assert_eq!(looked_at(vec![(0, Value::Integer(999))]), 1);
    assert_eq!(looked_at(vec![(0, Value::Integer(1000))]), 0);
    assert_eq!(looked_at(vec![(1, Value::Agent(AgentId::new(3)))]), 100);
    // The most selective place is used.
    assert_eq!(looked_at(vec![(1, Value::Agent(AgentId::new(3))), (0, Value::Integer(3))]), 1);
    assert_eq!(looked_at(Vec::new()), 1000);
}
