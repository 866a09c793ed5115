//! Watches long work: stops it at a limit or on Ctrl-C, and shows its progress on the terminal.

use std::cell::RefCell;
use std::io::Read;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use map_doors::{Checkpoints, memory};
use map_explain::{bytes, counted, grouped};
use map_session::SearchLimits;
use map_verify::{Cut, Keep, KeptPart, Limit, Progress, Snapshot, Stop};

use crate::interrupt::Interrupt;

/// Checkpoints that several parts of a command use.
pub(crate) type SharedCheckpoints = Rc<RefCell<Checkpoints>>;

/// Time between two drawings.
const REDRAW: Duration = Duration::from_millis(200);

/// Time between two measurements of the process's memory.
const MEASURE: Duration = Duration::from_millis(50);

/// Time between two looks of the thread that watches a search.
const LOOK: Duration = Duration::from_millis(20);

/// Ends the search when time is up or the user wants it, and shows how far it is.
pub(crate) struct Watch {
    drawn: Instant,
    transitions: usize,
    searches: Searches,
    measured: Instant,
    memory_limit: usize,
    ends: Ends,
    /// Raises the stop in the middle of work that does not ask; none if the system allows no more threads.
    _watchdog: Option<Watchdog>,
    stop: Stop,
    bar: Option<ProgressBar>,
    checkpoints: Option<SharedCheckpoints>,
    /// Whether the search goes on from a checkpoint of which nothing has been seen yet.
    goes_on: bool,
    /// Number of states that came from a checkpoint.
    resumed: usize,
}

/// The searches behind one verdict, told apart by their numbers of states: these only grow until the next one begins.
/// How many there will be depends on what they find.
#[derive(Default)]
struct Searches {
    begun: usize,
    states: usize,
}

impl Searches {
    fn count(&mut self, states: usize) {
        if self.begun == 0 || states < self.states {
            self.begun += 1;
        }
        self.states = states;
    }

    /// Which search it is, if it is not the first.
    fn words(&self) -> String {
        if self.begun > 1 { format!("search {}: ", self.begun) } else { String::new() }
    }
}

/// What ends a search from outside.
#[derive(Clone)]
struct Ends {
    started: Instant,
    time_limit: Option<Duration>,
    interrupt: Interrupt,
}

impl Ends {
    fn reached(&self) -> Option<Limit> {
        if self.interrupt.is_set() {
            Some(Limit::Interrupted)
        } else {
            self.time_limit.filter(|&limit| self.started.elapsed() >= limit).map(|_| Limit::Time)
        }
    }
}

/// A thread that watches a search while it does not ask whether to go on.
struct Watchdog {
    finished: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Watchdog {
    fn start(ends: Ends, stop: Stop) -> Option<Self> {
        let finished = Arc::new(AtomicBool::new(false));
        let is_finished = Arc::clone(&finished);
        let watch = move || {
            while !is_finished.load(Ordering::Relaxed) {
                if ends.reached().is_some() {
                    return stop.raise();
                }
                std::thread::park_timeout(LOOK);
            }
        };
        let thread = Builder::new().name("watchdog".to_owned()).spawn(watch).ok()?;
        Some(Self { finished, thread: Some(thread) })
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.finished.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // It has nothing to say, not even that it panicked.
            let _ = thread.join();
        }
    }
}

impl Watch {
    /// `name` is what is searched; the progress line is shown if `visible`, until this is dropped.
    pub(crate) fn new(name: &str, limits: &SearchLimits, interrupt: &Interrupt, visible: bool) -> Self {
        let time_limit = limits.time.map(|time| time.search);
        let bar = visible.then(|| bar(name));
        let now = Instant::now();
        let ends = Ends { started: now, time_limit, interrupt: interrupt.clone() };
        let stop = Stop::default();
        let watchdog = Watchdog::start(ends.clone(), stop.clone());
        Self {
            drawn: now,
            transitions: 0,
            searches: Searches::default(),
            measured: now,
            memory_limit: limits.limits.memory,
            ends,
            _watchdog: watchdog,
            stop,
            bar,
            checkpoints: None,
            goes_on: false,
            resumed: 0,
        }
    }

    /// The same, with checkpoints of the search.
    pub(crate) fn keeping(mut self, checkpoints: Option<SharedCheckpoints>) -> Self {
        self.checkpoints = checkpoints;
        self
    }

    /// Whether the resident memory of the process exceeds the limit, where the system reports it. The search counts
    /// only its own tables.
    fn exceeds_memory(&mut self) -> bool {
        if self.measured.elapsed() < MEASURE {
            return false;
        }
        self.measured = Instant::now();
        memory::current().is_some_and(|bytes| bytes > self.memory_limit as u64)
    }

    fn draw(&mut self, snapshot: &Snapshot) {
        let Some(bar) = &self.bar else { return };
        if self.drawn.elapsed() < REDRAW {
            return;
        }
        if snapshot.transitions == self.transitions {
            // Transitions are counted only at the end of a batch.
            bar.tick();
            return;
        }
        let sent = match snapshot.sent {
            0 => String::new(),
            sent => format!(", {} sent", bytes(sent as u64)),
        };
        bar.set_message(format!(
            "{}{} states, {} to expand, {} deep, {}{sent}",
            self.searches.words(),
            grouped(snapshot.states as u64),
            grouped(snapshot.frontier as u64),
            counted(snapshot.depth as u64, "step"),
            bytes(snapshot.memory as u64)
        ));
        self.transitions = snapshot.transitions;
        self.drawn = Instant::now();
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl map_session::Watch for Watch {
    fn elapsed(&self) -> Duration {
        self.ends.started.elapsed()
    }

    fn peak_memory(&self) -> Option<u64> {
        memory::peak()
    }

    fn resumed(&self) -> usize {
        self.resumed
    }
}

fn bar(name: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(5));
    bar.set_style(
        ProgressStyle::with_template("{spinner} {elapsed}  {prefix}  {wide_msg}")
            .unwrap_or_else(|_| ProgressStyle::default_spinner()),
    );
    // The line has to fit; who waits knows the folder.
    bar.set_prefix(name.rsplit('/').next().unwrap_or(name).to_owned());
    bar
}

/// Does the work; meanwhile, if `visible`, shows how many of the `runs` are `done`.
pub(crate) fn while_counting<T>(
    name: &str,
    runs: u64,
    done: &AtomicU64,
    visible: bool,
    work: impl FnOnce() -> T,
) -> T {
    if !visible {
        return work();
    }
    let (bar, started, finished) = (bar(name), Instant::now(), AtomicBool::new(false));
    std::thread::scope(|scope| {
        let drawing = Builder::new().spawn_scoped(scope, || {
            while !finished.load(Ordering::Relaxed) {
                let done = done.load(Ordering::Relaxed);
                let rate = done as f64 / started.elapsed().as_secs_f64().max(1e-3);
                let (done, rate) = (grouped(done), grouped(rate as u64));
                bar.set_message(format!("{done} of {} runs, {rate} runs/s", grouped(runs)));
                std::thread::park_timeout(REDRAW);
            }
            bar.finish_and_clear();
        });
        let result = work();
        finished.store(true, Ordering::Relaxed);
        // Without a thread for it nothing is shown.
        if let Ok(drawing) = drawing {
            drawing.thread().unpark();
        }
        result
    })
}

impl Progress for Watch {
    fn tick(&mut self, snapshot: &Snapshot) -> Option<Limit> {
        self.searches.count(snapshot.states);
        self.draw(snapshot);
        if self.goes_on && snapshot.states > 0 {
            (self.goes_on, self.resumed) = (false, snapshot.states);
        }
        let ends = self.ends.reached();
        ends.or_else(|| self.exceeds_memory().then_some(Limit::Memory))
    }

    fn resume(&mut self) -> Option<Box<dyn Read>> {
        let earlier = self.checkpoints.as_ref()?.borrow_mut().next_search();
        self.goes_on = earlier.is_some();
        earlier
    }

    fn keeps(&self) -> bool {
        self.checkpoints.is_some()
    }

    fn resume_parts(&mut self) -> Option<Vec<KeptPart>> {
        let earlier = self.checkpoints.as_ref()?.borrow_mut().next_parts();
        self.goes_on = earlier.is_some();
        earlier
    }

    fn is_due(&self) -> bool {
        self.checkpoints.as_ref().is_some_and(|it| it.borrow().is_due())
    }

    fn keep(&mut self, content: &Keep<'_>) -> bool {
        self.checkpoints.as_ref().is_some_and(|it| it.borrow_mut().keep(content))
    }

    fn stamp(&mut self) -> u64 {
        Checkpoints::new_stamp()
    }

    fn settle(&mut self, cut: Cut) {
        if let Some(checkpoints) = &self.checkpoints {
            checkpoints.borrow_mut().settle(cut);
        }
    }

    fn stop(&self) -> Stop {
        self.stop.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::Searches;

    #[test]
    fn a_number_of_states_that_falls_belongs_to_the_next_search() {
        let mut searches = Searches::default();
        let words = [10, 10, 500, 3, 900, 899].map(|states| {
            searches.count(states);
            searches.words()
        });
        assert_eq!(words, ["", "", "", "search 2: ", "search 2: ", "search 3: "]);
    }
}
