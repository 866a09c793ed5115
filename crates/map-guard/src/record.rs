//! What a journal keeps: a line of JSON for everything that matters after a restart, with a checksum.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::rules::Moment;
use crate::summary::{EndedConversation, EndedItem, EndedKey};

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Its number, from 1.
    pub seq: u64,
    /// When it happened.
    pub time: Moment,
    /// What it is.
    #[serde(flatten)]
    pub entry: Entry,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Entry {
    /// A guard began to write.
    Started {
        /// The digest of the file and of what it is guarded by: numbers of places mean nothing without it.
        digest: String,
    },
    /// A segment of a journal begins which has all that is needed of those before it.
    Carried {
        /// The digest of the file and of what it is guarded by.
        digest: String,
        /// The number of the last record before it.
        upto: u64,
    },
    /// A conversation was over before the segment began.
    Ended(EndedConversation),
    /// An agent of such a conversation has not acknowledged something.
    Undelivered {
        /// The conversation.
        conversation: String,
        /// The agent, as in the file.
        agent: String,
        /// What it is.
        item: EndedItem,
    },
    /// A key in such a conversation was given an answer.
    Answered {
        /// The conversation.
        conversation: String,
        /// The agent, as in the file.
        agent: String,
        /// The key, and its answer.
        answer: EndedKey,
    },
    /// A conversation was opened.
    Opened {
        /// Its name.
        conversation: String,
    },
    /// A name got its meaning.
    Named {
        /// The conversation.
        conversation: String,
        /// The name.
        name: String,
        /// The agent, as in the file.
        agent: String,
    },
    /// A message was accepted.
    Send {
        /// The conversation.
        conversation: String,
        /// The name of the sender.
        from: String,
        /// The names of the recipients.
        to: Vec<String>,
        /// The performative.
        performative: String,
        /// The arguments, as they were given.
        args: Vec<Json>,
        /// The sender, as in the file.
        by: String,
        /// The recipients, as in the file.
        #[serde(rename = "for")]
        recipients: Vec<String>,
        /// The arguments, so that they mean the same whatever names there are; if that makes a difference.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        values: Option<Vec<Json>>,
        /// Whether it arrived at once. If that cannot be said of all messages of the journal, it is said of none.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        arrived: bool,
        /// Whether it surely fits.
        certain: bool,
        /// Whether it was delivered without having been judged.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        unguarded: bool,
        /// The key of the request.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        key: Option<String>,
    },
    /// A request with a key was refused.
    Refused {
        /// The conversation.
        conversation: String,
        /// The agent, as in the file.
        agent: String,
        /// The kind.
        kind: String,
        /// The sentence.
        text: String,
        /// The key of the request.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        key: Option<String>,
    },
    /// Messages and events were handed over.
    Handed {
        /// The conversation.
        conversation: String,
        /// The agent, as in the file.
        agent: String,
        /// The number of the last one.
        upto: u64,
    },
    /// Messages and events were acknowledged.
    Acknowledged {
        /// The conversation.
        conversation: String,
        /// The agent, as in the file.
        agent: String,
        /// The number of the last one.
        upto: u64,
    },
    /// An agent is at rest.
    Rest {
        /// The conversation.
        conversation: String,
        /// The agent, as in the file.
        agent: String,
        /// Whether it has said so; else it was taken to be.
        said: bool,
    },
    /// Time has run out for an agent.
    Timeout {
        /// The conversation.
        conversation: String,
        /// The agent, as in the file.
        agent: String,
        /// The number of the place.
        place: u32,
        /// Whether others may not have been at rest.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        early: bool,
    },
    /// An agent owes a message for too long.
    Silent {
        /// The conversation.
        conversation: String,
        /// The agent, as in the file.
        agent: String,
        /// Whether it is given up.
        gave_up: bool,
    },
    /// Nothing can happen any more, and not all have ended.
    Stuck {
        /// The conversation.
        conversation: String,
    },
    /// A conversation is over.
    Closed {
        /// The conversation.
        conversation: String,
        /// Why.
        why: String,
    },
}

impl Entry {
    /// The conversation that it is about.
    #[must_use]
    pub fn conversation(&self) -> Option<&str> {
        match self {
            Self::Started { .. } | Self::Carried { .. } => None,
            Self::Ended(ended) => Some(&ended.conversation),
            Self::Opened { conversation }
            | Self::Undelivered { conversation, .. }
            | Self::Answered { conversation, .. }
            | Self::Named { conversation, .. }
            | Self::Send { conversation, .. }
            | Self::Refused { conversation, .. }
            | Self::Handed { conversation, .. }
            | Self::Acknowledged { conversation, .. }
            | Self::Rest { conversation, .. }
            | Self::Timeout { conversation, .. }
            | Self::Silent { conversation, .. }
            | Self::Stuck { conversation }
            | Self::Closed { conversation, .. } => Some(conversation),
        }
    }
}

/// Why a line is no record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordError {
    /// It has no checksum, or another one.
    Checksum,
    /// It is no record in spite of its checksum.
    Form(String),
}

/// The last field of a line, before the checksum in hexadecimal digits.
const FIELD: &str = ",\"crc\":\"";
const END: &str = "\"}";
const DIGITS: usize = 8;

impl Record {
    /// The record as a line, with a checksum and its end.
    #[must_use]
    pub fn to_line(&self) -> String {
        let mut line = serde_json::to_string(self).expect("a record has texts as keys");
        line.pop();
        let sum = crc32c::crc32c(line.as_bytes());
        line.push_str(&format!("{FIELD}{sum:08x}{END}\n"));
        line
    }

    /// Reads a line without its end.
    ///
    /// # Errors
    /// If it was damaged.
    pub fn parse(line: &[u8]) -> Result<Self, RecordError> {
        let length = FIELD.len() + DIGITS + END.len();
        let at = line.len().checked_sub(length).ok_or(RecordError::Checksum)?;
        let (body, tail) = line.split_at(at);
        let expected = format!("{FIELD}{:08x}{END}", crc32c::crc32c(body));
        if tail != expected.as_bytes() {
            return Err(RecordError::Checksum);
        }
        let text = [body, b"}"].concat();
        serde_json::from_slice(&text).map_err(|error| RecordError::Form(error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use crc32c::crc32c;

    use super::{Entry, Record, RecordError};

    #[test]
    fn the_checksum_is_that_of_the_standard() {
        assert_eq!(crc32c(b"123456789"), 0xe306_9283);
        assert_eq!(crc32c(&[0; 32]), 0x8a91_36aa);
    }

    #[test]
    fn every_flipped_bit_is_noticed() {
        let entry = Entry::Rest { conversation: "riga".to_owned(), agent: "Desk".to_owned(), said: true };
        let record = Record { seq: 7, time: 1_000, entry };
        let line = record.to_line();
        let line = line.trim_end().as_bytes();
        assert_eq!(Record::parse(line), Ok(record));
        for at in 0..line.len() {
            for bit in 0..8 {
                let mut flipped = line.to_vec();
                flipped[at] ^= 1 << bit;
                assert_eq!(Record::parse(&flipped), Err(RecordError::Checksum), "{at} {bit}");
            }
            assert_eq!(Record::parse(&line[..at]), Err(RecordError::Checksum), "{at}");
        }
    }
}
