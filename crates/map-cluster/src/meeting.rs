//! How the processes of a cluster find each other.
//!
//! Each listens at its own address and connects to all processes with lower numbers. Whoever does not belong to the
//! cluster is turned away, and the others are waited for as before. A process that is turned away itself ends at once.

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

/// How often what is waited for is looked at.
const LOOK: Duration = Duration::from_millis(10);

/// How long an attempt to connect may take, and how long until the next.
const ATTEMPT: Duration = Duration::from_secs(2);
const PAUSE: Duration = Duration::from_millis(100);

/// Most connections that are greeted at a time, and most remarks that are kept.
const MOST_GREETED: usize = 64;
const MOST_REMARKS: usize = 8;

/// What the threads of a meeting share.
struct Meeting {
    hosts: Hosts,
    key: Option<Key>,
    hello: Hello,
    seats: Mutex<Vec<Option<Connection>>>,
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
    listener: &TcpListener,
    key: Option<&Key>,
    hello: Hello,
    wait: Duration,
    stop: &dyn Fn() -> bool,
) -> Result<Vec<Option<Connection>>, JoinError> {
    let own = hello.own as usize;
    let meeting = Arc::new(Meeting {
        hosts: hosts.clone(),
        key: key.cloned(),
        hello,
        seats: Mutex::new((0..hosts.count()).map(|_| None).collect()),
        remarks: Mutex::default(),
        refused: Mutex::default(),
        over: AtomicBool::new(false),
        greeted: AtomicUsize::new(0),
    });
    let until = Instant::now() + wait;
    let met = meeting.gather(listener, own, until, stop);
    meeting.over.store(true, Ordering::SeqCst);
    let mut connections = std::mem::take(&mut *locked(&meeting.seats));
    met.and_then(|()| all_ready(hosts, &mut connections, until, stop)).inspect_err(|error| {
        let go_on = || Err(io::ErrorKind::TimedOut.into());
        for connection in connections.iter_mut().flatten() {
            // A process that does not hear the reason hears that the connection ends.
            let _ = connection.outgoing.put(Kind::GaveUp, error.to_string().as_bytes(), &go_on);
        }
    })?;
    Ok(connections)
}

impl Meeting {
    /// Lets threads connect and greet until every seat is taken.
    fn gather(
        self: &Arc<Self>,
        listener: &TcpListener,
        own: usize,
        until: Instant,
        stop: &dyn Fn() -> bool,
    ) -> Result<(), JoinError> {
        let failed = |error: io::Error| JoinError::Failed(format!("cannot meet other processes: {error}"));
        listener.set_nonblocking(true).map_err(failed)?;
        for lower in 0..own {
            let meeting = Arc::clone(self);
            spawn(move || meeting.connect(lower)).map_err(failed)?;
        }
        loop {
            if stop() {
                return Err(JoinError::Stopped);
            }
            if let Some(reason) = locked(&self.refused).take() {
                return Err(JoinError::Failed(reason));
            }
            let missing: Vec<usize> = self.missing(own);
            if missing.is_empty() {
                return Ok(());
            }
            if Instant::now() >= until {
                return Err(JoinError::Failed(self.who_is_missing(&missing)));
            }
            match listener.accept() {
                Ok((socket, from)) if self.greeted.load(Ordering::SeqCst) < MOST_GREETED => {
                    self.greeted.fetch_add(1, Ordering::SeqCst);
                    let meeting = Arc::clone(self);
                    let greeted = spawn(move || {
                        if let Err(trouble) = meeting.accept(socket, from) {
                            meeting.remark(trouble);
                        }
                        meeting.greeted.fetch_sub(1, Ordering::SeqCst);
                    });
                    greeted.map_err(failed)?;
                }
                Ok(_) => self.remark("too many connections at a time were turned away".to_owned()),
                Err(_) => thread::sleep(LOOK),
            }
        }
    }

    /// Connects to a process with a lower number, as often as it takes.
    fn connect(&self, lower: usize) {
        while !self.over.load(Ordering::SeqCst) {
            match self.try_connect(lower) {
                Ok(connection) => {
                    self.seat(lower, connection);
                    return;
                }
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
            (Kind::Welcome, _) => Ok(connection),
            (Kind::Refused, _) => Err(Trouble::Other(format!("refuses: {}", connection.incoming.text()))),
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
        let until = Instant::now() + LIMIT;
        let process = connection.theirs.own as usize;
        if let Some(difference) = self.hello.difference(&connection.theirs) {
            return Err(format!("{} {difference}", self.hosts.name(process)));
        }
        let mut seats = locked(&self.seats);
        if seats.is_empty() {
            return Err(format!("{} has come too late", self.hosts.name(process)));
        }
        let reason = if process <= self.hello.own as usize || process >= self.hosts.count() {
            Some(format!("process {process} is not one that should connect to process {}", self.hello.own))
        } else if seats[process].as_ref().is_some_and(|earlier| is_open(&earlier.socket)) {
            Some(format!("process {process} is here already"))
        } else {
            None
        };
        let (kind, text) = match &reason {
            None => (Kind::Welcome, ""),
            Some(reason) => (Kind::Refused, reason.as_str()),
        };
        let told = connection.outgoing.put(kind, text.as_bytes(), &|| before(until));
        if let Some(reason) = reason {
            return Err(format!("{from} was turned away: {reason}"));
        }
        told.map_err(|error| format!("{} broke off: {error}", self.hosts.name(process)))?;
        seats[process] = Some(connection);
        Ok(())
    }

    fn seat(&self, process: usize, connection: Connection) {
        // When the meeting is over, there are no seats any more.
        if let Some(seat) = locked(&self.seats).get_mut(process) {
            *seat = Some(connection);
        }
    }

    fn missing(&self, own: usize) -> Vec<usize> {
        let mut seats = locked(&self.seats);
        for seat in seats.iter_mut().skip(own + 1) {
            // One that has come and gone may come again.
            if seat.as_ref().is_some_and(|connection| !is_open(&connection.socket)) {
                *seat = None;
            }
        }
        (0..seats.len()).filter(|&process| process != own && seats[process].is_none()).collect()
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
        let remarks: String = locked(&self.remarks).iter().map(|remark| format!("; {remark}")).collect();
        format!("{} {verb} not come{remarks}", names.join(", "))
    }
}

/// Tells everybody that this process waits for nobody any more, and waits until all say so. Nobody begins before: until
/// then a process may wait for longer than the others would bear its silence.
fn all_ready(
    hosts: &Hosts,
    connections: &mut [Option<Connection>],
    until: Instant,
    stop: &dyn Fn() -> bool,
) -> Result<(), JoinError> {
    // The last to come has used up its own waiting, or that of the others.
    let until = until.max(Instant::now() + LIMIT) + LIMIT;
    let lost = |process: usize, what: String| JoinError::Failed(format!("{} {what}", hosts.name(process)));
    let go_on = || if stop() { Err(io::ErrorKind::Interrupted.into()) } else { before(until) };
    let broke_off = |process: usize, error: io::Error| match error.kind() {
        io::ErrorKind::Interrupted => JoinError::Stopped,
        io::ErrorKind::TimedOut => lost(process, "is not ready".to_owned()),
        _ => lost(process, format!("ended before the search began: {error}")),
    };
    let mut seated: Vec<(usize, &mut Connection)> = connections
        .iter_mut()
        .enumerate()
        .filter_map(|(process, seat)| Some((process, seat.as_mut()?)))
        .collect();
    for (process, connection) in &mut seated {
        connection.outgoing.put(Kind::Ready, &[], &go_on).map_err(|error| broke_off(*process, error))?;
    }
    for (process, connection) in &mut seated {
        match connection.incoming.take(&|_| go_on()).map_err(|error| broke_off(*process, error))? {
            (Kind::Ready, _) => {}
            (Kind::GaveUp, _) => {
                return Err(lost(*process, format!("gave up: {}", connection.incoming.text())));
            }
            _ => return Err(lost(*process, "sent something unexpected".to_owned())),
        }
    }
    Ok(())
}

fn before(until: Instant) -> io::Result<()> {
    if Instant::now() < until { Ok(()) } else { Err(io::ErrorKind::TimedOut.into()) }
}

/// Whether the other end of a connection, over which nothing is read now, is still there.
fn is_open(socket: &TcpStream) -> bool {
    if socket.set_nonblocking(true).is_err() {
        return false;
    }
    let peeked = socket.peek(&mut [0]);
    socket.set_nonblocking(false).is_ok()
        && match peeked {
            Ok(bytes) => bytes > 0,
            Err(error) => error.kind() == io::ErrorKind::WouldBlock,
        }
}

fn spawn(work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().name("map-meeting".to_owned()).spawn(work).map(drop)
}

/// What a mutex guards. A thread that panicked with it leaves nothing half done: every change is one assignment.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
