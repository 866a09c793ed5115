//! How the processes of a cluster find each other.
//!
//! Each but the last listens at its own address, and connects to all processes with lower numbers. Whoever does not
//! belong to the cluster is turned away, and the others are waited for as before. A process that is turned away itself
//! ends at once. One that has come and is lost before the search begins may come again, or another in its place.
//!
//! A process that is connected with all others says so. It begins when all others have said so over the connections
//! that it has: then each of them was connected with each of the others. What it said over a connection that has ended
//! does not count, so nobody begins with one that has been replaced elsewhere.

use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::JoinError;
use crate::frames::Kind;
use crate::greeting::{Connection, Hello, LIMIT, Side, Trouble, greet};
use crate::hosts::Hosts;
use crate::key::Key;
use crate::seat::Seat;

/// How often what is waited for is looked at.
const LOOK: Duration = Duration::from_millis(10);

/// How long an attempt to connect may take, and how long until the next.
const ATTEMPT: Duration = Duration::from_secs(2);
const PAUSE: Duration = Duration::from_millis(100);

/// How long a process whose number is taken waits for a sign of life of the one that has it. Those come at least once a
/// second. At first they may be old ones, which the network delivers late.
const DOUBT: Duration = Duration::from_secs(3);
const OLD: Duration = Duration::from_millis(500);

/// Most connections that are greeted at a time, and most remarks that are kept.
const MOST_GREETED: usize = 64;
const MOST_REMARKS: usize = 8;

/// What the threads of a meeting share.
struct Meeting {
    hosts: Hosts,
    key: Option<Key>,
    hello: Hello,
    /// Those that have come. Empty when the meeting is over.
    seats: Mutex<Vec<Option<Seat>>>,
    /// Who was turned away, and what went wrong.
    remarks: Mutex<Vec<String>>,
    /// Why this process does not belong to the others.
    refused: Mutex<Option<String>>,
    over: AtomicBool,
    greeted: AtomicUsize,
}

/// Meets the other processes. Returns a connection with each, and nothing in the place of this one.
pub(crate) fn meet(
    hosts: &Hosts,
    listener: Option<&TcpListener>,
    key: Option<&Key>,
    hello: Hello,
    wait: Duration,
    stop: &dyn Fn() -> bool,
) -> Result<Vec<Option<Connection>>, JoinError> {
    Meeting::new(hosts, key, hello).hold(listener, wait, stop)
}

impl Meeting {
    fn new(hosts: &Hosts, key: Option<&Key>, hello: Hello) -> Arc<Self> {
        Arc::new(Self {
            hosts: hosts.clone(),
            key: key.cloned(),
            hello,
            seats: Mutex::new((0..hosts.count()).map(|_| None).collect()),
            remarks: Mutex::default(),
            refused: Mutex::default(),
            over: AtomicBool::new(false),
            greeted: AtomicUsize::new(0),
        })
    }

    fn hold(
        self: &Arc<Self>,
        listener: Option<&TcpListener>,
        wait: Duration,
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<Option<Connection>>, JoinError> {
        let met = self.gather(listener, Instant::now() + wait, stop);
        self.over.store(true, Ordering::SeqCst);
        if let Err(error) = &met {
            let mut seats = std::mem::take(&mut *locked(&self.seats));
            seats.iter_mut().flatten().for_each(|seat| seat.give_up(&error.to_string()));
        }
        Ok(met?.into_iter().map(|seat| seat.map(Seat::into_connection)).collect())
    }

    /// Lets threads connect and greet until all are ready.
    fn gather(
        self: &Arc<Self>,
        listener: Option<&TcpListener>,
        until: Instant,
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<Option<Seat>>, JoinError> {
        let failed = |error: io::Error| JoinError::Failed(format!("cannot meet other processes: {error}"));
        if let Some(listener) = listener {
            listener.set_nonblocking(true).map_err(failed)?;
        }
        for lower in 0..self.own() {
            let meeting = Arc::clone(self);
            spawn(move || meeting.connect(lower)).map_err(failed)?;
        }
        // Since when all are there.
        let mut complete = None;
        loop {
            if stop() {
                return Err(JoinError::Stopped);
            }
            if let Some(reason) = locked(&self.refused).take() {
                return Err(JoinError::Failed(reason));
            }
            let missing = self.attend();
            let now = Instant::now();
            if missing.is_empty() {
                if let Some(seats) = self.take_ready() {
                    return Ok(seats);
                }
                // The last to come has used up its own waiting, or that of the others.
                let since = *complete.get_or_insert(now);
                if now >= until.max(since + LIMIT) + LIMIT {
                    return Err(JoinError::Failed(self.who_is_not_ready()));
                }
            } else {
                complete = None;
                if now >= until {
                    return Err(JoinError::Failed(self.who_is_missing(&missing)));
                }
            }
            for (socket, from) in (0..MOST_GREETED).map_while(|_| listener?.accept().ok()) {
                self.receive(socket, from).map_err(failed)?;
            }
            thread::sleep(LOOK);
        }
    }

    /// Greets one that has connected, in a thread of its own.
    fn receive(self: &Arc<Self>, socket: TcpStream, from: SocketAddr) -> io::Result<()> {
        if self.greeted.load(Ordering::SeqCst) >= MOST_GREETED {
            self.remark("too many connections at a time were turned away".to_owned());
            return Ok(());
        }
        self.greeted.fetch_add(1, Ordering::SeqCst);
        let meeting = Arc::clone(self);
        spawn(move || {
            if let Err(trouble) = meeting.accept(socket, from) {
                meeting.remark(trouble);
            }
            meeting.greeted.fetch_sub(1, Ordering::SeqCst);
        })
    }

    fn own(&self) -> usize {
        self.hello.own as usize
    }

    /// Listens to all that have come, and returns those that are missing. Tells the others if there are none.
    fn attend(&self) -> Vec<usize> {
        let mut seats = locked(&self.seats);
        for process in 0..seats.len() {
            self.try_with(&mut seats, process, |seat| seat.attend(LOOK, self.hello.patience));
        }
        let missing = |seats: &[Option<Seat>]| -> Vec<usize> {
            (0..seats.len()).filter(|&it| it != self.own() && seats[it].is_none()).collect()
        };
        if missing(&seats).is_empty() {
            for process in 0..seats.len() {
                self.try_with(&mut seats, process, Seat::tell_ready);
            }
        }
        missing(&seats)
    }

    /// Does something with a process if it is there. If that shows that it is lost, its seat is free again.
    fn try_with(
        &self,
        seats: &mut [Option<Seat>],
        process: usize,
        act: impl FnOnce(&mut Seat) -> Result<(), String>,
    ) {
        let Some(Some(seat)) = seats.get_mut(process) else { return };
        if let Err(what) = act(seat) {
            seats[process] = None;
            self.remark(format!("{} {what}", self.hosts.name(process)));
        }
    }

    /// All that have come, if all are there and ready. That ends the meeting.
    fn take_ready(&self) -> Option<Vec<Option<Seat>>> {
        let mut seats = locked(&self.seats);
        let is_ready = |process: usize| seats[process].as_ref().is_some_and(Seat::is_ready);
        (0..seats.len())
            .all(|process| process == self.own() || is_ready(process))
            .then(|| std::mem::take(&mut *seats))
    }

    /// Connects to a process with a lower number, as often as it takes, and again if it is lost.
    fn connect(&self, lower: usize) {
        while !self.over.load(Ordering::SeqCst) {
            if self.is_there(lower) {
                thread::sleep(PAUSE);
                continue;
            }
            match self.try_connect(lower) {
                Ok(connection) => self.seat(lower, connection),
                Err(Trouble::Stranger(what)) => self.remark(format!("{} {what}", self.hosts.name(lower))),
                Err(Trouble::Other(what)) => {
                    *locked(&self.refused) = Some(format!("{} {what}", self.hosts.name(lower)));
                    return;
                }
            }
            thread::sleep(PAUSE);
        }
    }

    fn try_connect(&self, lower: usize) -> Result<Connection, Trouble> {
        let unreachable = |error: io::Error| Trouble::Stranger(format!("cannot be reached: {error}"));
        let mut last = io::Error::from(io::ErrorKind::AddrNotAvailable);
        let mut socket = None;
        for address in self.hosts.resolve(lower).map_err(unreachable)? {
            match TcpStream::connect_timeout(&address, ATTEMPT) {
                Ok(connected) => {
                    socket = Some(connected);
                    break;
                }
                Err(error) => last = error,
            }
        }
        let socket = socket.ok_or(last).map_err(unreachable)?;
        let mut connection = greet(socket, Side::Connects, self.key.as_ref(), &self.hello)?;
        if let Some(difference) = self.hello.difference(&connection.theirs) {
            return Err(Trouble::Other(difference));
        }
        if connection.theirs.own as usize != lower {
            return Err(Trouble::Other(format!(
                "is started as process {}; each process has its own line in the list of hosts",
                connection.theirs.own
            )));
        }
        let until = Instant::now() + LIMIT;
        match connection.incoming.take(&|_| before(until))? {
            Kind::Welcome => Ok(connection),
            Kind::Refused => Err(Trouble::Other(format!("refuses: {}", connection.incoming.text()))),
            _ => Err(Trouble::Stranger("sent something unexpected".to_owned())),
        }
    }

    /// Greets whoever has connected from an address, and gives it its seat.
    fn accept(&self, socket: TcpStream, from: SocketAddr) -> Result<(), String> {
        // Whether a socket inherits this from the one that listens depends on the system.
        socket.set_nonblocking(false).map_err(|error| format!("{from}: {error}"))?;
        let mut connection = match greet(socket, Side::Accepts, self.key.as_ref(), &self.hello) {
            Ok(connection) => connection,
            Err(Trouble::Stranger(what) | Trouble::Other(what)) => return Err(format!("{from} {what}")),
        };
        let process = connection.theirs.own as usize;
        if let Some(difference) = self.hello.difference(&connection.theirs) {
            return Err(format!("{} {difference}", self.hosts.name(process)));
        }
        let expected = process > self.own() && process < self.hosts.count();
        let taken = expected && self.lives(process);
        let mut seats = locked(&self.seats);
        if seats.is_empty() {
            return Err(format!("{} has come too late", self.hosts.name(process)));
        }
        let reason = if !expected {
            Some(format!("process {process} is not one that should connect to process {}", self.own()))
        } else if taken || seats[process].is_some() {
            Some(format!("process {process} is here already"))
        } else {
            None
        };
        let until = Instant::now() + LIMIT;
        let (kind, text) = match &reason {
            None => (Kind::Welcome, ""),
            Some(reason) => (Kind::Refused, reason.as_str()),
        };
        let told = connection.outgoing.put(kind, text.as_bytes(), &|| before(until));
        if let Some(reason) = reason {
            return Err(format!("{from} was turned away: {reason}"));
        }
        told.map_err(|error| format!("{} broke off: {error}", self.hosts.name(process)))?;
        seats[process] = Some(Seat::new(connection));
        Ok(())
    }

    /// Whether a process has come that still gives signs of life; if not, its seat is free. Of one whose machine has
    /// failed, or the network to it, nothing is heard, not even an end.
    fn lives(&self, process: usize) -> bool {
        let since = Instant::now();
        let heard = || {
            let mut seats = locked(&self.seats);
            self.try_with(&mut seats, process, Seat::hear);
            Some(seats.get(process)?.as_ref()?.heard())
        };
        let Some(mut before) = heard() else { return false };
        while since.elapsed() < DOUBT {
            thread::sleep(LOOK);
            match heard() {
                None => return false,
                Some(now) if since.elapsed() < OLD => before = now,
                Some(now) if now != before => return true,
                Some(_) => {}
            }
        }
        let mut seats = locked(&self.seats);
        self.try_with(&mut seats, process, |seat| match seat.heard() {
            heard if heard == before => Err("does not answer".to_owned()),
            _ => Ok(()),
        });
        seats.get(process).is_some_and(Option::is_some)
    }

    fn is_there(&self, process: usize) -> bool {
        locked(&self.seats).get(process).is_some_and(Option::is_some)
    }

    fn seat(&self, process: usize, connection: Connection) {
        // When the meeting is over, there are no seats any more.
        if let Some(seat) = locked(&self.seats).get_mut(process) {
            *seat = Some(Seat::new(connection));
        }
    }

    fn remark(&self, remark: String) {
        let mut remarks = locked(&self.remarks);
        if !remarks.contains(&remark) && remarks.len() < MOST_REMARKS {
            remarks.push(remark);
        }
    }

    fn who_is_missing(&self, missing: &[usize]) -> String {
        let names: Vec<String> = missing.iter().map(|&process| self.hosts.name(process)).collect();
        let verb = if names.len() == 1 { "has" } else { "have" };
        format!("{} {verb} not come{}", names.join(", "), self.remarks())
    }

    fn who_is_not_ready(&self) -> String {
        let seats = locked(&self.seats);
        let late = |process: &usize| seats[*process].as_ref().is_some_and(|seat| !seat.is_ready());
        let names: Vec<String> = (0..seats.len()).filter(late).map(|it| self.hosts.name(it)).collect();
        let verb = if names.len() == 1 { "is" } else { "are" };
        format!("{} {verb} not ready{}", names.join(", "), self.remarks())
    }

    fn remarks(&self) -> String {
        locked(&self.remarks).iter().map(|remark| format!("; {remark}")).collect()
    }
}

fn before(until: Instant) -> io::Result<()> {
    if Instant::now() < until { Ok(()) } else { Err(io::ErrorKind::TimedOut.into()) }
}

fn spawn(work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().name("map-meeting".to_owned()).spawn(work).map(drop)
}

/// What a mutex guards. A thread that panicked with it leaves nothing half done: every change is one assignment.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
