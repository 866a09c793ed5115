//! A request to a server with its answers, and what of them are messages.

use std::sync::{Arc, PoisonError};

use map_conform::Record;
use map_json::guard::{GuardMessage, GuardRequest};
use serde_json::Value as Json;

use super::super::super::peer::Speaker;
use super::Proxy;
use super::refusing::{header, refusal};

/// A request with its answers.
pub(super) struct Exchange {
    pub(super) proxy: Arc<Proxy>,
    /// Who has sent the request.
    pub(super) speaker: Speaker,
    pub(super) client: String,
    pub(super) server: String,
    /// What the message of the client is known by, if the request is one.
    pub(super) key: Option<String>,
    /// How many messages of the server there were.
    pub(super) answers: usize,
}

impl Exchange {
    /// The messages of a request or an answer.
    pub(super) fn read(&self, body: &Json) -> Result<Vec<Record>, String> {
        let mut reading = self.proxy.reading.lock().unwrap_or_else(PoisonError::into_inner);
        reading.messages(&self.client, &self.server, body)
    }

    /// Sends a message; returns why it is refused, as an error for the client.
    pub(super) async fn send(
        &self,
        speaker: Speaker,
        id: &Json,
        message: Record,
        key: Option<String>,
    ) -> Option<Json> {
        let who = message.from.clone();
        let request = GuardRequest::Send(GuardMessage {
            id: Json::Null,
            conversation: message.conversation,
            r#as: message.from,
            performative: message.performative,
            args: message.args,
            to: Some(message.to),
            key,
        });
        let answer = self.proxy.asking.ask(speaker, request).await;
        refusal(id, answer.as_ref(), &who)
    }

    /// Sends the messages of an answer; returns whether there were any, or why one is refused.
    pub(super) async fn answer_with(&mut self, id: &Json, messages: Vec<Record>) -> Result<bool, Json> {
        let is_message = !messages.is_empty();
        for message in messages {
            self.answers += 1;
            // The answer to a request that is forwarded again is no other message.
            let key = self.key.as_ref().map(|key| format!("{key}#{}", self.answers));
            let conversation = message.conversation.clone();
            // Servers have no tokens: they are known by their addresses.
            if let Some(error) = self.send(Speaker::Anybody, id, message, key).await {
                self.proxy.note_refusal(&self.server, header(&conversation, &error));
                return Err(error);
            }
        }
        Ok(is_message)
    }
}
