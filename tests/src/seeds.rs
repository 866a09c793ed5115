//! Random tests over a range of seeds.

use std::sync::atomic::{AtomicU64, Ordering};

/// The results of `work` for seeds from `first` on, in their order, shared among the processors.
///
/// # Panics
/// If `work` does for some seed.
pub fn for_each_seed<T: Send>(count: u64, first: u64, work: impl Fn(u64) -> T + Sync) -> Vec<T> {
    let next = AtomicU64::new(0);
    let share = || {
        let taken =
            std::iter::from_fn(|| Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&it| it < count));
        taken.map(|index| (index, work(first + index))).collect::<Vec<_>>()
    };
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
    let mut results = std::thread::scope(|scope| {
        let all: Vec<_> = (0..threads).map(|_| scope.spawn(share)).collect();
        all.into_iter().flat_map(|it| it.join().expect("no seed fails")).collect::<Vec<_>>()
    });
    results.sort_by_key(|&(index, _)| index);
    results.into_iter().map(|(_, result)| result).collect()
}
