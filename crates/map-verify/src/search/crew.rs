//! Threads that wait for work. A search has some for every round, of which there are many: to start new threads each time would
//! take as long as much of the work.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::Scope;

use super::NO_PANIC;

/// A thread that does whatever it is told to.
pub(super) struct Helper<Order> {
    orders: Sender<Order>,
    done: Receiver<()>,
}

impl<Order: Send> Helper<Order> {
    /// Starts it. It ends when this is dropped.
    pub(super) fn start<'scope>(
        scope: &'scope Scope<'scope, '_>,
        mut work: impl FnMut(Order) + Send + 'scope,
    ) -> Self
    where
        Order: 'scope,
    {
        let (orders, received) = channel();
        let (finished, done) = channel();
        scope.spawn(move || {
            for order in received {
                work(order);
                if finished.send(()).is_err() {
                    return;
                }
            }
        });
        Self { orders, done }
    }

    /// Tells it what to do.
    ///
    /// # Panics
    /// If its work has panicked before.
    pub(super) fn begin(&self, order: Order) {
        assert!(self.orders.send(order).is_ok(), "{NO_PANIC}");
    }

    /// Waits until it has done what it was told.
    ///
    /// # Panics
    /// If its work panics.
    pub(super) fn wait(&self) {
        self.done.recv().expect(NO_PANIC);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::Helper;

    #[test]
    fn work_is_done_as_often_as_it_is_told() {
        let done = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            let helper = Helper::start(scope, |()| {
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
            let helper = Helper::start(scope, |()| panic!("on purpose"));
            helper.begin(());
            helper.wait();
        });
    }
}
