//! Trees in which no symbol has a name: each half of the scene numbers its own by first occurrence, and where two halves come
//! together it is said which symbols of the right one the left one holds, too. So a half is the same node whatever the other
//! one holds, and what the agents of a half do is known once for all states that it is part of.
//!
//! A leaf is the id of an agent's state. The right word of a pair, and of the key, is *wired* if it shares symbols with the
//! left one: it is a pair of the word itself and a number for each of its symbols, in bytes as far as they go: 0 if the left half does
//! not hold it, else its place there plus one. The symbols of a pair are those of the left half, then those that the right one has
//! for itself.

use std::ops::Range;

use map_store::Full;

use super::nodes::Nodes;
use super::{Folder, IN_BYTES, KIND, Key, Store, join, split};

/// A place in the trees: what it is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// An agent.
    Agent(usize),
    /// Two other places.
    Pair(usize, usize),
}

impl Store {
    /// The two halves of a state; none if it has no two.
    pub(crate) fn halves(&self, state: u32) -> [u32; 2] {
        split(self.keys.get(state))
    }

    /// The places of the two halves, if there are two.
    pub(crate) fn tops(&self) -> Option<[usize; 2]> {
        let [left, right] = self.shape.top;
        Some([left?, right?])
    }

    /// What a place in the trees is made of.
    pub(crate) fn part(&self, place: usize) -> Part {
        match place.checked_sub(self.shape.leaves) {
            None => Part::Agent(place),
            Some(fold) => {
                let (left, right) = self.shape.folds[fold];
                Part::Pair(left, right)
            }
        }
    }

    /// The words of a pair; the right one may be wired.
    pub(crate) fn pair(&self, word: u32) -> (u32, u32) {
        self.nodes.get(word)
    }

    /// The word of a pair.
    pub(crate) fn pair_of(&self, folder: &mut Folder, left: u32, right: u32) -> Result<u32, Full> {
        folder.nodes.number(&self.nodes, left, right)
    }

    /// The key of the state of two halves.
    #[inline]
    pub(crate) fn key_of(halves: [u32; 2]) -> Key {
        Key::of(join(halves))
    }

    /// The two halves of the state with a key.
    #[inline]
    pub(crate) fn halves_of(key: Key) -> [u32; 2] {
        split(key.key)
    }

    /// Whether a right word is wired.
    #[inline]
    pub(crate) fn is_wired(word: u32) -> bool {
        word & KIND != 0
    }

    /// What a right word is but for its wires.
    pub(crate) fn without_wires(&self, word: u32) -> u32 {
        if word & KIND == 0 { word } else { self.nodes.get(word & !KIND).0 }
    }

    /// The wires of a right word, of which so many symbols are wired; false if they do not fit into bytes.
    pub(crate) fn read_wires(&self, word: u32, symbols: usize, wires: &mut Vec<u8>) -> bool {
        wires.clear();
        if word & KIND == 0 {
            wires.resize(symbols, 0);
            return true;
        }
        if word & KIND != IN_BYTES {
            return false;
        }
        let (_, mut rest) = self.nodes.get(word & !KIND);
        while wires.len() < symbols {
            let word;
            let left = symbols - wires.len();
            (word, rest) = if left > 4 { self.nodes.get(rest) } else { (rest, 0) };
            wires.extend_from_slice(&word.to_le_bytes()[..left.min(4)]);
        }
        true
    }

    /// The right word with these wires.
    pub(crate) fn wire(&self, folder: &mut Folder, word: u32, wires: &[u8]) -> Result<u32, Full> {
        if wires.iter().all(|&wire| wire == 0) {
            return Ok(word);
        }
        let mut words = wires.chunks(4).rev().map(|chunk| {
            let mut bytes = [0; 4];
            bytes[..chunk.len()].copy_from_slice(chunk);
            u32::from_le_bytes(bytes)
        });
        let last = words.next().expect("there are wires");
        let rest = words.try_fold(last, |rest, word| folder.nodes.number(&self.nodes, word, rest))?;
        Ok(folder.nodes.number(&self.nodes, word, rest)? | IN_BYTES)
    }

    /// The right word that is wired as another one is, of which as many symbols are wired.
    pub(crate) fn wired_as(&self, folder: &mut Folder, word: u32, other: u32) -> Result<u32, Full> {
        match other & KIND {
            0 => Ok(word),
            kind => {
                let (_, rest) = self.nodes.get(other & !KIND);
                Ok(folder.nodes.number(&self.nodes, word, rest)? | kind)
            }
        }
    }

    /// The key of a vector whose words hold symbols that differ. It does not matter how these are named.
    pub(super) fn wired_key(
        &self,
        folder: &mut Folder,
        words: &[u32],
        symbols: impl Fn(usize, u32) -> usize,
    ) -> Result<Key, Full> {
        let Folder { packed, nodes, .. } = folder;
        let leaves = self.shape.leaves;
        let mut end = leaves;
        let mut parts: Vec<(u32, Vec<u32>)> = Vec::new();
        for (place, &word) in words[..leaves].iter().enumerate() {
            let start = end;
            end += symbols(place, word);
            parts.push((word, words[start..end].to_vec()));
        }
        for &(left, right) in &self.shape.folds {
            let (left_word, mut names) = parts[left].clone();
            let right_word = self.wired_by_names(&names, &parts[right], packed, nodes)?;
            let own = parts[right].1.iter().copied().filter(|it| !parts[left].1.contains(it));
            names.extend(own);
            parts.push((nodes.number(&self.nodes, left_word, right_word)?, names));
        }
        Ok(match self.shape.top {
            [Some(left), Some(right)] => {
                let (left, names) = &parts[left];
                Self::key_of([*left, self.wired_by_names(names, &parts[right], packed, nodes)?])
            }
            tops => Self::key_of(tops.map(|place| place.map_or(0, |place| parts[place].0))),
        })
    }

    /// The right word that is wired to a left half whose symbols have these names.
    fn wired_by_names(
        &self,
        left: &[u32],
        (word, names): &(u32, Vec<u32>),
        packed: &mut Vec<u32>,
        nodes: &mut Nodes,
    ) -> Result<u32, Full> {
        let wire = |name: &u32| left.iter().position(|it| it == name).map_or(0, |place| place as u32 + 1);
        let wires: Vec<u32> = names.iter().map(wire).collect();
        if wires.iter().all(|&wire| wire == 0) {
            return Ok(*word);
        }
        self.leaf(*word, &wires, packed, nodes)
    }

    /// Writes the vector of a state, whose symbols are named by first occurrence.
    pub(super) fn wired_vector(
        &self,
        state: u32,
        words: &mut Vec<u32>,
        symbols: impl Fn(usize, u32) -> usize,
    ) {
        let leaves = self.shape.leaves;
        let (parts, wires) = self.take_apart(state, &symbols);
        // Names for the symbols of each part, from the top down: any that differ.
        let mut names: Vec<Vec<u32>> = vec![Vec::new(); parts.len()];
        let mut next = 0;
        let mut fresh = || {
            next += 1;
            next - 1
        };
        if let [Some(left), right] = self.shape.top {
            names[left] = (0..wires.count[left]).map(|_| fresh()).collect();
            if let Some(right) = right {
                let name = |&wire: &u32| match wire {
                    0 => fresh(),
                    place => names[left][place as usize - 1],
                };
                names[right] = wires.of(right).iter().map(name).collect();
            }
        }
        for (fold, &(left, right)) in self.shape.folds.iter().enumerate().rev() {
            let all = std::mem::take(&mut names[leaves + fold]);
            let (shared, own) = all.split_at(wires.count[left]);
            let mut own = own.iter().copied();
            let name = |&wire: &u32| match wire {
                0 => own.next().expect("a pair holds what its right part has for itself"),
                place => shared[place as usize - 1],
            };
            names[right] = wires.of(right).iter().map(name).collect();
            names[left] = shared.to_vec();
        }
        words.clear();
        words.extend_from_slice(&parts[..leaves]);
        let mut seen: Vec<u32> = Vec::new();
        for name in names[..leaves].iter().flatten() {
            let known = seen.iter().position(|it| it == name);
            words.push(known.unwrap_or(seen.len()) as u32);
            if known.is_none() {
                seen.push(*name);
            }
        }
    }

    /// The agents' states in a state.
    pub(crate) fn ids(&self, state: u32) -> Vec<u32> {
        let mut parts = self.words(state).0;
        parts.truncate(self.shape.leaves);
        parts
    }

    /// The word of each place of a state without its wires; and beside it with them.
    fn words(&self, state: u32) -> (Vec<u32>, Vec<u32>) {
        let leaves = self.shape.leaves;
        let places = leaves + self.shape.folds.len();
        let (mut parts, mut wired) = (vec![0; places], vec![0; places]);
        let mut put = |place: usize, word| {
            wired[place] = word;
            parts[place] = self.without_wires(word);
            parts[place]
        };
        let mut known = vec![0; places];
        for (place, half) in self.shape.top.into_iter().zip(self.halves(state)) {
            if let Some(place) = place {
                known[place] = put(place, half);
            }
        }
        for (fold, &(left, right)) in self.shape.folds.iter().enumerate().rev() {
            let pair = self.nodes.get(known[leaves + fold]);
            known[left] = put(left, pair.0);
            known[right] = put(right, pair.1);
        }
        (parts, wired)
    }

    fn take_apart(&self, state: u32, symbols: impl Fn(usize, u32) -> usize) -> (Vec<u32>, Wires) {
        let leaves = self.shape.leaves;
        let (parts, wired) = self.words(state);
        let mut wires = Wires { count: Vec::new(), all: Vec::new(), ranges: vec![0..0; parts.len()] };
        for place in 0..parts.len() {
            let count = match self.part(place) {
                Part::Agent(agent) => symbols(agent, parts[agent]),
                Part::Pair(left, right) => {
                    self.read_wide_wires(wired[right], wires.count[right], right, &mut wires);
                    let own = wires.of(right).iter().filter(|&&wire| wire == 0).count();
                    wires.count[left] + own
                }
            };
            debug_assert!(place >= leaves || count == symbols(place, parts[place]));
            wires.count.push(count);
        }
        if let Some([_, right]) = self.tops() {
            self.read_wide_wires(wired[right], wires.count[right], right, &mut wires);
        }
        (parts, wires)
    }

    /// Reads wires that need not fit into bytes.
    fn read_wide_wires(&self, word: u32, symbols: usize, place: usize, wires: &mut Wires) {
        let start = wires.all.len();
        if word & KIND == 0 {
            wires.all.resize(start + symbols, 0);
        } else {
            let (_, rest) = self.nodes.get(word & !KIND);
            self.unpack(rest, word & KIND, symbols, &mut wires.all);
        }
        wires.ranges[place] = start..wires.all.len();
    }
}

/// How many symbols each place of a state holds, and the wires of those that are wired.
struct Wires {
    count: Vec<usize>,
    all: Vec<u32>,
    ranges: Vec<Range<usize>>,
}

impl Wires {
    fn of(&self, place: usize) -> &[u32] {
        &self.all[self.ranges[place].clone()]
    }
}
