//! Blocks as timely carries them: one block is one message, written as it is and read in place.

use std::io::Write;

use timely::Accountable;
use timely::bytes::arc::Bytes;
use timely::communication::Push;
use timely::dataflow::channels::pushers::exchange::Distributor;
use timely::dataflow::channels::{ContainerBytes, Message};

/// Bytes in front of a block: sender, length, number.
const HEAD: usize = 16;

/// A block with the processes it goes from and to. Timely leaves an empty one where it has taken one away.
#[derive(Clone, Default)]
pub(crate) struct Block {
    pub(crate) to: usize,
    pub(crate) from: usize,
    /// How many blocks this sender has sent to this recipient before.
    pub(crate) number: u64,
    content: Content,
}

#[derive(Clone, Default)]
enum Content {
    #[default]
    Nothing,
    Own(Vec<u8>),
    Arrived(Bytes),
}

impl Block {
    pub(crate) fn new(from: usize, to: usize, number: u64, bytes: Vec<u8>) -> Self {
        Self { to, from, number, content: Content::Own(bytes) }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        match &self.content {
            Content::Nothing => &[],
            Content::Own(bytes) => bytes,
            Content::Arrived(bytes) => bytes,
        }
    }
}

/// A block counts as one record.
impl Accountable for Block {
    fn record_count(&self) -> i64 {
        i64::from(!matches!(self.content, Content::Nothing))
    }
}

/// Timely wants messages to be multiples of 8 bytes.
impl ContainerBytes for Block {
    fn from_bytes(mut bytes: Bytes) -> Self {
        let mut head = [0; HEAD];
        head.copy_from_slice(&bytes.extract_to(HEAD));
        let [a, b, c, d, e, f, g, h, number @ ..] = head;
        let from = u32::from_le_bytes([a, b, c, d]) as usize;
        let length = u32::from_le_bytes([e, f, g, h]) as usize;
        let content = bytes.extract_to(length);
        Self { to: 0, from, number: u64::from_le_bytes(number), content: Content::Arrived(content) }
    }

    fn length_in_bytes(&self) -> usize {
        HEAD + self.bytes().len().next_multiple_of(8)
    }

    fn into_bytes<W: Write>(&self, writer: &mut W) {
        let bytes = self.bytes();
        let head = [(self.from as u32).to_le_bytes(), (bytes.len() as u32).to_le_bytes()];
        let padding = &[0; 8][..bytes.len().next_multiple_of(8) - bytes.len()];
        for part in [&head.concat(), &self.number.to_le_bytes()[..], bytes, padding] {
            writer.write_all(part).expect("timely has made room for the length");
        }
    }
}

/// Hands each block to the process that it is for.
pub(crate) struct ByRecipient;

impl Distributor<Block> for ByRecipient {
    fn partition<T: Clone, P: Push<Message<T, Block>>>(
        &mut self,
        block: &mut Block,
        time: &T,
        pushers: &mut [P],
    ) {
        let to = block.to;
        Message::push_at(block, time.clone(), &mut pushers[to]);
    }

    fn flush<T: Clone, P: Push<Message<T, Block>>>(&mut self, _time: &T, _pushers: &mut [P]) {}
}
