//! Names for symbols of a byte each, by first occurrence.

/// Names for symbols, by first occurrence. Those below a number keep theirs.
pub(super) struct Renamed {
    /// Names of the others; of those that have none yet, [`UNNAMED`].
    names: [u8; 256],
    /// Which have a name.
    named: Vec<u8>,
    kept: u8,
    /// The next name.
    fresh: u8,
}

const UNNAMED: u8 = u8::MAX;

impl Default for Renamed {
    fn default() -> Self {
        Self { names: [UNNAMED; 256], named: Vec::new(), kept: 0, fresh: 0 }
    }
}

impl Renamed {
    /// From now on symbols below `in_use` keep their names, and others get the next.
    pub(super) fn start(&mut self, in_use: u8) {
        for symbol in self.named.drain(..) {
            self.names[usize::from(symbol)] = UNNAMED;
        }
        (self.kept, self.fresh) = (in_use, in_use);
    }

    /// Names the symbols of the next agent.
    #[inline]
    pub(super) fn rename(&mut self, symbols: &mut [u8]) {
        for symbol in symbols {
            if *symbol < self.kept {
                continue;
            }
            let name = &mut self.names[usize::from(*symbol)];
            if *name == UNNAMED {
                *name = self.fresh;
                self.fresh += 1;
                self.named.push(*symbol);
            }
            *symbol = *name;
        }
    }
}

#[cfg(test)]
mod tests {
    use map_testkit::scenes::Random;

    use super::Renamed;

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
        let mut renamed = Renamed::default();
        for seed in 0..2_000 {
            let mut random = Random::new(seed, 0);
            let most = 1 + random.below(if seed % 2 == 0 { 4 } else { 200 });
            let symbols: Vec<u8> = (0..random.below(20)).map(|_| random.below(most) as u8).collect();
            // The first ones may have names already.
            let mut before: Vec<u8> = (0..random.below(4) as u8).collect();
            renamed.start(before.len() as u8);
            let mut named = symbols.clone();
            for agent in named.chunks_mut(5) {
                renamed.rename(agent);
            }
            let kept = before.len();
            before.extend(symbols);
            assert_eq!(named, naive(&before)[kept..], "seed {seed}: {before:?}");
        }
    }
}
