//! What a scene and its options must agree on: the parts, and how many agents each may have.

use super::random::Random;

/// How other parts may refer to the agents of a part, which limits their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Naming {
    /// By the literal name: "elsewhere `!Bidder` is an error when n > 1".
    Single,
    /// Never by name.
    Many,
    /// As `!B1` and `!B2`: the file says that there are two.
    Two,
}

/// One part.
#[derive(Clone, Debug)]
pub(super) struct PlannedPart {
    /// `a`, `b` or `c`; the agents are `!A` and so on.
    pub(super) role: &'static str,
    /// Whether its heads have a variable.
    pub(super) variable: bool,
    pub(super) naming: Naming,
    /// `cast` in the file.
    pub(super) cast: Option<u32>,
    /// `--agents`.
    pub(super) agents: Option<u32>,
}

impl PlannedPart {
    /// `A`, `B` or `C`.
    pub(super) fn name(&self) -> String {
        self.role.to_ascii_uppercase()
    }
}

/// The parts of the scene with that seed.
pub(super) fn plan(seed: u64) -> Vec<PlannedPart> {
    let mut random = Random::new(seed, 0);
    let parts = if random.percent(65) { 2 } else { 3 };
    let mut crowd = 0;
    ["a", "b", "c"][..parts]
        .iter()
        .map(|role| {
            // One crowd is enough: the product of two is large.
            let naming = match random.below(100) {
                0..25 if crowd == 0 => Naming::Many,
                25..32 if crowd == 0 => Naming::Two,
                _ => Naming::Single,
            };
            crowd += usize::from(naming != Naming::Single);
            let mut number = || match random.below(20) {
                0 => 0,
                1..8 => 1,
                8..17 => 2,
                // Three of them with two other parts would be too many.
                _ => 5 - parts as u32,
            };
            let (cast, agents) = match naming {
                Naming::Two => (Some(2), None),
                Naming::Many => match number() % 3 {
                    0 => (Some(number()), None),
                    1 => (None, Some(number())),
                    _ => (Some(number()), Some(number())),
                },
                Naming::Single => (None, random.percent(4).then_some(0)),
            };
            PlannedPart { role, variable: random.percent(40), naming, cast, agents }
        })
        .collect()
}
