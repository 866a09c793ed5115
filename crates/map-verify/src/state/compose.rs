//! A step of one agent, put into the global state.

use std::ops::Range;

use map_ir::{AgentId, PerformativeId};
use map_semantics::{AgentState, Status, order_bags};

use super::sort::{Sorting, is_contiguous};
use super::space::{Judgement, Next, Source, Space};
use crate::abstraction::canonical::{canonical, write_tails};
use crate::agents::{After, Brief, Delivered, LocalEnding, LocalStep, Missing, Sent, StateId};

/// Buffers for expanding a state.
#[derive(Default)]
pub(crate) struct Scratch {
    /// What the tables do not say yet.
    pub(crate) missing: Vec<Missing>,
    /// Next states are left as they come, not replaced by those that stand for them.
    pub(crate) raw: bool,
    /// Where each agent's tail starts in the state being expanded, and where the last one ends.
    offsets: Vec<usize>,
    /// How many symbols each agent holds in it.
    symbol_counts: Vec<u32>,
    /// The first name that no symbol has which some agent before holds, and at last of all agents. Symbols are numbered by
    /// first occurrence.
    unused_names: Vec<u32>,
    /// What is judged of the state at once: whether all are done, and whether some have failed.
    pub(super) ended: Judgement,
    /// Whether some agent holds symbols or names of interchangeable agents.
    holds: bool,
    changed: Vec<Changed>,
    tails: Vec<u32>,
    /// The symbols, then the names, of the message that is sent, by what they are in the scene.
    sent: Vec<u32>,
    recipients: Vec<AgentId>,
    pattern: Vec<u32>,
    /// Symbols and names of the message that are new to a recipient.
    new_symbols: Vec<u32>,
    new_names: Vec<u32>,
    dropped: Vec<(PerformativeId, AgentId)>,
    sent_to: u64,
    next: Vec<u32>,
    /// Words of the header outside of which the next state and its tails are like the one before.
    altered: Range<usize>,
    /// Whether somebody holds symbols or names before or after the step.
    may_hold: bool,
    renamed: Vec<u32>,
    sorting: Sorting,
}

/// An agent that a step changes.
struct Changed {
    agent: usize,
    next: StateId,
    /// Where its new tail is.
    tail: Range<usize>,
}

/// What the agents that a step changes are after it.
#[derive(Clone, Copy)]
pub(super) struct Changes<'c> {
    changed: &'c [Changed],
    tails: &'c [u32],
}

impl<'c> Changes<'c> {
    pub(super) fn len(self) -> usize {
        self.changed.len()
    }

    pub(super) fn agent(self, index: usize) -> usize {
        self.changed[index].agent
    }

    /// The state, then the tail.
    pub(super) fn after(self, index: usize) -> (StateId, &'c [u32]) {
        let Changed { next, tail, .. } = &self.changed[index];
        (*next, &self.tails[tail.clone()])
    }
}

const UNNAMED: u32 = u32::MAX;

/// What comes of putting a step into the scene.
pub(super) enum Put {
    /// The next state was written.
    Made,
    /// Something is missing in the tables: nobody will look at the rest.
    Missing,
    Other(Next<'static>),
}

impl Scratch {
    /// The state that was written last.
    pub(super) fn next(&self) -> &[u32] {
        &self.next
    }

    /// The words of its header outside of which, tails included, it is like the state before.
    pub(super) fn altered(&self) -> Range<usize> {
        self.altered.clone()
    }

    /// The messages that the last step sent to agents that have ended.
    pub(super) fn dropped(&self) -> &[(PerformativeId, AgentId)] {
        &self.dropped
    }

    /// The parts that the last step sends to, as bits.
    pub(super) fn sent_to(&self) -> u64 {
        self.sent_to
    }

    /// Finds the tails of a state that is to be expanded; false if the steps of some agent are missing in the tables.
    pub(crate) fn locate(&mut self, space: &Space<'_>, state: &[u32]) -> bool {
        let agents = &space.agents;
        let ids = &state[..space.agent_count()];
        let Self { offsets, symbol_counts, unused_names, .. } = self;
        // All that is in them is overwritten; they are as long for each state.
        offsets.resize(ids.len() + 1, 0);
        symbol_counts.resize(ids.len(), 0);
        unused_names.resize(ids.len() + 1, 0);
        let mut unused = 0;
        let mut holds = false;
        self.ended = Judgement { all_done: true, ..Judgement::default() };
        let mut offset = space.header();
        // Of interchangeable agents many are in the same state, one after the other.
        let mut last: Option<(StateId, &Brief)> = None;
        let places = offsets.iter_mut().zip(&mut *symbol_counts).zip(&mut *unused_names);
        for (&id, ((its_offset, its_count), its_unused)) in ids.iter().zip(places) {
            let brief = match last {
                Some((known, brief)) if known == id => brief,
                _ => {
                    let brief = agents.brief(id);
                    if !brief.expanded {
                        self.missing.push(Missing::Locals(id));
                    }
                    holds |= brief.holds();
                    self.ended.all_done &= matches!(brief.status, Status::Done | Status::Crashed);
                    self.ended.some_failed |= brief.status == Status::Failed;
                    last.insert((id, brief)).1
                }
            };
            *its_offset = offset;
            *its_count = brief.symbols;
            *its_unused = unused;
            if brief.symbols > 0 {
                let symbols = &state[offset..offset + brief.symbols as usize];
                unused = symbols.iter().fold(unused, |unused, &symbol| unused.max(symbol + 1));
            }
            offset += brief.tail();
        }
        offsets[ids.len()] = offset;
        unused_names[ids.len()] = unused;
        self.holds = holds;
        self.missing.is_empty()
    }

    /// The tail of an agent of the state that has been located.
    pub(crate) fn tail<'w>(&self, state: &'w [u32], agent: usize) -> &'w [u32] {
        &state[self.offsets[agent]..self.offsets[agent + 1]]
    }

    /// Whether what an agent can do leads to the same states as what the agent before it can do: both are of one class and
    /// in the same state.
    pub(super) fn is_like_the_one_before(&self, space: &Space<'_>, state: &[u32], agent: usize) -> bool {
        agent > 0
            && !self.holds
            && !self.raw
            && state[agent - 1] == state[agent]
            && space.agents.symmetry().class_of(AgentId::new(agent)).is_some()
            && self.tail(state, agent - 1) == self.tail(state, agent)
    }

    /// Writes the next state, if the step is made, else says what else comes of it; and the agent's state after it.
    pub(super) fn put<'s>(
        &mut self,
        space: &Space<'_>,
        source: Source<'_>,
        step: &'s LocalStep<'s>,
        lost: &[AgentId],
    ) -> (Put, Option<&'s After<'s>>) {
        self.changed.clear();
        self.tails.clear();
        self.dropped.clear();
        self.sent_to = 0;
        let put = match &step.ending {
            LocalEnding::Cut(bound) => Put::Other(Next::Cut(*bound)),
            LocalEnding::TooLong => Put::Other(Next::TooLong),
            LocalEnding::RunError => Put::Other(Next::RunError),
            LocalEnding::Runaway if self.send(space, source, step, lost) => Put::Other(Next::Runaway),
            LocalEnding::Runaway => Put::Other(Next::Overflow),
            LocalEnding::State { after, more, .. } => {
                let (after, taken) = self.after(space, source, after, more.as_ref());
                self.change(space, source, after, taken);
                let put = if self.send(space, source, step, lost) {
                    self.made(space, source, lost.len() as u32)
                } else {
                    Put::Other(Next::Overflow)
                };
                return (put, Some(after));
            }
        };
        (put, None)
    }

    /// Which state follows, and the kind of message that is taken if there are more of it.
    fn after<'s>(
        &self,
        space: &Space<'_>,
        source: Source<'_>,
        after: &'s After<'s>,
        more: Option<&'s (u32, After<'s>)>,
    ) -> (&'s After<'s>, Option<u32>) {
        let Some((taken, stays)) = more else { return (after, None) };
        let (brief, tail) = self.held(space, source.state, source.agent);
        if brief.split(tail).2[*taken as usize] > 1 { (stays, Some(*taken)) } else { (after, None) }
    }

    /// Notes the state of the agent that makes the step.
    fn change(&mut self, space: &Space<'_>, source: Source<'_>, after: &After<'_>, taken: Option<u32>) {
        let kept = after.kept;
        let mut tails = std::mem::take(&mut self.tails);
        self.name_symbols(source, &kept.symbols, &mut tails);
        self.name_agents(space, source, &kept.names, |name| tails.push(name.index() as u32));
        if !kept.counts.is_empty() {
            let (brief, tail) = self.held(space, source.state, source.agent);
            kept.counts.write(brief.split(tail).2, taken, &mut tails);
        }
        self.changed.push(Changed { agent: source.agent.index(), next: after.next, tail: 0..tails.len() });
        self.tails = tails;
    }

    /// Writes the next state, if it is one.
    fn made(&mut self, space: &Space<'_>, source: Source<'_>, lost: u32) -> Put {
        if self.missing.is_empty() {
            if self.is_spliced(space) {
                self.splice(space, source.state, lost);
                return Put::Made;
            }
            self.patch(space, source.state, lost);
        }
        // If something is missing nobody will look at the rest.
        if !self.missing.is_empty() {
            return Put::Missing;
        }
        if !self.raw && !space.agents.symmetry().classes().is_empty() {
            self.altered = 0..space.header();
            self.represent(space);
        }
        Put::Made
    }

    fn held<'s, 'w>(&self, space: &'s Space<'_>, state: &'w [u32], agent: AgentId) -> (&'s Brief, &'w [u32]) {
        (space.agents.brief(state[agent.index()]), self.tail(state, agent.index()))
    }

    /// The symbols of an agent of the state that has been located.
    fn symbols<'w>(&self, state: &'w [u32], agent: usize) -> &'w [u32] {
        let start = self.offsets[agent];
        &state[start..start + self.symbol_counts[agent] as usize]
    }

    /// Adds the names of the agent's symbols in the scene; those that the step makes follow all that are there.
    fn name_symbols(&self, source: Source<'_>, symbols: &[u32], out: &mut Vec<u32>) {
        if symbols.is_empty() {
            return;
        }
        let held = self.symbols(source.state, source.agent.index());
        let unused = self.unused_names[self.unused_names.len() - 1];
        let name = |&symbol: &u32| {
            let made = || unused + symbol - held.len() as u32;
            held.get(symbol as usize).copied().unwrap_or_else(made)
        };
        out.extend(symbols.iter().map(name));
    }

    /// Calls `see` for what the agent's names for interchangeable agents mean in the scene.
    fn name_agents(
        &self,
        space: &Space<'_>,
        source: Source<'_>,
        names: &[AgentId],
        mut see: impl FnMut(AgentId),
    ) {
        if names.is_empty() {
            return;
        }
        let symmetry = space.agents.symmetry();
        let (brief, tail) = self.held(space, source.state, source.agent);
        let mut here = vec![symmetry.stands_for(source.agent)];
        here.extend(space.agents.names(source.state[source.agent.index()]));
        let mut there = vec![source.agent];
        there.extend(brief.split(tail).1.iter().map(|&name| AgentId::new(name as usize)));
        names.iter().for_each(|&name| see(symmetry.meaning(name, &here, &there)));
    }

    /// Whom the step sends to, in order.
    fn find_recipients(&mut self, space: &Space<'_>, source: Source<'_>, sent: &Sent) {
        let mut recipients = std::mem::take(&mut self.recipients);
        recipients.clear();
        recipients.extend(sent.to.iter().copied());
        if sent.classes.len() + sent.named.len() > 0 {
            for &class in &sent.classes {
                let members = space.agents.symmetry().classes()[class].iter().copied();
                recipients.extend(members.filter(|&it| it != source.agent));
            }
            self.name_agents(space, source, &sent.named, |agent| recipients.push(agent));
            recipients.sort_unstable();
        }
        self.recipients = recipients;
    }

    /// Delivers what the step sends, but for the copies that are lost; false if a mailbox is full.
    fn send(
        &mut self,
        space: &Space<'_>,
        source: Source<'_>,
        step: &LocalStep<'_>,
        lost: &[AgentId],
    ) -> bool {
        let Some(sent) = &step.sent else { return true };
        let mut held = std::mem::take(&mut self.sent);
        held.clear();
        self.name_symbols(source, &sent.symbols, &mut held);
        self.name_agents(space, source, &sent.names, |name| held.push(name.index() as u32));
        self.sent = held;
        self.find_recipients(space, source, sent);
        let recipients = std::mem::take(&mut self.recipients);
        let mut last: Option<(StateId, Delivered<'_>)> = None;
        let mut roomy = true;
        for &to in recipients.iter().filter(|to| !lost.contains(to)) {
            // Also what is dropped: in another order the agent had not ended yet.
            self.sent_to |= space.parts[to.index()];
            let id = source.state[to.index()];
            let (brief, tail) = self.held(space, source.state, to);
            match brief.status {
                Status::Running => {}
                Status::Crashed => continue,
                Status::Done | Status::Failed => {
                    self.dropped.push((sent.performative, to));
                    continue;
                }
            }
            if brief.mailbox(tail) >= space.bounds.mailbox {
                roomy = false;
                break;
            }
            self.note_pattern(to, sent, brief, tail);
            let delivered = match last {
                Some((before, delivered)) if before == id && self.pattern.is_empty() => delivered,
                _ => match space.agents.deliver(id, sent.message, &self.pattern) {
                    Ok(delivered) => delivered,
                    Err(missing) => {
                        self.missing.push(missing);
                        continue;
                    }
                },
            };
            if self.pattern.is_empty() {
                last = Some((id, delivered));
            }
            self.receive(to, delivered, brief, tail);
        }
        self.recipients = recipients;
        roomy
    }

    /// Finds out where the symbols and names of the message stand in the numbering of the recipient.
    fn note_pattern(&mut self, to: AgentId, sent: &Sent, brief: &Brief, tail: &[u32]) {
        let Self { new_symbols, new_names, pattern, sent: held, .. } = self;
        pattern.clear();
        new_symbols.clear();
        new_names.clear();
        if held.is_empty() {
            return;
        }
        let (symbols, names, _) = brief.split(tail);
        let (sent_symbols, sent_names) = held.split_at(sent.symbols.len());
        pattern.extend(sent_symbols.iter().map(|&symbol| position_or_push(symbols, new_symbols, symbol)));
        pattern.extend(sent_names.iter().map(|&name| {
            let own = name == to.index() as u32;
            if own { 0 } else { 1 + position_or_push(names, new_names, name) }
        }));
    }

    /// Notes the state of a recipient.
    fn receive(&mut self, to: AgentId, delivered: Delivered<'_>, brief: &Brief, tail: &[u32]) {
        let Self { new_symbols, new_names, tails, .. } = self;
        let start = tails.len();
        let (symbols, names, counts) = brief.split(tail);
        let received = delivered.received;
        tails.extend(received.symbols.iter().map(|&index| at(symbols, new_symbols, index)));
        tails.extend(received.names.iter().map(|&index| at(names, new_names, index)));
        received.counts.write(counts, None, tails);
        self.changed.push(Changed { agent: to.index(), next: delivered.next, tail: start..tails.len() });
    }

    fn has_ties(&self, space: &Space<'_>, words: &[u32]) -> bool {
        let ids = &words[..space.agent_count()];
        space.agents.any_ties() && ids.iter().any(|&id| space.agents.brief(id).ties)
    }

    /// The agents of a state, their symbols by their names in it.
    fn named(&self, space: &Space<'_>, words: &[u32]) -> Vec<AgentState> {
        let mut symbols = &words[space.header()..];
        let named = words[..space.agent_count()].iter().map(|&id| {
            let (held, rest) = symbols.split_at(space.agents.brief(id).symbols as usize);
            symbols = rest;
            space.agents.named(id, held)
        });
        named.collect()
    }

    /// Orders the bags of the state just written.
    fn order(&mut self, space: &Space<'_>) {
        let mut scene = self.named(space, &self.next);
        order_bags(&mut scene);
        self.next.truncate(space.header());
        for (agent, state) in scene.into_iter().enumerate() {
            match space.agents.known(AgentId::new(agent), state) {
                Ok((id, symbols)) => {
                    self.next[agent] = id;
                    self.next.extend(symbols);
                }
                Err(missing) => self.missing.push(missing),
            }
        }
    }

    /// Whether the agents of the next state are in order once those that are changed have found their places: nobody holds
    /// anything that would have to be named anew, and the state before is in order.
    fn is_spliced(&self, space: &Space<'_>) -> bool {
        let classes = space.agents.symmetry().classes();
        !self.raw
            && !classes.is_empty()
            && !self.holds
            && !self.changed.iter().any(|it| space.agents.brief(it.next).holds())
            && !space.agents.any_ties()
            && classes.iter().all(|class| is_contiguous(class))
    }

    /// Writes the next state with each changed agent in its place.
    fn splice(&mut self, space: &Space<'_>, state: &[u32], lost: u32) {
        self.altered = 0..space.header();
        let Self { sorting, offsets, changed, tails, next, .. } = self;
        sorting.splice(space, state, offsets, Changes { changed, tails }, next);
        if let Some(counter) = next[..space.header()].get_mut(space.agent_count()) {
            *counter += lost;
        }
        if cfg!(debug_assertions) {
            let spliced = next.clone();
            self.patch(space, state, lost);
            self.sorting.sort(space, &mut self.next);
            assert_eq!(spliced, self.next, "after {state:?}");
        }
    }

    /// Writes the next state, its symbols numbered by first occurrence.
    fn patch(&mut self, space: &Space<'_>, state: &[u32], lost: u32) {
        let Self { next, changed, tails, offsets, .. } = self;
        next.clear();
        next.extend_from_slice(&state[..space.header()]);
        if let Some(counter) = next.get_mut(space.agent_count()) {
            *counter += lost;
        }
        if changed.len() > 1 {
            changed.sort_unstable_by_key(|it| it.agent);
        }
        self.may_hold = self.holds;
        let mut rest = offsets[0];
        for it in changed.iter() {
            next[it.agent] = it.next;
            self.may_hold |= space.agents.brief(it.next).holds();
            next.extend_from_slice(&state[rest..offsets[it.agent]]);
            next.extend_from_slice(&tails[it.tail.clone()]);
            rest = offsets[it.agent + 1];
        }
        next.extend_from_slice(&state[rest..]);
        let ties = self.has_ties(space, &self.next);
        if ties {
            self.order(space);
            if !self.missing.is_empty() {
                // Not all tails were written, and nobody will look at the rest.
                return;
            }
        }
        self.altered = 0..space.header();
        if self.may_hold {
            match ties || !space.agents.only_symbols() {
                true => self.number_symbols(space),
                false => self.number_from_changed(lost > 0),
            }
        }
    }

    /// Numbers the symbols where tails are nothing else. What agents hold that stand in front of all those that the step
    /// changes keeps its names; so does what is behind them, unless some symbol is out of turn.
    fn number_from_changed(&mut self, loses: bool) {
        let Some((first, last)) = self.changed.first().zip(self.changed.last()) else { return };
        let (start, behind) = (self.offsets[first.agent], last.agent + 1);
        let end = self.next.len() - (self.offsets[self.offsets.len() - 1] - self.offsets[behind]);
        self.altered.start = first.agent;
        let mut fresh = self.unused_names[first.agent];
        for place in start..self.next.len() {
            if place == end && fresh == self.unused_names[behind] {
                break;
            }
            let symbol = self.next[place];
            if symbol > fresh {
                return self.rename_from(place, fresh);
            }
            fresh += u32::from(symbol == fresh);
        }
        if !loses {
            self.altered.end = behind;
        }
    }

    /// Names the symbols from a place on anew; so many are named before it.
    fn rename_from(&mut self, place: usize, mut fresh: u32) {
        let Self { next, renamed, .. } = self;
        renamed.clear();
        renamed.extend(0..fresh);
        next[place..].iter_mut().for_each(|symbol| rename(symbol, renamed, &mut fresh));
    }

    fn number_symbols(&mut self, space: &Space<'_>) {
        let Self { next, renamed, .. } = self;
        renamed.clear();
        let mut fresh = 0;
        let (ids, mut rest) = next.split_at_mut(space.header());
        for &id in &ids[..space.agent_count()] {
            let brief = space.agents.brief(id);
            let (tail, others) = rest.split_at_mut(brief.tail());
            for symbol in &mut tail[..brief.symbols as usize] {
                rename(symbol, renamed, &mut fresh);
            }
            rest = others;
        }
    }

    /// Replaces the state just written by the one that stands for it.
    fn represent(&mut self, space: &Space<'_>) {
        let ids = &self.next[..space.agent_count()];
        if !self.may_hold || !ids.iter().any(|&id| space.agents.brief(id).holds()) {
            return self.sorting.sort(space, &mut self.next);
        }
        let scene = canonical(space.agents.symmetry(), space.read(&self.next));
        self.next.truncate(space.header());
        for (word, (id, _)) in self.next.iter_mut().zip(&scene) {
            *word = *id;
        }
        write_tails(&scene, &mut self.next);
    }
}

/// Gives a symbol its new name, the next one if it has none.
fn rename(symbol: &mut u32, renamed: &mut Vec<u32>, fresh: &mut u32) {
    let index = *symbol as usize;
    if renamed.len() <= index {
        renamed.resize(index + 1, UNNAMED);
    }
    if renamed[index] == UNNAMED {
        renamed[index] = *fresh;
        *fresh += 1;
    }
    *symbol = renamed[index];
}

/// Where an item is among those that are held and, after these, new ones; at the end if it is in neither.
fn position_or_push(held: &[u32], new: &mut Vec<u32>, item: u32) -> u32 {
    let known = held.iter().chain(&*new).position(|it| *it == item);
    known.unwrap_or_else(|| {
        new.push(item);
        held.len() + new.len() - 1
    }) as u32
}

/// The item at a place among those that are held and new ones.
fn at(held: &[u32], new: &[u32], place: u32) -> u32 {
    let place = place as usize;
    held.get(place).copied().unwrap_or_else(|| new[place - held.len()])
}
