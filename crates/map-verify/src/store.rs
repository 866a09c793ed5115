//! The visited set: global states as vectors of words, stored exactly as trees of pairs.
//!
//! A vector is a header of fixed length, the ids of the agents' states, then the symbols that these hold, agent by agent;
//! how many each holds its id determines. An id and its symbols, packed four to a word where they are small, make a leaf.
//! The leaves are folded pairwise into a tree of fixed shape, and its two topmost words are the key of the state. So equal
//! keys are equal vectors. Symbols stand with their agents because halves of the scene are more independent of each other
//! than ids are of symbols: fewer inner nodes. For the same reason the agents of a part, which have few states together,
//! make a subtree; an agent that is alone in its part, and has to do with all the others, stands near the root, so that few
//! nodes are new when it makes a step.

use std::num::NonZeroUsize;
use std::ops::Range;

use map_store::{Full, Keys, Pairs, Spare, Tuning};

use nodes::NodeCache;

mod nodes;
mod shape;

pub(crate) use shape::Shape;

/// What the two top bits of a leaf say: that it is a node with symbols, in bytes or in words. Else it is an id.
const IN_BYTES: u32 = 1 << 30;
const IN_WORDS: u32 = 1 << 31;
const KIND: u32 = IN_BYTES | IN_WORDS;

/// What a state is found by: the two topmost words of its tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key(pub(crate) u64);

/// The states found, numbered.
pub(crate) struct Store {
    /// Inner nodes of the trees.
    nodes: Pairs,
    pub(crate) keys: Keys,
    shape: Shape,
    /// Bits of the lower part of a word of a key. If no word has others the key is narrow.
    low: u32,
}

/// One thread's buffers: the vector at hand as a tree, so that what its successors share with it need not be looked up.
#[derive(Default)]
pub(crate) struct Folder {
    /// The vector that was loaded last, and where each agent's symbols end in it.
    source: Vec<u32>,
    ends: Vec<usize>,
    /// The tree of the state being expanded, level by level: of that vector, unless the tree alone was loaded.
    source_tree: Vec<u32>,
    /// The tree of the successor at hand.
    tree: Vec<u32>,
    packed: Vec<u32>,
    nodes: NodeCache,
}

impl Folder {
    /// Bytes of the cache.
    pub(crate) fn bytes(&self) -> usize {
        self.nodes.bytes()
    }
}

impl Store {
    /// For vectors whose headers have that shape, filled by so many threads.
    pub(crate) fn new(shape: Shape, threads: NonZeroUsize, tuning: Tuning) -> Self {
        let (nodes, keys) = (Pairs::new(threads, tuning), Keys::new(threads, tuning));
        Self { nodes, keys, shape, low: tuning.narrow.bits() / 2 }
    }

    /// Number of states, without those of the batch at hand.
    pub(crate) fn len(&self) -> usize {
        self.keys.committed() as usize
    }

    /// The key of a vector that is like that of the state in the folder, if there is one, but for the words of the header in
    /// a range, with what belongs to them. `symbols` says how many symbols belong to a word of the header.
    pub(crate) fn key(
        &self,
        folder: &mut Folder,
        words: &[u32],
        altered: Range<usize>,
        symbols: impl Fn(usize, u32) -> usize,
    ) -> Result<Key, Full> {
        self.fold_leaves(folder, words, altered, symbols)?;
        self.fold(folder)
    }

    /// The key of the successor whose leaves are in the folder.
    fn fold(&self, folder: &mut Folder) -> Result<Key, Full> {
        let Folder { source_tree, tree, nodes, .. } = folder;
        let leaves = self.shape.leaves;
        // There may be no tree yet that it could be like.
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

    fn fold_leaves(
        &self,
        folder: &mut Folder,
        words: &[u32],
        altered: Range<usize>,
        symbols: impl Fn(usize, u32) -> usize,
    ) -> Result<(), Full> {
        let Folder { source, ends, source_tree, tree, packed, nodes, .. } = folder;
        let header = self.shape.leaves;
        let is_first = ends.is_empty();
        let altered = if is_first { 0..header } else { altered };
        tree.clear();
        tree.extend_from_slice(&source_tree[..altered.start]);
        let mut source_end = if altered.start == 0 { header } else { ends[altered.start - 1] };
        let mut end = source_end;
        for place in altered.clone() {
            let (start, word) = (end, words[place]);
            if is_first {
                end = start + symbols(place, word);
            } else {
                let held = &source[source_end..ends[place]];
                source_end = ends[place];
                let is_same = source[place] == word;
                end = start + if is_same { held.len() } else { symbols(place, word) };
                if is_same && words[start..end] == *held {
                    tree.push(source_tree[place]);
                    continue;
                }
            }
            tree.push(self.leaf(word, &words[start..end], packed, nodes)?);
        }
        if !is_first {
            debug_assert_eq!(words[..altered.start], source[..altered.start]);
            debug_assert_eq!(words[altered.end..header], source[altered.end..header]);
            debug_assert_eq!(words[end..], source[source_end..]);
            tree.extend_from_slice(&source_tree[altered.end..header]);
        }
        Ok(())
    }

    fn leaf(
        &self,
        id: u32,
        symbols: &[u32],
        packed: &mut Vec<u32>,
        nodes: &mut NodeCache,
    ) -> Result<u32, Full> {
        if symbols.is_empty() {
            return Ok(id);
        }
        if symbols.len() <= 4 {
            let (mut word, mut most) = (0, 0);
            for &symbol in symbols.iter().rev() {
                word = word << 8 | symbol;
                most = most.max(symbol);
            }
            if most < 255 {
                return Ok(nodes.number(&self.nodes, id, word)? | IN_BYTES);
            }
        }
        packed.clear();
        let kind = if symbols.iter().fold(0, |most, &symbol| most.max(symbol)) < 255 {
            packed.extend(symbols.chunks(4).map(pack));
            IN_BYTES
        } else {
            packed.extend_from_slice(symbols);
            IN_WORDS
        };
        let mut rest = packed.pop().expect("there are symbols");
        while let Some(word) = packed.pop() {
            rest = nodes.number(&self.nodes, word, rest)?;
        }
        Ok(nodes.number(&self.nodes, id, rest)? | kind)
    }

    /// Writes the vector of a state, and makes it the one whose successors are folded
    /// next.
    pub(crate) fn load(
        &self,
        folder: &mut Folder,
        state: u32,
        words: &mut Vec<u32>,
        symbols: impl Fn(usize, u32) -> usize,
    ) {
        self.load_tree(folder, state);
        let Folder { source, ends, source_tree: tree, .. } = folder;
        let header = self.shape.leaves;
        source.clear();
        source.resize(header, 0);
        ends.clear();
        for place in 0..header {
            let leaf = tree[place];
            source[place] = leaf;
            if leaf & KIND != 0 {
                let (id, rest) = self.nodes.get(leaf & !KIND);
                source[place] = id;
                self.unpack(rest, leaf & KIND, symbols(place, id), source);
            }
            ends.push(source.len());
        }
        words.clear();
        words.extend_from_slice(source);
    }

    /// Makes the tree of a state that of the vector at hand.
    fn load_tree(&self, folder: &mut Folder, state: u32) {
        let tree = &mut folder.source_tree;
        let key = self.keys.get(state);
        let Shape { leaves: header, ref folds, top, .. } = self.shape;
        tree.clear();
        tree.resize(header + folds.len(), 0);
        for (place, half) in top.into_iter().zip(split(key, self.low)) {
            if let Some(place) = place {
                tree[place] = half;
            }
        }
        for (index, &(left, right)) in folds.iter().enumerate().rev() {
            (tree[left], tree[right]) = self.nodes.get(tree[header + index]);
        }
    }

    /// Appends the symbols of a leaf.
    fn unpack(&self, mut rest: u32, kind: u32, symbols: usize, out: &mut Vec<u32>) {
        let (each, bits) = if kind == IN_BYTES { (4, 8) } else { (1, 32) };
        let mut left = symbols;
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

    /// The number of a key, provisional if it is new.
    pub(crate) fn number(&self, key: Key, spare: &mut Spare) -> Result<u32, Full> {
        self.keys.insert(key.0, spare)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.nodes.bytes() + self.keys.bytes()
    }

    /// Bytes in use once there is room for so many more states and nodes.
    pub(crate) fn bytes_with_room(&self, states: usize, nodes: usize) -> usize {
        self.nodes.bytes_with_room(nodes) + self.keys.bytes_with_room(states)
    }

    pub(crate) fn make_room(&mut self, states: usize, nodes: usize) -> Result<(), Full> {
        self.nodes.make_room(nodes)?;
        self.keys.make_room(states)
    }
}

/// A key of two words, the lower `low` bits of both below the others: that of two small numbers, of whatever kind, is narrow.
fn join(words: [u32; 2], low: u32) -> u64 {
    // The kind goes where it is small.
    let [left, right] = words.map(|word| u64::from(word.rotate_left(KIND.count_ones())));
    let mask = (1 << low) - 1;
    (left & mask) | (right & mask) << low | (left >> low) << (2 * low) | (right >> low) << (low + 32)
}

/// The words of a key.
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

    use super::{Folder, IN_BYTES, IN_WORDS, KIND, Shape, Store, join, split};

    /// Every word has as many words in the tail as its last digit says.
    fn tail(_: usize, word: u32) -> usize {
        word as usize % 10
    }

    /// The words of the header outside of which, tails included, two vectors are alike, or some more.
    fn altered(random: &mut Random, one: &[u32], other: &[u32], header: usize) -> std::ops::Range<usize> {
        let parts = |vector: &[u32]| -> Vec<Vec<u32>> {
            let mut rest = &vector[header..];
            let part = |&word: &u32| {
                let (own, behind) = rest.split_at(tail(0, word));
                rest = behind;
                [&[word], own].concat()
            };
            vector[..header].iter().map(part).collect()
        };
        let (one, other) = (parts(one), parts(other));
        let differs = |&place: &usize| one[place] != other[place];
        let first = (0..header).find(differs).unwrap_or(header);
        let end = (first..header).rfind(differs).map_or(first, |last| last + 1);
        first - random.below(first + 1)..end + random.below(header - end + 1)
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
        for seed in 0..60 {
            come_back(seed, Tuning::TINY);
            come_back(seed, Tuning::SHIPPED);
        }
    }

    /// Stores random vectors and loads them.
    fn come_back(seed: u64, tuning: Tuning) {
        let mut random = Random::new(seed, 0);
        let groups: Vec<usize> = (0..random.below(4)).map(|_| 1 + random.below(5)).collect();
        let header: usize = groups.iter().sum();
        let mut store = Store::new(Shape::new(groups), NonZeroUsize::MIN, tuning);
        store.make_room(400, 400_000).expect("room");
        let (mut folder, mut words) = (Folder::default(), Vec::new());
        let mut vectors: Vec<Vec<u32>> = Vec::new();
        for _ in 0..200 {
            // Often like the vector that was loaded last.
            let mut vector: Vec<u32> = (0..header)
                .map(|place| match words.get(place) {
                    Some(&word) if random.percent(80) => word,
                    _ => 10 * random.below(3) as u32 + *random.pick(&[0, 0, 1, 2, 6]),
                })
                .collect();
            let most = *random.pick(&[2, 3, 300]);
            let symbols: usize = vector.iter().map(|&word| tail(0, word)).sum();
            vector.extend((0..symbols).map(|_| random.below(most) as u32));
            let altered = match words.is_empty() {
                true => 0..header,
                false => altered(&mut random, &words, &vector, header),
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
