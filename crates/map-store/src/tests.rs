//! The tables against the standard ones, by one thread and by several, through growth and settling.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use crate::{Addressing, Full, Keys, NARROW_BITS, Pairs, Sought, Spare, hash};

/// A generator of random numbers (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}

/// How many threads fill an index.
const THREADS: NonZeroUsize = NonZeroUsize::new(3).unwrap();

/// Runs of miri take long.
const SIZE: u64 = if cfg!(miri) { 300 } else { 20_000 };

#[test]
fn pairs_keep_their_numbers_while_the_table_grows() {
    for threads in [NonZeroUsize::MIN, THREADS] {
        let mut random = Random(7);
        let mut pairs = Pairs::new(threads);
        let mut expected = BTreeMap::new();
        let mut spare = Spare::default();
        for _ in 0..SIZE {
            let pair = (random.below(200) as u32, random.below(200) as u32);
            let number = loop {
                match pairs.insert(pair.0, pair.1, &mut spare) {
                    Ok(number) => break number,
                    Err(Full) => pairs.make_room(10).expect("there are more numbers"),
                }
            };
            let next = expected.len() as u32;
            assert_eq!(number, *expected.entry(pair).or_insert(next));
            assert_eq!(pairs.get(number), pair);
        }
        // Whoever is alone reserves none.
        let unused = pairs.len() - expected.len();
        assert!(unused < if threads == NonZeroUsize::MIN { 1 } else { 32 }, "{unused} are not used");
    }
}

#[test]
fn a_full_table_says_so_and_forgets_nothing() {
    let mut pairs = Pairs::new(NonZeroUsize::MIN);
    assert_eq!(pairs.insert(1, 2, &mut Spare::default()), Err(Full));
    pairs.make_room(1).expect("there are more numbers");
    assert_eq!(pairs.insert(1, 2, &mut Spare::default()), Ok(0));
    let mut count = 1;
    while pairs.insert(count, 2, &mut Spare::default()).is_ok() {
        count += 1;
    }
    assert_eq!(pairs.insert(1, 2, &mut Spare::default()), Ok(0));
    assert_eq!(pairs.make_room(1 << 30), Err(Full));
}

#[test]
fn threads_agree_on_the_numbers_of_pairs() {
    for round in 1..=4 {
        let mut pairs = Pairs::new(THREADS);
        pairs.make_room(40 * 40 + 8).expect("there are more numbers");
        let work = |seed: u64| {
            let (mut random, mut spare) = (Random(seed), Spare::default());
            let seen = (0..SIZE / 4).map(|_| {
                let pair = (random.below(40) as u32, random.below(40) as u32);
                (pair, pairs.insert(pair.0, pair.1, &mut spare).expect("there is room"))
            });
            seen.collect::<BTreeMap<_, _>>()
        };
        let seen: Vec<_> = std::thread::scope(|scope| {
            let threads: Vec<_> = (1..=3).map(|seed| scope.spawn(move || work(seed * 99 + round))).collect();
            threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
        });
        let mut all = BTreeMap::new();
        for (pair, number) in seen.into_iter().flatten() {
            assert_eq!(*all.entry(pair).or_insert(number), number);
            assert_eq!(pairs.get(number), pair);
        }
        // Numbers that were reserved in vain are no pairs, also after the table has grown.
        pairs.make_room(4_000).expect("there are more numbers");
        for (&pair, &number) in &all {
            assert_eq!(pairs.insert(pair.0, pair.1, &mut Spare::default()), Ok(number));
        }
    }
}

#[test]
fn keys_that_need_more_bits_are_stored_once_there_is_room() {
    let mut random = Random(5);
    let mut keys = Keys::new(Addressing::Hashed, NonZeroUsize::MIN);
    let mut expected = BTreeMap::new();
    for round in 0..SIZE / 10 {
        // The first wide ones come when there are many narrow ones.
        let bits = if round > SIZE / 20 { u64::BITS } else { NARROW_BITS };
        let key = random.below(u64::MAX) >> (u64::BITS - bits + random.below(8) as u32);
        let number = loop {
            match keys.insert(key, hash(key), &mut Spare::default()) {
                Ok(number) => break number,
                Err(Full) => keys.make_room(10).expect("there are more numbers"),
            }
        };
        let next = expected.len() as u32;
        assert_eq!(number, *expected.entry(key).or_insert(next), "{key:x}");
        if number == next {
            keys.settle(|_| Some(0));
        }
    }
    for (&key, &number) in &expected {
        assert_eq!(keys.get(number), key);
        assert_eq!(keys.insert(key, hash(key), &mut Spare::default()), Ok(number));
    }
}

/// Batches of keys from several threads, settled in the order of the batch: as one thread would number them.
#[test]
fn settled_numbers_do_not_depend_on_the_threads() {
    for addressing in [Addressing::Hashed, Addressing::Given] {
        let mut random = Random(11);
        let mut keys = Keys::new(addressing, THREADS);
        let mut expected = BTreeMap::new();
        for _ in 0..if cfg!(miri) { 3 } else { 40 } {
            let batch: Vec<u64> = (0..SIZE / 40).map(|_| random.below(SIZE / 4)).collect();
            keys.make_room(batch.len() + 20).expect("there are more numbers");
            let insert = |part: &[u64]| {
                let mut spare = Spare::default();
                let number = |&key: &u64| keys.insert(key, hash(key), &mut spare).expect("there is room");
                part.iter().map(number).collect::<Vec<u32>>()
            };
            let insert = &insert;
            let found: Vec<u32> = std::thread::scope(|scope| {
                let parts: Vec<_> = batch
                    .chunks(batch.len().div_ceil(3))
                    .map(|part| scope.spawn(move || insert(part)))
                    .collect();
                parts.into_iter().flat_map(|part| part.join().expect("no panic")).collect()
            });
            // Growing in the middle of a batch is allowed too.
            keys.make_room(2 * batch.len()).expect("there are more numbers");
            let settled = keys.settled();
            let mut ranks = vec![None; keys.provisional()];
            let mut fresh = 0;
            for (&key, &number) in batch.iter().zip(&found) {
                let next = expected.len() as u32;
                let number = match number.checked_sub(settled) {
                    None => number,
                    Some(provisional) => {
                        let rank = ranks[provisional as usize].get_or_insert_with(|| {
                            fresh += 1;
                            fresh - 1
                        });
                        settled + *rank
                    }
                };
                assert_eq!(number, *expected.entry(key).or_insert(next));
            }
            keys.settle(|place| ranks[place]);
            assert_eq!(keys.settled() as usize, expected.len());
            for (&key, &number) in &expected {
                assert_eq!(keys.get(number), key);
                assert_eq!(keys.insert(key, hash(key), &mut Spare::default()), Ok(number));
            }
        }
    }
}

/// Keys looked up many at a time, some of them several times, against those looked up one by one.
#[test]
fn keys_that_are_looked_up_together_get_the_same_numbers() {
    for (addressing, threads) in [(Addressing::Hashed, NonZeroUsize::MIN), (Addressing::Given, THREADS)] {
        let mut random = Random(3);
        let (mut keys, mut expected) = (Keys::new(addressing, threads), Keys::new(addressing, threads));
        for _ in 0..SIZE / 50 {
            let wanted: Vec<u64> = (0..50).map(|_| random.below(SIZE / 2) >> random.below(8)).collect();
            let sought = (0..).zip(&wanted).map(|(at, &key)| Sought::new(key, hash(key), at));
            let mut sought: Vec<Sought> = sought.collect();
            let mut numbers = vec![None; wanted.len()];
            let (mut spare, mut other) = (Spare::default(), Spare::default());
            let rest = keys.find(&mut sought, |sought, number| numbers[sought.mark as usize] = number);
            for sought in rest {
                let number = &mut numbers[sought.mark as usize];
                assert_eq!(*number, None, "found before");
                *number = keys.insert_sought(sought, &mut spare).ok();
            }
            for (&key, &number) in wanted.iter().zip(&numbers) {
                assert_eq!(number, expected.insert(key, hash(key), &mut other).ok());
            }
            for keys in [&mut keys, &mut expected] {
                let mut used: Vec<u32> = numbers.iter().flatten().copied().collect();
                used.retain(|&number| number >= keys.settled());
                used.sort_unstable();
                used.dedup();
                let settled = keys.settled();
                let rank = |place| used.binary_search(&(settled + place as u32)).ok();
                keys.settle(|place| rank(place).map(|rank| rank as u32));
                // Seldom more than are wanted.
                keys.make_room(40).expect("there are more numbers");
            }
        }
        assert!(keys.settled() > 100);
    }
}

/// Threads reserve numbers by blocks; what is left of one at the end of a batch changes no number.
#[test]
fn a_batch_filled_by_one_of_several_threads_is_in_order() {
    let mut keys = Keys::new(Addressing::Hashed, THREADS);
    for batch in 0..50 {
        keys.make_room(100).expect("there are more numbers");
        let mut spare = Spare::default();
        let number = |key: u32| keys.insert(key.into(), 0, &mut spare).expect("there is room");
        let two_known = 2 * batch..2 * batch + 4;
        assert!(two_known.clone().map(number).eq(two_known.clone()));
        let used = two_known.end - keys.settled();
        assert!(keys.provisional() > used as usize, "some are reserved and not used");
        keys.settle(|place| Some(place as u32).filter(|&place| place < used));
        assert_eq!((keys.settled(), keys.reordered()), (two_known.end, 0));
    }
}

/// The first keys of a batch are in order, the others turned round; what is not in order alone is moved.
#[test]
fn a_batch_that_is_in_order_at_first_is_put_in_order() {
    for addressing in [Addressing::Hashed, Addressing::Given] {
        let mut keys = Keys::new(addressing, NonZeroUsize::MIN);
        let address = |key: u64| hash(key ^ 7);
        for in_order in 0..100 {
            keys.make_room(100).expect("there are more numbers");
            let batch = 100 * in_order..100 * in_order + 100;
            let number = |keys: &Keys, key| keys.insert(key, address(key), &mut Spare::default());
            assert!(batch.clone().map(|key| number(&keys, key)).eq(batch.clone().map(|key| Ok(key as u32))));
            let rank = |place| if place < in_order as u32 { place } else { 99 + in_order as u32 - place };
            keys.settle(|place| Some(rank(place as u32)));
            for key in batch.clone() {
                let its = batch.start as u32 + rank((key - batch.start) as u32);
                assert_eq!((number(&keys, key), keys.get(its)), (Ok(its), key), "{in_order} in order");
            }
        }
        assert_eq!((keys.settled(), keys.reordered()), (10_000, 99));
    }
}
