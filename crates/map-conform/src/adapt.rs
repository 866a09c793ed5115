//! From the lines of a log in some form to records.

mod a2a;
mod autogen;
mod draft;
mod fields;
#[cfg_attr(not(feature = "jq"), path = "adapt/no_filter.rs")]
mod filter;
mod fipa;
mod guard;
mod mapping;
mod mcp;
mod memory;
mod otel;
mod places;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::line::{Fragment, Line, Records};
use crate::record::{Fault, FaultKind, Record, checked_text, read_timed};
use crate::times::{TimeRules, TimeUnit, Times};
use draft::{Draft, wrong};
use fipa::Unfinished;
use mapping::Reading;
use memory::Memory;
use places::{Field, Places};

pub use filter::{Filter, RunFilter};
pub use mapping::{MAX_MAPPING, Mapping, MappingError};

/// The maximum number of records in a line.
pub const MAX_RECORDS: usize = 1_024;

/// The maximum number of records that are kept back to be sorted.
const MAX_SORTED: usize = 65_536;

/// The system that wrote a log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Origin {
    /// One that writes records, or lines that a mapping tells how to read.
    #[default]
    Native,
    /// A proxy between agents that speak A2A.
    A2a,
    /// A proxy before servers of tools that speak MCP.
    Mcp,
    /// AutoGen.
    Autogen,
    /// JADE.
    FipaAcl,
    /// OpenTelemetry.
    Otel,
    /// `map guard`, in its journal.
    Guard,
}

/// The form of logs.
#[derive(Clone, Debug, Default)]
pub struct Form {
    /// Who wrote them.
    pub origin: Origin,
    /// What a mapping says of them.
    pub mapping: Option<Arc<Mapping>>,
    /// The unit of times that are numbers, if it is given; it goes before that of the mapping.
    pub time_unit: Option<TimeUnit>,
}

impl Form {
    /// What is given about times.
    fn time_rules(&self) -> TimeRules {
        let rules = self.mapping.as_ref().map(|it| it.times()).unwrap_or_default();
        // OTLP and journals say in what unit their times are.
        let own = matches!(self.origin, Origin::Otel | Origin::Guard).then_some(TimeUnit::Nanoseconds);
        TimeRules { unit: own.or(self.time_unit).or(rules.unit), ..rules }
    }
}

/// Reads the lines of one log.
pub struct Adapter {
    form: Form,
    memory: Memory,
    calls: mcp::Calls,
    /// For messages over several lines, and the line of the first one.
    unfinished: Unfinished,
    began: u64,
    times: Times,
    spans: otel::Spans,
    /// Messages of spans that are kept back, by time and in the order of the log, with the numbers of their lines.
    sorted: BTreeMap<(u64, u64), (u64, otel::OfSpan)>,
    kept_back: u64,
}

/// What an adapter has to remember of the lines so far, between two messages.
#[derive(Serialize, Deserialize)]
struct Remembered {
    memory: Memory,
    calls: mcp::Calls,
    times: Times,
}

impl Origin {
    /// Its name on the command line.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::A2a => "a2a",
            Self::Mcp => "mcp",
            Self::Autogen => "autogen",
            Self::FipaAcl => "fipa-acl",
            Self::Otel => "otel",
            Self::Guard => "guard",
        }
    }
}

impl Adapter {
    /// Nothing has been read yet.
    #[must_use]
    pub fn new(form: &Form) -> Self {
        Self {
            form: form.clone(),
            memory: Memory::default(),
            calls: mcp::Calls::default(),
            unfinished: Unfinished::default(),
            began: 0,
            times: Times::new(form.time_rules()),
            spans: otel::Spans::default(),
            sorted: BTreeMap::new(),
            kept_back: 0,
        }
    }

    /// Whether the last line is a part of a message that is not finished.
    #[must_use]
    pub fn is_within_a_message(&self) -> bool {
        !self.unfinished.is_empty()
    }

    /// What is remembered of the lines before this message, as JSON; without what waits to be sorted.
    ///
    /// # Errors
    /// Those of JSON.
    pub fn remembered(&self) -> serde_json::Result<Json> {
        let Self { memory, calls, times, .. } = self;
        serde_json::to_value(Remembered {
            memory: memory.clone(),
            calls: calls.clone(),
            times: times.clone(),
        })
    }

    /// Goes on from what another adapter of this form has remembered.
    ///
    /// # Errors
    /// If it is something else.
    pub fn remember(&mut self, remembered: Json) -> serde_json::Result<()> {
        let Remembered { memory, calls, times } = serde_json::from_value(remembered)?;
        (self.memory, self.calls, self.times) = (memory, calls, times);
        Ok(())
    }

    /// Reads a line, without its end. Blank lines say nothing, except within a message that goes over several.
    pub fn line(&mut self, number: u64, line: &[u8], records: &mut Records) {
        if self.unfinished.is_empty() && line.iter().all(u8::is_ascii_whitespace) {
            return;
        }
        let looks = |mapping: &Arc<Mapping>| mapping.has_fields() || mapping.looks_into_lines();
        if self.form.origin == Origin::Native && !self.form.mapping.as_ref().is_some_and(looks) {
            records.push_back((
                number,
                match read_timed(line, &mut self.times) {
                    Ok(record) => Line::Record(self.renamed(record)),
                    Err(fault) => Line::Bad(fault, Fragment::of_text(line)),
                },
            ));
            return;
        }
        let number = if self.unfinished.is_empty() { number } else { self.began };
        self.began = number;
        let mut drafts = Vec::new();
        match self.drafts(number, line, &mut drafts) {
            Ok(None) => {}
            Ok(Some(reason)) => records.push_back((number, Line::Other(reason))),
            Err(fault) => records.push_back((number, Line::Bad(fault, self.fragment(line)))),
        }
        if drafts.len() > MAX_RECORDS {
            drafts = vec![Err(wrong(format!("the line has more than {MAX_RECORDS} records")))];
        }
        for draft in drafts {
            let line = match draft {
                Ok(draft) => self.finished(draft),
                Err(fault) => Line::Bad(fault, Fragment::default()),
            };
            records.push_back((number, line));
        }
        self.release(MAX_SORTED, records);
    }

    /// The log has ended: what has been kept back comes now.
    pub fn end(&mut self, records: &mut Records) {
        self.release(0, records);
        if !self.unfinished.is_empty() {
            self.unfinished = Unfinished::default();
            let fault = wrong("the last message is not finished");
            records.push_back((self.began, Line::Bad(fault, Fragment::default())));
        }
    }

    /// Spans are written when they end: their messages are sorted by time.
    fn keep_back(&mut self, number: u64, message: otel::OfSpan) {
        self.kept_back += 1;
        self.sorted.insert((message.time(), self.kept_back), (number, message));
    }

    fn release(&mut self, most: usize, records: &mut Records) {
        while self.sorted.len() > most
            && let Some((_, (number, message))) = self.sorted.pop_first()
        {
            let draft = self.spans.finish(message).and_then(|draft| {
                let mapping = self.form.mapping.as_deref();
                draft.map(|draft| rearranged(draft, mapping, &Json::Null)).transpose()
            });
            let line = match draft {
                Ok(Some(draft)) => self.finished(draft),
                Ok(None) => Line::Other("the span of the other side tells it".to_owned()),
                Err(fault) => Line::Bad(fault, Fragment::default()),
            };
            records.push_back((number, line));
        }
    }

    /// What was taken for granted about the times of the log, if anything was.
    #[must_use]
    pub fn times_taken_for(&self) -> Option<String> {
        self.times.taken_for()
    }

    /// A line that cannot be read at all, as it is longer than allowed.
    pub fn too_long(&mut self, number: u64, most: usize, records: &mut Records) {
        let text = format!("the line is longer than {most} bytes");
        self.unfinished = Unfinished::default();
        let fault = Fault::new(FaultKind::NoRecord, text);
        records.push_back((number, Line::Bad(fault, Fragment::default())));
    }

    /// What may be lost of a log of which no more can be read: its last line has no end, or there were others.
    pub fn cut_off(&mut self, why: &str) -> Line {
        self.unfinished = Unfinished::default();
        Line::Bad(Fault::new(FaultKind::NoRecord, why), Fragment::default())
    }

    /// The messages of a line, and what is wrong with single ones; why it has none, if it is about something else.
    ///
    /// # Errors
    /// What is wrong with the line.
    fn drafts(
        &mut self,
        number: u64,
        line: &[u8],
        drafts: &mut Vec<Result<Draft, Fault>>,
    ) -> Result<Option<String>, Fault> {
        if self.form.origin == Origin::FipaAcl {
            // Parentheses are counted by the reader of messages, and not here.
            let text = std::str::from_utf8(line)
                .map_err(|error| wrong(format!("the line is not UTF-8: {error}")))?;
            self.unfinished.add(text, drafts);
            return Ok(None);
        }
        let text = checked_text(line).map_err(|it| wrong(it.text))?;
        let json = || serde_json::from_str(&text).map_err(|error| wrong(format!("no JSON: {error}")));
        if matches!(self.form.origin, Origin::Native | Origin::FipaAcl) {
            let text = std::str::from_utf8(line).unwrap_or_default();
            return self.mapped(text, json, drafts);
        }
        let (line, mapping) = (json()?, self.form.mapping.clone());
        if let Some(mapping) = &mapping
            && let Some(reason) = fields::other(mapping, &line)?
        {
            return Ok(Some(reason));
        }
        let read = match self.form.origin {
            Origin::Native | Origin::FipaAcl => Vec::new(),
            Origin::A2a => a2a::drafts(&line)?,
            Origin::Mcp => self.calls.drafts(&line)?,
            Origin::Autogen => autogen::drafts(&line, mapping.as_deref())?,
            Origin::Otel => {
                let messages = self.spans.read(&line)?;
                let is_other = messages.is_empty();
                messages.into_iter().for_each(|message| self.keep_back(number, message));
                return Ok(is_other.then(|| self.not_by_origin()));
            }
            Origin::Guard => guard::drafts(&line)?,
        };
        let is_other = read.is_empty();
        drafts.extend(read.into_iter().map(|draft| rearranged(draft, mapping.as_deref(), &line)));
        Ok(is_other.then(|| self.not_by_origin()))
    }

    fn not_by_origin(&self) -> String {
        format!("it is no message by --from {}", self.form.origin.word())
    }

    /// The messages of a line by the mapping.
    fn mapped(
        &self,
        text: &str,
        json: impl Fn() -> Result<Json, Fault>,
        drafts: &mut Vec<Result<Draft, Fault>>,
    ) -> Result<Option<String>, Fault> {
        let Some(mapping) = &self.form.mapping else { return Ok(None) };
        match &mapping.reading {
            Reading::Places(_) | Reading::Records => {
                let (line, of_records) = (json()?, Places::of_records());
                let places =
                    if let Reading::Places(places) = &mapping.reading { places } else { &of_records };
                if let Some(reason) = fields::other(mapping, &line)? {
                    return Ok(Some(reason));
                }
                let mut draft = fields::draft(mapping, places, &line)?;
                // A line that names both sides is no answer: so one pointer serves for both keys.
                if draft.from.is_some() && !draft.to.is_empty() {
                    draft.remember = fields::key(&line, places, Field::Remember)?;
                } else {
                    draft.recall = fields::key(&line, places, Field::Recall)?;
                }
                drafts.push(Ok(draft));
            }
            Reading::Filter(_, _, Some(filter)) => {
                let places = Places::of_records();
                let made = filter.records(text, MAX_RECORDS)?;
                if made.is_empty() {
                    return Ok(Some("the filter makes no record of it".to_owned()));
                }
                for record in made {
                    let mut draft = fields::draft(mapping, &places, &record)?;
                    draft.remember = fields::key(&record, &places, Field::Remember)?;
                    draft.recall = fields::key(&record, &places, Field::Recall)?;
                    draft.is_other = draft.performative.is_none() && draft.remember.is_some();
                    drafts.push(Ok(draft));
                }
            }
            Reading::Filter(_, _, None) => {}
        }
        Ok(None)
    }

    /// What can be read of a line that cannot be used.
    fn fragment(&self, line: &[u8]) -> Fragment {
        match self.form.mapping.as_ref().map(|mapping| &mapping.reading) {
            Some(Reading::Places(places)) if self.form.origin == Origin::Native => {
                serde_json::from_slice(line).map(|line| fields::fragment(places, &line)).unwrap_or_default()
            }
            _ => Fragment::default(),
        }
    }

    fn finished(&mut self, mut draft: Draft) -> Line {
        match self.memory.complete(&mut draft) {
            Ok(true) => {}
            Ok(false) => return Line::Other("it repeats what was told, or is no message".to_owned()),
            Err(fault) => return Line::Bad(fault, draft.fragment()),
        }
        let mut fragment = draft.fragment();
        fragment.conversation.get_or_insert_default();
        match draft.finish(&mut self.times) {
            Ok(record) => Line::Record(self.renamed(record)),
            Err(fault) => Line::Bad(fault, fragment),
        }
    }

    /// With the performative as the scene has it.
    fn renamed(&self, mut record: Record) -> Record {
        let named = self.form.mapping.as_ref().and_then(|it| it.performatives.get(&record.performative));
        match named {
            Some(name) => record.performative.clone_from(name),
            None if self.form.origin == Origin::FipaAcl => {
                record.performative = fipa::usual_name(&record.performative);
            }
            None => {}
        }
        record
    }
}

/// The message with its arguments as a mapping says.
fn rearranged(mut draft: Draft, mapping: Option<&Mapping>, line: &Json) -> Result<Draft, Fault> {
    let performative = draft.performative.as_deref().filter(|_| !draft.is_other);
    let places = mapping.zip(performative).and_then(|(mapping, it)| mapping.arguments_of(it));
    if let Some(places) = places {
        draft.args = fields::rearranged(&draft, places, line)?;
        draft.takes_no_result = true;
    }
    Ok(draft)
}
