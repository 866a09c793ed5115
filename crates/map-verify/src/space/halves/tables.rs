//! What a thread remembers of parts of the scene. Where there is too much of it, it is forgotten.

use std::collections::HashMap;
use std::ops::Range;

use indexmap::IndexSet;
use map_ir::{AgentId, PerformativeId};
use rustc_hash::FxBuildHasher;

use super::half::{Effect, Half, HalfStep, Letter, NONE};
use super::names::{Names, Unfit, are_kept};
use super::recent::{Recent, key};
use super::top::TopStep;
use crate::agents::{Agents, Sent};
use crate::store::{Part, Store};

/// One thread's tables.
#[derive(Default)]
pub(super) struct Tables {
    pub(super) halves: Vec<Half>,
    /// Which of them is at a place under a word, if that is a pair; and which is an agent in a state.
    half_at: HashMap<u64, u32, FxBuildHasher>,
    agent_at: Vec<u32>,
    pub(super) steps: Vec<HalfStep>,
    /// The steps of right halves as left ones see them, and those right halves under their wired words, as left halves with
    /// so many symbols see them.
    pub(super) top_steps: Vec<TopStep>,
    seen: HashMap<u64, Seen, FxBuildHasher>,
    /// Some of them again, and some left halves, to be found sooner.
    lefts: Recent<Half, 15>,
    rights: Recent<Seen, 15>,
    pub(super) strings: IndexSet<Box<[u8]>, FxBuildHasher>,
    pub(super) letters: IndexSet<Letter, FxBuildHasher>,
    pub(super) effects: IndexSet<Effect, FxBuildHasher>,
    pub(super) addresses: IndexSet<Address, FxBuildHasher>,
    /// Which agents are at each place in the trees, as far as that was asked.
    places: Vec<Range<usize>>,
    drops: IndexSet<Vec<Dropped>, FxBuildHasher>,
    /// Bytes that strings, addresses and what is dropped own.
    pieces: usize,
    /// The numbers of those strings, letters and effects that were asked for lately: few are asked for again and again.
    strings_lately: Recent<u32, 10>,
    letters_lately: Recent<u32, 10>,
    effects_lately: Recent<u32, 10>,
    /// Which of them have been noted.
    noted_drops: Vec<bool>,
    /// Which states after steps of an agent have been noted, with those steps.
    noted: Vec<bool>,
    /// For each of the strings which pattern of the agent tables it is, and how those tables' numbers of what agents hold after
    /// messages are read; as far as it is known.
    patterns: Vec<u32>,
    held: Vec<Option<Held>>,
    /// What became of parts by messages.
    deliveries: [Recent<Delivered, 15>; 2],
    /// What became of right halves by steps of left ones, and by steps of their own that change what left ones hold.
    replies: Recent<Reply, 15>,
    rewired: Recent<u32, 12>,
    /// Wires at hand, and those of a right half.
    pub(super) wires: Vec<u8>,
    pub(super) right_wires: Vec<u8>,
    /// What was touched, and which of it is expanded next.
    touched: Vec<Touched>,
    next_touched: usize,
    /// Something was added since there was made room.
    is_larger: bool,
}

/// What stands for a half that is not known, and for one that does not fit.
const UNKNOWN: u32 = u32::MAX;
const UNFIT: u32 = u32::MAX - 1;

/// A right half as a left one sees it.
#[derive(Clone, Copy)]
pub(super) struct Seen {
    pub(super) half: Half,
    start: u32,
}

impl Seen {
    /// Where its steps are as the left half sees them, in the same order.
    pub(super) fn steps(&self) -> Range<usize> {
        self.start as usize..self.start as usize + self.half.steps().len()
    }
}

/// A state that will be expanded soon: its words, and what is known of its halves.
#[derive(Clone, Copy)]
pub(super) struct Touched {
    state: u32,
    pub(super) words: [u32; 2],
    pub(super) left: Option<Half>,
    pub(super) right: Option<Seen>,
}

/// A message to an agent that has ended.
type Dropped = (PerformativeId, AgentId);

/// A message without its symbols, and whom it goes to.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct Address {
    pub(super) message: u32,
    performative: PerformativeId,
    to: Box<[AgentId]>,
}

/// What became of a part.
#[derive(Clone, Copy)]
pub(super) enum Delivered {
    /// A mailbox is full.
    Overflow,
    Done {
        after: u32,
        /// Which symbol each of its symbols was.
        map: u32,
        dropped: u32,
        /// Whether the symbols that it held before come first, in the same order.
        is_prefix: bool,
    },
}

/// What an agent holds after a message.
#[derive(Clone, Copy)]
pub(super) struct Held {
    /// Which symbol each of its symbols was.
    pub(super) map: u32,
    /// How many of the symbols that it held before come first, in the same order.
    pub(super) kept: u32,
}

/// What became of a right half by a step of the left one: its word, with its wires, and what was dropped.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Reply {
    pub(super) after: u32,
    pub(super) dropped: u32,
}

impl Reply {
    /// A mailbox is full.
    pub(super) const OVERFLOW: Self = Self { after: u32::MAX, dropped: NONE };
}

/// How many steps are remembered at least, and how many things that have numbers of their own at most; few in debug builds, so that
/// tests see them forgotten.
const STEPS: usize = if cfg!(debug_assertions) { 1 << 9 } else { 1 << 17 };
const NUMBERED: usize = if cfg!(debug_assertions) { 1 << 6 } else { 1 << 16 };

/// For so many states one more step is remembered, if these are more.
const STATES: usize = 16;

impl Tables {
    /// Forgets what there is too much of for so many states as there are, and what is told by that.
    pub(super) fn make_room(&mut self, states: usize) {
        if !self.is_larger {
            return;
        }
        self.is_larger = false;
        let numbered = [
            self.strings.len(),
            self.letters.len(),
            self.effects.len(),
            self.addresses.len(),
            self.drops.len(),
        ];
        let most = STEPS.max(states / STATES);
        let halves = self.halves.len().max(self.half_at.len());
        if numbered.iter().any(|&it| it >= NUMBERED) {
            self.forget_numbered();
            self.forget_halves();
        } else if self.steps.len() >= most || halves >= most {
            self.forget_halves();
        } else if self.top_steps.len().max(self.seen.len()) >= most {
            self.forget_seen();
        }
    }

    /// Forgets what has a number of its own, and what became of words by such: halves go with it.
    fn forget_numbered(&mut self) {
        self.strings.clear();
        self.patterns.clear();
        self.held.clear();
        self.letters.clear();
        self.effects.clear();
        self.addresses.clear();
        self.drops.clear();
        self.pieces = 0;
        self.strings_lately.clear();
        self.letters_lately.clear();
        self.effects_lately.clear();
        self.noted_drops.clear();
        self.deliveries.iter_mut().for_each(Recent::clear);
        self.replies.clear();
    }

    /// Forgets halves, also as others see them.
    fn forget_halves(&mut self) {
        self.halves.clear();
        self.half_at.clear();
        self.agent_at.clear();
        self.steps.clear();
        self.lefts.clear();
        self.forget_seen();
    }

    /// Forgets right halves as left ones see them.
    fn forget_seen(&mut self) {
        self.top_steps.clear();
        self.seen.clear();
        self.rights.clear();
        self.rewired.clear();
        self.touched.clear();
    }

    /// The number of what is known of the part at a place under a word, if that is known or known not to fit.
    pub(super) fn half_at(&self, store: &Store, place: usize, word: u32) -> Option<Result<u32, Unfit>> {
        let known = match store.part(place) {
            Part::Agent(_) => *self.agent_at.get(word as usize)?,
            Part::Pair(..) => *self.half_at.get(&key(place as u32, word))?,
        };
        match known {
            UNFIT => Some(Err(Unfit)),
            UNKNOWN => None,
            known => Some(Ok(known)),
        }
    }

    /// Notes that the part at a place under a word does not fit.
    pub(super) fn note_unfit(&mut self, store: &Store, place: usize, word: u32) {
        self.note_half(store, (place, word), UNFIT);
    }

    pub(super) fn add_half(&mut self, store: &Store, at: (usize, u32), half: Half, is_kept: bool) -> u32 {
        self.is_larger = true;
        let number = self.halves.len() as u32;
        self.halves.push(half);
        if is_kept {
            self.note_half(store, at, number);
        }
        number
    }

    fn note_half(&mut self, store: &Store, (place, word): (usize, u32), number: u32) {
        self.is_larger = true;
        match store.part(place) {
            Part::Pair(..) => {
                self.half_at.insert(key(place as u32, word), number);
            }
            Part::Agent(_) => {
                let (known, at) = (&mut self.agent_at, word as usize);
                if at >= known.len() {
                    known.resize(at + 1, UNKNOWN);
                }
                known[at] = number;
            }
        }
    }

    /// The left half under a word, if it was needed lately.
    #[inline]
    pub(super) fn left(&self, word: u32) -> Option<Half> {
        self.lefts.get(word, 0)
    }

    pub(super) fn note_left(&mut self, word: u32, half: Half) {
        self.lefts.note(word, 0, half);
    }

    /// The right half under a wired word as a left one with so many symbols sees it, if that is known.
    #[inline]
    pub(super) fn seen(&mut self, (word, symbols): (u32, usize)) -> Option<Seen> {
        let symbols = symbols as u32;
        self.rights.get(word, symbols).or_else(|| {
            let seen = self.seen.get(&key(word, symbols)).copied()?;
            self.rights.note(word, symbols, seen);
            Some(seen)
        })
    }

    /// Notes that the steps from `start` on are those of a right half as a left one sees it.
    pub(super) fn note_seen(
        &mut self,
        (word, symbols): (u32, usize),
        (half, start): (Half, usize),
        is_kept: bool,
    ) -> Seen {
        self.is_larger = true;
        let seen = Seen { half, start: start as u32 };
        if is_kept {
            self.seen.insert(key(word, symbols as u32), seen);
        }
        seen
    }

    /// Brings what is remembered of states into the cache, in the order in which they will be expanded: the halves, then their
    /// steps and what came of these.
    pub(super) fn touch(&mut self, store: &Store, states: impl Iterator<Item = u32>) {
        let mut touched = std::mem::take(&mut self.touched);
        touched.clear();
        touched.extend(states.map(|state| {
            let words = store.halves(state);
            Touched { state, words, left: self.lefts.get(words[0], 0), right: None }
        }));
        // One kind of look-up at a time, so that cache misses overlap.
        let place = store.tops().map(|[left, _]| left);
        for Touched { words: [left, _], left: half, .. } in &mut touched {
            if half.is_none()
                && let Some(Ok(known)) = place.and_then(|place| self.half_at(store, place, *left))
            {
                let known = self.halves[known as usize];
                self.note_left(*left, known);
                *half = Some(known);
            }
        }
        for Touched { words: [_, right], left: half, right: seen, .. } in &mut touched {
            *seen = half.and_then(|half| self.seen((*right, half.symbols as usize)));
        }
        let mut sum = 0;
        for Touched { words: [left, right], left: half, right: seen, .. } in &touched {
            for step in half.iter().flat_map(|half| &self.steps[half.steps()]) {
                if !step.leaves(*right) {
                    sum ^= self.replies.touch(*right, step.effect);
                }
            }
            for step in seen.iter().flat_map(|seen| &self.top_steps[seen.steps()]) {
                if step.letter != NONE {
                    sum ^= self.deliveries[0].touch(*left, step.letter);
                }
            }
        }
        std::hint::black_box(sum);
        (self.touched, self.next_touched) = (touched, 0);
    }

    /// What was touched of a state, if it is the next one.
    #[inline]
    pub(super) fn touched(&mut self, store: &Store, state: u32) -> Touched {
        match self.touched.get(self.next_touched) {
            Some(touched) if touched.state == state => {
                self.next_touched += 1;
                *touched
            }
            _ => Touched { state, words: store.halves(state), left: None, right: None },
        }
    }

    /// Whether what there is to be noted of steps after which an agent is in this state, by its number among such, has been noted.
    pub(super) fn is_noted(&self, after: u32) -> bool {
        self.noted.get(after as usize) == Some(&true)
    }

    pub(super) fn note(&mut self, after: u32) {
        let noted = &mut self.noted;
        noted.resize(noted.len().max(after as usize + 1), false);
        noted[after as usize] = true;
    }

    /// The number of names.
    pub(super) fn string(&mut self, names: &Names) -> u32 {
        let packed = names.packed();
        if let Some([one, other]) = packed
            && let Some(known) = self.strings_lately.get(one, other)
        {
            return known;
        }
        self.is_larger = true;
        let bytes: &[u8] = names;
        let known = self.strings.get_index_of(bytes);
        let number = known.unwrap_or_else(|| {
            self.pieces += bytes.len();
            self.strings.insert_full(bytes.into()).0
        }) as u32;
        if let Some([one, other]) = packed {
            self.strings_lately.note(one, other, number);
        }
        number
    }

    /// The number that the agent tables have for a string of symbols of a message, if they have one.
    pub(super) fn pattern(&mut self, agents: &Agents<'_>, string: u32) -> Option<u32> {
        let at = string as usize;
        if let Some(&known) = self.patterns.get(at).filter(|&&known| known != NONE) {
            return Some(known);
        }
        let symbols: Vec<u32> = self.strings[at].iter().map(|&symbol| u32::from(symbol)).collect();
        let pattern = agents.pattern(&symbols)?;
        self.patterns.resize(self.patterns.len().max(at + 1), NONE);
        self.patterns[at] = pattern;
        Some(pattern)
    }

    /// What an agent holds after a message, by the number that the agent tables have for it.
    pub(super) fn held(&mut self, agents: &Agents<'_>, received: u32) -> Result<Held, Unfit> {
        let at = received as usize;
        if let Some(&Some(known)) = self.held.get(at) {
            return Ok(known);
        }
        let names =
            Names::collect(agents.received(received).symbols.iter().map(|&symbol| Ok(symbol as usize)))?;
        let kept = names.iter().zip(0..).take_while(|&(&symbol, place)| symbol == place).count() as u32;
        let held = Held { map: self.string(&names), kept };
        self.held.resize(self.held.len().max(at + 1), None);
        self.held[at] = Some(held);
        Ok(held)
    }

    pub(super) fn read(&self, string: u32) -> &[u8] {
        &self.strings[string as usize]
    }

    /// Whether a string is so many symbols, each the one that it was.
    pub(super) fn is_same(&self, string: u32, symbols: usize) -> bool {
        let names = self.read(string);
        names.len() == symbols && are_kept(symbols, names)
    }

    pub(super) fn letter(&mut self, letter: Letter) -> u32 {
        let packed = letter.packed();
        if let Some([one, other]) = packed
            && let Some(known) = self.letters_lately.get(one, other)
        {
            return known;
        }
        self.is_larger = true;
        let number = self.letters.insert_full(letter).0 as u32;
        if let Some([one, other]) = packed {
            self.letters_lately.note(one, other, number);
        }
        number
    }

    pub(super) fn effect(&mut self, effect: Effect) -> u32 {
        let packed = effect.packed();
        if let Some([one, other]) = packed
            && let Some(known) = self.effects_lately.get(one, other)
        {
            return known;
        }
        self.is_larger = true;
        let number = self.effects.insert_full(effect).0 as u32;
        if let Some([one, other]) = packed {
            self.effects_lately.note(one, other, number);
        }
        number
    }

    pub(super) fn address(&mut self, sent: &Sent) -> u32 {
        self.is_larger = true;
        let Sent { message, performative, ref to, .. } = *sent;
        let address = Address { message, performative, to: to.clone() };
        let (number, is_new) = self.addresses.insert_full(address);
        self.pieces += if is_new { size_of_val(&**to) } else { 0 };
        number as u32
    }

    /// Whether something goes to an agent at a place in the trees.
    pub(super) fn goes_to(&mut self, store: &Store, address: u32, place: usize) -> bool {
        let agents = self.agents_at(store, place);
        self.addresses[address as usize].to.iter().any(|to| agents.contains(&to.index()))
    }

    /// Whether something goes to an agent that is not at a place in the trees.
    pub(super) fn goes_beyond(&mut self, store: &Store, address: u32, place: usize) -> bool {
        let agents = self.agents_at(store, place);
        self.addresses[address as usize].to.iter().any(|to| !agents.contains(&to.index()))
    }

    /// The agents at a place in the trees.
    fn agents_at(&mut self, store: &Store, place: usize) -> Range<usize> {
        let places = &mut self.places;
        // The parts of a pair stand before it.
        for place in places.len()..=place {
            places.push(match store.part(place) {
                Part::Agent(agent) => agent..agent + 1,
                Part::Pair(left, right) => places[left].start..places[right].end,
            });
        }
        places[place].clone()
    }

    /// The number of a message that is dropped by an agent.
    pub(super) fn dropped_by(&mut self, address: u32, agent: usize) -> u32 {
        self.is_larger = true;
        let performative = self.addresses[address as usize].performative;
        self.drop_all(vec![(performative, AgentId::new(agent))])
    }

    /// The number of what is dropped.
    fn drop_all(&mut self, all: Vec<Dropped>) -> u32 {
        let size = size_of_val(&*all);
        let (number, is_new) = self.drops.insert_full(all);
        self.pieces += if is_new { size } else { 0 };
        number as u32
    }

    /// The number of what is dropped in two parts.
    #[inline]
    pub(super) fn drop_both(&mut self, one: u32, other: u32) -> u32 {
        if one == NONE || other == NONE {
            return one.min(other);
        }
        self.is_larger = true;
        let mut both = [&*self.drops[one as usize], &*self.drops[other as usize]].concat();
        both.sort_unstable_by_key(|&(_, agent)| agent);
        self.drop_all(both)
    }

    /// Whether something is dropped of which nothing has been noted.
    #[inline]
    pub(super) fn drops_news(&self, number: u32) -> bool {
        number != NONE && self.noted_drops.get(number as usize) != Some(&true)
    }

    pub(super) fn note_dropped(&mut self, number: u32) {
        if number != NONE {
            let noted = &mut self.noted_drops;
            noted.resize(noted.len().max(number as usize + 1), false);
            noted[number as usize] = true;
        }
    }

    /// What is dropped, in the order of agents.
    #[inline]
    pub(super) fn dropped(&self, number: u32) -> &[Dropped] {
        if number == NONE { &[] } else { &self.drops[number as usize] }
    }

    #[inline]
    pub(super) fn delivery(&self, inner: bool, word: u32, letter: u32) -> Option<Delivered> {
        self.deliveries[usize::from(inner)].get(word, letter)
    }

    pub(super) fn note_delivery(&mut self, inner: bool, word: u32, letter: u32, delivered: Delivered) {
        self.deliveries[usize::from(inner)].note(word, letter, delivered);
    }

    #[inline]
    pub(super) fn reply(&self, right: u32, effect: u32) -> Option<Reply> {
        self.replies.get(right, effect)
    }

    pub(super) fn note_reply(&mut self, right: u32, effect: u32, reply: Reply) {
        self.replies.note(right, effect, reply);
    }

    pub(super) fn rewired(&self, step: usize, map: u32) -> Option<u32> {
        self.rewired.get(step as u32, map)
    }

    pub(super) fn note_rewired(&mut self, step: usize, map: u32, right: u32) {
        self.rewired.note(step as u32, map, right);
    }

    pub(super) fn bytes(&self) -> usize {
        debug_assert_eq!(self.pieces, self.pieces_counted());
        self.halves.capacity() * size_of::<Half>()
            + self.half_at.capacity() * (size_of::<(u64, u32)>() + 2)
            + self.places.capacity() * size_of::<Range<usize>>()
            + self.agent_at.capacity() * size_of::<u32>()
            + self.steps.capacity() * size_of::<HalfStep>()
            + self.top_steps.capacity() * size_of::<TopStep>()
            + self.seen.capacity() * (size_of::<(u64, Seen)>() + 2)
            + self.lefts.bytes()
            + self.rights.bytes()
            + self.pieces
            + self.patterns.capacity() * size_of::<u32>()
            + self.held.capacity() * size_of::<Option<Held>>()
            + self.strings.capacity() * (size_of::<Box<[u8]>>() + OWNED)
            + self.letters.capacity() * (size_of::<Letter>() + INDEXED)
            + self.effects.capacity() * (size_of::<Effect>() + INDEXED)
            + self.strings_lately.bytes()
            + self.letters_lately.bytes()
            + self.effects_lately.bytes()
            + self.addresses.capacity() * (size_of::<Address>() + OWNED)
            + self.noted.capacity()
            + self.drops.capacity() * (size_of::<Vec<Dropped>>() + OWNED)
            + self.deliveries.iter().map(Recent::bytes).sum::<usize>()
            + self.replies.bytes()
            + self.rewired.bytes()
    }

    /// The naive twin of the bytes that are counted as things come.
    fn pieces_counted(&self) -> usize {
        let strings: usize = self.strings.iter().map(|it| it.len()).sum();
        let drops: usize = self.drops.iter().map(|it| size_of_val(&**it)).sum();
        let addresses: usize = self.addresses.iter().map(|it| size_of_val(&*it.to)).sum();
        strings + drops + addresses
    }
}

/// What an index has for an entry beside the entry, and what the allocator adds to a piece of memory.
const INDEXED: usize = 16;
const OWNED: usize = INDEXED + 24;
