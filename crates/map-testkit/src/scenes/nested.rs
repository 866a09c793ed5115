//! Scenes in which sides of a `par` begin others: one agent has ever more threads, whose steps the log does not show.

use super::Random;

/// A scene in which `!H` calls itself within `par` while some workers talk to it; the same for the same seed, for ever.
#[must_use]
pub fn nested_scene(seed: u64) -> String {
    let mut random = Random::new(seed, 21);
    let workers = random.between(1, 2);
    // Whatever is drawn below, both clauses are called and every message is heard.
    let (more, rest) = (side(&mut random, 2), side(&mut random, 1));
    let again = *random.pick(&["agent(again)", "skip", "waitfor out() <= agent(!H, %h) then agent(again)"]);
    format!(
        "cast %w = {workers}
nested[
    agent(!H, %h) = out() => agent(_, %w) then agent(more)
    agent(!H, %h, more) =
        ((waitfor (back() <= agent(_, %w)) timeout (agent(more))) par {more}) then agent(rest)
    agent(!H, %h, rest) = {rest}
    agent($me, %w) = agent(again)
    agent($me, %w, again) = back() => agent(!H, %h) then ({again})
]
"
    )
}

/// One side of a `par`, with others in it to this depth.
fn side(random: &mut Random, depth: usize) -> String {
    let call = *random.pick(&["agent(more)", "agent(rest)", "skip"]);
    let kinds = if depth == 0 { 2 } else { 4 };
    match random.below(kinds) {
        0 => format!("(waitfor (back() <= agent(_, %w)) timeout ({call}))"),
        1 => format!("(out() => agent(_, %w) then {call})"),
        2 => format!("({} par {})", side(random, depth - 1), side(random, depth - 1)),
        _ => format!("({} then {})", side(random, depth - 1), side(random, depth - 1)),
    }
}
