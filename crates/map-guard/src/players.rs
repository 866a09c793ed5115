//! Plays the agents that are absent, so that one agent can be tested alone.
//!
//! A played agent does what the guard offers it: the monitors of its role keep every state in which it may be, so that
//! what they explain is exactly what its role can do. Whatever it sends passes the guard like any other message.

use std::collections::BTreeMap;

use map_conform::LoggedMessage;
use map_ir::{AgentId, PointId, Program};
use serde_json::{Value as Json, json};

use crate::choices::Choices;
use crate::draft::Draft;
use crate::guard::Guard;
use crate::member::Posture;
use crate::names::shown;
use crate::offer::{ArgumentText, Suggestion};
use crate::refusal::Denial;
use crate::rules::Moment;

/// How often another argument is tried for a message of which not everything that is required can be said.
const MAX_DRAFTS: usize = 16;
/// The most values of an interval that are told apart.
const MAX_INTERVAL: u64 = 1_000;
/// The most values of an interval without an end.
const MAX_HALF_OPEN: u64 = 16;

/// Plays agents, in one dialogue after the other.
pub struct Players {
    tested: AgentId,
    played: Vec<AgentId>,
    /// How often something was chosen where the agent under test was in the same situation.
    taken: BTreeMap<(Situation, Option<PointId>, String), u32>,
}

/// Where the agent under test waits or may send, and who is to move.
type Situation = (Vec<PointId>, Option<AgentId>);

/// A conversation that is played.
pub struct Dialogue {
    /// Its name.
    pub name: String,
    /// The names of the agents, in the order of the cast.
    pub names: Vec<String>,
    /// The messages so far.
    pub messages: Vec<LoggedMessage>,
    /// By agent: up to which number everything was fetched.
    fetched: Vec<u64>,
    /// The sends for which no arguments were found.
    in_vain: Vec<PointId>,
    /// Those who are not played here, though they are elsewhere.
    spoken_for: Vec<AgentId>,
}

/// Something that a played agent can do.
enum Move {
    Send(AgentId, Suggestion),
    /// It sends nothing until something arrives or time runs out.
    Rest(AgentId),
}

impl Move {
    fn agent(&self) -> AgentId {
        match self {
            Self::Send(agent, _) | Self::Rest(agent) => *agent,
        }
    }

    fn point(&self) -> Option<PointId> {
        match self {
            Self::Send(_, suggestion) => Some(suggestion.point),
            Self::Rest(_) => None,
        }
    }
}

impl Players {
    /// Plays everybody but the agent under test.
    #[must_use]
    pub fn new(program: &Program, tested: AgentId) -> Self {
        Self::of(program.cast().filter(|&agent| agent != tested).collect(), tested)
    }

    /// Plays some agents.
    #[must_use]
    pub fn of(played: Vec<AgentId>, tested: AgentId) -> Self {
        Self { tested, played, taken: BTreeMap::new() }
    }

    /// The agent under test.
    #[must_use]
    pub fn tested(&self) -> AgentId {
        self.tested
    }

    /// Opens a conversation in which the agents have these names.
    ///
    /// # Errors
    /// If there is one already, or two agents have one name.
    pub fn begin(guard: &mut Guard, now: Moment, name: &str, names: Vec<String>) -> Result<Dialogue, Denial> {
        let program = guard.rules().program();
        let in_file = program.cast().map(|agent| program.agent_name(agent).to_owned());
        let cast: Vec<(String, String)> = names.iter().cloned().zip(in_file).collect();
        guard.open(now, name, &cast)?;
        Ok(Dialogue::new(name, names))
    }

    /// Takes part in a conversation, which is opened if it is not; `None` if it is over, or there are too many.
    pub fn join(guard: &mut Guard, now: Moment, name: &str) -> Option<Dialogue> {
        if !guard.conversations.contains_key(name) {
            guard.open(now, name, &[]).ok()?;
        }
        let rules = guard.rules();
        let conversation = guard.conversations.get(name).filter(|it| it.ending.is_none())?;
        let name_of = |agent: AgentId| shown(rules, &conversation.cast, agent).to_owned();
        Some(Dialogue::new(name, rules.program().cast().map(name_of).collect()))
    }

    /// Lets a played agent do something; false if none of them can.
    pub fn make_move(
        &mut self,
        guard: &mut Guard,
        now: Moment,
        dialogue: &mut Dialogue,
        choices: &mut Choices,
    ) -> bool {
        let moves = self.moves(guard, now, dialogue);
        if moves.is_empty() {
            return false;
        }
        let places = self.places(guard, now, dialogue);
        let key = |way: &Move| ((places.clone(), Some(way.agent())), way.point(), String::new());
        let taken: Vec<u32> = moves.iter().map(|way| self.taken(&key(way))).collect();
        let chosen = &moves[choices.choose(&taken)];
        self.note(choices, key(chosen));
        match chosen {
            Move::Rest(agent) => {
                // Who may send something may be at rest.
                let _ = guard.rest(now, &dialogue.name, &dialogue.names[agent.index()]);
            }
            Move::Send(agent, suggestion) => {
                let drafts = if suggestion.exact { 1 } else { MAX_DRAFTS };
                let is_sent = (0..drafts).any(|_| {
                    let draft = self.draft(guard, dialogue, suggestion, &places, choices);
                    guard.send(now, &dialogue.name, &dialogue.names[agent.index()], &draft).is_ok()
                });
                match is_sent {
                    true => dialogue.look_at(guard),
                    false => dialogue.in_vain.push(suggestion.point),
                }
            }
        }
        true
    }

    /// Whether a played agent can do something.
    pub fn can_move(&self, guard: &mut Guard, now: Moment, dialogue: &mut Dialogue) -> bool {
        !self.moves(guard, now, dialogue).is_empty()
    }

    fn moves(&self, guard: &mut Guard, now: Moment, dialogue: &mut Dialogue) -> Vec<Move> {
        let mut moves = Vec::new();
        for &agent in &self.played {
            if dialogue.spoken_for.contains(&agent) {
                continue;
            }
            dialogue.fetch(guard, now, agent);
            let Ok(offer) = guard.offer(now, &dialogue.name, &dialogue.names[agent.index()]) else {
                continue;
            };
            let may_rest = offer.may_rest && !offer.may.is_empty();
            let may = offer.may.into_iter().filter(|it| !dialogue.in_vain.contains(&it.point));
            moves.extend(may.map(|suggestion| Move::Send(agent, suggestion)));
            moves.extend(may_rest.then_some(Move::Rest(agent)));
        }
        moves
    }

    /// Where the agent under test waits or may send something.
    pub fn places(&self, guard: &mut Guard, now: Moment, dialogue: &Dialogue) -> Vec<PointId> {
        let tested = dialogue.spoken_for.first().copied().unwrap_or(self.tested);
        let offer = guard.offer(now, &dialogue.name, &dialogue.names[tested.index()]);
        let Ok(offer) = offer else { return Vec::new() };
        let mut places = offer.waits_at;
        places.extend(offer.may.iter().map(|suggestion| suggestion.point));
        places.sort_unstable();
        places.dedup();
        places
    }

    fn draft(
        &mut self,
        guard: &Guard,
        dialogue: &Dialogue,
        suggestion: &Suggestion,
        places: &[PointId],
        choices: &mut Choices,
    ) -> Draft {
        let known = known_values(guard, dialogue);
        let mut args = Vec::new();
        for argument in &suggestion.arguments {
            let values = candidates(argument, &known);
            let key = |value: &Json| {
                let situation = (places.to_vec(), None);
                (situation, Some(suggestion.point), format!("{}:{value}", args.len()))
            };
            let taken: Vec<u32> = values.iter().map(|value| self.taken(&key(value))).collect();
            let value = values[choices.choose(&taken)].clone();
            self.note(choices, key(&value));
            args.push(value);
        }
        let to = Some(suggestion.to.clone());
        Draft { performative: suggestion.performative.clone(), args, to, key: None }
    }

    fn taken(&self, key: &(Situation, Option<PointId>, String)) -> u32 {
        self.taken.get(key).copied().unwrap_or(0)
    }

    fn note(&mut self, choices: &Choices, key: (Situation, Option<PointId>, String)) {
        if choices.is_drawn() {
            *self.taken.entry(key).or_default() += 1;
        }
    }
}

impl Dialogue {
    fn new(name: &str, names: Vec<String>) -> Self {
        let fetched = vec![0; names.len()];
        let (messages, in_vain, spoken_for) = (Vec::new(), Vec::new(), Vec::new());
        Self { name: name.to_owned(), names, messages, fetched, in_vain, spoken_for }
    }

    /// Somebody speaks for an agent: it is not played here any more.
    pub fn leave_to_itself(&mut self, agent: AgentId) {
        if !self.spoken_for.contains(&agent) {
            self.spoken_for.push(agent);
        }
    }

    /// Takes note of the message that was accepted last, if it is new.
    pub fn look_at(&mut self, guard: &Guard) {
        let Some(conversation) = guard.conversations.get(&self.name) else { return };
        if conversation.messages == self.messages.len() as u64 {
            return;
        }
        self.in_vain.clear();
        let sent = |agent: AgentId| self.messages.iter().filter(|it| it.from == agent).count() as u64;
        let newest = conversation.members.iter().find(|member| member.sent > sent(member.agent));
        self.messages.extend(newest.and_then(|member| member.last.clone()));
    }

    /// Whether an agent owes a message.
    #[must_use]
    pub fn owes(&self, guard: &Guard, agent: AgentId) -> bool {
        let conversation = guard.conversations.get(&self.name);
        conversation.is_some_and(|it| it.members[agent.index()].posture == Posture::Owes)
    }

    fn fetch(&mut self, guard: &mut Guard, now: Moment, agent: AgentId) {
        let name = &self.names[agent.index()];
        loop {
            let fetched = self.fetched[agent.index()];
            let Ok(delivery) = guard.receive(now, &self.name, name, fetched, false) else { return };
            let Some(last) = delivery.items.last() else { return };
            self.fetched[agent.index()] = last.seq;
        }
    }
}

/// The values that have occurred in a dialogue, and some others.
fn known_values(guard: &Guard, dialogue: &Dialogue) -> Vec<Json> {
    let mut known: Vec<Json> = (0..4).map(|number| json!(number)).collect();
    if let Some(conversation) = guard.conversations.get(&dialogue.name) {
        let program = guard.rules().program();
        for message in &dialogue.messages {
            for &value in &message.message.arguments {
                let value = crate::names::value_to_plain(program, &conversation.cast, value);
                if !value.is_null() && !known.contains(&value) {
                    known.push(value);
                }
            }
        }
    }
    known.push(json!({ "text": format!("text {}", dialogue.messages.len() + 1) }));
    known
}

/// The values that an argument can be given; there is at least one.
fn candidates(argument: &ArgumentText, known: &[Json]) -> Vec<Json> {
    let up = |from: i64, count: u64| (0..count as i64).map(move |offset| json!(from.saturating_add(offset)));
    match argument {
        ArgumentText::Is(value) => vec![value.clone()],
        ArgumentText::OneOf(values) if !values.is_empty() => values.clone(),
        ArgumentText::In(i64::MIN, high) => {
            (0..MAX_HALF_OPEN as i64).map(|offset| json!(high.saturating_sub(offset))).collect()
        }
        ArgumentText::In(low, i64::MAX) => up(*low, MAX_HALF_OPEN).collect(),
        ArgumentText::In(low, high) => {
            up(*low, high.abs_diff(*low).saturating_add(1).min(MAX_INTERVAL)).collect()
        }
        ArgumentText::OneOf(_) | ArgumentText::Any => known.to_vec(),
    }
}
