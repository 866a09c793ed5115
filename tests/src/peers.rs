//! Processes that search together, as threads of one process.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, Sender, channel};

use map_verify::{PeerLost, Peers};

/// A block, or the end of a superstep.
type Sent = Option<Vec<u8>>;

/// What comes from one of the others.
struct From {
    arriving: Receiver<Sent>,
    /// What has arrived, and is not taken yet.
    waiting: VecDeque<Sent>,
    /// Whether it has ended this superstep.
    ended: bool,
}

/// One of several threads.
pub struct Thread {
    own: usize,
    to: Vec<Sender<Sent>>,
    from: Vec<From>,
    sent: usize,
}

/// As many threads as are wanted, all connected.
#[must_use]
pub fn threads(count: usize) -> Vec<Thread> {
    let mut threads: Vec<Thread> =
        (0..count).map(|own| Thread { own, to: Vec::new(), from: Vec::new(), sent: 0 }).collect();
    for from in 0..count {
        for to in 0..count {
            let (sender, arriving) = channel();
            threads[from].to.push(sender);
            threads[to].from.push(From { arriving, waiting: VecDeque::new(), ended: from == to });
        }
    }
    threads
}

impl Thread {
    /// Takes what has arrived of this superstep from a process; waits for it if `all` of it is wanted.
    fn take(
        &mut self,
        from: usize,
        all: bool,
        receive: &mut dyn FnMut(usize, &[u8]),
    ) -> Result<(), PeerLost> {
        let its = &mut self.from[from];
        while !its.ended {
            its.waiting.extend(its.arriving.try_iter());
            match its.waiting.pop_front() {
                Some(Some(block)) => receive(from, &block),
                Some(None) => its.ended = true,
                None if all => {
                    let sent =
                        its.arriving.recv().map_err(|_| PeerLost(format!("thread {from} has ended")))?;
                    its.waiting.push_back(sent);
                }
                None => break,
            }
        }
        Ok(())
    }
}

impl Peers for Thread {
    fn count(&self) -> usize {
        self.to.len()
    }

    fn own(&self) -> usize {
        self.own
    }

    fn sent(&self) -> usize {
        self.sent
    }

    fn send(
        &mut self,
        to: usize,
        block: Vec<u8>,
        receive: &mut dyn FnMut(usize, &[u8]),
    ) -> Result<(), PeerLost> {
        self.sent += block.len();
        self.to[to].send(Some(block)).map_err(|_| PeerLost(format!("thread {to} has ended")))?;
        (0..self.count()).try_for_each(|from| self.take(from, false, receive))
    }

    fn meet(&mut self, receive: &mut dyn FnMut(usize, &[u8])) -> Result<(), PeerLost> {
        for (to, sender) in self.to.iter().enumerate().filter(|&(to, _)| to != self.own) {
            sender.send(None).map_err(|_| PeerLost(format!("thread {to} has ended")))?;
        }
        (0..self.count()).try_for_each(|from| self.take(from, true, receive))?;
        let own = self.own;
        self.from.iter_mut().enumerate().for_each(|(from, its)| its.ended = from == own);
        Ok(())
    }
}

/// What each of so many threads makes, which all run at the same time.
///
/// # Panics
/// If one of them does.
pub fn each<T: Send>(count: usize, make: impl Fn(Thread) -> T + Sync) -> Vec<T> {
    std::thread::scope(|scope| {
        let make = &make;
        let running: Vec<_> =
            threads(count).into_iter().map(|peers| scope.spawn(move || make(peers))).collect();
        running.into_iter().map(|it| it.join().expect("no thread panics")).collect()
    })
}
