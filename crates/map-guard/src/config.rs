//! What a configuration says, as TOML: who plays what, when messages arrive, how long answers and waits take, and
//! what is enforced.

use std::ops::Range;
use std::sync::Arc;

use map_conform::{CastRules, Mapping};
use map_ir::{AgentId, Operand, PartId, PointId, PointKind, Program, Test, Value};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::rules::{Arrival, Moment, OnDoomed, OnSilent, Policy, Wait};

/// What is wrong with a configuration, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// The bytes of the text that it is about.
    pub span: Range<usize>,
    /// One sentence.
    pub text: String,
    /// What to do about it.
    pub help: Option<String>,
}

/// Something that a key says.
#[derive(Clone, Debug)]
struct Keyed<T> {
    key: String,
    span: Range<usize>,
    value: T,
}

/// A configuration that has been read.
#[derive(Clone, Debug, Default)]
pub struct Config {
    cast: Arc<CastRules>,
    arrivals: Vec<Keyed<Arrival>>,
    answers: Vec<Keyed<Moment>>,
    waits: Vec<Keyed<Wait>>,
    messages: Option<u64>,
    messages_of: Vec<Keyed<u64>>,
    on_silent: Option<OnSilent>,
    on_doomed: Option<OnDoomed>,
    properties: PropertyNames,
    /// When messages arrive for those of whom nothing is said.
    usual_arrival: Option<Arrival>,
}

type Entry<'a, 'i> = (&'a str, Range<usize>, &'a Spanned<DeValue<'i>>);

const TABLES: &str = "the tables are cast, arrivals, answers, waits and enforce";
const ENFORCE: &str =
    "there are properties, messages, on_silent, on_doomed, and roles such as \"%planner\" = 40";
const DURATIONS: &str = "a duration is a number with a unit: 500ms, 30s, 5m, 24h or 7d";

fn wrong<T>(span: Range<usize>, text: impl Into<String>, help: &str) -> Result<T, ConfigError> {
    let help = (!help.is_empty()).then(|| help.to_owned());
    Err(ConfigError { span, text: text.into(), help })
}

/// The entries of a table in the order of the text.
fn entries<'a, 'i>(table: &'a DeTable<'i>) -> Vec<Entry<'a, 'i>> {
    let mut entries: Vec<Entry<'a, 'i>> =
        table.iter().map(|(key, value)| (key.get_ref().as_ref(), key.span(), value)).collect();
    entries.sort_by_key(|entry| entry.1.start);
    entries
}

fn table<'a, 'i>(value: &'a Spanned<DeValue<'i>>, name: &str) -> Result<&'a DeTable<'i>, ConfigError> {
    match value.get_ref() {
        DeValue::Table(table) => Ok(table),
        _ => wrong(value.span(), format!("{name:?} has to be a table"), ""),
    }
}

fn text_of<'a>(value: &'a Spanned<DeValue<'_>>) -> Result<&'a str, ConfigError> {
    match value.get_ref() {
        DeValue::String(text) => Ok(text),
        _ => wrong(value.span(), "a text was expected", ""),
    }
}

fn number(value: &Spanned<DeValue<'_>>) -> Result<u64, ConfigError> {
    let number = match value.get_ref() {
        DeValue::Integer(number) => number.as_str().parse().ok(),
        _ => None,
    };
    number.map_or_else(|| wrong(value.span(), "a number from 0 on was expected", ""), Ok)
}

/// A duration such as `30s`.
fn duration(value: &Spanned<DeValue<'_>>) -> Result<Moment, ConfigError> {
    let text = text_of(value)?;
    map_conform::duration(text)
        .map_or_else(|| wrong(value.span(), format!("{text:?} is no duration, or too long"), DURATIONS), Ok)
}

/// Reads every value of a table.
fn keyed<T>(
    table: &DeTable<'_>,
    read: impl Fn(&Spanned<DeValue<'_>>) -> Result<T, ConfigError>,
) -> Result<Vec<Keyed<T>>, ConfigError> {
    let entry =
        |(key, span, value): Entry<'_, '_>| Ok(Keyed { key: key.to_owned(), span, value: read(value)? });
    entries(table).into_iter().map(entry).collect()
}

fn arrival(value: &Spanned<DeValue<'_>>) -> Result<Arrival, ConfigError> {
    match text_of(value)? {
        "strict" => Ok(Arrival::Strict),
        "fetched" => Ok(Arrival::Fetched),
        "pushed" => Ok(Arrival::Pushed),
        other => {
            let help = "messages are strict, fetched or pushed";
            wrong(value.span(), format!("messages do not arrive {other:?}"), help)
        }
    }
}

fn wait(value: &Spanned<DeValue<'_>>) -> Result<Wait, ConfigError> {
    let DeValue::Table(table) = value.get_ref() else { return duration(value).map(Wait::Quiescent) };
    match entries(table)[..] {
        [("early", _, value)] => duration(value).map(Wait::Early),
        _ => wrong(value.span(), "a wait is a duration, or { early = \"5m\" }", DURATIONS),
    }
}

/// The names of some properties, with where they stand; `None` for all.
type PropertyNames = Option<Vec<(String, Range<usize>)>>;

/// `"all"`, or the names of some properties.
fn properties(value: &Spanned<DeValue<'_>>) -> Result<PropertyNames, ConfigError> {
    match value.get_ref() {
        DeValue::String(word) if &**word == "all" => Ok(None),
        DeValue::Array(names) => {
            let name = |name: &Spanned<DeValue<'_>>| Ok((text_of(name)?.to_owned(), name.span()));
            names.iter().map(name).collect::<Result<_, _>>().map(Some)
        }
        _ => wrong(value.span(), "\"all\" was expected, or a list of names", ""),
    }
}

impl Config {
    /// Reads a configuration.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn parse(text: &str) -> Result<Self, ConfigError> {
        let document = DeTable::parse(text).map_err(|error| ConfigError {
            span: error.span().unwrap_or(0..0),
            text: format!("it is not TOML: {}", error.message().lines().next().unwrap_or_default()),
            help: None,
        })?;
        let mut config = Self::default();
        for (name, span, value) in entries(document.get_ref()) {
            match name {
                "cast" => {
                    let cast = Mapping::cast_of(table(value, name)?);
                    config.cast =
                        cast.map_err(|it| ConfigError { span: it.span, text: it.text, help: it.help })?;
                }
                "arrivals" => config.arrivals = keyed(table(value, name)?, arrival)?,
                "answers" => config.answers = keyed(table(value, name)?, duration)?,
                "waits" => config.waits = keyed(table(value, name)?, wait)?,
                "enforce" => config.enforce(table(value, name)?)?,
                _ => return wrong(span, format!("a configuration has no table {name:?}"), TABLES),
            }
        }
        Ok(config)
    }

    fn enforce(&mut self, table: &DeTable<'_>) -> Result<(), ConfigError> {
        for (key, span, value) in entries(table) {
            match key {
                "messages" => self.messages = Some(number(value)?),
                "on_silent" => {
                    self.on_silent = Some(match text_of(value)? {
                        "give_up" => OnSilent::GiveUp,
                        "tell" => OnSilent::Tell,
                        other => {
                            let text = format!("nothing is done by {other:?}");
                            return wrong(value.span(), text, "there are give_up and tell");
                        }
                    });
                }
                "on_doomed" => {
                    self.on_doomed = Some(match text_of(value)? {
                        "refuse" => OnDoomed::Refuse,
                        "warn" => OnDoomed::Warn,
                        "off" => OnDoomed::Off,
                        other => {
                            let text = format!("nothing is done by {other:?}");
                            return wrong(value.span(), text, "there are refuse, warn and off");
                        }
                    });
                }
                "properties" => self.properties = properties(value)?,
                _ if key.starts_with('%') => {
                    self.messages_of.push(Keyed { key: key.to_owned(), span, value: number(value)? });
                }
                _ => return wrong(span, format!("nothing is enforced by {key:?}"), ENFORCE),
            }
        }
        Ok(())
    }

    /// Who plays what.
    #[must_use]
    pub fn cast(&self) -> Arc<CastRules> {
        Arc::clone(&self.cast)
    }

    /// Whether a property of the file is enforced.
    #[must_use]
    pub fn enforces(&self, property: &str) -> bool {
        self.properties.as_ref().is_none_or(|all| all.iter().any(|(name, _)| name == property))
    }

    /// Whether all properties that are named are among these.
    ///
    /// # Errors
    /// The first that is not.
    pub fn check_properties(&self, known: &[String]) -> Result<(), ConfigError> {
        let mut named = self.properties.iter().flatten();
        match named.find(|(name, _)| !known.contains(name)) {
            None => Ok(()),
            Some((name, span)) => {
                let help = match known {
                    [] => "it has none".to_owned(),
                    known => format!("it has {}", known.join(", ")),
                };
                wrong(span.clone(), format!("the file has no property {name:?}"), &help)
            }
        }
    }

    /// The same, but that messages arrive so for those of whom it says nothing.
    #[must_use]
    pub fn with_usual_arrival(self, usual: Arrival) -> Self {
        Self { usual_arrival: Some(usual), ..self }
    }

    /// What the configuration says of a scene. `line` gives the line of a point in the file called `file`.
    ///
    /// # Errors
    /// The first key that means nothing in the scene, or too much.
    pub fn policy(
        &self,
        program: &Program,
        file: &str,
        line: &dyn Fn(PointId) -> usize,
    ) -> Result<Policy, ConfigError> {
        let mut policy = Policy::new(program);
        if let Some(usual) = self.usual_arrival {
            policy.arrivals.fill(usual);
        }
        if let Some((span, text)) = self.cast.strangers(program).into_iter().next() {
            return wrong(span, text, "");
        }
        for keyed in &self.arrivals {
            for agent in self.agents(program, keyed)? {
                policy.arrivals[agent.index()] = keyed.value;
            }
        }
        for keyed in &self.answers {
            for agent in self.agents(program, keyed)? {
                policy.answers[agent.index()] = Some(keyed.value);
            }
        }
        for keyed in &self.messages_of {
            for agent in self.agents(program, keyed)? {
                policy.messages_of[agent.index()] = Some(keyed.value);
            }
        }
        for keyed in &self.waits {
            for place in waits(program, keyed, file, line)? {
                policy.waits.insert(place, keyed.value);
            }
        }
        policy.messages = self.messages;
        policy.on_silent = self.on_silent.unwrap_or(policy.on_silent);
        policy.on_doomed = self.on_doomed.unwrap_or(policy.on_doomed);
        Ok(policy)
    }

    /// The agents that a key means: a role, an agent as in the file, or a name of the cast.
    fn agents<T>(&self, program: &Program, keyed: &Keyed<T>) -> Result<Vec<AgentId>, ConfigError> {
        let key = keyed.key.as_str();
        if let Some(role) = key.strip_prefix('%') {
            return match part(program, role) {
                Some(part) => Ok(program.part(part).agents.clone()),
                None => wrong(keyed.span.clone(), format!("no agent of the scene plays %{role}"), ""),
            };
        }
        let by_cast = self.cast.agent(program, key).ok().flatten();
        match by_cast.or_else(|| map_conform::agent_named(program, key)) {
            Some(agent) => Ok(vec![agent]),
            None => {
                let help = "give a role as %name, an agent as !Name, or a name of [cast]";
                wrong(keyed.span.clone(), format!("the scene has no agent {key:?}"), help)
            }
        }
    }
}

fn part(program: &Program, role: &str) -> Option<PartId> {
    program.parts.iter().position(|part| program.role_name(part.role) == role).map(PartId::new)
}

/// The waits with a timeout that a key means: those of a clause, as in `%planner/collect`, or the one at a place, as in
/// `crew.map:38`.
fn waits(
    program: &Program,
    keyed: &Keyed<Wait>,
    file: &str,
    line: &dyn Fn(PointId) -> usize,
) -> Result<Vec<PointId>, ConfigError> {
    let key = keyed.key.as_str();
    let places = (0..program.points.len()).map(PointId::new);
    let with_timeout =
        |place: &PointId| matches!(program.point(*place).kind, PointKind::Wait { timeout: Some(_), .. });
    let all = places.filter(with_timeout);
    if let Some(clause) = key.strip_prefix('%') {
        let (role, name) = clause.split_once('/').map_or((clause, None), |(role, name)| (role, Some(name)));
        let is_meant = |place: &PointId| {
            let clause = program.point(*place).clause;
            let its_role = program.role_name(program.part(program.clause(clause).part).role);
            its_role == role && clause_name(program, clause) == name
        };
        let found: Vec<PointId> = all.filter(is_meant).collect();
        return match found.is_empty() {
            false => Ok(found),
            true => {
                let text = format!("no clause {key} of the scene has a wait with a timeout");
                wrong(
                    keyed.span.clone(),
                    text,
                    "a key is a clause such as %planner/collect, or a place as file:line",
                )
            }
        };
    }
    let its_line = key.rsplit_once(':').filter(|(its_file, _)| names_file(its_file, file));
    let Some(its_line) = its_line.and_then(|(_, line)| line.parse::<usize>().ok()) else {
        let text = format!("{key:?} is neither a clause nor a place of {file}");
        return wrong(
            keyed.span.clone(),
            text,
            "a key is a clause such as %planner/collect, or a place as file:line",
        );
    };
    let found: Vec<PointId> = all.filter(|&place| line(place) == its_line).collect();
    match found.len() {
        1 => Ok(found),
        0 => wrong(keyed.span.clone(), format!("no wait with a timeout stands at {key}"), ""),
        several => {
            let text = format!("{several} waits with a timeout stand at {key}");
            wrong(keyed.span.clone(), text, "write them on lines of their own")
        }
    }
}

/// Whether a file is meant: by its name, or by its whole path.
fn names_file(name: &str, file: &str) -> bool {
    name == file || file.rsplit(['/', '\\']).next() == Some(name)
}

/// The name by which a clause is called: the constant at the beginning of its head.
fn clause_name(program: &Program, clause: map_ir::ClauseId) -> Option<&str> {
    program.clause(clause).head.tests.iter().find_map(|test| match test {
        Test::Operand(0, Operand::Constant(Value::Name(id))) => {
            program.names.get(id.index()).map(String::as_str)
        }
        _ => None,
    })
}
