//! The thread that verifies in the background: one scene after another, within limits, until it is told to stop.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};
use std::thread::Builder;

use crossbeam_channel::{Receiver, Sender, after, bounded, never, select, unbounded};
use map_explain::{counted, grouped};
use map_verify::{Limit, Progress, Snapshot, Stop};

use crate::client::Budget;
use crate::search::Found;
use crate::verification::{Plan, Request};

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
    // What a panic leaves half done is not used again.
    let result = catch_unwind(AssertUnwindSafe(|| verify(job, tell)))
        .unwrap_or_else(|_| Err("the verification panicked: a defect of map".to_owned()));
    tell(News::Finished(job.number, result));
}

/// Verifies line by line. What cannot be verified is told among the results, unless there are no others.
fn verify(job: &Job, tell: &(impl Fn(News) + Clone)) -> Result<Vec<Found>, String> {
    let plan = Plan::new(&job.request)?;
    let mut watch = Watch { number: job.number, told: 0, tell: tell.clone(), search: Search::default() };
    let time = after(job.budget.time);
    let (mut all, mut reasons) = (Vec::new(), Vec::new());
    for line in &plan.lines {
        let search = match watch.search.ended.get() {
            // Not the time of that line alone: there is none for the lines behind it, either.
            Some(Ended::Job(_)) => watch.search.clone(),
            _ => Search::default(),
        };
        watch.search = search.clone();
        let (working, finished) = bounded::<()>(0);
        let (cancelled, time, own) = (job.cancelled.clone(), time.clone(), line.time());
        let watchdog = move || {
            let ended = select! {
                recv(cancelled) -> _ => Ended::Job(Limit::Interrupted),
                recv(time) -> _ => Ended::Job(Limit::Time),
                recv(own.map_or_else(never, after)) -> _ => Ended::Line,
                recv(finished) -> _ => return,
            };
            // Nobody else sets it, unless it was over before.
            let _ = search.ended.set(ended);
            search.stop.raise();
        };
        Builder::new()
            .name("watchdog".to_owned())
            .spawn(watchdog)
            .map_err(|error| format!("no thread can be started to watch the verification: {error}"))?;
        let found = plan.verify(line, &job.budget, &mut watch);
        drop(working);
        all.push(found.unwrap_or_else(|why| {
            reasons.push(why.clone());
            plan.refused(line, why)
        }));
    }
    if reasons.len() == all.len() { Err(reasons.swap_remove(0)) } else { Ok(all) }
}

/// What ended a search early.
#[derive(Clone, Copy)]
enum Ended {
    /// The limit of its line: time.
    Line,
    /// What ends the whole job.
    Job(Limit),
}

/// The search of a line, for those who may end it.
#[derive(Clone, Default)]
struct Search {
    stop: Stop,
    ended: Arc<OnceLock<Ended>>,
}

/// Ends the search when the watchdog says so, and tells how far it is.
struct Watch<T> {
    number: u64,
    /// The states at the last time.
    told: usize,
    tell: T,
    search: Search,
}

impl<T: Fn(News)> Progress for Watch<T> {
    fn tick(&mut self, snapshot: &Snapshot) -> Option<Limit> {
        // Without a clock: each time by a quarter more.
        if snapshot.states > self.told + self.told / 4 + 10_000 {
            self.told = snapshot.states;
            let (states, deep) = (grouped(snapshot.states as u64), counted(snapshot.depth as u64, "step"));
            (self.tell)(News::Progress(self.number, format!("{states} states, {deep} deep")));
        }
        self.search.ended.get().map(|ended| match ended {
            Ended::Line => Limit::Time,
            Ended::Job(limit) => *limit,
        })
    }

    fn stop(&self) -> Stop {
        self.search.stop.clone()
    }
}

impl<T: Fn(News)> map_session::Watch for Watch<T> {}
