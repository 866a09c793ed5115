//! The meaning of MAP: agent states, mailboxes, and the step relation.
