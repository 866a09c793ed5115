//! The sends and receives of a scene with their possible partners, as far as the text determines them.

use std::collections::HashMap;

use map_syntax::ast::{Address, Message, OpKind, TermKind};

use super::words;
use crate::parts::{capitalised, numbered};
use crate::{CheckedScene, walk};

/// The agents that an address may refer to, by part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Whom {
    /// Nobody: the name and the role do not match, or the name is that of the agent itself.
    Nobody,
    /// Agents of this part.
    Part(usize),
    /// Agents of this role.
    Role(usize),
    /// Perhaps anybody.
    Anybody,
}

impl Whom {
    pub(super) fn includes(self, checked: &CheckedScene<'_>, part: usize) -> bool {
        match self {
            Self::Nobody => false,
            Self::Part(only) => only == part,
            Self::Role(role) => checked.parts[part].role == role,
            Self::Anybody => true,
        }
    }

    /// As shown to users, in backticks.
    pub(super) fn shown(self, checked: &CheckedScene<'_>) -> String {
        match self {
            Self::Nobody => "nobody".to_owned(),
            Self::Part(part) => format!("`{}`", words::title(checked, part)),
            Self::Role(role) => format!("`%{}`", checked.roles.get_index(role).map_or("", String::as_str)),
            Self::Anybody => "anybody".to_owned(),
        }
    }

    /// The values that include the agents of a part.
    fn all_of(checked: &CheckedScene<'_>, part: usize) -> [Self; 3] {
        [Self::Part(part), Self::Role(checked.parts[part].role), Self::Anybody]
    }
}

/// A send or a receive.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exchange<'a> {
    /// The clause that contains it.
    pub(super) clause: usize,
    /// The part of that clause.
    pub(super) part: usize,
    pub(super) message: &'a Message,
    pub(super) address: &'a Address,
    /// The addressees of a send, or the senders that a receive accepts.
    pub(super) whom: Whom,
}

impl Exchange<'_> {
    pub(super) fn arity(&self) -> usize {
        self.message.arguments.len()
    }

    /// Whether the address names the agent itself.
    pub(super) fn means_itself(&self, checked: &CheckedScene<'_>) -> bool {
        matches!(&self.address.agent.kind, TermKind::Agent(name) if checked.parts[self.part].literal.as_ref() == Some(name))
    }
}

type Signature<'a> = (&'a str, usize);

/// The sends or the receives of a scene, indexed by signature and by the agents at the receiving end.
pub(super) struct ExchangeIndex<'a> {
    pub(super) list: Vec<Exchange<'a>>,
    by_signature: HashMap<(Signature<'a>, Whom), Vec<usize>>,
    by_name: HashMap<&'a str, Vec<usize>>,
    by_whom: HashMap<Whom, Vec<usize>>,
}

impl<'a> ExchangeIndex<'a> {
    fn new() -> Self {
        Self {
            list: Vec::new(),
            by_signature: HashMap::new(),
            by_name: HashMap::new(),
            by_whom: HashMap::new(),
        }
    }

    fn add(&mut self, exchange: Exchange<'a>, receivers: &[Whom]) {
        let index = self.list.len();
        let name = &*exchange.message.performative.text;
        // Exchanges that no query tells apart are listed once.
        let same = |other: &usize| {
            let other = &self.list[*other];
            (other.part, other.whom) == (exchange.part, exchange.whom)
        };
        for &whom in receivers {
            let alike = self.by_signature.entry(((name, exchange.arity()), whom)).or_default();
            if !alike.iter().any(same) {
                alike.push(index);
                self.by_whom.entry(whom).or_default().push(index);
            }
        }
        let alike = self.by_name.entry(name).or_default();
        if !alike.iter().any(|other| same(other) && self.list[*other].arity() == exchange.arity()) {
            alike.push(index);
        }
        self.list.push(exchange);
    }

    /// The exchanges of this signature whose receiving end is `whom`.
    pub(super) fn of(&self, name: &'a str, arity: usize, whom: Whom) -> impl Iterator<Item = &Exchange<'a>> {
        self.listed(self.by_signature.get(&((name, arity), whom)))
    }

    /// The exchanges of this performative.
    pub(super) fn named(&self, name: &str) -> impl Iterator<Item = &Exchange<'a>> {
        self.listed(self.by_name.get(name))
    }

    /// The exchanges whose receiving end is `whom`.
    pub(super) fn all(&self, whom: Whom) -> impl Iterator<Item = &Exchange<'a>> {
        self.listed(self.by_whom.get(&whom))
    }

    fn listed<'s>(&'s self, indices: Option<&'s Vec<usize>>) -> impl Iterator<Item = &'s Exchange<'a>> {
        indices.into_iter().flatten().map(|&index| &self.list[index])
    }
}

/// All sends and receives of a scene.
pub(super) struct Messages<'a> {
    pub(super) sends: ExchangeIndex<'a>,
    pub(super) receives: ExchangeIndex<'a>,
}

impl<'a> Messages<'a> {
    pub(super) fn new(checked: &'a CheckedScene<'a>) -> Self {
        let names = PartsByName::new(checked);
        let mut messages = Self { sends: ExchangeIndex::new(), receives: ExchangeIndex::new() };
        for (clause, info) in checked.clauses.iter().enumerate() {
            let part = info.part;
            walk::operations(&checked.scene.clauses[clause].body, &mut |op| match &op.kind {
                OpKind::Send { message, to: address } => {
                    let whom = names.meant(checked, part, address);
                    messages.sends.add(Exchange { clause, part, message, address, whom }, &[whom]);
                }
                OpKind::Receive { message, from: address } => {
                    let whom = names.meant(checked, part, address);
                    messages
                        .receives
                        .add(Exchange { clause, part, message, address, whom }, &Whom::all_of(checked, part));
                }
                _ => {}
            });
        }
        messages
    }

    /// The sends of this signature that agents of the part may receive.
    pub(super) fn sent_to(
        &self,
        checked: &CheckedScene<'_>,
        name: &'a str,
        arity: usize,
        part: usize,
    ) -> impl Iterator<Item = &Exchange<'a>> {
        Whom::all_of(checked, part).into_iter().flat_map(move |whom| self.sends.of(name, arity, whom))
    }
}

/// The parts by the names of their agents without numbers.
struct PartsByName(HashMap<String, Vec<usize>>);

impl PartsByName {
    fn new(checked: &CheckedScene<'_>) -> Self {
        let mut names: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, part) in checked.parts.iter().enumerate() {
            let name = part.literal.clone().unwrap_or_else(|| capitalised(words::role(checked, index)));
            names.entry(name).or_default().push(index);
        }
        Self(names)
    }

    fn meant(&self, checked: &CheckedScene<'_>, own: usize, address: &Address) -> Whom {
        let role = match &address.role.kind {
            TermKind::Role(role) => checked.roles.get_index_of(role),
            _ => None,
        };
        let TermKind::Agent(name) = &address.agent.kind else {
            return role.map_or(Whom::Anybody, Whom::Role);
        };
        if checked.parts[own].literal.as_ref() == Some(name) {
            return Whom::Nobody;
        }
        let Some(part) = self.part(checked, name) else { return role.map_or(Whom::Anybody, Whom::Role) };
        match role {
            Some(role) if checked.parts[part].role != role => Whom::Nobody,
            _ => Whom::Part(part),
        }
    }

    /// The part that has an agent of this name.
    pub(super) fn part(&self, checked: &CheckedScene<'_>, name: &str) -> Option<usize> {
        let count = |part: usize| checked.parts[part].agents.len();
        let named = |base: &str| self.0.get(base).map_or(&[][..], Vec::as_slice).iter().copied();
        let whole = named(name).find(|&part| count(part) <= 1);
        whole.or_else(|| {
            numbered(name).find_map(|(base, number)| named(base).find(|&part| number <= count(part)))
        })
    }
}
