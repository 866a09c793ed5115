//! The visited set: global states as vectors of words, stored exactly as trees of pairs.
//!
//! This is tree compression (A. Laarman, J. van de Pol and M. Weber, "Parallel recursive state compression for free",
//! 2011). [`super::layout`] describes the vectors. A local state and its tail, packed four words to one if they are
//! small, form a leaf; the slots of a class form one leaf together ([`bag`]). The leaves are folded pairwise into a
//! tree of fixed shape, and its two topmost words are the key of the state, so equal keys mean equal vectors.
//!
//! The shape keeps the number of inner nodes low. Tails are stored with their local states, because parts of the
//! scene are more independent of each other than a local state is of what it holds. The agents of a part, which have
//! few states together, share a subtree. An agent alone in its part, which tends to interact with all others, is
//! placed near the root, so that its steps create few nodes.

mod bag;
mod nodes;
mod shape;

use std::io;
use std::num::NonZeroUsize;
use std::ops::Range;

use map_store::{Full, Keys, Pairs, Spare, Tuning};

use bag::Folded;
use nodes::{IN_BYTES, IN_WORDS, KIND, NodeCache};

use crate::saved::{In, Out, misfit};

pub(crate) use shape::TreeShape;

/// Identifies a state: the two topmost words of its tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key(pub(crate) u64);

/// The visited states, numbered.
pub(crate) struct Store {
    /// Inner nodes of the trees.
    nodes: Pairs,
    pub(crate) keys: Keys,
    shape: TreeShape,
    /// Number of low bits of a key's word. The key is narrow if both words fit into these.
    low: u32,
}

/// Buffers of one thread: the tree of the current vector, so that subtrees shared with its successors need no
/// look-up.
#[derive(Default)]
pub(crate) struct Folder {
    /// The vector loaded last; then the ends of the tails of its singles and of each class.
    source: Vec<u32>,
    ends: Vec<usize>,
    /// The end of each class's slots in it.
    slot_ends: Vec<usize>,
    /// Its tree, level by level.
    source_tree: Vec<u32>,
    /// The tree of the current successor.
    tree: Vec<u32>,
    packed: Vec<u32>,
    leaves: Vec<u32>,
    /// By class: the bag folded last.
    bags: Vec<Folded>,
    /// The tails of the vector being loaded.
    tails: Vec<u32>,
    nodes: NodeCache,
}

impl Folder {
    /// Size of the cache in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.nodes.bytes()
    }
}

impl Store {
    /// An empty store for vectors of this shape, filled by `threads` threads.
    pub(crate) fn new(shape: TreeShape, threads: NonZeroUsize, tuning: Tuning) -> Self {
        let (nodes, keys) = (Pairs::new(threads, tuning), Keys::new(threads, tuning));
        Self { nodes, keys, shape, low: tuning.narrow.bits() / 2 }
    }

    /// Number of states, without those of the current batch.
    pub(crate) fn len(&self) -> usize {
        self.keys.committed() as usize
    }

    /// The key of a vector. Its singles, with their tails, may differ from those of the vector loaded last only
    /// within `altered`. `tail` gives the length of a local state's tail.
    pub(crate) fn key(
        &self,
        folder: &mut Folder,
        words: &[u32],
        altered: Range<usize>,
        tail: impl Fn(u32) -> usize,
    ) -> Result<Key, Full> {
        let end = self.fold_singles(folder, words, altered, &tail)?;
        self.fold_classes(folder, words, end, &tail)?;
        let Folder { source_tree, tree, nodes, .. } = folder;
        let leaves = self.shape.leaves();
        // No tree is loaded yet.
        let is_like = source_tree.len() == leaves + self.shape.folds.len();
        tree.resize(leaves + self.shape.folds.len(), 0);
        for (index, &(left, right)) in self.shape.folds.iter().enumerate() {
            let pair = (tree[left], tree[right]);
            tree[leaves + index] = if is_like && (source_tree[left], source_tree[right]) == pair {
                source_tree[leaves + index]
            } else {
                nodes.number(&self.nodes, pair.0, pair.1)?
            };
        }
        let top = self.shape.top.map(|place| place.map_or(0, |place| tree[place]));
        Ok(Key(join(top, self.low)))
    }

    /// Folds the leaves of the singles; returns the end of their tails.
    fn fold_singles(
        &self,
        folder: &mut Folder,
        words: &[u32],
        altered: Range<usize>,
        tail: &impl Fn(u32) -> usize,
    ) -> Result<usize, Full> {
        let Folder { source, ends, source_tree, tree, packed, nodes, .. } = folder;
        let singles = self.shape.singles;
        let is_first = ends.is_empty();
        let altered = if is_first { 0..singles } else { altered };
        tree.clear();
        tree.extend_from_slice(&source_tree[..altered.start]);
        let (first, source_first) = (self.first_tail(words), self.first_tail(source));
        let mut source_end = if altered.start == 0 { source_first } else { ends[altered.start - 1] };
        let mut end = source_end + first - source_first;
        for place in altered.clone() {
            let (start, word) = (end, words[place]);
            if is_first {
                end = start + self.tail_at(place, word, tail);
            } else {
                let held = &source[source_end..ends[place]];
                source_end = ends[place];
                let is_same = source[place] == word;
                end = start + if is_same { held.len() } else { self.tail_at(place, word, tail) };
                if is_same && words[start..end] == *held {
                    tree.push(source_tree[place]);
                    continue;
                }
            }
            tree.push(self.leaf(word, &words[start..end], packed, nodes)?);
        }
        if !is_first {
            tree.extend_from_slice(&source_tree[altered.end..singles]);
            let unaltered = ends[..singles].last().map_or(source_first, |&last| last) - source_end;
            end += unaltered;
        }
        Ok(end)
    }

    /// Folds the leaves of the classes, whose tails start at `end`.
    fn fold_classes(
        &self,
        folder: &mut Folder,
        words: &[u32],
        mut end: usize,
        tail: &impl Fn(u32) -> usize,
    ) -> Result<(), Full> {
        let Folder { source, ends, slot_ends, source_tree, tree, packed, leaves, bags, nodes, .. } = folder;
        let TreeShape { singles, ref classes, .. } = self.shape;
        if bags.len() < classes.len() {
            bags.resize_with(classes.len(), Folded::default);
        }
        let is_first = ends.is_empty();
        let (mut slots_end, mut source_slots) = (self.shape.header(), self.shape.header());
        for (class, last) in (0..classes.len()).zip(bags) {
            let start = slots_end;
            slots_end += 2 * words[singles + class] as usize;
            let slots = &words[start..slots_end];
            let first_tail = end;
            for slot in slots.chunks_exact(2) {
                end += tail(slot[0]);
            }
            if !is_first {
                let source_start =
                    if singles + class == 0 { self.first_tail(source) } else { ends[singles + class - 1] };
                let held = &source[source_start..ends[singles + class]];
                let before = &source[source_slots..slot_ends[class]];
                source_slots = slot_ends[class];
                if *before == *slots && *held == words[first_tail..end] {
                    tree.push(source_tree[singles + class]);
                    continue;
                }
            }
            leaves.clear();
            let mut at = first_tail;
            for slot in slots.chunks_exact(2) {
                let behind = at + tail(slot[0]);
                leaves.push(self.leaf(slot[0], &words[at..behind], packed, nodes)?);
                at = behind;
            }
            let counts = slots.chunks_exact(2).map(|slot| slot[1]);
            tree.push(bag::fold(nodes, &self.nodes, leaves, counts, last)?);
        }
        Ok(())
    }

    /// The index of the first tail of a vector.
    fn first_tail(&self, words: &[u32]) -> usize {
        let header = self.shape.header();
        let slots: u32 = words.get(self.shape.singles..header).unwrap_or_default().iter().sum();
        header + 2 * slots as usize
    }

    /// The length of a single's tail; 0 for the count of lost copies and what is monitored, which come last.
    fn tail_at(&self, place: usize, word: u32, tail: &impl Fn(u32) -> usize) -> usize {
        if place < self.shape.agents() { tail(word) } else { 0 }
    }

    fn leaf(&self, id: u32, tail: &[u32], packed: &mut Vec<u32>, nodes: &mut NodeCache) -> Result<u32, Full> {
        if tail.is_empty() {
            return Ok(id);
        }
        if tail.len() <= 4 {
            let (mut word, mut most) = (0, 0);
            for &held in tail.iter().rev() {
                word = word << 8 | held;
                most = most.max(held);
            }
            if most < 255 {
                return Ok(nodes.number(&self.nodes, id, word)? | IN_BYTES);
            }
        }
        packed.clear();
        let kind = if tail.iter().fold(0, |most, &held| most.max(held)) < 255 {
            packed.extend(tail.chunks(4).map(pack));
            IN_BYTES
        } else {
            packed.extend_from_slice(tail);
            IN_WORDS
        };
        let mut rest = packed.pop().expect("there is a tail");
        while let Some(word) = packed.pop() {
            rest = nodes.number(&self.nodes, word, rest)?;
        }
        Ok(nodes.number(&self.nodes, id, rest)? | kind)
    }

    /// Writes the vector of a state, and makes it the current one, whose successors are folded next.
    pub(crate) fn load(
        &self,
        folder: &mut Folder,
        state: u32,
        words: &mut Vec<u32>,
        tail: impl Fn(u32) -> usize,
    ) {
        self.load_tree(folder, state);
        let Folder { source, ends, slot_ends, source_tree: tree, tails, .. } = folder;
        let TreeShape { singles, ref classes, .. } = self.shape;
        source.clear();
        tails.clear();
        ends.clear();
        slot_ends.clear();
        for (place, &leaf) in tree[..singles].iter().enumerate() {
            let id = self.read_leaf(leaf, tails, |id| self.tail_at(place, id, &tail));
            source.push(id);
            ends.push(tails.len());
        }
        source.resize(self.shape.header(), 0);
        for (class, &size) in classes.iter().enumerate() {
            let mut slots = 0;
            bag::unfold(&self.nodes, tree[singles + class], size, |leaf, count| {
                let id = self.read_leaf(leaf, tails, &tail);
                source.extend([id, count]);
                slots += 1;
            });
            source[singles + class] = slots;
            ends.push(tails.len());
            slot_ends.push(source.len());
        }
        let start = source.len();
        ends.iter_mut().for_each(|end| *end += start);
        source.extend_from_slice(tails);
        words.clear();
        words.extend_from_slice(source);
    }

    /// The local state of a leaf; appends its tail to `tails`.
    #[inline]
    fn read_leaf(&self, leaf: u32, tails: &mut Vec<u32>, tail: impl Fn(u32) -> usize) -> u32 {
        if leaf & KIND == 0 {
            return leaf;
        }
        let (id, rest) = self.nodes.get(leaf & !KIND);
        self.unpack(rest, leaf & KIND, tail(id), tails);
        id
    }

    /// Loads the tree of a state as that of the current vector.
    fn load_tree(&self, folder: &mut Folder, state: u32) {
        let tree = &mut folder.source_tree;
        let key = self.keys.get(state);
        let (leaves, TreeShape { folds, top, .. }) = (self.shape.leaves(), &self.shape);
        tree.clear();
        tree.resize(leaves + folds.len(), 0);
        for (place, half) in top.iter().zip(split(key, self.low)) {
            if let Some(place) = place {
                tree[*place] = half;
            }
        }
        for (index, &(left, right)) in folds.iter().enumerate().rev() {
            (tree[left], tree[right]) = self.nodes.get(tree[leaves + index]);
        }
    }

    /// Appends the tail of a leaf, `len` words.
    fn unpack(&self, mut rest: u32, kind: u32, len: usize, out: &mut Vec<u32>) {
        let (each, bits) = if kind == IN_BYTES { (4, 8) } else { (1, 32) };
        let mut left = len;
        while left > 0 {
            let word;
            (word, rest) = if left > each { self.nodes.get(rest) } else { (rest, 0) };
            match bits {
                8 => out.extend(word.to_le_bytes()[..left.min(each)].iter().map(|&byte| u32::from(byte))),
                _ => out.push(word),
            }
            left = left.saturating_sub(each);
        }
    }

    /// The number of a key; a provisional one if the key is new.
    pub(crate) fn number(&self, key: Key, spare: &mut Spare) -> Result<u32, Full> {
        self.keys.insert(key.0, spare)
    }

    /// Writes the numbered states.
    pub(crate) fn save(&self, out: &mut Out<'_>) -> io::Result<()> {
        out.long(u64::from(self.low))?;
        out.number(self.nodes.len())?;
        for node in 0..self.nodes.len() as u32 {
            let (left, right) = self.nodes.get(node);
            out.long(u64::from(left) | u64::from(right) << 32)?;
        }
        out.number(self.len())?;
        (0..self.len() as u32).try_for_each(|state| out.long(self.keys.get(state)))
    }

    /// Fills an empty store with what [`Store::save`] wrote.
    pub(crate) fn restore(&mut self, from: &mut In<'_>) -> io::Result<()> {
        if from.long()? != u64::from(self.low) {
            return Err(misfit("keys of another width"));
        }
        let nodes = from.number()?;
        self.nodes.restore(nodes, || from.long().map(|pair| (pair as u32, (pair >> 32) as u32)))?;
        let states = from.number()?;
        self.keys.restore(states, || from.long())
    }

    pub(crate) fn bytes(&self) -> usize {
        self.nodes.bytes() + self.keys.bytes()
    }

    /// Bytes in use once there is room for `states` more states and `nodes` more nodes.
    pub(crate) fn bytes_with_room(&self, states: usize, nodes: usize) -> usize {
        self.nodes.bytes_with_room(nodes) + self.keys.bytes_with_room(states)
    }

    pub(crate) fn make_room(&mut self, states: usize, nodes: usize) -> Result<(), Full> {
        self.nodes.make_room(nodes)?;
        self.keys.make_room(states)
    }
}

/// Packs two words into a key, the `low` lowest bits of both first, so that the key of two small numbers of any kind
/// is narrow.
fn join(words: [u32; 2], low: u32) -> u64 {
    // Moves the kind into the low bits.
    let [left, right] = words.map(|word| u64::from(word.rotate_left(KIND.count_ones())));
    let mask = (1 << low) - 1;
    (left & mask) | (right & mask) << low | (left >> low) << (2 * low) | (right >> low) << (low + 32)
}

/// Inverse of [`join`].
fn split(key: u64, low: u32) -> [u32; 2] {
    let mask = (1 << low) - 1;
    let high = (1 << (u32::BITS - low)) - 1;
    let left = key & mask | (key >> (2 * low) & high) << low;
    let right = key >> low & mask | (key >> (low + 32)) << low;
    [left, right].map(|word| (word as u32).rotate_right(KIND.count_ones()))
}

fn pack(symbols: &[u32]) -> u32 {
    symbols.iter().enumerate().fold(0, |word, (index, symbol)| word | symbol << (8 * index))
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use map_store::{Full, Spare, Tuning};
    use map_testkit::scenes::Random;

    use super::{Folder, IN_BYTES, IN_WORDS, KIND, Store, TreeShape, join, split};

    /// The last digit of a local state is the length of its tail.
    fn tail(word: u32) -> usize {
        word as usize % 10
    }

    /// A random vector without tails: singles, then the bags of classes of these sizes; mostly similar to `like`.
    fn random_slots(random: &mut Random, singles: usize, classes: &[usize], like: &[u32]) -> Vec<u32> {
        let state = |random: &mut Random| 10 * random.below(3) as u32 + *random.pick(&[0, 0, 1, 2, 6]);
        let mut words: Vec<u32> = (0..singles)
            .map(|place| match like.get(place) {
                Some(&word) if random.percent(80) => word,
                _ => state(random),
            })
            .collect();
        words.resize(singles + classes.len(), 0);
        for (class, &size) in classes.iter().enumerate() {
            let mut left = size as u32;
            while left > 0 {
                let count = if random.percent(30) { left } else { 1 + random.below(left as usize) as u32 };
                left -= count;
                words[singles + class] += 1;
                words.extend([state(random), count]);
            }
        }
        words
    }

    /// Appends random tails to a vector, of words below `most`.
    fn push_tails(random: &mut Random, words: &mut Vec<u32>, singles: usize, classes: usize, most: usize) {
        let slots = words[singles + classes..].chunks_exact(2).map(|slot| slot[0]);
        let states: Vec<u32> = words[..singles].iter().copied().chain(slots).collect();
        let tails: usize = states.into_iter().map(tail).sum();
        words.extend((0..tails).map(|_| random.below(most) as u32));
    }

    /// A range of singles that covers all differences, tails included, between two vectors without classes.
    fn altered(random: &mut Random, one: &[u32], other: &[u32], singles: usize) -> std::ops::Range<usize> {
        let parts = |vector: &[u32]| -> Vec<Vec<u32>> {
            let mut rest = &vector[singles..];
            let part = |&word: &u32| {
                let (own, behind) = rest.split_at(tail(word));
                rest = behind;
                [&[word], own].concat()
            };
            vector[..singles].iter().map(part).collect()
        };
        let (one, other) = (parts(one), parts(other));
        let differs = |&place: &usize| one[place] != other[place];
        let first = (0..singles).find(differs).unwrap_or(singles);
        let end = (first..singles).rfind(differs).map_or(first, |last| last + 1);
        first - random.below(first + 1)..end + random.below(singles - end + 1)
    }

    #[test]
    fn keys_can_be_taken_apart_and_those_of_small_numbers_are_small() {
        let mut random = Random::new(3, 0);
        let narrow = [Tuning::TINY, Tuning::SHIPPED].map(|tuning| tuning.narrow.bits());
        let cases = (0..=30).flat_map(|bits| narrow.map(|narrow| (bits, narrow)));
        for (bits, narrow) in cases {
            let is_small = bits + KIND.count_ones() <= narrow / 2;
            let mut word = || [0, IN_BYTES, IN_WORDS][random.below(3)] | random.below(1 << bits) as u32;
            let words = [word(), word()];
            let key = join(words, narrow / 2);
            assert_eq!(split(key, narrow / 2), words);
            assert!(!is_small || key >> narrow == 0, "{words:x?}");
        }
    }

    #[test]
    fn vectors_of_any_shape_come_back() {
        for seed in 0..120 {
            come_back(seed, if seed % 2 == 0 { Tuning::TINY } else { Tuning::SHIPPED });
        }
    }

    /// A random partition of the leaves, as parts would give.
    fn random_groups(random: &mut Random, leaves: usize) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = vec![Vec::new(); 1 + random.below(4)];
        for leaf in 0..leaves {
            let group = random.below(groups.len());
            groups[group].push(leaf);
        }
        groups.retain(|group| !group.is_empty());
        groups
    }

    /// Stores random vectors and loads them.
    fn come_back(seed: u64, tuning: Tuning) {
        let mut random = Random::new(seed, 0);
        let singles = random.below(6);
        let classes: Vec<usize> = (0..random.below(3)).map(|_| *random.pick(&[2, 5, 40, 3_000])).collect();
        let groups = random_groups(&mut random, singles + classes.len());
        let shape = TreeShape::new((singles, singles), classes.clone(), groups);
        let mut store = Store::new(shape, NonZeroUsize::MIN, tuning);
        store.make_room(400, 400_000).expect("room");
        let (mut folder, mut words) = (Folder::default(), Vec::new());
        let mut vectors: Vec<Vec<u32>> = Vec::new();
        for _ in 0..200 {
            let mut vector = random_slots(&mut random, singles, &classes, &words);
            let most = *random.pick(&[2, 3, 300]);
            push_tails(&mut random, &mut vector, singles, classes.len(), most);
            let altered = match words.is_empty() || !classes.is_empty() {
                true => 0..singles,
                false => altered(&mut random, &words, &vector, singles),
            };
            let key = store.key(&mut folder, &vector, altered, tail).expect("room");
            let number = loop {
                match store.number(key, &mut Spare::default()) {
                    Ok(number) => break number as usize,
                    // There is room, but for narrower keys.
                    Err(Full) => store.make_room(1, 1).expect("room"),
                }
            };
            let known = vectors.iter().position(|it| *it == vector);
            assert_eq!(number, known.unwrap_or(vectors.len()), "seed {seed}: {vector:?}");
            if known.is_none() {
                store.keys.commit(|_| Some(0));
                vectors.push(vector);
            }
            let state = random.below(vectors.len());
            store.load(&mut folder, state as u32, &mut words, tail);
            assert_eq!(words, vectors[state], "seed {seed}");
        }
    }
}
