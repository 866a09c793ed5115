//! How many bytes the tables take: as they are laid out, with what the allocator adds to each piece.

use std::sync::Arc;

use hashbrown::HashTable;
use map_ir::Value;
use map_semantics::{Control, Message, NodeKind};

/// What the allocator adds to a piece of memory, and rounds it up by.
pub(super) const PIECE: usize = 24;

/// What a hash index has for an entry beside the entry: its place and its hash, at a load between 7/16 and 7/8.
pub(super) const INDEXED: usize = 8 + 8;

/// The same for an index of places alone.
pub(super) const PLACED: usize = 4 + 1;

/// Makes room for more at the end of a large table: not for twice as many, for these tables are a good part of what a search
/// needs.
pub(super) fn make_room<T>(table: &mut Vec<T>, more: usize) {
    if table.capacity() - table.len() < more {
        table.reserve_exact(more.max(LEAST_ROOM).max(table.len() / 8));
    }
}

/// Makes room for one more in an index of places, of which all until now are there. A larger one is made anew in the order
/// of the places: so the items are read one after the other to tell their hashes.
pub(super) fn make_room_in_index(index: &mut HashTable<u32>, hash: impl Fn(u32) -> u64) {
    if index.len() < index.capacity() {
        return;
    }
    let places = index.len();
    // The smaller one need not be there meanwhile.
    *index = HashTable::new();
    index.reserve(places + 1, |_| unreachable!("it is empty"));
    for place in 0..places as u32 {
        index.insert_unique(hash(place), place, |&it| hash(it));
    }
}

/// So many at least are made room for.
const LEAST_ROOM: usize = 64;

/// Something that owns pieces of memory.
pub(super) trait Pieces {
    /// Their bytes, without those of itself.
    fn pieces(&self) -> usize;
}

/// A piece of memory of so many bytes; an empty one takes none.
pub(super) fn piece(bytes: usize) -> usize {
    if bytes == 0 { 0 } else { bytes + PIECE }
}

pub(super) fn pieces_of<T>(items: &[T]) -> usize {
    piece(size_of_val(items))
}

impl Pieces for Control {
    fn pieces(&self) -> usize {
        let variables = self.nodes.iter().map(|node| match &node.kind {
            NodeKind::Activation { variables, .. } => pieces_of(variables),
            NodeKind::Fork { sides, .. } => pieces_of(sides),
            NodeKind::SideOf(_) | NodeKind::Thread(_) => 0,
        });
        pieces_of(&self.nodes) + variables.sum::<usize>()
    }
}

impl Pieces for Vec<Value> {
    fn pieces(&self) -> usize {
        pieces_of(self)
    }
}

impl Pieces for Vec<u32> {
    fn pieces(&self) -> usize {
        pieces_of(self)
    }
}

impl Pieces for Arc<Message> {
    fn pieces(&self) -> usize {
        size_of::<Message>() + PIECE + pieces_of(&self.arguments)
    }
}
