//! A pool of worker threads that are started once and given work many times. Starting threads for every round of a
//! search would cost a considerable part of the work itself.

use std::sync::mpsc::{Receiver, RecvError, Sender, TryRecvError, channel};
use std::thread::{Builder, Scope, available_parallelism};

/// Worker threads, each with a queue of orders and a queue of results. They end when the pool is dropped and their
/// queues are empty.
///
/// The thread that owns the pool usually works too. A pool may have fewer workers than asked for, even none: see
/// [`Pool::workers`].
pub struct Pool<Order, Done = ()> {
    workers: Vec<Worker<Order, Done>>,
    spins: usize,
}

struct Worker<Order, Done> {
    orders: Sender<Order>,
    results: Receiver<Done>,
}

/// How often a queue is polled before its reader goes to sleep: for some tens of microseconds.
const SPINS: usize = 2000;

const NO_PANIC: &str = "no worker panics";

impl<Order: Send, Done: Send> Pool<Order, Done> {
    /// Starts worker threads in addition to the calling one. `work` is called with the index of each worker and
    /// returns the function that carries out its orders. If the system refuses to start a thread, the pool consists
    /// of those started before.
    pub fn start<'scope, Work>(
        scope: &'scope Scope<'scope, '_>,
        workers: usize,
        work: impl FnMut(usize) -> Work,
    ) -> Self
    where
        Work: FnMut(Order) -> Done + Send + 'scope,
        Order: 'scope,
        Done: 'scope,
    {
        Self::start_threads(scope, (0..workers).map(|_| Builder::new()), work)
    }

    fn start_threads<'scope, Work>(
        scope: &'scope Scope<'scope, '_>,
        builders: impl ExactSizeIterator<Item = Builder>,
        mut work: impl FnMut(usize) -> Work,
    ) -> Self
    where
        Work: FnMut(Order) -> Done + Send + 'scope,
        Order: 'scope,
        Done: 'scope,
    {
        // Spin only if there is a core for each thread.
        let has_cores = available_parallelism().is_ok_and(|cores| cores.get() > builders.len());
        let spins = if has_cores { SPINS } else { 0 };
        let start = |(index, builder): (usize, Builder)| {
            let (orders, received) = channel();
            let (finished, results) = channel();
            let mut work = work(index);
            let run = move || {
                while let Ok(order) = receive(&received, spins) {
                    if finished.send(work(order)).is_err() {
                        return;
                    }
                }
            };
            builder.spawn_scoped(scope, run).ok().map(|_| Worker { orders, results })
        };
        Self { workers: builders.enumerate().map_while(start).collect(), spins }
    }

    /// Number of workers, without the thread that owns the pool.
    #[must_use]
    pub fn workers(&self) -> usize {
        self.workers.len()
    }

    /// Queues an order for a worker.
    ///
    /// # Panics
    /// If that worker has panicked.
    pub fn send(&self, worker: usize, order: Order) {
        assert!(self.workers[worker].orders.send(order).is_ok(), "{NO_PANIC}");
    }

    /// Waits for the result of a worker's earliest order whose result was not received yet. There must be one.
    ///
    /// # Panics
    /// If that worker panics.
    #[must_use]
    pub fn receive(&self, worker: usize) -> Done {
        receive(&self.workers[worker].results, self.spins).expect(NO_PANIC)
    }

    /// Queues the same order for every worker.
    ///
    /// # Panics
    /// If a worker has panicked.
    pub fn send_all(&self, order: &Order)
    where
        Order: Clone,
    {
        (0..self.workers()).for_each(|worker| self.send(worker, order.clone()));
    }
}

impl<Order: Send> Pool<Order> {
    /// Waits until every worker has carried out one more order.
    ///
    /// # Panics
    /// If a worker panics.
    pub fn wait_all(&self) {
        (0..self.workers()).for_each(|worker| self.receive(worker));
    }
}

/// Waits for a message. Spinning first sees a message that arrives soon, as most do, earlier than the system would
/// wake a sleeping thread. The loop does not yield: on a busy machine it would wait long for its next turn.
fn receive<T>(from: &Receiver<T>, spins: usize) -> Result<T, RecvError> {
    for _ in 0..spins {
        match from.try_recv() {
            Ok(it) => return Ok(it),
            Err(TryRecvError::Disconnected) => return Err(RecvError),
            Err(TryRecvError::Empty) => std::hint::spin_loop(),
        }
    }
    from.recv()
}

/// Applies `work` to each part in a thread of its own, as far as the system grants threads; the calling thread is one
/// of them. Returns the results in the order of the parts.
pub(crate) fn map_parallel<Part: Send, Done: Send>(
    parts: Vec<Part>,
    work: impl Fn(Part) -> Done + Sync,
) -> Vec<Done> {
    let (count, work) = (parts.len(), &work);
    std::thread::scope(|scope| {
        let pool = Pool::start(scope, count.saturating_sub(1), |_| work);
        let threads = pool.workers() + 1;
        let mut own = Vec::new();
        for (index, part) in parts.into_iter().enumerate() {
            match index % threads {
                0 => own.push(part),
                other => pool.send(other - 1, part),
            }
        }
        let mut own = own.into_iter().map(work);
        let result = |index| match index % threads {
            0 => own.next().expect("the first parts of each round are its own"),
            other => pool.receive(other - 1),
        };
        (0..count).map(result).collect()
    })
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread::Builder;

    use super::{Pool, map_parallel};

    #[test]
    fn every_worker_carries_out_every_order() {
        let done = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            let pool = Pool::start(scope, 2, |_| |()| _ = done.fetch_add(1, Ordering::Relaxed));
            for times in 1..=100 {
                pool.send_all(&());
                pool.wait_all();
                assert_eq!(done.load(Ordering::Relaxed), times * pool.workers());
            }
        });
    }

    #[test]
    fn results_come_in_the_order_of_the_orders() {
        std::thread::scope(|scope| {
            let pool = Pool::start(scope, 1, |worker| move |order: usize| (worker, 2 * order));
            (0..10).for_each(|order| pool.send(0, order));
            (0..10).for_each(|order| assert_eq!(pool.receive(0), (0, 2 * order)));
        });
    }

    #[test]
    #[should_panic(expected = "no worker panics")]
    fn whoever_waits_hears_a_panic() {
        std::thread::scope(|scope| {
            let pool = Pool::start(scope, 1, |_| |()| panic!("on purpose"));
            pool.send_all(&());
            pool.wait_all();
        });
    }

    /// No system grants a thread a stack of this size.
    #[test]
    #[cfg(all(target_pointer_width = "64", not(miri)))]
    fn a_refused_thread_leaves_a_smaller_pool() {
        std::thread::scope(|scope| {
            let builders = [None, None, Some(1 << 60), None]
                .map(|stack| stack.into_iter().fold(Builder::new(), Builder::stack_size));
            let pool = Pool::start_threads(scope, builders.into_iter(), |worker| move |()| worker);
            assert_eq!(pool.workers(), 2);
            pool.send_all(&());
            assert_eq!([pool.receive(0), pool.receive(1)], [0, 1]);
        });
    }

    #[test]
    fn parts_are_mapped_in_order() {
        for count in 0..5 {
            let squares: Vec<usize> = (0..count).map(|part| part * part).collect();
            assert_eq!(map_parallel((0..count).collect(), |part| part * part), squares);
        }
    }
}
