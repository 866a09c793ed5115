//! How many bytes the tables take: as they are laid out, with what the allocator adds to each piece.

use map_ir::Value;
use map_semantics::{AgentState, Message, Node, NodeKind};

use super::{After, Agents, Brief, Delivered, LocalEnding, LocalStep, LocalThread, Locals, Owned, Pattern};

/// What the allocator adds to a piece of memory, and rounds it up by.
const PIECE: usize = 24;

/// What a hash index has for an entry beside the entry: its place and its hash, at a load between 7/16 and 7/8.
const INDEXED: usize = 8 + 8;

impl Agents<'_> {
    /// Bytes in use.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
            + self.states.capacity() * (size_of::<Owned>() + INDEXED)
            + self.briefs.capacity() * size_of::<Brief>()
            + self.names.capacity() * size_of::<Box<[map_ir::AgentId]>>()
            + self.locals.capacity() * size_of::<Option<Box<Locals>>>()
            + self.messages.len() * (size_of::<Message>() + PIECE + INDEXED)
            + self.patterns.len() * (size_of::<Pattern>() + 4 + PIECE + INDEXED)
            + self.deliveries.capacity() * (size_of::<(u32, u32, u32)>() + size_of::<Delivered>() + 1)
    }

    /// Counts a state that was interned just now.
    pub(super) fn note_state(&mut self, index: usize) {
        self.bytes += size_of_state(&self.states[index].state);
    }

    pub(super) fn note_locals(&mut self, locals: &Locals) {
        let threads = locals.threads.iter().map(|thread| {
            let LocalThread { acts, timeouts, .. } = thread;
            let steps: usize = acts.iter().chain(timeouts).map(size_of_step).sum();
            size_of::<LocalThread>() + 2 * PIECE + steps
        });
        let crash = locals.crash.as_ref().map_or(0, size_of_step);
        self.bytes += size_of::<Locals>() + 2 * PIECE + threads.sum::<usize>() + crash;
    }

    pub(super) fn note_delivery(&mut self, delivered: &Delivered) {
        self.bytes += size_of_boxed(&delivered.symbols)
            + size_of_boxed(&delivered.names)
            + piece(delivered.counts.bytes());
    }
}

/// A piece of memory of so many bytes; an empty one takes none.
fn piece(bytes: usize) -> usize {
    if bytes == 0 { 0 } else { bytes + PIECE }
}

fn size_of_boxed<T>(items: &[T]) -> usize {
    piece(size_of_val(items))
}

fn size_of_state(state: &AgentState) -> usize {
    let variables = state.control.nodes.iter().map(|node| match &node.kind {
        NodeKind::Activation { variables, .. } => size_of_boxed(variables),
        _ => 0,
    });
    let messages = state.mailbox.iter().map(|message| {
        // A place in a queue, which has room for four at least; the message itself may be shared.
        4 * size_of::<(u64, usize)>() + size_of::<Message>() + PIECE + size_of_boxed(&message.arguments)
    });
    let nodes = piece(state.control.nodes.len() * size_of::<Node>());
    nodes
        + variables.sum::<usize>()
        + messages.sum::<usize>()
        + piece(state.memory.len() * size_of::<Value>())
        + piece(state.calls.len() * size_of::<u32>())
}

fn size_of_step(step: &LocalStep) -> usize {
    let LocalStep { ending, sent, options, ran, entered, .. } = step;
    let ending = match ending {
        LocalEnding::State { after, more, .. } => {
            size_of_after(after) + more.as_ref().map_or(0, |(_, after)| size_of_after(after))
        }
        _ => 0,
    };
    let sent = sent.as_ref().map_or(0, |sent| {
        size_of_boxed(&sent.symbols)
            + size_of_boxed(&sent.names)
            + size_of_boxed(&sent.classes)
            + size_of_boxed(&sent.to)
            + size_of_boxed(&sent.named)
    });
    size_of::<LocalStep>()
        + ending
        + sent
        + size_of_boxed(options)
        + size_of_boxed(ran)
        + size_of_boxed(entered)
}

fn size_of_after(after: &After) -> usize {
    let After { symbols, names, counts, left, .. } = after;
    size_of_boxed(symbols) + size_of_boxed(names) + piece(counts.bytes()) + size_of_boxed(left)
}
