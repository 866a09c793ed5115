//! FIPA ACL as JADE writes it: messages in parentheses, which may go over several lines.

use super::draft::{Draft, wrong};
use crate::record::{Fault, MAX_LINE};

/// The maximum depth of parentheses.
const MAX_DEPTH: usize = 64;

/// A part of a message.
#[derive(Debug)]
enum Term {
    Word(String),
    List(Vec<Term>),
}

/// A message that is not finished.
#[derive(Default)]
pub(super) struct Unfinished {
    text: String,
    depth: usize,
    in_text: bool,
    escaped: bool,
}

impl Unfinished {
    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Adds a line, and to the drafts what it finishes: messages, and what is wrong with them.
    pub(super) fn add(&mut self, line: &str, drafts: &mut Vec<Result<Draft, Fault>>) {
        for character in line.chars().chain(['\n']) {
            if self.text.is_empty() && character.is_whitespace() {
                continue;
            }
            self.text.push(character);
            match character {
                _ if self.escaped => self.escaped = false,
                '\\' if self.in_text => self.escaped = true,
                '"' => self.in_text = !self.in_text,
                '(' if !self.in_text => self.depth += 1,
                ')' if !self.in_text => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
            let is_over = self.depth == 0 && !self.in_text;
            if self.depth > MAX_DEPTH || self.text.len() > MAX_LINE || (is_over && character != ')') {
                *self = Self::default();
                let fault = wrong("this is no ACL message, or one that is too long or nested too deeply");
                drafts.push(Err(fault));
                return;
            }
            if is_over {
                let text = std::mem::take(self).text;
                drafts.push(draft(&text));
            }
        }
    }
}

fn draft(text: &str) -> Result<Draft, Fault> {
    let terms = match parsed(text) {
        Some(Term::List(terms)) => terms,
        _ => return Err(wrong("this is no ACL message")),
    };
    let mut terms = terms.into_iter();
    let Some(Term::Word(performative)) = terms.next() else {
        return Err(wrong("the ACL message begins with no performative"));
    };
    let mut draft = Draft { performative: Some(performative.to_ascii_uppercase()), ..Draft::default() };
    let mut content = None;
    while let Some(slot) = terms.next() {
        let (Term::Word(slot), Some(value)) = (slot, terms.next()) else {
            return Err(wrong("a slot of the ACL message has no name or no value"));
        };
        match (slot.to_ascii_lowercase().as_str(), value) {
            (":sender", value) => draft.from = agents(&value).pop(),
            (":receiver", value) => draft.to = agents(&value),
            (":content", Term::Word(text)) => content = Some(text),
            (":conversation-id", Term::Word(text)) => draft.conversation = Some(text),
            (":reply-with", Term::Word(text)) => draft.id = Some(text),
            _ => {}
        }
    }
    if performative.eq_ignore_ascii_case("PROPOSE")
        && let Some(text) = content
    {
        let number = text.trim().parse::<i64>();
        draft.args.push(number.map_or_else(|_| text.into(), Into::into));
    }
    Ok(draft)
}

/// The names of agents in a term, with the platform behind `@`: two platforms may both have an agent called `df`.
fn agents(term: &Term) -> Vec<String> {
    let Term::List(terms) = term else { return Vec::new() };
    let is_word = |term: &Term, word: &str| matches!(term, Term::Word(it) if it.eq_ignore_ascii_case(word));
    if terms.first().is_some_and(|it| is_word(it, "agent-identifier")) {
        let at = terms.iter().position(|it| is_word(it, ":name"));
        return match at.and_then(|it| terms.get(it + 1)) {
            Some(Term::Word(name)) => vec![name.clone()],
            _ => Vec::new(),
        };
    }
    // Not deeper than parentheses are nested.
    terms.iter().flat_map(agents).collect()
}

/// The one list that a text is.
fn parsed(text: &str) -> Option<Term> {
    let mut open: Vec<Vec<Term>> = Vec::new();
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        let term = match character {
            '(' => {
                open.push(Vec::new());
                continue;
            }
            ')' => Term::List(open.pop()?),
            '"' => Term::Word(quoted(&mut rest)?),
            it if it.is_whitespace() => continue,
            first => {
                let mut word = String::from(first);
                while let Some(next) = rest.next_if(|it| !it.is_whitespace() && !"()\"".contains(*it)) {
                    word.push(next);
                }
                Term::Word(word)
            }
        };
        match open.last_mut() {
            Some(list) => list.push(term),
            None => return Some(term),
        }
    }
    None
}

fn quoted(rest: &mut impl Iterator<Item = char>) -> Option<String> {
    let mut text = String::new();
    loop {
        match rest.next()? {
            '"' => return Some(text),
            '\\' => text.push(rest.next()?),
            other => text.push(other),
        }
    }
}

/// What a performative is called if the mapping does not say it.
pub(super) fn usual_name(performative: &str) -> String {
    match performative {
        "NOT-UNDERSTOOD" => "notUnderstood".to_owned(),
        "ACCEPT-PROPOSAL" => "accept".to_owned(),
        "REJECT-PROPOSAL" => "reject".to_owned(),
        "INFORM" => "done".to_owned(),
        other => other.to_ascii_lowercase(),
    }
}
