//! Agents that are played for those who come: whoever is absent is played by the guard itself.

use std::collections::{BTreeMap, BTreeSet};

use map_guard::{Choices, Dialogue, Guard, Moment, Players};
use map_ir::{AgentId, Program};
use map_json::guard::GuardRequest;
use map_simulate::seed_of_run;

/// How long nobody asks for anything before played agents go on by themselves.
const PAUSE: Moment = 1_000_000_000;

/// The most moves of played agents before somebody else is listened to.
const MAX_MOVES: u32 = 1_000;

/// Who is played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayedAgents {
    /// These, and nobody may speak for them.
    These(Vec<AgentId>),
    /// In each conversation those for whom nobody has asked for anything there.
    Absent,
}

/// The agents that are played in the conversations of a guard.
pub struct Company {
    is_open: bool,
    played: Vec<AgentId>,
    seed: u64,
    /// How many conversations were joined.
    joined: u64,
    players: Players,
    talks: BTreeMap<String, Talk>,
    /// The conversations in which a played agent may have something to do.
    restless: BTreeSet<String>,
    /// When somebody last asked for something.
    asked: Moment,
    /// How often they have moved since others were listened to.
    moves: u32,
}

/// A conversation with played agents.
struct Talk {
    dialogue: Dialogue,
    choices: Choices,
}

/// Whether somebody who asks for this takes part in a conversation, which begins if it has not.
fn takes_part(request: &GuardRequest) -> bool {
    match request {
        GuardRequest::Send(_) | GuardRequest::Receive { .. } | GuardRequest::Rest { .. } => true,
        GuardRequest::Open { .. }
        | GuardRequest::Status { .. }
        | GuardRequest::MayI(_)
        | GuardRequest::Offer { .. }
        | GuardRequest::Owe { .. } => false,
    }
}

impl Company {
    /// Plays agents of a program; `seed` is that of what is drawn.
    #[must_use]
    pub fn new(program: &Program, played: PlayedAgents, seed: u64) -> Self {
        let cast = || program.cast();
        let (is_open, played) = match played {
            PlayedAgents::These(agents) => (false, agents),
            PlayedAgents::Absent => (true, cast().collect()),
        };
        // If everybody is played, it is those who come whose situations are told apart.
        let tested = cast().find(|agent| !played.contains(agent)).unwrap_or(AgentId::new(0));
        Self {
            is_open,
            players: Players::of(played.clone(), tested),
            played,
            seed,
            joined: 0,
            talks: BTreeMap::new(),
            restless: BTreeSet::new(),
            asked: 0,
            moves: 0,
        }
    }

    /// Those who are played.
    #[must_use]
    pub fn played(&self) -> &[AgentId] {
        &self.played
    }

    /// Somebody asks for something: played agents may go first.
    ///
    /// # Errors
    /// If the agent that asks is played, in words.
    pub(super) fn before(
        &mut self,
        guard: &mut Guard,
        now: Moment,
        request: &GuardRequest,
    ) -> Result<(), String> {
        let conversation = request.conversation();
        let Some(name) = request.agent() else { return Ok(()) };
        // Who has no part is refused by the guard.
        let Some(agent) = guard.agent_called(conversation, name) else { return Ok(()) };
        if !self.is_open && self.played.contains(&agent) {
            return Err(format!("{name:?} is played by the guard: see --play"));
        }
        if takes_part(request) {
            self.join(guard, now, conversation);
        }
        let Some(Talk { dialogue, choices }) = self.talks.get_mut(conversation) else { return Ok(()) };
        if self.is_open {
            dialogue.leave_to_itself(agent);
        }
        self.restless.insert(conversation.to_owned());
        while self.moves < MAX_MOVES && self.players.can_move(guard, now, dialogue) && choices.flip() {
            self.moves += 1;
            self.players.make_move(guard, now, dialogue, choices);
        }
        Ok(())
    }

    /// Something has happened in a conversation, which may have been opened.
    pub(super) fn wake(&mut self, guard: &mut Guard, now: Moment, conversation: &str) {
        self.join(guard, now, conversation);
        if self.talks.contains_key(conversation) {
            self.restless.insert(conversation.to_owned());
        }
    }

    /// A conversation is over.
    pub(super) fn leave(&mut self, conversation: &str) {
        self.talks.remove(conversation);
        self.restless.remove(conversation);
    }

    /// A played agent does something in a conversation; false if none of them can.
    pub(super) fn go_on(&mut self, guard: &mut Guard, now: Moment, conversation: &str) -> bool {
        let Some(Talk { dialogue, choices }) = self.talks.get_mut(conversation) else { return false };
        if self.moves >= MAX_MOVES {
            return false;
        }
        self.moves += 1;
        let has_moved = self.players.make_move(guard, now, dialogue, choices);
        if !has_moved {
            self.restless.remove(conversation);
        }
        has_moved
    }

    /// Played agents do what they can.
    fn go_on_everywhere(&mut self, guard: &mut Guard, now: Moment) {
        while self.moves < MAX_MOVES
            && let Some(conversation) = self.restless.first().cloned()
        {
            self.go_on(guard, now, &conversation);
        }
    }

    /// Others have been listened to, who may have asked for something: played agents may move again, and do what they
    /// can if nobody has asked for anything for a while.
    pub(super) fn next_turn(&mut self, guard: &mut Guard, now: Moment, has_asked: bool) {
        self.moves = 0;
        if has_asked {
            self.asked = now;
        } else if now.saturating_sub(self.asked) >= PAUSE {
            self.go_on_everywhere(guard, now);
        }
    }

    fn join(&mut self, guard: &mut Guard, now: Moment, conversation: &str) {
        if self.talks.contains_key(conversation) {
            return;
        }
        let Some(dialogue) = Players::join(guard, now, conversation) else { return };
        let choices = Choices::drawn(seed_of_run(self.seed, self.joined));
        self.joined += 1;
        self.talks.insert(conversation.to_owned(), Talk { dialogue, choices });
    }
}

#[cfg(test)]
mod tests;
