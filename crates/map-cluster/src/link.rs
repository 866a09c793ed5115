//! A connection between two processes that search together.
//!
//! Timely has two threads for each: one writes to the link, the other reads from it. What they never see is that a
//! connection ends: they would panic. Instead it is noted as the failure of the whole cluster, which
//! [`crate::Cluster`] looks for, and the threads write into nothing and wait, until they are released.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use timely::communication::allocator::zero_copy::stream::Stream;

use crate::frames::{Incoming, Kind, MOST, Outgoing, SLICE};
use crate::greeting::Connection;

/// How often a process that has nothing to say says so, at most.
const BEAT: Duration = Duration::from_secs(1);

/// How many signs of life another process hears within its patience, at least.
const BEATS: u32 = 5;

/// What all links of a process share.
pub(crate) struct Shared {
    /// The thread that searches, which is woken when something happens.
    searcher: Thread,
    /// Why the cluster has failed, once it has.
    failure: Mutex<Option<String>>,
    failed: AtomicBool,
    /// Set when timely's worker is gone, so that its threads may end in any way.
    released: AtomicBool,
    changed: Condvar,
    /// How many supersteps this process has ended.
    pub(crate) supersteps: AtomicU64,
    /// Bytes that it has sent, with everything that goes with the blocks.
    pub(crate) sent: AtomicU64,
}

/// One end of a connection.
pub(crate) struct Link {
    name: String,
    patience: Duration,
    beat: Duration,
    socket: TcpStream,
    outgoing: Mutex<Outgoing>,
    incoming: Mutex<Receiving>,
    shared: Arc<Shared>,
    /// Bytes of blocks that the other process has taken since this was last asked.
    pub(crate) taken: AtomicUsize,
    /// One more than the number of supersteps after which the other process has left; 0 if it has not.
    left: AtomicU64,
    /// The other process has read the last words of this one, or will never.
    parted: AtomicBool,
}

struct Receiving {
    incoming: Incoming,
    /// What of the last frame timely has had.
    given: usize,
    length: usize,
    ended: bool,
}

impl Shared {
    pub(crate) fn new() -> Self {
        Self {
            searcher: thread::current(),
            failure: Mutex::default(),
            failed: AtomicBool::new(false),
            released: AtomicBool::new(false),
            changed: Condvar::new(),
            supersteps: AtomicU64::new(0),
            sent: AtomicU64::new(0),
        }
    }

    /// Why the cluster has failed, if it has.
    pub(crate) fn failure(&self) -> Option<String> {
        if self.has_failed() { locked(&self.failure).clone() } else { None }
    }

    pub(crate) fn has_failed(&self) -> bool {
        self.failed.load(Ordering::SeqCst)
    }

    /// The cluster has failed. The first reason stays.
    pub(crate) fn fail(&self, reason: String) {
        locked(&self.failure).get_or_insert(reason);
        self.failed.store(true, Ordering::SeqCst);
        self.notify();
    }

    /// Lets go the threads that read and write.
    pub(crate) fn release(&self) {
        self.released.store(true, Ordering::SeqCst);
        self.notify();
    }

    fn notify(&self) {
        // With the lock, so that nobody is between looking and waiting.
        drop(locked(&self.failure));
        self.changed.notify_all();
        self.searcher.unpark();
    }

    /// Waits until it is enough, or the time is over. What is asked must not look for the reason of a failure.
    pub(crate) fn wait_until(&self, enough: impl Fn() -> bool, time: Duration) {
        let waiting = self.changed.wait_timeout_while(locked(&self.failure), time, |_| !enough());
        drop(waiting.unwrap_or_else(PoisonError::into_inner));
    }

    fn is_released(&self) -> bool {
        self.released.load(Ordering::SeqCst)
    }
}

impl Link {
    pub(crate) fn new(
        connection: Connection,
        name: String,
        patience: Duration,
        shared: Arc<Shared>,
    ) -> Arc<Self> {
        let Connection { socket, outgoing, incoming, theirs } = connection;
        Arc::new(Self {
            name,
            patience,
            beat: beat_for(theirs.patience),
            socket,
            outgoing: Mutex::new(outgoing),
            incoming: Mutex::new(Receiving { incoming, given: 0, length: 0, ended: false }),
            shared,
            taken: AtomicUsize::new(0),
            left: AtomicU64::new(0),
            parted: AtomicBool::new(false),
        })
    }

    /// Says that this process lives as long as the other may wonder. Returns when the links are released.
    pub(crate) fn keep_alive(&self) {
        while !self.shared.is_released() {
            let silent = locked(&self.outgoing).sent.elapsed();
            if silent >= self.beat {
                self.say(Kind::Beat, &[]);
            }
            let pause = self.beat.saturating_sub(silent).max(self.beat / 4);
            self.shared.wait_until(|| self.shared.is_released(), pause);
        }
    }

    /// Says that so many bytes of blocks were taken.
    pub(crate) fn credit(&self, bytes: usize) {
        self.say(Kind::Credit, &(bytes as u64).to_le_bytes());
    }

    /// Says why this process gives up.
    pub(crate) fn give_up(&self, reason: &str) {
        self.say(Kind::GaveUp, reason.as_bytes().get(..MOST).unwrap_or(reason.as_bytes()));
    }

    /// The number of supersteps after which the other process has left, if it has.
    pub(crate) fn left_after(&self) -> Option<u64> {
        self.left.load(Ordering::SeqCst).checked_sub(1)
    }

    pub(crate) fn has_parted(&self) -> bool {
        self.parted.load(Ordering::SeqCst)
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Closes the connection, for both directions and at once.
    pub(crate) fn close(&self) {
        // It may be closed already.
        let _ = self.socket.shutdown(Shutdown::Both);
    }

    /// Sends a frame. If that cannot be, the thread that reads finds out why, as it may have a better reason to tell.
    fn say(&self, kind: Kind, data: &[u8]) {
        let since = Instant::now();
        let go_on = || {
            let hopeless = self.shared.has_failed() && since.elapsed() > SLICE * 2;
            if hopeless || self.shared.is_released() { Err(io::ErrorKind::TimedOut.into()) } else { Ok(()) }
        };
        if let Ok(bytes) = locked(&self.outgoing).put(kind, data, &go_on) {
            self.shared.sent.fetch_add(bytes as u64, Ordering::Relaxed);
        }
    }

    /// Reads until there is something for timely. Returns its length, or nothing if there will be no more.
    fn receive(&self, receiving: &mut Receiving) -> usize {
        while !self.shared.is_released() {
            if receiving.ended {
                self.shared.wait_until(|| self.shared.is_released(), self.patience);
                continue;
            }
            match self.next(&mut receiving.incoming) {
                Ok(Kind::Data) => return receiving.incoming.data().len(),
                Ok(_) => {}
                Err(error) => {
                    receiving.ended = true;
                    self.parted.store(true, Ordering::SeqCst);
                    if self.left_after().is_none() && !self.shared.is_released() {
                        self.shared.fail(self.describe(&error));
                    }
                    self.shared.notify();
                }
            }
        }
        0
    }

    /// Reads a frame, and does what it asks for.
    fn next(&self, incoming: &mut Incoming) -> io::Result<Kind> {
        let go_on = |silent| {
            if self.shared.is_released() {
                Err(io::ErrorKind::Interrupted.into())
            } else if silent > self.patience {
                Err(io::ErrorKind::TimedOut.into())
            } else {
                Ok(())
            }
        };
        let kind = incoming.take(&go_on)?;
        match kind {
            Kind::Data | Kind::Beat => {}
            Kind::Credit => {
                let taken = usize::try_from(incoming.value()?).map_err(|_| io::ErrorKind::InvalidData)?;
                self.taken.fetch_add(taken, Ordering::SeqCst);
                self.shared.searcher.unpark();
            }
            Kind::Goodbye => {
                self.left.store(incoming.value()?.saturating_add(1), Ordering::SeqCst);
                self.say(Kind::Seen, &[]);
                self.shared.notify();
            }
            Kind::GaveUp => {
                self.shared.fail(format!("{} gave up: {}", self.name, incoming.text()));
                self.say(Kind::Seen, &[]);
            }
            Kind::Seen => {
                self.parted.store(true, Ordering::SeqCst);
                self.shared.notify();
            }
            Kind::Hello | Kind::Welcome | Kind::Refused | Kind::Ready => {
                return Err(io::ErrorKind::InvalidData.into());
            }
        }
        Ok(kind)
    }

    fn describe(&self, error: &io::Error) -> String {
        let name = &self.name;
        match error.kind() {
            io::ErrorKind::TimedOut if self.patience < Duration::from_secs(1) => {
                format!("{name} has not answered for {} ms", self.patience.as_millis())
            }
            io::ErrorKind::TimedOut => format!("{name} has not answered for {} s", self.patience.as_secs()),
            io::ErrorKind::UnexpectedEof => format!("{name} ended: the connection was closed"),
            io::ErrorKind::InvalidData => format!("{name} sent something that cannot be read"),
            _ => format!("{name} ended: {error}"),
        }
    }
}

/// For how long a process says nothing to one with this patience, at most.
pub(crate) fn beat_for(patience: Duration) -> Duration {
    (patience / BEATS).clamp(SLICE / 5, BEAT)
}

/// The end of a link that timely reads from and writes to.
pub(crate) struct Pipe(pub(crate) Arc<Link>);

impl Read for Pipe {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let link = &*self.0;
        let mut receiving = locked(&link.incoming);
        if receiving.given == receiving.length {
            let length = link.receive(&mut receiving);
            if length == 0 {
                drop(receiving);
                // The thread may be in the middle of a message, where an end would make it panic. This ends it as
                // well, in silence; the worker, which would notice, is gone.
                std::panic::resume_unwind(Box::new("released"));
            }
            receiving.given = 0;
            receiving.length = length;
        }
        let rest = &receiving.incoming.data()[receiving.given..receiving.length];
        let length = rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        receiving.given += length;
        Ok(length)
    }
}

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for piece in bytes.chunks(MOST) {
            if self.0.shared.has_failed() {
                break;
            }
            self.0.say(Kind::Data, piece);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for Pipe {
    fn try_clone(&self) -> io::Result<Self> {
        Ok(Self(Arc::clone(&self.0)))
    }

    fn set_nonblocking(&self, _nonblocking: bool) -> io::Result<()> {
        Ok(())
    }

    /// Timely has nothing more to send: this process leaves.
    fn shutdown(&self, _how: Shutdown) -> io::Result<()> {
        if !self.0.shared.has_failed() {
            self.0.say(Kind::Goodbye, &self.0.shared.supersteps.load(Ordering::SeqCst).to_le_bytes());
        }
        Ok(())
    }
}

/// What a mutex guards. A thread that panicked with it leaves nothing half done: a frame that was begun is noted.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
