//! Threads that wait for work. A search has some for every round, of which there are many: to start new threads each time would
//! take as long as much of the work.

use std::sync::mpsc::{Receiver, RecvError, Sender, TryRecvError, channel};
use std::thread::{Scope, available_parallelism};

use super::NO_PANIC;

/// A thread that does whatever it is told to.
pub(crate) struct Helper<Order> {
    orders: Sender<Order>,
    done: Receiver<()>,
    looks: usize,
}

impl<Order: Send> Helper<Order> {
    /// Starts one of so many threads. It ends when this is dropped.
    pub(crate) fn start<'scope>(
        scope: &'scope Scope<'scope, '_>,
        threads: usize,
        mut work: impl FnMut(Order) + Send + 'scope,
    ) -> Self
    where
        Order: 'scope,
    {
        // Who looks must not keep others from their work.
        let has_cores = available_parallelism().is_ok_and(|cores| cores.get() >= threads);
        let looks = if has_cores { LOOKS } else { 0 };
        let (orders, received) = channel();
        let (finished, done) = channel();
        scope.spawn(move || {
            while let Ok(order) = patiently(&received, looks) {
                work(order);
                if finished.send(()).is_err() {
                    return;
                }
            }
        });
        Self { orders, done, looks }
    }

    /// Tells it what to do.
    ///
    /// # Panics
    /// If its work has panicked before.
    pub(crate) fn begin(&self, order: Order) {
        assert!(self.orders.send(order).is_ok(), "{NO_PANIC}");
    }

    /// Waits until it has done what it was told.
    ///
    /// # Panics
    /// If its work panics.
    pub(crate) fn wait(&self) {
        patiently(&self.done, self.looks).expect(NO_PANIC);
    }
}

/// How often it is looked whether something has come: for some tens of microseconds.
const LOOKS: usize = 2000;

/// Waits for something to come. What comes soon, as mostly, comes sooner than the system would wake a thread that sleeps. Who
/// looks does not yield: on a busy machine it would be long before its next turn.
fn patiently<T>(from: &Receiver<T>, looks: usize) -> Result<T, RecvError> {
    for _ in 0..looks {
        match from.try_recv() {
            Ok(it) => return Ok(it),
            Err(TryRecvError::Disconnected) => return Err(RecvError),
            Err(TryRecvError::Empty) => std::hint::spin_loop(),
        }
    }
    from.recv()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::Helper;

    #[test]
    fn work_is_done_as_often_as_it_is_told() {
        let done = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            let helper = Helper::start(scope, 2, |()| {
                done.fetch_add(1, Ordering::Relaxed);
            });
            for times in 1..=100 {
                helper.begin(());
                helper.wait();
                assert_eq!(done.load(Ordering::Relaxed), times);
            }
        });
    }

    #[test]
    #[should_panic(expected = "no thread panics")]
    fn a_panic_is_heard_by_those_who_wait() {
        std::thread::scope(|scope| {
            let helper = Helper::start(scope, 2, |()| panic!("on purpose"));
            helper.begin(());
            helper.wait();
        });
    }
}
