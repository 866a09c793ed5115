//! What a thread has looked up lately, so that it need not look into the large tables again: a look into these is mostly a
//! cache miss or two, and orders of the same steps meet again soon. Each thing is where its hash says, until another is.

use std::hint::select_unpredictable;

use map_store::{Keys, Sought, Spare};

use super::store::Key;

/// States that a thread has looked up lately, each where its key says, with their numbers. A look into the table of all
/// states is mostly two cache misses.
#[derive(Default)]
pub(crate) struct Lately {
    states: Vec<Looked>,
    /// States to be looked up in the table of all, and steps to such of these as were met before.
    sought: Vec<Sought>,
    repeated: Vec<u32>,
    /// Numbers from this one on may be provisional, and after how many batches such numbers were changed.
    settled: u32,
    reordered: u32,
    /// The places of states that may have such numbers: the first ones, the others are room.
    provisional: Vec<u32>,
    provisional_count: usize,
}

/// A state that was looked up.
#[derive(Clone, Copy)]
struct Looked {
    key: u64,
    /// What [`map_store::Keys`] keeps of the address.
    address: u32,
    /// Its number, or [`SOUGHT`] and the step for which it is looked up.
    number: u32,
}

/// States looked up lately: 256 KiB of them.
const STATES_LATELY: u32 = 14;
type States = [Looked; 1 << STATES_LATELY];

/// Above all numbers of states.
const SOUGHT: u32 = 1 << 31;

/// The number of a state for which there was no room.
pub(crate) const UNKNOWN: u32 = u32::MAX;

impl Looked {
    /// What is at a place where no state is: a key whose place is another.
    fn none(place: usize) -> Self {
        Self { key: u64::from(place == 0), address: 0, number: UNKNOWN }
    }
}

fn place(key: u64) -> usize {
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - STATES_LATELY)) as usize
}

impl Lately {
    /// The numbers of the states to which steps lead, provisional ones if they are new; [`UNKNOWN`] if there is no room for
    /// them, and whether that happened.
    pub(crate) fn look_up(
        &mut self,
        keys: &Keys,
        steps: impl ExactSizeIterator<Item = Key>,
        numbers: &mut Vec<u32>,
        spare: &mut Spare,
    ) -> bool {
        self.begin(keys, steps.len());
        let Self { states, sought, repeated, settled, provisional, provisional_count, .. } = self;
        let states: &mut States = states.first_chunk_mut().expect("as many as there are places");
        numbers.clear();
        numbers.resize(steps.len(), UNKNOWN);
        // No branch: whether a state is known would often be guessed wrongly.
        let (mut unknown, mut again) = (0, 0);
        for ((step, key), its) in (0..).zip(steps).zip(&mut *numbers) {
            let looked = &mut states[place(key.key)];
            let address = (key.address >> 32) as u32;
            let is_it = (looked.key == key.key) & (looked.address == address);
            let number = select_unpredictable(is_it, looked.number, SOUGHT | step);
            *looked = Looked { key: key.key, address, number };
            *its = number;
            sought[unknown] = Sought::new(key.key, key.address, step);
            unknown += usize::from(!is_it);
            repeated[again] = step;
            again += usize::from(is_it & (number >= SOUGHT));
        }
        let rest = keys.find(&mut sought[..unknown], |sought, number| {
            let place = place(sought.key);
            let looked = &mut states[place];
            let for_it = SOUGHT | sought.mark;
            let number = number.unwrap_or(for_it);
            provisional[*provisional_count] = place as u32;
            *provisional_count += usize::from(number >= *settled);
            numbers[sought.mark as usize] = number;
            looked.number = if looked.number == for_it { number } else { looked.number };
        });
        let mut is_full = false;
        for sought in rest {
            let place = place(sought.key);
            let is_noted = states[place].number == SOUGHT | sought.mark;
            let number = keys.insert_sought(sought, spare).unwrap_or(UNKNOWN);
            numbers[sought.mark as usize] = number;
            if is_noted {
                states[place].number = number;
            }
            if number == UNKNOWN {
                is_full = true;
                states[place] = Looked::none(place);
            }
        }
        for &step in &repeated[..again] {
            numbers[step as usize] = numbers[(numbers[step as usize] & !SOUGHT) as usize];
        }
        is_full
    }

    /// Room for so many steps. Forgets the states whose numbers have changed.
    fn begin(&mut self, keys: &Keys, steps: usize) {
        if self.states.is_empty() {
            self.states.extend((0..1 << STATES_LATELY).map(Looked::none));
        }
        if self.sought.len() < steps {
            self.sought.resize(steps, Sought::default());
            self.repeated.resize(steps, 0);
        }
        let now = (keys.settled(), keys.reordered());
        if now != (self.settled, self.reordered) {
            let places = &self.provisional[..std::mem::take(&mut self.provisional_count)];
            if keys.reordered() != self.reordered {
                places.iter().for_each(|&place| self.states[place as usize] = Looked::none(place as usize));
            }
            (self.settled, self.reordered) = now;
        }
        let most = self.provisional_count + steps;
        if self.provisional.len() < most {
            self.provisional.resize(2 * most, 0);
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.states.capacity() * size_of::<Looked>()
            + self.sought.capacity() * size_of::<Sought>()
            + (self.repeated.capacity() + self.provisional.capacity()) * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::num::NonZeroUsize;

    use map_store::{Addressing, Keys, Spare};
    use map_testkit::scenes::Random;

    use super::{Key, Lately, UNKNOWN};

    /// States are looked up in batches of chunks; a batch is settled in the order in which its states were found, or another.
    #[test]
    fn states_have_the_numbers_that_they_have_in_the_table_of_all() {
        for (seed, addressing) in [(1, Addressing::Hashed), (2, Addressing::Given)] {
            let mut random = Random::new(seed, 0);
            let mut keys = Keys::new(addressing, NonZeroUsize::MIN);
            let (mut lately, mut spare, mut numbers) = (Lately::default(), Spare::default(), Vec::new());
            let mut expected = BTreeMap::new();
            let mut full = 0;
            for _ in 0..400 {
                keys.make_room(100).expect("there are more numbers");
                let mut found = BTreeMap::new();
                for _ in 0..random.below(8) {
                    let steps: Vec<u64> =
                        (0..random.below(60)).map(|_| random.below(30_000) as u64).collect();
                    let key = |state: u64| match addressing {
                        Addressing::Hashed => Key::of(state),
                        Addressing::Given => {
                            Key { key: state, address: state.wrapping_mul(0xd6e8_feb8_6659_fd93) }
                        }
                    };
                    let targets = steps.iter().map(|&state| key(state));
                    let is_full = lately.look_up(&keys, targets, &mut numbers, &mut spare);
                    assert_eq!(is_full, numbers.contains(&UNKNOWN));
                    for (&state, &number) in steps.iter().zip(&numbers) {
                        match expected.get(&state) {
                            Some(&known) => assert_eq!(number, known, "seed {seed}: state {state}"),
                            None if number == UNKNOWN => full += 1,
                            None => assert_eq!(*found.entry(state).or_insert(number), number, "seed {seed}"),
                        }
                    }
                }
                let count = keys.provisional() as u32;
                let turned = random.below(3) as u32;
                let rank = |place: u32| (place + turned) % count;
                for (state, number) in found {
                    expected.insert(state, keys.settled() + rank(number - keys.settled()));
                }
                keys.settle(|place| Some(rank(place as u32)));
            }
            assert_eq!(keys.settled() as usize, expected.len());
            assert!(full > 0 && expected.len() > 1_000, "seed {seed}: {full} of {}", expected.len());
        }
    }
}
