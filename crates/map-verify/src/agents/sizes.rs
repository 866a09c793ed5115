//! Memory accounting of the tables, including allocator overhead.

use std::sync::Arc;

use hashbrown::HashTable;
use map_ir::Value;
use map_semantics::{Control, Message, NodeKind};
use map_store::Full;

/// Estimated overhead of the allocator for each allocation, rounding included.
pub(super) const ALLOCATION_OVERHEAD: usize = 24;

/// Bytes per entry of an `IndexSet` besides the entry: its place and its hash, at a load between 7/16 and 7/8.
pub(super) const INDEXED: usize = 8 + 8;

/// The same for a hash table of places alone.
pub(super) const PLACED: usize = 4 + 1;

/// Makes room for at least one more item, as much as [`make_room`] does.
///
/// # Errors
/// [`Full`] if the system has no memory for it.
pub(super) fn try_make_room<T>(table: &mut Vec<T>) -> Result<(), Full> {
    if table.capacity() - table.len() < LEAST_ROOM {
        let more = LEAST_ROOM.max(table.len() / 8);
        table.try_reserve_exact(more).map_err(|_| Full)?;
    }
    Ok(())
}

/// Reserves room for `more` items. Grows by an eighth, not twofold: these tables are a good part of the memory of a
/// search.
pub(super) fn make_room<T>(table: &mut Vec<T>, more: usize) {
    if table.capacity() - table.len() < more {
        table.reserve_exact(more.max(LEAST_ROOM).max(table.len() / 8));
    }
}

/// Reserves room for one more in an index that holds all places `0..len`. A larger index is rebuilt in the order of
/// the places, so that the items are read sequentially to compute their hashes.
pub(super) fn make_room_in_index(index: &mut HashTable<u32>, hash: impl Fn(u32) -> u64) {
    if index.len() < index.capacity() {
        return;
    }
    let places = index.len();
    // Frees the smaller one first.
    *index = HashTable::new();
    index.reserve(places + 1, |_| unreachable!("it is empty"));
    for place in 0..places as u32 {
        index.insert_unique(hash(place), place, |&it| hash(it));
    }
}

/// Minimum number of items reserved at once.
const LEAST_ROOM: usize = 64;

/// A value that owns heap allocations.
pub(super) trait HeapBytes {
    /// Bytes of these allocations, overhead included, without the value itself.
    fn heap_bytes(&self) -> usize;
}

/// Bytes taken by an allocation of this size; an empty one takes none.
pub(super) fn allocation_bytes(bytes: usize) -> usize {
    if bytes == 0 { 0 } else { bytes + ALLOCATION_OVERHEAD }
}

pub(super) fn slice_bytes<T>(items: &[T]) -> usize {
    allocation_bytes(size_of_val(items))
}

impl HeapBytes for Control {
    fn heap_bytes(&self) -> usize {
        let variables = self.nodes.iter().map(|node| match &node.kind {
            NodeKind::Activation { variables, .. } => slice_bytes(variables),
            NodeKind::Fork { sides, .. } => slice_bytes(sides),
            NodeKind::SideOf(_) | NodeKind::Thread(_) => 0,
        });
        slice_bytes(&self.nodes) + variables.sum::<usize>()
    }
}

impl HeapBytes for Vec<Value> {
    fn heap_bytes(&self) -> usize {
        slice_bytes(self)
    }
}

impl HeapBytes for Vec<u32> {
    fn heap_bytes(&self) -> usize {
        slice_bytes(self)
    }
}

impl HeapBytes for Arc<Message> {
    fn heap_bytes(&self) -> usize {
        size_of::<Message>() + ALLOCATION_OVERHEAD + slice_bytes(&self.arguments)
    }
}
