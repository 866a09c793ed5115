//! Messages to parts of the scene.

use map_semantics::Status;

use super::half::{Letter, NONE};
use super::names::{Names, Unfit, are_kept};
use super::pair::{Joint, Sent};
use super::tables::{Delivered, Held};
use super::{Halves, Means};
use crate::agents::{Missing, StateId};
use crate::store::Part;

impl Halves {
    /// Delivers a message, whose symbols have these names in the joint, to one of its parts.
    pub(super) fn send(
        &mut self,
        means: &mut Means<'_>,
        (joint, to): (&Joint, usize),
        address: u32,
        names: &Names,
    ) -> Result<Sent, Unfit> {
        let place = joint.places[to];
        if !self.tables.goes_to(means.store, address, place) {
            return Ok(Sent::Done(joint.unchanged(to), NONE));
        }
        let (seen, foreign) = names.seen_by(&joint.names[to])?;
        let symbols = self.tables.string(&seen);
        let letter = self.tables.letter(Letter { address, symbols, place: place as u32 });
        let Some(delivered) = self.deliver(means, place, joint.words[to], letter)? else {
            return Ok(Sent::Missing);
        };
        let Delivered::Done { after, map, dropped, .. } = delivered else { return Ok(Sent::Overflow) };
        let held = joint.names[to].len();
        let name = |&symbol: &u8| {
            let known = joint.names[to].get(usize::from(symbol));
            let name = known.or_else(|| foreign.get(usize::from(symbol) - held));
            name.map(|&name| usize::from(name)).ok_or(Unfit)
        };
        let names = Names::collect(self.tables.read(map).iter().map(name))?;
        Ok(Sent::Done((after, names), dropped))
    }

    /// What becomes of a part by a message, whose symbols are numbered as the part does it; nothing if something is missing.
    pub(super) fn deliver(
        &mut self,
        means: &mut Means<'_>,
        place: usize,
        word: u32,
        letter: u32,
    ) -> Result<Option<Delivered>, Unfit> {
        let inner = means.store.tops().is_none_or(|tops| tops[0] != place);
        if let Some(known) = self.tables.delivery(inner, word, letter) {
            return Ok(Some(known));
        }
        let delivered = match means.store.part(place) {
            Part::Agent(agent) => self.deliver_to_agent(means, agent, word, letter)?,
            Part::Pair(left, right) => self.deliver_to_pair(means, word, [left, right], letter)?,
        };
        if let Some(delivered) = delivered
            && !self.full
        {
            self.tables.note_delivery(inner, word, letter, delivered);
        }
        Ok(delivered)
    }

    fn deliver_to_agent(
        &mut self,
        means: &Means<'_>,
        agent: usize,
        id: StateId,
        letter: u32,
    ) -> Result<Option<Delivered>, Unfit> {
        let agents = &means.space.agents;
        let brief = agents.brief(id);
        let Letter { address, symbols, .. } = self.tables.letters[letter as usize];
        let same = Names::same(brief.symbols as usize)?;
        let (after, names, dropped) = match brief.status {
            Status::Crashed => (id, same, NONE),
            Status::Done | Status::Failed => (id, same, self.tables.dropped_by(address, agent)),
            Status::Running if brief.mailbox(&[]) >= means.space.bounds.mailbox => {
                return Ok(Some(Delivered::Overflow));
            }
            Status::Running => {
                let message = self.tables.addresses[address as usize].message;
                let Some(pattern) = self.tables.pattern(agents, symbols) else {
                    let pattern = self.tables.read(symbols).iter().map(|&symbol| u32::from(symbol)).collect();
                    self.missing.push(Missing::DeliveryUnder(Box::new((id, message, pattern))));
                    return Ok(None);
                };
                let Some((after, received)) = agents.delivered_under(id, message, pattern) else {
                    self.missing.push(Missing::Delivery { recipient: id, message, pattern });
                    return Ok(None);
                };
                let Held { map, kept } = self.tables.held(agents, received)?;
                let is_prefix = kept >= brief.symbols;
                return Ok(Some(Delivered::Done { after, map, dropped: NONE, is_prefix }));
            }
        };
        Ok(Some(self.delivered(after, &names, brief.symbols as usize, dropped)))
    }

    fn deliver_to_pair(
        &mut self,
        means: &mut Means<'_>,
        word: u32,
        places: [usize; 2],
        letter: u32,
    ) -> Result<Option<Delivered>, Unfit> {
        let (left_word, right_word) = means.store.pair(word);
        let words = [left_word, means.store.without_wires(right_word)];
        let mut counts = [0; 2];
        for side in 0..2 {
            counts[side] = self.symbols_of(means, places[side], words[side])?;
        }
        let joint = self.joint(means, places, [left_word, right_word], counts)?;
        let Letter { address, symbols, .. } = self.tables.letters[letter as usize];
        // What is new to the part has the same numbers as in the joint.
        let names = Names::collect(self.tables.read(symbols).iter().map(|&symbol| Ok(usize::from(symbol))))?;
        let (mut changed, mut dropped) = ([joint.unchanged(0), joint.unchanged(1)], NONE);
        let (mut is_whole, mut overflows) = (true, false);
        for (side, changed) in changed.iter_mut().enumerate() {
            match self.send(means, (&joint, side), address, &names)? {
                Sent::Missing => is_whole = false,
                Sent::Overflow => overflows = true,
                Sent::Done(part, its_dropped) => {
                    *changed = part;
                    dropped = self.tables.drop_both(dropped, its_dropped);
                }
            }
        }
        if !is_whole {
            return Ok(None);
        }
        if overflows {
            return Ok(Some(Delivered::Overflow));
        }
        let (after, names) = self.pair(means, &changed[0], &changed[1])?;
        Ok(Some(self.delivered(after, &names, joint.symbols, dropped)))
    }

    /// What became of a part that held so many symbols.
    fn delivered(&mut self, after: u32, names: &Names, held: usize, dropped: u32) -> Delivered {
        Delivered::Done { after, map: self.tables.string(names), dropped, is_prefix: are_kept(held, names) }
    }

    /// How many symbols a part holds.
    fn symbols_of(&mut self, means: &mut Means<'_>, place: usize, word: u32) -> Result<usize, Unfit> {
        if let Some(known) = self.tables.half_at(means.store, place, word) {
            return Ok(self.tables.halves[known? as usize].symbols as usize);
        }
        Ok(match means.store.part(place) {
            Part::Agent(_) => means.space.agents.brief(word).symbols as usize,
            Part::Pair(left, right) => {
                let (left_word, right_word) = means.store.pair(word);
                let left = self.symbols_of(means, left, left_word)?;
                let right = self.symbols_of(means, right, means.store.without_wires(right_word))?;
                if !means.store.read_wires(right_word, right, &mut self.tables.wires) {
                    return Err(Unfit);
                }
                left + self.tables.wires.iter().filter(|&&wire| wire == 0).count()
            }
        })
    }
}
