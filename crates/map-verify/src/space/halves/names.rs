//! Symbols by small numbers.

use std::ops::Deref;

/// The most symbols of a half, and of a message; few in debug builds, so that tests see states with more.
pub(super) const MOST: usize = if cfg!(debug_assertions) { 14 } else { 63 };

/// So many are few.
const FEW: usize = 7;

/// Symbols that are numbered as they are, one more than fit.
const SAME: [u8; MOST + 1] = {
    let mut all = [0; MOST + 1];
    let mut symbol = 0;
    while symbol <= MOST {
        all[symbol] = symbol as u8;
        symbol += 1;
    }
    all
};

/// There are more symbols than fit.
#[derive(Debug)]
pub(super) struct Unfit;

/// Symbols of a half: which each is in some other numbering.
#[derive(Clone, Copy)]
pub(super) struct Names {
    len: u8,
    names: [u8; MOST],
}

impl Default for Names {
    fn default() -> Self {
        Self { len: 0, names: [0; MOST] }
    }
}

impl Deref for Names {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        &self.names[..usize::from(self.len)]
    }
}

impl Names {
    /// Symbols that are numbered as they are.
    pub(super) fn same(count: usize) -> Result<Self, Unfit> {
        Self::each(&SAME[..count.min(SAME.len())], |symbol| symbol)
    }

    /// Two numbers that no others have, if these are few: behind them all is 0.
    #[inline]
    pub(super) fn packed(&self) -> Option<[u32; 2]> {
        let &[a, b, c, d, e, f, g] = self.names.first_chunk::<FEW>()?;
        (usize::from(self.len) <= FEW)
            .then(|| [u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, self.len])])
    }

    /// A name for each symbol.
    #[inline]
    pub(super) fn each(symbols: &[u8], mut name: impl FnMut(u8) -> u8) -> Result<Self, Unfit> {
        let mut all = Self::default();
        if symbols.len() > MOST {
            return Err(Unfit);
        }
        all.len = symbols.len() as u8;
        for (to, &symbol) in all.names.iter_mut().zip(symbols) {
            *to = name(symbol);
        }
        Ok(all)
    }

    pub(super) fn collect(names: impl Iterator<Item = Result<usize, Unfit>>) -> Result<Self, Unfit> {
        let mut all = Self::default();
        for name in names {
            all.push(name?)?;
        }
        Ok(all)
    }

    #[inline]
    pub(super) fn push(&mut self, name: usize) -> Result<(), Unfit> {
        let place = self.names.get_mut(usize::from(self.len)).ok_or(Unfit)?;
        *place = u8::try_from(name).map_err(|_| Unfit)?;
        self.len += 1;
        Ok(())
    }

    pub(super) fn place(&self, name: u8) -> Option<usize> {
        self.iter().position(|&it| it == name)
    }

    /// The same as a half with these names numbers them: those that it does not hold get the next numbers. Beside it the
    /// names that got these.
    pub(super) fn seen_by(&self, half: &Self) -> Result<(Self, Self), Unfit> {
        seen_by(self, half.len(), |name| half.place(name))
    }
}

/// Where each name is among some, plus one; 0 if it is not.
pub(super) struct Places([u8; u8::MAX as usize + 1]);

impl Places {
    #[inline]
    pub(super) fn of(names: &[u8]) -> Self {
        let mut all = [0; u8::MAX as usize + 1];
        for (place, &name) in (1..).zip(names) {
            all[usize::from(name)] = place;
        }
        Self(all)
    }

    #[inline]
    pub(super) fn get(&self, name: u8) -> u8 {
        self.0[usize::from(name)]
    }
}

/// Names as a half numbers them that holds so many symbols, each at its place: those that it does not hold get the next numbers.
/// Beside it the names that got these.
pub(super) fn seen_by(
    names: &[u8],
    held: usize,
    place: impl Fn(u8) -> Option<usize>,
) -> Result<(Names, Names), Unfit> {
    let mut foreign = Names::default();
    let number = |&name: &u8| {
        if let Some(place) = place(name) {
            return Ok(place);
        }
        let known = foreign.place(name);
        if known.is_none() {
            foreign.push(usize::from(name))?;
        }
        Ok(held + known.unwrap_or(foreign.len() - 1))
    };
    Ok((Names::collect(names.iter().map(number))?, foreign))
}

/// Whether a half that held so many symbols holds them still, in the same places, if those that it holds now were these.
pub(super) fn are_kept(held: usize, map: &[u8]) -> bool {
    map.len() >= held && map[..held].iter().enumerate().all(|(at, &it)| at == usize::from(it))
}

#[cfg(test)]
mod tests {
    use super::{MOST, Names, Unfit};

    fn names(all: &[usize]) -> Names {
        Names::collect(all.iter().map(|&name| Ok(name))).expect("few")
    }

    #[test]
    fn a_half_numbers_what_it_holds_by_place_and_the_rest_by_first_occurrence() {
        let (seen, foreign) = names(&[9, 4, 7, 9, 5]).seen_by(&names(&[5, 4])).expect("few");
        assert_eq!(*seen, [2, 1, 3, 2, 0]);
        assert_eq!(*foreign, [9, 7]);
        let (seen, foreign) = names(&[3, 3]).seen_by(&names(&[])).expect("few");
        assert_eq!((&*seen, &*foreign), ([0, 0].as_slice(), [3].as_slice()));
    }

    #[test]
    fn few_names_are_told_by_two_numbers() {
        let same = |count| Names::same(count).expect("few").packed();
        assert_eq!(same(3), Some([0x02_01_00, 3 << 24]));
        assert_eq!(names(&[0, 1, 2, 0]).packed(), Some([0x02_01_00, 4 << 24]));
        assert_eq!(same(7), Some([0x03_02_01_00, 0x07_06_05_04]));
        assert_eq!(same(8), None);
    }

    #[test]
    fn what_does_not_fit_is_not_cut_off() {
        assert_eq!(Names::same(MOST).expect("as many as fit").len(), MOST);
        assert!(matches!(Names::same(MOST + 1), Err(Unfit)));
        assert!(Names::collect([Ok(usize::from(u8::MAX))].into_iter()).is_ok());
        assert!(matches!(Names::collect([Ok(usize::from(u8::MAX) + 1)].into_iter()), Err(Unfit)));
    }
}
