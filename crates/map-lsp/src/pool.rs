//! The threads that answer: a few, which take the oldest job first.

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread::{Builder, available_parallelism};

use crossbeam_channel::{Receiver, Sender, unbounded};

/// The most threads: answers take milliseconds.
const MOST: usize = 4;

/// Syntax trees are up to 200 levels deep, and what walks over them has large frames in debug builds.
const STACK_BYTES: usize = 32 << 20;

type Job = Box<dyn FnOnce() + Send>;

/// Threads that wait for jobs. They end when this is dropped and the jobs are done.
pub(crate) struct Pool {
    jobs: Sender<Job>,
}

impl Pool {
    /// # Errors
    /// If the system allows no more threads.
    pub(crate) fn start() -> io::Result<Self> {
        let (jobs, receiver) = unbounded();
        let cores = available_parallelism().map_or(1, usize::from);
        for started in 0..cores.min(MOST) {
            let receiver: Receiver<Job> = receiver.clone();
            let work = move || receiver.into_iter().for_each(|job| job());
            match Builder::new().name("answers".to_owned()).stack_size(STACK_BYTES).spawn(work) {
                Err(error) if started == 0 => return Err(error),
                // Fewer will do.
                Err(_) => break,
                Ok(_) => {}
            }
        }
        Ok(Self { jobs })
    }

    /// Does a job, and hands its result over; if it panics, the words of the panic.
    pub(crate) fn spawn<T: 'static>(
        &self,
        job: impl FnOnce() -> T + Send + 'static,
        done: impl FnOnce(Result<T, String>) + Send + 'static,
    ) {
        let job = move || done(caught(job));
        // The threads live as long as the pool.
        let _ = self.jobs.send(Box::new(job));
    }
}

/// The result of a job, or the words of its panic.
pub(crate) fn caught<T>(job: impl FnOnce() -> T) -> Result<T, String> {
    // Nothing that a panic could leave half done is used again: jobs own what they change.
    catch_unwind(AssertUnwindSafe(job)).map_err(|payload| words(&*payload))
}

fn words(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "unknown".to_owned())
}

#[cfg(test)]
mod tests {
    use crossbeam_channel::unbounded;

    use super::Pool;

    #[test]
    fn a_panic_is_a_result_and_the_pool_goes_on() {
        let pool = Pool::start().unwrap();
        let (sender, results) = unbounded();
        for number in 0..20 {
            let sender = sender.clone();
            let job = move || {
                assert!(number % 2 == 1, "{number} is even");
                number
            };
            pool.spawn(job, move |result| sender.send(result).unwrap());
        }
        let mut results: Vec<_> = results.iter().take(20).collect();
        results.sort();
        assert_eq!(results.iter().filter(|it| it.is_ok()).count(), 10);
        assert!(results.contains(&Err("4 is even".to_owned())));
    }
}
