//! Steps of many states at once, which have their right half in common.
//!
//! What is done of single agents' steps and messages is as for one state; but a step of the right half by which the left one
//! stays as it is leads from all states of the bundle to states of one bundle. Of states of which more is to be said than where
//! their steps lead nothing is said here.

use map_semantics::StepKind;

use super::half::{Half, HalfStep, NONE};
use super::names::Unfit;
use super::tables::Seen;
use super::top::{After, Top};
use super::{Found, Halves, Means, Next, Space};
use crate::store::{Folder, Store};

/// States that have the right half in common, and whose left halves are words that differ in the last bits alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bundle {
    /// The word of the right half, which may be wired.
    pub(crate) right: u32,
    /// The other bits of the words of left halves.
    pub(crate) base: u32,
    /// Which last bits they have.
    pub(crate) lefts: u64,
}

/// Bits in which words of left halves differ.
const BITS: u32 = u64::BITS.trailing_zeros();

impl Bundle {
    /// The state of two halves.
    #[inline]
    pub(crate) fn of([left, right]: [u32; 2]) -> Self {
        Self { right, base: left >> BITS, lefts: 1 << (left % u64::BITS) }
    }

    /// What tells it from others: not all bits are set.
    #[inline]
    pub(crate) fn key(self) -> u64 {
        u64::from(self.right) | u64::from(self.base) << u32::BITS
    }

    /// Its place in a level: bundles with one right half follow each other.
    #[inline]
    pub(crate) fn place(self) -> u64 {
        self.key().rotate_left(u32::BITS)
    }

    /// Those states of the bundle with a key.
    pub(crate) fn with_key(key: u64, lefts: u64) -> Self {
        Self { right: key as u32, base: (key >> u32::BITS) as u32, lefts }
    }

    /// The left half that is told by a bit.
    #[inline]
    fn left(self, bit: u32) -> u32 {
        self.base << BITS | bit
    }
}

/// Which bits are set.
fn bits(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros())?;
        word &= word - 1;
        Some(bit)
    })
}

/// What came of states of a bundle.
#[derive(Clone, Copy, Default)]
pub(crate) struct Expanded {
    /// Those that were expanded; what the others lack is among what is missing.
    pub(crate) lefts: u64,
    pub(crate) transitions: usize,
}

/// Why a bundle was not expanded.
pub(crate) enum Unbundled {
    /// The store has to be made larger.
    Full,
    /// There is more to be said of some state than where its steps lead, or it does not fit.
    Unusual,
}

impl From<Unfit> for Unbundled {
    fn from(Unfit: Unfit) -> Self {
        Self::Unusual
    }
}

/// Where it is told what was found.
pub(crate) struct Tellers<E, F> {
    /// Called for states that steps lead to.
    pub(crate) reached: E,
    /// Called for steps of which something has to be noted that was not told before.
    pub(crate) found: F,
}

/// Buffers of one thread.
#[derive(Default)]
pub(super) struct Buffers {
    lefts: Vec<Left>,
    /// For each left half how many steps it has.
    counts: Vec<usize>,
    /// For each step of the right half of which states it is a transition.
    transitions: Vec<u64>,
    /// The steps of one thread of an agent.
    steps: Vec<ThreadStep>,
}

/// A left half of the bundle.
#[derive(Clone, Copy)]
struct Left {
    bit: u32,
    half: Half,
}

/// The states of a bundle whose left halves hold as many symbols: they see the right half alike.
struct Group<'g> {
    places: [usize; 2],
    bundle: Bundle,
    lefts: &'g [Left],
    right: Seen,
    /// Those in which timeouts may fire.
    timeouts: u64,
}

impl Group<'_> {
    fn top(&self, left: &Left) -> Top {
        Top {
            places: self.places,
            words: [self.bundle.left(left.bit), self.bundle.right],
            halves: [left.half, self.right.half],
        }
    }
}

/// A step of the right half, and where it leads.
struct ThreadStep {
    kind: StepKind,
    /// The states that it is a step of.
    lefts: u64,
    /// The right half after it, if all left ones stay as they are.
    right: Option<u32>,
    /// Else both halves after it, by bits.
    nexts: [[u32; 2]; u64::BITS as usize],
}

impl ThreadStep {
    fn new() -> Self {
        Self { kind: StepKind::Move, lefts: 0, right: None, nexts: [[0; 2]; u64::BITS as usize] }
    }

    fn next(&self, bundle: Bundle, bit: u32) -> [u32; 2] {
        self.right.map_or(self.nexts[bit as usize], |right| [bundle.left(bit), right])
    }

    /// The states of the bundle from which both steps come to the same.
    fn same_as(&self, other: &Self, bundle: Bundle) -> u64 {
        if self.kind != other.kind {
            return 0;
        }
        let both = self.lefts & other.lefts;
        match (self.right, other.right) {
            (Some(one), Some(other)) if one == other => both,
            (Some(_), Some(_)) => 0,
            _ => bits(both)
                .filter(|&bit| self.next(bundle, bit) == other.next(bundle, bit))
                .fold(0, |all, bit| all | 1 << bit),
        }
    }
}

impl Space<'_> {
    /// Tells what the steps of states lead to, among so many states.
    ///
    /// # Errors
    /// Why that was not possible. What was told until then is true nevertheless.
    pub(crate) fn expand_bundle(
        &self,
        halves: &mut Halves,
        (store, folder): (&Store, &mut Folder),
        (bundle, states): (Bundle, usize),
        tell: &mut Tellers<impl FnMut(Bundle), impl FnMut(Found<'_>)>,
    ) -> Result<Expanded, Unbundled> {
        halves.full = false;
        halves.tables.make_room(states);
        let means = &mut Means { space: self, store, folder };
        let mut buffers = std::mem::take(&mut halves.buffers);
        let expanded = halves.expand_bundle(means, bundle, &mut buffers, tell);
        halves.buffers = buffers;
        expanded
    }
}

impl Halves {
    fn expand_bundle(
        &mut self,
        means: &mut Means<'_>,
        bundle: Bundle,
        buffers: &mut Buffers,
        tell: &mut Tellers<impl FnMut(Bundle), impl FnMut(Found<'_>)>,
    ) -> Result<Expanded, Unbundled> {
        let places = means.store.tops().expect("there are two agents at least");
        let mut lefts = std::mem::take(&mut buffers.lefts);
        lefts.clear();
        for bit in bits(bundle.lefts) {
            if let Some(half) = self.left_half(means, places[0], bundle.left(bit))? {
                lefts.push(Left { bit, half });
            }
        }
        // Mostly all hold as many.
        if !lefts.is_sorted_by_key(|left| left.half.symbols) {
            lefts.sort_by_key(|left| left.half.symbols);
        }
        let mut all = Expanded::default();
        for lefts in lefts.chunk_by(|one, other| one.half.symbols == other.half.symbols) {
            let words = [bundle.left(lefts[0].bit), bundle.right];
            let right = self.right_half(means, places, words, Some(lefts[0].half))?;
            self.has_room()?;
            let Some(right) = right else { continue };
            let group = Group { places, bundle, lefts, right, timeouts: 0 };
            let expanded = self.expand_group(means, group, buffers, tell)?;
            all.lefts |= expanded.lefts;
            all.transitions += expanded.transitions;
        }
        buffers.lefts = lefts;
        Ok(all)
    }

    fn has_room(&self) -> Result<(), Unbundled> {
        if self.full { Err(Unbundled::Full) } else { Ok(()) }
    }

    fn expand_group(
        &mut self,
        means: &mut Means<'_>,
        mut group: Group<'_>,
        buffers: &mut Buffers,
        tell: &mut Tellers<impl FnMut(Bundle), impl FnMut(Found<'_>)>,
    ) -> Result<Expanded, Unbundled> {
        let timeouts = means.space.bounds.timeouts;
        let (mut lefts, mut ends) = (0, 0);
        for left in group.lefts {
            let outlook = left.half.outlook.and(group.right.half.outlook);
            let judgement = outlook.judged(timeouts);
            if !(judgement.is_usual() || judgement.is_good_end()) {
                return Err(Unbundled::Unusual);
            }
            let bit = |holds: bool| u64::from(holds) << left.bit;
            lefts |= bit(true);
            ends |= bit(judgement.all_done);
            group.timeouts |= bit(outlook.timeouts_may_fire(timeouts));
        }
        buffers.counts.clear();
        for left in group.lefts {
            let count = self.left_steps(means, &group, left, tell)?;
            if count.is_none() {
                lefts &= !(1 << left.bit);
            }
            buffers.counts.push(count.unwrap_or(0));
        }
        buffers.transitions.clear();
        self.right_steps(means, &group, &mut lefts, buffers, tell)?;
        let mut expanded = Expanded { lefts, transitions: 0 };
        let mut moves = 0;
        for (left, &count) in group.lefts.iter().zip(&buffers.counts) {
            if lefts >> left.bit & 1 != 0 {
                expanded.transitions += count;
                moves |= u64::from(count > 0) << left.bit;
            }
        }
        for of in &buffers.transitions {
            expanded.transitions += (of & lefts).count_ones() as usize;
            moves |= of;
        }
        if lefts & !moves & !ends != 0 { Err(Unbundled::Unusual) } else { Ok(expanded) }
    }

    /// The steps of a left half: how many transitions they are, unless something is missing.
    fn left_steps(
        &mut self,
        means: &mut Means<'_>,
        group: &Group<'_>,
        left: &Left,
        tell: &mut Tellers<impl FnMut(Bundle), impl FnMut(Found<'_>)>,
    ) -> Result<Option<usize>, Unbundled> {
        let right = group.bundle.right;
        let may_time_out = group.timeouts >> left.bit & 1 != 0;
        let (mut count, mut is_whole) = (0, true);
        let mut before = std::mem::take(&mut self.same_thread);
        let mut by = None;
        for index in left.half.steps() {
            let step = self.tables.steps[index];
            if step.is_timeout() && !may_time_out {
                continue;
            }
            let known = if step.is_plain(false) { self.tables.right_after(right, &step) } else { None };
            let next = match known {
                Some(right) => Some([step.after, right]),
                None => {
                    let top = group.top(left);
                    let after = self.after_left(means, &top, &step)?;
                    self.next(means, (index, &step), &top, after, tell)?
                }
            };
            let Some(next) = next else {
                is_whole = false;
                continue;
            };
            (tell.reached)(Bundle::of(next));
            if by != Some((step.agent, step.thread)) {
                by = Some((step.agent, step.thread));
                before.clear();
            }
            // Steps of one thread that come to the same are one transition.
            if !before.contains(&(step.kind, next)) {
                before.push((step.kind, next));
                count += 1;
            }
        }
        self.same_thread = before;
        Ok(is_whole.then_some(count))
    }

    /// The steps of the right half: of which states each is a transition. States of which something is missing are taken out.
    fn right_steps(
        &mut self,
        means: &mut Means<'_>,
        group: &Group<'_>,
        lefts: &mut u64,
        Buffers { transitions, steps, .. }: &mut Buffers,
        tell: &mut Tellers<impl FnMut(Bundle), impl FnMut(Found<'_>)>,
    ) -> Result<(), Unbundled> {
        let bundle = group.bundle;
        let (mut by, mut of_thread) = (None, 0);
        for (at, index) in group.right.steps().zip(group.right.half.steps()) {
            let step = self.tables.steps[index];
            let of = if step.is_timeout() { *lefts & group.timeouts } else { *lefts };
            if of == 0 {
                continue;
            }
            if by != Some((step.agent, step.thread)) {
                by = Some((step.agent, step.thread));
                of_thread = 0;
            }
            if of_thread == steps.len() {
                steps.push(ThreadStep::new());
            }
            let (before, this) = steps.split_at_mut(of_thread);
            let this = &mut this[0];
            of_thread += 1;
            (this.kind, this.lefts, this.right) = (step.kind, of, None);
            let top_step = self.tables.top_steps[at];
            if step.is_plain(false) && top_step.letter == NONE {
                this.right = Some(top_step.after);
                (tell.reached)(Bundle { right: top_step.after, lefts: of, ..bundle });
            } else {
                for left in group.lefts.iter().filter(|left| of >> left.bit & 1 != 0) {
                    let word = bundle.left(left.bit);
                    let known =
                        if step.is_plain(false) { self.tables.left_after(word, top_step) } else { None };
                    let next = match known {
                        Some(left) => Some([left, top_step.after]),
                        None => {
                            let top = group.top(left);
                            let after = self.after_right(means, &top, (&step, at))?;
                            self.next(means, (index, &step), &top, after, tell)?
                        }
                    };
                    match next {
                        Some(next) => {
                            this.nexts[left.bit as usize] = next;
                            (tell.reached)(Bundle::of(next));
                        }
                        None => {
                            this.lefts &= !(1 << left.bit);
                            *lefts &= !(1 << left.bit);
                        }
                    }
                }
            }
            // Steps of one thread that come to the same are one transition.
            let same = before.iter().fold(0, |same, it| same | it.same_as(this, bundle));
            transitions.push(this.lefts & !same);
        }
        Ok(())
    }

    /// The halves after a step, of which all that is to be noted is told; nothing if something is missing.
    fn next(
        &mut self,
        means: &Means<'_>,
        (index, step): (usize, &HalfStep),
        top: &Top,
        after: Option<After>,
        tell: &mut Tellers<impl FnMut(Bundle), impl FnMut(Found<'_>)>,
    ) -> Result<Option<[u32; 2]>, Unbundled> {
        self.has_room()?;
        let Some((result, dropped)) = after else { return Ok(None) };
        let Ok(key) = result else { return Err(Unbundled::Unusual) };
        let next = Store::halves_of(key);
        // Who comes back to a state goes round for ever.
        if step.fails() || next == top.words {
            return Err(Unbundled::Unusual);
        }
        if !step.is_noted() || self.tables.drops_news(dropped) {
            let dropped_now = self.tables.dropped(dropped);
            let (space, result) = (means.space, Next::State(key));
            (tell.found)(Found { space, step, compared: step.is_compared(), result, dropped: dropped_now });
            self.note(means.space, index, dropped);
        }
        Ok(Some(next))
    }
}
