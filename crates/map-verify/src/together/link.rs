//! The other processes, as the search uses them: blocks are filled record by record, what is sent to oneself arrives
//! at once, and a process that is lost is remembered.

use std::ops::Range;

use crate::peers::{PeerLost, Peers, TogetherError};

/// The processes cannot search together any more.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClusterLost;

/// A block is sent once it has this many bytes.
const FULL: usize = 1 << 16;

/// Takes what arrives: the process that sent it, and a block.
pub(crate) type Receive<'r> = dyn FnMut(usize, &[u8]) + 'r;

/// The link to all processes, itself included.
pub(crate) struct Link<'p> {
    peers: &'p mut dyn Peers,
    /// By process: the block being filled.
    blocks: Vec<Vec<u8>>,
    /// Why it is over, once it is.
    over: Option<TogetherError>,
}

impl<'p> Link<'p> {
    pub(crate) fn new(peers: &'p mut dyn Peers) -> Self {
        let blocks = vec![Vec::new(); peers.count()];
        Self { peers, blocks, over: None }
    }

    /// Number of processes.
    pub(crate) fn count(&self) -> usize {
        self.blocks.len()
    }

    /// The number of this process.
    pub(crate) fn own(&self) -> usize {
        self.peers.own()
    }

    /// Bytes that this process has sent to others.
    pub(crate) fn sent(&self) -> usize {
        self.peers.sent()
    }

    /// Why the search is over, if it had to end early.
    pub(crate) fn over(self) -> Option<TogetherError> {
        self.over
    }

    /// Ends the search, in all processes for the same reason.
    pub(crate) fn end(&mut self, why: TogetherError) -> ClusterLost {
        self.over.get_or_insert(why);
        ClusterLost
    }

    /// The block to a process, to which records may be appended. It must be [`Link::send_full`] after that.
    pub(crate) fn block(&mut self, to: usize) -> &mut Vec<u8> {
        &mut self.blocks[to]
    }

    /// Sends the block to a process if it is full. Whether it was.
    pub(crate) fn send_full(&mut self, to: usize, receive: &mut Receive<'_>) -> Result<bool, ClusterLost> {
        if self.blocks[to].len() < FULL {
            return Ok(false);
        }
        self.send(to, receive).map(|()| true)
    }

    fn send(&mut self, to: usize, receive: &mut Receive<'_>) -> Result<(), ClusterLost> {
        if self.over.is_some() {
            return Err(ClusterLost);
        }
        let block = std::mem::take(&mut self.blocks[to]);
        if to == self.own() {
            receive(to, &block);
            return Ok(());
        }
        let sent = self.peers.send(to, block, receive);
        self.keep(sent)
    }

    /// Sends what is left and ends the superstep: then everything that was sent in it has arrived.
    pub(crate) fn meet(&mut self, receive: &mut Receive<'_>) -> Result<(), ClusterLost> {
        for to in 0..self.count() {
            if !self.blocks[to].is_empty() {
                self.send(to, receive)?;
            }
        }
        if self.over.is_some() {
            return Err(ClusterLost);
        }
        let met = self.peers.meet(receive);
        self.keep(met)
    }

    /// Tells all processes something in a superstep of its own; returns what each has told.
    pub(crate) fn tell(&mut self, told: &[u8]) -> Result<Vec<Vec<u8>>, ClusterLost> {
        self.tell_some(0..self.count(), told)
    }

    /// The same, but it is only told to the first process; the others are told nothing.
    pub(crate) fn tell_first(&mut self, told: &[u8]) -> Result<Vec<Vec<u8>>, ClusterLost> {
        self.tell_some(0..1, told)
    }

    fn tell_some(&mut self, to: Range<usize>, told: &[u8]) -> Result<Vec<Vec<u8>>, ClusterLost> {
        let mut all = vec![Vec::new(); self.count()];
        for to in to {
            for part in told.chunks(FULL) {
                self.blocks[to].extend_from_slice(part);
                self.send(to, &mut |from, block| all[from].extend_from_slice(block))?;
            }
        }
        self.meet(&mut |from, block| all[from].extend_from_slice(block))?;
        Ok(all)
    }

    /// The sum of a number over all processes.
    pub(crate) fn sum(&mut self, number: u64) -> Result<u64, ClusterLost> {
        let all = self.tell(&number.to_le_bytes())?;
        let number = |told: &Vec<u8>| told.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
        Ok(all.iter().map(number).sum())
    }

    fn keep(&mut self, result: Result<(), PeerLost>) -> Result<(), ClusterLost> {
        result.map_err(|lost| self.end(TogetherError::Lost(lost)))
    }
}
