//! Long work: it is done by a thread of its own without Python's lock, while the caller's thread hears signals, such as
//! Ctrl-C, and calls whoever wants to know how far it has come.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::{Builder, scope};
use std::time::{Duration, Instant};

use map_session::SearchLimits;
use map_verify::{Limit, Progress, Snapshot, Stop};
use pyo3::exceptions::{PyMemoryError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The time between two looks at signals.
const LOOK: Duration = Duration::from_millis(50);

/// What ends the work early, and how far it has come.
#[derive(Clone, Default)]
pub(crate) struct Task {
    stop: Stop,
    limit: Arc<OnceLock<Limit>>,
    latest: Arc<Mutex<Option<Snapshot>>>,
}

impl Task {
    /// Whether the work is to end.
    pub(crate) fn is_stopped(&self) -> bool {
        self.limit.get().is_some()
    }

    fn interrupt(&self) {
        let _ = self.limit.set(Limit::Interrupted);
        self.stop.raise();
    }

    /// Watches one search, which begins now.
    pub(crate) fn watch(&self, limits: &SearchLimits) -> Watch {
        let started = Instant::now();
        let until = limits.time.and_then(|time| started.checked_add(time.search));
        Watch { task: self.clone(), started, until }
    }
}

/// Ends a search when its time is up, or when its caller was interrupted.
pub(crate) struct Watch {
    task: Task,
    started: Instant,
    until: Option<Instant>,
}

impl Progress for Watch {
    fn tick(&mut self, snapshot: &Snapshot) -> Option<Limit> {
        *self.task.latest.lock().unwrap_or_else(PoisonError::into_inner) = Some(*snapshot);
        let is_late = self.until.is_some_and(|until| Instant::now() >= until);
        self.task.limit.get().copied().or(is_late.then_some(Limit::Time))
    }

    fn stop(&self) -> Stop {
        self.task.stop.clone()
    }
}

impl map_session::Watch for Watch {
    fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}

/// Does the work. `progress` is called with a dictionary: `states`, `transitions`, `depth`, `frontier` and `memory`
/// (bytes), at most twenty times a second.
///
/// # Errors
/// What a signal handler or `progress` raised: then the work has ended early.
pub(crate) fn work<T: Send>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    job: impl FnOnce(&Task) -> T + Send,
) -> PyResult<T> {
    let task = Task::default();
    scope(|threads| {
        let (done, mut result) = channel();
        let own = task.clone();
        let work = move || {
            // The other end is gone only if this thread is waited for no longer, which does not happen.
            let _ = done.send(job(&own));
        };
        Builder::new()
            .name("map".to_owned())
            .spawn_scoped(threads, work)
            .map_err(|error| PyMemoryError::new_err(format!("the system grants no thread: {error}")))?;
        let mut raised = None;
        loop {
            let waited;
            (waited, result) = py.detach(move || (result.recv_timeout(LOOK), result));
            match waited {
                Ok(found) => return raised.map_or(Ok(found), Err),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(PyRuntimeError::new_err("internal error: the work broke off"));
                }
                Err(RecvTimeoutError::Timeout) if raised.is_some() => {}
                Err(RecvTimeoutError::Timeout) => {
                    let heard = py.check_signals().and_then(|()| match progress {
                        Some(progress) => tell(py, progress, &task),
                        None => Ok(()),
                    });
                    if let Err(error) = heard {
                        raised = Some(error);
                        task.interrupt();
                    }
                }
            }
        }
    })
}

fn tell(py: Python<'_>, progress: &Bound<'_, PyAny>, task: &Task) -> PyResult<()> {
    let latest = task.latest.lock().unwrap_or_else(PoisonError::into_inner).take();
    let Some(latest) = latest else { return Ok(()) };
    let told = PyDict::new(py);
    told.set_item("states", latest.states)?;
    told.set_item("transitions", latest.transitions)?;
    told.set_item("depth", latest.depth)?;
    told.set_item("frontier", latest.frontier)?;
    told.set_item("memory", latest.memory)?;
    progress.call1((told,)).map(drop)
}
