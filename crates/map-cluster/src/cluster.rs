//! Supersteps as a dataflow of timely.
//!
//! The dataflow has one input, of blocks; one edge, which takes each to its recipient; and one operator, which sets
//! them aside. The time of a block is the number of its superstep. A process that has ended a superstep moves its input
//! on, and timely finds out when no process has blocks of it any more, nor can have.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::collections::VecDeque;
use std::io;
use std::mem;
use std::net::TcpListener;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering as Atomic;
use std::thread;
use std::time::{Duration, Instant};

use map_verify::{PeerLost, Peers};
use timely::WorkerConfig;
use timely::communication::Hooks;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::allocator::{Allocator, ProcessBuilder};
use timely::container::{CapacityContainerBuilder, NoopBuilder};
use timely::dataflow::channels::pact::DistributorPact;
use timely::dataflow::operators::generic::Operator;
use timely::dataflow::operators::{Input, Probe};
use timely::dataflow::{InputHandle, ProbeHandle};
use timely::worker::Worker;

use crate::blocks::{Block, ByRecipient};
use crate::greeting::Hello;
use crate::hosts::Hosts;
use crate::key::Key;
use crate::link::{Link, Pipe, Shared};
use crate::{JoinError, Timing, meeting};

/// Bytes of blocks that may be under way to a process before sending to it waits.
const WINDOW: usize = 16 << 20;

/// Bytes of blocks that a process takes from another before it says so.
const CREDIT: usize = 1 << 20;

/// How long to wait for something to happen before looking around.
const PARK: Duration = Duration::from_millis(50);

/// How long a process waits for its address, which the one before it may have until it notices that the others have
/// ended.
const ADDRESS: Duration = Duration::from_secs(5);

/// How long a process that gives up waits until the others have heard why.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// Blocks that have arrived, with their supersteps.
type Arrived = Rc<RefCell<VecDeque<(u64, Block)>>>;

/// This process as a member of a cluster. It stays with the thread that made it.
pub struct Cluster {
    own: usize,
    superstep: u64,
    shared: Arc<Shared>,
    links: Vec<Option<Arc<Link>>>,
    patience: Duration,
    /// Both are there until this process leaves.
    input: Option<InputHandle<u64, NoopBuilder<Block>>>,
    worker: Option<Worker>,
    probe: ProbeHandle<u64>,
    arrived: Arrived,
    /// Blocks of the next superstep, of processes that have left this one before this process has.
    early: VecDeque<(u64, Block)>,
    /// For each process, the blocks sent to it, and those received from it.
    sent: Vec<u64>,
    received: Vec<u64>,
    /// For each process, the bytes sent to it that it has not taken, and those taken from it that it does not know of.
    under_way: Vec<usize>,
    owed: Vec<usize>,
}

impl Cluster {
    /// Meets the other processes at their addresses, and begins. All have to give the same `identity`: names and
    /// contents of what they must agree on, with digests for what is long. Asks `stop` again and again.
    ///
    /// # Errors
    /// If not all come in time, or this process does not belong to them, or was stopped.
    pub fn join(
        hosts: &Hosts,
        own: usize,
        key: Option<&Key>,
        identity: &[(String, String)],
        timing: Timing,
        stop: &dyn Fn() -> bool,
    ) -> Result<Self, JoinError> {
        let name = hosts.name(own);
        let cannot = |error| JoinError::Failed(format!("{name} cannot listen at its address: {error}"));
        if own >= hosts.count() {
            return Err(JoinError::Failed(format!(
                "there is no process {own}: {} are listed",
                hosts.count()
            )));
        }
        // Nobody connects to the last one.
        let listener = if own + 1 == hosts.count() {
            None
        } else {
            let addresses = hosts.resolve(own).map_err(cannot)?;
            let until = Instant::now() + timing.wait.min(ADDRESS);
            loop {
                match TcpListener::bind(addresses.as_slice()) {
                    Err(error) if error.kind() == io::ErrorKind::AddrInUse && Instant::now() < until => {
                        if stop() {
                            return Err(JoinError::Stopped);
                        }
                        thread::sleep(PARK);
                    }
                    listener => break Some(listener.map_err(cannot)?),
                }
            }
        };
        Self::join_with(listener.as_ref(), hosts, own, key, identity, timing, stop)
    }

    /// As [`Cluster::join`], where this process listens already.
    ///
    /// # Errors
    /// As for [`Cluster::join`].
    pub fn join_at(
        listener: &TcpListener,
        hosts: &Hosts,
        own: usize,
        key: Option<&Key>,
        identity: &[(String, String)],
        timing: Timing,
        stop: &dyn Fn() -> bool,
    ) -> Result<Self, JoinError> {
        Self::join_with(Some(listener), hosts, own, key, identity, timing, stop)
    }

    fn join_with(
        listener: Option<&TcpListener>,
        hosts: &Hosts,
        own: usize,
        key: Option<&Key>,
        identity: &[(String, String)],
        timing: Timing,
        stop: &dyn Fn() -> bool,
    ) -> Result<Self, JoinError> {
        if let (None, Some(process)) = (key, hosts.beyond_this_machine()) {
            return Err(JoinError::Failed(format!(
                "{} may be another machine: without a key, only processes on one machine can search together \
                 (127.0.0.1, [::1] or localhost)",
                hosts.name(process)
            )));
        }
        let number = |number: usize| {
            u32::try_from(number).map_err(|_| JoinError::Failed("there are too many processes".to_owned()))
        };
        let hello = Hello {
            own: number(own)?,
            count: number(hosts.count())?,
            patience: timing.patience,
            identity: identity.to_vec(),
        };
        let connections = meeting::meet(hosts, listener, key, hello, timing.wait, stop)?;
        let shared = Arc::new(Shared::new());
        let links = connections.into_iter().enumerate().map(|(process, connection)| {
            Some(Link::new(connection?, hosts.name(process), timing.patience, Arc::clone(&shared)))
        });
        Self::begin(own, links.collect(), shared, timing.patience)
            .map_err(|error| JoinError::Failed(format!("the system has no threads to give: {error}")))
    }

    fn begin(
        own: usize,
        links: Vec<Option<Arc<Link>>>,
        shared: Arc<Shared>,
        patience: Duration,
    ) -> io::Result<Self> {
        for link in links.iter().flatten() {
            let link = Arc::clone(link);
            thread::Builder::new().name("map-heartbeat".to_owned()).spawn(move || link.keep_alive())?;
        }
        let hooks = Hooks::default();
        let local = ProcessBuilder::new_typed_vector(1, hooks.refill.clone(), None);
        let pipes = links.iter().map(|link| link.as_ref().map(|link| Pipe(Arc::clone(link)))).collect();
        let (mut builders, threads) = initialize_networking_from_sockets(local, pipes, own, 1, hooks)?;
        // Waiting for these threads would panic if one of them was let go by force. They hold nothing but their link.
        mem::forget(threads);
        let builder = builders.pop().ok_or(io::ErrorKind::Other)?;
        // Without a clock, a worker never sleeps.
        let allocator = Allocator::Tcp(builder.build());
        let mut worker = Worker::new(WorkerConfig::default(), allocator, Some(Instant::now()));
        let probe = ProbeHandle::new();
        let arrived = Arrived::default();
        let input = worker.dataflow::<u64, _, _>(|scope| {
            let (input, blocks) = scope.new_input_with_builder::<NoopBuilder<Block>>();
            let arrived = Rc::clone(&arrived);
            let by_recipient = DistributorPact(|_peers| ByRecipient);
            blocks
                .unary::<CapacityContainerBuilder<Vec<()>>, _, _, _>(by_recipient, "Blocks", move |_, _| {
                    move |input, _| {
                        input.for_each(|time, block| {
                            arrived.borrow_mut().push_back((*time.time(), mem::take(block)));
                        });
                    }
                })
                .probe_with(&probe);
            input
        });
        let count = links.len();
        Ok(Self {
            own,
            superstep: 0,
            shared,
            links,
            patience,
            input: Some(input),
            worker: Some(worker),
            probe,
            arrived,
            early: VecDeque::new(),
            sent: vec![0; count],
            received: vec![0; count],
            under_way: vec![0; count],
            owed: vec![0; count],
        })
    }

    /// Ends well, after the last superstep. Returns when the other processes have everything that was sent to them.
    pub fn leave(mut self) {
        self.end();
        let links = || self.links.iter().flatten();
        let done = || links().all(|link| link.has_parted()) || self.shared.has_failed();
        self.shared.wait_until(done, self.patience);
    }

    /// Tells the other processes that this one gives up, and why.
    pub fn give_up(mut self, reason: &str) {
        self.shared.fail(reason.to_owned());
        self.end();
        let links = || self.links.iter().flatten();
        links().for_each(|link| link.give_up(reason));
        self.shared.wait_until(|| links().all(|link| link.has_parted()), LAST_WORDS.min(self.patience));
    }

    /// Ends the dataflow. The threads that send see that nothing follows, and say goodbye unless the cluster failed.
    fn end(&mut self) {
        let (input, worker) = (self.input.take(), self.worker.take());
        if thread::panicking() {
            // Timely would have its threads panic as well, where one message is enough.
            mem::forget((input, worker));
        }
    }

    /// Steps the worker, for which it waits a little if nothing is to be done, and takes what has arrived.
    fn turn(&mut self, wait: Duration, receive: &mut dyn FnMut(usize, &[u8])) -> Result<(), PeerLost> {
        let left = |link: &&Arc<Link>| link.left_after().is_some_and(|after| after <= self.superstep);
        if let Some(link) = self.links.iter().flatten().find(left) {
            self.fail(format!("{} has left", link.name()))?;
        }
        if let Some(failure) = self.shared.failure() {
            return Err(PeerLost(failure));
        }
        if let Some(worker) = &mut self.worker {
            worker.step_or_park(Some(wait));
        }
        let mut arrived = mem::take(&mut self.early);
        arrived.append(&mut self.arrived.borrow_mut());
        for (superstep, block) in arrived {
            match superstep.cmp(&self.superstep) {
                Ordering::Less => self.fail("a block arrived after its superstep".to_owned())?,
                Ordering::Equal => self.take(&block, receive)?,
                Ordering::Greater => self.early.push_back((superstep, block)),
            }
        }
        for (link, under_way) in self.links.iter().zip(&mut self.under_way) {
            if let Some(link) = link {
                *under_way = under_way.saturating_sub(link.taken.swap(0, Atomic::SeqCst));
            }
        }
        Ok(())
    }

    fn fail(&self, reason: String) -> Result<(), PeerLost> {
        self.shared.fail(reason.clone());
        Err(PeerLost(reason))
    }

    /// Passes a block on, and lets its sender know in time that there is room again.
    fn take(&mut self, block: &Block, receive: &mut dyn FnMut(usize, &[u8])) -> Result<(), PeerLost> {
        let (from, bytes) = (block.from, block.bytes());
        if self.received.get(from) != Some(&block.number) {
            return self.fail(format!("block {} of process {from} arrived out of its order", block.number));
        }
        self.received[from] += 1;
        receive(from, bytes);
        let Some(link) = &self.links[from] else {
            self.under_way[from] = self.under_way[from].saturating_sub(bytes.len());
            return Ok(());
        };
        self.owed[from] += bytes.len();
        if self.owed[from] >= CREDIT {
            link.credit(mem::take(&mut self.owed[from]));
        }
        Ok(())
    }
}

impl Peers for Cluster {
    fn count(&self) -> usize {
        self.links.len()
    }

    fn own(&self) -> usize {
        self.own
    }

    fn sent(&self) -> usize {
        self.shared.sent.load(Atomic::Relaxed) as usize
    }

    fn send(
        &mut self,
        to: usize,
        block: Vec<u8>,
        receive: &mut dyn FnMut(usize, &[u8]),
    ) -> Result<(), PeerLost> {
        self.turn(Duration::ZERO, receive)?;
        while self.under_way[to] >= WINDOW {
            self.turn(PARK, receive)?;
        }
        if u32::try_from(block.len()).is_err() {
            self.fail(format!("a block of {} bytes is too large", block.len()))?;
        }
        self.under_way[to] += block.len();
        let mut block = Block::new(self.own, to, self.sent[to], block);
        self.sent[to] += 1;
        if let Some(input) = &mut self.input {
            input.send_batch(&mut block);
        }
        Ok(())
    }

    fn meet(&mut self, receive: &mut dyn FnMut(usize, &[u8])) -> Result<(), PeerLost> {
        let next = self.superstep + 1;
        if let Some(input) = &mut self.input {
            input.advance_to(next);
        }
        while self.probe.less_than(&next) {
            self.turn(PARK, receive)?;
        }
        self.superstep = next;
        self.shared.supersteps.store(next, Atomic::SeqCst);
        Ok(())
    }
}

/// Closes all connections at once, without a goodbye.
impl Drop for Cluster {
    fn drop(&mut self) {
        self.shared.fail("the search is over".to_owned());
        self.end();
        self.shared.release();
        self.links.iter().flatten().for_each(|link| link.close());
    }
}
