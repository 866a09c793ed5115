//! Reads mappings, which are written in TOML.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use map_ir::{PartId, Program};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::filter::{Filter, RunFilter};
use super::places::{ArgumentNames, Arguments, Field, Places};
use crate::casting::{CastRule, CastRules, Target, fits};
use crate::time::{duration, parse_zone};
use crate::times::{TimeRules, TimeUnit};

/// The maximum length of a mapping in bytes.
pub const MAX_MAPPING: usize = 1 << 20;

/// What is wrong with a mapping, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MappingError {
    /// The bytes of the text that it is about.
    pub span: Range<usize>,
    /// One sentence.
    pub text: String,
    /// What to do about it.
    pub help: Option<String>,
}

/// How lines become records.
#[derive(Clone, Debug, Default)]
pub(super) enum Reading {
    /// They are records.
    #[default]
    Records,
    /// The fields stand at these places.
    Places(Box<Places>),
    /// A filter makes records of them: the name of its file, where the mapping gives it, and what is in it, once it has
    /// been read.
    Filter(String, Range<usize>, Option<Filter>),
}

/// How the lines of a log are records, and its names those of the scene.
#[derive(Clone, Debug, Default)]
pub struct Mapping {
    pub(super) reading: Reading,
    /// Pointers with the values that the lines have which count.
    pub(super) only: Vec<(String, Vec<String>)>,
    pub(super) events: HashMap<String, String>,
    pub(super) performatives: HashMap<String, String>,
    /// By performative, as the lines have it: its arguments, if not as the fields say.
    args: HashMap<String, Arguments>,
    /// Topics, with `*` for any text, and who hears what is said there; the first that fits counts.
    topics: Vec<(String, Vec<String>)>,
    times: TimeRules,
    answers: Vec<AnswerRule>,
    cast: Arc<CastRules>,
}

/// How long agents of a role may take until they have sent what they owe.
#[derive(Clone, Debug)]
struct AnswerRule {
    role: String,
    nanos: u64,
    /// Where the role stands.
    span: Range<usize>,
}

const TABLES: &str = "the tables are fields, args, only, events, cast, performatives, topics and answers; before them time_unit \
                      and time_zone may stand";
const FILTER: &str = "filter";

type Value<'a, 'i> = &'a Spanned<DeValue<'i>>;
type Key<'a> = (&'a str, Range<usize>);

impl Mapping {
    /// Reads a mapping.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn parse(text: &str) -> Result<Self, MappingError> {
        let document = DeTable::parse(text).map_err(|error| MappingError {
            span: error.span().unwrap_or(0..0),
            text: format!("the mapping is not TOML: {}", error.message().lines().next().unwrap_or_default()),
            help: None,
        })?;
        let mut mapping = Self::default();
        for ((name, span), value) in entries(document.get_ref()) {
            match name {
                "fields" => mapping.reading = reading(table(value, name)?, &span)?,
                "only" => {
                    for ((name, span), value) in table(value, name)? {
                        mapping.only.push((pointer(name, &span)?, texts(value)?.0));
                    }
                }
                "events" => {
                    for ((name, _), value) in table(value, name)? {
                        let event = text_of(value)?;
                        if !matches!(event, "send" | "receive") {
                            return wrong(
                                value.span(),
                                format!("{event:?} is no event"),
                                "there are send and receive",
                            );
                        }
                        mapping.events.insert(name.to_owned(), event.to_owned());
                    }
                }
                "performatives" => {
                    for ((name, _), value) in table(value, name)? {
                        mapping.performatives.insert(name.to_owned(), text_of(value)?.to_owned());
                    }
                }
                "args" => {
                    for ((name, _), value) in table(value, name)? {
                        mapping.args.insert(name.to_owned(), arguments(value)?);
                    }
                }
                "topics" => {
                    for ((name, _), value) in table(value, name)? {
                        mapping.topics.push((name.to_owned(), hearers(value)?));
                    }
                }
                "answers" => {
                    for ((name, span), value) in table(value, name)? {
                        mapping.answers.push(answer_rule(name, span, value)?);
                    }
                }
                "time_unit" => mapping.times.unit = Some(time_unit(value)?),
                "time_zone" => mapping.times.zone = Some(time_zone(value)?),
                "cast" => mapping.cast = Arc::new(CastRules { rules: cast(table(value, name)?)? }),
                _ => return wrong(span, format!("a mapping has no table {name:?}"), TABLES),
            }
        }
        match mapping.reading {
            Reading::Filter(_, ref span, _)
                if !(mapping.only.is_empty() && mapping.events.is_empty() && mapping.args.is_empty()) =>
            {
                let text = "a filter makes whole records: the tables only, events and args say nothing then";
                wrong(span.clone(), text.to_owned(), "let the filter say it")
            }
            _ => Ok(mapping),
        }
    }

    /// The file of the filter, by its name in the mapping, and where it is named; `None` if there is no filter.
    #[must_use]
    pub fn filter_file(&self) -> Option<(&str, Range<usize>)> {
        match &self.reading {
            Reading::Filter(file, span, _) => Some((file, span.clone())),
            Reading::Records | Reading::Places(_) => None,
        }
    }

    /// With the text of the file of the filter.
    ///
    /// # Errors
    /// What is wrong with it; the places are those in its own text.
    pub fn with_filter(mut self, text: &str) -> Result<Self, Vec<MappingError>> {
        if let Reading::Filter(_, _, filter) = &mut self.reading {
            let error = |(span, text)| MappingError { span, text, help: None };
            let compiled = Filter::compile(text);
            *filter = Some(compiled.map_err(|all| all.into_iter().map(error).collect::<Vec<_>>())?);
        }
        Ok(self)
    }

    /// With the filter run by somebody else, who knows its text.
    #[must_use]
    pub fn with_filter_run_by(mut self, run: RunFilter) -> Self {
        if let Reading::Filter(_, _, filter) = &mut self.reading {
            *filter = filter.take().map(|filter| filter.run_by(run));
        }
        self
    }

    /// Where the arguments of a line with this performative stand.
    pub(super) fn arguments<'a>(&'a self, places: &'a Places, performative: Option<&str>) -> &'a Arguments {
        performative.and_then(|it| self.args.get(it)).unwrap_or(&places.args)
    }

    /// What it says of the arguments of a line with this performative, if it says anything.
    pub(super) fn arguments_of(&self, performative: &str) -> Option<&Arguments> {
        self.args.get(performative)
    }

    /// Who hears what is said on a topic, as recipients of a record.
    pub(super) fn hearers(&self, topic: &str) -> Option<&[String]> {
        self.topics.iter().find(|(pattern, _)| fits(pattern, topic)).map(|(_, hearers)| hearers.as_slice())
    }

    /// What it says of times.
    #[must_use]
    pub fn times(&self) -> TimeRules {
        self.times
    }

    /// How long agents may take until they have sent what they owe, in nanoseconds, by part.
    ///
    /// # Errors
    /// The first role that the scene does not have.
    pub fn answers(&self, program: &Program) -> Result<Vec<(PartId, u64)>, MappingError> {
        let mut all = Vec::new();
        for AnswerRule { role, nanos, span } in &self.answers {
            let before = all.len();
            let parts = program.parts.iter().enumerate();
            let its = parts.filter(|(_, part)| program.role_name(part.role) == role);
            all.extend(its.map(|(index, _)| (PartId::new(index), *nanos)));
            if all.len() == before {
                return wrong(span.clone(), format!("the scene has no role %{role}"), "");
            }
        }
        Ok(all)
    }

    /// The first table that says something of the contents of lines, beside who is who.
    #[must_use]
    pub fn looks_into_lines(&self) -> bool {
        !(self.only.is_empty() && self.args.is_empty() && self.events.is_empty())
    }

    /// Who plays what by a table of its form.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn cast_of(table: &DeTable<'_>) -> Result<Arc<CastRules>, MappingError> {
        Ok(Arc::new(CastRules { rules: cast(entries(table))? }))
    }

    /// Who plays what.
    #[must_use]
    pub fn cast(&self) -> Arc<CastRules> {
        Arc::clone(&self.cast)
    }

    /// Whether it says how lines become records.
    #[must_use]
    pub fn has_fields(&self) -> bool {
        !matches!(self.reading, Reading::Records)
    }
}

fn wrong<T>(span: Range<usize>, text: String, help: &str) -> Result<T, MappingError> {
    let help = (!help.is_empty()).then(|| help.to_owned());
    Err(MappingError { span, text, help })
}

/// The entries of a table in the order of the text.
fn entries<'a, 'i>(table: &'a DeTable<'i>) -> Vec<(Key<'a>, Value<'a, 'i>)> {
    let entry = |(key, value): (&'a Spanned<std::borrow::Cow<'i, str>>, Value<'a, 'i>)| {
        ((key.get_ref().as_ref(), key.span()), value)
    };
    let mut entries: Vec<_> = table.iter().map(entry).collect();
    entries.sort_by_key(|it| it.0.1.start);
    entries
}

fn table<'a, 'i>(value: Value<'a, 'i>, name: &str) -> Result<Vec<(Key<'a>, Value<'a, 'i>)>, MappingError> {
    match value.get_ref() {
        DeValue::Table(table) => Ok(entries(table)),
        _ => wrong(value.span(), format!("{name:?} has to be a table"), ""),
    }
}

fn text_of<'a>(value: Value<'a, '_>) -> Result<&'a str, MappingError> {
    match value.get_ref() {
        DeValue::String(text) => Ok(text),
        _ => wrong(value.span(), "a text was expected".to_owned(), ""),
    }
}

/// A text, or a list of texts; and whether it was a list.
fn texts(value: Value<'_, '_>) -> Result<(Vec<String>, bool), MappingError> {
    match value.get_ref() {
        DeValue::Array(values) => {
            let texts = values.iter().map(|it| text_of(it).map(str::to_owned)).collect::<Result<_, _>>()?;
            Ok((texts, true))
        }
        _ => Ok((vec![text_of(value)?.to_owned()], false)),
    }
}

/// A JSON pointer.
fn pointer(text: &str, span: &Range<usize>) -> Result<String, MappingError> {
    let help = "it begins with /, such as /peer/id; ~1 stands for / in a name, and ~0 for ~";
    let escapes = text.split('~').skip(1).all(|it| it.starts_with(['0', '1']));
    match escapes && (text.is_empty() || text.starts_with('/')) {
        true => Ok(text.to_owned()),
        false => wrong(span.clone(), format!("{text:?} is no JSON pointer"), help),
    }
}

/// A JSON pointer, or a list of them; and whether it was a list.
fn pointers(value: Value<'_, '_>) -> Result<(Vec<String>, bool), MappingError> {
    let (texts, is_list) = texts(value)?;
    let pointers = texts.iter().map(|it| pointer(it, &value.span())).collect::<Result<Vec<_>, _>>()?;
    Ok((pointers, is_list))
}

/// Who hears a topic: agents and roles.
fn hearers(value: Value<'_, '_>) -> Result<Vec<String>, MappingError> {
    let (hearers, _) = texts(value)?;
    match hearers.iter().find(|it| it.len() < 2 || !it.starts_with(['!', '%'])) {
        None if !hearers.is_empty() => Ok(hearers),
        None => wrong(value.span(), "nobody hears the topic".to_owned(), "leave it out"),
        Some(other) => {
            let help = "agents are written as !Name, and roles as %name";
            wrong(value.span(), format!("{other:?} is neither an agent nor a role"), help)
        }
    }
}

fn answer_rule(name: &str, span: Range<usize>, value: Value<'_, '_>) -> Result<AnswerRule, MappingError> {
    let Some(role) = name.strip_prefix('%').filter(|it| !it.is_empty()) else {
        return wrong(span, format!("{name:?} is no role"), "roles are written as %name");
    };
    let text = text_of(value)?;
    let Some(nanos) = duration(text) else {
        let help = "a duration is a number with a unit: 500ms, 30s, 5m, 24h or 7d";
        return wrong(value.span(), format!("{text:?} is no duration, or too long"), help);
    };
    Ok(AnswerRule { role: role.to_owned(), nanos, span })
}

fn time_unit(value: Value<'_, '_>) -> Result<TimeUnit, MappingError> {
    let symbol = text_of(value)?;
    match TimeUnit::ALL.into_iter().find(|it| it.symbol() == symbol) {
        Some(unit) => Ok(unit),
        None => {
            wrong(value.span(), format!("{symbol:?} is no unit of time"), "the units are s, ms, us and ns")
        }
    }
}

fn time_zone(value: Value<'_, '_>) -> Result<i64, MappingError> {
    let text = text_of(value)?;
    match parse_zone(text) {
        Some(zone) => Ok(zone),
        None => wrong(value.span(), format!("{text:?} is no zone"), "it is written as +02:00, or Z"),
    }
}

/// Arguments by name.
fn named(table: Vec<(Key<'_>, Value<'_, '_>)>, place: &Range<usize>) -> Result<Arguments, MappingError> {
    let mut all = ArgumentNames { names: Vec::new(), optional: Vec::new(), drops_others: false };
    let mut optional_place = place.clone();
    for ((name, span), value) in table {
        match name {
            "names" => all.names = texts(value)?.0,
            "optional" => {
                all.optional = texts(value)?.0;
                optional_place = value.span();
            }
            "others" if text_of(value)? == "drop" => all.drops_others = true,
            "others" => {
                return wrong(value.span(), "others can only be dropped".to_owned(), "write \"drop\"");
            }
            _ => {
                let help = "arguments by name have names, optional and others";
                return wrong(span, format!("{name:?} says nothing of arguments"), help);
            }
        }
    }
    match all.optional.iter().find(|it| !all.names.contains(it)) {
        None => Ok(Arguments::Named(all)),
        Some(stranger) => {
            let help = "names gives the place of each argument";
            wrong(optional_place, format!("{stranger:?} is optional, and not one of the names"), help)
        }
    }
}

fn arguments(value: Value<'_, '_>) -> Result<Arguments, MappingError> {
    if let DeValue::Table(table) = value.get_ref() {
        return named(entries(table), &value.span());
    }
    let (mut pointers, is_list) = pointers(value)?;
    match (is_list, pointers.pop()) {
        (false, Some(one)) => Ok(Arguments::Together(one)),
        (_, last) => Ok(Arguments::Each(pointers.into_iter().chain(last).collect())),
    }
}

/// The table of fields.
fn reading(table: Vec<(Key<'_>, Value<'_, '_>)>, place: &Range<usize>) -> Result<Reading, MappingError> {
    let mut places = Places::default();
    let several = table.len() > 1;
    for ((name, span), value) in table {
        match (name, Field::named(name)) {
            (_, Some(field)) => places.set(field, pointers(value)?.0),
            (Field::ARGS, None) => places.args = arguments(value)?,
            (FILTER, None) if several => {
                return wrong(span, "a filter gives all fields".to_owned(), "leave out the other fields");
            }
            (FILTER, None) => return filter(value),
            (_, None) => {
                let names: Vec<&str> = Field::ALL.iter().map(|it| it.1).chain([Field::ARGS]).collect();
                let help = format!("the fields are {}; or a filter alone", names.join(", "));
                return wrong(span, format!("a record has no field {name:?}"), &help);
            }
        }
    }
    match Field::NEEDED.into_iter().find(|&it| places.of(it).is_empty()) {
        None => Ok(Reading::Places(Box::new(places))),
        Some(missing) => {
            wrong(place.clone(), format!("the mapping does not say where `{}` stands", missing.name()), "")
        }
    }
}

fn filter(value: Value<'_, '_>) -> Result<Reading, MappingError> {
    match text_of(value)? {
        "" | "-" => wrong(value.span(), "a filter is in a file".to_owned(), "give its name"),
        file => Ok(Reading::Filter(file.to_owned(), value.span(), None)),
    }
}

fn cast(table: Vec<(Key<'_>, Value<'_, '_>)>) -> Result<Vec<CastRule>, MappingError> {
    let mut rules = Vec::new();
    for ((pattern, _), value) in table {
        let text = text_of(value)?;
        let target = match (text.strip_prefix('!'), text.strip_prefix('%')) {
            (Some(agent), _) if !agent.is_empty() => Target::Agent(agent.to_owned()),
            (_, Some(role)) if !role.is_empty() => Target::Role(role.to_owned()),
            _ => {
                let help = "agents are written as !Name, and roles as %name";
                return wrong(value.span(), format!("{text:?} is neither an agent nor a role"), help);
            }
        };
        if let Target::Agent(agent) = &target {
            let (stars, its) = (pattern.matches('*').count(), agent.matches('*').count());
            if stars > 0 && its == 0 {
                let help = "give a role, such as %bidder, or keep what * stands for, as in !Bidder*";
                return wrong(value.span(), format!("several names would be the one agent !{agent}"), help);
            }
            if its > 0 && (stars, its) != (1, 1) {
                let help = "what * stands for in the name is put for * in the agent: each has one of them";
                return wrong(value.span(), format!("it is not said what * means in !{agent}"), help);
            }
        }
        rules.push(CastRule { pattern: pattern.to_owned(), target, span: value.span() });
    }
    Ok(rules)
}
