//! Mistakes that people make: a forgotten message, branches in the wrong order, a missing timeout.

use super::builder::Builder;
use super::op::Op;
use super::random::Random;

/// Makes up to two mistakes. None of them binds a variable or removes a binding that is used, so the scene still obeys
/// the static rules.
pub(super) fn mutate(b: &mut Builder) {
    let mistakes = if b.careful { 0 } else { *b.random.pick(&[0, 1, 1, 2]) };
    for _ in 0..mistakes {
        let mut random = b.random.clone();
        // Advance the builder's generator, so that each mistake draws other numbers.
        b.random.below(2);
        let bodies = || b.parts.iter().flat_map(|part| &part.clauses).map(|clause| clause.body.clone());
        let chances: usize = bodies().map(|mut body| count(&mut body)).sum();
        if chances == 0 {
            return;
        }
        let mut chosen = random.below(chances);
        for clause in b.parts.iter_mut().flat_map(|part| &mut part.clauses) {
            clause.body.each(&mut |op| {
                if !can_be_damaged(op) {
                    return;
                }
                if chosen == 0 {
                    damage(&mut random, op);
                }
                chosen = chosen.wrapping_sub(1);
            });
        }
    }
}

fn count(body: &mut Op) -> usize {
    let mut number = 0;
    body.each(&mut |op| number += usize::from(can_be_damaged(op)));
    number
}

fn can_be_damaged(op: &Op) -> bool {
    matches!(op, Op::Send(_) | Op::Or(_) | Op::Wait(_, Some(_)) | Op::Skip)
}

fn damage(random: &mut Random, op: &mut Op) {
    match op {
        Op::Send(_) => {
            let send = op.clone();
            *op = match random.below(5) {
                0..3 => Op::Skip,
                3 => Op::Then(vec![send.clone(), send]),
                _ => Op::Then(vec![send, Op::Fail]),
            };
        }
        Op::Or(ways) => ways.rotate_left(1),
        Op::Wait(_, timeout) => *timeout = None,
        Op::Skip => *op = Op::Fail,
        _ => {}
    }
}
