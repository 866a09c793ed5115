//! Names for symbols of a byte each, by first occurrence.

/// Whether symbols have the names that they would be given by first occurrence. The next name is `fresh`; it is left as
/// it was if not.
#[inline]
pub(super) fn are_in_turn(symbols: &[u8], fresh: &mut u8) -> bool {
    let mut next = *fresh;
    for &symbol in symbols {
        if symbol > next {
            return false;
        }
        next += u8::from(symbol == next);
    }
    *fresh = next;
    true
}

/// Names for symbols, by first occurrence.
pub(super) struct Renamed {
    names: [u8; 256],
    /// The next name.
    fresh: u8,
}

const UNNAMED: u8 = u8::MAX;

/// Every symbol has its own name.
const SAME: [u8; 256] = {
    let mut same = [0; 256];
    let mut symbol = 0;
    while symbol < same.len() {
        same[symbol] = symbol as u8;
        symbol += 1;
    }
    same
};

impl Renamed {
    /// Symbols below `fresh` keep their names.
    pub(super) fn new(fresh: u8) -> Self {
        let mut names = [UNNAMED; 256];
        names[..usize::from(fresh)].copy_from_slice(&SAME[..usize::from(fresh)]);
        Self { names, fresh }
    }

    /// Names the symbols of the next agent.
    #[inline]
    pub(super) fn rename(&mut self, symbols: &mut [u8]) {
        for symbol in symbols {
            let name = &mut self.names[usize::from(*symbol)];
            if *name == UNNAMED {
                *name = self.fresh;
                self.fresh += 1;
            }
            *symbol = *name;
        }
    }
}

#[cfg(test)]
mod tests {
    use map_testkit::scenes::Random;

    use super::{Renamed, are_in_turn};

    /// Every symbol gets the number of those that occur before it and differ.
    fn naive(symbols: &[u8]) -> Vec<u8> {
        let mut seen = Vec::new();
        let name = |symbol: &u8| {
            let known = seen.iter().position(|it| it == symbol);
            known.unwrap_or_else(|| {
                seen.push(*symbol);
                seen.len() - 1
            }) as u8
        };
        symbols.iter().map(name).collect()
    }

    #[test]
    fn symbols_are_named_by_first_occurrence() {
        let (mut in_turn, mut out_of_turn) = (0, 0);
        for seed in 0..2_000 {
            let mut random = Random::new(seed, 0);
            let most = 1 + random.below(if seed % 2 == 0 { 4 } else { 200 });
            let agents: Vec<Vec<u8>> = (0..1 + random.below(4))
                .map(|_| (0..random.below(5)).map(|_| random.below(most) as u8).collect())
                .collect();
            let mut fresh = 0;
            let mut named = Vec::new();
            let mut rest = agents.iter();
            while let Some(symbols) = rest.as_slice().first().filter(|it| are_in_turn(it, &mut fresh)) {
                named.extend_from_slice(symbols);
                rest.next();
            }
            in_turn += usize::from(rest.as_slice().is_empty());
            out_of_turn += usize::from(!rest.as_slice().is_empty());
            let mut renamed = Renamed::new(fresh);
            for symbols in rest {
                let mut symbols = symbols.clone();
                renamed.rename(&mut symbols);
                named.extend(symbols);
            }
            assert_eq!(named, naive(&agents.concat()), "seed {seed}: {agents:?}");
        }
        assert!(in_turn > 100 && out_of_turn > 500, "{in_turn} in turn, {out_of_turn} not");
    }
}
