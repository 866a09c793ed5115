//! What agent states have in common that differ only in messages at which no receive looks.
//!
//! Where mailboxes are queues and states are interned as they are, the steps of a state are kept under its parts but the
//! mailbox and then, message by message, under what its receives looked at. A state that agrees in these has the same
//! steps, but for the numbers of new symbols and what becomes of the rest of its mailbox.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use map_ir::PerformativeId;
use map_semantics::Look;
use rustc_hash::FxBuildHasher;

use super::sizes::{PIECE, make_room, pieces_of};

/// The steps of states that are alike.
pub(super) struct Common {
    pub(super) shape: u32,
    /// What the states that follow have in common.
    pub(super) following: Box<[CommonFollowing]>,
    /// From which number on symbols are new.
    pub(super) symbols: u32,
}

/// A state that follows, but for its mailbox.
pub(super) struct CommonFollowing {
    /// The number of its parts.
    pub(super) parts: u32,
    /// Which symbol each of those is that the parts hold.
    pub(super) symbols: Box<[u32]>,
    /// Which message is taken: its performative, and how many of that are older.
    pub(super) taken: Option<(PerformativeId, u32)>,
}

/// All that is kept: trees of questions after the messages of a mailbox.
#[derive(Default)]
pub(super) struct Alike {
    /// The first node for the parts of each number, or [`NONE`].
    roots: Vec<u32>,
    nodes: Vec<Node>,
    /// The node after one, by the message that was found there.
    next: HashMap<(u32, u32), u32, FxBuildHasher>,
    kept: Vec<Arc<Common>>,
    /// Bytes of what is kept.
    pieces: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Node {
    New,
    /// Which is the next message of that performative?
    Look(PerformativeId),
    /// Nothing more is asked.
    Kept(u32),
}

/// There is no further message, or no node.
const NONE: u32 = u32::MAX;

/// What takes more questions is not kept: hardly a state would be alike.
const MOST_LOOKS: usize = 64;

/// The messages of a mailbox, read by performative.
struct Reader<'m, P> {
    messages: &'m [u32],
    performative_of: P,
    read: &'m mut Read,
}

/// How far the messages of a performative were read.
pub(super) type Read = Vec<(PerformativeId, usize)>;

impl<'m, P: Fn(u32) -> PerformativeId> Reader<'m, P> {
    fn new(messages: &'m [u32], performative_of: P, read: &'m mut Read) -> Self {
        read.clear();
        Self { messages, performative_of, read }
    }

    /// The next message of a performative that stands before `end`, or [`NONE`].
    fn next(&mut self, performative: PerformativeId, end: usize) -> Option<u32> {
        let Self { messages, performative_of, read } = self;
        let known = read.iter().position(|&(it, _)| it == performative);
        let known = known.unwrap_or_else(|| {
            read.push((performative, 0));
            read.len() - 1
        });
        let at = &mut read[known].1;
        let rest = messages.get(*at..end).unwrap_or_default();
        let further = rest.iter().position(|&message| performative_of(message) == performative);
        *at = further.map_or(end.max(*at), |further| *at + further + 1);
        further.map(|_| messages[*at - 1])
    }
}

impl Alike {
    /// What is kept of states like the one with the parts of this number, and with these messages.
    pub(super) fn find(
        &self,
        (parts, messages): (u32, &[u32]),
        performative_of: impl Fn(u32) -> PerformativeId,
        read: &mut Read,
    ) -> Option<&Arc<Common>> {
        let mut node = *self.roots.get(parts as usize).filter(|&&root| root != NONE)?;
        let mut reader = Reader::new(messages, performative_of, read);
        loop {
            match self.nodes[node as usize] {
                Node::New => return None,
                Node::Look(performative) => {
                    let message = reader.next(performative, messages.len()).unwrap_or(NONE);
                    node = *self.next.get(&(node, message))?;
                }
                Node::Kept(place) => return Some(&self.kept[place as usize]),
            }
        }
    }

    /// Keeps what was found for the state with the parts of this number, and with these messages, whose receives looked
    /// so far. Arrivals are places in the mailbox.
    pub(super) fn keep(
        &mut self,
        (parts, messages): (u32, &[u32]),
        performative_of: impl Fn(u32) -> PerformativeId,
        looks: &[Look],
        common: &Arc<Common>,
    ) {
        let mut read = Read::new();
        let mut reader = Reader::new(messages, performative_of, &mut read);
        let mut questions = Vec::new();
        for &Look { performative, last } in looks {
            let end = last.map_or(messages.len(), |last| last as usize + 1);
            while let Some(message) = reader.next(performative, end) {
                questions.push((performative, message));
            }
            if last.is_none() {
                questions.push((performative, NONE));
            }
        }
        // Sometimes few in debug builds, so that tests see both.
        let most = if cfg!(debug_assertions) && self.nodes.len() % 2 == 1 { 3 } else { MOST_LOOKS };
        if questions.len() > most {
            return;
        }
        let Self { roots, nodes, next, kept, pieces } = self;
        if roots.len() <= parts as usize {
            roots.resize(parts as usize + 1, NONE);
        }
        let root = &mut roots[parts as usize];
        if *root == NONE {
            *root = new_node(nodes);
        }
        let mut node = *root;
        for (performative, message) in questions {
            let known = &mut nodes[node as usize];
            if ![Node::New, Node::Look(performative)].contains(known) {
                debug_assert!(false, "answers say what is asked");
                return;
            }
            *known = Node::Look(performative);
            node = *next.entry((node, message)).or_insert_with(|| new_node(nodes));
        }
        debug_assert_eq!(nodes[node as usize], Node::New, "it was looked for");
        nodes[node as usize] = Node::Kept(kept.len() as u32);
        *pieces += common.pieces();
        make_room(kept, 1);
        kept.push(Arc::clone(common));
    }

    pub(super) fn bytes(&self) -> usize {
        self.roots.capacity() * size_of::<u32>()
            + bytes_of_map(&self.next)
            + self.nodes.capacity() * size_of::<Node>()
            + self.kept.capacity() * size_of::<Arc<Common>>()
            + self.pieces
    }
}

fn new_node(nodes: &mut Vec<Node>) -> u32 {
    make_room(nodes, 1);
    nodes.push(Node::New);
    u32::try_from(nodes.len() - 1).expect("fewer than 2^32 messages are looked at")
}

/// The bytes of a hash table: at most seven eighths are in use, each with a byte of its hash.
pub(super) fn bytes_of_map<K: Eq + Hash, V>(map: &HashMap<K, V, FxBuildHasher>) -> usize {
    map.capacity() * 8 / 7 * (size_of::<(K, V)>() + 1)
}

impl Common {
    /// The bytes of it and of what it owns.
    fn pieces(&self) -> usize {
        let symbols = self.following.iter().map(|it| pieces_of(&it.symbols));
        let own = 2 * size_of::<usize>() + size_of::<Self>() + PIECE;
        own + pieces_of(&self.following) + symbols.sum::<usize>()
    }
}
