//! Interned messages, and what they become when their symbols are named anew.

use std::collections::HashMap;
use std::sync::Arc;

use map_ir::{PerformativeId, Symbol, Value};
use map_semantics::Message;
use rustc_hash::FxBuildHasher;

use super::alike::bytes_of_map;
use super::once::Numbered;
use super::sizes::{make_room, pieces_of};

/// The messages, numbered in the order in which they came. Mostly there are few, and these are named anew again and again.
#[derive(Default)]
pub(super) struct MessageTable {
    all: Numbered<Arc<Message>>,
    /// What is asked for most of each message.
    briefs: Vec<Brief>,
    /// The messages that have one symbol, all as if that was number 0.
    families: Numbered<Arc<Message>>,
    /// The number of the message of each family, by its symbol.
    of_families: Vec<Vec<u32>>,
    /// The numbers of messages that have more symbols, by the number of the same message with others, and these.
    renamed: HashMap<Box<[u32]>, u32, FxBuildHasher>,
    /// Bytes of those that are kept there.
    renamed_pieces: usize,
    /// What is looked for there.
    names: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Brief {
    performative: PerformativeId,
    symbols: Symbols,
}

#[derive(Clone, Copy)]
enum Symbols {
    None,
    /// Only this one, and the family.
    One(u32, u32),
    More,
}

/// There is no message.
const NONE: u32 = u32::MAX;

fn symbols(message: &Message) -> impl Iterator<Item = u32> {
    message.arguments.iter().filter_map(|it| it.symbol()).map(|Symbol(symbol)| symbol)
}

/// A message with other symbols.
fn with_symbols(message: &Message, names: impl IntoIterator<Item = u32>) -> Arc<Message> {
    let mut made = Message::clone(message);
    let symbols = made.arguments.iter_mut().filter_map(Value::symbol_mut);
    symbols.zip(names).for_each(|(symbol, new)| symbol.0 = new);
    Arc::new(made)
}

impl MessageTable {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    pub(super) fn at(&self, number: u32) -> &Arc<Message> {
        &self.all[number]
    }

    #[inline]
    pub(super) fn performative(&self, number: u32) -> PerformativeId {
        self.briefs[number as usize].performative
    }

    /// The number of a message, if it has one.
    pub(super) fn find(&self, message: &Arc<Message>) -> Option<u32> {
        self.all.find(message)
    }

    /// The number of a message, a new one if it has none.
    pub(super) fn number(&mut self, message: &Arc<Message>) -> u32 {
        let number = self.all.number(message);
        if number as usize == self.briefs.len() {
            let brief = Brief { performative: message.performative, symbols: self.symbols_of(number) };
            make_room(&mut self.briefs, 1);
            self.briefs.push(brief);
        }
        number
    }

    /// What symbols a message has that is new.
    fn symbols_of(&mut self, number: u32) -> Symbols {
        let message = &self.all[number];
        let mut symbols = symbols(message);
        let symbol = match (symbols.next(), symbols.next()) {
            (None, _) => return Symbols::None,
            (Some(symbol), None) => symbol,
            (Some(_), Some(_)) => return Symbols::More,
        };
        let family = self.families.number(&with_symbols(message, [0]));
        self.of_families.resize_with(self.families.len(), Vec::new);
        let of_family = &mut self.of_families[family as usize];
        if of_family.len() <= symbol as usize {
            of_family.resize(symbol as usize + 1, NONE);
        }
        of_family[symbol as usize] = number;
        Symbols::One(symbol, family)
    }

    /// The number of a message with other symbols.
    #[inline]
    pub(super) fn renamed(&mut self, message: u32, mut name: impl FnMut(u32) -> u32) -> u32 {
        let (symbol, family) = match self.briefs[message as usize].symbols {
            Symbols::None => return message,
            Symbols::One(symbol, family) => (symbol, family),
            Symbols::More => return self.renamed_by_all(message, name),
        };
        let new = name(symbol);
        match self.of_families[family as usize].get(new as usize) {
            Some(&known) if known != NONE => known,
            _ => self.number(&with_symbols(&self.all[message], [new])),
        }
    }

    /// The same for one that has several.
    fn renamed_by_all(&mut self, message: u32, name: impl FnMut(u32) -> u32) -> u32 {
        let mut names = std::mem::take(&mut self.names);
        names.clear();
        names.push(message);
        names.extend(symbols(&self.all[message]).map(name));
        let known = self.renamed.get(names.as_slice()).copied();
        let number = known.unwrap_or_else(|| {
            let number = self.number(&with_symbols(&self.all[message], names[1..].iter().copied()));
            self.renamed_pieces += pieces_of(&names);
            self.renamed.insert(names.as_slice().into(), number);
            number
        });
        self.names = names;
        number
    }

    pub(super) fn bytes(&self) -> usize {
        let of_families: usize = self.of_families.iter().map(|it| it.capacity() * 4 + size_of_val(it)).sum();
        self.all.bytes()
            + self.briefs.capacity() * size_of::<Brief>()
            + self.families.bytes()
            + of_families
            + bytes_of_map(&self.renamed)
            + self.renamed_pieces
    }
}
