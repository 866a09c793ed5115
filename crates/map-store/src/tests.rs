//! The tables against those of the standard library, with one thread and with several, through growth and commits.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use crate::{Full, KeyCache, Keys, Lookup, Pairs, Spare, Tuning, UNNUMBERED, check_free};

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

const ONE: NonZeroUsize = NonZeroUsize::MIN;
const THREADS: NonZeroUsize = NonZeroUsize::new(3).unwrap();
const TUNINGS: [Tuning; 2] = [Tuning::TINY, Tuning::SHIPPED];

/// Smaller under Miri, which is slow.
const SIZE: u64 = if cfg!(miri) { 300 } else { 20_000 };

/// Inserts a key, growing the table if necessary.
fn insert(keys: &mut Keys, key: u64) -> u32 {
    loop {
        match keys.insert(key, &mut Spare::default()) {
            Ok(number) => return number,
            Err(Full) => keys.make_room(10).expect("there are more numbers"),
        }
    }
}

#[test]
fn pairs_keep_their_numbers_while_the_table_grows() {
    let cases = TUNINGS.into_iter().flat_map(|tuning| [(tuning, ONE), (tuning, THREADS)]);
    for (tuning, threads) in cases {
        let mut random = Random(7);
        let mut pairs = Pairs::new(threads, tuning);
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
        // A single thread reserves none.
        let reserved = if threads == ONE { 1 } else { tuning.reserved as usize };
        assert!(pairs.len() - expected.len() < reserved);
    }
}

#[test]
fn a_full_table_says_so_and_forgets_nothing() {
    let mut pairs = Pairs::new(ONE, Tuning::SHIPPED);
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
    for (round, tuning) in (1..=4).zip(TUNINGS.into_iter().cycle()) {
        let mut pairs = Pairs::new(THREADS, tuning);
        let unused = THREADS.get() * tuning.reserved as usize;
        pairs.make_room(40 * 40 + unused).expect("there are more numbers");
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
        // Reserved numbers that were not used are no pairs, even after the table has grown.
        pairs.make_room(4_000).expect("there are more numbers");
        for (&pair, &number) in &all {
            assert_eq!(pairs.insert(pair.0, pair.1, &mut Spare::default()), Ok(number));
        }
    }
}

#[test]
fn keys_that_need_more_bits_are_stored_once_there_is_room() {
    for tuning in TUNINGS {
        let mut random = Random(5);
        let mut keys = Keys::new(ONE, tuning);
        let mut expected = BTreeMap::new();
        for round in 0..SIZE / 10 {
            // The first wide ones come when there are many narrow ones.
            let bits = if round > SIZE / 20 { u64::BITS } else { tuning.narrow.bits() };
            let key = random.below(u64::MAX) >> (u64::BITS - bits + random.below(8) as u32);
            let number = insert(&mut keys, key);
            let next = expected.len() as u32;
            assert_eq!(number, *expected.entry(key).or_insert(next), "{key:x}");
            if number == next {
                keys.commit(|_| Some(0));
            }
        }
        for (&key, &number) in &expected {
            assert_eq!(keys.get(number), key);
            assert_eq!(keys.insert(key, &mut Spare::default()), Ok(number));
        }
    }
}

/// Batches of keys from several threads, committed in the order of the batch: as one thread would number them.
#[test]
fn committed_numbers_do_not_depend_on_the_threads() {
    for tuning in TUNINGS {
        let mut random = Random(11);
        let mut keys = Keys::new(THREADS, tuning);
        let mut expected = BTreeMap::new();
        for _ in 0..if cfg!(miri) { 3 } else { 40 } {
            let batch: Vec<u64> = (0..SIZE / 40).map(|_| random.below(SIZE / 4)).collect();
            // Each thread may leave reserved numbers unused.
            let unused = THREADS.get() * tuning.reserved as usize;
            keys.make_room(batch.len() + unused).expect("there are more numbers");
            let insert = |part: &[u64]| {
                let mut spare = Spare::default();
                let number = |&key: &u64| keys.insert(key, &mut spare).expect("there is room");
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
            let committed = keys.committed();
            let mut ranks = vec![None; keys.provisional()];
            let mut fresh = 0;
            for (&key, &number) in batch.iter().zip(&found) {
                let next = expected.len() as u32;
                let number = match number.checked_sub(committed) {
                    None => number,
                    Some(provisional) => {
                        let rank = ranks[provisional as usize].get_or_insert_with(|| {
                            fresh += 1;
                            fresh - 1
                        });
                        committed + *rank
                    }
                };
                assert_eq!(number, *expected.entry(key).or_insert(next));
            }
            keys.commit(|index| ranks[index]);
            assert_eq!(keys.committed() as usize, expected.len());
            for (&key, &number) in &expected {
                assert_eq!(keys.get(number), key);
                assert_eq!(keys.insert(key, &mut Spare::default()), Ok(number));
            }
        }
    }
}

/// Keys looked up in batches, some of them several times, against those inserted one by one.
#[test]
fn keys_that_are_looked_up_in_batches_get_the_same_numbers() {
    for (tuning, threads) in [(Tuning::TINY, THREADS), (Tuning::TINY, ONE), (Tuning::SHIPPED, ONE)] {
        let mut random = Random(3);
        let (mut keys, mut expected) = (Keys::new(threads, tuning), Keys::new(threads, tuning));
        for _ in 0..SIZE / 50 {
            let wanted: Vec<u64> = (0..50).map(|_| random.below(SIZE / 2) >> random.below(8)).collect();
            let lookups = (0..).zip(&wanted).map(|(at, &key)| Lookup::new(key, at));
            let mut lookups: Vec<Lookup> = lookups.collect();
            let mut numbers = vec![None; wanted.len()];
            let (mut spare, mut other) = (Spare::default(), Spare::default());
            let missing =
                keys.find_batch(&mut lookups, |lookup, number| numbers[lookup.mark as usize] = number);
            for lookup in missing {
                let number = &mut numbers[lookup.mark as usize];
                assert_eq!(*number, None, "found before");
                *number = keys.insert_missing(lookup, &mut spare).ok();
            }
            for (&key, &number) in wanted.iter().zip(&numbers) {
                assert_eq!(number, expected.insert(key, &mut other).ok());
            }
            for keys in [&mut keys, &mut expected] {
                let committed = keys.committed();
                let mut used: Vec<u32> = numbers.iter().flatten().copied().collect();
                used.retain(|&number| number >= committed);
                used.sort_unstable();
                used.dedup();
                let rank = |index| used.binary_search(&(committed + index as u32)).ok();
                keys.commit(|index| rank(index).map(|rank| rank as u32));
                // Seldom more than are wanted.
                keys.make_room(40).expect("there are more numbers");
            }
        }
        assert!(keys.committed() > 100);
    }
}

/// Threads reserve several numbers at a time; those left at the end of a batch change no number.
#[test]
fn a_batch_filled_by_one_of_several_threads_is_in_order() {
    for tuning in TUNINGS {
        let mut keys = Keys::new(THREADS, tuning);
        for batch in 0..50 {
            keys.make_room(100).expect("there are more numbers");
            let mut spare = Spare::default();
            let number = |key: u32| keys.insert(key.into(), &mut spare).expect("there is room");
            let two_known = 2 * batch..2 * batch + 4;
            assert!(two_known.clone().map(number).eq(two_known.clone()));
            let used = two_known.end - keys.committed();
            assert!(keys.provisional() > used as usize, "some are reserved and not used");
            keys.commit(|index| Some(index as u32).filter(|&index| index < used));
            assert_eq!((keys.committed(), keys.reordered()), (two_known.end, 0));
        }
    }
}

/// The first keys of a batch are in order, the others reversed; only those are moved.
#[test]
fn a_batch_that_is_in_order_at_first_is_put_in_order() {
    let mut keys = Keys::new(ONE, Tuning::TINY);
    for in_order in 0..100 {
        keys.make_room(100).expect("there are more numbers");
        let batch = 100 * in_order..100 * in_order + 100;
        let number = |keys: &Keys, key| keys.insert(key, &mut Spare::default());
        assert!(batch.clone().map(|key| number(&keys, key)).eq(batch.clone().map(|key| Ok(key as u32))));
        let rank = |index| if index < in_order as u32 { index } else { 99 + in_order as u32 - index };
        keys.commit(|index| Some(rank(index as u32)));
        for key in batch.clone() {
            let its = batch.start as u32 + rank((key - batch.start) as u32);
            assert_eq!((number(&keys, key), keys.get(its)), (Ok(its), key), "{in_order} in order");
        }
    }
    assert_eq!((keys.committed(), keys.reordered()), (10_000, 99));
}

/// Several look-ups in batches to a commit, which keeps the order in which the keys were found, or another.
#[test]
fn cached_numbers_are_those_of_the_table() {
    for (seed, tuning) in [(1, Tuning::TINY), (2, Tuning::SHIPPED)] {
        let mut random = Random(seed);
        let mut keys = Keys::new(ONE, tuning);
        let (mut cache, mut spare, mut numbers) = (KeyCache::default(), Spare::default(), Vec::new());
        let mut expected = BTreeMap::new();
        let mut full = 0;
        for _ in 0..if cfg!(miri) { 20 } else { 400 } {
            keys.make_room(100).expect("there are more numbers");
            let mut found = BTreeMap::new();
            for _ in 0..random.below(8) {
                let batch: Vec<u64> = (0..random.below(60)).map(|_| random.below(30_000)).collect();
                let result = cache.insert_batch(&keys, batch.iter().copied(), &mut numbers, &mut spare);
                assert_eq!(result.is_err(), numbers.contains(&UNNUMBERED));
                for (&key, &number) in batch.iter().zip(&numbers) {
                    match expected.get(&key) {
                        Some(&known) => assert_eq!(number, known, "seed {seed}: key {key}"),
                        None if number == UNNUMBERED => full += 1,
                        None => assert_eq!(*found.entry(key).or_insert(number), number, "seed {seed}"),
                    }
                }
            }
            let count = keys.provisional() as u32;
            let turned = random.below(3) as u32;
            let rank = |index: u32| (index + turned) % count;
            for (key, number) in found {
                expected.insert(key, keys.committed() + rank(number - keys.committed()));
            }
            keys.commit(|index| Some(rank(index as u32)));
        }
        assert_eq!(keys.committed() as usize, expected.len());
        let least = if cfg!(miri) { 100 } else { 1_000 };
        assert!(full > 0 && expected.len() > least, "seed {seed}: {full} of {}", expected.len());
    }
}

/// No system has that much.
#[test]
fn what_the_system_does_not_have_is_refused() {
    assert_eq!(check_free(1 << 20), Ok(()));
    assert_eq!(check_free(isize::MAX as usize), Err(Full));
    assert_eq!(check_free(usize::MAX), Err(Full));
}
