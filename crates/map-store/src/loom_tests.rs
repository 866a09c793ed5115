//! Tries every schedule of two threads on a tiny table, with loom:
//! `RUSTFLAGS="--cfg loom" cargo test -p map-store --release`.

use loom::sync::Arc;

use crate::{Keys, Lookup, Pairs, Spare};

#[test]
fn two_threads_number_the_same_pairs_alike() {
    loom::model(|| {
        let mut pairs = Pairs::with_slots(8);
        pairs.make_room(6).expect("there are more numbers");
        let pairs = Arc::new(pairs);
        let theirs = Arc::clone(&pairs);
        let work = |pairs: &Pairs, order: [u32; 2]| {
            let mut spare = Spare::default();
            order.map(|left| pairs.insert(left, 7, &mut spare).expect("there is room"))
        };
        let other = loom::thread::spawn(move || work(&theirs, [2, 1]));
        let [one, two] = work(&pairs, [1, 2]);
        let [their_two, their_one] = other.join().expect("no panic");
        assert_eq!((one, two), (their_one, their_two));
        assert_ne!(one, two);
        assert_eq!((pairs.get(one), pairs.get(two)), ((1, 7), (2, 7)));
    });
}

#[test]
fn two_threads_number_the_same_keys_alike() {
    loom::model(|| {
        let mut keys = Keys::with_slots(8);
        keys.make_room(6).expect("there are more numbers");
        let keys = Arc::new(keys);
        let theirs = Arc::clone(&keys);
        let work = |keys: &Keys, order: [u64; 2]| {
            let mut spare = Spare::default();
            order.map(|key| keys.insert(key, &mut spare).expect("there is room"))
        };
        let other = loom::thread::spawn(move || work(&theirs, [2, 1]));
        let [one, two] = work(&keys, [1, 2]);
        let [their_two, their_one] = other.join().expect("no panic");
        assert_eq!((one, two), (their_one, their_two));
        assert_ne!(one, two);
        assert_eq!((keys.get(one), keys.get(two)), (1, 2));
    });
}

#[test]
fn two_threads_that_look_up_before_they_insert_number_the_same_keys_alike() {
    loom::model(|| {
        let mut keys = Keys::with_slots(8);
        keys.make_room(6).expect("there are more numbers");
        let keys = Arc::new(keys);
        let theirs = Arc::clone(&keys);
        let work = |keys: &Keys, order: &[u64]| {
            let mut numbers = [None; 3];
            let lookups = order.iter().map(|&key| Lookup::new(key, key as u32));
            let mut lookups: Vec<Lookup> = lookups.collect();
            let missing =
                keys.find_batch(&mut lookups, |lookup, number| numbers[lookup.mark as usize] = number);
            let mut spare = Spare::default();
            for lookup in missing {
                let number = keys.insert_missing(lookup, &mut spare).expect("there is room");
                numbers[lookup.mark as usize] = Some(number);
            }
            numbers
        };
        let other = loom::thread::spawn(move || work(&theirs, &[2]));
        let numbers = work(&keys, &[1, 2]);
        let [one, two] = [numbers[1].expect("found"), numbers[2].expect("found")];
        assert_eq!(other.join().expect("no panic")[2], Some(two));
        assert_ne!(one, two);
        assert_eq!((keys.get(one), keys.get(two)), (1, 2));
    });
}
