//! Sends messages: they are judged, and delivered or refused.

use std::sync::Arc;

use map_conform::Cast;
use map_ir::AgentId;
use serde_json::Value as Json;

use crate::changing::AcceptedMessage;
use crate::conversation::Conversation;
use crate::draft::Draft;
use crate::guard::{Guard, failed, seen};
use crate::judging::{Judgement, Verdict};
use crate::member::KeyedAnswer;
use crate::names::{resolve, shown, unmistakable};
use crate::notice::Notice;
use crate::offering::with_offer;
use crate::record::{Entry, Record};
use crate::refusal::{Acceptance, Denial, Refusal, RefusalKind};
use crate::rules::Moment;

impl Guard {
    /// The answer that [`Self::send`] would give. Nothing changes.
    ///
    /// # Errors
    /// If it would be refused.
    pub fn may_i(
        &mut self,
        now: Moment,
        name: &str,
        agent: &str,
        draft: &Draft,
    ) -> Result<Acceptance, Denial> {
        self.advance(now);
        let rules = &self.rules;
        let mut unopened = None;
        let conversation = seen(rules, &mut self.conversations, &mut unopened, (name, now));
        let cast = conversation.cast.clone();
        let answer = resolve(rules, &mut conversation.cast, agent).map_err(Denial::from).and_then(|agent| {
            match conversation.judge(rules, agent, draft)? {
                Judgement::Accepted(verdict) => Ok(Acceptance {
                    seq: None,
                    is_certain: verdict.is_certain,
                    is_unguarded: verdict.after.is_none(),
                    ahead: verdict.ahead,
                }),
                Judgement::Refused(refusal) => Err(with_offer(rules, conversation, agent, refusal).into()),
            }
        });
        conversation.cast = cast;
        answer
    }

    /// Sends a message: it is delivered, or refused.
    ///
    /// # Errors
    /// Why it is refused.
    pub fn send(
        &mut self,
        now: Moment,
        name: &str,
        agent: &str,
        draft: &Draft,
    ) -> Result<Acceptance, Denial> {
        self.advance(now);
        let is_new = !self.conversations.contains_key(name);
        self.admit(now, name)?;
        let sent = self.within(name, |guard| guard.send_within(now, name, agent, draft));
        if is_new && matches!(sent, Some(Err(Denial::Misused(_)))) {
            // Nobody has taken part in it.
            self.withdraw(name);
        }
        self.schedule(name);
        sent.unwrap_or_else(|| Err(failed()))
    }

    /// Takes back that a conversation was opened just now.
    pub(crate) fn withdraw(&mut self, name: &str) {
        self.conversations.remove(name);
        self.open -= 1;
        let is_it =
            |record: &Record| matches!(&record.entry, Entry::Opened { conversation } if conversation == name);
        if self.output.records.last().is_some_and(is_it) {
            self.output.records.pop();
            self.output.seq -= 1;
        }
    }

    pub(crate) fn send_within(
        &mut self,
        now: Moment,
        name: &str,
        agent: &str,
        draft: &Draft,
    ) -> Result<Acceptance, Denial> {
        let rules = &self.rules;
        let Some(conversation) = self.conversations.get_mut(name) else { return Err(failed()) };
        let known = [agent].into_iter().chain(draft.to.iter().flatten().map(String::as_str));
        let before = match known.into_iter().all(|it| conversation.cast.agent_of(it).is_some()) {
            true => None,
            false => Some(conversation.cast.clone()),
        };
        let mark = conversation.cast.values_mark();
        let forget = |conversation: &mut Conversation, before: Option<Cast>| match before {
            Some(cast) => conversation.cast = cast,
            None => conversation.cast.forget_since(mark),
        };
        let agent = match resolve(rules, &mut conversation.cast, agent) {
            Ok(agent) => agent,
            Err(misuse) => {
                forget(conversation, before);
                return Err(misuse.into());
            }
        };
        if let Some(answer) =
            draft.key.as_ref().and_then(|key| conversation.members[agent.index()].keys.get(key))
        {
            let answer = answer.clone();
            forget(conversation, before);
            return match answer {
                KeyedAnswer::Accepted(acceptance) => Ok(acceptance),
                KeyedAnswer::Refused(kind, text) => {
                    Err(with_offer(rules, conversation, agent, Refusal::new(kind, text)).into())
                }
            };
        }
        let judgement = match conversation.judge(rules, agent, draft) {
            Ok(judgement) => judgement,
            Err(misuse) => {
                forget(conversation, before);
                return Err(misuse.into());
            }
        };
        let has_room = conversation.members[agent.index()].keys.len() < rules.policy.limits.keys;
        let refusal = match judgement {
            Judgement::Accepted(_) if draft.key.is_some() && !has_room => {
                let text = format!("the agent has used {} keys: see --max-keys", rules.policy.limits.keys);
                Refusal::new(RefusalKind::Limit, text)
            }
            Judgement::Accepted(verdict) => {
                if let Some(before) = before {
                    self.note_names(now, name, &before);
                }
                return Ok(self.deliver(now, name, draft, verdict));
            }
            Judgement::Refused(refusal) => refusal,
        };
        let refusal = with_offer(rules, conversation, agent, refusal);
        forget(conversation, before);
        let member = conversation.member(agent);
        if let Some(key) = draft.key.as_ref().filter(|_| has_room) {
            member.keys.insert(key.clone(), KeyedAnswer::Refused(refusal.kind, refusal.text.clone()));
        }
        let upto = refusal.unread.last().map(|item| item.seq);
        if let Some(upto) = upto {
            member.hand_over(rules, upto, now);
        }
        let agent = rules.program().agent_name(agent).to_owned();
        let (conversation, text) = (name.to_owned(), refusal.text.clone());
        let kind = refusal.kind.word().to_owned();
        let refused =
            Entry::Refused { conversation, agent: agent.clone(), kind, text, key: draft.key.clone() };
        self.output.record(now, refused);
        if let Some(upto) = upto {
            self.output.record(now, Entry::Handed { conversation: name.to_owned(), agent, upto });
        }
        self.happen(name, now);
        Err(refusal.into())
    }

    /// Delivers a message that was accepted.
    pub(crate) fn deliver(&mut self, now: Moment, name: &str, draft: &Draft, verdict: Verdict) -> Acceptance {
        let Self { rules, conversations, output, .. } = self;
        let Verdict { message, after, is_certain, ahead } = verdict;
        let is_unguarded = after.is_none();
        let Some(conversation) = conversations.get_mut(name) else {
            return Acceptance { seq: None, is_certain, is_unguarded, ahead };
        };
        let program = rules.program();
        let agent_name = |agent: AgentId| program.agent_name(agent).to_owned();
        let real_name = |agent: AgentId| shown(rules, &conversation.cast, agent).to_owned();
        let values: Vec<Json> = message
            .message
            .arguments
            .iter()
            .zip(&draft.args)
            .map(|(&value, given)| unmistakable(program, &conversation.cast, value, given))
            .collect();
        let from = real_name(message.from);
        let seq = output.record(
            now,
            Entry::Send {
                conversation: name.to_owned(),
                from: from.clone(),
                to: message.to.iter().map(|&to| real_name(to)).collect(),
                performative: draft.performative.clone(),
                args: draft.args.clone(),
                by: agent_name(message.from),
                recipients: message.to.iter().map(|&to| agent_name(to)).collect(),
                values: (values != draft.args).then_some(values),
                arrived: rules.is_strict(),
                certain: is_certain,
                unguarded: is_unguarded,
                key: draft.key.clone(),
            },
        );
        let acceptance = Acceptance { seq: Some(seq), is_certain, is_unguarded, ahead };
        let accepted = AcceptedMessage {
            seq,
            from,
            performative: draft.performative.clone(),
            args: Arc::new(draft.args.clone()),
            message,
            after,
            key: draft.key.clone(),
            acceptance: acceptance.clone(),
        };
        let told = conversation.accept(rules, now, accepted);
        for agent in told {
            let agent = shown(rules, &conversation.cast, agent).to_owned();
            output.notices.push_back(Notice::Arrived { conversation: name.to_owned(), agent });
        }
        self.happen(name, now);
        acceptance
    }
}
