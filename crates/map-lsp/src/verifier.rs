//! The thread that verifies in the background: one scene after another, within limits, until it is told to stop.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};
use std::thread::Builder;

use crossbeam_channel::{Receiver, Sender, after, bounded, select, unbounded};
use map_explain::{counted, grouped};
use map_verify::{Limit, Progress, Snapshot, Stop};

use crate::client::Budget;
use crate::search::Found;
use crate::verification::{Request, verify};

/// As much as the main thread of a command has.
const STACK_BYTES: usize = 32 << 20;

/// A verification to be done.
pub(crate) struct Job {
    pub(crate) number: u64,
    pub(crate) request: Request,
    pub(crate) budget: Budget,
    /// Disconnected when it is to stop.
    pub(crate) cancelled: Receiver<()>,
}

/// What becomes known of a job.
pub(crate) enum News {
    /// How far it is, in words.
    Progress(u64, String),
    Finished(u64, Result<Vec<Found>, String>),
}

/// Starts the thread. It ends when the sender is dropped.
pub(crate) fn start(tell: impl Fn(News) + Clone + Send + Sync + 'static) -> std::io::Result<Sender<Job>> {
    let (sender, jobs) = unbounded();
    let work = move || jobs.into_iter().for_each(|job| run(&job, &tell));
    Builder::new().name("verifier".to_owned()).stack_size(STACK_BYTES).spawn(work)?;
    Ok(sender)
}

fn run(job: &Job, tell: &(impl Fn(News) + Clone + Send + 'static)) {
    let mut watch = Watch {
        number: job.number,
        told: 0,
        tell: tell.clone(),
        stop: Stop::default(),
        ended: Arc::new(OnceLock::new()),
    };
    let (working, finished) = bounded::<()>(0);
    let watchdog = {
        let (cancelled, time) = (job.cancelled.clone(), after(job.budget.time));
        let (stop, ended) = (watch.stop.clone(), Arc::clone(&watch.ended));
        move || {
            let limit = select! {
                recv(cancelled) -> _ => Limit::Interrupted,
                recv(time) -> _ => Limit::Time,
                recv(finished) -> _ => return,
            };
            // Nobody else sets it.
            let _ = ended.set(limit);
            stop.raise();
        }
    };
    let result = match Builder::new().name("watchdog".to_owned()).spawn(watchdog) {
        Ok(_) => {
            // What a panic leaves half done is not used again.
            catch_unwind(AssertUnwindSafe(|| verify(&job.request, &job.budget, &mut watch)))
                .unwrap_or_else(|_| Err("the verification panicked: a defect of map".to_owned()))
        }
        Err(error) => Err(format!("no thread can be started to watch the verification: {error}")),
    };
    drop(working);
    tell(News::Finished(job.number, result));
}

/// Ends the search when the watchdog says so, and tells how far it is.
struct Watch<T> {
    number: u64,
    /// The states at the last time.
    told: usize,
    tell: T,
    stop: Stop,
    ended: Arc<OnceLock<Limit>>,
}

impl<T: Fn(News)> Progress for Watch<T> {
    fn tick(&mut self, snapshot: &Snapshot) -> Option<Limit> {
        // Without a clock: each time by a quarter more.
        if snapshot.states > self.told + self.told / 4 + 10_000 {
            self.told = snapshot.states;
            let (states, deep) = (grouped(snapshot.states as u64), counted(snapshot.depth as u64, "step"));
            (self.tell)(News::Progress(self.number, format!("{states} states, {deep} deep")));
        }
        self.ended.get().copied()
    }

    fn stop(&self) -> Stop {
        self.stop.clone()
    }
}
